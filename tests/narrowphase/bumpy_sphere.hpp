// What:    Meshes and poses for the tests of meshes: a sphere with bumps, closed and without self-intersections.
#pragma once

#include <sudar/core/random.hpp>
#include <sudar/geom/mesh_makers.hpp>

#include <cmath>

namespace sudar_test {

inline sudar::Mesh bumpy_sphere(std::uint32_t slices, std::uint32_t stacks, double bumps, sudar::Vec3d center = {}) {
  sudar::Mesh mesh = *sudar::uv_sphere_mesh(1, slices, stacks);
  for (sudar::Vec3d& v : mesh.vertices)
    v = v * (1 + bumps * std::sin(5 * v.x) * std::sin(4 * v.y + 1) * std::sin(6 * v.z + 2)) + center;
  return mesh;
}

inline sudar::Pose3d random_pose(sudar::Random& random, double reach) {
  const auto one = [&] { return random.uniform(-1, 1); };
  return {{reach * one(), reach * one(), reach * one()}, normalized(sudar::Quatd{one(), one(), one(), one()})};
}

}  // namespace sudar_test
