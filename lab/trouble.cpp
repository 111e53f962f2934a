#include "lab/trouble.hpp"

#include <sudar/broadphase/adaptive.hpp>
#include <sudar/broadphase/inspection.hpp>
#include <sudar/core/random.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sudar::lab {

namespace {

constexpr std::size_t kSampled = 256;    // boxes, but the largest one is looked for among all
constexpr double kOnePoint = 0.25;       // of all possible pairs overlap
constexpr double kGiantOfWorld = 0.2;    // of the world is the largest box …
constexpr double kGiantOfMedian = 5;     // … and of the median one
constexpr double kSmallCell = 0.6;       // of the median edge is a cell
constexpr double kFullCell = 64;         // boxes in one
constexpr double kManySwaps = 8;         // a box and step
constexpr double kManyBrute = 2000;      // boxes
constexpr double kRestful = 0.05;        // of the boxes moved
constexpr double kFewForThreads = 2000;  // boxes
constexpr double kManyCopies = 2;        // duplicates a pair
constexpr double kDozens = 24;           // boxes: too few to say anything

std::string hint_text(const char* format, double a, double b = 0) {
  char text[256];
  std::snprintf(text, sizeof text, format, a, b);
  return text;
}

template <int D>
class CellSizes final : public InsideVisitor<D> {
 public:
  double smallest = 0, most = 0;
  void cell(const InsideCell<D>& cell) override {
    most = std::max(most, static_cast<double>(cell.boxes));
    for (int k = 0; k < D; ++k) {
      const double edge = static_cast<double>(cell.box.hi[k]) - cell.box.lo[k];
      if (std::isfinite(edge) && edge > 0 && edge < 1e30 && (smallest == 0 || edge < smallest)) smallest = edge;
    }
  }
};

}  // namespace

template <int D>
TroubleSigns signs_of(const Broadphase<D>* broadphase, const BoxStore<D>& store, std::size_t pairs) {
  constexpr double kEndless = 1e30;
  TroubleSigns signs;
  signs.boxes = static_cast<double>(store.size());
  signs.pairs = static_cast<double>(pairs);
  signs.fixed = static_cast<double>(store.fixed_count());
  signs.moved = signs.boxes - signs.fixed;
  if (store.empty()) return signs;
  const auto edge_of = [&](std::uint32_t row) {
    double edge = 0;
    for (int k = 0; k < D; ++k) edge = std::max(edge, static_cast<double>(store.hi(k)[row]) - store.lo(k)[row]);
    return edge;
  };
  std::vector<double> edges;
  Random random(1);
  for (std::size_t i = 0; i < std::min(kSampled, store.size()); ++i)
    edges.push_back(edge_of(static_cast<std::uint32_t>(store.size() <= kSampled ? i : random.below(store.size()))));
  std::nth_element(edges.begin(), edges.begin() + static_cast<std::ptrdiff_t>(edges.size() / 2), edges.end());
  signs.median_edge = edges[edges.size() / 2];
  for (std::uint32_t row = 0; row < store.size(); ++row)
    if (const double edge = edge_of(row); edge < kEndless) signs.largest_edge = std::max(signs.largest_edge, edge);
  for (int k = 0; k < D; ++k) {
    double lo = kEndless, hi = -kEndless;
    for (const float x : store.lo(k)) lo = x > -kEndless && x < lo ? x : lo;
    for (const float x : store.hi(k)) hi = x < kEndless && x > hi ? x : hi;
    signs.extent = std::max(signs.extent, hi - lo);
  }
  if (broadphase == nullptr) return signs;
  const auto* adaptive = dynamic_cast<const Adaptive<D>*>(broadphase);
  signs.algorithm = adaptive != nullptr ? adaptive->in_use() : broadphase->name();
  signs.counters = broadphase->counters();
  for (const sudar::Parameter& parameter : broadphase->parameters())
    if (parameter.name == "leaf_capacity") signs.leaf_capacity = parameter.value;
  if (signs.algorithm == "grid") {
    CellSizes<D> cells;
    look_inside(*broadphase, store, cells);
    signs.cell_edge = cells.smallest;
    signs.most_in_cell = cells.most;
  }
  return signs;
}

std::vector<std::string> hints_for(const TroubleSigns& s) {
  std::vector<std::string> hints;
  if (s.boxes < kDozens) return hints;
  const double possible = s.boxes * (s.boxes - 1) / 2;
  const bool one_point = s.pairs > kOnePoint * possible;
  if (one_point)
    hints.push_back(
        hint_text("All bodies in one point: %.0f%% of all boxes overlap each other, so no broad phase can help; "
                  "every pair has to be written down.",
                  100 * s.pairs / possible));
  if (!one_point && s.largest_edge > kGiantOfWorld * s.extent && s.largest_edge > kGiantOfMedian * s.median_edge)
    hints.push_back(
        hint_text("One giant body: the largest box is %.0f times as large as a typical one and spans %.0f%% of the "
                  "world. Make it fixed, or take an algorithm that keeps giants apart.",
                  s.largest_edge / s.median_edge, 100 * s.largest_edge / s.extent));
  if (s.cell_edge > 0 && s.cell_edge < kSmallCell * s.median_edge)
    hints.push_back(
        hint_text("Cell size far below body size: a cell is %.2f times as wide as a typical box, so each box is "
                  "entered into about %.0f cells along an axis. Raise cell_scale.",
                  s.cell_edge / s.median_edge, std::ceil(s.median_edge / s.cell_edge) + 1));
  if (!one_point && s.cell_edge > 0 && s.most_in_cell > kFullCell && s.cell_edge > 4 * s.median_edge)
    hints.push_back(
        hint_text("Cells far above body size: up to %.0f boxes are in one cell, which is %.0f boxes wide. Lower "
                  "cell_scale, or take a tree where boxes crowd.",
                  s.most_in_cell, s.cell_edge / s.median_edge));
  if (s.algorithm == "sap" && static_cast<double>(s.counters.swaps) > kManySwaps * s.boxes)
    hints.push_back(
        hint_text("%.0f swaps a box in one step: the boxes move too fast, or too close, for an order that is kept. "
                  "A rebuild (columns, sort_sweep) costs less.",
                  static_cast<double>(s.counters.swaps) / s.boxes));
  if (s.algorithm == "brute_force" && s.boxes > kManyBrute)
    hints.push_back(
        hint_text("%.0f box tests a step: every box against every other. Any other algorithm does with a small part "
                  "of them.",
                  possible));
  if (s.leaf_capacity > 0 && s.leaf_capacity >= s.boxes)
    hints.push_back(
        hint_text("Leaf capacity above the number of boxes (%.0f for %.0f): the tree is one leaf, and its search a "
                  "sweep over all of it.",
                  s.leaf_capacity, s.boxes));
  if (s.pairs > 0 && static_cast<double>(s.counters.duplicates) > kManyCopies * s.pairs)
    hints.push_back(hint_text("%.1f duplicates for every pair: boxes are in many leaves or cells at once.",
                              static_cast<double>(s.counters.duplicates) / s.pairs));
  const bool rebuilds = s.algorithm == "columns" || s.algorithm == "sort_sweep" || s.algorithm == "grid" ||
                        s.algorithm == "octree" || s.algorithm == "kd_tree";
  if (rebuilds && s.boxes - s.fixed > kDozens && s.moved < kRestful * (s.boxes - s.fixed))
    hints.push_back(
        hint_text("Only %.0f of %.0f boxes moved, but everything is built anew at every step. dynamic_tree looks "
                  "only at what moved; what never moves should be fixed.",
                  s.moved, s.boxes - s.fixed));
  if (s.threads > 1 && s.boxes < kFewForThreads)
    hints.push_back(
        hint_text("%.0f threads for %.0f boxes: waking them takes longer than the work.", s.threads, s.boxes));
  return hints;
}

template TroubleSigns signs_of(const Broadphase<2>*, const BoxStore<2>&, std::size_t);
template TroubleSigns signs_of(const Broadphase<3>*, const BoxStore<3>&, std::size_t);

}  // namespace sudar::lab
