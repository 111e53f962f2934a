// What:    Eight contacts of space side by side, as the kernels of the contact solver work on them, and the lines of
//          numbers that stand for the bodies meanwhile.
// Differs: Structure of arrays: every number has eight lanes, however wide the vectors are, so results do not depend on
//          their width. A lane without contact refers to a spare body that nothing moves.
// Frame:   A contact's own: the normal, then two tangents; forces and moments at the middle of its points.
#pragma once

#include <sudar/dynamics/contact_lanes.hpp>

#include <cstddef>
#include <cstdint>

namespace sudar {

struct alignas(64) BodyLine3 {
  double x[8];
};

// One line of each for every body, and for the spare one at the end
struct BodyLines3 {
  BodyLine3* velocity;      // linear, angular
  const BodyLine3* change;  // of position and of rotation (as a vector) since the start of the step
  const BodyLine3* weight;  // inverse mass; inverse inertia xx, yy, zz, xy, xz, yz
  const BodyLine3* place;   // position at the start of the step
};

struct ContactBundle3 {
  alignas(64) std::uint32_t a[kBundle];
  std::uint32_t b[kBundle];
  alignas(64) std::uint32_t points;  // most of any lane
  std::uint32_t moves_a, moves_b;    // bits of the lanes whose body can move
  std::uint32_t bounces;             // whether any lane has restitution
  Lanes8 normal[3], tangent[3], side[3];
  Lanes8 arm_a[3], arm_b[3];  // from the centres of mass to the middle of the points
  Lanes8 mass_a, mass_b, inertia_a[6], inertia_b[6];
  Lanes8 stiff;             // 1 against a body that cannot move, else 0
  Lanes8 friction, radius;  // of the patch: mean distance of the points from their middle
  Lanes8 slip_mass[3];      // inverse of the 2×2 of the tangents: 11, 12, 22
  Lanes8 twist_mass;        // about the normal
  Lanes8 twist_slip[2];     // what a unit of twist gives to the speeds along the tangents
  Lanes8 push[9];  // what units of the two frictions and the twist give to normal speed and turning about tangents
  Lanes8 slip[2], twist;       // impulses of friction
  Lanes8 along[4], across[4];  // the points from their middle, along tangent and side
  Lanes8 gap[4];               // separation at the start of the step
  Lanes8 mass[4], impulse[4];  // of the normal direction at each point
  Lanes8 own[4];               // what a unit at a point gives to its own normal speed
  Lanes8 couple[6];            // what a unit at one point gives to the normal speed at another: 01 02 03 12 13 23
  // For restitution only
  Lanes8 restitution, approach[4], most[4];  // speed before the step (negative: approaching), largest impulse
};

// What is written lane by lane before a bundle is prepared
struct BundleInput3 {
  Lanes8 normal[3], position[4][3], active[4], gap[4], impulse[4], slip[3], twist, friction, restitution, share, stiff;
};

// Kernels over bundles [begin, end). Those of one colour may run at once. `plain`: the scalar twin, same bits.
void prepare_contacts3(ContactBundle3* bundle, const BundleInput3& input, const BodyLines3& lines, double warm_start,
                       bool plain) noexcept;
void warm_start_contacts3(ContactBundle3* begin, ContactBundle3* end, const BodyLines3& lines, bool plain) noexcept;
void solve_contacts3(ContactBundle3* begin, ContactBundle3* end, const BodyLines3& lines, const ContactPass& pass,
                     bool plain) noexcept;
void bounce_contacts3(ContactBundle3* begin, ContactBundle3* end, const BodyLines3& lines, double threshold,
                      bool plain) noexcept;

}  // namespace sudar
