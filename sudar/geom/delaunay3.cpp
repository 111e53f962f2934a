// What:    The tetrahedralisation of space, and the triangulation of coplanar points by spheres that cut their plane in
//          circles, see the header.
#include <sudar/geom/delaunay2_engine.hpp>
#include <sudar/geom/delaunay3.hpp>
#include <sudar/geom/delaunay3_engine.hpp>
#include <sudar/geom/delaunay_input.hpp>
#include <sudar/geom/projection.hpp>
#include <sudar/math/predicates.hpp>

#include <algorithm>

namespace sudar {
namespace {

// Exact signs behind one comparison with a bound that holds for all of the points
class SpaceSigns {
 public:
  explicit SpaceSigns(std::span<const Vec3d> points) : points_(points.data()) {
    const Vec3d w = extent<3>(points);
    if (!static_filter_holds(w)) return;
    orient_bound_ = kOrient3dStaticError * 6 * w.x * w.y * w.z;
    sphere_bound_ = kInsphereStaticError * 24 * w.x * w.y * w.z * (w.x * w.x + w.y * w.y + w.z * w.z);
  }

  int orient(std::uint32_t ia, std::uint32_t ib, std::uint32_t ic, std::uint32_t id) const {
    const Vec3d &a = points_[ia], &b = points_[ib], &c = points_[ic], &d = points_[id];
    const double ax = a.x - d.x, ay = a.y - d.y, az = a.z - d.z;
    const double bx = b.x - d.x, by = b.y - d.y, bz = b.z - d.z;
    const double cx = c.x - d.x, cy = c.y - d.y, cz = c.z - d.z;
    const double det = az * (cx * by - bx * cy) + bz * (ax * cy - cx * ay) + cz * (bx * ay - ax * by);
    if (det > orient_bound_) return 1;
    if (det < -orient_bound_) return -1;
    return orient3d(a, b, c, d);
  }
  int in_sphere(std::uint32_t ia, std::uint32_t ib, std::uint32_t ic, std::uint32_t id, std::uint32_t ie) const {
    const Vec3d &a = points_[ia], &b = points_[ib], &c = points_[ic], &d = points_[id], &e = points_[ie];
    const double ax = a.x - e.x, ay = a.y - e.y, az = a.z - e.z;
    const double bx = b.x - e.x, by = b.y - e.y, bz = b.z - e.z;
    const double cx = c.x - e.x, cy = c.y - e.y, cz = c.z - e.z;
    const double dx = d.x - e.x, dy = d.y - e.y, dz = d.z - e.z;
    const double ab = ax * by - bx * ay, bc = bx * cy - cx * by, cd = cx * dy - dx * cy;
    const double da = dx * ay - ax * dy, ac = ax * cy - cx * ay, bd = bx * dy - dx * by;
    const double abc = az * bc - bz * ac + cz * ab, bcd = bz * cd - cz * bd + dz * bc;
    const double cda = cz * da + dz * ac + az * cd, dab = dz * ab + az * bd + bz * da;
    const double det = ((cx * cx + cy * cy + cz * cz) * dab - (dx * dx + dy * dy + dz * dz) * abc) +
                       ((ax * ax + ay * ay + az * az) * bcd - (bx * bx + by * by + bz * bz) * cda);
    if (det > sphere_bound_) return 1;
    if (det < -sphere_bound_) return -1;
    return insphere(a, b, c, d, e);
  }
  bool same(std::uint32_t a, std::uint32_t b) const { return points_[a] == points_[b]; }

 private:
  const Vec3d* points_;
  double orient_bound_ = HUGE_VAL, sphere_bound_ = HUGE_VAL;
};

// Exact signs within the plane of coplanar points. A projection keeps turns but not circles: for those, a sphere
// through the three corners and a point off the plane cuts the plane in their circle.
class CoplanarSigns {
 public:
  CoplanarSigns(std::span<const Vec3d> points, int axis) : points_(points.data()), axis_(axis) {
    for (const Vec3d& p : points) largest_ = std::max(largest_, max_abs(p));
  }

  int orient(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    return orient_along(axis_, points_[a], points_[b], points_[c]);
  }
  int in_circle(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) const {
    Vec3d off_plane = points_[a];
    off_plane[axis_] = off_plane[axis_] > 0 ? -largest_ : largest_;
    const int side = orient3d(points_[a], points_[b], points_[c], off_plane);
    return side * insphere(points_[a], points_[b], points_[c], off_plane, points_[d]);
  }
  bool between(std::uint32_t a, std::uint32_t b, std::uint32_t p) const {
    return strictly_between<3>(points_[a], points_[b], points_[p]);
  }
  bool same(std::uint32_t a, std::uint32_t b) const { return points_[a] == points_[b]; }

 private:
  const Vec3d* points_;
  int axis_;
  double largest_ = 0;
};

void triangulate_coplanar(InsertionOrder<3>& input, int axis, Delaunay3& out) {
  DelaunayEngine2<CoplanarSigns> engine{CoplanarSigns(input.points, axis)};
  engine.start(0, 1, 2, input.points.size());
  for (std::uint32_t p = 3; p < input.points.size(); ++p)
    if (const std::uint32_t vertex = engine.insert(p); vertex != p) input.merge(p, vertex);
  EngineOutput2 result = finish_triangles(engine, input.first_names());
  out.dimension = 2;
  out.triangles = std::move(result.triangles);
  out.triangle_neighbours = std::move(result.neighbours);
  out.first_of = input.first_of();
}

template <class Engine>
void collect_tetrahedra(const Engine& engine, std::span<const std::uint32_t> names, Delaunay3& out) {
  const auto& all = engine.tetrahedra();
  std::vector<std::uint32_t> place(all.size(), Delaunay3::kNone);
  std::uint32_t count = 0;
  for (std::uint32_t t = 0; t < all.size(); ++t)
    if (engine.in_use(t) && Engine::infinite_corner(all[t]) < 0) place[t] = count++;
  out.tetrahedra.reserve(count);
  out.neighbours.reserve(count);
  for (std::uint32_t t = 0; t < all.size(); ++t) {
    if (place[t] == Delaunay3::kNone) continue;
    auto& corners = out.tetrahedra.emplace_back();
    auto& neighbours = out.neighbours.emplace_back();
    for (int i = 0; i < 4; ++i) {
      corners[i] = names[all[t].v[i]];
      neighbours[i] = place[all[t].twin[i] >> 2];
    }
  }
}

}  // namespace

template <class Trace>
Result<Delaunay3> delaunay3(std::span<const Vec3d> points, Trace trace) {
  return guarded([&]() -> Result<Delaunay3> {
    if (auto checked = check_points<3>(points, std::size_t{1} << 29); !checked) return checked.error();
    InsertionOrder<3> input(points);
    Delaunay3 out;

    // Four points that span space go first
    const auto& p = input.points;
    if (input.bring_forward(1, [&](const Vec3d& q) { return q != p[0]; }) == kNoVertex) {
      out.first_of.assign(points.size(), 0);
      return out;
    }
    if (input.bring_forward(2, [&](const Vec3d& q) { return !collinear(p[0], p[1], q); }) == kNoVertex) {
      out.dimension = 1;
      const std::vector<std::uint32_t> chain = sorted_along_line<3>(points, out.first_of);
      for (std::size_t i = 1; i < chain.size(); ++i) out.edges.push_back({chain[i - 1], chain[i]});
      return out;
    }
    if (input.bring_forward(3, [&](const Vec3d& q) { return orient3d(p[0], p[1], p[2], q) != 0; }) == kNoVertex) {
      triangulate_coplanar(input, projection_axis(p[0], p[1], p[2]), out);
      return out;
    }

    using Engine = DelaunayEngine3<SpaceSigns>;
    Engine engine{SpaceSigns(input.points)};
    const auto report = [&](std::string_view step, const typename Engine::Tetrahedron& t) {
      if (Engine::infinite_corner(t) >= 0) return;
      const std::array<std::uint32_t, 4> ids = {input.names[t.v[0]], input.names[t.v[1]], input.names[t.v[2]],
                                                input.names[t.v[3]]};
      trace({.step = step, .ids = ids});
    };
    const auto report_made = [&] {
      for (const std::uint32_t t : engine.made()) report("add", engine.tetrahedra()[t]);
    };
    engine.keep_removed(Trace::kEnabled);
    engine.start(0, 1, 2, 3, points.size());
    if constexpr (Trace::kEnabled) report_made();
    for (std::uint32_t k = 4; k < input.points.size(); ++k) {
      const std::uint32_t vertex = engine.insert(k);
      if (vertex == Engine::kFull)
        return Error{ErrorCode::too_large, input.names[k], "more tetrahedra than indices allow"};
      if (vertex != k) {
        input.merge(k, vertex);
        if constexpr (Trace::kEnabled) {
          const std::array<std::uint32_t, 2> ids = {input.names[k], input.names[vertex]};
          trace({.step = "duplicate", .ids = ids});
        }
        continue;
      }
      if constexpr (Trace::kEnabled) {
        trace({.step = "insert", .ids = {&input.names[k], 1}});
        for (const auto& t : engine.removed()) report("remove", t);
        report_made();
      }
    }
    out.dimension = 3;
    collect_tetrahedra(engine, input.first_names(), out);
    out.first_of = input.first_of();
    return out;
  });
}

template SUDAR_API Result<Delaunay3> delaunay3<NoTrace>(std::span<const Vec3d>, NoTrace);
template SUDAR_API Result<Delaunay3> delaunay3<TraceTo>(std::span<const Vec3d>, TraceTo);

}  // namespace sudar
