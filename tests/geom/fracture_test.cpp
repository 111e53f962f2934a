#include "hull_of.hpp"
#include "point_sets.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/core/hash.hpp>
#include <sudar/geom/fracture.hpp>
#include <sudar/geom/mesh_makers.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>

using namespace sudar;
using namespace sudar_test;

namespace {

Hull3 cube_hull(double half = 1) {
  std::vector<Vec3d> corners;
  for (int i = 0; i < 8; ++i) corners.push_back({i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half});
  return hull_of(corners);
}
Hull3 ball_hull(std::size_t count, std::uint64_t seed) {
  auto points = random_points<3>(count, seed);
  for (Vec3d& p : points) p = normalized(p);
  return hull_of(points);
}
double volume_of(const Hull3& hull) {
  const auto body = make_clip_polyhedron(hull);
  EXPECT_TRUE(body.ok());
  return volume(*body);
}

// A closed surface (every directed edge has its reverse) that is convex up to rounding
void expect_closed_and_convex(const ClipPolyhedron& body, double size) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  ASSERT_EQ(body.start.size(), body.labels.size() + 1);
  for (std::size_t f = 0; f < body.face_count(); ++f) {
    const auto face = body.face(f);
    ASSERT_GE(face.size(), 3u);
    for (std::size_t i = 0; i < face.size(); ++i) {
      ASSERT_LT(face[i], body.vertices.size());
      ASSERT_EQ(++edges[std::pair(face[i], face[(i + 1) % face.size()])], 1);
    }
    // Newell's normal; vertices behind it
    Vec3d normal{};
    const Vec3d o = body.vertices[face[0]];
    for (std::size_t i = 2; i < face.size(); ++i)
      normal += cross(body.vertices[face[i - 1]] - o, body.vertices[face[i]] - o);
    if (length(normal) < 1e-9 * size * size) continue;  // too small for a plane of its own
    normal = normalized(normal);
    for (const Vec3d& v : body.vertices) ASSERT_LE(dot(normal, v - o), 1e-8 * size);
  }
  for (const auto& [edge, count] : edges) ASSERT_TRUE(edges.count({edge.second, edge.first}));
}

void expect_fills(const std::string& name, const Hull3& body, const std::vector<FracturePiece3>& pieces) {
  SCOPED_TRACE(name);
  double sum = 0, size = 0;
  for (const Vec3d& v : body.vertices) size = std::max(size, max_abs(v));
  std::map<std::uint32_t, const FracturePiece3*> by_site;
  for (const auto& piece : pieces) {
    EXPECT_GE(piece.volume, 0);
    sum += piece.volume;
    by_site[piece.site] = &piece;
    expect_closed_and_convex(piece.shape, size);
  }
  for (const auto& piece : pieces)
    for (const std::uint32_t n : piece.neighbours) {
      const auto& theirs = by_site.at(n)->neighbours;
      EXPECT_TRUE(std::binary_search(theirs.begin(), theirs.end(), piece.site));
    }
  const double whole = volume_of(body);
  EXPECT_NEAR(sum, whole, 1e-12 * whole);
}

}  // namespace

// Closed form: a cut of the unit cube by x + y + z = k/2 steps through corners, edges and faces
TEST(ConvexClip, CutsThroughVerticesEdgesAndFaces) {
  const auto whole = make_clip_polyhedron(cube_hull(0.5));
  ASSERT_TRUE(whole.ok());
  ConvexClipper clipper;
  const double slack = clip_slack(*whole), root3 = std::sqrt(3.0);
  const auto corner = [](double t) { return t <= 0 ? 0 : t * t * t / 6; };
  for (int k = -4; k <= 4; ++k) {
    const double t = 1.5 + k * 0.5;  // x + y + z <= t in the cube [0, 1]³
    ClipPolyhedron body = *whole;
    ASSERT_TRUE(
        clipper.clip(body, Vec3d{-0.5, -0.5, -0.5}, Plane<3, double>{Vec3d{1, 1, 1} / root3, t / root3}, 7, slack)
            .ok());
    const double expected = t >= 3 ? 1 : corner(t) - 3 * corner(t - 1) + 3 * corner(t - 2);
    EXPECT_NEAR(volume(body), std::max(expected, 0.0), 1e-14) << k;
    if (!body.empty()) expect_closed_and_convex(body, 1);
    const auto caps = std::count(body.labels.begin(), body.labels.end(), 7u);
    EXPECT_EQ(caps, expected > 0 && t < 3 ? 1 : 0);
  }
  // Through an edge: a wedge. Along a face: all or nothing.
  ClipPolyhedron wedge = *whole;
  EXPECT_TRUE(*clipper.clip(wedge, Vec3d{}, Plane<3, double>{normalized(Vec3d{1, 1, 0}), 0}, 9, slack));
  EXPECT_NEAR(volume(wedge), 0.5, 1e-15);
  EXPECT_EQ(wedge.vertices.size(), 6u);
  EXPECT_EQ(wedge.face_count(), 5u);
  ClipPolyhedron all = *whole;
  EXPECT_FALSE(*clipper.clip(all, Vec3d{}, Plane<3, double>{{1, 0, 0}, 0.5}, 9, slack));
  EXPECT_TRUE(*clipper.clip(all, Vec3d{}, Plane<3, double>{{1, 0, 0}, -0.5}, 9, slack));
  EXPECT_TRUE(all.empty());
}

// Random half-spaces around a ball of radius 0.1 that stays inside: the surface must stay closed and keep the ball
TEST(ConvexClip, ManyCutsKeepTheSurfaceClosed) {
  Random random(campaign_seed(4));
  for (std::size_t round = 0; round < soak(20); ++round) {
    auto body = make_clip_polyhedron(cube_hull());
    ASSERT_TRUE(body.ok());
    ConvexClipper clipper;
    const double slack = clip_slack(*body);
    for (std::uint32_t k = 0; k < 200; ++k) {
      // Every third plane repeats an axis or a corner direction: many cuts through the same lines
      const Vec3d normal = k % 3 == 0 ? normalized(random_grid_point<3>(random, 3) - Vec3d{1, 1, 1})
                                      : normalized(random_point<3>(random, -1, 1));
      if (!(max_abs(normal) > 0)) continue;
      const double before = volume(*body), offset = 0.1 + 0.1 * static_cast<double>(random.below(8));
      ASSERT_TRUE(clipper.clip(*body, Vec3d{}, Plane<3, double>{normal, offset}, k, slack).ok());
      ASSERT_LE(volume(*body), before * (1 + 1e-13));
    }
    EXPECT_GE(volume(*body), 4.0 / 3 * kPi * 1e-3);
    expect_closed_and_convex(*body, 1);
  }
}

TEST(Fracture2, PiecesFillThePolygonAndAgreeWithAllSites) {
  const std::vector<Vec2d> polygon = {{0, 0}, {4, 0}, {5, 2}, {3, 4}, {0, 3}};
  const double whole = area(*make_clip_polygon(polygon));
  for (std::uint64_t seed = 0; seed < soak(20); ++seed) {
    const auto sites = random_points<2>(1 + 5 * seed, seed, -1, 6);
    const auto fast = fracture2(polygon, sites), plain = fracture2(polygon, sites, FractureMethod::all_sites);
    ASSERT_TRUE(fast.ok() && plain.ok());
    ASSERT_EQ(fast->size(), plain->size());
    double sum = 0;
    for (std::size_t i = 0; i < fast->size(); ++i) {
      sum += (*fast)[i].area;
      EXPECT_EQ((*fast)[i].site, (*plain)[i].site);
      EXPECT_NEAR((*fast)[i].area, (*plain)[i].area, 1e-13 * whole);
      EXPECT_EQ((*fast)[i].neighbours, (*plain)[i].neighbours);
    }
    EXPECT_NEAR(sum, whole, 1e-12 * whole);
  }
}

TEST(Fracture3, PiecesFillTheBodyAndAgreeWithAllSites) {
  for (std::uint64_t seed = 0; seed < soak(6); ++seed)
    for (const Hull3& body : {cube_hull(), ball_hull(60, seed)}) {
      const auto sites = random_points<3>(2 + 15 * seed, seed + 50, -1.3, 1.3);
      const auto fast = fracture3(body, sites), plain = fracture3(body, sites, FractureMethod::all_sites);
      ASSERT_TRUE(fast.ok() && plain.ok());
      expect_fills("fast", body, *fast);
      expect_fills("plain", body, *plain);
      ASSERT_EQ(fast->size(), plain->size());
      for (std::size_t i = 0; i < fast->size(); ++i) {
        EXPECT_EQ((*fast)[i].site, (*plain)[i].site);
        EXPECT_NEAR((*fast)[i].volume, (*plain)[i].volume, 1e-13);
        EXPECT_EQ((*fast)[i].neighbours, (*plain)[i].neighbours);
      }
    }
}

// Oracle: the nearest site by brute force
TEST(Fracture3, EverySampleLiesInThePieceOfItsNearestSite) {
  const Hull3 body = ball_hull(100, 3);
  const auto sites = random_points<3>(80, 9);
  const auto pieces = fracture3(body, sites);
  ASSERT_TRUE(pieces.ok());
  for (const auto& piece : *pieces) {
    // The vertices' mean lies inside of the piece, so its nearest site is the piece's own
    Vec3d mean{};
    for (const Vec3d& v : piece.shape.vertices) mean += v / double(piece.shape.vertices.size());
    for (std::size_t other = 0; other < sites.size(); ++other)
      EXPECT_LE(distance(mean, sites[piece.site]), distance(mean, sites[other]) + 1e-12);
  }
}

// Closed form: a grid of sites makes equal boxes; cospherical everywhere
TEST(Fracture3, GridSitesMakeBoxes) {
  std::vector<Vec3d> sites;
  for (int i = 0; i < 64; ++i)
    sites.push_back(Vec3d{double(i % 4), double(i / 4 % 4), double(i / 16)} * 0.5 - Vec3d{0.75, 0.75, 0.75});
  const auto pieces = fracture3(cube_hull(), sites);
  ASSERT_TRUE(pieces.ok());
  ASSERT_EQ(pieces->size(), 64u);
  for (const auto& piece : *pieces) {
    EXPECT_NEAR(piece.volume, 0.125, 1e-15);
    EXPECT_EQ(piece.shape.face_count(), 6u);
    EXPECT_EQ(piece.shape.vertices.size(), 8u);
    const int x = static_cast<int>(piece.site) % 4, y = static_cast<int>(piece.site) / 4 % 4,
              z = static_cast<int>(piece.site) / 16;
    const auto inner = [](int k) { return k == 0 || k == 3 ? 1u : 2u; };
    EXPECT_EQ(piece.neighbours.size(), inner(x) + inner(y) + inner(z));
  }
}

TEST(Fracture3, HostileSites) {
  const Hull3 body = ball_hull(40, 1);
  for (auto& set : hostile_sets<3>(60, 2)) {
    std::vector<Vec3d> sites = set.points;
    double largest = 0;
    for (const Vec3d& p : sites) largest = std::max(largest, max_abs(p));
    for (Vec3d& p : sites) p = p / largest;
    std::sort(sites.begin(), sites.end(), lexicographically_less<Vec3d>);
    sites.erase(std::unique(sites.begin(), sites.end()), sites.end());
    const auto pieces = fracture3(body, sites);
    ASSERT_TRUE(pieces.ok()) << set.name;
    expect_fills(set.name, body, *pieces);
  }
}

// Three sites far away still fill the body; a body far from the origin is cut up to the rounding of its coordinates
TEST(Fracture3, SitesFarAway) {
  std::vector<Vec3d> sites = {{1e8, 3e8, 0}, {1e8, -3e8, 0}, {-3e8, 0, 1e8}};
  const auto pieces = fracture3(cube_hull(), sites);
  ASSERT_TRUE(pieces.ok());
  expect_fills("far sites", cube_hull(), *pieces);

  std::vector<Vec3d> corners = cube_hull().vertices;
  const Vec3d shift{1e6, -2e6, 3e6};
  for (Vec3d& c : corners) c = c + shift;
  auto near = random_points<3>(30, 6);
  for (Vec3d& s : near) s = s + shift;
  const Hull3 far_cube = hull_of(corners);
  const auto far = fracture3(far_cube, near);
  ASSERT_TRUE(far.ok());
  double sum = 0;
  for (const auto& piece : *far) sum += piece.volume;
  EXPECT_NEAR(sum, 8, 1e-7);
}

TEST(Fracture3, SitesOnALineOrInAPlane) {
  std::vector<Vec3d> line, plane;
  for (int i = 0; i < 8; ++i) line.push_back(Vec3d{0.2, 0.1, 0.05} * double(i - 4));
  for (int i = 0; i < 25; ++i) plane.push_back({0.4 * (i % 5) - 0.8, 0.4 * (i / 5) - 0.8, 0.1});
  for (const auto& sites : {line, plane}) {
    const auto pieces = fracture3(cube_hull(), sites);
    ASSERT_TRUE(pieces.ok());
    EXPECT_EQ(pieces->size(), sites.size());
    expect_fills("flat sites", cube_hull(), *pieces);
  }
  const auto one = fracture3(cube_hull(), std::vector<Vec3d>{{5, 5, 5}});
  ASSERT_TRUE(one.ok());
  ASSERT_EQ(one->size(), 1u);
  EXPECT_EQ((*one)[0].volume, 8);
}

// A needle thinner than the slack of the cuts: its pieces would be gone, or of negative volume. A plate of ratio 1e10 is
// thick enough.
TEST(Fracture3, BodiesTooThinForTheCutsAreRefused) {
  const Hull3 needle = hull_of({{-0x1.e8p+38, 0x1.2cp+3, -0x1.effc1p-28},
                                {-0x1.e8p+38, 0x1.c8p+2, -0x1.88000007c0001p+2},
                                {-0x1.1bp+39, 0x1.c8p+3, -0x1.c8p+61},
                                {-0x1.e7ffffffe3p+38, 0x1.2a05f2039p+33, 0x1.bfffffc2p-1}});
  const std::vector<Vec3d> sites = {{0x1p-41, 0x1p+300, -0x1.6ffffffffffffp+2},
                                    {0x1.5p+1, -0x1.399c431c2ccd6p-98, -0x1.cp+46},
                                    {0x1.ep+0, -0x1.dp+1, -0x1.3p+33},
                                    {0x1.1800000000001p+2, 0x1.d6ea707b8e5a6p-444, 0x1p+3}};
  for (const FractureMethod method : {FractureMethod::delaunay_neighbours, FractureMethod::all_sites})
    EXPECT_EQ(fracture3(needle, sites, method).error().code, ErrorCode::degenerate);
  EXPECT_TRUE(fracture3(needle, std::vector<Vec3d>{{0, 0, 0}}).ok());

  std::vector<Vec3d> corners = cube_hull().vertices;
  for (Vec3d& c : corners) c.z *= 1e-10;
  const Hull3 plate = hull_of(corners);
  const auto pieces = fracture3(plate, random_points<3>(20, 6));
  ASSERT_TRUE(pieces.ok());
  double sum = 0;
  for (const auto& piece : *pieces) sum += piece.volume;
  EXPECT_NEAR(sum, 8e-10, 8e-10 * kFractureGap);
}

TEST(Fracture3, BadInputIsNamed) {
  const Hull3 body = cube_hull();
  const auto error_of = [&](const std::vector<Vec3d>& sites) { return fracture3(body, sites).error(); };
  EXPECT_EQ(error_of({}), (Error{ErrorCode::empty_input}));
  EXPECT_EQ(error_of({{0, 0, 0}, {0, 0, std::nan("")}}), (Error{ErrorCode::non_finite, 1}));
  EXPECT_EQ(error_of({{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}), (Error{ErrorCode::invalid_argument, 2}));
  EXPECT_EQ(error_of({{1e300, 0, 0}, {1, 0, 0}}), (Error{ErrorCode::invalid_argument, 0}));
  const Hull3 flat = hull_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  EXPECT_EQ(fracture3(flat, std::vector<Vec3d>{{0, 0, 0}}).error().code, ErrorCode::degenerate);
  EXPECT_EQ(fracture2(std::vector<Vec2d>{{0, 0}, {1, 0}, {0, 1}}, std::vector<Vec2d>{{0, 0}, {0, 0}}).error(),
            (Error{ErrorCode::invalid_argument, 1}));
}

// A slack that is far too large makes cuts that touch themselves. Oracle: what both GNU's and LLVM's standard library gave,
// which sort equal elements otherwise.
TEST(ConvexClip, CutsThatTouchThemselvesAreOneWithEveryStandardLibrary) {
  Random random(7);
  Hash64 hash;
  const auto add = [&](std::span<const std::uint32_t> list) {
    for (const std::uint32_t x : list) hash.add(x);
  };
  const Hull3 hull = hull_of(uv_sphere_mesh(1, 16, 8)->vertices);
  for (int i = 0; i < 500; ++i) {
    auto body = make_clip_polyhedron(hull);
    ASSERT_TRUE(body.ok());
    ConvexClipper clipper;
    for (std::uint32_t k = 0; k < 4 && !body->empty(); ++k) {
      Vec3d n{0, 0, 1};
      for (int axis = 0; axis < 2; ++axis) n[axis] = static_cast<double>(random.below(5)) - 2;
      const double offset = 0.25 * static_cast<double>(random.below(3)),
                   slack = 1e-3 * static_cast<double>(random.below(300));
      ASSERT_TRUE(clipper.clip(*body, {0, 0, 0}, {normalized(n), offset}, k, slack).ok());
    }
    for (const Vec3d& v : body->vertices)
      for (int k = 0; k < 3; ++k) hash.add(std::bit_cast<std::uint64_t>(v[k]));
    add(body->loop), add(body->start);
  }
  EXPECT_EQ(hash.value(), 0x5c835d1846b59678u);
}
