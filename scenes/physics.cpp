#include "scenes/physics.hpp"

namespace sudar::scenes {

template <int D>
Result<void> PhysicsScene<D>::step(double dt) {
  if (act_)
    if (const auto acted = act_(world_); !acted) return acted.error();
  const auto stepped = world_.step(dt);
  if (!stepped) return stepped.error();
  return {};
}

template <int D>
Result<std::unique_ptr<PhysicsScene<D>>> make_physics(const Spec& spec, const WorldOptions<D>& options) {
  return guarded([&]() -> Result<std::unique_ptr<PhysicsScene<D>>> {
    MakePhysics<D> make = nullptr;
    if constexpr (D == 2)
      make = spec.scene().physics2;
    else
      make = spec.scene().physics3;
    if (make == nullptr) return Error{ErrorCode::unsupported, 0, "the scene has no world of this dimension"};
    return make(spec, options);
  });
}

template <int D>
std::vector<std::uint8_t> touching_bodies(const World<D>& world) {
  std::vector<std::uint8_t> touching(world.bodies().size(), 0);
  const SceneChanges<D> now = world.scene().events().touching;
  const auto mark = [&](std::uint32_t index) {
    if (index < touching.size()) touching[index] = 1;
  };
  for (const SceneEvent<D>& event : now.begin) mark(event.a.index), mark(event.b.index);
  for (const IdPair& pair : now.stay) mark(pair.lo), mark(pair.hi);
  return touching;
}

template <int D>
WorldBuilder<D>::WorldBuilder(const WorldOptions<D>& options) : world_(World<D>::make(options)) {
  if (!world_) error_ = world_.error();
}

template <int D>
BodyId<D> WorldBuilder<D>::add(const BodySpec<D>& spec) {
  if (failed()) return {};
  const auto added = world_->add_body(spec);
  if (!added) fail(added.error());
  return added ? *added : BodyId<D>{};
}

template <int D>
BodyId<D> WorldBuilder<D>::add(const Result<ShapeOf<D>>& shape, BodySpec<D> spec) {
  if (!shape) {
    fail(shape.error());
    return {};
  }
  spec.shape = *shape;
  return add(spec);
}

template <int D>
BodyId<D> WorldBuilder<D>::wall(const V& lo, const V& hi, const Material& material) {
  BodySpec<D> spec = blank_body<D>();
  spec.pose.position = (lo + hi) / 2;
  spec.kind = BodyKind::fixed;
  spec.material = material;
  return add(box_of((hi - lo) / 2), spec);
}

template <int D>
void WorldBuilder<D>::floor(double half_width, const Material& material) {
  V lo = half_of<D>(-half_width, -1), hi = half_of<D>(half_width, 0);
  wall(lo, hi, material);
}

template <int D>
void WorldBuilder<D>::pit(double half_width, double height, const Material& material) {
  floor(half_width + 1, material);
  for (int axis = 0; axis + 1 < D; ++axis)
    for (const double side : {-1.0, 1.0}) {
      V lo = half_of<D>(-half_width - 1, 0), hi = half_of<D>(half_width + 1, height);
      lo[axis] = side < 0 ? -half_width - 1 : half_width;
      hi[axis] = lo[axis] + 1;
      wall(lo, hi, material);
    }
}

template <int D>
void WorldBuilder<D>::room(double half_width, const Material& material) {
  for (int axis = 0; axis < D; ++axis)
    for (const double side : {-1.0, 1.0}) {
      V lo = half_of<D>(-half_width - 1, -half_width - 1), hi = -lo;
      lo[axis] = side < 0 ? -half_width - 1 : half_width;
      hi[axis] = lo[axis] + 1;
      wall(lo, hi, material);
    }
}

template <int D>
void WorldBuilder<D>::join(JointKind kind, BodyId<D> a, BodyId<D> b, const Pose<D, double>& frame,
                           const std::function<void(JointOf<D>&)>& change) {
  if (failed()) return;
  auto joint = world_->make_joint(kind, a, b, frame);
  if (!joint) return fail(joint.error());
  if (change) change(*joint);
  if (const auto added = world_->add_joint(a, b, *joint); !added) fail(added.error());
}

template <int D>
Result<std::unique_ptr<PhysicsScene<D>>> WorldBuilder<D>::done(const Spec& spec, typename PhysicsScene<D>::Act act,
                                                               typename PhysicsScene<D>::Figures figures) {
  if (failed()) return error_.error();
  return std::make_unique<PhysicsScene<D>>(spec, std::move(*world_), std::move(act), std::move(figures));
}

Result<Shape2> box_of(const Vec2d& half) { return make_box2(half); }
Result<Shape3> box_of(const Vec3d& half) { return make_box3(half); }
template <>
Result<Shape2> ball_of<2>(double radius) {
  return make_circle2(radius);
}
template <>
Result<Shape3> ball_of<3>(double radius) {
  return make_sphere3(radius);
}

Rot2d tilted(double radians, Rot2d*) { return Rot2d::from_angle(radians); }
// From x towards z: about −y
Quatd tilted(double radians, Quatd*) { return Quatd::from_axis_angle({0, -1, 0}, radians); }

template class PhysicsScene<2>;
template class PhysicsScene<3>;
template class WorldBuilder<2>;
template class WorldBuilder<3>;
template Result<std::unique_ptr<PhysicsScene<2>>> make_physics(const Spec&, const WorldOptions<2>&);
template Result<std::unique_ptr<PhysicsScene<3>>> make_physics(const Spec&, const WorldOptions<3>&);
template std::vector<std::uint8_t> touching_bodies(const World<2>&);
template std::vector<std::uint8_t> touching_bodies(const World<3>&);

}  // namespace sudar::scenes
