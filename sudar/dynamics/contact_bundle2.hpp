// What:    Eight contacts of the plane side by side, as the kernels of the contact solver work on them, and the lines of
//          numbers that stand for the bodies meanwhile. See contact_bundle3.hpp.
// Frame:   A contact's own: the normal, then the tangent, a quarter turn counterclockwise from it.
#pragma once

#include <sudar/dynamics/contact_lanes.hpp>

#include <cstddef>
#include <cstdint>

namespace sudar {

struct alignas(32) BodyLine2 {
  double x[4];
};

// One line of each for every body, and for the spare one at the end
struct BodyLines2 {
  BodyLine2* velocity;      // linear, angular
  const BodyLine2* change;  // of position and of angle since the start of the step
  const BodyLine2* weight;  // inverse mass, inverse inertia
  const BodyLine2* place;   // position at the start of the step
};

struct ContactBundle2 {
  alignas(64) std::uint32_t a[kBundle];
  std::uint32_t b[kBundle];
  alignas(64) std::uint32_t points;      // most of any lane
  std::uint32_t moves_a, moves_b;        // bits of the lanes whose body can move
  std::uint32_t bounces;                 // whether any lane has restitution
  Lanes8 normal[2], arm_a[2], arm_b[2];  // arms from the centres of mass to the middle of the points
  Lanes8 mass_a, mass_b, inertia_a, inertia_b;
  Lanes8 stiff;  // 1 against a body that cannot move, else 0
  Lanes8 friction;
  Lanes8 slip_mass;            // along the tangent
  Lanes8 push[2];              // what a unit of friction gives to normal speed and turning
  Lanes8 slip;                 // impulse of friction
  Lanes8 along[2];             // the points from their middle, along the tangent
  Lanes8 gap[2];               // separation at the start of the step
  Lanes8 mass[2], impulse[2];  // of the normal direction at each point
  Lanes8 own[2], couple;       // what a unit at a point gives to its own normal speed, and to that of the other
  // For restitution only
  Lanes8 restitution, approach[2], most[2];  // speed before the step (negative: approaching), largest impulse
};

// What is written lane by lane before a bundle is prepared
struct BundleInput2 {
  Lanes8 normal[2], position[2][2], active[2], gap[2], impulse[2], slip[2], friction, restitution, share, stiff;
};

// Kernels over bundles [begin, end). Those of one colour may run at once. `plain`: the scalar twin, same bits.
void prepare_contacts2(ContactBundle2* bundle, const BundleInput2& input, const BodyLines2& lines, double warm_start,
                       bool plain) noexcept;
void warm_start_contacts2(ContactBundle2* begin, ContactBundle2* end, const BodyLines2& lines, bool plain) noexcept;
void solve_contacts2(ContactBundle2* begin, ContactBundle2* end, const BodyLines2& lines, const ContactPass& pass,
                     bool plain) noexcept;
void bounce_contacts2(ContactBundle2* begin, ContactBundle2* end, const BodyLines2& lines, double threshold,
                      bool plain) noexcept;

}  // namespace sudar
