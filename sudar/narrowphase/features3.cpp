#include <sudar/geom/closest.hpp>
#include <sudar/math/scalar.hpp>
#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/features3.hpp>
#include <sudar/narrowphase/polytope_view3.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sudar {

namespace {

constexpr Feature vertex(std::uint32_t i) { return {FeatureKind::vertex, i}; }
constexpr Feature edge(std::uint32_t i) { return {FeatureKind::edge, i}; }
constexpr Feature face(std::uint32_t i) { return {FeatureKind::face, i}; }

void add(Patch3& patch, const Vec3d& p, const Feature& corner, const Feature& side) {
  patch.points.push_back(p);
  patch.corners.push_back(corner);
  patch.sides.push_back(side);
}
Patch3 single(const Vec3d& p, const Feature& feature) {
  Patch3 out;
  add(out, p, feature, feature);
  out.inside = feature;
  return out;
}
Patch3 segment(const Vec3d& p, const Feature& at_p, const Vec3d& q, const Feature& at_q, const Feature& between) {
  Patch3 out;
  add(out, p, at_p, between);
  add(out, q, at_q, between);
  out.inside = between;
  return out;
}

// Of the half-edges that leave the farthest vertex, the face that looks most along d, and the edge across d that is
// nearest to the witness
Patch3 polytope_patch(const PolytopeView3& view, const Vec3d& d, const Vec3d& witness, PatchWish wish) {
  const auto edges = view.edges();
  const std::uint32_t v = view.support(d);
  std::uint32_t best_face = PolytopeView3::kNoFace, best_edge = PolytopeView3::kNoFace;
  double face_dot = -2, edge_distance = std::numeric_limits<double>::infinity();
  for (std::uint32_t e = 0; e < edges.size(); ++e) {
    if (edges[e].origin != v) continue;
    if (edges[e].face != PolytopeView3::kNoFace) {
      if (const double c = dot(view.planes()[edges[e].face].normal, d); c > face_dot)
        face_dot = c, best_face = edges[e].face;
    }
    // Where a face is wanted and there is one, edges do not matter
    if (wish == PatchWish::widest && best_face != PolytopeView3::kNoFace) continue;
    const Vec3d along = view.edge_vector(e);
    if (std::fabs(dot(along, d)) > kContactTilt * length(along)) continue;
    const Segment<3, double> line{view.vertices()[v], view.vertices()[view.destination(e)]};
    const double distance = closest_point(line, witness).distance_squared;
    if (distance < edge_distance) edge_distance = distance, best_edge = e;
  }
  // |d - normal| = 2 sin(angle / 2)
  const bool faces = best_face != PolytopeView3::kNoFace && length(d - view.planes()[best_face].normal) <= kContactTilt;
  if (faces || (wish == PatchWish::widest && best_face != PolytopeView3::kNoFace)) {
    Patch3 out;
    const std::uint32_t first = view.first_edge(best_face);
    for (std::uint32_t e = first; e < first + view.face_degree(best_face); ++e)
      add(out, view.vertices()[edges[e].origin], vertex(edges[e].origin), edge(view.edge_name(e)));
    out.inside = face(best_face);
    out.normal = view.planes()[best_face].normal;
    out.faces = faces;
    return out;
  }
  if (wish == PatchWish::widest && view.dimension() == 1) best_edge = 0;
  if (best_edge != PolytopeView3::kNoFace) {
    const std::uint32_t p = edges[best_edge].origin, q = view.destination(best_edge);
    return segment(view.vertices()[p], vertex(p), view.vertices()[q], vertex(q), edge(view.edge_name(best_edge)));
  }
  return single(view.vertices()[v], vertex(v));
}

// What polytope_patch says of a segment, without a view of it
Patch3 rod_patch(const Vec3d& p, const Vec3d& q, const Vec3d& d, PatchWish wish) {
  const Vec3d along = q - p;
  if (along == Vec3d{}) return single(p, vertex(0));
  const double rise = dot(along, d);
  if (wish == PatchWish::widest || std::fabs(rise) <= kContactTilt * length(along))
    return segment(p, vertex(0), q, vertex(1), edge(0));
  return rise > 0 ? single(q, vertex(1)) : single(p, vertex(0));
}

// A disc across z, seen from above (side = 1) or from below (side = -1): its samples, and its farthest point
Patch3 disc(double radius, double z, double side, const Vec3d& d, std::uint32_t first_sample, const Feature& rim,
            const Feature& inside) {
  Patch3 out;
  const double reach = std::sqrt(d.x * d.x + d.y * d.y);
  constexpr double kHalf = 0.70710678118654752440;
  static constexpr double kCos[kRimSamples] = {1, kHalf, 0, -kHalf, -1, -kHalf, 0, kHalf};
  for (std::uint32_t k = 0; k < kRimSamples; ++k) {
    const std::uint32_t sample = side > 0 ? k : (kRimSamples - k) % kRimSamples,
                        next = side > 0 ? sample + 1 : sample + 7;
    const Vec3d p{radius * kCos[sample], radius * kCos[(sample + 6) % kRimSamples], z};
    add(out, p, vertex(first_sample + sample), rim);
    if (reach <= kContactMerge) continue;
    // Between this sample and the next: the farthest point, unless it is one of them
    const std::uint32_t s = next % kRimSamples;
    const Vec3d q{radius * kCos[s], radius * kCos[(s + 6) % kRimSamples], z};
    const Vec3d deepest{radius * d.x / reach, radius * d.y / reach, z};
    const double from = side * (p.x * deepest.y - p.y * deepest.x), to = side * (deepest.x * q.y - deepest.y * q.x);
    const bool ahead = dot(p, deepest) - z * z > 0 && dot(q, deepest) - z * z > 0;
    if (ahead && from > kContactMerge * radius * radius && to > kContactMerge * radius * radius)
      add(out, deepest, rim, rim);
  }
  out.inside = inside;
  out.normal = {0, 0, side};
  out.faces = length(d - out.normal) <= kContactTilt;
  return out;
}

Patch3 cylinder_patch(const CylinderShape3& s, const Vec3d& d, PatchWish wish) {
  const double reach = std::sqrt(d.x * d.x + d.y * d.y), up = d.z > 0 ? 1 : -1;
  const bool top = d.z > 0, level = std::fabs(d.z) <= kContactTilt;
  if (reach <= kContactTilt || (wish == PatchWish::widest && std::fabs(d.z) > reach))
    return disc(s.radius, up * s.half_height, up, d, top ? 0 : kRimSamples, edge(top ? 0 : 1), face(top ? 1 : 2));
  const Vec3d rim{s.radius * d.x / reach, s.radius * d.y / reach, 0}, h{0, 0, s.half_height};
  if (level || wish == PatchWish::widest) return segment(rim + h, edge(0), rim - h, edge(1), face(0));
  return single(rim + h * up, edge(top ? 0 : 1));
}

Patch3 cone_patch(const ConeShape3& s, const Vec3d& d, PatchWish wish) {
  const double reach = std::sqrt(d.x * d.x + d.y * d.y),
               slant = std::sqrt(4 * s.half_height * s.half_height + s.radius * s.radius);
  const Vec3d apex{0, 0, s.half_height};
  const Vec3d out = reach > 0 ? Vec3d{d.x / reach, d.y / reach, 0} : Vec3d{1, 0, 0};
  const Vec3d side = (out * (2 * s.half_height) + Vec3d{0, 0, s.radius}) / slant;
  const bool along_side = length(d - side) <= kContactTilt, base = length(d - Vec3d{0, 0, -1}) <= kContactTilt;
  const Vec3d rim = out * s.radius - apex;
  if (base || (wish == PatchWish::widest && -d.z > dot(d, side)))
    return disc(s.radius, -s.half_height, -1, d, 0, edge(0), face(1));
  if (along_side || wish == PatchWish::widest) return segment(apex, vertex(kRimSamples), rim, edge(0), face(0));
  return dot(d, apex) > dot(d, rim) ? single(apex, vertex(kRimSamples)) : single(rim, edge(0));
}

}  // namespace

Patch3 patch_towards(const Shape3& shape, const Vec3d& direction, const Vec3d& witness, PatchWish wish) {
  switch (shape.kind()) {
    case ShapeKind3::sphere: {
      Patch3 out = single({}, face(0));
      out.radius = shape.as<SphereShape3>().radius;
      return out;
    }
    case ShapeKind3::capsule: {
      const CapsuleShape3& s = shape.as<CapsuleShape3>();
      Patch3 out = rod_patch(s.p, s.q, direction, wish);
      out.radius = s.radius;
      return out;
    }
    case ShapeKind3::cylinder:
      return cylinder_patch(shape.as<CylinderShape3>(), direction, wish);
    case ShapeKind3::cone:
      return cone_patch(shape.as<ConeShape3>(), direction, wish);
    case ShapeKind3::halfspace: {
      const HalfSpaceShape3& s = shape.as<HalfSpaceShape3>();
      Patch3 out = single(s.normal * s.offset, face(0));
      out.normal = s.normal;
      out.faces = out.unbounded = true;
      return out;
    }
    default:
      break;
  }
  if (!is_polytope(shape)) return single(witness, face(0));
  const PolytopeView3 view(shape);
  Patch3 out = polytope_patch(view, direction, witness - direction * view.radius(), wish);
  out.radius = view.radius();
  return out;
}

}  // namespace sudar
