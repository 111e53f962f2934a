// What:    2×2 and 3×3 matrices, stored by columns. Mat2, Mat3 hold Real; Mat2d, Mat3d hold double.
#pragma once

#include <sudar/math/vec.hpp>

namespace sudar {

template <class T>
struct BasicMat2 {
  BasicVec2<T> x{1, 0}, y{0, 1};  // columns

  friend constexpr bool operator==(const BasicMat2&, const BasicMat2&) = default;
};

template <class T>
struct BasicMat3 {
  BasicVec3<T> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};  // columns

  constexpr BasicVec3<T>& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  constexpr const BasicVec3<T>& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  constexpr BasicVec3<T> row(int i) const { return {x[i], y[i], z[i]}; }
  static constexpr BasicMat3 diagonal(const BasicVec3<T>& d) { return {{d.x, 0, 0}, {0, d.y, 0}, {0, 0, d.z}}; }
  friend constexpr bool operator==(const BasicMat3&, const BasicMat3&) = default;
};

inline namespace SUDAR_ABI {
using Mat2 = BasicMat2<Real>;
using Mat3 = BasicMat3<Real>;
}  // namespace SUDAR_ABI
using Mat2d = BasicMat2<double>;
using Mat3d = BasicMat3<double>;

template <class T>
constexpr BasicVec2<T> operator*(const BasicMat2<T>& m, const BasicVec2<T>& v) {
  return m.x * v.x + m.y * v.y;
}
template <class T>
constexpr BasicMat2<T> operator*(const BasicMat2<T>& a, const BasicMat2<T>& b) {
  return {a * b.x, a * b.y};
}
template <class T>
constexpr BasicMat2<T> transpose(const BasicMat2<T>& m) {
  return {{m.x.x, m.y.x}, {m.x.y, m.y.y}};
}
// transpose(m) * v
template <class T>
constexpr BasicVec2<T> transpose_mul(const BasicMat2<T>& m, const BasicVec2<T>& v) {
  return {dot(m.x, v), dot(m.y, v)};
}
template <class T>
constexpr T determinant(const BasicMat2<T>& m) {
  return cross(m.x, m.y);
}

template <class T>
constexpr BasicVec3<T> operator*(const BasicMat3<T>& m, const BasicVec3<T>& v) {
  return m.x * v.x + m.y * v.y + m.z * v.z;
}
template <class T>
constexpr BasicMat3<T> operator*(const BasicMat3<T>& a, const BasicMat3<T>& b) {
  return {a * b.x, a * b.y, a * b.z};
}
template <class T>
constexpr BasicMat3<T> operator*(const BasicMat3<T>& a, T s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class T>
constexpr BasicMat3<T> operator+(const BasicMat3<T>& a, const BasicMat3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
constexpr BasicMat3<T> operator-(const BasicMat3<T>& a, const BasicMat3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
constexpr BasicMat3<T> transpose(const BasicMat3<T>& m) {
  return {m.row(0), m.row(1), m.row(2)};
}
template <class T>
constexpr BasicVec3<T> transpose_mul(const BasicMat3<T>& m, const BasicVec3<T>& v) {
  return {dot(m.x, v), dot(m.y, v), dot(m.z, v)};
}
template <class T>
constexpr T determinant(const BasicMat3<T>& m) {
  return dot(m.x, cross(m.y, m.z));
}
// a bᵀ
template <class T>
constexpr BasicMat3<T> outer(const BasicVec3<T>& a, const BasicVec3<T>& b) {
  return {a * b.x, a * b.y, a * b.z};
}
// The matrix of v ↦ a × v
template <class T>
constexpr BasicMat3<T> skew(const BasicVec3<T>& a) {
  return {{0, a.z, -a.y}, {-a.z, 0, a.x}, {a.y, -a.x, 0}};
}
// Caller checks that the determinant is not zero
template <class T>
constexpr BasicMat3<T> inverse(const BasicMat3<T>& m) {
  const BasicVec3<T> r0 = cross(m.y, m.z), r1 = cross(m.z, m.x), r2 = cross(m.x, m.y);
  const T inv = T(1) / dot(m.x, r0);
  return transpose(BasicMat3<T>{r0 * inv, r1 * inv, r2 * inv});
}

}  // namespace sudar
