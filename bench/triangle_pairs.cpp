// What:    Triangle against triangle: the exact test, the plain one of the seed and CGAL's exact-predicates kernel, on
//          random pairs, pairs that share a corner or an edge, and pairs in one tilted plane. The plain version runs
//          outside of the race where it is wrong, and its wrong answers are counted.
#include "bench/peers/mesh_peer.hpp"
#include "bench/suites.hpp"
#include <sudar/core/random.hpp>
#include <sudar/narrowphase/triangle_triangle.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace sudar_bench {

namespace {

using sudar::Vec3d;
using Tri = sudar::Triangle<3, double>;

std::vector<Tri> make_pairs(std::string_view kind, std::size_t count, sudar::Random& random) {
  const auto point = [&] { return Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}; };
  // Multiples of 2^-30 in the plane z = 3x - 2y: exactly in it
  const auto in_plane = [&] {
    const double x = static_cast<double>(random.below(1u << 30)) * 0x1p-30;
    const double y = static_cast<double>(random.below(1u << 30)) * 0x1p-30;
    return Vec3d{x, y, 3 * x - 2 * y};
  };
  std::vector<Tri> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    Tri a{point(), point(), point()}, b{point(), point(), point()};
    if (kind == "shared edge") b = {a.b, a.a, b.c};
    if (kind == "shared corner") b.a = a.b;
    if (kind == "tilted coplanar") a = {in_plane(), in_plane(), in_plane()}, b = {in_plane(), in_plane(), in_plane()};
    pairs.push_back(a);
    pairs.push_back(b);
  }
  return pairs;
}

}  // namespace

void bench_triangle_pairs(Session& session) {
  const std::size_t count = session.options().quick ? 5000 : 20000;
  sudar::Random random(session.options().seed);
  Table wrong{"triangle pairs: the plain version", {"pairs", "count", "wrong"}, {}};
  for (const std::string kind : {"random", "shared edge", "shared corner", "tilted coplanar"}) {
    const std::vector<Tri> pairs = make_pairs(kind, count, random);
    const auto hits = [&pairs](auto&& test) {
      std::size_t n = 0;
      for (std::size_t i = 0; i < pairs.size(); i += 2) n += static_cast<bool>(test(pairs[i], pairs[i + 1]));
      return static_cast<double>(n);
    };
    std::vector<Contestant> contestants = {
        {"sudar exact", "", [&] { return hits([](const Tri& a, const Tri& b) { return intersects_exact(a, b); }); }},
        {"sudar exact, with what is shared", "",
         [&] { return hits([](const Tri& a, const Tri& b) { return intersection_exact(a, b); }); }},
        {"sudar plain intervals", "",
         [&] { return hits([](const Tri& a, const Tri& b) { return intersection_by_intervals(a, b); }); }}};
    std::size_t differ = 0;
    for (std::size_t i = 0; i < pairs.size(); i += 2)
      differ += intersects_exact(pairs[i], pairs[i + 1]) !=
                static_cast<bool>(intersection_by_intervals(pairs[i], pairs[i + 1]));
    wrong.rows.push_back({kind, std::to_string(count), std::to_string(differ)});
    if (differ != 0) contestants.pop_back();
    if (session.options().peers) {
#if defined(SUDAR_PEER_CGAL_TRIANGLES)
      contestants.push_back({"CGAL exact predicates", cgal_triangles_version(), cgal_triangle_hits(pairs)});
#else
      session.missing_peer("triangle pairs", "CGAL");
#endif
    }
    const auto result =
        session.race("triangle pairs", kind + ", " + std::to_string(count) + " pairs", 15, 0, contestants);
    session.bar_against_peers("triangle pairs, " + kind + ": times faster than CGAL's exact predicates", 1,
                              speedup_over_best_peer(result));
  }
  session.add_table(std::move(wrong));
}

}  // namespace sudar_bench
