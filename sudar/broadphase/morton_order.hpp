// What:    Items put into the order of a Morton curve through their centres, and how deep the curve divides neighbours.
// Source:  Morton, "A computer oriented geodetic data base", 1966; Lauterbach et al., "Fast BVH Construction on GPUs",
//          2009 (trees from the bits of the codes).
// Differs: A run of equal codes is ordered again in cells of its own bounds, and so on: a crowd in a corner of a huge
//          world is divided as finely as an even spread, which no fixed number of bits does.
// Frame:   level(i), between items i and i + 1, is larger where the curve divides more coarsely. In any run of items it
//          has one largest value, which is where a tree of the bits of the codes splits that run.
#pragma once

#include <sudar/broadphase/radix_sort.hpp>
#include <sudar/broadphase/tree_build.hpp>
#include <sudar/core/parallel.hpp>

#include <cstddef>
#include <span>

namespace sudar {

// Boxes that lie at equal distances in memory, or those of them that `numbers` names
template <int D>
class BoxRun {
 public:
  explicit BoxRun(std::span<const TreeItem<D>> items)
      : first_(reinterpret_cast<const std::byte*>(items.data())), stride_(sizeof(TreeItem<D>)), size_(items.size()) {}
  BoxRun(std::span<const Aabb<D, float>> boxes, std::span<const std::uint32_t> numbers)
      : first_(reinterpret_cast<const std::byte*>(boxes.data())),
        stride_(sizeof(Aabb<D, float>)),
        size_(numbers.size()),
        numbers_(numbers.data()) {}

  std::size_t size() const noexcept { return size_; }
  const Aabb<D, float>& operator[](std::size_t i) const noexcept {
    const std::size_t number = numbers_ == nullptr ? i : numbers_[i];
    return *reinterpret_cast<const Aabb<D, float>*>(first_ + number * stride_);
  }

 private:
  const std::byte* first_;
  std::size_t stride_, size_;
  const std::uint32_t* numbers_ = nullptr;
};

template <int D>
class MortonOrder {
 public:
  // Codes of 30 bits (32 in the plane), or of 63 (64)
  void sort(const BoxRun<D>& boxes, bool long_codes, Executor& executor);
  // And put the items into that order
  void sort(std::vector<TreeItem<D>>& items, bool long_codes, Executor& executor);

  // Which box of the run is in place i
  std::uint32_t row(std::size_t i) const noexcept { return keys_[i].row; }
  std::uint16_t level(std::size_t i) const noexcept { return levels_[i]; }
  // As many items, of no value: whoever wants to put the items into yet another order may write there, and swap
  std::vector<TreeItem<D>>& scratch() noexcept { return scratch_; }
  std::size_t bytes() const noexcept;

 private:
  struct LongKey {
    std::uint64_t code;
    std::uint32_t row;
  };
  struct Run {
    std::size_t begin, end;
    int depth;
  };
  // From centres to cells of 2^bits on each axis of a box around them
  struct Cells {
    Vec<D, double> lo, scale;
    double top;

    Cells(const Aabb<D, float>& centres, int bits);
    template <class Code>
    Code code(const Aabb<D, float>& box) const;
  };

  void sort_long_keys();
  template <class CodeAt>
  void set_levels(std::size_t begin, std::size_t end, int depth, CodeAt&& code_at);
  void refine(const BoxRun<D>& boxes);

  std::vector<KeyedRow> keys_, key_scratch_;
  std::vector<LongKey> long_keys_, long_scratch_;
  std::vector<TreeItem<D>> scratch_;
  std::vector<std::uint16_t> levels_;
  std::vector<Run> runs_;  // of equal codes
};

}  // namespace sudar
