// What:    Exact oracle for small integer bodies: is the origin in the convex hull of these points? By Carathéodory's
//          theorem it is exactly when it is in a point, segment, triangle or tetrahedron of them. Two convex bodies
//          meet exactly when the origin is in the hull of the differences of their points.
#pragma once

#include <sudar/math/vec.hpp>

#include <cstdint>
#include <vector>

namespace sudar_test {

using Int3 = sudar::BasicVec3<std::int64_t>;

inline bool origin_in_tetrahedron(const Int3& p, const Int3& q, const Int3& r, const Int3& s) {
  const auto det = [](const Int3& a, const Int3& b, const Int3& c) { return dot(a, cross(b, c)); };
  const std::int64_t volume = det(q - p, r - p, s - p);
  if (volume == 0) return false;
  // Weights of s, r, q, p times the volume
  const std::int64_t w[4] = {-det(p, q, r), det(p, q, s), -det(p, r, s), det(q, r, s)};
  for (std::int64_t x : w)
    if (volume > 0 ? x < 0 : x > 0) return false;
  return true;
}

inline bool origin_in_triangle(const Int3& p, const Int3& q, const Int3& r) {
  const Int3 n = cross(q - p, r - p);
  if (n == Int3{} || dot(n, p) != 0) return false;
  return dot(n, cross(p, q)) >= 0 && dot(n, cross(q, r)) >= 0 && dot(n, cross(r, p)) >= 0;
}

inline bool origin_in_hull(const std::vector<Int3>& p) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] == Int3{}) return true;
    for (std::size_t j = 0; j < i; ++j) {
      if (cross(p[i], p[j]) == Int3{} && dot(p[i], p[j]) <= 0) return true;
      for (std::size_t k = 0; k < j; ++k) {
        if (origin_in_triangle(p[i], p[j], p[k])) return true;
        for (std::size_t l = 0; l < k; ++l)
          if (origin_in_tetrahedron(p[i], p[j], p[k], p[l])) return true;
      }
    }
  }
  return false;
}

inline bool hulls_meet(const std::vector<Int3>& a, const std::vector<Int3>& b) {
  std::vector<Int3> differences;
  for (const Int3& p : a)
    for (const Int3& q : b) differences.push_back(p - q);
  return origin_in_hull(differences);
}

}  // namespace sudar_test
