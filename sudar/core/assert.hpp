// What:    SUDAR_ASSERT: a caller's bug, on in debug builds and whenever SUDAR_ASSERTS is defined.
// Differs: Bad data is never asserted on; it comes back as a Result (core/result.hpp).
#pragma once

#include <sudar/core/config.hpp>

#if !defined(NDEBUG) || defined(SUDAR_ASSERTS)
#define SUDAR_ASSERT(condition) (static_cast<bool>(condition) ? void(0) : __builtin_trap())
#else
#define SUDAR_ASSERT(condition) void(0)
#endif
