// What:    The bounding volumes of one body side by side, see the header.
#include <sudar/bounding/hull_volume.hpp>
#include <sudar/bounding/kdop_fit.hpp>
#include <sudar/bounding/obb_fit.hpp>
#include <sudar/bounding/round_fit.hpp>
#include <sudar/bounding/sphere_fit.hpp>
#include <sudar/bounding/tightness.hpp>
#include <sudar/geom/hull2.hpp>

#include <algorithm>
#include <chrono>

namespace sudar {
namespace {

double polygon_area(std::span<const Vec2d> points, std::span<const std::uint32_t> loop) {
  double twice = 0;
  for (std::size_t i = 2; i < loop.size(); ++i)
    twice += cross(points[loop[i - 1]] - points[loop[0]], points[loop[i]] - points[loop[0]]);
  return twice / 2;
}

// Volume of the hull of points: what a k-DOP and the hull itself are measured by
Result<double> hull_measure(std::span<const Vec2d> points) {
  const auto loop = convex_hull2(points);
  if (!loop) return loop.error();
  return polygon_area(points, *loop);
}
Result<double> hull_measure(std::span<const Vec3d> points) {
  const auto hull = quickhull3(points);
  if (!hull) return hull.error();
  return volume(*hull);
}

struct Costs {
  std::uint32_t test, move, numbers;
};
// Costs past 32 bits are all the same
std::uint32_t capped(std::uint64_t cost) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(cost, std::numeric_limits<std::uint32_t>::max()));
}

// Collects the rows; the first error stops the rest
template <int D>
class Comparison {
 public:
  using Points = std::span<const Vec<D, double>>;
  Comparison(Points points, int repeats) : points_(points), repeats_(std::max(1, repeats)) {}

  // `fit` takes the points and gives a Result; `measure` takes what it gives and returns its volume, or a Result of it
  template <class Fit, class Measure>
  void add(std::string_view kind, Costs costs, Fit&& fit, Measure&& measure) {
    using Clock = std::chrono::steady_clock;
    if (!error_.ok()) return;
    VolumeRow row{.kind = kind, .test_cost = costs.test, .move_cost = costs.move, .numbers = costs.numbers};
    row.fit_ms = std::numeric_limits<double>::infinity();
    for (int i = 0; i < repeats_; ++i) {
      const auto start = Clock::now();
      const auto fitted = fit(points_);
      row.fit_ms = std::fmin(row.fit_ms, std::chrono::duration<double, std::milli>(Clock::now() - start).count());
      if (!fitted) {
        error_ = fitted.error();
        return;
      }
      if (i > 0) continue;
      const Result<double> measured = measure(*fitted);
      if (!measured) {
        error_ = measured.error();
        return;
      }
      row.volume = *measured;
    }
    rows_.push_back(row);
  }
  template <class Fit>
  void add(std::string_view kind, Costs costs, Fit&& fit) {
    add(kind, costs, fit, [](const auto& shape) -> Result<double> { return volume(shape); });
  }
  template <int K>
  void add_kdop(std::string_view kind) {
    // Two comparisons a slab; a re-fit bounds both ends of every slab by every slab, K² / 2 bounds of some 4 D steps
    constexpr std::uint32_t kCost = K, kMove = K * K * 2 * D;
    add(
        kind, {kCost, kMove, K}, [](Points p) { return bounding_kdop<D, K, double>(p); },
        [](const Kdop<D, K, double>& dop) -> Result<double> {
          const auto corners = vertices(dop);
          if (!corners) return corners.error();
          return hull_measure(std::span<const Vec<D, double>>(*corners));
        });
  }
  // The last row is the hull's own, by which the others are measured
  Result<std::vector<VolumeRow>> finish() {
    if (!error_.ok()) return error_.error();
    const double tightest = rows_.back().volume;
    const auto too_large = [] {
      return Error{ErrorCode::too_large, Error::kNoElement, "a volume is past the largest number"};
    };
    for (const VolumeRow& row : rows_)
      if (!std::isfinite(row.volume)) return too_large();
    if (!(tightest > 0)) return Error{ErrorCode::degenerate, Error::kNoElement, "the points have no volume"};
    for (VolumeRow& row : rows_) {
      row.tightness = row.volume / tightest;
      if (!std::isfinite(row.tightness)) return too_large();
    }
    return std::move(rows_);
  }

 private:
  Points points_;
  int repeats_;
  Result<void> error_;
  std::vector<VolumeRow> rows_;
};

// What every dimension has. Costs: comparisons of a box; a centre difference, its square and a sum; a rotation of the
// centre; for a box under a pose also the sizes of the rotation.
template <int D>
void add_common(Comparison<D>& table) {
  using Points = std::span<const Vec<D, double>>;
  constexpr std::uint32_t kRotation = D == 2 ? 6 : 30, kSphereTest = 3 * D + 2;
  table.add("aabb", {2 * D, kRotation * (D + 1) + 6 * D, 2 * D}, [](Points p) { return bounding_box<D, double>(p); });
  const Costs sphere{kSphereTest, kRotation + D, D + 1};
  table.add("sphere (mean)", sphere, [](Points p) { return mean_sphere<D>(p); });
  table.add("sphere (box)", sphere, [](Points p) { return box_sphere<D>(p); });
  table.add("sphere (ritter)", sphere, [](Points p) { return ritter_sphere<D>(p); });
  table.add("sphere (smallest)", sphere, [](Points p) { return smallest_sphere<D>(p); });
  // Four point–segment distances and one of two lines
  table.add("capsule", {5 * 12 * D, 2 * (kRotation + D), 2 * D + 1}, [](Points p) { return bounding_capsule<D>(p); });
}

}  // namespace

template <>
Result<std::vector<VolumeRow>> compare_volumes<2>(std::span<const Vec2d> points, int repeats) noexcept {
  return guarded([&] {
    Comparison<2> table(points, repeats);
    add_common(table);
    // Rotation into the other's frame: 4 products of axes; 4 axes of 6 steps
    table.add("obb (calipers)", {44, 20, 8}, [](std::span<const Vec2d> p) { return smallest_rectangle(p); });
    table.add_kdop<6>("6-dop");
    table.add_kdop<8>("8-dop");
    const auto loop = convex_hull2(points);
    const std::uint64_t n = loop ? loop->size() : 0;
    // Every edge normal of both against every vertex of both
    table.add(
        "hull", {capped(2 * n * 2 * n * 4), capped(8 * n), capped(2 * n)},
        [](std::span<const Vec2d> p) { return convex_hull2(p); },
        [&](const std::vector<std::uint32_t>& ids) -> Result<double> { return polygon_area(points, ids); });
    return table.finish();
  });
}

template <>
Result<std::vector<VolumeRow>> compare_volumes<3>(std::span<const Vec3d> points, int repeats) noexcept {
  return guarded([&] {
    Comparison<3> table(points, repeats);
    add_common(table);
    // Six directions: two reaches of 20 steps each and their making
    table.add("cylinder", {6 * 50, 66, 8}, [](std::span<const Vec3d> p) { return bounding_cylinder(p); });
    // 9 products of axes, 6 face normals, 9 crossed edges
    table.add("obb (principal)", {45 + 15 + 6 * 8 + 9 * 14, 126, 15},
              [](std::span<const Vec3d> p) { return principal_box(p); });
    table.add("obb (smallest)", {45 + 15 + 6 * 8 + 9 * 14, 126, 15},
              [](std::span<const Vec3d> p) { return smallest_box(p); });
    table.add_kdop<6>("6-dop");
    table.add_kdop<14>("14-dop");
    table.add_kdop<18>("18-dop");
    table.add_kdop<26>("26-dop");
    // Every face normal of both and every pair of edges against every vertex of both
    const auto hull = quickhull3(points);
    const std::uint64_t v = hull ? hull->vertex_count() : 0, e = hull ? hull->edge_count() : 0,
                        f = hull ? hull->face_count() : 0;
    table.add("hull", {capped((2 * f + e * e) * 2 * v * 8), capped(33 * v + 30 * f), capped(3 * v + 4 * f)},
              [](std::span<const Vec3d> p) { return quickhull3(p); });
    return table.finish();
  });
}

}  // namespace sudar
