// Snapshots of scenes with any bytes changed: they are refused, and nothing is changed, or can be gone on with.
#include "tests/fuzz/bytes.hpp"
#include <sudar/core/hash.hpp>
#include <sudar/scene/scene.hpp>

#include <algorithm>
#include <vector>

namespace sudar_fuzz {

namespace {

using namespace sudar;

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

void fuzz_snapshot(FuzzBytes all) {
  Bytes bytes(all);
  bytes.coin() ? restore_changed<2>(bytes) : restore_changed<3>(bytes);
}

}  // namespace sudar_fuzz
