// What:    Work that can be left: a caller who is asked to stop goes on without it, soon, however long the work takes.
// Differs: A flag between two pieces of work is not enough where one piece may take minutes (a file of gigabytes, one pair
//          of large parts). So the work runs in a thread of its own. After `stop` it has a moment to end by itself; then it
//          is left to run, and whoever called prints what is known and ends the process with leave_process, which
//          destroys nothing that the work may still use.
#pragma once

#include "cli/text.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <iostream>
#include <thread>

namespace sudar_cli {

// True when the work has ended, and false when it was left: after `stop`, once `may` says that it may be. What the work throws is
// thrown here.
template <class F, class May>
bool run_or_leave(F work, const std::atomic<bool>& stop, May may) {
  constexpr auto kLook = std::chrono::milliseconds(10), kMoment = std::chrono::milliseconds(120);
  std::packaged_task<void()> task(std::move(work));
  std::future<void> done = task.get_future();
  std::thread worker(std::move(task));
  for (auto waited = std::chrono::milliseconds(0);;) {
    if (done.wait_for(kLook) == std::future_status::ready) {
      worker.join();
      done.get();
      return true;
    }
    if (!stop) continue;
    waited += kLook;
    if (waited < kMoment || !may()) continue;
    worker.detach();
    return false;
  }
}
template <class F>
bool run_or_leave(F work, const std::atomic<bool>& stop) {
  return run_or_leave(std::move(work), stop, [] { return true; });
}

[[noreturn]] inline void leave_process(int exit_code) {
  // An answer that did not arrive is no answer
  if (!std::cout.flush()) exit_code = refuse("", "cannot write to the standard output");
  std::cerr.flush();
  std::fflush(nullptr);
  std::_Exit(exit_code);
}

}  // namespace sudar_cli
