// What:    Precision, namespace and export macros: the first header of every other one.
// Differs: Real is an alias fixed by the build (float in `sudar`, double in `sudar_f64`), never a template parameter of
//          an algorithm. What speaks of Real lives in an inline namespace of its build, so that a mix fails to link;
//          what names its precision (templates, float boxes, double shapes) lives in `sudar` and is compiled once.
#pragma once

// Outward rounding and exact predicates in headers rest on the rounding of IEEE 754
#if defined(__FAST_MATH__)
#error "Sudar's headers need IEEE arithmetic: compile what includes them without -ffast-math"
#endif

#if defined(SUDAR_DOUBLE)
#define SUDAR_ABI f64
#else
#define SUDAR_ABI f32
#endif

#if !defined(SUDAR_SHARED)
#define SUDAR_API
#elif defined(_WIN32)
#if defined(SUDAR_BUILDING)
#define SUDAR_API __declspec(dllexport)
#else
#define SUDAR_API __declspec(dllimport)
#endif
#else
#define SUDAR_API __attribute__((visibility("default")))
#endif

namespace sudar::inline SUDAR_ABI {

#if defined(SUDAR_DOUBLE)
using Real = double;
#else
using Real = float;
#endif

}  // namespace sudar::inline SUDAR_ABI
