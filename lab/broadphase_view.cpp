#include "lab/broadphase_view.hpp"

#include "lab/live_scene.hpp"
#include <sudar/broadphase/adaptive.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sudar::lab {

namespace {

std::string count_text(const char* format, double a, double b = 0, double c = 0) {
  char text[200];
  std::snprintf(text, sizeof text, format, a, b, c);
  return text;
}

template <int D>
Vec<D, double> middle_of_row(const BoxStore<D>& store, std::uint32_t row) {
  Vec<D, double> p;
  for (int k = 0; k < D; ++k) p[k] = 0.5 * (static_cast<double>(store.lo(k)[row]) + store.hi(k)[row]);
  return p;
}

}  // namespace

template <int D>
class BroadphaseView<D>::Gather final : public InsideVisitor<D> {
 public:
  explicit Gather(BroadphaseView& to) : to_(to) {}
  void node(const InsideNode<D>& node) override {
    to_.nodes_.push_back(node);
    to_.depth_ = std::max(to_.depth_, static_cast<int>(node.depth));
  }
  void cell(const InsideCell<D>& cell) override { to_.cells_.push_back(cell); }
  void end(int axis, float at, bool upper, std::uint32_t id) override {
    to_.ends_[static_cast<std::size_t>(axis)].push_back({at, upper, id});
  }
  void figure(std::string_view name, double value) override { to_.figures_.emplace_back(name, value); }

 private:
  BroadphaseView& to_;
};

template <int D>
void BroadphaseView<D>::clear() {
  nodes_.clear();
  cells_.clear();
  for (auto& ends : ends_) ends.clear();
  figures_.clear();
  boxes_.clear();
  colors_.clear();
  balls_.clear();
  ball_colors_.clear();
  lines_.clear();
  labels_.clear();
  sentence_.clear();
  left_out_ = 0;
  depth_ = 0;
  false_pairs_ = changed_places_ = 0;
  kind_ = InsideKind::nothing;
}

template <int D>
void BroadphaseView<D>::look(InsideView view, int level, const Broadphase<D>* broadphase, const BoxStore<D>& store,
                             std::span<const IdPair> pairs, std::span<const std::uint8_t> touching) {
  clear();
  view_ = view;
  if (view == InsideView::off) return;
  bounds_ = live_bounds(store);
  if (broadphase != nullptr) {
    const auto* adaptive = dynamic_cast<const Adaptive<D>*>(broadphase);
    algorithm_ = adaptive != nullptr ? std::string(adaptive->in_use()) : std::string(broadphase->name());
    Gather gather(*this);
    kind_ = look_inside(*broadphase, store, gather);
  }
  if (view == InsideView::automatic)
    view_ = kind_ == InsideKind::tree    ? InsideView::levels
            : kind_ == InsideKind::cells ? InsideView::cells
            : kind_ == InsideKind::ends  ? InsideView::intervals
                                         : InsideView::pairs;
  switch (view_) {
    case InsideView::levels:
      return show_levels(level);
    case InsideView::visits:
      return show_visits(store, level);
    case InsideView::cells:
      return show_cells();
    case InsideView::intervals:
      return show_intervals(store);
    case InsideView::pairs:
      return show_pairs(store, pairs, touching);
    case InsideView::off:
    case InsideView::automatic:
      return;
  }
}

// Endless sides end a little outside of the world
template <int D>
void BroadphaseView<D>::push_box(const Aabb<D, float>& box, double radius, Color color) {
  if (boxes_.size() + balls_.size() >= kMostBoxes) {
    ++left_out_;
    return;
  }
  if (radius > 0) {
    Vec<D, double> middle;
    for (int k = 0; k < D; ++k) middle[k] = 0.5 * (static_cast<double>(box.lo[k]) + box.hi[k]);
    balls_.emplace_back(to_space(middle), radius);
    ball_colors_.push_back(color);
    return;
  }
  Aabb<D, float> clipped = box;
  for (int k = 0; k < D; ++k) {
    clipped.lo[k] = std::max(clipped.lo[k], static_cast<float>(bounds_.lo[k]));
    clipped.hi[k] = std::min(clipped.hi[k], static_cast<float>(bounds_.hi[k]));
    if (!(clipped.lo[k] <= clipped.hi[k])) return;
  }
  boxes_.push_back(clipped);
  colors_.push_back(color);
}

template <int D>
void BroadphaseView<D>::show_levels(int level) {
  if (kind_ != InsideKind::tree) {
    sentence_ = algorithm_ + " has no tree to show";
    return;
  }
  std::size_t at_level = 0, leaves = 0, inside = 0;
  for (const InsideNode<D>& node : nodes_) {
    leaves += node.leaf ? 1 : 0;
    const bool shown =
        level < 0 || static_cast<int>(node.depth) == level || (node.leaf && static_cast<int>(node.depth) < level);
    if (!shown) continue;
    ++at_level;
    inside += node.boxes;
    push_box(node.box, node.radius, level < 0 ? series(node.depth, 0.9f) : color_of(node.leaf ? Ink::good : Ink::node));
  }
  sentence_ = level < 0 ? count_text("all %.0f nodes of %.0f levels, one colour a level; %.0f are leaves",
                                     static_cast<double>(nodes_.size()), depth_ + 1.0, static_cast<double>(leaves))
                        : count_text("level %.0f: %.0f nodes, with %.0f boxes in themselves", level,
                                     static_cast<double>(at_level), static_cast<double>(inside));
}

// For each of a sample of boxes, the nodes that a search for its partners enters
template <int D>
void BroadphaseView<D>::show_visits(const BoxStore<D>& store, int level) {
  if (kind_ != InsideKind::tree) {
    sentence_ = algorithm_ + " has no tree whose nodes are visited";
    return;
  }
  // Where the subtree of each node ends
  std::vector<std::uint32_t> past(nodes_.size());
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i <= nodes_.size(); ++i) {
    while (!open.empty() && (i == nodes_.size() || nodes_[open.back()].depth >= nodes_[i].depth)) {
      past[open.back()] = i;
      open.pop_back();
    }
    if (i < nodes_.size()) open.push_back(i);
  }
  std::vector<std::uint32_t> visits(nodes_.size(), 0);
  const std::size_t visitors = std::min(kVisitors, store.size());
  for (std::size_t n = 0; n < visitors; ++n) {
    const auto row = static_cast<std::uint32_t>(n * store.size() / visitors);
    const Aabb<D, float> box = store.box(row);
    for (std::uint32_t i = 0; i < nodes_.size();) {
      bool meets = true;
      for (int k = 0; k < D; ++k) meets &= nodes_[i].box.lo[k] <= box.hi[k] && box.lo[k] <= nodes_[i].box.hi[k];
      visits[i] += meets ? 1 : 0;
      i = meets ? i + 1 : past[i];
    }
  }
  std::uint64_t total = 0;
  double hottest = 1;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    total += visits[i];
    const bool shown = level < 0 ? nodes_[i].leaf : static_cast<int>(nodes_[i].depth) == level;
    if (shown) hottest = std::max(hottest, static_cast<double>(visits[i]));
  }
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    const bool shown = level < 0 ? nodes_[i].leaf : static_cast<int>(nodes_[i].depth) == level;
    if (shown) push_box(nodes_[i].box, nodes_[i].radius, heat(visits[i] / hottest));
  }
  sentence_ = count_text("a search enters %.1f nodes on average; the brightest was entered by %.0f of %.0f",
                         visitors > 0 ? static_cast<double>(total) / static_cast<double>(visitors) : 0, hottest,
                         static_cast<double>(visitors));
}

template <int D>
void BroadphaseView<D>::show_cells() {
  if (kind_ != InsideKind::cells) {
    sentence_ = algorithm_ + " has no cells to show";
    return;
  }
  double most = 1, sum = 0;
  for (const InsideCell<D>& cell : cells_) most = std::max(most, static_cast<double>(cell.boxes)), sum += cell.boxes;
  const InsideCell<D>* fullest = nullptr;
  for (const InsideCell<D>& cell : cells_) {
    push_box(cell.box, 0, heat(cell.boxes / most));
    if (fullest == nullptr || cell.boxes > fullest->boxes) fullest = &cell;
  }
  if (fullest != nullptr) {
    Vec<D, double> at;
    for (int k = 0; k < D; ++k) at[k] = std::min(static_cast<double>(fullest->box.hi[k]), bounds_.hi[k]);
    labels_.push_back({to_space(at), std::to_string(fullest->boxes) + " boxes"});
  }
  sentence_ = count_text("%.0f cells in use, %.1f boxes in each on average, %.0f in the fullest",
                         static_cast<double>(cells_.size()),
                         cells_.empty() ? 0 : sum / static_cast<double>(cells_.size()), most);
}

template <int D>
void BroadphaseView<D>::show_intervals(const BoxStore<D>& store) {
  if (kind_ != InsideKind::ends) {
    sentence_ = algorithm_ + " sorts no ends";
    return;
  }
  double size = 0;
  for (int k = 0; k < D; ++k) size = std::max(size, bounds_.hi[k] - bounds_.lo[k]);
  static constexpr const char* kAxes[3] = {"x", "y", "z"};
  sentence_.clear();
  for (int axis = 0; axis < D; ++axis) {
    const std::vector<End>& ends = ends_[static_cast<std::size_t>(axis)];
    auto& before = ranks_[static_cast<std::size_t>(axis)];
    if (ends.empty()) {
      before.clear();
      continue;
    }
    // Who changed places since the last look: its lower end has another rank
    std::vector<std::uint32_t> rank(store.id_limit(), LiveScene<D>::kNoBody), order;
    for (const End& end : ends)
      if (!end.upper && end.id < rank.size()) {
        rank[end.id] = static_cast<std::uint32_t>(order.size());
        order.push_back(end.id);
      }
    std::uint64_t changed = 0;
    for (const std::uint32_t id : order) changed += id < before.size() && before[id] != rank[id] ? 1 : 0;
    changed_places_ += changed;
    // A sample along the axis, or all when they are few
    const std::size_t count = std::min(kIntervals, order.size());
    for (std::size_t n = 0; n < count; ++n) {
      const std::uint32_t id = order[n * order.size() / count], row = store.row_of(id);
      if (row >= store.size()) continue;
      Vec<D, double> p = bounds_.lo;
      const int aside = axis == 0 ? 1 : 0;
      p[aside] -= size * (0.04 + 0.25 * static_cast<double>(n) / static_cast<double>(count));
      if (D == 3 && axis == 2) p[1] -= size * (0.04 + 0.25 * static_cast<double>(n) / static_cast<double>(count));
      Vec<D, double> q = p;
      p[axis] = store.lo(axis)[row];
      q[axis] = store.hi(axis)[row];
      const bool moved = id < before.size() && before[id] != LiveScene<D>::kNoBody && before[id] != rank[id];
      lines_.push_back({to_space(p), to_space(q),
                        moved ? color_of(Ink::highlight) : series(static_cast<std::size_t>(axis)),
                        moved ? 3.0f : 2.0f});
    }
    Vec<D, double> at = bounds_.lo;
    at[axis] = bounds_.hi[axis];
    at[axis == 0 ? 1 : 0] -= size * 0.1;
    labels_.push_back({to_space(at), std::string(kAxes[axis]) + ": " + std::to_string(changed) + " of " +
                                         std::to_string(order.size()) + " changed places"});
    before = std::move(rank);
    sentence_ += (sentence_.empty() ? "" : "; ") + labels_.back().text;
  }
  if (sentence_.empty()) sentence_ = "no order is kept just now: too much changes places";
}

template <int D>
void BroadphaseView<D>::show_pairs(const BoxStore<D>& store, std::span<const IdPair> pairs,
                                   std::span<const std::uint8_t> touching) {
  const Color good = color_of(Ink::good), bad = color_of(Ink::bad);
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const bool is_true = touching.empty() || touching[i] != 0;
    wrong += is_true ? 0 : 1;
    const std::uint32_t a = store.row_of(pairs[i].lo), b = store.row_of(pairs[i].hi);
    if (a >= store.size() || b >= store.size()) continue;
    if (lines_.size() >= kMostLines) {
      ++left_out_;
      continue;
    }
    const Vec<D, double> p = middle_of_row(store, a), q = middle_of_row(store, b);
    // To the middle of a wall or a floor is a long way: from the smaller one into the larger one's box
    Vec<D, double> p_in = p, q_in = q;
    for (int k = 0; k < D; ++k) {
      q_in[k] = std::clamp(p[k], static_cast<double>(store.lo(k)[b]), static_cast<double>(store.hi(k)[b]));
      p_in[k] = std::clamp(q[k], static_cast<double>(store.lo(k)[a]), static_cast<double>(store.hi(k)[a]));
    }
    const bool a_is_larger = distance(p, p_in) > distance(q, q_in);
    lines_.push_back({to_space(a_is_larger ? p_in : p), to_space(a_is_larger ? q : q_in), is_true ? good : bad, 2.0f});
  }
  false_pairs_ = wrong;
  sentence_ = count_text("%.0f pairs of boxes, of which %.0f touch and %.0f do not (false positives)",
                         static_cast<double>(pairs.size()), static_cast<double>(pairs.size() - wrong),
                         static_cast<double>(wrong));
}

template <int D>
void BroadphaseView<D>::draw(DrawList& list) const {
  if (!boxes_.empty()) list.boxes(boxes_, colors_, true);
  for (std::size_t i = 0; i < balls_.size(); ++i) {
    const auto& [at, radius] = balls_[i];
    list.circle(at, radius, {0, 0, 1}, ball_colors_[i], 1);
    if constexpr (D == 3) {
      list.circle(at, radius, {1, 0, 0}, ball_colors_[i], 1);
      list.circle(at, radius, {0, 1, 0}, ball_colors_[i], 1);
    }
  }
  for (const Line& line : lines_) list.line(line.p, line.q, line.color, line.pixels);
  for (const Label& label : labels_) list.label(label.at, label.text);
}

template <int D>
void BroadphaseView<D>::tell(Panel& panel) const {
  if (view_ == InsideView::off) return;
  panel.notes.push_back(algorithm_ + ": " + sentence_);
  if (left_out_ > 0) panel.notes.push_back(std::to_string(left_out_) + " more are not drawn");
  if (figures_.empty()) return;
  Table table{"Inside " + algorithm_, {"what", "how much"}, {}, -1};
  for (const auto& [name, value] : figures_) table.rows.push_back({std::string(name), count_text("%.6g", value)});
  panel.tables.push_back(std::move(table));
}

template class BroadphaseView<2>;
template class BroadphaseView<3>;

}  // namespace sudar::lab
