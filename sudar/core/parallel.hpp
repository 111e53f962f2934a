// What:    parallel_for over an executor: oneTBB when the library was built with it, serial otherwise, or the caller's.
// Differs: Ranges are cut by `grain` alone, never by the number of threads, so that a result that depends on the cut is
//          the same for every thread count.
#pragma once

#include <sudar/core/assert.hpp>
#include <sudar/core/config.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>

namespace sudar {

// Runs task(context, 0) … task(context, count - 1) in any order and returns when all are done. A task may throw
// bad_alloc: run() then throws it in the thread that called it, after no other task is running. It throws nothing else.
class SUDAR_API Executor {
 public:
  using Task = void (*)(void* context, std::size_t index);

  virtual ~Executor();
  virtual unsigned concurrency() const noexcept = 0;
  virtual void run(std::size_t count, Task task, void* context) = 0;
};

SUDAR_API Executor& serial_executor() noexcept;
// oneTBB with all of its threads, or the serial one when the library was built without oneTBB
SUDAR_API Executor& default_executor() noexcept;
// At most `threads` of oneTBB's threads (at least 1), or a serial one when the library was built without oneTBB. Throws
// bad_alloc like new.
SUDAR_API std::unique_ptr<Executor> make_executor(unsigned threads);

// Calls body(begin, end) on blocks of `grain` indices that cover [0, count)
template <class F>
void parallel_for(Executor& executor, std::size_t count, std::size_t grain, F&& body) {
  SUDAR_ASSERT(grain > 0);
  if (count <= grain) {
    if (count > 0) body(std::size_t{0}, count);
    return;
  }
  struct Context {
    F& body;
    std::size_t count, grain;
  } context{body, count, grain};
  executor.run((count + grain - 1) / grain,
               [](void* opaque, std::size_t index) {
                 const Context& c = *static_cast<Context*>(opaque);
                 c.body(index * c.grain, std::min(c.count, (index + 1) * c.grain));
               },
               &context);
}

}  // namespace sudar
