#include "tests/faults/failing_new.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

// Counted down from the chosen number; below zero it has come to it
std::atomic<std::int64_t> allocations_left{0};
std::atomic<bool> counts{false}, fails_on{false}, has_failed{false};

bool runs_out() noexcept {
  if (!counts.load(std::memory_order_relaxed)) return false;
  const std::int64_t left = allocations_left.fetch_sub(1) - 1;
  if (left >= 0 || (left < -1 && !fails_on)) return false;
  has_failed = true;
  return true;
}

void* take(std::size_t size, std::size_t alignment) noexcept {
  if (runs_out()) return nullptr;
  if (size == 0) size = 1;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
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
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

namespace sudar_test {

FailingNew::FailingNew(std::size_t which, Shortage shortage) noexcept {
  allocations_left = static_cast<std::int64_t>(which);
  fails_on = shortage == Shortage::from_then_on;
  has_failed = false;
  counts = true;
}
FailingNew::~FailingNew() { counts = false; }
bool FailingNew::failed() const noexcept { return has_failed; }

}  // namespace sudar_test
