// Distance and depth of convex shapes: against the explicit difference, closed forms, and properties.
#include <sudar/core/random.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/epa3.hpp>
#include <sudar/narrowphase/minkowski_check3.hpp>

#include <gtest/gtest.h>
#include <tests/support/soak.hpp>

#include <vector>

namespace {

using namespace sudar;

Vec3d random_vec(Random& random) {
  return {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
}
Vec3d random_unit(Random& random) {
  for (;;) {
    const Vec3d p = random_vec(random);
    if (const double l = length(p); l > 0.1 && l < 1) return p / l;
  }
}
Quatd random_turn(Random& random) {
  for (;;) {
    const Quatd q{random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0),
                  random.uniform(-1.0, 1.0)};
    const double n = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (n > 0.01 && n < 1) return normalized(q);
  }
}
Shape3 random_hull(Random& random, std::size_t count, double radius = 0) {
  std::vector<Vec3d> points(count);
  for (Vec3d& p : points) p = random_unit(random);
  return *make_hull_shape3(points, radius);
}
Shape3 random_shape(Random& random, bool curved) {
  const auto size = [&] { return random.uniform(0.2, 1.0); };
  switch (random.below(curved ? 11 : 7)) {
    case 0:
      return *make_point3(random_vec(random));
    case 1:
      return *make_segment3(random_vec(random), random_vec(random));
    case 2:
      return *make_triangle3(random_vec(random), random_vec(random), random_vec(random));
    case 3:
      return *make_box3({size(), size(), size()});
    case 4:
      return random_hull(random, 5 + random.below(30));
    case 5:
      return *make_capsule3(random_vec(random), random_vec(random), size());
    case 6:
      return random_hull(random, 4 + random.below(10), size() / 4);
    case 7:
      return *make_sphere3(size());
    case 8:
      return *make_cylinder3(size(), size());
    case 9:
      return *make_cone3(size(), size());
    default:
      return *make_ellipsoid3({size(), size(), size()});
  }
}
Placement3 random_place(Random& random, double reach) {
  return make_placement<3>(Pose3d{random_vec(random) * reach, random_turn(random)});
}

// How far a point of A's frame is outside of a shape at a place, by many supporting planes
double outside(const ConvexView3& view, const Vec3d& p, Random& random) {
  double worst = -1;
  for (int i = 0; i < 40; ++i) {
    const Vec3d d = random_unit(random);
    worst = std::max(worst, dot(d, p - support(view, d).p) - view.radius);
  }
  return worst;
}
Vec3d to_local(const Placement3& at, const Vec3d& p) { return to_b(at, p - at.translation); }

void expect_certificate(const DistanceAnswer3& r, const Shape3& a, const Shape3& b, const Placement3& at, double tol,
                        Random& random) {
  EXPECT_LE(r.lower, r.separation);
  EXPECT_LE(r.separation, r.upper);
  EXPECT_LE(r.upper - r.lower, tol);
  EXPECT_EQ(r.hit, !(r.separation > 0));
  EXPECT_NEAR(length(r.normal), 1, 1e-12);
  EXPECT_NEAR(dot(r.point_b - r.point_a, r.normal), r.separation, tol);
  EXPECT_LE(outside(make_view(a), r.point_a, random), tol);
  EXPECT_LE(outside(make_view(b), to_local(at, r.point_b), random), tol);
  // The certificate's plane: everything of A behind it, everything of B in front
  const double depth_a = dot(r.normal, r.point_a),
               h = dot(r.normal, support(make_view(a), r.normal).p) + make_view(a).radius;
  EXPECT_NEAR(depth_a, h, tol);
}

TEST(ConvexDistance3, PolytopesAgreeWithTheExplicitDifference) {
  Random random(7);
  for (std::size_t k = 0; k < sudar_test::soak(1500); ++k) {
    const Shape3 a = random_shape(random, false), b = random_shape(random, false);
    const Placement3 at = random_place(random, 1.5);
    const ConvexView3 va = make_view(a), vb = make_view(b);
    const Difference3 difference(va, vb, at);
    const DistanceAnswer3 r = convex_distance3(a, b, at);
    expect_certificate(r, a, b, at, 1e-13, random);
    EXPECT_EQ(r.hit, convex_intersects3(a, b, at)) << k;
    const MinkowskiCheck3 check = *minkowski_check3(difference);
    EXPECT_NEAR(r.separation + va.radius + vb.radius, check.separation, 1e-13) << k;
    if (va.radius + vb.radius == 0) {
      EXPECT_EQ(r.hit, check.hit) << k;
    }
    ASSERT_FALSE(HasFailure()) << k;
  }
}

TEST(ConvexDistance3, CurvedShapesCloseTheirBounds) {
  Random random(8);
  int worst = 0;
  for (std::size_t k = 0; k < sudar_test::soak(1500); ++k) {
    const Shape3 a = random_shape(random, true), b = random_shape(random, true);
    const Placement3 at = random_place(random, 1.5);
    const DistanceAnswer3 r = convex_distance3(a, b, at);
    expect_certificate(r, a, b, at, 1e-9, random);
    EXPECT_NE(r.status, QueryStatus::max_iterations);
    EXPECT_EQ(r.hit, convex_intersects3(a, b, at));
    worst = std::max(worst, r.iterations);
    ASSERT_FALSE(HasFailure()) << k << " " << to_string(a.kind()) << " " << to_string(b.kind()) << " " << r.separation;
  }
  RecordProperty("iterations", worst);
}

}  // namespace
