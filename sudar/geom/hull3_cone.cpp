// What:    The planes of a cone against many points, see the header: a scalar and a Highway version.
#if defined(SUDAR_HAVE_HIGHWAY)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sudar/geom/hull3_cone.cpp"
#include <hwy/foreach_target.h>
// The loop over targets comes first
#include <hwy/highway.h>
#endif

#include <sudar/geom/hull3_cone.hpp>

#include <bit>

#if defined(SUDAR_HAVE_HIGHWAY)
HWY_BEFORE_NAMESPACE();
namespace sudar::hull3_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Heights of p over the planes that start at column k, as many as a vector has lanes
template <class D, class V>
HWY_ATTR HWY_INLINE V heights_over(D d, const HullCone& cone, std::size_t k, V x, V y, V z) {
  const std::size_t stride = cone.stride();
  const double* const at = cone.columns() + k;
  const V xy = hn::Add(hn::Mul(hn::LoadU(d, at), x), hn::Mul(hn::LoadU(d, at + stride), y));
  return hn::Sub(hn::Add(xy, hn::Mul(hn::LoadU(d, at + 2 * stride), z)), hn::LoadU(d, at + 3 * stride));
}

template <class D, class M>
HWY_ATTR HWY_INLINE unsigned mask_bits(D d, M mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  return bytes[0];
}

// The lowest bit, kPad when there is none; and the same as a place
constexpr std::uint32_t first_bit(unsigned above) {
  return static_cast<std::uint32_t>(std::countr_zero(above | 1u << HullCone::kPad));
}
constexpr std::uint32_t first_place(unsigned above) {
  static_assert((InFront::kUnsure | HullCone::kPad) == InFront::kUnsure);
  return first_bit(above) | (InFront::kUnsure & (0u - static_cast<std::uint32_t>(above == 0)));
}

// A cone that is one vector stays in registers, and no branch depends on a point
template <class D>
HWY_ATTR std::size_t find_in_front_of_vector(D d, const HullCone& cone, const Vec3d* positions,
                                             std::span<const std::uint32_t> ids, InFront* out) {
  const double* const at = cone.columns();
  const std::size_t stride = cone.stride();
  const auto nx = hn::LoadU(d, at), ny = hn::LoadU(d, at + stride), nz = hn::LoadU(d, at + 2 * stride);
  const auto offset = hn::LoadU(d, at + 3 * stride), bound = hn::LoadU(d, at + 4 * stride), below = hn::Neg(bound);
  HWY_ALIGN double heights[HullCone::kPad] = {};
  std::size_t found = 0;
  for (const std::uint32_t id : ids) {
    const Vec3d& p = positions[id];
    const auto xy = hn::Add(hn::Mul(nx, hn::Set(d, p.x)), hn::Mul(ny, hn::Set(d, p.y)));
    const auto height = hn::Sub(hn::Add(xy, hn::Mul(nz, hn::Set(d, p.z))), offset);
    hn::Store(height, d, heights);
    const unsigned above = mask_bits(d, hn::Gt(height, bound)), near = mask_bits(d, hn::Ge(height, below));
    out[found] = {id, first_place(above), heights[first_bit(above) % HullCone::kPad]};
    found += near != 0;
  }
  return found;
}

// Eight planes at a time in vectors of any width
template <class D>
HWY_ATTR std::size_t find_in_front_of_groups(D d, const HullCone& cone, const Vec3d* positions,
                                             std::span<const std::uint32_t> ids, InFront* out) {
  const std::size_t lanes = hn::Lanes(d), stride = cone.stride();
  const double* const bounds = cone.columns() + 4 * stride;
  HWY_ALIGN double heights[HullCone::kPad] = {};
  std::size_t found = 0;
  for (const std::uint32_t id : ids) {
    const Vec3d& p = positions[id];
    const auto x = hn::Set(d, p.x), y = hn::Set(d, p.y), z = hn::Set(d, p.z);
    unsigned above = 0, near = 0;
    for (std::size_t k = 0; k < stride && above == 0; k += HullCone::kPad) {
      for (std::size_t g = 0; g < HullCone::kPad; g += lanes) {
        const auto height = heights_over(d, cone, k + g, x, y, z);
        const auto bound = hn::LoadU(d, bounds + k + g);
        hn::Store(height, d, heights + g);
        above |= mask_bits(d, hn::Gt(height, bound)) << g;
        near |= mask_bits(d, hn::Ge(height, hn::Neg(bound))) << g;
      }
      const std::uint32_t base = static_cast<std::uint32_t>(k) & (0u - static_cast<std::uint32_t>(above != 0));
      out[found] = {id, base + first_place(above), heights[first_bit(above) % HullCone::kPad]};
    }
    found += near != 0;
  }
  return found;
}

HWY_ATTR std::size_t find_in_front_simd(const HullCone& cone, const Vec3d* positions,
                                        std::span<const std::uint32_t> ids, InFront* out) {
  const hn::CappedTag<double, HullCone::kPad> d;
  if (cone.stride() == hn::Lanes(d)) return find_in_front_of_vector(d, cone, positions, ids, out);
  return find_in_front_of_groups(d, cone, positions, ids, out);
}

}  // namespace sudar::hull3_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if !defined(SUDAR_HAVE_HIGHWAY) || HWY_ONCE
namespace sudar::hull3_detail {

#if defined(SUDAR_HAVE_HIGHWAY)
HWY_EXPORT(find_in_front_simd);
#endif

std::size_t find_in_front(const HullCone& cone, const Vec3d* positions, std::span<const std::uint32_t> ids,
                          InFront* out) noexcept {
#if defined(SUDAR_HAVE_HIGHWAY)
  return HWY_DYNAMIC_DISPATCH(find_in_front_simd)(cone, positions, ids, out);
#else
  return find_in_front_scalar(cone, positions, ids, out);
#endif
}

std::size_t find_in_front_scalar(const HullCone& cone, const Vec3d* positions, std::span<const std::uint32_t> ids,
                                 InFront* out) noexcept {
  const std::size_t stride = cone.stride();
  const double* const columns = cone.columns();
  std::size_t found = 0;
  for (const std::uint32_t id : ids) {
    const Vec3d& p = positions[id];
    bool unsure = false;
    InFront hit{id, InFront::kUnsure, 0};
    for (std::size_t k = 0; k < cone.size(); ++k) {
      const double* const at = columns + k;
      const double height = at[0] * p.x + at[stride] * p.y + at[2 * stride] * p.z - at[3 * stride];
      const double bound = at[4 * stride];
      if (height > bound) {
        hit.place = static_cast<std::uint32_t>(k);
        hit.height = height;
        break;
      }
      unsure |= height >= -bound;
    }
    out[found] = hit;
    found += hit.place != InFront::kUnsure || unsure;
  }
  return found;
}

}  // namespace sudar::hull3_detail
#endif
