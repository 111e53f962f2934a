// What:    A growing list of pairs that is written without a test per pair, and kept from step to step.
// Differs: room(k) asks for k places, which are written blindly; commit(n) keeps the first n. Nothing is ever dropped:
//          room() grows the buffer.
#pragma once

#include <sudar/core/pair_set.hpp>
#include <sudar/core/parallel.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

class PairBuffer {
 public:
  void clear() noexcept { count_ = 0; }
  std::size_t size() const noexcept { return count_; }
  std::size_t bytes() const noexcept { return pairs_.capacity() * sizeof(IdPair); }
  std::span<IdPair> pairs() noexcept { return {pairs_.data(), count_}; }
  std::span<const IdPair> pairs() const noexcept { return {pairs_.data(), count_}; }

  IdPair* room(std::size_t count) {
    if (pairs_.size() - count_ < count) pairs_.resize(std::max(count_ + count, 2 * pairs_.size()));
    return pairs_.data() + count_;
  }
  void commit(std::size_t count) noexcept { count_ += count; }
  void truncate(std::size_t count) noexcept { count_ = count; }
  void push(IdPair pair) {
    *room(1) = pair;
    commit(1);
  }
  void append(const PairBuffer& other) {
    std::copy(other.pairs_.data(), other.pairs_.data() + other.count_, room(other.count_));
    commit(other.count_);
  }

 private:
  std::vector<IdPair> pairs_;
  std::size_t count_ = 0;
};

// Where a search writes: the pairs, and what it counted on the way
struct SearchOutput {
  PairBuffer pairs;
  std::uint64_t box_tests = 0, nodes_visited = 0, duplicates = 0;

  void clear() noexcept {
    pairs.clear();
    box_tests = nodes_visited = duplicates = 0;
  }
  void append(const SearchOutput& other) {
    pairs.append(other.pairs);
    box_tests += other.box_tests;
    nodes_visited += other.nodes_visited;
    duplicates += other.duplicates;
  }
};

// All parts in their order, copied by all threads
inline void append_parts(Executor& executor, std::span<const SearchOutput> parts, SearchOutput& out) {
  constexpr std::size_t kPartsPerTask = 16;
  std::vector<std::size_t> first(parts.size() + 1, 0);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    first[i + 1] = first[i] + parts[i].pairs.size();
    out.box_tests += parts[i].box_tests;
    out.nodes_visited += parts[i].nodes_visited;
    out.duplicates += parts[i].duplicates;
  }
  IdPair* to = out.pairs.room(first.back());
  parallel_for(executor, parts.size(), kPartsPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::span<const IdPair> pairs = parts[i].pairs.pairs();
      std::copy(pairs.begin(), pairs.end(), to + first[i]);
    }
  });
  out.pairs.commit(first.back());
}

// Calls body(begin, end, output) on blocks of `grain` of [0, count); with one thread there is one block
template <class F>
void search_blocks(Executor& executor, std::size_t count, std::size_t grain, std::vector<SearchOutput>& parts,
                   SearchOutput& out, F&& body) {
  if (executor.concurrency() == 1 || count <= grain) {
    body(std::size_t{0}, count, out);
    return;
  }
  const std::size_t blocks = (count + grain - 1) / grain;
  if (parts.size() < blocks) parts.resize(blocks);
  parallel_for(executor, count, grain, [&](std::size_t begin, std::size_t end) {
    SearchOutput& part = parts[begin / grain];
    part.clear();
    body(begin, end, part);
  });
  append_parts(executor, {parts.data(), blocks}, out);
}

}  // namespace sudar
