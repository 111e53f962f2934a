// What:    Which balls are near which: nested grids, one a size of balls, with lists of the balls in each cell.
// Source:  Alder and Wainwright, "Studies in Molecular Dynamics I", 1959, for cells in event-driven dynamics; nested grids
//          as in Ericson, "Real-Time Collision Detection", 2005, 7.2.
// Differs: A ball is entered by its centre in the grid of its own size, whose cells are wider than it, and as a guest in the
//          coarser ones; cells of a coarser grid are whole blocks of finer cells, so a ball enters a coarser cell only when it
//          crosses a border of its own grid. Two balls are near when their cells in the coarser of their two grids are
//          neighbours: balls of any ratio of radii meet without a search through empty fine cells. With balls of
//          one size it is one plain grid.
// Fails:   make may throw bad_alloc. The number of cells stays below a few times the number of balls.
#pragma once

#include <sudar/bounding/aabb.hpp>
#include <sudar/dynamics/ball_tolerance.hpp>
#include <sudar/dynamics/elastic.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace sudar {

template <int D>
class BallGrid {
 public:
  using Cell = std::array<std::int32_t, static_cast<std::size_t>(D)>;
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  BallGrid() = default;
  // Positions lie in the box, whose upper corner is not below its lower one. `crowd` is the number of balls that a cell
  // of the finest grid holds at least, on average.
  BallGrid(std::span<const Ball<D>> balls, const Aabb<D, double>& box, double crowd = 1);

  // The border of the ball's own cell on one side of an axis; infinite where the grid ends
  double border(std::uint32_t ball, int axis, bool upper) const {
    const std::size_t a = static_cast<std::size_t>(axis);
    const Level& level = levels_[level_of_[ball]];
    const std::int32_t cell = cells_[ball][a];
    if (upper) return cell + 1 < level.count[a] ? lo_[axis] + level.width * (cell + 1) : kFar;
    return cell > 0 ? lo_[axis] + level.width * cell : -kFar;
  }

  // Visit all balls that are near, the ball itself included
  template <class F>
  void near(std::uint32_t ball, F&& visit) const {
    const std::size_t own = level_of_[ball];
    for (std::size_t l = own; l < levels_.size(); ++l) {
      Cell lo = cell_at(ball, l), hi = lo;
      for (std::size_t a = 0; a < D; ++a) {
        lo[a] = std::max(lo[a] - 1, 0);
        hi[a] = std::min(hi[a] + 1, levels_[l].count[a] - 1);
      }
      visit_block(l, lo, hi, l == own, visit);
    }
  }

  // Over a border of its own cell: enter the ball there, and visit what it comes near to
  template <class F>
  void cross(std::uint32_t ball, int axis, bool upper, F&& visit) {
    const std::size_t a = static_cast<std::size_t>(axis), own = level_of_[ball];
    for (std::size_t l = own; l < levels_.size(); ++l) {
      const Cell from = cell_at(ball, l);
      Cell to = from;
      const std::int32_t next = cells_[ball][a] + (upper ? 1 : -1);
      to[a] = next >> (levels_[l].shift - levels_[own].shift);
      if (to[a] == from[a]) break;  // nor in any coarser grid
      unlink(ball, l, index(l, from));
      link(ball, l, index(l, to));
      Cell lo = to, hi = to;
      for (std::size_t b = 0; b < D; ++b) {
        lo[b] = std::max(to[b] - 1, 0);
        hi[b] = std::min(to[b] + 1, levels_[l].count[b] - 1);
      }
      lo[a] = hi[a] = to[a] + (upper ? 1 : -1);
      if (lo[a] >= 0 && lo[a] < levels_[l].count[a]) visit_block(l, lo, hi, l == own, visit);
    }
    cells_[ball][a] += upper ? 1 : -1;
  }

  std::size_t levels() const { return levels_.size(); }
  std::size_t bytes() const {
    return (natives_.capacity() + guests_.capacity() + next_.capacity() + before_.capacity() + level_of_.capacity()) *
               4 +
           cells_.capacity() * sizeof(Cell);
  }

 private:
  static constexpr double kFar = std::numeric_limits<double>::infinity();
  struct Level {
    double width = 0;
    int shift = 0;  // powers of two over the finest
    Cell count{};
    std::size_t first = 0;  // of its cells
  };

  Cell cell_at(std::uint32_t ball, std::size_t l) const {
    Cell cell = cells_[ball];
    const int shift = levels_[l].shift - levels_[level_of_[ball]].shift;
    for (std::int32_t& c : cell) c >>= shift;
    return cell;
  }
  std::size_t index(std::size_t l, const Cell& cell) const {
    std::size_t i = static_cast<std::size_t>(cell[D - 1]);
    for (std::size_t a = D - 1; a-- > 0;)
      i = i * static_cast<std::size_t>(levels_[l].count[a]) + static_cast<std::size_t>(cell[a]);
    return levels_[l].first + i;
  }
  // Links of a ball: one for each grid from its own on
  std::size_t link_of(std::uint32_t ball, std::size_t l) const { return (l - level_of_[ball]) * cells_.size() + ball; }
  std::uint32_t& head(std::uint32_t ball, std::size_t l, std::size_t cell) {
    return l == level_of_[ball] ? natives_[cell] : guests_[cell];
  }
  void link(std::uint32_t ball, std::size_t l, std::size_t cell) {
    std::uint32_t& first = head(ball, l, cell);
    next_[link_of(ball, l)] = first;
    before_[link_of(ball, l)] = kNone;
    if (first != kNone) before_[link_of(first, l)] = ball;
    first = ball;
  }
  void unlink(std::uint32_t ball, std::size_t l, std::size_t cell) {
    const std::uint32_t after = next_[link_of(ball, l)], before = before_[link_of(ball, l)];
    if (after != kNone) before_[link_of(after, l)] = before;
    (before != kNone ? next_[link_of(before, l)] : head(ball, l, cell)) = after;
  }
  // A block of at most three cells along each axis. The first balls of all lists, then the second ones, and so on: cells
  // that hold none, one or two are not told apart by branches, which would be coin tosses.
  template <class F>
  void visit_block(std::size_t l, const Cell& lo, const Cell& hi, bool with_guests, F& visit) const {
    std::array<std::uint32_t, D == 2 ? 9 : 27> natives, guests;
    std::size_t native_count = 0, guest_count = 0;
    const bool guests_too = with_guests && l > 0;
    const auto add = [](auto& list, std::size_t& count, std::uint32_t ball) {
      list[count] = ball;
      count += ball != kNone ? 1 : 0;
    };
    Cell row = lo;
    for (;;) {
      const std::size_t first = index(l, row), count = static_cast<std::size_t>(hi[0] - lo[0]) + 1;
      for (std::size_t i = first; i < first + count; ++i) {
        add(natives, native_count, natives_[i]);
        if (guests_too) add(guests, guest_count, guests_[i]);
      }
      std::size_t a = 1;
      for (; a < D; ++a) {
        if (++row[a] <= hi[a]) break;
        row[a] = lo[a];
      }
      if (a == D) break;
    }
    // Links of natives come first, one a ball
    while (native_count > 0) {
      const std::size_t count = std::exchange(native_count, 0);
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t ball = natives[i];
        add(natives, native_count, next_[ball]);
        visit(ball);
      }
    }
    while (guest_count > 0) {
      const std::size_t count = std::exchange(guest_count, 0);
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t ball = guests[i];
        add(guests, guest_count, next_[link_of(ball, l)]);
        visit(ball);
      }
    }
  }

  Vec<D, double> lo_{};
  std::vector<Level> levels_;                    // finest first, those that have balls
  std::vector<std::uint32_t> natives_, guests_;  // the first ball of each cell's two lists
  std::vector<std::uint32_t> next_, before_;     // by link_of
  std::vector<std::uint32_t> level_of_;          // by ball
  std::vector<Cell> cells_;                      // by ball, in its own grid
};

}  // namespace sudar
