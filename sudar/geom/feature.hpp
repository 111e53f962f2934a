// What:    A part of a polygon's or polyhedron's surface by kind and index: what regions, contact sets and manifolds
//          name.
// Frame:   Polygon: edge i runs from vertex i to the next. What numbers edges and faces of polyhedra says the user of
//          it: voronoi_regions.hpp, features2.hpp, features3.hpp.
#pragma once

#include <sudar/core/config.hpp>

#include <cstdint>

namespace sudar {

enum class FeatureKind : std::uint8_t { vertex, edge, face, inside };

struct Feature {
  FeatureKind kind = FeatureKind::vertex;
  std::uint32_t index = 0;

  friend constexpr bool operator==(const Feature&, const Feature&) = default;
};

}  // namespace sudar
