#include <sudar/geom/mesh_makers.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/levels.hpp>
#include <sudar/narrowphase/mesh_distance.hpp>
#include <sudar/shapes/compound3.hpp>

#include <gtest/gtest.h>

#include <cmath>

using namespace sudar;

namespace {

std::shared_ptr<const DetailLevels> solid_levels(const Mesh& mesh) {
  return *DetailLevels::make(mesh.vertices, mesh.triangles, true);
}

}  // namespace

// The body lies in every one of its solid levels grown by what the level misses. Oracle: its vertices, one by one.
TEST(LevelsBox, HoldsTheBodyUpToWhatItMisses) {
  for (std::uint32_t slices = 3; slices < 9; ++slices)
    for (std::uint32_t stacks = 2; stacks < 8; ++stacks) {
      const Mesh mesh = *uv_sphere_mesh(1, slices, stacks);
      const auto levels = solid_levels(mesh);
      for (const DetailLevel& level : levels->levels()) {
        if (level.kind != DetailKind::oriented_box) continue;
        for (const Vec3d& v : mesh.vertices) {
          const auto away = distance(level.shape, Pose3d{}, *make_point3({0, 0, 0}), Pose3d{v, {}});
          ASSERT_LE(away.separation, level.missing + 1e-9) << slices << " × " << stacks;
        }
      }
    }
}

// What the levels prove is true. Oracle: the distance of the meshes.
TEST(LevelsBox, ProofsHoldForSpheresOfSlices) {
  const auto a = solid_levels(*uv_sphere_mesh(1, 7, 4)), b = solid_levels(*icosphere_mesh(0.25, 1));
  for (int i = 0; i < 60; ++i) {
    const double turn = 2.4 * i, height = (i + 0.5) / 30 - 1, aside = std::sqrt(1 - height * height);
    const Pose3d pose{Vec3d{aside * std::cos(turn), aside * std::sin(turn), height} * 1.18, {}};
    const auto placed = make_placement<3>(Pose3d{}, pose);
    const double truth = mesh_distance(a->body(), b->body(), placed).separation;
    const LevelVerdict verdict = decide_by_level(*a, *b, placed).verdict;
    EXPECT_FALSE(verdict == LevelVerdict::apart && truth <= 0) << i;
    EXPECT_LE(distance_within(*a, *b, placed, 0.05).lower, std::fmax(truth, 0) + 1e-9) << i;
  }
}
