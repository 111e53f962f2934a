// Points against shapes. Oracles: every triangle; the table of distances; closed forms.
#include "tests/queries/query_shapes.hpp"
#include "tests/support/seed.hpp"
#include <sudar/geom/point_in_mesh.hpp>
#include <sudar/math/infinity.hpp>
#include <sudar/queries/point_query.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/polygon_set.hpp>

#include <gtest/gtest.h>
#include <tests/support/soak.hpp>

namespace {

using namespace sudar;
using sudar_test::campaign_seed;

TEST(PointQuery, TheClosestPointOfAMeshIsThatOfAllTriangles) {
  const Mesh torus = *torus_mesh(0.7, 0.3, 24, 16);
  const auto mesh = *make_triangle_mesh(torus.vertices, torus.triangles);
  Random random(campaign_seed(31));
  for (std::size_t i = 0; i < sudar_test::soak(400); ++i) {
    const Vec3d p = i % 5 == 0 ? torus.vertices[i % torus.vertices.size()] : point_in_ball<3>(random) * 2.0;
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t t = 0; t < torus.triangles.size(); ++t)
      best = std::min(best, closest_point(torus.corners(t), p).distance_squared);
    const MeshPoint x = closest_on_mesh(*mesh, p);
    ASSERT_EQ(x.distance, std::sqrt(best)) << i;
    ASSERT_NEAR(distance(x.point, p), x.distance, 1e-15);
    // A limit: what is as far as it counts, what is farther does not
    ASSERT_EQ(closest_on_mesh(*mesh, p, x.distance * (1 + 1e-12)).triangle, x.triangle);
    if (x.distance > 0) {
      ASSERT_EQ(closest_on_mesh(*mesh, p, x.distance * (1 - 1e-12)).triangle, kNoIndex);
    }
    const PointAnswer3 s = *signed_distance(*mesh, p);
    ASSERT_EQ(s.where, locate(torus, p));
    ASSERT_EQ(std::fabs(s.distance), s.where == Containment::boundary ? 0 : x.distance);
    ASSERT_EQ(s.distance < 0, s.where == Containment::inside);
  }
}

TEST(PointQuery, AnOpenMeshHasNoSign) {
  Mesh bowl = *icosphere_mesh(1, 1);
  bowl.triangles.pop_back();
  const auto mesh = *make_triangle_mesh(bowl.vertices, bowl.triangles);
  const auto x = signed_distance(*mesh, {0, 0, 0});
  ASSERT_FALSE(x.ok());
  EXPECT_EQ(x.error().code, ErrorCode::not_closed);
  ASSERT_LT(x.error().element, bowl.triangles.size());
  // As a surface it has a distance
  const auto y = locate_point<3>(*make_mesh_shape3(bowl.vertices, bowl.triangles, false), {}, {0, 0, 0});
  ASSERT_TRUE(y.ok());
  EXPECT_EQ(y->where, Containment::outside);
  EXPECT_GT(y->distance, 0.5);
  EXPECT_EQ(locate_point<3>(*make_sphere3(1), {}, {0, 0, std::nan("")}).error().code, ErrorCode::non_finite);
}

TEST(PointQuery, ClosedForms) {
  const Pose3d pose{{5, 0, 0}, {}};
  const auto at = [&](const Shape3& shape, const Vec3d& p) { return *locate_point<3>(shape, pose, p); };
  EXPECT_EQ(at(*make_box3({1, 2, 3}), {5.5, 0, 0}).distance, -0.5);
  EXPECT_EQ(at(*make_box3({1, 2, 3}), {6, 0, 0}).where, Containment::boundary);
  EXPECT_EQ(at(*make_box3({1, 2, 3}), {9, 5, 3}).distance, std::sqrt(18));
  EXPECT_EQ(at(*make_sphere3(1), {5, 0, 3}).point, (Vec3d{5, 0, 1}));
  EXPECT_EQ(at(*make_halfspace3({0, 0, 1}, 1), {0, 0, -4}).distance, -5);
  const PointAnswer2 x = *locate_point<2>(*make_circle2(2), {{1, 0}, {}}, {1, 1});
  EXPECT_EQ(x.distance, -1);
  EXPECT_EQ(x.where, Containment::inside);
}

// Oracle: a square and a cube, closed forms on a lattice. What was `inside` on the border of all that is not convex
TEST(PointQuery, TheBorderOfWhatIsNotConvex) {
  const std::vector<Vec2d> corners = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  std::vector<CompoundChild2> quarters;
  std::vector<CompoundChild3> eighths;
  for (const Vec2d& c : corners) {
    quarters.push_back({*make_box2({0.5, 0.5}), {c * 0.5, {}}});
    for (const double z : {-0.5, 0.5}) eighths.push_back({*make_box3({0.5, 0.5, 0.5}), {{c.x / 2, c.y / 2, z}, {}}});
  }
  const Shape2 chain = *make_chain2(corners, true),
               plane[] = {*make_concave_polygon2(corners), *make_compound2(quarters)};
  const Shape3 cube = *make_compound3(eighths);
  for (int i = 0; i < 13 * 13 * 13; ++i) {
    const Vec3d p{(i % 13 - 6) / 4.0, (i / 13 % 13 - 6) / 4.0, (i / 169 - 6) / 4.0};
    const auto of = [](double most) {
      return most < 1 ? Containment::inside : most > 1 ? Containment::outside : Containment::boundary;
    };
    const Containment flat = of(std::max(std::fabs(p.x), std::fabs(p.y)));
    const PointAnswer3 x = *locate_point<3>(cube, {}, p);
    ASSERT_EQ(x.where, of(max_abs(p))) << p.x << ' ' << p.y << ' ' << p.z;
    ASSERT_EQ(x.distance < 0, x.where == Containment::inside);
    for (const Shape2& shape : plane) {
      const PointAnswer2 y = *locate_point<2>(shape, {}, {p.x, p.y});
      ASSERT_EQ(y.where, flat) << p.x << ' ' << p.y;
      ASSERT_EQ(y.distance == 0, flat == Containment::boundary);
    }
    ASSERT_EQ(locate_point<2>(chain, {}, {p.x, p.y})->where, flat == Containment::inside ? Containment::outside : flat);
  }
  // What has no inside
  const Shape3 terrain = *make_height_field3(std::vector<double>(9, 0), 3, 3, {1, 1});
  const Shape3 rod = *make_compound3(std::vector<CompoundChild3>{{*make_segment3({-1, 0, 0}, {1, 0, 0}), {}}});
  EXPECT_EQ(locate_point<3>(terrain, {}, {0.5, 0.25, 0})->where, Containment::boundary);
  EXPECT_EQ(locate_point<3>(terrain, {}, {0.5, 0.25, -1})->where, Containment::outside);
  EXPECT_EQ(locate_point<3>(rod, {}, {0.3, 0, 0})->where, Containment::boundary);
  EXPECT_EQ(locate_point<3>(rod, {}, {0.3, 0, 0})->status, QueryStatus::converged);
}

TEST(PointQuery, BatchesGiveTheSame) {
  const Shape3 shape = sudar_test::shapes3()[12];
  Random random(campaign_seed(32));
  std::vector<Vec3d> points;
  for (int i = 0; i < 700; ++i) points.push_back(point_in_ball<3>(random));
  std::vector<PointAnswer3> answers(points.size());
  ASSERT_TRUE(locate_points<3>(shape, {}, points, answers, default_executor()).ok());
  for (std::size_t i = 0; i < points.size(); ++i)
    ASSERT_EQ(answers[i].distance, locate_point<3>(shape, {}, points[i])->distance);
  points[3].y = std::nan("");
  EXPECT_EQ(locate_points<3>(shape, {}, points, answers).error(), (Error{ErrorCode::non_finite, 3}));
  points[3].y = 1e160;
  EXPECT_EQ(locate_points<3>(shape, {}, points, answers).error(), (Error{ErrorCode::too_large, 3}));
  points[3].y = 0;
  EXPECT_EQ(locate_points<3>(shape, {{0, kInfinity, 0}, {}}, points, answers).error().code, ErrorCode::non_finite);
}

// Squares of such distances, and differences of such places, are beyond the doubles: no triangle is the closest one then
TEST(PointQuery, PlacesBeyondReachAreRefused) {
  const Mesh ball = *icosphere_mesh(1, 1);
  const auto mesh = *make_triangle_mesh(ball.vertices, ball.triangles);
  const double most = 1.79e308, nan = std::nan("");
  const Vec3d tetrahedron[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const MeshTriangle faces[] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  const Pose3d turned{{0, most, 1.9641}, normalized(Quatd{0.211231, -0.513235, 0.602394, -0.573666})};
  const Vec3d far{most, -1.25657, 1.12409};
  for (const Shape3& shape :
       {*make_mesh_shape3(tetrahedron, faces, true), *make_mesh_shape3(ball.vertices, ball.triangles, false),
        *make_box3({1, 1, 1}), *make_halfspace3({0, 0, 1}, 0)}) {
    const auto code = [&](const Pose3d& pose, const Vec3d& p) { return locate_point<3>(shape, pose, p).error().code; };
    EXPECT_EQ(code(turned, far), ErrorCode::too_large);
    EXPECT_EQ(code(turned, {}), ErrorCode::too_large);
    for (const double x : {1.3e30, 1.34e154, 1e160, 1e200, most}) {
      EXPECT_EQ(code({}, {x, 2 * x > most ? x : 2 * x, 0}), ErrorCode::too_large) << x;
      EXPECT_EQ(code({{0, 0, -x}, {}}, {}), ErrorCode::too_large) << x;
      if (x > 1e200) continue;
      EXPECT_EQ(signed_distance(*mesh, {x, 0.3, 0.2}).error().code, ErrorCode::too_large) << x;
    }
    EXPECT_EQ(code({{kInfinity, 0, 0}, {}}, {}), ErrorCode::non_finite);
    EXPECT_EQ(code({{0, nan, 0}, {}}, {}), ErrorCode::non_finite);
    EXPECT_EQ(code({{}, {nan, 0, 0, 0}}, {}), ErrorCode::non_finite);
    EXPECT_EQ(code({{}, {kInfinity, 0, 0, 0}}, {}), ErrorCode::non_finite);
    EXPECT_EQ(code({{}, {0, 0, 0, 0}}, {}), ErrorCode::degenerate);
    // A longer rotation is the same one, and the farthest places have an answer
    const Vec3d p{3, 0.5, 0.25};
    EXPECT_EQ(locate_point<3>(shape, {{1, 0, 0}, {7e200, 0, 0, 0}}, p)->distance,
              locate_point<3>(shape, {{1, 0, 0}, {}}, p)->distance);
    const PointAnswer3 x = *locate_point<3>(shape, {{-0x1p100, 0, 0}, {0, 1, 0, 0}}, {0x1p100, 0, 1});
    EXPECT_TRUE(is_finite(x.normal) && is_finite(x.point) && std::isfinite(x.distance));
    if (shape.is_bounded()) {
      EXPECT_NEAR(x.distance / 0x1p101, 1, 1e-12);
    }
  }
  EXPECT_EQ(locate_point<2>(*make_circle2(1), {{nan, 0}, {}}, {}).error().code, ErrorCode::non_finite);
  EXPECT_EQ(locate_point<2>(*make_circle2(1), {{}, {0, 0}}, {}).error().code, ErrorCode::degenerate);
}

}  // namespace
