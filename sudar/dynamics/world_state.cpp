// What:    Snapshots, hashes and the notes of a recording. See world.hpp.
#include <sudar/core/hash.hpp>
#include <sudar/dynamics/recording.hpp>
#include <sudar/dynamics/world.hpp>

#include <bit>

namespace sudar {

template <int D>
Result<void> World<D>::save(WorldSnapshot<D>& out) const {
  return guarded([&]() -> Result<void> {
    WorldSnapshot<D> fresh;
    if (const Result<void> saved = scene_->save(fresh.scene); !saved) return saved;
    fresh.data = data_;
    const std::span<const PointImpulse<D>> all = impulses();
    fresh.data.impulses.assign(all.begin(), all.end());
    out = std::move(fresh);
    return {};
  });
}

template <int D>
Result<void> World<D>::restore(const WorldSnapshot<D>& snapshot) {
  return guarded([&]() -> Result<void> {
    WorldData<D> data = snapshot.data;
    // Lists of as many as there will be, so that nothing can fail when the scene is another one
    for (auto* indices : {&lively_, &listed_, &label_, &labelled_}) indices->reserve(data.bodies.size());
    for (auto* flags : {&is_listed_, &roles_}) flags->reserve(data.bodies.size());
    if (const Result<void> restored = scene_->restore(snapshot.scene); !restored) return restored;
    data_ = std::move(data);
    recording_ = nullptr;
    rest_ = {};
    whole_made_ = false;
    list_all();
    events_.clear();
    stats_ = {};
    stats_.steps = data_.steps;
    return {};
  });
}

template <int D>
std::uint64_t World<D>::state_hash() const noexcept {
  Hash64 hash;
  for (std::uint32_t i = 0; i < data_.bodies.size(); ++i) {
    const WorldBody<D>& body = data_.bodies[i];
    if (!body.used) continue;
    hash.add(i);
    for_each_number(body.state, [&](BodyField, double x) { hash.add(std::bit_cast<std::uint64_t>(x)); });
    hash.add_byte(body.asleep);
  }
  return hash.value();
}

template <int D>
Result<void> World<D>::record(WorldRecording<D>* recording) {
  if (recording == nullptr) {
    recording_ = nullptr;
    return {};
  }
  WorldRecording<D> fresh;
  fresh.keep_states = recording->keep_states;
  fresh.options = options_;
  fresh.options.executor = nullptr;
  if (const Result<void> saved = save(fresh.start); !saved) return saved;
  *recording = std::move(fresh);
  recording_ = recording;
  return {};
}

template SUDAR_API Result<void> World<2>::save(WorldSnapshot<2>&) const;
template SUDAR_API Result<void> World<3>::save(WorldSnapshot<3>&) const;
template SUDAR_API Result<void> World<2>::restore(const WorldSnapshot<2>&);
template SUDAR_API Result<void> World<3>::restore(const WorldSnapshot<3>&);
template SUDAR_API std::uint64_t World<2>::state_hash() const noexcept;
template SUDAR_API std::uint64_t World<3>::state_hash() const noexcept;
template SUDAR_API Result<void> World<2>::record(WorldRecording<2>*);
template SUDAR_API Result<void> World<3>::record(WorldRecording<3>*);

}  // namespace sudar
