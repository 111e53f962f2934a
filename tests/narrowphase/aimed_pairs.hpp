// What:    Pairs of polytopes for the exact campaigns, aimed at where decisions turn: corners, edges and faces that touch, lie
//          in one plane or are shared, then a step of the ladder away; slivers, ratios of size to 1e10, places 1e7 away.
// Differs: Half of them on a lattice, where what touches does so exactly; in the other half it does up to rounding.
// Frame:   A is often not turned, so that the relative place of the two is exact (placement.hpp).
#pragma once

#include "tests/support/aimed.hpp"
#include "tests/support/pair_case.hpp"
#include <sudar/narrowphase/placement.hpp>

#include <cmath>
#include <span>
#include <vector>

namespace sudar_test {

// The points that a body is the hull of, in its frame
inline std::vector<sudar::Vec3d> corners_of(const BodyCase& body) {
  const std::vector<double>& x = body.numbers;
  std::vector<sudar::Vec3d> out;
  if (body.kind == sudar::ShapeKind3::box) {
    for (int i = 0; i < 8; ++i) out.push_back({i & 1 ? x[0] : -x[0], i & 2 ? x[1] : -x[1], i & 4 ? x[2] : -x[2]});
  } else {
    for (std::size_t i = body.kind == sudar::ShapeKind3::hull ? 1 : 0; i + 2 < x.size(); i += 3)
      out.push_back({x[i], x[i + 1], x[i + 2]});
  }
  return out;
}
inline std::vector<sudar::Vec2d> corners_of(const PlaneBodyCase& body) {
  const std::vector<double>& x = body.numbers;
  std::vector<sudar::Vec2d> out;
  if (body.kind == sudar::ShapeKind2::box) {
    for (int i = 0; i < 4; ++i) out.push_back({i & 1 ? x[0] : -x[0], i & 2 ? x[1] : -x[1]});
  } else {
    for (std::size_t i = body.kind == sudar::ShapeKind2::polygon ? 1 : 0; i + 1 < x.size(); i += 2)
      out.push_back({x[i], x[i + 1]});
  }
  return out;
}

namespace aimed_detail {

struct Aim {
  sudar::Random& random;
  bool lattice;

  double coordinate() { return lattice ? lattice_coordinate(random) : some_coordinate(random); }
  double size() { return lattice ? 0.125 * static_cast<double>(1 + random.below(8)) : some_size(random); }
  void sizes(std::vector<double>& out, std::size_t n, double scale) {
    for (std::size_t i = 0; i < n; ++i) out.push_back(scale * size());
  }
  void places(std::vector<double>& out, std::size_t n, double scale) {
    for (std::size_t i = 0; i < n; ++i) out.push_back(scale * coordinate());
  }
  bool one_in(std::uint64_t n) { return random.below(n) == 0; }
};

// The middle of the corners that lie farthest along a direction: of a face, an edge or a corner
template <class V>
V farthest_spot(const std::vector<V>& corners, const V& direction) {
  V sum = corners[0];
  double best = dot(corners[0], direction), count = 1;
  for (std::size_t i = 1; i < corners.size(); ++i) {
    const double along = dot(corners[i], direction);
    if (along < best) continue;
    if (along > best) best = along, count = 0, sum = V{};
    sum += corners[i], count += 1;
  }
  return sum / count;
}
template <class V>
V any_spot(sudar::Random& random, const std::vector<V>& corners) {
  const auto corner = [&] { return corners[random.below(corners.size())]; };
  const V p = corner(), q = corner();
  return (p + q) * 0.5;
}

inline sudar::Quatd turn_of(Aim& aim, const sudar::Quatd*) {
  return aim.lattice && aim.one_in(2) ? sudar::Quatd{} : some_rotation(aim.random);
}
inline double turn_of(Aim& aim, const double*) { return aim.lattice && aim.one_in(2) ? 0 : some_angle(aim.random); }

// Turns both, and brings B to A so that they touch, or share what they have, or lie anyhow
template <int D, class Body>
void aim_at_touch(Aim& aim, BodyPair<Body>& pair, double ratio) {
  using V = sudar::Vec<D, double>;
  sudar::Random& random = aim.random;
  const decltype(pair.a.rotation)* const kind_of_turn = nullptr;
  if (aim.one_in(4)) pair.a.rotation = turn_of(aim, kind_of_turn);
  pair.b.rotation = aim.one_in(3) ? pair.a.rotation : turn_of(aim, kind_of_turn);
  const auto turned = [](const Body& body, V v) { return rotate(pose_of(body).rotation, v); };
  std::vector<V> a, b;
  for (const V& p : corners_of(pair.a)) a.push_back(turned(pair.a, p));
  for (const V& p : corners_of(pair.b)) b.push_back(turned(pair.b, p));
  // A direction of the lattice, or any
  V way{};
  for (int i = 0; i < D; ++i) way[i] = aim.one_in(4) ? random.uniform(-1, 1) : static_cast<double>(random.below(3)) - 1;
  const std::uint64_t how = random.below(8);
  if (how == 0) {
    for (int i = 0; i < D; ++i) pair.b.position[i] = std::max(1.0, ratio) * aim.coordinate();
  } else if (how < 3) {
    pair.b.position = any_spot(random, a) - any_spot(random, b);
  } else {
    pair.b.position = farthest_spot(a, way) - farthest_spot(b, -way);
  }
  if (aim.one_in(6))
    for (int i = 0; i < D; ++i) {
      const double far = aim.lattice ? std::round(some_offset(random)) : some_offset(random);
      pair.a.position[i] += far;
      pair.b.position[i] += far;
    }
}

// Steps of A's size, or of B's
template <class Body>
void climb_ladder(sudar::Random& random, BodyPair<Body>& pair, double ratio) {
  const int axis = static_cast<int>(random.below(sizeof pair.b.position / sizeof(double)));
  pair.b.position[axis] = nudged(random, pair.b.position[axis], random.coin() ? 1 : ratio);
}

}  // namespace aimed_detail

// One of these kinds: point, segment, triangle, box, hull
inline BodyCase aimed_polytope(aimed_detail::Aim& aim, std::span<const sudar::ShapeKind3> kinds, double scale) {
  using K = sudar::ShapeKind3;
  BodyCase body{kinds[aim.random.below(kinds.size())], {}, {}, {}};
  if (body.kind == K::box) {
    aim.sizes(body.numbers, 3, scale);
    if (aim.one_in(8)) body.numbers[aim.random.below(3)] *= std::ldexp(1.0, -static_cast<int>(aim.random.below(40)));
    return body;
  }
  const bool hull = body.kind == K::hull;
  if (hull) body.numbers.push_back(0);
  aim.places(body.numbers, 3 * (hull ? 4 + aim.random.below(7) : static_cast<std::size_t>(body.kind) + 1), scale);
  if (aim.one_in(6)) make_sliver(aim.random, std::span(body.numbers).subspan(hull ? 1 : 0), 3);
  return body;
}
static_assert(static_cast<int>(sudar::ShapeKind3::point) == 0 && static_cast<int>(sudar::ShapeKind3::triangle) == 2);

inline PairCase aimed_pair(sudar::Random& random, std::span<const sudar::ShapeKind3> kinds_a,
                           std::span<const sudar::ShapeKind3> kinds_b) {
  for (;;) {
    aimed_detail::Aim aim{random, random.coin()};
    const double ratio = aim.lattice ? whole_ratio(some_ratio(random)) : some_ratio(random);
    PairCase pair{aimed_polytope(aim, kinds_a, 1), aimed_polytope(aim, kinds_b, ratio)};
    if (kinds_a.data() == kinds_b.data() && aim.one_in(10)) pair.b = pair.a;
    aimed_detail::aim_at_touch<3>(aim, pair, ratio);
    aimed_detail::climb_ladder(random, pair, ratio);
    if (can_be_made(pair)) return pair;
  }
}

// In the plane: point, segment, box, polygon
inline PlaneBodyCase aimed_polygon(aimed_detail::Aim& aim, double scale) {
  using K = sudar::ShapeKind2;
  constexpr K kKinds[] = {K::point, K::segment, K::box, K::polygon, K::polygon, K::polygon};
  PlaneBodyCase body{kKinds[aim.random.below(std::size(kKinds))], {}, {}, 0};
  if (body.kind == K::box) {
    aim.sizes(body.numbers, 2, scale);
    if (aim.one_in(8)) body.numbers[aim.random.below(2)] *= std::ldexp(1.0, -static_cast<int>(aim.random.below(40)));
    return body;
  }
  const bool polygon = body.kind == K::polygon;
  if (polygon) body.numbers.push_back(0);
  aim.places(body.numbers, 2 * (polygon ? 3 + aim.random.below(8) : body.kind == K::segment ? 2u : 1u), scale);
  if (aim.one_in(6)) make_sliver(aim.random, std::span(body.numbers).subspan(polygon ? 1 : 0), 2);
  return body;
}

inline PlanePairCase aimed_plane_pair(sudar::Random& random) {
  for (;;) {
    aimed_detail::Aim aim{random, random.coin()};
    const double ratio = aim.lattice ? whole_ratio(some_ratio(random)) : some_ratio(random);
    PlanePairCase pair{aimed_polygon(aim, 1), aimed_polygon(aim, ratio)};
    if (aim.one_in(10)) pair.b = pair.a;
    aimed_detail::aim_at_touch<2>(aim, pair, ratio);
    aimed_detail::climb_ladder(random, pair, ratio);
    if (can_be_made(pair)) return pair;
  }
}

}  // namespace sudar_test
