// What:    What this build of the library is and what it found on this machine.
#pragma once

#include <sudar/core/config.hpp>

#include <string_view>

namespace sudar::inline SUDAR_ABI {

struct BuildInfo {
  std::string_view version;
  std::string_view precision;  // "float" or "double"
  std::string_view compiler;
  std::string_view simd;     // "highway" or "scalar"
  std::string_view threads;  // "onetbb" or "serial"
};

SUDAR_API BuildInfo build_info() noexcept;

// The instruction set that run-time dispatch picks on this processor ("AVX2", "NEON" …), or "scalar"
SUDAR_API std::string_view instruction_set() noexcept;

}  // namespace sudar::inline SUDAR_ABI
