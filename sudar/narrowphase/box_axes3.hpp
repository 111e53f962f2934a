// What:    The fifteen separating axes of two boxes, all at once: their gaps, the widest of them, and a sign that is
//          never wrong.
// Source:  Gottschalk, Lin, Manocha, "OBBTree", 1996. The difference of two boxes is a zonotope whose centre is the
//          translation t and whose generators are a_i e_i and b_j u_j (u_j the columns of the turn), so its facets have
//          the normals e_i, u_j × u_k and e_i × u_j, and along a normal n the gap is |n · t| - Σ |n · generator|.
// Differs: No early outs: the axes lie in five vectors of four lanes and cost less together than one wrong guess. The
//          turn is taken as it is written, not as if it were exactly a rotation: normals of B are cross products of its
//          columns. Axes of nearly parallel edges are left to whoever asks (`thin`): what plain doubles say of them is
//          noise.
// Frame:   A's; gaps are positive where the boxes are apart. Axis 0…2: faces of A, 3…5: faces of B, 6 + 3 i + j: edge i
//          of A with edge j of B.
// Fails:   never. Turns with an entry beyond kBoxTurnLimit give `unclear`.
#pragma once

#include <sudar/math/vec.hpp>
#include <sudar/narrowphase/placement.hpp>

#include <cstdint>

namespace sudar {

inline constexpr int kBoxAxes3 = 15;

enum class BoxSign : std::int8_t { overlap = -1, unclear = 0, apart = 1 };

// Proven by error bounds, or unclear
SUDAR_API BoxSign box_sign3(const Vec3d& half_a, const Vec3d& half_b, const Placement3& a_from_b);
SUDAR_API BoxSign box_sign3_plain(const Vec3d& half_a, const Vec3d& half_b, const Placement3& a_from_b);

// The widest gap among faces and among edge pairs, per unit of length. The same bits from both versions.
struct BoxScan3 {
  BoxSign sign = BoxSign::unclear;
  double face_gap = 0, edge_gap = 0;  // edge_gap is -infinity when no edge pair counts
  int face = 0, edge = -1;            // 0…5 as above; 3 i + j
  std::uint32_t thin = 0;             // bit 3 i + j: edges that are nearly parallel, but not parallel
  double size = 0;                    // |t| + |a| + |b|, sums of components: errors are relative to it

  friend bool operator==(const BoxScan3&, const BoxScan3&) = default;
};
// With `overlap_only`, boxes that are certainly apart get their sign and nothing else.
SUDAR_API BoxScan3 box_scan3(const Vec3d& half_a, const Vec3d& half_b, const Placement3& a_from_b,
                             bool overlap_only = false);
SUDAR_API BoxScan3 box_scan3_plain(const Vec3d& half_a, const Vec3d& half_b, const Placement3& a_from_b,
                                   bool overlap_only = false);

// Of the eight corners center ± g0 ± g1 ± g2 the one nearest to the box of these halves around the origin. Bit i of
// `corner` picks the plus of g_i.
struct NearestCorner3 {
  double distance_squared = 0;
  int corner = 0;

  friend bool operator==(const NearestCorner3&, const NearestCorner3&) = default;
};
SUDAR_API NearestCorner3 nearest_corner3(const Vec3d& center, const Mat3d& generators, const Vec3d& half);
SUDAR_API NearestCorner3 nearest_corner3_plain(const Vec3d& center, const Mat3d& generators, const Vec3d& half);

}  // namespace sudar
