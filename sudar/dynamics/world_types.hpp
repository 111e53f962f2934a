// What:    What a world takes in and gives out: ids, options, inputs, events, statistics, and the body as it keeps it.
// Frame:   The world's: metres, kilograms, seconds, radians.
#pragma once

#include <sudar/core/handle.hpp>
#include <sudar/core/stats.hpp>
#include <sudar/dynamics/body.hpp>
#include <sudar/dynamics/contact_solver2.hpp>
#include <sudar/dynamics/contact_solver3.hpp>
#include <sudar/scene/scene_types.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace sudar {

// A body is an object of the world's scene, with the same id
template <int D>
using BodyId = ObjectId<D>;
template <int D>
struct WorldJointTag {};
template <int D>
using JointId = Handle<WorldJointTag<D>>;
template <int D>
using JointOf = std::conditional_t<D == 2, Joint2, Joint3>;
template <int D>
using ContactSolverOf = std::conditional_t<D == 2, ContactSolver2, ContactSolver3>;

// As the world keeps a body
template <int D>
struct WorldBody {
  RigidState<D> state{};      // of kinematic and fixed bodies without momenta
  BodyMass<D> mass{};         // of the dynamic body that it is, was or will be; its centre counts for every kind
  Vec<D, double> velocity{};  // given, of a kinematic body; a dynamic one has its momentum
  Angular<D> angular_velocity{};
  Wrench<D> wrench{};  // forces since the last step
  double density = 0;
  Material material{};
  double linear_damping = 0, angular_damping = 0, gravity_scale = 1;
  double radius = 0;  // no point of the shape is farther from its origin
  // Half of what it is thick; the share of it that a slow body moves in a step is in world_tolerance.hpp
  double thickness = 0;
  Vec<D, double> rest_position{};  // where it was when it began to be still
  Rot<D, double> rest_rotation{};
  double still_for = 0;  // seconds; beside the flags, because every step reads both of every body
  BodyKind kind = BodyKind::fixed;
  bool used = false, bullet = false, sensor = false, fixed_rotation = false, can_sleep = true, asleep = false;
  bool weighed = false;  // `mass` is known: fixed and kinematic bodies are weighed when they become dynamic

  bool is_dynamic() const { return used && kind == BodyKind::dynamic; }
  bool is_kinematic() const { return used && kind == BodyKind::kinematic; }
  bool is_awake() const { return is_dynamic() && !asleep; }
};

template <int D>
struct WorldJoint {
  BodyId<D> a{}, b{};
  JointOf<D> joint{};
  bool collide = false;  // the two may touch each other
};

template <int D>
Vec<D, double> standard_gravity() {
  Vec<D, double> g{};
  g[D - 1] = -9.81;
  return g;
}

// Sizes are for bodies of 0.1 to 10 metres
template <int D>
struct WorldOptions {
  Vec<D, double> gravity = standard_gravity<D>();  // along the last axis
  std::string_view broadphase = "adaptive";
  double margin = 0.02;  // contacts are known to the solver from this separation on
  int substeps = 5;
  double max_dt = 1.0 / 20;    // a longer step is cut to this: slow motion instead of tunnelling (seed E9)
  double fixed_dt = 1.0 / 60;  // of run(), and the most of them in one call; time beyond them is dropped
  int max_steps = 4;
  bool sleeping = true;
  double sleep_speed = 0.05, sleep_time = 0.5;  // metres a second on average, of the centre and of the ends; seconds
  // Pairs of two that sleep, or of one and something fixed, are kept apart from what a step looks at. Changes no result.
  bool rest_apart = true;
  bool continuous = true;  // false lets fast bodies through: to compare with (seed A11)
  Integrator integrator = Integrator::semi_implicit_euler;  // of bodies that nothing touches
  bool hash_steps = false;  // stats().hash after every step; state_hash() can be asked at any time
  double contact_hertz = 50, contact_damping = 10, push_speed = 3, restitution_threshold = 1;
  int relax = 1;
  Executor* executor = nullptr;  // serial when null. Changes no result.
};

enum class InputKind : std::uint8_t {
  step,                  // value: dt
  add_body,              // index into a recording's bodies
  remove_body,           // body
  add_joint,             // index into a recording's joints
  remove_joint,          // joint
  set_pose,              // body, pose
  set_velocity,          // body, vector
  set_angular_velocity,  // body, angular
  move_to,               // body (kinematic), pose, value: seconds
  force,                 // body, vector, point
  central_force,         // body, vector
  torque,                // body, angular
  impulse,               // body, vector, point
  angular_impulse,       // body, angular
  set_kind,              // body, value: BodyKind
  set_awake,             // body, value: 0 or 1
  set_bullet,            // body, value: 0 or 1
  set_sensor,            // body, value: 0 or 1
  set_material,          // body, vector: friction, restitution
  set_damping,           // body, vector: linear, angular
  set_gravity_scale,     // body, value
  set_filter,            // body, filter
  set_gravity,           // vector
  set_slide,             // joint, drive
  set_hinge,             // joint, drive
};
SUDAR_API std::string_view to_string(InputKind kind) noexcept;

// One call of a world's doors as a value: what recordings are made of
template <int D>
struct WorldInput {
  InputKind kind = InputKind::step;
  BodyId<D> body{};
  JointId<D> joint{};
  Vec<D, double> vector{}, point{};
  Angular<D> angular{};
  Pose<D, double> pose{};
  double value = 0;
  std::uint32_t index = 0;
  Filter filter{};
  JointDrive drive{};
};

enum class WorldEventKind : std::uint8_t {
  taken_out,      // a: its state was not finite any more, or beyond the world's ends; it and its joints are gone
  fell_asleep,    // a
  woke_up,        // a
  fast_hit,       // a was stopped at `time` by b
  sensor_passed,  // a went through the sensor b between two steps, or b over a, first touching at `time`
  hit,            // a and b came together in this step and pushed each other: point, normal from a to b, speed
};
SUDAR_API std::string_view to_string(WorldEventKind kind) noexcept;

// What touches where a step begins is an event of the scene (geometry). Who bounces may touch within a step only: that is
// a hit.
template <int D>
struct WorldEvent {
  WorldEventKind kind = WorldEventKind::taken_out;
  BodyId<D> a{}, b{};
  double time = 0;   // seconds into the step
  double speed = 0;  // of a hit: how fast the two came together there, metres a second
  Vec<D, double> point{}, normal{};

  friend bool operator==(const WorldEvent&, const WorldEvent&) = default;
};

struct WorldStats {
  StepStats stages;
  SolverStats solver;
  std::uint64_t steps = 0;
  std::uint32_t bodies = 0, awake = 0, islands = 0, free = 0;  // free: awake and touched by nothing
  std::uint32_t fast = 0, fast_hits = 0;
  // Bodies whose islands were looked for, and contacts of which at least one body is awake: what sleeps undisturbed, and
  // hangs on nothing that is disturbed, is in neither
  std::uint32_t island_bodies = 0, awake_contacts = 0;
  std::uint64_t hash = 0;  // with hash_steps
};

}  // namespace sudar
