#include <sudar/broadphase/adaptive.hpp>
#include <sudar/broadphase/registry.hpp>
#include <sudar/math/scalar.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace sudar::inline SUDAR_ABI {

namespace {

double steady_ms() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double, std::milli>(Clock::now().time_since_epoch()).count();
}

// What a step of a candidate costs, in nanoseconds per unit of what the scene shows. Only the shape matters: the scale is
// corrected by the first measurement.
struct CostModel {
  std::string_view name;
  double fixed;      // a step
  double box;        // a box
  double moved;      // a moved or churned box
  double moved_log;  // a moved box and a doubling of the number of boxes
  double swept;      // a moved box, an edge of way, and a box along one axis through it
  double box_squared;
  double pair;
  bool incremental;  // its first step costs more than the ones after it
};

constexpr std::array kModels = {
    CostModel{"columns", 3000, 20, 0, 0, 0, 0, 5, false},     CostModel{"brute_force", 100, 2, 0, 0, 0, 0.06, 3, false},
    CostModel{"dynamic_tree", 500, 2, 60, 20, 0, 0, 4, true}, CostModel{"sap", 500, 5, 20, 0, 8, 0, 4, true},
    CostModel{"grid", 3000, 80, 0, 0, 0, 0, 8, false},        CostModel{"bvh_linear", 2000, 120, 0, 0, 0, 0, 8, false},
    CostModel{"sort_sweep", 1000, 60, 0, 0, 4, 0, 5, false},
};

constexpr double kLog2 = 0.693147180559945309;  // natural logarithm of 2
constexpr double kProbeShare = 0.04;            // of all time spent goes into probes …
constexpr double kProbeAllowance = 3;           // … besides this many steps of the candidate in use
constexpr double kWorthProbing = 0.85;    // predicted cost against that of the one in use, when it was measured before
constexpr double kWorthFirstProbe = 1.1;  // the same for one never measured: its scale is a guess
constexpr double kWorthSwitching = 0.92;  // measured cost against measured cost
constexpr double kLearnShorter = 0.5;     // weight of a new measurement that took less than expected …
constexpr double kLearnLonger = 0.1;      // … and of one that took more
constexpr std::uint64_t kSettle = 4;      // steps after a switch before the next probe
constexpr std::size_t kKeepDecisions = 4096;
constexpr double kChanged = 1.6;  // a feature by this factor makes an old measurement stale

}  // namespace

template <int D>
struct Adaptive<D>::Candidate {
  const CostModel* model;
  const BroadphaseEntry* entry;
  std::unique_ptr<Broadphase<D>> algorithm;  // made when first needed
  double scale = 1;                          // measured over modelled
  double measured_ms = 0;
  std::uint64_t measured_at = 0;
  SceneFeatures measured_with;
};

template <int D>
Adaptive<D>::Adaptive() : Adaptive(steady_ms) {}

template <int D>
Adaptive<D>::Adaptive(ClockFunction clock) : clock_(clock) {
  for (const CostModel& model : kModels)
    for (const BroadphaseEntry& entry : broadphases())
      if (entry.name == model.name) candidates_.push_back({&model, &entry, nullptr, 1, 0, 0, {}});
}

template <int D>
Adaptive<D>::~Adaptive() = default;

template <int D>
std::string_view Adaptive<D>::in_use() const noexcept {
  return candidates_[current_].model->name;
}

template <int D>
double Adaptive<D>::predict(const Candidate& candidate) const {
  const CostModel& m = *candidate.model;
  const SceneFeatures& f = watch_.features();
  const double moved = std::min(f.boxes, f.moved + f.churned);
  // Boxes that a line through the scene meets, when they are spread evenly: n^((D-1)/D) share a slab
  const double root = D == 2 ? std::sqrt(f.boxes) : cube_root(f.boxes);
  const double along = D == 2 ? root : root * root;
  const double ns = m.fixed + m.box * f.boxes + moved * (m.moved + m.moved_log * logarithm(f.boxes + 2) / kLog2) +
                    m.swept * moved * std::min(f.speed, along) * std::sqrt(along) + m.box_squared * f.boxes * f.boxes +
                    m.pair * f.pairs;
  // One that never ran is taken to be as far from its model as the one in use: that is the speed of the machine
  const double scale = candidate.measured_ms > 0 ? candidate.scale : candidates_[current_].scale;
  return scale * ns / 1e6;
}

template <int D>
std::vector<CandidateCost> Adaptive<D>::costs() const {
  std::vector<CandidateCost> all;
  for (const Candidate& c : candidates_) all.push_back({c.model->name, predict(c), c.measured_ms});
  return all;
}

template <int D>
void Adaptive<D>::make(Candidate& candidate) {
  if (candidate.algorithm == nullptr) {
    if constexpr (D == 2)
      candidate.algorithm = candidate.entry->make2();
    else
      candidate.algorithm = candidate.entry->make3();
  }
  candidate.algorithm->set_executor(this->executor());
}

template <int D>
void Adaptive<D>::record(std::size_t from, std::size_t to, std::string_view reason) {
  if (decisions_.size() == kKeepDecisions)
    decisions_.erase(decisions_.begin(), decisions_.begin() + kKeepDecisions / 2);
  decisions_.push_back({step_, candidates_[from].model->name, candidates_[to].model->name, reason, watch_.features(),
                        costs(), regret_ms_});
}

template <int D>
void Adaptive<D>::switch_to(std::size_t index, std::string_view reason) {
  record(current_, index, reason);
  // What is left behind keeps no memory; it would have to start anew anyway
  if (index != current_) candidates_[current_].algorithm.reset();
  current_ = probed_ = index;
  switched_at_ = step_;
}

template <int D>
void Adaptive<D>::learn(Candidate& candidate, double ms) {
  const bool first = candidate.measured_ms == 0;
  const double modelled = predict(candidate) / (first ? candidates_[current_].scale : candidate.scale);
  const double scale = modelled > 0 ? ms / modelled : 1;
  // An interruption only ever adds time, so a longer step says less than a shorter one
  const double weight = first ? 1 : scale < candidate.scale ? kLearnShorter : kLearnLonger;
  candidate.scale = (1 - weight) * candidate.scale + weight * scale;
  candidate.measured_ms = ms;
  candidate.measured_at = step_;
  candidate.measured_with = watch_.features();
}

// Nothing was measured yet: trust the models
template <int D>
void Adaptive<D>::choose_by_model() {
  std::size_t best = 0;
  for (std::size_t i = 1; i < candidates_.size(); ++i)
    if (predict(candidates_[i]) < predict(candidates_[best])) best = i;
  if (best != current_ || step_ == 0) switch_to(best, "first step: smallest predicted cost");
}

// Is there a candidate that may be better, and is there time to find out?
template <int D>
void Adaptive<D>::plan_probe() {
  if (probed_ != current_ || step_ < switched_at_ + kSettle) return;
  const Candidate& now = candidates_[current_];
  const double here = predict(now);
  const auto stale = [&](const Candidate& c) {
    const auto changed = [](double a, double b) { return a > kChanged * b + 1 || b > kChanged * a + 1; };
    const SceneFeatures &a = c.measured_with, &b = watch_.features();
    return changed(a.boxes, b.boxes) || changed(a.pairs, b.pairs) || changed(a.moved, b.moved) ||
           changed(a.churned, b.churned) || changed(a.speed * 64, b.speed * 64);
  };
  std::size_t best = current_;
  double best_ratio = 0;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const Candidate& c = candidates_[i];
    if (i == current_) continue;
    const bool known = c.measured_ms > 0 && !stale(c);
    // What measured worse on a scene like this one stays out
    if (known && c.measured_ms > kWorthSwitching * now.measured_ms) continue;
    const double ratio = predict(c) / here;
    if (ratio > (c.measured_ms > 0 ? kWorthProbing : kWorthFirstProbe)) continue;
    if (best == current_ || ratio < best_ratio) {
      best = i;
      best_ratio = ratio;
    }
  }
  if (best == current_) return;
  const double price = predict(candidates_[best]) * (candidates_[best].model->incremental ? 4 : 1);
  if (probe_ms_ + price > kProbeShare * total_ms_ + kProbeAllowance * here) return;
  probed_ = best;
  probe_step_ = 0;
}

template <int D>
void Adaptive<D>::begin_step(const BoxStore<D>& store, bool from_nothing) {
  watch_.look(store, last_pairs_);
  if (step_ == 0) choose_by_model();
  make(candidates_[current_]);
  const double start = clock_();
  this->update_of(*candidates_[current_].algorithm, store, from_nothing);
  update_ms_ = clock_() - start;
}

template <int D>
void Adaptive<D>::do_build(const BoxStore<D>& store) {
  begin_step(store, true);
}

template <int D>
void Adaptive<D>::do_update(const BoxStore<D>& store) {
  begin_step(store, false);
}

template <int D>
void Adaptive<D>::do_pairs(const BoxStore<D>& store, SearchOutput& out) {
  Candidate& now = candidates_[current_];
  const double start = clock_();
  this->pairs_of(*now.algorithm, store, out);
  const double ms = update_ms_ + (clock_() - start);
  last_pairs_ = out.pairs.size();
  total_ms_ += ms;
  this->count() = now.algorithm->counters();

  // The first step of an incremental algorithm, or the first after a switch, is not what its steps cost
  if (!now.model->incremental || step_ != switched_at_) learn(now, ms);
  double best = now.measured_ms > 0 ? ms : 0;
  for (const Candidate& c : candidates_)
    if (c.measured_ms > 0) best = std::min(best, predict(c));
  regret_ms_ += std::max(0.0, ms - best);
  plan_probe();
  if (probed_ != current_) run_probe(store);
  ++step_;
}

// One step of the candidate under probe, on the same store
template <int D>
void Adaptive<D>::run_probe(const BoxStore<D>& store) {
  Candidate& candidate = candidates_[probed_];
  make(candidate);
  probe_out_.clear();
  const double start = clock_();
  this->update_of(*candidate.algorithm, store, probe_step_ == 0);
  this->pairs_of(*candidate.algorithm, store, probe_out_);
  const double ms = clock_() - start;
  total_ms_ += ms;
  probe_ms_ += ms;
  regret_ms_ += ms;
  if (++probe_step_ < (candidate.model->incremental ? 3 : 1)) return;
  learn(candidate, ms);
  // Against what a step of the one in use is known to take: its last one may have been interrupted
  if (ms < kWorthSwitching * predict(candidates_[current_])) {
    switch_to(probed_, "probe measured clearly less");
    // It has already done this step, so the next one counts
    switched_at_ = step_ > 0 ? step_ - 1 : 0;
    return;
  }
  record(current_, current_, "probe did not measure clearly less");
  candidate.algorithm.reset();
  probed_ = current_;
  switched_at_ = step_;
}

template <int D>
void Adaptive<D>::do_cast(const BoxStore<D>& store, CastSink<D>& sink) {
  this->cast_of(*candidates_[current_].algorithm, store, sink);
}
template <int D>
void Adaptive<D>::do_overlap(const BoxStore<D>& store, OverlapSink<D>& sink) {
  this->overlap_of(*candidates_[current_].algorithm, store, sink);
}
template <int D>
void Adaptive<D>::do_nearest(const BoxStore<D>& store, NearSink<D>& sink) {
  this->nearest_of(*candidates_[current_].algorithm, store, sink);
}

template <int D>
std::size_t Adaptive<D>::do_bytes() const noexcept {
  std::size_t total = probe_out_.pairs.bytes();
  for (const Candidate& c : candidates_)
    if (c.algorithm != nullptr) total += c.algorithm->counters().bytes;
  return total;
}

template class SUDAR_API Adaptive<2>;
template class SUDAR_API Adaptive<3>;

}  // namespace sudar::inline SUDAR_ABI
