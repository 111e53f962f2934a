#include <sudar/core/info.hpp>

#include <cstdint>

#if defined(SUDAR_HAVE_HIGHWAY)
#include <hwy/highway.h>
#endif

namespace sudar::inline SUDAR_ABI {

BuildInfo build_info() noexcept {
  BuildInfo info{};
  info.version = SUDAR_VERSION;
  info.precision = sizeof(Real) == sizeof(double) ? "double" : "float";
#if defined(__clang__)
  info.compiler = "clang " __clang_version__;
#elif defined(__GNUC__)
  info.compiler = "gcc " __VERSION__;
#else
  info.compiler = "unknown";
#endif
#if defined(SUDAR_HAVE_HIGHWAY)
  info.simd = "highway";
#else
  info.simd = "scalar";
#endif
#if defined(SUDAR_HAVE_TBB)
  info.threads = "onetbb";
#else
  info.threads = "serial";
#endif
  return info;
}

std::string_view instruction_set() noexcept {
#if defined(SUDAR_HAVE_HIGHWAY)
  // Highway numbers its targets from best to worst
  const std::int64_t usable = hwy::SupportedTargets() & HWY_TARGETS;
  const std::string_view name = hwy::TargetName(usable & -usable);
  return name.starts_with("AVX3") ? "AVX-512" : name;
#else
  return "scalar";
#endif
}

}  // namespace sudar::inline SUDAR_ABI
