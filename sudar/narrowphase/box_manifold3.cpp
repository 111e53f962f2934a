#include <sudar/narrowphase/box_box3.hpp>
#include <sudar/narrowphase/box_manifold3.hpp>
#include <sudar/narrowphase/far_pair.hpp>
#include <sudar/narrowphase/manifold_choice.hpp>
#include <sudar/narrowphase/manifold_clip3.hpp>
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
constexpr int kAfter[3] = {1, 2, 0};

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

// A place on the reference face
struct Spot {
  double x, y;
};
// What has sign * axis <= limit of a ring
template <double Spot::*axis, double Spot::*other>
int cut_spots(const Spot* ring, int count, double sign, double limit, Spot* out) {
  int kept = 0;
  if (count == 0) return 0;
  double f = sign * (ring[0].*axis) - limit;
  for (int i = 0; i < count; ++i) {
    const Spot &p = ring[i], &q = ring[i + 1 < count ? i + 1 : 0];
    const double g = sign * (q.*axis) - limit;
    if (f <= 0) out[kept++] = p;
    if ((f <= 0) != (g <= 0)) {
      Spot& cut = out[kept++];
      cut.*axis = sign * limit;
      cut.*other = p.*other + (q.*other - p.*other) * (f / (f - g));
    }
    f = g;
  }
  return kept;
}

int largest_axis(const Vec3d& d) {
  const Vec3d m = abs(d);
  return m.x >= m.y ? (m.x >= m.z ? 0 : 2) : (m.y >= m.z ? 1 : 2);
}

// The two boxes from the reference's side, whose frame this is
struct Facing {
  const Vec3d &half, &other;
  Vec3d n;  // out of the reference box
  Placement3 here_from_other;
  bool reference_is_a;
};
// A point that both faces have, along the normal: where it is, and on which side of each axis of the boxes
struct FacePoint {
  Spot at;
  double separation;
  int name;  // on the reference box, and times 27 on the other: one number, compared at once
};
struct FacePoints {
  FacePoint points[8];
  std::size_t count = 0;
};

// The incident face cut with the sides of the reference face along the normal. False when the other face stands so steep
// that places on it do not follow from those under it.
bool clip_faces(const Facing& facing, double lowest, double cutoff, FacePoints& out) {
  const Vec3d &n = facing.n, &half = facing.half, &other = facing.other;
  const int i = largest_axis(n), i1 = kAfter[i], i2 = kAfter[i1];
  const double side = n[i] < 0 ? -1 : 1, slope = 1 / n[i];
  const Vec3d inward = to_b(facing.here_from_other, -n);
  const int k = largest_axis(inward), k1 = kAfter[k], k2 = kAfter[k1];
  const double other_side = inward[k] < 0 ? -1 : 1;
  const Mat3d& r = facing.here_from_other.turn;
  // Along the normal onto the plane of the face: linear, so the middle and the two half-edges do
  struct Cast {
    double x, y, s;
  };
  const auto cast = [&](const Vec3d& d, double height) {
    const double s = (d[i] - height) * slope;
    return Cast{d[i1] - n[i1] * s, d[i2] - n[i2] * s, s};
  };
  const Vec3d at = facing.here_from_other.translation + facing.here_from_other.rest;
  const double hu = other[k1], hv = other[k2], hx = half[i1], hy = half[i2];
  const Cast c = cast(at + r[k] * (other_side * other[k]), side * half[i]);
  const Cast du = cast(r[k1] * hu, 0), dv = cast(r[k2] * hv, 0);
  const double area = du.x * dv.y - du.y * dv.x;
  if (!(std::fabs(area) > kSteepFace * hu * hv)) return false;
  Spot rings[2][12];
  rings[0][0] = {c.x + du.x + dv.x, c.y + du.y + dv.y};
  rings[0][1] = {c.x - du.x + dv.x, c.y - du.y + dv.y};
  rings[0][2] = {c.x - du.x - dv.x, c.y - du.y - dv.y};
  rings[0][3] = {c.x + du.x - dv.x, c.y + du.y - dv.y};
  int count = 4;
  if (std::fabs(c.x) + std::fabs(du.x) + std::fabs(dv.x) > hx) {
    count = cut_spots<&Spot::x, &Spot::y>(rings[0], count, 1, hx, rings[1]);
    count = cut_spots<&Spot::x, &Spot::y>(rings[1], count, -1, hx, rings[0]);
  }
  if (std::fabs(c.y) + std::fabs(du.y) + std::fabs(dv.y) > hy) {
    count = cut_spots<&Spot::y, &Spot::x>(rings[0], count, 1, hy, rings[1]);
    count = cut_spots<&Spot::y, &Spot::x>(rings[1], count, -1, hy, rings[0]);
  }
  const double snap = 2 * kManifoldSnap * std::min(std::min(hx, hy), std::min(hu, hv)), near = 16 * snap * snap;
  const int code = kDigit[i] * (side < 0 ? 0 : 2), other_code = kDigit[k] * (other_side < 0 ? 0 : 2);
  const double inverse_area = 1 / area;
  for (int m = 0; m < count; ++m) {
    // Where on the other face, from -1 to 1, and so how far
    const Spot& p = rings[0][m];
    const double wx = p.x - c.x, wy = p.y - c.y;
    const double u = (wx * dv.y - wy * dv.x) * inverse_area, v = (du.x * wy - du.y * wx) * inverse_area;
    const double s = c.s + u * du.s + v * dv.s;
    if (!(s <= cutoff)) continue;
    const int at_code = code + kDigit[i1] * side_of(p.x, hx, snap) + kDigit[i2] * side_of(p.y, hy, snap);
    const int at_other = other_code + kDigit[k1] * side_of(u * hu, hu, snap) + kDigit[k2] * side_of(v * hv, hv, snap);
    const FacePoint point{p, std::max(s, lowest), at_code + 27 * at_other};
    // Points with the same name near each other are one
    bool known = false;
    for (std::size_t j = 0; j < out.count && !known; ++j) {
      FacePoint& twin = out.points[j];
      const double dx = twin.at.x - p.x, dy = twin.at.y - p.y;
      known = twin.name == point.name && dx * dx + dy * dy <= near;
      if (known && point.separation < twin.separation) twin = point;
    }
    if (!known && out.count < 8) out.points[out.count++] = point;
  }
  return true;
}
// At most four of them
void write_points(const Facing& facing, const Placement3& a_from_b, const FacePoints& found, Manifold3& out) {
  const int i = largest_axis(facing.n), i1 = kAfter[i], i2 = kAfter[i1];
  const auto names = [&](const FacePoint& p, Feature& name_a, Feature& name_b) {
    const Feature own = kBoxNames[static_cast<std::size_t>(p.name % 27)];
    const Feature other = kBoxNames[static_cast<std::size_t>(p.name / 27)];
    name_a = facing.reference_is_a ? own : other;
    name_b = facing.reference_is_a ? other : own;
  };
  std::size_t chosen[Manifold3::kMaxPoints] = {0, 1, 2, 3}, count = found.count;
  if (count > Manifold3::kMaxPoints) {
    FlatPoint flat[8];
    for (std::size_t k = 0; k < count; ++k) {
      Feature name_a, name_b;
      names(found.points[k], name_a, name_b);
      flat[k] = {found.points[k].at.x, found.points[k].at.y, found.points[k].separation, name_weight(name_a, name_b)};
    }
    count = choose_flat({flat, count}, chosen);
  }
  out.count = static_cast<int>(count);
  // The plane of the reference face and its axes in A's frame
  const double plane = facing.n[i] < 0 ? -facing.half[i] : facing.half[i];
  const Mat3d axes = facing.reference_is_a ? Mat3d{} : a_from_b.turn;
  const Vec3d from = facing.reference_is_a ? Vec3d{} : a_from_b.translation + a_from_b.rest;
  const Vec3d middle = from + axes[i] * plane, along_x = axes[i1], along_y = axes[i2];
  const Vec3d half_out = (facing.reference_is_a ? out.normal : -out.normal) * 0.5;
  for (std::size_t k = 0; k < count; ++k) {
    const FacePoint& p = found.points[chosen[k]];
    ContactPoint<3>& point = out.points[k];
    point.position = middle + along_x * p.at.x + along_y * p.at.y + half_out * p.separation;
    point.separation = p.separation;
    names(p, point.feature_a, point.feature_b);
  }
}

}  // namespace

Manifold3 box_plane_manifold3(const Vec3d& half, const Vec3d& normal, const DistanceAnswer3& decision, double margin,
                              bool box_is_b, const Placement3& a_from_b) {
  const int k = largest_axis(normal), k1 = kAfter[k], k2 = kAfter[k1];
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
  out.normal = n;
  if (std::max(lean_a, lean_b) >= kManifoldLean) {
    // Equal faces: A's, so that rounding does not choose
    const bool reference_is_a = lean_a >= lean_b - kContactMerge;
    const Facing facing{reference_is_a ? half_a : half_b, reference_is_a ? half_b : half_a, reference_is_a ? n : -n_b,
                        reference_is_a ? a_from_b : inverse(a_from_b), reference_is_a};
    FacePoints found;
    if (clip_faces(facing, separation, cutoff, found) && found.count > 0) {
      std::size_t deepest = 0;
      for (std::size_t i = 1; i < found.count; ++i)
        if (found.points[i].separation < found.points[deepest].separation) deepest = i;
      if (found.points[deepest].separation <= separation + close) {
        found.points[deepest].separation = separation;
        write_points(facing, a_from_b, found, out);
        return true;
      }
    }
  }
  // Edges or corners, or what the faces do not have
  const DistanceAnswer3 x = depth.hit ? box_box_distance3(half_a, half_b, a_from_b) : apart;
  return clip_manifold3(Shape3(BoxShape3{half_a}), Shape3(BoxShape3{half_b}), a_from_b, x, margin, out);
}

}  // namespace sudar
