#include "bench/retakes.hpp"

#include "bench/lockstep.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>

namespace sudar_bench {

namespace {

constexpr double kHarmless = 0.01;  // of a round
constexpr double kShare = 0.5;      // of the time of the regular rounds

// How often this thread lost its processor to another one
long involuntary_switches() {
  rusage used{};
#if defined(RUSAGE_THREAD)
  getrusage(RUSAGE_THREAD, &used);
#else
  getrusage(RUSAGE_SELF, &used);
#endif
  return used.ru_nivcsw;
}

double wall_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Solitude::Solitude(bool one_thread)
    : one_thread_(one_thread), switches_(involuntary_switches()), wall_ms_(wall_ms()), processor_ms_(processor_ms()) {}

bool Solitude::kept() const {
  const double here = processor_ms() - processor_ms_, all = wall_ms() - wall_ms_;
  if (involuntary_switches() == switches_) return true;
  return one_thread_ && all - here <= kHarmless * all;
}

bool Retakes::allowed(std::size_t who, double ms) const {
  return counts_[who] < most_ && spent_ms_ + ms <= std::min(most_ms_, kShare * regular_ms_);
}

}  // namespace sudar_bench
