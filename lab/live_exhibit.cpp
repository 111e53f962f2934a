#include "lab/live_exhibit.hpp"

#include <sudar/broadphase/adaptive.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace sudar::lab {

namespace {

using LiveClock = std::chrono::steady_clock;
double live_ms(LiveClock::time_point from, LiveClock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

constexpr std::uint64_t kHintsEvery = 30;               // steps
constexpr double kPullStrength = 2;                     // of the way in a second
constexpr double kShotSpeed = 30;                       // metres a second
constexpr double kShotOfWorldSize = 1.0 / 60;           // radius of a ball that is shot, in sizes of the world
constexpr double kLeastShot = 0.05, kMostShot = 0.5;    // metres
constexpr double kWideFloor = 0.6;                      // of the world: what moves is looked at when it is smaller
constexpr double kLeastOfWorld = 0.15;                  // that is looked at in any case
constexpr double kHomeDistance = 3, kHomeHeight = 2.4;  // radii of what is looked at
constexpr double kHandMemory = 0.5;                     // of the velocity of the pointer from step to step

}  // namespace

template <int D>
LiveExhibit<D>::LiveExhibit(const scenes::Spec& spec) : spec_(spec), executor_(make_executor(1)) {
  options_.executor = executor_.get();
}

template <int D>
Result<std::unique_ptr<LiveExhibit<D>>> LiveExhibit<D>::make(const scenes::Spec& spec) {
  return guarded([&]() -> Result<std::unique_ptr<LiveExhibit>> {
    std::unique_ptr<LiveExhibit> made(new LiveExhibit(spec));
    if (const auto started = made->restart(); !started) return started.error();
    made->list_parameters();
    return made;
  });
}

// From time 0 with the options as they are; after an error everything is as it was
template <int D>
Result<void> LiveExhibit<D>::restart() {
  auto made = make_live<D>(spec_, options_);
  if (!made) return made.error();
  live_ = *std::move(made);
  if (options_.algorithm == kNoAlgorithm)
    pending_ = {{LiveInputKind::detection, 0, {}, {}, 0}};
  else
    pending_.clear();
  stage_ = 0;
  held_ = LiveScene<D>::kNoBody;
  history_.clear();
  graphs_.clear();
  adaptive_.clear();
  check_.forget();
  view_.clear();
  hints_.clear();
  recording_.reset();
  replay_.reset();
  seen_revision_ = 0;
  return {};
}

template <int D>
void LiveExhibit<D>::say(const std::string& what, const Error& error) {
  message_ = what + ": " + error.message();
}

template <int D>
std::string_view LiveExhibit<D>::algorithm_at_work() const {
  if (live_->broadphase() == nullptr) return kNoAlgorithm;
  const auto* adaptive = dynamic_cast<const Adaptive<D>*>(live_->broadphase());
  return adaptive != nullptr ? adaptive->in_use() : live_->broadphase()->name();
}

template <int D>
std::vector<LiveInput<D>> LiveExhibit<D>::inputs_now() {
  if (replay_ && !replay_->done(*live_)) {
    pending_.clear();
    return replay_->inputs_of(live_->steps());
  }
  std::vector<LiveInput<D>> inputs = std::move(pending_);
  pending_.clear();
  if (held_ != LiveScene<D>::kNoBody) {
    hand_velocity_ = hand_velocity_ * kHandMemory + (target_ - last_target_) * ((1 - kHandMemory) / dt_);
    last_target_ = target_;
    inputs.push_back({LiveInputKind::carry, held_, target_, {}, 0});
  }
  if (value("pull_to_middle") != 0) {
    V middle;
    const Aabb<D, double> bounds = live_bounds(live_->boxes());
    for (int k = 0; k < D; ++k) middle[k] = 0.5 * (bounds.lo[k] + bounds.hi[k]);
    inputs.push_back({LiveInputKind::pull, 0, middle, {}, kPullStrength});
  }
  return inputs;
}

template <int D>
void LiveExhibit<D>::begin_step(std::span<const LiveInput<D>> inputs) {
  // What was once to come is not any more
  if (live_->steps() < history_.last()) {
    graphs_.forget_after(live_->steps());
    if (recording_) recording_->cut(live_->steps());
  }
  const double typical = graphs_.typical_ms();
  if (const auto kept = history_.keep(*live_, dt_, inputs, typical); !kept) say("history", kept.error());
}

template <int D>
void LiveExhibit<D>::take_step() {
  if (stage_ > 0) return finish_stages();
  const auto start = LiveClock::now();
  const std::vector<LiveInput<D>> inputs = inputs_now();
  begin_step(inputs);
  const auto before = LiveClock::now();
  const auto stepped = live_->step(dt_, inputs);
  const auto after = LiveClock::now();
  if (!stepped) return say("step", stepped.error());
  end_step(inputs, live_ms(before, after), live_ms(start, before));
}

template <int D>
void LiveExhibit<D>::advance(double) {
  take_step();
}

template <int D>
bool LiveExhibit<D>::advance_stage() {
  if (stage_ == 0) {
    stage_inputs_ = inputs_now();
    begin_step(stage_inputs_);
    stage_ms_ = 0;
  }
  const auto before = LiveClock::now();
  if (const auto done = live_->run_stage(stage_, dt_, stage_inputs_); !done) {
    say(std::string(live_->stages()[stage_]), done.error());
    stage_ = 0;
    return true;
  }
  stage_ms_ += live_ms(before, LiveClock::now());
  if (++stage_ == live_->stages().size()) {
    stage_ = 0;
    end_step(stage_inputs_, stage_ms_, 0);
  } else {
    look_inside_now();
  }
  return true;
}

template <int D>
void LiveExhibit<D>::finish_stages() {
  do advance_stage();
  while (stage_ > 0);
}

template <int D>
StepCost LiveExhibit<D>::last_step() const {
  if (graphs_.rows().empty()) return {};
  const StepRow& row = graphs_.rows().back();
  return {row.ms, row.lab_ms, row.swap_ms};
}

// Everything that the lab does after a step
template <int D>
void LiveExhibit<D>::end_step(std::span<const LiveInput<D>> inputs, double step_ms, double lab_ms) {
  const auto start = LiveClock::now();
  const BoxStore<D>& store = live_->boxes();
  StepRow row;
  if (swapped_) row.swap_ms = swap_ms_ += step_ms, swapped_ = false;
  const bool detects = live_->broadphase() != nullptr;
  if (detects && value("check") != 0) check_.look(store, live_->pairs(), live_->steps(), step_ms);
  if (recording_) recording_->note(*live_, inputs);
  if (replay_) replay_->compare(*live_);
  if (const auto* adaptive = dynamic_cast<const Adaptive<D>*>(live_->broadphase()))
    adaptive_.note(*adaptive, live_->steps());
  const auto changes = store.changes_since(seen_revision_);
  moved_ = changes ? changes->size() : store.size();
  seen_revision_ = store.revision();
  if (live_->steps() % kHintsEvery == 1) {
    TroubleSigns signs = signs_of(live_->broadphase(), store, live_->pairs().size());
    signs.moved = std::min(static_cast<double>(moved_), signs.boxes);
    signs.threads = executor_->concurrency();
    hints_ = hints_for(signs);
  }
  lab_ms += live_ms(start, LiveClock::now());
  // Asked for, and not a part of the frame without them
  race_.run(store);
  look_inside_now();

  row.step = live_->steps();
  row.time = live_->time();
  row.ms = step_ms;
  row.lab_ms = lab_ms + draw_ms_ + tell_ms_;
  const StepStats& stats = live_->stats();
  for (std::size_t s = 0; s < static_cast<std::size_t>(kStageCount); ++s)
    row.stages[s] = static_cast<float>(stats.stage_ms[s]);
  row.search = stats.search;
  row.bodies = store.size();
  row.pairs = live_->pairs().size();
  row.contacts = stats.contacts;
  row.points = live_->points();
  row.algorithm = algorithm_at_work();
  graphs_.add(row);
}

template <int D>
void LiveExhibit<D>::look_inside_now() {
  const auto view = static_cast<InsideView>(value("view"));
  if (view == InsideView::off) {
    if (view_.shown() > 0) view_.clear();
    return;
  }
  touching_.clear();
  if (live_->is_world())
    for (std::size_t i = 0; i < live_->pairs().size(); ++i) touching_.push_back(live_->touching(i) ? 1 : 0);
  view_.look(view, static_cast<int>(value("level")), live_->broadphase(), live_->boxes(), live_->pairs(), touching_);
}

template <int D>
History LiveExhibit<D>::history() const {
  if (history_.frames() == 0) return {};
  return {history_.frames(), static_cast<std::size_t>(live_->steps() - history_.first())};
}

template <int D>
void LiveExhibit<D>::recall(std::size_t frame) {
  stage_ = 0;
  held_ = LiveScene<D>::kNoBody;
  if (const auto gone = history_.go_to(*live_, history_.first() + frame); !gone) say("step back", gone.error());
  seen_revision_ = live_->boxes().revision();
  look_inside_now();
}

template <int D>
void LiveExhibit<D>::draw(DrawList& list) const {
  const auto start = LiveClock::now();
  list.flat = D == 2;
  if (value("drawing") != 0) {
    LiveLook look;
    look.color = static_cast<LiveColor>(value("color"));
    look.contacts = value("contacts") != 0;
    look.joints = value("joints") != 0;
    look.selected = held_;
    live_->draw(list, look);
  }
  // The container of scenes of boxes
  if (!live_->is_world()) {
    Vec3d hi{1, 1, D == 3 ? 1.0 : 0.0};
    list.wire_box({0, 0, 0}, hi, color_of(Ink::ground));
  }
  if (held_ != LiveScene<D>::kNoBody)
    list.line(to_space(live_->place_of(held_)), to_space(target_), color_of(Ink::highlight), 2);
  draw_ms_ = live_ms(start, LiveClock::now());
  view_.draw(list);
}

template <int D>
bool LiveExhibit<D>::grab(const Pick& pick) {
  const V origin = from_space<D>(pick.origin);
  const V direction = D == 2 ? V{} : from_space<D>(pick.direction);
  double t = 0;
  const std::uint32_t body = live_->pick(origin, direction, t);
  if (body == LiveScene<D>::kNoBody || !live_->can_carry(body)) return false;
  held_ = body;
  held_at_ = t;
  target_ = last_target_ = origin + direction * t;
  hand_velocity_ = {};
  return true;
}

template <int D>
void LiveExhibit<D>::drag(const Pick& pick) {
  if (held_ == LiveScene<D>::kNoBody) return;
  target_ = from_space<D>(pick.origin);
  if (D == 3) target_ += from_space<D>(pick.direction) * held_at_;
}

template <int D>
void LiveExhibit<D>::release(bool thrown) {
  if (held_ == LiveScene<D>::kNoBody) return;
  pending_.push_back({LiveInputKind::let_go, held_, {}, thrown ? hand_velocity_ : V{}, 0});
  held_ = LiveScene<D>::kNoBody;
}

template <int D>
void LiveExhibit<D>::shoot(const Pick& pick) {
  const Aabb<D, double> bounds = live_bounds(live_->boxes());
  double size = 0;
  for (int k = 0; k < D; ++k) size = std::max(size, bounds.hi[k] - bounds.lo[k]);
  LiveInput<D> input;
  input.kind = LiveInputKind::shoot;
  input.point = from_space<D>(pick.origin);
  if (D == 3) input.vector = from_space<D>(pick.direction) * kShotSpeed;
  input.value = std::clamp(size * kShotOfWorldSize, kLeastShot, kMostShot);
  pending_.push_back(input);
}

template <int D>
void LiveExhibit<D>::pull(const Vec3d& point) {
  pending_.push_back({LiveInputKind::pull, 0, from_space<D>(point), {}, kPullStrength});
}

template <int D>
Vec3d LiveExhibit<D>::push_out(const Vec3d& center, double radius) const {
  return to_space(live_->push_out(from_space<D>(center), radius));
}

// Of a world on a wide floor, what moves is looked at; where something stands apart from it, as the wall that is shot at,
// the whole is
template <int D>
View LiveExhibit<D>::home() const {
  View view;
  const BoxStore<D>& store = live_->boxes();
  if (!live_->is_world() || store.fixed_count() == 0 || store.fixed_count() == store.size()) return view;
  Aabb<D, double> moving = Aabb<D, double>::empty();
  for (std::uint32_t row = 0; row < store.size(); ++row)
    if (!store.is_fixed(row)) {
      moving.lo = min(moving.lo, vec_cast<double>(store.box(row).lo));
      moving.hi = max(moving.hi, vec_cast<double>(store.box(row).hi));
    }
  const Aabb<D, double> all = live_bounds(store);
  const double whole = length(all.hi - all.lo) / 2;
  const double radius = std::max(length(moving.hi - moving.lo) / 2, kLeastOfWorld * whole);
  if (!(radius < kWideFloor * whole)) return view;
  const Vec<D, double> middle = (moving.lo + moving.hi) * 0.5;
  for (std::uint32_t row = 0; row < store.size(); ++row) {
    if (!store.is_fixed(row)) continue;
    for (int i = 0; i < D; ++i)
      if (store.box(row).lo[i] > middle[i] + radius || store.box(row).hi[i] < middle[i] - radius) return view;
  }
  view.fit = false;
  view.target = to_space(middle);
  view.height = kHomeHeight * radius;
  view.eye = view.target + normalized(View{}.eye) * (kHomeDistance * radius);
  return view;
}

template class LiveExhibit<2>;
template class LiveExhibit<3>;

}  // namespace sudar::lab
