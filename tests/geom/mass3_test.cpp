#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include <sudar/geom/mass3.hpp>
#include <sudar/geom/mesh_makers.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::random_pose;

namespace {

constexpr double kBar = 1e-12;

void expect_same(const MassProperties3& got, const MassProperties3& expected, const std::string& what) {
  EXPECT_NEAR(got.mass, expected.mass, kBar * expected.mass) << what;
  const double inertia = max_abs(Vec3d{expected.inertia.x.x, expected.inertia.y.y, expected.inertia.z.z});
  const double size = std::sqrt(inertia / expected.mass);
  EXPECT_NEAR(distance(got.center, expected.center), 0, kBar * (size + length(expected.center))) << what;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      EXPECT_NEAR(got.inertia[i][j], expected.inertia[i][j], kBar * inertia) << what << " " << i << " " << j;
}

MassProperties3 box_mass(const Vec3d& h) {
  const double m = 8 * h.x * h.y * h.z;
  return {m,
          {0, 0, 0},
          Mat3d::diagonal(Vec3d{h.y * h.y + h.z * h.z, h.z * h.z + h.x * h.x, h.x * h.x + h.y * h.y} * (m / 3))};
}

}  // namespace

// Oracle: closed form
TEST(Mass3, BoxesAndTetrahedra) {
  for (const Vec3d& h : {Vec3d{1, 1, 1}, Vec3d{1, 2, 3}, Vec3d{0.1, 20, 3}})
    expect_same(*mass_properties(*box_mesh(h)), box_mass(h), "box");
  // Corner of the cube [0, a]³: ∫x² = a⁵/60, ∫xy = a⁵/120 about the corner
  const double a = 3, v = a * a * a / 6, xx = a * a * a * a * a / 60, xy = xx / 2, c = a / 4;
  MassProperties3 expected{v, {c, c, c}, {}};
  const double diagonal = 2 * (xx - v * c * c), off = -(xy - v * c * c);
  expected.inertia = {{diagonal, off, off}, {off, diagonal, off}, {off, off, diagonal}};
  expect_same(*mass_properties(*tetrahedron_mesh({0, 0, 0}, {a, 0, 0}, {0, a, 0}, {0, 0, a})), expected, "corner");
}

// Oracle: closed form of the octahedron, ∫x² = V r²/10
TEST(Mass3, Octahedron) {
  const double r = 2, v = 4.0 / 3 * r * r * r, i = 2 * v * r * r / 10;
  expect_same(*mass_properties(*octahedron_mesh(r)), {v, {}, Mat3d::diagonal({i, i, i})}, "octahedron");
}

// Oracle: closed form, moved and rotated
TEST(Mass3, FarFromTheOrigin) {
  Random random(campaign_seed(1));
  for (int i = 0; i < 200; ++i) {
    const Vec3d h{random.uniform(0.5, 2), random.uniform(0.5, 2), random.uniform(0.5, 2)};
    const Pose3d pose = random_pose(random, 1e3);
    expect_same(*mass_properties(*transformed(*box_mesh(h), pose)), transformed(box_mass(h), pose), "box far away");
  }
  // Exact in double however far: all coordinates are integers
  const Mesh far = *transformed(*box_mesh({1, 2, 3}), {{1e12, -1e12, 1e12}, {}});
  const MassProperties3 body = *mass_properties(far);
  EXPECT_EQ(body.mass, 48);
  EXPECT_EQ(body.center, (Vec3d{1e12, -1e12, 1e12}));
  EXPECT_NEAR(body.inertia.x.x, 16 * 13, 1e-10);
  // The plain version has lost everything there
  const Result<MassProperties3> plain = mass_properties_plain(far);
  EXPECT_TRUE(!plain || std::fabs(plain->mass - 48) > 1);
}

TEST(Mass3, NeedlesAndPlates) {
  Random random(campaign_seed(2));
  for (const Vec3d& h : {Vec3d{1e3, 1, 1}, Vec3d{1, 1e3, 1e3}, Vec3d{1e3, 1, 1e-3}}) {
    // Thin in a rotated frame: the corners themselves are rounded, which the bar must leave room for
    for (int i = 0; i < 20; ++i) {
      const Pose3d pose = random_pose(random, 1);
      const MassProperties3 body = *mass_properties(*transformed(*box_mesh(h), pose));
      const double thin = std::fmin(h.x, std::fmin(h.y, h.z)), rounding = 4e-13 / thin;
      EXPECT_NEAR(body.mass / box_mass(h).mass, 1, rounding);
      EXPECT_NEAR(body.inertia.x.x / transformed(box_mass(h), pose).inertia.x.x, 1, 2 * rounding);
    }
  }
}

TEST(Mass3, AgreesWithThePlainVersion) {
  for (const Mesh& mesh :
       {*box_mesh({1, 2, 3}), *icosphere_mesh(2, 3), *torus_mesh(2, 0.7, 40, 30), *cone_mesh(1, 2, 9)})
    expect_same(*mass_properties(mesh, 3), *mass_properties_plain(mesh, 3), "plain");
}

// Oracle: the prism over a regular n-gon and the pyramid over it, in closed form
TEST(Mass3, PrismsAndPyramids) {
  for (std::uint32_t n : {3u, 5u, 64u}) {
    const double r = 1.5, h = 2, turn = 2 * kPi / n;
    const SinCos sc = sin_cos(turn);
    const double area = n * r * r * sc.sin / 2;
    // Polar second moment of the n-gon about its center: A r² (2 + cos turn) / 6
    const double polar = area * r * r * (2 + sc.cos) / 6;
    const double m = area * 2 * h, side = polar / 2 * 2 * h + m * h * h / 3;
    expect_same(*mass_properties(*cylinder_mesh(r, h, n)), {m, {}, Mat3d::diagonal({side, side, polar * 2 * h})},
                "prism");
    // Sections shrink with s = 1 at the base to 0: ∫s² = 2h/3, ∫s⁴ = 2h/5; center a quarter of the way up
    const double mc = area * 2 * h / 3, axial = polar * 2 * h / 5;
    const double along = mc * (2 * h) * (2 * h) * 3 / 80;
    expect_same(*mass_properties(*cone_mesh(r, h, n)),
                {mc, {0, 0, -h / 2}, Mat3d::diagonal({axial / 2 + along, axial / 2 + along, axial})}, "pyramid");
  }
}

// Oracle: closed form of the sphere and the torus; the error falls with the square of the edge length
TEST(Mass3, ConvergesWithOrderTwoOnCurvedBodies) {
  const double R = 2, r = 0.7;
  const double ball = 4 * kPi / 3, ball_inertia = ball * 2 / 5;
  const double ring = 2 * kPi * kPi * R * r * r, ring_axial = ring * (R * R + 0.75 * r * r);
  const double ring_side = ring * (R * R / 2 + 0.625 * r * r);
  struct Case {
    const char* name;
    std::function<MassProperties3(std::uint32_t)> of_level;
    double mass, axial, side;
  };
  const Case cases[] = {
      {"uv sphere", [](std::uint32_t l) { return *mass_properties(*uv_sphere_mesh(1, 8u << l, 4u << l)); }, ball,
       ball_inertia, ball_inertia},
      {"icosphere", [](std::uint32_t l) { return *mass_properties(*icosphere_mesh(1, l)); }, ball, ball_inertia,
       ball_inertia},
      {"torus", [&](std::uint32_t l) { return *mass_properties(*torus_mesh(R, r, 16u << l, 8u << l)); }, ring,
       ring_axial, ring_side},
  };
  for (const Case& c : cases) {
    Vec3d before{};
    for (std::uint32_t level = 1; level <= 5; ++level) {
      const MassProperties3 body = c.of_level(level);
      const Vec3d error{1 - body.mass / c.mass, 1 - body.inertia.z.z / c.axial, 1 - body.inertia.x.x / c.side};
      for (int i = 0; i < 3 && level >= 3; ++i) EXPECT_NEAR(std::log2(before[i] / error[i]), 2, 0.1) << c.name << level;
      EXPECT_LT(length(body.center), 1e-14) << c.name;
      before = error;
    }
  }
}

TEST(Mass3, ParallelAxesRotationAndSums) {
  const MassProperties3 box = box_mass({1, 2, 3});
  const Mat3d about = inertia_about(box, {0, 0, 10});
  EXPECT_DOUBLE_EQ(about.x.x, box.inertia.x.x + box.mass * 100);
  EXPECT_DOUBLE_EQ(about.z.z, box.inertia.z.z);
  // Two halves of a box
  const Mesh half = *box_mesh({0.5, 2, 3});
  const MassProperties3 left = *mass_properties(*transformed(half, {{-0.5, 0, 0}, {}}));
  const MassProperties3 right = *mass_properties(*transformed(half, {{0.5, 0, 0}, {}}));
  expect_same(combined(left, right), box, "halves");
  expect_same(combined(box, scaled(right, -1)), left, "the whole less a half");
  expect_same(scaled(box, 7), *mass_properties(*box_mesh({1, 2, 3}), 7), "density");
  EXPECT_EQ(combined(box, scaled(box, -1)).mass, 0);
}

// A cavity is an inner surface that faces inward, in the same mesh
TEST(Mass3, Cavities) {
  const Mesh hollow = *joined(*box_mesh({2, 2, 2}), *flipped(*transformed(*box_mesh({1, 1, 1}), {{0.5, 0, 0}, {}})));
  const MassProperties3 expected =
      combined(box_mass({2, 2, 2}), scaled(transformed(box_mass({1, 1, 1}), {{0.5, 0, 0}, {}}), -1));
  expect_same(*mass_properties(hollow), expected, "hollow");
}

TEST(Mass3, ExtremeSizes) {
  for (double size : {1e-60, 1e60}) {
    const MassProperties3 body = *mass_properties(*box_mesh(Vec3d{1, 2, 3} * size));
    EXPECT_NEAR(body.mass / size / size / size, 48, 1e-12);
    EXPECT_NEAR(body.inertia.z.z / size / size / size / size / size, 80, 1e-12);
  }
  EXPECT_EQ(mass_properties(*box_mesh(Vec3d{1, 1, 1} * 1e300)).error().code, ErrorCode::too_large);
  EXPECT_EQ(mass_properties(*box_mesh(Vec3d{1, 1, 1} * 1e-300)).error().code, ErrorCode::degenerate);
  // As flat as a double can tell is still a body
  EXPECT_NEAR(mass_properties(*box_mesh({1, 1, 1e-20}))->mass * 1e20, 8, 1e-13);
}

TEST(Mass3, RefusesBadInput) {
  Mesh box = *box_mesh({1, 1, 1});
  EXPECT_EQ(mass_properties(Mesh{}).error().code, ErrorCode::empty_input);
  EXPECT_EQ(mass_properties(*flipped(box)).error().code, ErrorCode::not_oriented);
  Mesh open = box;
  open.triangles.erase(open.triangles.begin() + 5);
  EXPECT_EQ(mass_properties(open).error().code, ErrorCode::not_closed);
  EXPECT_LT(mass_properties(open).error().element, open.triangles.size());
  Mesh turned = box;
  std::swap(turned.triangles[7][0], turned.triangles[7][1]);
  EXPECT_EQ(mass_properties(turned).error().code, ErrorCode::not_oriented);
  Mesh bad = box;
  bad.vertices[3].z = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(mass_properties(bad).error(), (Error{ErrorCode::non_finite, 3}));
  for (double density :
       {0.0, -2.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(mass_properties(box, density).error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(mass_properties_plain(box, density).error().code, ErrorCode::invalid_argument);
  }
  // Closed and oriented, but flat: a triangle and its back; also in a plane that no double hits exactly
  const Mesh flat{{{0.1, 0.2, 0.3}, {1.7, 0.3, 0.9}, {0.3, 1.9, 0.4}}, {{0, 1, 2}, {0, 2, 1}}};
  EXPECT_EQ(mass_properties(flat).error().code, ErrorCode::degenerate);
  Mesh point = box;
  for (Vec3d& v : point.vertices) v = {5, 5, 5};
  EXPECT_EQ(mass_properties(point).error().code, ErrorCode::degenerate);
  for (Vec3d& v : point.vertices) v = {0, 0, 0};
  EXPECT_EQ(mass_properties(point).error().code, ErrorCode::degenerate);
}
