// What:    Progress of `sudar check` on stderr, and Ctrl-C as a wish to stop.
// Differs: The bar is drawn only where stderr is a terminal, several times a second, with the time left.
#pragma once

#include "cli/clash_search.hpp"
#include "cli/stop_signal.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace sudar_cli {

class CheckProgress {
 public:
  explicit CheckProgress(ClashControl& control);
  ~CheckProgress();
  CheckProgress(const CheckProgress&) = delete;
  CheckProgress& operator=(const CheckProgress&) = delete;

  // What is being done from now on, and what is counted: "reading", "files"
  void phase(const std::string& name, const std::string& things);
  // A line of its own on stderr, also while the bar is there
  void say(const std::string& line);
  // Nothing is drawn any more, and Ctrl-C is what it was
  void finish();

 private:
  void draw_lines();
  std::string line() const;

  ClashControl& control_;
  std::optional<StopSignal> signal_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::string phase_, things_;
  std::chrono::steady_clock::time_point start_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace sudar_cli
