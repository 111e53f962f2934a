// Polytopes in space: yes or no and the bounds of distances against exact integers, at places that are aimed at (aimed_pairs.hpp).
// What fails is shrunk and written as a case. Oracle: tests/support/nearest_oracle.hpp, which proves every answer.
#include "tests/narrowphase/exact_campaign.hpp"

#include "tests/narrowphase/aimed_pairs.hpp"
#include <sudar/narrowphase/box_box3.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/exact_gjk3.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace sudar;
using sudar_test::BodyCase;
using sudar_test::corners_of;
using sudar_test::count_cases;
using sudar_test::deepest;
using sudar_test::depth_complaint;
using sudar_test::distance_complaint;
using sudar_test::exact_points;
using sudar_test::ExactPoints;
using sudar_test::Int128;
using sudar_test::nearest;
using sudar_test::Nearest;
using sudar_test::PairCase;
using sudar_test::Rational;
using sudar_test::run_exact_campaign;
using sudar_test::soak;
using sudar_test::Whole;
using PolytopeKind = ShapeKind3;

constexpr PolytopeKind kPolytopes[] = {PolytopeKind::point, PolytopeKind::segment, PolytopeKind::triangle,
                                       PolytopeKind::box,   PolytopeKind::hull,    PolytopeKind::hull,
                                       PolytopeKind::hull};
constexpr PolytopeKind kBoxes[] = {PolytopeKind::box};

double largest_of(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b, const Placement3& at) {
  double out = max_abs(at.translation);
  for (const Vec3d& p : a) out = std::max(out, max_abs(p));
  for (const Vec3d& p : b) out = std::max(out, max_abs(transform(at, p)));
  return out;
}
double exact_gap(const Vec3d& point, const std::vector<Vec3d>& corners, const Placement3& at) {
  const ExactPoints points = exact_points(std::vector<Vec3d>{point}, corners, at);
  return sudar_test::root_of(points.square(nearest(points.a, points.b)));
}

// Every way to decide
std::string decision_complaint(const Shape3& a, const Shape3& b, const Placement3& at, bool truth) {
  if (intersects(a, b, at) != truth) return "the door decides wrongly";
  const ConvexView3 view_a = make_view(a), view_b = make_view(b);
  if (convex_intersects3(view_a, view_b, at) != truth) return "GJK decides wrongly";
  if (exact_gjk3(Difference3(view_a, view_b, at), {}, false).hit != truth) return "exact GJK decides wrongly";
  if (a.kind() == PolytopeKind::box && b.kind() == PolytopeKind::box) {
    const Vec3d half_a = a.as<BoxShape3>().half, half_b = b.as<BoxShape3>().half;
    if (box_box_intersects3(half_a, half_b, at) != truth) return "boxes are decided wrongly";
    if (box_box_intersects3_plain(half_a, half_b, at) != truth) return "boxes are decided wrongly by fifteen signs";
  }
  return "";
}

std::string polytope_complaint(const PairCase& pair, bool& hit) {
  const Shape3 a = *make_shape(pair.a), b = *make_shape(pair.b);
  const Placement3 at = make_placement(pose_of(pair.a), pose_of(pair.b));
  const std::vector<Vec3d> corners_a = corners_of(pair.a), corners_b = corners_of(pair.b);
  const ExactPoints points = exact_points(corners_a, corners_b, at);
  const Nearest<Whole> truth = nearest(points.a, points.b);
  hit = truth.hit();
  if (const std::string wrong = decision_complaint(a, b, at, hit); !wrong.empty()) return wrong;
  const DistanceAnswer3 x = distance(a, b, at);
  const double scale = largest_of(corners_a, corners_b, at);
  if (const std::string wrong = distance_complaint(x, hit, points.square(truth), scale); !wrong.empty()) return wrong;
  if (hit)
    if (const std::string wrong = depth_complaint(x, points, deepest(points.a, points.b), scale); !wrong.empty())
      return wrong;
  if (exact_gap(x.point_a, corners_a, {}) > sudar_test::kWitnessRounding * scale) return "A's witness is not on A";
  if (exact_gap(x.point_b, corners_b, at) > sudar_test::kWitnessRounding * scale) return "B's witness is not on B";
  return "";
}

TEST(ExactCampaign, PolytopesAreDecidedAndMeasuredAsIntegersDo) {
  const auto make = [](Random& random) { return sudar_test::aimed_pair(random, kPolytopes, kPolytopes); };
  sudar_test::count_measured(run_exact_campaign(301, soak(20000), make, polytope_complaint));
}

TEST(ExactCampaign, BoxesAreDecidedAndMeasuredAsIntegersDo) {
  const auto make = [](Random& random) { return sudar_test::aimed_pair(random, kBoxes, kBoxes); };
  sudar_test::count_measured(run_exact_campaign(302, soak(20000), make, polytope_complaint));
}

// What these campaigns found, shrunk: bounds that stayed open between sizes far apart, witness points 1e-5 away from where they
// should be beside flat bodies, a bound above a gap that is smaller than any double
TEST(ExactCampaign, WhatWasFoundStaysMended) {
  const PairCase found[] = {
      {{PolytopeKind::hull,
        {0, -0.5, 0.75, -1, -0.75, 0.875, -0.75, 0.125, 0.25, 1, -0.25, 0.5, -0.5, 0.375, 1, 0, 0.5, 0.125, -0.875},
        {2803204, 6925224, 5591736},
        {}},
       {PolytopeKind::box, {12582912, 29360128, 8388608}, {15386116.125, -22434937.304432, 13980345}, {}}},
      {{PolytopeKind::segment, {-0.875, 0.75, -0.5, -0.75, -0.75, 1}, {}, {}},
       {PolytopeKind::box,
        {5.4569682106375694e-12, 1, 1},
        {0.41951963600379516, 0.3599664910008942, -0.3437606772577481},
        {-0.6607217537439802, 0.28703805727878007, -0.5378730913227837, 0.4378909172773231}}},
      {{PolytopeKind::segment, {0.25, 0.5, -0.625, -0.375, 0.625, -0.25}, {}, {}},
       {PolytopeKind::segment,
        {5.820766091346741e-11, 1.6653345369377348e-16, 2.3283064365386963e-10, 0, 0, -2.0372681319713593e-10},
        {-0.06250000002910383, 0.5625, -0.4375000000143191},
        {}}},
      {{PolytopeKind::hull,
        {0, 1, -2.086162567138672e-07, 0.25, 1, 0, 0.625, 0.375, -8.940696716308594e-08, 0.25, 0.875,
         -2.9802322387695312e-08, -0.75, -0.5, 0, -0.875},
        {},
        {}},
       {PolytopeKind::hull,
        {0, 1, -2.086162567138672e-07, 0.25, 1, 0, 0.625, 0.375, -8.940696716308594e-08, 0.25, 0.875,
         -2.9802322387695312e-08, -0.75, -0.5, 0, -0.875},
        {1.5, 5e-324, 1.5},
        {}}},
  };
  // Closed forms within kCoreTouch, measured along another normal: `upper` was below the distance
  const PairCase touching[] = {
      {{PolytopeKind::triangle, {0, 0, 0, 0.875, 0.5, 1, -0.5, -0.375, 0.75}, {}, {}},
       {PolytopeKind::segment, {0, -0.375, 0.125, 0.125, 0.875, 0}, {-0.6249999999999, -1.25, 0.75}, {}}},
      {{PolytopeKind::triangle,
        {0.75, -0.9143467134114125, -0.18474046853791615, 0, -0.875, -0.5, 0, -0.8719199299812317, -0.25},
        {},
        {}},
       {PolytopeKind::point,
        {-2.795452888268435e-12, -1.1740958427708392e-07, -3.1348574793810258e-06},
        {0.7500000000023925, -0.9143465960018274, -0.18473733368042644},
        {}}},
  };
  for (const PairCase& pair : touching) {
    bool hit = true;
    EXPECT_EQ(polytope_complaint(pair, hit), "") << case_line(pair);
    EXPECT_FALSE(hit);
  }
  for (const PairCase& pair : found) {
    bool hit = true;
    EXPECT_EQ(polytope_complaint(pair, hit), "") << case_line(pair);
    EXPECT_FALSE(hit);
  }
}

// Depths: plates thinner than the tolerance of the closed form on the sides of boxes, whose witness points lay beside the boxes;
// needles and slivers, whose points were 1e-9 beside both; a segment across one that is 1e8 times longer, with a normal off by a
// rounding of the sum of both; a small triangle on the wide face of a large one
TEST(ExactCampaign, DepthsThatWereFoundStayMended) {
  const PairCase found[] = {
      {{PolytopeKind::box, {1, 1, 0.25}, {}, {}}, {PolytopeKind::box, {1, 4.547473508864641e-13, 1}, {0, 1, 1}, {}}},
      {{PolytopeKind::box, {1, 1, 1}, {}, {}}, {PolytopeKind::box, {9.094947017729282e-13, 1, 1}, {1, 0, -1.25}, {}}},
      {{PolytopeKind::box, {1, 1.52587890625e-05, 0.5}, {}, {}},
       {PolytopeKind::box, {1, 9.094947017729282e-13, 1}, {0, 0, 1}, {}}},
      {{PolytopeKind::box, {1, 1.1368683772161603e-12, 1}, {}, {}},
       {PolytopeKind::box, {1, 1.1368683772161603e-12, 1}, {0, -2.2737367544323206e-12, -2}, {}}},
      {{PolytopeKind::box, {1, 0.125, 1}, {}, {}},
       {PolytopeKind::box, {7.105427357601002e-15, 1, 1}, {1, 1, 0}, {0.7071067798694586, 0.7071067825036366, 0, 0}}},
      {{PolytopeKind::box, {1.75, 1.5, 0.25}, {-3659021, -12500000, 4924327.25}, {}},
       {PolytopeKind::box,
        {1, 9.094947017729282e-13, 1},
        {-3659018.875, -12499997.875, 4924327},
        {0.5, 0.5, 0.5, 0.5}}},
      {{PolytopeKind::segment, {-0.0, -0.25, -1, 0, 0.75, -0.25}, {}, {}},
       {PolytopeKind::hull,
        {0, 0, 0, -0.0, -1.862645149230957e-09, 9.313225746154785e-10, 0},
        {0, 0.2500000025611371, -0.6249999995343387},
        {0.5, 0.5, 0.5, 0.5}}},
      {{PolytopeKind::hull,
        {0, 0.5, -1.75, -1.75, 0, 0, 0, 0.8865919291129103, 0, -2},
        {-2103812.5296563725, -15000000, 5627325.336000299},
        {}},
       {PolytopeKind::hull,
        {0, 0, 0, 0, 0, 1, 0, 3.4633558243513107e-09, -9.313225746154785e-10, -1.7462298274040222e-10},
        {-2103811.6430644454, -15000000, 5627323.336000296},
        {-0.03169071466844742, 0.8538648818614404, -0.25408417667604394, 0.45315747074323776}}},
      {{PolytopeKind::segment, {0.5, -0.375, -0.75, 0.375, 0.25, -0.25}, {}, {0.5, 0.5, 0.5, 0.5}},
       {PolytopeKind::segment,
        {-201326592, 33554432, -100663296, 33554432, 134217728, 268435456},
        {83886079.5, -83886079.5625, -83886080.0625},
        {}}},
      {{PolytopeKind::hull, {0, 0, -1, 1, -1, 0, 1, 0, 0, 0}, {}, {0.7071067811865475, 0.7071067811865475, 0, 0}},
       {PolytopeKind::triangle,
        {755680725, 1249032093, 4675308366.125, 0, 0, 0, -7791028571, 0, 0},
        {-755680725, -1249032093, -4675308365},
        {}}},
      {{PolytopeKind::hull, {0, 0, 1, -1, -0.75, 0.375, -0.75, -0.375, -0.25, -0.875, 0, 0, 0}, {}, {}},
       {PolytopeKind::segment,
        {-2.3283064365386963e-10, 8.731149137020111e-11, 1.1641532182693481e-10, 0, -2.9103830456733704e-11,
         -8.731149137020111e-11},
        {-0.7499999998981366, 0.37499999997089617, -0.7499999999272404},
        {}}},
      {{PolytopeKind::box, {0.25, 3.0517578125e-05, 1}, {}, {}},
       {PolytopeKind::box,
        {1, 3.0517578125e-05, 0.25},
        {-5.820766091346741e-11, -0.0, 0},
        {0.7071067811865475, 1.0289757937229987e-11, 0.7071067811865475, 0}}},
      {{PolytopeKind::box,
        {0.75, 0.625, 3.814697265625e-06},
        {-4847459, 12500000, 20000000},
        {0.4999999850988386, 0.5000000447034816, 0.4999999850988386, 0.4999999850988386}},
       {PolytopeKind::box, {0.375, 0.375, 1}, {-4847459.375, 12499999.62500004, 19999999}, {}}},
      {{PolytopeKind::box, {0.625, 1, 0.0009765625}, {}, {}},
       {PolytopeKind::box,
        {0.125, 0.75, 1},
        {0.75, 0, -0.7509765627328306},
        {0.7071067811042295, 0.7071067812688656, 0, 0}}},
  };
  for (const PairCase& pair : found) {
    bool hit = false;
    EXPECT_EQ(polytope_complaint(pair, hit), "") << case_line(pair);
    EXPECT_TRUE(hit);
  }
}

// Small whole numbers: most pairs touch, lie in one plane or share something, and 128 bits are enough for the oracle
TEST(ExactCampaign, HullsOnALatticeAreDecidedAsIntegersDo) {
  Random random(sudar_test::campaign_seed(303));
  constexpr double kScales[] = {1, 0x1p-20, 0x1p40, 0x1p-500};
  const std::size_t count = soak(40000);
  std::size_t hits = 0, asked = 0;
  while (asked < count) {
    const std::uint64_t reach = 1 + random.below(6);
    const double scale = kScales[random.below(4)];
    const auto one = [&](std::uint64_t r) {
      return static_cast<std::int64_t>(random.below(2 * r + 1)) - static_cast<std::int64_t>(r);
    };
    PairCase pair{{PolytopeKind::hull, {0}, {}, {}}, {PolytopeKind::hull, {0}, {}, {}}};
    sudar_test::Points<Int128> points[2];
    std::int64_t move[3];
    for (int i = 0; i < 3; ++i) {
      move[i] = one(reach);
      pair.b.position[i] = scale * static_cast<double>(move[i]);
    }
    BodyCase* const bodies[2] = {&pair.a, &pair.b};
    for (int side = 0; side < 2; ++side) {
      const std::uint64_t corners = 1 + random.below(8);
      for (std::uint64_t n = 0; n < corners; ++n) {
        sudar_test::Point<Int128> p{};
        for (std::size_t i = 0; i < 3; ++i) {
          const std::int64_t x = one(reach);
          bodies[side]->numbers.push_back(scale * static_cast<double>(x));
          p[i] = side == 0 ? x : x + move[i];
        }
        points[side].push_back(p);
      }
    }
    const bool truth = nearest(points[0], points[1]).hit();
    const Result<Shape3> a = make_shape(pair.a), b = make_shape(pair.b);
    ASSERT_TRUE(a.ok() && b.ok());
    const Placement3 at = make_placement(pose_of(pair.a), pose_of(pair.b));
    if (!decision_complaint(*a, *b, at, truth).empty()) {
      const auto again = [](const PairCase& other) {
        bool ignored = false;
        return polytope_complaint(other, ignored);
      };
      FAIL() << "case " << asked << ": " << shrunk_case(pair, again);
    }
    hits += truth, ++asked;
  }
  EXPECT_GT(8 * hits, count);
  EXPECT_GT(8 * (count - hits), count);
  count_cases("exact_yes_no", asked);
}

}  // namespace
