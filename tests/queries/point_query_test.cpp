// Points against shapes. Oracles: every triangle; the table of distances; closed forms.
#include "tests/queries/query_shapes.hpp"
#include "tests/support/seed.hpp"
#include <sudar/geom/point_in_mesh.hpp>
#include <sudar/queries/point_query.hpp>

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
}

}  // namespace
