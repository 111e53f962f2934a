// What:    Pairs for which a search may end at its limit: a round body that is thin, or small, beside the size of the pair
//          (docs/guarantees.md).
#pragma once

#include <sudar/narrowphase/convex_view3.hpp>

#include <algorithm>

namespace sudar_test {

inline bool is_thin_pair(const sudar::Shape3& a, const sudar::Shape3& b) {
  double largest = 0, least_round = 0;
  for (const sudar::Shape3* shape : {&a, &b}) {
    if (!shape->is_bounded() || !shape->is_convex()) continue;
    const sudar::ConvexView3 view = make_view(*shape);
    largest = std::max(largest, view.size + view.radius);
    if (view.is_polytope()) continue;
    const double least = view.kind == sudar::CoreKind3::ellipsoid ? std::min({view.p[0].x, view.p[0].y, view.p[0].z})
                                                                  : std::min(view.p[0].x, view.p[0].y);
    least_round = least_round == 0 ? least : std::min(least_round, least);
  }
  return least_round > 0 && largest > 1e4 * least_round;
}

}  // namespace sudar_test
