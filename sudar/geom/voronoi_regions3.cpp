// What:    Regions of a polyhedron: exact signs, the walk and the scan, see the header.
#include <sudar/geom/region_signs.hpp>
#include <sudar/geom/voronoi_regions.hpp>
#include <sudar/math/predicates.hpp>

#include <algorithm>
#include <cmath>

namespace sudar {
namespace {

class Features {
 public:
  explicit Features(const VoronoiRegions3& regions) : h_(regions.hull), vertex_edge_(regions.vertex_edge) {}

  Result<void> check(Feature feature) const {
    if (feature.kind == FeatureKind::inside)
      return Error{ErrorCode::invalid_argument, feature.index, "the inside is not a feature"};
    const std::uint32_t count = feature.kind == FeatureKind::vertex ? h_.vertex_count()
                                : feature.kind == FeatureKind::edge ? static_cast<std::uint32_t>(h_.edges.size())
                                                                    : h_.face_count();
    if (feature.index >= count) return Error{ErrorCode::index_out_of_range, feature.index, "no such feature"};
    return {};
  }

  std::size_t feature_count() const { return h_.vertices.size() + h_.edges.size() / 2 + h_.face_edge.size(); }
  const Vec3d& from(std::uint32_t e) const { return h_.vertices[h_.edges[e].origin]; }
  const Vec3d& to(std::uint32_t e) const { return h_.vertices[h_.destination(e)]; }
  std::uint32_t twin(std::uint32_t e) const { return h_.edges[e].twin; }
  Feature edge(std::uint32_t e) const { return {FeatureKind::edge, std::min(e, twin(e))}; }
  Feature face_of(std::uint32_t e) const { return {FeatureKind::face, h_.edges[e].face}; }

  // Strictly inside of half-edge e, seen along the normal of its face
  int inside_of(std::uint32_t e, const Vec3d& p) const {
    const std::uint32_t f = h_.edges[e].face;
    return inside_edge(corner(f, 0), corner(f, 1), corner(f, 2), from(e), to(e), p);
  }
  int in_front(std::uint32_t f, const Vec3d& p) const { return orient3d(corner(f, 0), corner(f, 1), corner(f, 2), p); }

  template <class F>
  void around_vertex(std::uint32_t v, F&& visit) const {
    std::uint32_t e = vertex_edge_[v];
    do {
      if (!visit(e)) return;
      e = h_.edges[twin(e)].next;
    } while (e != vertex_edge_[v]);
  }

  // One step from a feature: itself when it holds p, `inside` where p lies behind it
  Feature step(Feature at, const Vec3d& p) const {
    Feature next = at;
    if (at.kind == FeatureKind::vertex) {
      around_vertex(at.index, [&](std::uint32_t e) {
        if (along<3>(from(e), to(e), p) <= 0) return true;
        next = edge(e);
        return false;
      });
      return next;
    }
    if (at.kind == FeatureKind::edge) {
      const std::uint32_t e = at.index;
      if (along<3>(from(e), to(e), p) <= 0) return {FeatureKind::vertex, h_.edges[e].origin};
      if (along<3>(to(e), from(e), p) <= 0) return {FeatureKind::vertex, h_.destination(e)};
      if (inside_of(e, p) > 0) return face_of(e);
      if (inside_of(twin(e), p) > 0) return face_of(twin(e));
      // Between coplanar faces the planes leave the points right above the edge, and those right below
      if (in_front(h_.edges[e].face, p) < 0 && in_front(h_.edges[twin(e)].face, p) < 0)
        return {FeatureKind::inside, h_.edges[e].face};
      return at;
    }
    // Of the edges that p lies outside of, the nearest one
    double nearest = HUGE_VAL;
    for (std::uint32_t i = 0; i < h_.face_degree(at.index); ++i) {
      const std::uint32_t e = h_.face_edge[at.index] + i;
      if (inside_of(e, p) > 0) continue;
      const double away = distance_at_any_scale<3>(nearest_on_segment<3>(from(e), to(e), p), p);
      if (next == at || away < nearest) {
        next = edge(e);
        nearest = away;
      }
    }
    if (next == at && in_front(at.index, p) < 0) return {FeatureKind::inside, at.index};
    return next;
  }

  bool holds(Feature feature, const Vec3d& p) const { return step(feature, p) == feature; }

  ClosestFeature<3> answer(Feature feature, const Vec3d& p) const {
    ClosestFeature<3> out;
    out.feature = feature;
    if (feature.kind == FeatureKind::vertex) {
      out.point = h_.vertices[feature.index];
    } else if (feature.kind == FeatureKind::edge) {
      out.point = nearest_on_segment<3>(from(feature.index), to(feature.index), p);
    } else {
      const Vec3d a = corner(feature.index, 0);
      const Vec3d n = h_.planes[feature.index].normal;
      // Where the height could leave the range of double, in units of 8
      const double unit = is_finite((p - a) * 8.0) ? 1 : 8;
      out.point = (p / unit - n * dot(n, p / unit - a / unit)) * unit;
    }
    out.distance = distance_at_any_scale<3>(out.point, p);
    return out;
  }
  ClosestFeature<3> scan(const Vec3d& p) const {
    for (std::uint32_t f = 0; f < h_.face_count(); ++f)
      if (holds({FeatureKind::face, f}, p)) return answer({FeatureKind::face, f}, p);
    for (std::uint32_t e = 0; e < h_.edges.size(); ++e)
      if (e < twin(e) && holds({FeatureKind::edge, e}, p)) return answer({FeatureKind::edge, e}, p);
    for (std::uint32_t v = 0; v < h_.vertex_count(); ++v)
      if (holds({FeatureKind::vertex, v}, p)) return answer({FeatureKind::vertex, v}, p);
    // Inside: the nearest face
    ClosestFeature<3> best = answer({FeatureKind::face, 0}, p);
    for (std::uint32_t f = 1; f < h_.face_count(); ++f) {
      const ClosestFeature<3> other = answer({FeatureKind::face, f}, p);
      if (other.distance < best.distance) best = other;
    }
    best.feature.kind = FeatureKind::inside;
    best.distance = -best.distance;
    return best;
  }

  std::vector<Plane<3, double>> planes(Feature feature) const {
    std::vector<Plane<3, double>> out;
    const auto add = [&](const Vec3d& normal, const Vec3d& through) {
      const Vec3d unit = normalized(normal);
      out.push_back({unit, dot(unit, through)});
    };
    const auto along_edge = [&](std::uint32_t e) { return any_scale_difference<3>(from(e), to(e)); };
    const auto inward = [&](std::uint32_t e) {
      return cross(h_.planes[h_.edges[e].face].normal, normalized(along_edge(e)));
    };
    if (feature.kind == FeatureKind::vertex) {
      around_vertex(feature.index, [&](std::uint32_t e) {
        add(along_edge(e), from(e));
        return true;
      });
    } else if (feature.kind == FeatureKind::edge) {
      const std::uint32_t e = feature.index;
      add(any_scale_difference<3>(to(e), from(e)), from(e));
      add(along_edge(e), to(e));
      add(inward(e), from(e));
      add(inward(twin(e)), from(e));
    } else {
      for (std::uint32_t i = 0; i < h_.face_degree(feature.index); ++i) {
        const std::uint32_t e = h_.face_edge[feature.index] + i;
        add(-inward(e), from(e));
      }
      add(-h_.planes[feature.index].normal, corner(feature.index, 0));
    }
    return out;
  }

 private:
  const Vec3d& corner(std::uint32_t f, std::uint32_t i) const { return h_.vertices[h_.face_vertex(f, i)]; }

  const Hull3& h_;
  std::span<const std::uint32_t> vertex_edge_;
};

Result<void> check_query(const VoronoiRegions3& regions, const Vec3d& p) {
  if (regions.hull.face_edge.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "regions of no body"};
  if (!is_finite(p)) return Error{ErrorCode::non_finite, Error::kNoElement, "the point is NaN or infinite"};
  return {};
}

}  // namespace

Result<VoronoiRegions3> make_voronoi_regions(const Hull3& hull) noexcept {
  return guarded([&]() -> Result<VoronoiRegions3> {
    if (hull.dimension != 3) return Error{ErrorCode::degenerate, Error::kNoElement, "the hull has no volume"};
    VoronoiRegions3 regions{hull, std::vector<std::uint32_t>(hull.vertices.size())};
    for (std::uint32_t e = 0; e < hull.edges.size(); ++e) regions.vertex_edge[hull.edges[e].origin] = e;
    return regions;
  });
}

Result<std::vector<Plane<3, double>>> region_planes(const VoronoiRegions3& regions, Feature feature) noexcept {
  return guarded([&]() -> Result<std::vector<Plane<3, double>>> {
    const Features body(regions);
    if (auto checked = body.check(feature); !checked) return checked.error();
    return in_range<3>(body.planes(feature));
  });
}

Result<bool> in_region(const VoronoiRegions3& regions, Feature feature, const Vec3d& p) noexcept {
  const Features body(regions);
  if (auto checked = check_query(regions, p); !checked) return checked.error();
  if (auto checked = body.check(feature); !checked) return checked.error();
  return body.holds(feature, p);
}

Result<ClosestFeature<3>> closest_feature_plain(const VoronoiRegions3& regions, const Vec3d& p) noexcept {
  if (auto checked = check_query(regions, p); !checked) return checked.error();
  return in_range(Features(regions).scan(p));
}

Result<ClosestFeature<3>> closest_feature(const VoronoiRegions3& regions, const Vec3d& p, Feature hint) noexcept {
  const Features body(regions);
  if (auto checked = check_query(regions, p); !checked) return checked.error();
  if (auto checked = body.check(hint); !checked) return checked.error();
  Feature at = hint.kind == FeatureKind::edge ? body.edge(hint.index) : hint;
  for (std::uint32_t steps = 1; steps <= body.feature_count(); ++steps) {
    const Feature next = body.step(at, p);
    if (next == at) {
      ClosestFeature<3> found = body.answer(at, p);
      found.steps = steps;
      return in_range(found);
    }
    if (next.kind == FeatureKind::inside) break;  // inside, or a local minimum
    at = next;
  }
  return in_range(body.scan(p));
}

}  // namespace sudar
