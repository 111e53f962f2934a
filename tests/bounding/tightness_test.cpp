#include <sudar/bounding/tightness.hpp>
#include <sudar/core/random.hpp>
#include <sudar/math/scalar.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

using namespace sudar;

namespace {
const VolumeRow& row(const std::vector<VolumeRow>& rows, std::string_view kind) {
  for (const VolumeRow& r : rows)
    if (r.kind == kind) return r;
  static const VolumeRow kNone;
  ADD_FAILURE() << "no row " << kind;
  return kNone;
}
}  // namespace

TEST(Tightness, ACubeMatchesTheClosedForms) {
  std::vector<Vec3d> cube;
  for (int k = 0; k < 8; ++k) cube.push_back({double(k & 1), double(k >> 1 & 1), double(k >> 2 & 1)});
  const auto table = compare_volumes<3>(cube);
  ASSERT_TRUE(table.ok());
  EXPECT_NEAR(row(*table, "hull").tightness, 1, 1e-12);
  EXPECT_NEAR(row(*table, "aabb").tightness, 1, 1e-12);
  EXPECT_NEAR(row(*table, "obb (smallest)").tightness, 1, 1e-9);
  EXPECT_NEAR(row(*table, "6-dop").tightness, 1, 1e-12);
  EXPECT_NEAR(row(*table, "26-dop").tightness, 1, 1e-12);
  EXPECT_NEAR(row(*table, "sphere (smallest)").tightness, kPi * std::sqrt(3.0) / 2, 1e-9);
  EXPECT_NEAR(row(*table, "cylinder").tightness, kPi / 2, 1e-6);
}

TEST(Tightness, RowsKeepTheirOrderOfTightness) {
  Random random(81);
  for (int n = 0; n < 4; ++n) {
    std::vector<Vec3d> points;
    std::vector<Vec2d> flat;
    for (int i = 0; i < 60; ++i) {
      const Vec3d p{random.uniform(-3, 3), random.uniform(-1, 1), random.uniform(-1, 1)};
      points.push_back({p.x + p.y, p.y - p.x, p.z + 0.3 * p.x});
      flat.push_back({p.x + p.y, p.y - p.x});
    }
    const auto table = compare_volumes<3>(points, 2);
    const auto table2 = compare_volumes<2>(flat);
    ASSERT_TRUE(table.ok() && table2.ok());
    EXPECT_EQ(table->size(), 14u);
    EXPECT_EQ(table2->size(), 10u);
    for (const auto* rows : {&*table, &*table2}) {
      for (const VolumeRow& r : *rows) {
        EXPECT_GE(r.tightness, 1 - 1e-9) << r.kind;
        EXPECT_TRUE(std::isfinite(r.fit_ms) && r.fit_ms >= 0);
        EXPECT_GT(r.test_cost, 0u);
        EXPECT_GT(r.move_cost, 0u);
        EXPECT_GT(r.numbers, 0u);
      }
      EXPECT_LE(row(*rows, "sphere (smallest)").volume, row(*rows, "sphere (ritter)").volume * (1 + 1e-12));
      EXPECT_LE(row(*rows, "capsule").volume, row(*rows, "sphere (smallest)").volume * (1 + 1e-12));
    }
    EXPECT_LE(row(*table, "26-dop").volume, row(*table, "18-dop").volume * (1 + 1e-12));
    EXPECT_LE(row(*table, "26-dop").volume, row(*table, "14-dop").volume * (1 + 1e-12));
    EXPECT_LE(row(*table, "14-dop").volume, row(*table, "6-dop").volume * (1 + 1e-12));
    EXPECT_NEAR(row(*table, "6-dop").volume, row(*table, "aabb").volume, 1e-9);
    EXPECT_LE(row(*table, "obb (smallest)").volume, row(*table, "obb (principal)").volume * (1 + 1e-9));
    EXPECT_LE(row(*table2, "8-dop").volume, row(*table2, "6-dop").volume * (1 + 1e-12));
    EXPECT_LE(row(*table2, "obb (calipers)").volume, row(*table2, "aabb").volume * (1 + 1e-9));
  }
}

TEST(Tightness, CostsOfLargeHullsAreCapped) {
  // On a parabola with whole coordinates every point is a corner
  std::vector<Vec2d> points;
  for (int i = -20000; i < 20000; ++i) points.push_back({double(i), double(i) * i});
  const auto table = compare_volumes<2>(points);
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(row(*table, "hull").numbers, 80000u);
  EXPECT_EQ(row(*table, "hull").test_cost, std::numeric_limits<std::uint32_t>::max());
}

// Volumes past the largest number are an error, not rows of infinity and NaN
TEST(Tightness, VolumesBeyondTheRange) {
  for (const double s : {1e100, 1e102, 1e103, 1e154, 1e200, 8e307, 1.7e308}) {
    std::vector<Vec3d> cube;
    for (int i = 0; i < 8; ++i) cube.push_back(Vec3d{i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0} * s);
    cube[0] = cube[0] * 0.9;
    const auto table = compare_volumes<3>(cube);
    ASSERT_EQ(table.ok(), s < 1e103) << s;
    if (table) continue;
    EXPECT_EQ(table.error().code, ErrorCode::too_large) << s;
  }
  for (const double s : {1e150, 1e155, 9e307}) {
    const std::vector<Vec2d> square = {{-s, -s}, {s, -s}, {s, s}, {-s, s}};
    const auto table = compare_volumes<2>(square);
    ASSERT_EQ(table.ok(), s < 1e154) << s;
    if (table) continue;
    EXPECT_EQ(table.error().code, ErrorCode::too_large) << s;
  }
}

TEST(Tightness, BadData) {
  std::vector<Vec3d> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  EXPECT_EQ(compare_volumes<3>({}).error().code, ErrorCode::empty_input);
  EXPECT_EQ(compare_volumes<2>({}).error().code, ErrorCode::empty_input);
  EXPECT_EQ(compare_volumes<3>(points).error().code, ErrorCode::degenerate);
  points[3].z = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(compare_volumes<3>(points).error(), (Error{ErrorCode::non_finite, 3}));
}
