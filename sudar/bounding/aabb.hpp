// What:    Axis-aligned boxes as lo and hi corners: the form every other room uses. The two other forms are in
//          aabb_forms.hpp.
// Source:  Ericson, "Real-Time Collision Detection", 2005, 4.2; seeds A1, A14, C1, C2.
// Differs: Boxes are closed sets: touching counts. Whatever rounds, rounds outward. A comparison with NaN is false,
//          so a box with a NaN overlaps nothing and contains nothing.
// Frame:   The box of a box under a pose contains the images of all of its points, computed exactly or by
//          transform().
// Fails:   bounding_box: empty_input, or non_finite with the index of the point.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/math/outward.hpp>
#include <sudar/math/pose.hpp>
#include <sudar/math/tolerance.hpp>

#include <limits>
#include <span>

namespace sudar {

template <int D, class T = Real>
struct Aabb {
  using Scalar = T;
  static constexpr int kDim = D;
  Vec<D, T> lo{}, hi{};

  // Contains nothing, and is neutral for merge
  static constexpr Aabb empty() {
    Aabb box;
    for (int i = 0; i < D; ++i) {
      box.lo[i] = std::numeric_limits<T>::infinity();
      box.hi[i] = -std::numeric_limits<T>::infinity();
    }
    return box;
  }
  friend constexpr bool operator==(const Aabb&, const Aabb&) = default;
};
using Aabb2 = Aabb<2>;
using Aabb3 = Aabb<3>;
using Aabb2d = Aabb<2, double>;
using Aabb3d = Aabb<3, double>;

// False for an empty box and for one with a NaN
template <int D, class T>
constexpr bool is_valid(const Aabb<D, T>& a) {
  for (int i = 0; i < D; ++i)
    if (!(a.lo[i] <= a.hi[i])) return false;
  return true;
}

template <int D, class T>
constexpr bool overlap(const Aabb<D, T>& a, const Aabb<D, T>& b) {
  for (int i = 0; i < D; ++i)
    if (!(a.lo[i] <= b.hi[i] && b.lo[i] <= a.hi[i])) return false;
  return true;
}
template <int D, class T>
constexpr bool contains(const Aabb<D, T>& a, const Vec<D, T>& p) {
  for (int i = 0; i < D; ++i)
    if (!(a.lo[i] <= p[i] && p[i] <= a.hi[i])) return false;
  return true;
}
template <int D, class T>
constexpr bool contains(const Aabb<D, T>& a, const Aabb<D, T>& b) {
  for (int i = 0; i < D; ++i)
    if (!(a.lo[i] <= b.lo[i] && b.hi[i] <= a.hi[i])) return false;
  return true;
}

// Smallest box around both
template <int D, class T>
constexpr Aabb<D, T> merge(const Aabb<D, T>& a, const Aabb<D, T>& b) {
  return {min(a.lo, b.lo), max(a.hi, b.hi)};
}
template <int D, class T>
constexpr Aabb<D, T> merge(const Aabb<D, T>& a, const Vec<D, T>& p) {
  return {min(a.lo, p), max(a.hi, p)};
}
// What both contain; not valid (see is_valid) when they don't overlap
template <int D, class T>
constexpr Aabb<D, T> intersect(const Aabb<D, T>& a, const Aabb<D, T>& b) {
  return {max(a.lo, b.lo), min(a.hi, b.hi)};
}

// Plain, to nearest. Halved before adding, so that the centre of any finite box is finite.
template <int D, class T>
constexpr Vec<D, T> center(const Aabb<D, T>& a) {
  return a.lo * T(0.5) + a.hi * T(0.5);
}
template <int D, class T>
constexpr Vec<D, T> extents(const Aabb<D, T>& a) {
  return a.hi - a.lo;
}
template <int D, class T>
constexpr Vec<D, T> half_extents(const Aabb<D, T>& a) {
  return a.hi * T(0.5) - a.lo * T(0.5);
}
// Area in 2D, volume in 3D
template <int D, class T>
constexpr T volume(const Aabb<D, T>& a) {
  T product = 1;
  for (int i = 0; i < D; ++i) product *= a.hi[i] - a.lo[i];
  return product;
}
// Perimeter in 2D, surface area in 3D
template <int D, class T>
constexpr T surface(const Aabb<D, T>& a) {
  const Vec<D, T> e = extents(a);
  T sum = 0;
  for (int i = 0; i < D; ++i) {
    T face = 1;
    for (int j = 0; j < D; ++j)
      if (j != i) face *= e[j];
    sum += face;
  }
  return 2 * sum;
}

// Grow by `margin` on every side, rounded outward
template <int D, class T>
constexpr Aabb<D, T> expand(const Aabb<D, T>& a, const Vec<D, T>& margin) {
  Aabb<D, T> out;
  for (int i = 0; i < D; ++i) {
    out.lo[i] = sub_down(a.lo[i], margin[i]);
    out.hi[i] = add_up(a.hi[i], margin[i]);
  }
  return out;
}
template <int D, class T>
constexpr Aabb<D, T> expand(const Aabb<D, T>& a, T margin) {
  Vec<D, T> all;
  for (int i = 0; i < D; ++i) all[i] = margin;
  return expand(a, all);
}

// The smallest float box around it
template <int D>
constexpr Aabb<D, float> round_out(const Aabb<D, double>& a) {
  Aabb<D, float> out;
  for (int i = 0; i < D; ++i) {
    out.lo[i] = float_down(a.lo[i]);
    out.hi[i] = float_up(a.hi[i]);
  }
  return out;
}
template <int D>
constexpr Aabb<D, float> round_out(const Aabb<D, float>& a) {
  return a;
}

// The box, in frame a, of a box given in frame b. The rotation is a unit one up to rounding.
template <int D, class T>
constexpr Aabb<D, T> transform(const Pose<D, T>& a_from_b, const Aabb<D, T>& box_b) {
  // Rotate centre and half extents; the half extents take |R|
  const Vec<D, T> c = center(box_b);
  Vec<D, T> h, rotated_h;
  T size = 0;
  for (int i = 0; i < D; ++i) {
    h[i] = box_b.hi[i] - c[i] > c[i] - box_b.lo[i] ? box_b.hi[i] - c[i] : c[i] - box_b.lo[i];
    size += (c[i] < 0 ? -c[i] : c[i]) + h[i];
  }
  for (int i = 0; i < D; ++i) {
    Vec<D, T> axis{};
    axis[i] = 1;
    rotated_h += abs(rotate(a_from_b.rotation, axis)) * h[i];
  }
  // Every coordinate came through a sum of products whose errors this bounds; the smallest normal number covers
  // products that underflow
  const Vec<D, T> rotated_c = rotate(a_from_b.rotation, c);
  Aabb<D, T> out;
  for (int i = 0; i < D; ++i) {
    const T t = a_from_b.position[i];
    const T r = rotated_h[i] + kPoseSlack<T> * (size + (t < 0 ? -t : t)) + std::numeric_limits<T>::min();
    out.lo[i] = (rotated_c[i] - r) + t;
    out.hi[i] = (rotated_c[i] + r) + t;
  }
  return out;
}

// Smallest box around points
template <int D, class T = Real>
Result<Aabb<D, T>> bounding_box(std::span<const Vec<D, T>> points) {
  if (points.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "no points"};
  Aabb<D, T> box = Aabb<D, T>::empty();
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!is_finite(points[i])) return Error{ErrorCode::non_finite, i, "coordinate is NaN or infinite"};
    box = merge(box, points[i]);
  }
  return box;
}

}  // namespace sudar
