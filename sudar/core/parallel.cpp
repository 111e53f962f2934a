#include <sudar/core/parallel.hpp>

// The thread sanitizer does not see how oneTBB, which is not built with it, hands work over, and would call every task a race.
// Its preset takes plain threads instead.
#if defined(SUDAR_PLAIN_THREADS)
#include <atomic>
#include <exception>
#include <thread>
#include <vector>
#elif defined(SUDAR_HAVE_TBB)
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace sudar {

Executor::~Executor() = default;

namespace {

class SerialExecutor final : public Executor {
 public:
  unsigned concurrency() const noexcept override { return 1; }
  void run(std::size_t count, Task task, void* context) override {
    for (std::size_t i = 0; i < count; ++i) task(context, i);
  }
};

#if defined(SUDAR_PLAIN_THREADS)
class ThreadsExecutor final : public Executor {
 public:
  explicit ThreadsExecutor(unsigned threads) : threads_(threads) {}
  unsigned concurrency() const noexcept override { return threads_; }
  // Every thread has its turn, however busy the machine is, and nothing that the threads share puts tasks in an order: a
  // counter that hands them out would, and the sanitizer would take two tasks that race for two that follow each other
  void run(std::size_t count, Task task, void* context) override {
    std::atomic<bool> stop{false};
    std::vector<std::exception_ptr> thrown(threads_);
    const auto work = [&](unsigned k) noexcept {
      try {
        for (std::size_t i = k; i < count && !stop.load(std::memory_order_relaxed); i += threads_) task(context, i);
      } catch (...) {
        thrown[k] = std::current_exception();
        stop.store(true, std::memory_order_relaxed);
      }
    };
    {
      std::vector<std::jthread> others;
      for (unsigned k = 1; k < threads_ && k < count; ++k) others.emplace_back(work, k);
      work(0);
    }
    for (const std::exception_ptr& each : thrown)
      if (each) std::rethrow_exception(each);
  }

 private:
  unsigned threads_;
};
#elif defined(SUDAR_HAVE_TBB)
class TbbExecutor final : public Executor {
 public:
  unsigned concurrency() const noexcept override { return static_cast<unsigned>(tbb::info::default_concurrency()); }
  void run(std::size_t count, Task task, void* context) override {
    tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) { task(context, i); });
  }
};

class TbbArenaExecutor final : public Executor {
 public:
  explicit TbbArenaExecutor(unsigned threads)
      : threads_(std::min(threads, static_cast<unsigned>(tbb::info::default_concurrency()))),
        arena_(static_cast<int>(threads_)) {}
  unsigned concurrency() const noexcept override { return threads_; }
  void run(std::size_t count, Task task, void* context) override {
    arena_.execute([&] { tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) { task(context, i); }); });
  }

 private:
  unsigned threads_;
  tbb::task_arena arena_;
};
#endif

}  // namespace

Executor& serial_executor() noexcept {
  static SerialExecutor executor;
  return executor;
}

Executor& default_executor() noexcept {
#if defined(SUDAR_PLAIN_THREADS)
  static ThreadsExecutor executor(4);
  return executor;
#elif defined(SUDAR_HAVE_TBB)
  static TbbExecutor executor;
  return executor;
#else
  return serial_executor();
#endif
}

std::unique_ptr<Executor> make_executor(unsigned threads) {
#if defined(SUDAR_PLAIN_THREADS)
  if (threads > 1) return std::make_unique<ThreadsExecutor>(std::min(threads, 8u));
#elif defined(SUDAR_HAVE_TBB)
  if (threads > 1) return std::make_unique<TbbArenaExecutor>(threads);
#else
  static_cast<void>(threads);
#endif
  return std::make_unique<SerialExecutor>();
}

}  // namespace sudar
