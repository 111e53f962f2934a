// What:    The race track on made-up contestants: one that crashes, one that ends the process, one that never comes back, a
//          peer that is not there, one whose answers are wrong; and steady work, to see how well times repeat here.
// Differs: Only by its name: `sudar bench --suite harness`. The tests look at what the rows say.
#include "bench/suites.hpp"
#include <sudar/core/random.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

namespace sudar_bench {

namespace {

double steady_work(int loops) {
  sudar::Random random(7);
  double sum = 0;
  for (int i = 0; i < loops; ++i) sum += random.uniform();
  return sum;
}

}  // namespace

void bench_faults(Session& session) {
  const auto work = [] { return steady_work(20000); };
  session.race("faults", "made-up contestants", 3, 0,
               {{"steady", "", work},
                {"wrong", "1.0", [work] { return work() + 1; }},
                {"judged", "1.0", [work] { return work() + 1; }, nullptr, [] { return std::size_t{2}; }, 5, "made up"},
                {"crashes", "1.0",
                 []() -> double {
                   std::raise(SIGSEGV);
                   return 0;
                 }},
                {"leaves", "1.0", []() -> double { std::_Exit(7); }},
                {"hangs", "1.0", []() -> double {
                   for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
                 }}});
  session.race("faults", "after them", 3, 0, {{"steady", "", work}});
  session.missing_peer("faults", "a peer that nobody has");
  session.bar_at_least("faults: a bar that is met", 1, 2);
}

void bench_repeats(Session& session) {
  session.race("repeats", "steady work", 30, 0,
               {{"one", "", [] { return steady_work(100000); }},
                {"two", "made up", [] { return (steady_work(100000) + steady_work(100000)) / 2; }}});
  session.bar_at_most("repeats: a bar that is met", 1, 0);
}

}  // namespace sudar_bench
