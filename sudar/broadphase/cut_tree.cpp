#include <sudar/broadphase/cut_tree.hpp>
#include <sudar/broadphase/tree_walk.hpp>

namespace sudar {

namespace {

constexpr std::size_t kLeafGrain = 512;       // leaves of one task
constexpr std::size_t kCutGuestGrain = 8192;  // boxes of one task
constexpr double kLeafEntryCost = 6;          // of a box in a leaf, in box tests
constexpr double kMostCopies = 8;             // of a box, on average over any path from the root

// While a node is divided, an entry's tag holds its tag, the children it goes to and the axes on which it is below
constexpr std::uint32_t kChildShift = 8, kBelowShift = 16, kTagMask = 0xff;

// Bit c for each child c that is below the cut on axis k
template <int D>
constexpr std::array<std::uint32_t, D> low_children() {
  std::array<std::uint32_t, D> masks{};
  for (std::uint32_t child = 0; child < 1u << D; ++child)
    for (std::size_t k = 0; k < D; ++k) masks[k] |= (child >> k & 1u) == 0 ? 1u << child : 0;
  return masks;
}
template <int D>
constexpr std::array<std::uint32_t, D> kLowChildren = low_children<D>();

template <int D>
inline std::uint32_t sort_out(const Cut<D>& cut, const BoxEntry<D>& entry) {
  std::uint32_t children = (1u << (1u << D)) - 1, below = 0;
  for (int k = 0; k < D; ++k) {
    const std::uint32_t low = kLowChildren<D>[static_cast<std::size_t>(k)];
    // An axis without a cut has a low side only
    const bool is_cut = cut.cuts(k);
    const bool to_low = !is_cut || entry.box.lo[k] < cut.at[k], to_high = is_cut && entry.box.hi[k] >= cut.at[k];
    children &= (to_low ? low : 0u) | (to_high ? ~low : 0u);
    below |= static_cast<std::uint32_t>(to_low) << k;
  }
  return (entry.tag & kTagMask) | children << kChildShift | below << kBelowShift;
}

// The entry as the child sees it
template <int D>
inline BoxEntry<D> as_child(const BoxEntry<D>& entry, std::uint32_t child) {
  return {entry.box, entry.id, (entry.tag & kTagMask) | (entry.tag >> kBelowShift & child)};
}

template <int D>
Aabb<D, float> bounds_of(std::span<const BoxEntry<D>> entries) {
  Aabb<D, float> box = Aabb<D, float>::empty();
  for (const BoxEntry<D>& entry : entries) box = merge(box, entry.box);
  return box;
}

// Grows only, so that positions stay good
template <class T>
void reach(std::vector<T>& values, std::size_t count) {
  if (values.size() < count) values.resize(std::max(count, values.size() * 3 / 2));
}

}  // namespace

template <int D>
void CutTree<D>::build(const BoxStore<D>& store, bool fixed, const Limits& limits, CutRule<D>& rule) {
  nodes_.clear();
  leaves_.clear();
  entries_.clear();
  box_count_ = fixed ? store.fixed_count() : store.size() - store.fixed_count();
  if (box_count_ == 0) return;
  reach(divided_, box_count_);
  std::size_t count = 0;
  for (std::uint32_t row = 0; row < store.size(); ++row)
    if (store.is_fixed(row) == fixed) divided_[count++] = {store.box(row), store.ids()[row], 0};
  const std::span<const BoxEntry<D>> all(divided_.data(), count);
  nodes_.emplace_back();
  divide(0, 0, count, bounds_of<D>(all), 0, 1, limits, rule);
}

template <int D>
void CutTree<D>::make_leaf(Node node, std::size_t begin, std::size_t end) {
  Data& data = nodes_[node];
  data.begin = static_cast<std::uint32_t>(entries_.size());
  entries_.append({divided_.data() + begin, end - begin});
  data.end = static_cast<std::uint32_t>(entries_.size());
  for (std::size_t i = begin; i < end; ++i)
    if ((divided_[i].tag & kTagMask) == 0) data.home = merge(data.home, divided_[i].box);
  if (end - begin >= 2) leaves_.push_back(node);
  if (entries_.size() > std::numeric_limits<std::uint32_t>::max()) throw std::bad_alloc();
}

template <int D>
void CutTree<D>::divide(Node node, std::size_t begin, std::size_t end, Aabb<D, float> cell, int depth, double copies,
                        const Limits& limits, CutRule<D>& rule) {
  nodes_[node].depth = static_cast<std::uint32_t>(depth);
  const auto count = static_cast<double>(end - begin);
  Cut<D> cut;
  std::array<std::uint32_t, 1u << D> counts;
  std::size_t total = 0;
  for (;; ++depth) {
    if (end - begin <= limits.leaf_capacity || depth >= limits.depth) return make_leaf(node, begin, end);
    cut = rule.choose(cell, {divided_.data() + begin, end - begin}, depth);
    if (cut.axes == 0) return make_leaf(node, begin, end);
    // Who goes where
    counts.fill(0);
    for (std::size_t i = begin; i < end; ++i) {
      divided_[i].tag = sort_out(cut, divided_[i]);
      std::uint32_t children = divided_[i].tag >> kChildShift & kTagMask;
      for (; children != 0; children &= children - 1) ++counts[static_cast<std::size_t>(std::countr_zero(children))];
    }
    total = 0;
    double squares = 0;
    for (const std::uint32_t n : counts) {
      total += n;
      squares += static_cast<double>(n) * n;
    }
    // All in one child: go on with what of the child's cell they fill, so that a crowd in a large world costs no depth
    const auto whole = std::find(counts.begin(), counts.end(), static_cast<std::uint32_t>(end - begin));
    if (total == end - begin && whole != counts.end()) {
      const auto child = static_cast<std::uint32_t>(whole - counts.begin());
      cell = intersect(child_cell(cell, cut, child), bounds_of<D>({divided_.data() + begin, end - begin}));
      continue;
    }
    const auto entries = static_cast<double>(total);
    if (squares + kLeafEntryCost * entries >= count * count || copies * entries / count > kMostCopies)
      return make_leaf(node, begin, end);
    break;
  }

  // Deal the boxes to the children, behind the boxes of this node
  std::array<std::size_t, (1u << D) + 1> starts;
  starts[0] = end;
  for (std::size_t c = 0; c < counts.size(); ++c) starts[c + 1] = starts[c] + counts[c];
  reach(divided_, starts.back());
  std::array<std::size_t, 1u << D> next;
  std::copy(starts.begin(), starts.end() - 1, next.begin());
  for (std::size_t i = begin; i < end; ++i) {
    const BoxEntry<D> entry = divided_[i];
    std::uint32_t children = entry.tag >> kChildShift & kTagMask;
    for (; children != 0; children &= children - 1) {
      const auto child = static_cast<std::uint32_t>(std::countr_zero(children));
      divided_[next[child]++] = as_child(entry, child);
    }
  }

  const auto first = static_cast<Node>(nodes_.size());
  nodes_[node].cut = cut;
  nodes_[node].first_child = first;
  for (std::uint32_t c = 0; c < counts.size(); ++c) {
    if (counts[c] == 0) continue;
    nodes_.emplace_back();
    nodes_.back().code = c;
    ++nodes_[node].child_count;
  }
  // The last child first: the room of a child is free when it is done
  for (std::uint32_t i = nodes_[node].child_count; i-- > 0;) {
    const std::uint32_t c = nodes_[first + i].code;
    divide(first + i, starts[c], starts[c + 1], child_cell(cell, cut, c), depth + 1,
           copies * static_cast<double>(total) / count, limits, rule);
    nodes_[node].home = merge(nodes_[node].home, nodes_[first + i].home);
  }
}

template <int D>
std::size_t CutTree<D>::bytes() const noexcept {
  return nodes_.capacity() * sizeof(Data) + leaves_.capacity() * sizeof(Node) + entries_.bytes() +
         divided_.capacity() * sizeof(BoxEntry<D>);
}

template <int D>
void CutTree<D>::search(const BoxStore<D>& store, Executor& executor, std::vector<SearchOutput>& parts,
                        SearchOutput& out) const {
  search_blocks(executor, leaves_.size(), kLeafGrain, parts, out,
                [&](std::size_t begin, std::size_t end, SearchOutput& part) {
                  PairScan<D> scan(store, part);
                  for (std::size_t i = begin; i < end; ++i)
                    scan.within(entries_, nodes_[leaves_[i]].begin, nodes_[leaves_[i]].end);
                  scan.finish();
                  part.nodes_visited += end - begin;
                });
}

template <int D>
void CutTree<D>::search(const CutTree& other, const BoxStore<D>& store, Executor& executor,
                        std::vector<SearchOutput>& parts, SearchOutput& out) const {
  if (box_count_ == 0 || other.box_count_ == 0) return;
  // Blocks of the same size whatever the number of threads, so that the counters are the same
  search_blocks(executor, other.entries_.size(), kCutGuestGrain, parts, out,
                [&](std::size_t begin, std::size_t end, SearchOutput& part) {
                  PairScan<D> scan(store, part);
                  Guests guests;
                  for (std::size_t block = begin; block < end; block += kCutGuestGrain) {
                    // Each box of the other tree once: from the leaf of its lower corner
                    std::size_t count = 0;
                    reach(guests.entries, kCutGuestGrain);
                    for (std::size_t i = block; i < std::min(block + kCutGuestGrain, end); ++i)
                      if (other.entries_.tag(i) == 0)
                        guests.entries[count++] = {other.entries_.box(i), other.entries_.id(i), 0};
                    if (count > 0) meet(0, guests, 0, count, scan, part);
                  }
                });
}

template <int D>
void CutTree<D>::meet(Node node, Guests& guests, std::size_t begin, std::size_t end, PairScan<D>& scan,
                      SearchOutput& out) const {
  ++out.nodes_visited;
  const Data& data = nodes_[node];
  if (data.child_count == 0) {
    guests.list.clear();
    guests.list.append({guests.entries.data() + begin, end - begin});
    scan.across(guests.list, 0, end - begin, entries_, data.begin, data.end);
    scan.finish();
    return;
  }
  for (std::size_t i = begin; i < end; ++i) guests.entries[i].tag = sort_out(data.cut, guests.entries[i]);
  for (std::uint32_t c = 0; c < data.child_count; ++c) {
    const std::uint32_t child = nodes_[data.first_child + c].code;
    reach(guests.entries, 2 * end - begin);
    std::size_t last = end;
    for (std::size_t i = begin; i < end; ++i) {
      guests.entries[last] = as_child(guests.entries[i], child);
      last += guests.entries[i].tag >> kChildShift >> child & 1u;
    }
    if (last > end) meet(data.first_child + c, guests, end, last, scan, out);
  }
}

template class CutTree<2>;
template class CutTree<3>;

}  // namespace sudar
