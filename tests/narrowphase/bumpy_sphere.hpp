// What:    For the tests of meshes: a sphere with bumps, closed and without self-intersections.
#pragma once

#include <sudar/geom/mesh_makers.hpp>
#include <sudar/narrowphase/placement.hpp>

#include <cmath>

namespace sudar_test {

inline sudar::Mesh bumpy_sphere(std::uint32_t slices, std::uint32_t stacks, double bumps, sudar::Vec3d center = {}) {
  sudar::Mesh mesh = *sudar::uv_sphere_mesh(1, slices, stacks);
  for (sudar::Vec3d& v : mesh.vertices)
    v = v * (1 + bumps * std::sin(5 * v.x) * std::sin(4 * v.y + 1) * std::sin(6 * v.z + 2)) + center;
  return mesh;
}

// B moved by so much, not turned
inline sudar::Placement3 shifted(const sudar::Vec3d& by) { return sudar::make_placement(sudar::Pose3d{by, {}}); }

}  // namespace sudar_test
