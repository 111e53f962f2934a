// What:    Discrete oriented polytopes: the slab of a body along each of K / 2 fixed directions. In 2D K = 4, 6, 8;
//          in 3D K = 6, 14, 18, 26.
// Source:  Klosowski, Held, Mitchell, Sowizral, Zikan, "Efficient collision detection using bounding volume
//          hierarchies of k-DOPs", 1998; seed A14.
// Differs: Directions are not normalised: their coordinates are -1, 0 and 1, so a projection needs only sums, which
//          are rounded outward. Overlap compares stored numbers only and is exact for the stored slabs.
// Frame:   Directions belong to the world. A body that turns is re-fitted: from its points (tight), from the vertices
//          of its k-DOP (kdop_fit.hpp), or from the slabs alone (transform, loosest and cheapest). All three contain
//          it.
#pragma once

#include <sudar/bounding/aabb.hpp>

#include <array>

namespace sudar {

// The directions: axes first; then corners of the square or cube, edges of the cube
template <int D, int K>
struct KdopDirections;
template <>
struct KdopDirections<2, 4> {
  static constexpr signed char kSet[2][2] = {{1, 0}, {0, 1}};
};
template <>
struct KdopDirections<2, 6> {
  static constexpr signed char kSet[3][2] = {{1, 0}, {0, 1}, {1, 1}};
};
template <>
struct KdopDirections<2, 8> {
  static constexpr signed char kSet[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
};
template <>
struct KdopDirections<3, 6> {
  static constexpr signed char kSet[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
};
template <>
struct KdopDirections<3, 14> {
  static constexpr signed char kSet[7][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},  {1, 1, 1},
                                             {1, 1, -1}, {1, -1, 1}, {1, -1, -1}};
};
template <>
struct KdopDirections<3, 18> {
  static constexpr signed char kSet[9][3] = {{1, 0, 0}, {0, 1, 0},  {0, 0, 1}, {1, 1, 0}, {1, -1, 0},
                                             {1, 0, 1}, {1, 0, -1}, {0, 1, 1}, {0, 1, -1}};
};
template <>
struct KdopDirections<3, 26> {
  static constexpr signed char kSet[13][3] = {{1, 0, 0},  {0, 1, 0},   {0, 0, 1}, {1, 1, 1},  {1, 1, -1},
                                              {1, -1, 1}, {1, -1, -1}, {1, 1, 0}, {1, -1, 0}, {1, 0, 1},
                                              {1, 0, -1}, {0, 1, 1},   {0, 1, -1}};
};

template <int D, int K, class T = Real>
struct Kdop {
  using Scalar = T;
  static constexpr int kDim = D, kSlabs = K / 2;
  std::array<T, K / 2> lo{}, hi{};

  static constexpr Vec<D, T> direction(int slab) {
    Vec<D, T> out;
    for (int i = 0; i < D; ++i) out[i] = KdopDirections<D, K>::kSet[slab][i];
    return out;
  }
  // Contains nothing, and is neutral for merge
  static constexpr Kdop empty() {
    Kdop out;
    out.lo.fill(std::numeric_limits<T>::infinity());
    out.hi.fill(-std::numeric_limits<T>::infinity());
    return out;
  }
  friend constexpr bool operator==(const Kdop&, const Kdop&) = default;
};
template <class T = Real>
using Dop8 = Kdop<2, 8, T>;
template <class T = Real>
using Dop14 = Kdop<3, 14, T>;
template <class T = Real>
using Dop18 = Kdop<3, 18, T>;
template <class T = Real>
using Dop26 = Kdop<3, 26, T>;

// p along a direction, not above / not below the exact sum
template <int D, int K, class T>
constexpr T project_down(int slab, const Vec<D, T>& p) {
  T sum = 0;
  for (int i = 0; i < D; ++i) {
    const auto d = KdopDirections<D, K>::kSet[slab][i];
    if (d != 0) sum = add_down(sum, d > 0 ? p[i] : -p[i]);
  }
  return sum;
}
template <int D, int K, class T>
constexpr T project_up(int slab, const Vec<D, T>& p) {
  T sum = 0;
  for (int i = 0; i < D; ++i) {
    const auto d = KdopDirections<D, K>::kSet[slab][i];
    if (d != 0) sum = add_up(sum, d > 0 ? p[i] : -p[i]);
  }
  return sum;
}

template <int D, int K, class T>
constexpr bool overlap(const Kdop<D, K, T>& a, const Kdop<D, K, T>& b) {
  for (int i = 0; i < K / 2; ++i)
    if (!(a.lo[i] <= b.hi[i] && b.lo[i] <= a.hi[i])) return false;
  return true;
}
// Never false for a point inside; a point out by a rounding of its coordinates may count as inside
template <int D, int K, class T>
constexpr bool contains(const Kdop<D, K, T>& a, const Vec<D, T>& p) {
  for (int i = 0; i < K / 2; ++i)
    if (!(project_down<D, K, T>(i, p) <= a.hi[i] && a.lo[i] <= project_up<D, K, T>(i, p))) return false;
  return true;
}
template <int D, int K, class T>
constexpr bool contains(const Kdop<D, K, T>& a, const Kdop<D, K, T>& b) {
  for (int i = 0; i < K / 2; ++i)
    if (!(a.lo[i] <= b.lo[i] && b.hi[i] <= a.hi[i])) return false;
  return true;
}
// Smallest k-DOP around both
template <int D, int K, class T>
constexpr Kdop<D, K, T> merge(const Kdop<D, K, T>& a, const Kdop<D, K, T>& b) {
  Kdop<D, K, T> out;
  for (int i = 0; i < K / 2; ++i) {
    out.lo[i] = b.lo[i] < a.lo[i] ? b.lo[i] : a.lo[i];
    out.hi[i] = a.hi[i] < b.hi[i] ? b.hi[i] : a.hi[i];
  }
  return out;
}
template <int D, int K, class T>
constexpr Kdop<D, K, T> merge(const Kdop<D, K, T>& a, const Vec<D, T>& p) {
  Kdop<D, K, T> out = a;
  for (int i = 0; i < K / 2; ++i) {
    const T low = project_down<D, K, T>(i, p), high = project_up<D, K, T>(i, p);
    if (low < out.lo[i]) out.lo[i] = low;
    if (high > out.hi[i]) out.hi[i] = high;
  }
  return out;
}

template <int D, int K, class T>
bool is_bounded(const Kdop<D, K, T>& a) {
  for (int i = 0; i < K / 2; ++i)
    if (!std::isfinite(a.lo[i]) || !std::isfinite(a.hi[i])) return false;
  return true;
}

// Smallest k-DOP around points. Fails: empty_input; non_finite with the index of the point; too_large when a bound, a sum
// of up to D coordinates, is past the largest number.
template <int D, int K, class T = Real>
Result<Kdop<D, K, T>> bounding_kdop(std::span<const Vec<D, T>> points) {
  if (points.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "no points"};
  auto out = Kdop<D, K, T>::empty();
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!is_finite(points[i])) return Error{ErrorCode::non_finite, i, "coordinate is NaN or infinite"};
    out = merge(out, points[i]);
  }
  if (!is_bounded(out)) return Error{ErrorCode::too_large, Error::kNoElement, "a bound is past the largest number"};
  return out;
}
// Re-fit from the body's own points (or those of its hull) under a pose. Fails: as bounding_kdop; too_large also for a pose
// that is NaN or infinite.
template <int D, int K, class T>
Result<Kdop<D, K, T>> refit(const Pose<D, T>& world_from_body, std::span<const Vec<D, T>> points_body) {
  if (points_body.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "no points"};
  auto out = Kdop<D, K, T>::empty();
  T size = 0;
  for (std::size_t i = 0; i < points_body.size(); ++i) {
    if (!is_finite(points_body[i])) return Error{ErrorCode::non_finite, i, "coordinate is NaN or infinite"};
    out = merge(out, transform(world_from_body, points_body[i]));
    for (int k = 0; k < D; ++k) size = std::fmax(size, D * std::fabs(points_body[i][k]));
  }
  // The images were rounded
  size = D * (size + D * max_abs(world_from_body.position));
  for (int i = 0; i < K / 2; ++i) {
    out.lo[i] -= kPoseSlack<T> * size + std::numeric_limits<T>::min();
    out.hi[i] += kPoseSlack<T> * size + std::numeric_limits<T>::min();
  }
  if (!is_bounded(out)) return Error{ErrorCode::too_large, Error::kNoElement, "a bound is past the largest number"};
  return out;
}

// Upper bound on m · p over the k-DOP. For any slab d and α, m · p = α d · p + (m - α d) · p, and the second part is
// bounded axis by axis; the best slab wins.
template <int D, int K, class T>
constexpr T support_bound(const Kdop<D, K, T>& a, const Vec<D, T>& m) {
  const auto by_axes = [&a](const Vec<D, T>& v) {
    T sum = 0;
    for (int i = 0; i < D; ++i) sum += v[i] * (v[i] > 0 ? a.hi[i] : a.lo[i]);
    return sum;
  };
  T best = by_axes(m);
  for (int slab = D; slab < K / 2; ++slab) {
    const Vec<D, T> d = Kdop<D, K, T>::direction(slab);
    // Take as much of d, or of -d, as leaves no coordinate with another sign
    const T along = dot(d, m) < 0 ? T(-1) : T(1);
    T most = std::numeric_limits<T>::max();
    for (int i = 0; i < D; ++i) {
      if (d[i] == 0) continue;
      const T share = m[i] * d[i] * along;
      most = share < most ? share : most;
    }
    if (!(most > 0)) continue;
    const T whole = most * (along > 0 ? a.hi[slab] : -a.lo[slab]);
    const T bound = whole + by_axes(m - d * (along * most));
    best = bound < best ? bound : best;
  }
  return best;
}
// Re-fit from the slabs alone: K²/4 small steps and no points. Where numbers leave the range of double (T), and for a pose
// that is NaN or infinite, bounds are infinite or NaN: ask is_bounded.
template <int D, int K, class T>
constexpr Kdop<D, K, T> transform(const Pose<D, T>& a_from_b, const Kdop<D, K, T>& kdop_b) {
  const Rot<D, T> b_from_a = conjugate(a_from_b.rotation);
  T size = 0;
  for (int i = 0; i < D; ++i) {
    const T t = a_from_b.position[i], low = kdop_b.lo[i], high = kdop_b.hi[i];
    size += (t < 0 ? -t : t) + (low < 0 ? -low : low) + (high < 0 ? -high : high);
  }
  const T slack = D * kPoseSlack<T> * size + std::numeric_limits<T>::min();
  Kdop<D, K, T> out;
  for (int i = 0; i < K / 2; ++i) {
    const Vec<D, T> direction = Kdop<D, K, T>::direction(i), m = rotate(b_from_a, direction);
    const T shift = dot(direction, a_from_b.position);
    out.hi[i] = support_bound(kdop_b, m) + slack + shift;
    out.lo[i] = -support_bound(kdop_b, -m) - slack + shift;
  }
  return out;
}

}  // namespace sudar
