#include <sudar/broadphase/adaptive.hpp>
#include <sudar/broadphase/registry.hpp>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <ctime>
#include <new>

namespace sudar {

namespace {

double steady_ms() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double, std::milli>(Clock::now().time_since_epoch()).count();
}

// Of this thread alone, so that other programs do not count; null where there is none
#if defined(CLOCK_THREAD_CPUTIME_ID)
double thread_ms() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1000 + static_cast<double>(time.tv_nsec) / 1000000;
}
constexpr ClockFunction kThreadClock = thread_ms;
#else
constexpr ClockFunction kThreadClock = nullptr;
#endif

constexpr double kLongStep = 1;           // ms: likely to be interrupted, and worth a clock that is slow to read
constexpr double kShortStep = 0.02;       // ms: to read a clock takes a part of it that counts …
constexpr std::uint64_t kTimedEvery = 4;  // … so only these steps are timed
constexpr double kFewBoxes = 48;          // for which the first step does without any structure
constexpr double kWatchShare = 0.006;     // of the time goes into watching
constexpr double kLonger = 1.2;           // times what a look took last is believed of the next one
constexpr std::uint64_t kFirstSteps = 3;  // in which it is watched all the same
constexpr std::uint64_t kLookAgain = 16;  // steps after a choice in which it is looked at twice as far apart each time
constexpr double kHorizon = 8;            // steps that are expected to come, besides as many as there were
constexpr double kTrialShare = 0.02;      // of the time may be lost in trials that are not sure to pay …
constexpr double kTrialForGain = 0.25;    // … and this part of the share that they may save
constexpr double kWorthSwitching = 0.95;  // measured cost against that of the one in use
constexpr double kBeyondDoubt = 0.6;      // of the cost of one that was hardly measured yet
constexpr double kNeverAgain = 1e30;      // times its model is the cost of one that ran out of memory
constexpr double kHopeless = 2;           // times the cost of the one in use ends a trial early …
constexpr std::size_t kSeveral = 2;       // … when this many steps took as long: one may have been interrupted
constexpr double kDoubt = 0.05;           // of what was measured on a scene like this one
constexpr double kDoubtOfFew = 0.1;       // more, when it was measured less than …
constexpr std::size_t kEnough = 4;        // … so many times
constexpr double kDoubtOfChange = 0.5;    // more, for a feature that changed by its own size …
constexpr double kUnchanged = 1.25;       // … beyond this factor
constexpr double kMostOverPrice = 2;      // times the price of a trial can be lost in one step of it
constexpr double kLeastPrice = 0.25;      // of a trial, in steps of the one in use
constexpr int kMeasured = 2;              // steps of a trial after it has warmed up …
constexpr int kMeasuredLong = 4;          // … when steps differ from each other
constexpr std::size_t kKeepDecisions = 4096;

// What the last steps took, over what the model says of them, so that a scene that gets denser all the time does not
// matter. An interruption only ever adds time, so a short step says more than a long one; but steps that build anew take
// longer for a reason, and are looked at by themselves.
class RecentSteps {
 public:
  void clear() noexcept { count_ = next_ = 0; }
  std::size_t count() const noexcept { return count_; }
  void add(double ratio, bool built) noexcept {
    steps_[next_] = {ratio, built};
    next_ = (next_ + 1) % kMost;
    count_ = std::min(count_ + 1, kMost);
  }
  double least() const noexcept {
    double ratio = steps_[0].ratio;
    for (std::size_t i = 1; i < count_; ++i) ratio = std::min(ratio, steps_[i].ratio);
    return ratio;
  }
  double typical() const noexcept {
    double sum = 0;
    for (const bool built : {false, true}) {
      std::array<double, kMost> ratios{};
      std::size_t n = 0;
      for (std::size_t i = 0; i < count_; ++i)
        if (steps_[i].built == built) ratios[n++] = steps_[i].ratio;
      if (n == 0) continue;
      const std::size_t low = n / kLow;
      std::nth_element(ratios.data(), ratios.data() + low, ratios.data() + n);
      sum += static_cast<double>(n) * ratios[low];
    }
    return count_ > 0 ? sum / static_cast<double>(count_) : 0;
  }

 private:
  static constexpr std::size_t kMost = 16, kLow = 5;  // the fifth part of all steps is below the typical one
  struct Step {
    double ratio;
    bool built;
  };
  std::array<Step, kMost> steps_{};
  std::size_t count_ = 0, next_ = 0;
};

std::uint64_t trial_steps(const CostModel& model) {
  return static_cast<std::uint64_t>(model.warm_up + (model.incremental ? kMeasuredLong : kMeasured));
}

// What is saved below `limit`, on average, when the cost lies anywhere between the two
double expected_saving(double least, double most, double limit) {
  if (least >= limit) return 0;
  if (most <= limit) return limit - 0.5 * (least + most);
  return 0.5 * (limit - least) * (limit - least) / (most - least);
}

}  // namespace

template <int D>
struct Adaptive<D>::Candidate {
  const CostModel* model;
  const BroadphaseEntry* entry;
  std::unique_ptr<Broadphase<D>> algorithm;  // while it is in use or on trial
  RecentSteps recent;
  double scale = 0;  // measured over modelled; 0 when it was never measured
  double measured_ms = 0;
  SceneFeatures measured_with;
  std::uint64_t next_step = 0;  // the one after the last that it did
  int warm_up = 0;              // steps to come that do not tell what steps cost

  bool is_known() const noexcept { return scale > 0; }
};

template <int D>
Adaptive<D>::Adaptive() : Adaptive(steady_ms) {
  thread_clock_ = kThreadClock;
}

template <int D>
Adaptive<D>::Adaptive(ClockFunction clock) : clock_(clock) {
  add_candidates(cost_models());
}

template <int D>
Adaptive<D>::Adaptive(std::span<const CostModel> models) : clock_(steady_ms), thread_clock_(kThreadClock) {
  add_candidates(models);
}

template <int D>
void Adaptive<D>::add_candidates(std::span<const CostModel> models) {
  for (const CostModel& model : models)
    for (const BroadphaseEntry& entry : broadphases())
      if (entry.name == model.name) candidates_.push_back({&model, &entry, nullptr, {}, 0, 0, {}, 0, 0});
}

template <int D>
Adaptive<D>::~Adaptive() = default;

template <int D>
std::string_view Adaptive<D>::in_use() const noexcept {
  return candidates_[active_].model->name;
}

template <int D>
const Broadphase<D>* Adaptive<D>::at_work() const noexcept {
  return candidates_[active_].algorithm.get();
}

template <int D>
double Adaptive<D>::predict(const Candidate& candidate) const {
  const double scale = candidate.is_known() ? candidate.scale : machine_;
  return scale * step_ms(*candidate.model, watch_.features());
}

template <int D>
std::vector<CandidateCost> Adaptive<D>::costs() const {
  std::vector<CandidateCost> all;
  for (const Candidate& c : candidates_) all.push_back({c.model->name, predict(c), c.measured_ms});
  return all;
}

template <int D>
void Adaptive<D>::choose(std::size_t index, DecisionKind kind, std::string_view reason) {
  if (decisions_.size() == kKeepDecisions)
    decisions_.erase(decisions_.begin(), decisions_.begin() + kKeepDecisions / 2);
  decisions_.push_back({step_, kind, candidates_[active_].model->name, candidates_[index].model->name, reason,
                        watch_.features(), costs(), regret_ms_});
  active_ = index;
  chosen_at_ = step_;
  if (kind == DecisionKind::trial) return;
  // What is left behind keeps no memory; it would have to start anew anyway
  settled_ = index;
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    if (i != settled_) candidates_[i].algorithm.reset();
}

// A scene from nothing: nobody knows whether there will be another step, so the one that begins fastest
template <int D>
void Adaptive<D>::begin_anew(const BoxStore<D>& store) {
  // What was seen of another scene says nothing of this one
  watch_ = SceneWatch<D>{};
  last_pairs_ = 0;
  since_watch_ms_ = 0;
  began_ = step_;
  watch_.count(store, last_pairs_);
  const std::string_view wanted = watch_.features().boxes <= kFewBoxes ? "brute_force" : candidates_[0].model->name;
  std::size_t index = 0;
  while (index + 1 < candidates_.size() && candidates_[index].model->name != wanted) ++index;
  if (index != active_ || active_ != settled_ || decisions_.empty())
    choose(index, DecisionKind::chosen, "from nothing: the first step counts");
  chosen_at_ = step_;
  noted_ = trial_over_ = false;
  // What steps of another scene took says nothing of these
  best_ = active_;
  best_ms_ = here_ms_ = candidates_[active_].is_known() ? predict(candidates_[active_]) : 0;
}

// Take what was measured as the scale of the model
template <int D>
void Adaptive<D>::learn(Candidate& candidate) {
  if (candidate.recent.count() == 0) return;
  candidate.scale = candidate.recent.typical();
  candidate.measured_ms = predict(candidate);
  candidate.measured_with = watch_.features();
}

// Look at the scene, when there is time for it: note where boxes are at one step, see where they went at the next
template <int D>
void Adaptive<D>::watch(const BoxStore<D>& store) {
  if (active_ != settled_ || !asked_) return;
  // Soon after a choice, then when the cost of a look is a small share of what was spent since the last one
  const std::uint64_t since = step_ - chosen_at_;
  const bool due = step_ - began_ <= kFirstSteps || (since <= kLookAgain && since > 2 && std::has_single_bit(since)) ||
                   kWatchShare * since_watch_ms_ >= watch_cost_ms_;
  if (!noted_ && !due) return;
  const double start = clock_();
  if (!noted_) {
    watch_.note(store);
  } else {
    watch_.look(store, last_pairs_);
    learn(candidates_[settled_]);
    plan_trial();
  }
  const double ms = clock_() - start;
  // An interruption is no reason to look away for long
  if (noted_) {
    since_watch_ms_ = 0;
    watch_cost_ms_ = watch_cost_ms_ > 0 ? std::min(noting_ms_ + ms, kLonger * watch_cost_ms_) : noting_ms_ + ms;
  } else {
    noting_ms_ = ms;
  }
  noted_ = !noted_;
  watch_ms_ += ms;
  total_ms_ += ms;
  regret_ms_ += ms;
}

// By how much a prediction may be off
template <int D>
double Adaptive<D>::doubt(const Candidate& candidate) const {
  if (!candidate.is_known()) return candidate.model->spread;
  const SceneFeatures &a = candidate.measured_with, &b = watch_.features();
  double change = kUnchanged;
  const auto compare = [&](double x, double y, double unit) {
    change = std::max({change, (x + unit) / (y + unit), (y + unit) / (x + unit)});
  };
  compare(a.boxes, b.boxes, 1);
  compare(a.moved, b.moved, 1 + 0.01 * b.boxes);
  compare(a.churned, b.churned, 1 + 0.01 * b.boxes);
  compare(a.pairs, b.pairs, 1 + 0.1 * b.boxes);
  compare(a.speed, b.speed, 0.02);
  compare(a.along, b.along, 1);
  compare(a.size_spread, b.size_spread, 1);
  compare(a.crowding, b.crowding, 1);
  const double few = candidate.recent.count() < kEnough ? kDoubtOfFew : 0;
  return std::min(candidate.model->spread, kDoubt + few + kDoubtOfChange * (change - kUnchanged));
}

// What a trial is expected to lose against going on as now
template <int D>
double Adaptive<D>::trial_price(const Candidate& candidate, double here) const {
  const double step = predict(candidate);
  const double first = std::max(step, machine_ * first_step_ms(*candidate.model, watch_.features()));
  const auto steps = static_cast<double>(trial_steps(*candidate.model));
  return std::max(kLeastPrice * here, first + (steps - 1) * step - steps * here);
}

// How the others differ from their models is a guess: half of what was measured is the machine, half is this scene
template <int D>
void Adaptive<D>::guess_machine() {
  std::array<double, 32> scales{};
  std::size_t known = 0;
  for (const Candidate& c : candidates_)
    if (c.is_known() && known < scales.size()) scales[known++] = c.scale;
  if (known == 0) return;
  const std::size_t middle = (known - 1) / 2;
  std::nth_element(scales.data(), scales.data() + middle, scales.data() + known);
  machine_ = std::sqrt(scales[middle]);
}

// Is there a candidate that may be better, and does it pay to find out?
template <int D>
void Adaptive<D>::plan_trial() {
  const Candidate& now = candidates_[settled_];
  if (!now.is_known()) return;
  guess_machine();
  const double here = predict(now);
  here_ms_ = best_ms_ = here;
  best_ = settled_;
  const double horizon = kHorizon + static_cast<double>(step_ - began_);
  std::size_t wanted = settled_;
  double most = 0;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const Candidate& c = candidates_[i];
    if (i == settled_) continue;
    const double cost = predict(c), off = 1 + doubt(c);
    if (c.is_known() && cost < best_ms_) {
      best_ms_ = cost;
      best_ = i;
    }
    const double saving = expected_saving(cost / off, cost * off, kWorthSwitching * here);
    if (!(saving > 0)) continue;
    const double price = trial_price(c, here);
    const double share = kTrialShare + kTrialForGain * saving / here;
    // Before the one in use was measured several times only what is beyond all doubt counts
    if (now.recent.count() < kSeveral + 1 &&
        cost * off > kBeyondDoubt * std::min(here, step_ms(*now.model, watch_.features())))
      continue;
    const bool sure = cost * off < kWorthSwitching * here;
    if (!sure && trial_ms_ + price > share * (total_ms_ + kHorizon * here)) continue;
    if (saving * horizon - price <= most) continue;
    most = saving * horizon - price;
    wanted = i;
  }
  if (wanted == settled_) return;
  candidates_[wanted].recent.clear();
  trial_began_ = step_;
  price_ms_ = trial_price(candidates_[wanted], here);
  choose(wanted, DecisionKind::trial,
         candidates_[wanted].is_known() ? "measured before, and expected to save time now"
                                        : "never measured, and may save time");
}

template <int D>
void Adaptive<D>::end_trial() {
  trial_over_ = false;
  Candidate& tried = candidates_[active_];
  learn(tried);
  here_ms_ = predict(candidates_[settled_]);
  if (tried.measured_ms < kWorthSwitching * here_ms_) {
    best_ = active_;
    best_ms_ = tried.measured_ms;
    choose(active_, DecisionKind::kept, "measured clearly less");
    here_ms_ = best_ms_;
  } else {
    choose(settled_, DecisionKind::returned, "did not measure clearly less");
  }
  since_watch_ms_ = 0;
}

template <int D>
void Adaptive<D>::take_in_step(const BoxStore<D>& store, bool from_nothing) {
  Candidate& now = candidates_[active_];
  const bool is_new = now.algorithm == nullptr;
  if (is_new) {
    if constexpr (D == 2)
      now.algorithm = now.entry->make2();
    else
      now.algorithm = now.entry->make3();
  }
  now.algorithm->set_executor(this->executor());
  // The first steps, and the first after others did some, are not what steps cost
  if (is_new || (now.model->incremental && (from_nothing || now.next_step != step_)))
    now.warm_up = is_new ? now.model->warm_up : 1;
  asked_ = false;
  timed_ = active_ != settled_ || now.recent.count() < kEnough || here_ms_ >= kShortStep || !(here_ms_ > 0) ||
           step_ % kTimedEvery == 0;
  by_thread_ = here_ms_ >= kLongStep && thread_clock_ != nullptr && this->executor().concurrency() == 1;
  const double start = step_clock();
  this->update_of(*now.algorithm, store, from_nothing);
  update_ms_ = step_clock() - start;
}

template <int D>
double Adaptive<D>::step_clock() const {
  return !timed_ ? 0 : by_thread_ ? thread_clock_() : clock_();
}

template <int D>
void Adaptive<D>::do_build(const BoxStore<D>& store) {
  begin_anew(store);
  take_in_step(store, true);
}

template <int D>
void Adaptive<D>::do_update(const BoxStore<D>& store) {
  if (trial_over_) end_trial();
  watch(store);
  try {
    take_in_step(store, false);
  } catch (const std::bad_alloc&) {
    if (active_ == settled_) throw;
    give_up_trial(store);
  }
}

// The one on trial needs more memory than there is; the one before it did not
template <int D>
void Adaptive<D>::give_up_trial(const BoxStore<D>& store) {
  trial_over_ = false;
  candidates_[active_].scale = kNeverAgain;
  candidates_[active_].algorithm.reset();
  choose(settled_, DecisionKind::returned, "ran out of memory");
  take_in_step(store, false);
}

template <int D>
void Adaptive<D>::do_pairs(const BoxStore<D>& store, SearchOutput& out) {
  Candidate& now = candidates_[active_];
  const double start = step_clock();
  try {
    this->pairs_of(*now.algorithm, store, out);
  } catch (const std::bad_alloc&) {
    if (active_ == settled_) throw;
    give_up_trial(store);
    return do_pairs(store, out);
  }
  const double ms = timed_ ? update_ms_ + (step_clock() - start) : here_ms_;
  this->count() = now.algorithm->counters();
  last_pairs_ = out.pairs.size();
  asked_ = true;
  total_ms_ += ms;
  since_watch_ms_ += ms;
  if (active_ != best_) regret_ms_ += std::max(0.0, ms - best_ms_);
  watch_.count(store, last_pairs_);
  const double modelled = step_ms(*now.model, watch_.features());
  if (now.warm_up > 0)
    --now.warm_up;
  else if (timed_)
    now.recent.add(ms / modelled, this->count().rebuilds > 0);
  now.next_step = ++step_;
  if (active_ == settled_) return;
  // Interruptions are not the fault of the one that is tried
  const double lost = std::clamp(ms - here_ms_, 0.0, kMostOverPrice * price_ms_);
  trial_ms_ += lost;
  // It ends at the next update: until then this is the one that did the step
  const std::uint64_t steps = step_ - trial_began_;
  trial_over_ = steps >= trial_steps(*now.model) ||
                (now.recent.count() >= kSeveral && now.recent.least() * modelled > kHopeless * here_ms_);
}

template <int D>
void Adaptive<D>::do_cast(const BoxStore<D>& store, CastSink<D>& sink) {
  Broadphase<D>& now = *candidates_[active_].algorithm;
  this->keeps_answers_of(now) ? this->ask_of(now, store, sink) : Broadphase<D>::do_cast(store, sink);
}
template <int D>
void Adaptive<D>::do_overlap(const BoxStore<D>& store, OverlapSink<D>& sink) {
  Broadphase<D>& now = *candidates_[active_].algorithm;
  this->keeps_answers_of(now) ? this->ask_of(now, store, sink) : Broadphase<D>::do_overlap(store, sink);
}
template <int D>
void Adaptive<D>::do_nearest(const BoxStore<D>& store, NearSink<D>& sink) {
  Broadphase<D>& now = *candidates_[active_].algorithm;
  this->keeps_answers_of(now) ? this->ask_of(now, store, sink) : Broadphase<D>::do_nearest(store, sink);
}

template <int D>
std::size_t Adaptive<D>::do_bytes() const noexcept {
  std::size_t total = decisions_.capacity() * sizeof(AdaptiveDecision);
  for (const AdaptiveDecision& decision : decisions_) total += decision.costs.capacity() * sizeof(CandidateCost);
  for (const Candidate& c : candidates_)
    if (c.algorithm != nullptr) total += this->bytes_of(*c.algorithm);
  return total;
}

template class SUDAR_API Adaptive<2>;
template class SUDAR_API Adaptive<3>;

}  // namespace sudar
