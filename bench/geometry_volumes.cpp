// What:    The bounding volumes side by side: tightness and fit cost on three bodies, and the measured cost of an
//          overlap test and of a move for every kind.
#include "bench/suites.hpp"
#include <sudar/bounding/kdop.hpp>
#include <sudar/bounding/obb_fit.hpp>
#include <sudar/bounding/round_fit.hpp>
#include <sudar/bounding/sphere_fit.hpp>
#include <sudar/bounding/tightness.hpp>
#include <sudar/core/random.hpp>

#include <chrono>
#include <cstdio>
#include <vector>

namespace sudar_bench {

namespace {

using sudar::Vec3d;
using Cloud = std::vector<Vec3d>;

std::string number(double x, const char* format = "%.4g") {
  char text[32];
  std::snprintf(text, sizeof text, format, x);
  return text;
}

// A box on end, a bent rod, a ball: what suits one volume does not suit another
std::vector<std::pair<std::string, Cloud>> bodies(sudar::Random& random, std::size_t count) {
  Cloud box, rod, ball;
  const auto turn = normalized(sudar::Quatd{1, 0.4, -0.3, 0.2});
  while (ball.size() < count) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
    const Vec3d p{x, y, z};
    if (length_squared(p) > 1) continue;
    box.push_back(rotate(turn, Vec3d{3 * x, y, 0.5 * z}));
    rod.push_back(rotate(turn, p * 0.2 + Vec3d{4 * x, x * x, 0}));
    ball.push_back(p);
  }
  return {{"ellipsoid, turned", box}, {"bent rod", rod}, {"ball", ball}};
}

// Nanoseconds for one overlap test and one move of a volume, over many placements of it
template <class Volume>
std::vector<std::string> costs(const std::string& kind, const Volume& volume, sudar::Random& random) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t kPlaces = 256;
  std::vector<sudar::Pose3d> poses;
  for (std::size_t i = 0; i < kPlaces; ++i) {
    const double x = random.uniform(-4, 4), y = random.uniform(-4, 4), z = random.uniform(-4, 4);
    poses.push_back({{x, y, z}, normalized(sudar::Quatd{x, y, z, 1})});
  }
  std::vector<Volume> placed(kPlaces);
  double move_ns = 1e300, test_ns = 1e300;
  std::size_t hits = 0;
  for (int round = 0; round < 20; ++round) {
    auto start = Clock::now();
    for (std::size_t i = 0; i < kPlaces; ++i) placed[i] = transform(poses[i], volume);
    keep(placed.data());
    move_ns = std::min(move_ns, std::chrono::duration<double, std::nano>(Clock::now() - start).count() / kPlaces);
    start = Clock::now();
    hits = 0;
    for (std::size_t i = 0; i < kPlaces; ++i)
      for (std::size_t j = 0; j < kPlaces; ++j) hits += overlap(placed[i], placed[j]);
    keep(hits);
    const double all = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
    test_ns = std::min(test_ns, all / (kPlaces * kPlaces));
  }
  return {kind, number(test_ns), number(move_ns),
          number(100.0 * static_cast<double>(hits) / (kPlaces * kPlaces), "%.1f")};
}

}  // namespace

void bench_volumes(Session& session) {
  sudar::Random random(session.options().seed);
  Table fits{"volumes", {"body", "kind", "tightness", "fit_ms", "test_operations", "move_operations", "numbers"}, {}};
  const auto all = bodies(random, session.options().quick ? 200 : 2000);
  for (const auto& [name, points] : all) {
    const auto rows = sudar::compare_volumes<3>(points, 3);
    if (!rows) continue;
    for (const sudar::VolumeRow& row : *rows)
      fits.rows.push_back({name, std::string(row.kind), number(row.tightness), number(row.fit_ms),
                           std::to_string(row.test_cost), std::to_string(row.move_cost), std::to_string(row.numbers)});
  }
  session.add_table(fits);
  session.add_chart({"volumes",
                     "Volume over that of the convex hull: 1 is the tightest",
                     "volumes",
                     "bars",
                     "kind",
                     "tightness",
                     "",
                     false,
                     false,
                     {"body"},
                     {}});

  const Cloud& body = all[0].second;
  Table measured{"volume_costs", {"kind", "overlap_ns", "move_ns", "hits_percent"}, {}};
  measured.rows.push_back(costs("sphere", *sudar::smallest_sphere<3>(body), random));
  measured.rows.push_back(costs("aabb", *sudar::bounding_box<3, double>(body), random));
  measured.rows.push_back(costs("capsule", *sudar::bounding_capsule<3>(body), random));
  measured.rows.push_back(costs("cylinder", *sudar::bounding_cylinder(body), random));
  measured.rows.push_back(costs("obb", *sudar::smallest_box(body), random));
  measured.rows.push_back(costs("14-dop", *sudar::bounding_kdop<3, 14, double>(body), random));
  measured.rows.push_back(costs("26-dop", *sudar::bounding_kdop<3, 26, double>(body), random));
  session.add_table(measured);
  session.add_chart({"volume_tests",
                     "Nanoseconds for an overlap test",
                     "volume_costs",
                     "bars",
                     "kind",
                     "overlap_ns",
                     "",
                     false,
                     false,
                     {},
                     {}});
  session.add_chart({"volume_moves",
                     "Nanoseconds to have the volume after the body moved and turned",
                     "volume_costs",
                     "bars",
                     "kind",
                     "move_ns",
                     "",
                     false,
                     false,
                     {},
                     {}});

  // Means over the bodies; the costs by kind
  const auto tightness = [&](const std::string& kind) {
    double sum = 0, count = 0;
    for (const auto& row : fits.rows)
      if (row[1] == kind) sum += std::stod(row[2]), count += 1;
    return count > 0 ? sum / count : 0;
  };
  const auto cost = [&](const std::string& kind, std::size_t column) {
    for (const auto& row : measured.rows)
      if (row[0] == kind) return std::stod(row[column]);
    return 0.0;
  };
  const double sphere = tightness("sphere (smallest)"), aabb = tightness("aabb"), obb = tightness("obb (smallest)");
  session.add_finding(
      {"A13",
       "An oriented box fits tighter than an aligned one and a sphere, and its overlap test costs more (15 axes).",
       obb < aabb && obb < sphere && cost("obb", 1) > cost("aabb", 1) && cost("obb", 1) > cost("sphere", 1)
           ? Verdict::confirmed
           : Verdict::refuted,
       "over three bodies the oriented box has " + number(obb) + " times the volume of the hull, the aligned one " +
           number(aabb) + ", the sphere " + number(sphere) + "; a test takes " + number(cost("obb", 1)) +
           " ns against " + number(cost("aabb", 1)) + " and " + number(cost("sphere", 1)) + ".",
       "volumes"});
  session.add_finding({"A14", "A k-DOP gets tighter with k and dearer to test and to fit again after a rotation.",
                       tightness("26-dop") <= tightness("14-dop") && cost("26-dop", 1) >= cost("14-dop", 1) &&
                               cost("26-dop", 2) >= cost("14-dop", 2)
                           ? Verdict::confirmed
                           : Verdict::refuted,
                       "14 planes have " + number(tightness("14-dop")) + " times the hull's volume, take " +
                           number(cost("14-dop", 1)) + " ns to test and " + number(cost("14-dop", 2)) +
                           " to move; 26 planes " + number(tightness("26-dop")) + ", " + number(cost("26-dop", 1)) +
                           " and " + number(cost("26-dop", 2)) + ".",
                       "volume_tests"});
}

}  // namespace sudar_bench
