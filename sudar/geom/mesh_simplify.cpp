#include <sudar/geom/mesh_adjacency.hpp>
#include <sudar/geom/mesh_check.hpp>
#include <sudar/geom/mesh_simplify.hpp>
#include <sudar/math/tolerance.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

namespace sudar {

namespace {

// The sum of squared distances to planes as x A x + 2 b x + c
struct Quadric {
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0, c = 0;
  Vec3d b{};

  void add(const Quadric& q) {
    xx += q.xx, xy += q.xy, xz += q.xz, yy += q.yy, yz += q.yz, zz += q.zz, c += q.c;
    b += q.b;
  }
  // The plane n · x = d with a weight
  void add_plane(const Vec3d& n, double d, double weight) {
    xx += weight * n.x * n.x, xy += weight * n.x * n.y, xz += weight * n.x * n.z;
    yy += weight * n.y * n.y, yz += weight * n.y * n.z, zz += weight * n.z * n.z;
    b -= n * (weight * d);
    c += weight * d * d;
  }
  Vec3d times(const Vec3d& p) const {
    return {xx * p.x + xy * p.y + xz * p.z, xy * p.x + yy * p.y + yz * p.z, xz * p.x + yz * p.y + zz * p.z};
  }
  double at(const Vec3d& p) const { return dot(p, times(p)) + 2 * dot(b, p) + c; }
};

struct Collapse {
  double cost;
  std::uint32_t u, v;  // v is drawn into u
  std::uint32_t stamp_u, stamp_v;
  Vec3d to;

  // The queue gives the largest: the cheapest, then the lowest vertices
  friend bool operator<(const Collapse& x, const Collapse& y) {
    if (x.cost != y.cost) return x.cost > y.cost;
    return x.u != y.u ? x.u > y.u : x.v > y.v;
  }
};

class Simplifier {
 public:
  Simplifier(const Mesh& mesh, const Vec3d& middle, double scale)
      : triangles_(mesh.triangles), alive_(mesh.triangles.size(), 1), left_(mesh.triangles.size()) {
    for (const Vec3d& v : mesh.vertices) points_.push_back((v - middle) * scale);
    around_.resize(points_.size());
    quadric_.resize(points_.size());
    stamp_.assign(points_.size(), 0);
    for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
      const Vec3d area = area_of(triangles_[t]), n = normalized(area);
      Quadric plane;
      plane.add_plane(n, dot(n, points_[triangles_[t][0]]), length(area));
      for (const std::uint32_t v : triangles_[t]) {
        around_[v].push_back(t);
        quadric_[v].add(plane);
      }
    }
    for (const MeshTriangle& t : triangles_)
      for (int k = 0; k < 3; ++k)
        if (t[k] < t[(k + 1) % 3]) propose(t[k], t[(k + 1) % 3]);
  }

  void run(std::size_t most) {
    while (left_ > most && !queue_.empty()) {
      const Collapse next = queue_.top();
      queue_.pop();
      if (stamp_[next.u] != next.stamp_u || stamp_[next.v] != next.stamp_v) continue;
      if (around_[next.u].empty() || around_[next.v].empty()) continue;
      if (keeps_kind(next.u, next.v) && turns_none(next)) draw_together(next);
    }
  }

  Mesh result(const Vec3d& middle, double scale) const {
    Mesh out;
    std::vector<std::uint32_t> number(points_.size(), kNoIndex);
    for (std::size_t t = 0; t < triangles_.size(); ++t)
      if (alive_[t] != 0)
        for (const std::uint32_t v : triangles_[t]) number[v] = 0;
    for (std::size_t v = 0; v < points_.size(); ++v) {
      if (number[v] == kNoIndex) continue;
      number[v] = static_cast<std::uint32_t>(out.vertices.size());
      out.vertices.push_back(points_[v] / scale + middle);
    }
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
      const MeshTriangle& x = triangles_[t];
      if (alive_[t] != 0) out.triangles.push_back({number[x[0]], number[x[1]], number[x[2]]});
    }
    return out;
  }

 private:
  Vec3d area_of(const MeshTriangle& t) const {
    return cross(points_[t[1]] - points_[t[0]], points_[t[2]] - points_[t[0]]);
  }

  // Where the sum of both errors is least: in space where that is well determined, else on the edge
  void propose(std::uint32_t u, std::uint32_t v) {
    Quadric q = quadric_[u];
    q.add(quadric_[v]);
    Collapse next{0, u, v, stamp_[u], stamp_[v], (points_[u] + points_[v]) * 0.5};
    for (const Vec3d& p : {points_[u], points_[v]})
      if (q.at(p) < q.at(next.to)) next.to = p;
    const Vec3d r0{q.xx, q.xy, q.xz}, r1{q.xy, q.yy, q.yz}, r2{q.xz, q.yz, q.zz};
    const double det = dot(r0, cross(r1, r2)), size = q.xx + q.yy + q.zz;
    if (det > kQuadricDeterminant * size * size * size) {
      const Vec3d best = (cross(r1, r2) * -q.b.x + cross(r2, r0) * -q.b.y + cross(r0, r1) * -q.b.z) / det;
      const double edge = length(points_[v] - points_[u]);
      if (distance(best, points_[u]) <= 2 * edge && q.at(best) < q.at(next.to)) next.to = best;
    }
    // Equal ground: the shorter edge
    next.cost = std::max(0.0, q.at(next.to)) + kRoundoff * length_squared(points_[v] - points_[u]);
    queue_.push(next);
  }

  std::vector<std::uint32_t> neighbours(std::uint32_t v) const {
    std::vector<std::uint32_t> out;
    for (const std::uint32_t t : around_[v])
      for (const std::uint32_t w : triangles_[t])
        if (w != v) out.push_back(w);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }
  // The link condition: the only vertices next to both ends are the two across the edge
  bool keeps_kind(std::uint32_t u, std::uint32_t v) const {
    const std::vector<std::uint32_t> x = neighbours(u), y = neighbours(v);
    std::vector<std::uint32_t> both;
    std::set_intersection(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(both));
    if (both.size() != 2) return false;
    // A tetrahedron stays one, also where it shares a corner with other triangles
    const auto closes = [&](std::uint32_t end) {
      return std::any_of(around_[end].begin(), around_[end].end(),
                         [&](std::uint32_t t) { return has(triangles_[t], both[0]) && has(triangles_[t], both[1]); });
    };
    return !(closes(u) && closes(v));
  }
  bool turns_none(const Collapse& c) const {
    for (const std::uint32_t end : {c.u, c.v})
      for (const std::uint32_t t : around_[end]) {
        const MeshTriangle& old = triangles_[t];
        if (has(old, c.u) && has(old, c.v)) continue;
        Vec3d p[3];
        for (int k = 0; k < 3; ++k) p[k] = old[k] == end ? c.to : points_[old[k]];
        const Vec3d before = area_of(old), after = cross(p[1] - p[0], p[2] - p[0]);
        if (!(dot(before, after) > kQuadricTurn * length(before) * length(after))) return false;
      }
    return true;
  }
  static bool has(const MeshTriangle& t, std::uint32_t v) { return t[0] == v || t[1] == v || t[2] == v; }

  void draw_together(const Collapse& c) {
    points_[c.u] = c.to;
    quadric_[c.u].add(quadric_[c.v]);
    for (const std::uint32_t t : around_[c.v]) {
      if (has(triangles_[t], c.u)) {
        alive_[t] = 0;
        --left_;
        continue;
      }
      for (std::uint32_t& w : triangles_[t])
        if (w == c.v) w = c.u;
      around_[c.u].push_back(t);
    }
    around_[c.v].clear();
    const auto gone = [&](std::uint32_t t) { return alive_[t] == 0; };
    std::erase_if(around_[c.u], gone);
    const std::vector<std::uint32_t> near = neighbours(c.u);
    ++stamp_[c.u], ++stamp_[c.v];
    for (const std::uint32_t w : near) std::erase_if(around_[w], gone);
    for (const std::uint32_t w : near) propose(std::min(c.u, w), std::max(c.u, w));
  }

  std::vector<Vec3d> points_;
  std::vector<MeshTriangle> triangles_;
  std::vector<char> alive_;
  std::vector<std::vector<std::uint32_t>> around_;
  std::vector<Quadric> quadric_;
  std::vector<std::uint32_t> stamp_;
  std::priority_queue<Collapse> queue_;
  std::size_t left_;
};

}  // namespace

Result<Mesh> simplified(const Mesh& closed, std::size_t most_triangles) noexcept {
  return guarded([&]() -> Result<Mesh> {
    if (const auto r = check_solid(closed); !r) return r.error();
    for (std::size_t i = 0; i < closed.vertices.size(); ++i)
      if (max_abs(closed.vertices[i]) > kMaxSimplified)
        return Error{ErrorCode::too_large, i, "coordinate beyond kMaxSimplified"};
    const Result<MeshAdjacency> who = adjacency(closed);
    if (!who) return who.error();
    for (const MeshEdge& edge : who->edges)
      if (edge.count() != 2)
        return Error{ErrorCode::not_manifold, triangle_of(who->around[edge.first]),
                     "more than two triangles at an edge"};
    Mesh sound = closed;
    std::erase_if(sound.triangles, [](const MeshTriangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
    Vec3d lo = sound.vertices[0], hi = lo;
    for (const Vec3d& v : sound.vertices) lo = min(lo, v), hi = max(hi, v);
    const double size = max_abs(hi - lo);
    if (!(size > 0)) return sound;
    // A power of two, so that what stays where it was comes back exactly when it is near the middle
    int exponent = 0;
    std::frexp(size, &exponent);
    const double scale = std::ldexp(1.0, std::min(-exponent, std::numeric_limits<double>::max_exponent - 1));
    const Vec3d middle = lo * 0.5 + hi * 0.5;
    Simplifier work(sound, middle, scale);
    work.run(std::max<std::size_t>(4, most_triangles));
    return work.result(middle, scale);
  });
}

}  // namespace sudar
