// What:    How the vertices and edges of every convex shape of the plane are numbered, and the part of a shape that faces
//          a direction: a corner or an edge.
// Frame:   The shape's.
// Fails:   never; chains, polygons that are not convex and compounds have the features of their parts.
//
// | shape          | vertices                       | edges                            | faces |
// | point          | 0                              |                                  |       |
// | segment        | 0, 1: its ends                 | 0: right of the way there, 1     |       |
// | circle, custom |                                |                                  | 0     |
// | capsule        | 0, 1: the round ends           | 0: right of the way there, 1     |       |
// | box            | 0…3 from the low corner, ccw   | i: from vertex i to the next     |       |
// | polygon        | as ConvexBody2's               | i: from vertex i to the next     |       |
// | half-plane     |                                | 0                                |       |
#pragma once

#include <sudar/narrowphase/contact.hpp>
#include <sudar/shapes/shape2.hpp>

namespace sudar {

// One point or a segment
struct Patch2 {
  Vec2d points[2];
  Feature corners[2], inside;
  int count = 1;
  Vec2d normal{};          // of a segment or of the half-plane
  bool faces = false;      // perpendicular to the direction, up to kContactTilt
  bool unbounded = false;  // a half-plane: one point of its line, and no ends
  double radius = 0;       // around the patch
};

// The part of a convex shape that reaches farthest along the unit direction; with `widest`, the edge there that comes
// nearest to being perpendicular to it. `witness`, a point of the boundary there, is the answer for smooth shapes.
SUDAR_API Patch2 patch_towards(const Shape2& shape, const Vec2d& direction, const Vec2d& witness, bool widest);

}  // namespace sudar
