#include "bench/pair_search.hpp"

#include "bench/peers/peers.hpp"
#include <sudar/broadphase/registry.hpp>

namespace sudar_bench {

namespace {

template <int D>
struct Ours {
  sudar::BoxStore<D> store;
  std::unique_ptr<sudar::Broadphase<D>> algorithm;
};

template <int D>
std::shared_ptr<Ours<D>> make_ours(std::string_view algorithm, sudar::Executor& executor) {
  auto ours = std::make_shared<Ours<D>>();
  ours->algorithm = *sudar::make_broadphase<D>(algorithm);
  ours->algorithm->set_executor(executor);
  return ours;
}

template <int D>
std::span<const sudar::IdPair> search_ours(Ours<D>& ours, Memory memory) {
  const auto ready = memory == Memory::none ? ours.algorithm->build(ours.store) : ours.algorithm->update(ours.store);
  if (!ready) return {};
  const auto pairs = ours.algorithm->pairs(ours.store, sudar::PairOrder::any);
  return pairs ? *pairs : std::span<const sudar::IdPair>();
}

}  // namespace

template <int D>
PairSearch our_search(std::string_view algorithm, Memory memory, sudar::Executor& executor) {
  return [ours = make_ours<D>(algorithm, executor), memory, &executor](std::span<const float> rows) {
    if (!ours->store.assign(rows, executor)) return std::span<const sudar::IdPair>();
    return search_ours(*ours, memory);
  };
}

template <int D>
PairSearch our_search_of_stored(std::string_view algorithm, std::span<const float> rows) {
  auto ours = make_ours<D>(algorithm, sudar::serial_executor());
  const bool stored = ours->store.assign(rows).ok();
  return [ours, stored](std::span<const float>) {
    return stored ? search_ours(*ours, Memory::none) : std::span<const sudar::IdPair>();
  };
}

template PairSearch our_search<2>(std::string_view, Memory, sudar::Executor&);
template PairSearch our_search<3>(std::string_view, Memory, sudar::Executor&);
template PairSearch our_search_of_stored<2>(std::string_view, std::span<const float>);
template PairSearch our_search_of_stored<3>(std::string_view, std::span<const float>);

double pairs_answer(std::span<const sudar::IdPair> pairs) {
  std::uint64_t sum = 0;
  for (const sudar::IdPair& pair : pairs) {
    std::uint64_t mixed = (std::uint64_t{pair.lo} << 32 | pair.hi) * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ (mixed >> 29)) * 0xbf58476d1ce4e5b9u;
    sum += mixed ^ (mixed >> 32);
  }
  // A count below 2^29 and 24 bits of the sum fit a double exactly
  return static_cast<double>(pairs.size()) + static_cast<double>(sum >> 40) * 0x1p-24;
}

Contestant standing(std::string name, std::string version, PairSearch search, std::span<const float> rows) {
  auto found = std::make_shared<std::span<const sudar::IdPair>>();
  return {std::move(name), std::move(version),
          [search = std::move(search), rows, found] {
            *found = search(rows);
            return 0.0;
          },
          [found] { return pairs_answer(*found); }};
}

Contestant walking(std::string name, std::string version, PairSearch search, std::span<const BoxRows> frames) {
  struct Walk {
    bool back = false;
    double pairs = 0;
    std::span<const sudar::IdPair> last;
  };
  auto walk = std::make_shared<Walk>();
  return {std::move(name), std::move(version),
          [search = std::move(search), frames, walk] {
            walk->pairs = 0;
            for (std::size_t i = 0; i < frames.size(); ++i) {
              walk->last = search(frames[walk->back ? frames.size() - 1 - i : i]);
              walk->pairs += static_cast<double>(walk->last.size());
            }
            walk->back = !walk->back;
            return 0.0;
          },
          [walk] { return walk->pairs - static_cast<double>(walk->last.size()) + pairs_answer(walk->last); }};
}

std::vector<Peer> pair_peers(Session& session, [[maybe_unused]] const std::string& table, [[maybe_unused]] int dim,
                             [[maybe_unused]] bool with_refit) {
  std::vector<Peer> peers;
  if (!session.options().peers) return peers;
#if defined(SUDAR_PEER_EMBREE)
  peers.push_back({"Embree rtcCollide, rebuilt", embree_version(), embree_pairs(dim, false)});
  if (with_refit) peers.push_back({"Embree rtcCollide, refit", embree_version(), embree_pairs(dim, true)});
#else
  session.missing_peer(table, "Embree");
#endif
#if defined(SUDAR_PEER_CGAL_BOXES)
  peers.push_back({"CGAL box_self_intersection_d", cgal_boxes_version(), cgal_box_pairs(dim)});
#else
  session.missing_peer(table, "CGAL");
#endif
  return peers;
}

}  // namespace sudar_bench
