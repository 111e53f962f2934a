// What:    Jacobi's method: plane rotations, each of which makes one off-diagonal element zero.
// Source:  Jacobi 1846; Golub and Van Loan, "Matrix Computations", 4th ed., section 8.5.
// Differs: The matrix is scaled by a power of two first, so that squares neither over- nor underflow at any scale
//          (Eigen.AnyScale). A fixed number of sweeps bounds the time; convergence is quadratic and takes 4 to 6.
// Frame:   Invariant: vectors · diagonal-to-be · vectorsᵀ is the scaled matrix.
// Fails:   never; after the last sweep whatever is off the diagonal is below rounding.
#include <sudar/math/eigen.hpp>
#include <sudar/math/tolerance.hpp>

#include <cmath>

namespace sudar {
namespace {

// Exponent to scale with: the largest element becomes about 1
int largest_exponent(double m) {
  int e = 0;
  std::frexp(m, &e);
  return e;
}

struct Rotation {
  double c, s, t;
};
// The smaller rotation that diagonalises {{p, r}, {r, q}}
Rotation diagonalise(double p, double q, double r) {
  const double theta = (q - p) / (2 * r);
  const double t = std::fabs(theta) > 0x1p500
                       ? 0.5 / theta
                       : std::copysign(1 / (std::fabs(theta) + std::sqrt(theta * theta + 1)), theta);
  const double c = 1 / std::sqrt(t * t + 1);
  return {c, t * c, t};
}
// Small against both diagonal elements: rotating would change nothing
bool negligible(double p, double q, double r) { return r * r <= kRoundoff * kRoundoff / 4 * std::fabs(p * q); }

}  // namespace

SymmetricEigen2 symmetric_eigen(const Mat2d& m) noexcept {
  const double r = m.y.x;
  if (r == 0) {
    if (m.x.x <= m.y.y) return {{m.x.x, m.y.y}, {}};
    return {{m.y.y, m.x.x}, {{0, 1}, {-1, 0}}};
  }
  const double largest = std::fmax(std::fmax(std::fabs(m.x.x), std::fabs(m.y.y)), std::fabs(r));
  const int e = largest_exponent(largest);
  const double p = std::ldexp(m.x.x, -e), q = std::ldexp(m.y.y, -e), s = std::ldexp(r, -e);
  if (s == 0) return symmetric_eigen(Mat2d{{m.x.x, 0}, {0, m.y.y}});
  const Rotation j = diagonalise(p, q, s);
  const double a = std::ldexp(p - j.t * s, e), b = std::ldexp(q + j.t * s, e);
  if (a <= b) return {{a, b}, {{j.c, -j.s}, {j.s, j.c}}};
  return {{b, a}, {{j.s, j.c}, {-j.c, j.s}}};
}

SymmetricEigen3 symmetric_eigen(const Mat3d& m) noexcept {
  constexpr int kSweeps = 16;
  double largest = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i <= j; ++i) largest = std::fmax(largest, std::fabs(m[j][i]));
  const int e = largest_exponent(largest);
  double a[3][3];
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i <= j; ++i) a[i][j] = a[j][i] = std::ldexp(m[j][i], -e);

  Mat3d v;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    bool changed = false;
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        const int k = 3 - p - q;
        if (a[p][q] == 0 || negligible(a[p][p], a[q][q], a[p][q])) {
          a[p][q] = a[q][p] = 0;
          continue;
        }
        changed = true;
        const Rotation j = diagonalise(a[p][p], a[q][q], a[p][q]);
        a[p][p] -= j.t * a[p][q];
        a[q][q] += j.t * a[p][q];
        a[p][q] = a[q][p] = 0;
        const double kp = a[k][p], kq = a[k][q];
        a[k][p] = a[p][k] = j.c * kp - j.s * kq;
        a[k][q] = a[q][k] = j.s * kp + j.c * kq;
        const Vec3d vp = v[p], vq = v[q];
        v[p] = vp * j.c - vq * j.s;
        v[q] = vp * j.s + vq * j.c;
      }
    if (!changed) break;
  }

  // Sort three columns; an odd number of exchanges is made up for by a sign
  double value[3] = {a[0][0], a[1][1], a[2][2]};
  int order[3] = {0, 1, 2};
  bool odd = false;
  const auto exchange = [&](int i, int j) {
    if (value[order[j]] < value[order[i]]) {
      const int keep = order[i];
      order[i] = order[j], order[j] = keep;
      odd = !odd;
    }
  };
  exchange(0, 1), exchange(1, 2), exchange(0, 1);
  SymmetricEigen3 result;
  for (int i = 0; i < 3; ++i) {
    result.values[i] = std::ldexp(value[order[i]], e);
    result.vectors[i] = v[order[i]];
  }
  if (odd) result.vectors.z = -result.vectors.z;
  return result;
}

}  // namespace sudar
