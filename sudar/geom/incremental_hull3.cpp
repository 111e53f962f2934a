// What:    Convex hull in space, one point at a time in random order: remove the faces the point sees, close the hole
//          with a cone from its rim. The plain twin of quickhull3.
// Source:  Clarkson and Shor, "Applications of Random Sampling in Computational Geometry", 1989; seed D8. O(n log n)
//          expected.
// Differs: The conflict graph is thinned to one face per waiting point, as in Quickhull, which is enough to find the
//          faces a point sees by flooding. Every test is the exact orient3d on the input, no rounded plane, so that a
//          fault in the filter of quickhull3 cannot hide here.
// Frame:   The input's. Invariant: a waiting point outside of the current hull waits at a face it is strictly in front
//          of.
// Fails:   see hull3.hpp.
#include <sudar/core/random.hpp>
#include <sudar/geom/hull3_build.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace sudar {

using namespace hull3_detail;

namespace {

template <class Trace>
class IncrementalHull {
 public:
  IncrementalHull(std::span<const Vec3d> points, const HullSimplex& simplex, Trace trace)
      : points_(points), trace_(trace), waits_at_(points.size(), kNone) {
    const auto [a, b, c, d] = simplex.id;
    const std::uint32_t tetrahedron[4] = {add_face(a, b, c), add_face(b, a, d), add_face(c, b, d), add_face(a, c, d)};
    for (const std::uint32_t f : tetrahedron) link(f, tetrahedron);
    if constexpr (Trace::kEnabled) trace_({.step = "initial tetrahedron", .ids = simplex.id});
    for (std::uint32_t i = 0; i < points_.size(); ++i) wait(i, tetrahedron);
  }

  HullSurface run(std::uint64_t seed) {
    std::vector<std::uint32_t> order(points_.size());
    std::iota(order.begin(), order.end(), 0u);
    Random random(seed);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    for (const std::uint32_t i : order)
      if (waits_at_[i] != kNone) add_point(i);
    return surface();
  }

 private:
  struct Face {
    std::uint32_t corner[3];
    std::uint32_t neighbor[3] = {};  // across the edge from corner i to corner i + 1
    std::vector<std::uint32_t> waiting = {};
    bool live = true;
  };
  struct Edge {
    std::uint32_t from, to, outer;
  };

  std::uint32_t add_face(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    faces_.push_back({{a, b, c}});
    return static_cast<std::uint32_t>(faces_.size() - 1);
  }

  bool sees(std::uint32_t i, const Face& face) const {
    return orient3d(points_[face.corner[0]], points_[face.corner[1]], points_[face.corner[2]], points_[i]) > 0;
  }

  static int edge_from(const Face& face, std::uint32_t vertex) {
    return face.corner[0] == vertex ? 0 : face.corner[1] == vertex ? 1 : 2;
  }

  // Neighbours of f among a few faces, by their common edges
  void link(std::uint32_t f, std::span<const std::uint32_t> others) {
    Face& face = faces_[f];
    for (int i = 0; i < 3; ++i)
      for (const std::uint32_t o : others) {
        const Face& other = faces_[o];
        const int k = edge_from(other, face.corner[(i + 1) % 3]);
        if (other.corner[k] == face.corner[(i + 1) % 3] && other.corner[(k + 1) % 3] == face.corner[i])
          face.neighbor[i] = o;
      }
  }

  void wait(std::uint32_t i, std::span<const std::uint32_t> candidates) {
    waits_at_[i] = kNone;
    for (const std::uint32_t f : candidates)
      if (sees(i, faces_[f])) {
        waits_at_[i] = f;
        faces_[f].waiting.push_back(i);
        return;
      }
  }

  void add_point(std::uint32_t eye) {
    // Flood the faces the eye sees; edges to the others are the rim
    std::vector<std::uint32_t> visible = {waits_at_[eye]};
    std::map<std::uint32_t, Edge> rim;  // by the vertex they start from
    faces_[visible[0]].live = false;
    for (std::size_t k = 0; k < visible.size(); ++k)
      for (int i = 0; i < 3; ++i) {
        const Face& face = faces_[visible[k]];
        const std::uint32_t g = face.neighbor[i];
        if (!faces_[g].live) continue;
        if (sees(eye, faces_[g])) {
          faces_[g].live = false;
          visible.push_back(g);
        } else {
          rim[face.corner[i]] = {face.corner[i], face.corner[(i + 1) % 3], g};
        }
      }

    // The cone, face by face around the loop
    std::vector<std::uint32_t> cone, loop;
    for (std::uint32_t v = rim.begin()->first; cone.size() < rim.size();) {
      const Edge& edge = rim.at(v);
      const std::uint32_t f = add_face(edge.from, edge.to, eye);
      faces_[f].neighbor[0] = edge.outer;
      faces_[edge.outer].neighbor[edge_from(faces_[edge.outer], edge.to)] = f;
      cone.push_back(f);
      loop.push_back(v);
      v = edge.to;
    }
    for (std::size_t k = 0; k < cone.size(); ++k) {
      const std::uint32_t f = cone[k], following = cone[(k + 1) % cone.size()];
      faces_[f].neighbor[1] = following;
      faces_[following].neighbor[2] = f;
    }
    if constexpr (Trace::kEnabled) {
      trace_({.step = "chosen point", .ids = {&eye, 1}});
      trace_faces("visible faces", visible);
      trace_({.step = "horizon", .ids = loop});
      trace_faces("new faces", cone);
    }

    waits_at_[eye] = kNone;
    for (const std::uint32_t f : visible) {
      const std::vector<std::uint32_t> waiting = std::move(faces_[f].waiting);
      for (const std::uint32_t i : waiting)
        if (i != eye) wait(i, cone);
    }
  }

  HullSurface surface() const {
    HullSurface result;
    std::vector<std::uint32_t> number(faces_.size());
    std::uint32_t live = 0;
    for (std::size_t f = 0; f < faces_.size(); ++f)
      if (faces_[f].live) number[f] = live++;
    for (const Face& face : faces_) {
      if (!face.live) continue;
      for (int i = 0; i < 3; ++i) {
        const Face& other = faces_[face.neighbor[i]];
        result.corners.push_back(face.corner[i]);
        result.twins.push_back(3 * number[face.neighbor[i]] +
                               static_cast<std::uint32_t>(edge_from(other, face.corner[(i + 1) % 3])));
      }
    }
    return result;
  }

  void trace_faces(std::string_view step, const std::vector<std::uint32_t>& list) {
    std::vector<std::uint32_t> ids;
    for (const std::uint32_t f : list) ids.insert(ids.end(), faces_[f].corner, faces_[f].corner + 3);
    trace_({.step = step, .ids = ids});
  }

  std::span<const Vec3d> points_;
  Trace trace_;
  std::vector<std::uint32_t> waits_at_;
  std::vector<Face> faces_;
};

}  // namespace

template <class Trace>
Result<Hull3> incremental_hull3(std::span<const Vec3d> points, const HullOptions& options, Trace trace) {
  return build_hull3(points, options, trace, [&](const HullSimplex& simplex) {
    return IncrementalHull<Trace>(points, simplex, trace).run(options.seed);
  });
}

template SUDAR_API Result<Hull3> incremental_hull3<NoTrace>(std::span<const Vec3d>, const HullOptions&, NoTrace);
template SUDAR_API Result<Hull3> incremental_hull3<TraceTo>(std::span<const Vec3d>, const HullOptions&, TraceTo);

}  // namespace sudar
