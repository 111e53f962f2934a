// What:    A living scene as an exhibit: it steps, is looked into, swapped, raced, recorded, stepped back, and taken in hand.
//          live_exhibit.cpp has its life, live_parameters.cpp what may be set, live_panel.cpp what is told.
// Differs: What the lab does beside the step itself (snapshots, checks, pictures) is timed and told, and is cut to shares of
//          the step's time where it can be, so that large scenes stay theirs.
// Frame:   One call of advance() is one step of `dt`, whatever time has passed on the wall: the same on every machine.
#pragma once

#include "lab/adaptive_view.hpp"
#include "lab/broadphase_view.hpp"
#include "lab/exhibit.hpp"
#include "lab/live_history.hpp"
#include "lab/live_recording.hpp"
#include "lab/live_scene.hpp"
#include "lab/pair_check.hpp"
#include "lab/race.hpp"
#include "lab/step_graphs.hpp"
#include "lab/trouble.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sudar::lab {

template <int D>
class LiveExhibit final : public Exhibit {
 public:
  using V = Vec<D, double>;

  static Result<std::unique_ptr<LiveExhibit>> make(const scenes::Spec& spec);

  std::span<Parameter> parameters() override { return parameters_; }
  Result<void> set(std::size_t index) override;
  void advance(double seconds) override;
  bool advance_stage() override;
  History history() const override;
  void recall(std::size_t frame) override;
  StepCost last_step() const override;
  void draw(DrawList& list) const override;
  void tell(Panel& panel) const override;
  std::string as_query() const override;
  bool grab(const Pick& pick) override;
  void drag(const Pick& pick) override;
  void release(bool thrown) override;
  void shoot(const Pick& pick) override;
  void pull(const Vec3d& point) override;
  Vec3d push_out(const Vec3d& center, double radius) const override;
  View home() const override;

  // For tests
  const LiveScene<D>& live() const { return *live_; }
  const PairVerdict& verdict() const { return check_.verdict(); }
  const StepGraphs& graphs() const { return graphs_; }
  const Race<D>& race() const { return race_; }
  const BroadphaseView<D>& view() const { return view_; }
  const LiveHistory<D>& kept() const { return history_; }
  const std::string& message() const { return message_; }
  std::optional<std::uint64_t> diverged() const { return replay_ ? replay_->diverged() : std::nullopt; }
  double swap_ms() const { return swap_ms_; }

 private:
  explicit LiveExhibit(const scenes::Spec& spec);

  // Life
  Result<void> restart();
  void take_step();
  std::vector<LiveInput<D>> inputs_now();
  void begin_step(std::span<const LiveInput<D>> inputs);
  void end_step(std::span<const LiveInput<D>> inputs, double step_ms, double lab_ms);
  void finish_stages();
  void look_inside_now();
  void say(std::string message) { message_ = std::move(message); }
  void say(const std::string& what, const Error& error);
  std::string_view algorithm_at_work() const;

  // What may be set
  void list_parameters();
  Parameter* find(std::string_view name);
  double value(std::string_view name) const;
  const std::string& text(std::string_view name) const;
  Result<void> set_scene(std::string_view key, double value);
  Result<void> set_algorithm(const std::string& name);
  Result<void> set_race();
  Result<void> set_threads(unsigned threads);
  Result<void> act(std::string_view action);
  Result<void> start_replay();
  Result<void> write_text(const std::string& path, const std::string& content);

  scenes::Spec spec_;
  LiveOptions options_;
  std::unique_ptr<Executor> executor_;
  double dt_ = 1.0 / 60;
  std::unique_ptr<LiveScene<D>> live_;
  std::vector<Parameter> parameters_;
  std::string message_;

  std::vector<LiveInput<D>> pending_, stage_inputs_;
  std::size_t stage_ = 0;  // stages of the step that is going on that are done
  double stage_ms_ = 0;
  LiveHistory<D> history_;
  std::optional<LiveRecording<D>> recording_;
  std::optional<LiveReplay<D>> replay_;

  // What is looked at
  PairCheck<D> check_;
  Race<D> race_;
  StepGraphs graphs_;
  BroadphaseView<D> view_;
  AdaptiveView<D> adaptive_;
  std::vector<std::string> hints_;
  std::vector<std::uint8_t> touching_;
  std::uint64_t seen_revision_ = 0, moved_ = 0;
  double swap_ms_ = 0;  // of the first step after the last swap, and the swap itself
  bool swapped_ = false;
  mutable double draw_ms_ = 0, tell_ms_ = 0;  // of the last frame

  // The hand
  std::uint32_t held_ = LiveScene<D>::kNoBody;
  double held_at_ = 0;  // along the pointer's ray
  V target_{}, last_target_{}, hand_velocity_{};
};

}  // namespace sudar::lab
