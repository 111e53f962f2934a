// What:    Who follows a script: every broad phase on one store, and plain loops over the boxes as the oracle.
// Differs: Shared by the random scripts of the tests and by the fuzzer.
#pragma once

#include "tests/broadphase/box_sets.hpp"
#include "tests/broadphase/found_pairs.hpp"
#include "tests/broadphase/script.hpp"
#include <sudar/broadphase/adaptive.hpp>
#include <sudar/broadphase/columns.hpp>
#include <sudar/broadphase/registry.hpp>

#include <cmath>
#include <map>

namespace sudar_test {

using namespace sudar;

template <int D>
using Algorithms = std::vector<std::unique_ptr<Broadphase<D>>>;

// Senseless, so that adaptive goes from one to the other, and the same in every run of a script
inline Random clock_random;
inline double clock_now = 0;
inline double scripted_clock() {
  return clock_now += clock_random.uniform() * clock_random.uniform() * clock_random.uniform();
}

// What large scripts must have come by
struct Reached {
  bool giants = false, planned_again = false;
};
inline Reached reached;

template <int D>
void note_what_was_reached(const Broadphase<D>& algorithm) {
  if (const auto* columns = dynamic_cast<const Columns<D>*>(&algorithm)) {
    reached.giants = reached.giants || columns->giant_count() > 0;
    reached.planned_again = reached.planned_again || columns->replanned() > 0;
  }
}

template <int D>
Algorithms<D> make_algorithms(std::string_view only = {}, Executor* executor = nullptr) {
  Algorithms<D> all;
  for (const BroadphaseEntry& entry : broadphases()) {
    if (!only.empty() && entry.name != only) continue;
    if (entry.name == "adaptive")
      all.push_back(std::make_unique<Adaptive<D>>(scripted_clock));
    else
      all.push_back(std::move(*make_broadphase<D>(entry.name)));
    if (executor != nullptr) all.back()->set_executor(*executor);
  }
  return all;
}

// What the answers are, by loops over the boxes of the store
template <int D>
struct Oracle {
  const BoxStore<D>& store;

  bool sees(const QueryFilter& filter, std::uint32_t row) const {
    const Filter& mine = store.filters()[row];
    return (filter.layer & mine.mask) != 0 && (mine.layer & filter.mask) != 0 &&
           (filter.group == 0 || filter.group != mine.group);
  }
  std::vector<CastHit> cast(const BoxCast<D>& cast, const QueryFilter& filter) const {
    std::vector<CastHit> hits;
    for (std::uint32_t row = 0; row < store.size(); ++row) {
      const Aabb<D, float> box = store.box(row);
      double from = 0, to = cast.max_t;
      bool meets = sees(filter, row);
      for (int k = 0; k < D; ++k) {
        const double below = box.lo[k] - cast.box.hi[k], above = box.hi[k] - cast.box.lo[k], d = cast.direction[k];
        if (d == 0) {
          meets = meets && below <= 0 && above >= 0;
        } else {
          from = std::max(from, (d > 0 ? below : above) / d);
          to = std::min(to, (d > 0 ? above : below) / d);
        }
      }
      if (meets && from <= to && std::isfinite(from)) hits.push_back({store.ids()[row], from});
    }
    std::sort(hits.begin(), hits.end());
    return hits;
  }
  std::vector<std::uint32_t> overlapping(const Aabb<D, double>& asked, const QueryFilter& filter) const {
    std::vector<std::uint32_t> ids;
    constexpr double kMost = std::numeric_limits<float>::max();
    for (std::uint32_t row = 0; row < store.size(); ++row) {
      const Aabb<D, float> box = store.box(row);
      bool meets = sees(filter, row);
      // A box that reaches to the end of the floats may go on beyond
      for (int k = 0; k < D; ++k)
        meets = meets && (box.lo[k] <= asked.hi[k] || box.lo[k] == -kMost) &&
                (asked.lo[k] <= box.hi[k] || box.hi[k] == kMost);
      if (meets) ids.push_back(store.ids()[row]);
    }
    std::sort(ids.begin(), ids.end());
    return ids;
  }
  std::vector<NearHit> nearest(const Vec<D, double>& point, std::size_t count, const QueryFilter& filter) const {
    std::vector<NearHit> hits;
    for (std::uint32_t row = 0; row < store.size(); ++row) {
      if (!sees(filter, row)) continue;
      double sum = 0;
      for (int k = 0; k < D; ++k) {
        const double lo = store.lo(k)[row], hi = store.hi(k)[row];
        const double d = point[k] < lo ? lo - point[k] : point[k] > hi ? point[k] - hi : 0;
        sum += d * d;
      }
      hits.push_back({store.ids()[row], std::min(sum, std::numeric_limits<double>::max())});
    }
    std::sort(hits.begin(), hits.end());
    hits.resize(std::min(hits.size(), count));
    return hits;
  }
};

// A store, who has which id for how long, and the broad phases that follow it
template <int D>
class Runner {
 public:
  explicit Runner(Algorithms<D> algorithms) : algorithms_(std::move(algorithms)) {
    clock_random = Random(99);
    clock_now = 0;
  }

  // What went wrong, and empty when nothing did
  std::string run(const Script<D>& script) {
    for (std::size_t i = 0; i < script.size(); ++i)
      if (const std::string wrong = step(script[i]); !wrong.empty())
        return wrong + " at line " + std::to_string(i + 2);  // the dimension is in the first
    return {};
  }
  std::string_view at_fault() const { return at_fault_; }

 private:
  using Lives = std::pair<std::uint64_t, std::uint64_t>;

  std::string step(const Line<D>& line) {
    if (sudar::lab::asks(line.action) || line.action == Action::parameter) return ask_all(line);
    const sudar::lab::ScriptedChange change = follow_change(store_, line);
    for (const std::uint32_t id : change.born) lives_[id] = ++births_;
    return change.done == change.good ? "" : change.good ? "the store refused" : "the store took what is no box";
  }

  std::string ask_all(const Line<D>& line) {
    const bool looks = line.action == Action::update || line.action == Action::build;
    if (looks) {
      seen_ = store_.revision();
      looked_ = true;
      pairs_ = plain_pairs(store_);
    }
    const bool current = looked_ && seen_ == store_.revision();
    Pairs begin, stay, end;
    if (line.action == Action::events && current) compare_events(begin, stay, end);
    for (auto& algorithm : algorithms_) {
      const std::string wrong = ask(*algorithm, line, current, begin, stay, end);
      if (wrong.empty()) continue;
      at_fault_ = algorithm->name();
      return std::string(algorithm->name()) + ": " + wrong;
    }
    return {};
  }

  // By who it was that had the ids, not by what the store says of it
  void compare_events(Pairs& begin, Pairs& stay, Pairs& end) {
    std::map<IdPair, Lives> now;
    for (const IdPair& pair : pairs_) now[pair] = {lives_[pair.lo], lives_[pair.hi]};
    for (const auto& [pair, lives] : events_) {
      const auto found = now.find(pair);
      (found != now.end() && found->second == lives ? stay : end).push_back(pair);
    }
    for (const auto& [pair, lives] : now) {
      const auto found = events_.find(pair);
      if (found == events_.end() || found->second != lives) begin.push_back(pair);
    }
    events_.swap(now);
  }

  std::string ask(Broadphase<D>& algorithm, const Line<D>& line, bool current, const Pairs& begin, const Pairs& stay,
                  const Pairs& end) {
    const Oracle<D> oracle{store_};
    const QueryFilter filter{line.filter.layer, line.filter.mask, line.filter.group};
    switch (line.action) {
      case Action::parameter: {
        return set_scripted_parameter(algorithm, line).ok() ? "" : "a parameter is refused";
      }
      case Action::update:
      case Action::build: {
        if (!(line.action == Action::update ? algorithm.update(store_) : algorithm.build(store_)).ok())
          return "no update";
        const auto found = algorithm.pairs(store_);
        note_what_was_reached(algorithm);
        return found.ok() && to_vector(*found) == pairs_ ? "" : "other pairs";
      }
      case Action::events: {
        const auto changes = algorithm.changes(store_);
        if (!changes) return current ? "no events" : "";
        if (!current) return "events of a store that changed";
        if (to_vector(changes->begin) != begin) return "other pairs begin";
        if (to_vector(changes->stay) != stay) return "other pairs stay";
        return to_vector(changes->end) == end ? "" : "other pairs end";
      }
      case Action::cast: {
        const BoxCast<D> cast{line.box, line.direction, line.amount};
        const bool good = current && sudar::lab::is_box(line.box);
        const auto closest = algorithm.cast_closest(store_, cast, filter);
        if (closest.ok() != good) return "a cast is refused or not";
        if (!good) return {};
        const std::optional<CastHit> first = *closest;
        const auto all = algorithm.cast_all(store_, cast, filter);
        const auto hits = oracle.cast(cast, filter);
        if (!all || to_vector(*all) != hits) return "other hits of a cast";
        return first == (hits.empty() ? std::nullopt : std::optional(hits[0])) ? "" : "another closest hit";
      }
      case Action::overlap: {
        const bool good = current && sudar::lab::is_box(line.box);
        const auto found = algorithm.overlapping(store_, line.box, filter);
        if (found.ok() != good) return "an overlap is refused or not";
        return !good || to_vector(*found) == oracle.overlapping(line.box, filter) ? "" : "other overlaps";
      }
      case Action::nearest: {
        const bool good = current && is_finite(line.box.lo);
        const auto found = algorithm.nearest(store_, line.box.lo, line.which, filter);
        if (found.ok() != good) return "a search for the nearest is refused or not";
        return !good || to_vector(*found) == oracle.nearest(line.box.lo, line.which, filter) ? ""
                                                                                             : "others are nearest";
      }
      default:
        return {};
    }
  }

  Algorithms<D> algorithms_;
  BoxStore<D> store_;
  std::map<std::uint32_t, std::uint64_t> lives_;  // by id: which box it is, of all that ever were
  std::uint64_t births_ = 0, seen_ = 0;
  bool looked_ = false;
  Pairs pairs_;
  std::map<IdPair, Lives> events_;  // pairs at the last look at events
  std::string_view at_fault_;
};

}  // namespace sudar_test
