// Sequences of calls to a world. Two worlds with different broad phases get the same calls: they must refuse the same ones,
// keep the same states to the bit, give rays the same answers, and hold only finite numbers. Some are recorded, and replayed.
// What came after the first corpora is chosen by the part of a byte that had no meaning before.
#include "tests/fuzz/shape_bytes.hpp"
#include <sudar/dynamics/recording.hpp>
#include <sudar/dynamics/world.hpp>

#include <cmath>
#include <vector>

namespace sudar_fuzz {

namespace {

using namespace sudar;

constexpr std::size_t kMostCalls = 64, kMostBodies = 20;
constexpr std::uint32_t kMostSteps = 24;
// Not adaptive, which goes by the clock
constexpr std::string_view kOthers[] = {"dynamic_tree", "sap",         "columns",      "grid",
                                        "hash_grid",    "octree",      "octree_nodup", "octree_loose",
                                        "kd_tree",      "bsp_tree",    "bvh_top_down", "bvh_bottom_up",
                                        "bvh_linear",   "sphere_tree", "brute_force",  "cells_portals"};

ShapeOf<2> shape_of(Bytes& bytes, std::integral_constant<int, 2>) {
  const auto or_circle = [](const Result<Shape2>& made) { return made ? *made : *make_circle2(0.5); };
  const std::uint8_t choice = bytes.byte();
  if (choice >= kMoreShapes) return or_circle(more_shape(bytes, choice, std::integral_constant<int, 2>()));
  switch (choice % 6) {
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
  const std::uint8_t choice = bytes.byte();
  if (choice >= kMoreShapes) return or_sphere(more_shape(bytes, choice, std::integral_constant<int, 3>()));
  switch (choice % 8) {
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
    const std::uint8_t first = bytes.byte(), second = bytes.byte();
    options.substeps = 1 + first % 3;
    options.continuous = second % 4 != 0;
    options.sleep_time = 0.1;
    options.broadphase = "sort_sweep";
    first_.emplace_back(*World<D>::make(options));
    options.broadphase = kOthers[second / 4 % std::size(kOthers)];
    options.rest_apart = first / 3 % 2 == 0;
    second_.emplace_back(*World<D>::make(options));
    is_recorded_ = first / 6 % 4 == 3;
    if (is_recorded_) promise(one().record(&recording_).ok(), "a world can be recorded");
  }

  void run() {
    for (std::size_t call = 0; call < kMostCalls && !bytes_.empty(); ++call) {
      const std::uint8_t choice = bytes_.byte();
      if (choice >= kMoreCalls) {
        choice % 2 == 0 ? ask() : change_broadphase();
        continue;
      }
      switch (choice % 8) {
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
    if (is_recorded_) play_again();
  }

 private:
  static constexpr std::uint8_t kMoreCalls = 240;
  static constexpr std::uint8_t kTurned = 128, kMore = 64;  // in bytes whose rest says something else

  World<D>& one() { return first_[0]; }
  World<D>& other() { return second_[0]; }
  template <class Id>
  static Id one_of(const std::vector<Id>& ids, std::uint8_t which) {
    return ids.empty() ? Id{} : ids[which % ids.size()];
  }

  void add_body() {
    if (bodies_.size() >= kMostBodies) return;
    BodySpec<D> spec{.shape = shape_of(bytes_, kDim)};
    spec.pose = place_of<D>(bytes_);
    const std::uint8_t kind = bytes_.byte();
    spec.kind = static_cast<BodyKind>(kind % 6 < 4 ? 2 : bytes_.below(2));
    if (kind & kTurned) turn(bytes_, spec.pose);
    if (kind & kMore) {
      spec.material = {bytes_.size(), bytes_.size()};
      spec.linear_damping = bytes_.size();
      spec.gravity_scale = bytes_.number();
    }
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
    const std::uint8_t first = bytes_.byte(), second = bytes_.byte();
    const BodyId<D> a = one_of(bodies_, first), b = one_of(bodies_, second);
    const std::uint8_t kind = bytes_.byte();
    Pose<D, double> place = place_of<D>(bytes_);
    if (kind & kTurned) turn(bytes_, place);
    const auto joint = one().make_joint(static_cast<JointKind>(kind % 6), a, b, place);
    if (!joint) return;
    JointOf<D> made = *joint;
    const std::uint8_t drives = bytes_.byte();
    if (drives & 1)
      made.hinge = {.lower = -bytes_.size(),
                    .upper = bytes_.size(),
                    .motor_speed = bytes_.number(),
                    .motor_force = bytes_.size()};
    if (drives & kMore) made.slide = drive();
    const bool collide = bytes_.coin();
    const auto in_one = one().add_joint(a, b, made, collide), in_other = other().add_joint(a, b, made, collide);
    promise(in_one.ok() == in_other.ok() && (!in_one || *in_one == *in_other), "both worlds take the same joints");
    if (in_one) joints_.push_back(*in_one);
  }
  JointDrive drive() {
    JointDrive out{.lower = bytes_.any_number(), .upper = bytes_.any_number(), .spring_hertz = bytes_.size()};
    out.spring_damping = bytes_.size(), out.rest = bytes_.number();
    out.motor_speed = bytes_.number(), out.motor_force = bytes_.size();
    return out;
  }

  void push() {
    WorldInput<D> input;
    input.kind = static_cast<InputKind>(bytes_.below(static_cast<std::uint32_t>(InputKind::set_hinge) + 1));
    const std::uint8_t which = bytes_.byte();
    input.body = one_of(bodies_, which);
    input.joint = one_of(joints_, which);
    input.vector = bytes_.vector<D>();
    input.point = bytes_.vector<D>();
    input.angular = turn_of(bytes_, kDim);
    input.pose = place_of<D>(bytes_);
    input.value = bytes_.number();
    const std::uint8_t layer = bytes_.byte(), mask = bytes_.byte();
    input.filter = {layer & 3u, mask & 3u, 0};
    input.drive = {.lower = input.point[0] - std::fabs(input.vector[0]), .upper = input.point[0]};
    input.drive.spring_hertz = std::fabs(input.point[1]);
    input.drive.motor_speed = input.value, input.drive.motor_force = std::fabs(input.vector[1]);
    if (layer & kTurned) turn(bytes_, input.pose);
    if (layer & kMore) input.drive = drive();
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
    for (const WorldBody<D>& body : one().bodies())
      if (body.is_dynamic())
        for_each_number(body.state, [](BodyField, double x) { promise(std::isfinite(x), "states are finite"); });
    std::erase_if(bodies_, [&](BodyId<D> id) { return !one().contains(id); });
    std::erase_if(joints_, [&](JointId<D> id) { return one().joint(id) == nullptr; });
  }

  void ask() {
    const Ray<D, double> ray{bytes_.vector<D>(), bytes_.vector<D>()};
    const double most = bytes_.size();
    const auto a = one().questions().cast_ray(ray, most), b = other().questions().cast_ray(ray, most);
    promise(a.ok() == b.ok(), "both worlds take the same rays");
    if (a) promise(a->id == b->id && a->answer.t == b->answer.t, "the broad phase changes no answer");
  }

  void change_broadphase() {
    promise(other().set_broadphase(kOthers[bytes_.below(std::size(kOthers))]).ok(), "the broad phase can be changed");
  }

  void play_again() {
    auto third = World<D>::make(recording_.options);
    promise(third.ok(), "a world can be made like the one that was recorded");
    const auto report = replay(recording_, *third);
    promise(report.ok() && !report->divergence, "a recording is replayed to the bit");
  }

  Bytes& bytes_;
  std::vector<World<D>> first_, second_;
  std::vector<BodyId<D>> bodies_;
  std::vector<JointId<D>> joints_;
  WorldRecording<D> recording_;
  bool is_recorded_ = false;
  std::uint32_t steps_ = 0;
};

}  // namespace

void fuzz_world(FuzzBytes all) {
  Bytes bytes(all);
  bytes.coin() ? Twins<2>(bytes).run() : Twins<3>(bytes).run();
}

}  // namespace sudar_fuzz
