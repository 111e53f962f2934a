// What:    The point of a simplex (segment, triangle, tetrahedron) of the difference set that is closest to the origin.
// Source:  Montanari, Petrinic, Barbieri, "Improving the GJK Algorithm for Faster and More Reliable Distance Queries
//          Between Convex Objects", 2017 (signed volumes); Ericson, "Real-Time Collision Detection", 2005, ch. 5.1.
// Differs: The tetrahedron contains the origin only when four volumes say so beyond their rounding; a flat one never
//          does. Otherwise every face that may see the origin is solved and the nearest taken, so no chain of signs
//          can contradict itself. The closest point of a triangle is taken along its normal, which comes from the two
//          shorter edges: its direction holds when the distance is tiny or one shape is (Gjk3.TinyGaps).
// Frame:   Any. Sixth powers of lengths must stay in range. Internal to the narrow phase.
// Fails:   never; points that coincide or lie on a line give the closest point of what they span.
#pragma once

#include <sudar/narrowphase/difference3.hpp>

namespace sudar {

struct SimplexPoint3 {
  Vec3d v{};                        // closest to the origin
  double vv = 0;                    // its squared length
  double weight[4] = {0, 0, 0, 0};  // of the corners, sum 1; zero for corners that do not take part
  bool inside = false;              // a tetrahedron that contains the origin, beyond rounding
};

inline SimplexPoint3 closest_on_edge(const DifferencePoint3* p, int i, int j) {
  SimplexPoint3 r;
  const Vec3d e = edge(p[i], p[j]);
  const double from_i = -dot(e, p[i].w), from_j = dot(e, p[j].w), whole = dot(e, e);
  if (!(from_i > 0)) {
    r.v = p[i].w;
    r.weight[i] = 1;
  } else if (!(from_j > 0)) {
    r.v = p[j].w;
    r.weight[j] = 1;
  } else {
    // From the nearer end
    const double t = from_i / whole;
    r.v = from_i <= from_j ? p[i].w + e * t : p[j].w - e * (from_j / whole);
    // What rounding left along a long edge would tilt a short v
    r.v -= e * (dot(e, r.v) / whole);
    r.weight[i] = 1 - t;
    r.weight[j] = t;
    if (!(t < 1)) r.weight[i] = 0, r.weight[j] = 1;
  }
  r.vv = dot(r.v, r.v);
  return r;
}

inline SimplexPoint3 closest_on_triangle(const DifferencePoint3* p, int i, int j, int k) {
  const Vec3d ij = edge(p[i], p[j]), ik = edge(p[i], p[k]), jk = edge(p[j], p[k]);
  const double lij = dot(ij, ij), lik = dot(ik, ik), ljk = dot(jk, jk);
  // Any two edges span the same normal; the two shorter ones lose the least
  Vec3d n;
  double product;
  if (ljk >= lij && ljk >= lik) {
    n = cross(ij, ik);
    product = lij * lik;
  } else if (lik >= lij) {
    n = cross(ij, jk);
    product = lij * ljk;
  } else {
    n = cross(ik, jk);
    product = lik * ljk;
  }
  const double nn = dot(n, n);
  double wi = -1, wj = -1, wk = -1;
  if (nn > kFlatSimplex * kFlatSimplex * product) {
    // Signed areas of the origin's projection with each edge
    const Vec3d v = n * (dot(n, p[i].w) / nn), d = v - p[i].w;
    wk = dot(n, cross(ij, d));
    wj = dot(n, cross(d, ik));
    wi = nn - wj - wk;
    if (wi > 0 && wj > 0 && wk > 0) {
      SimplexPoint3 r;
      const double inverse = 1 / (wi + wj + wk);
      r.v = v;
      r.weight[i] = wi * inverse;
      r.weight[j] = wj * inverse;
      r.weight[k] = wk * inverse;
      r.vv = dot(v, v);
      return r;
    }
  }
  // The nearest of the edges that the origin is beyond
  SimplexPoint3 best;
  best.vv = std::numeric_limits<double>::infinity();
  const auto consider = [&](int from, int to) {
    const SimplexPoint3 r = closest_on_edge(p, from, to);
    if (r.vv < best.vv) best = r;
  };
  if (!(wk > 0)) consider(i, j);
  if (!(wj > 0)) consider(i, k);
  if (!(wi > 0)) consider(j, k);
  return best;
}

// Is the origin inside of the tetrahedron, by volumes beyond their error? volume[i] is proportional to the weight of
// corner i when it is.
inline bool tetrahedron_volumes(const Vec3d (&p)[4], double error, double volume[4]) {
  const Vec3d c01 = cross(p[0], p[1]), c23 = cross(p[2], p[3]);
  volume[0] = dot(p[1], c23);
  volume[1] = -dot(p[0], c23);
  volume[2] = dot(p[3], c01);
  volume[3] = -dot(p[2], c01);
  return (volume[0] > error && volume[1] > error && volume[2] > error && volume[3] > error) ||
         (volume[0] < -error && volume[1] < -error && volume[2] < -error && volume[3] < -error);
}
inline bool tetrahedron_volumes(const DifferencePoint3* p, double error, double volume[4]) {
  return tetrahedron_volumes({p[0].w, p[1].w, p[2].w, p[3].w}, error, volume);
}

inline SimplexPoint3 closest_on_tetrahedron(const DifferencePoint3* p, double error) {
  double volume[4];
  SimplexPoint3 best;
  if (tetrahedron_volumes(p, error, volume)) {
    best.inside = true;
    const double inverse = 1 / ((volume[0] + volume[1]) + (volume[2] + volume[3]));
    for (int i = 0; i < 4; ++i) best.weight[i] = volume[i] * inverse;
    return best;
  }
  best.vv = std::numeric_limits<double>::infinity();
  const double whole = (volume[0] + volume[1]) + (volume[2] + volume[3]), side = whole < 0 ? -1 : 1;
  const bool flat = std::fabs(whole) <= 4 * error;
  constexpr int kFace[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
  for (int f = 0; f < 4; ++f) {
    if (!flat && volume[f] * side > error) continue;
    const SimplexPoint3 r = closest_on_triangle(p, kFace[f][0], kFace[f][1], kFace[f][2]);
    if (r.vv < best.vv) best = r;
  }
  return best;
}

// How steeply the two directions of `spread` look down against how far aside: of what was tried on random hulls, what
// surrounded the origin most often
inline constexpr double kSpreadSteep = 1.8;

// Two directions that, after the corner w was found against v, find corners near its plane on the other sides of the
// origin: with the centre, v, these surround an origin near the surface most often
struct Spread3 {
  Vec3d direction[2];
};
inline Spread3 spread(const Vec3d& v, const Vec3d& w) {
  const double vv = dot(v, v);
  const Vec3d aside = w - v * (dot(v, w) / vv), across = cross(v, aside);
  const Vec3d middle = v * (std::sqrt(dot(aside, aside)) * kSpreadSteep) + aside * std::sqrt(vv);
  return {{middle + across, middle - across}};
}

// Do three corners and the centre surround the origin, beyond rounding?
inline bool surrounded_with_center(const Difference3& difference, const DifferencePoint3 (&corners)[4],
                                   const Vec3d& center) {
  const Vec3d at[4] = {corners[0].w, corners[1].w, corners[2].w, center};
  double m = 0, volume[4];
  for (const Vec3d& w : at) m = std::max(m, max_abs(w));
  return tetrahedron_volumes(at, difference.volume_error(m, difference.center_error()), volume);
}

}  // namespace sudar
