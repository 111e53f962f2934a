#include <sudar/broadphase/cell_map.hpp>
#include <sudar/broadphase/tree_walk.hpp>

namespace sudar {

namespace {

constexpr std::size_t kMostRooms = std::size_t{1} << 30;
// A face with more neighbours than this counts as open, which costs time only: looking closer costs the square
constexpr std::size_t kMostOnFace = 48;

template <int D>
Aabb<D, double> to_double(const Aabb<D, float>& box) {
  Aabb<D, double> wide;
  for (int k = 0; k < D; ++k) {
    wide.lo[k] = box.lo[k];
    wide.hi[k] = box.hi[k];
  }
  return wide;
}

}  // namespace

template <int D>
Result<void> CellMap<D>::set_rooms(std::span<const Aabb<D, double>> rooms) {
  if (rooms.size() > kMostRooms) return Error{ErrorCode::too_large, Error::kNoElement, "too many rooms"};
  return guarded([&]() -> Result<void> {
    std::vector<double> rows;
    rows.reserve(rooms.size() * 2 * D);
    for (const Aabb<D, double>& room : rooms) {
      for (int k = 0; k < D; ++k) rows.push_back(room.lo[k]);
      for (int k = 0; k < D; ++k) rows.push_back(room.hi[k]);
    }
    BoxStore<D> store;
    if (const auto stored = store.assign(std::span<const double>(rows)); !stored) return stored.error();
    CellMap next;
    next.rooms_ = std::move(store);
    next.size_ = static_cast<std::uint32_t>(rooms.size());
    std::vector<TreeItem<D>> items;
    for (std::uint32_t row = 0; row < next.rooms_.size(); ++row)
      items.push_back({next.rooms_.box(row), next.rooms_.ids()[row]});
    MortonOrder<D> order;
    next.room_tree_.build(items, order, serial_executor());
    next.find_portals();
    *this = std::move(next);
    return {};
  });
}

template <int D>
void CellMap<D>::find_portals() {
  first_neighbor_.assign(1, 0);
  neighbors_.clear();
  open_.assign(size_, 0);
  std::vector<std::uint32_t> touched;
  for (std::uint32_t c = 0; c < size_; ++c) {
    find_touched(cell(c), touched);
    std::sort(touched.begin(), touched.end());
    for (const std::uint32_t other : touched)
      if (other != c) neighbors_.push_back(other);
    first_neighbor_.push_back(static_cast<std::uint32_t>(neighbors_.size()));
  }
  for (std::uint32_t c = 0; c < size_; ++c) open_[c] = static_cast<std::uint8_t>(open_faces(c));
}

// Which faces are not wholly covered by neighbours that go on beyond them
template <int D>
std::uint32_t CellMap<D>::open_faces(std::uint32_t c) const {
  const Aabb<D, float> room = cell(c);
  std::uint32_t open = 0;
  std::vector<Aabb<D, float>> covers;
  for (int face = 0; face < 2 * D; ++face) {
    const int axis = face % D;
    const float plane = face < D ? room.lo[axis] : room.hi[axis];
    covers.clear();
    for (const std::uint32_t other : neighbors(c)) {
      const Aabb<D, float> box = cell(other);
      if (face < D ? box.lo[axis] < plane && plane <= box.hi[axis] : box.lo[axis] <= plane && plane < box.hi[axis])
        covers.push_back(intersect(box, room));
    }
    // Cut the face along the edges of the covers: each piece is covered as a whole or not at all
    std::array<std::vector<float>, D> edges;
    for (int k = 0; k < D; ++k) {
      auto& list = edges[static_cast<std::size_t>(k)];
      if (k == axis) {
        list = {plane, plane};
        continue;
      }
      list = {room.lo[k], room.hi[k]};
      for (const Aabb<D, float>& box : covers) {
        list.push_back(box.lo[k]);
        list.push_back(box.hi[k]);
      }
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
      // A flat room: a face of no width
      if (list.size() == 1) list.push_back(list[0]);
    }
    bool covered = !covers.empty() && covers.size() <= kMostOnFace;
    std::array<std::size_t, D> at{};
    while (covered) {
      covered = std::any_of(covers.begin(), covers.end(), [&](const Aabb<D, float>& box) {
        bool inside = true;
        for (int k = 0; k < D; ++k) {
          const auto& list = edges[static_cast<std::size_t>(k)];
          const std::size_t i = at[static_cast<std::size_t>(k)];
          inside &= k == axis || (box.lo[k] <= list[i] && list[i + 1] <= box.hi[k]);
        }
        return inside;
      });
      std::size_t k = 0;
      while (k < D && ++at[k] + 1 >= edges[k].size()) at[k++] = 0;
      if (k == D) break;
    }
    if (!covered) open |= 1u << face;
  }
  return open;
}

template <int D>
void CellMap<D>::set_lattice(const Aabb<D, float>& bounds, const std::array<double, D>& edges) {
  rooms_.clear();
  first_neighbor_.assign(1, 0);
  neighbors_.clear();
  open_.clear();
  size_ = 1;
  for (int k = 0; k < D; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    const double width = static_cast<double>(bounds.hi[k]) - bounds.lo[k];
    const double count = edges[axis] > 0 ? std::max(1.0, width / edges[axis]) : 1.0;
    const auto cells = static_cast<std::uint32_t>(count);
    std::vector<float>& planes = planes_[axis];
    planes.assign(1, std::numeric_limits<float>::lowest());
    for (std::uint32_t i = 1; i < cells; ++i) {
      const auto plane = static_cast<float>(bounds.lo[k] + width * i / cells);
      if (plane > planes.back() && plane < std::numeric_limits<float>::max()) planes.push_back(plane);
    }
    planes.push_back(std::numeric_limits<float>::max());
    first_[axis] = bounds.lo[k];
    per_cell_[axis] = width > 0 ? cells / width : 0;
    size_ *= static_cast<std::uint32_t>(planes.size() - 1);
  }
}

template <int D>
std::size_t CellMap<D>::portal_count() const noexcept {
  if (has_rooms()) return neighbors_.size() / 2;
  // Pairs of cells of the lattice that touch: all pairs in blocks of 3^D, less those that stick out
  std::size_t ordered = 1;
  for (const auto& planes : planes_) ordered *= planes.size() < 2 ? 0 : 3 * (planes.size() - 1) - 2;
  return ordered == 0 ? 0 : (ordered - size_) / 2;
}

template <int D>
Aabb<D, float> CellMap<D>::cell(std::uint32_t c) const noexcept {
  if (has_rooms()) return rooms_.box(c);
  Aabb<D, float> box;
  for (int k = 0; k < D; ++k) {
    const std::vector<float>& planes = planes_[static_cast<std::size_t>(k)];
    const std::size_t i = c % (planes.size() - 1);
    c /= static_cast<std::uint32_t>(planes.size() - 1);
    box.lo[k] = planes[i];
    box.hi[k] = planes[i + 1];
  }
  return box;
}

template <int D>
void CellMap<D>::find_touched(const Aabb<D, float>& region, std::vector<std::uint32_t>& cells) const {
  cells.clear();
  const Aabb<D, double> box = to_double(region);
  const QueryFilter everyone;
  OverlapSink<D> sink(rooms_, box, everyone, cells);
  walk_tree(PackedTreeWalk<D>{room_tree_, rooms_}, sink);
}

template <int D>
std::uint32_t CellMap<D>::locate(const Vec<D, float>& point, std::uint32_t hint, Scratch& scratch) const {
  if (!has_rooms()) {
    std::uint32_t c = 0;
    for (int k = D - 1; k >= 0; --k) {
      const auto axis = static_cast<std::size_t>(k);
      const std::vector<float>& planes = planes_[axis];
      const auto last = static_cast<double>(planes.size() - 2);
      // A guess, and then the planes themselves decide
      auto i = static_cast<std::size_t>(std::clamp((point[k] - first_[axis]) * per_cell_[axis], 0.0, last));
      while (i > 0 && point[k] < planes[i]) --i;
      while (i + 2 < planes.size() && point[k] >= planes[i + 1]) ++i;
      c = c * static_cast<std::uint32_t>(planes.size() - 1) + static_cast<std::uint32_t>(i);
    }
    return c;
  }
  // Where it was, then next door, then anywhere
  if (hint < size_) {
    if (contains(cell(hint), point)) return hint;
    for (const std::uint32_t other : neighbors(hint))
      if (contains(cell(other), point)) return other;
  }
  find_touched({point, point}, scratch.touched);
  return scratch.touched.empty() ? size_ : *std::min_element(scratch.touched.begin(), scratch.touched.end());
}

template <int D>
bool CellMap<D>::leads_outside(std::uint32_t c, const Aabb<D, float>& region) const {
  const std::uint32_t open = open_[c];
  if (open == 0) return false;
  const Aabb<D, float> room = cell(c);
  for (int k = 0; k < D; ++k)
    if (((open >> k & 1u) != 0 && region.lo[k] < room.lo[k]) ||
        ((open >> (D + k) & 1u) != 0 && region.hi[k] > room.hi[k]))
      return true;
  return false;
}

template <int D>
void CellMap<D>::reach(std::uint32_t from, const Aabb<D, float>& region, Scratch& scratch,
                       std::vector<std::uint32_t>& cells) const {
  cells.assign(1, from);
  if (!has_rooms()) {
    // From plane to plane in every direction, as far as the region goes
    std::array<std::uint32_t, D> first, last, at;
    std::uint32_t rest = from;
    for (int k = 0; k < D; ++k) {
      const auto axis = static_cast<std::size_t>(k);
      const std::vector<float>& planes = planes_[axis];
      const auto count = static_cast<std::uint32_t>(planes.size() - 1);
      first[axis] = last[axis] = rest % count;
      rest /= count;
      while (first[axis] > 0 && region.lo[k] <= planes[first[axis]]) --first[axis];
      while (last[axis] + 1 < count && region.hi[k] >= planes[last[axis] + 1]) ++last[axis];
    }
    at = first;
    for (;;) {
      std::uint32_t c = 0;
      for (std::size_t k = D; k-- > 0;) c = c * static_cast<std::uint32_t>(planes_[k].size() - 1) + at[k];
      if (c != from) cells.push_back(c);
      std::size_t k = 0;
      while (k < D && ++at[k] > last[k]) {
        at[k] = first[k];
        ++k;
      }
      if (k == D) return;
    }
  }

  if (scratch.seen.size() != size_ + 1) {
    scratch.seen.assign(size_ + 1, 0);
    scratch.round = 0;
  }
  if (++scratch.round == 0) {
    std::fill(scratch.seen.begin(), scratch.seen.end(), 0u);
    scratch.round = 1;
  }
  const auto enter = [&](std::uint32_t c) {
    if (scratch.seen[c] == scratch.round) return;
    scratch.seen[c] = scratch.round;
    cells.push_back(c);
  };
  scratch.seen[from] = scratch.round;
  bool outside = from == size_;
  for (std::size_t i = 0; i < cells.size() && !outside; ++i) {
    const std::uint32_t c = cells[i];
    const Aabb<D, float> room = cell(c);
    outside = leads_outside(c, region);
    for (const std::uint32_t other : neighbors(c))
      if (overlap(intersect(room, cell(other)), region)) enter(other);
  }
  if (!outside) return;
  // All that the region touches
  enter(size_);
  find_touched(region, scratch.touched);
  for (const std::uint32_t c : scratch.touched) enter(c);
}

template <int D>
std::size_t CellMap<D>::bytes() const noexcept {
  std::size_t total = open_.capacity() + (first_neighbor_.capacity() + neighbors_.capacity()) * sizeof(std::uint32_t);
  for (const auto& planes : planes_) total += planes.capacity() * sizeof(float);
  return total + (rooms_.empty() ? 0 : rooms_.bytes() + room_tree_.bytes());
}

template class CellMap<2>;
template class CellMap<3>;

}  // namespace sudar
