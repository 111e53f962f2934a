// What:    Handles with generations, and the pool that gives them out. A handle to something removed is recognised as
//          stale, even after its slot was used again.
// Differs: A slot whose generation would wrap around is retired, so a stale handle never comes alive again.
#pragma once

#include <sudar/core/result.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace sudar {

// Tag keeps handles of different things apart at compile time
template <class Tag>
struct Handle {
  std::uint32_t index = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t generation = 0;

  friend auto operator<=>(const Handle&, const Handle&) = default;
};

// Values in slots; the slot freed last is used first
template <class T, class Tag = T>
class HandlePool {
  // What moves a value in and takes it out cannot fail half-way
  static_assert(std::is_nothrow_default_constructible_v<T> && std::is_nothrow_move_constructible_v<T> &&
                std::is_nothrow_move_assignable_v<T>);

 public:
  using Id = Handle<Tag>;

  // Errors: too_large when no handle can name one more slot, out_of_memory; the pool is as it was
  Result<Id> insert(T value) noexcept {
    return guarded([&]() -> Result<Id> {
      std::uint32_t index;
      if (!free_.empty()) {
        index = free_.back();
        free_.pop_back();
        slots_[index].value = std::move(value);
      } else {
        if (slots_.size() >= Id{}.index)
          return Error{ErrorCode::too_large, Error::kNoElement, "more slots than a handle can name"};
        index = static_cast<std::uint32_t>(slots_.size());
        // Room for every slot in the free list, so that erase never has to ask for memory
        if (free_.capacity() <= slots_.size()) free_.reserve(2 * slots_.size() + 16);
        slots_.push_back({std::move(value), 1, false});
      }
      slots_[index].used = true;
      ++count_;
      return Id{index, slots_[index].generation};
    });
  }

  Result<void> erase(Id id) noexcept {
    if (!contains(id)) return Error{ErrorCode::unknown_id, id.index, "no such handle"};
    Slot& slot = slots_[id.index];
    slot.used = false;
    slot.value = T{};
    --count_;
    if (++slot.generation != 0) free_.push_back(id.index);
    return {};
  }

  bool contains(Id id) const noexcept {
    return id.index < slots_.size() && slots_[id.index].used && slots_[id.index].generation == id.generation;
  }
  T* find(Id id) noexcept { return contains(id) ? &slots_[id.index].value : nullptr; }
  const T* find(Id id) const noexcept { return contains(id) ? &slots_[id.index].value : nullptr; }

  std::size_t size() const noexcept { return count_; }
  bool empty() const noexcept { return count_ == 0; }

  // Visit every value in slot order, which is the same on every run
  template <class F>
  void for_each(F&& visit) const {
    for (std::uint32_t i = 0; i < slots_.size(); ++i)
      if (slots_[i].used) visit(Id{i, slots_[i].generation}, slots_[i].value);
  }

 private:
  struct Slot {
    T value{};
    std::uint32_t generation = 1;
    bool used = false;
  };
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
  std::size_t count_ = 0;
};

}  // namespace sudar
