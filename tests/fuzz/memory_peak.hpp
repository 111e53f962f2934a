// What:    The most memory that was held at once while it was there, as the address sanitizer tells; nothing without that.
#pragma once

#include <cstddef>

namespace sudar_fuzz {

class MemoryPeak {
 public:
  MemoryPeak();
  // Beyond what was held when it was made
  std::size_t bytes() const;
};

}  // namespace sudar_fuzz
