#include "lab/live_world.hpp"

#include <sudar/broadphase/registry.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>

namespace sudar::lab {

namespace {

constexpr double kCarryRate = 10, kPullRate = 4;  // a second: how fast a body takes the velocity that it is given
constexpr double kFarPick = 1e6;                  // metres
constexpr std::size_t kMostDrawnPoints = 20000, kNearWalls = 6;
constexpr std::size_t kMostDrawnJoints = 5000;
constexpr double kAxisOfBody = 0.4;    // half the length of a drawn axis of a joint, in radii of its body
constexpr double kNormalOfBody = 0.5;  // length of a drawn normal, in radii of a typical body
constexpr double kFullSpeed = 10;      // metres a second: the brightest colour

// The names of the registry outlive every world
std::string_view lasting_name(std::string_view name) {
  for (const BroadphaseEntry& entry : broadphases())
    if (entry.name == name) return entry.name;
  return "columns";
}

template <int D>
WorldOptions<D> world_options(const LiveOptions& options) {
  WorldOptions<D> made;
  made.broadphase = lasting_name(options.algorithm);
  made.executor = options.executor;
  made.substeps = options.substeps;
  made.margin = options.margin;
  made.continuous = options.continuous;
  made.integrator = static_cast<Integrator>(options.integrator);
  // Boxes, pairs and the search are to look at, of what sleeps too
  made.rest_apart = false;
  return made;
}

// What resolution and detection have taken away, to be given back
template <int D>
struct TakenAway {
  bool resolves = true, detects = true;
  std::vector<BodyId<D>> made_sensors;
  std::vector<std::pair<BodyId<D>, Filter>> filters;
  Vec<D, double> gravity{};
};

template <int D>
struct WorldLiveSnapshot final : LiveSnapshot {
  WorldSnapshot<D> world;
  typename scenes::PhysicsScene<D>::Act act;
  TakenAway<D> taken;
  LiveEvents events;
  std::uint64_t steps = 0;

  std::size_t bytes() const override {
    return world.scene.bytes.size() + world.data.bodies.size() * sizeof(WorldBody<D>) +
           world.data.impulses.size() * sizeof(PointImpulse<D>);
  }
};

template <int D>
class LiveWorld final : public LiveScene<D> {
 public:
  using V = Vec<D, double>;
  using Input = LiveInput<D>;

  LiveWorld(std::unique_ptr<scenes::PhysicsScene<D>> scene, bool has_algorithm)
      : scene_(std::move(scene)), has_algorithm_(has_algorithm) {}

  const scenes::Spec& spec() const override { return scene_->spec(); }
  bool is_world() const override { return true; }
  bool has_joints() const override { return !world().joints().empty(); }
  double time() const override { return world().time(); }
  const BoxStore<D>& boxes() const override { return shown().boxes(); }
  std::span<const IdPair> pairs() const override { return shown().pairs(); }
  bool touching(std::size_t pair) const override { return shown().touching(pair); }
  std::size_t points() const override { return shown().points().size(); }
  const Broadphase<D>* broadphase() const override { return has_algorithm_ ? &shown().broadphase() : nullptr; }
  std::uint64_t state_hash() const override { return world().state_hash(); }

  Result<void> step(double dt, std::span<const Input> inputs) override {
    if (const auto done = begin_step(dt, inputs); !done) return done;
    return end_step(dt);
  }
  std::span<const std::string_view> stages() const override {
    static constexpr std::array<std::string_view, 6> kStages = {
        "boxes of what moved",           "pairs of boxes",
        "pairs that began and ended",    "contacts of the shapes",
        "points that were there before", "impulses, new places, fast bodies"};
    return kStages;
  }
  Result<void> run_stage(std::size_t stage, double dt, std::span<const Input> inputs) override {
    if (stage == 0) {
      if (const auto done = begin_step(dt, inputs); !done) return done;
      if (const auto made = make_twin(); !made) return made;
      return twin_->update_boxes();
    }
    if (stage + 1 >= stages().size()) return end_step(dt);
    // A twin that was given up because the world was restored or stepped whole
    if (!twin_) return {};
    switch (stage) {
      case 1:
        return twin_->find_pairs();
      case 2:
        return twin_->compare_pairs();
      case 3:
        return twin_->find_contacts();
      default:
        return twin_->match_points();
    }
  }

  Result<void> set_algorithm(std::string_view name) override {
    twin_.reset();
    if (name == kNoAlgorithm) {
      has_algorithm_ = false;
      return {};
    }
    if (const auto set = world().set_broadphase(name); !set) return set;
    has_algorithm_ = true;
    return {};
  }
  Result<void> set_parameter(std::string_view name, double value) override {
    return world().set_parameter(name, value);
  }
  Result<void> set_executor(Executor& executor) override {
    twin_.reset();
    return world().set_executor(executor);
  }

  Result<std::unique_ptr<LiveSnapshot>> save() const override {
    return guarded([&]() -> Result<std::unique_ptr<LiveSnapshot>> {
      auto snapshot = std::make_unique<WorldLiveSnapshot<D>>();
      if (const auto saved = world().save(snapshot->world); !saved) return saved.error();
      snapshot->act = scene_->act();
      snapshot->taken = taken_;
      snapshot->events = this->events_;
      snapshot->steps = this->steps_;
      return std::unique_ptr<LiveSnapshot>(std::move(snapshot));
    });
  }
  Result<void> restore(const LiveSnapshot& from) override {
    const auto* snapshot = dynamic_cast<const WorldLiveSnapshot<D>*>(&from);
    if (snapshot == nullptr) return Error{ErrorCode::bad_format, Error::kNoElement, "a snapshot of another scene"};
    twin_.reset();
    if (const auto restored = world().restore(snapshot->world); !restored) return restored;
    return guarded([&]() -> Result<void> {
      scene_->set_act(snapshot->act);
      taken_ = snapshot->taken;
      this->events_ = snapshot->events;
      this->steps_ = snapshot->steps;
      return {};
    });
  }

  std::uint32_t pick(const V& origin, const V& direction, double& t) override {
    t = 0;
    if (!(length_squared(direction) > 0)) {
      std::vector<std::uint32_t> ids;
      if (!world().questions().containing(origin, ids)) return this->kNoBody;
      for (const std::uint32_t id : ids)
        if (can_carry(id)) return id;
      return ids.empty() ? this->kNoBody : ids[0];
    }
    const auto hit = world().questions().cast_ray({origin, direction}, kFarPick);
    if (!hit || !hit->answer.hit) return this->kNoBody;
    t = hit->answer.t;
    return hit->id;
  }
  bool can_carry(std::uint32_t body) const override {
    return body < world().bodies().size() && world().bodies()[body].is_dynamic();
  }
  V place_of(std::uint32_t body) const override {
    return body < world().bodies().size() && world().bodies()[body].used ? world().bodies()[body].state.position : V{};
  }
  V push_out(const V& center, double radius) override {
    std::vector<SetNear<D>> near;
    V out{};
    if (!world().questions().nearest(center, kNearWalls, near)) return out;
    // One wall after the other, the nearest first
    for (const SetNear<D>& wall : near) {
      const double depth = radius - wall.answer.distance - dot(out, wall.answer.normal);
      if (depth > 0) out += wall.answer.normal * depth;
    }
    return out;
  }
  std::string figures() const override {
    std::string text;
    for (const scenes::Figure& figure : scene_->figures()) {
      char digits[32];
      const auto end = std::to_chars(digits, digits + sizeof digits, figure.value).ptr;
      text += (text.empty() ? "" : ", ") + std::string(figure.name) + " " + std::string(digits, end);
    }
    return text;
  }

  void draw(DrawList& list, const LiveLook& look) const override;

 private:
  World<D>& world() { return scene_->world(); }
  const World<D>& world() const { return scene_->world(); }
  const Scene<D>& shown() const { return twin_ ? *twin_ : world().scene(); }

  Result<void> begin_step(double dt, std::span<const Input> inputs) {
    twin_.reset();
    for (const Input& input : inputs)
      if (const auto done = apply(input, dt); !done) return done;
    return scene_->act() ? scene_->act()(world()) : Result<void>{};
  }
  Result<void> end_step(double dt) {
    twin_.reset();
    const auto stepped = world().step(dt);
    if (!stepped) return stepped.error();
    this->stats_ = world().stats().stages;
    this->stats_.search = world().scene().stats().search;
    this->stats_.pairs = world().scene().pairs().size();
    this->stats_.contacts = world().scene().contacts().size();
    return guarded([&]() -> Result<void> {
      const SceneChanges<D> changes = world().scene().events().pairs;
      const auto plain = [](std::span<const SceneEvent<D>> events, std::vector<IdPair>& pairs) {
        pairs.clear();
        for (const SceneEvent<D>& event : events) pairs.push_back({event.a.index, event.b.index});
      };
      plain(changes.begin, began_);
      plain(changes.end, ended_);
      this->note_pairs(began_, ended_);
      ++this->steps_;
      return {};
    });
  }
  Result<void> make_twin() {
    return guarded([&]() -> Result<void> {
      const Scene<D>& scene = world().scene();
      auto made = Scene<D>::make({scene.broadphase().name(), scene.margin(), world().options().executor});
      if (!made) return made.error();
      SceneSnapshot<D> snapshot;
      if (const auto saved = scene.save(snapshot); !saved) return saved;
      if (const auto restored = made->restore(snapshot); !restored) return restored;
      twin_.emplace(*std::move(made));
      return {};
    });
  }

  Result<void> apply(const Input& input, double dt) {
    switch (input.kind) {
      case LiveInputKind::pull:
        return pull(input, dt);
      case LiveInputKind::carry: {
        if (!can_carry(input.body)) return {};
        const BodyId<D> id = world().id_of(input.body);
        return world().set_velocity(id, (input.point - place_of(input.body)) * kCarryRate);
      }
      case LiveInputKind::let_go:
        return can_carry(input.body) ? world().set_velocity(world().id_of(input.body), input.vector) : Result<void>{};
      case LiveInputKind::shoot: {
        const auto ball = scenes::ball_of<D>(input.value);
        if (!ball) return ball.error();
        BodySpec<D> spec{.shape = *ball};
        spec.pose.position = input.point;
        spec.velocity = input.vector;
        spec.bullet = true;
        const auto added = world().add_body(spec);
        return added ? Result<void>{} : added.error();
      }
      case LiveInputKind::resolution:
        return guarded([&] { return set_resolution(input.value != 0); });
      case LiveInputKind::detection:
        return guarded([&] { return set_detection(input.value != 0); });
    }
    return {};
  }
  Result<void> pull(const Input& input, double dt) {
    const double share = std::min(1.0, kPullRate * dt);
    for (std::uint32_t i = 0; i < world().bodies().size(); ++i) {
      if (!can_carry(i)) continue;
      const BodyId<D> id = world().id_of(i);
      const V now = world().velocity(id), wanted = (input.point - place_of(i)) * input.value;
      if (const auto set = world().set_velocity(id, now + (wanted - now) * share); !set) return set;
    }
    return {};
  }
  Result<void> set_resolution(bool resolves) {
    if (resolves == taken_.resolves) return {};
    taken_.resolves = resolves;
    if (resolves) {
      for (const BodyId<D>& id : taken_.made_sensors)
        if (world().contains(id))
          if (const auto set = world().set_sensor(id, false); !set) return set;
      taken_.made_sensors.clear();
      return world().set_gravity(taken_.gravity);
    }
    for (std::uint32_t i = 0; i < world().bodies().size(); ++i) {
      if (!can_carry(i) || world().bodies()[i].sensor) continue;
      taken_.made_sensors.push_back(world().id_of(i));
      if (const auto set = world().set_sensor(world().id_of(i), true); !set) return set;
    }
    taken_.gravity = world().gravity();
    return world().set_gravity(V{});
  }
  Result<void> set_detection(bool detects) {
    if (detects == taken_.detects) return {};
    taken_.detects = detects;
    if (detects) {
      for (const auto& [id, filter] : taken_.filters)
        if (world().contains(id))
          if (const auto set = world().set_filter(id, filter); !set) return set;
      taken_.filters.clear();
      return {};
    }
    for (std::uint32_t i = 0; i < world().bodies().size(); ++i) {
      if (!world().bodies()[i].used) continue;
      const BodyId<D> id = world().id_of(i);
      taken_.filters.emplace_back(id, world().scene().filter(i));
      if (const auto set = world().set_filter(id, {.layer = 0, .mask = 0}); !set) return set;
    }
    return {};
  }
  Color color_of_body(const WorldBody<D>& body, std::uint32_t index, const LiveLook& look) const;
  void draw_contacts(DrawList& list) const;
  void draw_joints(DrawList& list) const;

  std::unique_ptr<scenes::PhysicsScene<D>> scene_;
  std::optional<Scene<D>> twin_;  // between two stages
  TakenAway<D> taken_;
  bool has_algorithm_;
  std::vector<IdPair> began_, ended_;
  // Of the frame that is drawn
  mutable std::vector<std::uint8_t> touches_;
  mutable std::vector<Vec3d> centers_;
  mutable std::vector<double> radii_;
  mutable std::vector<Color> colors_;
};

template <int D>
Color LiveWorld<D>::color_of_body(const WorldBody<D>& body, std::uint32_t index, const LiveLook& look) const {
  if (index == look.selected) return color_of(Ink::highlight);
  if (body.kind == BodyKind::fixed) return color_of(Ink::ground);
  switch (look.color) {
    case LiveColor::touching:
      return index < touches_.size() && touches_[index] != 0 ? color_of(Ink::bad) : color_of(Ink::a);
    case LiveColor::sleep:
      return body.asleep ? color_of(Ink::ghost) : color_of(Ink::a);
    case LiveColor::speed: {
      const double mass = body.mass.inverse.inverse_mass;
      return heat(length(body.state.momentum) * mass / kFullSpeed);
    }
    case LiveColor::kind:
      break;
  }
  return body.kind == BodyKind::kinematic ? color_of(Ink::b) : color_of(Ink::a);
}

template <int D>
void LiveWorld<D>::draw(DrawList& list, const LiveLook& look) const {
  list.flat = D == 2;
  const Scene<D>& scene = world().scene();
  touches_.assign(world().bodies().size(), 0);
  if (look.color == LiveColor::touching) {
    const SceneChanges<D> now = shown().events().touching;
    const auto mark = [&](std::uint32_t index) {
      if (index < touches_.size()) touches_[index] = 1;
    };
    for (const SceneEvent<D>& event : now.begin) mark(event.a.index), mark(event.b.index);
    for (const IdPair& pair : now.stay) mark(pair.lo), mark(pair.hi);
  }
  centers_.clear();
  radii_.clear();
  colors_.clear();
  for (std::uint32_t i = 0; i < world().bodies().size(); ++i) {
    const WorldBody<D>& body = world().bodies()[i];
    if (!body.used) continue;
    const SceneObject<D>& object = scene[i];
    Color color = color_of_body(body, i, look);
    // One looks into rooms through their walls
    if (D == 3 && body.kind == BodyKind::fixed) color.a = 0.25f;
    if constexpr (D == 3) {
      if (object.shape.kind() == ShapeKind3::sphere) {
        centers_.push_back(object.pose.position);
        radii_.push_back(object.shape.template as<SphereShape3>().radius);
        colors_.push_back(color);
        continue;
      }
    }
    list.shape(object.shape, object.pose, color);
  }
  if (!centers_.empty()) list.spheres(centers_, radii_, colors_);
  if (look.contacts) draw_contacts(list);
  if (look.joints) draw_joints(list);
}

// From the centres of both bodies to the anchor, which is one point unless the joint has given way; and the axis about which or
// along which it is free. Inside of the bodies, so it is seen through them.
template <int D>
void LiveWorld<D>::draw_joints(DrawList& list) const {
  const Color link = color_of(Ink::axis), free_axis = color_of(Ink::ray);
  std::size_t drawn = 0;
  world().joints().for_each([&](JointId<D>, const WorldJoint<D>& held) {
    const WorldBody<D>*a = world().body(held.a), *b = world().body(held.b);
    if (a == nullptr || b == nullptr || ++drawn > kMostDrawnJoints) return;
    const Pose<D, double> place_a{a->state.position, a->state.rotation}, place_b{b->state.position, b->state.rotation};
    const Pose<D, double> on_a = place_a * held.joint.frame_a, on_b = place_b * held.joint.frame_b;
    // Of what stands still, the centre says nothing
    if (a->is_dynamic()) list.line_in_front(to_space(place_a.position), to_space(on_a.position), link, 1.5f);
    if (b->is_dynamic()) list.line_in_front(to_space(on_b.position), to_space(place_b.position), link, 1.5f);
    list.line_in_front(to_space(on_a.position), to_space(on_b.position), link, 1.5f);
    list.point_in_front(to_space(on_a.position), link, 5);
    V axis{};
    const JointKind kind = held.joint.kind;
    if (kind == JointKind::prismatic || kind == JointKind::wheel || (D == 3 && kind == JointKind::revolute))
      axis[0] = 1;
    if (D == 3 && kind == JointKind::wheel) axis = {}, axis[1] = 1;
    if (!(length_squared(axis) > 0)) return;
    const double radius = b->is_dynamic() ? b->radius : a->radius;
    const V way = rotate(on_a.rotation, axis) * (kAxisOfBody * radius);
    list.line_in_front(to_space(on_a.position - way), to_space(on_a.position + way), free_axis, 1.5f);
  });
}

// Points that are new in one colour, those that were there before in another
template <int D>
void LiveWorld<D>::draw_contacts(DrawList& list) const {
  const Scene<D>& scene = shown();
  const Color fresh = color_of(Ink::highlight), known = color_of(Ink::contact), normal = color_of(Ink::normal);
  std::size_t drawn = 0;
  for (const SceneContact<D>& contact : scene.contacts()) {
    const std::span<const ScenePoint<D>> points = scene.points_of(contact);
    if (drawn + points.size() > kMostDrawnPoints) return;
    drawn += points.size();
    double radius = 0;
    for (const std::uint32_t index : {contact.a, contact.b})
      if (index < world().bodies().size() && world().bodies()[index].is_dynamic())
        radius = radius > 0 ? std::min(radius, world().bodies()[index].radius) : world().bodies()[index].radius;
    for (const ScenePoint<D>& point : points) {
      const Vec3d at = to_space(point.position);
      list.point(at, point.previous == kNoIndex ? fresh : known, 5);
      list.line(at, at + to_space(contact.normal * (kNormalOfBody * radius)), normal, 1);
    }
  }
}

}  // namespace

template <int D>
Result<std::unique_ptr<LiveScene<D>>> make_live_world(const scenes::Spec& spec, const LiveOptions& options) {
  auto scene = scenes::make_physics<D>(spec, world_options<D>(options));
  if (!scene) return scene.error();
  const bool none = options.algorithm == kNoAlgorithm;
  if (!none)
    if (const auto made = make_broadphase<D>(options.algorithm); !made) return made.error();
  return std::unique_ptr<LiveScene<D>>(std::make_unique<LiveWorld<D>>(*std::move(scene), !none));
}

template Result<std::unique_ptr<LiveScene<2>>> make_live_world(const scenes::Spec&, const LiveOptions&);
template Result<std::unique_ptr<LiveScene<3>>> make_live_world(const scenes::Spec&, const LiveOptions&);

}  // namespace sudar::lab
