// What:    How the vertices, edges and faces of every convex shape are numbered, and the part of a shape that faces a
//          direction: a corner, an edge or a face, with the numbers of everything on its rim.
// Differs: Curved rims are sampled where a polygon is needed: kRimSamples points at fixed angles, so that their numbers
//          stay, and the point that reaches farthest, so that nothing deeper is lost.
// Frame:   The shape's.
// Fails:   never; meshes, height fields and compounds have the features of their parts.
//
// | shape               | vertices                        | edges (Feature::index)          | faces                      |
// | point               | 0                               |                                 |                            |
// | segment             | 0, 1: its ends                  | 0                               |                            |
// | triangle            | 0, 1, 2                         | i: from vertex i to the next    | 0: seen counterclockwise, 1|
// | sphere, ellipsoid   |                                 |                                 | 0                          |
// | capsule             | 0, 1: the round ends            | 0: the side                     |                            |
// | box                 | bit i: high side of axis i      | lower half-edge of the two      | 2 i + (high side of axis i)|
// | cylinder            | samples: 0…7 top, 8…15 bottom   | 0: top rim, 1: bottom rim       | 0: side, 1: top, 2: bottom |
// | cone                | 8: apex, samples 0…7 of the rim | 0: rim                          | 0: side, 1: base           |
// | hull                | as ConvexBody3's                | lower half-edge of the two      | as Hull3's                 |
// | custom, half-space  |                                 |                                 | 0                          |
#pragma once

#include <sudar/narrowphase/contact.hpp>
#include <sudar/narrowphase/stack_list.hpp>
#include <sudar/shapes/shape3.hpp>

namespace sudar {

inline constexpr std::uint32_t kRimSamples = 8;

// One point, two (a segment), or a convex polygon, counterclockwise from outside
struct Patch3 {
  StackList<Vec3d, 12> points;
  StackList<Feature, 12> corners, sides;  // of each point, of the side from each to the next
  Feature inside;                         // of what lies between: the face, or the edge
  Vec3d normal{};                         // of a polygon or of the half-space
  bool faces = false;                     // perpendicular to the direction, up to kContactTilt
  bool unbounded = false;                 // a half-space: one point of its plane, and no rim
  double radius = 0;                      // around the patch

  bool is_polygon() const { return points.size() > 2; }
};

enum class PatchWish : std::uint8_t {
  touching,  // what is perpendicular to the direction, within kContactTilt
  widest,    // the face that comes nearest to that, for clipping against another shape's face
};

// The part of a convex shape (Shape3::is_convex) that reaches farthest along the unit direction. `witness`, a point of
// the surface there, is the answer for smooth shapes, and chooses among edges.
SUDAR_API Patch3 patch_towards(const Shape3& shape, const Vec3d& direction, const Vec3d& witness, PatchWish wish);

}  // namespace sudar
