// What:    The objects of a scene: how they come, change and go. The update is in scene_update.cpp, snapshots are in
//          scene_snapshot.cpp.
#include <sudar/broadphase/registry.hpp>
#include <sudar/math/pose_check.hpp>
#include <sudar/scene/scene.hpp>

#include <algorithm>
#include <cmath>

namespace sudar {

namespace {

constexpr Error no_such_object(std::size_t element) { return {ErrorCode::unknown_id, element, "no such object"}; }

}  // namespace

template <int D>
Result<Scene<D>> Scene<D>::make(const SceneOptions& options) {
  if (!std::isfinite(options.margin))
    return Error{ErrorCode::non_finite, Error::kNoElement, "margin is NaN or infinite"};
  if (!(options.margin >= 0 && options.margin <= kMaxShapeSize))
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "margin is negative or too large"};
  return guarded([&]() -> Result<Scene<D>> {
    Scene scene;
    auto made = make_broadphase<D>(options.broadphase);
    if (!made) return made.error();
    scene.broadphase_ = *std::move(made);
    scene.margin_ = options.margin;
    if (options.executor != nullptr) scene.set_executor(*options.executor);
    return scene;
  });
}

template <int D>
Result<void> Scene<D>::set_broadphase(std::string_view name) {
  return guarded([&]() -> Result<void> {
    auto made = make_broadphase<D>(name);
    if (!made) return made.error();
    broadphase_ = *std::move(made);
    broadphase_->set_executor(*executor_);
    return {};
  });
}

template <int D>
void Scene<D>::set_executor(Executor& executor) noexcept {
  executor_ = &executor;
  broadphase_->set_executor(executor);
}

// As large as pairs, contacts and questions need it
template <int D>
Aabb<D, double> Scene<D>::box_of(std::uint32_t index) const noexcept {
  const SceneObject<D>& x = objects_[index];
  Aabb<D, double> box = expand(bounding_box(x.shape, x.pose), margin_ / 2);
  if (x.reaches) box = merge(box, reach_[index]);
  return question_box<D>(box);
}

// make_room has seen to it that there is room for every object
template <int D>
void Scene<D>::queue(std::uint32_t index) noexcept {
  if (objects_[index].queued) return;
  objects_[index].queued = true;
  queue_.push_back(index);
}

// All the memory that objects take outside of the store, before anything changes
template <int D>
void Scene<D>::make_room(std::size_t objects) {
  const auto reserve = [](auto& column, std::size_t count) {
    if (count > column.capacity()) column.reserve(std::max(count, 2 * column.capacity()));
  };
  reserve(objects_, objects);
  reserve(alive_, objects);
  reserve(free_, objects);
  reserve(queue_, objects);
  reserve(to_stir_, objects);
  reserve(to_rest_, objects);
}

template <int D>
Result<ObjectId<D>> Scene<D>::add(const ObjectSpec<D>& spec) {
  const auto pose = checked_pose<D>(spec.pose, Error::kNoElement);
  if (!pose) return pose.error();
  return guarded([&] { return add_checked(spec, *pose); });
}

template <int D>
Result<ObjectId<D>> Scene<D>::add_checked(const ObjectSpec<D>& spec, const Position& pose) {
  make_room(objects_.size() + 1);
  const Aabb<D, double> box = question_box<D>(expand(bounding_box(spec.shape, pose), margin_ / 2));
  // Beside what rests, something fixed is not parked before its pairs are known
  const bool fixed = spec.motion == Motion::fixed, parked = fixed && parked_movers_ == 0;
  const auto inserted = store_.insert(box, spec.filter, parked ? Motion::fixed : Motion::moving);
  if (!inserted) return inserted.error();
  // Nothing below can fail
  const std::uint32_t index = *inserted;
  if (index < objects_.size()) {
    SUDAR_ASSERT(!free_.empty() && free_.back() == index);
    free_.pop_back();
    objects_[index].shape = spec.shape;
  } else {
    objects_.emplace_back(spec.shape);
    alive_.push_back(0);
  }
  SceneObject<D>& x = objects_[index];
  x.user = spec.user;
  x.used = true;
  x.sensor = spec.sensor;
  x.reaches = false;
  x.pose = pose;
  x.fixed = fixed;
  x.parked = parked;
  x.resting = false;
  count_parked(x, true);
  renew(x);
  if (parked) stir(index);
  if (fixed && !parked) wait_to_rest(index);
  alive_[index] = x.generation;
  ++membership_;
  return Id{index, x.generation};
}

template <int D>
Result<void> Scene<D>::add_many(std::span<const ObjectSpec<D>> specs, std::vector<Id>& ids) {
  for (std::size_t i = 0; i < specs.size(); ++i)
    if (const auto pose = checked_pose<D>(specs[i].pose, i); !pose) return pose.error();
  return guarded([&]() -> Result<void> {
    ids.reserve(ids.size() + specs.size());
    make_room(objects_.size() + specs.size());
    for (std::size_t i = 0; i < specs.size(); ++i) {
      const auto id = guarded([&] { return add_checked(specs[i], *checked_pose<D>(specs[i].pose, i)); });
      if (!id) return Error{id.error().code, i, id.error().reason};
      ids.push_back(*id);
    }
    return {};
  });
}

template <int D>
Result<void> Scene<D>::remove(Id id) {
  if (!contains(id)) return no_such_object(id.index);
  if (const auto r = store_.remove(id.index); !r) return r.error();
  SceneObject<D>& x = objects_[id.index];
  using Nothing = std::conditional_t<D == 2, PointShape2, PointShape3>;
  x.shape = Shape(Nothing{});  // large data go when nobody else has them
  if (x.parked) stir(id.index);
  count_parked(x, false);
  x.used = x.fixed = x.resting = x.parked = false;
  alive_[id.index] = 0;
  // After 2^32 - 1 objects at one index, handles begin anew
  if (++x.generation == 0) x.generation = 1;
  free_.push_back(id.index);
  ++membership_;
  return {};
}

// A pose that was checked
template <int D>
void Scene<D>::put(std::uint32_t index, const Position& pose, bool jumps) noexcept {
  SceneObject<D>& x = objects_[index];
  if (jumps) {
    renew(x);
    x.jumps = true;
  } else {
    if (x.pose == pose && !x.reaches) return;
    x.moved = ++changes_;
  }
  x.pose = pose;
  x.reaches = false;
  if (x.parked) stir(index);
  queue(index);
}

template <int D>
Result<void> Scene<D>::set_pose(Id id, const Position& pose) {
  if (!contains(id)) return no_such_object(id.index);
  const auto checked = checked_pose<D>(pose, id.index);
  if (!checked) return checked.error();
  put(id.index, *checked, false);
  return {};
}

template <int D>
Result<void> Scene<D>::set_poses(std::span<const Id> ids, std::span<const Position> poses) {
  if (ids.size() != poses.size())
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "as many poses as objects"};
  bool plain = true;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!contains(ids[i])) return no_such_object(i);
    if (is_plain_pose<D>(poses[i])) continue;
    if (const auto checked = checked_pose<D>(poses[i], i); !checked) return checked.error();
    plain = false;
  }
  for (std::size_t i = 0; i < ids.size(); ++i)
    put(ids[i].index, plain ? poses[i] : *checked_pose<D>(poses[i], i), false);
  return {};
}

template <int D>
Result<void> Scene<D>::teleport(Id id, const Position& pose) {
  if (!contains(id)) return no_such_object(id.index);
  const auto checked = checked_pose<D>(pose, id.index);
  if (!checked) return checked.error();
  put(id.index, *checked, true);
  return {};
}

template <int D>
Result<void> Scene<D>::set_shape(Id id, const Shape& shape) {
  if (!contains(id)) return no_such_object(id.index);
  SceneObject<D>& x = objects_[id.index];
  x.shape = shape;
  renew(x);
  if (x.parked) stir(id.index);
  queue(id.index);
  return {};
}

template <int D>
Result<void> Scene<D>::set_filter(Id id, const Filter& filter) {
  if (!contains(id)) return no_such_object(id.index);
  if (const auto r = store_.set_filter(id.index, filter); !r) return r;
  objects_[id.index].refiltered = ++changes_;
  if (objects_[id.index].parked) stir(id.index);
  return {};
}

template <int D>
Result<void> Scene<D>::set_motion(Id id, Motion motion) {
  if (!contains(id)) return no_such_object(id.index);
  SceneObject<D>& x = objects_[id.index];
  // Beside what rests, it is parked and unparked together with its pairs
  const bool apart = parked_movers_ > 0;
  if (!apart)
    if (const auto r = store_.set_motion(id.index, motion); !r) return r;
  if (x.parked) stir(id.index);
  count_parked(x, false);
  x.fixed = motion == Motion::fixed;
  if (!apart) x.parked = x.fixed;
  count_parked(x, true);
  x.refiltered = ++changes_;
  if (x.parked) stir(id.index);
  if (is_still(x) && !x.parked) wait_to_rest(id.index);
  return {};
}

template <int D>
Result<void> Scene<D>::set_sensor(Id id, bool sensor) {
  if (!contains(id)) return no_such_object(id.index);
  objects_[id.index].sensor = sensor;
  objects_[id.index].refiltered = ++changes_;
  if (objects_[id.index].parked) stir(id.index);
  return {};
}

template <int D>
Result<void> Scene<D>::set_user(Id id, std::uint64_t user) {
  if (!contains(id)) return no_such_object(id.index);
  objects_[id.index].user = user;
  return {};
}

template <int D>
Result<void> Scene<D>::set_reach(Id id, const Aabb<D, double>& box) {
  if (!contains(id)) return no_such_object(id.index);
  if (!is_finite(box.lo) || !is_finite(box.hi))
    return Error{ErrorCode::non_finite, id.index, "box has a NaN or an infinity"};
  if (!is_valid(box)) return Error{ErrorCode::invalid_argument, id.index, "box has lo > hi"};
  return guarded([&]() -> Result<void> {
    if (reach_.size() < objects_.size()) reach_.resize(std::max(objects_.size(), objects_.capacity()));
    reach_[id.index] = box;
    objects_[id.index].reaches = true;
    objects_[id.index].refiltered = ++changes_;
    if (objects_[id.index].parked) stir(id.index);
    queue(id.index);
    return {};
  });
}

template <int D>
Result<void> Scene<D>::set_reach(Id id, const Vec<D, double>& way) {
  if (!contains(id)) return no_such_object(id.index);
  if (!is_finite(way)) return Error{ErrorCode::non_finite, id.index, "way has a NaN or an infinity"};
  // Half-spaces are everywhere already
  const SceneObject<D>& x = objects_[id.index];
  if (!x.shape.is_bounded()) return {};
  const Position there{x.pose.position + way, x.pose.rotation};
  if (!is_finite(there.position))
    return Error{ErrorCode::non_finite, id.index, "way leads out of the range of numbers"};
  return set_reach(id, expand(bounding_box(x.shape, there), margin_ / 2));
}

template <int D>
Result<typename Scene<D>::Ground> Scene<D>::ground() {
  if (const auto r = move_boxes(); !r) return r.error();
  if (const auto r = broadphase_->update(store_); !r) return r.error();
  return Ground{&store_, broadphase_.get()};
}

template <int D>
SceneBytes Scene<D>::bytes() const noexcept {
  const auto of = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  SceneBytes out;
  out.objects = of(objects_) + of(alive_) + of(reach_) + of(free_) + of(queue_);
  out.boxes = store_.bytes();
  out.search = static_cast<std::size_t>(broadphase_->counters().bytes);
  out.pairs = told_.pair_bytes() + next_.pair_bytes() + of(before_) + of(after_);
  out.contacts = told_.contact_bytes() + next_.contact_bytes() + of(removed_points_) + rest_.bytes();
  out.caches = of(caches_) + of(free_caches_) + of(kept_caches_) + of(kept_);
  out.scratch = of(rows_) + of(pair_begin_) + of(pair_end_) + of(touch_begin_) + of(touch_end_) + of(pair_stay_) +
                of(touch_stay_) + of(point_stays_) + of(blocks_) + of(to_stir_) + of(to_rest_) + of(parking_) +
                of(pulled_) + of(filed_) + of(filed_slots_) + of(fresh_) + of(moves_) + of(layout_) + whole_.bytes();
  for (const ContactBlock<D>& block : blocks_) out.scratch += of(block.pieces) + of(block.contacts) + of(block.points);
  return out;
}

template class SUDAR_API Scene<2>;
template class SUDAR_API Scene<3>;

}  // namespace sudar
