// What:    A hint that memory will be read soon, where the compiler has one.
// Differs: For loops that know their next random places well ahead; it changes nothing but the time.
#pragma once

#include <sudar/core/config.hpp>

namespace sudar {

inline void prefetch([[maybe_unused]] const void* address) noexcept {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(address);
#endif
}

}  // namespace sudar
