#include "tests/fuzz/memory_peak.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>

#if defined(__SANITIZE_ADDRESS__)
#define SUDAR_HOOKS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SUDAR_HOOKS 1
#endif
#endif

#if defined(SUDAR_HOOKS)

// sanitizer/allocator_interface.h, which gcc does not bring
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*taken)(const volatile void*, std::size_t),
                                                         void (*given)(const volatile void*));
extern "C" std::size_t __sanitizer_get_allocated_size(const volatile void* memory);

namespace {

std::atomic<std::int64_t> held{0}, most{0};

void taken(const volatile void*, std::size_t size) {
  const std::int64_t now = held += static_cast<std::int64_t>(size);
  std::int64_t before = most;
  while (before < now && !most.compare_exchange_weak(before, now)) {}
}
void given(const volatile void* memory) {
  if (memory != nullptr) held -= static_cast<std::int64_t>(__sanitizer_get_allocated_size(memory));
}
const bool listens = __sanitizer_install_malloc_and_free_hooks(taken, given) != 0;

}  // namespace

namespace sudar_fuzz {
MemoryPeak::MemoryPeak() { held = most = 0; }
std::size_t MemoryPeak::bytes() const { return listens ? static_cast<std::size_t>(most) : 0; }
}  // namespace sudar_fuzz

#else

namespace sudar_fuzz {
MemoryPeak::MemoryPeak() = default;
std::size_t MemoryPeak::bytes() const { return 0; }
}  // namespace sudar_fuzz

#endif
