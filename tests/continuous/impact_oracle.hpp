// What:    The oracle of primitive impacts: contact times of linearly moving points in rational arithmetic.
// Differs: Shares nothing with the library but the problem. Roots are isolated by Descartes' rule, a sign at a root comes
//          from a greatest common divisor and refinement, inside is told by scalar products with the normal, and flat
//          cases by points on edges; when the determinant vanishes, every area and every difference is a candidate.
#pragma once

#include <sudar/math/vec.hpp>

#include <tests/support/exact.hpp>

#include <array>
#include <vector>

namespace sudar_test {

// Σ c[i] t^i, without leading zeros
using Polynomial = std::vector<Rational>;

inline Polynomial trimmed(Polynomial p) {
  while (!p.empty() && p.back() == 0) p.pop_back();
  return p;
}
inline Polynomial operator*(const Polynomial& p, const Polynomial& q) {
  if (p.empty() || q.empty()) return {};
  Polynomial r(p.size() + q.size() - 1);
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t j = 0; j < q.size(); ++j) r[i + j] += p[i] * q[j];
  return trimmed(r);
}
inline Polynomial operator-(const Polynomial& p, const Polynomial& q) {
  Polynomial r(std::max(p.size(), q.size()));
  for (std::size_t i = 0; i < p.size(); ++i) r[i] += p[i];
  for (std::size_t i = 0; i < q.size(); ++i) r[i] -= q[i];
  return trimmed(r);
}
inline Polynomial operator+(const Polynomial& p, const Polynomial& q) { return p - (Polynomial{} - q); }
inline Rational value_at(const Polynomial& p, const Rational& t) {
  Rational v = 0;
  for (std::size_t i = p.size(); i-- > 0;) v = v * t + p[i];
  return v;
}
// Quotient and rest
inline std::pair<Polynomial, Polynomial> divided(Polynomial p, const Polynomial& q) {
  Polynomial quotient(p.size() >= q.size() ? p.size() - q.size() + 1 : 0);
  while (p.size() >= q.size()) {
    const Rational f = p.back() / q.back();
    const std::size_t shift = p.size() - q.size();
    quotient[shift] = f;
    for (std::size_t i = 0; i < q.size(); ++i) p[i + shift] -= f * q[i];
    p.pop_back();
    p = trimmed(p);
  }
  return {trimmed(quotient), p};
}
inline Polynomial common_divisor(Polynomial p, Polynomial q) {
  while (!q.empty()) {
    Polynomial rest = divided(p, q).second;
    p = std::move(q);
    q = std::move(rest);
  }
  return p;
}
inline std::vector<Rational> bernstein(const Polynomial& p, const Rational& lo, const Rational& hi) {
  // p(lo + (hi - lo) x) by Horner's rule, then b_j = Σ C(j, i) / C(n, i) a_i
  Polynomial a;
  for (std::size_t i = p.size(); i-- > 0;) a = trimmed(a * Polynomial{lo, hi - lo} + Polynomial{p[i]});
  a.resize(p.size());
  const auto choose = [](std::size_t n, std::size_t k) {
    Rational c = 1;
    for (std::size_t i = 0; i < k; ++i) c = c * Rational(n - i) / Rational(i + 1);
    return c;
  };
  std::vector<Rational> b(p.size());
  for (std::size_t j = 0; j < b.size(); ++j)
    for (std::size_t i = 0; i <= j; ++i) b[j] += choose(j, i) / choose(p.size() - 1, i) * a[i];
  return b;
}

// The only root of a square-free p in (lo, hi), or lo itself when they are equal
struct Algebraic {
  Polynomial p;
  Rational lo, hi;

  void refine() {
    if (lo == hi) return;
    const Rational m = (lo + hi) / 2, at = value_at(p, m);
    if (at == 0)
      lo = hi = m;
    else
      (sign(at) == sign(value_at(p, lo)) ? lo : hi) = m;
  }
  // x <= the root?
  bool not_before(const Rational& x) const {
    if (x <= lo) return true;
    if (x >= hi) return x == lo;
    const Rational at = value_at(p, x);
    return at == 0 || sign(at) == sign(value_at(p, lo));
  }
};

inline std::vector<Algebraic> roots_in_unit(const Polynomial& p) {
  std::vector<Algebraic> found;
  if (p.size() < 2) return found;
  Polynomial slope(p.begin() + 1, p.end());
  for (std::size_t i = 0; i < slope.size(); ++i) slope[i] *= Rational(i + 1);
  Polynomial simple = divided(p, common_divisor(p, slope)).first;
  for (const int end : {0, 1})
    if (value_at(simple, end) == 0) {
      found.push_back({simple, end, end});
      simple = divided(simple, Polynomial{Rational(-end), 1}).first;
    }
  std::vector<std::pair<Rational, Rational>> open = {{0, 1}};
  while (!open.empty()) {
    const auto [lo, hi] = open.back();
    open.pop_back();
    int changes = 0, before = 0;
    for (const Rational& b : bernstein(simple, lo, hi))
      if (const int s = sign(b); s != 0) {
        changes += s == -before;
        before = s;
      }
    if (changes == 0) continue;
    if (changes == 1) {
      found.push_back({simple, lo, hi});
      continue;
    }
    Rational m = (lo + hi) / 2;
    while (value_at(simple, m) == 0) m = (lo + 2 * m) / 3;
    open.push_back({lo, m});
    open.push_back({m, hi});
  }
  return found;
}

inline int sign_at(const Polynomial& q, Algebraic& root) {
  if (q.empty()) return 0;
  if (root.lo == root.hi) return sign(value_at(q, root.lo));
  const Polynomial shared = common_divisor(root.p, q);
  if (shared.size() >= 2 && sign(value_at(shared, root.lo)) * sign(value_at(shared, root.hi)) < 0) return 0;
  for (;;) {
    if (root.lo == root.hi) return sign(value_at(q, root.lo));
    int low = 1, high = -1;
    for (const Rational& b : bernstein(q, root.lo, root.hi)) {
      low = std::min(low, sign(b));
      high = std::max(high, sign(b));
    }
    if (low == high && low != 0) return low;
    root.refine();
  }
}

using PolyVec = std::array<Polynomial, 3>;
inline PolyVec operator-(const PolyVec& u, const PolyVec& v) { return {u[0] - v[0], u[1] - v[1], u[2] - v[2]}; }
inline Polynomial dot(const PolyVec& u, const PolyVec& v) { return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]; }
inline PolyVec cross(const PolyVec& u, const PolyVec& v) {
  return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
}
inline bool zero_at(const PolyVec& u, Algebraic& t) {
  return sign_at(u[0], t) == 0 && sign_at(u[1], t) == 0 && sign_at(u[2], t) == 0;
}

inline bool on_segment(const PolyVec& p, const PolyVec& a, const PolyVec& b, Algebraic& t) {
  if (zero_at(b - a, t)) return zero_at(p - a, t);
  return zero_at(cross(b - a, p - a), t) && sign_at(dot(p - a, b - a), t) >= 0 && sign_at(dot(p - b, a - b), t) >= 0;
}
inline bool vertex_on_face(const std::array<PolyVec, 4>& q, Algebraic& t) {
  const auto& [p, a, b, c] = q;
  const PolyVec n = cross(b - a, c - a);
  if (zero_at(n, t)) return on_segment(p, a, b, t) || on_segment(p, b, c, t) || on_segment(p, c, a, t);
  return sign_at(dot(n, p - a), t) == 0 && sign_at(dot(n, cross(b - a, p - a)), t) >= 0 &&
         sign_at(dot(n, cross(c - b, p - b)), t) >= 0 && sign_at(dot(n, cross(a - c, p - c)), t) >= 0;
}
inline bool edges_meet(const std::array<PolyVec, 4>& q, Algebraic& t) {
  const auto& [a, b, c, d] = q;
  const PolyVec n = cross(b - a, d - c), w = c - a;
  if (zero_at(n, t))
    return on_segment(a, c, d, t) || on_segment(b, c, d, t) || on_segment(c, a, b, t) || on_segment(d, a, b, t);
  const Polynomial whole = dot(n, n), s = dot(cross(w, d - c), n), r = dot(cross(w, b - a), n);
  return sign_at(dot(n, w), t) == 0 && sign_at(s, t) >= 0 && sign_at(whole - s, t) >= 0 && sign_at(r, t) >= 0 &&
         sign_at(whole - r, t) >= 0;
}

struct OracleImpact {
  bool hit = false;
  Algebraic time;
};

inline OracleImpact oracle_impact(bool edges, const std::array<sudar::Vec3d, 4>& start,
                                  const std::array<sudar::Vec3d, 4>& end) {
  std::array<PolyVec, 4> q;
  for (std::size_t i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k)
      q[i][static_cast<std::size_t>(k)] = trimmed({Rational(start[i][k]), Rational(end[i][k]) - Rational(start[i][k])});
  std::vector<Algebraic> times;
  const Polynomial top = dot(q[1] - q[0], cross(q[2] - q[0], q[3] - q[0]));
  if (!top.empty()) {
    times = roots_in_unit(top);
  } else {
    times.push_back({{}, 0, 0});
    const auto add = [&](const Polynomial& p) {
      for (Algebraic& t : roots_in_unit(p)) times.push_back(std::move(t));
    };
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < i; ++j) {
        for (const Polynomial& p : q[i] - q[j]) add(p);
        for (std::size_t k = 0; k < j; ++k)
          for (const Polynomial& p : cross(q[i] - q[k], q[j] - q[k])) add(p);
      }
  }
  OracleImpact first;
  for (Algebraic& t : times) {
    if (!(edges ? edges_meet(q, t) : vertex_on_face(q, t))) continue;
    // The earlier one: apart, or the same number as far as anyone can tell
    constexpr int kTries = 120;
    for (int i = 0; i < kTries && first.hit && t.lo <= first.time.hi && first.time.lo <= t.hi; ++i) {
      t.refine();
      first.time.refine();
    }
    if (!first.hit || t.hi < first.time.lo) first.time = t;
    first.hit = true;
  }
  return first;
}

}  // namespace sudar_test
