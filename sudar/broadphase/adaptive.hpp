// What:    `adaptive`: the broad phase that chooses the best of the others while it runs.
// Source:  Left open by seed E15. Avril, Gouranton, Arnaldi 2011 choose by profiles made off line; Serpa and Rodrigues
//          2019 by the best average; this learns on line. The rule for trials is expected improvement (Močkus 1975)
//          against a price.
// Differs: Every candidate has a cost model whose scale is corrected by each measurement (cost_model.hpp). One that may be
//          better goes on trial: it does the work of a few steps instead of the one in use, so that a trial costs only
//          the difference. It is tried when what it may save, over as many steps as there were so far, is more than
//          that. It stays when it measured clearly better. The pairs are everybody's, so a simulation is the same
//          whatever is chosen. Watching is held to a small share of the time as well. Questions go to the one
//          in use when it answers them from what it keeps anyway; otherwise to trees of their own, which outlive every
//          choice. What they take is not measured: the choice is made for the pairs.
// Fails:   Never by choosing: the worst choice costs time.
#pragma once

#include <sudar/broadphase/broadphase.hpp>
#include <sudar/broadphase/cost_model.hpp>
#include <sudar/broadphase/scene_watch.hpp>

#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace sudar {

struct CandidateCost {
  std::string_view name;
  double predicted_ms = 0;  // of a step, now
  double measured_ms = 0;   // of its steps when it was last in use or on trial; 0 when it never was
};

enum class DecisionKind : std::uint8_t {
  chosen,    // without a trial: the first one, or one for a scene that begins anew
  trial,     // `to` goes on trial
  kept,      // the trial is over and the one that was tried stays
  returned,  // the trial is over and the one before it is back
};

struct AdaptiveDecision {
  std::uint64_t step = 0;
  DecisionKind kind = DecisionKind::chosen;
  std::string_view from, to;
  std::string_view reason;
  SceneFeatures features;
  std::vector<CandidateCost> costs;
  double regret_ms = 0;  // spent so far above what the best known candidate would have taken
};

// Milliseconds of some clock; replaced in tests
using ClockFunction = double (*)();

template <int D>
class SUDAR_API Adaptive final : public Broadphase<D> {
 public:
  Adaptive();
  explicit Adaptive(ClockFunction clock);
  // With other models than cost_models(), of the same broad phases or fewer; `models` outlives it
  explicit Adaptive(std::span<const CostModel> models);
  ~Adaptive() override;
  std::string_view name() const noexcept override { return "adaptive"; }

  // The one that did the last step, be it on trial
  std::string_view in_use() const noexcept;
  // The same as an object, for people who look inside; null before the first step
  const Broadphase<D>* at_work() const noexcept;
  // The oldest ones are forgotten
  const std::vector<AdaptiveDecision>& decisions() const noexcept { return decisions_; }
  const SceneFeatures& features() const noexcept { return watch_.features(); }
  double regret_ms() const noexcept { return regret_ms_; }
  // What trials cost above what the one in use would have taken
  double trial_ms() const noexcept { return trial_ms_; }
  double watch_ms() const noexcept { return watch_ms_; }
  // Steps, trials and watching
  double total_ms() const noexcept { return total_ms_; }
  std::vector<CandidateCost> costs() const;

 private:
  struct Candidate;

  void do_build(const BoxStore<D>& store) override;
  void do_update(const BoxStore<D>& store) override;
  void do_pairs(const BoxStore<D>& store, SearchOutput& out) override;
  void do_cast(const BoxStore<D>& store, CastSink<D>& sink) override;
  void do_overlap(const BoxStore<D>& store, OverlapSink<D>& sink) override;
  void do_nearest(const BoxStore<D>& store, NearSink<D>& sink) override;
  std::size_t do_bytes() const noexcept override;

  void add_candidates(std::span<const CostModel> models);
  void begin_anew(const BoxStore<D>& store);
  void watch(const BoxStore<D>& store);
  void guess_machine();
  void plan_trial();
  void end_trial();
  void give_up_trial(const BoxStore<D>& store);
  void take_in_step(const BoxStore<D>& store, bool from_nothing);
  double step_clock() const;
  void learn(Candidate& candidate);
  double predict(const Candidate& candidate) const;
  double doubt(const Candidate& candidate) const;
  double trial_price(const Candidate& candidate, double here) const;
  void choose(std::size_t index, DecisionKind kind, std::string_view reason);

  ClockFunction clock_, thread_clock_ = nullptr;
  SceneWatch<D> watch_;
  std::vector<Candidate> candidates_;
  std::size_t settled_ = 0;  // the one in use, but for trials
  std::size_t active_ = 0;   // the one that does the step
  double machine_ = 1;       // how much slower than the models this machine seems to be
  double best_ms_ = 0;       // of a step, by the best that was measured
  double here_ms_ = 0;       // of a step, by the settled one
  std::size_t best_ = 0;
  bool noted_ = false, asked_ = false;  // sampled boxes are noted; pairs were asked for since the last update
  bool trial_over_ = false;
  bool timed_ = true, by_thread_ = false;                                 // how the step that is going on is timed
  std::uint64_t step_ = 0, trial_began_ = 0, chosen_at_ = 0, began_ = 0;  // began_: this scene
  double update_ms_ = 0;                                                  // of the step that is going on
  double price_ms_ = 0;                                                   // expected, of the trial that is going on
  double since_watch_ms_ = 0, watch_cost_ms_ = 0, noting_ms_ = 0;
  std::size_t last_pairs_ = 0;
  double total_ms_ = 0, trial_ms_ = 0, watch_ms_ = 0, regret_ms_ = 0;
  std::vector<AdaptiveDecision> decisions_;
};

}  // namespace sudar
