// The haptic probe where it hardly fits. Oracle: whoever is kept from the hand is told to touch.
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/sdf/haptic_probe.hpp>

#include <gtest/gtest.h>

namespace {

using namespace sudar;

Mesh bar(const Vec3d& lo, const Vec3d& hi) {
  return *transformed(*box_mesh((hi - lo) * 0.5), Pose3d{(lo + hi) * 0.5, {}});
}

// The two edges of the mouth are opposed: it was wedged between them, with a force, and told not to touch
TEST(HapticProbe, InTheMouthOfASlotAsWideAsItselfItTouches) {
  for (const double half : {0.25, 0.3, 0.5}) {
    const Mesh slot =
        *joined(*joined(bar({-3, -3, -1}, {3, 3, 0}), bar({-3, -3, 0}, {-half, 3, 2})), bar({half, -3, 0}, {3, 3, 2}));
    const auto mesh = *make_triangle_mesh(slot.vertices, slot.triangles);
    HapticOptions options;
    options.radius = half;
    for (const Vec3d& to : {Vec3d{-1, -1.5, 0.5}, Vec3d{0, 0, 1}, Vec3d{-1, 1, 0}, Vec3d{0.001, 0, 1}}) {
      const Vec3d start{0.6, 0.6, 3.5};
      auto probe = HapticProbe::make(mesh, options, start);
      ASSERT_TRUE(probe.ok());
      for (const Vec3d& hand : {to, Vec3d{0, 2, 1}, Vec3d{2, -0.5, -2}}) {
        const Vec3d from = probe->state().proxy;
        for (int i = 1; i <= 300; ++i) probe->update(lerp(from, hand, std::min(1.0, i / 200.0)));
        const HapticState& s = probe->state();
        ASSERT_TRUE(s.touching || s.limited || distance(s.proxy, hand) < 1e-6) << half << ' ' << s.proxy.z;
        ASSERT_EQ(s.touching, s.planes > 0);
        if (s.touching) {
          EXPECT_NEAR(length(s.normal), 1, 1e-12);
          EXPECT_LT(dot(s.normal, hand - s.proxy), 0);
        }
      }
      // It comes out again
      for (int i = 0; i < 100; ++i) probe->update({0, 0, 4});
      EXPECT_LT(distance(probe->state().proxy, {0, 0, 4}), 1e-9);
    }
  }
}

}  // namespace
