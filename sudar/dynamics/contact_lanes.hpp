// What:    What bundles of contacts in plane and space share: eight lanes, and the numbers of a pass over them.
#pragma once

#include <sudar/dynamics/softness.hpp>

#include <cstddef>
#include <cstdint>

namespace sudar {

inline constexpr std::size_t kBundle = 8;

// Times that the points of a contact are gone through when it is solved. One is a plain Gauss–Seidel pass and leaves a tower
// of ten cubes rocking at 0.1 m/s; with three it comes to rest.
inline constexpr int kContactSweeps = 3;

struct alignas(64) Lanes8 {
  double lane[kBundle];
};

struct ContactPass {
  double inverse_h = 0, push_speed = 0;
  double inverse_firm = 0;  // one over the depth from which on springs harden; at twice that depth contacts are rigid
  Softness soft, stiff;
};

}  // namespace sudar
