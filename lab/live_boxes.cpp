#include "lab/live_boxes.hpp"

#include <sudar/broadphase/registry.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace sudar::lab {

namespace {

constexpr double kCarrySpeed = 12;  // share of the way to the pointer that a carried body goes in a second
constexpr double kShotOfWorld = 2;  // widths of the world a second, of a box that is shot at

template <int D>
struct BoxesSnapshot final : LiveSnapshot {
  std::unique_ptr<scenes::Scene<D>> scene;
  std::vector<IdPair> pairs;
  LiveEvents events;
  std::uint64_t steps = 0;
  bool detects = true;

  std::size_t bytes() const override {
    return scene->boxes().bytes() + scene->bodies().size() * sizeof(scenes::Body<D>) + pairs.size() * sizeof(IdPair);
  }
};

template <int D>
class LiveBoxes final : public LiveScene<D> {
 public:
  using V = Vec<D, double>;
  using Input = LiveInput<D>;

  LiveBoxes(std::unique_ptr<scenes::Scene<D>> scene, const LiveOptions& options) : scene_(std::move(scene)) {
    if (options.executor != nullptr) executor_ = options.executor;
  }

  const scenes::Spec& spec() const override { return scene_->spec(); }
  bool is_world() const override { return false; }
  double time() const override { return scene_->time(); }
  const BoxStore<D>& boxes() const override { return scene_->boxes(); }
  std::span<const IdPair> pairs() const override { return pairs_; }
  const Broadphase<D>* broadphase() const override { return broadphase_.get(); }

  Result<void> step(double dt, std::span<const Input> inputs) override {
    for (std::size_t stage = 0; stage < stages().size(); ++stage)
      if (const auto done = run_stage(stage, dt, inputs); !done) return done;
    return {};
  }
  std::span<const std::string_view> stages() const override {
    static constexpr std::array<std::string_view, 4> kStages = {"boxes", "update of the broad phase", "pairs",
                                                                "events"};
    return kStages;
  }
  Result<void> run_stage(std::size_t stage, double dt, std::span<const Input> inputs) override {
    switch (stage) {
      case 0: {
        this->stats_ = {};
        const StageTimer timer(this->stats_, Stage::boxes);
        return move(dt, inputs);
      }
      case 1: {
        const StageTimer timer(this->stats_, Stage::pairs);
        return broadphase_ != nullptr ? broadphase_->update(scene_->boxes()) : Result<void>{};
      }
      case 2: {
        const StageTimer timer(this->stats_, Stage::pairs);
        return find_pairs();
      }
      default: {
        const StageTimer timer(this->stats_, Stage::events);
        return compare_pairs();
      }
    }
  }

  Result<void> set_algorithm(std::string_view name) override {
    if (name == kNoAlgorithm) {
      broadphase_.reset();
      return {};
    }
    auto made = make_broadphase<D>(name);
    if (!made) return made.error();
    broadphase_ = *std::move(made);
    broadphase_->set_executor(*executor_);
    return {};
  }
  Result<void> set_parameter(std::string_view name, double value) override {
    if (broadphase_ == nullptr) return Error{ErrorCode::unknown_id, Error::kNoElement, "there is no broad phase"};
    return broadphase_->set_parameter(name, value);
  }
  Result<void> set_executor(Executor& executor) override {
    executor_ = &executor;
    if (broadphase_ != nullptr) broadphase_->set_executor(executor);
    return {};
  }

  std::uint64_t state_hash() const override {
    std::uint64_t hash = this->steps_;
    for (const scenes::Body<D>& body : scene_->bodies())
      for (int k = 0; k < D; ++k) {
        hash = (hash ^ std::bit_cast<std::uint64_t>(body.center[k])) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
      }
    return hash;
  }

  Result<std::unique_ptr<LiveSnapshot>> save() const override {
    return guarded([&]() -> Result<std::unique_ptr<LiveSnapshot>> {
      auto snapshot = std::make_unique<BoxesSnapshot<D>>();
      snapshot->scene = scene_->clone();
      snapshot->pairs = pairs_;
      snapshot->events = this->events_;
      snapshot->steps = this->steps_;
      snapshot->detects = detects_;
      return std::unique_ptr<LiveSnapshot>(std::move(snapshot));
    });
  }
  Result<void> restore(const LiveSnapshot& from) override {
    const auto* snapshot = dynamic_cast<const BoxesSnapshot<D>*>(&from);
    if (snapshot == nullptr) return Error{ErrorCode::bad_format, Error::kNoElement, "a snapshot of another scene"};
    return guarded([&]() -> Result<void> {
      scene_ = snapshot->scene->clone();
      pairs_ = snapshot->pairs;
      this->events_ = snapshot->events;
      this->steps_ = snapshot->steps;
      detects_ = snapshot->detects;
      // What was told then is not told again
      tracker_ = {};
      tracker_.advance(scene_->boxes(), pairs_);
      return {};
    });
  }

  std::uint32_t pick(const V& origin, const V& direction, double& t) override {
    // A look at all boxes: a click is rare
    const bool is_point = !(length_squared(direction) > 0);
    std::uint32_t found = this->kNoBody;
    t = std::numeric_limits<double>::infinity();
    const BoxCast<D> cast = BoxCast<D>::ray(origin, direction);
    std::vector<CastHit> hits;
    const QueryFilter everyone;
    CastSink<D> sink(scene_->boxes(), cast, everyone, true, hits);
    for (std::uint32_t row = 0; row < scene_->boxes().size(); ++row)
      if (!scene_->boxes().is_fixed(row)) sink.offer(row);
    if (!hits.empty()) found = hits[0].id, t = is_point ? 0 : hits[0].t;
    return found;
  }
  bool can_carry(std::uint32_t body) const override {
    return body < scene_->bodies().size() && scene_->bodies()[body].motion != Motion::fixed;
  }
  V place_of(std::uint32_t body) const override {
    return body < scene_->bodies().size() ? scene_->bodies()[body].center : V{};
  }

  void draw(DrawList& list, const LiveLook& look) const override;

 private:
  Result<void> move(double dt, std::span<const Input> inputs) {
    for (const Input& input : inputs)
      if (const auto done = before_step(input, dt); !done) return done;
    if (const auto done = scene_->step(dt); !done) return done;
    bool changed = false;
    for (const Input& input : inputs) changed |= after_step(input, dt);
    return changed ? scene_->tell_store() : Result<void>{};
  }
  Result<void> before_step(const Input& input, double) {
    if (input.kind == LiveInputKind::detection) detects_ = input.value != 0;
    if (input.kind == LiveInputKind::let_go && can_carry(input.body))
      scene_->edit_bodies()[input.body].velocity = input.vector;
    if (input.kind == LiveInputKind::shoot) {
      double t = 0;
      const std::uint32_t hit = pick(input.point, input.vector, t);
      if (hit != this->kNoBody && can_carry(hit))
        scene_->edit_bodies()[hit].velocity = normalized(input.vector) * kShotOfWorld;
    }
    return {};
  }
  // Scenes that know where everybody is at any time are overruled after their step
  bool after_step(const Input& input, double dt) {
    if (input.kind == LiveInputKind::pull) {
      const double share = std::clamp(input.value * dt, 0.0, 1.0);
      for (scenes::Body<D>& body : scene_->edit_bodies()) {
        if (body.motion == Motion::fixed) continue;
        if (body.deed == scenes::Deed::rests) body.deed = scenes::Deed::moves;
        body.center += (input.point - body.center) * share;
      }
      return true;
    }
    if (input.kind != LiveInputKind::carry || !can_carry(input.body)) return false;
    scenes::Body<D>& body = scene_->edit_bodies()[input.body];
    if (body.deed == scenes::Deed::rests) body.deed = scenes::Deed::moves;
    body.center += (input.point - body.center) * std::clamp(kCarrySpeed * dt, 0.0, 1.0);
    body.velocity = {};
    return true;
  }

  Result<void> find_pairs() {
    if (broadphase_ == nullptr || !detects_) {
      pairs_.clear();
      return {};
    }
    const auto found = broadphase_->pairs(scene_->boxes());
    if (!found) return found.error();
    return guarded([&]() -> Result<void> {
      pairs_.assign(found->begin(), found->end());
      this->stats_.search = broadphase_->counters();
      this->stats_.pairs = pairs_.size();
      return {};
    });
  }
  Result<void> compare_pairs() {
    return guarded([&]() -> Result<void> {
      const PairChanges changes = tracker_.advance(scene_->boxes(), pairs_);
      this->note_pairs(changes.begin, changes.end);
      ++this->steps_;
      return {};
    });
  }

  std::unique_ptr<scenes::Scene<D>> scene_;
  std::unique_ptr<Broadphase<D>> broadphase_;
  Executor* executor_ = &serial_executor();
  std::vector<IdPair> pairs_;
  PairTracker<D> tracker_;
  bool detects_ = true;
  // Of the frame that is drawn
  mutable std::vector<std::uint8_t> kinds_, marks_;
};

// Colours of the boxes: what they are, then the ramp of speeds
enum BoxKind : std::uint8_t { kBoxFree, kBoxFixed, kBoxTouches, kBoxHeld, kBoxSlowest };
constexpr std::uint8_t kBoxSpeeds = 64;

std::span<const Color> box_palette() {
  static const std::vector<Color> palette = [] {
    std::vector<Color> made = {color_of(Ink::a), color_of(Ink::ground), color_of(Ink::bad), color_of(Ink::highlight)};
    for (std::uint8_t i = 0; i < kBoxSpeeds; ++i) made.push_back(heat(i / (kBoxSpeeds - 1.0)));
    return made;
  }();
  return palette;
}

template <int D>
void LiveBoxes<D>::draw(DrawList& list, const LiveLook& look) const {
  list.flat = D == 2;
  const BoxStore<D>& store = scene_->boxes();
  kinds_.assign(store.size(), kBoxFree);
  if (store.fixed_count() > 0)
    for (std::uint32_t row = 0; row < store.size(); ++row)
      if (store.is_fixed(row)) kinds_[row] = kBoxFixed;
  switch (look.color) {
    case LiveColor::touching:
      // There may be many more pairs than boxes: they mark bytes, which stay in the cache
      if (store.ids_are_rows()) {
        for (const IdPair& pair : pairs_)
          if (pair.hi < kinds_.size()) kinds_[pair.lo] = kinds_[pair.hi] = kBoxTouches;
        break;
      }
      marks_.assign(store.id_limit(), 0);
      for (const IdPair& pair : pairs_)
        if (pair.hi < marks_.size()) marks_[pair.lo] = marks_[pair.hi] = 1;
      for (std::uint32_t row = 0; row < store.size(); ++row)
        if (marks_[store.ids()[row]] != 0) kinds_[row] = kBoxTouches;
      break;
    case LiveColor::speed: {
      const double full = std::max(2 * scene_->spec()["speed"], 1e-9);
      for (std::uint32_t id = 0; id < scene_->bodies().size(); ++id)
        if (const std::uint32_t row = store.row_of(id); row < kinds_.size()) {
          const double share = std::clamp(length(scene_->bodies()[id].velocity) / full, 0.0, 1.0);
          kinds_[row] = static_cast<std::uint8_t>(kBoxSlowest + std::lround(share * (kBoxSpeeds - 1)));
        }
      break;
    }
    case LiveColor::kind:
    case LiveColor::sleep:
      break;
  }
  if (const std::uint32_t row = store.row_of(look.selected); row < kinds_.size()) kinds_[row] = kBoxHeld;
  std::array<std::span<const float>, D> lo, hi;
  for (int k = 0; k < D; ++k) {
    lo[static_cast<std::size_t>(k)] = store.lo(k);
    hi[static_cast<std::size_t>(k)] = store.hi(k);
  }
  list.boxes(lo, hi, kinds_, box_palette());
}

}  // namespace

template <int D>
Result<std::unique_ptr<LiveScene<D>>> make_live_boxes(const scenes::Spec& spec, const LiveOptions& options) {
  auto scene = scenes::make<D>(spec);
  if (!scene) return scene.error();
  auto live = std::make_unique<LiveBoxes<D>>(*std::move(scene), options);
  if (const auto set = live->set_algorithm(options.algorithm); !set) return set.error();
  return std::unique_ptr<LiveScene<D>>(std::move(live));
}

template Result<std::unique_ptr<LiveScene<2>>> make_live_boxes(const scenes::Spec&, const LiveOptions&);
template Result<std::unique_ptr<LiveScene<3>>> make_live_boxes(const scenes::Spec&, const LiveOptions&);

}  // namespace sudar::lab
