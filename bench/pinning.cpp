#include "bench/pinning.hpp"

#if defined(__linux__)
#include <sched.h>
#endif

namespace sudar_bench {

namespace {

std::vector<int> processors() {
  std::vector<int> all;
#if defined(__linux__)
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return all;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &allowed)) all.push_back(cpu);
#endif
  return all;
}

bool run_on([[maybe_unused]] const std::vector<int>& wanted) {
#if defined(__linux__)
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : wanted) CPU_SET(cpu, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0;
#else
  return false;
#endif
}

}  // namespace

int pin_to_one_processor() {
  const std::vector<int> all = processors();
  // The last one: interrupts mostly go to the first
  return !all.empty() && run_on({all.back()}) ? all.back() : -1;
}

int processors_allowed() { return static_cast<int>(processors().size()); }

PinnedHere::PinnedHere(bool wanted) {
  if (!wanted) return;
  std::vector<int> all = processors();
  if (all.size() > 1 && run_on({all.back()})) before_ = std::move(all);
}

PinnedHere::~PinnedHere() {
  if (!before_.empty()) (void)run_on(before_);
}

}  // namespace sudar_bench
