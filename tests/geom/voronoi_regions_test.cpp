#include "hull_of.hpp"
#include "point_sets.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/geom/voronoi_regions.hpp>
#include <sudar/math/predicates.hpp>

#include <gtest/gtest.h>

#include <algorithm>

using namespace sudar;
using namespace sudar_test;

namespace {

template <class V>
double to_segment(const V& a, const V& b, const V& p) {
  const double t = std::clamp(dot(b - a, p - a) / dot(b - a, b - a), 0.0, 1.0);
  return distance(a + (b - a) * t, p);
}

std::vector<Feature> features_of(const VoronoiRegions2& r) {
  std::vector<Feature> all;
  for (const FeatureKind kind : {FeatureKind::vertex, FeatureKind::edge})
    for (std::uint32_t i = 0; i < r.vertices.size(); ++i) all.push_back({kind, i});
  return all;
}
std::vector<Feature> features_of(const VoronoiRegions3& r) {
  std::vector<Feature> all;
  for (std::uint32_t i = 0; i < r.hull.vertex_count(); ++i) all.push_back({FeatureKind::vertex, i});
  for (std::uint32_t e = 0; e < r.hull.edges.size(); ++e)
    if (e < r.hull.edges[e].twin) all.push_back({FeatureKind::edge, e});
  for (std::uint32_t f = 0; f < r.hull.face_count(); ++f) all.push_back({FeatureKind::face, f});
  return all;
}

bool strictly_inside(const VoronoiRegions2& r, const Vec2d& p) {
  for (std::size_t i = 0; i < r.vertices.size(); ++i)
    if (orient2d(r.vertices[i], r.vertices[(i + 1) % r.vertices.size()], p) <= 0) return false;
  return true;
}
bool strictly_inside(const VoronoiRegions3& r, const Vec3d& p) {
  const auto at = [&](std::uint32_t f, std::uint32_t i) { return r.hull.vertices[r.hull.face_vertex(f, i)]; };
  for (std::uint32_t f = 0; f < r.hull.face_count(); ++f)
    if (orient3d(at(f, 0), at(f, 1), at(f, 2), p) >= 0) return false;
  return true;
}

// Brute force: the least distance over all edges, and over the triangles that fill each face
double brute_force(const VoronoiRegions2& r, const Vec2d& p) {
  double best = 1e300;
  for (std::size_t i = 0; i < r.vertices.size(); ++i)
    best = std::min(best, to_segment(r.vertices[i], r.vertices[(i + 1) % r.vertices.size()], p));
  return best;
}
double brute_force(const VoronoiRegions3& r, const Vec3d& p) {
  double best = 1e300;
  const auto at = [&](std::uint32_t f, std::uint32_t i) { return r.hull.vertices[r.hull.face_vertex(f, i)]; };
  for (std::uint32_t f = 0; f < r.hull.face_count(); ++f) {
    const std::uint32_t n = r.hull.face_degree(f);
    const Vec3d normal = normalized(cross(at(f, 1) - at(f, 0), at(f, 2) - at(f, 0)));
    bool above = true;
    for (std::uint32_t i = 0; i < n; ++i) {
      const Vec3d a = at(f, i), b = at(f, (i + 1) % n);
      best = std::min(best, to_segment(a, b, p));
      above = above && dot(cross(normal, b - a), p - a) >= 0;
    }
    if (above) best = std::min(best, std::fabs(dot(normal, p - at(f, 0))));
  }
  return best;
}

// Each point outside lies in exactly one region, and scan, walk from anywhere and brute force agree
template <class Regions, class V>
void expect_located(const Regions& r, const V& p, Random& random, bool compare_distance) {
  const auto features = features_of(r);
  std::vector<Feature> holding;
  for (const Feature f : features)
    if (*in_region(r, f, p)) holding.push_back(f);
  const auto plain = closest_feature_plain(r, p);
  const auto walked = closest_feature(r, p, features[random.below(features.size())]);
  ASSERT_TRUE(plain.ok() && walked.ok());
  ASSERT_EQ(plain->feature, walked->feature);
  if (strictly_inside(r, p)) {
    ASSERT_TRUE(holding.empty());
    ASSERT_EQ(plain->feature.kind, FeatureKind::inside);
    ASSERT_LE(plain->distance, 0);
  } else {
    ASSERT_EQ(holding.size(), 1u);
    ASSERT_EQ(plain->feature, holding[0]);
    ASSERT_GE(plain->distance, 0);
  }
  if (!compare_distance) return;
  const double expected = brute_force(r, p), scale = 1 + max_abs(p);
  ASSERT_NEAR(std::fabs(plain->distance), expected, 1e-12 * scale);
  ASSERT_NEAR(distance(plain->point, p), expected, 1e-12 * scale);
  // The rounded planes say the same up to rounding
  if (plain->feature.kind == FeatureKind::inside) return;
  const auto planes = region_planes(r, plain->feature);
  ASSERT_TRUE(planes.ok());
  for (const auto& plane : *planes) ASSERT_LE(dot(plane.normal, p) - plane.offset, 1e-9 * scale);
}

std::vector<Vec3d> box_corners(double half) {
  std::vector<Vec3d> corners;
  for (int i = 0; i < 8; ++i) corners.push_back({i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half});
  return corners;
}

}  // namespace

TEST(VoronoiRegions2, EveryPointLiesInOneRegionWithTheClosestPoint) {
  Random random(campaign_seed(2));
  for (std::size_t round = 0; round < soak(20); ++round) {
    std::vector<Vec2d> polygon;
    const int n = 3 + static_cast<int>(round % 9);
    for (int i = 0; i < n; ++i) {
      const SinCos turn = sin_cos(2 * kPi * (i + 0.8 * random.uniform()) / n);
      polygon.push_back({1.5 * turn.cos, turn.sin});
    }
    const auto regions = make_voronoi_regions(polygon);
    ASSERT_TRUE(regions.ok());
    for (int i = 0; i < 200; ++i) expect_located(*regions, random_point<2>(random, -3, 3), random, true);
    // On the body itself, and far away
    for (const Vec2d& v : regions->vertices) {
      expect_located(*regions, v, random, true);
      expect_located(*regions, v * 1e6, random, true);
    }
  }
}

// Closed form: a square's regions end where x or y is exactly ±1, and lower features own the borders
TEST(VoronoiRegions2, BordersBelongToTheLowerFeature) {
  const auto square = make_voronoi_regions(std::vector<Vec2d>{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}});
  ASSERT_TRUE(square.ok());
  EXPECT_EQ(closest_feature(*square, {1, 5})->feature, (Feature{FeatureKind::vertex, 2}));
  EXPECT_EQ(closest_feature(*square, {std::nextafter(1.0, 0.0), 5})->feature, (Feature{FeatureKind::edge, 2}));
  EXPECT_EQ(closest_feature(*square, {0, 1})->feature, (Feature{FeatureKind::edge, 2}));
  EXPECT_EQ(closest_feature(*square, {0.25, 0})->feature, (Feature{FeatureKind::inside, 1}));
  EXPECT_EQ(closest_feature(*square, {0.25, 0})->distance, -0.75);
  EXPECT_EQ(closest_feature(*square, {3, 0})->point, (Vec2d{1, 0}));
}

TEST(VoronoiRegions3, EveryPointLiesInOneRegionWithTheClosestPoint) {
  Random random(campaign_seed(5));
  for (std::size_t round = 0; round < soak(6); ++round) {
    const bool merge = round % 2 == 0;
    for (const auto& points : {box_corners(1), random_points<3>(6 + 4 * round, round)}) {
      const auto regions = make_voronoi_regions(hull_of(points, merge));
      ASSERT_TRUE(regions.ok());
      for (int i = 0; i < 150; ++i) expect_located(*regions, random_point<3>(random, -2.5, 2.5), random, true);
      for (const Vec3d& v : regions->hull.vertices) {
        expect_located(*regions, v, random, true);
        expect_located(*regions, v * 1e5, random, true);
      }
    }
  }
}

// A lattice around a cube and around a lattice hull: most points lie exactly on borders of regions
TEST(VoronoiRegions3, PointsOnBorders) {
  Random random(campaign_seed(6));
  for (const bool merge : {false, true}) {
    std::vector<Vec3d> lattice(12);
    for (Vec3d& p : lattice) p = random_grid_point<3>(random, 4) - Vec3d{1, 1, 1};
    for (const auto& points : {box_corners(1), lattice}) {
      const auto regions = make_voronoi_regions(hull_of(points, merge));
      ASSERT_TRUE(regions.ok());
      for (int i = 0; i < 343; ++i)
        expect_located(*regions, Vec3d{double(i % 7 - 3), double(i / 7 % 7 - 3), double(i / 49 - 3)}, random, true);
    }
  }
}

// The same answers at the ends of the exponent range, where only exact integers can tell
TEST(VoronoiRegions3, ExtremeCoordinates) {
  Random random(campaign_seed(7));
  for (const double scale : {1e-300, 1e-160, 1e150, 1e300}) {
    const auto regions = make_voronoi_regions(hull_of(box_corners(scale), true));
    ASSERT_TRUE(regions.ok());
    for (int i = 0; i < 125; ++i)
      expect_located(*regions, Vec3d{double(i % 5 - 2), double(i / 5 % 5 - 2), double(i / 25 - 2)} * scale, random,
                     false);
  }
}

// Powers of two change no digit: the closest points and distances of the unit box, scaled
TEST(VoronoiRegions3, ClosestPointsAtAnyScale) {
  Random random(campaign_seed(9));
  const std::vector<Vec2d> square = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  const auto unit2 = make_voronoi_regions(square);
  const auto unit3 = make_voronoi_regions(hull_of(box_corners(1), true));
  ASSERT_TRUE(unit2.ok() && unit3.ok());
  for (const double scale : {0x1p-1000, 0x1p-560, 0x1p560, 0x1p1023}) {
    SCOPED_TRACE(scale);
    std::vector<Vec2d> scaled = square;
    for (Vec2d& p : scaled) p = p * scale;
    const auto regions2 = make_voronoi_regions(scaled);
    const auto regions3 = make_voronoi_regions(hull_of(box_corners(scale), true));
    ASSERT_TRUE(regions2.ok() && regions3.ok());
    const auto compare = [&](const auto& unit, const auto& regions, const auto& p) {
      const auto expected = closest_feature_plain(unit, p), found = closest_feature_plain(regions, p * scale);
      ASSERT_TRUE(expected.ok() && found.ok());
      EXPECT_EQ(found->feature.kind, expected->feature.kind);
      EXPECT_LE(max_abs(found->point / scale - expected->point), 1e-15);
      EXPECT_NEAR(found->distance / scale, expected->distance, 1e-15);
    };
    for (int i = 0; i < 200; ++i) {
      compare(*unit2, *regions2, random_point<2>(random, -1.9, 1.9));
      compare(*unit3, *regions3, random_point<3>(random, -1.9, 1.9));
    }
    EXPECT_EQ(closest_feature(*regions2, Vec2d{0.75, 0.25} * scale)->feature, (Feature{FeatureKind::inside, 1}));
  }
  // A small body and a point far away
  const auto small = make_voronoi_regions(std::vector<Vec2d>{{0, 0}, {0x1p-30, 0}, {0, 0x1p-30}});
  ASSERT_TRUE(small.ok());
  const auto far = closest_feature(*small, {0x1p-31, -0x1p1000});
  ASSERT_TRUE(far.ok());
  EXPECT_EQ(far->feature, (Feature{FeatureKind::edge, 0}));
  EXPECT_EQ(far->point, (Vec2d{0x1p-31, 0}));
  EXPECT_EQ(far->distance, 0x1p1000);
}

// Planes are planes as long as their offsets are numbers, whatever the differences of the corners; what is not a number is
// refused, a distance too
TEST(VoronoiRegions3, BeyondTheRangeOfDouble) {
  for (const double s : {1e300, 8e307, 1.7e308}) {
    const auto regions = make_voronoi_regions(hull_of(box_corners(s), true));
    const auto polygon = make_voronoi_regions(std::vector<Vec2d>{{-s, -s}, {s, -s}, {s, s}, {-s, s}});
    ASSERT_TRUE(regions.ok() && polygon.ok());
    const auto expect_planes = [s](const auto& planes) {
      ASSERT_TRUE(planes.ok());
      for (const auto& plane : *planes) {
        EXPECT_NEAR(length(plane.normal), 1, 1e-15);
        EXPECT_EQ(std::fabs(plane.offset), s);
      }
    };
    for (const FeatureKind kind : {FeatureKind::vertex, FeatureKind::edge, FeatureKind::face})
      for (std::uint32_t i = 0; i < 6; ++i) expect_planes(region_planes(*regions, {kind, i}));
    for (const FeatureKind kind : {FeatureKind::vertex, FeatureKind::edge})
      for (std::uint32_t i = 0; i < 4; ++i) expect_planes(region_planes(*polygon, {kind, i}));
  }
  // A corner whose height over a plane has no double
  const auto skew = make_voronoi_regions(std::vector<Vec2d>{{1.7e308, 1.7e308}, {0, 1e308}, {1e308, 0}});
  ASSERT_TRUE(skew.ok());
  bool refused = false;
  for (const FeatureKind kind : {FeatureKind::vertex, FeatureKind::edge})
    for (std::uint32_t i = 0; i < 3; ++i) {
      const auto planes = region_planes(*skew, {kind, i});
      if (planes) continue;
      EXPECT_EQ(planes.error().code, ErrorCode::too_large);
      refused = true;
    }
  EXPECT_TRUE(refused);

  const auto box = make_voronoi_regions(hull_of(box_corners(1e100), true));
  const auto square = make_voronoi_regions(std::vector<Vec2d>{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}});
  ASSERT_TRUE(box.ok() && square.ok());
  const Vec3d corner{1.7e308, 1.7e308, -1.7e308};
  EXPECT_EQ(closest_feature(*box, corner).error().code, ErrorCode::too_large);
  EXPECT_EQ(closest_feature_plain(*box, corner).error().code, ErrorCode::too_large);
  EXPECT_EQ(closest_feature(*square, {1.7e308, 1.7e308}).error().code, ErrorCode::too_large);
  EXPECT_EQ(closest_feature_plain(*square, {1.7e308, 1.7e308}).error().code, ErrorCode::too_large);
  EXPECT_TRUE(closest_feature(*square, {1.7e308, 0}).ok());
}

TEST(VoronoiRegions3, TheWalkFindsWhatTheScanFinds) {
  auto points = random_points<3>(300, 3);
  for (Vec3d& p : points) p = normalized(p);
  const auto regions = make_voronoi_regions(hull_of(points, true));
  ASSERT_TRUE(regions.ok());
  // A point on a tour around the body, with the last answer as the hint: few steps
  Feature hint;
  std::uint64_t steps = 0;
  constexpr int kQueries = 400;
  for (int i = 0; i < kQueries; ++i) {
    const SinCos turn = sin_cos(2 * kPi * i / kQueries), tilt = sin_cos(7 * kPi * i / kQueries);
    const Vec3d p{1.5 * turn.cos, 1.5 * turn.sin, tilt.sin};
    const auto walked = closest_feature(*regions, p, hint), plain = closest_feature_plain(*regions, p);
    ASSERT_TRUE(walked.ok() && plain.ok());
    ASSERT_EQ(walked->feature, plain->feature);
    ASSERT_EQ(walked->point, plain->point);
    EXPECT_GT(walked->steps, 0u);
    steps += walked->steps;
    hint = walked->feature;
  }
  EXPECT_LT(steps, 10u * kQueries);
}

// Two boxes: the closest points lie in each other's regions, and only then are they the closest
TEST(VoronoiRegions3, ClosestFeaturesOfTwoBodiesHoldEachOthersPoints) {
  const auto a = make_voronoi_regions(hull_of(box_corners(1), true));
  std::vector<Vec3d> moved = box_corners(1);
  for (Vec3d& p : moved) p = p + Vec3d{4, 3, 0.5};
  const auto b = make_voronoi_regions(hull_of(moved, true));
  ASSERT_TRUE(a.ok() && b.ok());
  // The vertical edges at (1, 1) and (3, 2) face each other
  const Vec3d on_a{1, 1, 0.25}, on_b{3, 2, 0.25};
  const auto of_b = closest_feature(*a, on_b), of_a = closest_feature(*b, on_a);
  ASSERT_TRUE(of_a.ok() && of_b.ok());
  EXPECT_EQ(of_b->feature.kind, FeatureKind::edge);
  EXPECT_EQ(of_a->feature.kind, FeatureKind::edge);
  EXPECT_EQ(of_b->point, on_a);
  EXPECT_EQ(of_a->point, on_b);
  EXPECT_NEAR(of_a->distance, std::sqrt(5.0), 1e-15);
}

TEST(VoronoiRegions3, BadInputIsNamed) {
  const auto box = make_voronoi_regions(hull_of(box_corners(1), true));
  ASSERT_TRUE(box.ok());
  EXPECT_EQ(closest_feature(*box, {0, std::nan(""), 0}).error().code, ErrorCode::non_finite);
  EXPECT_EQ(closest_feature_plain(*box, {0, 0, HUGE_VAL}).error().code, ErrorCode::non_finite);
  EXPECT_EQ(closest_feature(*box, {0, 0, 0}, {FeatureKind::face, 6}).error(),
            (Error{ErrorCode::index_out_of_range, 6}));
  EXPECT_EQ(in_region(*box, {FeatureKind::inside, 0}, {0, 0, 0}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(region_planes(*box, {FeatureKind::vertex, 8}).error().code, ErrorCode::index_out_of_range);
  EXPECT_EQ(make_voronoi_regions(hull_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, true)).error().code, ErrorCode::degenerate);
  EXPECT_EQ(make_voronoi_regions(std::vector<Vec2d>{{0, 0}, {1, 0}, {2, 0}}).error().code, ErrorCode::degenerate);
  const auto triangle = make_voronoi_regions(std::vector<Vec2d>{{0, 0}, {1, 0}, {0, 1}});
  ASSERT_TRUE(triangle.ok());
  EXPECT_EQ(closest_feature(*triangle, {std::nan(""), 0}).error().code, ErrorCode::non_finite);
  EXPECT_EQ(in_region(*triangle, {FeatureKind::face, 0}, {0, 0}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(in_region(*triangle, {FeatureKind::edge, 3}, {0, 0}).error().code, ErrorCode::index_out_of_range);
  // Regions that no body was given to
  EXPECT_EQ(closest_feature(VoronoiRegions2{}, {0, 0}).error().code, ErrorCode::empty_input);
  EXPECT_EQ(closest_feature_plain(VoronoiRegions2{}, {0, 0}).error().code, ErrorCode::empty_input);
  EXPECT_EQ(closest_feature(VoronoiRegions3{}, {0, 0, 0}).error().code, ErrorCode::empty_input);
  EXPECT_EQ(closest_feature_plain(VoronoiRegions3{}, {0, 0, 0}).error().code, ErrorCode::empty_input);
}
