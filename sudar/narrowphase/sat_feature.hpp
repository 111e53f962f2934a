// What:    What made a separating axis, and what a search for one is after; for both dimensions.
#pragma once

#include <sudar/core/config.hpp>

#include <cstdint>

namespace sudar {

// `other`: an axis of the thin prism around a flat set
enum class SatKind : std::uint8_t { none, face_a, face_b, edges, other };

struct SatFeature {
  SatKind kind = SatKind::none;
  std::uint32_t a = 0, b = 0;  // faces (edges in the plane), or half-edges of A and B

  friend constexpr bool operator==(const SatFeature&, const SatFeature&) = default;
};

enum class SatGoal : std::uint8_t {
  separate,  // stop at the first gap that is proven
  measure,   // the widest
};

// The axis that separated last time, tried first the next time. Zeroed is empty.
struct SatCache {
  SatFeature feature;
};

}  // namespace sudar
