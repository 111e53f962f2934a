#include <sudar/dynamics/colouring.hpp>

#include <bit>

namespace sudar {

std::uint32_t Colouring::colour(std::span<const Link> links, std::span<const std::uint8_t> movable,
                                std::span<std::uint32_t> colours) {
  constexpr std::uint32_t kRound = 64;
  std::uint32_t base = 0, most = 0;
  pending_.clear();
  // Gives link i a colour of this round, or leaves it
  const auto place = [&](std::uint32_t i) {
    const Link link = links[i];
    const bool a = movable[link.a] != 0, b = movable[link.b] != 0;
    if (!a && !b) {
      colours[i] = kNoColour;
      return true;
    }
    const std::uint64_t used = (a ? taken_[link.a] : 0) | (b ? taken_[link.b] : 0);
    const auto free = static_cast<std::uint32_t>(std::countr_one(used));
    if (free == kRound) return false;
    if (a) taken_[link.a] |= std::uint64_t{1} << free;
    if (b) taken_[link.b] |= std::uint64_t{1} << free;
    colours[i] = base + free;
    most = most < base + free + 1 ? base + free + 1 : most;
    return true;
  };
  taken_.assign(movable.size(), 0);
  for (std::uint32_t i = 0; i < links.size(); ++i)
    if (!place(i)) pending_.push_back(i);
  while (!pending_.empty()) {
    base += kRound;
    taken_.assign(movable.size(), 0);
    std::size_t left = 0;
    for (const std::uint32_t i : pending_)
      if (!place(i)) pending_[left++] = i;
    pending_.resize(left);
  }
  return most;
}

}  // namespace sudar
