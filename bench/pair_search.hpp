// What:    One way to find pairs, ours or a peer's, as a function from boxes to a list of pairs; and how lists are
//          compared.
// Frame:   Boxes come as rows of D minima and D maxima, as BoxStore::assign takes them; box i has id i.
#pragma once

#include "bench/harness.hpp"
#include <sudar/core/pair_set.hpp>
#include <sudar/core/parallel.hpp>

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace sudar_bench {

using BoxRows = std::vector<float>;
// The pairs in any order, each once; valid until the next call
using PairSearch = std::function<std::span<const sudar::IdPair>(std::span<const float> rows)>;

enum class Memory { none, last_step };  // does the search start from nothing, or from what the last call left?

// Ours by name: the rows are copied into a box store first, and that is part of the search
template <int D>
PairSearch our_search(std::string_view algorithm, Memory memory, sudar::Executor& executor = sudar::serial_executor());

// The same for boxes that are in the store before the clock starts; the rows of the call are not looked at
template <int D>
PairSearch our_search_of_stored(std::string_view algorithm, std::span<const float> rows);

// The number of pairs, plus a sum over the pairs that does not depend on their order, as a fraction
double pairs_answer(std::span<const sudar::IdPair> pairs);

// A contestant that searches one set of boxes, which must outlive it
Contestant standing(std::string name, std::string version, PairSearch search, std::span<const float> rows);
// One that goes through all frames, forth and then back, so that no step is a leap. Its time is that of all steps.
Contestant walking(std::string name, std::string version, PairSearch search, std::span<const BoxRows> frames);

// The peers that were found when this was built, for `dim`; the missing ones are said so
struct Peer {
  std::string name, version;
  PairSearch search;
};
std::vector<Peer> pair_peers(Session& session, const std::string& table, int dim, bool with_refit);

}  // namespace sudar_bench
