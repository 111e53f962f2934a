// What:    The oracle of the geometric predicates and other exact tests: rational arithmetic of GMP under Boost.
// Differs: Plain determinants written out, sharing nothing with the library. Heavy to compile: include it in few files.
#pragma once

#include <sudar/math/vec.hpp>

#include <boost/multiprecision/gmp.hpp>

namespace sudar_test {

using Rational = boost::multiprecision::mpq_rational;

inline int sign(const Rational& q) { return q.sign(); }

// Determinant by expansion along the first row
template <int N>
Rational determinant(const Rational (&m)[N][N]) {
  if constexpr (N == 2) {
    return m[0][0] * m[1][1] - m[0][1] * m[1][0];
  } else {
    Rational sum = 0;
    for (int skip = 0; skip < N; ++skip) {
      Rational minor[N - 1][N - 1];
      for (int i = 1; i < N; ++i)
        for (int j = 0, k = 0; j < N; ++j)
          if (j != skip) minor[i - 1][k++] = m[i][j];
      const Rational term = m[0][skip] * determinant<N - 1>(minor);
      if (skip % 2 == 0)
        sum += term;
      else
        sum -= term;
    }
    return sum;
  }
}

inline int exact_orient2d(const sudar::Vec2d& a, const sudar::Vec2d& b, const sudar::Vec2d& c) {
  const Rational m[3][3] = {{a.x, a.y, 1}, {b.x, b.y, 1}, {c.x, c.y, 1}};
  return sign(determinant<3>(m));
}

// The volume of the tetrahedron from its four corners in homogeneous coordinates; d above (a, b, c) is positive
inline int exact_orient3d(const sudar::Vec3d& a, const sudar::Vec3d& b, const sudar::Vec3d& c, const sudar::Vec3d& d) {
  const Rational m[4][4] = {{1, a.x, a.y, a.z}, {1, b.x, b.y, b.z}, {1, c.x, c.y, c.z}, {1, d.x, d.y, d.z}};
  return sign(determinant<4>(m));
}

inline Rational square(double x) { return Rational(x) * Rational(x); }

inline int exact_incircle(const sudar::Vec2d& a, const sudar::Vec2d& b, const sudar::Vec2d& c, const sudar::Vec2d& d) {
  const auto lift = [](const sudar::Vec2d& p) -> Rational { return square(p.x) + square(p.y); };
  const Rational m[4][4] = {
      {a.x, a.y, lift(a), 1}, {b.x, b.y, lift(b), 1}, {c.x, c.y, lift(c), 1}, {d.x, d.y, lift(d), 1}};
  return sign(determinant<4>(m));
}

inline int exact_insphere(const sudar::Vec3d& a, const sudar::Vec3d& b, const sudar::Vec3d& c, const sudar::Vec3d& d,
                          const sudar::Vec3d& e) {
  const auto lift = [](const sudar::Vec3d& p) -> Rational { return square(p.x) + square(p.y) + square(p.z); };
  const Rational m[5][5] = {{1, a.x, a.y, a.z, lift(a)},
                            {1, b.x, b.y, b.z, lift(b)},
                            {1, c.x, c.y, c.z, lift(c)},
                            {1, d.x, d.y, d.z, lift(d)},
                            {1, e.x, e.y, e.z, lift(e)}};
  return -sign(determinant<5>(m));
}

}  // namespace sudar_test
