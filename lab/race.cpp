#include "lab/race.hpp"

#include <sudar/broadphase/registry.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>

namespace sudar::lab {

namespace {

std::string ms_text(double ms) {
  char text[32];
  std::snprintf(text, sizeof text, ms < 0.1 ? "%.4f" : ms < 10 ? "%.3f" : "%.1f", ms);
  return text;
}
std::string ratio_text(double ratio) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", ratio);
  return text;
}

double share_of(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1) + 0.5)];
}

// Of sorted pairs, whole words at a time
std::uint64_t hash_of_pairs(std::span<const IdPair> pairs) {
  std::uint64_t hash = pairs.size();
  for (const IdPair& pair : pairs) {
    hash = (hash ^ (std::uint64_t{pair.lo} << 32 | pair.hi)) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace

template <int D>
Result<void> Race<D>::enter(std::span<const std::string> names, Executor& executor) {
  return guarded([&]() -> Result<void> {
    if (names.size() < 2 || names.size() > kMost)
      return Error{ErrorCode::invalid_argument, Error::kNoElement, "a race has two to four contestants"};
    std::vector<Contestant> entered;
    for (std::size_t i = 0; i < names.size(); ++i) {
      auto made = make_broadphase<D>(names[i]);
      if (!made) return Error{made.error().code, i, made.error().reason};
      Contestant contestant;
      contestant.name = names[i];
      contestant.algorithm = *std::move(made);
      contestant.algorithm->set_executor(executor);
      entered.push_back(std::move(contestant));
    }
    contestants_ = std::move(entered);
    order_.clear();
    for (std::size_t i = 0; i < contestants_.size(); ++i) order_.push_back(i);
    frames_ = 0;
    disagreements_ = 0;
    return {};
  });
}

template <int D>
void Race<D>::run(const BoxStore<D>& store) {
  using Clock = std::chrono::steady_clock;
  if (!running()) return;
  for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[random_.below(i)]);
  for (const std::size_t i : order_) {
    Contestant& c = contestants_[i];
    if (c.out) continue;
    const auto start = Clock::now();
    const bool updated = c.algorithm->update(store).ok();
    const auto found = updated ? c.algorithm->pairs(store)
                               : Result<std::span<const IdPair>>(Error{ErrorCode::out_of_memory, 0, "no memory"});
    c.last = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    if (!found) {
      c.out = true;
      continue;
    }
    c.pairs = found->size();
    c.hash = hash_of_pairs(*found);
  }
  // Times after all have run, so that what is kept of one does not get in the way of the next
  std::size_t fastest = contestants_.size();
  const Contestant* first = nullptr;
  bool agree = true;
  for (std::size_t i = 0; i < contestants_.size(); ++i) {
    Contestant& c = contestants_[i];
    if (c.out) continue;
    if (first == nullptr) first = &c;
    if (c.hash != first->hash) ++c.differing, agree = false;
    if (fastest == contestants_.size() || c.last < contestants_[fastest].last) fastest = i;
    if (c.ms.size() < kKept)
      c.ms.push_back(c.last);
    else
      c.ms[frames_ % kKept] = c.last;
  }
  if (fastest < contestants_.size()) ++contestants_[fastest].wins;
  disagreements_ += agree ? 0 : 1;
  ++frames_;
}

template <int D>
std::vector<RaceResult> Race<D>::results() const {
  std::vector<RaceResult> all;
  double best = std::numeric_limits<double>::infinity();
  for (const Contestant& c : contestants_) {
    RaceResult r;
    r.name = c.name;
    r.frames = c.ms.size();
    r.out = c.out;
    r.differing_frames = c.differing;
    r.wins = c.wins;
    std::vector<double> sorted = c.ms;
    std::sort(sorted.begin(), sorted.end());
    r.least = share_of(sorted, 0);
    r.median = share_of(sorted, 0.5);
    r.p95 = share_of(sorted, 0.95);
    r.p99 = share_of(sorted, 0.99);
    if (!c.out && r.frames > 0) best = std::min(best, r.median);
    all.push_back(std::move(r));
  }
  for (RaceResult& r : all) r.ratio = best > 0 && r.frames > 0 ? r.median / best : 1;
  return all;
}

template <int D>
void Race<D>::tell(Panel& panel) const {
  if (!running()) return;
  const std::vector<RaceResult> all = results();
  Table table{"Race on the same frames, in random order (ms)",
              {"algorithm", "median", "p95", "p99", "ratio", "fastest in", "pairs"},
              {},
              -1};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const RaceResult& r = all[i];
    if (r.ratio <= 1 && !r.out && table.highlighted_row < 0) table.highlighted_row = static_cast<int>(i);
    table.rows.push_back({r.name, ms_text(r.median), ms_text(r.p95), ms_text(r.p99), ratio_text(r.ratio),
                          std::to_string(r.wins) + " of " + std::to_string(frames_),
                          r.out                     ? "out of memory"
                          : r.differing_frames == 0 ? "agree"
                                                    : "differ in " + std::to_string(r.differing_frames)});
  }
  panel.tables.push_back(std::move(table));
  panel.badges.push_back(disagreements_ == 0
                             ? Badge{"race: all agree on " + std::to_string(frames_) + " frames", Ink::good}
                             : Badge{"race: pairs differ in " + std::to_string(disagreements_) + " frames", Ink::bad});
  Plot plot{"Race: time of a frame", "frame", "ms", {}, false, true};
  constexpr std::size_t kShown = 300;
  for (const Contestant& c : contestants_) {
    PlotSeries series;
    series.name = c.name;
    const std::size_t shown = std::min({c.ms.size(), kShown, frames_});
    for (std::size_t i = 0; i < shown; ++i) {
      const std::size_t frame = frames_ - shown + i;
      series.x.push_back(static_cast<double>(frame));
      series.y.push_back(c.ms[frame % kKept < c.ms.size() ? frame % kKept : i]);
    }
    plot.series.push_back(std::move(series));
  }
  panel.plots.push_back(std::move(plot));
}

template <int D>
std::string Race<D>::csv() const {
  std::string text = "algorithm,frames,ms_median,ms_p95,ms_p99,ms_min,ratio_to_best,wins,differing_frames\n";
  for (const RaceResult& r : results()) {
    text += r.name + ',' + std::to_string(r.frames);
    for (const double x : {r.median, r.p95, r.p99, r.least, r.ratio}) {
      char number[32];
      std::snprintf(number, sizeof number, ",%.6g", x);
      text += number;
    }
    text += ',' + std::to_string(r.wins) + ',' + std::to_string(r.differing_frames) + '\n';
  }
  return text;
}

template class Race<2>;
template class Race<3>;

}  // namespace sudar::lab
