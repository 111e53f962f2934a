// What:    Pairs within one list of boxes and across two, for searches that have cut space into short lists.
// Differs: Short lists are tested all against all by the kernels, many lists at a time; crowds are sorted along the
//          axis on which the fewest boxes overlap and swept, so that no list costs the square of its length.
// Frame:   Two boxes whose tags share a bit are met in another list too: counted as a duplicate, not reported.
#pragma once

#include <sudar/broadphase/box_list.hpp>
#include <sudar/broadphase/broadphase.hpp>

namespace sudar {

// Runs of one list of queries against one list of targets, done together
template <int D>
class TaskQueue {
 public:
  // Calls found(query, target) for each hit
  template <class F>
  void run(const BoxColumns<D>& queries, const BoxColumns<D>& targets, F&& found) {
    if (hits_.size() < longest_ + kLeastHits) hits_.resize(longest_ + kLeastHits);
    std::span<const ScanTask> left = tasks_;
    while (!left.empty()) {
      const ScanProgress progress = scan_tasks<D>(queries, targets, left, hits_.data(), hits_.size());
      found(std::span<const ScanHit>(hits_.data(), progress.found));
      left = left.subspan(progress.tasks);
    }
    tasks_.clear();
    longest_ = 0;
  }
  bool empty() const noexcept { return tasks_.empty(); }
  bool full() const noexcept { return tasks_.size() >= kMostTasks; }
  // Returns the number of box tests
  std::uint64_t add(std::size_t query, std::size_t from, std::size_t to) {
    if (to <= from) return 0;
    tasks_.push_back(
        {static_cast<std::uint32_t>(query), static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)});
    longest_ = std::max(longest_, to - from);
    return to - from;
  }

 private:
  static constexpr std::size_t kMostTasks = 1024, kLeastHits = 4096;
  std::vector<ScanTask> tasks_;
  std::vector<ScanHit> hits_;
  std::size_t longest_ = 0;
};

template <int D>
class PairScan {
 public:
  PairScan(const BoxStore<D>& store, SearchOutput& out) : store_(store), out_(out), filtered_(store.has_filters()) {}

  // Lists must stay as they are until finish().
  // Pairs of the boxes [begin, end) of a list
  void within(const BoxList<D>& list, std::size_t begin, std::size_t end);
  // Pairs of a box of one list and a box of another
  void across(const BoxList<D>& a, std::size_t a_begin, std::size_t a_end, const BoxList<D>& b, std::size_t b_begin,
              std::size_t b_end);
  // Pairs of one box of a list and the boxes [from, to) of a list
  void test(const BoxList<D>& a, std::size_t query, const BoxList<D>& b, std::size_t from, std::size_t to);
  void finish();
  // Appends to `to` the boxes [begin, end) of `list` that overlap `box`; the two may be one list
  void select(const BoxList<D>& list, std::size_t begin, std::size_t end, const Aabb<D, float>& box, BoxList<D>& to);
  std::size_t bytes() const noexcept { return sorted_a_.bytes() + sorted_b_.bytes(); }

 private:
  void report(std::span<const ScanHit> hits);
  void sort_into(const BoxList<D>& list, std::size_t begin, std::size_t end, int axis, BoxList<D>& to);

  const BoxStore<D>& store_;
  SearchOutput& out_;
  bool filtered_;
  const BoxList<D>*queries_ = nullptr, *targets_ = nullptr;  // of the waiting tasks
  TaskQueue<D> queue_;
  BoxList<D> sorted_a_, sorted_b_, one_;
  std::vector<KeyedRow> keys_, scratch_;
  std::vector<ScanHit> hits_;
};

}  // namespace sudar
