#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/contact_set2.hpp>
#include <sudar/narrowphase/convex_distance2.hpp>
#include <sudar/narrowphase/part_contacts.hpp>
#include <sudar/narrowphase/part_distance.hpp>
#include <sudar/narrowphase/primitives2.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/polygon_set.hpp>

#include <array>
#include <vector>

namespace sudar {

namespace {

using K = ShapeKind2;

DistanceAnswer2 answer(const Shape2& a, const Shape2& b, const Placement2& a_from_b);

// No radius: decided exactly
bool is_polytope(const Shape2& shape) {
  switch (shape.kind()) {
    case K::point:
    case K::segment:
    case K::box:
      return true;
    case K::polygon:
      return shape.as<PolygonShape2>().radius == 0;
    default:
      return false;
  }
}

// Closed forms; where rounding leaves the sign of polytopes open, integers have the word
DistanceAnswer2 distance_closed_form(const Shape2& a, const Shape2& b, const Placement2& a_from_b) {
  const DistanceAnswer2 x = primitive_distance2(a, b, a_from_b);
  if (x.lower > 0 || x.upper < 0 || !is_polytope(a) || !is_polytope(b)) return x;
  return convex_distance2(a, b, a_from_b);
}

// GJK and EPA, exact for polytopes
DistanceAnswer2 distance_convex(const Shape2& a, const Shape2& b, const Placement2& a_from_b) {
  return convex_distance2(a, b, a_from_b);
}
bool decide_convex(const Shape2& a, const Shape2& b, const Placement2& a_from_b) {
  return convex_intersects2(a, b, a_from_b);
}

// Half-plane against half-plane: apart only when they face each other exactly
DistanceAnswer2 distance_halfplanes(const Shape2& a, const Shape2& b, const Placement2& a_from_b) {
  DistanceAnswer2 x = primitive_distance2(a, b, a_from_b);
  if (x.hit) x.status = QueryStatus::unsupported;
  return x;
}

// The parts of A: children of a compound, edges of a chain, convex parts of a polygon
template <class Child>
DistanceAnswer2 distance_of_parts(const PartTree<2>& parts, const Shape2& b, const Placement2& a_from_b,
                                  Child&& child) {
  const Aabb2d box_b = b.is_bounded() ? transform(a_from_b, bounding_box(b)) : bounding_box(b);
  return part_distance<2>(parts, parts.bounds(), box_b, child);
}
DistanceAnswer2 distance_compound(const Shape2& a, const Shape2& b, const Placement2& a_from_b) {
  const Compound2& compound = *a.as<CompoundShape2>().parts;
  return distance_of_parts(compound.tree(), b, a_from_b, [&](std::uint32_t i) {
    const CompoundChild2& child = compound.children()[i];
    return placed(answer(child.shape, b, from_child(child.pose, a_from_b)), child.pose);
  });
}
DistanceAnswer2 distance_chain(const Shape2& a, const Shape2& b, const Placement2& a_from_b) {
  const PolygonSet& set = *a.as<ChainShape2>().set;
  return distance_of_parts(set.edge_tree(), b, a_from_b, [&](std::uint32_t i) {
    const Segment<2, double> edge = set.edge(i);
    return answer(Shape2(SegmentShape2{edge.a, edge.b}), b, a_from_b);
  });
}
DistanceAnswer2 distance_concave(const Shape2& a, const Shape2& b, const Placement2& a_from_b) {
  const PolygonSet& set = *a.as<ConcavePolygonShape2>().set;
  return distance_of_parts(set.part_tree(), b, a_from_b, [&](std::uint32_t i) {
    return answer(Shape2(PolygonShape2{set.parts()[i], 0}), b, a_from_b);
  });
}
template <DistanceAnswer2 (*kDistance)(const Shape2&, const Shape2&, const Placement2&)>
bool decide_by(const Shape2& a, const Shape2& b, const Placement2& a_from_b) {
  return kDistance(a, b, a_from_b).hit;
}

// The table. A method is written for one order of its kinds; the other order asks it from B's side.
struct Method {
  std::string_view name;
  DistanceAnswer2 (*distance)(const Shape2&, const Shape2&, const Placement2&);
  bool (*decide)(const Shape2&, const Shape2&, const Placement2&);
};
constexpr Method kClosedForm{"closed_form", distance_closed_form, decide_by<distance_closed_form>};
constexpr Method kConvex{"gjk_epa", distance_convex, decide_convex};
constexpr Method kHalfPlanes{"halfplanes", distance_halfplanes, decide_by<distance_halfplanes>};
constexpr Method kChain{"chain", distance_chain, decide_by<distance_chain>};
constexpr Method kConcave{"convex_parts", distance_concave, decide_by<distance_concave>};
constexpr Method kCompound{"compound", distance_compound, decide_by<distance_compound>};

struct Cell {
  const Method* method;
  bool swap;
};
constexpr Cell cell(K a, K b) {
  // What has parts comes first, the outermost kind of parts before the inner ones
  if (a < b && b >= K::chain) return {cell(b, a).method, true};
  if (a == K::compound) return {&kCompound, false};
  if (a == K::concave_polygon) return {&kConcave, false};
  if (a == K::chain) return {&kChain, false};
  if (a == K::halfplane && b == K::halfplane) return {&kHalfPlanes, false};
  if (has_closed_form(a, b)) return {&kClosedForm, false};
  return {&kConvex, false};
}
constexpr auto kTable = [] {
  std::array<std::array<Cell, kShapeKinds2>, kShapeKinds2> table{};
  for (std::size_t i = 0; i < kShapeKinds2; ++i)
    for (std::size_t j = 0; j < kShapeKinds2; ++j) table[i][j] = cell(static_cast<K>(i), static_cast<K>(j));
  return table;
}();
const Cell& cell_of(const Shape2& a, const Shape2& b) {
  return kTable[static_cast<std::size_t>(a.kind())][static_cast<std::size_t>(b.kind())];
}

DistanceAnswer2 answer(const Shape2& a, const Shape2& b, const Placement2& a_from_b) {
  const Cell& x = cell_of(a, b);
  return x.swap ? swapped_from(x.method->distance(b, a, inverse(a_from_b)), a_from_b)
                : x.method->distance(a, b, a_from_b);
}

// The contact sets of all parts of A and B that come within the margin, in A's frame
void gather(const Shape2& a, const Shape2& b, const Placement2& a_from_b, double margin,
            std::vector<ContactSet2>& out) {
  if (b.kind() > a.kind() && b.kind() >= K::chain) {
    std::vector<ContactSet2> found;
    gather(b, a, inverse(a_from_b), margin, found);
    for (ContactSet2& set : found) out.push_back(swapped_from(std::move(set), a_from_b));
    return;
  }
  Aabb2d box = b.is_bounded() ? transform(a_from_b, bounding_box(b)) : bounding_box(b);
  box = {box.lo - Vec2d{margin, margin}, box.hi + Vec2d{margin, margin}};
  switch (a.kind()) {
    case K::compound: {
      const Compound2& compound = *a.as<CompoundShape2>().parts;
      compound.tree().for_each_overlap(box, [&](std::uint32_t i) {
        const CompoundChild2& child = compound.children()[i];
        std::vector<ContactSet2> found;
        gather(child.shape, b, from_child(child.pose, a_from_b), margin, found);
        for (ContactSet2& set : found) out.push_back(placed(std::move(set), child.pose));
      });
      return;
    }
    case K::concave_polygon: {
      const PolygonSet& set = *a.as<ConcavePolygonShape2>().set;
      set.part_tree().for_each_overlap(box, [&](std::uint32_t i) {
        gather(Shape2(PolygonShape2{set.parts()[i], 0}), b, a_from_b, margin, out);
      });
      return;
    }
    case K::chain: {
      const PolygonSet& set = *a.as<ChainShape2>().set;
      set.edge_tree().for_each_overlap(box, [&](std::uint32_t i) {
        gather(Shape2(SegmentShape2{set.edge(i).a, set.edge(i).b}), b, a_from_b, margin, out);
      });
      return;
    }
    default:
      out.push_back(contact_set2(a, b, a_from_b, answer(a, b, a_from_b), margin));
  }
}

}  // namespace

bool intersects(const Shape2& a, const Shape2& b, const Placement2& a_from_b) {
  const Cell& x = cell_of(a, b);
  return x.swap ? x.method->decide(b, a, inverse(a_from_b)) : x.method->decide(a, b, a_from_b);
}
DistanceAnswer2 distance(const Shape2& a, const Shape2& b, const Placement2& a_from_b) {
  return answer(a, b, a_from_b);
}

ContactSet2 contacts(const Shape2& a, const Shape2& b, const Placement2& a_from_b, double margin) {
  if (a.is_convex() && b.is_convex()) return contact_set2(a, b, a_from_b, answer(a, b, a_from_b), margin);
  const DistanceAnswer2 x = answer(a, b, a_from_b);
  if (!x.hit && x.separation > margin) {
    ContactSet2 apart;
    apart.normal = x.normal;
    apart.separation = x.separation;
    apart.status = x.status;
    return apart;
  }
  std::vector<ContactSet2> sets;
  gather(a, b, a_from_b, margin, sets);
  const ContactSet2 joined = join_contacts<2>(sets);
  return joined.kind == ContactKind::none ? contact_from(x) : joined;
}

bool intersects(const Shape2& a, const Pose2d& world_from_a, const Shape2& b, const Pose2d& world_from_b) {
  return intersects(a, b, make_placement<2>(world_from_a, world_from_b));
}
ContactSet2 contacts(const Shape2& a, const Pose2d& world_from_a, const Shape2& b, const Pose2d& world_from_b,
                     double margin) {
  return placed(contacts(a, b, make_placement<2>(world_from_a, world_from_b), margin), world_from_a);
}
DistanceAnswer2 distance(const Shape2& a, const Pose2d& world_from_a, const Shape2& b, const Pose2d& world_from_b) {
  return placed(answer(a, b, make_placement<2>(world_from_a, world_from_b)), world_from_a);
}
std::string_view method_of(ShapeKind2 a, ShapeKind2 b) noexcept {
  return kTable[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)].method->name;
}

}  // namespace sudar
