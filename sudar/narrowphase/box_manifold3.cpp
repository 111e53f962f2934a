#include <sudar/narrowphase/box_box3.hpp>
#include <sudar/narrowphase/box_manifold3.hpp>
#include <sudar/narrowphase/far_pair.hpp>
#include <sudar/narrowphase/manifold_choice.hpp>
#include <sudar/narrowphase/manifold_tolerance.hpp>
#include <sudar/narrowphase/part_placement.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sudar {

namespace {

// Names of a box's features by the sides of its axes on which a point lies: -1, 0 or 1 for each, as base 3 digits
constexpr std::array<Feature, 27> box_names() {
  // The half-edges of polytope_view3: face 2 i + high has four from 4 (2 i + high) on
  std::array<std::array<std::uint32_t, 2>, 24> ends{};
  for (std::uint32_t face = 0; face < 6; ++face) {
    const std::uint32_t i = face / 2, high = face % 2, first = 1u << (i + 1) % 3, second = 1u << (i + 2) % 3;
    const std::uint32_t ring[4] = {0, high ? first : second, first | second, high ? second : first};
    for (std::uint32_t k = 0; k < 4; ++k) {
      const std::uint32_t side = high ? 1u << i : 0;
      ends[4 * face + k] = {ring[k] | side, ring[(k + 1) % 4] | side};
    }
  }
  std::array<Feature, 27> out{};
  for (std::uint32_t code = 0; code < 27; ++code) {
    const std::uint32_t digit[3] = {code % 3, code / 3 % 3, code / 9};
    std::uint32_t low = 0, free = 0, inner = 0;
    for (std::uint32_t i = 0; i < 3; ++i) {
      if (digit[i] == 2) low |= 1u << i;
      if (digit[i] == 1) free |= 1u << i, ++inner;
    }
    Feature& name = out[code];
    if (inner == 0) {
      name = {FeatureKind::vertex, low};
    } else if (inner == 1) {
      name.kind = FeatureKind::edge;
      for (std::uint32_t e = 24; e-- > 0;)
        if ((ends[e][0] == low && ends[e][1] == (low | free)) || (ends[e][1] == low && ends[e][0] == (low | free)))
          name.index = e;
    } else {
      name.kind = FeatureKind::face;
      for (std::uint32_t i = 0; i < 3; ++i)
        if (digit[i] != 1) name.index = 2 * i + (digit[i] == 2 ? 1 : 0);
    }
  }
  return out;
}
constexpr std::array<Feature, 27> kBoxNames = box_names();
constexpr int kDigit[3] = {1, 3, 9};

// 0 on the low side, 2 on the high side, 1 between
inline int side_of(double x, double half, double snap) { return 1 + (x > half - snap) - (x < snap - half); }
Feature box_feature(const Vec3d& p, const Vec3d& half, double snap) {
  int code = 0;
  for (int i = 0; i < 3; ++i) code += kDigit[i] * side_of(p[i], half[i], snap);
  // Inside of the box by rounding only: on the nearest face
  if (code == 13) {
    int nearest = 0;
    for (int i = 1; i < 3; ++i)
      if (half[i] - std::fabs(p[i]) < half[nearest] - std::fabs(p[nearest])) nearest = i;
    code += p[nearest] < 0 ? -kDigit[nearest] : kDigit[nearest];
  }
  return kBoxNames[static_cast<std::size_t>(code)];
}

// A point of the incident face: its foot on the reference face, how far it is from there along the normal, and its place
// on its own face
struct Cast {
  double x, y, s, u, v;
};
inline Cast between(const Cast& p, const Cast& q, double t) {
  return {p.x + (q.x - p.x) * t, p.y + (q.y - p.y) * t, p.s + (q.s - p.s) * t, p.u + (q.u - p.u) * t,
          p.v + (q.v - p.v) * t};
}
// What has sign * axis <= limit of a ring
template <double Cast::*axis>
int cut_casts(const Cast* ring, int count, double sign, double limit, Cast* out) {
  int kept = 0;
  if (count == 0) return 0;
  double f = sign * (ring[0].*axis) - limit;
  for (int i = 0; i < count; ++i) {
    const Cast &p = ring[i], &q = ring[i + 1 < count ? i + 1 : 0];
    const double g = sign * (q.*axis) - limit;
    if (f <= 0) out[kept++] = p;
    if ((f <= 0) != (g <= 0)) out[kept++] = between(p, q, f / (f - g));
    f = g;
  }
  return kept;
}

int largest_axis(const Vec3d& d) {
  const Vec3d m = abs(d);
  return m.x >= m.y ? (m.x >= m.z ? 0 : 2) : (m.y >= m.z ? 1 : 2);
}

struct FacePoints {
  std::array<ContactPoint<3>, 9> points;
  std::size_t count = 0;
};

// The incident face cut with the sides of the reference face along the normal. Both boxes in the reference's frame; the
// normal points out of it.
void clip_faces(const Vec3d& half, const Vec3d& n, const Vec3d& other, const Placement3& here_from_other, double lowest,
                double cutoff, bool reference_is_a, FacePoints& out) {
  const int i = largest_axis(n), i1 = (i + 1) % 3, i2 = (i + 2) % 3;
  const double side = n[i] < 0 ? -1 : 1, slope = 1 / n[i];
  const Vec3d inward = to_b(here_from_other, -n);
  const int k = largest_axis(inward), k1 = (k + 1) % 3, k2 = (k + 2) % 3;
  const double other_side = inward[k] < 0 ? -1 : 1;
  const Mat3d& r = here_from_other.turn;
  // Along the normal onto the plane of the face: linear, so the middle and the two half-edges do
  const auto cast = [&](const Vec3d& d, double height) {
    const double s = (d[i] - height) * slope;
    return Cast{d[i1] - n[i1] * s, d[i2] - n[i2] * s, s, 0, 0};
  };
  const Vec3d center = here_from_other.translation + here_from_other.rest + r[k] * (other_side * other[k]);
  const double hu = other[k1], hv = other[k2], hx = half[i1], hy = half[i2];
  const Cast c = cast(center, side * half[i]), du = cast(r[k1] * hu, 0), dv = cast(r[k2] * hv, 0);
  Cast rings[2][12];
  constexpr double kU[4] = {1, -1, -1, 1}, kV[4] = {1, 1, -1, -1};
  double far_x = 0, far_y = 0;
  for (int m = 0; m < 4; ++m) {
    rings[0][m] = {c.x + kU[m] * du.x + kV[m] * dv.x, c.y + kU[m] * du.y + kV[m] * dv.y,
                   c.s + kU[m] * du.s + kV[m] * dv.s, kU[m] * hu, kV[m] * hv};
    far_x = std::max(far_x, std::fabs(rings[0][m].x));
    far_y = std::max(far_y, std::fabs(rings[0][m].y));
  }
  int count = 4;
  if (far_x > hx) {
    count = cut_casts<&Cast::x>(rings[0], count, 1, hx, rings[1]);
    count = cut_casts<&Cast::x>(rings[1], count, -1, hx, rings[0]);
  }
  if (far_y > hy) {
    count = cut_casts<&Cast::y>(rings[0], count, 1, hy, rings[1]);
    count = cut_casts<&Cast::y>(rings[1], count, -1, hy, rings[0]);
  }
  const double snap = 2 * kManifoldSnap * std::min(std::min(hx, hy), std::min(hu, hv)), near = 16 * snap * snap;
  const int code = kDigit[i] * (side < 0 ? 0 : 2), other_code = kDigit[k] * (other_side < 0 ? 0 : 2);
  for (int m = 0; m < count; ++m) {
    const Cast& p = rings[0][m];
    if (!(p.s <= cutoff)) continue;
    const int at = code + kDigit[i1] * side_of(p.x, hx, snap) + kDigit[i2] * side_of(p.y, hy, snap);
    const int at_other = other_code + kDigit[k1] * side_of(p.u, hu, snap) + kDigit[k2] * side_of(p.v, hv, snap);
    ContactPoint<3> point;
    const double up = 0.5 * p.s;
    point.position[i] = side * half[i] + n[i] * up;
    point.position[i1] = p.x + n[i1] * up;
    point.position[i2] = p.y + n[i2] * up;
    point.separation = std::max(p.s, lowest);
    point.feature_a = kBoxNames[static_cast<std::size_t>(at)];
    point.feature_b = kBoxNames[static_cast<std::size_t>(at_other)];
    if (!reference_is_a) std::swap(point.feature_a, point.feature_b);
    // Points with the same name near each other are one
    bool known = false;
    for (std::size_t j = 0; j < out.count && !known; ++j) {
      ContactPoint<3>& twin = out.points[j];
      if (twin.feature_a != point.feature_a || twin.feature_b != point.feature_b) continue;
      if (length_squared(twin.position - point.position) > near) continue;
      known = true;
      if (point.separation < twin.separation) twin = point;
    }
    if (!known && out.count < 8) out.points[out.count++] = point;
  }
}

}  // namespace

Manifold3 box_plane_manifold3(const Vec3d& half, const Vec3d& normal, const DistanceAnswer3& decision, double margin,
                              bool box_is_b, const Placement3& a_from_b) {
  const int k = largest_axis(normal), k1 = (k + 1) % 3, k2 = (k + 2) % 3;
  const double side = normal[k] < 0 ? 1 : -1, size = max_abs(half);
  const double cutoff = std::max(margin, decision.separation + kContactMerge * size);
  // Heights over the lowest corner, which is as high as the decision says
  Vec3d lowest;
  for (int i = 0; i < 3; ++i) lowest[i] = normal[i] < 0 ? half[i] : -half[i];
  constexpr double kU[4] = {1, -1, -1, 1}, kV[4] = {1, 1, -1, -1};
  Manifold3 out;
  out.normal = decision.normal;
  for (int m = 0; m < 4; ++m) {
    Vec3d corner;
    corner[k] = side * half[k];
    corner[k1] = kU[m] * half[k1];
    corner[k2] = kV[m] * half[k2];
    const double separation = std::max(0.0, dot(normal, corner - lowest)) + decision.separation;
    if (!(separation <= cutoff)) continue;
    ContactPoint<3>& point = out.points[out.count++];
    const Vec3d middle = corner - normal * (0.5 * separation);
    int code = 0;
    for (int i = 0; i < 3; ++i) code += kDigit[i] * (corner[i] < 0 ? 0 : 2);
    const Feature name = kBoxNames[static_cast<std::size_t>(code)], plane{FeatureKind::face, 0};
    point.position = box_is_b ? transform(a_from_b, middle) : middle;
    point.separation = separation;
    point.feature_a = box_is_b ? plane : name;
    point.feature_b = box_is_b ? name : plane;
  }
  return out;
}

Feature box_feature3(const Vec3d& p, const Vec3d& half) {
  return box_feature(p, half, 2 * kManifoldSnap * std::min({half.x, half.y, half.z}));
}

bool box_manifold3(const Vec3d& half_a, const Vec3d& half_b, const Placement3& a_from_b, double margin,
                   Manifold3& out) {
  SUDAR_ASSERT(!is_far(a_from_b));
  // One decision. Points are asked for only where the faces do not have them.
  const BoxDepth3 depth = box_box_depth3(half_a, half_b, a_from_b);
  DistanceAnswer3 apart;
  double separation = -depth.depth;
  Vec3d n = depth.normal;
  if (!depth.hit) {
    if (!(margin > 0)) return false;
    const BoxScan3 scan = box_scan3(half_a, half_b, a_from_b);
    const double rounding = kBoxApart * scan.size;
    if (std::max(scan.face_gap, scan.edge_gap) - rounding / kBoxThin > margin) return false;
    apart = scan.sign == BoxSign::apart && scan.thin == 0 ? box_box_distance3(half_a, half_b, a_from_b, scan, rounding)
                                                          : box_box_distance3(half_a, half_b, a_from_b);
    if (!(apart.separation <= margin)) return false;
    separation = apart.separation;
    n = apart.normal;
  }

  const Vec3d n_b = to_b(a_from_b, n);
  const double size = max_abs(half_a) + max_abs(half_b), close = 4 * kContactMerge * size;
  const double cutoff = std::max(margin, separation + kContactMerge * size);
  const double lean_a = max_abs(n), lean_b = max_abs(n_b);
  FacePoints found;
  if (std::max(lean_a, lean_b) >= kManifoldLean) {
    // Equal faces: A's, so that rounding does not choose
    if (lean_a >= lean_b - kContactMerge) {
      clip_faces(half_a, n, half_b, a_from_b, separation, cutoff, true, found);
    } else {
      clip_faces(half_b, -n_b, half_a, inverse(a_from_b), separation, cutoff, false, found);
      for (std::size_t i = 0; i < found.count; ++i)
        found.points[i].position = transform(a_from_b, found.points[i].position);
    }
  }
  std::size_t deepest = 0;
  for (std::size_t i = 1; i < found.count; ++i)
    if (found.points[i].separation < found.points[deepest].separation) deepest = i;
  if (found.count > 0 && found.points[deepest].separation <= separation + close) {
    found.points[deepest].separation = separation;
  } else {
    if (depth.hit) apart = box_box_distance3(half_a, half_b, a_from_b);
    const double snap = 2 * kManifoldSnap *
                        std::min(std::min({half_a.x, half_a.y, half_a.z}), std::min({half_b.x, half_b.y, half_b.z}));
    const Vec3d on_b = to_b(a_from_b, apart.point_b - (a_from_b.translation + a_from_b.rest));
    found.points[found.count++] = {(apart.point_a + apart.point_b) * 0.5, separation,
                                   box_feature(apart.point_a, half_a, snap), box_feature(on_b, half_b, snap)};
  }
  if (found.count <= Manifold3::kMaxPoints) {
    out.normal = n;
    out.count = static_cast<int>(found.count);
    for (std::size_t i = 0; i < found.count; ++i) out.points[i] = found.points[i];
  } else {
    out = choose_points(std::span<const ContactPoint<3>>(found.points.data(), found.count), n);
  }
  return true;
}

}  // namespace sudar
