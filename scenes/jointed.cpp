// What:    What hangs together by joints: a chain, ragdolls, a vehicle on a height field, rooms with doors.
#include "scenes/physics.hpp"
#include <sudar/math/sampling.hpp>
#include <sudar/shapes/height_field.hpp>

namespace sudar::scenes {

namespace {

// A frame whose x axis points there (unit length)
Pose3d frame_along(const Vec3d& origin, const Vec3d& x) {
  // Half-way between the two directions, unless they are opposite
  if (x.x < -0.99) return {origin, {0, 0, 0, 1}};
  return {origin, normalized(Quatd{1 + x.x, 0, -x.z, x.y})};
}

// One ragdoll with its feet `height` over the floor: eleven bodies, ten joints
void add_ragdoll(WorldBuilder<3>& build, const Vec3d& at, double turn, std::uint32_t group) {
  const Pose3d world_from_doll{at, Quatd::from_axis_angle({0, 0, 1}, turn)};
  const auto part = [&](const Vec3d& middle, const Vec3d& half_way, double radius) {
    BodySpec<3> spec = blank_body<3>();
    spec.pose = {transform(world_from_doll, middle), world_from_doll.rotation};
    spec.filter.group = group;
    spec.linear_damping = spec.angular_damping = 0.1;
    return build.add(make_capsule3(-half_way, half_way, radius), spec);
  };
  const auto ball = [&](BodyId<3> a, BodyId<3> b, const Vec3d& joint, const Vec3d& along, double cone) {
    const Pose3d frame = frame_along(joint, along);
    build.join(JointKind::ball, a, b, world_from_doll * frame, [&](Joint3& j) {
      j.cone = cone;
      j.hinge.lower = -0.5;
      j.hinge.upper = 0.5;
    });
  };
  const auto hinge = [&](BodyId<3> a, BodyId<3> b, const Vec3d& joint, const Vec3d& axis, double upper) {
    build.join(JointKind::revolute, a, b, world_from_doll * frame_along(joint, axis), [&](Joint3& j) {
      j.hinge.lower = -0.05;
      j.hinge.upper = upper;
    });
  };
  const BodyId<3> pelvis = part({0, 0, 0.95}, {0, 0.08, 0}, 0.12), chest = part({0, 0, 1.3}, {0, 0.1, 0}, 0.16);
  const BodyId<3> head = part({0, 0, 1.68}, {0, 0, 0.03}, 0.11);
  ball(pelvis, chest, {0, 0, 1.1}, {0, 0, 1}, 0.6);
  ball(chest, head, {0, 0, 1.5}, {0, 0, 1}, 0.6);
  for (const double side : {-1.0, 1.0}) {
    const BodyId<3> upper_arm = part({0, side * 0.46, 1.4}, {0, 0.11, 0}, 0.055);
    const BodyId<3> lower_arm = part({0, side * 0.8, 1.4}, {0, 0.12, 0}, 0.05);
    ball(chest, upper_arm, {0, side * 0.3, 1.4}, {0, side, 0}, 1.3);
    hinge(upper_arm, lower_arm, {0, side * 0.63, 1.4}, {0, 0, side}, 2);
    const BodyId<3> thigh = part({0, side * 0.1, 0.66}, {0, 0, 0.13}, 0.075);
    const BodyId<3> shin = part({0, side * 0.1, 0.26}, {0, 0, 0.16}, 0.06);
    ball(pelvis, thigh, {0, side * 0.1, 0.87}, {0, 0, -1}, 1);
    hinge(thigh, shin, {0, side * 0.1, 0.46}, {0, 1, 0}, 2.2);
  }
}

}  // namespace

// Links that hang from a hook and swing, with a weight at the end
template <int D>
Result<std::unique_ptr<PhysicsScene<D>>> make_chain(const Spec& spec, const WorldOptions<D>& options) {
  WorldBuilder<D> build(options);
  const std::size_t n = spec.count();
  const double link = 0.5, height = link * static_cast<double>(n) + 3;
  build.floor(height);
  BodyId<D> last = build.wall(place<D>(-0.2, height - 0.2) - half_of<D>(0.1, 0) * (D - 2.0),
                              place<D>(0.0, height + 0.2) + half_of<D>(0.1, 0) * (D - 2.0));
  Vec<D, double> half = half_of<D>(0.06, 0.06);
  half[0] = link / 2 - 0.02;
  const auto shape = box_of(half);
  for (std::size_t i = 0; i <= n; ++i) {
    const double x = link * static_cast<double>(i);
    BodySpec<D> body = blank_body<D>();
    body.pose.position = place<D>(x + (i < n ? link / 2 : 0.6), height);
    const BodyId<D> next = i < n ? build.add(shape, body) : build.add(ball_of<D>(0.55), body);
    build.join(JointKind::ball, last, next, {place<D>(x, height), {}});
    last = next;
  }
  return build.done(spec);
}

// People who fall down a few steps
template <>
Result<std::unique_ptr<PhysicsScene<3>>> make_ragdolls(const Spec& spec, const WorldOptions<3>& options) {
  WorldBuilder<3> build(options);
  Random random(spec.seed());
  const std::size_t n = spec.count();
  build.floor(10 + 2 * std::sqrt(static_cast<double>(n)));
  for (int i = 0; i < 4; ++i) build.wall({-3.0 + i, -20, 0}, {-2.0 + i, 20, 1.6 - 0.4 * i});
  for (std::size_t i = 0; i < n; ++i) {
    const double row = static_cast<double>(i % 5), layer = static_cast<double>(i / 5);
    const Vec3d at{random.uniform(-2, 0), 2.2 * (row - 2), 2.2 + 2.2 * layer};
    add_ragdoll(build, at, random.uniform(-1, 1), 0);
  }
  return build.done(spec);
}

// Four wheels on springs, driven by motors over hills
template <>
Result<std::unique_ptr<PhysicsScene<3>>> make_vehicle(const Spec& spec, const WorldOptions<3>& options) {
  WorldBuilder<3> build(options);
  const std::uint32_t columns = 161, rows = 41;
  const double spacing = 0.5, hill = spec["hills"];
  std::vector<double> heights;
  for (std::uint32_t j = 0; j < rows; ++j)
    for (std::uint32_t i = 0; i < columns; ++i) {
      // Flat where the vehicle stands, then hills that differ from left to right
      const double x = i * spacing - 10, y = j * spacing - 10, start = x < 0 ? 0 : x < 10 ? x / 10 : 1;
      heights.push_back(start * hill * (sin_cos(x / 3).sin + 0.3 * sin_cos(x + y / 2).sin));
    }
  BodySpec<3> ground = blank_body<3>();
  ground.pose.position = {-10, -10, 0};
  ground.kind = BodyKind::fixed;
  ground.material.friction = 0.9;
  build.add(make_height_field3(heights, columns, rows, {spacing, spacing}), ground);

  BodySpec<3> body = blank_body<3>();
  body.pose.position = {-5, 0, 1.0};
  body.density = 150;
  const BodyId<3> chassis = build.add(make_box3({1.3, 0.6, 0.25}), body);
  for (const double x : {-0.9, 0.9})
    for (const double y : {-0.85, 0.85}) {
      BodySpec<3> wheel = blank_body<3>();
      wheel.pose.position = body.pose.position + Vec3d{x, y, -0.45};
      wheel.density = 250;
      wheel.material.friction = 1;
      const BodyId<3> id = build.add(make_sphere3(0.4), wheel);
      // x of the joint points up: the suspension; y is the axle
      build.join(JointKind::wheel, chassis, id, {wheel.pose.position, Quatd::from_axis_angle({0, 1, 0}, -kPi / 2)},
                 [&](Joint3& j) {
                   j.slide = {.lower = -0.2, .upper = 0.25, .spring_hertz = 3, .spring_damping = 0.7};
                   j.hinge = {.motor_speed = spec["speed"] / 0.4, .motor_force = 250};
                 });
    }
  return build.done(spec, {}, [chassis](const World<3>& world) {
    return std::vector<Figure>{{"way", world.contains(chassis) ? world.pose(chassis).position.x + 5 : 0}};
  });
}

// A row of rooms with doors on hinges between them, and balls that push through. In the plane, seen from above.
template <int D>
Result<std::unique_ptr<PhysicsScene<D>>> make_doors(const Spec& spec, const WorldOptions<D>& given) {
  WorldOptions<D> options = given;
  if (D == 2) options.gravity = {};
  WorldBuilder<D> build(options);
  Random random(spec.seed());
  const int rooms = static_cast<int>(spec["rooms"]);
  const double width = 6, tall = 2, thick = 0.1, gap = 1.2, last = width * rooms;
  const Material smooth{.friction = 0.2, .restitution = 0.8};
  // Corners of the house's walls: x and y from above, from the floor up in space
  const auto block = [&](double x0, double y0, double x1, double y1) {
    Vec<D, double> lo{}, hi{};
    lo[0] = x0, lo[1] = y0, hi[0] = x1, hi[1] = y1;
    if (D == 3) hi[D - 1] = tall;
    build.wall(lo, hi, smooth);
  };
  if (D == 3) build.floor(last + 10, smooth);
  block(-thick, -thick * 2, last + thick, 0);
  block(-thick, width, last + thick, width + thick * 2);
  block(-thick * 2, -thick, 0, width + thick);
  block(last, -thick, last + thick * 2, width + thick);
  for (int i = 1; i < rooms; ++i) {
    const double x = width * i;
    block(x - thick, 0, x + thick, (width - gap) / 2);
    block(x - thick, (width + gap) / 2, x + thick, width);
    Vec<D, double> half{};
    half[0] = 0.05, half[1] = gap / 2 - 0.06;
    if (D == 3) half[D - 1] = tall / 2 - 0.1;
    BodySpec<D> leaf = blank_body<D>();
    leaf.pose.position[0] = x;
    leaf.pose.position[1] = width / 2;
    if (D == 3) leaf.pose.position[D - 1] = tall / 2;
    leaf.density = 100;
    leaf.material = smooth;
    const BodyId<D> door = build.add(box_of(half), leaf);
    // The post of the hinge is a body without a shape of its own that could touch: the wall beside it
    Vec<D, double> post_lo = leaf.pose.position, post_hi = leaf.pose.position;
    post_lo[0] -= 0.04, post_hi[0] += 0.04;
    post_lo[1] = (width - gap) / 2 - 0.04, post_hi[1] = (width - gap) / 2;
    if (D == 3) post_lo[D - 1] = 0.1, post_hi[D - 1] = tall;
    const BodyId<D> post = build.wall(post_lo, post_hi, smooth);
    Pose<D, double> frame{leaf.pose.position, {}};
    frame.position[1] = (width - gap) / 2 + 0.02;
    if constexpr (D == 3) frame = frame_along(frame.position, {0, 0, 1});
    build.join(JointKind::revolute, post, door, frame, [](JointOf<D>& j) {
      j.hinge = {.lower = -1.5, .upper = 1.5, .spring_hertz = 0.5, .spring_damping = 0.2};
    });
  }
  const double radius = 0.25;
  const auto ball = ball_of<D>(radius);
  const std::size_t side = 8;
  for (std::size_t i = 0; i < spec.count(); ++i) {
    BodySpec<D> body = blank_body<D>();
    const double cell = (width - 1) / static_cast<double>(side);
    body.pose.position[0] = 0.5 + cell * (static_cast<double>(i % side) + 0.5);
    body.pose.position[1] = 0.5 + cell * (static_cast<double>(i / side % side) + 0.5);
    if (D == 3) body.pose.position[D - 1] = radius + 0.6 * static_cast<double>(i / (side * side));
    body.velocity = unit_vector<D>(random) * spec["speed"];
    if (D == 3) body.velocity[D - 1] = 0;
    body.material = smooth;
    body.can_sleep = false;
    build.add(ball, body);
  }
  return build.done(spec, {}, [width](const World<D>& world) {
    double out = 0;
    for (std::uint32_t i = 0; i < world.bodies().size(); ++i)
      if (world.bodies()[i].is_dynamic() && world.bodies()[i].state.position[0] > width) ++out;
    return std::vector<Figure>{{"beyond_first_door", out}};
  });
}

template Result<std::unique_ptr<PhysicsScene<2>>> make_chain(const Spec&, const WorldOptions<2>&);
template Result<std::unique_ptr<PhysicsScene<3>>> make_chain(const Spec&, const WorldOptions<3>&);
template Result<std::unique_ptr<PhysicsScene<2>>> make_doors(const Spec&, const WorldOptions<2>&);
template Result<std::unique_ptr<PhysicsScene<3>>> make_doors(const Spec&, const WorldOptions<3>&);

}  // namespace sudar::scenes
