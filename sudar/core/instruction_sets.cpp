#include <sudar/core/instruction_sets.hpp>

#include <cstdint>

#if defined(SUDAR_HAVE_HIGHWAY)

// This file is compiled once for every instruction set: foreach_target.h includes it again and again
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sudar/core/instruction_sets.cpp"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace sudar::dispatch_simd {
namespace HWY_NAMESPACE {
std::int64_t OwnTarget() { return HWY_TARGET; }
}  // namespace HWY_NAMESPACE
}  // namespace sudar::dispatch_simd
HWY_AFTER_NAMESPACE();

#endif

#if !defined(SUDAR_HAVE_HIGHWAY) || HWY_ONCE

namespace sudar {

#if defined(SUDAR_HAVE_HIGHWAY)

namespace dispatch_simd {
HWY_EXPORT(OwnTarget);
}  // namespace dispatch_simd

namespace {
// What the processor has, whatever dispatch was held to before
std::int64_t usable_targets() noexcept {
  hwy::SetSupportedTargetsForTest(0);
  return hwy::SupportedTargets() & HWY_TARGETS;
}
}  // namespace

// Highway numbers its targets from best to worst
std::vector<std::string_view> instruction_sets() {
  std::vector<std::string_view> names;
  for (std::int64_t left = usable_targets(); left != 0; left &= left - 1)
    names.push_back(hwy::TargetName(left & -left));
  return names;
}

void hold_to_instruction_set(std::size_t index) noexcept {
  std::int64_t left = usable_targets();
  for (; index > 0 && left != 0; --index) left &= left - 1;
  hwy::SetSupportedTargetsForTest(left & -left);
  // What was picked before is remembered until it is picked anew
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

std::string_view dispatched_instruction_set() noexcept {
  using namespace dispatch_simd;
  return hwy::TargetName(HWY_DYNAMIC_DISPATCH(OwnTarget)());
}

#else

std::vector<std::string_view> instruction_sets() { return {"scalar"}; }
void hold_to_instruction_set(std::size_t) noexcept {}
std::string_view dispatched_instruction_set() noexcept { return "scalar"; }

#endif

}  // namespace sudar

#endif
