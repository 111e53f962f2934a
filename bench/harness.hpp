// What:    The race track of `sudar bench`: contestants on the same data, interleaved in random order, answers compared.
// Differs: Absolute times mean little on a shared machine; every row therefore carries the ratio to the best contestant
//          of the same run, and min, median and spread over the rounds.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace sudar_bench {

struct Options {
  bool quick = false;  // fewer rounds and smaller inputs
  bool peers = false;  // race the peers that were found when this program was built
  std::uint64_t seed = 1;
  std::string out_dir;   // results are written there when not empty
  std::string markdown;  // a file for the tables as Markdown, when not empty
};

// One way to do the job. `run` does all of it and returns a number that the other contestants must reproduce; when the
// number takes time of its own, `answer` gives it outside of the clock and the one of `run` is dropped.
struct Contestant {
  std::string name;
  std::string version;  // empty for ours
  std::function<double()> run;
  std::function<double()> answer = nullptr;
};

struct Measurement {
  std::string table, workload, contestant, version;
  int rounds = 0;
  double min_ms = 0, median_ms = 0, spread = 0;  // spread: (90th - 10th percentile) / median
  double ratio_to_best = 0;
  double answer = 0;
  int disagreements = 0;  // rounds whose answer differs from the first contestant's
};

// A bar of the project: what was asked, what was seen
struct Bar {
  std::string what;
  double required = 0, seen = 0;
  bool passed = false;
};

// A table that is not a race: plain columns, one row a measurement
struct Table {
  std::string name;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

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
  // Passed when seen >= required
  void bar_at_least(const std::string& what, double required, double seen);
  // Passed when seen <= required
  void bar_at_most(const std::string& what, double required, double seen);
  void add_table(Table table);
  // A sentence for the report
  void note(const std::string& text);

  const std::vector<Measurement>& measurements() const { return measurements_; }
  const std::vector<Bar>& bars() const { return bars_; }
  const std::vector<Table>& tables() const { return tables_; }
  const std::vector<std::string>& missing() const { return missing_; }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  Options options_;
  std::ostream& progress_;
  std::vector<Measurement> measurements_;
  std::vector<Bar> bars_;
  std::vector<Table> tables_;
  std::vector<std::string> missing_, notes_;
};

// Keep the compiler from dropping a computation
template <class T>
inline void keep(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

// Smallest time of ours (the first contestant) against the best peer's: above 1 means ours is faster. 0 without a peer.
double speedup_over_best_peer(const std::vector<Measurement>& race);

}  // namespace sudar_bench
