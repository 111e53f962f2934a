// What:    See mesh_frames.hpp.
#include <sudar/bounding/aabb.hpp>
#include <sudar/broadphase/columns.hpp>
#include <sudar/continuous/mesh_frames.hpp>

#include <algorithm>
#include <cmath>

namespace sudar {

namespace {

using Edge = std::array<std::uint32_t, 2>;

// Each edge once, the lower index first
std::vector<Edge> edges_of(std::span<const MeshTriangle> triangles) {
  std::vector<Edge> edges;
  edges.reserve(3 * triangles.size());
  for (const MeshTriangle& t : triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t p = t[i], q = t[(i + 1) % 3];
      edges.push_back({std::min(p, q), std::max(p, q)});
    }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}
// Vertices of some triangle
std::vector<std::uint32_t> vertices_of(std::span<const MeshTriangle> triangles) {
  std::vector<std::uint32_t> vertices;
  vertices.reserve(3 * triangles.size());
  for (const MeshTriangle& t : triangles) vertices.insert(vertices.end(), t.begin(), t.end());
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

Result<void> check(const MovingMesh& mesh, std::size_t first_vertex, std::size_t first_triangle) {
  if (mesh.start.size() != mesh.end.size())
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "the two frames differ in their number of vertices"};
  if (mesh.start.size() > kMaxMeshVertices || mesh.triangles.size() > kMaxMeshTriangles)
    return Error{ErrorCode::too_large, Error::kNoElement, "more vertices or triangles than an index can count"};
  for (const auto& frame : {mesh.start, mesh.end})
    for (std::size_t i = 0; i < frame.size(); ++i)
      for (int k = 0; k < 3; ++k)
        if (!std::isfinite(frame[i][k]))
          return Error{ErrorCode::non_finite, first_vertex + i, "coordinate is NaN or infinite"};
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (const std::uint32_t v : mesh.triangles[i])
      if (v >= mesh.start.size())
        return Error{ErrorCode::index_out_of_range, first_triangle + i, "a triangle names a vertex that is not there"};
  return {};
}

// Boxes of both sides of one kind of pair, and the pairs among them
class PairSearch {
 public:
  PairSearch(double margin, Broadphase<3>* broadphase) : margin_(margin), broadphase_(broadphase) {}

  // The box that contains the points at all times, grown by half of the separation and a rounding
  template <std::size_t N>
  void add(const MovingMesh& mesh, const std::array<std::uint32_t, N>& points) {
    Vec3d lo = mesh.start[points[0]], hi = lo;
    for (const std::uint32_t i : points) {
      lo = min(lo, min(mesh.start[i], mesh.end[i]));
      hi = max(hi, max(mesh.start[i], mesh.end[i]));
    }
    for (int k = 0; k < 3; ++k) {
      constexpr double kMax = std::numeric_limits<double>::max();
      rows_.push_back(margin_ > 0 ? std::max(sub_down(lo[k], margin_), -kMax) : lo[k]);
    }
    for (int k = 0; k < 3; ++k) {
      constexpr double kMax = std::numeric_limits<double>::max();
      rows_.push_back(margin_ > 0 ? std::min(add_up(hi[k], margin_), kMax) : hi[k]);
    }
  }
  std::size_t count() const { return rows_.size() / 6; }

  // Calls pair(i, j) with the numbers of the boxes in the order of add(), i from below `split` and j from there on, or any
  // two with i < j when there is no split
  template <class F>
  Result<void> each(std::size_t split, F&& pair) {
    if (count() > std::numeric_limits<std::uint32_t>::max())
      return Error{ErrorCode::too_large, Error::kNoElement, "more boxes than an index can count"};
    if (count() < 2) return {};
    BoxStore<3> store;
    if (auto done = store.assign(rows_); !done) return done;
    if (split > 0)
      for (std::uint32_t i = 0; i < count(); ++i) {
        const Filter filter = i < split ? Filter{1, 2, 0} : Filter{2, 1, 0};
        if (auto done = store.set_filter(i, filter); !done) return done;
      }
    Columns<3> own;
    Broadphase<3>& search = broadphase_ != nullptr ? *broadphase_ : own;
    if (auto done = search.build(store); !done) return done;
    const auto pairs = search.pairs(store);
    if (!pairs) return pairs.error();
    for (const IdPair& p : *pairs)
      if (auto done = pair(p.lo, p.hi); !done) return done;
    return {};
  }

 private:
  double margin_;
  Broadphase<3>* broadphase_;
  std::vector<double> rows_;
};

class FrameTest {
 public:
  FrameTest(const MovingMesh& a, const MovingMesh& b, bool self, const ImpactOptions& options,
            Broadphase<3>* broadphase)
      : a_(a), b_(b), self_(self), options_(options), broadphase_(broadphase) {}

  Result<FramesImpact> run() {
    if (auto done = vertices_against_faces(a_, b_, FrameFeature::vertex_face); !done) return done.error();
    if (!self_)
      if (auto done = vertices_against_faces(b_, a_, FrameFeature::face_vertex); !done) return done.error();
    if (auto done = edges_against_edges(); !done) return done.error();
    for (const FrameContact& c : result_.contacts) {
      if (!result_.hit || c.t < result_.t) result_.t = c.t;
      if (!result_.hit || c.t_lower < result_.t_lower) result_.t_lower = c.t_lower;
      result_.hit = true;
    }
    return std::move(result_);
  }

 private:
  // What is grown on both sides is apart by the separation along an axis when it does not overlap
  double margin() const { return options_.min_separation > 0 ? next_up(options_.min_separation / 2) : 0; }

  void keep(const PrimitiveImpact& x, FrameFeature kind, std::array<std::uint32_t, 2> a,
            std::array<std::uint32_t, 2> b) {
    if (x.hit) result_.contacts.push_back({kind, a, b, x.t, x.t_lower});
  }

  Result<void> vertices_against_faces(const MovingMesh& points, const MovingMesh& faces, FrameFeature kind) {
    const std::vector<std::uint32_t> vertices = vertices_of(points.triangles);
    PairSearch search(margin(), broadphase_);
    for (const std::uint32_t v : vertices) search.add<1>(points, {v});
    for (const MeshTriangle& t : faces.triangles) search.add<3>(faces, t);
    const std::size_t split = vertices.size();
    if (split == 0 || faces.triangles.empty()) return {};
    return search.each(split, [&](std::size_t i, std::size_t j) -> Result<void> {
      const std::uint32_t v = vertices[i], f = static_cast<std::uint32_t>(j - split);
      const auto& [p, q, r] = faces.triangles[f];
      if (self_ && (v == p || v == q || v == r)) return {};
      ++result_.candidates;
      const auto x = vertex_face_impact({points.start[v], faces.start[p], faces.start[q], faces.start[r]},
                                        {points.end[v], faces.end[p], faces.end[q], faces.end[r]}, options_);
      if (!x) return x.error();
      if (kind == FrameFeature::vertex_face)
        keep(*x, kind, {v, kNoIndex}, {f, kNoIndex});
      else
        keep(*x, kind, {f, kNoIndex}, {v, kNoIndex});
      return {};
    });
  }

  Result<void> edges_against_edges() {
    const std::vector<Edge> first = edges_of(a_.triangles),
                            other = self_ ? std::vector<Edge>() : edges_of(b_.triangles);
    PairSearch search(margin(), broadphase_);
    for (const Edge& e : first) search.add<2>(a_, e);
    for (const Edge& e : other) search.add<2>(b_, e);
    const std::size_t split = self_ ? 0 : first.size();
    if (first.empty() || (!self_ && other.empty())) return {};
    return search.each(split, [&](std::size_t i, std::size_t j) -> Result<void> {
      const Edge &e = first[i], &f = self_ ? first[j] : other[j - split];
      if (self_ && (e[0] == f[0] || e[0] == f[1] || e[1] == f[0] || e[1] == f[1])) return {};
      ++result_.candidates;
      const auto x = edge_edge_impact({a_.start[e[0]], a_.start[e[1]], b_.start[f[0]], b_.start[f[1]]},
                                      {a_.end[e[0]], a_.end[e[1]], b_.end[f[0]], b_.end[f[1]]}, options_);
      if (!x) return x.error();
      keep(*x, FrameFeature::edge_edge, e, f);
      return {};
    });
  }

  const MovingMesh &a_, &b_;
  bool self_;
  const ImpactOptions& options_;
  Broadphase<3>* broadphase_;
  FramesImpact result_;
};

Result<FramesImpact> tested(const MovingMesh& a, const MovingMesh& b, bool self, const ImpactOptions& options,
                            Broadphase<3>* broadphase) {
  return guarded([&]() -> Result<FramesImpact> {
    if (auto good = check(a, 0, 0); !good) return good.error();
    if (!self)
      if (auto good = check(b, a.start.size(), a.triangles.size()); !good) return good.error();
    // The options are bad whether or not there is a pair
    if (const auto x = edge_edge_impact({}, {}, options); !x) return x.error();
    return FrameTest(a, b, self, options, broadphase).run();
  });
}

}  // namespace

Result<FramesImpact> mesh_frames_impact(const MovingMesh& a, const MovingMesh& b, const ImpactOptions& options,
                                        Broadphase<3>* broadphase) noexcept {
  return tested(a, b, false, options, broadphase);
}
Result<FramesImpact> mesh_frames_self_impact(const MovingMesh& mesh, const ImpactOptions& options,
                                             Broadphase<3>* broadphase) noexcept {
  return tested(mesh, mesh, true, options, broadphase);
}

}  // namespace sudar
