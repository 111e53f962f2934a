// What:    `adaptive`: the broad phase that chooses the best of the others while it runs.
// Source:  Left open by seed E15. Avril, Gouranton, Arnaldi 2011 choose by profiles made off line; Serpa and Rodrigues
//          2019 by the best average; this learns on line.
// Differs: Every candidate has a cost model: a sum over what the scene shows (boxes, moved boxes, pairs …) whose scale is
//          corrected by each measurement. A candidate that may be better is probed beside the one in use, within a budget
//          that is a small share of the time spent so far; it takes over when it measured clearly better. The pairs are
//          everybody's, so a simulation is the same whatever is chosen. Every decision is recorded with its reason, the
//          predicted and measured costs and the regret.
// Fails:   Never by choosing: the worst choice costs time.
#pragma once

#include <sudar/broadphase/broadphase.hpp>
#include <sudar/broadphase/scene_watch.hpp>

#include <array>
#include <memory>
#include <string_view>
#include <vector>

namespace sudar::inline SUDAR_ABI {

struct CandidateCost {
  std::string_view name;
  double predicted_ms = 0;  // of a step, now
  double measured_ms = 0;   // of its last measured step; 0 when it was never run
};

struct AdaptiveDecision {
  std::uint64_t step = 0;
  std::string_view from, to;  // the same when a probe did not lead to a change
  std::string_view reason;
  SceneFeatures features;
  std::vector<CandidateCost> costs;
  double regret_ms = 0;  // spent so far above what the best known candidate would have taken, probes included
};

// Milliseconds of some clock; replaced in tests
using ClockFunction = double (*)();

template <int D>
class SUDAR_API Adaptive final : public Broadphase<D> {
 public:
  Adaptive();
  explicit Adaptive(ClockFunction clock);
  ~Adaptive() override;
  std::string_view name() const noexcept override { return "adaptive"; }

  std::string_view in_use() const noexcept;
  // The oldest ones are forgotten
  const std::vector<AdaptiveDecision>& decisions() const noexcept { return decisions_; }
  const SceneFeatures& features() const noexcept { return watch_.features(); }
  double regret_ms() const noexcept { return regret_ms_; }
  double probe_ms() const noexcept { return probe_ms_; }
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

  void begin_step(const BoxStore<D>& store, bool from_nothing);
  void choose_by_model();
  void plan_probe();
  void run_probe(const BoxStore<D>& store);
  void learn(Candidate& candidate, double ms);
  double predict(const Candidate& candidate) const;
  void make(Candidate& candidate);
  void switch_to(std::size_t index, std::string_view reason);
  void record(std::size_t from, std::size_t to, std::string_view reason);

  ClockFunction clock_;
  SceneWatch<D> watch_;
  std::vector<Candidate> candidates_;
  std::size_t current_ = 0;
  std::size_t probed_ = 0;  // candidate under probe; current_ when none is
  int probe_step_ = 0;      // steps of it so far
  double update_ms_ = 0;    // of the step that is going on
  std::uint64_t step_ = 0, switched_at_ = 0;
  std::size_t last_pairs_ = 0;
  double total_ms_ = 0, probe_ms_ = 0, regret_ms_ = 0;
  SearchOutput probe_out_;
  std::vector<AdaptiveDecision> decisions_;
};

}  // namespace sudar::inline SUDAR_ABI
