#include <sudar/geom/closest.hpp>
#include <sudar/math/double_double.hpp>
#include <sudar/math/dyadic.hpp>
#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/box_axes3.hpp>
#include <sudar/narrowphase/box_box3.hpp>
#include <sudar/narrowphase/far_pair.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace sudar {

namespace {

// ---- The decision ----

template <int N>
Dyadic<N> magnitude(Dyadic<N> x) {
  x.negative = false;
  return x;
}

// Every number as an integer: lengths in units of one power of two, the turn in units of another
struct ExactBoxes {
  using Number = Dyadic<kDyadicLimbs>;
  Number r[3][3], one, a[3], b[3];  // r[j][i]: entry i of column j
  Dyadic<kDyadicLimbs + 1> t[3];

  ExactBoxes(const Vec3d& half_a, const Vec3d& half_b, const Placement3& place) {
    double turn[10], lengths[12];
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) turn[3 * j + i] = place.turn[j][i];
    turn[9] = 1;
    for (int i = 0; i < 3; ++i) {
      lengths[i] = place.translation[i];
      lengths[3 + i] = place.rest[i];
      lengths[6 + i] = half_a[i];
      lengths[9 + i] = half_b[i];
    }
    const int turn_unit = common_exponent(turn), unit = common_exponent(lengths);
    one = to_dyadic(1, turn_unit);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) r[j][i] = to_dyadic(turn[3 * j + i], turn_unit);
      t[i] = to_dyadic(lengths[i], unit) + to_dyadic(lengths[3 + i], unit);
      a[i] = to_dyadic(lengths[6 + i], unit);
      b[i] = to_dyadic(lengths[9 + i], unit);
    }
  }

  // Entry i of the cross product of the two other columns
  auto cofactor(int j, int i) const {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    return r[j1][i1] * r[j2][i2] - r[j1][i2] * r[j2][i1];
  }
  int face_a(int i) const {
    const auto reach = a[i] * one + magnitude(r[0][i]) * b[0] + magnitude(r[1][i]) * b[1] + magnitude(r[2][i]) * b[2];
    return (magnitude(t[i]) * one - reach).sign();
  }
  int face_b(int j) const {
    const auto c0 = cofactor(j, 0), c1 = cofactor(j, 1), c2 = cofactor(j, 2);
    const auto det = r[j][0] * c0 + r[j][1] * c1 + r[j][2] * c2;
    const auto along = magnitude(c0 * t[0] + c1 * t[1] + c2 * t[2]);
    const auto reach = magnitude(c0) * a[0] + magnitude(c1) * a[1] + magnitude(c2) * a[2];
    return ((along - reach) * one - magnitude(det) * b[j]).sign();
  }
  int edges(int i, int j) const {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    const auto along = magnitude(r[j][i1] * t[i2] - r[j][i2] * t[i1]);
    const auto reach_a = a[i1] * magnitude(r[j][i2]) + a[i2] * magnitude(r[j][i1]);
    const auto reach_b = b[j1] * magnitude(cofactor(j2, i)) + b[j2] * magnitude(cofactor(j1, i));
    return ((along - reach_a) * one - reach_b).sign();
  }
};

bool intersects_exactly(const Vec3d& half_a, const Vec3d& half_b, const Placement3& place) {
  const ExactBoxes boxes(half_a, half_b, place);
  for (int i = 0; i < 3; ++i)
    if (boxes.face_a(i) > 0) return false;
  // While nothing is turned, the axes of A are those of B, and edges are parallel
  if (!place.turned) return true;
  for (int j = 0; j < 3; ++j)
    if (boxes.face_b(j) > 0) return false;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (boxes.edges(i, j) > 0) return false;
  return true;
}

// Boxes side by side or on top of each other, not turned: most often the sums are exact and nothing is left to integers
bool aligned_intersect(const Vec3d& half_a, const Vec3d& half_b, const Placement3& place) {
  bool clear = true;
  for (int i = 0; i < 3; ++i) {
    const TwoDoubles reach = two_sum(half_a[i], half_b[i]);
    const double t = std::fabs(place.translation[i]);
    const TwoDoubles gap = two_difference(t, reach.hi);
    const double rest = place.translation[i] < 0 ? -place.rest[i] : place.rest[i];
    // gap.hi + gap.lo + rest - reach.lo, all but the first below a rounding of the largest
    const double left = 4 * kRoundoff * (t + reach.hi);
    if (gap.hi > left) return false;
    const bool exact = gap.lo == 0 && rest == 0 && reach.lo == 0;
    if (exact && gap.hi > 0) return false;
    clear = clear && (exact || gap.hi < -left);
  }
  return clear || intersects_exactly(half_a, half_b, place);
}

// Boxes that are turned by very little: axes of edges nearer to parallel than `angle` may be left out when all others
// overlap by 32 times that
bool overlap_clearly(const Vec3d& a, const Vec3d& b, const Placement3& place) {
  const Mat3d& r = place.turn;
  const Vec3d& t = place.translation;
  const Mat3d c{cross(r.y, r.z), cross(r.z, r.x), cross(r.x, r.y)};
  const double det = dot(r.x, c.x);
  double size = 0, widest = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    size += std::fabs(t[i]) + a[i] + b[i];
    if (!(max_abs(r[i]) <= kBoxTurnLimit)) return false;
    widest = std::max(widest, std::fabs(t[i]) - a[i] - dot(abs(r.row(i)), b));
    widest = std::max(widest, std::fabs(dot(c[i], t)) - dot(abs(c[i]), a) - std::fabs(det) * b[i]);
  }
  for (const double angle : {0x1p-36, 0x1p-28, 0x1p-20}) {
    bool clear = widest < -(32 * angle * size);
    for (int i = 0; i < 3 && clear; ++i)
      for (int j = 0; j < 3; ++j) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        const double n1 = std::fabs(r[j][i1]), n2 = std::fabs(r[j][i2]);
        if (n1 <= angle && n2 <= angle) continue;
        const double along = std::fabs(r[j][i1] * t[i2] - r[j][i2] * t[i1]), reach_a = a[i1] * n2 + a[i2] * n1;
        const double reach_b = b[j1] * std::fabs(c[j2][i]) + b[j2] * std::fabs(c[j1][i]);
        clear = clear && along - reach_a - reach_b < -(32 * angle * size);
      }
    if (clear) return true;
  }
  return false;
}

bool decide(BoxSign sign, const Vec3d& half_a, const Vec3d& half_b, const Placement3& place) {
  if (sign != BoxSign::unclear) return sign == BoxSign::overlap;
  if (!place.turned) return aligned_intersect(half_a, half_b, place);
  return overlap_clearly(half_a, half_b, place) || intersects_exactly(half_a, half_b, place);
}

// ---- Distance and depth ----

double support_gap(const Vec3d& n, const Vec3d& a, const Vec3d& b, const Placement3& place) {
  double gap = dot(n, place.translation) + dot(n, place.rest);
  for (int i = 0; i < 3; ++i) gap -= std::fabs(n[i]) * a[i] + std::fabs(dot(n, place.turn[i])) * b[i];
  return gap;
}

// The gap along a face with twice the precision, so that a small overlap of large boxes is right to its own size
double fine_face_gap(int face, const Vec3d& a, const Vec3d& b, const Placement3& place) {
  const Mat3d& r = place.turn;
  DoubleDouble along, reach;
  for (int k = 0; k < 3; ++k) {
    const DoubleDouble t = two_sum(place.translation[k], place.rest[k]);
    if (face < 3) {
      if (k == face) along = t;
      reach += DoubleDouble(two_product(std::fabs(r[k][face]), b[k]));
    } else {
      along += t * r[face - 3][k];
      reach += DoubleDouble(two_product(std::fabs(r[face - 3][k]), a[k]));
    }
  }
  reach += DoubleDouble(face < 3 ? a[face] : b[face - 3]);
  return static_cast<double>((along.hi < 0 ? -along : along) - reach);
}

// The cross product of edge i of A and edge j of B with twice the precision, so that the gap per unit of length is
// right for edges that are nearly parallel
double fine_edge_gap(int i, int j, const Vec3d& a, const Vec3d& b, const Placement3& place) {
  const Mat3d& r = place.turn;
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
  const auto product = [](double x, double y) { return DoubleDouble(two_product(x, y)); };
  const auto magnitude_of = [](DoubleDouble x) { return x.hi < 0 || (x.hi == 0 && x.lo < 0) ? -x : x; };
  const auto cofactor = [&](int k) {
    const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
    return magnitude_of(product(r[k1][i1], r[k2][i2]) - product(r[k1][i2], r[k2][i1]));
  };
  const double n1 = r[j][i1], n2 = r[j][i2];
  const DoubleDouble t1 = two_sum(place.translation[i1], place.rest[i1]);
  const DoubleDouble t2 = two_sum(place.translation[i2], place.rest[i2]);
  const DoubleDouble along = magnitude_of(t2 * n1 - t1 * n2);
  const DoubleDouble reach =
      product(a[i1], std::fabs(n2)) + product(a[i2], std::fabs(n1)) + cofactor(j2) * b[j1] + cofactor(j1) * b[j2];
  return static_cast<double>(along - reach) / std::sqrt(n1 * n1 + n2 * n2);
}

// The same in plain doubles, off by kBoxApart at most: the cofactors are products with the two small entries, so what
// rounding leaves is as small as they are
double quick_edge_gap(int i, int j, const Vec3d& a, const Vec3d& b, const Placement3& place) {
  const Mat3d& r = place.turn;
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
  const double n1 = r[j][i1], n2 = r[j][i2];
  const auto along_side = [&](int k) { return std::fabs(n1 * r[k][i2] - n2 * r[k][i1]); };
  const double along = std::fabs(place.translation[i2] * n1 - place.translation[i1] * n2);
  const double reach = a[i1] * std::fabs(n2) + a[i2] * std::fabs(n1) + along_side(j1) * b[j1] + along_side(j2) * b[j2];
  return (along - reach) / std::sqrt(n1 * n1 + n2 * n2);
}

// The axis after each
constexpr int kNext[3] = {1, 2, 0};

// The unit normal of an axis, towards B. Signs are copied, not branched on: they are as good as random.
Vec3d face_normal(int face, const Placement3& place) {
  const double* t = &place.translation.x;
  if (face < 3 || !place.turned) {
    const int axis = face < 3 ? face : face - 3;
    double n[3] = {};
    n[axis] = std::copysign(1.0, t[axis]);
    return {n[0], n[1], n[2]};
  }
  const int j1 = kNext[face - 3], j2 = kNext[j1];
  const Vec3d* u = &place.turn.x;
  const Vec3d n = cross(u[j1], u[j2]);
  return n * std::copysign(1 / length(n), dot(n, place.translation));
}
Vec3d edge_normal(int edge, const Placement3& place) {
  const int i = edge / 3, j = edge % 3, i1 = kNext[i], i2 = kNext[i1];
  const double *u = &place.turn.x.x + 3 * j, *t = &place.translation.x;
  const double scale = std::copysign(1 / std::sqrt(u[i1] * u[i1] + u[i2] * u[i2]), t[i2] * u[i1] - t[i1] * u[i2]);
  double n[3] = {};
  n[i1] = -u[i2] * scale;
  n[i2] = u[i1] * scale;
  return {n[0], n[1], n[2]};
}

// The farthest corner along a direction
Vec3d farthest_corner(const Vec3d& half, const Vec3d& direction) {
  return {std::copysign(half.x, direction.x), std::copysign(half.y, direction.y), std::copysign(half.z, direction.z)};
}

struct Witness {
  Vec3d a, b;
};

// Where the two edges that support the boxes along n come nearest
Witness edge_witness(int edge, const Vec3d& n, const Vec3d& half_a, const Vec3d& half_b, const Placement3& place) {
  const int i = edge / 3, j = edge % 3, i1 = kNext[i], i2 = kNext[i1];
  const Vec3d corner_a = farthest_corner(half_a, n), corner_b = farthest_corner(half_b, to_b(place, -n));
  double on_a[3] = {corner_a.x, corner_a.y, corner_a.z}, on_b[3] = {corner_b.x, corner_b.y, corner_b.z};
  const double reach_a = std::fabs(on_a[i]), reach_b = std::fabs(on_b[j]);
  on_a[i] = on_b[j] = 0;
  const Vec3d base = transform(place, Vec3d{on_b[0], on_b[1], on_b[2]});
  const double w[3] = {base.x - on_a[0], base.y - on_a[1], base.z - on_a[2]}, *u = &place.turn.x.x + 3 * j;
  // Seen along edge i, which is a point then
  const double crossing = -(w[i1] * u[i1] + w[i2] * u[i2]) / (u[i1] * u[i1] + u[i2] * u[i2]);
  double along_b = std::min(std::max(crossing, -reach_b), reach_b);
  const double there = w[i] + along_b * u[i];
  on_a[i] = std::min(std::max(there, -reach_a), reach_a);
  // Edges that are parallel up to rounding cross anywhere, also beside A's
  if (on_a[i] != there) along_b = std::clamp(along_b + (on_a[i] - there) * u[i], -reach_b, reach_b);
  return {{on_a[0], on_a[1], on_a[2]}, base + Vec3d{u[0], u[1], u[2]} * along_b};
}

// A parallelogram within a rectangle: cut with the four sides, eight corners at most
Vec3d parallelogram_over_face(int axis, double side, const Vec3d& half_a, const Vec3d& base, const Vec3d& u,
                              const Vec3d& v, bool middle) {
  Vec3d ring[12] = {base - u - v, base + u - v, base + u + v, base - u + v}, next[12];
  int count = 4;
  for (const int k : {kNext[axis], kNext[kNext[axis]]})
    for (const double s : {1.0, -1.0}) {
      int kept = 0;
      for (int p = 0; p < count; ++p) {
        const Vec3d &from = ring[p], &to = ring[(p + 1) % count];
        const double f = s * from[k] - half_a[k], g = s * to[k] - half_a[k];
        if (f <= 0) next[kept++] = from;
        if ((f < 0 && g > 0) || (f > 0 && g < 0)) next[kept++] = lerp(from, to, f / (f - g));
      }
      // Beside this side, up to rounding: what is nearest to it
      if (kept == 0) {
        double nearest = s * ring[0][k];
        for (int p = 1; p < count; ++p) nearest = std::min(nearest, s * ring[p][k]);
        for (int p = 0; p < count; ++p)
          if (s * ring[p][k] == nearest) next[kept++] = ring[p];
      }
      count = kept;
      std::copy(next, next + kept, ring);
    }
  Vec3d sum{}, deepest = ring[0];
  for (int p = 0; p < count; ++p) {
    sum += ring[p];
    if (side * ring[p][axis] < side * deepest[axis]) deepest = ring[p];
  }
  return middle ? sum / count : deepest;
}

double beside_face(Vec3d way, int axis) {
  way[axis] = 0;
  return max_abs(way);
}

// The deepest point of B under face `axis` of A that lies over the face. Generators of B that are parallel to the face
// up to `tilt` leave a choice: an edge or a whole face; its part over A's face is cut out, and its middle taken, or the
// deepest of its corners.
Witness point_over_face(int axis, double side, const Vec3d& half_a, const Vec3d& half_b, const Placement3& place,
                        double size, double tilt, bool middle) {
  const int k1 = (axis + 1) % 3, k2 = (axis + 2) % 3;
  Vec3d base = place.translation;
  int free[3], free_count = 0;
  // The one that is most upright leaves no choice: B is flat or small where it is short enough to count as parallel
  int upright = 0;
  for (int j = 1; j < 3; ++j)
    if (std::fabs(place.turn[j][axis]) > std::fabs(place.turn[upright][axis])) upright = j;
  for (int j = 0; j < 3; ++j) {
    const double along = place.turn[j][axis] * side;
    if (j != upright && std::fabs(along) * half_b[j] <= tilt * size)
      free[free_count++] = j;
    else
      base += place.turn[j] * (along > 0 ? -half_b[j] : half_b[j]);
  }
  if (free_count == 1) {
    // A segment within a rectangle
    const Vec3d u = place.turn[free[0]];
    double lo = -half_b[free[0]], hi = -lo;
    for (const int k : {k1, k2}) {
      if (std::fabs(u[k]) * half_b[free[0]] <= kBoxCertificate * size) continue;
      const double s = (-half_a[k] - base[k]) / u[k], t = (half_a[k] - base[k]) / u[k];
      lo = std::max(lo, std::min(s, t));
      hi = std::min(hi, std::max(s, t));
    }
    const double deeper = u[axis] * side < 0 ? hi : lo;
    base += u * std::clamp(middle ? (lo + hi) / 2 : deeper, -half_b[free[0]], half_b[free[0]]);
  } else if (free_count == 2) {
    base = parallelogram_over_face(axis, side, half_a, base, place.turn[free[0]] * half_b[free[0]],
                                   place.turn[free[1]] * half_b[free[1]], middle);
  }
  const auto on_face = [&](Vec3d p) {
    p[axis] = side * half_a[axis];
    p[k1] = std::clamp(p[k1], -half_a[k1], half_a[k1]);
    p[k2] = std::clamp(p[k2], -half_a[k2], half_a[k2]);
    return p;
  };
  const Vec3d on_a = on_face(base);
  if (!middle || beside_face(base - on_a, axis) <= kBoxCertificate * size) return {on_a, base};
  // Of a part over the face that is as thin as rounding the middle may lie beside it: back to what of B is nearest
  for (int f = 0; f < free_count; ++f) {
    const Vec3d& u = place.turn[free[f]];
    const double reach = half_b[free[f]], there = std::clamp(dot(on_a - place.translation, u), -reach, reach);
    base += u * (there - dot(base - place.translation, u));
  }
  return {on_face(base), base};
}
Witness face_witness(int axis, double side, const Vec3d& half_a, const Vec3d& half_b, const Placement3& place,
                     double size) {
  const Witness at = point_over_face(axis, side, half_a, half_b, place, size, kBoxCertificate, true);
  // Where another axis is as good, up to rounding, the deepest corner may lie beside the face
  if (beside_face(at.b - at.a, axis) <= kBoxCertificate * size) return at;
  return point_over_face(axis, side, half_a, half_b, place, size, kBoxThin, false);
}

// The same for a face of either, 0…5, whose normal towards B is given. Most often one corner is deepest, with nothing
// parallel, and lies over the face.
bool corner_over_face(int face, const Vec3d& normal, double gap, const Vec3d& half_a, const Vec3d& half_b,
                      const Placement3& place, double size, Witness& at) {
  const double close = kBoxCertificate * size, slack = kBoxOver * size;
  const double* u = &place.turn.x.x;
  if (face < 3) {
    const double side = (&normal.x)[face];
    const double x = side * u[face], y = side * u[3 + face], z = side * u[6 + face];
    if (std::min(std::fabs(x) * half_b.x, std::min(std::fabs(y) * half_b.y, std::fabs(z) * half_b.z)) <= close)
      return false;
    at.b = place.turn * farthest_corner(half_b, {-x, -y, -z}) + place.translation;
    at.a = at.b - normal * gap;
    const Vec3d beyond = abs(at.a) - half_a;
    return std::max(beyond.x, std::max(beyond.y, beyond.z)) <= slack;
  }
  const Vec3d reach = mul(abs(normal), half_a);
  if (std::min(reach.x, std::min(reach.y, reach.z)) <= close) return false;
  at.a = farthest_corner(half_a, normal);
  at.b = at.a + normal * gap;
  const Vec3d beyond = abs(transpose_mul(place.turn, at.b - place.translation)) - half_b;
  return std::max(beyond.x, std::max(beyond.y, beyond.z)) <= slack;
}
Witness witness_of_face(int face, const Vec3d& normal, const Vec3d& half_a, const Vec3d& half_b,
                        const Placement3& place, double size) {
  if (face < 3) return face_witness(face, normal[face], half_a, half_b, place, size);
  const double side = dot(normal, place.turn[face - 3]) < 0 ? 1 : -1;
  const Witness seen_from_b = face_witness(face - 3, side, half_b, half_a, inverse(place), size);
  return {transform(place, seen_from_b.b), transform(place, seen_from_b.a)};
}

// A corner that is outside of the other box, and the nearest point of that box
struct CornerPair {
  double distance;
  Vec3d normal;
  Witness at;
};
CornerPair nearest_corner_pair(const Vec3d& half_a, const Vec3d& half_b, const Placement3& place, bool other = false) {
  const Placement3 back = inverse(place);
  Mat3d b_sides = place.turn, a_sides = back.turn;
  for (int i = 0; i < 3; ++i) b_sides[i] *= half_b[i], a_sides[i] *= half_a[i];
  const NearestCorner3 of_b = nearest_corner3(place.translation, b_sides, half_a);
  const NearestCorner3 of_a = nearest_corner3(back.translation, a_sides, half_b);
  const bool b_is_corner = (of_b.distance_squared <= of_a.distance_squared) != other;
  const int which = b_is_corner ? of_b.corner : of_a.corner;
  const Vec3d& half = b_is_corner ? half_b : half_a;
  const Vec3d local{which & 1 ? half.x : -half.x, which & 2 ? half.y : -half.y, which & 4 ? half.z : -half.z};
  // In the frame of the box that is met, so that free directions drop out without a rounding
  const Vec3d corner = transform(b_is_corner ? place : back, local), met_half = b_is_corner ? half_a : half_b;
  const Vec3d met = closest_point_in_box(-met_half, met_half, corner), outward = corner - met;
  CornerPair out;
  out.distance = length(outward);
  const Vec3d unit = normalized(outward);
  if (b_is_corner) {
    out.normal = unit;
    out.at = {met, corner};
  } else {
    out.normal = place.turned ? -(place.turn * unit) : -unit;
    out.at = {local, transform(place, met)};
  }
  return out;
}

}  // namespace

bool box_box_intersects3(const Vec3d& half_a, const Vec3d& half_b, const Placement3& a_from_b) {
  if (is_far(a_from_b)) return false;
  const BoxSign sign = box_sign3(half_a, half_b, a_from_b);
  return sign == BoxSign::unclear ? decide(sign, half_a, half_b, a_from_b) : sign == BoxSign::overlap;
}

bool box_box_intersects3_plain(const Vec3d& half_a, const Vec3d& half_b, const Placement3& a_from_b) {
  return intersects_exactly(half_a, half_b, a_from_b);
}

namespace {

// The widest gaps with those of nearly parallel edges, and which of the two kinds gives the axis
struct Widest {
  BoxScan3 scan;
  bool use_edge = false;
  double gap = 0;
};
// Prefer a face unless it is clearly worse: it stays the same from step to step
bool prefers_edge(const BoxScan3& scan) { return scan.edge_gap > scan.face_gap + kBoxFacePreference * scan.size; }
Widest widest_axis(const Vec3d& half_a, const Vec3d& half_b, const Placement3& a_from_b, bool overlap_only) {
  Widest out{box_scan3(half_a, half_b, a_from_b, overlap_only)};
  BoxScan3& scan = out.scan;
  for (std::uint32_t thin = scan.thin; thin != 0; thin &= thin - 1) {
    const int edge = std::countr_zero(thin);
    // Only what may be the widest is worth the care
    const double least = std::max(scan.edge_gap, scan.face_gap) - kBoxApart * scan.size;
    if (quick_edge_gap(edge / 3, edge % 3, half_a, half_b, a_from_b) <= least) continue;
    const double gap = fine_edge_gap(edge / 3, edge % 3, half_a, half_b, a_from_b);
    if (gap > scan.edge_gap) scan.edge_gap = gap, scan.edge = edge;
  }
  out.use_edge = prefers_edge(scan);
  out.gap = out.use_edge ? scan.edge_gap : scan.face_gap;
  if (!out.use_edge && std::fabs(out.gap) < kBoxFineGap * scan.size) {
    out.gap = fine_face_gap(scan.face, half_a, half_b, a_from_b);
  }
  return out;
}

// Distance or depth with points, once the axis is known
DistanceAnswer3 distance_along(const Widest& widest, bool hit, const Vec3d& half_a, const Vec3d& half_b,
                               const Placement3& a_from_b, double rounding) {
  const BoxScan3& scan = widest.scan;
  const bool use_edge = widest.use_edge;
  const double gap = widest.gap, edge_rounding = rounding / kBoxThin, close = kBoxCertificate * scan.size;
  DistanceAnswer3 out;
  out.hit = hit;
  if (out.hit) {
    out.normal = use_edge ? edge_normal(scan.edge, a_from_b) : face_normal(scan.face, a_from_b);
    Witness at;
    if (use_edge) {
      at = edge_witness(scan.edge, out.normal, half_a, half_b, a_from_b);
    } else {
      if (!corner_over_face(scan.face, out.normal, gap, half_a, half_b, a_from_b, scan.size, at))
        at = witness_of_face(scan.face, out.normal, half_a, half_b, a_from_b, scan.size);
    }
    out.point_a = at.a;
    out.point_b = at.b;
    out.separation = std::min(gap, 0.0);
    out.lower = out.separation - (use_edge ? edge_rounding : rounding);
    out.upper = std::min(out.separation + edge_rounding, 0.0);
    return out;
  }

  // Two edges that cross
  const auto finish = [&](double found, double proven, const Vec3d& normal, const Witness& at) {
    out.separation = found > 0 ? found : std::numeric_limits<double>::min();
    out.normal = normal;
    out.point_a = at.a;
    out.point_b = at.b;
    out.lower = std::clamp(proven, 0.0, out.separation);
    out.upper = std::max(out.separation, distance(at.a, at.b)) + rounding;
    return out;
  };
  if (use_edge) {
    const Vec3d n = edge_normal(scan.edge, a_from_b);
    const Witness at = edge_witness(scan.edge, n, half_a, half_b, a_from_b);
    const double d = distance(at.a, at.b);
    if (d - gap <= close) return finish(std::max(gap, 0.0), gap - edge_rounding, n, at);
  }
  // Faces across the normal may meet over no corner at all, as two planks do
  if (!use_edge) {
    const Vec3d n = face_normal(scan.face, a_from_b);
    Witness at;
    if (!corner_over_face(scan.face, n, gap, half_a, half_b, a_from_b, scan.size, at))
      at = witness_of_face(scan.face, n, half_a, half_b, a_from_b, scan.size);
    if (distance(at.a, at.b) - gap <= close) return finish(std::max(gap, 0.0), gap - rounding, n, at);
  }
  // A corner of either
  const CornerPair corner = nearest_corner_pair(half_a, half_b, a_from_b);
  const double proven = support_gap(corner.normal, half_a, half_b, a_from_b);
  if (corner.distance - proven <= close) return finish(corner.distance, proven - rounding, corner.normal, corner.at);
  // Corners of both may be equally near to rounding and differ in what their normals prove: one that leans towards the far
  // end of a long edge loses all of its length
  const CornerPair other = nearest_corner_pair(half_a, half_b, a_from_b, true);
  const double other_proven = support_gap(other.normal, half_a, half_b, a_from_b);
  if (other.distance - other_proven <= close)
    return finish(other.distance, other_proven - rounding, other.normal, other.at);

  // What rounding hid: every edge with every edge, and the best bounds of all
  double best = corner.distance, bound = std::max(gap, proven);
  Vec3d normal =
      gap > proven ? (use_edge ? edge_normal(scan.edge, a_from_b) : face_normal(scan.face, a_from_b)) : corner.normal;
  Witness at = corner.at;
  const auto edge_of = [](const Vec3d& half, int axis, int which) {
    Segment<3, double> line;
    line.a[(axis + 1) % 3] = which & 1 ? half[(axis + 1) % 3] : -half[(axis + 1) % 3];
    line.a[(axis + 2) % 3] = which & 2 ? half[(axis + 2) % 3] : -half[(axis + 2) % 3];
    line.b = line.a;
    line.a[axis] = -half[axis];
    line.b[axis] = half[axis];
    return line;
  };
  for (int ea = 0; ea < 12; ++ea)
    for (int eb = 0; eb < 12; ++eb) {
      Segment<3, double> edge = edge_of(half_b, eb / 4, eb % 4);
      edge = {transform(a_from_b, edge.a), transform(a_from_b, edge.b)};
      const auto pair = closest_points(edge_of(half_a, ea / 4, ea % 4), edge);
      const double d = std::sqrt(pair.distance_squared);
      if (d >= best) continue;
      best = d;
      at = {pair.point_a, pair.point_b};
      const Vec3d n = normalized(pair.point_b - pair.point_a);
      if (const double g = support_gap(n, half_a, half_b, a_from_b); g > bound) bound = g, normal = n;
    }
  if (best - bound > close) out.status = QueryStatus::max_iterations;
  return finish(best, bound - rounding, normal, at);
}

}  // namespace

BoxDepth3 box_box_depth3(const Vec3d& half_a, const Vec3d& half_b, const Placement3& a_from_b) {
  BoxDepth3 out;
  if (is_far(a_from_b)) return out;
  const Widest widest = widest_axis(half_a, half_b, a_from_b, true);
  if (widest.scan.sign == BoxSign::apart) return out;
  out.hit = decide(widest.scan.sign, half_a, half_b, a_from_b);
  if (!out.hit) return out;
  const double rounding = kBoxApart * widest.scan.size / kBoxThin;
  out.normal = widest.use_edge ? edge_normal(widest.scan.edge, a_from_b) : face_normal(widest.scan.face, a_from_b);
  out.depth = std::max(-widest.gap, 0.0);
  out.lower = std::max(out.depth - rounding, 0.0);
  out.upper = out.depth + rounding;
  return out;
}

DistanceAnswer3 box_box_distance3(const Vec3d& half_a, const Vec3d& half_b, const Placement3& a_from_b) {
  if (is_far(a_from_b))
    return far_apart<3>(
        a_from_b, [&](const Vec3d& d) { return farthest_corner(half_a, d); },
        [&](const Vec3d& d) { return farthest_corner(half_b, d); });
  const Widest widest = widest_axis(half_a, half_b, a_from_b, false);
  const bool hit = decide(widest.scan.sign, half_a, half_b, a_from_b);
  return distance_along(widest, hit, half_a, half_b, a_from_b, kBoxApart * widest.scan.size);
}
DistanceAnswer3 box_box_distance3(const Vec3d& half_a, const Vec3d& half_b, const Placement3& a_from_b,
                                  const BoxScan3& scan, double rounding) {
  SUDAR_ASSERT(scan.sign != BoxSign::unclear && scan.thin == 0);
  const bool use_edge = prefers_edge(scan);
  return distance_along({scan, use_edge, use_edge ? scan.edge_gap : scan.face_gap}, scan.sign == BoxSign::overlap,
                        half_a, half_b, a_from_b, rounding);
}

}  // namespace sudar
