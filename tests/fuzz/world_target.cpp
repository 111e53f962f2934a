// Sequences of calls to a world, and snapshots of scenes with any bytes changed. Two worlds with different broad phases get
// the same calls: they must refuse the same ones, keep the same states to the bit, and hold only finite numbers.
#include "tests/fuzz/bytes.hpp"
#include <sudar/core/hash.hpp>
#include <sudar/dynamics/recording.hpp>
#include <sudar/dynamics/world.hpp>

#include <cmath>
#include <vector>

namespace sudar_fuzz {

namespace {

using namespace sudar;

constexpr std::size_t kMostCalls = 64, kMostBodies = 20;
constexpr std::uint32_t kMostSteps = 24;

ShapeOf<2> shape_of(Bytes& bytes, std::integral_constant<int, 2>) {
  const auto or_circle = [](const Result<Shape2>& made) { return made ? *made : *make_circle2(0.5); };
  switch (bytes.below(6)) {
    case 0:
      return or_circle(make_circle2(bytes.size()));
    case 1: {
      const Vec2d p = bytes.vector<2>(), q = bytes.vector<2>();
      return or_circle(make_capsule2(p, q, bytes.size()));
    }
    case 2: {
      std::vector<Vec2d> points(3 + bytes.below(6));
      for (Vec2d& p : points) p = bytes.vector<2>();
      return or_circle(make_polygon2(points));
    }
    case 3: {
      const Vec2d normal = bytes.vector<2>();
      return or_circle(make_halfplane2(normal, bytes.number()));
    }
    default:
      return or_circle(make_box2({bytes.size(), bytes.size()}));
  }
}
ShapeOf<3> shape_of(Bytes& bytes, std::integral_constant<int, 3>) {
  const auto or_sphere = [](const Result<Shape3>& made) { return made ? *made : *make_sphere3(0.5); };
  switch (bytes.below(8)) {
    case 0:
      return or_sphere(make_sphere3(bytes.size()));
    case 1: {
      const Vec3d p = bytes.vector<3>(), q = bytes.vector<3>();
      return or_sphere(make_capsule3(p, q, bytes.size()));
    }
    case 2: {
      std::vector<Vec3d> points(4 + bytes.below(8));
      for (Vec3d& p : points) p = bytes.vector<3>();
      return or_sphere(make_hull_shape3(points));
    }
    case 3: {
      const Vec3d normal = bytes.vector<3>();
      return or_sphere(make_halfspace3(normal, bytes.number()));
    }
    case 4: {
      const double half_height = bytes.size();
      return or_sphere(make_cylinder3(half_height, bytes.size()));
    }
    default:
      return or_sphere(make_box3({bytes.size(), bytes.size(), bytes.size()}));
  }
}

double turn_of(Bytes& bytes, std::integral_constant<int, 2>) { return bytes.number(); }
Vec3d turn_of(Bytes& bytes, std::integral_constant<int, 3>) { return bytes.vector<3>(); }

template <int D>
Pose<D, double> place_of(Bytes& bytes) {
  Pose<D, double> pose;
  pose.position = bytes.vector<D>();
  return pose;
}

template <int D>
class Twins {
 public:
  static constexpr std::integral_constant<int, D> kDim{};

  explicit Twins(Bytes& bytes) : bytes_(bytes) {
    WorldOptions<D> options;
    options.substeps = 1 + static_cast<int>(bytes.below(3));
    options.continuous = bytes.below(4) != 0;
    options.sleep_time = 0.1;
    options.broadphase = "sort_sweep";
    first_.emplace_back(*World<D>::make(options));
    options.broadphase = "dynamic_tree";
    second_.emplace_back(*World<D>::make(options));
  }

  void run() {
    for (std::size_t call = 0; call < kMostCalls && !bytes_.empty(); ++call) {
      switch (bytes_.below(8)) {
        case 0:
        case 1:
          add_body();
          break;
        case 2:
          add_joint();
          break;
        case 3:
        case 4:
          push();
          break;
        case 5:
          exchange();
          break;
        default:
          step();
      }
    }
  }

 private:
  World<D>& one() { return first_[0]; }
  World<D>& other() { return second_[0]; }
  BodyId<D> any_body() {
    return bodies_.empty() ? BodyId<D>{} : bodies_[bytes_.below(static_cast<std::uint32_t>(bodies_.size()))];
  }

  void add_body() {
    if (bodies_.size() >= kMostBodies) return;
    BodySpec<D> spec{.shape = shape_of(bytes_, kDim)};
    spec.pose = place_of<D>(bytes_);
    spec.kind = static_cast<BodyKind>(bytes_.below(6) < 4 ? 2 : bytes_.below(2));
    const std::uint8_t flags = bytes_.byte();
    if (flags & 1) spec.velocity = bytes_.vector<D>();
    if (flags & 2) spec.angular_velocity = turn_of(bytes_, kDim);
    spec.bullet = (flags & 4) != 0;
    spec.sensor = (flags & 56) == 56;
    spec.fixed_rotation = (flags & 192) == 192;
    if ((flags & 24) == 24) spec.density = bytes_.any_number();
    const auto a = one().add_body(spec), b = other().add_body(spec);
    promise(a.ok() == b.ok() && (!a || *a == *b), "both worlds take the same bodies");
    if (a) bodies_.push_back(*a);
  }

  void add_joint() {
    const BodyId<D> a = any_body(), b = any_body();
    const auto kind = static_cast<JointKind>(bytes_.below(6));
    const auto joint = one().make_joint(kind, a, b, place_of<D>(bytes_));
    if (!joint) return;
    JointOf<D> made = *joint;
    if (bytes_.coin())
      made.hinge = {.lower = -bytes_.size(),
                    .upper = bytes_.size(),
                    .motor_speed = bytes_.number(),
                    .motor_force = bytes_.size()};
    const bool collide = bytes_.coin();
    promise(one().add_joint(a, b, made, collide).ok() == other().add_joint(a, b, made, collide).ok(),
            "both worlds take the same joints");
  }

  void push() {
    WorldInput<D> input;
    input.kind = static_cast<InputKind>(bytes_.below(static_cast<std::uint32_t>(InputKind::set_hinge) + 1));
    input.body = any_body();
    input.vector = bytes_.vector<D>();
    input.point = bytes_.vector<D>();
    input.angular = turn_of(bytes_, kDim);
    input.pose = place_of<D>(bytes_);
    input.value = bytes_.number();
    input.filter = {bytes_.byte() & 3u, bytes_.byte() & 3u, 0};
    promise(one().apply(input).ok() == other().apply(input).ok(), "both worlds refuse the same inputs");
  }

  // What is saved of one goes on in the other
  void exchange() {
    WorldSnapshot<D> snapshot;
    promise(one().save(snapshot).ok(), "a world can be saved");
    promise(other().restore(snapshot).ok(), "what was saved can be restored");
    promise(one().state_hash() == other().state_hash() && one().scene().hash() == other().scene().hash(),
            "what was restored is what was saved");
  }

  void step() {
    if (steps_++ >= kMostSteps) return;
    const double dt = bytes_.below(8) == 0 ? bytes_.any_number() : 1.0 / 60;
    const auto a = one().step(dt), b = other().step(dt);
    promise(a.ok() == (std::isfinite(dt) && dt > 0) && a.ok() == b.ok(), "a step of any positive time is taken");
    promise(one().state_hash() == other().state_hash(), "the broad phase changes no bit");
    for (const World<D>* world : {&one(), &other()})
      for (const WorldBody<D>& body : world->bodies())
        if (body.is_dynamic())
          for_each_number(body.state, [](BodyField, double x) { promise(std::isfinite(x), "states are finite"); });
    std::erase_if(bodies_, [&](BodyId<D> id) { return !one().contains(id); });
  }

  Bytes& bytes_;
  std::vector<World<D>> first_, second_;
  std::vector<BodyId<D>> bodies_;
  std::uint32_t steps_ = 0;
};

// A scene with some past, saved once
template <int D>
const SceneSnapshot<D>& saved_scene() {
  static const SceneSnapshot<D> kSaved = [] {
    auto scene = Scene<D>::make({"sort_sweep", 0.125});
    std::vector<ObjectId<D>> ids;
    for (int i = 0; i < 6; ++i) {
      Pose<D, double> pose;
      pose.position[0] = 0.75 * i;
      ShapeOf<D> shape = [&]() -> ShapeOf<D> {
        if constexpr (D == 2)
          return i % 2 == 0 ? *make_box2({0.5, 0.5}) : *make_capsule2({-0.25, 0}, {0.25, 0}, 0.25);
        else
          return i % 2 == 0 ? *make_box3({0.5, 0.5, 0.5}) : *make_capsule3({-0.25, 0, 0}, {0.25, 0, 0}, 0.25);
      }();
      ids.push_back(*scene->add({shape, pose}));
    }
    promise(scene->update().ok() && scene->remove(ids[2]).ok() && scene->update().ok(), "the scene is made");
    SceneSnapshot<D> out;
    promise(scene->save(out).ok(), "a scene can be saved");
    return out;
  }();
  return kSaved;
}

// Bytes at some places are others, and the hash is made to fit, so that what lies behind it is met
template <int D>
void restore_changed(Bytes& bytes) {
  constexpr std::size_t kHashBytes = 8;
  SceneSnapshot<D> snapshot = saved_scene<D>();
  std::size_t size = snapshot.bytes.size() - kHashBytes;
  if (bytes.below(8) == 0) size = std::min<std::size_t>(size, bytes.raw<std::uint16_t>());
  while (!bytes.empty() && size > 0) {
    const std::size_t at = bytes.raw<std::uint16_t>() % size;
    snapshot.bytes[at] = bytes.byte();
  }
  snapshot.bytes.resize(size);
  Hash64 hash;
  for (const std::uint8_t byte : snapshot.bytes) hash.add_byte(byte);
  for (std::size_t i = 0; i < kHashBytes; ++i)
    snapshot.bytes.push_back(static_cast<std::uint8_t>(hash.value() >> (8 * i)));

  auto scene = Scene<D>::make({"sort_sweep", 0.125});
  const std::uint64_t before = scene->hash();
  if (!scene->restore(snapshot)) {
    promise(scene->hash() == before, "a scene that is not restored is as it was");
    return;
  }
  promise(scene->update().ok() && scene->update().ok(), "what was restored can be updated");
  SceneSnapshot<D> again;
  promise(scene->save(again).ok(), "what was restored can be saved");
}

}  // namespace

void fuzz_world(FuzzBytes all) {
  Bytes bytes(all);
  bytes.coin() ? Twins<2>(bytes).run() : Twins<3>(bytes).run();
}

void fuzz_snapshot(FuzzBytes all) {
  Bytes bytes(all);
  bytes.coin() ? restore_changed<2>(bytes) : restore_changed<3>(bytes);
}

}  // namespace sudar_fuzz
