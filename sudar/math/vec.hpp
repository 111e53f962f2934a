// What:    Vectors with named fields. Vec2, Vec3 hold Real; Vec2d, Vec3d hold double by name; Vec<D> picks one.
#pragma once

#include <sudar/core/assert.hpp>
#include <sudar/core/config.hpp>

#include <cmath>
#include <type_traits>

namespace sudar {

template <class T>
struct BasicVec2 {
  using Scalar = T;
  static constexpr int kDim = 2;
  T x{}, y{};

  constexpr T& operator[](int i) { return i == 0 ? x : y; }
  constexpr const T& operator[](int i) const { return i == 0 ? x : y; }
  friend constexpr bool operator==(const BasicVec2&, const BasicVec2&) = default;
};

template <class T>
struct BasicVec3 {
  using Scalar = T;
  static constexpr int kDim = 3;
  T x{}, y{}, z{};

  constexpr T& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  constexpr const T& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  friend constexpr bool operator==(const BasicVec3&, const BasicVec3&) = default;
};

inline namespace SUDAR_ABI {
using Vec2 = BasicVec2<Real>;
using Vec3 = BasicVec3<Real>;
}  // namespace SUDAR_ABI
using Vec2d = BasicVec2<double>;
using Vec3d = BasicVec3<double>;
template <int D, class T = Real>
using Vec = std::conditional_t<D == 2, BasicVec2<T>, BasicVec3<T>>;

template <class V>
concept AnyVec = std::is_same_v<V, BasicVec2<typename V::Scalar>> || std::is_same_v<V, BasicVec3<typename V::Scalar>>;

// Component by component
template <AnyVec V>
constexpr V operator+(V a, const V& b) {
  for (int i = 0; i < V::kDim; ++i) a[i] += b[i];
  return a;
}
template <AnyVec V>
constexpr V operator-(V a, const V& b) {
  for (int i = 0; i < V::kDim; ++i) a[i] -= b[i];
  return a;
}
template <AnyVec V>
constexpr V operator-(V a) {
  for (int i = 0; i < V::kDim; ++i) a[i] = -a[i];
  return a;
}
template <AnyVec V>
constexpr V operator*(V a, typename V::Scalar s) {
  for (int i = 0; i < V::kDim; ++i) a[i] *= s;
  return a;
}
template <AnyVec V>
constexpr V operator*(typename V::Scalar s, V a) {
  return a * s;
}
template <AnyVec V>
constexpr V operator/(V a, typename V::Scalar s) {
  for (int i = 0; i < V::kDim; ++i) a[i] /= s;
  return a;
}
template <AnyVec V>
constexpr V& operator+=(V& a, const V& b) {
  return a = a + b;
}
template <AnyVec V>
constexpr V& operator-=(V& a, const V& b) {
  return a = a - b;
}
template <AnyVec V>
constexpr V& operator*=(V& a, typename V::Scalar s) {
  return a = a * s;
}
template <AnyVec V>
constexpr V mul(V a, const V& b) {
  for (int i = 0; i < V::kDim; ++i) a[i] *= b[i];
  return a;
}
template <AnyVec V>
constexpr V min(V a, const V& b) {
  for (int i = 0; i < V::kDim; ++i) a[i] = b[i] < a[i] ? b[i] : a[i];
  return a;
}
template <AnyVec V>
constexpr V max(V a, const V& b) {
  for (int i = 0; i < V::kDim; ++i) a[i] = a[i] < b[i] ? b[i] : a[i];
  return a;
}
template <AnyVec V>
constexpr V abs(V a) {
  for (int i = 0; i < V::kDim; ++i) a[i] = a[i] < 0 ? -a[i] : a[i];
  return a;
}

// Products and lengths
template <class T>
constexpr T dot(const BasicVec2<T>& a, const BasicVec2<T>& b) {
  return a.x * b.x + a.y * b.y;
}
template <class T>
constexpr T dot(const BasicVec3<T>& a, const BasicVec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
constexpr T cross(const BasicVec2<T>& a, const BasicVec2<T>& b) {
  return a.x * b.y - a.y * b.x;
}
template <class T>
constexpr BasicVec3<T> cross(const BasicVec3<T>& a, const BasicVec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// A quarter turn counterclockwise
template <class T>
constexpr BasicVec2<T> perp(const BasicVec2<T>& a) {
  return {-a.y, a.x};
}
template <AnyVec V>
constexpr typename V::Scalar length_squared(const V& a) {
  return dot(a, a);
}
template <AnyVec V>
typename V::Scalar length(const V& a) {
  return std::sqrt(dot(a, a));
}
template <AnyVec V>
typename V::Scalar distance(const V& a, const V& b) {
  return length(b - a);
}
template <AnyVec V>
constexpr typename V::Scalar max_abs(const V& a) {
  typename V::Scalar m = 0;
  for (int i = 0; i < V::kDim; ++i) m = std::fabs(a[i]) > m ? std::fabs(a[i]) : m;
  return m;
}
// Unit vector, or zero when `a` is zero. Scaled first, so it holds at any size of `a`.
template <AnyVec V>
V normalized(const V& a) {
  using T = typename V::Scalar;
  const T m = max_abs(a);
  if (!(m > 0)) return V{};
  const V scaled = a / m;
  return scaled / length(scaled);
}
template <AnyVec V>
constexpr V lerp(const V& a, const V& b, typename V::Scalar t) {
  return a + (b - a) * t;
}
template <AnyVec V>
bool is_finite(const V& a) {
  for (int i = 0; i < V::kDim; ++i)
    if (!std::isfinite(a[i])) return false;
  return true;
}

// By x, then y, then z: along a line, this is the order on the line
template <AnyVec V>
constexpr bool lexicographically_less(const V& a, const V& b) {
  for (int i = 0; i < V::kDim; ++i)
    if (a[i] != b[i]) return a[i] < b[i];
  return false;
}

// Change of precision, to nearest
template <class T, class S>
constexpr BasicVec2<T> vec_cast(const BasicVec2<S>& a) {
  return {static_cast<T>(a.x), static_cast<T>(a.y)};
}
template <class T, class S>
constexpr BasicVec3<T> vec_cast(const BasicVec3<S>& a) {
  return {static_cast<T>(a.x), static_cast<T>(a.y), static_cast<T>(a.z)};
}

// Two unit vectors that complete the unit vector n to a right-handed frame
template <class T>
void make_frame(const BasicVec3<T>& n, BasicVec3<T>& u, BasicVec3<T>& v) {
  const BasicVec3<T> a = std::fabs(n.x) < std::fabs(n.y)
                             ? (std::fabs(n.x) < std::fabs(n.z) ? BasicVec3<T>{1, 0, 0} : BasicVec3<T>{0, 0, 1})
                             : (std::fabs(n.y) < std::fabs(n.z) ? BasicVec3<T>{0, 1, 0} : BasicVec3<T>{0, 0, 1});
  u = normalized(cross(a, n));
  v = cross(n, u);
}

}  // namespace sudar
