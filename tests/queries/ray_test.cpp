// Rays against shapes. Oracles: the distance of a point to a convex shape, which is a convex function along the ray; closed
// forms; the shape's own triangles and children, one by one. What fails is shrunk and written as a case.
#include "tests/queries/query_shapes.hpp"
#include "tests/queries/ray_promise.hpp"
#include "tests/support/seed.hpp"

#include <gtest/gtest.h>
#include <tests/support/soak.hpp>

namespace {

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::soak;

template <int D, class S>
void compare_with_distances(const std::vector<S>& shapes) {
  Random random(campaign_seed(21));
  int hits = 0, misses = 0;
  for (std::size_t s = 0; s < shapes.size(); ++s)
    for (std::size_t i = 0; i < soak(10); ++i) {
      const Vec<D, double> from = point_in_ball<D>(random) * 3.0, to = point_in_ball<D>(random) * 1.2;
      const sudar_test::RayCase<D> c{sudar_test::shape_case<D>(shapes[s]), {from, to - from}};
      const std::string wrong = sudar_test::broken_promise(c);
      ASSERT_EQ(wrong, "") << written_ray(c, wrong);
      ++(cast_ray(shapes[s], c.ray)->hit ? hits : misses);
    }
  EXPECT_GT(hits, static_cast<int>(soak(20)));
  EXPECT_GT(misses, static_cast<int>(soak(5)));
}

TEST(RayShapes, ConvexShapesAreHitWhereTheDistanceEnds3) { compare_with_distances<3>(sudar_test::convex_shapes3()); }
TEST(RayShapes, ConvexShapesAreHitWhereTheDistanceEnds2) { compare_with_distances<2>(sudar_test::convex_shapes2()); }

TEST(RayShapes, ClosedForms) {
  const auto hit = [](const Shape3& shape, const Vec3d& o, const Vec3d& d) { return *cast_ray(shape, {o, d}); };
  EXPECT_EQ(hit(*make_sphere3(1), {1e8, 0, 0}, {-1, 0, 0}).t, 99999999);
  EXPECT_EQ(hit(*make_sphere3(1), {1e8, 0, 0}, {-1, 0, 0}).normal, (Vec3d{1, 0, 0}));
  // Along the barrel, along the axis, past the rim
  EXPECT_EQ(hit(*make_cylinder3(1, 1), {1, 0, -5}, {0, 0, 1}).t, 4);
  EXPECT_EQ(hit(*make_cylinder3(1, 1), {0, 0, -5}, {0, 0, 1}).normal, (Vec3d{0, 0, -1}));
  EXPECT_FALSE(hit(*make_cylinder3(1, 1), {next_up(1.0), 0, -5}, {0, 0, 1}).hit);
  // The cone: base, flank, apex, from above through the apex
  const Shape3 cone = *make_cone3(1, 1);
  EXPECT_EQ(hit(cone, {0.5, 0, -5}, {0, 0, 1}).t, 4);
  EXPECT_EQ(hit(cone, {5, 0, 0}, {-1, 0, 0}).t, 4.5);
  EXPECT_EQ(hit(cone, {0, 0, 5}, {0, 0, -1}).t, 4);
  EXPECT_EQ(hit(cone, {0.25, 0, 5}, {0, 0, -1}).t, 4.5);
  EXPECT_FALSE(hit(cone, {0, 0, 2}, {1, 0, 0}).hit);
  EXPECT_FALSE(hit(cone, {-5, 0.1, 1.5}, {1, 0, 0}).hit);
  EXPECT_EQ(hit(*make_ellipsoid3({1, 2, 4}), {0, 0, 10}, {0, 0, -2}).t, 3);
  EXPECT_EQ(hit(*make_halfspace3({0, 0, 2}, 2), {0, 0, 5}, {1, 0, -1}).t, 4);
  EXPECT_TRUE(hit(*make_halfspace3({0, 0, 1}, 1), {0, 0, 0}, {1, 0, 0}).inside);
  EXPECT_FALSE(hit(*make_halfspace3({0, 0, 1}, 1), {0, 0, 2}, {1, 0, 0}).hit);
  // Where it would meet the plane there are no numbers
  EXPECT_FALSE(hit(*make_halfspace3({0, 0, 1}, -1), {0, 0, 0}, {1, 0, -5e-324}).hit);
  EXPECT_FALSE(hit(*make_halfspace3({0, 0, 1}, -1), {0, 0, 0}, {2, 0, -1e-308}).hit);
  EXPECT_EQ(hit(*make_halfspace3({0, 0, 1}, -1), {0, 0, 0}, {1, 0, -0x1p-1000}).t, 0x1p1000);
  // A slowly closing ray and a long capsule
  EXPECT_NEAR(hit(*make_capsule3({0, 0, -1000}, {0, 0, 1000}, 0.5), {0.6, 0, -1000}, {-1e-4, 0, 1}).t, 1000, 1e-6);
  // Points and segments are hit exactly or not at all
  EXPECT_EQ(hit(*make_point3({3, 6, 9}), {0, 0, 0}, {1, 2, 3}).t, 3);
  EXPECT_FALSE(hit(*make_point3({3, 6, next_up(9.0)}), {0, 0, 0}, {1, 2, 3}).hit);
  EXPECT_EQ(hit(*make_segment3({-1, 0, 2}, {1, 0, 2}), {0.5, 0, 0}, {0, 0, 1}).t, 2);
  EXPECT_FALSE(hit(*make_segment3({-1, 0x1p-1000, 2}, {1, 0x1p-1000, 2}), {0.5, 0, 0}, {0, 0, 1}).hit);
}

TEST(RayShapes, BoxCornersAreExact) {
  const Shape3 box = *make_box3({1, 1, 1});
  const auto hits = [&](const Vec3d& o, const Vec3d& d) { return cast_ray(box, {o, d})->hit; };
  const auto written = [&](const Vec3d& o, const Vec3d& d, bool expected) {
    return sudar_test::write_case_text(
        case_line(sudar_test::RayCase<3>{sudar_test::shape_case<3>(box), {o, d}, kEndless, expected}));
  };
  // At an edge from many sides: on it, and one unit in the last place beside it
  Random random(campaign_seed(22));
  for (std::size_t i = 0; i < soak(2000); ++i) {
    const double x = 1 + static_cast<double>(1 + random.below(1000)) / 64,
                 y = 1 + static_cast<double>(1 + random.below(1000)) / 64;
    // The line through the edge x = 1, y = -1 and (x + 1, -y - 1) + …: slope chosen so that it only touches
    const Vec3d d{x, y, 0}, o = Vec3d{1, -1, 0.25} - d;
    const Vec3d beside{next_up(o.x), o.y, o.z}, within{next_down(o.x), o.y, o.z};
    ASSERT_TRUE(hits(o, d)) << written(o, d, true);
    ASSERT_FALSE(hits(beside, d)) << written(beside, d, false);
    ASSERT_TRUE(hits(within, d)) << written(within, d, true);
  }
  EXPECT_TRUE(hits({-2, 1, 0}, {1, 0, 0}));
  EXPECT_FALSE(hits({-3, next_up(1.0), 0}, {1, 0, 0}));
  EXPECT_TRUE(hits({-2, -2, -2}, {1, 1, 1}));
}

// Hulls decide as their faces do, exactly; the same body as a solid mesh gives the same answers
TEST(RayShapes, HullsBoxesAndMeshesAgree) {
  Random random(campaign_seed(23));
  const Vec3d half{1, 0.5, 0.25};
  std::vector<Vec3d> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back({(i & 1 ? 1 : -1) * half.x, (i & 2 ? 1 : -1) * half.y, (i & 4 ? 1 : -1) * half.z});
  const Mesh mesh = *box_mesh(half);
  const Shape3 bodies[] = {*make_box3(half), *make_hull_shape3(corners),
                           *make_mesh_shape3(mesh.vertices, mesh.triangles, true)};
  int hits = 0, insides = 0;
  for (std::size_t i = 0; i < soak(3000); ++i) {
    // On a lattice, so that faces, edges and corners are met exactly
    const auto pick = [&](std::uint64_t n) {
      const auto one = [&] { return (static_cast<double>(random.below(2 * n + 1)) - static_cast<double>(n)) / 4; };
      return Vec3d{one(), one(), one()};
    };
    Ray<3, double> ray{pick(6), pick(4)};
    if (ray.direction == Vec3d{}) ray.direction.y = 1;
    const auto broken = [&](const sudar_test::RayCase<3>& c) -> std::string {
      const auto first = cast_ray(bodies[0], c.ray);
      for (const Shape3& other : bodies) {
        const auto y = cast_ray(other, c.ray);
        if (!first || !y) return "it is refused";
        if (first->hit != y->hit || first->inside != y->inside) return "box, hull and mesh are hit otherwise";
        if (!(std::fabs(first->t - y->t) <= 1e-13)) return "box, hull and mesh are hit at other times";
      }
      return "";
    };
    // Written as a ray at the mesh, which is not shrunk; the other bodies are the same
    const sudar_test::RayCase<3> c{sudar_test::shape_case<3>(bodies[2]), ray};
    const std::string wrong = broken(c);
    ASSERT_EQ(wrong, "") << shrunk_case(c, wrong, broken);
    const RayAnswer3 x = *cast_ray(bodies[0], ray);
    hits += x.hit, insides += x.inside;
  }
  EXPECT_GT(hits, static_cast<int>(soak(200)));
  EXPECT_GT(insides, static_cast<int>(soak(10)));
}

TEST(RayShapes, MeshesFieldsAndCompoundsAreTheirParts) {
  Random random(campaign_seed(24));
  const Mesh torus = *torus_mesh(0.7, 0.3, 24, 16);
  const Shape3 mesh = *make_mesh_shape3(torus.vertices, torus.triangles, false), field = sudar_test::wavy_field();
  const Shape3 compound = sudar_test::shapes3().back();
  std::size_t hits = 0;
  for (std::size_t i = 0; i < soak(300); ++i) {
    const Vec3d from = point_in_ball<3>(random) * 3.0;
    const Ray<3, double> ray{from, Vec3d{1, 1, 0} * random.uniform() + point_in_ball<3>(random) - from};
    for (const Shape3* shape : {&mesh, &field, &compound}) {
      const sudar_test::RayCase<3> c{sudar_test::shape_case<3>(*shape), ray, i % 3 == 0 ? 1.0 : kEndless};
      const std::string wrong = sudar_test::broken_promise(c);
      ASSERT_EQ(wrong, "") << written_ray(c, wrong);
      hits += cast_ray(*shape, ray, c.max_t)->hit;
    }
  }
  EXPECT_GT(hits, soak(30));
}

TEST(RayShapes, ChainsAndPolygonsAreTheirEdges) {
  Random random(campaign_seed(25));
  const Shape2 chain = sudar_test::shapes2()[7], star = sudar_test::shapes2()[8];
  const PolygonSet& set = *chain.as<ChainShape2>().set;
  for (std::size_t i = 0; i < soak(1000); ++i) {
    const Vec2d from = point_in_ball<2>(random) * 2.0;
    // At corners as well
    const Vec2d to = i % 2 == 0 ? set.vertices()[i / 2 % set.vertices().size()] : point_in_ball<2>(random);
    const Ray<2, double> ray{from, to - from};
    double best = std::numeric_limits<double>::infinity();
    for (std::uint32_t e = 0; e < set.edge_count(); ++e) best = std::min(best, ray_segment_time(ray, set.edge(e)));
    const RayAnswer2 x = *cast_ray(chain, ray);
    ASSERT_EQ(x.hit, std::isfinite(best)) << i;
    if (x.hit) {
      ASSERT_EQ(x.t, best) << i;
    }
    const RayAnswer2 y = *cast_ray(star, ray);
    ASSERT_EQ(y.inside, star.as<ConcavePolygonShape2>().set->locate(from) == Containment::inside) << i;
    if (y.inside) {
      ASSERT_EQ(y.t, 0);
    }
  }
}

TEST(RayShapes, SegmentTimesAreExactOnALattice) {
  Random random(campaign_seed(26));
  for (std::size_t i = 0; i < soak(20000); ++i) {
    const auto one = [&] { return static_cast<int>(random.below(7)) - 3; };
    const int ox = one(), oy = one(), ax = one(), ay = one(), bx = one(), by = one();
    int dx = one(), dy = one();
    if (dx == 0 && dy == 0) dx = 1;
    // o + t d = a + s (b - a), by Cramer
    const int ex = bx - ax, ey = by - ay, wx = ax - ox, wy = ay - oy, det = dx * ey - dy * ex;
    double expected = std::numeric_limits<double>::infinity();
    if (det != 0) {
      const double t = static_cast<double>(wx * ey - wy * ex) / det, s = static_cast<double>(wx * dy - wy * dx) / det;
      if (t >= 0 && s >= 0 && s <= 1) expected = t;
    } else if (wx * dy == wy * dx) {
      const double n = dx * dx + dy * dy, ta = (wx * dx + wy * dy) / n, tb = ((bx - ox) * dx + (by - oy) * dy) / n;
      if (ta >= 0 || tb >= 0) expected = ta < 0 || tb < 0 ? 0 : std::min(ta, tb);
    }
    const double scale = i % 2 == 0 ? 1 : 0x1p-70;
    const auto at = [&](int x, int y) { return Vec2d{x * scale, y * scale}; };
    const double t = ray_segment_time({at(ox, oy), at(dx, dy)}, {at(ax, ay), at(bx, by)});
    if (std::isinf(expected)) {
      ASSERT_TRUE(std::isinf(t)) << i;
    } else {
      ASSERT_NEAR(t, expected, 1e-14) << i;
    }
  }
}

TEST(RayShapes, BatchesGiveTheSameOnEveryThread) {
  const Shape3 shape = sudar_test::shapes3().back();
  Random random(campaign_seed(27));
  std::vector<Ray<3, double>> rays;
  for (int i = 0; i < 1500; ++i) rays.push_back({point_in_ball<3>(random) * 3.0, unit_vector<3>(random)});
  std::vector<RayAnswer3> one(rays.size()), many(rays.size());
  const double ends[] = {kEndless};
  ASSERT_TRUE(cast_rays(shape, rays, ends, one).ok());
  ASSERT_TRUE(cast_rays(shape, rays, ends, many, default_executor()).ok());
  for (std::size_t i = 0; i < rays.size(); ++i) {
    ASSERT_EQ(one[i].hit, many[i].hit);
    ASSERT_EQ(one[i].t, many[i].t);
    ASSERT_EQ(one[i].t, cast_ray(shape, rays[i])->t);
  }
  rays[7].direction = {};
  EXPECT_EQ(cast_rays(shape, rays, ends, one).error(), (Error{ErrorCode::degenerate, 7}));
  EXPECT_EQ(cast_rays(shape, rays, ends, std::span(one).first(3)).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(cast_ray(shape, Ray<3, double>{{}, {0, 0, std::nan("")}}).error().code, ErrorCode::non_finite);
}

}  // namespace
