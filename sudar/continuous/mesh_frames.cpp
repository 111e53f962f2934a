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

// Contains the points at all times, grown by a margin
template <class Points>
Aabb3d swept_box(const MovingMesh& mesh, const Points& points, double margin) {
  Aabb3d box = Aabb3d::empty();
  for (const std::uint32_t i : points) {
    box.lo = min(box.lo, min(mesh.start[i], mesh.end[i]));
    box.hi = max(box.hi, max(mesh.start[i], mesh.end[i]));
  }
  if (margin > 0)
    for (int k = 0; k < 3; ++k) {
      constexpr double kMax = std::numeric_limits<double>::max();
      box.lo[k] = std::max(sub_down(box.lo[k], margin), -kMax);
      box.hi[k] = std::min(add_up(box.hi[k], margin), kMax);
    }
  return box;
}

// Boxes of one kind of pair, of one mesh or of two, and the pairs among them
class PairSearch {
 public:
  explicit PairSearch(Broadphase<3>* broadphase) : broadphase_(broadphase) {}

  void add(const Aabb3d& box, std::size_t number) {
    for (const Vec3d& corner : {box.lo, box.hi})
      for (int k = 0; k < 3; ++k) rows_.push_back(corner[k]);
    numbers_.push_back(static_cast<std::uint32_t>(number));
  }
  // What was added so far is one side, what follows the other; without this call, all are one side
  void split() { split_ = numbers_.size(), two_sides_ = true; }

  // Calls pair(i, j) with the numbers of two boxes that meet, of the first side and of the other, or in the order of add()
  template <class F>
  Result<void> each(F&& pair) {
    if (numbers_.size() > std::numeric_limits<std::uint32_t>::max())
      return Error{ErrorCode::too_large, Error::kNoElement, "more boxes than an index can count"};
    if (numbers_.size() < 2 || (two_sides_ && (split_ == 0 || split_ == numbers_.size()))) return {};
    BoxStore<3> store;
    if (auto done = store.assign(rows_); !done) return done;
    if (two_sides_)
      for (std::uint32_t i = 0; i < numbers_.size(); ++i) {
        const Filter filter = i < split_ ? Filter{1, 2, 0} : Filter{2, 1, 0};
        if (auto done = store.set_filter(i, filter); !done) return done;
      }
    Columns<3> own;
    Broadphase<3>& search = broadphase_ != nullptr ? *broadphase_ : own;
    if (auto done = search.build(store); !done) return done;
    const auto pairs = search.pairs(store);
    if (!pairs) return pairs.error();
    for (const IdPair& p : *pairs)
      if (auto done = pair(numbers_[p.lo], numbers_[p.hi]); !done) return done;
    return {};
  }

 private:
  Broadphase<3>* broadphase_;
  std::vector<double> rows_;
  std::vector<std::uint32_t> numbers_;
  std::size_t split_ = 0;
  bool two_sides_ = false;
};

class FrameTest {
 public:
  FrameTest(const MovingMesh& a, const MovingMesh& b, bool self, const ImpactOptions& options,
            Broadphase<3>* broadphase)
      : a_(a), b_(b), self_(self), options_(options), broadphase_(broadphase) {
    if (self) return;
    box_a_ = swept_box(a, vertices_of(a.triangles), margin());
    box_b_ = swept_box(b, vertices_of(b.triangles), margin());
  }

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

  // What does not reach the other mesh needs no search
  bool reaches(const Aabb3d& box, const MovingMesh& other) const {
    return self_ || overlap(box, &other == &a_ ? box_a_ : box_b_);
  }

  Result<void> vertices_against_faces(const MovingMesh& points, const MovingMesh& faces, FrameFeature kind) {
    PairSearch search(broadphase_);
    for (const std::uint32_t v : vertices_of(points.triangles))
      if (const Aabb3d box = swept_box(points, std::array{v}, margin()); reaches(box, faces)) search.add(box, v);
    search.split();
    for (std::size_t f = 0; f < faces.triangles.size(); ++f)
      if (const Aabb3d box = swept_box(faces, faces.triangles[f], margin()); reaches(box, points)) search.add(box, f);
    return search.each([&](std::uint32_t v, std::uint32_t f) -> Result<void> {
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
    PairSearch search(broadphase_);
    for (std::size_t i = 0; i < first.size(); ++i)
      if (const Aabb3d box = swept_box(a_, first[i], margin()); reaches(box, b_)) search.add(box, i);
    if (!self_) search.split();
    for (std::size_t i = 0; i < other.size(); ++i)
      if (const Aabb3d box = swept_box(b_, other[i], margin()); reaches(box, a_)) search.add(box, i);
    return search.each([&](std::uint32_t i, std::uint32_t j) -> Result<void> {
      const Edge &e = first[i], &f = self_ ? first[j] : other[j];
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
  Aabb3d box_a_, box_b_;
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
