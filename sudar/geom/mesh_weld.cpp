#include <sudar/geom/disjoint_sets.hpp>
#include <sudar/geom/mesh_weld.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

namespace sudar {

namespace {

void join_equal(std::span<const Vec3d> points, DisjointSets& sets) {
  std::vector<std::uint32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
    return points[i] == points[j] ? i < j : lexicographically_less(points[i], points[j]);
  });
  for (std::size_t i = 1; i < order.size(); ++i)
    if (points[order[i]] == points[order[i - 1]]) sets.join(order[i - 1], order[i]);
}

// A grid whose cells are so small that all points of one cell are within the tolerance of each other
class Grid {
 public:
  // Points one per group of equal positions; `tolerance` > 0
  Grid(std::span<const Vec3d> points, std::span<const std::uint32_t> ids, double tolerance) : tolerance_(tolerance) {
    // Halved throughout, so that the extent of the largest doubles does not overflow
    Vec3d lo = points[ids[0]] * 0.5, hi = lo;
    for (std::uint32_t i : ids) {
      lo = min(lo, points[i] * 0.5);
      hi = max(hi, points[i] * 0.5);
    }
    // Cells no finer than this, so that rounding misplaces a point by a sixteenth of a cell at most; then points of one
    // cell are at most 0.45 · (1 + 2/16) · √3 < 1 tolerances apart
    constexpr double kFinest = 0x1p-48, kClumpCell = 0.45;
    const double wanted = kClumpCell * tolerance / 2;
    const double cell = std::max({wanted, max_abs(hi - lo) * kFinest, std::numeric_limits<double>::min()});
    clumps_ = cell == wanted;
    entries_.reserve(ids.size());
    for (std::uint32_t i : ids) {
      Entry e{{}, i};
      for (int axis = 0; axis < 3; ++axis)
        e.cell[axis] = static_cast<std::int64_t>(std::floor((points[i][axis] * 0.5 - lo[axis]) / cell));
      entries_.push_back(e);
    }
    std::sort(entries_.begin(), entries_.end());
  }

  void join_near(std::span<const Vec3d> points, DisjointSets& sets) const {
    // First and last entry of each occupied cell
    std::vector<std::uint32_t> starts;
    for (std::uint32_t i = 0; i < entries_.size(); ++i)
      if (i == 0 || entries_[i].cell != entries_[i - 1].cell) starts.push_back(i);
    const auto cells = static_cast<std::uint32_t>(starts.size());
    starts.push_back(static_cast<std::uint32_t>(entries_.size()));

    for (std::uint32_t c = 0; c < cells; ++c)
      for (std::uint32_t i = starts[c] + 1; i < starts[c + 1]; ++i) {
        if (clumps_) sets.join(entries_[i - 1].id, entries_[i].id);
        for (std::uint32_t j = starts[c]; !clumps_ && j < i; ++j) join_if_near(points, sets, i, j);
      }

    // Cells ahead at most three away on each axis. They lie in rows along z, and as the cell advances in sorted order,
    // the start of each such row advances too: one cursor per row, no search.
    for (std::int64_t dx = 0; dx <= kReach; ++dx)
      for (std::int64_t dy = dx == 0 ? 0 : -kReach; dy <= kReach; ++dy) {
        std::uint32_t cursor = 0;
        for (std::uint32_t c = 0; c < cells; ++c) {
          Cell from = entries_[starts[c]].cell;
          from[0] += dx;
          from[1] += dy;
          const std::int64_t z = from[2];
          from[2] = z - kReach;
          while (cursor < cells && entries_[starts[cursor]].cell < from) ++cursor;
          for (std::uint32_t d = cursor; d < cells; ++d) {
            const Cell& to = entries_[starts[d]].cell;
            if (to[0] != from[0] || to[1] != from[1] || to[2] > z + kReach) break;
            if (d > c) join_cells(points, sets, {starts[c], starts[c + 1]}, {starts[d], starts[d + 1]});
          }
        }
      }
  }

 private:
  // 1 / 0.45 cells, and a sixteenth of a cell of rounding at either end
  static constexpr std::int64_t kReach = 3;
  using Cell = std::array<std::int64_t, 3>;
  struct Entry {
    Cell cell;
    std::uint32_t id;
    auto operator<=>(const Entry&) const = default;
  };
  struct Range {
    std::uint32_t begin, end;
  };

  bool join_if_near(std::span<const Vec3d> points, DisjointSets& sets, std::uint32_t i, std::uint32_t j) const {
    // Divided first: squares neither overflow nor vanish
    const Vec3d d = (points[entries_[i].id] - points[entries_[j].id]) / tolerance_;
    if (!(dot(d, d) <= 1)) return false;
    sets.join(entries_[i].id, entries_[j].id);
    return true;
  }
  void join_cells(std::span<const Vec3d> points, DisjointSets& sets, Range a, Range b) const {
    // Clumps are one group each already: one near pair joins them
    if (clumps_ && sets.find(entries_[a.begin].id) == sets.find(entries_[b.begin].id)) return;
    for (std::uint32_t i = a.begin; i < a.end; ++i)
      for (std::uint32_t j = b.begin; j < b.end; ++j)
        if (join_if_near(points, sets, i, j) && clumps_) return;
  }

  double tolerance_;
  bool clumps_ = true;
  std::vector<Entry> entries_;
};

Result<Welded> weld_sets(const Mesh& mesh, DisjointSets& sets) {
  Welded result;
  result.vertex_map.resize(mesh.vertices.size());
  // A representative is the lowest of its set, so it has been numbered before the rest of the set comes along
  for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
    const std::uint32_t lowest = sets.find(v);
    if (lowest == v) {
      result.vertex_map[v] = static_cast<std::uint32_t>(result.mesh.vertices.size());
      result.mesh.vertices.push_back(mesh.vertices[v]);
    } else {
      result.vertex_map[v] = result.vertex_map[lowest];
    }
  }
  for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
    MeshTriangle t = mesh.triangles[i];
    for (std::uint32_t& v : t) v = result.vertex_map[v];
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
    result.mesh.triangles.push_back(t);
    result.triangle_from.push_back(i);
  }
  if (result.mesh.triangles.empty()) return Error{ErrorCode::degenerate, Error::kNoElement, "every triangle collapsed"};
  return result;
}

}  // namespace

Result<Welded> weld(const Mesh& mesh) noexcept { return weld(mesh, 0); }

Result<Welded> weld(const Mesh& mesh, double tolerance) noexcept {
  return guarded([&]() -> Result<Welded> {
    if (const Result<void> checked = check_mesh(mesh); !checked) return checked.error();
    if (!(tolerance >= 0) || !std::isfinite(tolerance))
      return Error{ErrorCode::invalid_argument, Error::kNoElement, "tolerance must be finite and not negative"};
    const auto count = static_cast<std::uint32_t>(mesh.vertices.size());
    DisjointSets sets(count);
    join_equal(mesh.vertices, sets);
    if (tolerance > 0) {
      std::vector<std::uint32_t> distinct;
      for (std::uint32_t v = 0; v < count; ++v)
        if (sets.find(v) == v) distinct.push_back(v);
      Grid(mesh.vertices, distinct, tolerance).join_near(mesh.vertices, sets);
    }
    return weld_sets(mesh, sets);
  });
}

}  // namespace sudar
