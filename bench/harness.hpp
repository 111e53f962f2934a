// What:    The race track of `sudar bench`: contestants on the same data, interleaved in random order, answers compared.
// Differs: Absolute times mean little on a shared machine; every row therefore carries the ratio to the best contestant
//          of the same run, and min, median and spread over the rounds. Whoever runs is written down first, where the
//          process that watches this one can read it: a contestant that dies or never ends is then left out the next time
//          (part_run.hpp); one that throws is left out at once. Work that is shorter than a millisecond is repeated within
//          a round. A race runs on one processor, unless it is said to be one of several threads. A round in which the
//          processor was given to somebody else is taken again, as far as there is time (retakes.hpp).
#pragma once

#include "bench/results.hpp"

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace sudar_bench {

struct Options {
  bool quick = false;  // fewer rounds and smaller inputs
  bool peers = false;  // race the peers that were found when this program was built
  std::uint64_t seed = 1;
  std::string out_dir = {};   // results are written there when not empty
  std::string markdown = {};  // a file for the tables as Markdown, when not empty
  bool resume = false;        // parts whose results are in out_dir already are not run again
  bool pin = true;            // to one processor, but for parts that use more
  double patience = 120;      // seconds that one run of a contestant may take
  double part_limit = 0;      // seconds that a part may take, all attempts together; 0: as the suites need
  std::string compare = {};   // results.json of an earlier run
  std::string newer = {};     // results.json to compare with it; when empty, those of this run
  std::function<bool()> stop_asked = nullptr;  // true once the user wants the run to end
};

// One way to do the job. `run` does all of it and returns a number that the other contestants must reproduce; when the
// number takes time of its own, `answer` gives it outside of the clock and the one of `run` is dropped.
struct Contestant {
  std::string name;
  std::string version;  // empty for ours
  std::function<double()> run;
  std::function<double()> answer = nullptr;
  // Where answers are judged one by one: how many of the last round's are wrong, of how many, and why they are, where that
  // is known. Asked outside of the clock; the numbers of `run` are not compared then.
  std::function<std::size_t()> wrong = nullptr;
  std::size_t of = 0;
  std::string why = {};
};

// Who is running, for the process that watches; see part_run.hpp
struct RunMarker;

// Ours against the best peer: above 1 means ours is faster. 0 without a peer.
struct Speedup {
  double minima = 0;   // by the least times, which is what bars ask for
  double rounds = 0;   // the middle one of the rounds
  bool raced = false;  // a peer took part, whether it came to an end or not
  operator double() const { return minima; }
};
// The time of another over that of ours; 0 when one of them failed
Speedup speedup_over(const Measurement& ours, const Measurement& other);
// Null when none came to an end
const Measurement* best_peer(const std::vector<Measurement>& race);
// Of the first contestant, which is ours
Speedup speedup_over_best_peer(const std::vector<Measurement>& race);

// The name of a contestant in one race, for the list of those that failed
std::string contestant_key(const std::string& table, const std::string& workload, const std::string& contestant);

class Session {
 public:
  Session(Options options, std::ostream& progress);

  const Options& options() const { return options_; }

  // Run every contestant `rounds` times, interleaved; answers may differ by `tolerance` relative to the first one's.
  // Returns the measurements in the order of the contestants.
  std::vector<Measurement> race(const std::string& table, const std::string& workload, int rounds, double tolerance,
                                const std::vector<Contestant>& contestants);
  // One line for whoever waits
  void progress(const std::string& text);
  // A peer that is not on this machine is said so, never left out silently
  void missing_peer(const std::string& table, const std::string& name);
  // A file, or a library, without which something here cannot be measured: the run is not complete
  void missing_input(const std::string& what);
  // Announces a bar of that name: if nothing measures it, it is listed as not measured, which is not met
  void expect_bar(const std::string& what, double required);
  // Passed when seen >= required
  void bar_at_least(const std::string& what, double required, double seen);
  void bar_at_least(const std::string& what, double required, const Speedup& seen);
  // The same against peers: nothing where there are none, not measured when none of those that are came to an end
  void bar_against_peers(const std::string& what, double required, const Speedup& seen);
  // Passed when seen <= required
  void bar_at_most(const std::string& what, double required, double seen);
  // Runs something of the contestant with that key (contestant_key), whose fault it is when that crashes or never ends. False
  // when it threw, or failed before: it is left out then.
  bool guarded(const std::string& key, const std::function<void()>& action);
  // Why it is left out; empty when it is not
  std::string trouble_of(const std::string& key) const;
  // What a contestant needs before its races. False, and a row that says why, when it threw, or crashed the last time.
  bool made(const std::string& table, const std::string& workload, const std::string& contestant,
            const std::string& version, const std::function<void()>& make);
  // While one of these is there, races use all processors
  class AllCores {
   public:
    explicit AllCores(int& count) : count_(count) { ++count_; }
    ~AllCores() { --count_; }
    AllCores(const AllCores&) = delete;
    AllCores& operator=(const AllCores&) = delete;

   private:
    int& count_;
  };
  [[nodiscard]] AllCores all_cores() { return AllCores(all_cores_); }
  // A row that something else than race() measured
  void add_measurement(Measurement measurement);
  void add_table(Table table);
  void add_chart(Chart chart);
  void add_finding(Finding finding);
  // A sentence for the report
  void note(const std::string& text);

  const Results& results() const { return results_; }

  // For the one who runs parts: contestants that failed before and why, where to write who runs, what to do now and then
  void leave_out(std::map<std::string, std::string> failed) { failed_ = std::move(failed); }
  void watch(RunMarker* marker) { marker_ = marker; }
  void on_progress(std::function<void()> action) { on_progress_ = std::move(action); }

 private:
  void set_bar(Bar bar);

  Options options_;
  std::ostream& progress_;
  Results results_;
  std::map<std::string, std::string> failed_;
  RunMarker* marker_ = nullptr;
  int all_cores_ = 0;
  std::function<void()> on_progress_;
};

// Keep the compiler from dropping a computation
template <class T>
inline void keep(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

}  // namespace sudar_bench
