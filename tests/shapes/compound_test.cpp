// What:    Compounds, height fields and their searches. Oracle: brute force over all parts, and planes as terrains.
#include "tests/support/random.hpp"
#include "tests/support/seed.hpp"
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/part_tree.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::random_point;

namespace {

double gap(const Aabb3d& a, const Vec3d& p) { return length(p - max(a.lo, min(a.hi, p))); }

}  // namespace

TEST(PartTree, FindsWhatBruteForceFinds) {
  Random random(campaign_seed(1));
  for (const std::size_t count : {0, 1, 2, 4, 5, 33, 500}) {
    std::vector<Aabb3d> boxes;
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3d c = random_point<3>(random, 10);
      boxes.push_back({c, c + abs(random_point<3>(random, 1))});
    }
    PartTree<3> tree;
    tree.assign(boxes);
    EXPECT_EQ(tree.size(), count);
    for (int round = 0; round < 50; ++round) {
      const Vec3d c = random_point<3>(random, 10);
      const Aabb3d box{c, c + abs(random_point<3>(random, 4))};
      std::vector<std::uint32_t> found, want;
      tree.for_each_overlap(box, [&](std::uint32_t i) { found.push_back(i); });
      for (std::uint32_t i = 0; i < count; ++i)
        if (overlap(boxes[i], box)) want.push_back(i);
      std::sort(found.begin(), found.end());
      EXPECT_EQ(found, want);
      if (!want.empty()) {
        int visits = 0;
        tree.for_each_overlap(box, [&](std::uint32_t) { return ++visits < 1; });
        EXPECT_EQ(visits, 1);
      }
      double best = std::numeric_limits<double>::infinity(), nearest = best;
      tree.for_each_nearer([&](const Aabb3d& b) { return gap(b, c); }, best,
                           [&](std::uint32_t i) { best = std::min(best, gap(boxes[i], c)); });
      for (const Aabb3d& b : boxes) nearest = std::min(nearest, gap(b, c));
      EXPECT_EQ(best, nearest);
    }
  }
}

TEST(Compound3, HoldsItsChildrenAlsoNested) {
  Random random(campaign_seed(2));
  std::vector<CompoundChild3> children;
  for (int i = 0; i < 9; ++i)
    children.push_back({*make_box3(abs(random_point<3>(random, 1)) + Vec3d{0.1, 0.1, 0.1}),
                        {random_point<3>(random, 5), Quatd{random.uniform(-3, 3), 1, 2, random.uniform(-3, 3)}}});
  const Shape3 inner = *make_compound3(children);
  EXPECT_EQ(inner.as<CompoundShape3>().parts->depth(), 1);
  const std::vector<CompoundChild3> pair = {{inner, {{1, 2, 3}, Quatd{0, 1, 0, 0}}}, {*make_sphere3(1), {}}};
  const Shape3 outer = *make_compound3(pair);
  EXPECT_EQ(outer.as<CompoundShape3>().parts->depth(), 2);
  EXPECT_FALSE(outer.is_convex());
  const Pose3d pose{{7, -3, 1e5}, normalized(Quatd{1, 2, 3, 4})};
  const Aabb3d box = bounding_box(outer, pose);
  for (const CompoundChild3& child : inner.as<CompoundShape3>().parts->children()) {
    const Vec3d half = child.shape.as<BoxShape3>().half;
    EXPECT_NEAR(length_squared(Vec3d{child.pose.rotation.x, child.pose.rotation.y, child.pose.rotation.z}) +
                    child.pose.rotation.w * child.pose.rotation.w,
                1, 1e-14);
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3d p{corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y, corner & 4 ? half.z : -half.z};
      EXPECT_TRUE(contains(box, transform(pose, transform(pair[0].pose, transform(child.pose, p)))));
    }
  }
  EXPECT_TRUE(contains(box, pose.position));
}

TEST(Compound3, RefusesBadChildren) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Shape3 ball = *make_sphere3(1);
  EXPECT_EQ(make_compound3({}).error().code, ErrorCode::empty_input);
  EXPECT_EQ(make_compound3(std::vector<CompoundChild3>{{ball, {}}, {ball, {{0, nan, 0}, {}}}}).error(),
            (Error{ErrorCode::non_finite, 1}));
  EXPECT_EQ(make_compound3(std::vector<CompoundChild3>{{ball, {{}, {nan, 0, 0, 0}}}}).error(),
            (Error{ErrorCode::non_finite, 0}));
  EXPECT_EQ(make_compound3(std::vector<CompoundChild3>{{ball, {{}, {0, 0, 0, 0}}}}).error(),
            (Error{ErrorCode::degenerate, 0}));
  EXPECT_EQ(make_compound3(std::vector<CompoundChild3>{{*make_halfspace3({0, 0, 1}, 0), {}}}).error(),
            (Error{ErrorCode::invalid_argument, 0}));
  Shape3 nested = ball;
  for (int i = 0; i < Compound3::kMaxCompoundDepth; ++i)
    nested = *make_compound3(std::vector<CompoundChild3>{{nested, {}}});
  EXPECT_EQ(make_compound3(std::vector<CompoundChild3>{{nested, {}}}).error(), (Error{ErrorCode::too_large, 0}));
}

TEST(Compound2, HoldsItsChildren) {
  const std::vector<CompoundChild2> children = {{*make_box2({1, 2}), {{3, 0}, Rot2d::from_angle(0.5)}},
                                                {*make_circle2(1), {{-2, 0}, {}}}};
  const Shape2 shape = *make_compound2(children);
  const Pose2d pose{{1, 1}, Rot2d::from_angle(1)};
  const Aabb2d box = bounding_box(shape, pose);
  for (const double x : {-1., 1.})
    for (const double y : {-2., 2.})
      EXPECT_TRUE(contains(box, transform(pose, transform(children[0].pose, Vec2d{x, y}))));
  EXPECT_EQ(make_compound2({}).error().code, ErrorCode::empty_input);
  EXPECT_EQ(make_compound2(std::vector<CompoundChild2>{{*make_halfplane2({0, 1}, 0), {}}}).error(),
            (Error{ErrorCode::invalid_argument, 0}));
  EXPECT_EQ(make_compound2(std::vector<CompoundChild2>{{*make_circle2(1), {{}, {0, 0}}}}).error(),
            (Error{ErrorCode::degenerate, 0}));
}

TEST(HeightField, FindsTheTrianglesBruteForceFinds) {
  Random random(campaign_seed(3));
  const std::uint32_t columns = 23, rows = 38;
  std::vector<double> heights;
  for (std::uint32_t i = 0; i < columns * rows; ++i) heights.push_back(random.uniform(-2, 2));
  const auto field = *HeightField::make(heights, columns, rows, {0.7, 1.3});
  EXPECT_EQ(field->triangle_count(), 2u * 22 * 37);
  const auto box_of = [&](std::uint32_t t) {
    const Triangle<3, double> x = field->triangle(t);
    return Aabb3d{min(x.a, min(x.b, x.c)), max(x.a, max(x.b, x.c))};
  };
  for (std::uint32_t t = 0; t < field->triangle_count(); ++t) {
    const Triangle<3, double> x = field->triangle(t);
    EXPECT_GT(cross(x.b - x.a, x.c - x.a).z, 0);
    EXPECT_NEAR(field->height_at({(x.a.x + x.b.x + x.c.x) / 3, (x.a.y + x.b.y + x.c.y) / 3}),
                (x.a.z + x.b.z + x.c.z) / 3, 1e-12);
  }
  for (int round = 0; round < 300; ++round) {
    Vec3d c{random.uniform(-3, 20), random.uniform(-3, 60), random.uniform(-3, 3)};
    Aabb3d box{c, c + abs(random_point<3>(random, round % 2 == 0 ? 1 : 20))};
    // Sides that lie on lines of the grid touch the cells of both sides
    if (round % 3 == 0) box.hi.x = std::max(box.lo.x, std::round(box.hi.x / 0.7) * 0.7);
    std::vector<std::uint32_t> found, want;
    field->for_each_overlap(box, [&](std::uint32_t t) { found.push_back(t); });
    for (std::uint32_t t = 0; t < field->triangle_count(); ++t)
      if (overlap(box_of(t), box)) want.push_back(t);
    std::sort(found.begin(), found.end());
    EXPECT_TRUE(std::includes(found.begin(), found.end(), want.begin(), want.end()));
    std::erase_if(found, [&](std::uint32_t t) { return !overlap(box_of(t), box); });
    EXPECT_EQ(found, want);
    double best = std::numeric_limits<double>::infinity(), nearest = best;
    field->for_each_nearer([&](const Aabb3d& b) { return gap(b, c); }, best,
                           [&](std::uint32_t t) { best = std::min(best, gap(box_of(t), c)); });
    for (std::uint32_t t = 0; t < field->triangle_count(); ++t) nearest = std::min(nearest, gap(box_of(t), c));
    EXPECT_EQ(best, nearest);
  }
  EXPECT_TRUE(std::isnan(field->height_at({-0.1, 0})));
  EXPECT_EQ(field->height_at({0, 0}), heights[0]);
  EXPECT_NEAR(field->height_at({22 * 0.7, 37 * 1.3}), heights.back(), 1e-12);
  const Aabb3d placed = bounding_box(*make_height_field3(heights, columns, rows, {0.7, 1.3}), {{1, 2, 3}, {}});
  EXPECT_TRUE(contains(placed, field->vertex(22, 37) + Vec3d{1, 2, 3}));
}

TEST(HeightField, RefusesBadGrids) {
  const std::vector<double> four = {0, 1, 2, 3};
  EXPECT_TRUE(make_height_field3(four, 2, 2, {1, 1}).ok());
  EXPECT_EQ(make_height_field3({}, 2, 2, {1, 1}).error().code, ErrorCode::empty_input);
  EXPECT_EQ(make_height_field3(four, 4, 1, {1, 1}).error().code, ErrorCode::degenerate);
  EXPECT_EQ(make_height_field3(four, 2, 3, {1, 1}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(make_height_field3(four, 0x80000002u, 0x80000001u, {1, 1}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(make_height_field3(four, 2, 2, {1, 0}).error(), (Error{ErrorCode::degenerate, 1}));
  const std::vector<double> bad = {0, 1, std::numeric_limits<double>::infinity(), 3};
  EXPECT_EQ(make_height_field3(bad, 2, 2, {1, 1}).error(), (Error{ErrorCode::non_finite, 2}));
  EXPECT_EQ(make_height_field3(four, 2, 2, {0x1p60, 1}).ok(), true);
  EXPECT_EQ(make_height_field3(std::vector<double>(9), 3, 3, {0x1p60, 1}).error().code, ErrorCode::too_large);
}
