// What:    A scene that lives in the lab, whatever it is made of: boxes that move by themselves (live_boxes.hpp) or a world of
//          bodies (live_world.hpp). It steps, whole or stage by stage; its broad phase is swapped while it runs; what a
//          person does to it is a value, so that it can be recorded; it can be saved and come back to.
// Differs: What a person does to a scene acts in the next step and nowhere else, so the same inputs at the same steps give
//          the same states, whatever algorithm, thread count or speed of the machine.
// Frame:   The scene's own: metres; scenes of boxes live in the cube [0, 1]^D.
// Fails:   what the doors of scenes, worlds and broad phases say.
#pragma once

#include "lab/draw_list.hpp"
#include "scenes/registry.hpp"
#include <sudar/broadphase/broadphase.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sudar::lab {

inline Vec3d to_space(const Vec2d& p) { return {p.x, p.y, 0}; }
inline Vec3d to_space(const Vec3d& p) { return p; }
template <int D>
Vec<D, double> from_space(const Vec3d& p) {
  Vec<D, double> q;
  for (int k = 0; k < D; ++k) q[k] = p[k];
  return q;
}

// What is not the scene's own
struct LiveOptions {
  std::string algorithm = "adaptive";  // a name of broadphase/registry.hpp, or kNoAlgorithm
  Executor* executor = nullptr;        // serial when null; outlives the scene
  // Of worlds
  int substeps = 5;
  double margin = 0.02;
  int integrator = 0;
  bool continuous = true;
};
inline constexpr std::string_view kNoAlgorithm = "none";

enum class LiveInputKind : std::uint8_t {
  pull,    // everything towards `point`; value: how much of the way in a second
  carry,   // `body` towards `point`, in this step
  let_go,  // `body` goes on with `vector` as its velocity
  shoot,   // a ball of radius `value` from `point` with velocity `vector`; of boxes, the first one in the way is pushed
  resolution,  // value 0: bodies go through each other and nothing pulls them down, though their contacts are found
  detection,   // value 0: nothing is looked for
};
std::string_view to_string(LiveInputKind kind);

template <int D>
struct LiveInput {
  LiveInputKind kind = LiveInputKind::pull;
  std::uint32_t body = 0;
  Vec<D, double> point{}, vector{};
  double value = 0;

  friend bool operator==(const LiveInput&, const LiveInput&) = default;
};

// A scene as it was
class LiveSnapshot {
 public:
  virtual ~LiveSnapshot() = default;
  virtual std::size_t bytes() const = 0;
};

enum class LiveColor : std::uint8_t { kind, touching, speed, sleep };

struct LiveLook {
  LiveColor color = LiveColor::touching;
  bool contacts = true, joints = true;
  std::uint32_t selected = 0xffffffff;
};

// What began and ended since the scene was made
struct LiveEvents {
  std::uint64_t began = 0, ended = 0;  // pairs of boxes
  std::uint64_t hash = 0;              // of all of them in their order, with the steps

  friend bool operator==(const LiveEvents&, const LiveEvents&) = default;
};

template <int D>
class LiveScene {
 public:
  using V = Vec<D, double>;

  virtual ~LiveScene() = default;
  virtual const scenes::Spec& spec() const = 0;
  virtual bool is_world() const = 0;
  virtual bool has_joints() const { return false; }

  // A step with these inputs
  virtual Result<void> step(double dt, std::span<const LiveInput<D>> inputs) = 0;
  // The same in parts, one call after the other; the last one completes the step
  virtual std::span<const std::string_view> stages() const = 0;
  virtual Result<void> run_stage(std::size_t stage, double dt, std::span<const LiveInput<D>> inputs) = 0;
  std::uint64_t steps() const { return steps_; }
  virtual double time() const = 0;

  // Of the last search: what was searched, and what was found
  virtual const BoxStore<D>& boxes() const = 0;
  virtual std::span<const IdPair> pairs() const = 0;
  // The bodies themselves touch, not only their boxes; of boxes, always
  virtual bool touching(std::size_t) const { return true; }
  const LiveEvents& events() const { return events_; }
  // Times and counts of the last step
  const StepStats& stats() const { return stats_; }
  virtual std::size_t points() const { return 0; }
  // Figures of the scene's own, as "bullets through 3"
  virtual std::string figures() const { return {}; }
  // A fingerprint of where everything is
  virtual std::uint64_t state_hash() const = 0;

  // Null: none
  virtual const Broadphase<D>* broadphase() const = 0;
  virtual Result<void> set_algorithm(std::string_view name) = 0;
  virtual Result<void> set_parameter(std::string_view name, double value) = 0;
  virtual Result<void> set_executor(Executor& executor) = 0;

  virtual Result<std::unique_ptr<LiveSnapshot>> save() const = 0;
  virtual Result<void> restore(const LiveSnapshot& snapshot) = 0;

  // The body that a ray meets first, or a point is in; kNoBody. `t`: how far
  static constexpr std::uint32_t kNoBody = 0xffffffff;
  virtual std::uint32_t pick(const V& origin, const V& direction, double& t) = 0;
  virtual bool can_carry(std::uint32_t body) const = 0;
  virtual V place_of(std::uint32_t body) const = 0;
  // The shortest way out of what is solid, of a ball
  virtual V push_out(const V& /*center*/, double /*radius*/) { return {}; }

  virtual void draw(DrawList& list, const LiveLook& look) const = 0;

 protected:
  void note_pairs(std::span<const IdPair> began, std::span<const IdPair> ended);

  std::uint64_t steps_ = 0;
  LiveEvents events_;
  StepStats stats_;
};

// Around all boxes that are not endless; the unit cube when there is none
template <int D>
Aabb<D, double> live_bounds(const BoxStore<D>& boxes);

// unsupported: the scene has no such dimension
template <int D>
Result<std::unique_ptr<LiveScene<D>>> make_live(const scenes::Spec& spec, const LiveOptions& options);

}  // namespace sudar::lab
