// The guaranteed primitives: known answers, bad input, minimum separation, and the inclusion search as their plain twin.
#include "tests/support/seed.hpp"
#include <sudar/continuous/inclusion_impact.hpp>
#include <sudar/continuous/primitive_impact.hpp>
#include <sudar/core/hash.hpp>
#include <sudar/core/random.hpp>
#include <sudar/geom/closest.hpp>

#include <gtest/gtest.h>
#include <scenes/ccd_queries.hpp>
#include <tests/support/soak.hpp>

#include <bit>
#include <cmath>
#include <limits>

namespace {

using namespace sudar;
using sudar_scenes::CcdKind;
using sudar_scenes::CcdQuery;
using sudar_test::campaign_seed;

using Four = std::array<Vec3d, 4>;

Result<PrimitiveImpact> impact_with(const CcdQuery& q, const ImpactOptions& options) {
  return q.edges ? edge_edge_impact(q.start, q.end, options) : vertex_face_impact(q.start, q.end, options);
}

TEST(PrimitiveImpact, VertexThroughTheMiddleOfAFace) {
  const Four start{{{0.25, 0.25, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  Four end = start;
  end[0].z = -3;
  const auto x = vertex_face_impact(start, end);
  ASSERT_TRUE(x.ok());
  EXPECT_TRUE(x->hit);
  EXPECT_NEAR(x->t, 0.25, 1e-14);
  EXPECT_LE(x->t_lower, 0.25);
  EXPECT_NEAR(x->t_lower, 0.25, 1e-12);
}

TEST(PrimitiveImpact, OneUnitInTheLastPlaceBesideTheBorder) {
  for (const double y : {0.5, std::nextafter(0.5, 1)}) {
    const Four start{{{0.5, y, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}},
        end{{{0.5, y, -1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    const auto x = vertex_face_impact(start, end);
    ASSERT_TRUE(x.ok());
    EXPECT_EQ(x->hit, y == 0.5);
    if (x->hit) {
      EXPECT_EQ(x->t_lower, 0.5);
    }
  }
}

TEST(PrimitiveImpact, EdgesThatMeetTwice) {
  // The determinant has two roots in [0, 1]: methods that count them modulo two see nothing. t = (1 - √0.6) / 2
  const Four start{{{0, 0, 1}, {0, 1, 1}, {0.1, 0.2, 2}, {0.1, 0.2, -1}}};
  const Four end{{{1, 1, 0}, {0, 0, 0}, {0.1, 0.2, 2}, {0.1, 0.2, -1}}};
  const auto x = edge_edge_impact(start, end);
  ASSERT_TRUE(x.ok());
  EXPECT_TRUE(x->hit);
  EXPECT_NEAR(x->t, (1 - std::sqrt(0.6)) / 2, 1e-12);
}

TEST(PrimitiveImpact, ParallelEdgesSweepThroughEachOther) {
  const Four start{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}}, end{{{0, 0, 0}, {1, 0, 0}, {0, -1, 0}, {1, -1, 0}}};
  const auto x = edge_edge_impact(start, end);
  ASSERT_TRUE(x.ok());
  EXPECT_TRUE(x->hit);
  EXPECT_EQ(x->t_lower, 0.5);
}

TEST(PrimitiveImpact, EverythingInOnePointOrAtRest) {
  const Four point{};
  EXPECT_TRUE(vertex_face_impact(point, point)->hit);
  EXPECT_TRUE(edge_edge_impact(point, point)->hit);
  EXPECT_TRUE(point_edge_impact({}, {})->hit);
  const Four apart{{{0, 0, 1}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
  EXPECT_FALSE(vertex_face_impact(apart, apart)->hit);
  EXPECT_TRUE(edge_edge_impact(apart, apart)->hit) << "the edge from (0, 0, 1) to the origin ends in the other edge";
}

TEST(PrimitiveImpact, PointCrossesATurningEdgeTwiceAndTheFirstCounts) {
  const std::array<Vec2d, 3> start{{{0, 0.5}, {-1, 0}, {1, 0}}};
  const std::array<Vec2d, 3> end{
      {{0, -0.5}, {0.6730970740318298, 0.8025388419628143}, {-0.616142749786377, -0.6420311331748962}}};
  const auto x = point_edge_impact(start, end);
  ASSERT_TRUE(x.ok());
  EXPECT_TRUE(x->hit);
  EXPECT_NEAR(x->t, 0.44829009629863537, 1e-9);
}

TEST(PrimitiveImpact, BadInputIsATypedError) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, inf, -inf})
    for (std::size_t i = 0; i < 8; ++i) {
      Four start{}, end{};
      (i < 4 ? start[i] : end[i - 4]).y = bad;
      for (const auto& x : {vertex_face_impact(start, end), edge_edge_impact(start, end)}) {
        ASSERT_FALSE(x.ok());
        EXPECT_EQ(x.error().code, ErrorCode::non_finite);
        EXPECT_EQ(x.error().element, i);
      }
    }
  EXPECT_EQ(point_edge_impact({}, {{{0, 0}, {0, nan}, {0, 0}}}).error().element, 4u);
  EXPECT_EQ(edge_edge_impact({}, {}, {.min_separation = -1}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(edge_edge_impact({}, {}, {.min_separation = nan}).error().code, ErrorCode::non_finite);
  EXPECT_EQ(edge_edge_impact({}, {}, {.min_separation = 1, .tolerance = 0}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(edge_edge_impact({}, {}, {.min_separation = 1, .tolerance = nan}).error().code,
            ErrorCode::invalid_argument);
}

// The distance at one time, in doubles
double distance_at(const CcdQuery& q, double t) {
  Four p;
  for (std::size_t i = 0; i < 4; ++i) p[i] = q.start[i] * (1 - t) + q.end[i] * t;
  if (q.edges)
    return std::sqrt(closest_points(Segment<3, double>{p[0], p[1]}, Segment<3, double>{p[2], p[3]}).distance_squared);
  return std::sqrt(closest_point(Triangle<3, double>{p[1], p[2], p[3]}, p[0]).distance_squared);
}

// Is the distance above `least` from t = begin to end, for certain? No vertex is faster than its way in the whole time, so
// the distance cannot change by more than two ways: an interval whose ends are that far apart is settled, any other is halved.
bool certainly_above(const CcdQuery& q, double begin, double end, double least, double speed, int depth) {
  const double d = distance_at(q, begin), e = distance_at(q, end);
  if (d <= least || e <= least) return false;
  if (d + e - 2 * least > speed * (end - begin)) return true;
  if (depth == 0) return false;
  const double middle = begin + (end - begin) / 2;
  return certainly_above(q, begin, middle, least, speed, depth - 1) &&
         certainly_above(q, middle, end, least, speed, depth - 1);
}

// Nothing nearer than the separation is passed over: proven for the time before the hit, and for all of it after a miss. A hit
// is within the tolerance.
TEST(PrimitiveImpact, SeparationIsCertified) {
  Random random(campaign_seed(15));
  std::size_t hits = 0, misses = 0, all = 0;
  for (const CcdKind kind : sudar_scenes::kAllCcdKinds)
    for (const bool edges : {false, true})
      for (std::size_t i = 0; i < sudar_test::soak(40); ++i) {
        const CcdQuery q = make_ccd_query(kind, edges, random);
        const double d = std::ldexp(1, -static_cast<int>(random.below(10)));
        const auto x = impact_with(q, {.min_separation = d});
        ASSERT_TRUE(x.ok());
        double way = 0;
        for (std::size_t k = 0; k < 4; ++k) way = std::max(way, length(q.end[k] - q.start[k]));
        // What is as near at the start, or for some time at exactly that distance, has nothing to prove
        const double least = d * (1 - 1e-6);
        const double until = x->hit ? x->t_lower : 1;
        if (until > 0) {
          EXPECT_TRUE(certainly_above(q, 0, until, least, 2 * way, 40)) << static_cast<int>(kind) << " " << i;
        }
        if (x->hit) {
          EXPECT_LE(distance_at(q, x->t_lower), d + 10 * 0x1p-20);
        }
        ++(x->hit ? hits : misses);
        ++all;
      }
  EXPECT_GT(hits, all / 10);
  EXPECT_GT(misses, all / 10);
}

TEST(PrimitiveImpact, SeparationAgainstDenseSampling) {
  Random random(campaign_seed(5));
  std::size_t hits = 0, misses = 0;
  const std::size_t queries = 2 * sudar_scenes::kAllCcdKinds.size() * sudar_test::soak(200);
  for (const CcdKind kind : sudar_scenes::kAllCcdKinds)
    for (const bool edges : {false, true})
      for (std::size_t i = 0; i < sudar_test::soak(200); ++i) {
        const CcdQuery q = make_ccd_query(kind, edges, random);
        const double d = std::ldexp(1, -static_cast<int>(random.below(10)));
        const auto x = impact_with(q, {.min_separation = d});
        ASSERT_TRUE(x.ok());
        // Coordinates are at most 10 apart
        constexpr double kTolerance = 10 * 0x1p-20;
        constexpr int kSamples = 128;
        for (int s = 0; s <= kSamples; ++s) {
          const double t = static_cast<double>(s) / kSamples;
          if (distance_at(q, t) > d - 1e-12) continue;
          ASSERT_TRUE(x->hit);
          ASSERT_LE(x->t_lower, t);
          break;
        }
        if (x->hit) {
          ASSERT_LE(distance_at(q, x->t_lower), d + kTolerance);
        }
        ++(x->hit ? hits : misses);
      }
  EXPECT_GT(hits, queries / 10);
  EXPECT_GT(misses, queries / 10);
}

TEST(PrimitiveImpact, SeparationOfPrimitivesThatSlideAlongEachOther) {
  // Crossed edges at distance 1 + 2^-19 that turn against each other all the time
  const double gap = 1 + 0x1p-19;
  const Four start{{{-1, -1, 0}, {1, 1, 0}, {-1, 1, gap}, {1, -1, gap}}};
  const Four end{{{-1, -0.5, 0}, {1, 0.5, 0}, {-1, 0.5, gap}, {1, -0.5, gap}}};
  EXPECT_FALSE(edge_edge_impact(start, end, {.min_separation = 1, .tolerance = 0x1p-22})->hit);
  EXPECT_TRUE(edge_edge_impact(start, end, {.min_separation = 1, .tolerance = 0x1p-15})->hit);
  EXPECT_TRUE(edge_edge_impact(start, end, {.min_separation = gap})->hit);
  // Far from the origin, small and large
  for (const int e : {-300, -20, 20, 300, 1000}) {
    const CcdQuery q = scaled(CcdQuery{true, start, end, false}, e);
    EXPECT_FALSE(impact_with(q, {.min_separation = std::ldexp(1, e), .tolerance = 0x1p-22})->hit) << e;
    EXPECT_TRUE(impact_with(q, {.min_separation = std::ldexp(gap, e), .tolerance = 0x1p-22})->hit) << e;
  }
}

TEST(PrimitiveImpact, PointKeepsItsDistanceFromAnEdgeInThePlane) {
  const std::array<Vec2d, 3> start{{{0, 2}, {-1, 0}, {1, 0}}}, end{{{0, -2}, {-1, 0}, {1, 0}}};
  const auto x = point_edge_impact(start, end, {.min_separation = 1});
  ASSERT_TRUE(x.ok());
  EXPECT_TRUE(x->hit);
  EXPECT_NEAR(x->t_lower, 0.25, 1e-5);
  EXPECT_LE(x->t_lower, 0.25);
}

// A miss of the twin is certain and so is its lower bound; its hits are within its tolerance
TEST(PrimitiveImpact, AgreesWithTheInclusionSearch) {
  Random random(campaign_seed(6));
  std::size_t misses = 0, hits = 0;
  for (const CcdKind kind : {CcdKind::random, CcdKind::close, CcdKind::lattice, CcdKind::translating})
    for (const bool edges : {false, true})
      for (std::size_t i = 0; i < sudar_test::soak(60); ++i) {
        const CcdQuery q = make_ccd_query(kind, edges, random);
        const InclusionOptions options{.tolerance = 0x1p-10, .max_boxes = 20000};
        const InclusionImpact plain =
            edges ? inclusion_edge_edge(q.start, q.end, options) : inclusion_vertex_face(q.start, q.end, options);
        const auto x = impact_with(q, {});
        ASSERT_TRUE(x.ok());
        if (!plain.hit) {
          ++misses;
          ASSERT_FALSE(x->hit);
        }
        if (x->hit) {
          ++hits;
          ASSERT_TRUE(plain.hit);
          ASSERT_LE(plain.t_lower, x->t + 1e-9);
        }
      }
  const std::size_t queries = 8 * sudar_test::soak(60);
  EXPECT_GT(misses, queries / 5);
  EXPECT_GT(hits, queries / 20);
}

// Many boxes are equally early on a lattice. Oracle: what both GNU's and LLVM's standard library gave, whose queues give equal
// elements in orders of their own.
TEST(PrimitiveImpact, TheInclusionSearchGoesOneWayWithEveryStandardLibrary) {
  Random random(6);
  Hash64 hash;
  for (int i = 0; i < 150; ++i) {
    Four start, end;
    for (Four* four : {&start, &end})
      for (Vec3d& p : *four)
        for (int k = 0; k < 3; ++k) p[k] = static_cast<double>(random.below(4));
    InclusionOptions options;
    options.max_boxes = 1000;
    for (const auto& x : {inclusion_vertex_face(start, end, options), inclusion_edge_edge(start, end, options)}) {
      hash.add(std::bit_cast<std::uint64_t>(x.t_lower));
      hash.add(static_cast<std::uint64_t>(x.boxes));
      hash.add_byte(static_cast<std::uint8_t>((x.hit ? 1 : 0) + (x.settled ? 2 : 0)));
    }
  }
  EXPECT_EQ(hash.value(), 0xcb436d3e8fb440b4u);
}

}  // namespace
