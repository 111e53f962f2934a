// What:    The oracle of decisions and distances of convex polytopes, in integers: the nearest points of the hulls of two sets
//          of points, with a proof. They meet when a point of one is shown as a mixture of both; they are apart by d when a
//          plane across the shortest way has all of A on one side and all of B a d behind it.
// Source:  Gilbert, Johnson, Keerthi 1988; Wolfe, "Finding the nearest point in a polytope", 1976: corners are added until the
//          plane proves that none is nearer.
// Differs: Nothing is rounded, and nothing is shared with the library. Numbers are of any kind of integer: 128 bits for points
//          on a lattice of up to 2^9, GMP for doubles. The same search in doubles says where to begin; whether that
//          was right is proven in integers, and if it was not, they go on.
// Fails:   throws when the search does not end, which would be a mistake of this file.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace sudar_test {

__extension__ typedef __int128 Int128;

template <class I>
using Point = std::array<I, 3>;
template <class I>
using Points = std::vector<Point<I>>;

template <class I>
I dot3(const Point<I>& p, const Point<I>& q) {
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}
template <class I>
Point<I> minus3(const Point<I>& p, const Point<I>& q) {
  return {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
}
template <class I>
Point<I> cross3(const Point<I>& p, const Point<I>& q) {
  return {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
}

// A corner of the difference of the two hulls
struct CornerPair {
  std::size_t a = 0, b = 0;
  friend bool operator==(const CornerPair&, const CornerPair&) = default;
};

// The shortest way from B to A goes along v: its length is level / |v|. Both meet where level is zero.
template <class I>
struct Nearest {
  Point<I> v{};
  I level = 0;
  std::vector<CornerPair> corners;  // at most four; the nearest point is a mixture of them with positive weights

  bool hit() const { return level == 0; }
};

namespace nearest_detail {

// The point of the plane (line, point) of these corners that is nearest to the origin, when it lies strictly between them
template <class I>
bool project(const std::vector<Point<I>>& w, Nearest<I>& out) {
  const I zero = 0;
  const Point<I>& p = w[0];
  if (w.size() == 1) {
    out.v = p;
    out.level = dot3(p, p);
    return true;
  }
  if (w.size() == 2) {
    const Point<I> d = minus3(w[1], p);
    const I along = zero - dot3(p, d), whole = dot3(d, d);
    if (!(along > zero && along < whole)) return false;
    for (std::size_t i = 0; i < 3; ++i) out.v[i] = p[i] * whole + d[i] * along;
    out.level = dot3(out.v, p);
    return true;
  }
  if (w.size() == 3) {
    Point<I> n = cross3(minus3(w[1], p), minus3(w[2], p));
    for (std::size_t i = 0; i < 3; ++i)
      if (!(dot3(n, cross3(w[i], w[(i + 1) % 3])) > zero)) return false;
    I level = dot3(n, p);
    if (level < zero) {
      level = zero - level;
      for (I& x : n) x = zero - x;
    }
    // A plane through the origin is no bound for the others: they meet
    out.v = level == zero ? Point<I>{} : n;
    out.level = level;
    return true;
  }
  // Four times the volume that the origin has with each face, all of the sign of the whole
  const auto det = [](const Point<I>& a, const Point<I>& b, const Point<I>& c) -> I { return dot3(a, cross3(b, c)); };
  const I volume = det(minus3(w[1], p), minus3(w[2], p), minus3(w[3], p));
  const I part[4] = {det(w[1], w[2], w[3]), det(w[0], w[3], w[2]), det(w[0], w[1], w[3]), det(w[0], w[2], w[1])};
  for (const I& x : part)
    if (!(volume > zero ? x > zero : x < zero)) return false;
  out.v = {};
  out.level = zero;
  return true;
}

// The nearest point of the hull of at most four corners: the one subset between whose corners it lies, and before whose
// plane the others do not come. Large ones first: where the search in doubles was right, that is the first.
template <class I>
bool nearest_of(const std::vector<Point<I>>& w, Nearest<I>& out) {
  constexpr unsigned kBySize[15] = {15, 7, 11, 13, 14, 3, 5, 6, 9, 10, 12, 1, 2, 4, 8};
  const unsigned all = (1u << w.size()) - 1;
  const std::vector<CornerPair> given = out.corners;
  std::vector<Point<I>> chosen;
  for (const unsigned set : kBySize) {
    if ((set & all) != set) continue;
    chosen.clear();
    for (unsigned i = 0; i < w.size(); ++i)
      if (set >> i & 1) chosen.push_back(w[i]);
    if (!project(chosen, out)) continue;
    bool first = true;
    for (unsigned i = 0; i < w.size() && first; ++i)
      if (!(set >> i & 1)) first = !(dot3(out.v, w[i]) < out.level);
    if (!first) continue;
    out.corners.clear();
    for (unsigned i = 0; i < w.size(); ++i)
      if (set >> i & 1) out.corners.push_back(given[i]);
    return true;
  }
  return false;
}

// From some corners on; false when it did not come to an end
template <class I>
bool search(const Points<I>& a, const Points<I>& b, int limit, Nearest<I>& out) {
  std::vector<Point<I>> w;
  for (int round = 0; round < limit; ++round) {
    w.clear();
    for (const CornerPair& c : out.corners) w.push_back(minus3(a[c.a], b[c.b]));
    if (!nearest_of(w, out)) return false;
    if (out.hit()) return true;
    // The corner that comes farthest before the plane
    CornerPair next;
    I low = dot3(out.v, a[0]), high = dot3(out.v, b[0]);
    for (std::size_t i = 1; i < a.size(); ++i) {
      const I x = dot3(out.v, a[i]);
      if (x < low) low = x, next.a = i;
    }
    for (std::size_t i = 1; i < b.size(); ++i) {
      const I x = dot3(out.v, b[i]);
      if (x > high) high = x, next.b = i;
    }
    if (!(low - high < out.level)) return true;
    if (std::find(out.corners.begin(), out.corners.end(), next) != out.corners.end()) return false;
    out.corners.push_back(next);
  }
  return false;
}

}  // namespace nearest_detail

template <class I>
Nearest<I> nearest(const Points<I>& a, const Points<I>& b) {
  const auto rounded = [](const Points<I>& points) {
    Points<double> out;
    for (const Point<I>& p : points)
      out.push_back({static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])});
    return out;
  };
  Nearest<double> guess;
  guess.corners = {{0, 0}};
  nearest_detail::search(rounded(a), rounded(b), 30, guess);
  Nearest<I> out;
  out.corners = guess.corners;
  // Where rounding went astray there may be five
  if (out.corners.size() > 4) out.corners = {{0, 0}};
  if (!nearest_detail::search(a, b, 10000, out))
    throw std::logic_error("the search for the nearest points did not end");
  return out;
}

}  // namespace sudar_test
