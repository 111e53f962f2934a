// What:    The incremental Delaunay triangulation of a plane, over any source of exact signs: used for points of the
//          plane (delaunay2.cpp) and for coplanar points of space (delaunay3.cpp). Internal.
// Source:  Bowyer, "Computing Dirichlet tessellations", 1981; Watson, "Computing the n-dimensional Delaunay
//          tessellation…", 1981; ghost triangles: Shewchuk, "Lecture notes on Delaunay mesh generation", 1999; walk:
//          Devillers, Pion and Teillaud, "Walking in a triangulation", 2002.
// Differs: The plane is closed by one vertex at infinity, so there is no big outer triangle that could leave a trace.
//          A new point removes the triangles whose open circle contains it. That cavity is strictly star-shaped from
//          the point, also when points are cocircular: on a boundary edge the two circles differ, and inside of the one
//          but not of the other means strictly on the inner side. It holds no vertex inside, so its dual graph is a
//          tree, and a depth-first walk meets the boundary edges in counterclockwise order without any marks.
// Frame:   Vertices are positions in the order of insertion. Half-edge 4 t + i of triangle t runs from corner i to
//          corner i + 1 (mod 3); `twin` is the same edge in the neighbour.
// Fails:   never. The walk ends: ties are decided as if each point were lifted by far more than all before it, which
//          makes the triangulation regular, and walks in regular triangulations have no cycles.
#pragma once

#include <sudar/core/assert.hpp>
#include <sudar/core/config.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

inline constexpr std::uint32_t kInfiniteVertex = 0xffffffffu;

// Signs gives, for vertices: orient(a, b, c), in_circle(a, b, c, d), between(a, b, p) of collinear ones, same(a, b)
template <class Signs>
class DelaunayEngine2 {
 public:
  struct Triangle {
    std::array<std::uint32_t, 4> v;     // corners counterclockwise; the fourth is unused
    std::array<std::uint32_t, 4> twin;  // half-edges of the neighbours
  };

  explicit DelaunayEngine2(const Signs& signs) : signs_(signs) {}

  const std::vector<Triangle>& triangles() const { return triangles_; }
  // Triangles that the last insertion removed, by value, when `keep_removed` was set
  std::span<const Triangle> removed() const { return removed_; }
  // Triangles that the last insertion made
  std::span<const std::uint32_t> made() const { return cavity_; }
  void keep_removed(bool keep) { keep_removed_ = keep; }

  // The first three vertices, which must not be collinear
  void start(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::size_t vertex_count) {
    triangles_.reserve(2 * vertex_count);
    if (signs_.orient(a, b, c) < 0) std::swap(b, c);
    triangles_ = {{{a, b, c, 0}, {4, 8, 12, 0}},
                  {{b, a, kInfiniteVertex, 0}, {0, 14, 9, 0}},
                  {{c, b, kInfiniteVertex, 0}, {1, 6, 13, 0}},
                  {{a, c, kInfiniteVertex, 0}, {2, 10, 5, 0}}};
    cavity_ = {0, 1, 2, 3};
    last_ = 0;
  }

  // Adds vertex p. Returns p, or the vertex at the same place, in which case nothing changes.
  std::uint32_t insert(std::uint32_t p) {
    const std::uint32_t found = locate(p);
    for (int i = 0; i < 3; ++i)
      if (triangles_[found].v[i] != kInfiniteVertex && signs_.same(triangles_[found].v[i], p))
        return triangles_[found].v[i];
    dig(found, p);
    fill(p);
    return p;
  }

 private:
  struct BoundaryEdge {
    std::uint32_t from;   // first vertex, counterclockwise around the cavity
    std::uint32_t outer;  // half-edge on the outer side
  };

  static std::uint32_t next(std::uint32_t half_edge) { return (half_edge & 3) == 2 ? half_edge - 2 : half_edge + 1; }
  static std::uint32_t previous(std::uint32_t half_edge) {
    return (half_edge & 3) == 0 ? half_edge + 2 : half_edge - 1;
  }
  std::uint32_t twin(std::uint32_t half_edge) const { return triangles_[half_edge >> 2].twin[half_edge & 3]; }
  static int infinite_corner(const Triangle& t) {
    return t.v[0] == kInfiniteVertex ? 0 : t.v[1] == kInfiniteVertex ? 1 : t.v[2] == kInfiniteVertex ? 2 : -1;
  }

  // A triangle that p lies in or on, or a ghost whose edge p lies strictly outside of
  std::uint32_t locate(std::uint32_t p) const {
    std::uint32_t t = last_;
    const int ghost = infinite_corner(triangles_[t]);
    if (ghost >= 0) t = triangles_[t].twin[(ghost + 1) % 3] >> 2;
    std::uint32_t entry = 3;  // edge we came through
    for (;;) {
      const Triangle& here = triangles_[t];
      std::uint32_t exit = 3;
      for (std::uint32_t i = 0; i < 3; ++i)
        if (i != entry && signs_.orient(here.v[i], here.v[i == 2 ? 0 : i + 1], p) < 0) {
          exit = i;
          break;
        }
      if (exit == 3) return t;
      const std::uint32_t through = here.twin[exit];
      t = through >> 2;
      entry = through & 3;
      if (infinite_corner(triangles_[t]) >= 0) return t;
    }
  }

  bool in_conflict(const Triangle& t, std::uint32_t p) const {
    const int ghost = infinite_corner(t);
    if (ghost < 0) return signs_.in_circle(t.v[0], t.v[1], t.v[2], p) > 0;
    // The circle of a ghost is the open outer half-plane of its edge and the open edge itself
    const std::uint32_t a = t.v[(ghost + 1) % 3], b = t.v[(ghost + 2) % 3];
    const int side = signs_.orient(a, b, p);
    return side > 0 || (side == 0 && signs_.between(a, b, p));
  }

  // Collect the triangles in conflict with p and the boundary of their union
  void dig(std::uint32_t first, std::uint32_t p) {
    cavity_.assign(1, first);
    boundary_.clear();
    stack_.assign({4 * first + 2, 4 * first + 1, 4 * first});
    while (!stack_.empty()) {
      const std::uint32_t inner = stack_.back(), outer = twin(inner);
      stack_.pop_back();
      if (in_conflict(triangles_[outer >> 2], p)) {
        cavity_.push_back(outer >> 2);
        stack_.push_back(previous(outer));
        stack_.push_back(next(outer));
      } else {
        boundary_.push_back({triangles_[inner >> 2].v[inner & 3], outer});
      }
    }
    SUDAR_ASSERT(boundary_.size() == cavity_.size() + 2);
  }

  // Join p to the boundary. The new triangles take the places of the removed ones, and two more.
  void fill(std::uint32_t p) {
    if (keep_removed_) {
      removed_.clear();
      for (const std::uint32_t t : cavity_) removed_.push_back(triangles_[t]);
    }
    for (int i = 0; i < 2; ++i) {
      cavity_.push_back(static_cast<std::uint32_t>(triangles_.size()));
      triangles_.emplace_back();
    }
    const std::size_t count = boundary_.size();
    std::uint32_t before = cavity_[count - 1], here = cavity_[0];
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t k_after = k + 1 == count ? 0 : k + 1;
      const std::uint32_t after = cavity_[k_after], outer = boundary_[k].outer;
      triangles_[here] = {{boundary_[k].from, boundary_[k_after].from, p, 0},
                          {outer, 4 * after + 2, 4 * before + 1, 0}};
      triangles_[outer >> 2].twin[outer & 3] = 4 * here;
      before = here;
      here = after;
    }
    last_ = before;
  }

  Signs signs_;
  std::vector<Triangle> triangles_;
  std::vector<std::uint32_t> cavity_;
  std::vector<BoundaryEdge> boundary_;
  std::vector<std::uint32_t> stack_;
  std::vector<Triangle> removed_;
  std::uint32_t last_ = 0;
  bool keep_removed_ = false;
};

// Triangles without the ghosts, in the vertices' own names; neighbour i lies across the edge opposite to corner i
struct EngineOutput2 {
  std::vector<std::array<std::uint32_t, 3>> triangles, neighbours;
  std::vector<std::uint32_t> hull;  // counterclockwise
};

template <class Signs>
EngineOutput2 finish_triangles(const DelaunayEngine2<Signs>& engine, std::span<const std::uint32_t> names) {
  EngineOutput2 out;
  const auto& all = engine.triangles();
  std::vector<std::uint32_t> place(all.size(), kInfiniteVertex);
  std::uint32_t count = 0, ghost = 0;
  const auto is_ghost = [](const auto& t) {
    return t.v[0] == kInfiniteVertex || t.v[1] == kInfiniteVertex || t.v[2] == kInfiniteVertex;
  };
  for (std::uint32_t t = 0; t < all.size(); ++t) {
    if (is_ghost(all[t]))
      ghost = t;
    else
      place[t] = count++;
  }
  out.triangles.reserve(count);
  out.neighbours.reserve(count);
  for (std::uint32_t t = 0; t < all.size(); ++t) {
    if (place[t] == kInfiniteVertex) continue;
    out.triangles.push_back({names[all[t].v[0]], names[all[t].v[1]], names[all[t].v[2]]});
    out.neighbours.push_back({place[all[t].twin[1] >> 2], place[all[t].twin[2] >> 2], place[all[t].twin[0] >> 2]});
  }
  // Turn around the vertex at infinity against the clock of the ghosts, which is counterclockwise for the hull
  std::uint32_t t = ghost;
  do {
    const std::uint32_t inf = all[t].v[0] == kInfiniteVertex ? 0u : all[t].v[1] == kInfiniteVertex ? 1u : 2u;
    out.hull.push_back(names[all[t].v[(inf + 2) % 3]]);
    t = all[t].twin[inf] >> 2;
  } while (t != ghost);
  return out;
}

}  // namespace sudar
