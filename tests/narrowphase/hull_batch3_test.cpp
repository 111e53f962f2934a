// Many pairs of hulls at once: answers, what lanes prove by themselves, and the door. Oracles: the single query, pair by pair;
// integers (exact_gjk3, which a linear program in rational numbers checks).
#include "tests/support/instruction_sets.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/math/sampling.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/exact_gjk3.hpp>
#include <sudar/narrowphase/hull_batch3.hpp>
#include <sudar/narrowphase/hull_lanes3.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::random_point;
using sudar_test::random_rotation;
using sudar_test::soak;

namespace {

// Pairs of hulls as lanes get them, and the truth about each
struct LanePairs {
  std::vector<Shape3> hulls;  // two a pair
  std::vector<Placement3> at;
  std::vector<bool> truth;

  std::size_t size() const { return at.size(); }
  const ConvexBody3& body(std::size_t i) const { return *hulls[i].as<HullShape3>().body; }
  void add(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b, const Placement3& placed) {
    hulls.push_back(*make_hull_shape3(a));
    hulls.push_back(*make_hull_shape3(b));
    at.push_back(placed);
    const ConvexView3 view_a = make_view(hulls[hulls.size() - 2]), view_b = make_view(hulls.back());
    truth.push_back(exact_gjk3(Difference3(view_a, view_b, placed), {}, false).hit);
  }
};
struct LaneProofs {
  std::size_t hits = 0, gaps = 0, wrong = 0;
};
// `scale`: every length times that power of two, which changes no truth
LaneProofs prove(const LanePairs& pairs, bool in_float, int scale = 0) {
  const double unit = std::ldexp(1.0, scale);
  std::vector<Shape3> scaled;
  std::vector<Placement3> at = pairs.at;
  for (Placement3& p : at) p.translation *= unit, p.rest *= unit;
  if (scale != 0)
    for (std::size_t i = 0; i < 2 * pairs.size(); ++i) {
      std::vector<Vec3d> points;
      for (const Vec3d& p : pairs.body(i).vertices()) points.push_back(p * unit);
      scaled.push_back(*make_hull_shape3(points));
    }
  const std::vector<Shape3>& hulls = scale == 0 ? pairs.hulls : scaled;
  const auto body = [&](std::size_t i) { return hulls[i].as<HullShape3>().body.get(); };
  LaneProofs proofs;
  std::vector<HullLane> lanes(kHullBlock);
  std::vector<HullFound> found(kHullBlock);
  for (std::size_t from = 0; from < pairs.size(); from += kHullBlock) {
    const std::size_t here = std::min(kHullBlock, pairs.size() - from);
    for (std::size_t k = 0; k < here; ++k) lanes[k] = {body(2 * (from + k)), body(2 * (from + k) + 1), &at[from + k]};
    search_lanes(in_float, lanes.data(), here, true, found.data());
    for (std::size_t k = 0; k < here; ++k) {
      if (!found[k].proven) continue;
      const bool hit = found[k].outcome == GjkOutcome::hit;
      ++(hit ? proofs.hits : proofs.gaps);
      proofs.wrong += hit != pairs.truth[from + k];
    }
  }
  return proofs;
}

// Points on both sides of `middle`, two of them `far` along `way`, the others nearer
std::vector<Vec3d> around(Random& random, const Vec3d& middle, const Vec3d& way, double far, std::size_t count) {
  std::vector<Vec3d> points = {middle + way * far, middle - way * far};
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3d p = unit_vector<3>(random) * (far * random.uniform(0.5, 0.8));
    points.insert(points.end(), {middle + p, middle - p});
  }
  return points;
}
// The same with two faces across `way`
std::vector<Vec3d> prism(Random& random, const Vec3d& middle, const Vec3d& way, double far, int count) {
  Vec3d u, v;
  make_frame(way, u, v);
  std::vector<Vec3d> points;
  const double start = random.uniform(0, 1);
  for (int i = 0; i < count; ++i) {
    const double angle = start + 2 * 3.14159265358979323846 * i / count;
    const Vec3d p = (u * std::cos(angle) + v * std::sin(angle)) * far;
    points.insert(points.end(), {middle + p + way * far, middle + p - way * far});
  }
  return points;
}
// The turn that takes one direction to another, and some turn about it
Quatd turn_to(Random& random, const Vec3d& from, const Vec3d& to) {
  const Vec3d axis = cross(from, to);
  const Quatd first = normalized(Quatd{1 + dot(from, to), axis.x, axis.y, axis.z});
  return Quatd::from_axis_angle(to, random.uniform(-3, 3)) * first;
}

// Corners, or faces, that meet across the line between the centres, up to `gap` over some power of two: there the first
// directions that are looked along decide. B is smaller or as large, and they lie away from the origins of their frames, so
// that corners round by far more than their own size makes them.
LanePairs near_pairs(std::size_t count, double gap, double off_a, double off_b) {
  Random random(campaign_seed(21));
  LanePairs pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3d n = i % 2 == 0 ? Vec3d{1, 0, 0} : unit_vector<3>(random), m = unit_vector<3>(random);
    const double a = random.uniform(1.0, 1.2), b = a * std::ldexp(1.0, -static_cast<int>(random.below(8)));
    const Vec3d ca = unit_vector<3>(random) * off_a, cb = unit_vector<3>(random) * off_b;
    const double apart = gap * std::ldexp(random.coin() ? 1.0 : -1.0, -static_cast<int>(random.below(16)));
    Placement3 at = make_placement<3>(Pose3d{{}, turn_to(random, m, -n)});
    at.translation = ca + n * (a + b + apart) - at.turn * cb;
    if (i % 4 < 2)
      pairs.add(around(random, ca, n, a, 6), around(random, cb, m, b, 6), at);
    else
      pairs.add(prism(random, ca, n, a, 8), prism(random, cb, m, b, 6), at);
  }
  return pairs;
}

}  // namespace

// Overlapping, apart and touching hulls of several sizes; cubes that share faces leave the lanes nothing to prove
TEST_SIMD(HullBatch3, AnswersAreThoseOfSingleQueries) {
  Random random(campaign_seed(9));
  const auto vec = [&](double reach) {
    const double x = random.uniform(-reach, reach), y = random.uniform(-reach, reach);
    return Vec3d{x, y, random.uniform(-reach, reach)};
  };
  const auto turn = [&] {
    const double w = random.uniform(-1, 1), x = random.uniform(-1, 1), y = random.uniform(-1, 1);
    return normalized(Quatd{w, x, y, random.uniform(-1, 1)});
  };
  std::vector<Vec3d> cube;
  for (int i = 0; i < 8; ++i) cube.push_back({i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0});
  std::vector<Shape3> hulls;
  std::vector<Pose3d> poses;
  for (int i = 0; i < 60; ++i) {
    const std::size_t count = i % 3 == 0 ? 16 : i % 3 == 1 ? 64 : 5 + random.below(200);
    std::vector<Vec3d> points;
    while (points.size() < count) points.push_back(i % 2 == 0 ? normalized(vec(1)) : vec(1));
    hulls.push_back(*make_hull_shape3(i % 5 == 0 ? cube : points));
    poses.push_back({vec(2), turn()});
    // On a grid, not turned: faces, edges and corners meet exactly
    if (i % 5 == 0) poses.back() = {{2.0 * (i % 2), 2.0 * (i % 3) - 2, 1.0 * (i % 4) - 2}, {}};
  }
  HullBatch3 batch;
  ASSERT_TRUE(batch.build(hulls, poses).ok());
  std::vector<HullBatch3::Pair> pairs;
  for (std::uint32_t i = 0; i < 60; ++i)
    for (std::uint32_t j = 0; j < 60; ++j) pairs.push_back({i, j});
  std::vector<std::uint8_t> hits(pairs.size()), doubles(pairs.size()), plain(pairs.size());
  const std::size_t left = batch.intersects(pairs, hits);
  batch.intersects_double(pairs, doubles);
  batch.intersects_scalar(pairs, plain);
  EXPECT_EQ(hits, plain);
  EXPECT_EQ(doubles, plain);
  if (sudar_test::on_vectors()) {
    EXPECT_LT(left, pairs.size() / 5);
  }
  std::vector<DistanceAnswer3> lanes(pairs.size()), wide(pairs.size()), one(pairs.size());
  batch.distances(pairs, lanes);
  batch.distances_double(pairs, wide);
  batch.distances_scalar(pairs, one);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    SCOPED_TRACE(k);
    for (const DistanceAnswer3* x : {&lanes[k], &wide[k]}) {
      EXPECT_EQ(x->hit, plain[k] != 0);
      EXPECT_NEAR(x->separation, one[k].separation, 1e-12);
      EXPECT_LE(x->lower, one[k].upper);
      EXPECT_GE(x->upper, one[k].lower);
      EXPECT_NEAR(length(x->normal), 1, 1e-12);
      EXPECT_EQ(x->status == QueryStatus::max_iterations, one[k].status == QueryStatus::max_iterations);
    }
  }
  // One side alone: the same decision, and the same number on the side that was asked for
  std::vector<DistanceAnswer3> side(pairs.size());
  using Query = void (HullBatch3::*)(std::span<const HullBatch3::Pair>, std::span<DistanceAnswer3>) const noexcept;
  for (const Query query : {&HullBatch3::gaps, &HullBatch3::gaps_double, &HullBatch3::gaps_scalar}) {
    (batch.*query)(pairs, side);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      SCOPED_TRACE(k);
      EXPECT_EQ(side[k].hit, one[k].hit);
      EXPECT_NEAR(std::max(0.0, side[k].separation), std::max(0.0, one[k].separation), 1e-12);
      EXPECT_LE(side[k].lower, one[k].upper);
      EXPECT_GE(side[k].upper, one[k].lower);
    }
  }
  for (const Query query : {&HullBatch3::depths, &HullBatch3::depths_double, &HullBatch3::depths_scalar}) {
    (batch.*query)(pairs, side);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      SCOPED_TRACE(k);
      EXPECT_EQ(side[k].hit, one[k].hit);
      EXPECT_NEAR(std::min(0.0, side[k].separation), std::min(0.0, one[k].separation), 1e-12);
      EXPECT_NEAR(length(side[k].normal), 1, 1e-12);
      EXPECT_LE(side[k].lower, one[k].upper);
      EXPECT_GE(side[k].upper, one[k].lower);
    }
  }
  // Out of the range of float
  for (Pose3d& pose : poses) pose.position = pose.position * 1e30;
  ASSERT_TRUE(batch.build(hulls, poses).ok());
  batch.intersects(pairs, hits);
  batch.intersects_scalar(pairs, plain);
  EXPECT_EQ(hits, plain);

  EXPECT_EQ(batch.build(hulls, {}).error().code, ErrorCode::invalid_argument);
  hulls[3] = *make_sphere3(1);
  EXPECT_EQ(batch.build(hulls, poses).error(), (Error{ErrorCode::invalid_argument, 3, ""}));
}

// Gaps and depths from a thousandth down to below the rounding of float: what lanes prove must hold. Oracle: integers.
TEST_SIMD(HullBatch3, NearlyTouchingIsDecidedAsByIntegers) {
  Random random(campaign_seed(10));
  const auto unit = [&] {
    for (;;) {
      const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
      const Vec3d p{x, y, random.uniform(-1, 1)};
      if (const double l = length(p); l > 0.1 && l < 1) return p / l;
    }
  };
  std::vector<Shape3> hulls;
  std::vector<Pose3d> poses;
  std::vector<HullBatch3::Pair> pairs;
  std::vector<std::uint8_t> truth;
  const std::size_t count = soak(1500);
  for (std::size_t i = 0; i < count; ++i) {
    // Some are flat, some a thousand times smaller than the other
    const double size = i % 4 == 3 ? 1e-3 : 1, height = i % 5 == 4 ? 1e-4 : 1;
    for (const double scale : {1.0, size}) {
      std::vector<Vec3d> points(8 + random.below(16));
      for (Vec3d& p : points) p = mul(unit(), Vec3d{scale, scale, scale * height});
      hulls.push_back(*make_hull_shape3(points));
    }
    Pose3d a{unit() * 3.0, normalized(Quatd{1, unit().x, unit().y, unit().z})};
    Pose3d b{a.position + unit() * 2.0, normalized(Quatd{1, unit().x, unit().y, unit().z})};
    const Shape3 &hull_a = hulls[2 * i], &hull_b = hulls[2 * i + 1];
    const DistanceAnswer3 at = convex_distance3(hull_a, hull_b, make_placement(a, b));
    // From plain to see to less than the rounding of double
    const double gap = std::ldexp(i % 2 == 0 ? 1.0 : -1.0, -10 - static_cast<int>(i / 2 % 48));
    b.position += rotate(a.rotation, at.normal) * (gap - at.separation);
    poses.insert(poses.end(), {a, b});
    pairs.push_back({static_cast<std::uint32_t>(2 * i), static_cast<std::uint32_t>(2 * i + 1)});
    const Placement3 placed = make_placement(a, b);
    const ConvexView3 view_a = make_view(hull_a), view_b = make_view(hull_b);
    truth.push_back(exact_gjk3(Difference3(view_a, view_b, placed), {}, false).hit ? 1 : 0);
  }
  HullBatch3 batch;
  ASSERT_TRUE(batch.build(hulls, poses).ok());
  std::vector<std::uint8_t> hits(count);
  batch.intersects(pairs, hits);
  EXPECT_EQ(hits, truth);
  batch.intersects_double(pairs, hits);
  EXPECT_EQ(hits, truth);
  batch.intersects_scalar(pairs, hits);
  EXPECT_EQ(hits, truth);
}

// The centre of a hull with many vertices is a long sum: all its roundings go the same way here, and it lies as far beside
// the flat hull as another one that is parallel to it
TEST_SIMD(HullBatch3, TheRoundingOfALongSumIsNoProof) {
  constexpr int kVertices = 24576;
  const double pi = 3.14159265358979323846, one = 0x1p35, small = 0x1p-20;
  std::vector<Vec3d> ring;
  for (int i = 0; i < kVertices; ++i) {
    const double angle = 2 * pi * (i + 0.5) / kVertices;
    double x = std::round((0.5 + 0.499 * std::cos(angle)) * one);
    x -= std::fmod(x - 1, 3);
    ring.push_back({x / one, 1 - x / one, std::round(0.499 * std::sin(angle) * one) / one});
  }
  const std::vector<Vec3d> diamond = {{small, -small, 0}, {-small, small, 0}, {0, 0, small}, {0, 0, -small}};
  const std::vector<Shape3> hulls = {*make_hull_shape3(ring), *make_hull_shape3(diamond)};
  const Vec3d center = make_view(hulls[0]).center();
  const double off = center.x + center.y - 1;
  ASSERT_LT(off, -1e-13);
  for (const double share : {0.2, 0.35, 0.5, 0.65, 0.8, 1.0}) {
    const double step = std::round(off * (1 - share) / 2 * 0x1p53) * 0x1p-53;
    const std::vector<Pose3d> poses = {{}, {center - Vec3d{step, step, 0}, {}}};
    HullBatch3 batch;
    ASSERT_TRUE(batch.build(hulls, poses).ok());
    const std::vector<HullBatch3::Pair> pairs = {{0, 1}, {1, 0}};
    std::vector<std::uint8_t> hits(2, 1);
    batch.intersects_double(pairs, hits);
    EXPECT_EQ(hits, std::vector<std::uint8_t>(2, 0)) << share;
    batch.intersects(pairs, hits);
    EXPECT_EQ(hits, std::vector<std::uint8_t>(2, 0)) << share;
  }
}

// Lanes leave little to others: of hulls that plainly meet or are plainly apart they prove most. What they prove is so.
TEST_SIMD(HullBatch3, LanesProveMostOfWhatIsPlain) {
  static const LanePairs pairs = [] {
    Random random(campaign_seed(20));
    LanePairs made;
    const std::size_t count = soak(600);
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<Vec3d> points[2];
      for (auto& p : points)
        for (int k = 0; k < 24; ++k) p.push_back(unit_vector<3>(random));
      const Vec3d way = unit_vector<3>(random) * (i % 2 == 0 ? random.uniform(0.2, 1.4) : random.uniform(2.2, 3));
      made.add(points[0], points[1], make_placement<3>(Pose3d{way, random_rotation(random)}));
    }
    return made;
  }();
  const auto all_hits = static_cast<std::size_t>(std::count(pairs.truth.begin(), pairs.truth.end(), true));
  for (const bool in_float : {true, false}) {
    const LaneProofs proofs = prove(pairs, in_float);
    EXPECT_EQ(proofs.wrong, 0u);
    if (!sudar_test::on_vectors()) continue;
    EXPECT_GT(proofs.gaps, (pairs.size() - all_hits) * 9 / 10) << in_float;
    EXPECT_GT(proofs.hits, all_hits / 2) << in_float;
  }
}

// Gaps and depths from what lanes can just prove to far below of rounding
TEST_SIMD(HullBatch3, ProofsHoldWhereRoundingDecides) {
  const double reach = 4;
  for (const bool in_float : {true, false}) {
    const double unit = in_float ? 0x1p-24 : 0x1p-53;
    for (const double off : {0.0, 512.0}) {
      const LanePairs pairs = near_pairs(soak(600), 4096 * unit * std::max(reach, off), off, off);
      const LaneProofs proofs = prove(pairs, in_float);
      EXPECT_EQ(proofs.wrong, 0u) << in_float << " " << off << " " << proofs.gaps << " " << proofs.hits;
      if (!sudar_test::on_vectors()) continue;
      EXPECT_GT(proofs.gaps, pairs.size() / 20) << in_float << " " << off;
      EXPECT_GT(proofs.hits, pairs.size() / 100) << in_float << " " << off;
      EXPECT_LT(proofs.gaps + proofs.hits, pairs.size() / 2) << in_float << " " << off;
    }
  }
}

// So with the single query, whose bounds have more room
TEST(Gjk3, ProofsHoldWhereRoundingDecides) {
  const double off = 512;
  const LanePairs pairs = near_pairs(soak(4000), 8 * kRoundoff * off, 0, off);
  std::size_t open = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const ConvexView3 a = make_view(pairs.hulls[2 * k]), b = make_view(pairs.hulls[2 * k + 1]);
    const Gjk3 g = gjk3(Difference3(a, b, pairs.at[k]), GjkGoal::decide);
    open += g.outcome == GjkOutcome::unclear;
    if (g.outcome != GjkOutcome::unclear) {
      EXPECT_EQ(g.outcome == GjkOutcome::hit, pairs.truth[k]) << k;
    }
  }
  EXPECT_GT(open, pairs.size() / 10);
}

// Powers of two change no truth: lanes prove the same at every size that they answer for, and nothing beyond
TEST_SIMD(HullBatch3, LanesKnowWhereTheirRangeEnds) {
  static const LanePairs pairs = near_pairs(soak(100), 0.125, 0, 0);
  for (const bool in_float : {true, false}) {
    const LaneProofs here = prove(pairs, in_float);
    EXPECT_EQ(here.wrong, 0u);
    if (sudar_test::on_vectors()) {
      EXPECT_GT(here.gaps, pairs.size() / 5);
    }
    // Reaches are between 1 and 6
    for (const int scale : {-1000, -60, -30, -23, -21, -19, -10, 10, 17, 19, 21, 30, 56}) {
      const LaneProofs there = prove(pairs, in_float, scale);
      EXPECT_EQ(there.wrong, 0u) << scale;
      if (scale > -21 && scale < 18) {
        EXPECT_EQ(there.gaps, here.gaps) << scale;
        EXPECT_EQ(there.hits, here.hits) << scale;
      }
      if (scale < -22 || scale > 20) {
        EXPECT_EQ(there.gaps + there.hits, 0u) << scale;
      }
    }
  }
}

// Both far from the origin of the world, and turned; hulls of any size. Oracle: integers.
TEST_SIMD(HullBatch3, FarPlacesAndAnySize) {
  static const LanePairs pairs = near_pairs(soak(120), 1, 0, 0);
  for (const int scale : {-60, -20, 0, 18, 50})
    for (const double far : {0.0, 1e3, 1e7}) {
      Random random(campaign_seed(22));
      std::vector<Shape3> hulls;
      std::vector<Pose3d> poses;
      std::vector<HullBatch3::Pair> asked;
      std::vector<std::uint8_t> truth;
      const double unit = std::ldexp(1.0, scale);
      for (std::size_t k = 0; k < pairs.size(); ++k) {
        for (const std::size_t i : {2 * k, 2 * k + 1}) {
          std::vector<Vec3d> points;
          for (const Vec3d& p : pairs.body(i).vertices()) points.push_back(p * unit);
          hulls.push_back(*make_hull_shape3(points));
        }
        const Pose3d a{unit_vector<3>(random) * (far * unit), random_rotation(random)};
        const Pose3d b{a.position + rotate(a.rotation, pairs.at[k].translation * unit), random_rotation(random)};
        poses.insert(poses.end(), {a, b});
        asked.push_back({static_cast<std::uint32_t>(2 * k), static_cast<std::uint32_t>(2 * k + 1)});
        const ConvexView3 view_a = make_view(hulls[2 * k]), view_b = make_view(hulls[2 * k + 1]);
        const Placement3 placed = make_placement(a, b);
        truth.push_back(exact_gjk3(Difference3(view_a, view_b, placed), {}, false).hit ? 1 : 0);
      }
      HullBatch3 batch;
      ASSERT_TRUE(batch.build(hulls, poses).ok());
      std::vector<std::uint8_t> hits(asked.size());
      batch.intersects(asked, hits);
      EXPECT_EQ(hits, truth) << scale << " " << far;
      batch.intersects_double(asked, hits);
      EXPECT_EQ(hits, truth) << scale << " " << far;
    }
}

// A turn of any length is that turn; none is refused
TEST(HullBatch3, BringsTurnsToUnitLength) {
  const std::vector<Vec3d> corners = {{0, 0, 0}, {4, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<Shape3> hulls(2, *make_hull_shape3(corners));
  HullBatch3 batch;
  EXPECT_EQ(batch.build(hulls, std::vector<Pose3d>{{}, {{}, Quatd{0, 0, 0, 0}}}).error(),
            (Error{ErrorCode::degenerate, 1, ""}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(batch.build(hulls, std::vector<Pose3d>{{{}, Quatd{1, nan, 0, 0}}, {}}).error(),
            (Error{ErrorCode::non_finite, 0, ""}));
  Random random(campaign_seed(23));
  for (int k = 0; k < 200; ++k) {
    const Quatd p = random_rotation(random), q = random_rotation(random);
    const std::vector<Pose3d> unit = {{{}, p}, {random_point<3>(random, 3), q}};
    ASSERT_TRUE(batch.build(hulls, unit).ok());
    const std::vector<HullBatch3::Pair> pairs = {{0, 1}};
    DistanceAnswer3 want, got;
    batch.distances(pairs, {&want, 1});
    for (const double size : {2.0, 1e-3, 1e-200, 1e200}) {
      std::vector<Pose3d> poses = unit;
      poses[0].rotation = {p.w * size, p.x * size, p.y * size, p.z * size};
      poses[1].rotation = {q.w / size, q.x / size, q.y / size, q.z / size};
      ASSERT_TRUE(batch.build(hulls, poses).ok());
      batch.distances(pairs, {&got, 1});
      EXPECT_NEAR(got.separation, want.separation, 1e-14) << size;
    }
  }
}
