#include <sudar/sdf/distance_field.hpp>
#include <sudar/sdf/field_tolerance.hpp>

#include <algorithm>

namespace sudar {

namespace {

constexpr std::size_t kBatchGrain = 4096;

}  // namespace

template <int D>
double DistanceField<D>::at(const GridIndex<D>& index) const {
  GridIndex<D> brick;
  std::size_t local = 0;
  for (std::size_t k = D; k-- > 0;) {
    SUDAR_ASSERT(index[k] < grid_.samples[k]);
    brick[k] = std::min(index[k] / kBrickCells, bricks_[k] - 1);
    local = local * kBrickSide + (index[k] - brick[k] * kBrickCells);
  }
  const std::uint32_t stored = table_[number_of(brick)];
  if (stored >= kInside) return stored == kInside ? -band_ : band_;
  return static_cast<double>(values_[std::size_t{stored} * kBrickSamples<D> + local]);
}

template <int D>
FieldSample<D> DistanceField<D>::sample_inside(const Vec<D, double>& p) const {
  // The cell and the place in it
  GridIndex<D> brick;
  double f[D];
  std::size_t local = 0;
  for (int k = D; k-- > 0;) {
    const auto axis = static_cast<std::size_t>(k);
    const double x = (p[k] - grid_.origin[k]) * inverse_cell_;
    const std::uint32_t i = x >= 0 ? std::min(static_cast<std::uint32_t>(x), grid_.samples[axis] - 2) : 0;
    f[k] = std::clamp(x - i, 0.0, 1.0);
    brick[axis] = i / kBrickCells;
    local = local * kBrickSide + (i - brick[axis] * kBrickCells);
  }
  const std::uint32_t stored = table_[number_of(brick)];
  if (stored >= kInside) return {stored == kInside ? -band_ : band_, {}, false};

  // Corner c lies at the far end of axis k when bit k of c is set
  constexpr int kCorners = 1 << D;
  const float* first = values_.data() + std::size_t{stored} * kBrickSamples<D> + local;
  constexpr std::size_t kStep[3] = {1, kBrickSide, kBrickSide * kBrickSide};
  double v[kCorners];
  FieldSample<D> out;
  out.in_band = true;
  for (int c = 0; c < kCorners; ++c) {
    std::size_t step = 0;
    for (int k = 0; k < D; ++k)
      if ((c >> k & 1) != 0) step += kStep[k];
    v[c] = static_cast<double>(first[step]);
    out.in_band = out.in_band && std::fabs(v[c]) < band_;
  }
  // The slope along each axis, weighted by the place on the others, and the value
  for (int k = 0; k < D; ++k) {
    double slope = 0;
    for (int c = 0; c < kCorners; ++c) {
      if ((c >> k & 1) != 0) continue;
      double weight = 1;
      for (int m = 0; m < D; ++m)
        if (m != k) weight *= (c >> m & 1) != 0 ? f[m] : 1 - f[m];
      slope += weight * (v[c | 1 << k] - v[c]);
    }
    out.gradient[k] = slope * inverse_cell_;
  }
  for (int k = D; k-- > 0;)
    for (int c = 0; c < 1 << k; ++c) v[c] = v[c] + (v[c | 1 << k] - v[c]) * f[k];
  out.distance = v[0];
  return out;
}

template <int D>
FieldSample<D> DistanceField<D>::sample(const Vec<D, double>& p) const {
  if (!is_finite(p)) return {std::numeric_limits<double>::quiet_NaN(), {}, false};
  const Aabb<D, double> box = grid_.bounds();
  if (contains(box, p)) return sample_inside(p);
  // From the nearest place of the grid: the surface is as far as from there, less the way; and if it is inside of the grid,
  // it is no nearer than the grid
  const Vec<D, double> near = min(max(p, box.lo), box.hi);
  FieldSample<D> out = sample_inside(near);
  const double way = sudar::distance(p, near), here = std::fabs(out.distance);
  const double bound = covers_ ? std::max(way, here - way) : std::max(0.0, here - way);
  out.distance = std::copysign(bound, out.distance);
  if (covers_) out.gradient = normalized(p - near);
  out.in_band = false;
  return out;
}

template <int D>
ClosestOnField<D> DistanceField<D>::closest(const Vec<D, double>& p) const {
  ClosestOnField<D> out;
  FieldSample<D> at_point = sample(p);
  out.point = p;
  out.distance = at_point.distance;
  if (!at_point.in_band) return out;
  // Newton's steps along the gradient; the values are nearly linear along it
  constexpr int kSteps = 16;
  for (int i = 0; i < kSteps; ++i) {
    const double slope = length_squared(at_point.gradient);
    if (std::fabs(at_point.distance) <= kFieldZero * grid_.cell) {
      out.found = true;
      return out;
    }
    if (!(slope > kFieldFlat)) return out;
    out.point -= at_point.gradient * (at_point.distance / slope);
    at_point = sample(out.point);
    if (!at_point.in_band) return out;
  }
  // Near an edge of the body the steps may swing from side to side within a cell
  out.found = std::fabs(at_point.distance) <= interpolation_error();
  return out;
}

template <int D>
Result<void> DistanceField<D>::sample(std::span<const Vec<D, double>> places, std::span<FieldSample<D>> out,
                                      Executor& executor) const noexcept {
  if (places.size() != out.size())
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "as many answers as places are needed"};
  for (std::size_t i = 0; i < places.size(); ++i)
    if (!is_finite(places[i])) return Error{ErrorCode::non_finite, i, "coordinate is NaN or infinite"};
  return guarded([&]() -> Result<void> {
    parallel_for(executor, places.size(), kBatchGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) out[i] = sample(places[i]);
    });
    return {};
  });
}

template <int D>
Result<void> DistanceField<D>::distances(std::span<const Vec<D, double>> places, std::span<double> out,
                                         Executor& executor) const noexcept {
  if (places.size() != out.size())
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "as many answers as places are needed"};
  for (std::size_t i = 0; i < places.size(); ++i)
    if (!is_finite(places[i])) return Error{ErrorCode::non_finite, i, "coordinate is NaN or infinite"};
  return guarded([&]() -> Result<void> {
    parallel_for(executor, places.size(), kBatchGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) out[i] = sample(places[i]).distance;
    });
    return {};
  });
}

template class SUDAR_API DistanceField<2>;
template class SUDAR_API DistanceField<3>;

}  // namespace sudar
