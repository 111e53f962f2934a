// What:    An executor whose tasks all run in two threads of its own, however few processors there are: what fails in a task
//          fails in another thread than the caller's.
// Differs: It asks for no memory itself, so that every allocation that fails is the library's.
#pragma once

#include <sudar/core/parallel.hpp>

#include <array>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace sudar_test {

class OtherThreads final : public sudar::Executor {
 public:
  OtherThreads() {
    for (std::size_t k = 0; k < kThreads; ++k) threads_[k] = std::thread([this, k] { serve(k); });
  }
  ~OtherThreads() override {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    called_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  OtherThreads(const OtherThreads&) = delete;
  OtherThreads& operator=(const OtherThreads&) = delete;

  unsigned concurrency() const noexcept override { return kThreads; }
  void run(std::size_t count, Task task, void* context) override {
    // Tasks that have tasks of their own run them where they are
    for (const std::thread& thread : threads_)
      if (thread.get_id() == std::this_thread::get_id()) {
        for (std::size_t i = 0; i < count; ++i) task(context, i);
        return;
      }
    std::unique_lock lock(mutex_);
    count_ = count, task_ = task, context_ = context;
    thrown_ = {};
    busy_ = kThreads;
    ++call_;
    called_.notify_all();
    done_.wait(lock, [&] { return busy_ == 0; });
    for (std::exception_ptr& each : thrown_)
      if (each) std::rethrow_exception(std::exchange(each, nullptr));
  }

 private:
  static constexpr std::size_t kThreads = 2;

  void serve(std::size_t k) {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
      called_.wait(lock, [&] { return ends_ || call_ != seen; });
      if (ends_) return;
      seen = call_;
      lock.unlock();
      std::exception_ptr thrown;
      try {
        for (std::size_t i = k; i < count_; i += kThreads) task_(context_, i);
      } catch (...) {
        thrown = std::current_exception();
      }
      lock.lock();
      thrown_[k] = std::move(thrown);
      if (--busy_ == 0) done_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable called_, done_;
  std::uint64_t call_ = 0;
  std::size_t count_ = 0, busy_ = 0;
  Task task_ = nullptr;
  void* context_ = nullptr;
  bool ends_ = false;
  std::array<std::exception_ptr, kThreads> thrown_;
  std::array<std::thread, kThreads> threads_;
};

// One for all tests of a program
inline OtherThreads& other_threads() {
  static OtherThreads threads;
  return threads;
}

}  // namespace sudar_test
