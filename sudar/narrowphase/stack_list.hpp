// What:    A list that lives on the stack while it is short and moves to the heap when it is not.
// Fails:   growing beyond N may throw bad_alloc.
#pragma once

#include <sudar/core/assert.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace sudar {

template <class T, std::size_t N>
class StackList {
 public:
  void push_back(const T& value) {
    if (!long_.empty()) {
      long_.push_back(value);
    } else if (count_ < N) {
      short_[count_] = value;
    } else {
      long_.reserve(2 * N + 1);
      long_.assign(short_.begin(), short_.end());
      long_.push_back(value);
    }
    ++count_;
  }
  void clear() {
    long_.clear();
    count_ = 0;
  }
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  const T* data() const { return long_.empty() ? short_.data() : long_.data(); }
  T* data() { return long_.empty() ? short_.data() : long_.data(); }
  const T& operator[](std::size_t i) const { return data()[i]; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + count_; }
  T* begin() { return data(); }
  T* end() { return data() + count_; }

 private:
  std::array<T, N> short_{};
  std::vector<T> long_;
  std::size_t count_ = 0;
};

}  // namespace sudar
