// What:    Times of impact of bodies of parts: meshes that turn, meet flat, slide at a small gap or fall on a half-space,
//          bullets at meshes. Milliseconds a flight, and how many were given up.
#include "bench/suites.hpp"
#include <sudar/continuous/time_of_impact.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/math/sampling.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace sudar_bench {

namespace {

using namespace sudar;

struct PartsBody {
  Shape3 shape;
  Pose3d pose{};
  Motion3 motion{};
};
struct PartsFlight {
  PartsBody a, b;
};

Shape3 surface(const Result<Mesh>& mesh) { return *make_mesh_shape3(mesh->vertices, mesh->triangles, false); }

// n by n cells over a square of side 1
Shape3 plate(std::uint32_t n) {
  Mesh mesh;
  for (std::uint32_t j = 0; j <= n; ++j)
    for (std::uint32_t i = 0; i <= n; ++i)
      mesh.vertices.push_back({static_cast<double>(i) / n, static_cast<double>(j) / n, 0});
  for (std::uint32_t j = 0; j < n; ++j)
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t p = j * (n + 1) + i, q = p + n + 1;
      mesh.triangles.push_back({p, p + 1, q + 1});
      mesh.triangles.push_back({p, q + 1, q});
    }
  return surface(mesh);
}

std::vector<PartsFlight> turning_rings(const Shape3& ring, std::size_t count, Random& random) {
  std::vector<PartsFlight> out;
  while (out.size() < count) {
    PartsFlight f{{ring}, {ring}};
    for (PartsBody* body : {&f.a, &f.b}) {
      body->pose = {unit_vector<3>(random) * 3.0, unit_quaternion(random)};
      body->motion.linear = (point_in_ball<3>(random) * 0.5 - body->pose.position) / random.uniform(0.2, 0.8);
      body->motion.angular = unit_vector<3>(random) * std::exp(random.uniform(0, 3));
    }
    out.push_back(f);
  }
  return out;
}
// In each other, and free for as long as they turn
std::vector<PartsFlight> linked_rings(const Shape3& ring, std::size_t count, Random& random) {
  std::vector<PartsFlight> out;
  while (out.size() < count) {
    PartsFlight f{{ring}, {ring, {{1, 0, 0}, Quatd::from_axis_angle({1, 0, 0}, kPi / 2)}}};
    f.a.motion = {point_in_ball<3>(random) * 0.1, {0, 0, random.uniform(-6, 6)}};
    f.b.motion = {point_in_ball<3>(random) * 0.1, {0, random.uniform(-6, 6), 0}};
    out.push_back(f);
  }
  return out;
}
std::vector<PartsFlight> bullets_at(const Shape3& target, std::size_t count, Random& random) {
  std::vector<PartsFlight> out;
  while (out.size() < count) {
    PartsFlight f{{target}, {*make_sphere3(0.01)}};
    f.a.pose = {point_in_ball<3>(random), unit_quaternion(random)};
    f.a.motion = {point_in_ball<3>(random) * 3.0, unit_vector<3>(random) * std::exp(random.uniform(-3, 5))};
    f.b.motion.linear = unit_vector<3>(random) * std::exp(random.uniform(1, 9));
    f.b.pose.position = point_in_ball<3>(random) - f.b.motion.linear * 0.5;
    out.push_back(f);
  }
  return out;
}

}  // namespace

void bench_impact_parts(Session& session) {
  const bool quick = session.options().quick;
  Random random(session.options().seed);
  Table table{"continuous_parts", {"bodies", "flights", "hits", "given_up", "mean_ms", "worst_ms"}, {}};
  std::size_t given_up = 0;
  const auto measure = [&](const std::string& what, const std::vector<PartsFlight>& flights) {
    session.progress("continuous_parts: " + what);
    std::size_t hits = 0, open = 0;
    double mean = 0, worst = 0;
    for (const PartsFlight& f : flights) {
      using Clock = std::chrono::steady_clock;
      double best = 1e300;
      bool hit = false, converged = false;
      for (int round = 0; round < (quick ? 2 : 5); ++round) {
        const auto begin = Clock::now();
        const auto x = time_of_impact(f.a.shape, f.a.pose, f.a.motion, f.b.shape, f.b.pose, f.b.motion,
                                      {.contacts = false, .last = false});
        best = std::min(best, std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
        hit = x.ok() && x->hit, converged = x.ok() && x->status == QueryStatus::converged;
      }
      hits += hit, open += !converged;
      mean += best / static_cast<double>(flights.size());
      worst = std::max(worst, best);
    }
    given_up += open;
    const auto text = [](double x) {
      char buffer[32];
      std::snprintf(buffer, sizeof buffer, "%.4g", x);
      return std::string(buffer);
    };
    table.rows.push_back(
        {what, std::to_string(flights.size()), std::to_string(hits), std::to_string(open), text(mean), text(worst)});
  };
  const std::size_t few = quick ? 10 : 100, many = quick ? 100 : 1000;
  const Shape3 ring = surface(torus_mesh(1, 0.3, 32, 16)), finer = surface(torus_mesh(1, 0.3, 48, 24)),
               large = surface(torus_mesh(1, 0.3, 250, 200)), coarse_plate = plate(20), fine_plate = plate(60);
  measure("rings of 1024 triangles that turn", turning_rings(ring, few, random));
  measure("rings of 2304 triangles that turn", turning_rings(finer, few, random));
  measure("rings of 1024 triangles, linked", linked_rings(ring, few, random));
  measure("bullets at a ring of 1024 triangles", bullets_at(ring, many, random));
  measure("bullets at a ring of 100000 triangles", bullets_at(large, many, random));
  measure("plates of 800 triangles that slide at 10 µm",
          {{{coarse_plate}, {coarse_plate, {{0.3, 0.2, 1e-5}, {}}, {{1, 0, 0}, {}}}}});
  measure("plates of 7200 triangles that meet flat",
          {{{fine_plate}, {fine_plate, {{0.31, 0.21, 0.5}, {}}, {{0, 0, -1}, {}}}}});
  const Shape3 ground = *make_halfspace3({0, 0, 1}, 0);
  measure("a ring of 100000 triangles that tumbles to the ground",
          {{{ground}, {large, {{0, 0, 10}, {}}, {{0, 0, -20}, {3, 4, 5}}}}});
  session.add_table(std::move(table));
  session.bar_at_most("bodies of parts: answers for want of work", 0, static_cast<double>(given_up));
}

}  // namespace sudar_bench
