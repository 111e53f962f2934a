// What:    A growing list of boxes with ids in columns that the overlap kernels can read.
// Differs: Columns are padded past their end; shrinking keeps the memory, so that a list serves as a stack of lists.
#pragma once

#include <sudar/broadphase/overlap_kernels.hpp>

#include <algorithm>
#include <vector>

namespace sudar {

// A box on its way through a tree that is being built
template <int D>
struct BoxEntry {
  Aabb<D, float> box;
  std::uint32_t id;
  std::uint32_t tag;  // what the owner of the list wants to know of it
};

template <int D>
class BoxList {
 public:
  std::size_t size() const noexcept { return size_; }
  void truncate(std::size_t count) noexcept { size_ = count; }
  void clear() noexcept { size_ = 0; }
  std::size_t bytes() const noexcept {
    std::size_t total = ids_.capacity() * sizeof(std::uint32_t) + tags_.capacity();
    for (const auto& column : columns_) total += column.capacity() * sizeof(float);
    return total;
  }

  BoxColumns<D> columns() const noexcept {
    BoxColumns<D> all;
    for (std::size_t k = 0; k < 2 * D; ++k) all[k] = columns_[k].data();
    return all;
  }
  Aabb<D, float> box(std::size_t i) const noexcept {
    Aabb<D, float> box;
    for (int k = 0; k < D; ++k) {
      box.lo[k] = columns_[static_cast<std::size_t>(k)][i];
      box.hi[k] = columns_[static_cast<std::size_t>(D + k)][i];
    }
    return box;
  }
  float lo(int axis, std::size_t i) const noexcept { return columns_[static_cast<std::size_t>(axis)][i]; }
  float hi(int axis, std::size_t i) const noexcept { return columns_[static_cast<std::size_t>(D + axis)][i]; }
  std::uint32_t id(std::size_t i) const noexcept { return ids_[i]; }
  std::uint32_t tag(std::size_t i) const noexcept { return tags_[i]; }

  void push(const Aabb<D, float>& box, std::uint32_t id, std::uint32_t tag) {
    make_room(1);
    set(size_++, box, id, tag);
  }
  void append(std::span<const BoxEntry<D>> entries) {
    make_room(entries.size());
    for (const BoxEntry<D>& entry : entries) set(size_++, entry.box, entry.id, entry.tag);
  }
  // Entries of `from`, which may be this list, by number
  template <class F>
  void append(const BoxList& from, std::size_t count, F&& number) {
    make_room(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t source = number(i);
      for (std::size_t k = 0; k < 2 * D; ++k) columns_[k][size_ + i] = from.columns_[k][source];
      ids_[size_ + i] = from.ids_[source];
      tags_[size_ + i] = from.tags_[source];
    }
    size_ += count;
  }
  void resize(std::size_t count) {
    size_ = 0;
    make_room(count);
    size_ = count;
  }
  void set(std::size_t i, const Aabb<D, float>& box, std::uint32_t id, std::uint32_t tag) noexcept {
    for (int k = 0; k < D; ++k) {
      columns_[static_cast<std::size_t>(k)][i] = box.lo[k];
      columns_[static_cast<std::size_t>(D + k)][i] = box.hi[k];
    }
    ids_[i] = id;
    tags_[i] = static_cast<std::uint8_t>(tag);
  }

 private:
  void make_room(std::size_t count) {
    if (size_ + count <= ids_.size()) return;
    const std::size_t room = std::max(size_ + count, ids_.size() * 3 / 2);
    for (auto& column : columns_) column.resize(room + kScanPad);
    tags_.resize(room);
    ids_.resize(room);  // last: it says how much room there is
  }

  std::array<std::vector<float>, 2 * static_cast<std::size_t>(D)> columns_;  // D of lo, D of hi
  std::vector<std::uint32_t> ids_;
  std::vector<std::uint8_t> tags_;
  std::size_t size_ = 0;
};

}  // namespace sudar
