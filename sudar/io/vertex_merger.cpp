#include <sudar/io/vertex_merger.hpp>

#include <bit>
#include <utility>

namespace sudar {

namespace {

constexpr std::size_t kFirstSlots = 64;
// Runs of a half-full table are far shorter at any size that fits memory
constexpr std::size_t kLongRun = 512;
constexpr std::uint64_t kMostSeeds = 8;

// The finaliser of MurmurHash3: every bit of the input reaches every bit of the output
constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
  return x ^ (x >> 33);
}

}  // namespace

std::uint64_t VertexMerger::slot_of(const Vec3d& place) const {
  std::uint64_t h = seed_;
  // Adding zero makes -0 positive
  for (int axis = 0; axis < 3; ++axis) h = mixed(h + std::bit_cast<std::uint64_t>(place[axis] + 0.0));
  return h & (slots_.size() - 1);
}

void VertexMerger::rebuild(std::size_t slots) {
  slots_.assign(slots, kNoIndex);
  for (std::uint32_t i = 0; i < places_.size(); ++i) {
    std::uint64_t slot = slot_of(places_[i]);
    while (slots_[slot] != kNoIndex) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = i;
  }
}

std::uint32_t VertexMerger::number_of(const Vec3d& place) {
  if (2 * (places_.size() + 1) > slots_.size()) rebuild(slots_.empty() ? kFirstSlots : 2 * slots_.size());
  std::uint64_t slot = slot_of(place);
  std::size_t run = 0;
  for (; slots_[slot] != kNoIndex; slot = (slot + 1) & (slots_.size() - 1), ++run)
    if (places_[slots_[slot]] == place) return slots_[slot];
  const auto number = static_cast<std::uint32_t>(places_.size());
  places_.push_back(place);
  slots_[slot] = number;
  if (run > kLongRun && seed_ < kMostSeeds) {
    ++seed_;
    rebuild(slots_.size());
  }
  return number;
}

std::vector<Vec3d> VertexMerger::take() {
  slots_.clear();
  return std::exchange(places_, {});
}

}  // namespace sudar
