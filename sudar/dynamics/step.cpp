// What:    One step of a world, on one page. Stages 1 to 4 are the scene's; the others are in step_stages.cpp.
// Source:  Catto, "Solver2D", 2024, for substeps with soft contacts; seeds D1, D3, E9.
// Differs: Continuous detection comes after the solver and moves fast bodies back to their first touch; the next step
//          finds them in contact.
#include <sudar/dynamics/recording.hpp>
#include <sudar/dynamics/world.hpp>

#include <utility>

namespace sudar {

template <int D>
Result<double> World<D>::stepped(double dt) {
  events_.clear();
  if (const Result<void> taken = take_out_lost(dt); !taken) return taken.error();

  // 1 boxes of what moved · 2 pairs · 3 begin / stay / end · 4 manifolds, and which points they were
  ImpulseMover mover(*this);
  if (const Result<void> updated = scene_->update(&mover); !updated) return updated.error();
  stats_.stages = scene_->stats();
  {  // 5 the impulses that points carried; which contacts push
    const StageTimer timer(stats_.stages, Stage::matching);
    carry_impulses();
  }
  {  // 6 islands, sleep
    const StageTimer timer(stats_.stages, Stage::islands);
    if (const Result<void> woken = wake_in_the_way(dt); !woken) return woken.error();
    find_islands();
    fall_asleep_or_wake();
    if (const Result<void> pulled = take_in_woken(); !pulled) return pulled.error();
  }
  {  // 7 velocities, contacts, positions
    const StageTimer timer(stats_.stages, Stage::solve);
    gather_bodies();
    if (const Result<void> solved = solve(dt); !solved) return solved.error();
    take_solution();
    tell_hits();
    fly_free(dt);
  }
  {  // 8 fast bodies
    const StageTimer timer(stats_.stages, Stage::fast_bodies);
    if (const Result<void> stopped = stop_fast_bodies(dt); !stopped) return stopped.error();
  }
  {  // 9 places, sleep's clocks, events, hash
    const StageTimer timer(stats_.stages, Stage::finish);
    if (const Result<void> finished = finish_step(dt); !finished) return finished.error();
  }
  return dt;
}

template <int D>
Result<double> World<D>::step(double dt) {
  if (!std::isfinite(dt)) return Error{ErrorCode::non_finite, Error::kNoElement, "the step is not finite"};
  if (!(dt > 0)) return Error{ErrorCode::invalid_argument, Error::kNoElement, "the step must be positive"};
  // Slow motion instead of tunnelling
  const double cut = dt < options_.max_dt ? dt : options_.max_dt;
  return guarded([&]() -> Result<double> {
    if (recording_ == nullptr) return stepped(cut);
    recording_->make_room_for_step(*this);
    WorldRecording<D>* const recording = std::exchange(recording_, nullptr);
    const Result<double> done = stepped(cut);
    if (!done) return done;
    recording_ = recording;
    recording_->inputs.push_back({.kind = InputKind::step, .value = dt});
    recording_->add_step(*this);
    return done;
  });
}

template <int D>
Result<RunReport> World<D>::run(double elapsed) {
  if (!std::isfinite(elapsed)) return Error{ErrorCode::non_finite, Error::kNoElement, "the time is not finite"};
  if (!(elapsed >= 0)) return Error{ErrorCode::invalid_argument, Error::kNoElement, "the time is negative"};
  RunReport report;
  data_.waiting += elapsed;
  while (data_.waiting >= options_.fixed_dt && report.steps < options_.max_steps) {
    const Result<double> done = step(options_.fixed_dt);
    if (!done) return done.error();
    data_.waiting -= options_.fixed_dt;
    report.simulated += *done;
    ++report.steps;
  }
  if (data_.waiting >= options_.fixed_dt) {
    report.dropped = data_.waiting;
    data_.waiting = 0;
  }
  report.rest = data_.waiting / options_.fixed_dt;
  return report;
}

template SUDAR_API Result<double> World<2>::stepped(double);
template SUDAR_API Result<double> World<3>::stepped(double);
template SUDAR_API Result<double> World<2>::step(double);
template SUDAR_API Result<double> World<3>::step(double);
template SUDAR_API Result<RunReport> World<2>::run(double);
template SUDAR_API Result<RunReport> World<3>::run(double);

}  // namespace sudar
