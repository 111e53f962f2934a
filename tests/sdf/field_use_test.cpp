// Oracles: closed forms of unions and offsets of balls and boxes; the narrow phase for contacts.
#include <sudar/core/random.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/sdf/field_contacts.hpp>
#include <sudar/sdf/field_csg.hpp>
#include <sudar/sdf/shape_field.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <gtest/gtest.h>

using namespace sudar;

namespace {

FieldGrid3 use_grid(double half, std::uint32_t side) {
  return *fit_grid(Aabb3d{{-half, -half, -half}, {half, half, half}}, side, 0);
}
template <class F>
void at_all_samples(const DistanceField3& field, F&& visit) {
  const GridIndex<3> n = field.grid().samples;
  for (std::uint32_t k = 0; k < n[2]; ++k)
    for (std::uint32_t j = 0; j < n[1]; ++j)
      for (std::uint32_t i = 0; i < n[0]; ++i) visit(field.grid().position({i, j, k}), field.at({i, j, k}));
}
Shape3 shifted(const Shape3& shape, const Vec3d& by) {
  const CompoundChild3 child[] = {{shape, {by, {}}}};
  return *make_compound3(child);
}

}  // namespace

TEST(FieldCsg, BallsAndBoxesAgainstClosedForms) {
  const FieldGrid3 grid = use_grid(2, 36);
  FieldOptions options;
  options.band = 0.6;
  const auto ball = make_shape_field(shifted(*make_sphere3(0.9), {-0.4, 0, 0}), grid, options);
  options.band = 0.7;
  const auto box = make_shape_field(shifted(*make_box3({0.8, 0.6, 0.5}), {0.4, 0, 0}), grid, options);
  ASSERT_TRUE(ball.ok() && box.ok());
  const auto both = field_union(*ball, *box), common = field_intersection(*ball, *box),
             cut = field_difference(*ball, *box);
  ASSERT_TRUE(both.ok() && common.ok() && cut.ok());
  EXPECT_FALSE(both->exact());
  EXPECT_NEAR(both->band(), 0.6, 1e-6);
  const auto within = [&](double d) { return std::clamp(d, -both->band(), both->band()); };
  const auto in_ball = [](const Vec3d& p) { return length(p - Vec3d{-0.4, 0, 0}) - 0.9; };
  const auto in_box = [](const Vec3d& p) { return signed_distance(*make_box3({0.8, 0.6, 0.5}), p - Vec3d{0.4, 0, 0}); };
  at_all_samples(*both,
                 [&](const Vec3d& p, double v) { ASSERT_NEAR(v, within(std::min(in_ball(p), in_box(p))), 1e-6); });
  at_all_samples(*common,
                 [&](const Vec3d& p, double v) { ASSERT_NEAR(v, within(std::max(in_ball(p), in_box(p))), 1e-6); });
  at_all_samples(*cut,
                 [&](const Vec3d& p, double v) { ASSERT_NEAR(v, within(std::max(in_ball(p), -in_box(p))), 1e-6); });
  // The union's values outside are distances to the body that both make: that of the narrow phase
  const CompoundChild3 parts[] = {{*make_sphere3(0.9), {{-0.4, 0, 0}, {}}},
                                  {*make_box3({0.8, 0.6, 0.5}), {{0.4, 0, 0}, {}}}};
  const Shape3 body = *make_compound3(parts);
  at_all_samples(*both, [&](const Vec3d& p, double v) {
    const double truth = signed_distance(body, p);
    if (truth > 0) {
      ASSERT_NEAR(v, std::min(truth, both->band()), 1e-6);
    }
    if (truth < -1e-6) {
      ASSERT_TRUE(v < 0 && v >= truth - 1e-6);
    }
  });
  const auto other = make_shape_field(*make_sphere3(1), use_grid(2, 35));
  EXPECT_EQ(field_union(*ball, *other).error().code, ErrorCode::invalid_argument);
}

TEST(FieldCsg, GrownAndShrunk) {
  FieldOptions options;
  options.band = 0.8;
  const auto box = make_shape_field(*make_box3({0.8, 0.6, 0.7}), use_grid(2, 40), options);
  ASSERT_TRUE(box.ok());
  for (const double r : {0.3, -0.25}) {
    const auto moved = field_offset(*box, r);
    ASSERT_TRUE(moved.ok());
    EXPECT_NEAR(moved->band(), 0.8 - std::fabs(r), 1e-6);
    at_all_samples(*moved, [&](const Vec3d& p, double v) {
      const double d = signed_distance(*make_box3({0.8, 0.6, 0.7}), p) - r;
      ASSERT_NEAR(v, std::clamp(d, -moved->band(), moved->band()), 1e-6);
    });
  }
  EXPECT_EQ(field_offset(*box, 0.79).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(field_offset(*box, std::nan("")).error().code, ErrorCode::non_finite);
  // In the plane: a square grown is a rounded square
  const auto flat = make_shape_field(*make_box2({1, 1}), *fit_grid(Aabb2d{{-2, -2}, {2, 2}}, 60, 0),
                                     FieldOptions{0.8, false, FieldSign::winding, nullptr});
  ASSERT_TRUE(flat.ok());
  const auto round = field_offset(*flat, 0.4);
  ASSERT_TRUE(round.ok());
  EXPECT_NEAR(round->distance({1.4, 0}), 0, 0.01);
  EXPECT_NEAR(round->distance({1 + 0.4 * std::sqrt(0.5), 1 + 0.4 * std::sqrt(0.5)}), 0, 0.02);
}

// Two boxes that overlap: within them the values of the union are bounds, which a body must not shrink by. Oracle: the
// body itself, a box of 1.9 by 1 by 1.
TEST(FieldCsg, OffsetsNeedDistances) {
  FieldOptions options;
  options.band = 0.6;
  const FieldGrid3 grid = use_grid(1.8, 37);
  const auto a = make_shape_field(shifted(*make_box3({0.5, 0.5, 0.5}), {-0.45, 0, 0}), grid, options);
  const auto b = make_shape_field(shifted(*make_box3({0.5, 0.5, 0.5}), {0.45, 0, 0}), grid, options);
  ASSERT_TRUE(a.ok() && b.ok() && a->exact());
  const auto both = field_union(*a, *b), common = field_intersection(*a, *b), cut = field_difference(*a, *b);
  ASSERT_TRUE(both.ok() && common.ok() && cut.ok());
  EXPECT_EQ(field_offset(*both, -0.2).error().code, ErrorCode::unsupported);
  EXPECT_EQ(field_offset(*common, 0.2).error().code, ErrorCode::unsupported);
  EXPECT_EQ(field_offset(*cut, 0.2).error().code, ErrorCode::unsupported);
  const auto grown = field_offset(*both, 0.2), shrunk = field_offset(*common, -0.02);
  ASSERT_TRUE(grown.ok() && shrunk.ok());
  at_all_samples(*grown, [&](const Vec3d& p, double v) {
    const double truth = signed_distance(*make_box3({0.95, 0.5, 0.5}), p) - 0.2;
    if (std::fabs(truth) > 1e-6) {
      ASSERT_EQ(v < 0, truth < 0);
    }
  });
  at_all_samples(*shrunk, [&](const Vec3d& p, double v) {
    const double truth = signed_distance(*make_box3({0.05, 0.5, 0.5}), p) + 0.02;
    if (std::fabs(truth) > 1e-6) {
      ASSERT_EQ(v < 0, truth < 0);
    }
  });
  // What was grown is grown on, and not shrunk again: a groove that has closed does not open
  EXPECT_TRUE(field_offset(*grown, 0.1).ok());
  EXPECT_EQ(field_offset(*grown, -0.1).error().code, ErrorCode::unsupported);
}

// A flat field: the deepest point of every shape is known from its support
TEST(FieldContacts, DepthOverAPlaneIsTheSupport) {
  FieldOptions options;
  options.band = 1;
  const auto ground = make_shape_field(*make_halfspace3({0, 0, 1}, 0), use_grid(3, 50), options);
  ASSERT_TRUE(ground.ok());
  const double cell = ground->grid().cell;
  const Vec3d corners[] = {{0.5, 0, 0}, {-0.5, 0.2, 0}, {0, 0.6, 0.1}, {0, -0.5, 0}, {0.1, 0, 0.7}, {0, 0, -0.6}};
  Random random(9);
  for (const Shape3& shape : {*make_sphere3(0.5), *make_box3({0.5, 0.4, 0.3}), *make_hull_shape3(corners),
                              *make_capsule3({-0.4, 0, 0}, {0.4, 0.1, 0}, 0.2), *make_cylinder3(0.4, 0.3),
                              *make_ellipsoid3({0.5, 0.3, 0.4}), *make_hull_shape3(corners, 0.1)})
    for (int n = 0; n < 6; ++n) {
      const Pose3d pose{{random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(-0.2, 0.9)},
                        normalized(Quatd{1, random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)})};
      const double truth = distance(*make_halfspace3({0, 0, 1}, 0), Pose3d{}, shape, pose).separation;
      const DistanceAnswer3 x = field_distance(*ground, shape, pose);
      ASSERT_LE(x.lower, truth + 1e-6);
      ASSERT_GE(x.upper, truth - 1e-6);
      if (std::fabs(truth) > 0.9) continue;
      ASSERT_NEAR(x.separation, truth, 0.3 * cell) << to_string(shape.kind());
      ASSERT_EQ(x.status, QueryStatus::converged);
      ASSERT_NEAR(x.normal.z, 1, 1e-5);
      ASSERT_NEAR(x.point_a.z, 0, 1e-5);
      ASSERT_EQ(x.hit, x.separation <= 0);
    }
}

TEST(FieldContacts, ABoxRestsOnItsFourCorners) {
  FieldOptions options;
  options.band = 1;
  const auto ground = make_shape_field(*make_halfspace3({0, 0, 1}, 0), use_grid(3, 50), options);
  const auto set = field_contacts(*ground, *make_box3({0.5, 0.4, 0.3}), Pose3d{{0, 0, 0.28}, {}});
  ASSERT_TRUE(set.ok());
  EXPECT_EQ(set->kind, ContactKind::polygon);
  ASSERT_EQ(set->points.size(), 4u);
  for (const auto& p : set->points) {
    EXPECT_NEAR(p.separation, -0.02, 1e-5);
    EXPECT_NEAR(p.position.z, -0.01, 1e-5);
    EXPECT_LT(p.feature_b.index, 4u);
  }
  // A ball has one, a mesh those of its vertices that are below
  EXPECT_EQ(field_contacts(*ground, *make_sphere3(0.5), Pose3d{{0, 0, 0.4}, {}})->points.size(), 1u);
  const Mesh mesh = *box_mesh({0.5, 0.4, 0.3});
  const Shape3 solid = *make_mesh_shape3(mesh.vertices, mesh.triangles, true);
  const auto touching = field_contacts(*ground, solid, Pose3d{{0, 0, 0.28}, {}});
  ASSERT_TRUE(touching.ok());
  EXPECT_EQ(touching->points.size(), 4u);
  EXPECT_NEAR(touching->separation, -0.02, 0.3 * ground->grid().cell);
  EXPECT_TRUE(field_contacts(*ground, solid, Pose3d{{0, 0, 0.5}, {}})->points.empty());
  EXPECT_EQ(field_contacts(*ground, solid, Pose3d{{0, 0, 0.5}, {}}, 2).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(field_contacts(*ground, solid, Pose3d{}, std::nan("")).error().code, ErrorCode::invalid_argument);
}

// The face of a box over a ball: no corner is near, the deepest point is within the face
TEST(FieldContacts, TheDeepestPointNeedNotBeACorner) {
  FieldOptions options;
  options.band = 0.7;
  const auto ball = make_shape_field(*make_sphere3(1), use_grid(2.2, 50), options);
  ASSERT_TRUE(ball.ok());
  const Shape3 plate = *make_box3({1, 1, 0.1});
  for (const double height : {1.05, 1.2}) {
    const Pose3d pose{{0.3, -0.2, height}, {}};
    const DistanceAnswer3 x = field_distance(*ball, plate, pose);
    EXPECT_NEAR(x.separation, height - 1.1, 0.4 * ball->grid().cell);
    EXPECT_EQ(x.hit, height < 1.1);
    EXPECT_LT(std::hypot(x.point_b.x, x.point_b.y), 0.35);
    const auto set = field_contacts(*ball, plate, pose, 0.15);
    ASSERT_TRUE(set.ok());
    EXPECT_EQ(set->points.size(), 1u);
  }
  // Inside beyond the band nothing more than a bound is known, and that is what comes back
  const DistanceAnswer3 deep = field_distance(*ball, *make_box3({0.05, 0.05, 0.05}), Pose3d{});
  EXPECT_TRUE(deep.hit);
  EXPECT_NEAR(deep.separation, -ball->band(), 1e-6);
  EXPECT_EQ(field_distance(*ball, *make_halfspace3({0, 0, 1}, 0), Pose3d{}).status, QueryStatus::unsupported);
}

TEST(FieldContacts, InThePlane) {
  FieldOptions options;
  options.band = 0.7;
  const auto ball = make_shape_field(*make_circle2(1), *fit_grid(Aabb2d{{-2, -2}, {2, 2}}, 80, 0), options);
  ASSERT_TRUE(ball.ok());
  const DistanceAnswer2 x = field_distance(*ball, *make_box2({1, 0.1}), Pose2d{{0, 1.05}, {}});
  EXPECT_NEAR(x.separation, -0.05, 0.3 * ball->grid().cell);
  EXPECT_NEAR(x.normal.y, 1, 0.1);
  const auto set = field_contacts(*ball, *make_box2({0.2, 0.3}), Pose2d{{0, 1.2}, {}});
  ASSERT_TRUE(set.ok());
  EXPECT_GE(set->points.size(), 1u);
}
