// What:    Worlds of bodies by name: a world at time 0, and what its scene does to it by itself from step to step (motors
//          that start, bodies that are pulled or break, doors). The same on every run.
// Frame:   Metres, kilograms, seconds; gravity, where there is any, points down the last axis, and floors are at height 0.
// Fails:   errors of the world's doors; unsupported for a dimension that the scene does not have.
#pragma once

#include "scenes/registry.hpp"
#include <sudar/dynamics/world.hpp>

#include <functional>
#include <string>

namespace sudar::scenes {

// A number of a scene's own, for metrics: bullets that are through, pieces of what broke …
struct Figure {
  std::string_view name;
  double value;
};

template <int D>
class PhysicsScene {
 public:
  using Act = std::function<Result<void>(World<D>&)>;
  using Figures = std::function<std::vector<Figure>(const World<D>&)>;

  PhysicsScene(const Spec& spec, World<D> world, Act act, Figures figures)
      : spec_(spec), world_(std::move(world)), act_(std::move(act)), figures_(std::move(figures)) {}

  const Spec& spec() const noexcept { return spec_; }
  World<D>& world() noexcept { return world_; }
  const World<D>& world() const noexcept { return world_; }
  // What the scene does by itself, then a step of the world
  Result<void> step(double dt);
  // What the scene does by itself, with what it remembers: a part of a snapshot
  const Act& act() const noexcept { return act_; }
  void set_act(Act act) { act_ = std::move(act); }
  std::vector<Figure> figures() const { return figures_ ? figures_(world_) : std::vector<Figure>{}; }

 private:
  Spec spec_;
  World<D> world_;
  Act act_;
  Figures figures_;
};

// D is the caller's choice; the options are the caller's but for what the scene needs (gravity, continuous …)
template <int D>
Result<std::unique_ptr<PhysicsScene<D>>> make_physics(const Spec& spec, const WorldOptions<D>& options = {});

// One for each body by index: it touches something, as of the beginning of the last step. Seed A20 draws these red.
template <int D>
std::vector<std::uint8_t> touching_bodies(const World<D>& world);

// A world as it is being built. The first error is kept and told by done(); what comes after it does nothing.
template <int D>
class WorldBuilder {
 public:
  using V = Vec<D, double>;

  explicit WorldBuilder(const WorldOptions<D>& options);

  BodyId<D> add(const BodySpec<D>& spec);
  // A shape that may have failed
  BodyId<D> add(const Result<ShapeOf<D>>& shape, BodySpec<D> spec);
  // A fixed box between two corners
  BodyId<D> wall(const V& lo, const V& hi, const Material& material = {});
  // A floor at height 0, and with `height` walls around it: a pit. The inner half width is that of the other axes.
  void floor(double half_width, const Material& material = {});
  void pit(double half_width, double height, const Material& material = {});
  // Walls on all sides of a cube-shaped room around the origin
  void room(double half_width, const Material& material);
  void join(JointKind kind, BodyId<D> a, BodyId<D> b, const Pose<D, double>& frame,
            const std::function<void(JointOf<D>&)>& change = {});
  World<D>& world() { return *world_; }
  bool failed() const { return !error_.ok(); }
  void fail(const Error& error) {
    if (!failed()) error_ = error;
  }

  Result<std::unique_ptr<PhysicsScene<D>>> done(const Spec& spec, typename PhysicsScene<D>::Act act = {},
                                                typename PhysicsScene<D>::Figures figures = {});

 private:
  Result<World<D>> world_;
  Result<void> error_;
};

// Shapes of either dimension
Result<Shape2> box_of(const Vec2d& half);
Result<Shape3> box_of(const Vec3d& half);
template <int D>
Result<ShapeOf<D>> ball_of(double radius);
template <>
Result<Shape2> ball_of<2>(double radius);
template <>
Result<Shape3> ball_of<3>(double radius);
// To fill in; its shape is a placeholder for the one that add() is given
template <int D>
BodySpec<D> blank_body() {
  return BodySpec<D>{.shape = *ball_of<D>(1)};
}
// A box `across` wide and deep, and `up` high: half sizes
template <int D>
Vec<D, double> half_of(double across, double up) {
  Vec<D, double> half{};
  for (int i = 0; i < D; ++i) half[i] = i == D - 1 ? up : across;
  return half;
}
// A point `x` along the first axis at this height
template <int D>
Vec<D, double> place(double x, double height) {
  Vec<D, double> p{};
  p[0] = x;
  p[D - 1] = height;
  return p;
}
// A turn in the plane of the first and the last axis, counterclockwise as seen with the last axis up
Rot2d tilted(double radians, Rot2d*);
Quatd tilted(double radians, Quatd*);
template <int D>
Rot<D, double> tilt(double radians) {
  return tilted(radians, static_cast<Rot<D, double>*>(nullptr));
}

// clang-format off
#define SUDAR_PHYSICS_SCENE(name) \
  template <int D> Result<std::unique_ptr<PhysicsScene<D>>> make_##name(const Spec& spec, const WorldOptions<D>& options)
SUDAR_PHYSICS_SCENE(pyramid);
SUDAR_PHYSICS_SCENE(pile);
SUDAR_PHYSICS_SCENE(tower);
SUDAR_PHYSICS_SCENE(card_house);
SUDAR_PHYSICS_SCENE(domino);
SUDAR_PHYSICS_SCENE(chain);
SUDAR_PHYSICS_SCENE(ragdolls);
SUDAR_PHYSICS_SCENE(vehicle);
SUDAR_PHYSICS_SCENE(doors);
SUDAR_PHYSICS_SCENE(balls);
SUDAR_PHYSICS_SCENE(polyhedra);
SUDAR_PHYSICS_SCENE(gather);
SUDAR_PHYSICS_SCENE(bullet);
SUDAR_PHYSICS_SCENE(breaking);
SUDAR_PHYSICS_SCENE(characters);
SUDAR_PHYSICS_SCENE(simple_shapes);
#undef SUDAR_PHYSICS_SCENE
template <> Result<std::unique_ptr<PhysicsScene<3>>> make_ragdolls(const Spec& spec, const WorldOptions<3>& options);
template <> Result<std::unique_ptr<PhysicsScene<3>>> make_vehicle(const Spec& spec, const WorldOptions<3>& options);
template <> Result<std::unique_ptr<PhysicsScene<3>>> make_polyhedra(const Spec& spec, const WorldOptions<3>& options);
template <> Result<std::unique_ptr<PhysicsScene<3>>> make_breaking(const Spec& spec, const WorldOptions<3>& options);
template <> Result<std::unique_ptr<PhysicsScene<2>>> make_characters(const Spec& spec, const WorldOptions<2>& options);
// clang-format on

}  // namespace sudar::scenes
