// What:    The kernels of contact_bundle2.hpp, in lanes of every instruction set and plain.
#if defined(SUDAR_HAVE_HIGHWAY)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sudar/dynamics/contact_kernels2.cpp"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on
#endif

#include <sudar/dynamics/contact_bundle2.hpp>

#include <cmath>

#if defined(SUDAR_HAVE_HIGHWAY)
HWY_BEFORE_NAMESPACE();
namespace sudar::contact2_simd {
namespace HWY_NAMESPACE {
#undef SUDAR_LANES_INLINE
// Vectors of unknown length, or none
#if HWY_TARGET == HWY_SCALAR || HWY_HAVE_SCALABLE
#include <sudar/dynamics/lanes_plain-inl.hpp>
#else
#include <sudar/dynamics/lanes_simd-inl.hpp>
#endif
#include <sudar/dynamics/contact_rows2-inl.hpp>
}  // namespace HWY_NAMESPACE
}  // namespace sudar::contact2_simd
HWY_AFTER_NAMESPACE();
#endif

#if !defined(SUDAR_HAVE_HIGHWAY) || HWY_ONCE

namespace sudar {

namespace contact2_plain {
namespace {
#undef SUDAR_LANES_INLINE
#include <sudar/dynamics/lanes_plain-inl.hpp>
// After the lanes it is made of
#include <sudar/dynamics/contact_rows2-inl.hpp>
}  // namespace
}  // namespace contact2_plain

#if defined(SUDAR_HAVE_HIGHWAY)
namespace contact2_simd {
HWY_EXPORT(Prepare);
HWY_EXPORT(WarmStart);
HWY_EXPORT(Solve);
HWY_EXPORT(Bounce);
}  // namespace contact2_simd
#define SUDAR_CONTACT2_CALL(kernel) \
  using namespace contact2_simd;    \
  return HWY_DYNAMIC_DISPATCH(kernel)
#else
#define SUDAR_CONTACT2_CALL(kernel) return contact2_plain::kernel
#endif

void prepare_contacts2(ContactBundle2* bundle, const BundleInput2& input, const BodyLines2& lines, double warm_start,
                       bool plain) noexcept {
  if (plain) return contact2_plain::Prepare(bundle, &input, &lines, warm_start);
  SUDAR_CONTACT2_CALL(Prepare)(bundle, &input, &lines, warm_start);
}
void warm_start_contacts2(ContactBundle2* begin, ContactBundle2* end, const BodyLines2& lines, bool plain) noexcept {
  if (plain) return contact2_plain::WarmStart(begin, end, &lines);
  SUDAR_CONTACT2_CALL(WarmStart)(begin, end, &lines);
}
void solve_contacts2(ContactBundle2* begin, ContactBundle2* end, const BodyLines2& lines, const ContactPass& pass,
                     bool plain) noexcept {
  if (plain) return contact2_plain::Solve(begin, end, &lines, &pass);
  SUDAR_CONTACT2_CALL(Solve)(begin, end, &lines, &pass);
}
void bounce_contacts2(ContactBundle2* begin, ContactBundle2* end, const BodyLines2& lines, double threshold,
                      bool plain) noexcept {
  if (plain) return contact2_plain::Bounce(begin, end, &lines, threshold);
  SUDAR_CONTACT2_CALL(Bounce)(begin, end, &lines, threshold);
}

}  // namespace sudar
#endif
