// What:    See difference_view.hpp.
#include "lab/difference_view.hpp"

#include <sudar/geom/hull2.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/narrowphase/convex_view2.hpp>
#include <sudar/narrowphase/convex_view3.hpp>
#include <sudar/narrowphase/difference2.hpp>
#include <sudar/narrowphase/difference3.hpp>

#include <algorithm>

namespace sudar::lab {

namespace {

constexpr int kOutline = 96;      // directions around a rounded outline
constexpr double kBetween = 0.9;  // metres between the pair and its difference

constexpr std::size_t kMostSums = 20000;  // of vertices of hulls; beyond that the set is sampled

std::vector<Vec2d> outline_of(std::span<const Vec2d> points) {
  std::vector<Vec2d> out;
  if (const auto hull = convex_hull2(points))
    for (const std::uint32_t i : *hull) out.push_back(points[i]);
  return out;
}

}  // namespace

void draw_origin(DrawList& list, const Vec3d& at, double size, bool in_plane) {
  const double r = 0.06 * size;
  for (int i = 0; i < (in_plane ? 2 : 3); ++i) {
    Vec3d d{};
    d[i] = r;
    list.line(at - d, at + d, color_of(Ink::text), 2);
  }
  list.point(at, color_of(Ink::text), 7);
  list.label(at, " origin", color_of(Ink::text));
}

DifferenceView2::DifferenceView2(const Pair2& pair) {
  const ConvexView2 a = make_view(pair.a()), b = make_view(pair.b());
  const Placement2 place = pair.placement();
  const Difference2 difference(a, b, place);
  turn_ = pair.pose_a().rotation;
  std::vector<Vec2d> sums;
  for (std::uint32_t i = 0; i < a.count; ++i)
    for (std::uint32_t j = 0; j < b.count; ++j) sums.push_back(difference.of_vertices(i, j).w);
  core_ = outline_of(sums);
  if (const double radii = a.radius + b.radius; radii > 0) {
    for (int i = 0; i < kOutline; ++i) {
      const Rot2d r = Rot2d::from_angle(6.283185307179586 * i / kOutline);
      grown_.push_back(difference.least({-r.c, -r.s}).w + Vec2d{r.c, r.s} * radii);
    }
    grown_ = outline_of(grown_);
  }
  // Beside the pair, the origin included
  Vec2d lo{}, hi{};
  for (const auto* ring : {&core_, &grown_})
    for (const Vec2d& w : *ring) lo = min(lo, rotate(turn_, w)), hi = max(hi, rotate(turn_, w));
  const Aabb2d box = pair.bounds();
  place_ = {box.hi.x + kBetween - lo.x, 0.5 * (box.lo.y + box.hi.y) - 0.5 * (lo.y + hi.y)};
  low_ = {lo.x, lo.y};
  size_ = std::max(hi.x - lo.x, hi.y - lo.y);
}

void DifferenceView2::draw(DrawList& list) const {
  const auto ring = [&](const std::vector<Vec2d>& points) {
    std::vector<Vec3d> out;
    for (const Vec2d& w : points) out.push_back(at(w));
    return out;
  };
  if (!grown_.empty()) {
    const auto outer = ring(grown_);
    list.polygon(outer, color_of(Ink::ghost, 0.12f));
    list.polyline(outer, color_of(Ink::ghost, 0.6f), true, 1);
  }
  const auto inner = ring(core_);
  if (inner.size() > 2) list.polygon(inner, color_of(Ink::ghost, 0.22f));
  list.polyline(inner, color_of(Ink::ghost), inner.size() > 2, 1.5f);
  for (const Vec3d& p : inner) list.point(p, color_of(Ink::ghost), 4);
  draw_origin(list, origin(), size_, true);
  list.label(flat(place_ + low_ - Vec2d{0, 0.08 * size_ + 0.1}), "A - B", color_of(Ink::text));
}

DifferenceView3::DifferenceView3(const Pair3& pair) {
  const ConvexView3 a = make_view(pair.a()), b = make_view(pair.b());
  const Placement3 place = pair.placement();
  const Difference3 difference(a, b, place);
  turn_ = pair.pose_a().rotation;
  radii_ = a.radius + b.radius;
  std::vector<Vec3d> sums;
  if (difference.polytopes && std::size_t{a.count} * b.count <= kMostSums) {
    for (std::uint32_t i = 0; i < a.count; ++i)
      for (std::uint32_t j = 0; j < b.count; ++j) sums.push_back(difference.of_vertices(i, j).w);
  } else if (const auto directions = icosphere_mesh(1, 3)) {
    for (const Vec3d& d : directions->vertices) sums.push_back(difference.least(d).w);
  }
  if (auto hull = quickhull3(sums)) hull_ = *std::move(hull);
  Vec3d lo{}, hi{};
  for (const Vec3d& w : hull_.vertices) lo = min(lo, rotate(turn_, w)), hi = max(hi, rotate(turn_, w));
  const Aabb3d box = pair.bounds();
  place_ = {box.hi.x + kBetween - lo.x, 0, 0.5 * (box.lo.z + box.hi.z) - 0.5 * (lo.z + hi.z)};
  high_ = {0.5 * (lo.x + hi.x), 0, hi.z};
  size_ = max_abs(hi - lo);
}

void DifferenceView3::draw(DrawList& list) const {
  const auto to_world = [&](const Vec3d& w) { return at(w); };
  draw_hull(list, hull_, to_world, color_of(Ink::ghost, 0.10f), color_of(Ink::ghost, 0.45f));
  draw_origin(list, origin(), size_, false);
  list.label(place_ + high_ + Vec3d{0, 0, 0.15},
             radii_ > 0 ? "A - B of the cores; the radii reach " + std::to_string(radii_).substr(0, 4) + " m farther"
                        : "A - B",
             color_of(Ink::text));
}

}  // namespace sudar::lab
