#include <sudar/geom/moved_side.hpp>
#include <sudar/sdf/column_winding.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace sudar {

namespace {

constexpr std::size_t kElementGrain = 1024;  // elements
constexpr std::size_t kFoundGrain = 1024;    // crossings

// Samples of the padded grid along an axis
template <int D>
std::uint32_t padded(const FieldGrid<D>& grid, int axis) {
  return grid.bricks()[static_cast<std::size_t>(axis)] * kBrickCells + 1;
}

// First sample at or above x (strictly above when asked for), of `count`
template <int D>
std::uint32_t first_sample(const FieldGrid<D>& grid, int axis, std::uint32_t count, double x, bool strictly) {
  const double guess = std::floor((x - grid.origin[axis]) / grid.cell);
  std::uint32_t i = guess > 0 ? (guess < count ? static_cast<std::uint32_t>(guess) : count) : 0;
  const auto past = [&](std::uint32_t s) {
    const double at = grid.coordinate(axis, s);
    return strictly ? at > x : at >= x;
  };
  while (i > 0 && past(i - 1)) --i;
  while (i < count && !past(i)) ++i;
  return i;
}

// How many of the samples from `begin` to `end` come before the first that is not below
template <class Below>
std::uint32_t count_below(std::uint32_t begin, std::uint32_t end, Below&& below) {
  while (begin < end) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    if (below(middle)) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

// cross(column, below, change) for every column that the element crosses, until it says no
template <class F>
void scan(const FieldGrid<3>& grid, const Triangle<3, double>& t, F&& cross) {
  const Vec3d lo = min(t.a, min(t.b, t.c)), hi = max(t.a, max(t.b, t.c));
  std::uint32_t from[3], to[3];
  for (int k = 0; k < 3; ++k) {
    const std::uint32_t count = padded(grid, k);
    from[k] = first_sample(grid, k, count, lo[k], false);
    to[k] = first_sample(grid, k, count, hi[k], true);
  }
  const Vec2d a{t.a.x, t.a.y}, b{t.b.x, t.b.y}, c{t.c.x, t.c.y};
  const std::size_t width = padded(grid, 0);
  for (std::uint32_t j = from[1]; j < to[1]; ++j)
    for (std::uint32_t i = from[0]; i < to[0]; ++i) {
      Vec3d p{grid.coordinate(0, i), grid.coordinate(1, j), 0};
      const Vec2d flat{p.x, p.y};
      const int facing = moved_side(a, b, flat);
      if (facing == 0 || moved_side(b, c, flat) != facing || moved_side(c, a, flat) != facing) continue;
      // Samples on the triangle count as above it
      const std::uint32_t below = count_below(from[2], to[2], [&](std::uint32_t k) {
        p.z = grid.coordinate(2, k);
        return orient3d(t.a, t.b, t.c, p) * facing < 0;
      });
      if (below > 0 && !cross(i + j * width, below, facing)) return;
    }
}
template <class F>
void scan(const FieldGrid<2>& grid, const Segment<2, double>& s, F&& cross) {
  // A column at x is thought of as at x + ε²: it meets the left end of an edge, not the right one
  const Vec2d lo = min(s.a, s.b), hi = max(s.a, s.b);
  const std::uint32_t width = padded(grid, 0), count = padded(grid, 1);
  const std::uint32_t from = first_sample(grid, 0, width, lo.x, false), to = first_sample(grid, 0, width, hi.x, false);
  const std::uint32_t lowest = first_sample(grid, 1, count, lo.y, false);
  const std::uint32_t highest = first_sample(grid, 1, count, hi.y, true);
  const int leftward = s.b.x < s.a.x ? 1 : -1;
  for (std::uint32_t i = from; i < to; ++i) {
    const std::uint32_t below = count_below(lowest, highest, [&](std::uint32_t j) {
      return orient2d(s.a, s.b, {grid.coordinate(0, i), grid.coordinate(1, j)}) * leftward > 0;
    });
    if (below > 0 && !cross(std::size_t{i}, below, leftward)) return;
  }
}

// Columns of the padded grid
template <int D>
std::size_t column_count(const FieldGrid<D>& grid) {
  std::size_t count = 1;
  for (int k = 0; k + 1 < D; ++k) count *= padded(grid, k);
  return count;
}

}  // namespace

template <int D>
Result<ColumnWinding<D>> ColumnWinding<D>::build(const FieldGrid<D>& grid, std::span<const Element> elements,
                                                 Executor& executor, std::size_t most_crossings) {
  const std::size_t columns = column_count(grid);
  if (columns > kMaxColumns)
    return Error{ErrorCode::too_large, Error::kNoElement, "too many columns of samples along the last axis"};
  struct Found {
    std::uint32_t column;
    Crossing crossing;
  };
  std::atomic<std::size_t> at_least{0};  // crossings of all blocks, told from time to time
  std::vector<std::vector<Found>> blocks((elements.size() + kElementGrain - 1) / kElementGrain);
  parallel_for(executor, elements.size(), kElementGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<Found>& found = blocks[begin / kElementGrain];
    for (std::size_t e = begin; e < end && at_least.load(std::memory_order_relaxed) <= most_crossings; ++e)
      scan(grid, elements[e], [&](std::size_t column, std::uint32_t below, std::int32_t change) {
        found.push_back({static_cast<std::uint32_t>(column), {below, change}});
        if (found.size() % kFoundGrain != 0) return true;
        return at_least.fetch_add(kFoundGrain, std::memory_order_relaxed) + kFoundGrain <= most_crossings;
      });
  });
  std::size_t crossings = 0;
  for (const auto& block : blocks) crossings += block.size();
  if (crossings > most_crossings)
    return Error{ErrorCode::too_large, Error::kNoElement, "the surface crosses too many columns of samples"};

  // By column
  ColumnWinding out;
  out.width_ = padded(grid, 0);
  out.first_.assign(columns + 2, 0);
  for (const auto& block : blocks)
    for (const Found& f : block) ++out.first_[f.column + 2];
  for (std::size_t c = 2; c < out.first_.size(); ++c) out.first_[c] += out.first_[c - 1];
  out.crossings_.resize(out.first_.back());
  for (const auto& block : blocks)
    for (const Found& f : block) out.crossings_[out.first_[f.column + 1]++] = f.crossing;
  out.first_.pop_back();
  return out;
}

template <int D>
void ColumnWinding<D>::read(const GridIndex<D>& brick, std::int32_t (&winding)[kBrickSamples<D>]) const {
  constexpr std::uint32_t kColumns = kBrickSamples<D> / kBrickSide;
  const std::uint32_t start = brick[D - 1] * kBrickCells;
  std::fill(std::begin(winding), std::end(winding), 0);
  for (std::uint32_t c = 0; c < kColumns; ++c) {
    GridIndex<D> sample{};
    sample[0] = brick[0] * kBrickCells + c % kBrickSide;
    if constexpr (D == 3) sample[1] = brick[1] * kBrickCells + c / kBrickSide;
    const std::size_t column = column_of(sample);
    for (std::size_t i = first_[column]; i < first_[column + 1]; ++i) {
      if (crossings_[i].below <= start) continue;
      const std::uint32_t end = std::min(crossings_[i].below - start, kBrickSide);
      for (std::uint32_t k = 0; k < end; ++k) winding[k * kColumns + c] += crossings_[i].change;
    }
  }
}

template <int D>
std::int32_t ColumnWinding<D>::read_first(const GridIndex<D>& brick) const {
  GridIndex<D> sample;
  for (std::size_t k = 0; k < D; ++k) sample[k] = brick[k] * kBrickCells;
  std::int32_t sum = 0;
  const std::size_t column = column_of(sample);
  for (std::size_t i = first_[column]; i < first_[column + 1]; ++i)
    if (crossings_[i].below > sample[D - 1]) sum += crossings_[i].change;
  return sum;
}

template <int D>
bool ColumnWinding<D>::has_buried_parts() const {
  std::vector<Crossing> column;
  for (std::size_t c = 0; c + 1 < first_.size(); ++c) {
    column.assign(crossings_.begin() + static_cast<std::ptrdiff_t>(first_[c]),
                  crossings_.begin() + static_cast<std::ptrdiff_t>(first_[c + 1]));
    // From the top, where the number is zero, downward. Within a cell the order is not known: a surface that is crossed
    // there more often than it has to be, with the inside on both ends of the cell, is one too many.
    std::sort(column.begin(), column.end(), [](const Crossing& a, const Crossing& b) { return a.below > b.below; });
    std::int32_t number = 0;
    for (std::size_t i = 0; i < column.size();) {
      const std::int32_t above = number;
      const std::uint32_t at = column[i].below;
      for (; i < column.size() && column[i].below == at; ++i) number += column[i].change;
      if (above != 0 && number != 0) return true;
    }
  }
  return false;
}

template class SUDAR_API ColumnWinding<2>;
template class SUDAR_API ColumnWinding<3>;

}  // namespace sudar
