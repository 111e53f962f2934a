// Every pair of convex bodies at random and at aimed places: touching, in line, with shared features, thin, far apart in size,
// far from the origin, and the ladder of small steps around each. What must hold of every answer: it is finite, within its
// bounds, of one mind with yes and no and with the other order, and no search ends at its limit. What fails is shrunk and
// written as a case. Oracle: the promises themselves (docs/guarantees.md); SUDAR_SOAK and SUDAR_SEED make it longer and other.
#include "tests/support/pair_case.hpp"
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include "tests/support/thin_pair.hpp"
#include <sudar/narrowphase/collide3.hpp>

#include <gtest/gtest.h>

#include <cstdio>

namespace {

using namespace sudar;
using sudar_test::BodyCase;
using sudar_test::PairCase;
using CaseKind = ShapeKind3;

constexpr CaseKind kCampaignKinds[] = {CaseKind::point,     CaseKind::segment, CaseKind::triangle, CaseKind::sphere,
                                       CaseKind::capsule,   CaseKind::box,     CaseKind::cylinder, CaseKind::cone,
                                       CaseKind::ellipsoid, CaseKind::hull,    CaseKind::hull,     CaseKind::halfspace};

// Sizes that are round now and then, so that features coincide
double some_size(Random& random) {
  return random.below(3) == 0 ? 0.25 * static_cast<double>(1 + random.below(8)) : random.uniform(0.1, 1);
}
double some_coordinate(Random& random) {
  return random.below(3) == 0 ? 0.25 * (static_cast<double>(random.below(17)) - 8) : random.uniform(-1, 1);
}

BodyCase random_body(Random& random, double scale) {
  BodyCase body{kCampaignKinds[random.below(std::size(kCampaignKinds))], {}, {}, {}};
  const auto sizes = [&](int n) {
    for (int i = 0; i < n; ++i) body.numbers.push_back(scale * some_size(random));
  };
  const auto places = [&](std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) body.numbers.push_back(scale * some_coordinate(random));
  };
  switch (body.kind) {
    case CaseKind::point:
      places(3);
      break;
    case CaseKind::segment:
      places(6);
      break;
    case CaseKind::triangle:
      places(9);
      break;
    case CaseKind::sphere:
      sizes(1);
      break;
    case CaseKind::capsule:
      sizes(1);
      places(6);
      break;
    case CaseKind::box:
    case CaseKind::ellipsoid:
      sizes(3);
      break;
    case CaseKind::cylinder:
    case CaseKind::cone:
      sizes(2);
      break;
    case CaseKind::halfspace:
      places(4);
      break;
    default:
      body.numbers.push_back(random.below(4) == 0 ? scale * some_size(random) : 0);
      places(3 * (4 + random.below(12)));
  }
  // Thin along one number
  if (random.below(8) == 0)
    body.numbers[random.below(body.numbers.size())] *= std::ldexp(1.0, -static_cast<int>(random.below(34)));
  return body;
}

Quatd some_rotation(Random& random) {
  constexpr Quatd kQuarters[] = {{1, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {1, 1, 0, 0}, {1, 0, 1, 0}, {1, 1, 1, 1}};
  if (random.coin()) return sudar_test::random_rotation(random);
  Quatd q = kQuarters[random.below(std::size(kQuarters))];
  // Nearly in line
  if (random.below(4) == 0) q.x += std::ldexp(1.0, -static_cast<int>(1 + random.below(60)));
  return normalized(q);
}

// A step of the ladder: 0, one unit in the last place, 1e-15 … 1e-3
double nudged(Random& random, double x, double scale) {
  const std::uint64_t rung = random.below(16);
  if (rung == 0) return x;
  if (rung < 3) return std::nextafter(x, rung == 1 ? -1e300 : 1e300);
  return x + (random.coin() ? scale : -scale) * std::pow(10.0, -static_cast<double>(rung));
}

PairCase random_case(Random& random) {
  const double ratio = random.below(6) == 0 ? std::pow(10.0, random.uniform(-10, 10)) : 1;
  PairCase pair{random_body(random, 1), random_body(random, ratio)};
  if (random.below(10) == 0) pair.b = pair.a;
  pair.a.rotation = some_rotation(random);
  pair.b.rotation = random.below(3) == 0 ? pair.a.rotation : some_rotation(random);
  const double reach = std::max(1.0, ratio);
  for (int i = 0; i < 3; ++i) pair.b.position[i] = reach * some_coordinate(random);
  // In line with an axis, or in one place
  if (random.below(4) == 0) pair.b.position.x = pair.b.position.y = 0;
  if (random.below(12) == 0) pair.b.position = {};
  if (random.below(8) == 0)
    for (int i = 0; i < 3; ++i) {
      const double far = 1e7 * some_coordinate(random);
      pair.a.position[i] += far;
      pair.b.position[i] += far;
    }
  return pair;
}
// B brought to touch A along its way from A's place
void bring_to_touch(PairCase& pair) {
  const auto a = make_shape(pair.a), b = make_shape(pair.b);
  const Vec3d from = pair.a.position, way = (pair.b.position - from) * 8.0;
  double lo = 0, hi = 1;
  for (int i = 0; i < 60; ++i) {
    const double t = 0.5 * (lo + hi);
    const bool hit = intersects(*a, {pair.a.position, pair.a.rotation}, *b, {from + way * t, pair.b.rotation});
    (hit ? lo : hi) = t;
  }
  pair.b.position = from + way * lo;
}

// Empty when all promises hold
std::string broken_promise(const PairCase& pair) {
  const auto a = make_shape(pair.a), b = make_shape(pair.b);
  const Pose3d at_a{pair.a.position, pair.a.rotation}, at_b{pair.b.position, pair.b.rotation};
  const bool hit = intersects(*a, at_a, *b, at_b);
  if (hit != intersects(*b, at_b, *a, at_a)) return "the other order is another answer";
  const DistanceAnswer3 x = distance(*a, at_a, *b, at_b);
  if (x.status == QueryStatus::unsupported) return "";
  if (!std::isfinite(x.separation) || !is_finite(x.normal) || !is_finite(x.point_a) || !is_finite(x.point_b))
    return "the answer is not finite";
  if (!(x.lower <= x.separation && x.separation <= x.upper)) return "the answer is not within its bounds";
  if (x.hit != hit || (hit ? x.separation > 0 : x.separation < 0))
    return "yes and no and the distance are not of one mind";
  if (std::fabs(length(x.normal) - 1) > 1e-9) return "the normal is not of unit length";
  if (x.status == QueryStatus::max_iterations && !sudar_test::is_thin_pair(*a, *b))
    return "the search ended at its limit";
  for (const auto& point : contacts(*a, at_a, *b, at_b, 0.125).points)
    if (!is_finite(point.position) || !std::isfinite(point.separation)) return "a contact is not finite";
  return "";
}

TEST(PairCampaign, EveryPairKeepsEveryPromise) {
  constexpr std::size_t kCalls = 4;
  Random random(sudar_test::campaign_seed(71));
  const std::size_t count = sudar_test::soak(4000);
  std::size_t asked = 0, found = 0;
  for (std::size_t k = 0; k < count && found < 5; ++k) {
    PairCase pair = random_case(random);
    if (!can_be_made(pair)) continue;
    if (random.coin()) bring_to_touch(pair);
    for (int rung = 0; rung < 4 && found < 5; ++rung) {
      const std::string wrong = broken_promise(pair);
      asked += kCalls;
      if (!wrong.empty()) {
        const PairCase small = shrink(pair, [&](const PairCase& other) { return broken_promise(other) == wrong; });
        ADD_FAILURE() << wrong << ", case " << k << ": " << sudar_test::write_case("pair_" + std::to_string(k), small);
        ++found;
      }
      const int axis = static_cast<int>(random.below(3));
      pair.b.position[axis] = nudged(random, pair.b.position[axis], 1);
    }
  }
  if (count > 4000) std::printf("%zu calls\n", asked);
  EXPECT_GT(asked, 8 * count);
}

// What is written can be shrunk to what matters
TEST(PairCampaign, FailuresAreShrunkAndWritten) {
  Random random(3);
  PairCase pair{{CaseKind::hull, {0}, {0.1, 0.2, 0.3}, sudar_test::random_rotation(random)},
                {CaseKind::sphere, {0.7}, {0.4, 0.1, 0.2}, {}}};
  for (int i = 0; i < 60; ++i) pair.a.numbers.push_back(random.uniform(-1, 1));
  // "Fails" where they meet and the ball is larger than a quarter
  const auto fails = [](const PairCase& p) {
    return p.b.numbers[0] > 0.25 &&
           intersects(*make_shape(p.a), {p.a.position, p.a.rotation}, *make_shape(p.b), {p.b.position, p.b.rotation});
  };
  ASSERT_TRUE(fails(pair));
  const PairCase small = shrink(pair, fails);
  EXPECT_TRUE(fails(small));
  EXPECT_EQ(small.a.numbers, (std::vector<double>{0, 0, 0, 0}));
  EXPECT_EQ(small.b.numbers, (std::vector<double>{1}));
  EXPECT_EQ(small.a.position, Vec3d{});
  EXPECT_EQ(small.b.position, Vec3d{});
  EXPECT_EQ(sudar_test::case_line(small),
            R"({"op":"distance","dim":3,"a":{"shape":{"type":"hull","points":[[0,0,0]]},)"
            R"("pose":{"position":[0,0,0],"rotation":[1,0,0,0]}},)"
            R"("b":{"shape":{"type":"sphere","radius":1},"pose":{"position":[0,0,0],"rotation":[1,0,0,0]}}})");
}

}  // namespace
