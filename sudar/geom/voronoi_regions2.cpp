// What:    Regions of a polygon: exact signs, the walk and the scan, see the header.
#include <sudar/geom/polygon.hpp>
#include <sudar/geom/region_signs.hpp>
#include <sudar/geom/voronoi_regions.hpp>
#include <sudar/math/predicates.hpp>

namespace sudar {
namespace {

class Features {
 public:
  explicit Features(const VoronoiRegions2& regions)
      : v_(regions.vertices), count_(static_cast<std::uint32_t>(regions.vertices.size())) {}

  std::uint32_t count() const { return count_; }
  std::uint32_t next(std::uint32_t i) const { return i + 1 == count_ ? 0 : i + 1; }
  std::uint32_t previous(std::uint32_t i) const { return i == 0 ? count_ - 1 : i - 1; }
  const Vec2d& operator[](std::uint32_t i) const { return v_[i]; }

  Result<void> check(Feature feature) const {
    if (feature.kind != FeatureKind::vertex && feature.kind != FeatureKind::edge)
      return Error{ErrorCode::invalid_argument, feature.index, "a polygon has vertices and edges only"};
    if (feature.index >= count_) return Error{ErrorCode::index_out_of_range, feature.index, "no such feature"};
    return {};
  }

  // Positive towards the outside of edge i
  int outside(std::uint32_t i, const Vec2d& p) const { return -orient2d(v_[i], v_[next(i)], p); }
  bool holds(Feature feature, const Vec2d& p) const {
    const Vec2d& a = v_[feature.index];
    const Vec2d& b = v_[next(feature.index)];
    if (feature.kind == FeatureKind::vertex)
      return along<2>(a, b, p) <= 0 && along<2>(a, v_[previous(feature.index)], p) <= 0;
    return outside(feature.index, p) >= 0 && along<2>(a, b, p) > 0 && along<2>(b, a, p) > 0;
  }

  ClosestFeature<2> answer(Feature feature, const Vec2d& p) const {
    ClosestFeature<2> out;
    out.feature = feature;
    out.point = feature.kind == FeatureKind::vertex
                    ? v_[feature.index]
                    : nearest_on_segment<2>(v_[feature.index], v_[next(feature.index)], p);
    out.distance = distance_at_any_scale<2>(out.point, p);
    return out;
  }
  ClosestFeature<2> scan(const Vec2d& p) const {
    for (const FeatureKind kind : {FeatureKind::vertex, FeatureKind::edge})
      for (std::uint32_t i = 0; i < count_; ++i)
        if (holds({kind, i}, p)) return answer({kind, i}, p);
    // Inside: the nearest edge
    ClosestFeature<2> best = answer({FeatureKind::edge, 0}, p);
    for (std::uint32_t i = 1; i < count_; ++i) {
      const ClosestFeature<2> other = answer({FeatureKind::edge, i}, p);
      if (other.distance < best.distance) best = other;
    }
    best.feature.kind = FeatureKind::inside;
    best.distance = -best.distance;
    return best;
  }

 private:
  std::span<const Vec2d> v_;
  std::uint32_t count_;
};

Result<void> check_query(const VoronoiRegions2& regions, const Vec2d& p) {
  if (regions.vertices.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "regions of no polygon"};
  if (!is_finite(p)) return Error{ErrorCode::non_finite, Error::kNoElement, "the point is NaN or infinite"};
  return {};
}

}  // namespace

Result<VoronoiRegions2> make_voronoi_regions(std::span<const Vec2d> polygon) noexcept {
  const Result<ConvexPolygon> convex = make_convex_polygon(polygon);
  if (!convex) return convex.error();
  return guarded([&]() -> Result<VoronoiRegions2> {
    return VoronoiRegions2{{convex->vertices().begin(), convex->vertices().end()}};
  });
}

Result<std::vector<Plane<2, double>>> region_planes(const VoronoiRegions2& regions, Feature feature) noexcept {
  return guarded([&]() -> Result<std::vector<Plane<2, double>>> {
    const Features polygon(regions);
    if (auto checked = polygon.check(feature); !checked) return checked.error();
    const Vec2d a = polygon[feature.index], b = polygon[polygon.next(feature.index)];
    const Vec2d c = polygon[polygon.previous(feature.index)];
    const auto plane = [](const Vec2d& normal, const Vec2d& through) {
      const Vec2d unit = normalized(normal);
      return Plane<2, double>{unit, dot(unit, through)};
    };
    const Vec2d ahead = any_scale_difference<2>(a, b);
    if (feature.kind == FeatureKind::vertex)
      return in_range<2>({plane(ahead, a), plane(any_scale_difference<2>(a, c), a)});
    return in_range<2>({plane(any_scale_difference<2>(b, a), a), plane(ahead, b), plane(perp(ahead), a)});
  });
}

Result<bool> in_region(const VoronoiRegions2& regions, Feature feature, const Vec2d& p) noexcept {
  const Features polygon(regions);
  if (auto checked = check_query(regions, p); !checked) return checked.error();
  if (auto checked = polygon.check(feature); !checked) return checked.error();
  return polygon.holds(feature, p);
}

Result<ClosestFeature<2>> closest_feature_plain(const VoronoiRegions2& regions, const Vec2d& p) noexcept {
  if (auto checked = check_query(regions, p); !checked) return checked.error();
  return in_range(Features(regions).scan(p));
}

Result<ClosestFeature<2>> closest_feature(const VoronoiRegions2& regions, const Vec2d& p, Feature hint) noexcept {
  const Features polygon(regions);
  if (auto checked = check_query(regions, p); !checked) return checked.error();
  if (auto checked = polygon.check(hint); !checked) return checked.error();
  // Every step crosses a plane that p violates
  Feature at = hint;
  for (std::uint32_t steps = 1; steps <= 2 * polygon.count(); ++steps) {
    const std::uint32_t i = at.index;
    const Vec2d &a = polygon[i], &b = polygon[polygon.next(i)];
    if (at.kind == FeatureKind::vertex) {
      if (along<2>(a, b, p) > 0)
        at = {FeatureKind::edge, i};
      else if (along<2>(a, polygon[polygon.previous(i)], p) > 0)
        at = {FeatureKind::edge, polygon.previous(i)};
      else {
        ClosestFeature<2> found = polygon.answer(at, p);
        found.steps = steps;
        return in_range(found);
      }
    } else if (along<2>(a, b, p) <= 0) {
      at = {FeatureKind::vertex, i};
    } else if (along<2>(b, a, p) <= 0) {
      at = {FeatureKind::vertex, polygon.next(i)};
    } else if (polygon.outside(i, p) >= 0) {
      ClosestFeature<2> found = polygon.answer(at, p);
      found.steps = steps;
      return in_range(found);
    } else {
      break;  // behind the edge: inside, or a local minimum
    }
  }
  return in_range(polygon.scan(p));
}

}  // namespace sudar
