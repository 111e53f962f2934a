#include "tests/broadphase/box_sets.hpp"
#include "tests/broadphase/found_pairs.hpp"
#include "tests/support/seed.hpp"
#include <sudar/broadphase/adaptive.hpp>
#include <sudar/broadphase/brute_force.hpp>
#include <sudar/broadphase/registry.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::to_vector;

namespace {

// Clocks that lie: the choices become senseless, the pairs and events must not
double stopped_clock() { return 0; }
double mad_clock() {
  static Random random(99);
  static double now = 0;
  return now += random.uniform() * random.uniform() * random.uniform();
}

// Boxes that drift, leap, come and go; crowds form and dissolve
template <int D>
void change(BoxStore<D>& store, Random& random, int step) {
  const double world = step % 40 < 20 ? 10 : 2;
  const std::size_t moves = step % 7 == 0 ? 0 : step % 3 == 0 ? store.size() : 10;
  for (std::size_t i = 0; i < moves; ++i) {
    const auto id = store.ids()[random.below(store.size())];
    Aabb<D, float> box = store.box(store.row_of(id));
    for (int k = 0; k < D; ++k) {
      const auto by = static_cast<float>(random.uniform(-0.1, 0.1));
      box.lo[k] += by;
      box.hi[k] += by;
    }
    ASSERT_TRUE(store.move(id, box).ok());
  }
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(store.remove(store.ids()[random.below(store.size())]).ok());
    ASSERT_TRUE(store.insert(sudar_test::random_box<D>(random, world, 1)).ok());
    ASSERT_TRUE(
        store.teleport(store.ids()[random.below(store.size())], sudar_test::random_box<D>(random, world, 1)).ok());
  }
}

template <int D>
void check_hand_over() {
  Adaptive<D> adaptive(mad_clock);
  BruteForce<D> plain;
  BoxStore<D> store;
  Random random(campaign_seed(7));
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(store.insert(sudar_test::random_box<D>(random, 5, 1)).ok());
  std::set<std::string_view> used;
  for (int step = 0; step < 300; ++step) {
    ASSERT_TRUE(adaptive.update(store).ok());
    ASSERT_TRUE(plain.update(store).ok());
    const auto a = adaptive.changes(store), b = plain.changes(store);
    ASSERT_TRUE(a.ok() && b.ok());
    ASSERT_EQ(to_vector(a->begin), to_vector(b->begin)) << "step " << step << " by " << adaptive.in_use();
    ASSERT_EQ(to_vector(a->stay), to_vector(b->stay)) << "step " << step << " by " << adaptive.in_use();
    ASSERT_EQ(to_vector(a->end), to_vector(b->end)) << "step " << step << " by " << adaptive.in_use();
    used.insert(adaptive.in_use());
    change(store, random, step);
  }
  // The mad clock made it go from one to the other
  EXPECT_GT(used.size(), 2u);
}

}  // namespace

TEST(Adaptive, HandsOverWithoutLosingOrRepeatingAnEvent2) { check_hand_over<2>(); }
TEST(Adaptive, HandsOverWithoutLosingOrRepeatingAnEvent3) { check_hand_over<3>(); }

TEST(Adaptive, AStoppedClockIsNoTrouble) {
  Adaptive<2> adaptive(stopped_clock);
  BoxStore<2> store;
  Random random(campaign_seed(1));
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(store.insert(sudar_test::random_box<2>(random, 5, 1)).ok());
  for (int step = 0; step < 50; ++step) {
    ASSERT_TRUE(adaptive.update(store).ok());
    const auto pairs = adaptive.pairs(store);
    ASSERT_TRUE(pairs.ok());
    EXPECT_EQ(to_vector(*pairs), sudar_test::plain_pairs(store));
    change(store, random, step);
  }
  EXPECT_EQ(adaptive.total_ms(), 0);
}

TEST(Adaptive, EveryDecisionIsRecordedWithReasonAndCosts) {
  Adaptive<3> adaptive(mad_clock);
  BoxStore<3> store;
  Random random(2);
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(store.insert(sudar_test::random_box<3>(random, 5, 1)).ok());
  for (int step = 0; step < 200; ++step) {
    ASSERT_TRUE(adaptive.update(store).ok());
    ASSERT_TRUE(adaptive.pairs(store).ok());
    change(store, random, step);
  }
  ASSERT_FALSE(adaptive.decisions().empty());
  double regret = 0;
  std::string_view current = adaptive.decisions().front().to;
  for (std::size_t i = 0; i < adaptive.decisions().size(); ++i) {
    const AdaptiveDecision& d = adaptive.decisions()[i];
    EXPECT_FALSE(d.reason.empty());
    EXPECT_EQ(d.costs.size(), adaptive.costs().size());
    EXPECT_GE(d.regret_ms, regret);
    EXPECT_GT(d.features.boxes, 0);
    if (i > 0) {
      EXPECT_EQ(d.from, current);
    }
    regret = d.regret_ms;
    current = d.to;
  }
  EXPECT_EQ(current, adaptive.in_use());
  EXPECT_LE(adaptive.trial_ms() + adaptive.watch_ms(), adaptive.total_ms());
}

// A clock by which a step takes what the test says of the algorithm that does it
namespace {

const Adaptive<3>* watched = nullptr;
std::string_view cheapest;
double told_clock() {
  static double now = 0;
  // The clock is read twice in each of the two parts of a step
  const bool cheap = watched != nullptr && watched->in_use() == cheapest;
  return now += cheap ? 0.05 : 0.5;
}

}  // namespace

TEST(Adaptive, FindsTheCheapestAndStaysWithIt) {
  for (const std::string_view name : {"columns", "sap", "bvh_linear", "dynamic_tree"}) {
    cheapest = name;
    Adaptive<3> adaptive(told_clock);
    watched = &adaptive;
    BoxStore<3> store;
    Random random(5);
    for (int i = 0; i < 400; ++i) ASSERT_TRUE(store.insert(sudar_test::random_box<3>(random, 5, 1)).ok());
    std::size_t there = 0;
    for (int step = 0; step < 600; ++step) {
      ASSERT_TRUE(adaptive.update(store).ok());
      ASSERT_TRUE(adaptive.pairs(store).ok());
      there += step >= 300 && adaptive.in_use() == name ? 1 : 0;
      for (const std::uint32_t id : {3u, 5u, 8u})
        ASSERT_TRUE(store.move(id, sudar_test::random_box<3>(random, 5, 1)).ok());
    }
    EXPECT_GE(there, 270u) << name;
    // A trial is followed by its end, and both name the one that was tried
    const auto& decisions = adaptive.decisions();
    for (std::size_t i = 0; i + 1 < decisions.size(); ++i) {
      const bool trial = decisions[i].kind == DecisionKind::trial;
      const DecisionKind next = decisions[i + 1].kind;
      EXPECT_EQ(trial, next == DecisionKind::kept || next == DecisionKind::returned);
      if (trial) {
        EXPECT_EQ(decisions[i + 1].from, decisions[i].to);
        EXPECT_EQ(decisions[i + 1].to, next == DecisionKind::kept ? decisions[i].to : decisions[i].from);
      }
    }
    watched = nullptr;
  }
}

// Nobody knows whether there will be a second step, so a search from nothing tries nothing
TEST(Adaptive, ASearchFromNothingGoesOnNoTrial) {
  Adaptive<3> adaptive(mad_clock);
  BoxStore<3> store;
  Random random(6);
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(store.insert(sudar_test::random_box<3>(random, 20, 1)).ok());
  for (int step = 0; step < 100; ++step) {
    ASSERT_TRUE(adaptive.build(store).ok());
    ASSERT_TRUE(adaptive.pairs(store).ok());
  }
  EXPECT_EQ(adaptive.in_use(), "columns");
  EXPECT_EQ(adaptive.decisions().size(), 1u);
  EXPECT_EQ(adaptive.watch_ms(), 0);
}

// What steps of the last scene took is no measure for the first step of the next
namespace {
double tick_ms = 0;
double ticking_clock() {
  static double now = 0;
  return now += tick_ms;
}
}  // namespace

TEST(Adaptive, AnotherSceneBeginsWithoutRegret) {
  Adaptive<3> adaptive(ticking_clock);
  BoxStore<3> few, many;
  Random random(12);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(few.insert(sudar_test::random_box<3>(random, 3, 1)).ok());
  for (int i = 0; i < 2000; ++i) ASSERT_TRUE(many.insert(sudar_test::random_box<3>(random, 20, 1)).ok());
  tick_ms = 0.001;
  for (int step = 0; step < 20; ++step) {
    ASSERT_TRUE(adaptive.update(few).ok());
    ASSERT_TRUE(adaptive.pairs(few).ok());
    ASSERT_TRUE(few.move(3, sudar_test::random_box<3>(random, 3, 1)).ok());
  }
  const double regret = adaptive.regret_ms();
  tick_ms = 1;
  ASSERT_TRUE(adaptive.build(many).ok());
  ASSERT_TRUE(adaptive.pairs(many).ok());
  EXPECT_EQ(adaptive.regret_ms(), regret);
}

// The list of pairs is there once, whoever did the work
TEST(Adaptive, CountsItsMemoryOnce) {
  BoxStore<2> store;
  for (int i = 0; i < 600; ++i) ASSERT_TRUE(store.insert(Aabb<2, float>{{0, 0}, {1, 1}}).ok());
  Adaptive<2> adaptive;
  ASSERT_TRUE(adaptive.update(store).ok());
  const auto pairs = adaptive.pairs(store);
  ASSERT_TRUE(pairs.ok());
  auto alone = *make_broadphase<2>(adaptive.in_use());
  ASSERT_TRUE(alone->update(store).ok());
  ASSERT_TRUE(alone->pairs(store).ok());
  // The list, and what sorting it takes
  EXPECT_GT(adaptive.counters().bytes, 2 * pairs->size() * sizeof(IdPair));
  EXPECT_LT(adaptive.counters().bytes, alone->counters().bytes + pairs->size() * sizeof(IdPair) / 2);
}

// After a few steps of another scene it knows of that one what one that saw nothing else knows
TEST(Adaptive, AnotherSceneIsSeenAnew) {
  BoxStore<3> cube, line;
  Random random(13);
  for (int i = 0; i < 2000; ++i) {
    ASSERT_TRUE(cube.insert(sudar_test::random_box<3>(random, 20, 1)).ok());
    Aabb<3, float> box = sudar_test::random_box<3>(random, 1, 1);
    box.lo.x += static_cast<float>(i);
    box.hi.x += static_cast<float>(i);
    ASSERT_TRUE(line.insert(box).ok());
  }
  Adaptive<3> travelled(ticking_clock), fresh(ticking_clock);
  tick_ms = 1;
  const auto step = [&](Adaptive<3>& adaptive, BoxStore<3>& store) {
    ASSERT_TRUE(adaptive.update(store).ok());
    ASSERT_TRUE(adaptive.pairs(store).ok());
  };
  for (int i = 0; i < 200; ++i) {
    step(travelled, cube);
    ASSERT_TRUE(cube.move(static_cast<std::uint32_t>(i), sudar_test::random_box<3>(random, 20, 1)).ok());
  }
  for (int i = 0; i < 4; ++i) {
    step(travelled, line);
    step(fresh, line);
    ASSERT_TRUE(line.move(5, line.box(5)).ok());
  }
  EXPECT_GT(fresh.features().along, 0);
  EXPECT_NEAR(travelled.features().along, fresh.features().along, 1e-9);
  EXPECT_NEAR(travelled.features().crowding, fresh.features().crowding, 1e-9);
  EXPECT_EQ(travelled.features().pairs, fresh.features().pairs);
}

// Questions go to the one in use when it keeps the answers anyway, and otherwise to trees that outlive every choice
TEST(Adaptive, AnswersQuestionsBetweenAllChoices) {
  Adaptive<2> adaptive(mad_clock);
  BruteForce<2> plain;
  BoxStore<2> store;
  Random random(campaign_seed(8));
  int kept = 0;
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(store.insert(sudar_test::random_box<2>(random, 10, 1)).ok());
  for (int step = 0; step < 200; ++step) {
    ASSERT_TRUE(adaptive.update(store).ok());
    ASSERT_TRUE(plain.update(store).ok());
    if (step % 5 != 0) {
      ASSERT_TRUE(adaptive.pairs(store).ok());
    }
    const Aabb<2, float> box = sudar_test::random_box<2>(random, 10, 3);
    const Aabb<2, double> asked{{box.lo.x, box.lo.y}, {box.hi.x, box.hi.y}};
    const auto a = adaptive.overlapping(store, asked), b = plain.overlapping(store, asked);
    ASSERT_TRUE(a.ok() && b.ok());
    ASSERT_TRUE(std::equal(a->begin(), a->end(), b->begin(), b->end())) << "step " << step << " " << adaptive.in_use();
    // That of the fixed boxes, of which there is none, is made once
    EXPECT_LE(adaptive.query_counters().rebuilds, step == 0 ? 2u : 1u);
    kept += adaptive.query_counters().rebuilds == 0 ? 1 : 0;
    change(store, random, step);
  }
  EXPECT_GT(adaptive.decisions().size(), 4u);
  EXPECT_GT(kept, 0);
  EXPECT_LT(kept, 200);
}

TEST(CostModel, GrowsWithTheSceneAndNamesBroadphases) {
  SceneFeatures few, many;
  few.boxes = few.moved = 1000;
  many.boxes = many.moved = 100000;
  few.pairs = 500;
  many.pairs = 50000;
  few.speed = many.speed = 0.1;
  for (const CostModel& model : cost_models()) {
    EXPECT_TRUE(make_broadphase<3>(model.name).ok()) << model.name;
    EXPECT_GT(step_ms(model, few), 0);
    EXPECT_GT(step_ms(model, many), 20 * step_ms(model, few)) << model.name;
    EXPECT_GE(first_step_ms(model, many), 0);
  }
}

TEST(SceneWatch, SeesNumberMotionSizesAndCrowds) {
  BoxStore<2> store;
  SceneWatch<2> watch;
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    const double x = random.uniform(0, 100), y = random.uniform(0, 100), e = i % 10 == 0 ? 20 : 1;
    ASSERT_TRUE(
        store.insert(Aabb<2, double>{{x, y}, {x + e, y + e}}, {}, i % 4 == 0 ? Motion::fixed : Motion::moving).ok());
  }
  watch.look(store, 0);
  watch.note(store);
  for (std::uint32_t id = 1; id < 400; id += 4) {
    Aabb<2, float> box = store.box(store.row_of(id));
    box.lo.x += 0.5f;
    box.hi.x += 0.5f;
    ASSERT_TRUE(store.move(id, box).ok());
  }
  ASSERT_TRUE(store.remove(7).ok());
  const SceneFeatures f = watch.look(store, 123);
  EXPECT_EQ(f.boxes, 1999);
  EXPECT_EQ(f.moved, 101);
  EXPECT_EQ(f.churned, 1);
  EXPECT_EQ(f.pairs, 123);
  EXPECT_NEAR(f.fixed, 0.25, 0.01);
  EXPECT_NEAR(f.size_spread, 20, 1);
  EXPECT_LT(f.crowding, 3);
  // All in one corner
  BoxStore<2> crowd;
  SceneWatch<2> watch_crowd;
  for (int i = 0; i < 2000; ++i) {
    const double reach = i % 100 == 0 ? 1000 : 1;
    const double x = random.uniform(0, reach), y = random.uniform(0, reach);
    ASSERT_TRUE(crowd.insert(Aabb<2, double>{{x, y}, {x + 0.1, y + 0.1}}).ok());
  }
  EXPECT_GT(watch_crowd.look(crowd, 0).crowding, 10);
}
