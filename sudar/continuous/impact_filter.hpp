// What:    The contact times of exact_impact.hpp in plain doubles with proven bounds on the rounding: a miss or a hit that
//          is certain, or "unsure".
// Source:  Bernstein coefficients as bounds of a polynomial, and Descartes' rule for them: Lane and Riesenfeld, "Bounds on
//          a polynomial", 1981; filters in front of exact arithmetic: Shewchuk, 1997.
// Differs: Published continuous tests isolate the roots of the rounded cubic and then guess with a tolerance. Here a
//          sign counts only beyond the bound of its error, whatever the scale of the coordinates (every term is a
//          product of differences, so a common translation costs nothing), and what is left is "unsure".
// Fails:   never. "unsure" goes to exact_impact: touching at the ends or at a border, double roots, coplanar motion.
#pragma once

#include <sudar/math/vec.hpp>

#include <array>
#include <cstdint>

namespace sudar {

enum class FilterVerdict : std::uint8_t { miss, hit, unsure };

struct FilteredImpact {
  FilterVerdict verdict = FilterVerdict::miss;
  double lower = 0;  // never after the first time of contact
  double t = 0;      // near it
};

// As in exact_impact.hpp; finite coordinates
SUDAR_API FilteredImpact filter_vertex_face(const std::array<Vec3d, 4>& start,
                                            const std::array<Vec3d, 4>& end) noexcept;
SUDAR_API FilteredImpact filter_edge_edge(const std::array<Vec3d, 4>& start, const std::array<Vec3d, 4>& end) noexcept;
SUDAR_API FilteredImpact filter_point_edge(const std::array<Vec2d, 3>& start, const std::array<Vec2d, 3>& end) noexcept;

}  // namespace sudar
