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

inline bool refuses(void*, std::uint32_t a, std::uint32_t b) { return (a + 2 * b) % 5 != 0; }

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
  static constexpr double kMostAtOnce = 5000;

  static bool is_box(const Aabb<D, double>& box) { return is_finite(box.lo) && is_finite(box.hi) && is_valid(box); }

  std::string step(const Line<D>& line) {
    const auto expect = [&](bool done, bool good) -> std::string {
      return done == good ? "" : good ? "the store refused" : "the store took what is no box";
    };
    const std::size_t place = store_.empty() ? 0 : line.which % store_.size();
    const std::uint32_t id = store_.empty() ? 0 : store_.ids()[place];
    const bool there = !store_.empty();
    switch (line.action) {
      case Action::insert: {
        const auto made = store_.insert(line.box, line.filter, line.motion);
        if (made) lives_[*made] = ++births_;
        return expect(made.ok(), is_box(line.box));
      }
      case Action::move:
        return expect(store_.move(id, line.box).ok(), there && is_box(line.box));
      case Action::teleport:
        return expect(store_.teleport(id, line.box).ok(), there && is_box(line.box));
      case Action::remove:
        return expect(store_.remove(id).ok(), there);
      case Action::filter:
        return expect(store_.set_filter(id, line.filter).ok(), there);
      case Action::motion:
        return expect(store_.set_motion(id, line.motion).ok(), there);
      case Action::shift:
        return there ? expect(shift(id, line.direction), true) : "";
      case Action::drift: {
        Random random(line.which);
        for (std::uint32_t row = 0; row < store_.size(); ++row) {
          Vec<D, double> by;
          for (int k = 0; k < D; ++k) by[k] = random.uniform(-line.amount, line.amount);
          if (!store_.is_fixed(row) && !shift(store_.ids()[row], by)) return "the store refused a drift";
        }
        return {};
      }
      case Action::callback:
        store_.set_pair_callback(line.which != 0 ? PairCallback{refuses, nullptr} : PairCallback{});
        return {};
      case Action::assign:
        return assign(line);
      case Action::many:
        return insert_many(line);
      case Action::clear:
        store_.clear();
        return {};
      default:
        return ask_all(line);
    }
  }

  bool shift(std::uint32_t id, const Vec<D, double>& by) {
    const Aabb<D, float> box = store_.box(store_.row_of(id));
    Aabb<D, double> moved;
    for (int k = 0; k < D; ++k) {
      moved.lo[k] = box.lo[k] + by[k];
      moved.hi[k] = box.hi[k] + by[k];
    }
    return store_.move(id, moved).ok();
  }

  std::string insert_many(const Line<D>& line) {
    Random random(line.which);
    for (double i = 0; i < std::min(line.amount, kMostAtOnce); ++i) {
      Aabb<D, double> box;
      for (int k = 0; k < D; ++k) {
        box.lo[k] = random.uniform(line.box.lo[k], line.box.hi[k]);
        box.hi[k] = box.lo[k] + std::abs(line.direction[k]) * random.uniform();
      }
      const auto made = store_.insert(box, {}, line.motion);
      if (made.ok() != is_box(box)) return "the store took or refused one of many wrongly";
      if (made) lives_[*made] = ++births_;
    }
    return {};
  }

  std::string assign(const Line<D>& line) {
    std::vector<double> rows;
    bool good = true;
    for (const Aabb<D, double>& box : line.boxes) {
      good = good && is_box(box);
      for (int k = 0; k < D; ++k) rows.push_back(box.lo[k]);
      for (int k = 0; k < D; ++k) rows.push_back(box.hi[k]);
    }
    // Through the floats when these are all of them
    const std::vector<float> floats(rows.begin(), rows.end());
    const bool exact = std::equal(rows.begin(), rows.end(), floats.begin());
    const bool same = line.boxes.size() == store_.size() && store_.id_limit() == store_.size() && store_.ids_are_rows();
    const bool done = exact ? store_.assign(floats).ok() : store_.assign(rows).ok();
    if (done && !same)
      for (std::uint32_t id = 0; id < store_.size(); ++id) lives_[id] = ++births_;
    return done == good ? "" : "the store took or refused all boxes wrongly";
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
        const auto parameters = algorithm.parameters();
        if (parameters.empty()) return {};
        const Parameter& p = parameters[line.which % parameters.size()];
        const double value = p.lowest + std::clamp(line.amount, 0.0, 1.0) * (p.highest - p.lowest);
        return algorithm.set_parameter(p.name, p.whole ? std::floor(value) : value).ok() ? ""
                                                                                         : "a parameter is refused";
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
        const bool good = current && is_box(line.box);
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
        const bool good = current && is_box(line.box);
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
