// Every pair of convex bodies at random and at aimed places: touching, in line, with shared features, thin, far apart in size,
// far from the origin, and the ladder of small steps around each. What fails is shrunk and written as a case. Oracle: the
// promises themselves (pair_promise.hpp, docs/guarantees.md); SUDAR_SOAK and SUDAR_SEED make it longer and other.
#include "tests/narrowphase/pair_campaign.hpp"

#include "tests/support/aimed.hpp"
#include "tests/support/pair_case.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/narrowphase/collide3.hpp>

#include <gtest/gtest.h>

namespace {

using namespace sudar;
using sudar_test::BodyCase;
using sudar_test::PairCase;
using sudar_test::some_coordinate;
using sudar_test::some_offset;
using sudar_test::some_ratio;
using sudar_test::some_rotation;
using sudar_test::some_size;
using CaseKind = ShapeKind3;

constexpr CaseKind kCampaignKinds[] = {CaseKind::point,     CaseKind::segment, CaseKind::triangle, CaseKind::sphere,
                                       CaseKind::capsule,   CaseKind::box,     CaseKind::cylinder, CaseKind::cone,
                                       CaseKind::ellipsoid, CaseKind::hull,    CaseKind::hull,     CaseKind::halfspace};

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

PairCase random_case(Random& random) {
  const double ratio = some_ratio(random);
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
      const double far = some_offset(random);
      pair.a.position[i] += far;
      pair.b.position[i] += far;
    }
  return pair;
}
TEST(PairCampaign, EveryPairKeepsEveryPromise) {
  Random random(sudar_test::campaign_seed(71));
  sudar_test::run_pair_campaign<3>(random, sudar_test::soak(4000), random_case);
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
