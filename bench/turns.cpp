#include "bench/turns.hpp"

#include "bench/race.hpp"
#include "bench/retakes.hpp"
#include "bench/statistics.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>

namespace sudar_bench {

namespace {

struct Course {
  const TurnTaker* who;
  std::string key;
  std::function<void()> block = nullptr;
  std::vector<double> rounds = {};  // ms
  std::vector<double> least = {};   // ms of every block, over the rounds
  int disturbed = 0;                // rounds
};

}  // namespace

std::vector<Measurement> race_in_turns(Session& session, const std::string& table, const std::string& workload,
                                       const TurnPlan& plan, const std::vector<TurnTaker>& takers) {
  std::vector<Course> courses;
  std::vector<std::size_t> order;
  for (const TurnTaker& taker : takers) {
    courses.push_back({&taker, contestant_key(table, workload, taker.name)});
    order.push_back(order.size());
  }
  sudar::Random random(session.options().seed);
  // Round 0 is the warm-up
  for (int round = 0; round <= plan.rounds; ++round) {
    session.progress(table + ": " + workload + (round == 0 ? ", warming up" : ", round " + std::to_string(round)));
    for (Course& course : courses) session.guarded(course.key, [&] { course.block = course.who->begin(); });
    std::vector<char> disturbed(courses.size());
    for (Course& course : courses) course.rounds.push_back(0);
    for (int block = 0; block < (round == 0 ? 1 : plan.blocks); ++block) {
      shuffle(order, random);
      for (const std::size_t i : order) {
        Course& course = courses[i];
        const auto step = [&] {
          const Solitude solitude(true);
          const auto start = std::chrono::steady_clock::now();
          course.block();
          const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
          if (!solitude.kept()) disturbed[i] = 1;
          course.rounds.back() += ms;
          const auto at = static_cast<std::size_t>(block);
          if (round > 0 && at >= course.least.size()) course.least.push_back(ms);
          if (round > 0) course.least[at] = std::min(course.least[at], ms);
        };
        session.guarded(course.key, step);
      }
    }
    for (std::size_t i = 0; i < courses.size(); ++i) {
      if (round == 0) courses[i].rounds.clear();
      courses[i].disturbed += round > 0 ? disturbed[i] : 0;
    }
  }

  std::vector<Measurement> rows;
  for (Course& course : courses) {
    Measurement m;
    m.table = table, m.workload = workload, m.contestant = course.who->name, m.version = course.who->version;
    session.guarded(course.key, [&] {
      if (course.who->judge) course.who->judge();
      course.block = nullptr;
    });
    m.trouble = session.trouble_of(course.key);
    if (m.trouble.empty()) {
      const double steps = static_cast<double>(plan.blocks) * plan.steps;
      for (const double ms : course.rounds) m.times.push_back(ms / steps);
      const Summary summary = summarize(m.times);
      m.rounds = summary.count, m.median_ms = summary.median, m.spread = summary.spread;
      m.min_ms = std::accumulate(course.least.begin(), course.least.end(), 0.0) / steps;
      m.disturbed = course.disturbed;
    } else {
      m.min_ms = m.median_ms = std::numeric_limits<double>::infinity();
    }
    rows.push_back(std::move(m));
  }
  set_ratios(rows);
  return rows;
}

}  // namespace sudar_bench
