// The twin of pair_campaign_test.cpp in the plane: every pair of convex shapes at random and at aimed places, with the ladder of
// small steps around each. What fails is shrunk and written as a case. Oracle: the promises themselves (pair_promise.hpp).
#include "tests/narrowphase/pair_campaign.hpp"
#include "tests/support/aimed.hpp"
#include "tests/support/pair_case.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"

#include <gtest/gtest.h>

namespace {

using namespace sudar;
using sudar_test::PlaneBodyCase;
using sudar_test::PlanePairCase;
using PlaneKind = ShapeKind2;

constexpr PlaneKind kPlaneKinds[] = {PlaneKind::point, PlaneKind::segment, PlaneKind::circle,  PlaneKind::capsule,
                                     PlaneKind::box,   PlaneKind::polygon, PlaneKind::polygon, PlaneKind::halfplane};

PlaneBodyCase random_plane_body(Random& random, double scale) {
  PlaneBodyCase body{kPlaneKinds[random.below(std::size(kPlaneKinds))], {}, {}, 0};
  const auto sizes = [&](int n) {
    for (int i = 0; i < n; ++i) body.numbers.push_back(scale * sudar_test::some_size(random));
  };
  const auto places = [&](std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) body.numbers.push_back(scale * sudar_test::some_coordinate(random));
  };
  switch (body.kind) {
    case PlaneKind::point:
      places(2);
      break;
    case PlaneKind::segment:
      places(4);
      break;
    case PlaneKind::circle:
      sizes(1);
      break;
    case PlaneKind::capsule:
      sizes(1);
      places(4);
      break;
    case PlaneKind::box:
      sizes(2);
      break;
    case PlaneKind::halfplane:
      places(3);
      break;
    default:
      body.numbers.push_back(random.below(4) == 0 ? scale * sudar_test::some_size(random) : 0);
      places(2 * (3 + random.below(12)));
  }
  // Thin along one number
  if (random.below(8) == 0)
    body.numbers[random.below(body.numbers.size())] *= std::ldexp(1.0, -static_cast<int>(random.below(34)));
  return body;
}

PlanePairCase random_plane_case(Random& random) {
  const double ratio = sudar_test::some_ratio(random);
  PlanePairCase pair{random_plane_body(random, 1), random_plane_body(random, ratio)};
  if (random.below(10) == 0) pair.b = pair.a;
  pair.a.rotation = sudar_test::some_angle(random);
  pair.b.rotation = random.below(3) == 0 ? pair.a.rotation : sudar_test::some_angle(random);
  const double reach = std::max(1.0, ratio);
  for (int i = 0; i < 2; ++i) pair.b.position[i] = reach * sudar_test::some_coordinate(random);
  // In line with an axis, or in one place
  if (random.below(4) == 0) pair.b.position.x = 0;
  if (random.below(12) == 0) pair.b.position = {};
  if (random.below(8) == 0)
    for (int i = 0; i < 2; ++i) {
      const double far = sudar_test::some_offset(random);
      pair.a.position[i] += far;
      pair.b.position[i] += far;
    }
  return pair;
}

TEST(PairCampaign2, EveryPairKeepsEveryPromise) {
  Random random(sudar_test::campaign_seed(72));
  sudar_test::run_pair_campaign<2>(random, sudar_test::soak(4000), random_plane_case);
}

}  // namespace
