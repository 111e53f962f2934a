// What:    Every tolerance of the library, with its unit, who uses it and what breaks when it is wrong.
// Differs: Decisions on the ground floor (hulls, triangulations, point tests) are exact. What they have here are error
//          bounds of filters: a bound that is too large costs time, never a wrong answer.
#pragma once

#include <sudar/core/config.hpp>

#include <limits>

namespace sudar {

// Rounding unit of double: half the distance from 1 to the next number. No unit.
inline constexpr double kRoundoff = std::numeric_limits<double>::epsilon() / 2;

// Error of a determinant in plain doubles, relative to the largest its terms can be for points of one box. No unit.
// Shewchuk's first-stage constants (3, 7, 10, 16) and the rounding of the bound itself. Used by the Delaunay
// triangulations to skip the exact predicates. Too small: wrong signs, broken triangulations. Too large: only slower.
inline constexpr double kOrient2dStaticError = 4 * kRoundoff;
inline constexpr double kOrient3dStaticError = 8 * kRoundoff;
inline constexpr double kIncircleStaticError = 12 * kRoundoff;
inline constexpr double kInsphereStaticError = 18 * kRoundoff;

// Rounding of a point taken through a pose, relative to the sum of its coordinates' sizes and the translation. No unit.
// Used by boxes, k-DOPs and capsules under a pose. Too small: a box that was meant to contain its body under rotation
// misses it by a rounding error. Too large: only looser boxes.
template <class T>
inline constexpr T kPoseSlack = 16 * std::numeric_limits<T>::epsilon();

// Relative growth of a radius that was measured as the largest rounded distance, which is at most 4.5 roundings off. No
// unit. Used by every sphere, capsule and cylinder fit. Smaller than that: a point may lie outside of its fit by one
// rounding. Larger: only looser.
inline constexpr double kRadiusSlack = 8 * kRoundoff;

// How far the square of a distance may pass the square of a radius before a point counts as outside while the smallest
// sphere is searched, relative. No unit. Used by smallest_sphere and welzl_sphere. Below about 8 roundings: cospherical
// points are taken for progress and the search goes on until its limit. Larger: a radius that much above the smallest.
inline constexpr double kSphereProgress = 32 * kRoundoff;

// Height of a point over the flat of the other support points, relative to its distance from the first, below which it
// counts as lying in the flat. No unit. Used by the sphere fits. A support set that flat has a smaller one whose sphere
// covers it up to the square of this. Much smaller: the centre of a flat set is noise, off by rounding over this
// number.
inline constexpr double kSupportHeight = 0x1p-26;

// Rounding of a point's height over the plane of three others, all in the unit cube, per unit of the three's extent.
// Used by the hulls and their check as a filter: what is nearer to zero is decided by the exact orient3d. Too small: a
// wrong hull. Too large: only more exact tests. The sum of the rounding errors is 264 units (geom/hull3_build.hpp).
inline constexpr double kHullFilter = 320 * kRoundoff;

// How far a hull's vertex may lie in front of the rounded plane of a face it does not belong to, relative to the
// largest coordinate: rounding of the unit normal times the diameter. No unit. Nothing in the library decides by it; a
// caller who uses the planes as half-spaces without it may find a vertex outside of its own hull.
inline constexpr double kHullPlaneSlack = 0x1p-40;

// Height of a triangle over its longest edge below which its normal is rounding noise. No unit.
// geom/segment_triangle.hpp: smaller, and (u, v) of slivers are garbage; larger, and thin but honest triangles are
// refused.
template <class T>
inline constexpr T kFlatTriangle = 16 * std::numeric_limits<T>::epsilon();

// Sine of the angle between a segment and a plane below which they count as parallel. No unit.
// geom/segment_triangle.hpp: smaller, and t is noise; larger, and grazing hits are lost to "coplanar".
template <class T>
inline constexpr T kParallelToPlane = 16 * std::numeric_limits<T>::epsilon();

// Sine of the angle between two segments below which the crossing point of their lines is not trusted alone and the
// ends are looked at too: the root of the rounding unit. No unit. geom/closest.hpp: smaller, and nearly parallel
// segments get a distance that is too long; larger costs time only.
template <class T>
inline constexpr T kParallelSegments = T(1) / (1 << (std::numeric_limits<T>::digits / 2));

// Error of the sum of two products of two differences in plain doubles (four roundings and the bound's own), relative
// to the sizes of the products. No unit. Used by rotating calipers to skip exact numbers. Too small: a caliper stops
// one vertex early and a rectangle is not the smallest. Too large: only slower.
inline constexpr double kDotSignError = 8 * kRoundoff;

// Smallest turn, and smallest relative gain, that the search for a small box still tries. Radians. Used by
// smallest_box. Larger: boxes that much from a minimum. Smaller: only slower.
inline constexpr double kBoxTurn = 0x1p-30;

// Distance from a plane within which a vertex of a convex body counts as on it, relative to the body's largest
// coordinate. No unit. Used by ConvexClipper. Below about 8 roundings: vertices that three cuts should share come out
// as clusters with edges of rounding size. Larger: corners that much off, and volumes with them.
inline constexpr double kClipSlack = 64 * kRoundoff;

// Terms of a triangle's area over the area itself, up to which its circumcentre is computed in plain doubles. No unit.
// Used by circumcenter. Larger: centres off by that many roundings of the radius. Smaller: only slower.
inline constexpr double kCircumcenterCondition = 8;

// Rounding of a scalar product of two differences, and of the side plane of a face, relative to the product of the
// largest components of their vectors. No unit. Used by region_signs.hpp as filters in front of exact integers; the sums
// of the rounding errors are 15 and 216 units. Too small: a point in two regions or in none. Too large: only slower.
inline constexpr double kAlongFilter = 24 * kRoundoff;
inline constexpr double kInsideEdgeFilter = 256 * kRoundoff;

// Size of a determinant, relative to its largest terms, above which plain doubles give it to 2^-32. No unit.
// Used where triangles cross, for the place on an edge; below it exact integers are used. Smaller: points of
// intersection off by more. Larger: only slower.
inline constexpr double kSureVolume = 0x1p-14;

// Rounding of the separating-axis tests of a box and a triangle: per unit of the largest coordinate times the longest
// edge, and times its square for the triangle's normal. No unit. Used by box_triangle as a filter; the sums of the
// rounding errors are below 30 and 60 units. Too small: a wrong yes or no. Too large: only slower.
inline constexpr double kBoxEdgeAxisError = 48 * kRoundoff, kBoxNormalAxisError = 96 * kRoundoff;

// Rounding of the closest points of two triangles, relative to the largest coordinate in play. No unit. Used by the
// distance of meshes for its bounds. Too small: a truth outside of the bounds. Too large: only wider bounds.
inline constexpr double kMeshDistanceSlack = 64 * kRoundoff;

// How far, as a sine, a contact's normal may lean out of the directions that belong to its edge or corner of a mesh
// before it is turned back. No unit. Used at internal edges. Smaller: rounding alone turns normals, harmlessly. Larger:
// bodies that slide over flat ground feel its edges.
inline constexpr double kNormalLean = 0x1p-20;

// The search for the depth of bodies that are not convex (narrowphase/depth_search.hpp). No unit.
// kDepthSearchGap: the clearance that the walk keeps, and the progress below which it ends, relative to the translation.
// Smaller: normals between pieces that nearly touch are noise. Larger: a depth that much too large.
// kDepthBracket: the width of a bracket that counts as closed, relative to the depth.
inline constexpr double kDepthSearchGap = 0x1p-24, kDepthBracket = 0x1p-20;

// Simplifying meshes (geom/mesh_simplify.hpp). No unit. kQuadricDeterminant: determinant of a quadric, relative to the cube
// of its trace, above which its lowest point is looked for in space; smaller: vertices that fly off in flat places; larger:
// rounder corners. kQuadricTurn: cosine by which a triangle may turn when an edge is drawn together; smaller: folds.
inline constexpr double kQuadricDeterminant = 0x1p-30, kQuadricTurn = 0.2;

// Accuracy to which the errors of levels of detail are measured, relative to the size of the body. No unit. Used by
// narrowphase/levels. Smaller: slower to build. Larger: bounds that much wider, which stay proven.
inline constexpr double kLevelAccuracy = 0x1p-9;

// Largest coordinate of a shape's vertices, and its largest and smallest size. Metres. Used by the makers of shapes.
// Beyond them the sixth powers that the narrow phase multiplies leave the range of double, and answers become infinite
// or zero.
inline constexpr double kMaxShapeSize = 0x1p60, kMinShapeSize = 0x1p-60;

// Bounds of the box–box filter, relative to |t| + |a| + |b| (sums of components) of two boxes. No unit. Used by
// narrowphase/box_axes3 and box_box3. kBoxApart: the sum of the rounding errors of a gap is below 64 roundings while no
// entry of the turn is beyond kBoxTurnLimit, and kBoxUnderflow covers products that underflow. kBoxParallel: entries of
// the turn that small may be taken for zero when every other axis overlaps by 32 times that, kBoxOverlap (the zonotope
// moves by 2 of these, the gaps by 13, the normals by 4). Too small: wrong answers. Too large: only slower.
inline constexpr double kBoxApart = 80 * kRoundoff;
inline constexpr double kBoxUnderflow = 0x1p-900;
inline constexpr double kBoxTurnLimit = 1 + 0x1p-10;
inline constexpr double kBoxParallel = 0x1p-44;
inline constexpr double kBoxOverlap = 32 * kBoxParallel;

// Sine of the angle between two edges below which the axis of the pair is computed in twice the precision. No unit.
// Used by box_box3. Larger: only slower. Smaller: depths off by rounding over this number.
inline constexpr double kBoxThin = 0x1p-6;

// How much wider than every face gap an edge gap must be for the edges to give the normal, and how far witness points
// may be apart from a proven gap to be taken for the closest, relative as above. No unit. Used by box_box3. The first
// smaller than rounding: the normal of boxes in line flickers between a face and its edges; larger: depths that much
// too large. The second smaller: only slower; larger: distances that much too long.
// kBoxOver: how far beside a face a corner may be to be taken as over it. Below rounding: only slower; larger: witness
// points that far off.
inline constexpr double kBoxFacePreference = 0x1p-44;

// Size of a gap between boxes, relative to the boxes, below which it is computed again with twice the precision. No unit.
// Used by box_box3. Smaller: shallow depths of large boxes keep the rounding of the boxes' size. Larger: only slower.
inline constexpr double kBoxFineGap = 0x1p-24;
inline constexpr double kBoxCertificate = 0x1p-42;
inline constexpr double kBoxOver = 16 * kRoundoff;

// Bounds of separating axes in doubles, relative to the sizes of the two sets and their translation. No unit. Used by
// narrowphase/sat2 and sat3. kSatError: rounding of a gap along a unit axis (below 40 roundings). Too small: a gap that
// is not there; too large: only more pairs for exact arithmetic. kSatParallel: sine between two edges below which their
// cross product is no axis; larger: depths too large by that much of the size; smaller: noise that is looked at in vain.
// kSatFacePreference: how much wider the gap of an edge pair must be than that of a face; see kBoxFacePreference.
inline constexpr double kSatError = 64 * kRoundoff;
inline constexpr double kSatParallel = 0x1p-46;
inline constexpr double kSatFacePreference = 0x1p-44;

// Distance of two cores (points, segments, triangles) below which its direction is rounding noise, relative to the
// coordinates, and a direction square to both is taken instead. No unit. Used by the closed forms of primitives.
// Smaller: the normal of two capsules whose axes cross points anywhere. Larger: depths off by this much.
inline constexpr double kCoreTouch = 128 * kRoundoff;

// Error of the closed forms of primitives, relative to the sizes of both shapes and the distance between their origins:
// what `lower` and `upper` leave around the separation. No unit. Too small: a certificate that is not one. Too large:
// only wider. The closest points of segments and triangles are the worst, at some 20 roundings.
inline constexpr double kClosedFormError = 64 * kRoundoff;

// Distance from zero, relative to its terms, below which the separation of two spheres is computed again from squares of
// twice the precision. No unit. Used by sphere–sphere. Smaller: signs of touching spheres decided by rounding. Larger:
// only slower.
inline constexpr double kSphereRecheck = 0x1p-20;

// Rounding of a point of the difference of two placed shapes, and of the least product of a direction with such points,
// relative to the largest coordinate that takes part (and the direction's 1-norm). No unit. Used by the narrow phase to
// tell proofs from rounding; the sums of the rounding errors are 6 and 24 units. Too small: a touching pair is called
// apart. Too large: only more exact arithmetic.
inline constexpr double kDifferenceRounding = 8 * kRoundoff, kSupportRounding = 32 * kRoundoff;

// Errors of a point of the difference below which the distance of a simplex from the origin is rounding. No unit. Used
// by GJK, which then stops and leaves the sign to exact arithmetic. Much smaller: iterations on noise. Larger: only more
// exact arithmetic.
inline constexpr double kNoiseErrors = 4;

// Sine of the angle between two edges of a triangle of the difference below which it counts as a segment. No unit. Used
// by GJK. Smaller: normals that are noise, and more iterations. Larger: distances off by that much of an edge.
inline constexpr double kFlatSimplex = 0x1p-45;

// Gap between the bounds at which the depth of curved shapes is taken for found, relative to the sizes. No unit. Used by
// EPA. Larger: depths that much too large. Smaller: more faces, until their normals are noise at about 1e-12.
inline constexpr double kCurvedDepthGap = 1e-10;

// Contact sets, used by narrowphase/features2|3, contact_set2|3 and manifold. No unit. kContactTilt: sine of the angle to
// the plane of contact below which an edge or face takes part as a whole; larger: points that do not touch; smaller: a
// resting box stands on one corner. kContactMerge: distance below which points are one, relative to the patches; below
// rounding: a corner over an edge comes out as three points; larger: short edges vanish. kContactMiss: how much less deep
// than the decision the points may be, relative as above, before its witness points replace them.
// kContactHair: how far beyond touching two bodies are moved apart before their contacts are looked for, relative to their
// size. Smaller: normals between pieces that touch are noise. Larger: contacts that far off.
inline constexpr double kContactHair = 0x1p-32;
inline constexpr double kContactTilt = 0x1p-10;
inline constexpr double kContactMerge = 0x1p-34;
inline constexpr double kContactMiss = 0x1p-20;

// Bounds of the filter over many pairs of boxes, relative to the sizes of both boxes and their distances from the middle of
// all. No unit. Used by narrowphase/box_batch3. kBatchError: the rounding of records (4 units an entry) and of the gaps
// sums to less than 192 units. kBatchParallel: as kBoxParallel. Too small: wrong answers. Too large: only slower.
template <class T>
inline constexpr T kBatchError = 128 * std::numeric_limits<T>::epsilon();
template <class T>
inline constexpr T kBatchParallel = T(1) / (1 << 14);
template <>
inline constexpr double kBatchParallel<double> = 0x1p-36;

// Distance of a sphere's centre from a capsule's axis, relative to the coordinates, above which its direction is good to
// about 1e-12 without more care. No unit. Used by sphere_capsule3. Smaller: normals that rounding has turned. Larger: only
// slower.
inline constexpr double kRodClear = 0x1p-12;

}  // namespace sudar
