// What:    Closed forms of primitives in space. Oracles: the duality of distance and supporting planes (the separation is
//          the largest gap between parallel supporting planes, over all directions: searched by brute force), closed
//          forms by hand, hard cases with known answers.
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include <sudar/math/sampling.hpp>
#include <sudar/narrowphase/primitives3.hpp>
#include <sudar/shapes/shape3.hpp>

#include <gtest/gtest.h>
#include <tests/support/soak.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::random_point;
using sudar_test::random_rotation;
using K = ShapeKind3;

namespace {

constexpr K kBounded[] = {K::point, K::segment,  K::triangle, K::sphere,   K::capsule,
                          K::box,   K::cylinder, K::cone,     K::ellipsoid};

Shape3 random_shape(Random& random, K kind, double size = 1) {
  const auto radius = [&] { return size * random.uniform(0.05, 1); };
  switch (kind) {
    case K::point:
      return *make_point3(random_point<3>(random, size));
    case K::segment:
      return *make_segment3(random_point<3>(random, size), random_point<3>(random, size));
    case K::triangle:
      return *make_triangle3(random_point<3>(random, size), random_point<3>(random, size),
                             random_point<3>(random, size));
    case K::sphere:
      return *make_sphere3(radius());
    case K::capsule:
      return *make_capsule3(random_point<3>(random, size), random_point<3>(random, size), radius());
    case K::box:
      return *make_box3({radius(), radius(), radius()});
    case K::cylinder:
      return *make_cylinder3(radius(), radius());
    case K::cone:
      return *make_cone3(radius(), radius());
    case K::ellipsoid:
      return *make_ellipsoid3({radius(), radius(), radius()});
    case K::halfspace:
      return *make_halfspace3(unit_vector<3>(random), random.uniform(-size, size));
    default:
      return *make_hull_shape3(std::vector<Vec3d>{random_point<3>(random, size), random_point<3>(random, size),
                                                  random_point<3>(random, size), random_point<3>(random, size)},
                               radius());
  }
}

// The gap between the supporting planes square to n: at most the separation, for every unit n
double plane_gap(const Shape3& a, const Shape3& b, const Placement3& at, const Vec3d& n) {
  const Vec3d on_b = transform(at, support_point(b, -to_b(at, n))) + at.rest;
  return dot(on_b - support_point(a, n), n);
}
// The largest gap: directions at random, the best ones refined
double best_gap(const Shape3& a, const Shape3& b, const Placement3& at, Random& random, const Vec3d& hint) {
  std::vector<std::pair<double, Vec3d>> found;
  for (int i = 0; i < 300; ++i) {
    const Vec3d n = unit_vector<3>(random);
    found.push_back({plane_gap(a, b, at, n), n});
  }
  std::sort(found.begin(), found.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
  found.resize(3);
  found.push_back({plane_gap(a, b, at, hint), hint});
  double best = -std::numeric_limits<double>::infinity();
  for (auto [value, n] : found) {
    for (double step = 0.3; step > 1e-9; step *= 0.7)
      for (int i = 0; i < 8; ++i) {
        const Vec3d m = normalized(n + unit_vector<3>(random) * step);
        if (const double v = plane_gap(a, b, at, m); v > value) value = v, n = m;
      }
    best = std::max(best, value);
  }
  return best;
}

void expect_sound(const Shape3& a, const Shape3& b, const Placement3& at, const DistanceAnswer3& x, double size) {
  const auto pair = ::testing::Message() << to_string(a.kind()) << ' ' << to_string(b.kind());
  SCOPED_TRACE(pair);
  EXPECT_NEAR(length(x.normal), 1, 1e-14);
  EXPECT_EQ(x.hit, !(x.separation > 0));
  EXPECT_LE(x.lower, x.separation);
  EXPECT_GE(x.upper, x.separation);
  EXPECT_LT(x.upper - x.lower, 1e-12 * size);
  EXPECT_NEAR(dot(x.point_b - x.point_a, x.normal), x.separation, 1e-13 * size);
  EXPECT_LT(length((x.point_b - x.point_a) - x.normal * x.separation), 1e-7 * size);
  // The normal proves it from below
  if (a.kind() != K::halfspace && b.kind() != K::halfspace) {
    EXPECT_GE(plane_gap(a, b, at, x.normal), x.separation - 1e-13 * size);
  }
}

// On the surface or inside, by the closed form of a point
void expect_on(const Shape3& shape, const Vec3d& p, bool surface, double size) {
  const DistanceAnswer3 x = primitive_distance3(shape, *make_point3(p), {});
  EXPECT_LT(x.separation, 1e-12 * size) << to_string(shape.kind());
  if (surface) {
    EXPECT_GT(x.separation, -1e-12 * size) << to_string(shape.kind());
  }
}

template <class F>
void for_each_pair(F&& visit) {
  for (const K a : kBounded)
    for (const K b : kBounded)
      if (has_closed_form(a, b)) visit(a, b);
}

}  // namespace

TEST(Primitives3, NoDirectionShowsAWiderGap) {
  Random random(campaign_seed(1));
  const std::size_t rounds = sudar_test::soak(12);
  for_each_pair([&](K ka, K kb) {
    for (std::size_t round = 0; round < rounds; ++round) {
      const Shape3 a = random_shape(random, ka), b = random_shape(random, kb);
      // Apart, overlapping, deep
      const double away = round % 3 == 0 ? 3 : round % 3 == 1 ? 1 : 0.1;
      Placement3 at = make_placement(Pose3d{random_point<3>(random, away), random_rotation(random)});
      DistanceAnswer3 x = primitive_distance3(a, b, at);
      expect_sound(a, b, at, x, 10);
      EXPECT_NEAR(best_gap(a, b, at, random, x.normal), x.separation, 2e-8) << to_string(ka) << ' ' << to_string(kb);
      expect_on(a, x.point_a, ka != K::point, 10);
      expect_on(b, to_b(at, x.point_b - at.translation), kb != K::point, 10);
      // Nearly touching, from both sides
      if (x.status != QueryStatus::converged) continue;
      for (const double left : {1e-9, -1e-9, 1e-14}) {
        Placement3 near = at;
        near.translation = at.translation - x.normal * (x.separation - left);
        const DistanceAnswer3 y = primitive_distance3(a, b, near);
        expect_sound(a, b, near, y, 10);
        if (x.separation > 0 && left > 0) {
          EXPECT_NEAR(y.separation, left, 1e-13);
        }
      }
    }
  });
}

TEST(Primitives3, YesAndNoIsTheSignOfTheDistance) {
  Random random(campaign_seed(9));
  for (const K ka : {K::sphere, K::capsule, K::box})
    for (const K kb : {K::sphere, K::capsule}) {
      for (int round = 0; round < 300; ++round) {
        const Shape3 a = random_shape(random, ka), b = random_shape(random, kb);
        Placement3 at = make_placement(Pose3d{random_point<3>(random, 2), random_rotation(random)});
        const DistanceAnswer3 x = primitive_distance3(a, b, at);
        EXPECT_EQ(primitive_intersects3(a, b, at), x.hit);
        for (const double left : {0.0, 1e-15, -1e-15, 1e-8, -1e-8, 1e-5, -1e-5}) {
          Placement3 near = at;
          near.translation = at.translation - x.normal * (x.separation - left);
          EXPECT_EQ(primitive_intersects3(a, b, near), primitive_distance3(a, b, near).hit);
        }
      }
    }
}

TEST(Primitives3, SwappingMirrorsTheAnswer) {
  Random random(campaign_seed(2));
  for_each_pair([&](K ka, K kb) {
    for (std::size_t round = 0; round < 20; ++round) {
      const Shape3 a = random_shape(random, ka), b = random_shape(random, kb);
      const Pose3d pa{random_point<3>(random, 1), random_rotation(random)},
          pb{random_point<3>(random, 2), random_rotation(random)};
      const DistanceAnswer3 x = placed(primitive_distance3(a, b, make_placement(pa, pb)), pa);
      const DistanceAnswer3 y = placed(primitive_distance3(b, a, make_placement(pb, pa)), pb);
      EXPECT_NEAR(x.separation, y.separation, 1e-13);
      if (x.status == QueryStatus::converged && y.status == QueryStatus::converged && std::fabs(x.separation) > 1e-3) {
        EXPECT_LT(length(x.normal + y.normal), 1e-8) << to_string(ka) << ' ' << to_string(kb);
      }
      // A common motion changes nothing but the frame
      const Pose3d move{random_point<3>(random, 100), random_rotation(random)};
      const DistanceAnswer3 z = primitive_distance3(a, b, make_placement(move * pa, move * pb));
      EXPECT_NEAR(z.separation, x.separation, 1e-12);
    }
  });
}

TEST(Primitives3, PowersOfTwoScaleExactly) {
  Random random(campaign_seed(3));
  for_each_pair([&](K ka, K kb) {
    for (int round = 0; round < 10; ++round) {
      for (const double factor : {0x1p-20, 0x1p30}) {
        Random same_a(campaign_seed(1000u + static_cast<unsigned>(round))), same_b = same_a;
        const Shape3 a = random_shape(same_a, ka), b = random_shape(same_a, kb);
        const Shape3 large_a = random_shape(same_b, ka, factor), large_b = random_shape(same_b, kb, factor);
        const Quatd turn = random_rotation(random);
        const Vec3d t = random_point<3>(random, 1.5);
        const DistanceAnswer3 x = primitive_distance3(a, b, make_placement(Pose3d{t, turn}));
        const DistanceAnswer3 y = primitive_distance3(large_a, large_b, make_placement(Pose3d{t * factor, turn}));
        EXPECT_EQ(y.separation, x.separation * factor) << to_string(ka) << ' ' << to_string(kb);
        EXPECT_EQ(y.normal, x.normal);
        EXPECT_EQ(y.point_a, x.point_a * factor);
      }
    }
  });
}

TEST(Primitives3, HalfSpacesAgainstEverythingConvex) {
  Random random(campaign_seed(4));
  for (const K kind : {K::point, K::segment, K::triangle, K::sphere, K::capsule, K::box, K::cylinder, K::cone,
                       K::ellipsoid, K::hull}) {
    for (int round = 0; round < 50; ++round) {
      const Shape3 half = random_shape(random, K::halfspace), b = random_shape(random, kind);
      const Placement3 at = make_placement(Pose3d{random_point<3>(random, 3), random_rotation(random)});
      const DistanceAnswer3 x = primitive_distance3(half, b, at);
      expect_sound(half, b, at, x, 10);
      const auto& plane = half.as<HalfSpaceShape3>();
      EXPECT_LT(length(x.normal - plane.normal), 1e-15);
      // No point of the shape is deeper
      for (int i = 0; i < 100; ++i)
        EXPECT_GE(dot(transform(at, support_point(b, unit_vector<3>(random))), plane.normal) - plane.offset,
                  x.separation - 1e-13);
      // The same from the other side
      const Pose3d pose{random_point<3>(random, 3), random_rotation(random)};
      const DistanceAnswer3 y = primitive_distance3(b, half, make_placement(pose));
      const DistanceAnswer3 z = primitive_distance3(half, b, make_placement(inverse(pose)));
      EXPECT_NEAR(y.separation, z.separation, 1e-13);
      EXPECT_LT(length(y.normal + rotate(pose.rotation, z.normal)), 1e-13);
    }
  }
  const Shape3 up = *make_halfspace3({0, 0, 1}, 0), down = *make_halfspace3({0, 0, -1}, 0);
  EXPECT_EQ(primitive_distance3(up, down, make_placement(Pose3d{{0, 0, 2}, {}})).separation, 2);
  EXPECT_EQ(primitive_distance3(up, down, make_placement(Pose3d{{0, 0, -2}, {}})).separation, -2);
  const DistanceAnswer3 endless = primitive_distance3(up, up, {});
  EXPECT_TRUE(endless.hit);
  EXPECT_EQ(endless.separation, -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(is_finite(endless.point_a) && is_finite(endless.point_b));
}

TEST(Primitives3, TouchingSpheres) {
  const Shape3 one = *make_sphere3(1), two = *make_sphere3(2);
  // Concentric: any unit normal
  const DistanceAnswer3 same = primitive_distance3(two, two, {});
  EXPECT_EQ(same.separation, -4);
  EXPECT_EQ(same.status, QueryStatus::degenerate);
  EXPECT_EQ(length(same.normal), 1);
  const DistanceAnswer3 touch = primitive_distance3(one, one, make_placement(Pose3d{{2, 0, 0}, {}}));
  EXPECT_EQ(touch.separation, 0);
  EXPECT_TRUE(touch.hit);
  EXPECT_EQ(touch.normal, (Vec3d{1, 0, 0}));
  // 3-4-5 exactly, and one rounding to each side
  const Shape3 r2 = *make_sphere3(2), r3 = *make_sphere3(3);
  for (const auto& [x, hit] :
       {std::pair{3.0, true}, {std::nextafter(3.0, 4.0), false}, {std::nextafter(3.0, 2.0), true}}) {
    const DistanceAnswer3 y = primitive_distance3(r2, r3, make_placement(Pose3d{{x, 4, 0}, {}}));
    EXPECT_EQ(y.hit, hit);
    EXPECT_NEAR(y.separation, (x - 3) * 0.6, 1e-20);
    EXPECT_LE(y.lower, (x - 3) * 0.6);
    EXPECT_GE(y.upper, (x - 3) * 0.6);
  }
  // A size ratio of 1e10, far from the origin
  const Shape3 tiny = *make_sphere3(1e-4), huge = *make_sphere3(1e6);
  EXPECT_NEAR(primitive_distance3(tiny, huge, make_placement(Pose3d{{1000000.0001, 0, 0}, {}})).separation,
              -5.345791578772064e-11, 1e-24);
  // Nearly concentric, down to the smallest numbers
  for (const double x : {1e-8, 1e-160, 1e-300, 5e-324}) {
    const DistanceAnswer3 y = primitive_distance3(one, two, make_placement(Pose3d{{0, x, 0}, {}}));
    EXPECT_EQ(y.normal, (Vec3d{0, 1, 0}));
    EXPECT_NEAR(y.separation, x - 3, 1e-15);
  }
}

TEST(Primitives3, SpheresAgainstBoxesFollowTheFaceThroughIt) {
  // The signed distance goes on evenly while the centre passes the top face
  const Shape3 box = *make_box3({0.5, 0.5, 0.25}), ball = *make_sphere3(0.005);
  const Pose3d pose_a{{0, 0, -0.255}, {}};
  for (const double z : {-0.006, -0.005, -0.0049, -1e-6, 1e-3}) {
    const DistanceAnswer3 x = primitive_distance3(box, ball, make_placement(pose_a, Pose3d{{0, 0, z}, {}}));
    EXPECT_NEAR(x.separation, z, 1e-15);
    EXPECT_EQ(x.normal, (Vec3d{0, 0, 1}));
    const DistanceAnswer3 y = primitive_distance3(ball, box, make_placement(Pose3d{{0, 0, z}, {}}, pose_a));
    EXPECT_EQ(y.separation, x.separation);
    EXPECT_EQ(y.normal, (Vec3d{0, 0, -1}));
  }
  const Shape3 beam = *make_box3({0.5, 0.5, 2}), cube = *make_box3({0.5, 0.5, 0.5});
  const DistanceAnswer3 edge = primitive_distance3(beam, *make_sphere3(2.83842712474619),
                                                   make_placement(Pose3d{{1.5, 1.5, 0}, {}}, Pose3d{{4, 4, 0}, {}}));
  EXPECT_NEAR(edge.separation, -0.01, 1e-14);
  EXPECT_LT(length(edge.normal - Vec3d{std::sqrt(0.5), std::sqrt(0.5), 0}), 1e-15);
  const DistanceAnswer3 corner = primitive_distance3(
      cube, *make_sphere3(3.4541016151377546), make_placement(Pose3d{{1.5, 1.5, 1.5}, {}}, Pose3d{{4, 4, 4}, {}}));
  EXPECT_NEAR(corner.separation, 0.01, 1e-14);
  // Exactly touching, though none of the numbers is exact
  const DistanceAnswer3 touch =
      primitive_distance3(*make_sphere3(0.06), *make_box3({0.05, 0.05, 0.05}),
                          make_placement(Pose3d{{1.7855056639081962e-10, 0.039999999999999994, 0.3300000000000001}, {}},
                                         Pose3d{{0.05, 0.15, 0.35}, {}}));
  EXPECT_TRUE(touch.hit);
  EXPECT_EQ(touch.separation, 0);
  // At the centre of a cube, every side is as near
  const DistanceAnswer3 middle = primitive_distance3(cube, *make_sphere3(0.1), {});
  EXPECT_NEAR(middle.separation, -0.6, 1e-15);
  EXPECT_EQ(middle.status, QueryStatus::degenerate);
}

TEST(Primitives3, CrossingAndParallelCapsules) {
  const Shape3 along_x = *make_capsule3({-1, 0, 0}, {1, 0, 0}, 0.25),
               along_y = *make_capsule3({0, -1, 0}, {0, 1, 0}, 0.25);
  const Shape3 along_z = *make_capsule3({0, 0, -1}, {0, 0, 1}, 0.25);
  const DistanceAnswer3 cross = primitive_distance3(along_x, along_y, {});
  EXPECT_NEAR(cross.separation, -0.5, 1e-15);
  EXPECT_NEAR(std::fabs(cross.normal.z), 1, 1e-15);
  const DistanceAnswer3 parallel = primitive_distance3(along_z, along_z, make_placement(Pose3d{{1, 0, 1.5}, {}}));
  EXPECT_NEAR(parallel.separation, 0.5, 1e-15);
  EXPECT_LT(length(parallel.normal - Vec3d{1, 0, 0}), 1e-15);
  // On the same axis, overlapping: out sideways
  const DistanceAnswer3 same = primitive_distance3(along_z, along_z, make_placement(Pose3d{{0, 0, 0.5}, {}}));
  EXPECT_NEAR(same.separation, -0.5, 1e-15);
  EXPECT_NEAR(same.normal.z, 0, 1e-15);
  EXPECT_EQ(same.status, QueryStatus::degenerate);
  // A capsule without length is a sphere
  const DistanceAnswer3 ball =
      primitive_distance3(*make_capsule3({}, {}, 0.5), *make_sphere3(0.5), make_placement(Pose3d{{0.9, 0, 0}, {}}));
  EXPECT_NEAR(ball.separation, -0.1, 1e-15);
  EXPECT_EQ(ball.normal, (Vec3d{1, 0, 0}));
  // The centre of a sphere on the axis
  const DistanceAnswer3 on_axis =
      primitive_distance3(along_z, *make_sphere3(1), make_placement(Pose3d{{0, 0, 0.3}, {}}));
  EXPECT_NEAR(on_axis.separation, -1.25, 1e-15);
  EXPECT_EQ(on_axis.status, QueryStatus::degenerate);
  EXPECT_NEAR(on_axis.normal.z, 0, 1e-15);
}

TEST(Primitives3, HardSegments) {
  const auto gap = [](const Vec3d& p, const Vec3d& q, const Vec3d& r, const Vec3d& s) {
    return primitive_distance3(*make_segment3(p, q), *make_segment3(r, s), {});
  };
  // Nearly parallel: the cross product of the directions rounds to zero
  EXPECT_NEAR(gap({2.2352092822407803, -1.7068004885705972, 0}, {1.4357507764403734, -4.4188128129047435, 0},
                  {1.8515323877379666, -1.5936985848524166, 0}, {1.2171034035398707, -3.745879356682981, 0})
                  .separation,
              0.3999999999999998, 1e-14);
  EXPECT_EQ(gap({0, 0, 0}, {0, 0, 0}, {3, 4, 0}, {3, 4, 0}).separation, 5);
  EXPECT_EQ(gap({0, 0, 0}, {1, 0, 0}, {3, 0, 0}, {5, 0, 0}).separation, 2);
  const DistanceAnswer3 touch = gap({0, 0, 0}, {2, 0, 0}, {1, 0, 0}, {1, 3, 0});
  EXPECT_EQ(touch.separation, 0);
  EXPECT_TRUE(touch.hit);
  EXPECT_NEAR(std::fabs(touch.normal.z), 1, 1e-15);
  const DistanceAnswer3 points = gap({1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(points.separation, 0);
  EXPECT_EQ(length(points.normal), 1);
}

TEST(Primitives3, HardCapsulesAgainstTriangles) {
  const auto check = [](const Vec3d(&v)[3], double half, double radius, double want, double room) {
    const Shape3 triangle = *make_triangle3(v[0], v[1], v[2]);
    const Shape3 capsule = *make_capsule3({0, -half, 0}, {0, half, 0}, radius);
    const DistanceAnswer3 x = primitive_distance3(triangle, capsule, {});
    EXPECT_NEAR(x.separation, want, room);
    EXPECT_NEAR(primitive_distance3(capsule, triangle, {}).separation, want, room);
    return x.normal;
  };
  // The axis almost parallel to the triangle: over an edge, over the face, and apart
  check({{-0.479988575, -1.36185002, 0.26996696},
         {-0.104996204, 0.38815248, 0.269967079},
         {-0.104996204, -1.36185002, 0.26996696}},
        0.5, 0.37, -0.0803340003793, 1e-7);
  const Vec3d n = check({{-0.0904417038, -4.72410202, 0.307858467},
                         {-0.0904417038, 5.27589798, 0.307857513},
                         {9.9095583, 5.27589798, 0.307864189}},
                        0.675, 0.42, -0.112141974307, 1e-7);
  EXPECT_LT(length(n - Vec3d{0, 0, -1}), 1e-4);
  check({{-0.474807739, 17.2921791, 0.212532043},
         {-0.474807739, -2.70782185, 0.212535858},
         {-0.85749054, -2.70782185, -0.711341858}},
        0.649999976, 0.5, 0.0199988604156, 1e-7);
  // Almost square to it, tilted by 1e-6
  check({{9, -0.9, -6}, {9, -0.9, 4}, {-11, -0.899999, 4}}, 0.5, 0.5, -0.10000045, 1e-8);
  // The axis right through the middle: out along the axis by the nearer end, or sideways past the nearest edge
  const Shape3 triangle = *make_triangle3({-3, -3, 0}, {3, -3, 0}, {0, 6, 0});
  const DistanceAnswer3 through = primitive_distance3(triangle, *make_capsule3({0, 0, -0.5}, {0, 0, 4}, 0.25), {});
  EXPECT_NEAR(through.separation, -0.75, 1e-14);
  EXPECT_LT(length(through.normal - Vec3d{0, 0, 1}), 1e-14);
  const DistanceAnswer3 sideways = primitive_distance3(triangle, *make_capsule3({0, -2.5, -9}, {0, -2.5, 9}, 0.25), {});
  EXPECT_NEAR(sideways.separation, -0.75, 1e-14);
  EXPECT_LT(length(sideways.normal - Vec3d{0, -1, 0}), 1e-14);
  // In the plane of the triangle
  const DistanceAnswer3 flat = primitive_distance3(triangle, *make_capsule3({-1, 0, 0}, {1, 0.5, 0}, 0.25), {});
  EXPECT_NEAR(flat.separation, -0.25, 1e-14);
  EXPECT_NEAR(std::fabs(flat.normal.z), 1, 1e-14);
}

// Along a side but for an ulp or a thousandth: the normal is the side's (found by a campaign, as a normal of length zero)
TEST(Primitives3, SegmentsAlongASideOfABox) {
  const Pose3d turned{{}, {0.5, 0.5, 0.5, 0.5}};
  for (const double tilt : {0.0, 1.1102230246251565e-16, -1.1102230246251565e-16, 1e-15, 1e-12, 1e-9}) {
    const Pose3d pose{{}, normalized(Quatd{1, tilt, 0, 0})};
    const DistanceAnswer3 x = primitive_distance3(*make_capsule3({1.25, -2, 0}, {1.25, 0, 0}, 1), *make_box3({1, 1, 1}),
                                                  make_placement<3>(turned, pose));
    EXPECT_NEAR(x.separation, -0.75, 1e-8) << tilt;
    EXPECT_NEAR(length(x.normal), 1, 1e-12) << tilt;
  }
  Random random(campaign_seed(31));
  const Vec3d half{1, 1.75, 0.6869429217471752};
  const Shape3 box = *make_box3(half);
  // The plane across the normal has all of the box behind it and all of the segment before it
  const auto expect_between = [&](const Vec3d& p, const Vec3d& q, const DistanceAnswer3& x) {
    EXPECT_NEAR(std::min(dot(x.normal, p), dot(x.normal, q)) - dot(abs(x.normal), half), x.separation, 1e-7)
        << p.x << ' ' << p.y << ' ' << p.z << ", " << q.x << ' ' << q.y << ' ' << q.z;
  };
  // Rounding puts the nearest point onto a side that it is outside of
  const Vec3d ends[][2] = {
      {{1.2765026466085132, 1.799541374410619, 0.68694292174717519}, {1, 1.7995413744106192, 0.68694292175846228}},
      {{1, 1.8140074432381164, 0.8662683712706517}, {1.0000000000001203, 0.10267727427249873, 0.86626837127065215}},
      {{-1, 1.777468230181561, 0.86697827871722599}, {-1.000000001736753, -1.75, 0.8669782787172261}}};
  for (const auto& [p, q] : ends) expect_between(p, q, primitive_distance3(box, *make_segment3(p, q), {}));
  for (int k = 0; k < 20000; ++k) {
    // Over a side, an edge or a corner, or touching it, and as good as in its direction
    Vec3d p, q;
    for (int i = 0; i < 3; ++i) {
      const auto place = [&] {
        const double side = random.coin() ? half[i] : -half[i];
        return random.below(3) == 0 ? side : side * random.uniform(-1.5, 1.5);
      };
      p[i] = place();
      q[i] = random.below(3) != 0 ? p[i] + std::pow(10.0, random.uniform(-17, -1)) * random.uniform(-1, 1) : place();
    }
    const auto segment = make_segment3(p, q);
    if (!segment) continue;
    const DistanceAnswer3 x = primitive_distance3(box, *segment, {});
    ASSERT_NEAR(length(x.normal), 1, 1e-12) << k << ": " << p.x << " " << p.y << " " << p.z;
    if (x.separation > 1e-9) expect_between(p, q, x);
  }
}

TEST(Primitives3, ALongCapsuleThroughABox) {
  // A rotation matrix of the case as it was reported, to seven digits
  const double m[3][3] = {{0.516170502, 0.81501025, -0.263298869},
                          {-0.803887904, 0.354940295, -0.477264702},
                          {-0.295520246, 0.4580127, 0.838386655}};
  Placement3 at;
  at.turned = true;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) at.turn[j][i] = m[i][j];
  at.translation = Vec3d{-10.2214508, -18.6808319, 40.7468987} - Vec3d{-9.6853857, -18.0328083, 41.321228};
  const DistanceAnswer3 x =
      primitive_distance3(*make_capsule3({0, 0, -75}, {0, 0, 75}, 1.5), *make_box3({1.5, 0.75, 1.25}), at);
  EXPECT_NEAR(x.separation, -1.956257, 1e-4);
  EXPECT_LT(length(x.normal - Vec3d{-0.84147098, -0.54030232, 0}), 1e-4);
}

TEST(Primitives3, SpheresAgainstCylindersAndCones) {
  const Shape3 cylinder = *make_cylinder3(1, 1), cone = *make_cone3(1, 1);
  const auto at = [](double x, double z) { return make_placement(Pose3d{{x, 0, z}, {}}); };
  const DistanceAnswer3 rim = primitive_distance3(cylinder, *make_sphere3(1), at(2, 2));
  EXPECT_NEAR(rim.separation, std::sqrt(2.0) - 1, 1e-15);
  EXPECT_LT(length(rim.normal - Vec3d{std::sqrt(0.5), 0, std::sqrt(0.5)}), 1e-15);
  EXPECT_NEAR(primitive_distance3(cylinder, *make_sphere3(0.5), at(0, 0.25)).separation, -1.25, 1e-15);
  const DistanceAnswer3 axis = primitive_distance3(*make_cylinder3(5, 1), *make_sphere3(0.5), at(0, 0.25));
  EXPECT_NEAR(axis.separation, -1.5, 1e-15);
  EXPECT_EQ(axis.status, QueryStatus::degenerate);
  const DistanceAnswer3 apex = primitive_distance3(cone, *make_sphere3(0.5), at(0, 2));
  EXPECT_EQ(apex.separation, 0.5);
  EXPECT_EQ(apex.normal, (Vec3d{0, 0, 1}));
  EXPECT_EQ(apex.status, QueryStatus::converged);
  const DistanceAnswer3 base = primitive_distance3(cone, *make_sphere3(0.25), at(0, -1.25));
  EXPECT_EQ(base.separation, 0);
  EXPECT_TRUE(base.hit);
  EXPECT_EQ(base.normal, (Vec3d{0, 0, -1}));
  const DistanceAnswer3 slant =
      primitive_distance3(cone, *make_sphere3(0.5), at(1.8416407864998738, 0.6708203932499369));
  EXPECT_NEAR(slant.separation, 1, 1e-14);
  EXPECT_LT(length(slant.normal - Vec3d{0.8944271909999159, 0, 0.4472135954999579}), 1e-14);
  const DistanceAnswer3 tip = primitive_distance3(cone, *make_point3({0, 0, 1}), {});
  EXPECT_EQ(tip.separation, 0);
  EXPECT_NEAR(length(tip.normal), 1, 1e-15);
}

TEST(Primitives3, FlatEllipsoids) {
  Random random(campaign_seed(6));
  // A point at a known distance: from a point of the surface along its normal, outside, and inside as long as no other
  // point is nearer (less than the smallest radius of curvature)
  for (const Vec3d& radii : {Vec3d{1, 1, 1}, Vec3d{1, 2, 5}, Vec3d{1, 1, 1e-6}, Vec3d{1, 1e-6, 1e-6},
                             Vec3d{1e-6, 1, 1e-3}, Vec3d{3, 3, 2}, Vec3d{1e6, 1, 1}}) {
    const Shape3 body = *make_ellipsoid3(radii);
    const double size = max_abs(radii), small = std::min({radii.x, radii.y, radii.z});
    for (int round = 0; round < 400; ++round) {
      Vec3d u = unit_vector<3>(random);
      // Also on the planes of symmetry and on the axes
      if (round % 4 > 0) u[round % 3] = 0;
      if (round % 4 > 1) u[(round + 1) % 3] = 0;
      u = normalized(u);
      if (u == Vec3d{}) continue;
      const Vec3d x = mul(u, radii);
      const Vec3d n = normalized(Vec3d{u.x / radii.x, u.y / radii.y, u.z / radii.z});
      const double curvature = small * small / size;
      for (const double d : {0.0, 0.3, 5.0, 1e-9 * size, -0.9 * curvature}) {
        const Vec3d p = x + n * d;
        const DistanceAnswer3 y = primitive_distance3(body, *make_point3(p), {});
        EXPECT_EQ(y.status == QueryStatus::max_iterations, false);
        EXPECT_NEAR(y.separation, d, 1e-12 * (size + 5)) << radii.x << ' ' << radii.y << ' ' << radii.z << ' ' << round;
        EXPECT_LT(y.iterations, 30);
      }
    }
  }
  // Inside, by hand: the centre, and points of the long axis whose nearest points are above and below
  const Shape3 lens = *make_ellipsoid3({2, 2, 1});
  const DistanceAnswer3 middle = primitive_distance3(lens, *make_sphere3(0.5), {});
  EXPECT_NEAR(middle.separation, -1.5, 1e-15);
  EXPECT_EQ(middle.status, QueryStatus::degenerate);
  EXPECT_NEAR(std::fabs(middle.normal.z), 1, 1e-15);
  // x² / 4 + z² = 1 from (1, 0): the nearest is at x = 4 / 3, z = √5 / 3, √(1/9 + 5/9) away
  const DistanceAnswer3 off = primitive_distance3(lens, *make_point3({1, 0, 0}), {});
  EXPECT_NEAR(off.separation, -std::sqrt(6.0) / 3, 1e-15);
  EXPECT_NEAR(off.point_a.x, 4.0 / 3, 1e-15);
  for (const double z : {1e-300, 1e-20, 1e-12, 1e-7}) {
    const DistanceAnswer3 near = primitive_distance3(lens, *make_point3({1, 0, z}), {});
    EXPECT_NEAR(near.separation, -std::sqrt(6.0) / 3, 2 * z + 1e-15);
    EXPECT_GT(near.normal.z, 0);
    EXPECT_EQ(near.status, QueryStatus::converged);
  }
}

TEST(Primitives3, UnsupportedPairsSaySo) {
  const Shape3 cone = *make_cone3(1, 1), box = *make_box3({1, 1, 1});
  EXPECT_FALSE(has_closed_form(K::cone, K::box));
  EXPECT_EQ(primitive_distance3(cone, box, {}).status, QueryStatus::unsupported);
  EXPECT_TRUE(has_closed_form(K::halfspace, K::hull) && has_closed_form(K::ellipsoid, K::point));
  EXPECT_FALSE(has_closed_form(K::capsule, K::cylinder) || has_closed_form(K::halfspace, K::mesh));
}
