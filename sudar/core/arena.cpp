#include <sudar/core/arena.hpp>

#include <algorithm>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace sudar {

namespace {
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kFirstBlock = std::size_t{64} << 10;

std::size_t round_up(std::size_t size, std::size_t step) { return (size + step - 1) / step * step; }

// What a block of so many bytes begins at a multiple of
std::align_val_t alignment_of(std::size_t size, std::size_t least) {
  return static_cast<std::align_val_t>(size >= kHugePage ? kHugePage : least);
}
}  // namespace

Arena::~Arena() { release(); }

Arena::Arena(Arena&& other) noexcept : blocks_(std::move(other.blocks_)), current_(other.current_), used_(other.used_) {
  other.blocks_.clear();
  other.current_ = other.used_ = 0;
}

Arena& Arena::operator=(Arena&& other) noexcept {
  if (this == &other) return *this;
  release();
  blocks_ = std::move(other.blocks_);
  current_ = other.current_;
  used_ = other.used_;
  other.blocks_.clear();
  other.current_ = other.used_ = 0;
  return *this;
}

void Arena::fail() { throw std::bad_alloc(); }

void* Arena::bytes(std::size_t size) {
  if (size > static_cast<std::size_t>(-1) - kHugePage) fail();
  size = round_up(std::max<std::size_t>(size, 1), kAlignment);
  while (current_ < blocks_.size() && blocks_[current_].size - used_ < size) {
    ++current_;
    used_ = 0;
  }
  if (current_ == blocks_.size()) add_block(std::max({size, kFirstBlock, capacity()}));
  std::byte* result = blocks_[current_].data + used_;
  used_ += size;
  return result;
}

void Arena::add_block(std::size_t size) {
  size = round_up(size, kAlignment);
  const std::align_val_t alignment = alignment_of(size, kAlignment);
  size = round_up(size, static_cast<std::size_t>(alignment));
  blocks_.reserve(blocks_.size() + 1);
  // By operator new, which a program may replace
  void* data = ::operator new(size, alignment);
#if defined(__linux__)
  if (size >= kHugePage) madvise(data, size, MADV_HUGEPAGE);
#endif
  blocks_.push_back({static_cast<std::byte*>(data), size});
}

void Arena::reset() {
  if (blocks_.size() > 1) {
    const std::size_t total = capacity();
    release();
    add_block(total);
  }
  current_ = used_ = 0;
}

std::size_t Arena::capacity() const noexcept {
  std::size_t total = 0;
  for (const Block& block : blocks_) total += block.size;
  return total;
}

void Arena::release() noexcept {
  for (const Block& block : blocks_) ::operator delete(block.data, alignment_of(block.size, kAlignment));
  blocks_.clear();
  current_ = used_ = 0;
}

}  // namespace sudar
