#include <sudar/core/parallel.hpp>

#if defined(SUDAR_HAVE_TBB)
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

#if defined(SUDAR_HAVE_TBB)
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
#if defined(SUDAR_HAVE_TBB)
  static TbbExecutor executor;
  return executor;
#else
  return serial_executor();
#endif
}

std::unique_ptr<Executor> make_executor(unsigned threads) {
#if defined(SUDAR_HAVE_TBB)
  if (threads > 1) return std::make_unique<TbbArenaExecutor>(threads);
#else
  static_cast<void>(threads);
#endif
  return std::make_unique<SerialExecutor>();
}

}  // namespace sudar
