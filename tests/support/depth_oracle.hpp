// What:    The oracle of penetration depths of convex polytopes, in integers: the plane of the difference of two hulls that is nearest
//          to the origin, with a proof. The difference holds a polytope none of whose faces is nearer, which bounds the depth from
//          below, and lies behind the plane, which bounds it from above.
// Source:  van den Bergen, "Proximity Queries and Penetration Depth Computation on 3D Game Objects", 2001, for space: a polytope
//          within the difference grows at its nearest face. In the plane every direction that may be one is tried.
// Differs: Nothing is rounded, and nothing is shared with the library. A corner is added only where it is truly before a face, and then
//          every face that it is before goes: no face without an area comes about, and flat regions are many coplanar triangles.
// Fails:   throws when what is asked about does not meet, or when the search does not end, which would be a mistake of this file.
#pragma once

#include "tests/support/nearest_oracle.hpp"

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace sudar_test {

namespace depth_detail {

// w · normal <= level of what lies behind; level / |normal| is how far the origin is behind it
template <class I>
struct Face {
  std::size_t corner[3];
  Point<I> normal;
  I level, square;  // of the normal
};

// Whether the plane of one is strictly nearer, from inside: signed distances compared by their squares
template <class I>
bool is_nearer(const Face<I>& x, const Face<I>& y) {
  const I zero = 0;
  if ((x.level < zero) != (y.level < zero)) return x.level < zero;
  const I left = x.level * x.level * y.square, right = y.level * y.level * x.square;
  return x.level < zero ? right < left : left < right;
}

template <class I>
Face<I> face_of(const Points<I>& w, std::size_t i, std::size_t j, std::size_t k) {
  Face<I> f{{i, j, k}, cross3(minus3(w[j], w[i]), minus3(w[k], w[i])), 0, 0};
  f.level = dot3(f.normal, w[i]);
  f.square = dot3(f.normal, f.normal);
  return f;
}

// The corner of the difference that is farthest along a direction
template <class I>
Point<I> farthest(const Points<I>& a, const Points<I>& b, const Point<I>& way) {
  std::size_t high = 0, low = 0;
  I most = dot3(way, a[0]), least = dot3(way, b[0]);
  for (std::size_t i = 1; i < a.size(); ++i)
    if (const I x = dot3(way, a[i]); x > most) most = x, high = i;
  for (std::size_t i = 1; i < b.size(); ++i)
    if (const I x = dot3(way, b[i]); x < least) least = x, low = i;
  return minus3(a[high], b[low]);
}

template <class I>
bool is_zero(const Point<I>& p) {
  return p[0] == I(0) && p[1] == I(0) && p[2] == I(0);
}

// Four corners of the difference that span it; fewer where it is flat
template <class I>
Points<I> spanning_corners(const Points<I>& a, const Points<I>& b) {
  Points<I> all, out;
  for (const Point<I>& p : a) all.push_back(minus3(p, b[0]));
  for (const Point<I>& q : b) all.push_back(minus3(a[0], q));
  for (const Point<I>& w : all) {
    const bool more = out.empty() || (out.size() == 1   ? !is_zero(minus3(w, out[0]))
                                      : out.size() == 2 ? !is_zero(cross3(minus3(out[1], out[0]), minus3(w, out[0])))
                                                        : dot3(cross3(minus3(out[1], out[0]), minus3(out[2], out[0])),
                                                               minus3(w, out[0])) != I(0));
    if (more) out.push_back(w);
    if (out.size() == 4) break;
  }
  return out;
}

}  // namespace depth_detail

// Of two that meet: B is out of A when it is moved along v by level / |v|, and no shorter move will do. The level is zero where they
// touch only, and where the difference is flat.
template <class I>
Nearest<I> deepest(const Points<I>& a, const Points<I>& b) {
  using namespace depth_detail;
  Points<I> w = spanning_corners(a, b);
  if (w.size() < 4) return {};
  std::vector<Face<I>> faces = {face_of(w, 0, 1, 2), face_of(w, 0, 3, 1), face_of(w, 0, 2, 3), face_of(w, 1, 3, 2)};
  if (dot3(faces[0].normal, w[3]) > faces[0].level) {
    std::swap(w[1], w[2]);
    faces = {face_of(w, 0, 1, 2), face_of(w, 0, 3, 1), face_of(w, 0, 2, 3), face_of(w, 1, 3, 2)};
  }
  for (int round = 0; round < 10000; ++round) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < faces.size(); ++i)
      if (is_nearer(faces[i], faces[best])) best = i;
    const Point<I> next = farthest(a, b, faces[best].normal);
    if (!(dot3(faces[best].normal, next) > faces[best].level)) {
      if (faces[best].level < I(0)) throw std::logic_error("a depth of what does not meet");
      Nearest<I> out;
      out.v = faces[best].normal;
      out.level = faces[best].level;
      return out;
    }
    // What it is before gives way to the faces between it and the edges around
    w.push_back(next);
    std::vector<Face<I>> kept, gone;
    for (const Face<I>& f : faces) (dot3(f.normal, next) > f.level ? gone : kept).push_back(f);
    const auto is_gone = [&](std::size_t from, std::size_t to) {
      for (const Face<I>& f : gone)
        for (int k = 0; k < 3; ++k)
          if (f.corner[k] == from && f.corner[(k + 1) % 3] == to) return true;
      return false;
    };
    for (const Face<I>& f : gone)
      for (int k = 0; k < 3; ++k) {
        const std::size_t from = f.corner[k], to = f.corner[(k + 1) % 3];
        if (!is_gone(to, from)) kept.push_back(face_of(w, from, to, w.size() - 1));
      }
    faces.swap(kept);
  }
  throw std::logic_error("the search for the depth did not end");
}

// The same of the plane, z being zero: a side of the difference is parallel to a line through two corners of one of them, and any
// direction bounds the depth from above
template <class I>
Nearest<I> deepest_in_plane(const Points<I>& a, const Points<I>& b) {
  using namespace depth_detail;
  Nearest<I> best;
  I square = 0;
  const auto look = [&](const Point<I>& n) {
    const I level = dot3(n, farthest(a, b, n)), own = dot3(n, n);
    if (level < I(0)) throw std::logic_error("a depth of what does not meet");
    if (square != I(0) && !(level * level * square < best.level * best.level * own)) return;
    best.v = n, best.level = level, square = own;
  };
  for (const Points<I>* corners : {&a, &b})
    for (std::size_t i = 0; i < corners->size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const Point<I> d = minus3((*corners)[i], (*corners)[j]);
        if (is_zero(d)) continue;
        look({d[1], I(0) - d[0], 0});
        look({I(0) - d[1], d[0], 0});
      }
  return best;
}

}  // namespace sudar_test
