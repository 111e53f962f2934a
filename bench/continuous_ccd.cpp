// What:    Vertex against face and edge against edge with linear motion: the time of a query on random sets and on the hard
//          ones, and the answers on the public queries, scaled and moved, against integers and the published truth. Then
//          whole meshes between two frames.
// Differs: A query is timed alone, the median of a few rounds, because the slowest one matters as much as the median of all.
//          Answers of a sample are compared with rational arithmetic that shares nothing with the library, where GMP is
//          found (ccd_oracle.hpp).
#include "bench/ccd_oracle.hpp"
#include "bench/pinning.hpp"
#include "bench/suites.hpp"
#include "scenes/ccd_queries.hpp"
#include <sudar/continuous/exact_impact.hpp>
#include <sudar/continuous/impact_filter.hpp>
#include <sudar/continuous/inclusion_impact.hpp>
#include <sudar/continuous/mesh_frames.hpp>
#include <sudar/continuous/primitive_impact.hpp>
#include <sudar/core/parallel.hpp>
#include <sudar/geom/mesh_makers.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sudar_bench {

namespace {

using sudar_scenes::CcdKind;
using sudar_scenes::CcdQuery;

sudar::PrimitiveImpact impact(const CcdQuery& q) {
  const auto x = q.edges ? sudar::edge_edge_impact(q.start, q.end) : sudar::vertex_face_impact(q.start, q.end);
  return x ? *x : sudar::PrimitiveImpact{};
}
sudar::ExactImpact exact(const CcdQuery& q) {
  return q.edges ? sudar::exact_edge_edge(q.start, q.end) : sudar::exact_vertex_face(q.start, q.end);
}
// Within a thousandth of the size of most queries
sudar::PrimitiveImpact within(const CcdQuery& q) {
  const sudar::ImpactOptions options{.min_separation = 1e-3};
  const auto x =
      q.edges ? sudar::edge_edge_impact(q.start, q.end, options) : sudar::vertex_face_impact(q.start, q.end, options);
  return x ? *x : sudar::PrimitiveImpact{};
}
bool unsure(const CcdQuery& q) {
  const auto x = q.edges ? sudar::filter_edge_edge(q.start, q.end) : sudar::filter_vertex_face(q.start, q.end);
  return x.verdict == sudar::FilterVerdict::unsure;
}
bool plain(const CcdQuery& q) {
  const sudar::InclusionOptions options{.tolerance = 1e-6};
  return (q.edges ? sudar::inclusion_edge_edge(q.start, q.end, options)
                  : sudar::inclusion_vertex_face(q.start, q.end, options))
      .hit;
}

// Some answers take a second each, so that a sample is what fits into a time
class Budget {
 public:
  explicit Budget(double seconds) : seconds_(seconds) {}
  bool spent() const { return std::chrono::duration<double>(Clock::now() - begin_).count() > seconds_; }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_ = Clock::now();
  double seconds_;
};

const char* name_of(CcdKind kind) {
  constexpr const char* kNames[] = {"random",  "close",  "lattice",     "flat", "line",
                                    "slanted", "nudged", "translating", "wide"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string text(double x) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.4g", x);
  return buffer;
}

struct Times {
  double median = 0, mean = 0, most = 0;  // µs
};
template <class F>
Times time_each(const std::vector<CcdQuery>& queries, int rounds, int repeats, F&& run) {
  using Clock = std::chrono::steady_clock;
  const auto once = [&](const CcdQuery& q) {
    const auto begin = Clock::now();
    for (int r = 0; r < repeats; ++r) keep(run(q));
    return std::chrono::duration<double, std::micro>(Clock::now() - begin).count() / repeats;
  };
  const auto middle = [](std::span<double> us) {
    std::nth_element(us.begin(), us.begin() + static_cast<std::ptrdiff_t>(us.size() / 2), us.end());
    return us[us.size() / 2];
  };
  const auto per = static_cast<std::size_t>(rounds);
  std::vector<double> all(queries.size() * per), each(queries.size());
  for (std::size_t round = 0; round < per; ++round)
    for (std::size_t i = 0; i < queries.size(); ++i) all[i * per + round] = once(queries[i]);
  for (std::size_t i = 0; i < queries.size(); ++i) each[i] = middle(std::span(all).subspan(i * per, per));
  // What seems very slow is looked at again: it may have been the machine
  constexpr double kSlow = 100;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (each[i] < kSlow) continue;
    std::array<double, 15> again;
    for (double& us : again) us = once(queries[i]);
    each[i] = middle(again);
  }
  Times t;
  for (const double us : each) t.mean += us / static_cast<double>(each.size());
  t.most = *std::max_element(each.begin(), each.end());
  t.median = middle(each);
  return t;
}

// The plain search, once for each query that fits into the time; how many did
Times time_plain(const std::vector<CcdQuery>& queries, std::size_t most, double seconds, std::size_t& looked_at) {
  const Budget budget(seconds);
  std::vector<double> us;
  for (std::size_t i = 0; i < std::min(most, queries.size()) && !(i > 0 && budget.spent()); ++i) {
    const auto begin = std::chrono::steady_clock::now();
    keep(plain(queries[i]));
    us.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
  }
  looked_at = us.size();
  Times t;
  if (us.empty()) return t;
  std::sort(us.begin(), us.end());
  for (const double x : us) t.mean += x / static_cast<double>(us.size());
  t.median = us[us.size() / 2], t.most = us.back();
  return t;
}

struct Wrong {
  std::size_t queries = 0, missed = 0, invented = 0, late = 0;

  void look(const CcdQuery& q, bool hit) {
    const sudar::PrimitiveImpact x = impact(q);
    ++queries;
    missed += hit && !x.hit;
    invented += !hit && x.hit;
    if (x.hit && hit) late += x.t_lower > exact(q).lo;
  }
  Wrong& operator+=(const Wrong& o) {
    queries += o.queries, missed += o.missed, invented += o.invented, late += o.late;
    return *this;
  }
};

// Two bumpy balls that move into each other while every vertex trembles, and one that crumples
void bench_frames(Session& session) {
  Table table{"ccd_frames", {"meshes", "triangles", "candidates", "contacts", "t_lower", "ms_min"}, {}};
  for (const std::uint32_t level : {3u, session.options().quick ? 4u : 5u}) {
    session.progress("ccd: meshes between two frames, level " + std::to_string(level));
    const auto ball = sudar::icosphere_mesh(1, level);
    if (!ball) return;
    sudar::Random random(session.options().seed);
    const double edge = 1.2 / static_cast<double>(1u << level);
    const auto shaken = [&](const sudar::Vec3d& by, double amount) {
      std::vector<sudar::Vec3d> points = ball->vertices;
      for (sudar::Vec3d& p : points)
        p = p + by +
            sudar::Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)} * (amount * edge);
      return points;
    };
    const auto a0 = shaken({}, 0), a1 = shaken({}, 0.1), b0 = shaken({2.05, 0.1, 0}, 0),
               b1 = shaken({1.95, 0.1, 0}, 0.1);
    const auto c1 = shaken({}, 1);
    const auto row = [&](const std::string& name, std::size_t triangles, auto&& run) {
      using Clock = std::chrono::steady_clock;
      double best = 1e300;
      sudar::FramesImpact last;
      for (int round = 0; round < 3; ++round) {
        const auto begin = Clock::now();
        auto x = run();
        best = std::min(best, std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
        if (x) last = *std::move(x);
      }
      table.rows.push_back({name, std::to_string(triangles), std::to_string(last.candidates),
                            std::to_string(last.contacts.size()), text(last.t_lower), text(best)});
    };
    const std::size_t n = ball->triangles.size();
    for (const unsigned threads : {1u, 2u}) {
      const auto executor = sudar::make_executor(threads);
      const std::string with = threads == 1 ? "" : ", " + std::to_string(threads) + " threads";
      row("two balls that meet" + with, 2 * n, [&] {
        return sudar::mesh_frames_impact({a0, a1, ball->triangles}, {b0, b1, ball->triangles}, {}, nullptr,
                                         executor.get());
      });
      row("one ball that crumples" + with, n, [&] {
        return sudar::mesh_frames_self_impact({a0, c1, ball->triangles}, {}, nullptr, executor.get());
      });
    }
  }
  session.add_table(std::move(table));
}

constexpr const char* kPublic = "ccd: answers on public queries that are not the published ones";
constexpr const char* kRational = "ccd: answers that rational arithmetic does not confirm";

const char* name_of(bool edges) { return edges ? "edge-edge" : "vertex-face"; }

}  // namespace

void bench_ccd(Session& session) {
  const bool quick = session.options().quick;
  const std::size_t count = quick ? 2000 : 20000;
  const std::vector<sudar_scenes::CcdFile> files = sudar_scenes::read_ccd_folder(SUDAR_CCD_QUERIES);
  session.expect_bar(kPublic, 0);
  session.expect_bar(kRational, 0);
  if (files.empty()) session.missing_input("the public queries, beside the checkout; made-up ones only");
  if (session.options().peers) session.missing_peer("ccd", "Tight-Inclusion");

  // Time a query
  Table times{"ccd_time",
              {"set", "primitives", "queries", "hits", "to_integers", "median_us", "mean_us", "max_us", "plain_queries",
               "plain_median_us", "plain_mean_us"},
              {}};
  struct Limit {
    bool edges;
    double median;
  };
  // Twice what Tight-Inclusion took on random sets
  for (const Limit limit : {Limit{false, 0.86}, Limit{true, 0.92}}) {
    const auto measure = [&](const std::string& set, const std::vector<CcdQuery>& queries) {
      session.progress("ccd: " + set + ", " + name_of(limit.edges));
      const PinnedHere pinned(session.options().pin);
      std::size_t hits = 0, integers = 0;
      for (const CcdQuery& q : queries) hits += impact(q).hit, integers += unsure(q);
      const Times t = time_each(queries, quick ? 3 : 7, 4, impact);
      // The plain search takes seconds where exponents are far apart
      std::size_t few = 0;
      const Times p = time_plain(queries, set == "wide" ? 0 : quick ? 50 : 300, quick ? 0.5 : 3, few);
      times.rows.push_back({set, name_of(limit.edges), std::to_string(queries.size()), std::to_string(hits),
                            std::to_string(integers), text(t.median), text(t.mean), text(t.most), std::to_string(few),
                            few == 0 ? "" : text(p.median), few == 0 ? "" : text(p.mean)});
      return t;
    };
    const auto made = [&](CcdKind kind) {
      sudar::Random random(session.options().seed);
      std::vector<CcdQuery> queries(count);
      for (CcdQuery& q : queries) q = make_ccd_query(kind, limit.edges, random);
      return queries;
    };
    for (const auto& [set, kind] : {std::pair{"random", CcdKind::random}, std::pair{"close", CcdKind::close}}) {
      const Times t = measure(set, made(kind));
      const std::string what = std::string("ccd ") + name_of(limit.edges) + ", " + set + ": ";
      session.bar_at_most(what + "median µs", limit.median, t.median);
      session.bar_at_most(what + "mean µs", 5, t.mean);
    }
    double slowest = 0, hardest = 0;
    for (const auto& [set, kind] :
         {std::pair{"lattice", CcdKind::lattice}, std::pair{"flat", CcdKind::flat}, std::pair{"line", CcdKind::line},
          std::pair{"slanted", CcdKind::slanted}, std::pair{"nudged", CcdKind::nudged}}) {
      const Times t = measure(set, made(kind));
      slowest = std::max(slowest, t.most), hardest = std::max(hardest, t.mean);
    }
    // Exponents far apart: a bar for the slowest only
    auto far_apart = made(CcdKind::wide);
    far_apart.resize(far_apart.size() / 10);
    slowest = std::max(slowest, measure("wide", far_apart).most);
    std::vector<CcdQuery> known;
    for (const auto& file : files)
      for (const CcdQuery& q : file.queries)
        if (q.edges == limit.edges) known.push_back(q);
    if (!known.empty()) {
      const Times t = measure("public", known);
      slowest = std::max(slowest, t.most), hardest = std::max(hardest, t.mean);
    }
    session.bar_at_most(std::string("ccd ") + name_of(limit.edges) + ": mean µs of the hardest set", 5, hardest);
    // With a minimum separation, which is met up to a tolerance
    for (const auto& [set, kind] : {std::pair{"random", CcdKind::random}, std::pair{"close", CcdKind::close},
                                    std::pair{"lattice", CcdKind::lattice}}) {
      session.progress(std::string("ccd: within a separation, ") + set + ", " + name_of(limit.edges));
      const std::vector<CcdQuery> queries = made(kind);
      std::size_t hits = 0;
      for (const CcdQuery& q : queries) hits += within(q).hit;
      const Times t = time_each(queries, quick ? 3 : 7, 1, within);
      times.rows.push_back({std::string(set) + ", within 0.001", name_of(limit.edges), std::to_string(queries.size()),
                            std::to_string(hits), "0", text(t.median), text(t.mean), text(t.most), "0", "", ""});
      session.bar_at_most(std::string("ccd ") + name_of(limit.edges) + ", " + set + ": within a separation, mean µs", 5,
                          t.mean);
    }
    session.bar_at_most(std::string("ccd ") + name_of(limit.edges) + ": slowest query of the hard sets, µs", 1000,
                        slowest);
  }
  session.add_table(std::move(times));

  // Answers: scaled copies keep the published truth; moved copies round and are decided anew by integers
  Table truth{"ccd_truth", {"set", "copies", "queries", "missed", "invented", "late"}, {}};
  Wrong all, published;
  const auto row = [&](const std::string& set, const std::string& copies, const Wrong& w) {
    truth.rows.push_back({set, copies, std::to_string(w.queries), std::to_string(w.missed), std::to_string(w.invented),
                          std::to_string(w.late)});
    all += w;
  };
  for (const bool edges : {false, true}) {
    const auto each = [&](auto&& body) {
      for (const auto& file : files)
        for (const CcdQuery& q : file.queries)
          if (q.edges == edges) body(q);
    };
    if (!files.empty()) {
      session.progress(std::string("ccd: answers on the public queries, ") + name_of(edges));
      Wrong w;
      each([&](const CcdQuery& q) { w.look(q, q.hit); });
      published += w;
      row(std::string("public ") + name_of(edges), "as they are", w);
      w = {};
      for (int e = -20; e <= 20; e += quick ? 20 : 1)
        if (e != 0) each([&](const CcdQuery& q) { w.look(scaled(q, e), q.hit); });
      published += w;
      row(std::string("public ") + name_of(edges), quick ? "scaled by 2^-20 and 2^20" : "scaled by 2^-20 … 2^20", w);
      w = {};
      for (const auto& change :
           {std::pair{0, sudar::Vec3d{1e6, -1e6, 1e6}}, std::pair{0, sudar::Vec3d{1, 2, 3}},
            std::pair{-20, sudar::Vec3d{0x1p20, 0x1p20, 1}}, std::pair{20, sudar::Vec3d{0x1p-20, 0.1, 1e3}}})
        each([&](const CcdQuery& q) {
          const CcdQuery moved = translated(scaled(q, change.first), change.second);
          w.look(moved, exact(moved).hit);
        });
      row(std::string("public ") + name_of(edges), "scaled and moved", w);
    }
    Wrong w;
    sudar::Random random(session.options().seed + 1);
    for (const CcdKind kind : sudar_scenes::kAllCcdKinds)
      for (std::size_t i = 0; i < count; ++i) {
        const CcdQuery q = make_ccd_query(kind, edges, random);
        w.look(q, exact(q).hit);
      }
    row(std::string("made up ") + name_of(edges), "as they are", w);
  }
  session.add_table(std::move(truth));
  if (published.queries > 0)
    session.bar_at_most(kPublic, 0, static_cast<double>(published.missed + published.invented + published.late));

  // A sample against the oracle: neither the filter nor the integers are asked
  if (has_ccd_oracle()) {
    Table table{"ccd_oracle", {"set", "asked_for", "compared", "missed", "invented", "late"}, {}};
    Wrong sum;
    const auto look = [&](const CcdQuery& q, Wrong& w) {
      const sudar::PrimitiveImpact x = impact(q);
      const OracleVerdict truth_of = ask_ccd_oracle(q, x.t_lower);
      ++w.queries;
      w.missed += truth_of.hit && !x.hit;
      w.invented += !truth_of.hit && x.hit;
      w.late += truth_of.hit && x.hit && truth_of.late;
    };
    const auto finish = [&](const std::string& set, std::size_t asked, const Wrong& w) {
      table.rows.push_back({set, std::to_string(asked), std::to_string(w.queries), std::to_string(w.missed),
                            std::to_string(w.invented), std::to_string(w.late)});
      sum += w;
    };
    sudar::Random random(session.options().seed + 2);
    const std::size_t sample = quick ? 40 : 300;
    const double seconds = quick ? 1 : 8;
    for (const CcdKind kind : sudar_scenes::kAllCcdKinds) {
      session.progress(std::string("ccd: a sample against rational arithmetic, ") + name_of(kind));
      Wrong made_up;
      const Budget budget(seconds);
      for (std::size_t i = 0; i < sample && !budget.spent(); ++i)
        look(make_ccd_query(kind, i % 2 == 0, random), made_up);
      finish(std::string("made up, ") + name_of(kind), sample, made_up);
    }
    Wrong known;
    std::vector<const CcdQuery*> queries;
    for (const auto& file : files)
      for (const CcdQuery& q : file.queries) queries.push_back(&q);
    session.progress("ccd: a sample of the public queries against rational arithmetic");
    const Budget budget(2 * seconds);
    const std::size_t asked = queries.empty() ? 0 : 6 * sample;
    for (std::size_t i = 0; i < asked && !budget.spent(); ++i) look(*queries[random.below(queries.size())], known);
    if (known.queries > 0) finish("public", asked, known);
    session.add_table(std::move(table));
    session.bar_at_most(kRational, 0, static_cast<double>(sum.missed + sum.invented + sum.late));
  } else {
    session.missing_input("GMP, without which no sample is compared with rational arithmetic");
  }
  bench_frames(session);
  session.bar_at_most("ccd: hits that were missed", 0, static_cast<double>(all.missed));
  session.bar_at_most("ccd: hits that were invented", 0, static_cast<double>(all.invented));
  session.bar_at_most("ccd: lower times after the first time", 0, static_cast<double>(all.late));
}

}  // namespace sudar_bench
