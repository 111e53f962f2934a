// Clocks that stand still, jump ahead by years and go back: every clock of the process does, also those that are said to be
// steady. What a world and a broad phase answer is the same; what they say of their times is not, nor what `adaptive` chooses.
#include "tests/support/random.hpp"
#include <sudar/broadphase/adaptive.hpp>
#include <sudar/broadphase/registry.hpp>
#include <sudar/dynamics/world.hpp>

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <tuple>
#include <vector>

using namespace sudar;
using namespace sudar_test;

namespace {

enum class Madness {
  none,
  anywhere,  // still, a day ahead, thirty years ahead, back to the beginning
  ahead,     // it never goes back: still, or on by anything from a microsecond to a day
};
std::atomic<Madness> madness{Madness::none};
std::atomic<std::uint64_t> clock_reads{0}, ahead_ns{0}, first_read{0};

// `from`: another one of the same kind
struct MadClock {
  explicit MadClock(Madness kind, std::uint64_t from = 0) {
    clock_reads = 0, ahead_ns = 0, first_read = from;
    madness = kind;
  }
  ~MadClock() { madness = Madness::none; }
};

}  // namespace

// In place of the C library's, for the C++ library as well
extern "C" int clock_gettime(clockid_t which, timespec* out) noexcept {
  const auto result = static_cast<int>(syscall(SYS_clock_gettime, which, out));
  if (result != 0 || madness == Madness::none) return result;
  // By turns that follow no order
  const std::uint64_t turn = (first_read + clock_reads++) * 0x9e3779b97f4a7c15u;
  if (madness == Madness::ahead) {
    constexpr std::uint64_t kSteps[] = {0, 1000, 30000, 1000000, 20000000, 1000000000, 600000000000, 86400000000000};
    const std::uint64_t now = ahead_ns += kSteps[turn >> 61];
    out->tv_sec = static_cast<time_t>(now / 1000000000);
    out->tv_nsec = static_cast<long>(now % 1000000000);
    return 0;
  }
  switch (turn >> 62) {
    case 0:
      *out = {};
      break;
    case 1:
      out->tv_sec += 86400;
      break;
    case 2:
      out->tv_sec += 1000000000;
      break;
    default:
      out->tv_nsec = 0;
  }
  return 0;
}

namespace {

constexpr double kHour = 3600e3;  // ms

// Everything that a world answers, step after step, and what `adaptive` told of its choices
struct Life {
  std::vector<std::uint64_t> answers;
  std::size_t pairs = 0, begun = 0;
  std::vector<AdaptiveDecision> decisions;

  void take(std::span<const IdPair> some) {
    answers.push_back(some.size());
    for (const IdPair& p : some) answers.push_back(std::uint64_t{p.lo} << 32 | p.hi);
  }
  template <int D>
  void take(const SceneChanges<D>& changes) {
    for (const auto& some : {changes.begin, changes.end}) {
      answers.push_back(some.size());
      for (const SceneEvent<D>& x : some)
        answers.push_back(std::uint64_t{x.a.index} << 32 | x.b.index),
            answers.push_back(x.a.generation + x.b.generation);
    }
    take(changes.stay);
    begun += changes.begin.size();
  }
  // When, how and for whom
  std::vector<std::tuple<std::uint64_t, DecisionKind, std::string_view>> choices() const {
    std::vector<std::tuple<std::uint64_t, DecisionKind, std::string_view>> out;
    for (const AdaptiveDecision& x : decisions) out.emplace_back(x.step, x.kind, x.to);
    return out;
  }
  // The most that a candidate is said to have taken, or to be going to take
  double most_ms() const {
    double most = 0;
    for (const AdaptiveDecision& x : decisions)
      for (const CandidateCost& cost : x.costs) most = std::max({most, cost.measured_ms, cost.predicted_ms});
    return most;
  }
};

// Balls that fly through each other's places and bounce: pairs come and go
template <int D>
Life life(std::string_view broadphase) {
  constexpr int kBalls = 200, kSteps = 26;
  Life out;
  WorldOptions<D> options;
  options.broadphase = broadphase;
  options.gravity = {};
  options.substeps = 1;
  auto world = World<D>::make(options);
  EXPECT_TRUE(world.ok());
  Random random(11);
  const double reach = D == 2 ? 14 : 6;
  for (int i = 0; i < kBalls; ++i) {
    BodySpec<D> spec{.shape = [] {
      if constexpr (D == 2)
        return *make_circle2(0.5);
      else
        return *make_sphere3(0.5);
    }()};
    spec.pose.position = sudar_test::random_point<D>(random, reach);
    spec.velocity = sudar_test::random_point<D>(random, 6);
    EXPECT_TRUE(world->add_body(spec).ok());
  }
  for (int i = 0; i < kSteps; ++i) {
    EXPECT_TRUE(world->step(1.0 / 60).ok());
    const Scene<D>& scene = world->scene();
    out.take(scene.pairs());
    out.take<D>(scene.events().pairs);
    out.take<D>(scene.events().touching);
    out.pairs += scene.pairs().size();
  }
  out.answers.push_back(world->scene().hash());
  out.answers.push_back(world->state_hash());
  if (const auto* adaptive = dynamic_cast<const Adaptive<D>*>(&world->scene().broadphase()))
    out.decisions = adaptive->decisions();
  return out;
}

template <int D>
void clocks_change_no_answer() {
  const Life calm = life<D>("adaptive");
  EXPECT_GT(calm.pairs, 1000u);
  EXPECT_GT(calm.begun, 100u);
  EXPECT_LT(calm.most_ms(), kHour);
  for (const BroadphaseEntry& entry : broadphases()) {
    const MadClock mad(Madness::anywhere);
    EXPECT_TRUE(life<D>(entry.name).answers == calm.answers) << entry.name;
  }
  // With a clock that goes back `adaptive` may find nothing to compare. Those that only run ahead are believed, and by each of
  // them it tries and takes others
  std::vector<decltype(calm.choices())> choices;
  double most_ms = 0;
  for (const std::uint64_t from : {0, 1, 2, 3}) {
    const MadClock mad(Madness::ahead, from);
    const Life other = life<D>("adaptive");
    EXPECT_TRUE(other.answers == calm.answers) << from;
    most_ms = std::max(most_ms, other.most_ms());
    choices.push_back(other.choices());
  }
  EXPECT_GT(most_ms, kHour);
  std::sort(choices.begin(), choices.end());
  EXPECT_NE(choices.front(), choices.back());
}

TEST(ClockJumps, TheStandInIsTheOneThatIsRead) {
  const MadClock mad(Madness::ahead);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 100; ++i) (void)std::chrono::steady_clock::now();
  EXPECT_EQ(clock_reads, 101u);
  EXPECT_GT(std::chrono::steady_clock::now() - start, std::chrono::hours(24));
}

// Oracle: the same world by the clock as it is
TEST(ClockJumps, WorldsAndBroadPhasesAnswerTheSame) {
  clocks_change_no_answer<2>();
  clocks_change_no_answer<3>();
}

}  // namespace
