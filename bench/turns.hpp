// What:    A race of work that goes on, a world and its steps: in every round it begins anew and is done in blocks, and the
//          contestants take turns block by block, in random order in every block, so that whatever disturbs one disturbs all.
// Differs: All rounds of a contestant go the same way, so the least time is that of every block by itself, whichever round it
//          was of: a round of many seconds is never left alone from its beginning to its end. A first block of work that is
//          thrown away warms up. Answers are judged by whoever asks for the race; nothing is added to the session.
// Fails:   who throws, crashes or does not come back while it begins, in a block or when it is judged has a row that says so,
//          and the rest goes on.
#pragma once

#include "bench/harness.hpp"

#include <functional>
#include <string>
#include <vector>

namespace sudar_bench {

struct TurnTaker {
  std::string name, version;  // no version: ours
  // Makes all of it anew, outside of the clock; what it gives does one block
  std::function<std::function<void()>()> begin;
  // Looks at what the last round left, outside of the clock
  std::function<void()> judge = nullptr;
};

struct TurnPlan {
  int rounds = 3, blocks = 1;
  int steps = 1;  // in a block; times are of one
};

// In the order of the contestants
std::vector<Measurement> race_in_turns(Session& session, const std::string& table, const std::string& workload,
                                       const TurnPlan& plan, const std::vector<TurnTaker>& takers);

}  // namespace sudar_bench
