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

// The widest part of a box, as the view of its polygon gives it, without making one
Patch2 widest_of_box(const Vec2d& half, const Vec2d& direction) {
  const Vec2d vertices[] = {{-half.x, -half.y}, {half.x, -half.y}, {half.x, half.y}, {-half.x, half.y}};
  constexpr Vec2d kNormals[] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
  const double x = half.x * direction.x, y = half.y * direction.y;
  const double reach[] = {-x - y, x - y, x + y, -x + y};
  const double slope[] = {-direction.y, direction.x, direction.y, -direction.x};
  std::uint32_t v = 0;
  for (std::uint32_t i = 1; i < 4; ++i)
    if (reach[i] > reach[v]) v = i;
  const std::uint32_t before = (v + 3) % 4, edge = slope[v] >= slope[before] ? v : before, after = (edge + 1) % 4;
  Patch2 out;
  out.points[0] = vertices[edge];
  out.points[1] = vertices[after];
  out.corners[0] = {FeatureKind::vertex, edge};
  out.corners[1] = {FeatureKind::vertex, after};
  out.inside = {FeatureKind::edge, edge};
  out.count = 2;
  out.normal = kNormals[edge];
  out.faces = length(direction - out.normal) <= kContactTilt;
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
  if (widest && shape.kind() == ShapeKind2::box) return widest_of_box(shape.as<BoxShape2>().half, direction);
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
