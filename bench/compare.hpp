// What:    Two results.json side by side: what got slower beyond the noise, what got faster, which ratios changed, and how well
//          they repeat.
// Differs: A machine may be slower today. Where peers ran both times, their median change is taken for the machine's, and
//          ours is measured against it. A row counts as slower when its least time grew by more than what the rows
//          themselves scatter, and by a tenth at least. A ratio is that of a row to ours in the same race, which the machine
//          has no part in; it counts as changed when it is off by more than it scatters between rounds, and by more than
//          what two runs should repeat to. Nothing scatters so much that half as much again is not told: what is beyond the
//          floor and within its noise is listed as unsure. Rows and bars that vanished count as well when the same was run;
//          what else differs between the runs (options, processor, build) is told. What is no race is compared by its bars.
// Fails:   a file that is not there or is no result of `sudar bench`, or two with nothing in common: an error that says so.
#pragma once

#include <iosfwd>
#include <string>

namespace sudar_bench {

inline constexpr double kLeastChange = 0.1;  // of a time; smaller ones are never told
inline constexpr double kRepeatable = 0.15;  // ratios of two runs should be within this
inline constexpr double kMostNoise = 0.5;    // more is a change, however much a row scatters

// Whether it can be compared with; says why not
bool is_results_file(const std::string& file, std::ostream& errors);

// 0: nothing got worse; 1: something got slower, by its time or against a peer, fails, is missed or is gone; 2: one of the
// files cannot be used, or they have nothing in common
int compare_results(const std::string& older, const std::string& newer, std::ostream& out, std::ostream& errors);

}  // namespace sudar_bench
