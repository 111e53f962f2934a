// What:    The tolerances of distance fields and of the haptic probe, with their unit, who uses them and what breaks when
//          they are wrong; those of the other rooms are in math/tolerance.hpp.
#pragma once

#include <sudar/math/tolerance.hpp>

namespace sudar {

// Smallest cell of a grid, relative to its largest coordinate. No unit. Used by check_grid. Smaller: neighbouring samples
// fall on the same double, and columns of samples have no order.
inline constexpr double kGridCell = 0x1p-48;

// Narrowest band that a field may have, in cells: the diagonal of a cell, so that every cell that the surface passes has
// distances at all of its corners, and a brick that is not stored has one sign. Used by those who build fields. Smaller:
// zero crossings beside the band.
template <int D>
inline constexpr double kLeastBand = D == 2 ? 1.4142135623730952 : 1.7320508075688774;

// By how much the band is taken for narrower where bricks are counted before they are built, relative. No unit. Used by
// those who build fields. Smaller: a field at the limit is refused for the rounding of its values. Larger: one beyond it is
// built up to the limit before it is refused.
inline constexpr double kFieldStored = 0x1p-10;

// Value below which a place is taken for one on the surface, in cells; and the square of the gradient below which there is
// no way down, no unit. Used by DistanceField::closest. Smaller: only more steps. Larger: points that far off the surface.
inline constexpr double kFieldZero = 0x1p-20, kFieldFlat = 0x1p-10;

// Largest difference of neighbouring samples on one side of a surface, in cells: one, and the rounding of floats. Used by
// fields of surfaces with holes, to tell the mouth of a hole. Smaller: cells of a steep field that are taken for one.
// Larger: mouths that are not seen.
inline constexpr double kFieldJump = 1 + 0x1p-10;

// Cosine of the angle within which points of contact with a field count as touched in one direction: about eleven degrees,
// more than interpolated gradients are off on a smooth surface. No unit. Used by field_contacts. Larger: flat faces fall
// apart into patches. Smaller: the sides of a blunt edge are one.
inline constexpr double kFieldPatch = 0.98;

// How far a tree's bound on a distance is taken back before it counts, relative to the largest coordinate. No unit. Used by
// nearest triangles of samples. Smaller: the nearest triangle is passed over when another one is as near, up to rounding.
inline constexpr double kFieldTreeSlack = 16 * kRoundoff;

// Least sine of half the solid angle of a cap that is seen from within its plane. No unit. Used by SurfaceCaps, which knows
// the side exactly. Zero: a full turn is lost when the sum of angles rounds it away. Larger: winding numbers off by it.
inline constexpr double kCapSlant = 0x1p-48;

// Size of the complex number of a cap's solid angle, relative to the product of the distances, below which the place is on
// an edge of the cap. No unit. Used by SurfaceCaps. Smaller: winding numbers off by rounding over this. Larger: only slower.
inline constexpr double kCapEdge = 0x1p-30;

// Error of a sum of solid angles, in full turns: rounding over kCapEdge. Used by SurfaceCaps. Smaller: a sign that is taken
// from a neighbour although it is as near to a half as rounding. Larger: only slower.
inline constexpr double kWindingError = 0x1p-16;

// What far chains of caps may be off by together for the places of a brick, in full turns: where signs are clear, winding
// numbers are near to whole ones. Used by SurfaceCaps, which bounds it. Smaller: more chains are looked at from every
// sample. Larger: more samples that all chains are looked at from.
inline constexpr double kCapsLeftOut = 0.125;

// By how much the ball around a chain of caps is grown, relative to its radius: the rounding of distances. No unit. Smaller:
// bounds that are off by it. Larger: only slower.
inline constexpr double kCapSlack = 0x1p-20;

// Square of the sine between two planes, or of the volume of three unit normals, below which they do not fix a point
// together. No unit. Used by plane_projection. Smaller: points far off along planes that are nearly parallel.
inline constexpr double kPlanesParallel = 0x1p-40;

// How far rounding may move the haptic probe and its planes, relative to the largest coordinate and the radius. No unit.
// Smaller: the probe takes steps that are noise. Larger: it stops that far from where it could come to.
inline constexpr double kProbeSlack = 0x1p-40;

// Least radius of the probe on a mesh, relative to kProbeSlack times the largest coordinate. No unit. Smaller: rounding
// moves it by so much of its radius that it comes through sheets.
inline constexpr double kProbeLeast = 0x1p10;

// How far the probe is drawn at most before it looks for its planes again, relative to the distance to the nearest triangle
// times the radius in slacks. No unit. The direction of a plane is off by rounding, a small part of a slack, over that
// distance, and the ball by this times the way. Smaller: more rounds of very small probes. Larger: they come through sheets.
inline constexpr double kProbeStraight = 0x1p4;

// How near to a plane the probe touches it, relative to its radius; to the surface of a field, in cells. No unit. Smaller:
// contacts that come and go with rounding. Larger: friction in the air.
inline constexpr double kProbeTouch = 0x1p-24, kFieldTouch = 0x1p-16;

// Least way that a round of the probe looks ahead for, relative to its radius, while it keeps less planes than it can. No
// unit. Smaller: rounds that hardly move where many small triangles are around. Larger: more planes a round.
inline constexpr double kProbeStride = 0x1p-6;

// How far the probe looks ahead at least when it hardly moves, relative to its radius. No unit. Smaller: more rounds when it
// starts to move. Larger: more triangles a round.
inline constexpr double kProbeAhead = 0x1p-4;

// Comparisons of a triangle or a box with a plane, and what costs as much, that an update of the probe may make: a few
// nanoseconds each. Fewer: the probe lags on meshes with many triangles within its radius. More: updates that take longer
// than a millisecond.
inline constexpr int kProbeTests = 3 << 15;

}  // namespace sudar
