// What:    A queue of one time per ball, of which any may change at any moment and the least is wanted.
// Source:  Knuth, "The Art of Computer Programming 3", 5.4.1: a tree of winners.
// Differs: Nodes hold the winner's time beside its number, so a change reads one sibling a level, and it stops at the
//          first node that stays what it was: most changes are of balls that are not next. Equal times go by the number, so
//          the order is the same on every run.
#pragma once

#include <sudar/core/assert.hpp>

#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

namespace sudar {

class EventQueue {
 public:
  struct Entry {
    double time = std::numeric_limits<double>::infinity();
    std::uint32_t id = 0;
    friend bool operator==(const Entry&, const Entry&) = default;
  };

  EventQueue() = default;
  // All at infinity. May throw bad_alloc.
  explicit EventQueue(std::size_t count)
      : leaves_(std::bit_ceil(count < 2 ? std::size_t{2} : count)), nodes_(2 * leaves_) {
    for (std::size_t i = 0; i < leaves_; ++i) nodes_[leaves_ + i].id = static_cast<std::uint32_t>(i);
    for (std::size_t i = leaves_ - 1; i > 0; --i) nodes_[i] = nodes_[2 * i];
  }

  const Entry& top() const { return nodes_[1]; }
  double time(std::uint32_t id) const { return nodes_[leaves_ + id].time; }

  void set(std::uint32_t id, double time) {
    SUDAR_ASSERT(id < leaves_);
    std::size_t node = leaves_ + id;
    Entry winner{time, id};
    nodes_[node] = winner;
    while (node > 1) {
      const Entry& other = nodes_[node ^ 1];
      if (other.time < winner.time || (other.time == winner.time && other.id < winner.id)) winner = other;
      node >>= 1;
      if (nodes_[node] == winner) return;
      nodes_[node] = winner;
    }
  }

  std::size_t bytes() const { return nodes_.capacity() * sizeof(Entry); }

 private:
  std::size_t leaves_ = 0;
  std::vector<Entry> nodes_;
};

}  // namespace sudar
