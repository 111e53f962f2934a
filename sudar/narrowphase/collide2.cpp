#include <sudar/narrowphase/box_box2.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/contact_set2.hpp>
#include <sudar/narrowphase/convex_distance2.hpp>
#include <sudar/narrowphase/far_pair.hpp>
#include <sudar/narrowphase/halfspace_sign.hpp>
#include <sudar/narrowphase/part_contacts.hpp>
#include <sudar/narrowphase/part_distance.hpp>
#include <sudar/narrowphase/polytope_view2.hpp>
#include <sudar/narrowphase/primitives2.hpp>
#include <sudar/narrowphase/union_depth.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/polygon_set.hpp>

#include <array>
#include <limits>

namespace sudar {

namespace {

using K = ShapeKind2;

DistanceAnswer2 answer(const Shape2& a, const Shape2& b, const Placement2& a_from_b);
bool decide(const Shape2& a, const Shape2& b, const Placement2& a_from_b);

bool is_rounded(const Shape2& shape) {
  return shape.kind() == K::circle || shape.kind() == K::capsule ||
         (shape.kind() == K::polygon && shape.as<PolygonShape2>().radius > 0);
}

// Box against box
DistanceAnswer2 distance_box_box(const Shape2& a, const Shape2& b, const Placement2& a_from_b) {
  return box_box_distance2(a.as<BoxShape2>().half, b.as<BoxShape2>().half, a_from_b);
}
bool decide_box_box(const Shape2& a, const Shape2& b, const Placement2& a_from_b) {
  return box_box_intersects2(a.as<BoxShape2>().half, b.as<BoxShape2>().half, a_from_b);
}

// Closed forms; where rounding leaves the sign of polytopes open, integers have the word
bool decide_exactly(const Shape2& a, const Shape2& b, const Placement2& a_from_b) {
  if (a.kind() == K::halfplane)
    return halfspace_sign<2>(a.as<HalfPlaneShape2>().normal, a.as<HalfPlaneShape2>().offset, make_view(b), a_from_b,
                             true) < 0;
  if (b.kind() == K::halfplane)
    return halfspace_sign<2>(b.as<HalfPlaneShape2>().normal, b.as<HalfPlaneShape2>().offset, make_view(a), a_from_b,
                             false) < 0;
  return convex_intersects2(a, b, a_from_b);
}
DistanceAnswer2 distance_closed_form(const Shape2& a, const Shape2& b, const Placement2& a_from_b) {
  DistanceAnswer2 x = primitive_distance2(a, b, a_from_b);
  if (x.lower > 0 || x.upper < 0) return x;
  const bool bounded = a.is_bounded() && b.is_bounded();
  if (!(is_polytope(a) || !a.is_bounded()) || !(is_polytope(b) || !b.is_bounded())) return x;
  if (bounded && !is_rounded(a) && !is_rounded(b)) return convex_distance2(a, b, a_from_b);
  settle(x, decide_exactly(a, b, a_from_b));
  return x;
}
bool decide_closed_form(const Shape2& a, const Shape2& b, const Placement2& a_from_b) {
  return distance_closed_form(a, b, a_from_b).hit;
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
  return part_distance<2>(parts, box_b, child);
}
// The parts whose boxes meet that of B, until one does
template <class Child>
bool any_part_meets(const PartTree<2>& parts, const Shape2& b, const Placement2& a_from_b, Child&& child) {
  const Aabb2d box_b = b.is_bounded() ? transform(a_from_b, bounding_box(b)) : bounding_box(b);
  bool hit = false;
  double best = std::numeric_limits<double>::denorm_min();
  parts.for_each_nearer([&](const Aabb2d& box) { return box_gap(box, box_b); }, best,
                        [&](std::uint32_t part) {
                          if (hit || !child(part)) return;
                          hit = true;
                          best = 0;
                        });
  return hit;
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
bool decide_compound(const Shape2& a, const Shape2& b, const Placement2& a_from_b) {
  const Compound2& compound = *a.as<CompoundShape2>().parts;
  return any_part_meets(compound.tree(), b, a_from_b, [&](std::uint32_t i) {
    const CompoundChild2& child = compound.children()[i];
    return decide(child.shape, b, from_child(child.pose, a_from_b));
  });
}
bool decide_chain(const Shape2& a, const Shape2& b, const Placement2& a_from_b) {
  const PolygonSet& set = *a.as<ChainShape2>().set;
  return any_part_meets(set.edge_tree(), b, a_from_b, [&](std::uint32_t i) {
    return decide(Shape2(SegmentShape2{set.edge(i).a, set.edge(i).b}), b, a_from_b);
  });
}
bool decide_concave(const Shape2& a, const Shape2& b, const Placement2& a_from_b) {
  const PolygonSet& set = *a.as<ConcavePolygonShape2>().set;
  return any_part_meets(set.part_tree(), b, a_from_b, [&](std::uint32_t i) {
    return decide(Shape2(PolygonShape2{set.parts()[i], 0}), b, a_from_b);
  });
}
bool decide_halfplanes(const Shape2& a, const Shape2& b, const Placement2& a_from_b) {
  return distance_halfplanes(a, b, a_from_b).hit;
}

// The table. A method is written for one order of its kinds; the other order asks it from B's side.
struct Method {
  std::string_view name;
  DistanceAnswer2 (*distance)(const Shape2&, const Shape2&, const Placement2&);
  bool (*decide)(const Shape2&, const Shape2&, const Placement2&);
};
constexpr Method kBoxBox{"box_box", distance_box_box, decide_box_box};
constexpr Method kClosedForm{"closed_form", distance_closed_form, decide_closed_form};
constexpr Method kConvex{"gjk_epa", distance_convex, decide_convex};
constexpr Method kHalfPlanes{"halfplanes", distance_halfplanes, decide_halfplanes};
constexpr Method kChain{"chain", distance_chain, decide_chain};
constexpr Method kConcave{"convex_parts", distance_concave, decide_concave};
constexpr Method kCompound{"compound", distance_compound, decide_compound};

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
  if (a == K::box && b == K::box) return {&kBoxBox, false};
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

// From so far that all that counts is the farthest corner
Vec2d farthest_corner(const PolygonSet& set, const Vec2d& d) {
  Vec2d best = set.vertices()[0];
  for (const Vec2d& p : set.vertices())
    if (dot(p - best, d) > 0) best = p;
  return best;
}
Vec2d farthest_point(const Shape2& shape, const Vec2d& d) {
  if (shape.kind() == K::chain) return farthest_corner(*shape.as<ChainShape2>().set, d);
  if (shape.kind() == K::concave_polygon) return farthest_corner(*shape.as<ConcavePolygonShape2>().set, d);
  if (shape.kind() != K::compound) return support_point(shape, d);
  const std::span<const CompoundChild2> children = shape.as<CompoundShape2>().parts->children();
  const auto point_of = [&](const CompoundChild2& child) {
    return transform(child.pose, farthest_point(child.shape, rotate(conjugate(child.pose.rotation), d)));
  };
  Vec2d best = point_of(children[0]);
  for (const CompoundChild2& child : children)
    if (const Vec2d p = point_of(child); dot(p - best, d) > 0) best = p;
  return best;
}
// What has parts that are far away themselves is asked part by part
bool is_small(const Shape2& shape) {
  if (shape.is_convex()) return shape.is_bounded();
  const Aabb2d box = bounding_box(shape);
  return std::max(max_abs(box.lo), max_abs(box.hi)) <= kMaxShapeSize;
}

DistanceAnswer2 answer(const Shape2& a, const Shape2& b, const Placement2& a_from_b) {
  if (is_far(a_from_b) && is_small(a) && is_small(b))
    return far_apart<2>(
        a_from_b, [&](const Vec2d& d) { return farthest_point(a, d); },
        [&](const Vec2d& d) { return farthest_point(b, d); });
  const Cell& x = cell_of(a, b);
  return x.swap ? swapped_from(x.method->distance(b, a, inverse(a_from_b)), a_from_b)
                : x.method->distance(a, b, a_from_b);
}
bool decide(const Shape2& a, const Shape2& b, const Placement2& a_from_b) {
  if (is_far(a_from_b) && is_small(a) && is_small(b)) return false;
  const Cell& x = cell_of(a, b);
  return x.swap ? x.method->decide(b, a, inverse(a_from_b)) : x.method->decide(a, b, a_from_b);
}

// Only the whole knows the depth of a union
DistanceAnswer2 answer_of_whole(const Shape2& a, const Shape2& b, const Placement2& a_from_b) {
  const DistanceAnswer2 x = answer(a, b, a_from_b);
  return a.is_convex() && b.is_convex() ? x : union_depth<2>(a, b, a_from_b, x);
}

}  // namespace

bool intersects(const Shape2& a, const Shape2& b, const Placement2& a_from_b) { return decide(a, b, a_from_b); }
DistanceAnswer2 distance(const Shape2& a, const Shape2& b, const Placement2& a_from_b) {
  return answer_of_whole(a, b, a_from_b);
}

bool intersects(const Shape2& a, const Shape2& b, const Placement2& a_from_b, QueryCache2* cache, TraceSink* trace) {
  if (cell_of(a, b).method == &kConvex) {
    if (trace != nullptr) return convex_intersects2(a, b, a_from_b, cache, TraceTo{trace});
    return convex_intersects2(a, b, a_from_b, cache);
  }
  const bool hit = decide(a, b, a_from_b);
  if (trace != nullptr) trace->on_event({.step = method_of(a.kind(), b.kind()), .value = hit ? 1.0 : 0.0});
  return hit;
}
DistanceAnswer2 distance(const Shape2& a, const Shape2& b, const Placement2& a_from_b, QueryCache2* cache,
                         TraceSink* trace) {
  if (cell_of(a, b).method == &kConvex) {
    if (trace != nullptr) return convex_distance2(a, b, a_from_b, cache, TraceTo{trace});
    return convex_distance2(a, b, a_from_b, cache);
  }
  const DistanceAnswer2 x = answer_of_whole(a, b, a_from_b);
  if (trace != nullptr)
    trace->on_event({.step = method_of(a.kind(), b.kind()), .numbers = {&x.normal.x, 2}, .value = x.separation});
  return x;
}

ContactSet2 contacts(const Shape2& a, const Shape2& b, const Placement2& a_from_b, double margin) {
  if (a.is_convex() && b.is_convex()) return contact_set2(a, b, a_from_b, answer(a, b, a_from_b), margin);
  // One decision: what touches, and how deep, is told by the distance
  return part_contacts<2>(a, b, a_from_b, answer_of_whole(a, b, a_from_b), margin);
}

namespace {

// Which of the two gives the frame, whichever of them is called A: a pair asked the other way around is the same question,
// and gets the same answer to the bit. Parts come first, then what is not turned, whose offset is exact.
bool frame_is_b(const Shape2& a, const Pose2d& world_from_a, const Shape2& b, const Pose2d& world_from_b) {
  if (const bool swap = cell_of(a, b).swap; swap != cell_of(b, a).swap) return swap;
  const bool a_turned = !(world_from_a.rotation == Rot2d{}), b_turned = !(world_from_b.rotation == Rot2d{});
  if (a_turned != b_turned) return a_turned;
  if (a.kind() != b.kind()) return a.kind() < b.kind();
  const Vec2d &p = world_from_a.position, &q = world_from_b.position;
  for (int i = 0; i < 2; ++i)
    if (p[i] != q[i]) return q[i] < p[i];
  const Rot2d &r = world_from_a.rotation, &s = world_from_b.rotation;
  return r.c != s.c ? s.c < r.c : s.s < r.s;
}

// Positions whose difference squared would leave the range: points to each other
bool is_far(const Shape2& a, const Pose2d& world_from_a, const Shape2& b, const Pose2d& world_from_b, Vec2d& offset) {
  if (!(std::max(max_abs(world_from_a.position), max_abs(world_from_b.position)) > kFarAway)) return false;
  offset = world_from_b.position * 0.25 - world_from_a.position * 0.25;
  return max_abs(offset) > kFarAway && is_small(a) && is_small(b);
}

}  // namespace

bool intersects(const Shape2& a, const Pose2d& world_from_a, const Shape2& b, const Pose2d& world_from_b) {
  Vec2d offset;
  if (is_far(a, world_from_a, b, world_from_b, offset)) return false;
  if (frame_is_b(a, world_from_a, b, world_from_b)) return decide(b, a, make_placement<2>(world_from_b, world_from_a));
  return decide(a, b, make_placement<2>(world_from_a, world_from_b));
}
ContactSet2 contacts(const Shape2& a, const Pose2d& world_from_a, const Shape2& b, const Pose2d& world_from_b,
                     double margin) {
  Vec2d offset;
  if (is_far(a, world_from_a, b, world_from_b, offset)) {
    const DistanceAnswer2 x = far_answer<2>(offset, 0.25);
    ContactSet2 apart;
    apart.normal = x.normal;
    apart.separation = x.separation;
    return apart;
  }
  if (frame_is_b(a, world_from_a, b, world_from_b))
    return swapped_from(placed(contacts(b, a, make_placement<2>(world_from_b, world_from_a), margin), world_from_b),
                        Placement2{});
  return placed(contacts(a, b, make_placement<2>(world_from_a, world_from_b), margin), world_from_a);
}
DistanceAnswer2 distance(const Shape2& a, const Pose2d& world_from_a, const Shape2& b, const Pose2d& world_from_b) {
  Vec2d offset;
  if (is_far(a, world_from_a, b, world_from_b, offset)) {
    DistanceAnswer2 x = far_answer<2>(offset, 0.25);
    const Rot2d &r = world_from_a.rotation, &s = world_from_b.rotation;
    x.point_a = transform(world_from_a, farthest_point(a, rotate(conjugate(r), x.normal)));
    x.point_b = transform(world_from_b, farthest_point(b, rotate(conjugate(s), -x.normal)));
    return x;
  }
  if (frame_is_b(a, world_from_a, b, world_from_b))
    return swapped(placed(answer_of_whole(b, a, make_placement<2>(world_from_b, world_from_a)), world_from_b));
  return placed(answer_of_whole(a, b, make_placement<2>(world_from_a, world_from_b)), world_from_a);
}
std::string_view method_of(ShapeKind2 a, ShapeKind2 b) noexcept {
  return kTable[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)].method->name;
}

}  // namespace sudar
