// What:    The triangulation of the plane: a static filter in front of the exact predicates, and the way from points in
//          any order to DelaunayEngine2, see the header.
#include <sudar/geom/delaunay2.hpp>
#include <sudar/geom/delaunay2_engine.hpp>
#include <sudar/geom/delaunay_input.hpp>
#include <sudar/math/predicates.hpp>
#include <sudar/math/tolerance.hpp>

#include <algorithm>
#include <cmath>

namespace sudar {
namespace {

// Exact signs behind one comparison with a bound that holds for all of the points
class PlaneSigns {
 public:
  explicit PlaneSigns(std::span<const Vec2d> points) : points_(points.data()) {
    const Vec2d w = extent<2>(points);
    if (!static_filter_holds(w)) return;
    orient_bound_ = kOrient2dStaticError * 2 * w.x * w.y;
    circle_bound_ = kIncircleStaticError * 6 * w.x * w.y * (w.x * w.x + w.y * w.y);
  }

  int orient(std::uint32_t ia, std::uint32_t ib, std::uint32_t ic) const {
    const Vec2d &a = points_[ia], &b = points_[ib], &c = points_[ic];
    const double det = (a.x - c.x) * (b.y - c.y) - (a.y - c.y) * (b.x - c.x);
    if (det > orient_bound_) return 1;
    if (det < -orient_bound_) return -1;
    return orient2d(a, b, c);
  }
  int in_circle(std::uint32_t ia, std::uint32_t ib, std::uint32_t ic, std::uint32_t id) const {
    const Vec2d &a = points_[ia], &b = points_[ib], &c = points_[ic], &d = points_[id];
    const double ax = a.x - d.x, ay = a.y - d.y, bx = b.x - d.x, by = b.y - d.y, cx = c.x - d.x, cy = c.y - d.y;
    const double det = (ax * ax + ay * ay) * (bx * cy - cx * by) + (bx * bx + by * by) * (cx * ay - ax * cy) +
                       (cx * cx + cy * cy) * (ax * by - bx * ay);
    if (det > circle_bound_) return 1;
    if (det < -circle_bound_) return -1;
    return incircle(a, b, c, d);
  }
  bool between(std::uint32_t a, std::uint32_t b, std::uint32_t p) const {
    return strictly_between<2>(points_[a], points_[b], points_[p]);
  }
  bool same(std::uint32_t a, std::uint32_t b) const { return points_[a] == points_[b]; }

 private:
  const Vec2d* points_;
  double orient_bound_ = HUGE_VAL, circle_bound_ = HUGE_VAL;
};

}  // namespace

template <class Trace>
Result<Delaunay2> delaunay2(std::span<const Vec2d> points, Trace trace) {
  return guarded([&]() -> Result<Delaunay2> {
    if (auto checked = check_points<2>(points, std::size_t{1} << 29); !checked) return checked.error();
    InsertionOrder<2> input(points);
    Delaunay2 out;

    // Three points that span the plane go first
    const std::uint32_t second = input.bring_forward(1, [&](const Vec2d& p) { return p != input.points[0]; });
    if (second == kNoVertex) {
      out.hull = {0};
      out.first_of.assign(points.size(), 0);
      return out;
    }
    const std::uint32_t third =
        input.bring_forward(2, [&](const Vec2d& p) { return orient2d(input.points[0], input.points[1], p) != 0; });
    if (third == kNoVertex) {
      out.dimension = 1;
      out.hull = sorted_along_line<2>(points, out.first_of);
      for (std::size_t i = 1; i < out.hull.size(); ++i) out.edges.push_back({out.hull[i - 1], out.hull[i]});
      return out;
    }

    const auto triangulate = [&] {
      DelaunayEngine2<PlaneSigns> engine{PlaneSigns(input.points)};
      const auto report = [&](std::string_view step, const auto& t) {
        if (t.v[0] == kInfiniteVertex || t.v[1] == kInfiniteVertex || t.v[2] == kInfiniteVertex) return;
        const std::array<std::uint32_t, 3> ids = {input.names[t.v[0]], input.names[t.v[1]], input.names[t.v[2]]};
        trace({.step = step, .ids = ids});
      };
      const auto report_made = [&] {
        for (const std::uint32_t t : engine.made()) report("add", engine.triangles()[t]);
      };
      engine.keep_removed(Trace::kEnabled);
      engine.start(0, 1, 2, input.points.size());
      if constexpr (Trace::kEnabled) report_made();
      for (std::uint32_t p = 3; p < input.points.size(); ++p) {
        const std::uint32_t vertex = engine.insert(p);
        if (vertex != p) {
          input.merge(p, vertex);
          if constexpr (Trace::kEnabled) {
            const std::array<std::uint32_t, 2> ids = {input.names[p], input.names[vertex]};
            trace({.step = "duplicate", .ids = ids});
          }
          continue;
        }
        if constexpr (Trace::kEnabled) {
          trace({.step = "insert", .ids = {&input.names[p], 1}});
          for (const auto& t : engine.removed()) report("remove", t);
          report_made();
        }
      }
      return finish_triangles(engine, input.first_names());
    };
    EngineOutput2 result = triangulate();
    out.dimension = 2;
    out.triangles = std::move(result.triangles);
    out.neighbours = std::move(result.neighbours);
    out.hull = std::move(result.hull);
    out.first_of = input.first_of();
    return out;
  });
}

template SUDAR_API Result<Delaunay2> delaunay2<NoTrace>(std::span<const Vec2d>, NoTrace);
template SUDAR_API Result<Delaunay2> delaunay2<TraceTo>(std::span<const Vec2d>, TraceTo);

}  // namespace sudar
