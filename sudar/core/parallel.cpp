#include <sudar/core/parallel.hpp>

#if defined(SUDAR_HAVE_TBB)
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#endif

namespace sudar::inline SUDAR_ABI {

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

}  // namespace sudar::inline SUDAR_ABI
