// Polytopes that move and do not turn, aimed at contacts: through a touch of corners, edges and faces, along it, up to it, a step of
// the ladder beside it; of all sizes, speeds and places. Nothing is missed or late, and what is said to touch does so within the
// tolerance, which is no coarser than it must be, against exact integers (exact_motion.hpp). What fails is shrunk and written as a case.
#include "tests/continuous/exact_motion.hpp"

#include "tests/support/counts.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <iterator>

namespace {

using namespace sudar;
using sudar_test::broken_exactly;
using sudar_test::MotionCase;
using PolytopeKind = ShapeKind3;

constexpr PolytopeKind kPolytopes[] = {PolytopeKind::point, PolytopeKind::segment, PolytopeKind::triangle,
                                       PolytopeKind::box,   PolytopeKind::hull,    PolytopeKind::hull};

template <int D>
auto aimed_at_touch(Random& random) {
  if constexpr (D == 2)
    return sudar_test::aimed_plane_pair(random);
  else
    return sudar_test::aimed_pair(random, kPolytopes, kPolytopes);
}

// Through the place of an aimed pair at some time: along a direction of the lattice, so that what touches often slides or meets
// flat, or along any
template <int D>
MotionCase<D> aimed_motion(Random& random) {
  const auto pair = aimed_at_touch<D>(random);
  const bool lattice = random.below(3) != 0, as_a_sees = random.coin();
  Vec<D, double> way{};
  while (way == Vec<D, double>{})
    for (int i = 0; i < D; ++i) way[i] = lattice ? static_cast<double>(random.below(5)) - 2 : random.uniform(-2, 2);
  const double speed = random.below(4) == 0 ? std::exp2(std::round(random.uniform(-30, 30))) : 1;
  constexpr double kTimes[] = {0, 0.25, 0.5, 0.5, 0.75, 1, 1.0000000000000002, 2};
  const double when = random.below(4) == 0 ? random.uniform(0, 1) : kTimes[random.below(std::size(kTimes))];
  MotionCase<D> c{{*make_shape(pair.a), sudar_test::place_of(pose_of(pair.a)), {}},
                  {*make_shape(pair.b), sudar_test::place_of(pose_of(pair.b)), {}}};
  if constexpr (D == 2) c.a.at = sudar_test::place_of(pair.a), c.b.at = sudar_test::place_of(pair.b);
  // Along the faces of what is turned, too
  if (as_a_sees) way = rotate(c.a.pose().rotation, way);
  c.motion_b.linear = way * speed;
  c.b.at.position -= c.motion_b.linear * when;
  // Both move; the way is what one sees of the other
  if (random.below(4) == 0) {
    for (int i = 0; i < D; ++i) c.motion_a.linear[i] = speed * sudar_test::lattice_coordinate(random);
    c.motion_b.linear += c.motion_a.linear;
    c.a.at.position -= c.motion_a.linear * when;
    c.b.at.position -= c.motion_a.linear * when;
  }
  // Most of the time after it
  if (random.below(8) == 0) c.t_max = std::exp2(random.uniform(0, 30));
  const int axis = static_cast<int>(random.below(D));
  if (random.coin())
    c.b.at.position[axis] = sudar_test::nudged(random, c.b.at.position[axis], random.coin() ? 1 : speed);
  return c;
}

template <int D>
void exact_impacts(std::uint64_t seed, std::size_t count) {
  constexpr int kMostWritten = 5;
  Random random(sudar_test::campaign_seed(seed));
  std::size_t asked = 0, hits = 0, misses = 0, turned = 0, parts = 0, late_on_the_way = 0, slides = 0;
  int wrong = 0;
  while (asked < count && wrong < kMostWritten) {
    const MotionCase<D> c = aimed_motion<D>(random);
    if (!sudar_test::ExactMotion<D>::knows(c)) continue;
    const auto x = sudar_test::impact_time(c.body_a(), c.body_b(), c.t_max);
    ASSERT_TRUE(x.ok());
    ++asked;
    ++(x->hit ? hits : misses);
    turned += !(c.a.pose().rotation == Rot<D, double>{});
    const std::string complaint = broken_exactly(c, *x);
    if (complaint.empty()) {
      if (!x->hit || *x->t_last == c.t_max) continue;
      const sudar_test::Afterwards then = afterwards(c, *x);
      ++parts;
      late_on_the_way += then == sudar_test::Afterwards::late_on_the_way;
      slides += then == sudar_test::Afterwards::slide;
      continue;
    }
    ++wrong;
    ADD_FAILURE() << "case " << asked << ": "
                  << shrunk_case(c, complaint, [](const MotionCase<D>& other) { return broken_exactly(other); });
  }
  EXPECT_EQ(asked, count);
  EXPECT_GT(8 * hits, count);
  EXPECT_GT(8 * misses, count);
  EXPECT_GT(8 * turned, count);
  // A quarter part before the end at least, some of these with a last time that rounding tells early; few slide along each other
  EXPECT_GT(4 * parts, count);
  EXPECT_GT(50 * late_on_the_way, parts);
  EXPECT_LE(slides, 5 + count / 2000);
  sudar_test::count_cases("exact_impacts", asked);
}

// The turn of a placement, which the integers take as it stands, beside the quaternions that the poses have, of any length: up to
// what bringing both to unit length (4 roundings of an entry each), their product (8) and its matrix (6) round. So with the
// rotations as they are given the bodies lie within 22 roundings of their sizes, a hundredth of the least tolerance, of where
// the campaigns have them. Oracle: rational numbers
TEST(ExactMotion, PlacementsTurnAsTheQuaternionsSay) {
  constexpr double kTurnError = 22 * 0x1p-53;
  Random random(sudar_test::campaign_seed(323));
  const auto any = [&] {
    const bool whole = random.coin();
    const double size = std::exp2(random.uniform(-30, 30));
    for (;;) {
      const auto part = [&] {
        return whole ? static_cast<double>(random.below(15)) - 7 : size * random.uniform(-1, 1);
      };
      const Quatd q{part(), part(), part(), part()};
      if (!is_zero(q)) return q;
    }
  };
  double worst = 0;
  for (std::size_t n = 0; n < sudar_test::soak(2000); ++n) {
    const Quatd a = any(), b = any();
    const Placement3 place = make_placement<3>({{}, normalized(a)}, {{}, normalized(b)});
    const sudar_test::ExactTurn into_a = sudar_test::into_frame(a), out_of_b = sudar_test::into_frame(conjugate(b));
    const sudar_test::Rational over(boost::multiprecision::mpz_int(sudar_test::Whole(into_a.over * out_of_b.over)));
    for (int j = 0; j < 3; ++j) {
      sudar_test::Point<sudar_test::Whole> column;
      for (std::size_t i = 0; i < 3; ++i) column[i] = out_of_b.row[i][static_cast<std::size_t>(j)];
      const auto exact = into_a(column);
      Vec3d unit{};
      unit[j] = 1;
      const Vec3d turned = place.turned ? place.turn * unit : unit;
      for (std::size_t i = 0; i < 3; ++i) {
        const sudar_test::Rational off = sudar_test::Rational(boost::multiprecision::mpz_int(exact[i])) / over -
                                         sudar_test::Rational(turned[static_cast<int>(i)]);
        worst = std::max(worst, std::fabs(static_cast<double>(off)));
      }
    }
  }
  EXPECT_LE(worst, kTurnError);
}

TEST(ExactMotion, PolytopesMeetWhenTheIntegersSay) { exact_impacts<3>(321, sudar_test::soak(30000)); }
TEST(ExactMotion, PolygonsMeetWhenTheIntegersSay) { exact_impacts<2>(322, sudar_test::soak(30000)); }

}  // namespace
