// What:    Golden hashes of what a collision scene says: pair lists, contacts, events, distances and times of impact. The
//          bodies of a scene by name carry shapes of every kind in turn; the answers of all steps are hashed bit by bit.
#pragma once

#include "scenes/registry.hpp"
#include "tests/queries/query_shapes.hpp"
#include <sudar/broadphase/registry.hpp>
#include <sudar/continuous/time_of_impact.hpp>
#include <sudar/core/hash.hpp>
#include <sudar/scene/scene.hpp>

#include <bit>
#include <optional>
#include <string_view>
#include <vector>

namespace sudar_test {

inline constexpr double kGoldenStep = 0.1;     // seconds
inline constexpr double kGoldenMargin = 0.05;  // metres

class AnswerHash {
 public:
  void add(double x) { hash_.add(std::bit_cast<std::uint64_t>(x)); }
  void add(std::uint64_t x) { hash_.add(x); }
  void add(const sudar::Vec2d& v) {
    for (int i = 0; i < 2; ++i) add(v[i]);
  }
  void add(const sudar::Vec3d& v) {
    for (int i = 0; i < 3; ++i) add(v[i]);
  }
  template <class Tag>
  void add(const sudar::Handle<Tag>& id) {
    add(std::uint64_t{id.index});
    add(std::uint64_t{id.generation});
  }
  void add(sudar::IdPair pair) {
    add(std::uint64_t{pair.lo});
    add(std::uint64_t{pair.hi});
  }
  template <class T>
  void add_list(const T& list) {
    add(std::uint64_t{list.size()});
    for (const auto& x : list) add(x);
  }
  template <int D>
  void add(const sudar::SceneEvent<D>& event) {
    add(event.a);
    add(event.b);
  }
  template <int D>
  void add(const sudar::SceneChanges<D>& changes) {
    add_list(changes.begin);
    add_list(changes.stay);
    add_list(changes.end);
  }
  std::uint64_t value() const { return hash_.value(); }

 private:
  sudar::Hash64 hash_;
};

// The bodies of a scene of boxes as objects with shapes: a box about as large as a shape of the list
template <int D>
class ShapedScene {
 public:
  ShapedScene(const sudar::scenes::Scene<D>& from, sudar::Scene<D>& scene) : from_(from), scene_(scene) {
    if constexpr (D == 2)
      shapes_ = shapes2();
    else
      shapes_ = shapes3();
    metres_ = 1.2 / from.bodies()[0].half[0];
    sudar::Random random(1);
    for (std::size_t i = 0; i < from.bodies().size(); ++i) {
      if constexpr (D == 2)
        turns_.push_back(unit_rotation(random));
      else
        turns_.push_back(unit_quaternion(random));
      velocities_.push_back(sudar::point_in_ball<D>(random));
    }
  }
  // Whether all doors of the scene took what they were given
  bool put_all() {
    for (std::size_t i = 0; i < from_.bodies().size(); ++i) {
      const auto id = scene_.add(spec(i));
      if (!id) return false;
      ids_.push_back(*id);
    }
    return true;
  }
  bool follow() {
    for (std::size_t i = 0; i < from_.bodies().size(); ++i) {
      const sudar::scenes::Deed deed = from_.bodies()[i].deed;
      if (deed == sudar::scenes::Deed::is_replaced) {
        if (!scene_.remove(ids_[i])) return false;
        const auto id = scene_.add(spec(i));
        if (!id) return false;
        ids_[i] = *id;
      } else if (deed == sudar::scenes::Deed::leaps
                     ? !scene_.teleport(ids_[i], pose(i))
                     : deed == sudar::scenes::Deed::moves && !scene_.set_pose(ids_[i], pose(i))) {
        return false;
      }
    }
    return true;
  }
  const sudar::Vec<D, double>& velocity(std::uint32_t index) const { return velocities_[index % velocities_.size()]; }

 private:
  sudar::Pose<D, double> pose(std::size_t i) const { return {from_.bodies()[i].center * metres_, turns_[i]}; }
  sudar::ObjectSpec<D> spec(std::size_t i) const {
    return {shapes_[i % shapes_.size()], pose(i), {}, from_.bodies()[i].motion, i % 11 == 0, i};
  }

  const sudar::scenes::Scene<D>& from_;
  sudar::Scene<D>& scene_;
  std::vector<sudar::ShapeOf<D>> shapes_;
  std::vector<sudar::Rot<D, double>> turns_;
  std::vector<sudar::Vec<D, double>> velocities_;
  std::vector<sudar::ObjectId<D>> ids_;
  double metres_ = 1;
};

template <int D>
void add_contacts(const sudar::Scene<D>& scene, AnswerHash& hash) {
  hash.add(std::uint64_t{scene.contacts().size()});
  for (const sudar::SceneContact<D>& contact : scene.contacts()) {
    for (const std::uint32_t x : {contact.a, contact.b, contact.patch, contact.count, std::uint32_t{contact.sensor}})
      hash.add(std::uint64_t{x});
    hash.add(contact.normal);
    for (const sudar::ScenePoint<D>& point : scene.points_of(contact)) {
      hash.add(point.position);
      hash.add(point.separation);
      hash.add(point.feature);
    }
  }
}

template <int D>
void add_events(const sudar::Scene<D>& scene, AnswerHash& hash) {
  hash.add(scene.events().pairs);
  hash.add(scene.events().touching);
  hash.add(std::uint64_t{scene.points().size()});
  for (const sudar::ScenePoint<D>& point : scene.points()) hash.add(std::uint64_t{point.previous});
  hash.add(std::uint64_t{scene.removed_points().size()});
  for (const sudar::RemovedPoint<D>& gone : scene.removed_points()) {
    hash.add(gone.a);
    hash.add(gone.b);
    for (const std::uint32_t x : {gone.patch, gone.index, std::uint32_t{gone.goes_on}, gone.point.previous})
      hash.add(std::uint64_t{x});
    hash.add(gone.normal);
    hash.add(gone.point.position);
    hash.add(gone.point.separation);
    hash.add(gone.point.feature);
  }
}

template <int D>
void add_distances(const sudar::Scene<D>& scene, AnswerHash& hash) {
  for (const sudar::IdPair pair : scene.pairs()) {
    const auto &a = scene[pair.lo], &b = scene[pair.hi];
    const auto x = distance(a.shape, a.pose, b.shape, b.pose);
    for (const double number : {x.separation, x.lower, x.upper}) hash.add(number);
    for (const auto& point : {x.point_a, x.point_b, x.normal}) hash.add(point);
    hash.add(static_cast<std::uint64_t>(x.hit) * 16 + static_cast<std::uint64_t>(x.status));
  }
}

template <int D>
bool add_impacts(const sudar::Scene<D>& scene, const ShapedScene<D>& bodies, AnswerHash& hash) {
  for (const sudar::IdPair pair : scene.pairs()) {
    const auto &a = scene[pair.lo], &b = scene[pair.hi];
    // Every other one turns
    sudar::RigidMotion<D> turning{bodies.velocity(pair.lo), {}};
    if constexpr (D == 2)
      turning.angular = (pair.lo + pair.hi) % 2;
    else
      turning.angular = bodies.velocity(pair.hi + 1) * ((pair.lo + pair.hi) % 2);
    const auto x = time_of_impact(a.shape, a.pose, turning, b.shape, b.pose, {bodies.velocity(pair.hi), {}});
    if (!x) return false;
    for (const double number : {x->t_lo, x->t_hi, x->separation, x->t_last.value_or(-1)}) hash.add(number);
    hash.add(x->point);
    hash.add(x->normal);
    hash.add(static_cast<std::uint64_t>(x->hit) * 16 + static_cast<std::uint64_t>(x->status));
  }
  return true;
}

// `what` is pairs (of the boxes, by the broad phase alone), contacts, events, distances or impacts
template <int D>
std::optional<std::uint64_t> scene_hash(std::string_view what, const sudar::scenes::Spec& spec, int steps,
                                        std::string_view broadphase, sudar::Executor* executor) {
  const auto boxes = sudar::scenes::make<D>(spec);
  if (!boxes) return std::nullopt;
  AnswerHash hash;
  if (what == "pairs") {
    const auto search = sudar::make_broadphase<D>(broadphase);
    if (!search) return std::nullopt;
    if (executor != nullptr) (*search)->set_executor(*executor);
    for (int i = 0; i < steps; ++i) {
      if (!(*search)->update((*boxes)->boxes())) return std::nullopt;
      const auto pairs = (*search)->pairs((*boxes)->boxes());
      if (!pairs) return std::nullopt;
      hash.add_list(*pairs);
      if (!(*boxes)->step(kGoldenStep)) return std::nullopt;
    }
    return hash.value();
  }
  auto scene = sudar::Scene<D>::make({broadphase, kGoldenMargin, executor});
  if (!scene) return std::nullopt;
  ShapedScene<D> bodies(**boxes, *scene);
  if (!bodies.put_all()) return std::nullopt;
  for (int i = 0; i < steps; ++i) {
    if (!scene->update()) return std::nullopt;
    if (what == "contacts")
      add_contacts(*scene, hash);
    else if (what == "events")
      add_events(*scene, hash);
    else if (what == "distances")
      add_distances(*scene, hash);
    else if (what != "impacts" || !add_impacts(*scene, bodies, hash))
      return std::nullopt;
    if (!(*boxes)->step(kGoldenStep) || !bodies.follow()) return std::nullopt;
  }
  return hash.value();
}

}  // namespace sudar_test
