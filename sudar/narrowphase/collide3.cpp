#include <sudar/narrowphase/box_box3.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/contact_set3.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/far_pair.hpp>
#include <sudar/narrowphase/halfspace_sign.hpp>
#include <sudar/narrowphase/mesh_convex.hpp>
#include <sudar/narrowphase/mesh_distance.hpp>
#include <sudar/narrowphase/part_contacts.hpp>
#include <sudar/narrowphase/part_distance.hpp>
#include <sudar/narrowphase/polytope_view3.hpp>
#include <sudar/narrowphase/primitives3.hpp>
#include <sudar/narrowphase/union_depth.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <array>
#include <limits>

namespace sudar {

namespace {

using K = ShapeKind3;

DistanceAnswer3 answer(const Shape3& a, const Shape3& b, const Placement3& a_from_b);
bool decide(const Shape3& a, const Shape3& b, const Placement3& a_from_b);

bool is_rounded(const Shape3& shape) {
  return shape.kind() == K::sphere || shape.kind() == K::capsule ||
         (shape.kind() == K::hull && shape.as<HullShape3>().radius > 0);
}

// Box against box
DistanceAnswer3 distance_box_box(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  return box_box_distance3(a.as<BoxShape3>().half, b.as<BoxShape3>().half, a_from_b);
}
bool decide_box_box(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  return box_box_intersects3(a.as<BoxShape3>().half, b.as<BoxShape3>().half, a_from_b);
}

// Closed forms; where rounding leaves the sign of polytopes open, integers have the word
bool decide_exactly(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  if (a.kind() == K::halfspace)
    return halfspace_sign<3>(a.as<HalfSpaceShape3>().normal, a.as<HalfSpaceShape3>().offset, make_view(b), a_from_b,
                             true) < 0;
  if (b.kind() == K::halfspace)
    return halfspace_sign<3>(b.as<HalfSpaceShape3>().normal, b.as<HalfSpaceShape3>().offset, make_view(a), a_from_b,
                             false) < 0;
  return convex_intersects3(a, b, a_from_b);
}
DistanceAnswer3 distance_closed_form(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  DistanceAnswer3 x = primitive_distance3(a, b, a_from_b);
  if (x.lower > 0 || x.upper < 0) return x;
  const bool bounded = a.is_bounded() && b.is_bounded();
  if (!(is_polytope(a) || !a.is_bounded()) || !(is_polytope(b) || !b.is_bounded())) return x;
  if (bounded && !is_rounded(a) && !is_rounded(b)) return convex_distance3(a, b, a_from_b);
  settle(x, decide_exactly(a, b, a_from_b));
  return x;
}
bool decide_closed_form(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  if (const int sign = primitive_sign3(a, b, a_from_b); sign != 0) return sign < 0;
  return distance_closed_form(a, b, a_from_b).hit;
}

// GJK and EPA, exact for polytopes
DistanceAnswer3 distance_convex(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  return convex_distance3(a, b, a_from_b);
}
bool decide_convex(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  return convex_intersects3(a, b, a_from_b);
}

// Half-space against half-space: apart only when they face each other exactly
DistanceAnswer3 distance_halfspaces(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  DistanceAnswer3 x = primitive_distance3(a, b, a_from_b);
  if (x.hit) x.status = QueryStatus::unsupported;
  return x;
}
bool decide_halfspaces(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  return primitive_distance3(a, b, a_from_b).hit;
}

// The parts of A: children of a compound, triangles of a height field
template <class Parts, class Child>
DistanceAnswer3 distance_of_parts(const Parts& parts, const Shape3& b, const Placement3& a_from_b, Child&& child) {
  const Aabb3d box_b = b.is_bounded() ? transform(a_from_b, bounding_box(b)) : bounding_box(b);
  return part_distance<3>(parts, box_b, child);
}
// The parts whose boxes meet that of B, until one does
template <class Parts, class Child>
bool any_part_meets(const Parts& parts, const Shape3& b, const Placement3& a_from_b, Child&& child) {
  const Aabb3d box_b = b.is_bounded() ? transform(a_from_b, bounding_box(b)) : bounding_box(b);
  bool hit = false;
  double best = std::numeric_limits<double>::denorm_min();
  parts.for_each_nearer([&](const Aabb3d& box) { return box_gap(box, box_b); }, best,
                        [&](std::uint32_t part) {
                          if (hit || !child(part)) return;
                          hit = true;
                          best = 0;
                        });
  return hit;
}
DistanceAnswer3 distance_compound(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  const Compound3& compound = *a.as<CompoundShape3>().parts;
  return distance_of_parts(compound.tree(), b, a_from_b, [&](std::uint32_t i) {
    const CompoundChild3& child = compound.children()[i];
    return placed(answer(child.shape, b, from_child(child.pose, a_from_b)), child.pose);
  });
}
bool decide_compound(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  const Compound3& compound = *a.as<CompoundShape3>().parts;
  return any_part_meets(compound.tree(), b, a_from_b, [&](std::uint32_t i) {
    const CompoundChild3& child = compound.children()[i];
    return decide(child.shape, b, from_child(child.pose, a_from_b));
  });
}
// A height field against what has triangles itself
DistanceAnswer3 distance_field_parts(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  const HeightField& field = *a.as<HeightFieldShape3>().field;
  return distance_of_parts(field, b, a_from_b, [&](std::uint32_t t) {
    const Triangle<3, double> x = field.triangle(t);
    return answer(Shape3(TriangleShape3{{x.a, x.b, x.c}}), b, a_from_b);
  });
}
bool decide_field_parts(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  const HeightField& field = *a.as<HeightFieldShape3>().field;
  return any_part_meets(field, b, a_from_b, [&](std::uint32_t t) {
    const Triangle<3, double> x = field.triangle(t);
    return decide(Shape3(TriangleShape3{{x.a, x.b, x.c}}), b, a_from_b);
  });
}
// Meshes and height fields against convex shapes, meshes against meshes
template <class S>
DistanceAnswer3 distance_surface(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  return mesh_convex_distance(a.as<S>(), b, a_from_b);
}
template <class S>
bool decide_surface(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  return intersects(a.as<S>(), b, a_from_b);
}
DistanceAnswer3 distance_mesh_mesh(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  return mesh_distance(a.as<MeshShape3>(), b.as<MeshShape3>(), a_from_b);
}
bool decide_mesh_mesh(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  return intersects(a.as<MeshShape3>(), b.as<MeshShape3>(), a_from_b);
}

// The table. A method is written for one order of its kinds; the other order asks it from B's side.
struct Method {
  std::string_view name;
  DistanceAnswer3 (*distance)(const Shape3&, const Shape3&, const Placement3&);
  bool (*decide)(const Shape3&, const Shape3&, const Placement3&);
};
constexpr Method kBoxBox{"box_box", distance_box_box, decide_box_box};
constexpr Method kClosedForm{"closed_form", distance_closed_form, decide_closed_form};
constexpr Method kConvex{"gjk_epa", distance_convex, decide_convex};
constexpr Method kHalfSpaces{"halfspaces", distance_halfspaces, decide_halfspaces};
constexpr Method kMeshMesh{"mesh_mesh", distance_mesh_mesh, decide_mesh_mesh};
constexpr Method kMeshConvex{"mesh_convex", distance_surface<MeshShape3>, decide_surface<MeshShape3>};
constexpr Method kFieldConvex{"field_convex", distance_surface<HeightFieldShape3>, decide_surface<HeightFieldShape3>};
constexpr Method kFieldParts{"field_triangles", distance_field_parts, decide_field_parts};
constexpr Method kCompound{"compound", distance_compound, decide_compound};

struct Cell {
  const Method* method;
  bool swap;
};
constexpr Cell cell(K a, K b) {
  // What has parts comes first, the outermost kind of parts before the inner ones
  if (a < b && b >= K::mesh) return {cell(b, a).method, true};
  if (a == K::compound) return {&kCompound, false};
  if (a == K::height_field) return {b >= K::mesh ? &kFieldParts : &kFieldConvex, false};
  if (a == K::mesh) return {b == K::mesh ? &kMeshMesh : &kMeshConvex, false};
  if (a == K::halfspace && b == K::halfspace) return {&kHalfSpaces, false};
  if (a == K::box && b == K::box) return {&kBoxBox, false};
  if (has_closed_form(a, b)) return {&kClosedForm, false};
  return {&kConvex, false};
}
constexpr auto kTable = [] {
  std::array<std::array<Cell, kShapeKinds3>, kShapeKinds3> table{};
  for (int i = 0; i < kShapeKinds3; ++i)
    for (int j = 0; j < kShapeKinds3; ++j) table[i][j] = cell(static_cast<K>(i), static_cast<K>(j));
  return table;
}();
const Cell& cell_of(const Shape3& a, const Shape3& b) {
  return kTable[static_cast<std::size_t>(a.kind())][static_cast<std::size_t>(b.kind())];
}

// Meshes and height fields from so far that all that counts is their farthest corner
template <class Surface>
Vec3d farthest_corner(const Surface& surface, const Vec3d& d) {
  Vec3d best = surface.triangle(0).a;
  for (std::uint32_t t = 0; t < surface.triangle_count(); ++t) {
    const Triangle<3, double> x = surface.triangle(t);
    for (const Vec3d& p : {x.a, x.b, x.c})
      if (dot(p - best, d) > 0) best = p;
  }
  return best;
}
Vec3d farthest_point(const Shape3& shape, const Vec3d& d) {
  if (shape.kind() == K::mesh) return farthest_corner(*shape.as<MeshShape3>().mesh, d);
  if (shape.kind() == K::height_field) return farthest_corner(*shape.as<HeightFieldShape3>().field, d);
  if (shape.kind() != K::compound) return support_point(shape, d);
  const std::span<const CompoundChild3> children = shape.as<CompoundShape3>().parts->children();
  const auto point_of = [&](const CompoundChild3& child) {
    return transform(child.pose, farthest_point(child.shape, rotate(conjugate(child.pose.rotation), d)));
  };
  Vec3d best = point_of(children[0]);
  for (const CompoundChild3& child : children)
    if (const Vec3d p = point_of(child); dot(p - best, d) > 0) best = p;
  return best;
}
// Compounds may have parts that are far away themselves: then their parts are asked one by one
bool is_small(const Shape3& shape) {
  if (shape.kind() != K::compound) return shape.is_bounded();
  const Aabb3d box = bounding_box(shape);
  return std::max(max_abs(box.lo), max_abs(box.hi)) <= kMaxShapeSize;
}

DistanceAnswer3 answer(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  if (is_far(a_from_b) && is_small(a) && is_small(b))
    return far_apart<3>(
        a_from_b, [&](const Vec3d& d) { return farthest_point(a, d); },
        [&](const Vec3d& d) { return farthest_point(b, d); });
  const Cell& x = cell_of(a, b);
  return x.swap ? swapped_from(x.method->distance(b, a, inverse(a_from_b)), a_from_b)
                : x.method->distance(a, b, a_from_b);
}
bool decide(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  if (is_far(a_from_b) && is_small(a) && is_small(b)) return false;
  const Cell& x = cell_of(a, b);
  return x.swap ? x.method->decide(b, a, inverse(a_from_b)) : x.method->decide(a, b, a_from_b);
}

// Only the whole knows the depth of a union
DistanceAnswer3 answer_of_whole(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  const DistanceAnswer3 x = answer(a, b, a_from_b);
  const bool parts = a.kind() == K::compound || b.kind() == K::compound ||
                     (a.kind() == K::height_field && b.kind() >= K::mesh) ||
                     (b.kind() == K::height_field && a.kind() >= K::mesh);
  return parts ? union_depth<3>(a, b, a_from_b, x) : x;
}

}  // namespace

bool intersects(const Shape3& a, const Shape3& b, const Placement3& a_from_b) { return decide(a, b, a_from_b); }
DistanceAnswer3 distance(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  return answer_of_whole(a, b, a_from_b);
}

bool intersects(const Shape3& a, const Shape3& b, const Placement3& a_from_b, QueryCache3* cache, TraceSink* trace) {
  if (cell_of(a, b).method == &kConvex) {
    if (trace != nullptr) return convex_intersects3(a, b, a_from_b, cache, TraceTo{trace});
    return convex_intersects3(a, b, a_from_b, cache);
  }
  const bool hit = decide(a, b, a_from_b);
  if (trace != nullptr) trace->on_event({.step = method_of(a.kind(), b.kind()), .value = hit ? 1.0 : 0.0});
  return hit;
}
DistanceAnswer3 distance(const Shape3& a, const Shape3& b, const Placement3& a_from_b, QueryCache3* cache,
                         TraceSink* trace) {
  if (cell_of(a, b).method == &kConvex) {
    if (trace != nullptr) return convex_distance3(a, b, a_from_b, cache, TraceTo{trace});
    return convex_distance3(a, b, a_from_b, cache);
  }
  const DistanceAnswer3 x = answer_of_whole(a, b, a_from_b);
  if (trace != nullptr)
    trace->on_event({.step = method_of(a.kind(), b.kind()), .numbers = {&x.normal.x, 3}, .value = x.separation});
  return x;
}

ContactSet3 contacts(const Shape3& a, const Shape3& b, const Placement3& a_from_b, double margin) {
  if (a.is_convex() && b.is_convex()) return contact_set3(a, b, a_from_b, answer(a, b, a_from_b), margin);
  // One decision: what touches, and how deep, is told by the distance
  return part_contacts<3>(a, b, a_from_b, answer_of_whole(a, b, a_from_b), margin);
}

namespace {

// Which of the two gives the frame, whichever of them is called A: a pair asked the other way around is the same question,
// and gets the same answer to the bit. Parts come first, then what is not turned, whose offset is exact.
bool frame_is_b(const Shape3& a, const Pose3d& world_from_a, const Shape3& b, const Pose3d& world_from_b) {
  if (const bool swap = cell_of(a, b).swap; swap != cell_of(b, a).swap) return swap;
  const bool a_turned = !(world_from_a.rotation == Quatd{}), b_turned = !(world_from_b.rotation == Quatd{});
  if (a_turned != b_turned) return a_turned;
  if (a.kind() != b.kind()) return a.kind() < b.kind();
  const Vec3d &p = world_from_a.position, &q = world_from_b.position;
  for (int i = 0; i < 3; ++i)
    if (p[i] != q[i]) return q[i] < p[i];
  const Quatd &r = world_from_a.rotation, &s = world_from_b.rotation;
  return r.w != s.w ? s.w < r.w : r.x != s.x ? s.x < r.x : r.y != s.y ? s.y < r.y : s.z < r.z;
}

// Positions whose difference squared would leave the range: points to each other
bool is_far(const Shape3& a, const Pose3d& world_from_a, const Shape3& b, const Pose3d& world_from_b, Vec3d& offset) {
  if (!(std::max(max_abs(world_from_a.position), max_abs(world_from_b.position)) > kFarAway)) return false;
  offset = world_from_b.position * 0.25 - world_from_a.position * 0.25;
  return max_abs(offset) > kFarAway && is_small(a) && is_small(b);
}

}  // namespace

bool intersects(const Shape3& a, const Pose3d& world_from_a, const Shape3& b, const Pose3d& world_from_b) {
  Vec3d offset;
  if (is_far(a, world_from_a, b, world_from_b, offset)) return false;
  if (frame_is_b(a, world_from_a, b, world_from_b)) return decide(b, a, make_placement<3>(world_from_b, world_from_a));
  return decide(a, b, make_placement<3>(world_from_a, world_from_b));
}
ContactSet3 contacts(const Shape3& a, const Pose3d& world_from_a, const Shape3& b, const Pose3d& world_from_b,
                     double margin) {
  Vec3d offset;
  if (is_far(a, world_from_a, b, world_from_b, offset)) {
    const DistanceAnswer3 x = far_answer<3>(offset, 0.25);
    ContactSet3 apart;
    apart.normal = x.normal;
    apart.separation = x.separation;
    return apart;
  }
  if (frame_is_b(a, world_from_a, b, world_from_b))
    return swapped_from(placed(contacts(b, a, make_placement<3>(world_from_b, world_from_a), margin), world_from_b),
                        Placement3{});
  return placed(contacts(a, b, make_placement<3>(world_from_a, world_from_b), margin), world_from_a);
}
DistanceAnswer3 distance(const Shape3& a, const Pose3d& world_from_a, const Shape3& b, const Pose3d& world_from_b) {
  Vec3d offset;
  if (is_far(a, world_from_a, b, world_from_b, offset)) {
    DistanceAnswer3 x = far_answer<3>(offset, 0.25);
    const Quatd &r = world_from_a.rotation, &s = world_from_b.rotation;
    x.point_a = transform(world_from_a, farthest_point(a, rotate(conjugate(r), x.normal)));
    x.point_b = transform(world_from_b, farthest_point(b, rotate(conjugate(s), -x.normal)));
    return x;
  }
  if (frame_is_b(a, world_from_a, b, world_from_b))
    return swapped(placed(answer_of_whole(b, a, make_placement<3>(world_from_b, world_from_a)), world_from_b));
  return placed(answer_of_whole(a, b, make_placement<3>(world_from_a, world_from_b)), world_from_a);
}
std::string_view method_of(ShapeKind3 a, ShapeKind3 b) noexcept {
  return kTable[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)].method->name;
}

}  // namespace sudar
