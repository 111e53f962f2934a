#include <sudar/continuous/motion.hpp>
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

// The values at the corners of a cell, and the place in it. Corner c lies at the far end of axis k when bit k of c is set.
template <int D>
struct DistanceField<D>::Cell {
  static constexpr int kCorners = 1 << D;
  bool stored = false;
  double v[kCorners];  // of a brick that is not stored, the first one is for all
  double f[D];

  double value() const {
    double x[kCorners];
    for (int c = 0; c < kCorners; ++c) x[c] = v[c];
    for (int k = D; k-- > 0;)
      for (int c = 0; c < 1 << k; ++c) x[c] = x[c] + (x[c | 1 << k] - x[c]) * f[k];
    return x[0];
  }
};

template <int D>
typename DistanceField<D>::Cell DistanceField<D>::cell_at(const Vec<D, double>& p) const {
  Cell out;
  GridIndex<D> brick;
  std::size_t local = 0;
  for (int k = D; k-- > 0;) {
    const auto axis = static_cast<std::size_t>(k);
    const double x = (p[k] - grid_.origin[k]) * inverse_cell_;
    const std::uint32_t i = x >= 0 ? std::min(static_cast<std::uint32_t>(x), grid_.samples[axis] - 2) : 0;
    out.f[k] = std::clamp(x - i, 0.0, 1.0);
    brick[axis] = i / kBrickCells;
    local = local * kBrickSide + (i - brick[axis] * kBrickCells);
  }
  const std::uint32_t at = table_[number_of(brick)];
  if (at >= kInside) {
    out.v[0] = at == kInside ? -band_ : band_;
    return out;
  }
  out.stored = true;
  const float* first = values_.data() + std::size_t{at} * kBrickSamples<D> + local;
  constexpr std::size_t kStep[3] = {1, kBrickSide, kBrickSide * kBrickSide};
  for (int c = 0; c < Cell::kCorners; ++c) {
    std::size_t step = 0;
    for (int k = 0; k < D; ++k)
      if ((c >> k & 1) != 0) step += kStep[k];
    out.v[c] = static_cast<double>(first[step]);
  }
  return out;
}

template <int D>
FieldSample<D> DistanceField<D>::sample_inside(const Vec<D, double>& p) const {
  const Cell cell = cell_at(p);
  if (!cell.stored) return {cell.v[0], {}, false};
  FieldSample<D> out;
  out.in_band = true;
  for (const double v : cell.v) out.in_band = out.in_band && std::fabs(v) < band_;
  // The slope along each axis, weighted by the place on the others, and the value
  const double most = grid_.cell * kFieldJump;
  for (int k = 0; k < D; ++k) {
    double slope = 0;
    for (int c = 0; c < Cell::kCorners; ++c) {
      if ((c >> k & 1) != 0) continue;
      double weight = 1;
      for (int m = 0; m < D; ++m)
        if (m != k) weight *= (c >> m & 1) != 0 ? cell.f[m] : 1 - cell.f[m];
      const double rise = cell.v[c | 1 << k] - cell.v[c];
      slope += weight * rise;
      // Distances do not change faster than places: a sign that changes beside the surface
      if (!facts_.closed && std::fabs(rise) > most) out.in_band = false;
    }
    out.gradient[k] = slope * inverse_cell_;
  }
  out.distance = cell.value();
  return out;
}

// Outside of the grid, from its nearest place. All of the surface is on the grid's side of the plane through that place, so
// when it is inside of the grid, its distance and the way there are the sides of a right angle, or of a wider one. When it
// is not, it is as far as from there, less the way.
template <int D>
FieldSample<D> DistanceField<D>::sample(const Vec<D, double>& p) const {
  if (!is_finite(p)) return {std::numeric_limits<double>::quiet_NaN(), {}, false};
  const Aabb<D, double> box = grid_.bounds();
  if (contains(box, p)) return sample_inside(p);
  const Vec<D, double> near = min(max(p, box.lo), box.hi);
  FieldSample<D> out = sample_inside(near);
  out.in_band = false;
  const double way = std::min(any_length(p - near), std::numeric_limits<double>::max());
  if (!facts_.covers) {
    out.distance = std::copysign(std::max(0.0, std::fabs(out.distance) - way), out.distance);
    return out;
  }
  const double here = std::max(out.distance, 0.0);
  out.distance = any_length(Vec2d{way, here});
  for (int k = 0; k < D; ++k)
    out.gradient[k] = (p[k] != near[k] ? p[k] - near[k] : here * out.gradient[k]) / out.distance;
  return out;
}

template <int D>
double DistanceField<D>::distance(const Vec<D, double>& p) const {
  if (!contains(grid_.bounds(), p)) return sample(p).distance;
  const Cell cell = cell_at(p);
  return cell.stored ? cell.value() : cell.v[0];
}

template <int D>
ClosestOnField<D> DistanceField<D>::closest(const Vec<D, double>& p) const {
  ClosestOnField<D> out;
  FieldSample<D> at_point = sample(p);
  out.point = p;
  out.distance = at_point.distance;
  if (!at_point.in_band) return out;
  // Newton's steps along the gradient; the values are nearly linear along it. Where they are not, the value itself is how
  // far the surface is, and beyond that from the start is no answer.
  const double reach = std::fabs(out.distance) + 2 * interpolation_error();
  constexpr int kSteps = 24;
  for (int i = 0; i < kSteps; ++i) {
    const double far = std::fabs(at_point.distance), slope = length(at_point.gradient);
    if (far <= kFieldZero * grid_.cell) {
      out.found = true;
      return out;
    }
    if (!(slope * slope > kFieldFlat)) return out;
    const double step = std::min(far / slope, std::max(far, grid_.cell / 2));
    out.point -= at_point.gradient * std::copysign(step / slope, at_point.distance);
    at_point = sample(out.point);
    if (!at_point.in_band || sudar::distance(out.point, p) > reach) return out;
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
      for (std::size_t i = begin; i < end; ++i) out[i] = distance(places[i]);
    });
    return {};
  });
}

template class SUDAR_API DistanceField<2>;
template class SUDAR_API DistanceField<3>;

}  // namespace sudar
