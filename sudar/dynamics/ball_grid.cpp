#include <sudar/core/assert.hpp>
#include <sudar/dynamics/ball_grid.hpp>

#include <cmath>

namespace sudar {

template <int D>
BallGrid<D>::BallGrid(std::span<const Ball<D>> balls, const Aabb<D, double>& box, double crowd) : lo_(box.lo) {
  const std::size_t n = balls.size();
  for (int i = 0; i < D; ++i) SUDAR_ASSERT(box.lo[i] <= box.hi[i]);
  double least = kFar, volume = 1;
  for (const Ball<D>& ball : balls) least = std::min(least, ball.radius);
  Vec<D, double> extent{};
  for (int i = 0; i < D; ++i) volume *= extent[i] = box.hi[i] - box.lo[i];

  // The finest cells hold a ball and, on average, the crowd; fewer of them when the box is long and thin
  const double share = volume * crowd / static_cast<double>(std::max<std::size_t>(n, 1));
  double width = std::max(2 * least * (1 + kBallCellSlack), D == 2 ? std::sqrt(share) : cube_root(share));
  if (!(width > 0) || !std::isfinite(width)) width = max_abs(extent);
  const double most = 4 * static_cast<double>(n) + 64;
  const auto cells_in = [&] {
    double cells = 1;
    for (int i = 0; i < D; ++i) cells *= std::floor(extent[i] / width) + 1;
    return cells;
  };
  while (cells_in() > most) width *= 2;

  // A grid for each power of two that some ball needs, up to the one that is a single cell
  Cell finest{};
  int single = 0;
  for (std::size_t a = 0; a < D; ++a) {
    finest[a] = static_cast<std::int32_t>(std::floor(extent[static_cast<int>(a)] / width)) + 1;
    while (((finest[a] - 1) >> single) > 0) ++single;
  }
  std::vector<int> shift_of(n, 0);
  std::array<bool, 32> used{};
  for (std::size_t i = 0; i < n; ++i) {
    const double needed = 2 * balls[i].radius * (1 + kBallCellSlack);
    while (shift_of[i] < single && std::ldexp(width, shift_of[i]) < needed) ++shift_of[i];
    used[static_cast<std::size_t>(shift_of[i])] = true;
  }
  std::array<std::uint32_t, 32> level_at{};
  std::size_t cells = 0;
  for (std::size_t s = 0; s < used.size(); ++s) {
    if (!used[s]) continue;
    level_at[s] = static_cast<std::uint32_t>(levels_.size());
    Level level;
    level.shift = static_cast<int>(s);
    level.width = std::ldexp(width, level.shift);
    level.first = cells;
    std::size_t count = 1;
    for (std::size_t a = 0; a < D; ++a) {
      // Blocks of the finest cells, so that all grids have their borders in common
      level.count[a] = ((finest[a] - 1) >> level.shift) + 1;
      count *= static_cast<std::size_t>(level.count[a]);
    }
    cells += count;
    levels_.push_back(level);
  }
  natives_.assign(cells, kNone);
  if (levels_.size() > 1) guests_.assign(cells, kNone);
  next_.assign(n * levels_.size(), kNone);
  before_.assign(n * levels_.size(), kNone);
  level_of_.resize(n);
  cells_.resize(n);
  for (std::size_t i = 0; i < n; ++i) level_of_[i] = level_at[static_cast<std::size_t>(shift_of[i])];

  // From the last, so that lists begin with the lowest number
  for (std::size_t i = n; i-- > 0;) {
    const std::uint32_t ball = static_cast<std::uint32_t>(i);
    const Level& own = levels_[level_of_[i]];
    for (int a = 0; a < D; ++a) {
      const double c = std::floor((balls[i].position[a] - lo_[a]) / own.width);
      const std::int32_t last = own.count[static_cast<std::size_t>(a)] - 1;
      cells_[i][static_cast<std::size_t>(a)] = c > 0 ? (c < last ? static_cast<std::int32_t>(c) : last) : 0;
    }
    for (std::size_t l = level_of_[i]; l < levels_.size(); ++l) link(ball, l, index(l, cell_at(ball, l)));
  }
}

template class BallGrid<2>;
template class BallGrid<3>;

}  // namespace sudar
