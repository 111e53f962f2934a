// What:    Oriented boxes: containment, overlap by separating axes (4 in 2D, 15 in 3D), under a pose.
// Source:  Gottschalk, Lin, Manocha, "OBBTree", 1996; seed A13.
// Differs: The source adds an epsilon to |R|, whose size has no unit in common with the boxes. Here an axis separates
//          only when the gap exceeds a bound on its own rounding, so parallel edges, whose cross product is noise,
//          never separate (Obb.NeverMissesAnOverlap), and boxes that touch up to rounding overlap.
// Frame:   The set |(p - centre) · axis_i| <= half_i. Axes are orthonormal up to rounding; right-handed where we make
//          them.
#pragma once

#include <sudar/bounding/aabb.hpp>

#include <array>

namespace sudar {

template <int D, class T = Real>
struct Obb {
  using Scalar = T;
  static constexpr int kDim = D;
  Vec<D, T> center{};
  std::array<Vec<D, T>, D> axes = unit_axes();
  Vec<D, T> half{};

  static constexpr std::array<Vec<D, T>, D> unit_axes() {
    std::array<Vec<D, T>, D> out{};
    for (int i = 0; i < D; ++i) out[i][i] = 1;
    return out;
  }
  friend constexpr bool operator==(const Obb&, const Obb&) = default;
};
using Obb2 = Obb<2>;
using Obb3 = Obb<3>;
using Obb2d = Obb<2, double>;
using Obb3d = Obb<3, double>;

// Coordinates of p along the axes
template <int D, class T>
constexpr Vec<D, T> to_local(const Obb<D, T>& a, const Vec<D, T>& p) {
  Vec<D, T> out;
  for (int i = 0; i < D; ++i) out[i] = dot(p - a.center, a.axes[i]);
  return out;
}
template <int D, class T>
constexpr bool contains(const Obb<D, T>& a, const Vec<D, T>& p) {
  const Vec<D, T> local = to_local(a, p);
  for (int i = 0; i < D; ++i)
    if (!((local[i] < 0 ? -local[i] : local[i]) <= a.half[i])) return false;
  return true;
}
// Area in 2D, volume in 3D
template <int D, class T>
constexpr T volume(const Obb<D, T>& a) {
  T product = 1;
  for (int i = 0; i < D; ++i) product *= 2 * a.half[i];
  return product;
}
// Bit i of `which` picks the high side on axis i; which < 2^D
template <int D, class T>
constexpr Vec<D, T> corner(const Obb<D, T>& a, int which) {
  Vec<D, T> out = a.center;
  for (int i = 0; i < D; ++i) out += a.axes[i] * (which >> i & 1 ? a.half[i] : -a.half[i]);
  return out;
}

template <int D, class T>
constexpr Obb<D, T> to_obb(const Aabb<D, T>& a) {
  Obb<D, T> out;
  out.center = center(a);
  for (int i = 0; i < D; ++i) {
    const T above = sub_up(a.hi[i], out.center[i]), below = sub_up(out.center[i], a.lo[i]);
    out.half[i] = above > below ? above : below;
  }
  return out;
}
// Box around it, rounded outward
template <int D, class T>
constexpr Aabb<D, T> bounding_box(const Obb<D, T>& a) {
  Aabb<D, T> out;
  T size = 0;
  for (int i = 0; i < D; ++i) size += (a.center[i] < 0 ? -a.center[i] : a.center[i]) + a.half[i];
  for (int i = 0; i < D; ++i) {
    T reach = kPoseSlack<T> * size + std::numeric_limits<T>::min();
    for (int j = 0; j < D; ++j) reach += (a.axes[j][i] < 0 ? -a.axes[j][i] : a.axes[j][i]) * a.half[j];
    out.lo[i] = a.center[i] - reach;
    out.hi[i] = a.center[i] + reach;
  }
  return out;
}
// The box, in frame a, of a box given in frame b; grown by what rounding may move its points
template <int D, class T>
constexpr Obb<D, T> transform(const Pose<D, T>& a_from_b, const Obb<D, T>& box_b) {
  Obb<D, T> out;
  out.center = transform(a_from_b, box_b.center);
  T size = 0;
  for (int i = 0; i < D; ++i) {
    const T c = box_b.center[i], t = a_from_b.position[i];
    size += (c < 0 ? -c : c) + (t < 0 ? -t : t) + box_b.half[i];
  }
  for (int i = 0; i < D; ++i) {
    out.axes[i] = rotate(a_from_b.rotation, box_b.axes[i]);
    out.half[i] = box_b.half[i] + kPoseSlack<T> * size + std::numeric_limits<T>::min();
  }
  return out;
}

// Closed sets: touching counts. NaN is a miss.
template <int D, class T>
constexpr bool overlap(const Obb<D, T>& a, const Obb<D, T>& b) {
  // b in a's axes: r[i][j] = a_i · b_j, and where b's centre is
  T r[D][D]{}, q[D][D]{}, t[D]{};
  T size = 0;
  const Vec<D, T> apart = b.center - a.center;
  for (int i = 0; i < D; ++i) {
    t[i] = dot(apart, a.axes[i]);
    size += (apart[i] < 0 ? -apart[i] : apart[i]) + a.half[i] + b.half[i];
    for (int j = 0; j < D; ++j) {
      r[i][j] = dot(a.axes[i], b.axes[j]);
      q[i][j] = r[i][j] < 0 ? -r[i][j] : r[i][j];
    }
  }
  const T slack = kPoseSlack<T> * size;
  // Written so that a NaN separates
  const auto reaches = [slack](T gap, T reach) { return (gap < 0 ? -gap : gap) <= reach + slack; };

  // The face normals of a, then of b
  for (int i = 0; i < D; ++i) {
    T reach = a.half[i];
    for (int j = 0; j < D; ++j) reach += q[i][j] * b.half[j];
    if (!reaches(t[i], reach)) return false;
  }
  for (int j = 0; j < D; ++j) {
    T reach = b.half[j], gap = 0;
    for (int i = 0; i < D; ++i) {
      reach += q[i][j] * a.half[i];
      gap += t[i] * r[i][j];
    }
    if (!reaches(gap, reach)) return false;
  }
  // The cross products of an edge of a and an edge of b
  if constexpr (D == 3) {
    for (int i = 0; i < 3; ++i) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
      for (int j = 0; j < 3; ++j) {
        const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        const T reach = a.half[i1] * q[i2][j] + a.half[i2] * q[i1][j] + b.half[j1] * q[i][j2] + b.half[j2] * q[i][j1];
        if (!reaches(t[i2] * r[i1][j] - t[i1] * r[i2][j], reach)) return false;
      }
    }
  }
  return true;
}

}  // namespace sudar
