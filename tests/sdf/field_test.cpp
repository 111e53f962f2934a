// Oracles: closed forms of ball, box, torus and half-space; finite differences; the plain polygon field.
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/sdf/mesh_field.hpp>
#include <sudar/sdf/polygon_field.hpp>
#include <sudar/sdf/shape_field.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/polygon_set.hpp>

#include <gtest/gtest.h>

using namespace sudar;
using sudar_test::campaign_seed;

namespace {

FieldGrid3 cube_grid(double half, std::uint32_t side) {
  return *fit_grid(Aabb3d{{-half, -half, -half}, {half, half, half}}, side, 0);
}
Vec3d random_place(Random& random, double reach) {
  return {random.uniform(-reach, reach), random.uniform(-reach, reach), random.uniform(-reach, reach)};
}
double torus_distance(const Vec3d& p, double major, double minor) {
  const double r = std::sqrt(p.x * p.x + p.y * p.y) - major;
  return std::sqrt(r * r + p.z * p.z) - minor;
}

}  // namespace

TEST(ShapeField, SamplesAreClosedForms) {
  const FieldGrid3 grid = cube_grid(2, 40);
  const Vec3d half{1, 0.7, 0.4};
  const auto ball = make_shape_field(*make_sphere3(1.2), grid);
  const auto box = make_shape_field(*make_box3(half), grid);
  const auto space = make_shape_field(*make_halfspace3({0, 0, 2}, 1), grid);
  const auto rod = make_shape_field(*make_cylinder3(0.8, 0.5), grid);
  ASSERT_TRUE(ball.ok() && box.ok() && space.ok() && rod.ok());
  EXPECT_TRUE(ball->covers_surface());
  EXPECT_FALSE(space->covers_surface());
  const double band = ball->band();
  for (std::uint32_t k = 0; k < 40; ++k)
    for (std::uint32_t j = 0; j < 40; ++j)
      for (std::uint32_t i = 0; i < 40; ++i) {
        const Vec3d p = grid.position({i, j, k}), q = abs(p) - half;
        const double in_box = std::max({q.x, q.y, q.z});
        const double r = std::sqrt(p.x * p.x + p.y * p.y) - 0.5, z = std::fabs(p.z) - 0.8;
        const double in_rod = std::max(r, z) <= 0 ? std::max(r, z) : std::hypot(std::max(r, 0.0), std::max(z, 0.0));
        const auto within = [&](double d) { return std::clamp(d, -band, band); };
        ASSERT_NEAR(ball->at({i, j, k}), within(length(p) - 1.2), 1e-6);
        ASSERT_NEAR(box->at({i, j, k}), within(in_box <= 0 ? in_box : length(max(q, Vec3d{}))), 1e-6);
        ASSERT_NEAR(space->at({i, j, k}), within(p.z - 0.5), 1e-6);
        ASSERT_NEAR(rod->at({i, j, k}), within(in_rod), 1e-6);
      }
}

// All kinds against the narrow phase; children of compounds overlap
TEST(ShapeField, ShapesOfTheNarrowPhase) {
  const Vec3d corners[] = {{1, 0, 0}, {-1, 0.2, 0}, {0, 1, 0.1}, {0, -1, 0}, {0.1, 0, 1}, {0, 0, -1}};
  const CompoundChild3 children[] = {{*make_sphere3(0.6), {{-0.4, 0, 0}, {}}},
                                     {*make_box3({0.5, 0.4, 0.3}), {{0.3, 0, 0}, {}}}};
  const Mesh torus = *torus_mesh(0.8, 0.3, 40, 20);
  const FieldGrid3 grid = cube_grid(1.5, 22);
  for (const Shape3& shape :
       {*make_ellipsoid3({1, 0.6, 0.8}), *make_cone3(0.8, 0.6), *make_hull_shape3(corners),
        *make_hull_shape3(corners, 0.2), *make_compound3(children), *make_capsule3({-0.5, 0, 0}, {0.4, 0.3, 0.2}, 0.3),
        *make_segment3({-1, 0, 0}, {1, 0.5, 0}), *make_triangle3({-1, 0, 0}, {1, 0, 0}, {0, 1, 0.5}),
        *make_mesh_shape3(torus.vertices, torus.triangles, true)}) {
    const auto field = make_shape_field(shape, grid);
    ASSERT_TRUE(field.ok());
    for (std::uint32_t n = 0; n < 22 * 22 * 22; n += 7) {
      const GridIndex<3> i{n % 22, n / 22 % 22, n / (22 * 22)};
      const double d = signed_distance(shape, grid.position(i));
      ASSERT_NEAR(field->at(i), std::clamp(d, -field->band(), field->band()), 1e-6) << to_string(shape.kind());
      if (d != 0) {
        ASSERT_EQ(field->at(i) < 0, d < 0) << to_string(shape.kind());
      }
    }
  }
}

TEST(ShapeField, PlaneShapes) {
  const Vec2d star[] = {{2, 0}, {0.5, 0.5}, {0, 2}, {-0.5, 0.5}, {-2, 0}, {-0.5, -0.5}, {0, -2}, {0.5, -0.5}};
  const FieldGrid2 grid = *fit_grid(Aabb2d{{-2.5, -2.5}, {2.5, 2.5}}, 60, 0);
  const auto ball = make_shape_field(*make_circle2(1.5), grid);
  const auto from_shape = make_shape_field(*make_concave_polygon2(star), grid);
  const std::vector<Vec2d> polygon(std::begin(star), std::end(star));
  const auto from_polygon = make_polygon_field(std::span(&polygon, 1), grid);
  const auto chain = make_shape_field(*make_chain2(star, true), grid);
  ASSERT_TRUE(ball.ok() && from_shape.ok() && from_polygon.ok() && chain.ok());
  for (std::uint32_t j = 0; j < 60; ++j)
    for (std::uint32_t i = 0; i < 60; ++i) {
      ASSERT_NEAR(ball->at({i, j}), std::clamp(length(grid.position({i, j})) - 1.5, -ball->band(), ball->band()), 1e-6);
      ASSERT_NEAR(from_shape->at({i, j}), from_polygon->at({i, j}), 1e-6);
      ASSERT_NEAR(chain->at({i, j}), std::fabs(from_polygon->at({i, j})), 1e-6);
    }
}

// Random polygons that cross themselves, with vertices on the samples; a square with a square hole
TEST(PolygonField, FastEqualsPlain) {
  Random random(campaign_seed(3));
  const FieldGrid2 grid{{-1, -1}, 0.125, {33, 30}};
  for (std::size_t round = 0; round < sudar_test::soak(30); ++round) {
    std::vector<std::vector<Vec2d>> polygons(1 + round % 3);
    for (auto& polygon : polygons)
      for (std::size_t i = 0; i < 3 + random.below(8); ++i) {
        const auto one = [&] {
          return round % 2 == 0 ? 0.125 * double(random.below(24)) - 0.5 : random.uniform(-0.7, 2.3);
        };
        polygon.push_back({one(), one()});
      }
    for (const FieldSign sign : {FieldSign::winding, FieldSign::parity, FieldSign::none}) {
      FieldOptions options;
      options.sign = sign;
      if (round % 5 == 0) options.band = std::numeric_limits<double>::infinity();
      const auto fast = make_polygon_field(polygons, grid, options),
                 plain = make_polygon_field_plain(polygons, grid, options);
      ASSERT_TRUE(fast.ok() && plain.ok());
      for (std::uint32_t j = 0; j < 30; ++j)
        for (std::uint32_t i = 0; i < 33; ++i) {
          const double x = fast->at({i, j}), y = plain->at({i, j});
          ASSERT_NEAR(std::fabs(x), std::fabs(y), 1e-6);
          if (y != 0) {
            ASSERT_EQ(x < 0, y < 0);
          }
        }
    }
  }
  // Squares side by side, and squares that overlap
  const std::vector<Vec2d> left{{-0.5, 0}, {0.1, 0}, {0.1, 0.7}, {-0.5, 0.7}}, right{{1, 0}, {2, 0}, {2, 1}, {1, 1}};
  const std::vector<Vec2d> over{{0, 0.2}, {1.2, 0.2}, {1.2, 0.9}, {0, 0.9}};
  const std::vector<std::vector<Vec2d>> apart{left, right}, joined_squares{left, right, over};
  EXPECT_TRUE(make_polygon_field(apart, grid)->exact());
  EXPECT_FALSE(make_polygon_field(joined_squares, grid)->facts().exact_inside);
  EXPECT_EQ(make_polygon_field({}, grid).error().code, ErrorCode::empty_input);
  const std::vector<Vec2d> bad{{0, 0}, {1, std::nan("")}};
  EXPECT_EQ(make_polygon_field(std::span(&bad, 1), grid).error().element, 1u);
}

TEST(DistanceField, GradientIsTheSlopeOfTheValues) {
  const auto field = make_shape_field(*make_sphere3(1), cube_grid(1.6, 32));
  ASSERT_TRUE(field.ok());
  Random random(campaign_seed(5));
  const double h = 1e-6, cell = field->grid().cell;
  int looked = 0;
  for (std::size_t n = 0; n < sudar_test::soak(3000); ++n) {
    const Vec3d p = random_place(random, 1.5);
    const FieldSample<3> s = field->sample(p);
    if (!s.in_band) continue;
    bool one_cell = true;
    for (int k = 0; k < 3; ++k) {
      const double x = (p[k] - field->grid().origin[k]) / cell;
      one_cell = one_cell && x - std::floor(x) > 0.01 && x - std::floor(x) < 0.99;
    }
    if (!one_cell) continue;
    ++looked;
    for (int k = 0; k < 3; ++k) {
      Vec3d lo = p, hi = p;
      lo[k] -= h, hi[k] += h;
      ASSERT_NEAR(s.gradient[k], (field->distance(hi) - field->distance(lo)) / (2 * h), 1e-6);
    }
    // A ball's distances are smooth: interpolated values are off by the square of a cell
    ASSERT_NEAR(s.distance, length(p) - 1, 0.5 * cell * cell);
    ASSERT_LT(length(s.gradient - normalized(p)), 1.5 * cell);
  }
  EXPECT_GT(looked, static_cast<int>(sudar_test::soak(3000) / 8));
}

// Values change no faster than places, interpolated ones no faster than the root of the dimension times that
TEST(DistanceField, IsLipschitzAndWithinItsError) {
  const Mesh mesh = *torus_mesh(1, 0.4, 30, 14);
  FieldOptions options;
  options.band = 0.5;
  const auto field = make_mesh_field(mesh, cube_grid(2, 40), options);
  ASSERT_TRUE(field.ok());
  Random random(campaign_seed(6));
  for (std::size_t n = 0; n < sudar_test::soak(20000); ++n) {
    const Vec3d p = random_place(random, 2.6), q = p + random_place(random, 0.05);
    const FieldSample<3> a = field->sample(p), b = field->sample(q);
    if (a.in_band && b.in_band) {
      ASSERT_LE(std::fabs(a.distance - b.distance), std::sqrt(3.0) * distance(p, q) + 1e-6);
    }
    // The mesh is within 0.03 of the torus
    const double truth = torus_distance(p, 1, 0.4);
    if (a.in_band) {
      ASSERT_LE(std::fabs(a.distance - truth), field->interpolation_error() + 0.03);
    } else {
      ASSERT_LE(std::fabs(a.distance), std::fabs(truth) + field->interpolation_error() + 0.03);
      ASSERT_EQ(a.distance < 0, truth < 0);
    }
  }
}

// Outside of the grid: at least the way to it, no more than the distance, and the gradient is that of the values
TEST(DistanceField, ValuesGrowWithTheWayFromTheGrid) {
  const Mesh box = *box_mesh({1, 1, 1});
  // The surface lies on the border of the grid, where samples are zero of either sign
  const auto tight = make_mesh_field(box, *fit_grid(Aabb3d{{-1, -1, -1}, {1, 1, 1}}, 41, 0));
  ASSERT_TRUE(tight.ok() && tight->covers_surface());
  EXPECT_NEAR(tight->distance({0, 0, -3}), 2, 1e-6);
  EXPECT_NEAR(tight->distance({2, 2, 2}), std::sqrt(3.0), 1e-6);
  FieldOptions options;
  options.band = 0.4;
  const auto ball = make_shape_field(*make_sphere3(1), cube_grid(1.6, 65), options);
  ASSERT_TRUE(ball.ok());
  Random random(campaign_seed(12));
  const double h = 1e-6;
  for (std::size_t n = 0; n < sudar_test::soak(3000); ++n) {
    const Vec3d p = random_place(random, 3);
    if (max_abs(p) < 1.6 + 2 * h) continue;
    const FieldSample<3> s = ball->sample(p);
    const double way = length(max(abs(p) - Vec3d{1.6, 1.6, 1.6}, Vec3d{}));
    ASSERT_FALSE(s.in_band);
    ASSERT_EQ(s.distance, ball->distance(p));
    ASSERT_LE(s.distance, length(p) - 1 + ball->interpolation_error());
    ASSERT_GE(s.distance, way);
    ASSERT_GE(ball->distance(p * 1.1), s.distance);
    bool one_side = true;  // of the planes of the grid
    for (int k = 0; k < 3; ++k) one_side = one_side && std::fabs(std::fabs(p[k]) - 1.6) > 2 * h;
    for (int k = 0; k < 3 && one_side; ++k) {
      Vec3d lo = p, hi = p;
      lo[k] -= h, hi[k] += h;
      ASSERT_NEAR(s.gradient[k], (ball->distance(hi) - ball->distance(lo)) / (2 * h), 1e-3);
    }
  }
  // Of a surface that leaves the grid nothing is known far outside
  const auto space = make_shape_field(*make_halfspace3({0, 0, 1}, 0), cube_grid(1, 20), options);
  EXPECT_EQ(space->distance({0, 0, 7}), 0);
  EXPECT_NEAR(space->distance({0, 0, 1.1}), 0.3, 1e-6);
  EXPECT_NEAR(space->distance({0, 0, -1.1}), -0.3, 1e-6);
}

TEST(DistanceField, ClosestPointsAreFoundFromAllOfABall) {
  FieldOptions options;
  options.band = std::numeric_limits<double>::infinity();
  const auto field = make_shape_field(*make_sphere3(1), cube_grid(1.6, 40), options);
  ASSERT_TRUE(field.ok());
  Random random(campaign_seed(13));
  for (std::size_t n = 0; n < sudar_test::soak(2000); ++n) {
    const Vec3d p = random_place(random, n % 2 == 0 ? 1.5 : 0.06);  // every second one in the cells around the middle
    const ClosestOnField<3> c = field->closest(p);
    if (!c.found) {
      ASSERT_LT(length(p), field->grid().cell);
      continue;
    }
    ASSERT_NEAR(length(c.point), 1, 0.005);
    ASSERT_LE(distance(c.point, p), std::fabs(c.distance) + 2 * field->interpolation_error());
  }
  // Between two plates, where the slope is small: one of them, not what is beyond
  const CompoundChild3 plates[] = {{*make_box3({1.5, 1.5, 0.3}), {{0, 0, 1.0025}, {}}},
                                   {*make_box3({1.5, 1.5, 0.3}), {{0, 0, -0.9975}, {}}}};
  const auto slot = make_shape_field(*make_compound3(plates), cube_grid(1.6, 40), options);
  ASSERT_TRUE(slot.ok());
  const ClosestOnField<3> c = slot->closest({0.1, 0.2, 0.01});
  ASSERT_LT(length(slot->sample({0.1, 0.2, 0.01}).gradient), 0.1);
  ASSERT_TRUE(c.found);
  EXPECT_NEAR(std::fabs(c.point.z), 0.7, 0.01);
}

TEST(DistanceField, ClosestPointsLieOnTheSurface) {
  const auto field = make_shape_field(*make_sphere3(1), cube_grid(1.6, 40));
  ASSERT_TRUE(field.ok());
  Random random(campaign_seed(7));
  int found = 0;
  for (std::size_t n = 0; n < sudar_test::soak(2000); ++n) {
    const Vec3d p = random_place(random, 1.3);
    const ClosestOnField<3> c = field->closest(p);
    ASSERT_EQ(c.distance, field->distance(p));
    if (!c.found) continue;
    ++found;
    ASSERT_NEAR(length(c.point), 1, 0.002);
    ASSERT_LT(distance(c.point, normalized(p)), 0.03);
  }
  EXPECT_GT(found, static_cast<int>(sudar_test::soak(2000) / 8));
}

TEST(DistanceField, BatchesAreTheSingleAnswers) {
  const auto field = make_shape_field(*make_sphere3(1), cube_grid(1.6, 24));
  ASSERT_TRUE(field.ok());
  Random random(campaign_seed(8));
  std::vector<Vec3d> places(10000);
  for (Vec3d& p : places) p = random_place(random, 2.5);
  std::vector<FieldSample<3>> samples(places.size());
  std::vector<double> distances(places.size());
  const auto three = make_executor(3);
  ASSERT_TRUE(field->sample(places, samples, *three).ok());
  ASSERT_TRUE(field->distances(places, distances, serial_executor()).ok());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const FieldSample<3> s = field->sample(places[i]);
    ASSERT_EQ(s.distance, samples[i].distance);
    ASSERT_EQ(s.gradient, samples[i].gradient);
    ASSERT_EQ(s.distance, distances[i]);
  }
  places[77].z = std::numeric_limits<double>::infinity();
  EXPECT_EQ(field->distances(places, distances).error(), (Error{ErrorCode::non_finite, 77}));
  distances.pop_back();
  EXPECT_EQ(field->distances(places, distances).error().code, ErrorCode::invalid_argument);
  EXPECT_TRUE(std::isnan(field->sample({std::nan(""), 0, 0}).distance));
}

// Closed forms, where the squares of lengths are beyond doubles on either end
TEST(DistanceField, PlacesOfAnySizeHaveADistance) {
  const std::vector<Vec2d> square[] = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
  const auto tight = make_polygon_field(square, FieldGrid2{{0, 0}, 0.125, {9, 9}});
  ASSERT_TRUE(tight.ok() && tight->covers_surface());
  for (const double off : {0x1p-20, 0x1p-530, 0x1p-550, 0x1p-700, 0x1p-1030, 0x1p-1074}) {
    const FieldSample<2> s = tight->sample(Vec2d{0.5, -off});
    EXPECT_EQ(s.distance, off);
    EXPECT_EQ(s.gradient, (Vec2d{0, -1}));
    EXPECT_EQ(tight->distance({0.5, -off}), off);
    const FieldSample<2> corner = tight->sample(Vec2d{-off, -off});
    EXPECT_NEAR(corner.distance / off, std::sqrt(2.0), off < 0x1p-1022 ? 0.5 : 1e-15);
  }
  const auto ball = make_shape_field(*make_sphere3(1), cube_grid(1.6, 33));
  ASSERT_TRUE(ball.ok());
  for (const double far : {0x1p60, 0x1p500, 0x1p515, 0x1p700, 0x1p1023}) {
    const FieldSample<3> s = ball->sample(Vec3d{far, 0, 0});
    EXPECT_NEAR(s.distance / far, 1, 1e-15);
    EXPECT_NEAR(distance(s.gradient, {1, 0, 0}), 0, 1e-15);
  }
  // Beyond the range of doubles
  const double most = std::numeric_limits<double>::max();
  EXPECT_EQ(ball->distance({most, most, most}), most);
  EXPECT_TRUE(is_finite(ball->sample(Vec3d{most, most, most}).gradient));
  const auto space = make_shape_field(*make_halfspace3({0, 0, 1}, 0), cube_grid(1, 20));
  EXPECT_EQ(space->distance({most, most, most}), 0);
}

// The count of what is stored ends the work, and a band that is wide by itself never starts it
TEST(DistanceField, IsRefusedBeforeItIsBuilt) {
  FieldGrid2 grid{{0, 0}, 1, {141, 141}};  // 20 × 20 bricks
  FieldOptions options;
  options.executor = &serial_executor();
  std::size_t filled = 0, near = 1000;
  double value = 0;
  const auto fill = [&](const GridIndex<2>&, double(&values)[kBrickSamples<2>]) {
    std::fill(std::begin(values), std::end(values), value);
    return filled++ < near ? BrickKind::stored : BrickKind::outside;
  };
  const auto build = [&](double band, std::size_t most) {
    filled = 0;
    return build_field<2>(grid, band, options, {}, fill, most);
  };
  EXPECT_TRUE(build(2, 400).ok());
  EXPECT_EQ(filled, 400u);
  EXPECT_EQ(build(2, 399).error().code, ErrorCode::too_large);
  EXPECT_EQ(build(2, 100).error().code, ErrorCode::too_large);
  EXPECT_EQ(filled, 102u);  // that in the middle, those that were stored, and one more
  // A hundred of them, and many that are not stored
  near = 101;
  EXPECT_EQ(build(2, 100)->stored_bricks(), 100u);
  // From the middle brick, bands reach as far as a cube of bricks in a ball
  near = 1000;
  for (const double band : {7 * std::sqrt(2.0) * 7.1, 1e6, 1e300}) {
    EXPECT_EQ(build(band, 15 * 15 - 1).error().code, ErrorCode::too_large);
    EXPECT_EQ(filled, 1u);
  }
  value = 1;
  EXPECT_EQ(build(7 * std::sqrt(2.0) * 7, 15 * 15 - 1).error().code, ErrorCode::too_large);
  EXPECT_GT(filled, 1u);
  // 4.3 million bricks
  FieldOptions wide;
  wide.band = 1e6;
  EXPECT_EQ(make_shape_field(*make_point3({0, 0, 0}), FieldGrid3{{0, 0, 0}, 1, {1135, 1135, 1135}}, wide).error().code,
            ErrorCode::too_large);
}

TEST(FieldGrid, FitsItsBox) {
  const Aabb3d box{{-1, 2, 5}, {3, 3, 5.5}};
  const auto grid = fit_grid(box, 50, 3);
  ASSERT_TRUE(grid.ok());
  EXPECT_EQ(grid->samples[0], 50u);
  EXPECT_TRUE(contains(grid->bounds(), expand(box, 2.9 * grid->cell)));
  EXPECT_EQ(fit_grid(Aabb3d{{1, 1, 1}, {1, 1, 1}}, 50).error().code, ErrorCode::degenerate);
  EXPECT_EQ(fit_grid(Aabb3d::empty(), 50).error().code, ErrorCode::non_finite);
  EXPECT_EQ(fit_grid(Aabb3d{{1, 1, 1}, {0, 2, 2}}, 50).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(fit_grid(box, 5).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(fit_grid(box, 1u << 30).error().code, ErrorCode::too_large);
  EXPECT_EQ(fit_grid(Aabb3d{{-1.7e308, 0, 0}, {1.7e308, 1, 1}}, 50).error().code, ErrorCode::too_large);
}
