#include "bench/kernels.hpp"

#include "bench/box_workloads.hpp"
#include "scenes/ccd_queries.hpp"
#include <sudar/bounding/sphere_fit.hpp>
#include <sudar/broadphase/registry.hpp>
#include <sudar/continuous/primitive_impact.hpp>
#include <sudar/geom/hull3.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/math/sampling.hpp>
#include <sudar/narrowphase/box_box3.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/sat3.hpp>
#include <sudar/narrowphase/triangle_triangle.hpp>
#include <sudar/queries/ray3.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <memory>

namespace sudar_bench {

namespace {

using namespace sudar;

constexpr std::uint64_t kSeed = 20;
constexpr std::size_t kPlaces = 64, kBoxes = 1000;

// Bodies of about unit size, from deep in each other to clearly apart
std::vector<Placement3> make_places() {
  Random random(kSeed);
  std::vector<Placement3> places;
  for (std::size_t i = 0; i < kPlaces; ++i) {
    const Quatd turn = Quatd::from_axis_angle(unit_vector<3>(random), random.uniform(-kPi, kPi));
    places.push_back(make_placement(Pose3d{}, Pose3d{unit_vector<3>(random) * random.uniform(1, 2.4), turn}));
  }
  return places;
}

Shape3 make_ball_hull(std::size_t vertices) {
  Random random(kSeed + vertices);
  std::vector<Vec3d> points;
  for (std::size_t i = 0; i < vertices; ++i) points.push_back(unit_vector<3>(random));
  return *make_hull_shape3(points);
}

template <class F>
Kernel over_places(const std::string& name, F ask) {
  auto places = std::make_shared<std::vector<Placement3>>(make_places());
  return {name, places->size(), [places, ask] {
            double sum = 0;
            for (const Placement3& at : *places) sum += ask(at);
            return sum;
          }};
}

// Two frames that go back and forth, so that every run does the same
Kernel broad(const std::string& algorithm) {
  struct State {
    std::vector<BoxRows> frames = moving_boxes<3>(kBoxes, 0.001, 2, kSeed);
    BoxStore<3> store;
    std::unique_ptr<Broadphase<3>> search;
  };
  auto state = std::make_shared<State>();
  state->search = *make_broadphase<3>(algorithm);
  return {algorithm + " step of " + std::to_string(kBoxes) + " boxes", 2, [state] {
            double pairs = 0;
            for (const BoxRows& rows : state->frames) {
              if (!state->store.assign(rows) || !state->search->update(state->store)) continue;
              if (const auto found = state->search->pairs(state->store, PairOrder::any))
                pairs += static_cast<double>(found->size());
            }
            return pairs;
          }};
}

}  // namespace

std::vector<Kernel> make_kernels() {
  const Vec3d half{0.5, 0.7, 0.9};
  const Shape3 hull16 = make_ball_hull(16), hull64 = make_ball_hull(64), box = *make_box3(half);
  std::vector<Kernel> all;
  all.push_back(
      over_places("box-box yes/no", [half](const Placement3& at) { return box_box_intersects3(half, half, at); }));
  all.push_back(over_places("box-box distance",
                            [half](const Placement3& at) { return box_box_distance3(half, half, at).separation; }));
  all.push_back(over_places("box-box contacts", [box](const Placement3& at) {
    return static_cast<double>(contacts(box, box, at).points.size());
  }));
  all.push_back(
      over_places("hull 64 yes/no", [hull64](const Placement3& at) { return convex_intersects3(hull64, hull64, at); }));
  all.push_back(over_places(
      "hull 64 distance", [hull64](const Placement3& at) { return convex_distance3(hull64, hull64, at).separation; }));
  all.push_back(over_places("hull 16 separating axes", [hull16](const Placement3& at) {
    const PolytopeView3 a(hull16), b(hull16);
    return sat3(a, b, at).separation;
  }));
  {
    Random random(kSeed);
    const auto corner = [&] { return point_in_ball<3>(random); };
    auto triangles = std::make_shared<std::vector<Triangle<3, double>>>();
    for (int i = 0; i < 65; ++i) triangles->push_back({corner(), corner(), corner()});
    all.push_back({"triangle-triangle, what they share", 64, [triangles] {
                     double sum = 0;
                     for (std::size_t i = 0; i + 1 < triangles->size(); ++i)
                       sum += intersection_exact((*triangles)[i], (*triangles)[i + 1]).count;
                     return sum;
                   }});
    auto points = std::make_shared<std::vector<Vec3d>>();
    for (int i = 0; i < 200; ++i) points->push_back(corner());
    all.push_back({"quickhull of 200 points", 1, [points] {
                     const auto hull = quickhull3(std::span<const Vec3d>(*points), HullOptions{});
                     return hull ? static_cast<double>(hull->vertex_count()) : 0;
                   }});
    all.push_back({"smallest sphere of 200 points", 1, [points] { return smallest_sphere<3>(*points)->radius; }});
  }
  {
    Random random(kSeed);
    auto queries = std::make_shared<std::vector<sudar_scenes::CcdQuery>>();
    for (int i = 0; i < 64; ++i) queries->push_back(make_ccd_query(sudar_scenes::CcdKind::close, i % 2 == 0, random));
    all.push_back({"moving vertex-face and edge-edge", 64, [queries] {
                     double sum = 0;
                     for (const auto& q : *queries) {
                       const auto x = q.edges ? edge_edge_impact(q.start, q.end) : vertex_face_impact(q.start, q.end);
                       sum += x && x->hit ? x->t_lower : 0;
                     }
                     return sum;
                   }});
  }
  {
    Random random(kSeed);
    const auto ball = icosphere_mesh(1, 4);
    auto shape = std::make_shared<Shape3>(*make_mesh_shape3(ball->vertices, ball->triangles, false));
    auto rays = std::make_shared<std::vector<Ray<3, double>>>();
    for (int i = 0; i < 64; ++i) rays->push_back({unit_vector<3>(random) * 3.0, point_in_ball<3>(random)});
    for (auto& ray : *rays) ray.direction = ray.direction - ray.origin;
    all.push_back({"ray against 5120 triangles", 64, [shape, rays] {
                     double sum = 0;
                     for (const auto& ray : *rays)
                       if (const auto hit = cast_ray(*shape, ray); hit && hit->hit) sum += hit->t;
                     return sum;
                   }});
  }
  for (const char* name : {"columns", "grid", "octree", "dynamic_tree", "sap"}) all.push_back(broad(name));
  return all;
}

}  // namespace sudar_bench
