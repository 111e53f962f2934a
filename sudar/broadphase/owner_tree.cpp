#include <sudar/broadphase/owner_tree.hpp>
#include <sudar/broadphase/tree_walk.hpp>

namespace sudar {

namespace {

constexpr std::size_t kJobs = 64;               // a subtree with fewer boxes than this part of all is a job
constexpr std::size_t kSmallJob = 4096;         // or with fewer than this
constexpr std::size_t kOwnerGuestGrain = 8192;  // boxes of one task
constexpr std::size_t kShortSubtree = 128;      // a subtree with fewer boxes is gone through as one run

}  // namespace

template <int D>
void OwnerTree<D>::build(const BoxStore<D>& store, bool fixed, const Limits& limits, OwnerRule<D>& rule) {
  nodes_.clear();
  entries_.clear();
  children_overlap_ = rule.children_overlap();
  const std::size_t count = fixed ? store.fixed_count() : store.size() - store.fixed_count();
  if (count == 0) return;
  if (divided_.size() < count) {
    dealt_.resize(count);
    divided_.resize(count);  // last: it says how much room there is
  }
  std::size_t next = 0;
  for (std::uint32_t row = 0; row < store.size(); ++row)
    if (store.is_fixed(row) == fixed) divided_[next++] = {store.box(row), store.ids()[row], 0};
  rule.start();
  nodes_.emplace_back();
  divide(0, 0, count, rule.fit({divided_.data(), count}), 0, limits, rule);
}

template <int D>
void OwnerTree<D>::divide(Node node, std::size_t begin, std::size_t end, Aabb<D, float> cell, int depth,
                          const Limits& limits, OwnerRule<D>& rule) {
  constexpr std::uint32_t kStays = OwnerRule<D>::kStays;
  nodes_[node].depth = static_cast<std::uint32_t>(depth);
  nodes_[node].begin = static_cast<std::uint32_t>(entries_.size());
  std::array<std::size_t, kStays + 1> counts{};
  typename OwnerRule<D>::Cells cells;
  bool is_leaf = true;
  for (; end - begin > limits.leaf_capacity && depth < limits.depth; ++depth) {
    const std::span<BoxEntry<D>> entries(divided_.data() + begin, end - begin);
    if (!rule.divide(cell, entries, cells)) break;
    counts.fill(0);
    for (const BoxEntry<D>& entry : entries) ++counts[entry.tag];
    is_leaf = counts[kStays] == end - begin;
    const auto whole = std::find(counts.begin(), counts.end() - 1, end - begin);
    if (whole == counts.end() - 1) break;
    // All in one child: go on with the cell that they fill, so that a crowd in a large world costs no depth
    is_leaf = true;
    cell = rule.fit(entries);
  }
  nodes_[node].cell = cell;
  if (is_leaf) {
    counts.fill(0);
    counts[kStays] = end - begin;
    for (std::size_t i = begin; i < end; ++i) divided_[i].tag = kStays;
  }

  // Deal: who stays, then child after child
  std::array<std::size_t, kStays + 1> starts, next;
  starts[kStays] = begin;
  for (std::size_t c = 0; c < kStays; ++c) starts[c] = c == 0 ? begin + counts[kStays] : starts[c - 1] + counts[c - 1];
  next = starts;
  for (std::size_t i = begin; i < end; ++i) dealt_[next[divided_[i].tag]++] = divided_[i];
  for (std::size_t i = begin; i < end; ++i) dealt_[i].tag = 0;
  entries_.append({dealt_.data() + begin, counts[kStays]});
  nodes_[node].own_end = nodes_[node].end = static_cast<std::uint32_t>(entries_.size());
  for (std::size_t i = begin; i < begin + counts[kStays]; ++i)
    nodes_[node].bounds = merge(nodes_[node].bounds, dealt_[i].box);
  if (is_leaf) return;

  std::copy(dealt_.begin() + static_cast<std::ptrdiff_t>(begin), dealt_.begin() + static_cast<std::ptrdiff_t>(end),
            divided_.begin() + static_cast<std::ptrdiff_t>(begin));
  const auto first = static_cast<Node>(nodes_.size());
  std::uint32_t children = 0;
  for (std::size_t c = 0; c < kStays; ++c) children += counts[c] != 0 ? 1 : 0;
  nodes_.resize(nodes_.size() + children);
  nodes_[node].first_child = first;
  nodes_[node].child_count = children;
  children = 0;
  for (std::size_t c = 0; c < kStays; ++c) {
    if (counts[c] == 0) continue;
    const Node child = first + children++;
    divide(child, starts[c], starts[c] + counts[c], cells[c], depth + 1, limits, rule);
    nodes_[node].bounds = merge(nodes_[node].bounds, nodes_[child].bounds);
  }
  nodes_[node].end = static_cast<std::uint32_t>(entries_.size());
}

template <int D>
std::size_t OwnerTree<D>::bytes() const noexcept {
  return nodes_.capacity() * sizeof(Data) + entries_.bytes() +
         (divided_.capacity() + dealt_.capacity()) * sizeof(BoxEntry<D>);
}

template <int D>
void OwnerTree<D>::search(const BoxStore<D>& store, Executor& executor, std::vector<SearchOutput>& parts,
                          SearchOutput& out) const {
  if (entries_.size() == 0) return;
  Jobs jobs{std::max(kSmallJob, entries_.size() / kJobs)};
  // The upper nodes here; the subtrees below them as jobs
  {
    PairScan<D> scan(store, out);
    Visit upper{scan, out};
    upper.jobs = &jobs;
    meet(0, 0, upper);
    scan.finish();
  }
  search_blocks(executor, jobs.list.size(), 1, parts, out, [&](std::size_t begin, std::size_t end, SearchOutput& part) {
    PairScan<D> scan(store, part);
    Visit lower{scan, part};
    for (std::size_t i = begin; i < end; ++i) {
      const Job& job = jobs.list[i];
      lower.guests.clear();
      lower.guests.append(jobs.guests, job.end - job.begin, [&](std::size_t k) { return job.begin + k; });
      meet(job.node, 0, lower);
    }
    scan.finish();
  });
}

// Pushes the guests of a child: guests and boxes of this node, and boxes of the children before it
template <int D>
void OwnerTree<D>::welcome(Node parent, std::uint32_t child, std::size_t guests_begin, std::size_t guests_end,
                           Visit& state) const {
  const Data& data = nodes_[parent];
  const Aabb<D, float>& bounds = nodes_[data.first_child + child].bounds;
  state.scan.select(state.guests, guests_begin, guests_end, bounds, state.guests);
  if (!state.among_own) return;
  state.scan.select(entries_, data.begin, data.own_end, bounds, state.guests);
  if (!children_overlap_) return;
  for (std::uint32_t before = 0; before < child; ++before) gather(data.first_child + before, bounds, state);
}

// Pushes the boxes of a subtree that overlap `box`
template <int D>
void OwnerTree<D>::gather(Node node, const Aabb<D, float>& box, Visit& state) const {
  const Data& data = nodes_[node];
  if (!overlap(data.bounds, box)) return;
  if (data.end - data.begin <= kShortSubtree) {
    state.scan.select(entries_, data.begin, data.end, box, state.guests);
    return;
  }
  state.scan.select(entries_, data.begin, data.own_end, box, state.guests);
  for (std::uint32_t c = 0; c < data.child_count; ++c) gather(data.first_child + c, box, state);
}

// Tests the boxes of a subtree against the guests on top of the stack, and among each other unless told not to
template <int D>
void OwnerTree<D>::meet(Node node, std::size_t guests_begin, Visit& state) const {
  const Data& data = nodes_[node];
  BoxList<D>& guests = state.guests;
  const std::size_t guests_end = guests.size();
  if (!state.among_own && guests_begin == guests_end) return;
  // The upper nodes at once, a small subtree later
  if (state.jobs != nullptr && data.end - data.begin <= state.jobs->size) {
    Jobs& jobs = *state.jobs;
    jobs.list.push_back({node, jobs.guests.size(), jobs.guests.size() + guests_end - guests_begin});
    jobs.guests.append(guests, guests_end - guests_begin, [&](std::size_t k) { return guests_begin + k; });
    return;
  }
  ++state.out.nodes_visited;
  if (state.among_own) state.scan.within(entries_, data.begin, data.own_end);
  if (guests_begin < guests_end) {
    state.scan.across(guests, guests_begin, guests_end, entries_, data.begin, data.own_end);
    state.scan.finish();
  }
  for (std::uint32_t c = 0; c < data.child_count; ++c) {
    welcome(node, c, guests_begin, guests_end, state);
    meet(data.first_child + c, guests_end, state);
    guests.truncate(guests_end);
  }
}

template <int D>
void OwnerTree<D>::search(const OwnerTree& other, const BoxStore<D>& store, Executor& executor,
                          std::vector<SearchOutput>& parts, SearchOutput& out) const {
  if (nodes_.empty()) return;
  // Blocks of the same size whatever the number of threads, so that the counters are the same
  search_blocks(executor, other.entries_.size(), kOwnerGuestGrain, parts, out,
                [&](std::size_t begin, std::size_t end, SearchOutput& part) {
                  PairScan<D> scan(store, part);
                  Visit state{scan, part};
                  state.among_own = false;
                  for (std::size_t block = begin; block < end; block += kOwnerGuestGrain) {
                    state.guests.clear();
                    scan.select(other.entries_, block, std::min(block + kOwnerGuestGrain, end), nodes_[0].bounds,
                                state.guests);
                    meet(0, 0, state);
                  }
                  scan.finish();
                });
}

template class OwnerTree<2>;
template class OwnerTree<3>;

}  // namespace sudar
