// What:    A vertex of A and a vertex of B by their numbers: a corner of the difference set.
#pragma once

#include <sudar/core/config.hpp>

#include <cstdint>

namespace sudar {

struct VertexPair {
  std::uint32_t a, b;

  friend constexpr bool operator==(const VertexPair&, const VertexPair&) = default;
};

}  // namespace sudar
