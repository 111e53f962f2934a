// What:    The tolerances of manifolds: what counts as a face that carries, and near what a point is named by it.
#pragma once

#include <sudar/math/tolerance.hpp>

namespace sudar {

// Cosine of the angle between a face and the plane of contact below which the face is no longer clipped. No unit. Used by
// manifold_clip2|3 and box_manifold3. Larger: a body that rocks on an edge keeps one point and falls over it late.
// Smaller: more points that lie beyond the margin are made and dropped.
inline constexpr double kManifoldLean = 0.96;

// How near to a corner or an edge a point is named by it, relative to the shortest side of the faces that meet. No unit.
// Points with the same name are one. Smaller: the names of bodies of the same size that stand on each other change with
// every drift. Larger: points that far inside vanish beside those at the rim.
inline constexpr double kManifoldSnap = 0x1p-6;

// How much farther out, as a share, a point must be to be chosen before one with a lower name. No unit. Smaller: the four
// points of a regular polygon change from step to step. Larger: a smaller part of the polygon is spanned.
inline constexpr double kManifoldChoice = 0x1p-5;

// How far apart the directions of two pieces may be for them to be one patch: square of the length of the difference of
// unit normals. No unit. Used by surface_manifolds3, chain_manifolds2
// and compound_manifolds. Larger: normals that far off. Smaller: more patches on curved ground.
inline constexpr double kManifoldSamePatch = 0x1p-8;

// Share of its area that a box's face must show along the normal for places on it to be found from those under it. No
// unit. Used by box_manifold3. Smaller: separations that many times less exact. Larger: only slower.
inline constexpr double kSteepFace = 0x1p-4;

// How far beside a contact another child of a compound is looked for, relative to the shapes. No unit. Used by
// compound_manifolds. Smaller: seams that are not quite level are felt. Larger: low steps are not.
inline constexpr double kSeamStep = 0x1p-12;

}  // namespace sudar
