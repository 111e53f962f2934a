// What:    The incremental Delaunay tetrahedralisation of space. Internal; the door is delaunay3.hpp.
// Source:  see delaunay3.hpp.
// Differs: Why the cavity of tetrahedra whose open sphere contains the new point p can be joined to p without a flat
//          tetrahedron, whatever is cospherical or coplanar: let f be a facet between a tetrahedron in conflict, with
//          open ball B, and one that is not, with open ball C. The plane of f meets B and C in the same open disc, so p
//          on that plane would be in both or in neither. Beyond f, B is a part of C, because the triangulation is
//          Delaunay. So p, in B but not in C, lies strictly on the inner side of f. A ghost (facet f of the hull and
//          the vertex at infinity) has as its ball the open outer half-space of f together with the open disc of f,
//          which is what its finite neighbour says; the same argument holds for it. And a conflict counts as if p had
//          been lifted by far more than all earlier points: the triangulation is regular, the walk to p ends.
// Frame:   Vertices are positions in the order of insertion. Facet 4 t + i of tetrahedron t lies opposite to its corner
//          i; `twin` is the same facet in the neighbour. A ghost is oriented as if infinity lay outside of its facet.
// Fails:   insert() reports when the number of tetrahedra reaches the limit; nothing else can.
#pragma once

#include <sudar/core/assert.hpp>
#include <sudar/core/config.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

// Signs gives, for vertices: orient(a, b, c, d), in_sphere(a, b, c, d, e), same(a, b)
template <class Signs>
class DelaunayEngine3 {
 public:
  static constexpr std::uint32_t kInfinite = 0xffffffffu;
  static constexpr std::uint32_t kFull = 0xfffffffeu;
  static constexpr std::size_t kLimit = std::size_t{1} << 29;

  struct Tetrahedron {
    std::array<std::uint32_t, 4> v, twin;
  };

  explicit DelaunayEngine3(const Signs& signs) : signs_(signs) {}

  const std::vector<Tetrahedron>& tetrahedra() const { return tetrahedra_; }
  bool in_use(std::uint32_t t) const { return mark_[t] != kFree; }
  // What the last insertion removed and made
  std::span<const Tetrahedron> removed() const { return removed_; }
  std::span<const std::uint32_t> made() const { return made_; }
  void keep_removed(bool keep) { keep_removed_ = keep; }

  static int infinite_corner(const Tetrahedron& t) {
    for (int i = 0; i < 4; ++i)
      if (t.v[i] == kInfinite) return i;
    return -1;
  }

  // The first four vertices, which must not be coplanar
  void start(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d, std::size_t vertex_count) {
    tetrahedra_.reserve(8 * vertex_count);
    mark_.reserve(8 * vertex_count);
    if (signs_.orient(a, b, c, d) < 0) std::swap(c, d);
    tetrahedra_ = {{{a, b, c, d}, {}}};
    // Ghost i takes infinity for corner i. Infinity lies across the facet, so two other corners change places.
    for (std::uint32_t i = 0; i < 4; ++i) {
      Tetrahedron ghost = tetrahedra_[0];
      ghost.v[i] = kInfinite;
      std::swap(ghost.v[(i + 1) % 4], ghost.v[(i + 2) % 4]);
      tetrahedra_.push_back(ghost);
    }
    for (std::uint32_t s = 0; s < 5; ++s)
      for (std::uint32_t t = s + 1; t < 5; ++t) {
        const std::uint32_t i = corner_missing_in(tetrahedra_[s], tetrahedra_[t]);
        const std::uint32_t j = corner_missing_in(tetrahedra_[t], tetrahedra_[s]);
        tetrahedra_[s].twin[i] = 4 * t + j;
        tetrahedra_[t].twin[j] = 4 * s + i;
      }
    mark_.assign(5, 0);
    made_ = {0, 1, 2, 3, 4};
    last_ = 0;
  }

  // Adds vertex p. Returns p, or the vertex at the same place, in which case nothing changes, or kFull.
  std::uint32_t insert(std::uint32_t p) {
    const std::uint32_t found = locate(p);
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t v = tetrahedra_[found].v[i];
      if (v != kInfinite && signs_.same(v, p)) return v;
    }
    dig(found, p);
    if (tetrahedra_.size() + boundary_.size() > kLimit) return kFull;
    fill(p);
    return p;
  }

 private:
  // Marks: 2 p for "asked about p: no conflict", 2 p + 1 for "conflict with p"
  static constexpr std::uint32_t kFree = 0xffffffffu;

  static std::uint32_t corner_missing_in(const Tetrahedron& a, const Tetrahedron& b) {
    for (std::uint32_t i = 0; i < 4; ++i)
      if (a.v[i] != b.v[0] && a.v[i] != b.v[1] && a.v[i] != b.v[2] && a.v[i] != b.v[3]) return i;
    return 4;
  }
  static std::uint32_t corner_of(const Tetrahedron& t, std::uint32_t vertex) {
    return static_cast<std::uint32_t>(t.v[1] == vertex) + 2 * static_cast<std::uint32_t>(t.v[2] == vertex) +
           3 * static_cast<std::uint32_t>(t.v[3] == vertex);
  }
  // Sign of the tetrahedron with p for corner i
  int orient_with(const Tetrahedron& t, std::uint32_t i, std::uint32_t p) const {
    switch (i) {
      case 0:
        return signs_.orient(p, t.v[1], t.v[2], t.v[3]);
      case 1:
        return signs_.orient(t.v[0], p, t.v[2], t.v[3]);
      case 2:
        return signs_.orient(t.v[0], t.v[1], p, t.v[3]);
      default:
        return signs_.orient(t.v[0], t.v[1], t.v[2], p);
    }
  }

  // A tetrahedron that p lies in or on, or a ghost whose facet p lies strictly outside of
  std::uint32_t locate(std::uint32_t p) const {
    std::uint32_t t = last_;
    if (const int ghost = infinite_corner(tetrahedra_[t]); ghost >= 0) t = tetrahedra_[t].twin[ghost] >> 2;
    std::uint32_t entry = 4;  // facet we came through
    for (;;) {
      const Tetrahedron& here = tetrahedra_[t];
      std::uint32_t exit = 4;
      for (std::uint32_t i = 0; i < 4; ++i)
        if (i != entry && orient_with(here, i, p) < 0) {
          exit = i;
          break;
        }
      if (exit == 4) return t;
      const std::uint32_t through = here.twin[exit];
      t = through >> 2;
      entry = through & 3;
      if (infinite_corner(tetrahedra_[t]) >= 0) return t;
    }
  }

  bool in_conflict(const Tetrahedron& t, std::uint32_t p) const {
    const int ghost = infinite_corner(t);
    if (ghost < 0) return signs_.in_sphere(t.v[0], t.v[1], t.v[2], t.v[3], p) > 0;
    const int side = orient_with(t, static_cast<std::uint32_t>(ghost), p);
    if (side != 0) return side > 0;
    const Tetrahedron& inner = tetrahedra_[t.twin[ghost] >> 2];
    return signs_.in_sphere(inner.v[0], inner.v[1], inner.v[2], inner.v[3], p) > 0;
  }

  // Collect the tetrahedra in conflict with p, and the facets of their union by their inner side
  void dig(std::uint32_t first, std::uint32_t p) {
    const std::uint32_t no = 2 * p, yes = 2 * p + 1;
    cavity_.assign(1, first);
    boundary_.clear();
    mark_[first] = yes;
    for (std::size_t k = 0; k < cavity_.size(); ++k) {
      const std::uint32_t t = cavity_[k];
      for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t other = tetrahedra_[t].twin[i] >> 2;
        if (mark_[other] == yes) continue;
        if (mark_[other] != no) {
          if (in_conflict(tetrahedra_[other], p)) {
            mark_[other] = yes;
            cavity_.push_back(other);
            continue;
          }
          mark_[other] = no;
        }
        boundary_.push_back(4 * t + i);
      }
    }
  }

  // Join p to the boundary
  void fill(std::uint32_t p) {
    const std::uint32_t yes = 2 * p + 1;
    if (keep_removed_) {
      removed_.clear();
      for (const std::uint32_t t : cavity_) removed_.push_back(tetrahedra_[t]);
    }
    // One new tetrahedron per facet: the old one with p for the corner opposite to the facet. The old one's twin is
    // turned to the new one, which the next loop finds there.
    made_.clear();
    for (const std::uint32_t facet : boundary_) {
      const std::uint32_t t = facet >> 2, i = facet & 3, fresh = take();
      const std::uint32_t outer = tetrahedra_[t].twin[i];
      tetrahedra_[fresh].v = tetrahedra_[t].v;
      tetrahedra_[fresh].v[i] = p;
      tetrahedra_[fresh].twin.fill(kFree);
      tetrahedra_[fresh].twin[i] = outer;
      tetrahedra_[outer >> 2].twin[outer & 3] = 4 * fresh + i;
      tetrahedra_[t].twin[i] = 4 * fresh + i;
      made_.push_back(fresh);
    }
    // Two new tetrahedra meet at each edge of the boundary: turn around it through the cavity
    for (std::size_t k = 0; k < made_.size(); ++k) {
      const std::uint32_t i = boundary_[k] & 3, fresh = made_[k];
      for (std::uint32_t j = 0; j < 4; ++j) {
        if (j == i || tetrahedra_[fresh].twin[j] != kFree) continue;
        std::uint32_t t = boundary_[k] >> 2, exit = j;
        std::uint32_t behind = tetrahedra_[t].v[i];  // corner that the facet we exit through will be opposite to next
        std::uint32_t through = tetrahedra_[t].twin[exit];
        while (mark_[through >> 2] == yes) {
          t = through >> 2;
          exit = corner_of(tetrahedra_[t], behind);
          behind = tetrahedra_[t].v[through & 3];
          through = tetrahedra_[t].twin[exit];
        }
        const std::uint32_t mate = through >> 2, facet = corner_of(tetrahedra_[mate], behind);
        tetrahedra_[fresh].twin[j] = 4 * mate + facet;
        tetrahedra_[mate].twin[facet] = 4 * fresh + j;
      }
    }
    for (const std::uint32_t t : cavity_) {
      mark_[t] = kFree;
      free_.push_back(t);
    }
    last_ = made_.back();
  }

  std::uint32_t take() {
    std::uint32_t t;
    if (free_.empty()) {
      t = static_cast<std::uint32_t>(tetrahedra_.size());
      tetrahedra_.emplace_back();
      mark_.push_back(0);
    } else {
      t = free_.back();
      free_.pop_back();
      mark_[t] = 0;
    }
    return t;
  }

  Signs signs_;
  std::vector<Tetrahedron> tetrahedra_;
  std::vector<std::uint32_t> mark_, free_;
  std::vector<std::uint32_t> cavity_, boundary_, made_;
  std::vector<Tetrahedron> removed_;
  std::uint32_t last_ = 0;
  bool keep_removed_ = false;
};

}  // namespace sudar
