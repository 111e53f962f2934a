#include <sudar/core/info.hpp>

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

}  // namespace sudar::inline SUDAR_ABI
