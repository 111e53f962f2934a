// What:    The race of the trees: `dynamic_tree` alone against Bullet's, FCL's and Box2D's on build, update, questions, all
//          pairs, and boxes that come and go one by one; and our own trees side by side with what they visit.
#include "bench/peers/tree_peer.hpp"
#include "bench/suites.hpp"
#include <sudar/broadphase/registry.hpp>
#include <sudar/core/random.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace sudar_bench {

namespace {

using sudar::BoxStore;
using sudar::Broadphase;
using sudar::PairOrder;
using Rows = std::vector<float>;

// Edges of 0.5 to 1.5 in a world in which each box overlaps about one other
template <int D>
Rows make_boxes(std::size_t count, sudar::Random& random) {
  const double width = 2 * std::pow(static_cast<double>(count), 1.0 / D);
  Rows rows(count * 2 * D);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < D; ++k) {
      const double lo = random.uniform(0, width);
      rows[i * 2 * D + k] = static_cast<float>(lo);
      rows[i * 2 * D + D + k] = static_cast<float>(lo + random.uniform(0.5, 1.5));
    }
  return rows;
}

// The boxes after each of `steps` steps, all with velocities of their own
template <int D>
std::vector<Rows> make_motion(const Rows& start, double speed, std::size_t steps, sudar::Random& random) {
  Rows velocity(start.size() / 2);
  for (float& v : velocity) v = static_cast<float>(random.uniform(-speed, speed));
  std::vector<Rows> frames = {start};
  for (std::size_t s = 0; s < steps; ++s) {
    Rows next = frames.back();
    for (std::size_t i = 0; i < next.size() / (2 * D); ++i)
      for (std::size_t k = 0; k < D; ++k) {
        next[i * 2 * D + k] += velocity[i * D + k];
        next[i * 2 * D + D + k] += velocity[i * D + k];
      }
    frames.push_back(std::move(next));
  }
  return frames;
}

// Segments a tenth of the world long
template <int D>
Rows make_rays(std::size_t count, double width, sudar::Random& random) {
  Rows rays(count * 2 * D);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < D; ++k) {
      const double from = random.uniform(0, width);
      rays[i * 2 * D + k] = static_cast<float>(from);
      rays[i * 2 * D + D + k] = static_cast<float>(from + random.uniform(-0.05, 0.05) * width);
    }
  return rays;
}

// dynamic_tree in the peers' place
template <int D>
class OurTree final : public TreePeer {
 public:
  // `each`: it takes in each box that comes or goes before the next one, as a peer does; otherwise all of them together
  explicit OurTree(bool each = true) : each_(each) {}
  void build(std::span<const float> boxes) override {
    keep(store_.assign(boxes).ok());
    keep(tree_->build(store_).ok());
  }
  void clear(std::span<const float> boxes) override {
    store_.clear();
    keep(tree_->build(store_).ok());
    boxes_ = boxes;
    ids_.assign(boxes.size() / (2 * D), 0);
  }
  void insert(std::size_t i) override {
    ids_[i] = *store_.insert(box_of(boxes_, i));
    if (each_) settle();
  }
  void remove(std::size_t i) override {
    keep(store_.remove(ids_[i]).ok());
    if (each_) settle();
  }
  void settle() override { keep(tree_->update(store_).ok()); }
  // Box by box through the store, as a peer is told
  void update(std::span<const float> boxes) override {
    for (std::uint32_t i = 0; i < store_.size(); ++i) keep(store_.move(i, box_of(boxes, i)).ok());
    keep(tree_->update(store_).ok());
  }
  std::size_t count_overlaps(std::span<const float> probes) override {
    std::size_t count = 0;
    for (std::size_t i = 0; i < probes.size() / (2 * D); ++i)
      count += tree_->overlapping(store_, wide(box_of(probes, i)))->size();
    return count;
  }
  std::size_t count_ray_hits(std::span<const float> rays) override {
    std::size_t count = 0;
    for (std::size_t i = 0; i < rays.size() / (2 * D); ++i) {
      const auto ends = wide(box_of(rays, i));
      count += tree_->cast_all(store_, sudar::BoxCast<D>::ray(ends.lo, ends.hi - ends.lo, 1))->size();
    }
    return count;
  }
  std::size_t count_pairs() override { return tree_->pairs(store_, PairOrder::any)->size(); }

 private:
  static sudar::Aabb<D, float> box_of(std::span<const float> rows, std::size_t i) {
    sudar::Aabb<D, float> box;
    for (int k = 0; k < D; ++k) {
      box.lo[k] = rows[i * 2 * D + static_cast<std::size_t>(k)];
      box.hi[k] = rows[i * 2 * D + D + static_cast<std::size_t>(k)];
    }
    return box;
  }
  static sudar::Aabb<D, double> wide(const sudar::Aabb<D, float>& box) {
    sudar::Aabb<D, double> out;
    for (int k = 0; k < D; ++k) {
      out.lo[k] = box.lo[k];
      out.hi[k] = box.hi[k];
    }
    return out;
  }

  bool each_;
  BoxStore<D> store_;
  std::span<const float> boxes_;    // that come and go one by one …
  std::vector<std::uint32_t> ids_;  // … and who they are in the store
  std::unique_ptr<Broadphase<D>> tree_ = std::move(*sudar::make_broadphase<D>("dynamic_tree"));
};

struct Entrant {
  std::string name, version;
  std::shared_ptr<TreePeer> tree;
  bool rays = true;
  bool ready = true;  // its tree could be made
};

template <int D>
std::vector<Entrant> entrants(Session& session, [[maybe_unused]] const std::string& table) {
  std::vector<Entrant> all;
  all.push_back({"sudar dynamic_tree", "", std::make_shared<OurTree<D>>()});
  if (!session.options().peers) return all;
  if constexpr (D == 3) {
#if defined(SUDAR_PEER_BULLET)
    all.push_back({"Bullet btDbvt", bullet_version(), make_bullet_dbvt()});
#else
    session.missing_peer(table, "Bullet btDbvt");
#endif
#if defined(SUDAR_PEER_FCL)
    all.push_back({"FCL HierarchyTree", fcl_version(), make_fcl_tree(), false});
#else
    session.missing_peer(table, "FCL HierarchyTree");
#endif
  } else {
#if defined(SUDAR_PEER_BOX2D)
    all.push_back({"Box2D b2DynamicTree", box2d_version(), make_box2d_tree()});
#else
    session.missing_peer(table, "Box2D b2DynamicTree");
#endif
  }
  return all;
}

template <int D>
void race_trees(Session& session, std::size_t count) {
  const std::string table = "trees";
  const std::string where = std::to_string(D) + "D, " + std::to_string(count) + " boxes";
  const int rounds = session.options().quick ? 3 : count > 50000 ? 5 : 15;
  sudar::Random random(session.options().seed);
  const Rows boxes = make_boxes<D>(count, random);
  const double width = 2 * std::pow(static_cast<double>(count), 1.0 / D);
  const std::size_t questions = 2000;
  Rows probes = make_boxes<D>(count, random);
  probes.resize(std::min(probes.size(), questions * 2 * D));
  const Rows rays = make_rays<D>(questions, width, random);
  std::vector<Entrant> all = entrants<D>(session, table);

  const auto race = [&](const std::string& what, bool with_rays, bool with_bar, auto&& work) {
    std::vector<Contestant> contestants;
    for (const Entrant& entrant : all)
      if (entrant.ready && (entrant.rays || !with_rays))
        contestants.push_back(
            {entrant.name, entrant.version, [&work, tree = entrant.tree] { return static_cast<double>(work(*tree)); }});
    const auto speedup = speedup_over_best_peer(session.race(table, what + ", " + where, rounds, 0, contestants));
    if (with_bar) session.bar_against_peers(what + ", " + where + ": times faster than the best tree", 1, speedup);
  };
  // What a race begins with; a peer that fails here takes no part
  const auto prepare = [&](const std::string& what, auto&& make) {
    for (Entrant& entrant : all) {
      const auto made = [&] { make(*entrant.tree); };
      if (entrant.version.empty())
        made();
      else
        entrant.ready =
            session.made(table, what + ", " + where + ": before the race", entrant.name, entrant.version, made);
    }
  };
  const std::span<const float> one_probe(probes.data(), 2 * D);
  race("build", false, true, [&](TreePeer& tree) {
    tree.build(boxes);
    return tree.count_overlaps(one_probe);
  });
  race("2000 boxes asked", false, true, [&](TreePeer& tree) { return tree.count_overlaps(probes); });
  race("2000 rays cast", true, true, [&](TreePeer& tree) { return tree.count_ray_hits(rays); });
  race("build and all pairs", false, true, [&](TreePeer& tree) {
    tree.build(boxes);
    return tree.count_pairs();
  });
  for (const double speed : {0.001, 0.02}) {
    // There and back again, so that every round starts where the last one ended
    std::vector<Rows> frames = make_motion<D>(boxes, speed * width, 10, random);
    for (std::size_t i = frames.size() - 1; i-- > 0;) frames.push_back(frames[i]);
    const std::string what = speed < 0.01 ? "20 slow steps" : "20 fast steps";
    prepare(what, [&](TreePeer& tree) { tree.build(boxes); });
    race(what + ", update", false, true, [&](TreePeer& tree) {
      for (const Rows& frame : frames) tree.update(frame);
      return tree.count_overlaps(probes);
    });
    race(what + ", update and all pairs", false, true, [&](TreePeer& tree) {
      std::size_t pairs = 0;
      for (const Rows& frame : frames) {
        tree.update(frame);
        pairs += tree.count_pairs();
      }
      return pairs;
    });
    race("2000 boxes asked after " + what, false, true, [&](TreePeer& tree) { return tree.count_overlaps(probes); });
  }

  // Boxes that come and go by themselves. No bar is on the time: ours looks for the best place of each box, for which questions
  // take less.
  all.push_back({"sudar dynamic_tree, all together", "", std::make_shared<OurTree<D>>(false)});
  const auto put_in = [&](TreePeer& tree) {
    tree.clear(boxes);
    for (std::size_t i = 0; i < count; ++i) tree.insert(i);
    tree.settle();
  };
  prepare("one by one", put_in);
  race("put in one by one", false, false, [&](TreePeer& tree) {
    put_in(tree);
    return tree.count_overlaps(one_probe);
  });
  // Of a tree that was made so
  race("every tenth taken out and put in again, one by one", false, false, [&](TreePeer& tree) {
    for (std::size_t i = 0; i < count; i += 10) tree.remove(i);
    for (std::size_t i = 0; i < count; i += 10) tree.insert(i);
    tree.settle();
    return tree.count_overlaps(one_probe);
  });
  race("2000 boxes asked of what was put in one by one", false, true,
       [&](TreePeer& tree) { return tree.count_overlaps(probes); });
}

// What each of our trees looks at and how long it takes, for the same boxes
template <int D>
void compare_ours(Session& session, std::size_t count) {
  sudar::Random random(session.options().seed);
  const Rows boxes = make_boxes<D>(count, random);
  BoxStore<D> store;
  if (!store.assign(boxes).ok()) return;
  Table table{"tree counters, " + std::to_string(D) + "D",
              {"tree", "children", "boxes", "node pairs a box", "box tests a box", "bytes a box"},
              {}};
  std::vector<Contestant> contestants;
  const auto number = [](double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", value);
    return std::string(text);
  };
  for (const std::string_view name : {"bvh_linear", "bvh_top_down", "bvh_bottom_up", "dynamic_tree", "sphere_tree"})
    for (const int width : {2, 4, 8}) {
      std::shared_ptr<Broadphase<D>> tree = std::move(*sudar::make_broadphase<D>(name));
      const bool wide = tree->set_parameter("width", width).ok();
      if (!wide && width > 2) continue;
      const std::string title = std::string(name) + (wide ? ", " + std::to_string(width) + " children" : "");
      const auto all_pairs = [tree, &store] {
        keep(tree->build(store).ok());
        return static_cast<double>(tree->pairs(store, PairOrder::any)->size());
      };
      keep(all_pairs());
      const auto n = static_cast<double>(count);
      const auto& counters = tree->counters();
      table.rows.push_back({std::string(name), std::to_string(width), std::to_string(count),
                            number(static_cast<double>(counters.nodes_visited) / n),
                            number(static_cast<double>(counters.box_tests) / n),
                            number(static_cast<double>(counters.bytes) / n)});
      contestants.push_back({title, "", all_pairs});
    }
  session.race("our trees", "build and all pairs, " + std::to_string(D) + "D, " + std::to_string(count) + " boxes",
               session.options().quick ? 3 : 7, 0, contestants);
  session.add_table(std::move(table));
}

}  // namespace

void bench_trees(Session& session) {
  // Many in the plane first: a peer that breaks down there makes the part begin anew
  for (const std::size_t count : {std::size_t{100000}, std::size_t{10000}}) {
    if (session.options().quick && count > 10000) continue;
    race_trees<2>(session, count);
    race_trees<3>(session, count);
  }
  compare_ours<3>(session, session.options().quick ? 10000 : 100000);
  compare_ours<2>(session, session.options().quick ? 10000 : 100000);
}

}  // namespace sudar_bench
