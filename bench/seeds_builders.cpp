// What:    The ways to build a hierarchy (seed A19): bottom-up, top-down at medians and by cost, by insertion with a cost, along a
//          Morton curve; with 2, 4 and 8 children: what building takes, how good the tree is, and what questions and all
//          pairs take.
// Differs: How good: the surfaces of all nodes relative to the root's (the cost of Goldsmith and Salmon, with two children and one
//          box a leaf), and the nodes and boxes that a question looks at. Both are counted, so that they do not depend on
//          the machine.
#include "bench/box_workloads.hpp"
#include "bench/statistics.hpp"
#include "bench/suites.hpp"
#include <sudar/broadphase/bottom_up_builder.hpp>
#include <sudar/broadphase/linear_builder.hpp>
#include <sudar/broadphase/registry.hpp>
#include <sudar/broadphase/top_down_builder.hpp>
#include <sudar/core/random.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

namespace sudar_bench {

namespace {

constexpr std::size_t kQuestions = 2000;
constexpr const char* kInsertion = "insertion by cost";

struct Builder {
  std::string name, how;
  int children;
  std::shared_ptr<sudar::Broadphase<3>> tree;
  std::shared_ptr<sudar::BoxStore<3>> store;
  bool one_by_one = false;  // boxes come into an empty tree
  double build = 0, query = 0, ray = 0, pairs = 0, nodes = 0, boxes = 0;
};

sudar::Aabb<3, float> box_of_row(const BoxRows& rows, std::size_t i) {
  sudar::Aabb<3, float> box;
  for (std::size_t k = 0; k < 3; ++k) {
    box.lo[static_cast<int>(k)] = rows[i * 6 + k];
    box.hi[static_cast<int>(k)] = rows[i * 6 + 3 + k];
  }
  return box;
}

// By the name of the way it is built; 0 for the one that is never built at once. `reach`: neighbours along the curve among
// which bottom-up looks for the nearest.
double cost_of(const std::string& how, const BoxRows& rows, std::uint32_t reach = 8) {
  sudar::BinaryTree<3> tree;
  for (std::size_t i = 0; i < rows.size() / 6; ++i)
    tree.items.push_back({box_of_row(rows, i), static_cast<std::uint32_t>(i)});
  sudar::Executor& one = sudar::serial_executor();
  if (how == "bottom-up")
    sudar::BottomUpBuilder<3>().build(tree, 1, reach, one);
  else if (how == "top-down, median")
    sudar::TopDownBuilder<3>().build(tree, 1, sudar::TreeSplit::median, one);
  else if (how == "top-down, cost")
    sudar::TopDownBuilder<3>().build(tree, 1, sudar::TreeSplit::binned_cost, one);
  else if (how.starts_with("Morton"))
    sudar::LinearBuilder<3>().build(tree, 1, how.ends_with("63 bits"), one);
  return tree_cost(tree);
}

// The tree from nothing
void build(const Builder& b, const BoxRows& rows) {
  if (!b.one_by_one) {
    keep(b.tree->build(*b.store).ok());
    return;
  }
  b.store->clear();
  keep(b.tree->build(*b.store).ok());
  for (std::size_t i = 0; i < rows.size() / 6; ++i) keep(b.store->insert(box_of_row(rows, i)).ok());
  keep(b.tree->update(*b.store).ok());
}

std::vector<Builder> builders(const std::shared_ptr<sudar::BoxStore<3>>& store) {
  struct Kind {
    const char *name, *algorithm, *parameter;
    double value;
  };
  constexpr Kind kKinds[] = {{"bottom-up", "bvh_bottom_up", nullptr, 0},
                             {"top-down, median", "bvh_top_down", "split", 0},
                             {"top-down, cost", "bvh_top_down", "split", 1},
                             {"Morton curve, 30 bits", "bvh_linear", "long_codes", 0},
                             {"Morton curve, 63 bits", "bvh_linear", "long_codes", 1}};
  std::vector<Builder> all;
  for (const Kind& kind : kKinds)
    for (const int children : {2, 4, 8}) {
      std::shared_ptr<sudar::Broadphase<3>> tree = std::move(*sudar::make_broadphase<3>(kind.algorithm));
      if (kind.parameter != nullptr) keep(tree->set_parameter(kind.parameter, kind.value).ok());
      keep(tree->set_parameter("width", children).ok());
      all.push_back(
          {std::string(kind.name) + ", " + std::to_string(children) + " children", kind.name, children, tree, store});
    }
  // A dynamic tree that puts in every box by itself, and is never made anew
  std::shared_ptr<sudar::Broadphase<3>> inserted = std::move(*sudar::make_broadphase<3>("dynamic_tree"));
  keep(inserted->set_parameter("batch", 1).ok());
  keep(inserted->set_parameter("quality", 100).ok());
  all.push_back({kInsertion, kInsertion, 2, inserted, std::make_shared<sudar::BoxStore<3>>(), true});
  return all;
}

}  // namespace

void bench_seed_builders(Session& session) {
  const std::size_t n = session.options().quick ? 10000 : 100000;
  const int rounds = session.options().quick ? 3 : 7;
  const std::string where = std::to_string(n) + " boxes";
  const BoxRows rows = uniform_boxes<3>(n, session.options().seed);
  const auto store = std::make_shared<sudar::BoxStore<3>>();
  if (!store->assign(rows)) return;
  const double width = world_width<3>(n);
  sudar::Random random(session.options().seed + 1);
  std::vector<sudar::Aabb<3, double>> probes(kQuestions);
  std::vector<sudar::BoxCast<3>> rays;
  for (sudar::Aabb<3, double>& probe : probes) {
    sudar::Vec3d from, along;
    for (int k = 0; k < 3; ++k) {
      probe.lo[k] = random.uniform(0, width), probe.hi[k] = probe.lo[k] + random.uniform(0.5, 1.5);
      from[k] = random.uniform(0, width), along[k] = random.uniform(-0.2, 0.2) * width;
    }
    rays.push_back(sudar::BoxCast<3>::ray(from, along, 1));
  }

  std::vector<Builder> all = builders(store);
  const auto race = [&](const std::string& what, auto&& work, double Builder::*result) {
    std::vector<Contestant> contestants;
    for (const Builder& b : all)
      contestants.push_back({b.name, "", [&work, &b] { return static_cast<double>(work(b)); }});
    const auto measured = session.race("a19_race", what + ", " + where, rounds, 0, contestants);
    for (std::size_t i = 0; i < all.size(); ++i) all[i].*result = measured[i].min_ms;
  };
  const auto ask_boxes = [&](const Builder& b) {
    std::size_t count = 0;
    for (const auto& probe : probes) count += b.tree->overlapping(*b.store, probe)->size();
    return count;
  };
  const auto cast_rays = [&](const Builder& b) {
    std::size_t count = 0;
    for (const auto& ray : rays) count += b.tree->cast_closest(*b.store, ray)->has_value() ? 1 : 0;
    return count;
  };
  const auto build_only = [&](const Builder& b) {
    build(b, rows);
    return 0;
  };
  const auto all_pairs = [&](const Builder& b) {
    build(b, rows);
    return b.tree->pairs(*b.store, sudar::PairOrder::any)->size();
  };
  race("build", build_only, &Builder::build);
  race("2000 boxes asked", ask_boxes, &Builder::query);
  for (Builder& b : all) {
    // Counted since the last build
    build(b, rows);
    keep(ask_boxes(b));
    b.nodes = static_cast<double>(b.tree->query_counters().nodes_visited) / kQuestions;
    b.boxes = static_cast<double>(b.tree->query_counters().box_tests) / kQuestions;
  }
  race("2000 rays, first hit", cast_rays, &Builder::ray);
  race("build and all pairs", all_pairs, &Builder::pairs);

  Table table{"a19_builders",
              {"builder", "children", "bodies", "build_ms", "query_us", "ray_us", "build_and_pairs_ms", "nodes_a_query",
               "boxes_a_query", "surface_cost"},
              {}};
  std::map<std::string, double> cost;
  for (const Builder& b : all)
    if (!cost.contains(b.how)) cost[b.how] = cost_of(b.how, rows);
  const Builder *quickest = &all[0], *slowest = &all[0], *best = &all[0];
  for (const Builder& b : all) {
    table.rows.push_back({b.how, std::to_string(b.children), std::to_string(n), number_text(b.build),
                          number_text(1000 * b.query / kQuestions), number_text(1000 * b.ray / kQuestions),
                          number_text(b.pairs), number_text(b.nodes), number_text(b.boxes),
                          cost[b.how] > 0 ? number_text(cost[b.how]) : ""});
    if (b.build < quickest->build) quickest = &b;
    if (b.build > slowest->build) slowest = &b;
    if (b.query < best->query) best = &b;
  }
  session.add_table(std::move(table));
  session.add_chart({"a19_build",
                     "Time to build, by builder and children",
                     "a19_builders",
                     "bars",
                     "children",
                     "build_ms",
                     "builder",
                     false,
                     true,
                     {},
                     {}});
  session.add_chart({"a19_query",
                     "Time of a box question, by builder and children",
                     "a19_builders",
                     "bars",
                     "children",
                     "query_us",
                     "builder",
                     false,
                     false,
                     {},
                     {}});
  const auto of = [&](const std::string& how, int children) -> const Builder& {
    for (const Builder& b : all)
      if (b.how == how && b.children == children) return b;
    return all.front();
  };
  const Builder &up = of("bottom-up", 2), &curve = of("Morton curve, 30 bits", 2), &median = of("top-down, median", 2);
  // The seed looks for the nearest of all, which takes the square of the number: few boxes, then
  constexpr std::uint32_t kFew = 2000;
  const BoxRows few = uniform_boxes<3>(kFew, session.options().seed);
  const double grouped = cost_of("bottom-up", few, kFew);
  double least = grouped;
  std::string costs, costs_of_few;
  for (const auto& [how, value] : cost) {
    if (value <= 0) continue;
    const double of_few = how == "bottom-up" ? grouped : cost_of(how, few);
    least = std::min(least, of_few);
    costs += (costs.empty() ? "" : ", ") + number_text(value) + " " + how;
    costs_of_few += (costs_of_few.empty() ? "" : ", ") + number_text(of_few) + " " + how;
  }
  // Optimal is what no other way falls below
  session.add_finding({"A19", "Boxes that are grouped from the bottom up by distance are of optimal size.",
                       grouped <= least ? Verdict::confirmed : Verdict::refuted,
                       "the surfaces of all nodes, relative to the root's, of " + std::to_string(kFew) +
                           " boxes, among all of which bottom-up looks for the nearest: " + costs_of_few +
                           ", so that bottom-up has " + number_text(100 * (grouped / least - 1)) +
                           " % more than the least; of " + where + ", where it looks along the Morton curve: " + costs +
                           "; with two children a question looks at " + number_text(up.nodes + up.boxes) +
                           " nodes and boxes of a tree from the bottom up, at " +
                           number_text(curve.nodes + curve.boxes) + " of one along the Morton curve and at " +
                           number_text(median.nodes + median.boxes) + " of one split at medians.",
                       "a19_query"});
  session.add_finding(
      {"A19",
       "Along a Z-order curve a tree is made by sorting alone, with 2, 4 or 8 children; insertion looks for the best "
       "place of "
       "every box.",
       quickest->how.starts_with("Morton") && quickest->build < of(kInsertion, 2).build ? Verdict::confirmed
                                                                                        : Verdict::refuted,
       quickest->name + " is built fastest (" + number_text(quickest->build) + " ms for " + where + "), " +
           slowest->name + " slowest (" + number_text(slowest->build) + " ms); questions are fastest in " + best->name +
           " (" + number_text(1000 * best->query / kQuestions) + " µs).",
       "a19_build"});
}

}  // namespace sudar_bench
