// Oracles: every sample against every triangle (closest points of geom/, winding numbers by solid angles), exact
// containment, closed forms.
#include "tests/narrowphase/bumpy_sphere.hpp"
#include "tests/support/instruction_sets.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/core/parallel.hpp>
#include <sudar/core/random.hpp>
#include <sudar/geom/closest.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/geom/point_in_mesh.hpp>
#include <sudar/sdf/column_winding.hpp>
#include <sudar/sdf/mesh_field.hpp>
#include <sudar/sdf/surface_caps.hpp>
#include <sudar/sdf/triangle_rows.hpp>

#include <gtest/gtest.h>

using namespace sudar;
using sudar_test::campaign_seed;

namespace {

Aabb3d box_of_mesh(const Mesh& mesh) {
  Aabb3d box = Aabb3d::empty();
  for (const Vec3d& v : mesh.vertices) box = merge(box, v);
  return box;
}
FieldGrid3 grid_of_mesh(const Mesh& mesh, std::uint32_t side) { return *fit_grid(box_of_mesh(mesh), side); }

template <class F>
void for_each_sample(const FieldGrid3& grid, F&& visit) {
  for (std::uint32_t k = 0; k < grid.samples[2]; ++k)
    for (std::uint32_t j = 0; j < grid.samples[1]; ++j)
      for (std::uint32_t i = 0; i < grid.samples[0]; ++i) visit(GridIndex<3>{i, j, k});
}

double brute_distance(const Mesh& mesh, const Vec3d& p) {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    best = std::min(best, closest_point(mesh.corners(t), p).distance_squared);
  return std::sqrt(best);
}

// Every sample of two fields
void expect_same(const DistanceField3& a, const DistanceField3& b, double tolerance) {
  ASSERT_EQ(a.grid(), b.grid());
  std::size_t wrong = 0;
  double worst = 0;
  for_each_sample(a.grid(), [&](const GridIndex<3>& i) {
    const double x = a.at(i), y = b.at(i);
    worst = std::max(worst, std::fabs(x - y));
    wrong += (x < 0) != (y < 0) && x != 0 && y != 0;
  });
  EXPECT_LE(worst, tolerance);
  EXPECT_EQ(wrong, 0u);
}

Mesh boxes_that_overlap() {
  const Mesh a = *box_mesh({1, 1, 1});
  return *joined(a, *transformed(a, Pose3d{{0.9, 0.7, 0.4}, normalized(Quatd{1, 0.2, 0.3, 0.1})}));
}

}  // namespace

TEST_SIMD(TriangleRows, VectorsGiveTheBitsOfThePlainTwin) {
  Random random(campaign_seed(1));
  const auto one = [&] { return random.uniform(-1, 1); };
  for (std::size_t round = 0; round < sudar_test::soak(300); ++round) {
    Triangle<3, double> t{{one(), one(), one()}, {one(), one(), one()}, {one(), one(), one()}};
    if (round % 3 == 1) t.c = t.a + (t.b - t.a) * random.uniform(-1, 2);  // no area, or nearly
    if (round % 7 == 2) t.b = t.a;
    if (round % 14 == 2) t.c = t.a;
    const double size = random.uniform(0.05, 1), reach = random.uniform(0.1, 2);
    t = {t.a * size, t.b * size, t.c * size};
    BrickRows rows, plain;
    for (int i = 0; i < 8; ++i) rows.x[i] = -1 + 0.3 * i, rows.y[i] = -0.9 + 0.3 * i, rows.z[i] = -1.1 + 0.3 * i;
    std::fill(std::begin(rows.squared), std::end(rows.squared), reach * reach);
    plain = rows;
    const TriangleFrame frame = make_triangle_frame(t);
    lower_rows(frame, reach, rows);
    lower_rows_plain(frame, reach, plain);
    for (std::size_t i = 0; i < 512; ++i) {
      ASSERT_EQ(rows.squared[i], plain.squared[i]);
      const Vec3d p{rows.x[i % 8], rows.y[i / 8 % 8], rows.z[i / 64]};
      const double d = std::sqrt(closest_point(t, p).distance_squared);
      ASSERT_NEAR(std::sqrt(rows.squared[i]), std::min(d, reach), 1e-14);
    }
  }
}

TEST(MeshField, DistancesAndSignsAreThoseOfBruteForce) {
  const Mesh bumpy = sudar_test::bumpy_sphere(14, 10, 0.2);
  const Mesh torus = *torus_mesh(1, 0.4, 16, 9);
  const Mesh far = sudar_test::bumpy_sphere(10, 8, 0.2, {1000, -2000, 3000});
  for (const Mesh& mesh : {bumpy, torus, far, *box_mesh({1, 2, 0.5}), boxes_that_overlap()}) {
    const FieldGrid3 grid = grid_of_mesh(mesh, 15);
    const double size = max_abs(extents(box_of_mesh(mesh)));
    for (const FieldMethod method : {FieldMethod::scatter, FieldMethod::search}) {
      const auto field = make_mesh_field(mesh, grid, {}, method);
      ASSERT_TRUE(field.ok()) << field.error().message();
      EXPECT_TRUE(field->covers_surface());
      double worst = 0;
      std::size_t signs = 0, beyond = 0;
      for_each_sample(grid, [&](const GridIndex<3>& i) {
        const Vec3d p = grid.position(i);
        const double truth = brute_distance(mesh, p), value = field->at(i);
        const bool inside = winding_number(mesh, p) != 0;
        worst = std::max(worst, std::fabs(std::min(truth, field->band()) - std::fabs(value)));
        signs += truth > 0 && inside != (value < 0);
        beyond += truth > field->band() * (1 + 1e-6) && std::fabs(value) < field->band();
      });
      EXPECT_LE(worst, 1e-7 * size);
      EXPECT_EQ(signs, 0u);
      EXPECT_EQ(beyond, 0u);
    }
  }
}

TEST(MeshField, FastVersionsEqualThePlainOne) {
  const Mesh mesh = sudar_test::bumpy_sphere(12, 8, 0.2);
  const FieldGrid3 grid = grid_of_mesh(mesh, 20);
  for (const FieldSign sign : {FieldSign::winding, FieldSign::parity, FieldSign::none})
    for (const double band : {0.0, 0.5, std::numeric_limits<double>::infinity()}) {
      FieldOptions options;
      options.sign = sign;
      options.band = band;
      const auto plain = make_mesh_field_plain(mesh, grid, options);
      const auto fast = make_mesh_field(mesh, grid, options);
      const auto tree = make_mesh_field(**TriangleMesh::make(mesh), grid, options, FieldMethod::search);
      ASSERT_TRUE(plain.ok() && fast.ok() && tree.ok());
      EXPECT_EQ(fast->dense(), std::isinf(band));
      EXPECT_EQ(fast->stored_bricks(), plain->stored_bricks());
      expect_same(*plain, *fast, 1e-6);
      expect_same(*plain, *tree, 1e-6);
    }
}

TEST(MeshField, SameBitsForEveryNumberOfThreads) {
  const Mesh mesh = sudar_test::bumpy_sphere(40, 30, 0.2);
  const FieldGrid3 grid = grid_of_mesh(mesh, 40);
  FieldOptions options;
  options.executor = &serial_executor();
  const auto one = make_mesh_field(mesh, grid, options);
  const auto many = make_executor(3);
  options.executor = many.get();
  const auto three = make_mesh_field(mesh, grid, options);
  ASSERT_TRUE(one.ok() && three.ok());
  ASSERT_EQ(one->stored_bricks(), three->stored_bricks());
  for_each_sample(grid, [&](const GridIndex<3>& i) { ASSERT_EQ(one->at(i), three->at(i)); });
}

TEST(MeshField, DenseAndSparseAgreeWhereTheBandIs) {
  const Mesh mesh = sudar_test::bumpy_sphere(20, 14, 0.2);
  const FieldGrid3 grid = grid_of_mesh(mesh, 45);
  FieldOptions options;
  const auto sparse = make_mesh_field(mesh, grid, options);
  options.dense = true;
  const auto dense = make_mesh_field(mesh, grid, options);
  ASSERT_TRUE(sparse.ok() && dense.ok());
  EXPECT_TRUE(dense->dense());
  EXPECT_LT(sparse->stored_bricks(), dense->stored_bricks());
  for_each_sample(grid, [&](const GridIndex<3>& i) { ASSERT_EQ(sparse->at(i), dense->at(i)); });
}

// The lid of a box is missing, then two sides of it that meet, then one triangle in ten of a ball; winding numbers of the plain sum of solid angles
TEST(MeshField, MeshesWithHolesHaveAnInside) {
  Mesh box = *box_mesh({1, 1, 1});
  Mesh ball = sudar_test::bumpy_sphere(14, 10, 0.1);
  std::erase_if(box.triangles, [&](const MeshTriangle& t) {
    return box.vertices[t[0]].z > 0 && box.vertices[t[1]].z > 0 && box.vertices[t[2]].z > 0;
  });
  ASSERT_EQ(box.triangles.size(), 10u);
  Mesh corner = box;
  std::erase_if(corner.triangles, [&](const MeshTriangle& t) {
    return corner.vertices[t[0]].x > 0 && corner.vertices[t[1]].x > 0 && corner.vertices[t[2]].x > 0;
  });
  ASSERT_EQ(corner.triangles.size(), 8u);
  for (std::size_t i = ball.triangles.size(); i-- > 0;)
    if (i % 10 == 3) ball.triangles.erase(ball.triangles.begin() + static_cast<std::ptrdiff_t>(i));
  for (const Mesh& mesh : {box, corner, ball}) {
    // Once with samples in the planes of the box, and so of what closes it; once without
    for (const FieldGrid3& grid : {FieldGrid3{{-1.5, -1.5, -1.5}, 0.125, {25, 25, 25}}, grid_of_mesh(mesh, 18)}) {
      const auto field = make_mesh_field(mesh, grid);
      ASSERT_TRUE(field.ok());
      std::size_t wrong = 0, inside = 0;
      for_each_sample(grid, [&](const GridIndex<3>& i) {
        const Vec3d p = grid.position(i);
        const double w = std::fabs(generalized_winding_number_plain(mesh, p));
        if (std::fabs(w - 0.5) < 1e-9 || brute_distance(mesh, p) < 1e-12) return;
        wrong += (w > 0.5) != (field->at(i) < 0);
        inside += w > 0.5;
      });
      EXPECT_GT(inside, 100u);
      EXPECT_EQ(wrong, 0u);
    }
    FieldOptions options;
    options.sign = FieldSign::parity;
    const auto refused = make_mesh_field(mesh, grid_of_mesh(mesh, 20), options);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::not_closed);
    EXPECT_LT(refused.error().element, mesh.triangles.size());
    EXPECT_NE(refused.error().message().find("sign unknown"), std::string::npos);
    options.sign = FieldSign::none;
    EXPECT_TRUE(make_mesh_field(mesh, grid_of_mesh(mesh, 20), options).ok());
  }
}

// What is left out of far holes is within its bound, for all places of a brick. Oracle: all caps.
TEST(SurfaceCaps, FarHolesAreWithinTheirBound) {
  Mesh ball = *uv_sphere_mesh(1, 40, 40);
  Random random(campaign_seed(23));
  std::erase_if(ball.triangles, [&](const MeshTriangle&) { return random.below(12) == 0; });
  const auto who = adjacency(ball);
  ASSERT_TRUE(who.ok());
  const SurfaceCaps caps = make_surface_caps(ball, *who);
  ASSERT_GT(caps.chains.size(), 50u);
  std::size_t near = 0, looked = 0;
  for (int n = 0; n < 100; ++n) {
    const auto one = [&](double most) { return random.uniform(-most, most); };
    const Vec3d middle{one(1.3), one(1.3), one(1.3)};
    const double reach = random.uniform(0.02, 0.2);
    const CapsAround around = caps.around(middle, reach);
    ASSERT_LE(around.error, kCapsLeftOut);
    near += around.near.size();
    looked += caps.chains.size();
    for (int k = 0; k < 10; ++k) {
      const Vec3d p = middle + normalized(Vec3d{one(1), one(1), one(1)}) * random.uniform(0, reach);
      const auto some = caps.winding(p, around), all = caps.winding(p);
      if (!some || !all) continue;
      ASSERT_NEAR(*some + around.far, *all, around.error + 1e-9);
    }
  }
  EXPECT_LT(near, looked / 4);
}

// In the mouth of a hole the sign changes and the distance does not: nothing there is taken for the surface
TEST(MeshField, MouthsOfHolesAreNotInTheBand) {
  Mesh box = *box_mesh({1, 1, 1});
  std::erase_if(box.triangles, [&](const MeshTriangle& t) {
    return box.vertices[t[0]].z > 0 && box.vertices[t[1]].z > 0 && box.vertices[t[2]].z > 0;
  });
  FieldOptions options;
  options.band = 2;
  const auto field = make_mesh_field(box, *fit_grid(box_of_mesh(box), 40), options);
  ASSERT_TRUE(field.ok());
  EXPECT_FALSE(field->closed());
  EXPECT_FALSE(field->exact());
  EXPECT_TRUE(field->covers_surface());
  Random random(campaign_seed(21));
  std::size_t looked = 0, mouths = 0;
  for (int n = 0; n < 4000; ++n) {
    const Vec3d p{random.uniform(-1.1, 1.1), random.uniform(-1.1, 1.1), random.uniform(-1.1, 1.1)};
    const FieldSample<3> s = field->sample(p);
    mouths += !s.in_band;
    if (!s.in_band) continue;
    ++looked;
    ASSERT_NEAR(std::fabs(s.distance), brute_distance(box, p), field->interpolation_error() + 1e-6);
  }
  EXPECT_GT(mouths, 10u);
  EXPECT_GT(looked, 3000u);
  // Two cups, one in the other: what they enclose reaches out of the grid, which then knows nothing of the outside
  const Mesh cups = *joined(box, *transformed(box, Pose3d{{0, 0, 0.01}, {}}));
  const auto open = make_mesh_field(cups, *fit_grid(box_of_mesh(cups), 30, 2));
  ASSERT_TRUE(open.ok());
  EXPECT_FALSE(open->covers_surface());
}

// A body of parts that overlap: its depth is more than the way to what is buried of their surfaces
TEST(MeshField, BuriedPartsAreNotExact) {
  const auto facts_of = [](const Mesh& mesh, FieldSign sign) {
    FieldOptions options;
    options.sign = sign;
    return make_mesh_field(mesh, grid_of_mesh(mesh, 24), options)->facts();
  };
  const Mesh box = *box_mesh({1, 1, 1}), small = *box_mesh({0.5, 0.5, 0.5});
  for (const Mesh& clean : {sudar_test::bumpy_sphere(14, 10, 0.2), box, *joined(box, *flipped(small)),
                            *joined(box, *transformed(box, Pose3d{{3, 0, 0}, {}})), *flipped(box)})
    EXPECT_TRUE(facts_of(clean, FieldSign::winding).exact_inside);
  for (const Mesh& parts : {boxes_that_overlap(), *joined(box, small)}) {
    const FieldFacts facts = facts_of(parts, FieldSign::winding);
    EXPECT_TRUE(facts.exact_outside && facts.closed && facts.covers);
    EXPECT_FALSE(facts.exact_inside);
    EXPECT_TRUE(facts_of(parts, FieldSign::parity).exact_inside);
  }
}

TEST(MeshField, TrianglesThatShareNoVertexCloseByPlace) {
  const Mesh mesh = sudar_test::bumpy_sphere(12, 8, 0.2);
  Mesh soup;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto c = mesh.corners(t);
    const auto n = static_cast<std::uint32_t>(soup.vertices.size());
    soup.vertices.insert(soup.vertices.end(), {c.a, c.b, c.c});
    soup.triangles.push_back({n, n + 1, n + 2});
  }
  for (const FieldSign sign : {FieldSign::winding, FieldSign::parity}) {
    FieldOptions options;
    options.sign = sign;
    const FieldGrid3 grid = grid_of_mesh(mesh, 24);
    const auto a = make_mesh_field(mesh, grid, options), b = make_mesh_field(soup, grid, options);
    ASSERT_TRUE(a.ok() && b.ok());
    expect_same(*a, *b, 0);
  }
}

// Samples in the planes, on the edges and on the corners of a box; a box that is turned inside out; parts in parts
TEST(MeshField, SignsOnTheSurfaceAndOfNestedParts) {
  const Mesh box = *box_mesh({1, 1, 1});
  const FieldGrid3 grid{{-2, -2, -2}, 0.25, {17, 17, 17}};
  const auto outer = make_mesh_field(box, grid), turned = make_mesh_field(*flipped(box), grid);
  const Mesh hollow = *joined(box, *flipped(*box_mesh({0.5, 0.5, 0.5})));
  const auto with_hole = make_mesh_field(hollow, grid);
  ASSERT_TRUE(outer.ok() && turned.ok() && with_hole.ok());
  for_each_sample(grid, [&](const GridIndex<3>& i) {
    const Vec3d p = grid.position(i);
    const double m = max_abs(p);
    const double d = m <= 1 ? m - 1 : length(max(abs(p) - Vec3d{1, 1, 1}, Vec3d{}));
    ASSERT_NEAR(outer->at(i), std::clamp(d, -outer->band(), outer->band()), 1e-6);
    ASSERT_NEAR(std::fabs(outer->at(i)), std::fabs(turned->at(i)), 1e-15);
    ASSERT_TRUE(d == 0 || (outer->at(i) < 0) == (turned->at(i) < 0));
    if (m < 0.5) {
      ASSERT_GT(with_hole->at(i), 0);
    } else if (m > 0.5 && m < 1) {
      ASSERT_LT(with_hole->at(i), 0);
    }
  });
}

TEST(MeshField, HoldsAtEverySizeAndPlace) {
  const Mesh mesh = sudar_test::bumpy_sphere(10, 8, 0.2);
  const FieldGrid3 grid = grid_of_mesh(mesh, 20);
  const auto field = make_mesh_field(mesh, grid);
  ASSERT_TRUE(field.ok());
  for (const double scale : {0x1p-40, 0x1p40}) {
    Mesh other = mesh;
    for (Vec3d& v : other.vertices) v = v * scale;
    FieldGrid3 same = grid;
    same.origin = grid.origin * scale;
    same.cell = grid.cell * scale;
    const auto scaled = make_mesh_field(other, same);
    ASSERT_TRUE(scaled.ok());
    for_each_sample(grid, [&](const GridIndex<3>& i) { ASSERT_EQ(scaled->at(i), field->at(i) * scale); });
  }
}

TEST(MeshField, BadInputHasTypedErrors) {
  const Mesh mesh = *box_mesh({1, 1, 1});
  const FieldGrid3 grid = grid_of_mesh(mesh, 20);
  const auto code = [](const Result<DistanceField3>& r) { return r.ok() ? ErrorCode::unsupported : r.error().code; };
  EXPECT_EQ(code(make_mesh_field(Mesh{}, grid)), ErrorCode::empty_input);
  Mesh bad = mesh;
  bad.vertices[3].y = std::nan("");
  EXPECT_EQ(code(make_mesh_field(bad, grid)), ErrorCode::non_finite);
  EXPECT_EQ(make_mesh_field(bad, grid).error().element, 3u);
  EXPECT_EQ(code(make_mesh_field_plain(bad, grid)), ErrorCode::non_finite);
  bad = mesh;
  for (const double far : {0x1p61, 1e160, 1e300}) {
    bad.vertices[5].z = far;
    EXPECT_EQ(make_mesh_field(bad, grid).error(), (Error{ErrorCode::too_large, 5}));
    EXPECT_EQ(make_mesh_field_plain(bad, grid).error(), (Error{ErrorCode::too_large, 5}));
  }
  bad = mesh;
  bad.triangles[2][1] = 99;
  EXPECT_EQ(code(make_mesh_field(bad, grid)), ErrorCode::index_out_of_range);
  FieldOptions options;
  options.band = 0.1 * grid.cell;
  EXPECT_EQ(code(make_mesh_field(mesh, grid, options)), ErrorCode::invalid_argument);
  options.band = std::nan("");
  EXPECT_EQ(code(make_mesh_field(mesh, grid, options)), ErrorCode::non_finite);
  options.band = std::numeric_limits<double>::infinity();
  EXPECT_EQ(code(make_mesh_field(mesh, grid, options, FieldMethod::scatter)), ErrorCode::invalid_argument);
  FieldGrid3 g = grid;
  g.samples = {1 << 22, 1 << 22, 1 << 22};
  EXPECT_EQ(code(make_mesh_field(mesh, g)), ErrorCode::too_large);
  // Few bricks, and 3.2 billion columns
  EXPECT_TRUE(check_grid(FieldGrid3{{0, 0, 0}, 1, {57000, 57000, 2}}).ok());
  EXPECT_EQ(code(make_mesh_field(mesh, FieldGrid3{{0, 0, 0}, 1, {57000, 57000, 2}})), ErrorCode::too_large);
  EXPECT_EQ(code(make_mesh_field(**TriangleMesh::make(mesh), FieldGrid3{{0, 0, 0}, 1, {57000, 57000, 2}})),
            ErrorCode::too_large);
  // A box over 9 × 9 columns of 36 × 36, each crossed twice
  std::vector<Triangle<3, double>> box;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) box.push_back(mesh.corners(t));
  const FieldGrid3 over{{-4.1, -4.1, -4.1}, 0.23, {36, 36, 36}};
  EXPECT_TRUE(ColumnWinding<3>::build(over, box, serial_executor(), 2 * 81).ok());
  EXPECT_EQ(ColumnWinding<3>::build(over, box, serial_executor(), 2 * 81 - 1).error().code, ErrorCode::too_large);
  // Too many are not looked for to the end: there would be 10^11
  const FieldGrid3 fine{{-1, -1, -1}, 0x1p-12, {8193, 8193, 64}};
  const std::vector<Triangle<3, double>> many(1000, {{-9, -9, 1}, {9, -9, 1}, {0, 9, 1}});
  EXPECT_EQ(ColumnWinding<3>::build(fine, many, default_executor(), 10000).error().code, ErrorCode::too_large);
  g = grid;
  g.cell = 0;
  EXPECT_EQ(code(make_mesh_field(mesh, g)), ErrorCode::degenerate);
  g = grid;
  g.origin.x = std::numeric_limits<double>::infinity();
  EXPECT_EQ(code(make_mesh_field(mesh, g)), ErrorCode::non_finite);
  g = grid;
  g.origin.x = 0x1p50;
  EXPECT_EQ(code(make_mesh_field(mesh, g)), ErrorCode::degenerate);
  g = grid;
  g.samples[1] = 1;
  EXPECT_EQ(code(make_mesh_field(mesh, g)), ErrorCode::degenerate);
  // Triangles without area have distances and no inside
  const Mesh flat{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}, {0, 0, 1}}};
  const auto line = make_mesh_field(flat, FieldGrid3{{-1, -1, -1}, 0.25, {17, 9, 9}});
  ASSERT_TRUE(line.ok());
  for_each_sample(line->grid(), [&](const GridIndex<3>& i) { ASSERT_GE(line->at(i), 0); });
}
