// What:    A non-convex body as one, two, four… convex parts (seed A16): how well they fit, what it costs to make them and
//          to ask them, and how often they say yes where the body says no.
// Differs: The question is whether a small ball meets the body, at random places in its box; in 2D the exact parts answer
//          for the body, in 3D the solid mesh does, for the ball's centre.
#include "bench/suites.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/math/scalar.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/primitives2.hpp>
#include <sudar/shapes/convex_parts3.hpp>
#include <sudar/shapes/polygon_parts.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace sudar_bench {

namespace {

using namespace sudar;

constexpr int kQueries = 4096;

double ms_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}
std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

// A negative concavity is one that is not measured
void add_row(Table& table, int dim, const std::string& body, std::size_t asked, std::size_t parts, double excess,
             double concavity, double make_ms, double query_ms, int wrong) {
  table.rows.push_back({std::to_string(dim), body, std::to_string(asked), std::to_string(parts), number(excess),
                        concavity < 0 ? "" : number(concavity), number(make_ms), number(query_ms * 1e6 / kQueries),
                        number(1000.0 * wrong / kQueries)});
}

void measure2(Session& session, Table& table) {
  Random random(session.options().seed);
  std::vector<Vec2d> star;
  for (int i = 0; i < 24; ++i) {
    const SinCos sc = sin_cos(2 * kPi * i / 24);
    const double r = i % 2 == 0 ? 1 : 0.4;
    star.push_back({r * sc.cos, r * sc.sin});
  }
  std::vector<Placement2> places;
  for (int i = 0; i < kQueries; ++i) {
    const double x = random.uniform(-1, 1);
    places.push_back(make_placement(Pose2d{{x, random.uniform(-1, 1)}, {}}));
  }
  const Shape2 ball = *make_circle2(1e-3);
  const auto ask = [&](const std::vector<Shape2>& parts, std::vector<char>& hits) {
    for (int i = 0; i < kQueries; ++i) {
      hits[i] = 0;
      for (const Shape2& part : parts)
        if (primitive_distance2(part, ball, places[i]).hit) {
          hits[i] = 1;
          break;
        }
    }
  };
  const auto shapes = [](const CoarseParts& parts) {
    std::vector<Shape2> out;
    for (const auto& part : parts.parts) out.push_back(*make_polygon2(part));
    return out;
  };
  std::vector<char> truth(kQueries), hits(kQueries);
  ask(shapes(*coarse_parts(star, star.size())), truth);
  for (std::size_t count = 1; count <= 32; count *= 2) {
    const auto start = std::chrono::steady_clock::now();
    const CoarseParts parts = *coarse_parts(star, count);
    const double make_ms = ms_since(start);
    const std::vector<Shape2> bodies = shapes(parts);
    double query_ms = 1e30;
    for (int round = 0; round < 5; ++round) {
      const auto begin = std::chrono::steady_clock::now();
      ask(bodies, hits);
      query_ms = std::min(query_ms, ms_since(begin));
    }
    int wrong = 0;
    for (int i = 0; i < kQueries; ++i) wrong += hits[i] != truth[i];
    add_row(table, 2, "star of 12 rays", count, parts.parts.size(), parts.excess, -1, make_ms, query_ms, wrong);
    if (parts.parts.size() < count) break;
  }
}

void measure3(Session& session, Table& table, const std::string& name, const Mesh& mesh) {
  Random random(session.options().seed);
  const auto solid = *TriangleMesh::make(mesh);
  const Aabb3d box = solid->bounds();
  std::vector<Placement3> places;
  std::vector<char> truth;
  for (int i = 0; i < kQueries; ++i) {
    Vec3d p;
    for (int k = 0; k < 3; ++k) p[k] = random.uniform(box.lo[k], box.hi[k]);
    places.push_back(make_placement(Pose3d{p, {}}));
    truth.push_back(solid->locate(p) != Containment::outside);
  }
  const Shape3 ball = *make_sphere3(1e-6);
  for (std::size_t count = 1; count <= (session.options().quick ? 8u : 32u); count *= 2) {
    PartsOptions3 options;
    options.max_parts = count;
    const auto start = std::chrono::steady_clock::now();
    const ConvexParts3 parts = *convex_parts3(mesh, options);
    const double make_ms = ms_since(start);
    std::vector<Shape3> bodies;
    for (const auto& body : parts.parts) bodies.push_back(Shape3(HullShape3{body, 0}));
    double query_ms = 1e30;
    int wrong = 0;
    for (int round = 0; round < 5; ++round) {
      const auto begin = std::chrono::steady_clock::now();
      wrong = 0;
      for (int i = 0; i < kQueries; ++i) {
        bool hit = false;
        for (std::size_t k = 0; k < bodies.size() && !hit; ++k) hit = convex_intersects3(bodies[k], ball, places[i]);
        wrong += hit != (truth[i] != 0);
      }
      query_ms = std::min(query_ms, ms_since(begin));
    }
    add_row(table, 3, name, count, parts.parts.size(), parts.excess, parts.concavity, make_ms, query_ms, wrong);
    if (parts.parts.size() < count) break;
  }
}

}  // namespace

void bench_parts(Session& session) {
  session.progress("a16_parts: one, two, four… convex parts");
  Table table{"a16_parts",
              {"dim", "body", "asked", "parts", "excess", "concavity_m", "make_ms", "query_ns", "wrong_per_1000"},
              {}};
  measure2(session, table);
  measure3(session, table, "torus", *torus_mesh(2, 0.5, 24, 12));
  session.add_table(std::move(table));
}

}  // namespace sudar_bench
