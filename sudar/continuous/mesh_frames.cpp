// What:    See mesh_frames.hpp.
#include <sudar/bounding/aabb.hpp>
#include <sudar/broadphase/columns.hpp>
#include <sudar/continuous/mesh_frames.hpp>
#include <sudar/narrowphase/triangle_triangle.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

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

// Contains a triangle at the start
Aabb3d start_box(const MovingMesh& mesh, const MeshTriangle& t) {
  const Vec3d &p = mesh.start[t[0]], &q = mesh.start[t[1]], &r = mesh.start[t[2]];
  return {min(p, min(q, r)), max(p, max(q, r))};
}
Triangle<3, double> start_triangle(const MovingMesh& mesh, const MeshTriangle& t) {
  return {mesh.start[t[0]], mesh.start[t[1]], mesh.start[t[2]]};
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
  PairSearch(Broadphase<3>* broadphase, Executor& executor) : broadphase_(broadphase), executor_(executor) {}

  void add(const Aabb3d& box, std::size_t number) {
    for (const Vec3d& corner : {box.lo, box.hi})
      for (int k = 0; k < 3; ++k) rows_.push_back(corner[k]);
    numbers_.push_back(static_cast<std::uint32_t>(number));
  }
  // What was added so far is one side, what follows the other; without this call, all are one side
  void split() { split_ = numbers_.size(), two_sides_ = true; }

  // Pairs of numbers of boxes that meet, of the first side and of the other, or in the order of add(): sorted
  Result<std::vector<IdPair>> pairs() {
    std::vector<IdPair> out;
    if (numbers_.size() > std::numeric_limits<std::uint32_t>::max())
      return Error{ErrorCode::too_large, Error::kNoElement, "more boxes than an index can count"};
    if (numbers_.size() < 2 || (two_sides_ && (split_ == 0 || split_ == numbers_.size()))) return out;
    BoxStore<3> store;
    if (auto done = store.assign(rows_); !done) return done.error();
    if (two_sides_)
      for (std::uint32_t i = 0; i < numbers_.size(); ++i) {
        const Filter filter = i < split_ ? Filter{1, 2, 0} : Filter{2, 1, 0};
        if (auto done = store.set_filter(i, filter); !done) return done.error();
      }
    Columns<3> own;
    own.set_executor(executor_);
    Broadphase<3>& search = broadphase_ != nullptr ? *broadphase_ : own;
    if (auto done = search.build(store); !done) return done.error();
    const auto found = search.pairs(store);
    if (!found) return found.error();
    out.reserve(found->size());
    for (const IdPair& p : *found) out.push_back({numbers_[p.lo], numbers_[p.hi]});
    return out;
  }

 private:
  Broadphase<3>* broadphase_;
  Executor& executor_;
  std::vector<double> rows_;
  std::vector<std::uint32_t> numbers_;
  std::size_t split_ = 0;
  bool two_sides_ = false;
};

class FrameTest {
 public:
  FrameTest(const MovingMesh& a, const MovingMesh& b, bool self, const ImpactOptions& options,
            Broadphase<3>* broadphase, Executor& executor)
      : a_(a), b_(b), self_(self), options_(options), broadphase_(broadphase), executor_(executor) {
    if (self) return;
    box_a_ = swept_box(a, vertices_of(a.triangles), margin());
    box_b_ = swept_box(b, vertices_of(b.triangles), margin());
  }

  Result<FramesImpact> run() {
    if (auto done = vertices_against_faces(a_, b_, FrameFeature::vertex_face); !done) return done.error();
    if (!self_)
      if (auto done = vertices_against_faces(b_, a_, FrameFeature::face_vertex); !done) return done.error();
    if (auto done = edges_against_edges(); !done) return done.error();
    if (auto done = faces_at_the_start(); !done) return done.error();
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

  // What a block of pairs gives
  struct Block {
    std::vector<FrameContact> contacts;
    std::uint64_t candidates = 0;
    std::optional<Error> error;

    void keep(const Result<PrimitiveImpact>& x, FrameFeature kind, std::array<std::uint32_t, 2> a,
              std::array<std::uint32_t, 2> b) {
      if (!x)
        error = x.error();
      else if (x->hit)
        contacts.push_back({kind, a, b, x->t, x->t_lower});
    }
  };
  // decide(i, j, block) for all pairs of a search, in parallel. Blocks are joined in order: any executor gives the same.
  template <class F>
  Result<void> each(PairSearch& search, F&& decide) {
    constexpr std::size_t kGrain = 256;
    const auto pairs = search.pairs();
    if (!pairs) return pairs.error();
    std::vector<Block> blocks((pairs->size() + kGrain - 1) / kGrain);
    parallel_for(executor_, pairs->size(), kGrain, [&](std::size_t begin, std::size_t end) {
      Block& block = blocks[begin / kGrain];
      for (std::size_t k = begin; k < end && !block.error; ++k) decide((*pairs)[k].lo, (*pairs)[k].hi, block);
    });
    for (const Block& block : blocks) {
      if (block.error) return *block.error;
      result_.candidates += block.candidates;
      result_.contacts.insert(result_.contacts.end(), block.contacts.begin(), block.contacts.end());
    }
    return {};
  }

  // What does not reach the other mesh needs no search
  bool reaches(const Aabb3d& box, const MovingMesh& other) const {
    return self_ || overlap(box, &other == &a_ ? box_a_ : box_b_);
  }

  Result<void> vertices_against_faces(const MovingMesh& points, const MovingMesh& faces, FrameFeature kind) {
    PairSearch search(broadphase_, executor_);
    for (const std::uint32_t v : vertices_of(points.triangles))
      if (const Aabb3d box = swept_box(points, std::array{v}, margin()); reaches(box, faces)) search.add(box, v);
    search.split();
    for (std::size_t f = 0; f < faces.triangles.size(); ++f)
      if (const Aabb3d box = swept_box(faces, faces.triangles[f], margin()); reaches(box, points)) search.add(box, f);
    return each(search, [&](std::uint32_t v, std::uint32_t f, Block& block) {
      const auto& [p, q, r] = faces.triangles[f];
      if (self_ && (v == p || v == q || v == r)) return;
      ++block.candidates;
      const std::array<std::uint32_t, 2> vertex{v, kNoIndex}, face{f, kNoIndex};
      const bool vertex_first = kind == FrameFeature::vertex_face;
      block.keep(vertex_face_impact({points.start[v], faces.start[p], faces.start[q], faces.start[r]},
                                    {points.end[v], faces.end[p], faces.end[q], faces.end[r]}, options_),
                 kind, vertex_first ? vertex : face, vertex_first ? face : vertex);
    });
  }

  Result<void> edges_against_edges() {
    const std::vector<Edge> first = edges_of(a_.triangles),
                            other = self_ ? std::vector<Edge>() : edges_of(b_.triangles);
    PairSearch search(broadphase_, executor_);
    for (std::size_t i = 0; i < first.size(); ++i)
      if (const Aabb3d box = swept_box(a_, first[i], margin()); reaches(box, b_)) search.add(box, i);
    if (!self_) search.split();
    for (std::size_t i = 0; i < other.size(); ++i)
      if (const Aabb3d box = swept_box(b_, other[i], margin()); reaches(box, a_)) search.add(box, i);
    return each(search, [&](std::uint32_t i, std::uint32_t j, Block& block) {
      const Edge &e = first[i], &f = self_ ? first[j] : other[j];
      if (self_ && (e[0] == f[0] || e[0] == f[1] || e[1] == f[0] || e[1] == f[1])) return;
      ++block.candidates;
      block.keep(edge_edge_impact({a_.start[e[0]], a_.start[e[1]], b_.start[f[0]], b_.start[f[1]]},
                                  {a_.end[e[0]], a_.end[e[1]], b_.end[f[0]], b_.end[f[1]]}, options_),
                 FrameFeature::edge_edge, e, f);
    });
  }

  // Surfaces that cut through each other before anything moves need not have a vertex at a face or an edge at an edge
  Result<void> faces_at_the_start() {
    Aabb3d all_a = Aabb3d::empty(), all_b = Aabb3d::empty();
    for (const MeshTriangle& t : a_.triangles) all_a = merge(all_a, start_box(a_, t));
    for (const MeshTriangle& t : b_.triangles) all_b = merge(all_b, start_box(b_, t));
    if (!overlap(all_a, all_b)) return {};
    PairSearch search(broadphase_, executor_);
    for (std::size_t i = 0; i < a_.triangles.size(); ++i)
      if (const Aabb3d box = start_box(a_, a_.triangles[i]); overlap(box, all_b)) search.add(box, i);
    if (!self_) {
      search.split();
      for (std::size_t i = 0; i < b_.triangles.size(); ++i)
        if (const Aabb3d box = start_box(b_, b_.triangles[i]); overlap(box, all_a)) search.add(box, i);
    }
    return each(search, [&](std::uint32_t i, std::uint32_t j, Block& block) {
      const MeshTriangle &s = a_.triangles[i], &t = b_.triangles[j];
      if (self_)
        for (const std::uint32_t v : s)
          if (v == t[0] || v == t[1] || v == t[2]) return;
      ++block.candidates;
      if (intersects_exact(start_triangle(a_, s), start_triangle(b_, t)))
        block.contacts.push_back({FrameFeature::face_face, {i, kNoIndex}, {j, kNoIndex}, 0, 0});
    });
  }

  const MovingMesh &a_, &b_;
  bool self_;
  const ImpactOptions& options_;
  Broadphase<3>* broadphase_;
  Executor& executor_;
  Aabb3d box_a_, box_b_;
  FramesImpact result_;
};

Result<FramesImpact> tested(const MovingMesh& a, const MovingMesh& b, bool self, const ImpactOptions& options,
                            Broadphase<3>* broadphase, Executor* executor) {
  return guarded([&]() -> Result<FramesImpact> {
    if (auto good = check(a, 0, 0); !good) return good.error();
    if (!self)
      if (auto good = check(b, a.start.size(), a.triangles.size()); !good) return good.error();
    // The options are bad whether or not there is a pair
    if (const auto x = edge_edge_impact({}, {}, options); !x) return x.error();
    return FrameTest(a, b, self, options, broadphase, executor != nullptr ? *executor : serial_executor()).run();
  });
}

}  // namespace

Result<FramesImpact> mesh_frames_impact(const MovingMesh& a, const MovingMesh& b, const ImpactOptions& options,
                                        Broadphase<3>* broadphase, Executor* executor) noexcept {
  return tested(a, b, false, options, broadphase, executor);
}
Result<FramesImpact> mesh_frames_self_impact(const MovingMesh& mesh, const ImpactOptions& options,
                                             Broadphase<3>* broadphase, Executor* executor) noexcept {
  return tested(mesh, mesh, true, options, broadphase, executor);
}

}  // namespace sudar
