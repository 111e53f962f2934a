// What:    Distance fields and the haptic probe: time to build, largest error, samples a second, slowest update.
#include "bench/sdf_picture.hpp"
#include "bench/suites.hpp"
#include <sudar/core/parallel.hpp>
#include <sudar/core/random.hpp>
#include <sudar/geom/closest.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/sdf/haptic_probe.hpp>
#include <sudar/sdf/mesh_field.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace sudar_bench {

namespace {

std::string short_number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

sudar::Mesh bumpy_ball(std::uint32_t slices) {
  sudar::Mesh mesh = *sudar::uv_sphere_mesh(1, slices, slices);
  for (sudar::Vec3d& v : mesh.vertices)
    v = v * (1 + 0.2 * std::sin(5 * v.x) * std::sin(4 * v.y + 1) * std::sin(6 * v.z + 2));
  return mesh;
}

// The distance of a sample by the closest points of geom/: from all triangles, or from those that a tree offers
double distance_by_tree(const sudar::TriangleMesh& mesh, const sudar::Vec3d& p) {
  double best = std::numeric_limits<double>::infinity();
  for_each_nearer(
      mesh.tree(),
      [&](const sudar::Aabb3d& box) { return length_squared(p - closest_point_in_box(box.lo, box.hi, p)); }, best,
      [&](std::uint32_t t) { best = std::min(best, closest_point(mesh.triangle(t), p).distance_squared); });
  return std::sqrt(best);
}
double distance_by_all(const sudar::Mesh& mesh, const sudar::Vec3d& p) {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    best = std::min(best, closest_point(mesh.corners(t), p).distance_squared);
  return std::sqrt(best);
}

struct FieldErrors {
  double largest = 0;
  std::size_t samples = 0, wrong_signs = 0;
};

FieldErrors errors_of(const sudar::DistanceField3& field, const sudar::TriangleMesh& mesh, int brute) {
  FieldErrors out;
  const sudar::FieldGrid3& grid = field.grid();
  sudar::Random random(1);
  const auto look = [&](const sudar::GridIndex<3>& i, bool all) {
    const double value = field.at(i);
    const sudar::Vec3d p = grid.position(i);
    const auto side = mesh.locate(p);
    out.wrong_signs += side != sudar::Containment::boundary && (side == sudar::Containment::inside) != (value < 0);
    if (!(std::fabs(value) < field.band())) return;
    ++out.samples;
    const double truth = all ? distance_by_all(mesh.mesh(), p) : distance_by_tree(mesh, p);
    out.largest = std::max(out.largest, std::fabs(std::fabs(value) - truth));
  };
  for (std::uint32_t k = 0; k < grid.samples[2]; ++k)
    for (std::uint32_t j = 0; j < grid.samples[1]; ++j)
      for (std::uint32_t i = 0; i < grid.samples[0]; ++i) look({i, j, k}, false);
  const auto any = [&](int axis) {
    return static_cast<std::uint32_t>(random.below(grid.samples[static_cast<std::size_t>(axis)]));
  };
  for (int n = 0; n < brute;) {
    const sudar::GridIndex<3> i{any(0), any(1), any(2)};
    if (!(std::fabs(field.at(i)) < field.band())) continue;
    look(i, true);
    ++n;
  }
  return out;
}

// A hand that wanders over, through and around the body; the places are the same in every repetition
std::vector<sudar::Vec3d> hand_walk(std::size_t updates) {
  sudar::Random random(2);
  std::vector<sudar::Vec3d> places;
  sudar::Vec3d hand{0, 0, 1.8}, goal = hand;
  for (std::size_t i = 0; i < updates; ++i) {
    if (i % 200 == 0) goal = {random.uniform(-1.3, 1.3), random.uniform(-1.3, 1.3), random.uniform(-1.3, 1.3)};
    hand = i % 1000 == 999 ? goal : hand + (goal - hand) * 0.02;
    places.push_back(hand);
  }
  return places;
}

// The time of every update, the least of three equal runs: what the machine did besides is not the probe's
template <class Surface>
std::vector<double> update_times(const Surface& surface, const sudar::HapticOptions& options,
                                 const std::vector<sudar::Vec3d>& walk) {
  std::vector<double> least(walk.size(), std::numeric_limits<double>::infinity());
  for (int run = 0; run < 3; ++run) {
    auto probe = *sudar::HapticProbe::make(surface, options, walk.front());
    for (std::size_t i = 0; i < walk.size(); ++i) {
      const auto start = std::chrono::steady_clock::now();
      keep(probe.update(walk[i]).force.x);
      const std::chrono::duration<double, std::micro> t = std::chrono::steady_clock::now() - start;
      least[i] = std::min(least[i], t.count());
    }
  }
  return least;
}

}  // namespace

void bench_sdf(Session& session) {
  const bool quick = session.options().quick;
  const std::uint32_t slices = quick ? 70 : 224, side = quick ? 48 : 128;
  const sudar::Mesh mesh = bumpy_ball(slices);
  const auto body = *sudar::TriangleMesh::make(mesh);
  const sudar::FieldGrid3 grid = *sudar::fit_grid(body->bounds(), side);
  const double size = max_abs(extents(body->bounds()));
  const auto two = sudar::make_executor(2);
  const std::string what = std::to_string(mesh.triangles.size()) + " triangles, " + std::to_string(side) + "³";

  // Build
  sudar::FieldOptions options;
  options.executor = two.get();
  const auto build = [&](sudar::FieldMethod method) {
    return [&, method] { return static_cast<double>(make_mesh_field(mesh, grid, options, method)->stored_bricks()); };
  };
  const auto times = [&] {
    const auto cores = session.all_cores();
    session.race(
        "distance field of a mesh", what + ", narrow band, 2 threads, from a mesh with its tree", 9, 0,
        {{"sudar", "", [&] { return static_cast<double>(make_mesh_field(*body, grid, options)->stored_bricks()); }}});
    return session.race("distance field of a mesh", what + ", narrow band, 2 threads, from the bare mesh", 9, 0,
                        {{"sudar", "", build(sudar::FieldMethod::automatic)},
                         {"sudar, search by the tree", "", build(sudar::FieldMethod::search)}});
  }();
  if (!quick) session.bar_at_most("distance field of 100 000 triangles, 128³, 2 threads: ms", 1000, times[0].min_ms);

  // Errors and signs
  const auto field = std::make_shared<const sudar::DistanceField3>(*make_mesh_field(mesh, grid, options));
  const FieldErrors errors = errors_of(*field, *body, quick ? 50 : 300);
  Table table{"distance field of a mesh: what is stored",
              {"workload", "bricks", "of", "samples in the band", "largest error / size", "wrong signs"},
              {}};
  table.rows.push_back({what, std::to_string(field->stored_bricks()), std::to_string(grid.brick_count()),
                        std::to_string(errors.samples), short_number(errors.largest / size),
                        std::to_string(errors.wrong_signs)});
  session.add_table(std::move(table));
  session.bar_at_most("largest error at samples in the band, relative to the size", 1e-6, errors.largest / size);
  session.bar_at_most("wrong signs at samples", 0, static_cast<double>(errors.wrong_signs));

  // Samples
  std::vector<sudar::Vec3d> places(quick ? 100000 : 1000000);
  sudar::Random random(3);
  for (sudar::Vec3d& p : places)
    p = normalized(sudar::Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}) *
        random.uniform(0.9, 1.1);
  std::vector<sudar::FieldSample<3>> samples(places.size());
  session.race("samples of a field",
               std::to_string(places.size()) + " places near the surface, value and gradient, 1 thread", 9, 0,
               {{"sudar", "", [&] {
                   keep(field->sample(places, samples, sudar::serial_executor()).ok());
                   return 0.0;
                 }}});

  // Haptic updates
  Table haptic{"haptic probe: µs an update", {"surface", "radius", "median", "99 %", "worst"}, {}};
  double worst = 0;
  const auto walk = hand_walk(quick ? 2000 : 20000);
  const auto record = [&](const std::string& name, double radius, std::vector<double> t) {
    std::sort(t.begin(), t.end());
    worst = std::max(worst, t.back());
    haptic.rows.push_back({name, short_number(radius), short_number(t[t.size() / 2]),
                           short_number(t[t.size() * 99 / 100]), short_number(t.back())});
  };
  for (const double radius : {0.01, 0.05, 0.2}) {
    sudar::HapticOptions probe;
    probe.radius = radius;
    probe.friction = 0.2;
    record("mesh, " + std::to_string(mesh.triangles.size()) + " triangles", radius, update_times(body, probe, walk));
  }
  options.band = 16 * grid.cell;
  const auto wide = std::make_shared<const sudar::DistanceField3>(*make_mesh_field(mesh, grid, options));
  sudar::HapticOptions probe;
  probe.radius = 8 * grid.cell;
  record("field, " + std::to_string(side) + "³", probe.radius, update_times(wide, probe, walk));
  session.add_table(std::move(haptic));
  session.bar_at_most("slowest update of the haptic probe, µs (1000 Hz)", 1000, worst);

  const std::string& folder = session.options().out_dir;
  if (folder.empty()) return;
  // Told as the end of the part, after all that was measured
  if (const std::string file = folder + "/field.svg"; !write_field_picture(file))
    throw std::runtime_error("cannot write " + file);
  if (const std::string file = folder + "/path.svg"; !write_path_picture(file))
    throw std::runtime_error("cannot write " + file);
}

}  // namespace sudar_bench
