#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/features2.hpp>
#include <sudar/narrowphase/polytope_view2.hpp>

namespace sudar {

namespace {

Patch2 single(const Vec2d& p, const Feature& feature) {
  Patch2 out;
  out.points[0] = p;
  out.corners[0] = out.inside = feature;
  return out;
}

}  // namespace

Patch2 patch_towards(const Shape2& shape, const Vec2d& direction, const Vec2d& witness, bool widest) {
  constexpr Feature kSmooth{FeatureKind::face, 0};
  if (shape.kind() == ShapeKind2::halfplane) {
    const HalfPlaneShape2& s = shape.as<HalfPlaneShape2>();
    Patch2 out = single(s.normal * s.offset, {FeatureKind::edge, 0});
    out.normal = s.normal;
    out.faces = out.unbounded = true;
    return out;
  }
  if (!is_polytope(shape)) return single(witness, kSmooth);
  const PolytopeView2 view(shape);
  const std::uint32_t v = view.support(direction);
  Patch2 out = single(view.vertices()[v], {FeatureKind::vertex, v});
  if (shape.kind() == ShapeKind2::circle) out.corners[0] = out.inside = kSmooth;
  if (view.edge_count() > 0) {
    // The edges that meet at v
    const std::uint32_t before = view.previous(v);
    const std::uint32_t edge = dot(view.normals()[v], direction) >= dot(view.normals()[before], direction) ? v : before;
    const Vec2d& normal = view.normals()[edge];
    const bool faces = length(direction - normal) <= kContactTilt;
    if (faces || widest) {
      const std::uint32_t p = edge, q = view.next(edge);
      out.points[0] = view.vertices()[p];
      out.points[1] = view.vertices()[q];
      out.corners[0] = {FeatureKind::vertex, p};
      out.corners[1] = {FeatureKind::vertex, q};
      out.inside = {FeatureKind::edge, edge};
      out.count = 2;
      out.normal = normal;
      out.faces = faces;
    }
  }
  out.radius = view.radius();
  return out;
}

}  // namespace sudar
