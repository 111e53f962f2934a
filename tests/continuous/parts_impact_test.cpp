// Impacts of bodies of parts: half-spaces, far compounds, plates that slide or meet flat, rings that turn in each other; and
// the walk over the trees, which may leave out nothing that meets
#include "tests/continuous/motion_promise.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/continuous/parts_support.hpp>
#include <sudar/continuous/slab_pairs.hpp>
#include <sudar/continuous/time_of_impact.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/polygon_set.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <set>

using namespace sudar;
using sudar_test::campaign_seed;
using sudar_test::MovingBody;
using sudar_test::soak;

namespace {

template <int D>
ToiAnswer<D> impact_of_parts(const MovingBody<D>& a, const MovingBody<D>& b, const ToiOptions& options = {}) {
  const auto x = time_of_impact(a.shape, a.pose, a.motion, b.shape, b.pose, b.motion, options);
  EXPECT_TRUE(x.ok());
  return *x;
}
Shape3 surface_of(const Mesh& mesh) { return *make_mesh_shape3(mesh.vertices, mesh.triangles, false); }

// A square of n by n cells with side 1, heights up to `bump`
Mesh square_mesh(std::uint32_t n, double bump) {
  Mesh mesh;
  for (std::uint32_t j = 0; j <= n; ++j)
    for (std::uint32_t i = 0; i <= n; ++i)
      mesh.vertices.push_back({static_cast<double>(i) / n, static_cast<double>(j) / n,
                               bump * static_cast<double>((7 * i + 13 * j) % 5) / 4});
  for (std::uint32_t j = 0; j < n; ++j)
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t p = j * (n + 1) + i, q = p + n + 1;
      mesh.triangles.push_back({p, p + 1, q + 1});
      mesh.triangles.push_back({p, q + 1, q});
    }
  return mesh;
}

}  // namespace

// More triangles than distances that may be asked for. Oracle: the lowest vertex.
TEST(PartsImpact, AHalfSpaceMeetsTheHull) {
  const Shape3 ground = *make_halfspace3({0, 0, 1}, 0);
  const Mesh torus = *torus_mesh(2, 0.5, 150, 70);
  ASSERT_GT(torus.triangles.size(), 20000u);
  const Shape3 ring = surface_of(torus);
  const auto lowest = [&](const Pose3d& pose) {
    double z = std::numeric_limits<double>::infinity();
    for (const Vec3d& p : torus.vertices) z = std::min(z, transform(pose, p).z);
    return z;
  };
  const ToiAnswer3 up = impact_of_parts<3>({ground}, {ring, {{0, 0, 10}, {}}, {{0, 0, 1}, {}}});
  EXPECT_FALSE(up.hit);
  EXPECT_LT(up.iterations, 10);
  const ToiAnswer3 down = impact_of_parts<3>({ground}, {ring, {{0, 0, 10}, {}}, {{1, 0, -20}, {}}});
  ASSERT_TRUE(down.hit);
  EXPECT_EQ(down.status, QueryStatus::converged);
  EXPECT_NEAR(down.t_lo, (10 + lowest({})) / 20, 1e-10);
  EXPECT_NEAR(down.normal.z, 1, 1e-12);
  // Turning, from either side
  const MovingBody<3> tumbling{ring, {{0, 0, 10}, {}}, {{0, 0, -20}, {3, 4, 5}}};
  for (const bool swap : {false, true}) {
    const ToiAnswer3 x = swap ? impact_of_parts<3>(tumbling, {ground}) : impact_of_parts<3>({ground}, tumbling);
    ASSERT_TRUE(x.hit);
    EXPECT_EQ(x.status, QueryStatus::converged);
    EXPECT_NEAR(x.normal.z, swap ? -1 : 1, 1e-12);
    EXPECT_NEAR(lowest(pose_at(tumbling.pose, tumbling.motion, x.t_lo)), 0, 2 * x.tolerance);
    for (int k = 0; k < 20; ++k)
      EXPECT_GT(lowest(pose_at(tumbling.pose, tumbling.motion, x.t_lo * (k + 0.5) / 20)), 0) << k;
    EXPECT_LT(x.iterations, 100);
  }
  // A mesh in a compound, a terrain, and a chain in the plane
  const std::vector<CompoundChild3> children = {{ring, {{0, 0, 1}, {}}}, {*make_sphere3(0.75), {{0, 0, 0.5}, {}}}};
  const ToiAnswer3 both = impact_of_parts<3>({ground}, {*make_compound3(children), {{0, 0, 4}, {}}, {{0, 0, -8}, {}}});
  ASSERT_TRUE(both.hit);
  EXPECT_NEAR(both.t_lo, 3.75 / 8, 1e-10);
  std::vector<double> heights(9, 1.0);
  heights[4] = 0.25;
  const ToiAnswer3 terrain =
      impact_of_parts<3>({ground}, {*make_height_field3(heights, 3, 3, {1, 1}), {{0, 0, 1.75}, {}}, {{0, 0, -4}, {}}});
  EXPECT_NEAR(terrain.t_lo, 0.5, 1e-10);
  const std::vector<Vec2d> line = {{-1, 2}, {0, 0.5}, {1, 1}};
  const ToiAnswer2 chain =
      impact_of_parts<2>({*make_halfplane2({0, 1}, 0)}, {*make_chain2(line), {{0, 1.5}, {}}, {{3, -4}, 0}});
  EXPECT_NEAR(chain.t_lo, 0.5, 1e-10);
}

// The farthest point of every kind of shape against all of its vertices
TEST(PartsImpact, FarthestPoints) {
  Random random(campaign_seed(3));
  const Mesh torus = *torus_mesh(2, 0.5, 20, 10);
  const Pose3d pose{{0.3, -2, 1}, unit_quaternion(random)};
  const std::vector<CompoundChild3> children = {{surface_of(torus), pose}, {*make_point3({4, 0, 0}), {}}};
  const Shape3 compound = *make_compound3(children);
  std::vector<double> heights(7 * 6);
  for (double& h : heights) h = random.uniform(-1, 1);
  const Shape3 field = *make_height_field3(heights, 7, 6, {0.5, 0.25});
  for (int n = 0; n < 200; ++n) {
    const Vec3d d = unit_vector<3>(random) * std::exp(random.uniform(-3, 3));
    double far = dot(d, Vec3d{4, 0, 0}), high = -1e9;
    for (const Vec3d& p : torus.vertices) far = std::max(far, dot(d, transform(pose, p)));
    for (std::uint32_t k = 0; k < heights.size(); ++k)
      high = std::max(high, dot(d, Vec3d{0.5 * (k % 7), 0.25 * (k / 7), heights[k]}));
    EXPECT_NEAR(dot(d, farthest_point(compound, d)), far, 1e-13 * length(d));
    EXPECT_NEAR(dot(d, farthest_point(field, d)), high, 1e-13 * length(d));
  }
}

// A part of B is where it is in B however far B has to fly: passing by, it dips into A by a few tolerances
TEST(PartsImpact, PartsOfFarBodiesAreInTheirPlaces) {
  Random random(campaign_seed(4));
  const Shape3 box = *make_box3({0.01, 0.01, 0.01});
  for (int n = 0; n < 60; ++n) {
    const Quatd turn = Quatd::from_axis_angle({0, 0, 1}, random.uniform(0, 6));
    const Vec3d at = point_in_ball<3>(random) * 0.01;
    const std::vector<CompoundChild3> children = {{*make_sphere3(0.01), {at, {}}}};
    MovingBody<3> b{*make_compound3(children)};
    const double size = farthest_radius<3>(box) + farthest_radius<3>(b.shape), tolerance = kImpactTolerance * size;
    // The ball's centre is at height 0.02 less the depth all the way
    const Vec3d there = rotate(turn, at);
    const double depth = random.uniform(2, 6) * tolerance;
    b.pose = {{-1e5 - there.x, 0.02 - depth - there.y, -there.z}, turn};
    b.motion.linear = {1e5 / 0.3, 0, 0};
    const ToiAnswer3 hit = impact_of_parts<3>({box}, b);
    EXPECT_TRUE(hit.hit) << n;
    b.pose.position.y += depth + 3 * tolerance;
    EXPECT_FALSE(impact_of_parts<3>({box}, b).hit) << n;
  }
}

// Near all the way and never touching, for as long as it takes: few tests of boxes near the roots of the trees
TEST(PartsImpact, SlidingAtASmallGapIsFree) {
  const double gap = 1e-5;
  const Shape3 flat = surface_of(square_mesh(20, 0)), bumpy = surface_of(square_mesh(20, 0.01));
  std::vector<CompoundChild3> children;
  for (int i = 0; i < 400; ++i)
    children.push_back({*make_box3({0.02, 0.02, 0.02}), {{0.05 * (i % 20), 0.05 * (i / 20), 0}, {}}});
  const Shape3 grid = *make_compound3(children);
  const std::vector<double> level(21 * 21, 0.0);
  const Shape3 field = *make_height_field3(level, 21, 21, {0.05, 0.05});
  struct Slide {
    const char* what;
    const Shape3 &a, &b;
    double height;
    Motion3 motion;
  };
  for (const Slide& s : {Slide{"plates", flat, flat, gap, {{1, 0, 0}, {}}},
                         Slide{"a plate that spins", flat, flat, gap, {{0.5, 0.3, 0}, {0, 0, 5}}},
                         Slide{"bumps", bumpy, bumpy, 0.01 + gap, {{1, 0.3, 0}, {}}},
                         Slide{"boxes", grid, grid, 0.04 + gap, {{1, 0, 0}, {}}},
                         Slide{"boxes on a plate", flat, grid, 0.02 + gap, {{0.5, 0, 0}, {0, 0, 3}}},
                         Slide{"a plate on a terrain", field, flat, gap, {{1, 0, 0}, {}}}}) {
    const MovingBody<3> a{s.a}, b{s.b, {{0.3, 0.2, s.height}, {}}, s.motion};
    const ToiAnswer3 x = impact_of_parts(a, b);
    EXPECT_FALSE(x.hit) << s.what;
    EXPECT_EQ(x.status, QueryStatus::converged) << s.what;
    EXPECT_LT(x.iterations, 100) << s.what;
    // Sinking by two gaps on the way it touches, in the middle; bumps may meet hollows
    if (&s.a == &bumpy) continue;
    MovingBody<3> sinking = b;
    sinking.motion.linear.z = -2 * gap;
    const ToiAnswer3 y = impact_of_parts(a, sinking, {.contacts = false});
    ASSERT_TRUE(y.hit) << s.what;
    EXPECT_EQ(y.status, QueryStatus::converged) << s.what;
    EXPECT_LE(y.t_lo, 0.5) << s.what;
    EXPECT_NEAR(y.t_lo, 0.5, 2 * y.tolerance / (2 * gap)) << s.what;
  }
}

// Thousands of pairs at one moment
TEST(PartsImpact, PlatesThatMeetFlat) {
  const Shape3 plate = surface_of(square_mesh(60, 0));
  for (const Vec3d spin : {Vec3d{}, Vec3d{0, 0, 1}}) {
    const ToiAnswer3 x =
        impact_of_parts<3>({plate}, {plate, {{0.31, 0.21, 0.5}, {}}, {{0, 0, -1}, spin}}, {.contacts = false});
    ASSERT_TRUE(x.hit);
    EXPECT_EQ(x.status, QueryStatus::converged);
    EXPECT_LE(x.t_lo, 0.5);
    EXPECT_NEAR(x.t_lo, 0.5, 2 * x.tolerance);
    EXPECT_LE(x.separation, 2 * x.tolerance);
    EXPECT_LT(x.iterations, 500);
  }
}

// Both turn: the same as by advancing with the distance of the whole meshes, in work that does not grow with the pieces
TEST(PartsImpact, RingsThatTurn) {
  Random random(campaign_seed(6));
  const Shape3 ring = surface_of(*torus_mesh(1, 0.3, 32, 16));
  const std::size_t rounds = soak(12);
  std::size_t hits = 0;
  for (std::size_t n = 0; n < rounds; ++n) {
    MovingBody<3> a{ring}, b{ring};
    aim(random, a, 3, 0.5), aim(random, b, 3, 0.5);
    a.motion.angular = unit_vector<3>(random) * std::exp(random.uniform(0, 3));
    b.motion.angular = unit_vector<3>(random) * std::exp(random.uniform(0, 3));
    const ToiAnswer3 x = impact_of_parts(a, b, {.contacts = false});
    EXPECT_EQ(x.status, QueryStatus::converged);
    EXPECT_LT(x.iterations, 3000);
    const ToiAnswer3 y =
        impact_of_parts(a, b, {.method = ToiMethod::conservative, .tolerance = 1e-4, .contacts = false});
    if (x.hit) {
      ++hits;
      EXPECT_TRUE(y.hit);
      EXPECT_LE(y.t_lo, x.t_lo + 1e-12);
      const MovingPair3 pair(a.pose, a.motion, b.pose, b.motion);
      EXPECT_LE(distance(a.shape, b.shape, pair.at(x.t_hi)).separation, 2 * x.tolerance);
    }
    if (!y.hit) {
      EXPECT_FALSE(x.hit);
    }
    ASSERT_FALSE(HasFailure()) << sudar_test::written_motion(a, b);
  }
  EXPECT_GT(hits, rounds / 2);
}

// The walk against all pairs of triangles at times in the slab
namespace {

using Corners = std::array<Vec3d, 3>;
struct CornersLess {
  bool operator()(const Corners& a, const Corners& b) const {
    for (std::size_t k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i)
        if (a[k][i] != b[k][i]) return a[k][i] < b[k][i];
    return false;
  }
};
class KeptPairs final : public SlabVisitor<3> {
 public:
  bool visit(const MovingPiece<3>& a, const MovingPiece<3>& b) override {
    kept.insert({index_a.at(corners(a)), index_b.at(corners(b))});
    return true;
  }
  static Corners corners(const MovingPiece<3>& piece) {
    const auto& v = piece.shape.as<TriangleShape3>().v;
    return {v[0], v[1], v[2]};
  }
  std::map<Corners, std::uint32_t, CornersLess> index_a, index_b;
  std::set<std::pair<std::uint32_t, std::uint32_t>> kept;
};

}  // namespace

TEST(SlabPairs, HoldAllThatMeet) {
  Random random(campaign_seed(7));
  // Small, and far from the origins about which they turn
  Mesh ball = *icosphere_mesh(0.2, 0);
  for (Vec3d& p : ball.vertices) p += Vec3d{2, 0, 0};
  const Mesh block = *box_mesh({0.2, 0.15, 0.1});
  const std::size_t rounds = soak(300);
  std::size_t meeting = 0, kept = 0, all = 0;
  for (std::size_t n = 0; n < rounds; ++n) {
    // B is a compound of one mesh every other time
    const Pose3d inner{point_in_ball<3>(random) * 2.0, n % 2 == 0 ? unit_quaternion(random) : Quatd{}};
    const std::vector<CompoundChild3> children = {{surface_of(block), inner}};
    MovingBody<3> a{surface_of(ball)}, b{*make_compound3(children)};
    a.pose.rotation = unit_quaternion(random), b.pose.rotation = unit_quaternion(random);
    a.motion.linear = point_in_ball<3>(random), b.motion.linear = point_in_ball<3>(random);
    a.motion.angular = unit_vector<3>(random) * std::exp(random.uniform(-2, 4));
    b.motion.angular = unit_vector<3>(random) * std::exp(random.uniform(-2, 4));
    if (n % 5 == 0) a.motion.angular = {};
    if (n % 7 == 0) b.motion.angular = {};
    // They meet at one end of the slab
    const double begin = random.uniform(0, 0.9), end = begin + std::exp(random.uniform(-7, -2));
    const double when = random.coin() ? begin : end;
    b.pose.position = transform(sudar_test::pose_by_hand(a, when), Vec3d{2, 0, 0}) + point_in_ball<3>(random) * 0.3 -
                      transform(sudar_test::pose_by_hand(b, when), inner.position);
    KeptPairs pairs;
    for (std::uint32_t t = 0; t < ball.triangles.size(); ++t) {
      const Triangle<3, double> x = ball.corners(t);
      pairs.index_a[{x.a, x.b, x.c}] = t;
    }
    for (std::uint32_t t = 0; t < block.triangles.size(); ++t) {
      const Triangle<3, double> x = block.corners(t);
      pairs.index_b[{x.a, x.b, x.c}] = t;
    }
    const MovingPair3 pair(a.pose, a.motion, b.pose, b.motion);
    const SlabWalk walk = for_each_slab_pair<3>({pair, begin, end}, a.shape, b.shape, 1000000, pairs);
    EXPECT_TRUE(walk.finished);
    kept += pairs.kept.size();
    all += ball.triangles.size() * block.triangles.size();
    for (int k = 0; k <= 6; ++k) {
      const double t = begin + (end - begin) * k / 6;
      const Pose3d pose_a = sudar_test::pose_by_hand(a, t), pose_b = sudar_test::pose_by_hand(b, t) * inner;
      for (std::uint32_t s = 0; s < ball.triangles.size(); ++s)
        for (std::uint32_t u = 0; u < block.triangles.size(); ++u) {
          const Triangle<3, double> x = ball.corners(s), y = block.corners(u);
          if (!intersects(Shape3(TriangleShape3{{x.a, x.b, x.c}}), pose_a, Shape3(TriangleShape3{{y.a, y.b, y.c}}),
                          pose_b))
            continue;
          ++meeting;
          EXPECT_TRUE(pairs.kept.count({s, u})) << n << " " << t;
        }
    }
  }
  EXPECT_GT(meeting, rounds);
  EXPECT_LT(kept, all / 4 * 3);
}

// In the plane: edges of chains and parts of polygons
// The third corner of a needle lies far from the plane across its rounded normal
TEST(SlabPairs, NeedlesAreMet) {
  const Vec3d a{-0.4504775095545652, 0.33086610484959555, -0.7749419892069811},
      b{0.32390051489662786, 1.1483901095910312, -1.5811306839271224},
      c{-0.06328849732896868, 0.7396281072203134, -1.1780363365670516};
  const std::vector<Vec3d> needle = {a, b, c};
  const std::vector<MeshTriangle> one = {{0, 1, 2}};
  Random random(campaign_seed(9));
  const Vec3d along = normalized(b - a);
  for (int n = 0; n < 50; ++n) {
    // A small triangle flies across the needle, its middle through it
    const Vec3d across = normalized(cross(along, unit_vector<3>(random))), side = cross(along, across);
    const Vec3d at = lerp(a, b, random.uniform(0.1, 0.9));
    const std::vector<Vec3d> small = {across * -0.05 + along * 0.05, across * 0.05 + along * 0.05, along * -0.05};
    MovingBody<3> x{*make_mesh_shape3(needle, one, false)}, y{*make_mesh_shape3(small, one, false)};
    y.pose.position = at - side * 0.5;
    y.motion.linear = side;
    const ToiAnswer3 found = impact_of_parts(x, y, {.contacts = false});
    EXPECT_TRUE(found.hit) << n;
    EXPECT_NEAR(found.t_lo, 0.5, 1e-3) << n;
  }
}

TEST(SlabPairs, FindTheFirstImpactInThePlane) {
  Random random(campaign_seed(8));
  const std::size_t rounds = soak(200);
  std::size_t hits = 0;
  for (std::size_t n = 0; n < rounds; ++n) {
    std::vector<Vec2d> star;
    for (int k = 0; k < 24; ++k) {
      const double angle = kPi / 12 * k, r = k % 2 == 0 ? 1 : random.uniform(0.3, 0.8);
      star.push_back({r * std::cos(angle), r * std::sin(angle)});
    }
    MovingBody<2> a{*make_concave_polygon2(star)}, b{*make_chain2(star, true)};
    aim(random, a, 3, 0.5), aim(random, b, 3, 0.5);
    a.motion.angular = random.uniform(-20, 20);
    b.motion.angular = n % 3 == 0 ? 0 : random.uniform(-20, 20);
    const ToiAnswer2 x = impact_of_parts(a, b, {.contacts = false});
    EXPECT_EQ(x.status, QueryStatus::converged);
    const double until = x.hit ? x.t_lo : 1;
    for (int k = 0; k < 40 && until > 0; ++k) {
      const double t = until * (k + 0.5) / 40;
      EXPECT_FALSE(intersects(a.shape, sudar_test::pose_by_hand(a, t), b.shape, sudar_test::pose_by_hand(b, t))) << n;
    }
    if (!x.hit) continue;
    ++hits;
    const MovingPair2 pair(a.pose, a.motion, b.pose, b.motion);
    EXPECT_LE(distance(a.shape, b.shape, pair.at(x.t_hi)).separation, 2 * x.tolerance);
  }
  EXPECT_GT(hits, rounds / 4);
}
