// What:    The kernels of contact_bundle3.hpp, in lanes of every instruction set and plain.
#if defined(SUDAR_HAVE_HIGHWAY)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sudar/dynamics/contact_kernels3.cpp"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on
#endif

#include <sudar/dynamics/contact_bundle3.hpp>

#include <cmath>

#if defined(SUDAR_HAVE_HIGHWAY)
HWY_BEFORE_NAMESPACE();
namespace sudar::contact3_simd {
namespace HWY_NAMESPACE {
#undef SUDAR_LANES_INLINE
// Vectors of unknown length, or none
#if HWY_TARGET == HWY_SCALAR || HWY_HAVE_SCALABLE
#include <sudar/dynamics/lanes_plain-inl.hpp>
#else
#include <sudar/dynamics/lanes_simd-inl.hpp>
#endif
#include <sudar/dynamics/contact_rows3-inl.hpp>
}  // namespace HWY_NAMESPACE
}  // namespace sudar::contact3_simd
HWY_AFTER_NAMESPACE();
#endif

#if !defined(SUDAR_HAVE_HIGHWAY) || HWY_ONCE

namespace sudar {

namespace contact3_plain {
namespace {
#undef SUDAR_LANES_INLINE
#include <sudar/dynamics/lanes_plain-inl.hpp>
// After the lanes it is made of
#include <sudar/dynamics/contact_rows3-inl.hpp>
}  // namespace
}  // namespace contact3_plain

#if defined(SUDAR_HAVE_HIGHWAY)
namespace contact3_simd {
HWY_EXPORT(Prepare);
HWY_EXPORT(WarmStart);
HWY_EXPORT(Solve);
HWY_EXPORT(Bounce);
}  // namespace contact3_simd
#define SUDAR_CONTACT3_CALL(kernel) \
  using namespace contact3_simd;    \
  return HWY_DYNAMIC_DISPATCH(kernel)
#else
#define SUDAR_CONTACT3_CALL(kernel) return contact3_plain::kernel
#endif

void prepare_contacts3(ContactBundle3* bundle, const BundleInput3& input, const BodyLines3& lines, double warm_start,
                       bool plain) noexcept {
  if (plain) return contact3_plain::Prepare(bundle, &input, &lines, warm_start);
  SUDAR_CONTACT3_CALL(Prepare)(bundle, &input, &lines, warm_start);
}
void warm_start_contacts3(ContactBundle3* begin, ContactBundle3* end, const BodyLines3& lines, bool plain) noexcept {
  if (plain) return contact3_plain::WarmStart(begin, end, &lines);
  SUDAR_CONTACT3_CALL(WarmStart)(begin, end, &lines);
}
void solve_contacts3(ContactBundle3* begin, ContactBundle3* end, const BodyLines3& lines, const ContactPass& pass,
                     bool plain) noexcept {
  if (plain) return contact3_plain::Solve(begin, end, &lines, &pass);
  SUDAR_CONTACT3_CALL(Solve)(begin, end, &lines, &pass);
}
void bounce_contacts3(ContactBundle3* begin, ContactBundle3* end, const BodyLines3& lines, double threshold,
                      bool plain) noexcept {
  if (plain) return contact3_plain::Bounce(begin, end, &lines, threshold);
  SUDAR_CONTACT3_CALL(Bounce)(begin, end, &lines, threshold);
}

}  // namespace sudar
#endif
