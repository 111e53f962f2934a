#include "lab/show_bodies.hpp"

#include <sudar/math/scalar.hpp>

#include <cmath>

namespace sudar::lab {

namespace {

// A body of unit cubes on a lattice: the faces that have no neighbour
Result<Mesh> cube_body(std::initializer_list<std::array<int, 3>> cubes, double size, const Vec3d& middle) {
  const std::vector<std::array<int, 3>> all(cubes);
  const auto filled = [&](const std::array<int, 3>& c) {
    for (const auto& other : all)
      if (other == c) return true;
    return false;
  };
  Mesh out;
  std::vector<std::array<int, 3>> corners;
  const auto corner = [&](const std::array<int, 3>& c) {
    for (std::size_t i = 0; i < corners.size(); ++i)
      if (corners[i] == c) return static_cast<std::uint32_t>(i);
    corners.push_back(c);
    out.vertices.push_back((Vec3d{double(c[0]), double(c[1]), double(c[2])} - middle) * size);
    return static_cast<std::uint32_t>(corners.size() - 1);
  };
  for (const auto& cube : all)
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const int side : {-1, 1}) {
        auto beside = cube;
        beside[axis] += side;
        if (filled(beside)) continue;
        const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
        std::uint32_t quad[4];
        for (int k = 0; k < 4; ++k) {
          auto c = cube;
          c[axis] += side > 0 ? 1 : 0;
          c[u] += (k == 1 || k == 2) ? 1 : 0;
          c[v] += k >= 2 ? 1 : 0;
          quad[k] = corner(c);
        }
        if (side < 0) std::swap(quad[1], quad[3]);
        out.triangles.push_back({quad[0], quad[1], quad[2]});
        out.triangles.push_back({quad[0], quad[2], quad[3]});
      }
  return out;
}

}  // namespace

std::vector<Vec2d> star_outline() {
  std::vector<Vec2d> out;
  for (int i = 0; i < 10; ++i) {
    const SinCos angle = sin_cos(2 * kPi * i / 10 + 0.3);
    out.push_back(Vec2d{angle.cos, angle.sin} * (i % 2 == 0 ? 1.4 : 0.6));
  }
  return out;
}
std::vector<Vec2d> gear_outline() {
  std::vector<Vec2d> out;
  constexpr int kTeeth = 9;
  for (int i = 0; i < 4 * kTeeth; ++i) {
    const SinCos angle = sin_cos(2 * kPi * (i + (i % 2 == 0 ? 0.15 : -0.15)) / (4 * kTeeth));
    out.push_back(Vec2d{angle.cos, angle.sin} * (i % 4 < 2 ? 1.3 : 1.0));
  }
  return out;
}

Result<Mesh> bumpy_ball(double radius, std::uint32_t slices, std::uint32_t stacks, double bumps) {
  Result<Mesh> mesh = uv_sphere_mesh(1, slices, stacks);
  if (!mesh) return mesh;
  for (Vec3d& v : mesh->vertices)
    v = v * (radius * (1 + bumps * sin_cos(5 * v.x).sin * sin_cos(4 * v.y + 1).sin * sin_cos(6 * v.z + 2).sin));
  return mesh;
}
Result<Mesh> angle_block() {
  return cube_body({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, 2, 0}, {0, 0, 1}, {0, 0, 2}}, 0.6, {1.2, 1.2, 1.2});
}
Result<Mesh> table_block() {
  return cube_body({{0, 0, 0},
                    {2, 0, 0},
                    {0, 2, 0},
                    {2, 2, 0},  //
                    {0, 0, 1},
                    {1, 0, 1},
                    {2, 0, 1},
                    {0, 1, 1},
                    {1, 1, 1},
                    {2, 1, 1},
                    {0, 2, 1},
                    {1, 2, 1},
                    {2, 2, 1}},
                   0.6, {1.5, 1.5, 1});
}
Result<Mesh> wavy_sheet(double half, std::uint32_t cells, double height) {
  Mesh mesh;
  for (std::uint32_t j = 0; j <= cells; ++j)
    for (std::uint32_t i = 0; i <= cells; ++i) {
      const double x = half * (2.0 * i / cells - 1), y = half * (2.0 * j / cells - 1);
      mesh.vertices.push_back({x, y, height * sin_cos(3 * x).sin * sin_cos(2.5 * y).cos});
    }
  for (std::uint32_t j = 0; j < cells; ++j)
    for (std::uint32_t i = 0; i < cells; ++i) {
      const std::uint32_t v = j * (cells + 1) + i;
      mesh.triangles.push_back({v, v + 1, v + cells + 2});
      mesh.triangles.push_back({v, v + cells + 2, v + cells + 1});
    }
  return mesh;
}

std::vector<std::string> solid_names() { return {"bumpy_ball", "torus", "angle", "table", "cone"}; }
Result<Mesh> solid_named(std::size_t index, std::uint32_t pieces) {
  switch (index) {
    case 0:
      return bumpy_ball(1, pieces, pieces * 2 / 3, 0.3);
    case 1:
      return torus_mesh(1, 0.4, pieces, pieces / 2);
    case 2:
      return angle_block();
    case 3:
      return table_block();
    default:
      return cone_mesh(0.8, 1, pieces);
  }
}

}  // namespace sudar::lab
