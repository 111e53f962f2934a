// What:    The race track on made-up contestants: one that crashes, one that ends the process, one that never comes back, two
//          that throw, some that cannot be made, some that fail in their turn, a peer and an input that are not there, one
//          whose answers are wrong; steady work, to see how well times repeat here; and a part that takes longer than anyone
//          has.
// Differs: Only by its name: `sudar bench --suite harness`. The tests look at what the rows say.
#include "bench/suites.hpp"
#include "bench/turns.hpp"
#include <sudar/core/random.hpp>

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>

namespace sudar_bench {

namespace {

double steady_work(int loops) {
  sudar::Random random(7);
  double sum = 0;
  for (int i = 0; i < loops; ++i) sum += random.uniform();
  return sum;
}

// Some that fail when they begin, in one of their turns, or when they are judged
void fail_in_turns(Session& session) {
  using Begin = std::function<std::function<void()>()>;
  const auto block = [] { keep(steady_work(20000)); };
  const auto twice_as_long = [] { keep(steady_work(40000)); };
  const Begin begin = [block]() -> std::function<void()> { return block; };
  // In its third turn: one is the warm-up, two of the first round
  const auto third_time = [](auto&& fails) -> Begin {
    const auto turns = std::make_shared<int>(0);
    return [turns, fails]() -> std::function<void()> {
      return [turns, fails] {
        if (++*turns == 3) fails();
      };
    };
  };
  const auto crash = [] { std::raise(SIGSEGV); };
  const auto refuse = [] { throw std::runtime_error("no more"); };
  for (Measurement& m : race_in_turns(
           session, "faults", "in turns", {3, 2, 10},
           {{"steady", "", begin},
            {"half as fast", "1.0", [twice_as_long]() -> std::function<void()> { return twice_as_long; }},
            {"cannot begin", "1.0", [crash]() -> std::function<void()> { return crash(), nullptr; }},
            {"will not begin", "1.0", []() -> std::function<void()> { throw std::runtime_error("not today"); }},
            {"crashes in a turn", "1.0", third_time(crash)},
            {"throws in a turn", "1.0", third_time(refuse)},
            {"throws when judged", "1.0", begin, refuse}}))
    session.add_measurement(std::move(m));
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
                {"throws", "1.0", []() -> double { throw std::runtime_error("too much to ask"); }},
                {"throws a number", "1.0", []() -> double { throw 7; }},
                {"hangs", "1.0", []() -> double {
                   // Not alone: what it started must not outlive it
                   if (fork() == 0)
                     for (;;) pause();
                   for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
                 }}});
  std::vector<Contestant> set_up = {{"steady", "", work}};
  for (const auto& [name, make] : {std::pair<const char*, void (*)()>{"cannot be made", [] { std::raise(SIGSEGV); }},
                                   {"will not be made", [] { throw std::runtime_error("not today"); }},
                                   {"is made", [] {}}})
    if (session.made("faults", "before the race", name, "1.0", make)) set_up.push_back({name, "1.0", work});
  session.race("faults", "after them", 3, 0, set_up);
  fail_in_turns(session);
  session.missing_peer("faults", "a peer that nobody has");
  session.missing_input("a file that nobody has");
  session.expect_bar("faults: a bar that is met", 1);
  session.expect_bar("faults: a bar that nobody measures", 1);
  session.bar_at_least("faults: a bar that is met", 1, 2);
}

void bench_repeats(Session& session) {
  session.race("repeats", "steady work", 30, 0,
               {{"one", "", [] { return steady_work(100000); }},
                {"two", "made up", [] { return (steady_work(100000) + steady_work(100000)) / 2; }}});
  session.bar_at_most("repeats: a bar that is met", 1, 0);
}

void bench_lasting(Session& session) {
  for (int i = 0; i < 1000; ++i)
    session.race("lasting", "the " + std::to_string(i) + ". of many", 3, 0,
                 {{"patient", "", [] {
                     std::this_thread::sleep_for(std::chrono::milliseconds(100));
                     return 0.0;
                   }}});
}

}  // namespace sudar_bench
