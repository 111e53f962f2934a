// What:    See primitive_impact.hpp.
#include <sudar/continuous/exact_impact.hpp>
#include <sudar/continuous/impact_filter.hpp>
#include <sudar/continuous/primitive_impact.hpp>
#include <sudar/continuous/separation_impact.hpp>

#include <cmath>
#include <optional>

namespace sudar {

namespace {

template <class V, std::size_t N>
bool all_finite(const std::array<V, N>& points) {
  // Zero times anything finite is zero
  double sum = 0;
  for (const V& p : points)
    for (int k = 0; k < V::kDim; ++k) sum += p[k] * 0;
  return sum == 0;
}

template <class V, std::size_t N>
std::optional<Error> refusal(const std::array<V, N>& start, const std::array<V, N>& end, const ImpactOptions& options) {
  if (!all_finite(start) || !all_finite(end))
    for (std::size_t i = 0; i < 2 * N; ++i)
      for (int k = 0; k < V::kDim; ++k)
        if (const V& p = i < N ? start[i] : end[i - N]; !std::isfinite(p[k]))
          return Error{ErrorCode::non_finite, i, "coordinate is NaN or infinite"};
  if (options.min_separation == 0) return std::nullopt;
  if (!std::isfinite(options.min_separation))
    return Error{ErrorCode::non_finite, Error::kNoElement, "minimum separation is NaN or infinite"};
  if (options.min_separation < 0)
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "minimum separation is negative"};
  if (!(options.tolerance >= kLeastImpactTolerance && options.tolerance <= 1))
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "tolerance is out of its range"};
  return std::nullopt;
}

// Filter, then integers
template <class Points, class Filter, class Exact>
Result<PrimitiveImpact> touch(const Points& start, const Points& end, Filter&& filter, Exact&& exact) {
  const FilteredImpact quick = filter(start, end);
  if (quick.verdict == FilterVerdict::miss) return PrimitiveImpact{};
  if (quick.verdict == FilterVerdict::hit) return PrimitiveImpact{true, quick.t, quick.lower};
  return guarded([&]() -> Result<PrimitiveImpact> {
    const ExactImpact sure = exact(start, end);
    return PrimitiveImpact{sure.hit, sure.lo, sure.lo};
  });
}

}  // namespace

Result<PrimitiveImpact> vertex_face_impact(const std::array<Vec3d, 4>& start, const std::array<Vec3d, 4>& end,
                                           const ImpactOptions& options) noexcept {
  if (const auto error = refusal(start, end, options)) return *error;
  if (options.min_separation > 0) return vertex_face_separation(start, end, options);
  return touch(start, end, filter_vertex_face, exact_vertex_face);
}

Result<PrimitiveImpact> edge_edge_impact(const std::array<Vec3d, 4>& start, const std::array<Vec3d, 4>& end,
                                         const ImpactOptions& options) noexcept {
  if (const auto error = refusal(start, end, options)) return *error;
  if (options.min_separation > 0) return edge_edge_separation(start, end, options);
  return touch(start, end, filter_edge_edge, exact_edge_edge);
}

Result<PrimitiveImpact> point_edge_impact(const std::array<Vec2d, 3>& start, const std::array<Vec2d, 3>& end,
                                          const ImpactOptions& options) noexcept {
  if (const auto error = refusal(start, end, options)) return *error;
  if (options.min_separation > 0) {
    // A triangle without width, in space
    const auto lift = [](const std::array<Vec2d, 3>& p) {
      return std::array<Vec3d, 4>{{{p[0].x, p[0].y, 0}, {p[1].x, p[1].y, 0}, {p[2].x, p[2].y, 0}, {p[2].x, p[2].y, 0}}};
    };
    return vertex_face_separation(lift(start), lift(end), options);
  }
  return touch(start, end, filter_point_edge, exact_point_edge);
}

}  // namespace sudar
