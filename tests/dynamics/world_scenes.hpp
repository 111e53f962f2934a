// Worlds that several tests build, and what they ask of them.
#pragma once

#include <sudar/dynamics/world.hpp>
#include <sudar/math/sampling.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace sudar_test {

using namespace sudar;

template <int D>
ShapeOf<D> block(double half) {
  if constexpr (D == 2) {
    return *make_box2({half, half});
  } else {
    return *make_box3({half, half, half});
  }
}
template <int D>
Vec<D, double> up(double height) {
  Vec<D, double> v{};
  v[D - 1] = height;
  return v;
}
template <int D>
BodyId<D> add_floor(World<D>& world) {
  if constexpr (D == 2) {
    return *world.add_body({.shape = *make_box2({100, 1}), .pose = {{0, -1}, {}}, .kind = BodyKind::fixed});
  } else {
    return *world.add_body({.shape = *make_box3({100, 100, 1}), .pose = {{0, 0, -1}, {}}, .kind = BodyKind::fixed});
  }
}

// Blocks of edge 1 on top of each other
template <int D>
std::vector<BodyId<D>> add_tower(World<D>& world, int count) {
  std::vector<BodyId<D>> out;
  for (int i = 0; i < count; ++i)
    out.push_back(*world.add_body({.shape = block<D>(0.5), .pose = {up<D>(0.5 + i), {}}}));
  return out;
}

// Rows of blocks of edge 1, one block less in each
template <int D>
std::vector<BodyId<D>> add_pyramid(World<D>& world, int rows) {
  std::vector<BodyId<D>> out;
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k + row < rows; ++k) {
      Vec<D, double> at = up<D>(0.5 + row);
      at[0] = (k + 0.5 * row - 0.5 * rows) * 1.05;
      out.push_back(*world.add_body({.shape = block<D>(0.5), .pose = {at, {}}}));
    }
  return out;
}

// Boxes that fall into a pit with walls, a little turned
inline std::vector<BodyId<3>> add_pile(World<3>& world, int count, double half_width = 5) {
  const double wall = 0.5, height = 40;
  add_floor<3>(world);
  for (int side = 0; side < 4; ++side) {
    Vec3d at{}, size{half_width + 2 * wall, half_width + 2 * wall, height};
    at[side / 2] = (side % 2 == 0 ? 1 : -1) * (half_width + wall);
    at.z = height;
    size[side / 2] = wall;
    (void)world.add_body({.shape = *make_box3(size), .pose = {at, {}}, .kind = BodyKind::fixed});
  }
  Random random(7);
  std::vector<BodyId<3>> out;
  const int across = static_cast<int>(half_width * 2 / 1.3);
  for (int i = 0; i < count; ++i) {
    const int x = i % across, y = i / across % across, z = i / across / across;
    const Vec3d at{(x - 0.5 * (across - 1)) * 1.25, (y - 0.5 * (across - 1)) * 1.25, 1 + z * 1.3};
    const Quatd turn = Quatd::from_axis_angle(unit_vector<3>(random), random.uniform(0, 0.3));
    out.push_back(*world.add_body({.shape = block<3>(0.5), .pose = {at, turn}}));
  }
  return out;
}

template <int D>
void take_steps(World<D>& world, int steps, double dt = 1.0 / 60) {
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(world.step(dt).ok());
}
// Metres a second
template <int D>
double fastest(const World<D>& world) {
  double out = 0;
  for (const WorldBody<D>& body : world.bodies())
    if (body.is_dynamic()) {
      const auto s = slope(body.state, body.mass.inverse);
      out = std::max({out, length(s.velocity), turn_rate(s.angular_velocity)});
    }
  return out;
}
// The deepest overlap of the last step's contacts
template <int D>
double deepest(const World<D>& world) {
  double out = 0;
  for (const ScenePoint<D>& point : world.scene().points()) out = std::max(out, -point.separation);
  return out;
}

}  // namespace sudar_test
