// What:    Triangle against triangle: the exact test, the plain one of the seed and CGAL's exact-predicates kernel, on
//          random pairs, pairs that share a corner or an edge, and pairs in one tilted plane. The plain version runs
//          outside of the race where it is wrong, and its wrong answers are counted. Pairs that nearly touch are decided by
//          rational arithmetic as well, where that is there: no answer of the exact test may be another.
#include "bench/peers/mesh_peer.hpp"
#include "bench/rational_oracle.hpp"
#include "bench/suites.hpp"
#include "scenes/near_triangles.hpp"
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

constexpr const char* kNear = "triangle pairs that nearly touch: decisions other than those of rational arithmetic";

void decide_near_pairs(Session& session) {
  session.expect_bar(kNear, 0);
  if (!has_rational_oracle())
    return session.missing_input("rational arithmetic (GMP and Boost) for pairs of triangles");
  const std::size_t each = session.options().quick ? 1000 : 20000;
  static constexpr const char* kKinds[] = {"corner on face", "edge on edge", "corner on edge",
                                           "shared corner",  "shared edge",  "one plane"};
  Table table{"triangle pairs that nearly touch", {"pairs", "count", "hits", "wrong", "wrong_plain"}, {}};
  sudar::Random random(session.options().seed + 1);
  std::size_t all = 0;
  for (int kind = 0; kind < sudar::scenes::kNearKinds; ++kind) {
    session.progress(std::string("triangle pairs that nearly touch: ") + kKinds[kind]);
    std::size_t hits = 0, wrong = 0, plain = 0;
    for (std::size_t i = 0; i < each; ++i) {
      auto [a, b] = sudar::scenes::near_pair(random, kind);
      const auto ulps = static_cast<int>(random.below(3));
      for (Vec3d* corner : {&b.a, &b.b, &b.c}) *corner = sudar::scenes::shaken(*corner, random, ulps);
      const bool truth = rational_triangles_meet(a, b);
      hits += truth;
      wrong += intersects_exact(a, b) != truth || static_cast<bool>(intersection_exact(a, b)) != truth;
      plain += static_cast<bool>(intersection_by_intervals(a, b)) != truth;
    }
    table.rows.push_back(
        {kKinds[kind], std::to_string(each), std::to_string(hits), std::to_string(wrong), std::to_string(plain)});
    all += wrong;
  }
  session.add_table(std::move(table));
  session.bar_at_most(kNear, 0, static_cast<double>(all));
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
  decide_near_pairs(session);
}

}  // namespace sudar_bench
