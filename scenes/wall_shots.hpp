// What:    Shots at hollow boxes, balls and loops, with walls that are thin or have no thickness, that stand, are turned or fly free:
//          for the tests and the benchmark. A closed shell has an inside and an outside, and nobody changes sides.
#pragma once

#include <sudar/dynamics/world.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/math/sampling.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/polygon_set.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sudar::scenes {

inline constexpr double kRoom = 4;  // inner half edge of boxes, radius of balls
inline constexpr int kShotSteps = 12;

// A hollow box of plates
inline Shape3 plates3(double thick) {
  std::vector<CompoundChild3> children;
  for (int side = 0; side < 6; ++side) {
    Vec3d at{}, half{kRoom + 2 * thick, kRoom + 2 * thick, kRoom + 2 * thick};
    at[side / 2] = (side % 2 == 0 ? 1 : -1) * (kRoom + thick);
    half[side / 2] = thick;
    children.push_back({*make_box3(half), {at, {}}});
  }
  return *make_compound3(children);
}
inline Shape2 plates2(double thick) {
  std::vector<CompoundChild2> children;
  for (int side = 0; side < 4; ++side) {
    Vec2d at{}, half{kRoom + 2 * thick, kRoom + 2 * thick};
    at[side / 2] = (side % 2 == 0 ? 1 : -1) * (kRoom + thick);
    half[side / 2] = thick;
    children.push_back({*make_box2(half), {at, {}}});
  }
  return *make_compound2(children);
}
// Without any thickness
inline Shape3 shell3(std::uint32_t cuts) {
  const Mesh mesh = *icosphere_mesh(kRoom, cuts);
  return *make_mesh_shape3(mesh.vertices, mesh.triangles, false);
}
inline Shape3 box_shell3() {
  const Mesh mesh = *box_mesh({kRoom, kRoom, kRoom});
  return *make_mesh_shape3(mesh.vertices, mesh.triangles, false);
}
inline Shape2 loop2() {
  const Vec2d corners[] = {{-kRoom, -kRoom}, {kRoom, -kRoom}, {kRoom, kRoom}, {-kRoom, kRoom}};
  return *make_chain2(corners, true);
}

template <int D>
ShapeOf<D> shot_shape(Random& random, int kind) {
  const double size = random.uniform(0.02, 0.2);
  if constexpr (D == 2) {
    if (kind % 3 == 0) return *make_circle2(size);
    if (kind % 3 == 1) return *make_box2({size, size * random.uniform(0.1, 1)});
    return *make_capsule2({-3 * size, 0}, {3 * size, 0}, size);
  } else {
    if (kind % 4 == 0) return *make_sphere3(size);
    if (kind % 4 == 1) return *make_box3({size, size * random.uniform(0.2, 1), size * random.uniform(0.2, 1)});
    if (kind % 4 == 2) return *make_capsule3({-3 * size, 0, 0}, {3 * size, 0, 0}, size);
    std::vector<Vec3d> points;
    for (int i = 0; i < 12; ++i) points.push_back(unit_vector<3>(random) * size);
    return *make_hull_shape3(points);
  }
}
template <int D>
Angular<D> random_spin(Random& random, double rate) {
  if constexpr (D == 2) {
    return random.uniform(-rate, rate);
  } else {
    return unit_vector<3>(random) * random.uniform(0, rate);
  }
}

// Of a ball of triangles the mesh itself knows: what lies flat on a facet is nearer to the middle than its corners are
template <int D>
bool is_inside(const ShapeOf<D>& target, const Vec<D, double>& p, bool round) {
  if constexpr (D == 3) {
    if (round) return target.template as<MeshShape3>().mesh->locate(p) == Containment::inside;
  }
  return max_abs(p) < kRoom;
}

// Many shots that do not see each other, from inside and from outside; the target turns, or not
template <int D>
std::size_t shots_through(const ShapeOf<D>& target, bool round, double turning, BodyKind kind, std::size_t shots,
                          std::uint64_t seed, bool continuous = true) {
  WorldOptions<D> options;
  options.continuous = continuous;
  options.gravity = {};
  options.sleeping = false;
  Random random(seed);
  auto world = *World<D>::make(options);
  BodySpec<D> spec{.shape = target, .kind = kind};
  spec.angular_velocity = random_spin<D>(random, turning);
  if (kind == BodyKind::dynamic) {
    // Heavier than what hits it
    MassProperties<D> mass{};
    mass.mass = 1e6;
    if constexpr (D == 2) {
      mass.xx = mass.yy = 1e7;
    } else {
      mass.inertia = Mat3d::diagonal({1e7, 1e7, 1e7});
    }
    spec.mass = mass;
  }
  const BodyId<D> wall = *world.add_body(spec);
  const std::size_t together = 40;
  std::size_t through = 0;
  std::vector<BodyId<D>> ids;
  std::vector<std::uint8_t> inside;
  for (std::size_t first = 0; first < shots; first += together) {
    ids.clear();
    inside.clear();
    const Pose<D, double> at = world.pose(wall);
    for (std::size_t i = 0; i < together; ++i) {
      BodySpec<D> shot{.shape = shot_shape<D>(random, static_cast<int>(i))};
      const bool from_inside = random.uniform(0, 1) < 0.5;
      const Vec<D, double> there = from_inside ? point_in_ball<D>(random) * (0.6 * kRoom)
                                               : unit_vector<D>(random) * (kRoom * random.uniform(2.2, 4));
      const Vec<D, double> aim = point_in_ball<D>(random) * (0.9 * kRoom);
      shot.pose.position = transform(at, there);
      if constexpr (D == 3) shot.pose.rotation = unit_quaternion(random);
      // Whoever comes from outside would be at its aim within the time that is looked at
      const double drawn = std::pow(10.0, random.uniform(1, 3.3));
      const double speed = from_inside ? drawn : std::max(drawn, 1.2 * length(aim - there) * 60 / kShotSteps);
      const Vec<D, double> way = from_inside ? unit_vector<D>(random) : normalized(aim - there);
      shot.velocity = rotate(at.rotation, way) * speed;
      shot.angular_velocity = random_spin<D>(random, 100);
      shot.bullet = kind == BodyKind::dynamic || i % 2 == 0;
      shot.filter.group = 1;  // they do not see each other
      shot.material.restitution = random.uniform(0, 1);
      ids.push_back(*world.add_body(shot));
      inside.push_back(from_inside);
    }
    for (int step = 0; step < kShotSteps; ++step)
      if (!world.step(1.0 / 60).ok()) return shots;
    const Pose<D, double> now = world.pose(wall);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const Vec<D, double> p = transform(inverse(now), transform(world.pose(ids[i]), world.body(ids[i])->mass.center));
      through += is_inside<D>(target, p, round) != (inside[i] != 0);
      if (!world.remove_body(ids[i]).ok()) return shots;
    }
  }
  return through;
}

}  // namespace sudar::scenes
