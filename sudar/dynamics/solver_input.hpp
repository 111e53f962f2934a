// What:    What the contact solver takes beside bodies: contacts with their points, the impulses of the step before, and
//          the settings of a step.
// Frame:   World. The normal points from A to B; separation is negative where they overlap. Impulses act on B, and the
//          opposite on A. Metres, seconds, newton seconds.
#pragma once

#include <sudar/core/parallel.hpp>
#include <sudar/math/vec.hpp>

#include <cstdint>

namespace sudar {

// At most 2 points in the plane, 4 in space
template <int D>
inline constexpr std::uint32_t kMaxContactPoints = D == 2 ? 2 : 4;

template <int D>
struct ContactInput {
  std::uint32_t a = 0, b = 0;          // indices of bodies, not the same
  std::uint32_t first = 0, count = 0;  // its points, in the array of points
  Vec<D, double> normal{};             // unit
  double friction = 0;                 // Coulomb's coefficient of the pair, ≥ 0; above kMostFriction it is that
  double restitution = 0;              // ≥ 0; 1 gives back all speed along the normal
};
using ContactInput2 = ContactInput<2>;
using ContactInput3 = ContactInput<3>;

template <int D>
struct ContactPointInput {
  Vec<D, double> position{};  // halfway between the two surfaces
  double separation = 0;      // positive: not touching yet, and kept from passing it within a substep (speculative)
};
using ContactPointInput2 = ContactPointInput<2>;
using ContactPointInput3 = ContactPointInput<3>;

// What one point carried in the last substep of a step: goes in as the guess (zero for a new point), comes out as the
// answer. Friction acts once a contact, at the middle of its points; it is written in shares to the points and read back as
// their sum, so a caller matches points only.
template <int D>
struct PointImpulse {
  double normal = 0;
  Vec<D, double> friction{};
  double twist = 0;  // about the normal, newton metre seconds; space only
};
using PointImpulse2 = PointImpulse<2>;
using PointImpulse3 = PointImpulse<3>;

struct SolverSettings {
  double dt = 1.0 / 60;
  int substeps = 5;
  int relax = 1;  // passes without push after each substep's move; 0 keeps the speed that pushing apart has given
  // Contacts are springs this stiff, and no stiffer than a fifth of the substeps a second allow; twice as stiff against a
  // body that cannot move. Hertz, and the ratio to critical damping.
  double contact_hertz = 50, contact_damping = 10;
  // Metres: overlaps deeper than this meet springs that harden, and at twice this depth nothing yields; 0: never. What lies
  // at the bottom of a pile is no deeper, and what carries little stays soft and calm.
  double firm_depth = 0.004;
  double push_speed = 3;                       // metres a second: the fastest that overlapping bodies are pushed apart
  double restitution_threshold = 1;            // metres a second: slower impacts do not bounce
  double joint_hertz = 60, joint_damping = 2;  // of the locked parts of joints
  double warm_start = 1;  // share of the given impulses to begin with: this dt over the last one's; 0 begins cold
  Executor* executor = nullptr;  // null: the serial one. The result is the same for every one.
  bool plain = false;            // the scalar twin of the SIMD kernels: same bits, for comparison
};

struct SolverStats {
  std::uint32_t contacts = 0, points = 0, joints = 0;
  std::uint32_t contact_colours = 0, joint_colours = 0;
  std::uint32_t bundles = 0;  // of eight contacts, some not full
};

}  // namespace sudar
