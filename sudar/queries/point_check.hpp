// What:    Points at the doors of queries: finite, and within kMaxPlace.
// Fails:   non_finite, too_large, with the element.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/math/vec.hpp>
#include <sudar/queries/query_tolerance.hpp>

#include <cmath>

namespace sudar {

template <int D>
bool is_place(const Vec<D, double>& p) {
  bool within = true;
  for (int k = 0; k < D; ++k) within = within && std::fabs(p[k]) <= kMaxPlace;
  return within;
}
template <int D>
Result<void> check_point(const Vec<D, double>& p, std::size_t element) {
  if (is_place<D>(p)) return {};
  if (!is_finite(p)) return Error{ErrorCode::non_finite, element, "point has a NaN or an infinity"};
  return Error{ErrorCode::too_large, element, "point is beyond 2^100 metres"};
}

}  // namespace sudar
