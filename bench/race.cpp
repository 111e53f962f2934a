#include "bench/race.hpp"

#include "bench/harness.hpp"
#include "bench/pinning.hpp"
#include "bench/retakes.hpp"
#include "bench/statistics.hpp"
#include <sudar/core/random.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

namespace sudar_bench {

namespace {

// ms that one contestant may take for all its rounds; some peers break down on some workloads
constexpr double kPatience = 15000, kQuickPatience = 5000;
// ms for the rounds of a quick race, beyond a third of those that are asked for
constexpr double kQuickTime = 300;
constexpr int kLeastRounds = 3;
// ms for rounds that are taken again
constexpr double kRetakeTime = 3000, kQuickRetakeTime = 1000;

// A round of less than this is mostly clock; ms
constexpr double kLeastRound = 1;
constexpr int kMostCalls = 1 << 16;

// One contestant on its way through the rounds
struct Lane {
  const Contestant* who;
  std::string key;
  std::vector<double> ms = {};       // of a call, by round
  std::vector<char> disturbed = {};  // by round
  std::vector<double> answers = {};  // that of the warm-up first
  double spent = 0;
  int calls = 1;
};

struct Turn {
  double ms = 0, answer = 0;
  bool alone = true;
};

Turn take_turn(const Lane& lane, bool one_thread) {
  Turn turn;
  const Solitude solitude(one_thread);
  const auto start = std::chrono::steady_clock::now();
  for (int call = 0; call < lane.calls; ++call) turn.answer = lane.who->run();
  turn.ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  turn.alone = solitude.kept();
  return turn;
}

// How many calls fill a round
Turn warm_up(Lane& lane, bool one_thread) {
  Turn turn = take_turn(lane, one_thread);
  lane.spent += turn.ms;
  while (turn.ms < kLeastRound && lane.calls < kMostCalls) {
    const double wanted = lane.calls * std::max(2.0, kLeastRound / std::max(turn.ms, 1e-6));
    lane.calls = static_cast<int>(std::min(wanted, static_cast<double>(kMostCalls)));
    turn = take_turn(lane, one_thread);
    lane.spent += turn.ms;
  }
  return turn;
}

bool agree(double a, double b, double tolerance) {
  return std::fabs(a - b) <= tolerance * std::max({1.0, std::fabs(a), std::fabs(b)});
}

void fail(Measurement& m, std::string why) {
  m.trouble = std::move(why);
  m.min_ms = m.median_ms = std::numeric_limits<double>::infinity();
  m.times.clear();
}

}  // namespace

void shuffle(std::vector<std::size_t>& order, sudar::Random& random) {
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
}

void set_ratios(std::span<Measurement> race) {
  if (race.empty()) return;
  const Measurement& best =
      *std::min_element(race.begin(), race.end(), [](const auto& a, const auto& b) { return a.min_ms < b.min_ms; });
  for (Measurement& m : race) {
    m.ratio_to_best = !m.trouble.empty() ? std::numeric_limits<double>::infinity()
                      : best.min_ms > 0  ? m.min_ms / best.min_ms
                                         : 1;
    const RatioRange range = ratio_range(m.times, best.times);
    m.ratio_low = range.low, m.ratio_median = range.middle, m.ratio_high = range.high;
  }
}

std::vector<Measurement> Session::race(const std::string& table, const std::string& workload, int rounds,
                                       double tolerance, const std::vector<Contestant>& contestants) {
  if (contestants.empty()) return {};
  // A quick one has fewer rounds where they are long, which is where it matters; short ones repeat better when there are many
  if (options_.quick) rounds = std::max(rounds, kLeastRounds);
  const int least = options_.quick ? std::max(kLeastRounds, rounds / 3) : rounds;
  const double patience = options_.quick ? kQuickPatience : kPatience;
  progress(table + ": " + workload + " (" + std::to_string(contestants.size()) + " contestants, " +
           (least < rounds ? std::to_string(least) + " to " : std::string()) + std::to_string(rounds) + " rounds)");

  std::vector<Lane> lanes;
  std::vector<std::size_t> order;
  for (const Contestant& contestant : contestants) {
    lanes.push_back({&contestant, contestant_key(table, workload, contestant.name)});
    order.push_back(order.size());
  }
  sudar::Random random(options_.seed);
  const bool one_thread = all_cores_ == 0;
  const PinnedHere pinned(options_.pin && one_thread);
  Retakes retakes(lanes.size(), rounds, options_.quick ? kQuickRetakeTime : kRetakeTime);
  double regular = 0;

  // Round 0 warms caches and memory and is not counted, unless it took so long that there is no second one
  for (int round = 0; round <= (regular < kQuickTime ? rounds : least); ++round) {
    shuffle(order, random);
    std::vector<std::size_t> again;
    for (const std::size_t i : order) {
      Lane& lane = lanes[i];
      if (lane.spent > patience && !lane.ms.empty()) continue;
      guarded(lane.key, [&] {
        const double before = lane.spent;
        const Turn turn = round == 0 ? warm_up(lane, one_thread) : take_turn(lane, one_thread);
        if (round > 0) lane.spent += turn.ms;
        regular += lane.spent - before;
        retakes.add_regular(lane.spent - before);
        lane.answers.push_back(lane.who->answer ? lane.who->answer() : turn.answer);
        if (round == 0 && !(turn.ms > patience)) return;
        lane.ms.push_back(turn.ms / lane.calls);
        lane.disturbed.push_back(turn.alone ? 0 : 1);
        if (!turn.alone) again.push_back(i);
      });
    }
    // Those that were disturbed, while the others of the round are near
    for (const std::size_t i : again) {
      Lane& lane = lanes[i];
      if (!retakes.allowed(i, lane.ms.back() * lane.calls)) continue;
      guarded(lane.key, [&] {
        const Turn turn = take_turn(lane, one_thread);
        retakes.add(i, turn.ms);
        const double ms = turn.ms / lane.calls;
        lane.ms.back() = turn.alone ? ms : std::min(ms, lane.ms.back());
        lane.disturbed.back() = turn.alone ? 0 : 1;
      });
    }
  }

  std::vector<Measurement> result;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const Lane& lane = lanes[i];
    Measurement m;
    m.table = table, m.workload = workload, m.contestant = lane.who->name, m.version = lane.who->version;
    m.calls = lane.calls;
    if (std::string why = trouble_of(lane.key); !why.empty()) {
      fail(m, std::move(why));
      result.push_back(std::move(m));
      continue;
    }
    const Summary summary = summarize(lane.ms);
    m.rounds = summary.count, m.min_ms = summary.min, m.median_ms = summary.median, m.spread = summary.spread;
    m.times = lane.ms, m.repeated = retakes.count(i);
    m.disturbed = static_cast<int>(std::count(lane.disturbed.begin(), lane.disturbed.end(), 1));
    m.answer = lane.answers.back();
    if (lane.who->wrong) {
      // Like its answers, it may throw
      const auto judge = [&] { m.disagreements = static_cast<int>(lane.who->wrong()); };
      if (guarded(lane.key, judge))
        m.of = lane.who->of, m.why = m.disagreements > 0 ? lane.who->why : "";
      else
        fail(m, trouble_of(lane.key) + ", when it was judged");
    } else if (trouble_of(lanes[0].key).empty()) {
      const std::size_t both = std::min(lane.answers.size(), lanes[0].answers.size());
      for (std::size_t k = 0; k < both; ++k)
        m.disagreements += agree(lane.answers[k], lanes[0].answers[k], tolerance) ? 0 : 1;
    }
    result.push_back(std::move(m));
  }
  set_ratios(result);
  results_.measurements.insert(results_.measurements.end(), result.begin(), result.end());
  return result;
}

}  // namespace sudar_bench
