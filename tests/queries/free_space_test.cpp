// Oracles: containment by the narrow phase, Dijkstra on a grid (never shorter than the shortest way, and hardly longer on a
// fine grid), hand cases, dense samples of every way.
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include <sudar/core/random.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/queries/free_space3.hpp>
#include <sudar/queries/sampled_path3.hpp>
#include <sudar/queries/shortest_path2.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/polygon_set.hpp>

#include <gtest/gtest.h>

#include <queue>

using namespace sudar;
using sudar_test::campaign_seed;

namespace {

ConvexPart2 rectangle(double x0, double y0, double x1, double y1) { return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}; }
FreeSpace2 point_space(std::vector<ConvexPart2> obstacles) { return {std::move(obstacles), {}, false}; }
ConvexPart2 random_part(Random& random, double reach, double size) {
  std::vector<Vec2d> points;
  const Vec2d middle{random.uniform(-reach, reach), random.uniform(-reach, reach)};
  for (std::size_t i = 0; i < 3 + random.below(6); ++i)
    points.push_back(middle + Vec2d{random.uniform(-size, size), random.uniform(-size, size)});
  return (*dilate(std::vector<ConvexPart2>{points}, std::vector<Vec2d>{{0, 0}}))[0];
}

// Dijkstra over the nodes of an n × n grid in [-1, 1]², each joined with those up to three steps away that it sees
double grid_way(const FreeSpace2& space, const Vec2d& start, const Vec2d& goal, int n) {
  const auto place = [&](int i) { return Vec2d{-1 + 2.0 * (i % n) / (n - 1), -1 + 2.0 * (i / n) / (n - 1)}; };
  const auto node_of = [&](const Vec2d& p) {
    return static_cast<int>(std::lround((p.x + 1) / 2 * (n - 1))) +
           n * static_cast<int>(std::lround((p.y + 1) / 2 * (n - 1)));
  };
  std::vector<double> way(static_cast<std::size_t>(n * n), std::numeric_limits<double>::infinity());
  using Entry = std::pair<double, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  way[static_cast<std::size_t>(node_of(start))] = 0;
  open.emplace(0, node_of(start));
  while (!open.empty()) {
    const auto [d, i] = open.top();
    open.pop();
    if (i == node_of(goal)) return d;
    if (d > way[static_cast<std::size_t>(i)]) continue;
    for (int dy = -3; dy <= 3; ++dy)
      for (int dx = -3; dx <= 3; ++dx) {
        const int x = i % n + dx, y = i / n + dy;
        if (x < 0 || y < 0 || x >= n || y >= n || (dx == 0 && dy == 0)) continue;
        const int j = x + n * y;
        const double next = d + distance(place(i), place(j));
        if (next >= way[static_cast<std::size_t>(j)] || !space.is_free(place(j)) || !sees(space, place(i), place(j)))
          continue;
        way[static_cast<std::size_t>(j)] = next;
        open.emplace(next, j);
      }
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace

TEST(FreeSpace2, APlaceIsFreeWhenTheRobotThereMeetsNothing) {
  Random random(campaign_seed(1));
  const Vec2d hook[] = {{0, 0}, {0.3, 0}, {0.3, 0.1}, {0.1, 0.1}, {0.1, 0.4}, {0, 0.4}};
  const CompoundChild2 children[] = {{*make_box2({0.2, 0.05}), {}}, {*make_box2({0.05, 0.2}), {{0.1, 0}, {}}}};
  for (const Shape2& robot : {*make_concave_polygon2(hook), *make_compound2(children), *make_box2({0.1, 0.2})}) {
    const auto parts = convex_parts2(robot);
    ASSERT_TRUE(parts.ok());
    std::vector<ConvexPart2> obstacles;
    std::vector<Shape2> shapes;
    for (int i = 0; i < 6; ++i) {
      obstacles.push_back(random_part(random, 1, 0.4));
      shapes.push_back(*make_polygon2(obstacles.back()));
    }
    const ConvexPart2 room = rectangle(-1.2, -1.2, 1.2, 1.2);
    const auto space = make_free_space2(*parts, obstacles, room);
    ASSERT_TRUE(space.ok()) << space.error().message();
    for (std::size_t n = 0; n < sudar_test::soak(2000); ++n) {
      const Vec2d p{random.uniform(-1.3, 1.3), random.uniform(-1.3, 1.3)};
      double nearest = std::numeric_limits<double>::infinity();
      for (const Shape2& shape : shapes)
        nearest = std::min(nearest, distance(shape, Pose2d{}, robot, Pose2d{p, {}}).separation);
      const Aabb2d box = bounding_box(robot, Pose2d{p, {}});
      for (int k = 0; k < 2; ++k) nearest = std::min({nearest, box.lo[k] + 1.2, 1.2 - box.hi[k]});
      if (std::fabs(nearest) < 1e-9) continue;
      ASSERT_EQ(space->is_free(p), nearest > 0);
    }
  }
}

// x is in the erosion when x + element is in the polygon; opening a set (erode, then dilate) gives a part of it
TEST(FreeSpace2, DilationAndErosionByAnyConvexElement) {
  Random random(campaign_seed(2));
  for (std::size_t n = 0; n < sudar_test::soak(50); ++n) {
    const ConvexPart2 polygon = random_part(random, 0.2, 1), element = random_part(random, 0.1, 0.3);
    const auto small = erode(polygon, element);
    ASSERT_TRUE(small.ok());
    const Shape2 body = *make_polygon2(polygon);
    for (int k = 0; k < 100; ++k) {
      const Vec2d p{random.uniform(-1, 1), random.uniform(-1, 1)};
      double worst = -std::numeric_limits<double>::infinity();
      for (const Vec2d& e : element)
        worst = std::max(worst, distance(body, Pose2d{}, *make_point2({0, 0}), Pose2d{p + e, {}}).separation);
      if (std::fabs(worst) < 1e-9) continue;
      bool inside = small->size() > 2;
      for (std::size_t i = 0; i < small->size(); ++i)
        inside = inside && cross((*small)[(i + 1) % small->size()] - (*small)[i], p - (*small)[i]) >= 0;
      ASSERT_EQ(inside, worst < 0);
    }
    if (small->size() < 3) continue;
    const auto opened = dilate(std::span(&*small, 1), element);
    ASSERT_TRUE(opened.ok());
    for (const Vec2d& v : (*opened)[0])
      ASSERT_LT(distance(body, Pose2d{}, *make_point2({0, 0}), Pose2d{v, {}}).separation, 1e-9);
  }
  EXPECT_EQ(erode(rectangle(0, 0, 1, 1), rectangle(0, 0, 2, 0.5))->size(), 0u);
  EXPECT_EQ(erode({}, rectangle(0, 0, 1, 1)).error().code, ErrorCode::empty_input);
}

// Oracle: integers. What fits exactly, along one side or both, leaves a segment or a point, also on the diagonal
TEST(Morphology, WhatFitsExactlyLeavesASegment) {
  const auto turned = [](std::vector<Vec2d> points) {
    for (Vec2d& p : points) p = {p.x - p.y, p.x + p.y};
    return points;
  };
  for (double w = 1; w <= 5; ++w)
    for (double h = 1; h <= 5; ++h)
      for (double a = 0; a <= w; ++a) {
        EXPECT_EQ(erode(rectangle(0, 0, w, h), rectangle(0, 0, a, h))->size(), a == w ? 1u : 2u);
        const auto left = erode(turned(rectangle(0, 0, w, h)), turned(rectangle(0, 0, a, h)));
        ASSERT_EQ(left->size(), a == w ? 1u : 2u) << w << ' ' << h << ' ' << a;
        EXPECT_EQ(distance(left->front(), left->back()), std::sqrt(2 * (w - a) * (w - a)));
      }
}

TEST(ShortestPath2, HandCases) {
  // Straight; around a square; along its side
  const FreeSpace2 square = point_space({rectangle(-1, -1, 1, 1)});
  EXPECT_EQ(shortest_path2(square, {-2, 2}, {2, 2})->points.size(), 2u);
  const auto around = shortest_path2(square, {-2, 0}, {2, 0});
  ASSERT_TRUE(around.ok());
  EXPECT_NEAR(around->length, 2 + 2 * std::sqrt(2.0), 1e-12);
  EXPECT_EQ(around->points.size(), 4u);
  EXPECT_NEAR(shortest_path2(square, {-1, -1}, {1, -1})->length, 2, 0);
  // Two boxes that share a side: the seam is closed; moved apart, however little, it is a way
  const auto closed = shortest_path2(point_space({rectangle(-1, 0, 1, 1), rectangle(-1, -1, 1, 0)}), {-1, 0}, {1, 0});
  EXPECT_NEAR(closed->length, 4, 1e-12);
  const auto slit = shortest_path2(point_space({rectangle(-1, 1e-9, 1, 1), rectangle(-1, -1, 1, 0)}), {-1, 0}, {1, 0});
  EXPECT_NEAR(slit->length, 2, 1e-8);
  // A ring of boxes that overlap: no way
  const FreeSpace2 ring =
      point_space({rectangle(-2, -2, 2, -1), rectangle(-2, 1, 2, 2), rectangle(-2, -2, -1, 2), rectangle(1, -2, 2, 2)});
  const auto none = shortest_path2(ring, {0, 0}, {5, 0});
  ASSERT_TRUE(none.ok());
  EXPECT_FALSE(none->found);
  EXPECT_EQ(shortest_path2(ring, {1.5, 0}, {5, 0}).error(), (Error{ErrorCode::invalid_argument, 0}));
  EXPECT_EQ(shortest_path2(ring, {0, 0}, {5, std::nan("")}).error().code, ErrorCode::non_finite);
  // A door that a robot just fits through, and one that it would touch on both sides: a seam
  const std::vector<ConvexPart2> walls = {rectangle(-0.1, 0.5, 0.1, 3), rectangle(-0.1, -3, 0.1, -0.5)};
  for (const double half : {0.5 - 1e-9, 0.5}) {
    const std::vector<ConvexPart2> robot = {rectangle(-0.3, -half, 0.3, half)};
    const auto space = make_free_space2(robot, walls);
    ASSERT_TRUE(space.ok());
    const auto way = shortest_path2(*space, {-2, 0}, {2, 0});
    ASSERT_TRUE(way->found);
    EXPECT_EQ(way->length == 4, half < 0.5);
  }
  EXPECT_EQ(
      make_free_space2(std::vector<ConvexPart2>{{{0, 0}}}, std::vector<ConvexPart2>{{{0, 0}, {1, 0}}}).error().code,
      ErrorCode::degenerate);
  EXPECT_EQ(make_free_space2({}, walls).error().code, ErrorCode::empty_input);
  EXPECT_EQ(
      make_free_space2(std::vector<ConvexPart2>{rectangle(-1, -1, 1, 1)}, walls, rectangle(0, 0, 1, 1)).error().code,
      ErrorCode::degenerate);
}

// What is no place is not free and sees nothing; squares of ways that are too long are beyond the doubles
TEST(ShortestPath2, RefusesWhatIsNoPlace) {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  const FreeSpace2 square = point_space({rectangle(-1, -1, 1, 1)});
  for (const double bad : {nan, infinity, -infinity}) {
    EXPECT_FALSE(square.is_free({bad, 0.2}));
    EXPECT_FALSE(square.is_free({5, bad}));
    EXPECT_FALSE(sees(square, {bad, 0.2}, {2, 2}));
    EXPECT_FALSE(sees(square, {2, 2}, {2, bad}));
    EXPECT_FALSE(sees(square, {bad, 2}, {bad, 2}));
    EXPECT_EQ(shortest_path2(square, {-2, bad}, {2, 0}).error().code, ErrorCode::non_finite);
    FreeSpace2 space = point_space({rectangle(-1, -1, 1, 1), {{bad, bad}, {1, 0}, {0, 1}}});
    EXPECT_EQ(shortest_path2(space, {-2, 0}, {2, 0}).error(), (Error{ErrorCode::non_finite, 1}));
    // Put together by hand: whatever it says, it says something
    (void)space.is_free({0.5, 0.5});
    (void)sees(space, {0.5, 0.5}, {3, 3});
    space = square;
    space.bounds = {{-5, -5}, {bad, 0}, {0, 5}};
    space.bounded = true;
    EXPECT_EQ(shortest_path2(space, {-2, 0}, {2, 0}).error().code, ErrorCode::non_finite);
  }
  for (const double far : {1e155, 1e200, 1e308}) {
    EXPECT_EQ(shortest_path2({}, {-far, 0}, {far, 0}).error().code, ErrorCode::too_large);
    EXPECT_EQ(shortest_path2({}, {0, 0}, {far, 0}).error().code, ErrorCode::too_large);
    EXPECT_EQ(shortest_path2(point_space({rectangle(-far, -far, far, far)}), {0, 0}, {1, 0}).error(),
              (Error{ErrorCode::too_large, 0}));
  }
  for (const double far : {1e100, 1e150}) {
    const auto way = shortest_path2({}, {-far, 0}, {far, 0});
    ASSERT_TRUE(way.ok() && way->found);
    EXPECT_EQ(way->length, 2 * far);
  }
  const Shape2 circle = *make_circle2(1);
  EXPECT_EQ(convex_parts2(circle, {{}, {0, 0}}).error().code, ErrorCode::degenerate);
  EXPECT_EQ(convex_parts2(circle, {{}, {nan, 0}}).error().code, ErrorCode::non_finite);
  EXPECT_EQ(convex_parts2(circle, {{infinity, 0}, {}}).error().code, ErrorCode::non_finite);
  EXPECT_EQ(convex_parts2(circle, {{1e300, 0}, {}}).error().code, ErrorCode::too_large);
  EXPECT_EQ(*convex_parts2(*make_box2({1, 2}), {{}, {7, 0}}), *convex_parts2(*make_box2({1, 2})));
  const double most = 1.7e308;
  EXPECT_EQ(erode(rectangle(-most, -most, most, most), std::vector<Vec2d>{{0, 0}}).error().code, ErrorCode::too_large);
  EXPECT_EQ(erode(rectangle(-1, -1, 1, 1), std::vector<Vec2d>{{0, 0}, {most, 0}}).error(),
            (Error{ErrorCode::too_large, 1}));
  EXPECT_EQ(erode(rectangle(-1e300, -1e300, 1e300, 1e300), std::vector<Vec2d>{{0, 0}})->size(), 4u);
}

// Never longer than the way on a grid, hardly shorter on a fine one; every step free of the real robot and obstacles
TEST(ShortestPath2, AgreesWithDijkstraOnAGrid) {
  Random random(campaign_seed(4));
  int found = 0;
  for (std::size_t round = 0; round < std::max<std::size_t>(12, sudar_test::soak(12)); ++round) {
    std::vector<ConvexPart2> obstacles;
    for (int i = 0; i < 9; ++i) obstacles.push_back(random_part(random, 0.75, 0.35));
    const std::vector<ConvexPart2> robot = {random_part(random, 0.02, 0.06)};
    const auto space = make_free_space2(robot, obstacles, rectangle(-1.2, -1.2, 1.2, 1.2));
    if (!space.ok()) continue;
    const Vec2d start{-1, -1}, goal{1, 1};
    if (!space->is_free(start) || !space->is_free(goal)) continue;
    const auto path = shortest_path2(*space, start, goal);
    ASSERT_TRUE(path.ok());
    const double grid = grid_way(*space, start, goal, 61);
    if (!path->found) {
      ASSERT_TRUE(std::isinf(grid));
      continue;
    }
    ++found;
    ASSERT_LE(path->length, grid + 1e-9);
    // Nodes within three steps of the way are free of obstacles that are that much smaller; 32 directions are at most 1.4 %
    // longer than straight ways
    FreeSpace2 wider{{}, space->bounds, true};
    for (const ConvexPart2& obstacle : space->obstacles)
      if (ConvexPart2 small = *erode(obstacle, rectangle(-0.1, -0.1, 0.1, 0.1)); small.size() > 2)
        wider.obstacles.push_back(std::move(small));
    ASSERT_GE(path->length, grid_way(wider, start, goal, 61) / 1.014 - 0.1);
    const Shape2 body = *make_polygon2(robot[0]);
    for (std::size_t i = 1; i < path->points.size(); ++i) {
      ASSERT_TRUE(sees(*space, path->points[i - 1], path->points[i]));
      for (int k = 0; k <= 50; ++k) {
        const Vec2d p = lerp(path->points[i - 1], path->points[i], k / 50.0);
        for (const ConvexPart2& obstacle : obstacles)
          ASSERT_GT(distance(*make_polygon2(obstacle), Pose2d{}, body, Pose2d{p, {}}).separation, -1e-9);
      }
    }
  }
  EXPECT_GT(found, 2);
}

TEST(FreeSpace3, APlaceIsFreeWhenTheRobotThereMeetsNothing) {
  Random random(campaign_seed(5));
  const auto part = [&](const Vec3d& middle, double size) {
    std::vector<Vec3d> points(6);
    for (Vec3d& p : points)
      p = middle + Vec3d{random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
    return points;
  };
  const std::vector<std::vector<Vec3d>> robot = {part({}, 0.3), part({0.3, 0, 0}, 0.2)};
  std::vector<std::vector<Vec3d>> obstacles;
  for (int i = 0; i < 4; ++i)
    obstacles.push_back(part({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}, 0.5));
  const auto space = make_free_space3(robot, obstacles);
  ASSERT_TRUE(space.ok());
  EXPECT_EQ(space->obstacles.size(), 8u);
  const CompoundChild3 children[] = {{*make_hull_shape3(robot[0]), {}}, {*make_hull_shape3(robot[1]), {}}};
  const Shape3 body = *make_compound3(children);
  std::vector<Shape3> shapes;
  for (const auto& points : obstacles) shapes.push_back(*make_hull_shape3(points));
  int blocked = 0;
  for (std::size_t n = 0; n < sudar_test::soak(1000); ++n) {
    const Vec3d p{random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5)};
    bool hit = false;
    for (const Shape3& shape : shapes) hit = hit || intersects(shape, Pose3d{}, body, Pose3d{p, {}});
    ASSERT_EQ(space->is_free(p), !hit);
    blocked += hit;
  }
  EXPECT_GT(blocked, static_cast<int>(sudar_test::soak(1000) / 50));
  EXPECT_EQ(make_free_space3({}, obstacles).error().code, ErrorCode::empty_input);
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_FALSE(space->is_free({bad, 0, 0}));
    EXPECT_FALSE(space->is_free({0, 9, -bad}));
  }
  obstacles[2][1].x = std::nan("");
  EXPECT_EQ(make_free_space3(robot, obstacles).error(), (Error{ErrorCode::non_finite, 2}));
}

TEST(SampledPath3, FindsAWayThroughAWindowAndProvesIt) {
  // A wall with a window, and a robot of two crossed boxes
  std::vector<PlacedShape3> walls;
  const auto wall = [&](const Vec3d& half, const Vec3d& at) { walls.push_back({*make_box3(half), {at, {}}}); };
  wall({0.1, 2, 0.8}, {0, 0, 1.2});
  wall({0.1, 2, 0.8}, {0, 0, -1.2});
  wall({0.1, 0.8, 0.4}, {0, 1.2, 0});
  wall({0.1, 0.8, 0.4}, {0, -1.2, 0});
  const CompoundChild3 cross[] = {{*make_box3({0.3, 0.05, 0.05}), {}}, {*make_box3({0.05, 0.25, 0.05}), {}}};
  const Shape3 robot = *make_compound3(cross);
  PathOptions3 options;
  options.bounds = {{-2, -2, -2}, {2, 2, 2}};
  options.clearance = 0.02;
  options.step = 0.5;
  const Vec3d start{-1.5, 1, 1}, goal{1.5, -1, -1};
  const auto path = find_path3(robot, Quatd{}, walls, start, goal, options);
  ASSERT_TRUE(path.ok()) << path.error().message();
  ASSERT_TRUE(path->found);
  EXPECT_EQ(path->points.front(), start);
  EXPECT_EQ(path->points.back(), goal);
  EXPECT_GE(path->length, distance(start, {0, 0.1, 0.3}));
  EXPECT_LT(path->length, 2.5 * distance(start, goal));
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < path->points.size(); ++i) {
    EXPECT_TRUE(straight_way_is_free(robot, Quatd{}, walls, path->points[i - 1], path->points[i], options.clearance));
    for (int k = 0; k <= 200; ++k)
      for (const PlacedShape3& w : walls)
        nearest = std::min(
            nearest, distance(robot, Pose3d{lerp(path->points[i - 1], path->points[i], k / 200.0), {}}, w.shape, w.pose)
                         .separation);
  }
  EXPECT_GE(nearest, options.clearance / 2);
  // The same seed, the same way
  EXPECT_EQ(find_path3(robot, Quatd{}, walls, start, goal, options)->points, path->points);

  // A window that is too small, and a straight way through a thin wall between two free ends
  wall({0.1, 0.2, 0.4}, {0, 0.25, 0});
  options.max_iterations = 150;
  EXPECT_FALSE(find_path3(robot, Quatd{}, walls, start, goal, options)->found);
  const std::vector<PlacedShape3> thin = {{*make_box3({1e-4, 3, 3}), {}}};
  EXPECT_FALSE(straight_way_is_free(robot, Quatd{}, thin, {-1, 0, 0}, {1, 0, 0}, 1e-3));
  EXPECT_TRUE(straight_way_is_free(robot, Quatd{}, thin, {-1, 0, 0}, {-1, 2, 0}, 1e-3));

  EXPECT_EQ(find_path3(robot, Quatd{}, walls, {0, 1, 1}, goal, options).error(),
            (Error{ErrorCode::invalid_argument, 0}));
  EXPECT_EQ(find_path3(*make_halfspace3({0, 0, 1}, 0), Quatd{}, walls, start, goal, options).error().code,
            ErrorCode::unsupported);
  options.clearance = 0;
  EXPECT_EQ(find_path3(robot, Quatd{}, walls, start, goal, options).error().code, ErrorCode::invalid_argument);
  options.step = std::nan("");
  EXPECT_EQ(find_path3(robot, Quatd{}, walls, start, goal, options).error().code, ErrorCode::non_finite);
}

// A wall is one whatever the numbers: input that is none is refused, and the check that gives no error proves nothing with it
TEST(SampledPath3, ProvesNothingOfWhatIsNoPlace) {
  const Shape3 ball = *make_sphere3(0.5), box = *make_box3({0.5, 0.5, 0.5});
  const std::vector<PlacedShape3> wall = {{box, {{0, 30, 0}, {}}}, {*make_box3({0.5, 100, 100}), {}}};
  PathOptions3 options{.bounds = {{-10, -10, -10}, {10, 10, 10}}, .clearance = 0.01, .step = 1, .max_iterations = 20};
  const Vec3d start{-5, 0, 0}, goal{5, 0, 0};
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  const auto refused = [&](ErrorCode code, const Quatd& turn, std::span<const PlacedShape3> obstacles,
                           const Vec3d& from, const Vec3d& to) {
    for (const Shape3& robot : {ball, box}) {
      const auto path = find_path3(robot, turn, obstacles, from, to, options);
      ASSERT_FALSE(path.ok());
      EXPECT_EQ(path.error().code, code);
      EXPECT_FALSE(straight_way_is_free(robot, turn, obstacles, from, to, options.clearance));
    }
  };
  for (const double bad : {nan, infinity}) {
    refused(ErrorCode::non_finite, {bad, 0, 0, 0}, wall, start, goal);
    refused(ErrorCode::non_finite, {1, 0, 0, bad}, wall, start, goal);
    refused(ErrorCode::non_finite, {}, wall, {bad, 0, 0}, goal);
    for (int k = 0; k < 2; ++k) {
      std::vector<PlacedShape3> moved = wall;
      (k == 0 ? moved[1].pose.position.x : moved[1].pose.rotation.w) = bad;
      refused(ErrorCode::non_finite, {}, moved, start, goal);
      EXPECT_EQ(find_path3(box, {}, moved, start, goal, options).error().element, 1u);
    }
    EXPECT_FALSE(straight_way_is_free(ball, {}, {}, start, goal, bad));
  }
  refused(ErrorCode::degenerate, {0, 0, 0, 0}, wall, start, goal);
  std::vector<PlacedShape3> moved = wall;
  moved[1].pose.rotation = {0, 0, 0, 0};
  refused(ErrorCode::degenerate, {}, moved, start, goal);
  moved[1].pose = {{0, 1e300, 0}, {}};
  refused(ErrorCode::too_large, {}, moved, start, goal);
  for (const double far : {2e18, 1e155, 1e307}) refused(ErrorCode::too_large, {}, wall, {-far, 0, 0}, {far, 0, 0});
  // Places that are rounded by more than the clearance: a step may end beyond a wall
  for (const double far : {1e14, 1e16, 1e18}) refused(ErrorCode::invalid_argument, {}, wall, {-far, 0, 0}, {far, 0, 0});
  EXPECT_FALSE(straight_way_is_free(ball, {}, {}, start, goal, -1));
  // A longer rotation is the same one
  const auto around = find_path3(box, {3, 0, 0, 0}, std::span(wall).first(1), start, {5, 30, 0}, options);
  ASSERT_TRUE(around.ok() && around->found);
  EXPECT_EQ(around->points, find_path3(box, {}, std::span(wall).first(1), start, {5, 30, 0}, options)->points);
}

// However small the step, far the bounds and long the way beside an obstacle
TEST(SampledPath3, Ends) {
  const Shape3 ball = *make_sphere3(0.5);
  const std::vector<PlacedShape3> post = {{*make_box3({0.5, 0.5, 0.5}), {}}};
  const auto ends = [&](const PathOptions3& options) {
    return find_path3(ball, {}, post, {-5, 0, 0}, {5, 0, 0}, options);
  };
  PathOptions3 options{.bounds = {{-10, -10, -10}, {10, 10, 10}}, .clearance = 0.01, .step = 1, .max_iterations = 20};
  for (const double step : {1e-300, 1e-18, 1e-15}) {
    options.step = step;
    EXPECT_EQ(ends(options).error().code, ErrorCode::invalid_argument);
  }
  // Trees stop to grow
  options.bounds = {{-0x1p60, -0x1p60, -0x1p60}, {0x1p60, 0x1p60, 0x1p60}};
  options.step = 1e-10;
  const auto tiny = ends(options);
  ASSERT_TRUE(tiny.ok());
  EXPECT_FALSE(tiny->found);
  options.step = 1;
  EXPECT_TRUE(ends(options).ok());
  options.bounds = {{-1e308, -1e308, -1e308}, {1e308, 1e308, 1e308}};
  EXPECT_EQ(ends(options).error().code, ErrorCode::too_large);
  // Kilometres along a wall, slanted so that its box tells nothing, and a micrometre beside it: a step for each micrometre
  const double slant = std::sqrt(0.5), beside = slant * 1.500002;
  const std::vector<PlacedShape3> along = {
      {*make_box3({3e4, 1, 1}), {{-beside, beside, 0}, Quatd::from_axis_angle({0, 0, 1}, std::atan(1.0))}}};
  std::size_t checks = 0;
  EXPECT_FALSE(straight_way_is_free(ball, {}, along, {-1e4, -1e4, 0}, {1e4, 1e4, 0}, 1e-6, &checks));
  EXPECT_EQ(checks, std::size_t{1} << 22);
}
