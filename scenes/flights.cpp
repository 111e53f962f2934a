// What:    What flies about: balls in a room (C4), two polyhedra in a cube (D12), bodies pulled together and let go (E12), a
//          bullet and its target (A11), a body that breaks (B14).
#include "scenes/physics.hpp"
#include <sudar/geom/fracture.hpp>
#include <sudar/geom/hull3.hpp>
#include <sudar/math/sampling.hpp>

#include <cmath>
#include <utility>

namespace sudar::scenes {

namespace {

// The cells of a cube of `side` cells around the origin, `pitch` apart; false past the last
template <int D>
Vec<D, double> lattice_place(std::size_t i, std::size_t side, double pitch) {
  Vec<D, double> p{};
  for (int axis = 0; axis < D; ++axis, i /= side)
    p[axis] = pitch * (static_cast<double>(i % side) - (static_cast<double>(side) - 1) / 2);
  return p;
}
template <int D>
std::size_t lattice_side(std::size_t count) {
  std::size_t side = 1;
  while ((D == 2 ? side * side : side * side * side) < count) ++side;
  return side;
}

}  // namespace

template <int D>
Result<std::unique_ptr<PhysicsScene<D>>> make_balls(const Spec& spec, const WorldOptions<D>& options) {
  WorldBuilder<D> build(options);
  Random random(spec.seed());
  const std::size_t side = lattice_side<D>(spec.count());
  const Material bouncy{.friction = 0.1, .restitution = spec["bounce"]};
  const double half = static_cast<double>(side) * 0.75 + 1;
  build.room(half, bouncy);
  for (std::size_t i = 0; i < spec.count(); ++i) {
    BodySpec<D> body = blank_body<D>();
    body.pose.position = lattice_place<D>(i, side, 1.4);
    body.velocity = point_in_ball<D>(random) * spec["speed"];
    body.material = bouncy;
    build.add(ball_of<D>(random.uniform(0.2, 0.6)), body);
  }
  return build.done(spec);
}

// Convex hulls of points on a sphere, elastic, without gravity
template <>
Result<std::unique_ptr<PhysicsScene<3>>> make_polyhedra(const Spec& spec, const WorldOptions<3>& given) {
  WorldOptions<3> options = given;
  options.gravity = {};
  options.sleeping = false;
  options.restitution_threshold = 0;
  WorldBuilder<3> build(options);
  Random random(spec.seed());
  const Material elastic{.friction = 0, .restitution = 1};
  build.room(2.5, elastic);
  for (const double x : {-1.2, 1.2}) {
    std::vector<Vec3d> points;
    for (int i = 0; i < static_cast<int>(spec["vertices"]); ++i) points.push_back(unit_vector<3>(random));
    BodySpec<3> body = blank_body<3>();
    body.pose.position = {x, 0, 0};
    body.velocity = unit_vector<3>(random) * spec["speed"];
    body.angular_velocity = unit_vector<3>(random) * 2.0;
    body.material = elastic;
    build.add(make_hull_shape3(points), body);
  }
  return build.done(spec);
}

// Pulled towards the middle for the first part of each period, then left to fly
template <int D>
Result<std::unique_ptr<PhysicsScene<D>>> make_gather(const Spec& spec, const WorldOptions<D>& given) {
  WorldOptions<D> options = given;
  options.gravity = {};
  WorldBuilder<D> build(options);
  Random random(spec.seed());
  const std::size_t side = lattice_side<D>(spec.count());
  const Material bouncy{.friction = 0.2, .restitution = 0.9};
  build.room(static_cast<double>(side) * 0.75 + 1, bouncy);
  const auto ball = ball_of<D>(0.25);
  const auto box = box_of(half_of<D>(0.2, 0.2));
  for (std::size_t i = 0; i < spec.count(); ++i) {
    BodySpec<D> body = blank_body<D>();
    body.pose.position = lattice_place<D>(i, side, 1.4);
    body.velocity = point_in_ball<D>(random) * spec["speed"];
    body.material = bouncy;
    body.can_sleep = false;
    build.add(i % 2 == 0 ? ball : box, body);
  }
  const double period = spec["period"], pull = spec["pull"];
  return build.done(spec, [period, pull](World<D>& world) -> Result<void> {
    const double at = world.time() / period;
    if (at - std::floor(at) >= 0.5) return {};
    for (std::uint32_t i = 0; i < world.bodies().size(); ++i) {
      const WorldBody<D>& body = world.bodies()[i];
      if (!body.is_dynamic()) continue;
      const Vec<D, double> force = normalized(-body.state.position) * (pull * body.mass.mass);
      if (const auto done = world.apply_force(world.id_of(i), force); !done) return done.error();
    }
    return {};
  });
}

// Small fast balls at a thin plate; without continuous detection they are through before anybody looks
template <int D>
Result<std::unique_ptr<PhysicsScene<D>>> make_bullet(const Spec& spec, const WorldOptions<D>& given) {
  WorldOptions<D> options = given;
  options.gravity = {};
  options.continuous = spec["continuous"] != 0;
  WorldBuilder<D> build(options);
  Random random(spec.seed());
  const bool turning = spec["turning"] != 0;
  Vec<D, double> half = half_of<D>(2, 2);
  half[0] = 0.02;
  BodySpec<D> target = blank_body<D>();
  target.kind = turning ? BodyKind::kinematic : BodyKind::fixed;
  if constexpr (D == 2) {
    if (turning) target.angular_velocity = 3;
  } else {
    if (turning) target.angular_velocity = {0, 0, 3};
  }
  build.add(box_of(half), target);
  const auto shape = ball_of<D>(0.05);
  for (std::size_t i = 0; i < spec.count(); ++i) {
    BodySpec<D> bullet = blank_body<D>();
    bullet.pose.position = point_in_ball<D>(random) * 1.5;
    bullet.pose.position[0] = -20 - 0.5 * static_cast<double>(i);
    bullet.velocity[0] = spec["speed"];
    bullet.bullet = true;
    bullet.can_sleep = false;
    bullet.filter.group = 1;
    build.add(shape, bullet);
  }
  return build.done(spec, {}, [](const World<D>& world) {
    double through = 0;
    for (const WorldBody<D>& body : world.bodies())
      if (body.is_dynamic() && body.state.position[0] > 2.5) ++through;
    return std::vector<Figure>{{"through", through}};
  });
}

// A block that falls and, when it hits hard enough, is its Voronoi pieces
template <>
Result<std::unique_ptr<PhysicsScene<3>>> make_breaking(const Spec& spec, const WorldOptions<3>& options) {
  WorldBuilder<3> build(options);
  Random random(spec.seed());
  build.floor(15);
  std::vector<Vec3d> corners, sites;
  for (int i = 0; i < 8; ++i) corners.push_back({i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0});
  for (int i = 0; i < static_cast<int>(spec["pieces"]); ++i)
    sites.push_back(point_in_box<Vec3d>(random, {-1, -1, -1}, {1, 1, 1}));
  const auto hull = quickhull3(corners);
  if (!hull) return hull.error();
  const auto pieces = fracture3(*hull, sites);
  if (!pieces) return pieces.error();
  std::vector<Shape3> shapes;
  for (const FracturePiece3& piece : *pieces) {
    const auto shape = make_hull_shape3(piece.shape.vertices);
    if (!shape) return shape.error();
    shapes.push_back(*shape);
  }
  BodySpec<3> block = blank_body<3>();
  block.pose = {{0, 0, spec["height"]}, unit_quaternion(random)};
  const BodyId<3> whole = build.add(make_hull_shape3(corners), block);
  const double strength = spec["strength"];
  // Breaks after a step that changed its velocity by more than gravity does
  const auto act = [whole, shapes, strength, last = Vec3d{}](World<3>& world) mutable -> Result<void> {
    if (!world.contains(whole)) return {};
    const Vec3d velocity = world.velocity(whole), before = std::exchange(last, velocity);
    if (!(distance(velocity, before) > strength)) return {};
    const Pose3d pose = world.pose(whole);
    const Vec3d spin = world.angular_velocity(whole), centre = world.body(whole)->state.position;
    if (const auto gone = world.remove_body(whole); !gone) return gone.error();
    for (const Shape3& shape : shapes) {
      BodySpec<3> piece = blank_body<3>();
      piece.shape = shape;
      piece.pose = pose;
      const auto added = world.add_body(piece);
      if (!added) return added.error();
      // Each goes on as it did as a part of the whole
      const Vec3d away = world.body(*added)->state.position - centre;
      if (const auto done = world.set_velocity(*added, velocity + cross(spin, away)); !done) return done.error();
      if (const auto done = world.set_angular_velocity(*added, spin); !done) return done.error();
    }
    return {};
  };
  return build.done(spec, act, [](const World<3>& world) {
    double bodies = 0;
    for (const WorldBody<3>& body : world.bodies()) bodies += body.is_dynamic() ? 1 : 0;
    return std::vector<Figure>{{"pieces", bodies}};
  });
}

// clang-format off
template Result<std::unique_ptr<PhysicsScene<2>>> make_balls(const Spec&, const WorldOptions<2>&);
template Result<std::unique_ptr<PhysicsScene<3>>> make_balls(const Spec&, const WorldOptions<3>&);
template Result<std::unique_ptr<PhysicsScene<2>>> make_gather(const Spec&, const WorldOptions<2>&);
template Result<std::unique_ptr<PhysicsScene<3>>> make_gather(const Spec&, const WorldOptions<3>&);
template Result<std::unique_ptr<PhysicsScene<2>>> make_bullet(const Spec&, const WorldOptions<2>&);
template Result<std::unique_ptr<PhysicsScene<3>>> make_bullet(const Spec&, const WorldOptions<3>&);
// clang-format on

}  // namespace sudar::scenes
