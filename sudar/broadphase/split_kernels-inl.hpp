// What:    The loops of split_kernels.cpp, included there once for every instruction set and once for the plain twin. `Four` is a
// vector of four floats. The lanes past the axes of a box hold whatever lies there, and nobody reads them.

// The lower corner of an item in the first lanes, and its upper one
template <int D, class Four>
inline typename Four::V LowerOf(const TreeItem<D>& item) {
  return Four::load(&item.box.lo[0]);
}
template <int D, class Four>
inline typename Four::V UpperOf(const TreeItem<D>& item) {
  // In the plane the four ends of a box fill one vector; in space the id follows them
  if constexpr (D == 2) return Four::swap_halves(Four::load(&item.box.lo[0]));
  return Four::load(&item.box.lo[0] + 3);
}

template <int D, class Four>
ItemBounds<D> Measure(const TreeItem<D>* items, std::size_t count) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const auto half = Four::set(0.5f);
  auto lo = Four::set(kInfinity), hi = Four::set(-kInfinity), first = lo, last = hi;
  for (std::size_t i = 0; i < count; ++i) {
    const auto lower = LowerOf<D, Four>(items[i]), upper = UpperOf<D, Four>(items[i]);
    const auto centre = Four::add(Four::mul(lower, half), Four::mul(upper, half));
    lo = Four::min(lo, lower);
    hi = Four::max(hi, upper);
    first = Four::min(first, centre);
    last = Four::max(last, centre);
  }
  float at[4][4];
  Four::store(lo, at[0]);
  Four::store(hi, at[1]);
  Four::store(first, at[2]);
  Four::store(last, at[3]);
  ItemBounds<D> bounds;
  for (int k = 0; k < D; ++k) {
    bounds.box.lo[k] = at[0][k];
    bounds.box.hi[k] = at[1][k];
    bounds.centres.lo[k] = at[2][k];
    bounds.centres.hi[k] = at[3][k];
  }
  return bounds;
}

template <int D, class Four>
inline float CostOf(typename Four::V lo, typename Four::V hi) {
  float extent[4];
  Four::store(Four::sub(hi, lo), extent);
  if constexpr (D == 2) return extent[0] + extent[1];
  const float sum = extent[0] + extent[1] + extent[2];
  const float pairs = extent[0] * extent[1] + extent[1] * extent[2] + extent[2] * extent[0];
  return pairs + static_cast<float>(kThinShare) * sum * sum;
}

template <int D, class Four>
std::uint32_t Choose(const TreeItem<D>* items, std::size_t count, const SplitBins<D>& bins) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  struct Bin {
    float lo[4], hi[4];
  };
  Bin bin[kMostBins];
  std::uint32_t held[kMostBins] = {};
  const auto nothing_lo = Four::set(kInfinity), nothing_hi = Four::set(-kInfinity);
  for (std::uint32_t b = 0; b < bins.count; ++b) {
    Four::store(nothing_lo, bin[b].lo);
    Four::store(nothing_hi, bin[b].hi);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t place = bins.bin_of(items[i]);
    Bin& to = bin[place];
    Four::store(Four::min(Four::load(to.lo), LowerOf<D, Four>(items[i])), to.lo);
    Four::store(Four::max(Four::load(to.hi), UpperOf<D, Four>(items[i])), to.hi);
    ++held[place];
  }

  // Cost of everything left of each border, from the left; of everything right of it, from the right
  float left_cost[kMostBins];
  auto lo = nothing_lo, hi = nothing_hi;
  std::uint32_t below = 0;
  for (std::uint32_t b = 0; b + 1 < bins.count; ++b) {
    lo = Four::min(lo, Four::load(bin[b].lo));
    hi = Four::max(hi, Four::load(bin[b].hi));
    below += held[b];
    left_cost[b + 1] = CostOf<D, Four>(lo, hi) * static_cast<float>(below);
  }
  float best = kInfinity, worst = 0;
  std::uint32_t border = 0, above = 0;
  lo = nothing_lo;
  hi = nothing_hi;
  for (std::uint32_t b = bins.count - 1; b > 0; --b) {
    lo = Four::min(lo, Four::load(bin[b].lo));
    hi = Four::max(hi, Four::load(bin[b].hi));
    above += held[b];
    if (above == 0 || above == count) continue;
    const float cost = left_cost[b] + CostOf<D, Four>(lo, hi) * static_cast<float>(above);
    worst = cost > worst ? cost : worst;
    if (!(cost < best)) continue;
    best = cost;
    border = b;
  }
  // Two have one border; more of them, none of which is better, are left to the median
  return best < worst || count == 2 ? border : 0;
}
