// What:    An executor of exactly as many threads as it is told, whatever the processor has and the library was built with.
//          Sudar's own takes no more than the processor has, so that on two cores eight would be two.
// Differs: Who is free takes the next task, so that another order of them is seen every time. A task that calls run() again
//          does the whole of it.
#pragma once

#include <sudar/core/parallel.hpp>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace sudar_test {

class Threads final : public sudar::Executor {
 public:
  explicit Threads(unsigned count) : concurrency_(count) {
    for (unsigned i = 1; i < count; ++i) others_.emplace_back([this] { wait_for_work(); });
  }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() override {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    begin_.notify_all();
    for (std::thread& each : others_) each.join();
  }
  unsigned concurrency() const noexcept override { return concurrency_; }
  void run(std::size_t count, Task task, void* context) override {
    if (others_.empty() || inside()) {
      for (std::size_t i = 0; i < count; ++i) task(context, i);
      return;
    }
    {
      const std::lock_guard lock(mutex_);
      count_ = count, task_ = task, context_ = context, next_ = 0, busy_ = others_.size(), thrown_ = nullptr;
      ++round_;
    }
    begin_.notify_all();
    work();
    std::unique_lock lock(mutex_);
    end_.wait(lock, [this] { return busy_ == 0; });
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  // Whether this thread is in the middle of a task
  static bool& inside() {
    thread_local bool is = false;
    return is;
  }
  void work() noexcept {
    inside() = true;
    try {
      for (std::size_t i = next_++; i < count_; i = next_++) task_(context_, i);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      thrown_ = std::current_exception();
      next_ = count_;
    }
    inside() = false;
  }
  void wait_for_work() {
    for (std::size_t seen = 0;;) {
      {
        std::unique_lock lock(mutex_);
        begin_.wait(lock, [&] { return over_ || round_ != seen; });
        if (over_) return;
        seen = round_;
      }
      work();
      const std::lock_guard lock(mutex_);
      if (--busy_ == 0) end_.notify_one();
    }
  }

  unsigned concurrency_;
  std::mutex mutex_;
  std::condition_variable begin_, end_;
  std::size_t round_ = 0, busy_ = 0, count_ = 0;
  std::atomic<std::size_t> next_{0};
  Task task_ = nullptr;
  void* context_ = nullptr;
  std::exception_ptr thrown_;
  bool over_ = false;
  std::vector<std::thread> others_;
};

}  // namespace sudar_test
