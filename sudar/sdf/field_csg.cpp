#include <sudar/sdf/field_csg.hpp>
#include <sudar/sdf/field_tolerance.hpp>

#include <algorithm>

namespace sudar {

namespace {

// Brick by brick: combine(value of a, value of b), within ±band. A brick that comes out all ±band need not be stored.
template <int D, class F>
Result<DistanceField<D>> combined(const DistanceField<D>& a, const DistanceField<D>& b, double band,
                                  const FieldFacts& facts, F&& combine) {
  using Field = DistanceField<D>;
  const std::size_t count = a.grid().brick_count();
  const bool dense = a.dense() && b.dense();
  const float limit = static_cast<float>(band);
  std::vector<std::uint32_t> table(count);
  std::vector<float> values;
  for (std::size_t n = 0; n < count; ++n) {
    const std::span<const float> va = a.brick(n), vb = b.brick(n);
    const float far_a = static_cast<float>(a.brick_inside(n) ? -a.band() : a.band());
    const float far_b = static_cast<float>(b.brick_inside(n) ? -b.band() : b.band());
    float brick[kBrickSamples<D>];
    bool inside = true, outside = true;
    for (std::size_t i = 0; i < kBrickSamples<D>; ++i) {
      const float v = combine(va.empty() ? far_a : va[i], vb.empty() ? far_b : vb[i]);
      brick[i] = std::clamp(v, -limit, limit);
      inside = inside && brick[i] == -limit;
      outside = outside && brick[i] == limit;
    }
    if (!dense && (inside || outside)) {
      table[n] = inside ? Field::kInside : Field::kOutside;
      continue;
    }
    table[n] = static_cast<std::uint32_t>(values.size() / kBrickSamples<D>);
    values.insert(values.end(), std::begin(brick), std::end(brick));
  }
  return Field(a.grid(), static_cast<double>(limit), std::move(table), std::move(values), facts);
}

template <int D, class F>
Result<DistanceField<D>> combined(const DistanceField<D>& a, const DistanceField<D>& b, bool exact_outside,
                                  bool exact_inside, F&& combine) {
  return guarded([&]() -> Result<DistanceField<D>> {
    if (!(a.grid() == b.grid()))
      return Error{ErrorCode::invalid_argument, Error::kNoElement, "the fields have different grids"};
    const FieldFacts facts{a.covers_surface() && b.covers_surface(), exact_outside, exact_inside,
                           a.closed() && b.closed()};
    return combined(a, b, std::min(a.band(), b.band()), facts, combine);
  });
}

}  // namespace

template <int D>
Result<DistanceField<D>> field_union(const DistanceField<D>& a, const DistanceField<D>& b) noexcept {
  return combined(a, b, a.facts().exact_outside && b.facts().exact_outside, false,
                  [](float x, float y) { return std::min(x, y); });
}
template <int D>
Result<DistanceField<D>> field_intersection(const DistanceField<D>& a, const DistanceField<D>& b) noexcept {
  return combined(a, b, false, a.facts().exact_inside && b.facts().exact_inside,
                  [](float x, float y) { return std::max(x, y); });
}
template <int D>
Result<DistanceField<D>> field_difference(const DistanceField<D>& a, const DistanceField<D>& b) noexcept {
  return combined(a, b, false, a.facts().exact_inside && b.facts().exact_outside,
                  [](float x, float y) { return std::max(x, -y); });
}

template <int D>
Result<DistanceField<D>> field_offset(const DistanceField<D>& field, double distance) noexcept {
  if (!std::isfinite(distance)) return Error{ErrorCode::non_finite, Error::kNoElement, "the offset is NaN or infinite"};
  if (std::fabs(distance) > kMaxShapeSize)
    return Error{ErrorCode::too_large, Error::kNoElement, "the offset is beyond kMaxShapeSize"};
  if (distance > 0 ? !field.facts().exact_outside : distance < 0 && !field.facts().exact_inside)
    return Error{ErrorCode::unsupported, Error::kNoElement, "values on that side are bounds, not distances"};
  const double band = field.band() - std::fabs(distance);
  if (!(band >= kLeastBand<D> * field.grid().cell))
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "the band is too narrow for the offset"};
  return guarded([&]() -> Result<DistanceField<D>> {
    // A body that grows may leave the grid, and its new inside has been outside; so with one that shrinks
    FieldFacts facts = field.facts();
    facts.covers = facts.covers && distance <= 0;
    facts.exact_inside = facts.exact_inside && distance <= 0;
    facts.exact_outside = facts.exact_outside && distance >= 0;
    return combined(field, field, band, facts,
                    [&](float x, float) { return static_cast<float>(static_cast<double>(x) - distance); });
  });
}

template SUDAR_API Result<DistanceField<2>> field_union(const DistanceField<2>&, const DistanceField<2>&) noexcept;
template SUDAR_API Result<DistanceField<3>> field_union(const DistanceField<3>&, const DistanceField<3>&) noexcept;
template SUDAR_API Result<DistanceField<2>> field_intersection(const DistanceField<2>&,
                                                               const DistanceField<2>&) noexcept;
template SUDAR_API Result<DistanceField<3>> field_intersection(const DistanceField<3>&,
                                                               const DistanceField<3>&) noexcept;
template SUDAR_API Result<DistanceField<2>> field_difference(const DistanceField<2>&, const DistanceField<2>&) noexcept;
template SUDAR_API Result<DistanceField<3>> field_difference(const DistanceField<3>&, const DistanceField<3>&) noexcept;
template SUDAR_API Result<DistanceField<2>> field_offset(const DistanceField<2>&, double) noexcept;
template SUDAR_API Result<DistanceField<3>> field_offset(const DistanceField<3>&, double) noexcept;

}  // namespace sudar
