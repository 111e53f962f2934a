// What:    What a benchmark leaves behind: measurements of races, tables, bars, charts, findings on the seeds' claims, missing
//          peers and notes; for one part, and for a whole run.
// Differs: Plain data, so that a part can run in a process of its own and its results be kept in a file (part_file.hpp).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sudar_bench {

struct Measurement {
  std::string table, workload, contestant, version;
  int rounds = 0;
  double min_ms = 0, median_ms = 0, spread = 0;  // spread: (90th - 10th percentile) / median
  double ratio_to_best = 0;                      // of minima
  double ratio_low = 0, ratio_high = 0;          // 10th and 90th percentile of the ratio in one round
  double ratio_median = 0;                       // the middle one of the ratio in one round
  std::vector<double> times = {};                // ms of the rounds, in their order; they are not kept in files
  int calls = 1;                                 // in a round: short work is repeated, and its time divided
  int disturbed = 0;                             // rounds in which the processor was given to somebody else
  int repeated = 0;                              // rounds that were taken again for that reason
  double answer = 0;
  // Answers that are wrong, `of` so many; where `of` is 0, rounds whose answer differs from the first contestant's
  int disagreements = 0;
  std::size_t of = 0;
  std::string why = {};  // they differ, where that is known
  // Empty, or why there are no times: it crashed, or took too long. The times are infinite then.
  std::string trouble = {};
};

// A bar of the project: what was asked, what was seen. One that was announced and never measured is not met.
struct Bar {
  std::string what;
  double required = 0, seen = 0;
  bool passed = false;
  bool measured = true;
  double seen_by_rounds = 0;  // of a ratio: the middle one of the rounds, beside that of the minima; 0: no ratio
  enum class Side { unknown, at_least, at_most } side = Side::unknown;  // unknown until it is measured
};

// A table that is not a race: plain columns, one row a measurement
struct Table {
  std::string name;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

// A picture of a table. Lines: y over x, one line a series. Bars: y for each series at each x. Map: a cell for each x and y
// with the name in `series`. What is in `choices` is chosen by the reader, one value at a time.
struct Chart {
  std::string name, title, table;
  std::string kind = "lines";
  std::string x, y, series;
  bool log_x = false, log_y = false;
  std::vector<std::string> choices = {};
  struct Level {
    double y;
    std::string label;
  };
  std::vector<Level> levels = {};
};

// What a seed found, and whether our numbers have the same shape
enum class Verdict { confirmed, refuted, open };
struct Finding {
  std::string id;     // of the seeds: E14
  std::string claim;  // theirs
  Verdict verdict = Verdict::open;
  std::string ours;   // a sentence with our numbers
  std::string chart;  // that shows it
};

struct Results {
  std::vector<Measurement> measurements;
  std::vector<Bar> bars;
  std::vector<Table> tables;
  std::vector<Chart> charts;
  std::vector<Finding> findings;
  std::vector<std::string> missing, notes;
  std::vector<std::string> missing_inputs;  // files and libraries without which something was not measured
};

// One part of a suite, as it went
struct PartResult {
  std::string suite, part;
  double seconds = 0;
  double megabytes = 0;      // of memory, at most
  bool resumed = false;      // from an earlier run
  std::string trouble = {};  // why it did not get to its end; empty when it did
  Results results;
};

}  // namespace sudar_bench
