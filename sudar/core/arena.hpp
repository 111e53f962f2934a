// What:    Scratch memory that is kept between calls: bump allocation in blocks, freed all at once by reset().
// Differs: Large blocks are aligned to huge pages and reused, because page faults can cost more than the work itself.
// Fails:   allocate() and reset() throw bad_alloc like new; the doors of the library turn that into a Result
//          (`guarded`). The arena stays usable.
#pragma once

#include <sudar/core/config.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace sudar {

class SUDAR_API Arena {
 public:
  Arena() = default;
  ~Arena();
  Arena(Arena&& other) noexcept;
  Arena& operator=(Arena&& other) noexcept;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Uninitialised storage, valid until reset()
  template <class T>
  std::span<T> allocate(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && std::is_trivially_default_constructible_v<T>);
    static_assert(alignof(T) <= kAlignment);
    if (count > static_cast<std::size_t>(-1) / sizeof(T)) fail();
    T* first = static_cast<T*>(bytes(count * sizeof(T)));
    std::uninitialized_default_construct_n(first, count);
    return {first, count};
  }

  // Give everything back to the arena, not to the system. Blocks are merged, so a steady state needs one.
  void reset();
  std::size_t capacity() const noexcept;

 private:
  static constexpr std::size_t kAlignment = 64;
  struct Block {
    std::byte* data;
    std::size_t size;
  };

  [[noreturn]] static void fail();
  void* bytes(std::size_t size);
  void add_block(std::size_t size);
  void release() noexcept;

  std::vector<Block> blocks_;
  std::size_t current_ = 0;  // block being filled
  std::size_t used_ = 0;     // bytes used in it
};

}  // namespace sudar
