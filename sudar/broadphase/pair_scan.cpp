#include <sudar/broadphase/pair_scan.hpp>

namespace sudar {

namespace {

// From this many on a list is sorted. Measured: sorting costs about as much as testing against 200 boxes.
constexpr std::size_t kScanCrowd = 256;
constexpr std::size_t kScanCrowdAcross = 128;  // for two lists: their product over their sum

// The axis on which the fewest boxes overlap: edges against the spread of the lower ends
template <int D>
int sweep_axis(const BoxList<D>& list, std::size_t begin, std::size_t end) {
  int best_axis = 0;
  double best = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < D; ++axis) {
    float first = list.lo(axis, begin), last = first;
    double edges = 0;
    for (std::size_t i = begin; i < end; ++i) {
      first = std::min(first, list.lo(axis, i));
      last = std::max(last, list.lo(axis, i));
      edges += static_cast<double>(list.hi(axis, i)) - list.lo(axis, i);
    }
    const double spread = static_cast<double>(last) - first;
    const double mean = edges / static_cast<double>(end - begin);
    const double share = spread > 0 ? mean / (mean + spread) : 1;
    if (share < best) {
      best = share;
      best_axis = axis;
    }
  }
  return best_axis;
}

// First number in [from, list.size()) whose lower end is above `last`: by leaps, then by halving
template <int D>
std::size_t run_end(const BoxList<D>& list, int axis, std::size_t from, float last) {
  std::size_t step = 1, low = from;
  while (low + step <= list.size() && list.lo(axis, low + step - 1) <= last) {
    low += step;
    step *= 2;
  }
  std::size_t high = std::min(low + step, list.size());
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (list.lo(axis, middle) <= last)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace

template <int D>
void PairScan<D>::test(const BoxList<D>& a, std::size_t query, const BoxList<D>& b, std::size_t from, std::size_t to) {
  if (queries_ != &a || targets_ != &b || queue_.full()) {
    finish();
    queries_ = &a;
    targets_ = &b;
  }
  out_.box_tests += queue_.add(query, from, to);
}

template <int D>
void PairScan<D>::finish() {
  if (queue_.empty()) return;
  queue_.run(queries_->columns(), targets_->columns(), [&](std::span<const ScanHit> hits) { report(hits); });
}

template <int D>
void PairScan<D>::report(std::span<const ScanHit> hits) {
  IdPair* place = out_.pairs.room(hits.size());
  std::size_t kept = 0;
  for (const ScanHit& hit : hits) {
    const std::uint32_t a = queries_->id(hit.query), b = targets_->id(hit.target);
    const bool here = (queries_->tag(hit.query) & targets_->tag(hit.target)) == 0;
    out_.duplicates += here ? 0 : 1;
    // Written blindly, kept when it counts
    place[kept] = make_pair_of(a, b);
    if (filtered_)
      kept += here && store_.rows_may_pair(store_.row_of(a), store_.row_of(b)) ? 1 : 0;
    else
      kept += here ? 1 : 0;
  }
  out_.pairs.commit(kept);
}

template <int D>
void PairScan<D>::sort_into(const BoxList<D>& list, std::size_t begin, std::size_t end, int axis, BoxList<D>& to) {
  keys_.resize(end - begin);
  for (std::size_t i = begin; i < end; ++i)
    keys_[i - begin] = {ordered_bits(list.lo(axis, i)), static_cast<std::uint32_t>(i)};
  // The radix sort has a fixed cost
  if (keys_.size() < 1024)
    std::sort(keys_.begin(), keys_.end(),
              [](const KeyedRow& a, const KeyedRow& b) { return a.key != b.key ? a.key < b.key : a.row < b.row; });
  else
    sort_rows(keys_, scratch_);
  to.clear();
  to.append(list, keys_.size(), [&](std::size_t i) { return std::size_t{keys_[i].row}; });
}

template <int D>
void PairScan<D>::within(const BoxList<D>& list, std::size_t begin, std::size_t end) {
  if (end - begin < 2) return;
  if (end - begin <= kScanCrowd) {
    for (std::size_t i = begin; i + 1 < end; ++i) test(list, i, list, i + 1, end);
    return;
  }
  finish();
  const int axis = sweep_axis(list, begin, end);
  sort_into(list, begin, end, axis, sorted_a_);
  for (std::size_t i = 0; i < sorted_a_.size(); ++i)
    test(sorted_a_, i, sorted_a_, i + 1, run_end(sorted_a_, axis, i + 1, sorted_a_.hi(axis, i)));
  finish();
}

template <int D>
void PairScan<D>::across(const BoxList<D>& a, std::size_t a_begin, std::size_t a_end, const BoxList<D>& b,
                         std::size_t b_begin, std::size_t b_end) {
  const std::size_t na = a_end - a_begin, nb = b_end - b_begin;
  if (na == 0 || nb == 0) return;
  if (na * nb <= kScanCrowdAcross * (na + nb)) {
    // The shorter list asks, so that the runs are long
    if (na <= nb)
      for (std::size_t i = a_begin; i < a_end; ++i) test(a, i, b, b_begin, b_end);
    else
      for (std::size_t i = b_begin; i < b_end; ++i) test(b, i, a, a_begin, a_end);
    return;
  }
  finish();
  const int axis = na < nb ? sweep_axis(b, b_begin, b_end) : sweep_axis(a, a_begin, a_end);
  sort_into(a, a_begin, a_end, axis, sorted_a_);
  sort_into(b, b_begin, b_end, axis, sorted_b_);
  // Each pair is met by the box that begins first; on a tie by the one of `a`
  std::size_t start = 0;
  for (std::size_t i = 0; i < na; ++i) {
    while (start < nb && sorted_b_.lo(axis, start) < sorted_a_.lo(axis, i)) ++start;
    test(sorted_a_, i, sorted_b_, start, run_end(sorted_b_, axis, start, sorted_a_.hi(axis, i)));
  }
  finish();
  start = 0;
  for (std::size_t i = 0; i < nb; ++i) {
    while (start < na && sorted_a_.lo(axis, start) <= sorted_b_.lo(axis, i)) ++start;
    test(sorted_b_, i, sorted_a_, start, run_end(sorted_a_, axis, start, sorted_b_.hi(axis, i)));
  }
  finish();
}

template <int D>
void PairScan<D>::select(const BoxList<D>& list, std::size_t begin, std::size_t end, const Aabb<D, float>& box,
                         BoxList<D>& to) {
  if (begin == end) return;
  one_.clear();
  one_.push(box, 0, 0);
  if (hits_.size() < end - begin) hits_.resize(std::max(end - begin, 2 * hits_.size()));
  const ScanTask task{0, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  const ScanProgress progress = scan_tasks<D>(one_.columns(), list.columns(), {&task, 1}, hits_.data(), hits_.size());
  to.append(list, progress.found, [&](std::size_t i) { return std::size_t{hits_[i].target}; });
}

template class PairScan<2>;
template class PairScan<3>;

}  // namespace sudar
