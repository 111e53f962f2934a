// Polygons of the plane: yes or no and the bounds of distances against exact integers, at places that are aimed at
// (aimed_pairs.hpp). What fails is shrunk and written as a case. Oracle: tests/support/nearest_oracle.hpp, with z = 0.
#include "tests/narrowphase/aimed_pairs.hpp"
#include "tests/narrowphase/exact_campaign.hpp"
#include <sudar/narrowphase/box_box2.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/convex_distance2.hpp>
#include <sudar/narrowphase/exact_gjk2.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace sudar;
using sudar_test::deepest_in_plane;
using sudar_test::depth_complaint;
using sudar_test::distance_complaint;
using sudar_test::exact_points;
using sudar_test::ExactPoints;
using sudar_test::nearest;
using sudar_test::Nearest;
using sudar_test::PlanePairCase;
using sudar_test::Whole;

std::vector<Vec3d> in_space(const std::vector<Vec2d>& points) {
  std::vector<Vec3d> out;
  for (const Vec2d& p : points) out.push_back({p.x, p.y, 0});
  return out;
}
Placement3 in_space(const Placement2& at) {
  Placement3 out;
  out.turned = at.turned;
  if (at.turned) out.turn = {{at.turn.x.x, at.turn.x.y, 0}, {at.turn.y.x, at.turn.y.y, 0}, {0, 0, 1}};
  out.translation = {at.translation.x, at.translation.y, 0};
  out.rest = {at.rest.x, at.rest.y, 0};
  return out;
}
double gap_in_plane(const Vec2d& point, const std::vector<Vec3d>& corners, const Placement3& at) {
  const ExactPoints points = exact_points(std::vector<Vec3d>{{point.x, point.y, 0}}, corners, at);
  return sudar_test::root_of(points.square(nearest(points.a, points.b)));
}

std::string polygon_complaint(const PlanePairCase& pair, bool& hit) {
  const Shape2 a = *make_shape(pair.a), b = *make_shape(pair.b);
  const Placement2 at = make_placement(pose_of(pair.a), pose_of(pair.b));
  const std::vector<Vec3d> corners_a = in_space(corners_of(pair.a)), corners_b = in_space(corners_of(pair.b));
  const Placement3 place = in_space(at);
  const ExactPoints points = exact_points(corners_a, corners_b, place);
  const Nearest<Whole> truth = nearest(points.a, points.b);
  hit = truth.hit();
  if (intersects(a, b, at) != hit) return "the door decides wrongly";
  const ConvexView2 view_a = make_view(a), view_b = make_view(b);
  if (convex_intersects2(view_a, view_b, at) != hit) return "GJK decides wrongly";
  if (exact_gjk2(Difference2(view_a, view_b, at), {}, false).hit != hit) return "exact GJK decides wrongly";
  double scale = max_abs(at.translation);
  for (const Vec3d& p : corners_a) scale = std::max(scale, max_abs(p));
  for (const Vec3d& p : corners_b) scale = std::max(scale, max_abs(transform(place, p)));
  for (const DistanceAnswer2& x : {distance(a, b, at), convex_distance2(view_a, view_b, at)}) {
    if (const std::string wrong = distance_complaint(x, hit, points.square(truth), scale); !wrong.empty()) return wrong;
    if (hit)
      if (const std::string wrong = depth_complaint(x, points, deepest_in_plane(points.a, points.b), scale);
          !wrong.empty())
        return wrong;
    const double slack = sudar_test::kWitnessRounding * scale;
    if (gap_in_plane(x.point_a, corners_a, {}) > slack) return "A's witness is not on A";
    if (gap_in_plane(x.point_b, corners_b, place) > slack) return "B's witness is not on B";
  }
  return "";
}

TEST(ExactCampaign2, PolygonsAreDecidedAndMeasuredAsIntegersDo) {
  sudar_test::count_measured(
      sudar_test::run_exact_campaign(311, sudar_test::soak(20000), sudar_test::aimed_plane_pair, polygon_complaint));
}

// What the campaign found, shrunk: bounds 0.4 m apart at a distance of 2e8 m, a bound above a gap smaller than any double
TEST(ExactCampaign2, WhatWasFoundStaysMended) {
  const PlanePairCase found[] = {
      {{ShapeKind2::polygon, {0, 0, -1, 1, -0.875}, {}, 0},
       {ShapeKind2::box, {33554432, 1}, {33554432, -234907868}, 0}},
      {{ShapeKind2::box, {0.625, 0.375}, {}, 0}, {ShapeKind2::segment, {0, 0, -0.625, -1}, {-5e-324, 1.375}, 0}},
      {{ShapeKind2::polygon, {0, -0.875, -0.875}, {}, 0},
       {ShapeKind2::segment, {0.875, -0.875, 0, 0}, {-1.75, -5e-324}, 0}},
      {{ShapeKind2::point, {0, 0}, {}, 0.6434960231257953}, {ShapeKind2::point, {0, 0}, {0, -5e-324}, 0}},
  };
  for (const PlanePairCase& pair : found) {
    bool hit = true;
    EXPECT_EQ(polygon_complaint(pair, hit), "") << case_line(pair);
    EXPECT_FALSE(hit);
  }
}

// Depths: the witness points of one side with the normal of another that is as near; those of a sliver's wrong edge; the bounds of a
// side that was preferred to the one that is the least deep; plates; a segment
// along a side
TEST(ExactCampaign2, DepthsThatWereFoundStayMended) {
  const PlanePairCase found[] = {
      {{ShapeKind2::box, {0.125, 1}, {}, 0}, {ShapeKind2::box, {0.125, 1}, {0, -8.881784197001252e-16}, 0}},
      {{ShapeKind2::box, {5.820766091346741e-11, 1}, {}, 0},
       {ShapeKind2::box, {5.820766091346741e-11, 1}, {0, -7.105427357601002e-15}, 0}},
      {{ShapeKind2::box, {1, 0.125}, {-7500000, -2447380}, 0}, {ShapeKind2::box, {1, 0.125}, {-7500000, -2447380}, 0}},
      {{ShapeKind2::point, {1.25, 0.25}, {}, 0},
       {ShapeKind2::polygon,
        {0, -1, 0, 0, 0, -0.06673553180553427, 4.656612873077393e-10},
        {1.1958168337587267, 0.2110408470762195},
        3.764974528742396}},
      {{ShapeKind2::box, {0.7951654525211532, 0.7484851539905337}, {}, -2.9580787864483264},
       {ShapeKind2::box, {2, 1}, {-2.6452257286247316, -1.881023201594577}, 0}},
      {{ShapeKind2::box, {1, 0.546875}, {}, 0},
       {ShapeKind2::box, {5.960464477539063e-08, 0.54766845703125}, {}, 3.141592653597069}},
      {{ShapeKind2::box, {1, 0.125}, {}, 0}, {ShapeKind2::box, {1.75, 2.2737367544323206e-13}, {2, 0}, 0}},
      {{ShapeKind2::box, {1, 1}, {}, 0},
       {ShapeKind2::segment, {0.625, -0.875, 0.625, 0.25}, {0, -0.3125}, -3.141592653589793}},
  };
  for (const PlanePairCase& pair : found) {
    bool hit = false;
    EXPECT_EQ(polygon_complaint(pair, hit), "") << case_line(pair);
    EXPECT_TRUE(hit);
  }
}

}  // namespace
