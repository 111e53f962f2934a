#include <sudar/narrowphase/mesh_scan.hpp>
#include <sudar/narrowphase/placed_triangles.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#ifndef SUDAR_MESH_SCAN_BOUND
#define SUDAR_MESH_SCAN_BOUND

namespace sudar {

// How large a signed volume must be for its sign to be sure, for any triangle of one block and any corner of the other:
// the bound of orient3d (predicates.hpp) with the size of both blocks for the largest difference, and what the error of
// the corners adds (placed_triangles.cpp). Infinite where products could underflow unseen.
inline double plane_bound(const TriangleBlock& a, const TriangleBlock& b) {
  constexpr double kError = 6 * 9 * kRoundoff, kTiny = 0x1p-900;
  const double delta = 2 * (a.error + b.error);
  double m[3];
  for (int k = 0; k < 3; ++k)
    m[k] = (std::max(a.hi[k], b.hi[k]) - std::min(a.lo[k], b.lo[k])) * (1 + 4 * kRoundoff) + delta;
  if (!(m[0] < 0x1p150 && m[1] < 0x1p150 && m[2] < 0x1p150)) return std::numeric_limits<double>::infinity();
  return kError * (m[0] * m[1]) * m[2] + 6.5 * delta * (m[0] * m[1] + m[1] * m[2] + m[2] * m[0]) + kTiny;
}

// From the signs of a row: what is surely apart goes, what is known of the rest stays
inline void keep_sides(int i, const std::uint32_t (&a_above)[3], const std::uint32_t (&a_below)[3],
                       const std::uint32_t (&b_above)[3], const std::uint32_t (&b_below)[3], std::uint8_t (&row)[8],
                       PlaneSides& sides) {
  std::uint32_t clear = 0xff;
  for (int k = 0; k < 3; ++k) {
    clear &= (a_above[k] | a_below[k]) & (b_above[k] | b_below[k]);
    sides.a_above[k][i] = static_cast<std::uint8_t>(a_above[k]);
    sides.b_above[k][i] = static_cast<std::uint8_t>(b_above[k]);
  }
  sides.clear[i] = static_cast<std::uint8_t>(clear);
  const std::uint32_t apart = (a_above[0] & a_above[1] & a_above[2]) | (a_below[0] & a_below[1] & a_below[2]) |
                              (b_above[0] & b_above[1] & b_above[2]) | (b_below[0] & b_below[1] & b_below[2]);
  row[i] = static_cast<std::uint8_t>(row[i] & ~apart);
}

}  // namespace sudar

#endif

#if defined(SUDAR_HAVE_HIGHWAY)

// This file is compiled once for every instruction set: foreach_target.h includes it again and again
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sudar/narrowphase/mesh_scan.cpp"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace sudar::mesh_scan_simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Vectors whose length is not known to the compiler cannot be kept in arrays
#if HWY_TARGET == HWY_SCALAR || HWY_HAVE_SCALABLE

void ScanPairs(const MeshTreeNode& a, const MeshTreeNode& b, const TreeBox& around_b, const TreePlacement& p,
               std::uint8_t (&row)[8]) {
  scan_pairs_plain(a, b, around_b, p, row);
}
void ScanDistances(const MeshTreeNode& a, const MeshTreeNode& b, const TreePlacement& p, float (&squared)[8][8]) {
  scan_distances_plain(a, b, p, squared);
}
void ScanPlanes(const TriangleBlock& a, const TriangleBlock& b, std::uint8_t (&row)[8], PlaneSides& sides) {
  scan_planes_plain(a, b, row, sides);
}

#else

using Eight = hn::CappedTag<float, 8>;

// The boxes of b in a's frame, and the boxes of a in b's
struct Moved {
  alignas(64) float b_lo[3][8], b_hi[3][8], a_lo[3][8], a_hi[3][8];
};

HWY_ATTR void Move(const MeshTreeNode& a, const MeshTreeNode& b, const TreePlacement& p, Moved& out) {
  const Eight d;
  const auto half = hn::Set(d, 0.5f), slack = hn::Set(d, p.slack);
  for (std::size_t j = 0; j < 8; j += hn::Lanes(d)) {
    if (!p.turned) {
      for (int k = 0; k < 3; ++k) {
        const auto shift = hn::Set(d, p.shift[k]);
        hn::Store(hn::Sub(hn::Add(hn::Load(d, b.lo[k] + j), shift), slack), d, out.b_lo[k] + j);
        hn::Store(hn::Add(hn::Add(hn::Load(d, b.hi[k] + j), shift), slack), d, out.b_hi[k] + j);
      }
      continue;
    }
    decltype(hn::Zero(d)) c[3], h[3];
    for (int k = 0; k < 3; ++k) {
      const auto lo = hn::Load(d, b.lo[k] + j), hi = hn::Load(d, b.hi[k] + j);
      c[k] = hn::Mul(hn::Add(lo, hi), half);
      h[k] = hn::Mul(hn::Sub(hi, lo), half);
    }
    for (int k = 0; k < 3; ++k) {
      auto center = hn::Set(d, p.shift[k]), reach = slack;
      for (int m = 0; m < 3; ++m) {
        const auto r = hn::Set(d, p.turn[k][m]);
        center = hn::Add(hn::Mul(r, c[m]), center);
        reach = hn::Add(hn::Mul(hn::Abs(r), h[m]), reach);
      }
      hn::Store(hn::Sub(center, reach), d, out.b_lo[k] + j);
      hn::Store(hn::Add(center, reach), d, out.b_hi[k] + j);
    }
    for (int k = 0; k < 3; ++k) {
      const auto lo = hn::Load(d, a.lo[k] + j), hi = hn::Load(d, a.hi[k] + j);
      c[k] = hn::Sub(hn::Mul(hn::Add(lo, hi), half), hn::Set(d, p.shift[k]));
      h[k] = hn::Mul(hn::Sub(hi, lo), half);
    }
    for (int k = 0; k < 3; ++k) {
      auto center = hn::Zero(d), reach = slack;
      for (int m = 0; m < 3; ++m) {
        const auto r = hn::Set(d, p.turn[m][k]);
        center = hn::Add(hn::Mul(r, c[m]), center);
        reach = hn::Add(hn::Mul(hn::Abs(r), h[m]), reach);
      }
      hn::Store(hn::Sub(center, reach), d, out.a_lo[k] + j);
      hn::Store(hn::Add(center, reach), d, out.a_hi[k] + j);
    }
  }
}

HWY_ATTR void ScanPairs(const MeshTreeNode& a, const MeshTreeNode& b, const TreeBox& around_b, const TreePlacement& p,
                        std::uint8_t (&row)[8]) {
  const Eight d;
  Moved moved;
  Move(a, b, p, moved);
  // Children of a that meet the box around b: in b's frame when it is turned, in a's otherwise
  std::uint32_t wanted = 0;
  for (std::size_t i = 0; i < 8; i += hn::Lanes(d)) {
    auto all = hn::Eq(hn::Zero(d), hn::Zero(d));
    for (int k = 0; k < 3; ++k) {
      const float lo = p.turned ? around_b.lo[k] : around_b.lo[k] + p.shift[k] - p.slack;
      const float hi = p.turned ? around_b.hi[k] : around_b.hi[k] + p.shift[k] + p.slack;
      const auto from = hn::Load(d, (p.turned ? moved.a_lo[k] : a.lo[k]) + i);
      const auto to = hn::Load(d, (p.turned ? moved.a_hi[k] : a.hi[k]) + i);
      all = hn::And(all, hn::And(hn::Le(from, hn::Set(d, hi)), hn::Le(hn::Set(d, lo), to)));
    }
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, all, bits);
    wanted |= static_cast<std::uint32_t>(bits[0]) << i;
  }
  for (int i = 0; i < 8; ++i) row[i] = 0;
  for (std::size_t j = 0; j < 8; j += hn::Lanes(d)) {
    decltype(hn::Zero(d)) lo[3], hi[3], b_lo[3], b_hi[3];
    for (int k = 0; k < 3; ++k) {
      lo[k] = hn::Load(d, moved.b_lo[k] + j), hi[k] = hn::Load(d, moved.b_hi[k] + j);
      b_lo[k] = hn::Load(d, b.lo[k] + j), b_hi[k] = hn::Load(d, b.hi[k] + j);
    }
    for (std::uint32_t rest = wanted; rest != 0; rest &= rest - 1) {
      const auto i = hwy::Num0BitsBelowLS1Bit_Nonzero32(rest);
      auto all = hn::And(hn::Le(lo[0], hn::Set(d, a.hi[0][i])), hn::Le(hn::Set(d, a.lo[0][i]), hi[0]));
      for (int k = 1; k < 3; ++k)
        all = hn::And(all, hn::And(hn::Le(lo[k], hn::Set(d, a.hi[k][i])), hn::Le(hn::Set(d, a.lo[k][i]), hi[k])));
      if (p.turned)
        for (int k = 0; k < 3; ++k)
          all = hn::And(all, hn::And(hn::Le(b_lo[k], hn::Set(d, moved.a_hi[k][i])),
                                     hn::Le(hn::Set(d, moved.a_lo[k][i]), b_hi[k])));
      std::uint8_t bits[8] = {};
      hn::StoreMaskBits(d, all, bits);
      row[i] = static_cast<std::uint8_t>(row[i] | bits[0] << j);
    }
  }
}

HWY_ATTR void ScanDistances(const MeshTreeNode& a, const MeshTreeNode& b, const TreePlacement& p,
                            float (&squared)[8][8]) {
  const Eight d;
  Moved moved;
  Move(a, b, p, moved);
  const auto zero = hn::Zero(d), shrink = hn::Set(d, 1 - 0x1p-20f), unit = hn::Set(d, p.unit);
  for (std::size_t j = 0; j < 8; j += hn::Lanes(d))
    for (int i = 0; i < 8; ++i) {
      auto sum = zero, other = zero;
      for (int k = 0; k < 3; ++k) {
        const auto lo = hn::Load(d, moved.b_lo[k] + j), hi = hn::Load(d, moved.b_hi[k] + j);
        const auto gap =
            hn::Max(zero, hn::Max(hn::Sub(lo, hn::Set(d, a.hi[k][i])), hn::Sub(hn::Set(d, a.lo[k][i]), hi)));
        const auto scaled = hn::Mul(gap, unit);
        sum = hn::Add(hn::Mul(scaled, scaled), sum);
      }
      if (p.turned) {
        for (int k = 0; k < 3; ++k) {
          const auto lo = hn::Load(d, b.lo[k] + j), hi = hn::Load(d, b.hi[k] + j);
          const auto gap = hn::Max(
              zero, hn::Max(hn::Sub(lo, hn::Set(d, moved.a_hi[k][i])), hn::Sub(hn::Set(d, moved.a_lo[k][i]), hi)));
          const auto scaled = hn::Mul(gap, unit);
          other = hn::Add(hn::Mul(scaled, scaled), other);
        }
        sum = hn::Max(sum, other);
      }
      hn::StoreU(hn::Mul(sum, shrink), d, squared[i] + j);
    }
}

template <class D, class M>
HWY_ATTR std::uint32_t BitsOf(D d, M mask) {
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(d, mask, bits);
  return bits[0];
}

HWY_ATTR void ScanPlanes(const TriangleBlock& a, const TriangleBlock& b, std::uint8_t (&row)[8], PlaneSides& sides) {
  const hn::CappedTag<double, 8> d;
  const double limit = plane_bound(a, b);
  const auto above = hn::Set(d, limit), below = hn::Set(d, -limit);
  for (int i = 0; i < 8; ++i) {
    if (row[i] == 0) continue;
    const auto nx = hn::Set(d, a.normal[0][i]), ny = hn::Set(d, a.normal[1][i]), nz = hn::Set(d, a.normal[2][i]);
    const auto px = hn::Set(d, a.corner[0][0][i]), py = hn::Set(d, a.corner[0][1][i]);
    const auto pz = hn::Set(d, a.corner[0][2][i]);
    std::uint32_t a_above[3] = {}, a_below[3] = {}, b_above[3] = {}, b_below[3] = {};
    for (std::size_t j = 0; j < 8; j += hn::Lanes(d)) {
      // The plane of this triangle of a, against the corners of eight of b; and theirs against its corners
      const auto mx = hn::Load(d, b.normal[0] + j), my = hn::Load(d, b.normal[1] + j);
      const auto mz = hn::Load(d, b.normal[2] + j);
      const auto qx = hn::Load(d, b.corner[0][0] + j), qy = hn::Load(d, b.corner[0][1] + j);
      const auto qz = hn::Load(d, b.corner[0][2] + j);
      for (int k = 0; k < 3; ++k) {
        const auto x = hn::Sub(hn::Load(d, b.corner[k][0] + j), px), y = hn::Sub(hn::Load(d, b.corner[k][1] + j), py);
        const auto z = hn::Sub(hn::Load(d, b.corner[k][2] + j), pz);
        const auto side_b = hn::MulAdd(nz, z, hn::MulAdd(ny, y, hn::Mul(nx, x)));
        b_above[k] |= BitsOf(d, hn::Gt(side_b, above)) << j;
        b_below[k] |= BitsOf(d, hn::Lt(side_b, below)) << j;
        const auto u = hn::Sub(hn::Set(d, a.corner[k][0][i]), qx), v = hn::Sub(hn::Set(d, a.corner[k][1][i]), qy);
        const auto w = hn::Sub(hn::Set(d, a.corner[k][2][i]), qz);
        const auto side_a = hn::MulAdd(mz, w, hn::MulAdd(my, v, hn::Mul(mx, u)));
        a_above[k] |= BitsOf(d, hn::Gt(side_a, above)) << j;
        a_below[k] |= BitsOf(d, hn::Lt(side_a, below)) << j;
      }
    }
    keep_sides(i, a_above, a_below, b_above, b_below, row, sides);
  }
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace sudar::mesh_scan_simd
HWY_AFTER_NAMESPACE();

#endif

#if !defined(SUDAR_HAVE_HIGHWAY) || HWY_ONCE

namespace sudar {

TreePlacement make_tree_placement(const MeshTree& a, const MeshTree& b, const Placement3& a_from_b) noexcept {
  TreePlacement out;
  out.turned = a_from_b.turned;
  Vec3d shift = (transform(a_from_b, b.origin()) - a.origin()) + a_from_b.rest;
  // So far away that nothing can meet is far enough: floats have no more room, and shapes are below kMaxShapeSize
  constexpr double kFar = 0x1p100;
  for (int k = 0; k < 3; ++k) shift[k] = std::clamp(shift[k], -kFar, kFar);
  const double moved = std::min(max_abs(a_from_b.translation), kFar);
  const double size = max_abs(shift) + max_abs(a.origin()) + max_abs(b.origin()) + moved;
  // What doubles lose, on top of it what floats lose. Boxes of b reach at most as far as b is large.
  const double large = max_abs(extents(a.bounds())) + max_abs(extents(b.bounds()));
  out.slack = static_cast<float>(kPoseSlack<double> * size + kPoseSlack<float> * (3 * large + max_abs(shift))) +
              std::numeric_limits<float>::min();
  const double reach = large + max_abs(shift);
  out.unit = static_cast<float>(reach > 0x1p-100 ? std::ldexp(1.0, -std::ilogb(reach)) : 0x1p100);
  for (int k = 0; k < 3; ++k) {
    out.shift[k] = static_cast<float>(shift[k]);
    for (int m = 0; m < 3; ++m)
      out.turn[k][m] = out.turned ? static_cast<float>(a_from_b.turn.row(k)[m]) : static_cast<float>(k == m);
  }
  return out;
}

namespace {

// One child's box in the other frame: center ± reach
struct Interval3 {
  float lo[3], hi[3];
};
Interval3 child_of(const MeshTreeNode& node, int j) {
  Interval3 out;
  for (int k = 0; k < 3; ++k) out.lo[k] = node.lo[k][j], out.hi[k] = node.hi[k][j];
  return out;
}
Interval3 moved_box(const Interval3& box, const TreePlacement& p, bool inverse) {
  Interval3 out;
  for (int k = 0; k < 3; ++k) {
    if (!p.turned) {
      out.lo[k] = box.lo[k] + p.shift[k] - p.slack, out.hi[k] = box.hi[k] + p.shift[k] + p.slack;
      continue;
    }
    float center = inverse ? 0 : p.shift[k], reach = p.slack;
    for (int m = 0; m < 3; ++m) {
      const float r = inverse ? p.turn[m][k] : p.turn[k][m];
      const float c = (box.lo[m] + box.hi[m]) * 0.5f - (inverse ? p.shift[m] : 0);
      center += r * c;
      reach += std::fabs(r) * ((box.hi[m] - box.lo[m]) * 0.5f);
    }
    out.lo[k] = center - reach, out.hi[k] = center + reach;
  }
  return out;
}
bool meet(const Interval3& a, const Interval3& b) {
  for (int k = 0; k < 3; ++k)
    if (!(a.lo[k] <= b.hi[k] && b.lo[k] <= a.hi[k])) return false;
  return true;
}
float squared_gap(const Interval3& a, const Interval3& b, float unit) {
  float sum = 0;
  for (int k = 0; k < 3; ++k) {
    const float gap = std::max(0.0f, std::max(b.lo[k] - a.hi[k], a.lo[k] - b.hi[k])) * unit;
    sum += gap * gap;
  }
  return sum * (1 - 0x1p-20f);
}

}  // namespace

void scan_pairs_plain(const MeshTreeNode& a, const MeshTreeNode& b, const TreeBox& around_b, const TreePlacement& p,
                      std::uint8_t (&row)[8]) noexcept {
  Interval3 all_b;
  for (int k = 0; k < 3; ++k) all_b.lo[k] = around_b.lo[k], all_b.hi[k] = around_b.hi[k];
  for (int i = 0; i < 8; ++i) {
    row[i] = 0;
    const Interval3 x = child_of(a, i);
    const bool wanted = p.turned ? meet(moved_box(x, p, true), all_b) : meet(x, moved_box(all_b, p, false));
    for (int j = 0; j < 8 && wanted; ++j) {
      const Interval3 y = child_of(b, j);
      if (meet(x, moved_box(y, p, false)) && (!p.turned || meet(moved_box(x, p, true), y)))
        row[i] = static_cast<std::uint8_t>(row[i] | 1 << j);
    }
  }
}

void scan_distances_plain(const MeshTreeNode& a, const MeshTreeNode& b, const TreePlacement& p,
                          float (&squared)[8][8]) noexcept {
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      const Interval3 x = child_of(a, i), y = child_of(b, j);
      squared[i][j] = squared_gap(x, moved_box(y, p, false), p.unit);
      if (p.turned) squared[i][j] = std::max(squared[i][j], squared_gap(moved_box(x, p, true), y, p.unit));
    }
}

namespace {

template <class Move>
void fill_block(const Mesh& mesh, const MeshTree& tree, std::uint32_t node, Move&& move, TriangleBlock& out) {
  const int count = tree.child_count(0, node);
  for (int j = 0; j < 8; ++j) {
    if (j >= count) {
      for (auto& corner : out.corner)
        for (auto& axis : corner) axis[j] = axis[0];
      for (auto& axis : out.normal) axis[j] = axis[0];
      continue;
    }
    const MeshTriangle& v = tree.vertices_of(node, static_cast<std::uint32_t>(j));
    const Triangle<3, double> t = move({mesh.vertices[v[0]], mesh.vertices[v[1]], mesh.vertices[v[2]]});
    const Vec3d n = cross(t.b - t.a, t.c - t.a);
    for (int k = 0; k < 3; ++k) {
      for (int c = 0; c < 3; ++c) out.corner[c][k][j] = t[c][k];
      out.normal[k][j] = n[k];
      const double lo = std::min({t.a[k], t.b[k], t.c[k]}), hi = std::max({t.a[k], t.b[k], t.c[k]});
      out.lo[k] = j == 0 ? lo : std::min(out.lo[k], lo);
      out.hi[k] = j == 0 ? hi : std::max(out.hi[k], hi);
    }
  }
}

}  // namespace

void load_block(const Mesh& mesh, const MeshTree& tree, std::uint32_t node, TriangleBlock& out) noexcept {
  out.error = 0;
  fill_block(
      mesh, tree, node, [](const Triangle<3, double>& t) { return t; }, out);
}
void load_block(const Mesh& mesh, const MeshTree& tree, std::uint32_t node, const Placement3& a_from_b,
                TriangleBlock& out) noexcept {
  out.error = 0;
  fill_block(
      mesh, tree, node,
      [&](const Triangle<3, double>& t) {
        const PlacedTriangle placed = place(t, a_from_b);
        out.error = std::max(out.error, placed.error);
        return placed.corners;
      },
      out);
}

void scan_planes_plain(const TriangleBlock& a, const TriangleBlock& b, std::uint8_t (&row)[8],
                       PlaneSides& sides) noexcept {
  const double limit = plane_bound(a, b);
  const auto corner = [](const TriangleBlock& x, int k, int j) {
    return Vec3d{x.corner[k][0][j], x.corner[k][1][j], x.corner[k][2][j]};
  };
  // Corner k of y's triangle j against the plane of x's triangle i
  const auto side = [&](const TriangleBlock& x, int i, const TriangleBlock& y, int j, int k) {
    const Vec3d n{x.normal[0][i], x.normal[1][i], x.normal[2][i]};
    return dot(n, corner(y, k, j) - corner(x, 0, i));
  };
  for (int i = 0; i < 8; ++i) {
    if (row[i] == 0) continue;
    std::uint32_t a_above[3] = {}, a_below[3] = {}, b_above[3] = {}, b_below[3] = {};
    for (int j = 0; j < 8; ++j)
      for (int k = 0; k < 3; ++k) {
        const double of_a = side(b, j, a, i, k), of_b = side(a, i, b, j, k);
        a_above[k] |= std::uint32_t{of_a > limit} << j, a_below[k] |= std::uint32_t{of_a < -limit} << j;
        b_above[k] |= std::uint32_t{of_b > limit} << j, b_below[k] |= std::uint32_t{of_b < -limit} << j;
      }
    keep_sides(i, a_above, a_below, b_above, b_below, row, sides);
  }
}

#if defined(SUDAR_HAVE_HIGHWAY)

namespace mesh_scan_simd {
HWY_EXPORT(ScanPairs);
HWY_EXPORT(ScanDistances);
HWY_EXPORT(ScanPlanes);
}  // namespace mesh_scan_simd

void scan_pairs(const MeshTreeNode& a, const MeshTreeNode& b, const TreeBox& around_b, const TreePlacement& p,
                std::uint8_t (&row)[8]) noexcept {
  using namespace mesh_scan_simd;
  HWY_DYNAMIC_DISPATCH(ScanPairs)(a, b, around_b, p, row);
}
void scan_distances(const MeshTreeNode& a, const MeshTreeNode& b, const TreePlacement& p,
                    float (&squared)[8][8]) noexcept {
  using namespace mesh_scan_simd;
  HWY_DYNAMIC_DISPATCH(ScanDistances)(a, b, p, squared);
}
void scan_planes(const TriangleBlock& a, const TriangleBlock& b, std::uint8_t (&row)[8], PlaneSides& sides) noexcept {
  using namespace mesh_scan_simd;
  HWY_DYNAMIC_DISPATCH(ScanPlanes)(a, b, row, sides);
}

#else

void scan_pairs(const MeshTreeNode& a, const MeshTreeNode& b, const TreeBox& around_b, const TreePlacement& p,
                std::uint8_t (&row)[8]) noexcept {
  scan_pairs_plain(a, b, around_b, p, row);
}
void scan_distances(const MeshTreeNode& a, const MeshTreeNode& b, const TreePlacement& p,
                    float (&squared)[8][8]) noexcept {
  scan_distances_plain(a, b, p, squared);
}
void scan_planes(const TriangleBlock& a, const TriangleBlock& b, std::uint8_t (&row)[8], PlaneSides& sides) noexcept {
  scan_planes_plain(a, b, row, sides);
}

#endif

}  // namespace sudar

#endif
