// Oracles: closed forms of unions and offsets of balls and boxes; the narrow phase for contacts.
#include "tests/support/seed.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/sdf/field_contacts.hpp>
#include <sudar/sdf/field_csg.hpp>
#include <sudar/sdf/polygon_field.hpp>
#include <sudar/sdf/shape_field.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <gtest/gtest.h>

using namespace sudar;
using sudar_test::campaign_seed;

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
// A band without an end has room for any offset, floats have not
TEST(FieldCsg, OffsetsHaveALimit) {
  FieldOptions options;
  options.band = std::numeric_limits<double>::infinity();
  const auto ball = make_shape_field(*make_sphere3(1), use_grid(2, 16), options);
  ASSERT_TRUE(ball.ok());
  for (const double by : {0x1p61, 1e39, 1e300})
    for (const double sign : {-1, 1}) EXPECT_EQ(field_offset(*ball, sign * by).error().code, ErrorCode::too_large);
  for (const double by : {-kMaxShapeSize, -1e9, 1e9, kMaxShapeSize}) {
    const auto grown = field_offset(*ball, by);
    ASSERT_TRUE(grown.ok());
    const FieldSample<3> s = grown->sample(Vec3d{0.1, 0.2, 0.3});
    EXPECT_NEAR(s.distance / -by, 1, 1e-6);
    EXPECT_TRUE(is_finite(s.gradient));
  }
}

TEST(FieldContacts, DepthOverAPlaneIsTheSupport) {
  FieldOptions options;
  options.band = 1;
  const auto ground = make_shape_field(*make_halfspace3({0, 0, 1}, 0), use_grid(3, 50), options);
  ASSERT_TRUE(ground.ok());
  const double cell = ground->grid().cell;
  const Vec3d corners[] = {{0.5, 0, 0}, {-0.5, 0.2, 0}, {0, 0.6, 0.1}, {0, -0.5, 0}, {0.1, 0, 0.7}, {0, 0, -0.6}};
  Random random(campaign_seed(9));
  for (const Shape3& shape : {*make_sphere3(0.5), *make_box3({0.5, 0.4, 0.3}), *make_hull_shape3(corners),
                              *make_capsule3({-0.4, 0, 0}, {0.4, 0.1, 0}, 0.2), *make_cylinder3(0.4, 0.3),
                              *make_ellipsoid3({0.5, 0.3, 0.4}), *make_hull_shape3(corners, 0.1)})
    for (int n = 0; n < 6; ++n) {
      const Pose3d pose{{random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(-0.2, 0.9)},
                        normalized(Quatd{1, random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)})};
      const double truth = distance(*make_halfspace3({0, 0, 1}, 0), Pose3d{}, shape, pose).separation;
      const DistanceAnswer3 x = *field_distance(*ground, shape, pose);
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
    const DistanceAnswer3 x = *field_distance(*ball, plate, pose);
    EXPECT_NEAR(x.separation, height - 1.1, 0.4 * ball->grid().cell);
    EXPECT_EQ(x.hit, height < 1.1);
    EXPECT_LT(std::hypot(x.point_b.x, x.point_b.y), 0.35);
    const auto set = field_contacts(*ball, plate, pose, 0.15);
    ASSERT_TRUE(set.ok());
    EXPECT_EQ(set->points.size(), 1u);
  }
  // Inside beyond the band nothing more than a bound is known, and that is what comes back
  const DistanceAnswer3 deep = *field_distance(*ball, *make_box3({0.05, 0.05, 0.05}), Pose3d{});
  EXPECT_TRUE(deep.hit);
  EXPECT_NEAR(deep.separation, -ball->band(), 1e-6);
  EXPECT_EQ(field_distance(*ball, *make_halfspace3({0, 0, 1}, 0), Pose3d{})->status, QueryStatus::unsupported);
}

// Bounds hold where the field has only bounds itself: far out, deep inside, and on sides that are not exact. Oracle: the
// closed form of a ball.
TEST(FieldContacts, BoundsAreInfiniteWhereNothingIsKnown) {
  FieldOptions options;
  options.band = 0.4;
  const auto ball = make_shape_field(*make_sphere3(1), use_grid(1.6, 50), options);
  ASSERT_TRUE(ball.ok());
  const auto hollow = field_difference(*ball, *make_shape_field(*make_sphere3(0.8), use_grid(1.6, 50), options));
  ASSERT_TRUE(hollow.ok());
  for (const double x : {0.0, 0.3, 0.7, 0.95, 1.2, 1.5, 2.0, 4.0})
    for (const Shape3& shape : {*make_sphere3(0.1), *make_box3({0.1, 0.05, 0.02})}) {
      const double reach = shape.kind() == ShapeKind3::sphere ? 0.1 : std::min(x, 0.1);
      const DistanceAnswer3 a = *field_distance(*ball, shape, Pose3d{{x, 0, 0}, {}});
      ASSERT_LE(a.lower, x - reach - 1 + 1e-6) << x;
      ASSERT_GE(a.upper, x - reach - 1 - 1e-6) << x;
      ASSERT_TRUE(a.lower <= a.separation && a.separation <= a.upper);
      // Known within the band: both ends are near
      if (x == 0.95 || x == 1.2) {
        ASSERT_LT(a.upper - a.lower, 3 * ball->grid().cell);
      }
    }
  // Outside of a cut the values are bounds: the middle of the hollow is 0.8 from the body
  const DistanceAnswer3 within = *field_distance(*hollow, *make_sphere3(0.01), Pose3d{{0.5, 0, 0}, {}});
  EXPECT_EQ(within.upper, std::numeric_limits<double>::infinity());
  const double nan = std::nan("");
  EXPECT_EQ(field_distance(*ball, *make_sphere3(1), Pose3d{{0, nan, 0}, {}}).error().code, ErrorCode::non_finite);
  EXPECT_EQ(field_contacts(*ball, *make_sphere3(1), Pose3d{{}, Quatd{nan, 0, 0, 0}}).error().code,
            ErrorCode::non_finite);
}

// A plate on two balls, its corners in the air: it touches both, with one normal
TEST(FieldContacts, APlateOnTwoBallsTouchesBoth) {
  const CompoundChild3 balls[] = {{*make_sphere3(0.4), {{-0.8, 0, 0}, {}}}, {*make_sphere3(0.4), {{0.8, 0, 0}, {}}}};
  FieldOptions options;
  options.band = 0.3;
  const auto field = make_shape_field(*make_compound3(balls), use_grid(1.6, 60), options);
  ASSERT_TRUE(field.ok());
  const Mesh mesh = *box_mesh({1.4, 0.5, 0.05});
  for (const Shape3& plate : {*make_box3({1.4, 0.5, 0.05}), *make_hull_shape3(mesh.vertices)}) {
    const auto sets = field_contact_patches(*field, plate, Pose3d{{0.02, 0.03, 0.43}, {}}, 0.01);
    ASSERT_TRUE(sets.ok());
    ASSERT_EQ(sets->size(), 1u);
    const ContactSet3& set = sets->front();
    EXPECT_EQ(set.kind, ContactKind::segment);
    ASSERT_EQ(set.points.size(), 2u);
    EXPECT_NEAR(std::fabs(set.points[0].position.x - set.points[1].position.x), 1.6, 3 * field->grid().cell);
    for (const auto& p : set.points) EXPECT_NEAR(p.separation, -0.02, 0.01);
    EXPECT_NE(set.points[0].id(), set.points[1].id());
    EXPECT_GT(set.normal.z, 0.98);
  }
}

// A box in a groove: two sets, one for each side, each in order around its normal
TEST(FieldContacts, AGrooveIsTouchedInTwoDirections) {
  const Quatd left = Quatd::from_axis_angle({0, 1, 0}, kPi / 4), right = Quatd::from_axis_angle({0, 1, 0}, -kPi / 4);
  const CompoundChild3 sides[] = {
      {*make_box3({1, 1, 0.3}), {Vec3d{-0.7071, 0, 0.7071} - Vec3d{0.212, 0, 0.212}, left}},
      {*make_box3({1, 1, 0.3}), {Vec3d{0.7071, 0, 0.7071} + Vec3d{0.212, 0, -0.212}, right}}};
  FieldOptions options;
  options.band = 0.4;
  const auto field = make_shape_field(*make_compound3(sides), use_grid(2, 80), options);
  ASSERT_TRUE(field.ok());
  // A box turned by 45 degrees, two of whose faces lie on the sides, and a rod that lies along the groove
  for (const auto& [shape, pose] :
       {std::pair{*make_box3({0.3, 0.4, 0.3}), Pose3d{{0, 0, 0.3 * std::sqrt(2.0) + 0.03}, left}},
        std::pair{*make_capsule3({0, -0.4, 0}, {0, 0.4, 0}, 0.3), Pose3d{{0, 0, 0.3 * std::sqrt(2.0) - 0.03}, {}}}}) {
    const auto sets = field_contact_patches(*field, shape, pose, 0.08);
    ASSERT_TRUE(sets.ok());
    int to_left = 0, to_right = 0;
    for (const ContactSet3& set : *sets) {
      const bool slanted = std::fabs(std::fabs(set.normal.x) - std::sqrt(0.5)) < 0.15;
      to_left += slanted && set.normal.x < 0;
      to_right += slanted && set.normal.x > 0;
      // Only the edge in the bottom of the groove may point straight up
      EXPECT_TRUE(slanted || (shape.kind() == ShapeKind3::box && set.normal.z > 0.9));
      for (std::size_t k = 0; k + 2 < set.points.size(); ++k) {
        const Vec3d a = set.points[k].position, b = set.points[k + 1].position, c = set.points[k + 2].position;
        if (k + 3 < set.points.size()) {
          EXPECT_GE(dot(cross(b - a, c - b), set.normal), -1e-6);  // the last may be the deepest
        }
      }
    }
    EXPECT_EQ(to_left, 1);
    EXPECT_EQ(to_right, 1);
  }
}

// All of a face has the least value: its plane says so without cutting it to pieces, aligned with the grid or not
TEST(FieldContacts, AFlatRestIsNoSearch) {
  FieldOptions options;
  options.band = 0.5;
  const Mesh mesh = *box_mesh({1, 0.8, 0.2});
  for (const Shape3& plate : {*make_box3({1, 0.8, 0.2}), *make_cylinder3(0.2, 0.9), *make_hull_shape3(mesh.vertices)})
    for (const double angle : {0.0, 0.3, 1.1}) {
      const Vec3d axis = normalized(Vec3d{1, 0.4, 0.2});
      const Quatd turn = Quatd::from_axis_angle(axis, angle);
      const Vec3d up = rotate(turn, Vec3d{0, 0, 1});
      const auto ground = make_shape_field(*make_halfspace3(up, 0), use_grid(1.5, 64), options);
      ASSERT_TRUE(ground.ok());
      const DistanceAnswer3 x = *field_distance(*ground, plate, Pose3d{up * 0.18, turn});
      ASSERT_EQ(x.status, QueryStatus::converged);
      ASSERT_LT(x.iterations, 2000);
      ASSERT_NEAR(x.separation, -0.02, ground->grid().cell / 4);
    }
}

// Just off the border of a grid that is the surface, where the square of the way is zero
TEST(FieldContacts, ABallOffTheBorderByNothingMuch) {
  const std::vector<Vec2d> square[] = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
  const auto field = make_polygon_field(square, FieldGrid2{{0, 0}, 0.125, {9, 9}});
  ASSERT_TRUE(field.ok());
  for (const double off : {0x1p-60, 0x1p-540, 0x1p-700, 0x1p-1074}) {
    const Pose2d pose{{0.5, -off}, {}};
    const auto answer = field_distance(*field, *make_circle2(0.5), pose);
    ASSERT_TRUE(answer.ok());
    EXPECT_EQ(answer->normal, (Vec2d{0, -1}));
    EXPECT_NEAR(answer->separation, -0.5, 1e-15);
    for (const Shape2& shape : {*make_circle2(0.5), *make_point2({0, 0}), *make_box2({0.25, 0.25})}) {
      const auto contacts = field_contacts(*field, shape, pose);
      ASSERT_TRUE(contacts.ok());
      EXPECT_TRUE(is_finite(contacts->normal) && std::isfinite(contacts->separation));
      for (const ContactPoint<2>& p : contacts->points) EXPECT_TRUE(is_finite(p.position));
    }
  }
}

TEST(FieldContacts, PosesAreCheckedAtTheDoor) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  const auto field = make_shape_field(*make_sphere3(1), use_grid(2, 32));
  const auto flat = make_shape_field(*make_circle2(1), *fit_grid(Aabb2d{{-2, -2}, {2, 2}}, 32));
  ASSERT_TRUE(field.ok() && flat.ok());
  const Shape3 ball = *make_sphere3(0.5), box = *make_box3({1, 1, 1});
  const Shape2 tile = *make_box2({1, 1});
  const auto refused = [&](const Pose3d& pose, ErrorCode code) {
    for (const Shape3& shape : {ball, box}) {
      EXPECT_EQ(field_distance(*field, shape, pose).error().code, code);
      EXPECT_EQ(field_contacts(*field, shape, pose).error().code, code);
      EXPECT_EQ(field_contact_patches(*field, shape, pose).error().code, code);
    }
  };
  refused({{nan, 0, 0}, {}}, ErrorCode::non_finite);
  refused({{0, inf, 0}, {}}, ErrorCode::non_finite);
  refused({{0, 0, 0}, {nan, 0, 0, 0}}, ErrorCode::non_finite);
  refused({{0, 0, 0}, {0, 0, 0, 0}}, ErrorCode::degenerate);
  for (const double far : {0x1p61, 1e155, 1.7e308}) refused({{far, 0, 0}, {}}, ErrorCode::too_large);
  EXPECT_EQ(field_distance(*flat, tile, Pose2d{{0, 1e155}, {}}).error().code, ErrorCode::too_large);
  EXPECT_EQ(field_contacts(*flat, tile, Pose2d{{0, 0}, {0, 0}}).error().code, ErrorCode::degenerate);
  // As far as is allowed
  for (const Shape3& shape : {ball, box}) {
    const auto far = field_distance(*field, shape, Pose3d{{kMaxShapeSize, 0, 0}, {}});
    ASSERT_TRUE(far.ok());
    EXPECT_NEAR(far->separation / kMaxShapeSize, 1, 1e-9);
    EXPECT_TRUE(is_finite(far->point_a) && is_finite(far->point_b));
  }
  // A rotation of any length is that of length one
  for (const double size : {1e-200, 0.5, 3.0, 1e160, 1e308}) {
    const auto turned = field_distance(*field, box, Pose3d{{1.7, 0, 0}, {size, size / 2, 0, 0}});
    const auto unit = field_distance(*field, box, Pose3d{{1.7, 0, 0}, normalized(Quatd{1, 0.5, 0, 0})});
    ASSERT_TRUE(turned.ok() && unit.ok());
    EXPECT_NEAR(turned->separation, unit->separation, 1e-12);
    const auto many = field_contact_patches(*flat, tile, Pose2d{{1.5, 0}, {size, size}});
    const auto one = field_contact_patches(*flat, tile, Pose2d{{1.5, 0}, normalized(Rot2d{1, 1})});
    ASSERT_TRUE(many.ok() && one.ok());
    EXPECT_EQ(many->size(), one->size());
  }
}

TEST(FieldContacts, InThePlane) {
  FieldOptions options;
  options.band = 0.7;
  const auto ball = make_shape_field(*make_circle2(1), *fit_grid(Aabb2d{{-2, -2}, {2, 2}}, 80, 0), options);
  ASSERT_TRUE(ball.ok());
  const DistanceAnswer2 x = *field_distance(*ball, *make_box2({1, 0.1}), Pose2d{{0, 1.05}, {}});
  EXPECT_NEAR(x.separation, -0.05, 0.3 * ball->grid().cell);
  EXPECT_NEAR(x.normal.y, 1, 0.1);
  // Both lower corners are inside, the middle of the edge between them is deeper
  const auto set = field_contacts(*ball, *make_box2({0.15, 0.3}), Pose2d{{0, 1.2}, {}});
  ASSERT_TRUE(set.ok());
  EXPECT_EQ(set->kind, ContactKind::segment);
  ASSERT_EQ(set->points.size(), 3u);
  EXPECT_NEAR(std::fabs(set->points[0].position.x - set->points[1].position.x), 0.3, 0.03);
  EXPECT_NEAR(set->points[0].separation, std::hypot(0.15, 0.9) - 1, 0.01);
  EXPECT_NEAR(set->points[1].separation, std::hypot(0.15, 0.9) - 1, 0.01);
  EXPECT_NEAR(set->points[2].separation, -0.1, 0.01);
  EXPECT_EQ(set->separation, set->points[2].separation);
  EXPECT_GT(set->normal.y, 0.98);
  // Between two walls: a set for each
  const std::vector<std::vector<Vec2d>> walls{{{-1, -1}, {-0.5, -1}, {-0.5, 1}, {-1, 1}},
                                              {{0.5, -1}, {1, -1}, {1, 1}, {0.5, 1}}};
  const auto gap = make_polygon_field(walls, *fit_grid(Aabb2d{{-2, -2}, {2, 2}}, 81, 0), options);
  ASSERT_TRUE(gap.ok());
  const auto both = field_contact_patches(*gap, *make_box2({0.52, 0.3}), Pose2d{{0, 0}, {}});
  ASSERT_TRUE(both.ok());
  ASSERT_EQ(both->size(), 2u);
  EXPECT_NEAR((*both)[0].normal.x * (*both)[1].normal.x, -1, 0.05);
  for (const ContactSet2& side : *both) EXPECT_NEAR(side.separation, -0.02, 0.01);
}
