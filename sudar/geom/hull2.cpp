// What:    Monotone chain with exact turns, see the header.
#include <sudar/geom/hull2.hpp>
#include <sudar/math/predicates.hpp>

#include <algorithm>
#include <limits>

namespace sudar {

template <class Trace>
Result<std::vector<std::uint32_t>> convex_hull2(std::span<const Vec2d> points, [[maybe_unused]] Trace trace) {
  using Indices = std::vector<std::uint32_t>;
  return guarded([&]() -> Result<Indices> {
    if (points.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "a hull needs at least one point"};
    if (points.size() > std::numeric_limits<std::uint32_t>::max())
      return Error{ErrorCode::too_large, Error::kNoElement, "more points than an index can name"};
    for (std::size_t i = 0; i < points.size(); ++i)
      if (!is_finite(points[i])) return Error{ErrorCode::non_finite, i, "coordinate is NaN or infinite"};

    // Sort lexicographically; equal points keep the order of the input, and the first of them stays
    struct Entry {
      Vec2d p;
      std::uint32_t index;
    };
    std::vector<Entry> order;
    order.reserve(points.size());
    for (std::uint32_t i = 0; i < points.size(); ++i) order.push_back({points[i], i});
    std::sort(order.begin(), order.end(), [](const Entry& a, const Entry& b) {
      return a.p == b.p ? a.index < b.index : lexicographically_less(a.p, b.p);
    });
    order.erase(std::unique(order.begin(), order.end(), [](const Entry& a, const Entry& b) { return a.p == b.p; }),
                order.end());
    if (order.size() <= 2) {
      Indices hull;
      for (const Entry& e : order) hull.push_back(e.index);
      return hull;
    }

    Indices hull;
    // Walk along `order` and keep what turns left; what the chain already holds below `floor` is not touched
    const auto extend = [&](const Entry& e, std::size_t floor) {
      while (hull.size() > floor && orient2d(points[hull[hull.size() - 2]], points[hull.back()], e.p) <= 0) {
        if constexpr (Trace::kEnabled) {
          const std::uint32_t ids[] = {hull.back(), hull[hull.size() - 2], e.index};
          trace({.step = "drop", .ids = ids});
        }
        hull.pop_back();
      }
      hull.push_back(e.index);
      if constexpr (Trace::kEnabled)
        trace({.step = "keep", .ids = {&e.index, 1}, .value = static_cast<double>(hull.size() - 1)});
    };
    for (const Entry& e : order) extend(e, 1);
    if constexpr (Trace::kEnabled) trace({.step = "lower chain", .ids = hull});
    // Back along the top; on collinear points it runs down to the start and leaves the two ends
    const std::size_t lower = hull.size();
    for (std::size_t i = order.size() - 1; i-- > 0;) extend(order[i], lower);
    hull.pop_back();
    if constexpr (Trace::kEnabled)
      trace({.step = "upper chain", .ids = std::span<const std::uint32_t>(hull).subspan(lower - 1)});
    return hull;
  });
}

template SUDAR_API Result<std::vector<std::uint32_t>> convex_hull2<NoTrace>(std::span<const Vec2d>, NoTrace);
template SUDAR_API Result<std::vector<std::uint32_t>> convex_hull2<TraceTo>(std::span<const Vec2d>, TraceTo);

}  // namespace sudar
