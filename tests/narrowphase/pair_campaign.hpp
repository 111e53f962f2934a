// What:    A campaign over pairs of convex bodies, in space or in the plane: each as it was made or brought to touch, and at small
//          steps around; what breaks a promise (pair_promise.hpp) is shrunk and written as a case.
#pragma once

#include "tests/support/aimed.hpp"
#include "tests/support/pair_case.hpp"
#include "tests/support/pair_promise.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sudar_test {

template <int D, class Body>
std::string broken_promise(const BodyPair<Body>& pair, bool moving, PromiseTally& tally) {
  return broken_promise<D>(*make_shape(pair.a), pose_of(pair.a), *make_shape(pair.b), pose_of(pair.b), moving, tally);
}

// B brought to touch A along its way from A's place
template <int D, class Body>
void bring_to_touch(BodyPair<Body>& pair) {
  const auto a = make_shape(pair.a), b = make_shape(pair.b);
  const sudar::Vec<D, double> from = pair.a.position, way = (pair.b.position - from) * 8.0;
  double lo = 0, hi = 1;
  for (int i = 0; i < 60; ++i) {
    const double t = 0.5 * (lo + hi);
    const bool hit = intersects(*a, pose_of(pair.a), *b, {from + way * t, pose_of(pair.b).rotation});
    (hit ? lo : hi) = t;
  }
  pair.b.position = from + way * lo;
}

template <class Body>
bool may_slide(const BodyPair<Body>& pair) {
  const auto a = make_shape(pair.a), b = make_shape(pair.b);
  return (a->is_bounded() || b->is_bounded()) && !intersects(*a, pose_of(pair.a), *b, pose_of(pair.b));
}

// make(random) gives pairs; each is asked about at four rungs of the ladder
template <int D, class Make>
void run_pair_campaign(sudar::Random& random, std::size_t count, const Make& make) {
  PromiseTally tally;
  std::size_t pairs = 0, apart = 0, found = 0;
  for (std::size_t k = 0; k < count && found < 5; ++k) {
    auto pair = make(random);
    if (!can_be_made(pair)) continue;
    ++pairs;
    if (random.coin()) bring_to_touch<D>(pair);
    for (int rung = 0; rung < 4 && found < 5; ++rung) {
      const bool moving = rung == 0;
      apart += moving && may_slide(pair);
      if (!broken_promise<D>(pair, moving, tally).empty()) {
        const auto complaint = [moving](const auto& other) {
          PromiseTally ignored;
          return broken_promise<D>(other, moving, ignored);
        };
        ADD_FAILURE() << "case " << k << ": " << shrunk_case(pair, complaint);
        ++found;
      }
      const int axis = static_cast<int>(random.below(D));
      pair.b.position[axis] = nudged(random, pair.b.position[axis], 1);
    }
  }
  // What the makers refuse is little, and every pair is asked every question but those that its kind has no answer to
  EXPECT_GT(pairs, count - count / 5);
  EXPECT_GE(tally.calls + 3 * tally.unsupported, 5 * 4 * pairs);
  // What is apart slides along the other, across it and from corner to corner, until the end and until halfway
  EXPECT_GT(apart, pairs / 4);
  if (found == 0) {
    EXPECT_EQ(tally.slides, 4 * apart);
  }
  EXPECT_LE(tally.thin, tally.calls / 10000);
  EXPECT_LT(tally.unsupported, tally.calls / 100);
  tally.count();
}

}  // namespace sudar_test
