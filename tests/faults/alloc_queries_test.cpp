// Memory that runs out at every point of questions to shapes: every pair of kinds, rays, points, times of impact, fields, paths,
// balls. A typed error, or bad_alloc from functions that return no Result; never an end of the program, no leak.
#include "tests/faults/failing_new.hpp"
#include "tests/faults/fault_scenes.hpp"
#include "tests/faults/other_threads.hpp"
#include <sudar/continuous/mesh_frames.hpp>
#include <sudar/continuous/swept_volume.hpp>
#include <sudar/continuous/time_of_impact.hpp>
#include <sudar/dynamics/event_balls.hpp>
#include <sudar/dynamics/stepped_balls.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/mesh_convex.hpp>
#include <sudar/narrowphase/mesh_mesh.hpp>
#include <sudar/queries/free_space2.hpp>
#include <sudar/queries/free_space3.hpp>
#include <sudar/queries/sampled_path3.hpp>
#include <sudar/queries/shape_set.hpp>
#include <sudar/queries/shortest_path2.hpp>
#include <sudar/sdf/field_contacts.hpp>
#include <sudar/sdf/field_csg.hpp>
#include <sudar/sdf/haptic_probe.hpp>
#include <sudar/sdf/mesh_field.hpp>
#include <sudar/sdf/polygon_field.hpp>
#include <sudar/sdf/shape_field.hpp>

#include <gtest/gtest.h>

using namespace sudar;
using namespace sudar_test;

namespace {

// Two shapes that overlap, and two that are apart
template <int D, class F>
void for_pairs_of_kinds(F&& body) {
  for (const ShapeOf<D>& a : every_kind<D>())
    for (const ShapeOf<D>& b : every_kind<D>())
      for (const double far : {0.4, 3.0}) {
        SCOPED_TRACE(std::string(to_string(a.kind())) + " " + std::string(to_string(b.kind())));
        Pose<D, double> pose;
        pose.position[D - 1] = far, pose.position[0] = 0.125;
        body(a, b, pose);
        if (testing::Test::HasFailure()) return;
      }
}

// Of a function that returns no Result
template <class F>
Result<void> call_plainly(F&& body) {
  return guarded([&]() -> Result<void> {
    body();
    return {};
  });
}

template <int D>
void fail_pairs_of_kinds() {
  for_pairs_of_kinds<D>([](const ShapeOf<D>& a, const ShapeOf<D>& b, const Pose<D, double>& pose) {
    fail_everywhere([&] { return call_plainly([&] { (void)intersects(a, {}, b, pose); }); }, 6);
    fail_everywhere([&] { return call_plainly([&] { (void)distance(a, {}, b, pose); }); }, 6);
    fail_everywhere([&] { return call_plainly([&] { (void)contacts(a, {}, b, pose, 0.25); }); }, 6);
  });
}

template <int D>
void fail_casts_of_kinds() {
  for_pairs_of_kinds<D>([](const ShapeOf<D>& a, const ShapeOf<D>& b, const Pose<D, double>& pose) {
    RigidMotion<D> motion;
    motion.linear[D - 1] = -4;
    if constexpr (D == 2)
      motion.angular = 1;
    else
      motion.angular = {1, 0, 0.5};
    // Pairs without a method say so without asking for memory
    if (!time_of_impact(a, {}, {}, b, pose, motion).ok() || !cast_shape<D>(b, pose, motion.linear, a, {}).ok()) return;
    fail_everywhere([&] { return time_of_impact(a, {}, {}, b, pose, motion); }, 6);
    fail_everywhere([&] { return cast_shape<D>(b, pose, motion.linear, a, {}); }, 6);
  });
}

template <int D>
void fail_rays_and_points() {
  Vec<D, double> from{}, along{};
  from[0] = 0.05, from[D - 1] = 3, along[D - 1] = -1;
  const std::vector<Ray<D, double>> rays(140, {from, along});
  const std::vector<double> reach(rays.size(), 10);
  const std::vector<Vec<D, double>> places(140, along * 0.1);
  for (const ShapeOf<D>& shape : every_kind<D>()) {
    SCOPED_TRACE(std::string(to_string(shape.kind())));
    std::vector<RayAnswer<D>> hits(rays.size());
    std::vector<PointAnswer<D>> answers(places.size());
    if (!cast_ray(shape, rays[0], 10).ok() || !locate_point<D>(shape, {}, places[0]).ok()) continue;
    fail_everywhere([&] { return cast_ray(shape, rays[0], 10); });
    fail_everywhere([&] { return cast_rays(shape, rays, reach, hits, other_threads()); }, 10);
    fail_everywhere([&] { return locate_point<D>(shape, {}, places[0]); });
    fail_everywhere([&] { return locate_points<D>(shape, {}, places, answers, other_threads()); }, 10);
    if constexpr (D == 3) {
      fail_everywhere([&] { return ray_meets(shape, rays[0], 10); });
      fail_everywhere([&] {
        std::vector<RayAnswer3> all;
        return cast_ray_all(shape, rays[0], 10, all);
      });
    }
  }
}

// A maker that must ask for memory
template <class Attempt>
void fail_hungry(const char* name, Attempt attempt, std::size_t most = kEveryPoint) {
  SCOPED_TRACE(name);
  EXPECT_GT(fail_everywhere(attempt, most), 0u);
}

template <int D>
std::vector<Ball<D>> some_balls() {
  Random random(6);
  std::vector<Ball<D>> balls;
  for (int i = 0; i < 12; ++i) {
    Ball<D> ball;
    for (int k = 0; k < D; ++k) ball.position[k] = k == 0 ? i : random.uniform(1, 9);
    ball.velocity = random_point<D>(random, 3);
    ball.radius = 0.3;
    balls.push_back(ball);
  }
  return balls;
}

template <int D>
void fail_balls() {
  const auto balls = some_balls<D>();
  Aabb<D, double> box;
  for (int k = 0; k < D; ++k) box.lo[k] = -1, box.hi[k] = 13;
  EventBallsOptions<D> events;
  events.box = box;
  SteppedBallsOptions<D> steps;
  steps.box = box;
  fail_hungry("EventBalls::make", [&] { return EventBalls<D>::make(balls, events); });
  fail_everywhere([&] { return *EventBalls<D>::make(balls, events); },
                  [](EventBalls<D>& b) {
                    std::vector<BallEvent> log;
                    return b.run(2, EventBalls<D>::kNoLimit, &log);
                  },
                  [](EventBalls<D>& b) { EXPECT_TRUE(b.run(2).ok()); });
  fail_hungry("SteppedBalls::make", [&] { return SteppedBalls<D>::make(balls, steps); });
  SteppedBalls<D> rich = *SteppedBalls<D>::make(balls, steps);
  ASSERT_TRUE(rich.step(0.1).ok());
  EXPECT_GT(fail_everywhere(
                [&] { return *SteppedBalls<D>::make(balls, steps); }, [](SteppedBalls<D>& b) { return b.step(0.1); },
                [&](SteppedBalls<D>& b) {
                  EXPECT_TRUE(std::equal(b.balls().begin(), b.balls().end(), balls.begin(), balls.end()));
                  ASSERT_TRUE(b.step(0.1).ok());
                  EXPECT_TRUE(std::equal(b.balls().begin(), b.balls().end(), rich.balls().begin(), rich.balls().end()));
                }),
            0u);
}

}  // namespace

TEST(AllocationFailure, EveryPairOfKinds2) { fail_pairs_of_kinds<2>(); }
TEST(AllocationFailure, EveryPairOfKinds3) { fail_pairs_of_kinds<3>(); }
TEST(AllocationFailure, EveryPairOfKindsThatMoves2) { fail_casts_of_kinds<2>(); }
TEST(AllocationFailure, EveryPairOfKindsThatMoves3) { fail_casts_of_kinds<3>(); }
TEST(AllocationFailure, RaysAndPoints2) { fail_rays_and_points<2>(); }
TEST(AllocationFailure, RaysAndPoints3) { fail_rays_and_points<3>(); }
TEST(AllocationFailure, Balls2) { fail_balls<2>(); }
TEST(AllocationFailure, Balls3) { fail_balls<3>(); }

TEST(AllocationFailure, MeshesThatMeet) {
  const Mesh torus = *torus_mesh(2, 0.5, 8, 6);
  const auto mesh = *make_triangle_mesh(torus.vertices, torus.triangles);
  const Placement3 aside = make_placement(Pose3d{}, Pose3d{{1.5, 0.25, 0.125}, {}});
  MeshIntersection found;
  fail_hungry("intersect", [&] {
    MeshIntersection out;
    return intersect(*mesh, *mesh, aside, out);
  });
  fail_everywhere([&] {
    MeshIntersection out;
    return self_intersect(*mesh, out);
  });
  const Shape3 ball = *make_sphere3(1), field = every_kind<3>()[static_cast<std::size_t>(ShapeKind3::height_field)];
  fail_hungry("mesh_convex_contacts", [&] {
    std::vector<TriangleContact> out;
    return mesh_convex_contacts(*mesh, ball, aside, 0.25, out);
  });
  fail_hungry("mesh_convex_contacts of a field", [&] {
    std::vector<TriangleContact> out;
    return mesh_convex_contacts(*field.as<HeightFieldShape3>().field, ball, make_placement(Pose3d{}, Pose3d{}), 0.25,
                                out);
  });
  fail_everywhere([&] { return call_plainly([&] { (void)first_hit(*mesh, *mesh, aside); }); });
  std::vector<Vec3d> later = torus.vertices;
  for (Vec3d& v : later) v.x += 1;
  const MovingMesh moving{torus.vertices, later, torus.triangles},
      still{torus.vertices, torus.vertices, torus.triangles};
  fail_hungry(
      "mesh_frames_impact", [&] { return mesh_frames_impact(moving, still, {}, nullptr, &other_threads()); }, 12);
  fail_hungry(
      "mesh_frames_self_impact", [&] { return mesh_frames_self_impact(moving); }, 12);
  for (const Shape3& shape : every_kind<3>())
    if (swept_hull(shape, {}, {{1, 0, 0}, {0, 0, 1}}, 0, 1).ok())
      fail_everywhere([&] { return swept_hull(shape, {}, {{1, 0, 0}, {0, 0, 1}}, 0, 1); }, 8);
}

TEST(AllocationFailure, DistanceFields) {
  const Mesh torus = *torus_mesh(2, 0.5, 6, 4);
  const FieldGrid3 grid{{-3, -3, -1}, 0.5, {13, 13, 5}}, small{{-1, -1, -1}, 1, {3, 3, 3}};
  const FieldGrid2 grid2{{-2, -2}, 0.25, {17, 17}};
  const FieldOptions threads{.executor = &other_threads()}, serial{.executor = &serial_executor()};
  const std::vector<std::vector<Vec2d>> polygons = {{{-1, -1}, {1, -1}, {1, 1}, {0, 0}, {-1, 1}}};
  fail_hungry(
      "make_mesh_field", [&] { return make_mesh_field(torus, grid, threads); }, 20);
  fail_hungry(
      "make_mesh_field_plain", [&] { return make_mesh_field_plain(torus, grid, serial); }, 4);
  fail_hungry(
      "make_polygon_field", [&] { return make_polygon_field(polygons, grid2, threads); }, 20);
  fail_hungry(
      "make_polygon_field_plain", [&] { return make_polygon_field_plain(polygons, grid2, serial); }, 4);
  const auto kinds = [](std::initializer_list<ShapeKind3> list) {
    std::vector<Shape3> out;
    for (const ShapeKind3 kind : list) out.push_back(every_kind<3>()[static_cast<std::size_t>(kind)]);
    return out;
  };
  for (const Shape3& shape : kinds({ShapeKind3::box, ShapeKind3::hull, ShapeKind3::mesh, ShapeKind3::compound})) {
    SCOPED_TRACE(std::string(to_string(shape.kind())));
    fail_hungry(
        "make_shape_field", [&] { return make_shape_field(shape, small, threads); }, 4);
  }
  for (const ShapeKind2 kind : {ShapeKind2::box, ShapeKind2::chain, ShapeKind2::concave_polygon, ShapeKind2::compound})
    fail_hungry(
        "make_shape_field 2",
        [&] { return make_shape_field(every_kind<2>()[static_cast<std::size_t>(kind)], grid2, threads); }, 4);
  const DistanceField3 field = *make_mesh_field(torus, grid, serial);
  fail_hungry("field_union", [&] { return field_union(field, field); });
  fail_hungry("field_intersection", [&] { return field_intersection(field, field); });
  fail_hungry("field_difference", [&] { return field_difference(field, field); });
  fail_hungry("field_offset", [&] { return field_offset(field, 0.125); });
  for (const Shape3& shape : kinds({ShapeKind3::sphere, ShapeKind3::box, ShapeKind3::hull})) {
    const Pose3d pose{{2, 0, 0.25}, {}};
    fail_everywhere([&] { return field_distance(field, shape, pose); }, 4);
    fail_everywhere([&] { return field_contact_patches(field, shape, pose, 0.25); }, 4);
    fail_everywhere([&] { return field_contacts(field, shape, pose, 0.25); }, 4);
  }
  // The hand's loop says nothing of memory: it does without
  const auto mesh = *make_triangle_mesh(torus.vertices, torus.triangles);
  const auto shared = std::make_shared<const DistanceField3>(field);
  fail_everywhere([&] { return HapticProbe::make(mesh, {.radius = 0.1}, {0, 0, 2}); });
  fail_everywhere([&] { return HapticProbe::make(shared, {.radius = 0.5}, {0, 0, 0}); });
  fail_everywhere(
      [&] {
        return *HapticProbe::make(mesh, {.radius = 0.1}, {2, 0, 1});
      },
      [](HapticProbe& probe) {
        return call_plainly([&] {
          for (int i = 0; i < 20; ++i) probe.update({2, 0, 1 - 0.05 * i});
        });
      },
      [](HapticProbe&) {});
}

TEST(AllocationFailure, FreeSpacesAndPaths) {
  const std::vector<ConvexPart2> robot = {{{-0.2, -0.2}, {0.2, -0.2}, {0, 0.2}}};
  const std::vector<ConvexPart2> obstacles = {{{1, -1}, {2, -1}, {2, 1}, {1, 1}}, {{3, 0}, {4, 0}, {4, 2}, {3, 2}}};
  const std::vector<Vec2d> room = {{-2, -3}, {6, -3}, {6, 3}, {-2, 3}};
  fail_hungry("make_free_space2", [&] { return make_free_space2(robot, obstacles, room); });
  const FreeSpace2 space = *make_free_space2(robot, obstacles, room);
  fail_hungry("shortest_path2", [&] { return shortest_path2(space, {-1, 0}, {5, 1}); });
  fail_hungry("dilate", [&] { return dilate(obstacles, robot[0]); });
  fail_hungry("erode", [&] { return erode(room, robot[0]); });
  for (const Shape2& shape : every_kind<2>())
    if (convex_parts2(shape).ok()) fail_everywhere([&] { return convex_parts2(shape); });
  const std::vector<std::vector<Vec3d>> cubes = {cube_corners(0.5)};
  fail_hungry("make_free_space3", [&] { return make_free_space3(cubes, cubes); });
  std::vector<PlacedShape3> things;
  for (const Shape3& shape : every_kind<3>())
    if (shape.is_bounded()) things.push_back({shape, {{0, 3.0 * static_cast<double>(things.size() % 3), 0}, {}}});
  const PathOptions3 options{
      .bounds = {{-4, -4, -4}, {4, 10, 4}}, .clearance = 0.05, .step = 1.5, .max_iterations = 40, .shortcuts = 4};

  const Shape3 bodies[] = {*make_sphere3(0.2), cube_mesh(0.2)};
  for (const Shape3& body : bodies)
    fail_hungry(
        "find_path3",
        [&] {
          return find_path3(body, {}, things, {-3, 0, 0}, {3, 0, 0}, options);
        },
        60);
  // Obstacles are copied where a rotation is brought to unit length
  const Mesh torus = *torus_mesh(1, 0.3, 12, 8);
  const Shape3 ring = *make_mesh_shape3(torus.vertices, torus.triangles, true);
  std::vector<CompoundChild3> row;
  for (int i = 0; i < 8; ++i) row.push_back({*make_box3({0.1, 0.1, 0.1}), {{0.3 * i - 1, 0, 0}, {}}});
  const std::vector<PlacedShape3> beads = {{*make_compound3(row), {{}, {2, 0, 0, 0}}}};
  fail_hungry(
      "find_path3",
      [&]() -> Result<void> {
        const auto path = find_path3(ring, {}, beads, {-0.2, 0.1, 0.1}, {3, 0, 0}, options);
        if (!path && path.error().code == ErrorCode::out_of_memory) return path.error();
        return {};
      },
      60);
  fail_hungry(
      "straight_way_is_free",
      [&]() -> Result<void> {
        const bool free = straight_way_is_free(ring, {}, beads, {-0.2, 0.1, 0.1}, {3, 0, 0}, 0.05);
        return free ? Result<void>(Error{ErrorCode::invalid_argument}) : Result<void>();
      },
      60);
}

TEST(AllocationFailure, SetsOfShapes) {
  std::vector<PlacedShape<3>> shapes;
  for (const Shape3& shape : every_kind<3>()) shapes.push_back({shape, {}, {}});
  fail_hungry("ShapeSet::make", [&] { return ShapeSet<3>::make(shapes, "grid"); });
  EXPECT_GT(fail_everywhere([&] { return *ShapeSet<3>::make(shapes, "grid"); },
                            [](ShapeSet<3>& set) -> Result<bool> {
                              if (const auto moved = set.move(3, {{0, 0, 1}, {}}); !moved) return moved.error();
                              return set.ray_meets({{0, 0, 5}, {0, 0, -1}}, 10);
                            },
                            [](ShapeSet<3>& set) {
                              const auto meets = set.ray_meets({{0, 0, 5}, {0, 0, -1}}, 10);
                              ASSERT_TRUE(meets.ok());
                              EXPECT_TRUE(*meets);
                            }),
            0u);
}
