// What:    Solids: mass of a large mesh, point in mesh, closest points, segment against triangle. Ours against our own
//          plain and exact twins and against the textbook forms; and how fast inertia converges on curved bodies.
#include "bench/suites.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/closest.hpp>
#include <sudar/geom/mass3.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/geom/point_in_mesh.hpp>
#include <sudar/geom/segment_triangle.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace sudar_bench {

namespace {

using namespace sudar;

double random_coordinate(Random& random) { return random.uniform(-1, 1); }
Vec3 random_point(Random& random) {
  const double x = random_coordinate(random), y = random_coordinate(random);
  return vec_cast<Real>(Vec3d{x, y, random_coordinate(random)});
}

// Mass of one mesh, three ways
void race_mass(Session& session) {
  const std::uint32_t n = session.options().quick ? 100 : 250;
  const Mesh mesh = *torus_mesh(2, 0.5, n, n / 5 * 4);
  const auto mass = [](const Result<MassProperties3>& body) { return body ? body->mass : -1; };
  session.race("solids", "mass of a torus, " + std::to_string(mesh.triangles.size()) + " triangles", 20, 1e-11,
               {{"mass_properties_of_solid", "", [&] { return mass(mass_properties_of_solid(mesh)); }},
                {"mass_properties (with the check of edges)", "", [&] { return mass(mass_properties(mesh)); }},
                {"plain, about the origin", "", [&] { return mass(mass_properties_plain(mesh)); }}});
}

// How many of 500 points are inside
void race_point_in_mesh(Session& session) {
  const Mesh mesh = *torus_mesh(0.7, 0.25, 100, 50);
  Random random(session.options().seed);
  std::vector<Vec3d> points(session.options().quick ? 50 : 500);
  for (Vec3d& p : points) p = vec_cast<double>(random_point(random));
  const auto count = [&](auto&& inside) {
    return static_cast<double>(std::count_if(points.begin(), points.end(), inside));
  };
  session.race("solids", std::to_string(points.size()) + " points in a torus of 10000 triangles", 10, 0,
               {{"ray parity, exact", "",
                 [&] { return count([&](const Vec3d& p) { return locate(mesh, p) == Containment::inside; }); }},
                {"winding number by crossings, exact", "",
                 [&] { return count([&](const Vec3d& p) { return winding_number(mesh, p) != 0; }); }},
                {"winding number by solid angles", "",
                 [&] { return count([&](const Vec3d& p) { return generalized_winding_number(mesh, p) > 0.5; }); }},
                {"solid angles, an arc tangent per triangle", "", [&] {
                   return count([&](const Vec3d& p) { return generalized_winding_number_plain(mesh, p) > 0.5; });
                 }}});
}

// The textbook way: from the crossing of the lines, clamp one parameter and then the other
double textbook_distance_squared(const Segment<3>& p, const Segment<3>& q) {
  const Vec3 u = p.b - p.a, v = q.b - q.a, w = p.a - q.a;
  const Real uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
  const Real det = uu * vv - uv * uv;
  const auto clamp = [](Real x) { return std::clamp(x, Real(0), Real(1)); };
  Real s = det > 0 ? clamp((uv * vw - uw * vv) / det) : Real(0);
  Real t = (uv * s + vw) / vv;
  if (t < 0 || t > 1) {
    t = clamp(t);
    s = clamp((t * uv - uw) / uu);
  }
  return static_cast<double>(length_squared(p.at(s) - q.at(t)));
}

void race_closest(Session& session) {
  constexpr std::size_t kCount = 20000;
  Random random(session.options().seed);
  std::vector<Segment<3>> a(kCount), b(kCount);
  std::vector<Triangle<3>> triangles(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    a[i] = {random_point(random), random_point(random)};
    b[i] = {random_point(random), random_point(random)};
    triangles[i] = {random_point(random), random_point(random), random_point(random)};
  }
  const auto sum = [](auto&& distance_squared) {
    double total = 0;
    for (std::size_t i = 0; i < kCount; ++i) total += distance_squared(i);
    return total;
  };
  session.race("solids", "closest points of 20000 pairs of segments", 40, 1e-5,
               {{"closest_points", "",
                 [&] { return sum([&](std::size_t i) { return closest_points(a[i], b[i]).distance_squared; }); }},
                {"textbook clamping", "",
                 [&] { return sum([&](std::size_t i) { return textbook_distance_squared(a[i], b[i]); }); }}});
  session.race("solids", "closest points of 20000 points and triangles", 40, 1e-5,
               {{"closest_point", "", [&] {
                   return sum([&](std::size_t i) { return closest_point(triangles[i], a[i].a).distance_squared; });
                 }}});
}

// The textbook way: Möller and Trumbore, 1997
bool textbook_hit(const Segment<3>& s, const Triangle<3>& t) {
  const Vec3 d = s.b - s.a, e1 = t.b - t.a, e2 = t.c - t.a, p = cross(d, e2), o = s.a - t.a;
  const Real det = dot(e1, p);
  if (det == 0) return false;
  const Real u = dot(o, p) / det;
  if (u < 0 || u > 1) return false;
  const Vec3 q = cross(o, e1);
  const Real v = dot(d, q) / det, x = dot(e2, q) / det;
  return v >= 0 && u + v <= 1 && x >= 0 && x <= 1;
}

void race_segment_triangle(Session& session) {
  constexpr std::size_t kCount = 20000;
  Random random(session.options().seed);
  std::vector<Segment<3>> segments(kCount);
  std::vector<Triangle<3>> triangles(kCount);
  std::vector<Segment<3, double>> exact_segments;
  std::vector<Triangle<3, double>> exact_triangles;
  for (std::size_t i = 0; i < kCount; ++i) {
    const Segment<3>& s = segments[i] = {random_point(random), random_point(random)};
    const Triangle<3>& t = triangles[i] = {random_point(random), random_point(random), random_point(random)};
    exact_segments.push_back({vec_cast<double>(s.a), vec_cast<double>(s.b)});
    exact_triangles.push_back({vec_cast<double>(t.a), vec_cast<double>(t.b), vec_cast<double>(t.c)});
  }
  const auto count = [](auto&& hits) {
    double total = 0;
    for (std::size_t i = 0; i < kCount; ++i) total += hits(i) ? 1 : 0;
    return total;
  };
  session.race(
      "solids", "20000 segments against triangles", 40, 1e-3,
      {{"intersect, watertight", "",
        [&] { return count([&](std::size_t i) { return bool(intersect(segments[i], triangles[i])); }); }},
       {"intersects_exact", "",
        [&] { return count([&](std::size_t i) { return intersects_exact(exact_segments[i], exact_triangles[i]); }); }},
       {"textbook (Möller and Trumbore)", "",
        [&] { return count([&](std::size_t i) { return textbook_hit(segments[i], triangles[i]); }); }}});
}

std::string text(double x, const char* format = "%.3e") {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, format, x);
  return buffer;
}

// Error of mass and axial inertia at each level, and how fast it falls per halving of the edges
void converge(Session& session) {
  constexpr double kMajor = 2, kMinor = 0.7, kBall = 4 * kPi / 3;
  constexpr double kRing = 2 * kPi * kPi * kMajor * kMinor * kMinor;
  struct Body {
    const char* name;
    double mass, inertia;
    Result<Mesh> (*of_level)(std::uint32_t);
  };
  const Body bodies[] = {
      {"sphere (icosphere)", kBall, kBall * 2 / 5, [](std::uint32_t l) { return icosphere_mesh(1, l); }},
      {"sphere (slices and stacks)", kBall, kBall * 2 / 5,
       [](std::uint32_t l) { return uv_sphere_mesh(1, 8u << l, 4u << l); }},
      {"torus", kRing, kRing * (kMajor * kMajor + 0.75 * kMinor * kMinor),
       [](std::uint32_t l) { return torus_mesh(kMajor, kMinor, 16u << l, 8u << l); }},
  };
  Table table{
      "inertia_convergence", {"body", "triangles", "mass error", "inertia error", "mass order", "inertia order"}, {}};
  double worst_order = 9;
  const std::uint32_t levels = session.options().quick ? 4 : 6;
  for (const Body& body : bodies) {
    double mass_before = 0, inertia_before = 0;
    for (std::uint32_t level = 1; level <= levels; ++level) {
      const Mesh mesh = *body.of_level(level);
      const MassProperties3 got = *mass_properties(mesh);
      const double mass = 1 - got.mass / body.mass, inertia = 1 - got.inertia.z.z / body.inertia;
      std::vector<std::string> row = {body.name, std::to_string(mesh.triangles.size()), text(mass), text(inertia)};
      const double mass_order = std::log2(mass_before / mass), inertia_order = std::log2(inertia_before / inertia);
      row.push_back(level == 1 ? "" : text(mass_order, "%.3f"));
      row.push_back(level == 1 ? "" : text(inertia_order, "%.3f"));
      if (level == levels) worst_order = std::min({worst_order, mass_order, inertia_order});
      table.rows.push_back(std::move(row));
      mass_before = mass;
      inertia_before = inertia;
    }
  }
  session.add_table(std::move(table));
  session.bar_at_least("inertia of sphere and torus meshes: order of convergence", 1.95, worst_order);
}

// Boxes of all shapes, rotated and up to 1000 m away, against the closed form
void polyhedra_against_closed_form(Session& session) {
  Random random(session.options().seed);
  double worst = 0;
  for (int i = 0; i < 1000; ++i) {
    const Vec3d h{random.uniform(0.5, 2), random.uniform(0.5, 2), random.uniform(0.5, 2)};
    const Vec3d axis = normalized(vec_cast<double>(random_point(random)));
    const Pose3d pose{vec_cast<double>(random_point(random)) * 1e3,
                      Quatd::from_axis_angle(axis, random.uniform(0, 2 * kPi))};
    const double m = 8 * h.x * h.y * h.z;
    const Vec3d squares = mul(h, h);
    const MassProperties3 expected = transformed(
        MassProperties3{
            m,
            {},
            Mat3d::diagonal(Vec3d{squares.y + squares.z, squares.z + squares.x, squares.x + squares.y} * (m / 3))},
        pose);
    const MassProperties3 got = *mass_properties(*transformed(*box_mesh(h), pose));
    worst = std::max(worst, std::fabs(got.mass / m - 1));
    const double largest = std::max({expected.inertia.x.x, expected.inertia.y.y, expected.inertia.z.z});
    for (int k = 0; k < 3; ++k) worst = std::max(worst, max_abs(got.inertia[k] - expected.inertia[k]) / largest);
  }
  session.bar_at_most("inertia of boxes, rotated, up to 1000 m from the origin: relative error", 1e-12, worst);
}

}  // namespace

void bench_solids(Session& session) {
  race_mass(session);
  race_point_in_mesh(session);
  race_closest(session);
  race_segment_triangle(session);
  converge(session);
  polyhedra_against_closed_form(session);
}

}  // namespace sudar_bench
