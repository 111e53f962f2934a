#include <sudar/narrowphase/box_box3.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/contact_set3.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/mesh_convex.hpp>
#include <sudar/narrowphase/mesh_distance.hpp>
#include <sudar/narrowphase/part_contacts.hpp>
#include <sudar/narrowphase/part_distance.hpp>
#include <sudar/narrowphase/primitives3.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <array>
#include <limits>
#include <new>
#include <vector>

namespace sudar {

namespace {

using K = ShapeKind3;

DistanceAnswer3 answer(const Shape3& a, const Shape3& b, const Placement3& a_from_b);

// No radius and no curved face: decided exactly
bool is_polytope(const Shape3& shape) {
  switch (shape.kind()) {
    case K::point:
    case K::segment:
    case K::triangle:
    case K::box:
      return true;
    case K::hull:
      return shape.as<HullShape3>().radius == 0;
    default:
      return false;
  }
}

// Box against box
DistanceAnswer3 distance_box_box(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  return box_box_distance3(a.as<BoxShape3>().half, b.as<BoxShape3>().half, a_from_b);
}
bool decide_box_box(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  return box_box_intersects3(a.as<BoxShape3>().half, b.as<BoxShape3>().half, a_from_b);
}

// Closed forms; where rounding leaves the sign of polytopes open, integers have the word
DistanceAnswer3 distance_closed_form(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  const DistanceAnswer3 x = primitive_distance3(a, b, a_from_b);
  if (x.lower > 0 || x.upper < 0 || !is_polytope(a) || !is_polytope(b)) return x;
  return convex_distance3(a, b, a_from_b);
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
DistanceAnswer3 distance_of_parts(const Parts& parts, const Aabb3d& box_a, const Shape3& b, const Placement3& a_from_b,
                                  Child&& child) {
  const Aabb3d box_b = b.is_bounded() ? transform(a_from_b, bounding_box(b)) : bounding_box(b);
  return part_distance<3>(parts, box_a, box_b, child);
}
DistanceAnswer3 distance_compound(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  const Compound3& compound = *a.as<CompoundShape3>().parts;
  return distance_of_parts(compound.tree(), compound.tree().bounds(), b, a_from_b, [&](std::uint32_t i) {
    const CompoundChild3& child = compound.children()[i];
    return placed(answer(child.shape, b, from_child(child.pose, a_from_b)), child.pose);
  });
}
// A height field against what has triangles itself
DistanceAnswer3 distance_field_parts(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  const HeightField& field = *a.as<HeightFieldShape3>().field;
  return distance_of_parts(field, field.bounds(), b, a_from_b, [&](std::uint32_t t) {
    const Triangle<3, double> x = field.triangle(t);
    return answer(Shape3(TriangleShape3{{x.a, x.b, x.c}}), b, a_from_b);
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

template <DistanceAnswer3 (*kDistance)(const Shape3&, const Shape3&, const Placement3&)>
bool decide_by(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  return kDistance(a, b, a_from_b).hit;
}

// The table. A method is written for one order of its kinds; the other order asks it from B's side.
struct Method {
  std::string_view name;
  DistanceAnswer3 (*distance)(const Shape3&, const Shape3&, const Placement3&);
  bool (*decide)(const Shape3&, const Shape3&, const Placement3&);
};
constexpr Method kBoxBox{"box_box", distance_box_box, decide_box_box};
constexpr Method kClosedForm{"closed_form", distance_closed_form, decide_by<distance_closed_form>};
constexpr Method kConvex{"gjk_epa", distance_convex, decide_convex};
constexpr Method kHalfSpaces{"halfspaces", distance_halfspaces, decide_halfspaces};
constexpr Method kMeshMesh{"mesh_mesh", distance_mesh_mesh, decide_mesh_mesh};
constexpr Method kMeshConvex{"mesh_convex", distance_surface<MeshShape3>, decide_surface<MeshShape3>};
constexpr Method kFieldConvex{"field_convex", distance_surface<HeightFieldShape3>, decide_surface<HeightFieldShape3>};
constexpr Method kFieldParts{"field_triangles", distance_field_parts, decide_by<distance_field_parts>};
constexpr Method kCompound{"compound", distance_compound, decide_by<distance_compound>};

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

DistanceAnswer3 answer(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  const Cell& x = cell_of(a, b);
  return x.swap ? swapped_from(x.method->distance(b, a, inverse(a_from_b)), a_from_b)
                : x.method->distance(a, b, a_from_b);
}

// The contact sets of all parts of A and B that come within the margin, in A's frame
void gather(const Shape3& a, const Shape3& b, const Placement3& a_from_b, double margin, std::vector<ContactSet3>& out);

void gather_compound(const Compound3& compound, const Shape3& b, const Placement3& a_from_b, double margin,
                     std::vector<ContactSet3>& out) {
  Aabb3d box = b.is_bounded() ? transform(a_from_b, bounding_box(b)) : bounding_box(b);
  box = {box.lo - Vec3d{margin, margin, margin}, box.hi + Vec3d{margin, margin, margin}};
  compound.tree().for_each_overlap(box, [&](std::uint32_t i) {
    const CompoundChild3& child = compound.children()[i];
    std::vector<ContactSet3> found;
    gather(child.shape, b, from_child(child.pose, a_from_b), margin, found);
    for (ContactSet3& set : found) out.push_back(placed(std::move(set), child.pose));
  });
}
template <class Surface>
void gather_triangles(const Surface& surface, const Shape3& b, const Placement3& a_from_b, double margin,
                      std::vector<ContactSet3>& out) {
  const auto add = [&](std::uint32_t t, auto&& contact_of) {
    const Triangle<3, double> x = surface.triangle(t);
    ContactSet3 set = contact_of(Shape3(TriangleShape3{{x.a, x.b, x.c}}));
    if (set.kind == ContactKind::none) return;
    for (ContactPoint<3>& point : set.points) point.feature_a = {FeatureKind::face, t};
    out.push_back(std::move(set));
  };
  // A half-space meets triangles anywhere
  if (!b.is_bounded()) {
    for (std::uint32_t t = 0; t < surface.triangle_count(); ++t)
      add(t, [&](const Shape3& triangle) { return contact_set3(triangle, b, a_from_b, margin); });
    return;
  }
  std::vector<TriangleContact> found;
  if (!mesh_convex_contacts(surface, b, a_from_b, margin, found)) throw std::bad_alloc();
  for (const TriangleContact& contact : found)
    add(contact.triangle,
        [&](const Shape3& triangle) { return contact_set3(triangle, b, a_from_b, contact.answer, margin); });
}
void gather(const Shape3& a, const Shape3& b, const Placement3& a_from_b, double margin,
            std::vector<ContactSet3>& out) {
  if (a.kind() == K::compound) return gather_compound(*a.as<CompoundShape3>().parts, b, a_from_b, margin, out);
  if (b.kind() > a.kind() && b.kind() >= K::mesh) {
    std::vector<ContactSet3> found;
    gather(b, a, inverse(a_from_b), margin, found);
    for (ContactSet3& set : found) out.push_back(swapped_from(std::move(set), a_from_b));
    return;
  }
  if (b.kind() >= K::mesh) {
    // Where two surfaces cross is a curve (mesh_mesh.hpp), not a contact set; their decision has one point
    const DistanceAnswer3 x = answer(a, b, a_from_b);
    if (x.hit || x.separation <= margin) out.push_back(contact_from(x));
    return;
  }
  if (a.kind() == K::mesh) return gather_triangles(*a.as<MeshShape3>().mesh, b, a_from_b, margin, out);
  if (a.kind() == K::height_field) return gather_triangles(*a.as<HeightFieldShape3>().field, b, a_from_b, margin, out);
  out.push_back(contact_set3(a, b, a_from_b, answer(a, b, a_from_b), margin));
}

}  // namespace

bool intersects(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  const Cell& x = cell_of(a, b);
  return x.swap ? x.method->decide(b, a, inverse(a_from_b)) : x.method->decide(a, b, a_from_b);
}
DistanceAnswer3 distance(const Shape3& a, const Shape3& b, const Placement3& a_from_b) {
  return answer(a, b, a_from_b);
}

ContactSet3 contacts(const Shape3& a, const Shape3& b, const Placement3& a_from_b, double margin) {
  if (a.is_convex() && b.is_convex()) return contact_set3(a, b, a_from_b, answer(a, b, a_from_b), margin);
  // One decision: what does not meet, or lies inside without touching, is told by the distance
  const DistanceAnswer3 x = answer(a, b, a_from_b);
  if (!x.hit && x.separation > margin) {
    ContactSet3 apart;
    apart.normal = x.normal;
    apart.separation = x.separation;
    apart.status = x.status;
    return apart;
  }
  std::vector<ContactSet3> sets;
  gather(a, b, a_from_b, margin, sets);
  const ContactSet3 joined = join_contacts<3>(sets);
  return joined.kind == ContactKind::none ? contact_from(x) : joined;
}

bool intersects(const Shape3& a, const Pose3d& world_from_a, const Shape3& b, const Pose3d& world_from_b) {
  return intersects(a, b, make_placement<3>(world_from_a, world_from_b));
}
ContactSet3 contacts(const Shape3& a, const Pose3d& world_from_a, const Shape3& b, const Pose3d& world_from_b,
                     double margin) {
  return placed(contacts(a, b, make_placement<3>(world_from_a, world_from_b), margin), world_from_a);
}
DistanceAnswer3 distance(const Shape3& a, const Pose3d& world_from_a, const Shape3& b, const Pose3d& world_from_b) {
  return placed(answer(a, b, make_placement<3>(world_from_a, world_from_b)), world_from_a);
}
std::string_view method_of(ShapeKind3 a, ShapeKind3 b) noexcept {
  return kTable[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)].method->name;
}

}  // namespace sudar
