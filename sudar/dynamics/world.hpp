// What:    A world of rigid bodies over a collision scene: bodies, joints, forces, steps, events, snapshots.
// Source:  seeds D1 (state), E9 (fixed and variable steps, slow motion); the step is in step.cpp, on one page.
// Differs: The state after a step is the same bits for every broad phase, thread count and instruction set. A body whose
//          state is not finite any more is taken out and told by an event; the rest goes on.
// Frame:   The world's: metres, kilograms, seconds, radians. Poses of bodies are those of their shapes' frames, velocities
//          those of their centres of mass.
// Threads: one call at a time; step() works on the threads of the executor.
// Fails:   unknown_id with the index of a body or joint that is not there; non_finite; invalid_argument (what the doors
//          say); too_large (places of bodies and of their centres of mass beyond kWorldEnd, what check() of joints says,
//          impulses that a joint begins with and that throw a body out); degenerate (a dynamic body without
//          mass, a rotation of length zero); unsupported (a dynamic half-space); out_of_memory. A door that fails has
//          changed nothing, but for a step whose memory ran out.
#pragma once

#include <sudar/dynamics/ccd_pass.hpp>
#include <sudar/dynamics/contact_cache.hpp>
#include <sudar/dynamics/islands.hpp>
#include <sudar/dynamics/rest_impulses.hpp>
#include <sudar/dynamics/world_types.hpp>
#include <sudar/scene/scene.hpp>

#include <memory>
#include <span>
#include <vector>

namespace sudar {

// Everything that the next step depends on, beside the scene
template <int D>
struct WorldData {
  std::vector<WorldBody<D>> bodies;  // by index of the scene's objects
  HandlePool<WorldJoint<D>, WorldJointTag<D>> joints;
  std::vector<PointImpulse<D>> impulses;  // of the scene's points; in a running world without those that rest
  Vec<D, double> gravity{};
  double last_dt = 0, time = 0;
  double waiting = 0;  // of run(): time that is less than a step
  std::uint64_t steps = 0;
};

// A world as it was
template <int D>
struct WorldSnapshot {
  SceneSnapshot<D> scene;
  WorldData<D> data;
};

// What run() did with the time it was given
struct RunReport {
  int steps = 0;
  double simulated = 0, dropped = 0;  // seconds
  double rest = 0;                    // what waits for the next call, as a share of a step: for drawing in between
};

template <int D>
struct WorldRecording;

template <int D>
class SUDAR_API World {
 public:
  using V = Vec<D, double>;
  using Body = BodyId<D>;

  static Result<World> make(const WorldOptions<D>& options = {});
  World(World&&) noexcept = default;
  World& operator=(World&&) noexcept = default;

  Result<Body> add_body(const BodySpec<D>& spec);
  Result<void> remove_body(Body body) { return apply({.kind = InputKind::remove_body, .body = body}); }
  // Frames relative to the centres of mass, not beyond kMaxShapeSize, whose rotations are brought to unit length;
  // make_joint() makes one from a frame in the world. `collide`: the two bodies may touch each other. The indices in
  // `joint` are the world's own. What a joint cannot have: check() of joints, and impulses each of which would give a
  // dynamic body of the two more than kFastestBody, metres or radians a second.
  Result<JointId<D>> add_joint(Body a, Body b, const JointOf<D>& joint, bool collide = false);
  Result<void> remove_joint(JointId<D> joint) { return apply({.kind = InputKind::remove_joint, .joint = joint}); }
  // At rest where the two bodies are now
  Result<JointOf<D>> make_joint(JointKind kind, Body a, Body b, const Pose<D, double>& frame) const;
  Result<JointOf<D>> make_distance_joint(Body a, Body b, const V& anchor_a, const V& anchor_b) const;

  // One step. Longer ones than max_dt are cut to it; the answer is how much time has passed.
  Result<double> step(double dt);
  // Steps of fixed_dt for the time that has passed; what is left waits for the next call, what is too much is dropped
  Result<RunReport> run(double elapsed);

  // Every change but new bodies and joints, as a value. The doors below are short for it.
  Result<void> apply(const WorldInput<D>& input);
  // A jump: contacts begin anew
  Result<void> set_pose(Body body, const Pose<D, double>& pose) {
    return apply({.kind = InputKind::set_pose, .body = body, .pose = pose});
  }
  Result<void> set_velocity(Body body, const V& velocity) {
    return apply({.kind = InputKind::set_velocity, .body = body, .vector = velocity});
  }
  Result<void> set_angular_velocity(Body body, const Angular<D>& angular) {
    return apply({.kind = InputKind::set_angular_velocity, .body = body, .angular = angular});
  }
  // Gives a kinematic body the velocities that take it there in that time
  Result<void> move_to(Body body, const Pose<D, double>& pose, double seconds) {
    return apply({.kind = InputKind::move_to, .body = body, .pose = pose, .value = seconds});
  }
  // Forces act in the next step, impulses at once; both wake the body. Points are in the world.
  Result<void> apply_force(Body body, const V& force, const V& point) {
    return apply({.kind = InputKind::force, .body = body, .vector = force, .point = point});
  }
  Result<void> apply_force(Body body, const V& force) {
    return apply({.kind = InputKind::central_force, .body = body, .vector = force});
  }
  Result<void> apply_torque(Body body, const Angular<D>& torque) {
    return apply({.kind = InputKind::torque, .body = body, .angular = torque});
  }
  Result<void> apply_impulse(Body body, const V& impulse, const V& point) {
    return apply({.kind = InputKind::impulse, .body = body, .vector = impulse, .point = point});
  }
  Result<void> apply_angular_impulse(Body body, const Angular<D>& impulse) {
    return apply({.kind = InputKind::angular_impulse, .body = body, .angular = impulse});
  }
  Result<void> set_kind(Body body, BodyKind kind) {
    return apply({.kind = InputKind::set_kind, .body = body, .value = static_cast<double>(kind)});
  }
  Result<void> set_awake(Body body, bool awake) {
    return apply({.kind = InputKind::set_awake, .body = body, .value = awake ? 1.0 : 0.0});
  }
  Result<void> set_bullet(Body body, bool bullet) {
    return apply({.kind = InputKind::set_bullet, .body = body, .value = bullet ? 1.0 : 0.0});
  }
  Result<void> set_sensor(Body body, bool sensor) {
    return apply({.kind = InputKind::set_sensor, .body = body, .value = sensor ? 1.0 : 0.0});
  }
  Result<void> set_material(Body body, const Material& material) {
    WorldInput<D> input{.kind = InputKind::set_material, .body = body};
    input.vector[0] = material.friction, input.vector[1] = material.restitution;
    return apply(input);
  }
  Result<void> set_damping(Body body, double linear, double angular) {
    WorldInput<D> input{.kind = InputKind::set_damping, .body = body};
    input.vector[0] = linear, input.vector[1] = angular;
    return apply(input);
  }
  Result<void> set_gravity_scale(Body body, double scale) {
    return apply({.kind = InputKind::set_gravity_scale, .body = body, .value = scale});
  }
  Result<void> set_filter(Body body, const Filter& filter) {
    return apply({.kind = InputKind::set_filter, .body = body, .filter = filter});
  }
  Result<void> set_gravity(const V& gravity) { return apply({.kind = InputKind::set_gravity, .vector = gravity}); }
  Result<void> set_slide(JointId<D> joint, const JointDrive& drive) {
    return apply({.kind = InputKind::set_slide, .joint = joint, .drive = drive});
  }
  Result<void> set_hinge(JointId<D> joint, const JointDrive& drive) {
    return apply({.kind = InputKind::set_hinge, .joint = joint, .drive = drive});
  }

  // What is there. `body` gives null for a body that is not; the others ask for one that is.
  bool contains(Body body) const noexcept {
    return scene_->contains(body) && body.index < data_.bodies.size() && data_.bodies[body.index].used;
  }
  const WorldBody<D>* body(Body id) const noexcept { return contains(id) ? &data_.bodies[id.index] : nullptr; }
  const WorldJoint<D>* joint(JointId<D> id) const noexcept { return data_.joints.find(id); }
  const HandlePool<WorldJoint<D>, WorldJointTag<D>>& joints() const noexcept { return data_.joints; }
  std::span<const WorldBody<D>> bodies() const noexcept { return data_.bodies; }  // by index, unused ones between
  Body id_of(std::uint32_t index) const noexcept { return scene_->id_of(index); }
  Pose<D, double> pose(Body id) const;
  V velocity(Body id) const;
  Angular<D> angular_velocity(Body id) const;
  // Of all dynamic bodies; about the world's origin
  V momentum() const;
  Angular<D> angular_momentum() const;
  double kinetic_energy() const;
  const V& gravity() const noexcept { return data_.gravity; }
  double time() const noexcept { return data_.time; }
  std::uint64_t steps() const noexcept { return data_.steps; }
  const WorldOptions<D>& options() const noexcept { return options_; }

  // Contacts and events of contacts as they were at the beginning of the last step, shapes, the broad phase. To look at:
  // what changes a scene goes through the doors of its world.
  const Scene<D>& scene() const noexcept { return *scene_; }
  // Rays, casts, overlaps, nearest: the bodies where they are now
  ShapeQuestions<D>& questions() noexcept { return *scene_; }
  // Neither changes a result
  Result<void> set_broadphase(std::string_view name);
  Result<void> set_parameter(std::string_view parameter, double value) {
    return scene_->set_parameter(parameter, value);
  }
  // The caller's own word on pairs of bodies, asked with indices (see PairCallback); fast bodies ask it too. Not a part of
  // snapshots and recordings.
  void set_pair_callback(const PairCallback& callback) noexcept;
  // What the points of the scene carried in the last step, one entry a point; zero for those that were not solved,
  // and for what left the range of double with a body that was lost
  std::span<const PointImpulse<D>> impulses() const noexcept;
  std::span<const WorldEvent<D>> events() const noexcept { return events_; }  // of the last step
  const WorldStats& stats() const noexcept { return stats_; }
  Result<void> set_executor(Executor& executor) noexcept;

  // Steps after restore() are the same bits as steps after save(). The world keeps its options; a recording ends.
  Result<void> save(WorldSnapshot<D>& out) const;
  Result<void> restore(const WorldSnapshot<D>& snapshot);
  // Of the bodies' states, in the order of their indices
  std::uint64_t state_hash() const noexcept;

  // From now on every door's call goes into `recording`, which must outlive it; null ends it (recording.hpp), and so does a
  // step whose memory ran out half-way, which nobody could replay
  Result<void> record(WorldRecording<D>* recording);

 private:
  World() = default;

  Result<void> applied(const WorldInput<D>& input);
  Result<void> removed(Body body);
  Result<void> pushed(WorldBody<D>& body, const WorldInput<D>& input);
  Result<void> became(Body id, WorldBody<D>& body, BodyKind kind);
  Result<void> posed(Body id, WorldBody<D>& body, const Pose<D, double>& pose);
  void wake(std::uint32_t index) noexcept;
  void wake_neighbours(std::uint32_t index) noexcept;
  void list(std::uint32_t index) noexcept;
  void list_all();
  void take_in_listed();
  void set_label(std::uint32_t index, std::uint32_t label) noexcept;
  bool sleeps_undisturbed(const WorldBody<D>& body) const noexcept {
    return body.is_dynamic() && body.asleep && options_.sleeping && body.can_sleep &&
           body.still_for >= options_.sleep_time;
  }
  bool lost(const WorldBody<D>& body, double dt) const noexcept;

  // The stages of a step (step.cpp, step_stages.cpp, hits.cpp)
  Result<double> stepped(double dt);
  Result<void> take_out_lost(double dt);
  void carry_impulses();
  Result<void> wake_in_the_way(double dt);
  void find_islands();
  void gather_sleepers();
  void fall_asleep_or_wake();
  Result<void> take_in_woken();
  void gather_bodies();
  Result<void> solve(double dt);
  void take_solution();
  void find_fresh();
  void tell_hits();
  void fly_free(double dt);
  Result<void> stop_fast_bodies(double dt);
  Result<void> finish_step(double dt);

  // Impulses go with their points when those come to rest in the scene
  class ImpulseMover final : public RestListener {
   public:
    explicit ImpulseMover(World& world) : world_(world) {}
    void prepare(std::span<const PointMove> moves, std::size_t points, std::size_t rest_limit) override {
      world_.rest_.prepare(world_.data_.impulses, moves, points, rest_limit);
    }
    void commit() noexcept override {
      world_.data_.impulses.swap(world_.rest_.next);
      world_.whole_made_ = false;
    }

   private:
    World& world_;
  };

  WorldOptions<D> options_{};
  std::unique_ptr<Scene<D>> scene_;
  WorldData<D> data_;
  WorldRecording<D>* recording_ = nullptr;
  RestImpulses<D> rest_;
  mutable std::vector<PointImpulse<D>> whole_impulses_;  // of all points; there is room for them
  mutable bool whole_made_ = false;

  // Who may take part in a step: all but what is fixed and what sleeps undisturbed. Rising but for what came since.
  std::vector<std::uint32_t> lively_, listed_;
  std::vector<std::uint8_t> is_listed_;  // by body: it is in one of the two
  std::vector<std::uint8_t> roles_;      // by body (body_role.hpp)
  std::uint32_t sensors_ = 0;            // bodies that are sensors
  // By body that sleeps: the lowest body of the island that fell asleep, kNoIndex while that is not known; and at that one,
  // how many there are
  std::vector<std::uint32_t> label_, labelled_;
  std::uint32_t sleeping_islands_ = 0;

  // Scratch of a step
  Islands islands_;
  ContactCache<D> cache_;
  CcdPass<D> ccd_;
  ContactSolverOf<D> solver_;
  std::vector<std::uint32_t> sources_;   // who sleeps and is disturbed in this step
  bool roles_changed_ = false;           // somebody fell asleep or woke in this step
  std::vector<std::uint32_t> looked_;    // bodies whose islands are looked for, in rising order
  std::vector<std::uint8_t> is_looked_;  // by body
  std::vector<IdPair> jointed_;          // bodies whose joints keep them from touching, sorted
  std::vector<IdPair> links_;            // of what sleeps
  std::vector<IdPair> sleep_links_;      // the same as (who, to whom), both ways, where the scene does not keep them
  std::vector<std::uint32_t> fresh_;     // pushing contacts whose points carried nothing before
  std::vector<double> still_for_;        // of islands, at their lowest bodies
  std::vector<std::uint8_t> held_;    // by body: it touches or hangs on what stands; of islands, at their lowest bodies
  std::vector<RigidState<D>> start_;  // of active bodies, by index
  std::vector<std::uint32_t> active_;  // indices of the bodies that may move in this step, in rising order
  std::vector<std::uint32_t> in_the_way_;
  std::vector<std::uint32_t> followed_;
  std::vector<std::uint8_t> touched_;  // by body: contacts or joints of this step reach it
  std::vector<std::uint32_t> touched_bodies_;
  std::vector<std::uint32_t> slot_;     // of a body among the solver's, kNoIndex: none
  std::vector<std::uint32_t> solved_;   // body of each of the solver's, but for the first, which is all that is fixed
  std::vector<RigidMotion<D>> before_;  // their velocities at the beginning
  std::vector<SolverBody<D>> solver_bodies_;
  std::vector<JointOf<D>> solver_joints_;
  std::vector<JointId<D>> joint_order_;
  std::vector<BodyId<D>> moved_ids_;
  std::vector<Pose<D, double>> moved_poses_;
  std::vector<WorldEvent<D>> events_;
  WorldStats stats_;
};

extern template class World<2>;
extern template class World<3>;

}  // namespace sudar
