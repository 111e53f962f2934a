// Segments with segments, in space and in the plane, and points with triangles: yes or no and the distance against exact integers,
// at places that are aimed at (aimed_pairs.hpp). What fails is shrunk and written as a case. Oracle: nearest_oracle.hpp.
#include "tests/narrowphase/aimed_pairs.hpp"
#include "tests/narrowphase/exact_campaign.hpp"
#include <sudar/geom/closest.hpp>
#include <sudar/geom/segment_segment.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace {

using namespace sudar;
using sudar_test::BodyCase;
using sudar_test::corners_of;
using sudar_test::ExactPoints;
using sudar_test::PairCase;

// The corners where the pose puts them, rounded, in bodies without a pose
BodyCase baked(const BodyCase& body) {
  BodyCase out{body.kind, {}, {}, {}};
  for (const Vec3d& p : corners_of(body)) {
    const Vec3d q = transform(pose_of(body), p);
    out.numbers.insert(out.numbers.end(), {q.x, q.y, q.z});
  }
  return out;
}
PairCase aimed_segments(Random& random) {
  constexpr ShapeKind3 kSegment[] = {ShapeKind3::segment};
  const PairCase pair = sudar_test::aimed_pair(random, kSegment, kSegment);
  PairCase out{baked(pair.a), baked(pair.b)};
  // In one plane along the axes: the plane's own test as well
  if (random.below(3) == 0) out.a.numbers[2] = out.a.numbers[5] = out.b.numbers[2] = out.b.numbers[5] = 0;
  return out;
}
PairCase aimed_point_and_triangle(Random& random) {
  constexpr ShapeKind3 kPoint[] = {ShapeKind3::point}, kTriangle[] = {ShapeKind3::triangle};
  const PairCase pair = sudar_test::aimed_pair(random, kPoint, kTriangle);
  return {baked(pair.a), baked(pair.b)};
}

double largest_number(const PairCase& pair) {
  double out = 0;
  for (const BodyCase* body : {&pair.a, &pair.b})
    for (const double x : body->numbers) out = std::max(out, std::fabs(x));
  return out;
}
// closest.hpp promises a few roundings of the largest length
bool is_near(double distance_squared, const sudar_test::Rational& truth, double size) {
  constexpr double kFew = 64 * std::numeric_limits<double>::epsilon();
  return std::fabs(std::sqrt(distance_squared) - sudar_test::root_of(truth)) <= kFew * size + 1e-150;
}

std::string segment_complaint(const PairCase& pair, bool& hit) {
  if (!(pair.a.position == Vec3d{} && pair.b.position == Vec3d{})) return "";
  const std::vector<Vec3d> p = corners_of(pair.a), q = corners_of(pair.b);
  const ExactPoints points = sudar_test::exact_points(p, q);
  const auto truth = sudar_test::nearest(points.a, points.b);
  hit = truth.hit();
  const Segment<3, double> a{p[0], p[1]}, b{q[0], q[1]};
  if (intersects_exact(a, b) != hit || intersects_exact(b, a) != hit) return "segments are decided wrongly";
  const double size = largest_number(pair);
  if (!is_near(closest_points(a, b).distance_squared, points.square(truth), size)) return "their distance is far off";
  if (p[0].z != 0 || p[1].z != 0 || q[0].z != 0 || q[1].z != 0) return "";
  const auto flat = [](const Vec3d& v) { return Vec2d{v.x, v.y}; };
  const Segment<2, double> c{flat(p[0]), flat(p[1])}, d{flat(q[0]), flat(q[1])};
  if (intersects_exact(c, d) != hit || intersects_exact(d, c) != hit)
    return "segments of the plane are decided wrongly";
  if (!is_near(closest_points(c, d).distance_squared, points.square(truth), size))
    return "their distance in the plane is far off";
  return "";
}

TEST(ExactSegments, AreDecidedAndMeasuredAsIntegersDo) {
  sudar_test::count_cases(
      "exact_distance",
      sudar_test::run_exact_campaign(341, sudar_test::soak(15000), aimed_segments, segment_complaint).apart);
}

std::string point_triangle_complaint(const PairCase& pair, bool& hit) {
  if (!(pair.a.position == Vec3d{} && pair.b.position == Vec3d{})) return "";
  const std::vector<Vec3d> p = corners_of(pair.a), t = corners_of(pair.b);
  const ExactPoints points = sudar_test::exact_points(p, t);
  const auto truth = sudar_test::nearest(points.a, points.b);
  hit = truth.hit();
  const ClosestOnTriangle<3, double> x = closest_point(Triangle<3, double>{t[0], t[1], t[2]}, p[0]);
  if (!is_near(x.distance_squared, points.square(truth), largest_number(pair))) return "the distance is far off";
  return "";
}

TEST(ExactSegments, PointsAndTrianglesAreMeasuredAsIntegersDo) {
  Random random(sudar_test::campaign_seed(342));
  const std::size_t count = sudar_test::soak(10000);
  std::size_t apart = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const PairCase pair = aimed_point_and_triangle(random);
    bool meets = false;
    const bool good = point_triangle_complaint(pair, meets).empty();
    apart += !meets;
    if (good) continue;
    const auto again = [](const PairCase& other) {
      bool hit = false;
      return point_triangle_complaint(other, hit);
    };
    FAIL() << "case " << k << ": " << shrunk_case(pair, again);
  }
  sudar_test::count_cases("exact_distance", apart);
}

}  // namespace
