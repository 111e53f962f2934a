#include "tests/faults/failing_new.hpp"

#include "tests/support/counts.hpp"

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

namespace {

// Counted down from the chosen number; below zero it has come to it
std::atomic<std::int64_t> allocations_left{0};
std::atomic<bool> counts{false}, fails_on{false}, has_failed{false}, spares_owner{false};
std::atomic<std::int64_t> live{0};
std::thread::id owner;  // of the shortage
std::int64_t at_first = 0;

bool runs_out() noexcept {
  if (!counts.load(std::memory_order_relaxed)) return false;
  if (spares_owner && std::this_thread::get_id() == owner) return false;
  const std::int64_t left = allocations_left.fetch_sub(1) - 1;
  if (left >= 0 || (left < -1 && !fails_on)) return false;
  has_failed = true;
  return true;
}

void* take(std::size_t size, std::size_t alignment) noexcept {
  if (runs_out()) return nullptr;
  if (size == 0) size = 1;
  void* const memory = alignment <= alignof(std::max_align_t)
                           ? std::malloc(size)
                           : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory != nullptr) live.fetch_add(1, std::memory_order_relaxed);
  return memory;
}
void give_back(void* memory) noexcept {
  if (memory != nullptr) live.fetch_sub(1, std::memory_order_relaxed);
  std::free(memory);
}
void* take_or_throw(std::size_t size, std::size_t alignment) {
  if (void* const memory = take(size, alignment)) return memory;
  throw std::bad_alloc();
}

constexpr std::size_t kPlain = alignof(std::max_align_t);

}  // namespace

void* operator new(std::size_t size) { return take_or_throw(size, kPlain); }
void* operator new[](std::size_t size) { return take_or_throw(size, kPlain); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return take_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return take_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return take(size, kPlain); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return take(size, kPlain); }
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete[](void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { give_back(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { give_back(memory); }

namespace sudar_test {

namespace {

class PointsListener final : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo&) override { before_ = failure_points(); }
  void OnTestEnd(const testing::TestInfo&) override {
    const FailurePoints& now = failure_points();
    if (now.tried == before_.tried) return;
    count_cases("memory_points", now.tried - before_.tried);
    count_cases("memory_points_of", now.all - before_.all);
  }

  FailurePoints before_;
};

const bool listens = (testing::UnitTest::GetInstance()->listeners().Append(new PointsListener), true);

}  // namespace

FailurePoints& failure_points() {
  static FailurePoints points;
  return points;
}

std::int64_t live_allocations() noexcept { return live; }

FailingNew::FailingNew(std::size_t which, Shortage shortage, Whose whose) noexcept {
  at_first = static_cast<std::int64_t>(std::min(which, kEveryPoint / 4));
  allocations_left = at_first;
  fails_on = shortage == Shortage::from_then_on;
  has_failed = false;
  spares_owner = whose == Whose::other_threads;
  owner = std::this_thread::get_id();
  counts = true;
}
FailingNew::~FailingNew() { counts = false; }
bool FailingNew::failed() const noexcept { return has_failed; }
std::size_t FailingNew::allocations() const noexcept { return static_cast<std::size_t>(at_first - allocations_left); }

}  // namespace sudar_test
