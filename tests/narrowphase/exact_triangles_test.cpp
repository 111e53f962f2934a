// Triangles with triangles and with boxes against exact integers, at places that are aimed at: corners, edges and planes that
// touch or are shared, slivers and flat ones, ratios to 1e10, 1e7 away, and the ladder of small steps around each. What fails is
// shrunk and written as a case. Oracle: tests/support/nearest_oracle.hpp, which proves every answer.
#include "tests/narrowphase/aimed_pairs.hpp"
#include "tests/narrowphase/exact_campaign.hpp"
#include <sudar/narrowphase/box_triangle.hpp>
#include <sudar/narrowphase/placed_triangles.hpp>
#include <sudar/narrowphase/triangle_triangle.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace sudar;
using sudar_test::BodyCase;
using sudar_test::corners_of;
using sudar_test::exact_points;
using sudar_test::ExactPoints;
using sudar_test::nearest;
using sudar_test::nudged;
using sudar_test::PairCase;
using sudar_test::run_exact_campaign;
using sudar_test::soak;
using sudar_test::aimed_detail::Aim;
using AimedTriangle = Triangle<3, double>;

// The maker of triangles refuses flat ones; as hulls they are shapes
BodyCase body_of(const AimedTriangle& t) {
  const bool flat = !make_triangle3(t.a, t.b, t.c).ok();
  BodyCase body{flat ? ShapeKind3::hull : ShapeKind3::triangle, {}, {}, {}};
  if (flat) body.numbers.push_back(0);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) body.numbers.push_back(t[i][k]);
  return body;
}

Vec3d aimed_point(Aim& aim) { return {aim.coordinate(), aim.coordinate(), aim.coordinate()}; }
// In quarters on the lattice, so that nothing is rounded
double aimed_weight(Aim& aim, double lo, double hi) {
  const double x = aim.random.uniform(lo, hi);
  return aim.lattice ? std::round(4 * x) / 4 : x;
}

AimedTriangle aimed_triangle(Aim& aim) {
  AimedTriangle t{aimed_point(aim), aimed_point(aim), aimed_point(aim)};
  // Slivers along an edge, and flat ones
  if (aim.one_in(6)) {
    const double thin = aim.one_in(3) ? 0 : std::ldexp(1.0, -static_cast<int>(1 + aim.random.below(50)));
    t.c = t.at(aimed_weight(aim, -1, 2), 0) + (t.c - t.a) * thin;
  }
  return t;
}

AimedTriangle near_to(Aim& aim, const AimedTriangle& a) {
  const auto weight = [&](double lo, double hi) { return aimed_weight(aim, lo, hi); };
  const auto in_plane = [&] {
    const double u = weight(-1, 2);
    return a.at(u, weight(-1, 2));
  };
  switch (aim.random.below(7)) {
    case 0:  // A corner on the face, an edge or a corner
      return {a.at(weight(0, 0.5), weight(0, 0.5)), aimed_point(aim), aimed_point(aim)};
    case 1: {  // Edges that cross
      const Vec3d on_edge = a.at(weight(0, 1), 0), d = aimed_point(aim);
      return {on_edge - d * weight(0, 1), on_edge + d * weight(0, 1), aimed_point(aim)};
    }
    case 2:
      return {a.b, aimed_point(aim), aimed_point(aim)};
    case 3:
      return {a.b, aimed_point(aim), a.a};
    case 4:
      return {in_plane(), in_plane(), in_plane()};
    case 5: {  // Parallel, beside it
      AimedTriangle b{in_plane(), in_plane(), in_plane()};
      const int axis = static_cast<int>(aim.random.below(3));
      const double step = nudged(aim.random, 0, 1);
      b.a[axis] += step, b.b[axis] += step, b.c[axis] += step;
      return b;
    }
    default:
      return aim.one_in(4) ? AimedTriangle{a.c, a.a, a.b} : aimed_triangle(aim);
  }
}

PairCase aimed_triangles(Random& random) {
  Aim aim{random, random.coin()};
  const AimedTriangle a = aimed_triangle(aim);
  AimedTriangle b = near_to(aim, a);
  // Larger or smaller, from the corner that touches
  const double given = sudar_test::some_ratio(random), ratio = aim.lattice ? sudar_test::whole_ratio(given) : given;
  if (ratio != 1) b = {b.a, b.a + (b.b - b.a) * ratio, b.a + (b.c - b.a) * ratio};
  // One corner, or all
  Vec3d* const corners[3] = {&b.a, &b.b, &b.c};
  const int axis = static_cast<int>(random.below(3));
  const double scale = random.coin() ? 1 : ratio;
  if (random.coin()) {
    double& x = (*corners[random.below(3)])[axis];
    x = nudged(random, x, scale);
  } else {
    const double step = nudged(random, b.a[axis], scale) - b.a[axis];
    for (Vec3d* p : corners) (*p)[axis] += step;
  }
  PairCase pair{body_of(a), body_of(b)};
  if (aim.one_in(6)) {
    // Far away in their own frame, so that the corners are rounded to it
    for (BodyCase* body : {&pair.a, &pair.b}) {
      std::vector<Vec3d> moved = corners_of(*body);
      for (Vec3d& p : moved) p += Vec3d{1e7, -3e6, 0x1p22};
      *body = body_of({moved[0], moved[1], moved[2]});
    }
  }
  if (aim.one_in(4)) {
    // The same place by way of a pose
    const Pose3d pose{aimed_point(aim), sudar_test::some_rotation(random)};
    const auto back = [&](const Vec3d& p) { return transform(inverse(pose), p); };
    const std::vector<Vec3d> p = corners_of(pair.b);
    pair.b = body_of({back(p[0]), back(p[1]), back(p[2])});
    pair.b.position = pose.position, pair.b.rotation = pose.rotation;
  }
  return pair;
}

std::string triangle_complaint(const PairCase& pair, bool& hit) {
  const std::vector<Vec3d> p = corners_of(pair.a), q = corners_of(pair.b);
  if (p.size() != 3 || q.size() != 3) return "";
  const Placement3 at = make_placement(pose_of(pair.a), pose_of(pair.b));
  const ExactPoints points = exact_points(p, q, at);
  hit = nearest(points.a, points.b).hit();
  const AimedTriangle a{p[0], p[1], p[2]}, b{q[0], q[1], q[2]};
  if (intersects_exact(a, b, at) != hit) return "placed triangles are decided wrongly";
  if (static_cast<bool>(intersection_exact(a, b, at)) != hit) return "the common set of placed triangles is wrong";
  if (!is_identity(at)) return "";
  if (intersects_exact(a, b) != hit) return "triangles are decided wrongly";
  if (intersects_exact(b, a) != hit) return "triangles are decided wrongly in the other order";
  if (static_cast<bool>(intersection_exact(a, b)) != hit) return "the common set of triangles is wrong";
  return "";
}

TEST(ExactTriangles, AreDecidedAsIntegersDo) {
  run_exact_campaign(321, soak(40000), aimed_triangles, triangle_complaint);
}

// Boxes along the axes: from the corners that doubles give them, so the case is written as the hull of these
struct AimedBox {
  Vec3d lo, hi;
};
AimedBox box_of(const BodyCase& hull) {
  std::vector<Vec3d> p = corners_of(hull);
  AimedBox box{p[0], p[0]};
  for (const Vec3d& x : p) box.lo = min(box.lo, x), box.hi = max(box.hi, x);
  return box;
}
BodyCase body_of(const AimedBox& box) {
  BodyCase body{ShapeKind3::hull, {0}, {}, {}};
  for (int i = 0; i < 8; ++i)
    for (int k = 0; k < 3; ++k) body.numbers.push_back(i >> k & 1 ? box.hi[k] : box.lo[k]);
  return body;
}

PairCase aimed_box_and_triangle(Random& random) {
  Aim aim{random, random.coin()};
  const Vec3d p = aimed_point(aim), q = aimed_point(aim);
  AimedBox box{min(p, q), max(p, q)};
  const int thin = static_cast<int>(random.below(3));
  if (aim.one_in(8)) box.hi[thin] = box.lo[thin];
  // A spot of the box's surface: a corner, an edge, a face
  const auto spot = [&] {
    Vec3d x;
    for (int k = 0; k < 3; ++k) {
      const double t = aim.one_in(3) ? aimed_weight(aim, 0, 1) : static_cast<double>(random.below(2));
      x[k] = t == 1 ? box.hi[k] : box.lo[k] + (box.hi[k] - box.lo[k]) * t;
    }
    return x;
  };
  const double given = sudar_test::some_ratio(random), ratio = aim.lattice ? sudar_test::whole_ratio(given) : given;
  AimedTriangle t = aimed_triangle(aim);
  const Vec3d at = spot();
  switch (random.below(6)) {
    case 0:  // A corner on it, the others out of the box's way
      for (int k = 0; k < 3; ++k)
        for (Vec3d* other : {&t.b, &t.c})
          if (at[k] == box.hi[k] || at[k] == box.lo[k]) {
            const double out = std::fabs((*other)[k] - t.a[k]);
            (*other)[k] = t.a[k] + (at[k] == box.hi[k] ? out : -out);
          }
      [[fallthrough]];
    case 1:  // A corner on it
      t = {at, at + (t.b - t.a) * ratio, at + (t.c - t.a) * ratio};
      break;
    case 2: {  // An edge across it
      const Vec3d d = (t.b - t.a) * ratio;
      t = {at - d, at + d, at + (t.c - t.a) * ratio};
      break;
    }
    case 3: {  // The face across it
      const Vec3d u = (t.b - t.a) * ratio, v = (t.c - t.a) * ratio;
      t = {at + u, at + v, at - u - v};
      break;
    }
    default:  // Edges and planes of both
      t = {at, spot(), aim.one_in(2) ? spot() : t.c};
  }
  Vec3d* const corners[3] = {&t.a, &t.b, &t.c};
  const int axis = static_cast<int>(random.below(3));
  const double step = nudged(random, t.a[axis], 1) - t.a[axis];
  for (Vec3d* x : corners) (*x)[axis] += step;
  if (aim.one_in(6)) {
    const Vec3d far{1e7, -3e6, 0x1p22};
    box = {box.lo + far, box.hi + far};
    for (Vec3d* x : corners) *x += far;
  }
  return {body_of(box), body_of(t)};
}

std::string box_triangle_complaint(const PairCase& pair, bool& hit) {
  const std::vector<Vec3d> q = corners_of(pair.b);
  if (q.size() != 3 || !(pair.a.position == Vec3d{} && pair.b.position == Vec3d{})) return "";
  const AimedBox box = box_of(pair.a);
  const ExactPoints points = exact_points(corners_of(body_of(box)), q);
  hit = nearest(points.a, points.b).hit();
  if (intersects_exact(Aabb3d{box.lo, box.hi}, AimedTriangle{q[0], q[1], q[2]}) != hit)
    return "a box and a triangle are decided wrongly";
  return "";
}

TEST(ExactTriangles, WithBoxesAreDecidedAsIntegersDo) {
  run_exact_campaign(322, soak(30000), aimed_box_and_triangle, box_triangle_complaint);
}

}  // namespace
