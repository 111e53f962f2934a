#include <sudar/broadphase/column_plan.hpp>
#include <sudar/core/random.hpp>

#include <algorithm>
#include <cmath>

namespace sudar::inline SUDAR_ABI {

namespace {

constexpr std::size_t kSample = 512;
constexpr double kTypicalShare = 0.9;            // edges above this quantile do not count as typical
constexpr double kBoxesPerColumn = 24;           // fewer make the bookkeeping dearer than the tests it saves
constexpr int kMostColumnsAxis[2] = {4096, 64};  // in 2D, 3D
constexpr float kLargestScale = 1e30f;

struct AxisSample {
  double first = 0, last = 0;  // of the lower ends
  double edge = 0;             // typical
};

FixedPoint make_map(double first, double last, double levels) {
  const double half_spread = last / 2 - first / 2;
  FixedPoint map;
  map.half_base = static_cast<float>(first / 2);
  map.scale = half_spread > 0 ? static_cast<float>(std::min<double>(levels / half_spread, kLargestScale)) : 0.0f;
  map.top = static_cast<float>(levels - 1);
  return map;
}

}  // namespace

template <int D>
ColumnPlan plan_columns(const BoxColumns<D>& boxes, const PlanRequest& request) {
  // A sample of rows; all of them when they are few
  std::array<std::uint32_t, kSample> picked;
  const std::size_t sampled = std::min(kSample, request.count);
  Random random(request.count);
  for (std::size_t i = 0; i < sampled; ++i)
    picked[i] = static_cast<std::uint32_t>(request.count <= kSample ? i : random.below(request.count));

  std::array<AxisSample, D> axes;
  std::array<double, kSample> edges;
  for (int axis = 0; axis < D; ++axis) {
    AxisSample& a = axes[static_cast<std::size_t>(axis)];
    const float* lo = boxes[static_cast<std::size_t>(axis)];
    const float* hi = boxes[static_cast<std::size_t>(D + axis)];
    for (std::size_t i = 0; i < sampled; ++i) {
      const std::uint32_t row = request.rows.empty() ? picked[i] : request.rows[picked[i]];
      const double x = lo[row];
      a.first = i == 0 ? x : std::min(a.first, x);
      a.last = i == 0 ? x : std::max(a.last, x);
      edges[i] = hi[row] - x;
    }
    const auto typical = static_cast<std::size_t>(kTypicalShare * static_cast<double>(sampled));
    std::nth_element(edges.begin(), edges.begin() + static_cast<std::ptrdiff_t>(std::min(typical, sampled - 1)),
                     edges.begin() + static_cast<std::ptrdiff_t>(sampled));
    for (std::size_t i = 0; i < std::max<std::size_t>(typical, 1); ++i) a.edge += edges[i];
    a.edge /= static_cast<double>(std::max<std::size_t>(typical, 1));
  }

  // Sweep along the axis on which the fewest boxes overlap
  ColumnPlan plan;
  plan.sweep_axis = request.sweep_axis;
  if (plan.sweep_axis < 0) {
    double best = -1;
    for (int axis = 0; axis < D; ++axis) {
      const AxisSample& a = axes[static_cast<std::size_t>(axis)];
      const double spread = a.last - a.first;
      const double share = spread > 0 ? a.edge / (a.edge + spread) : 1;
      if (best < 0 || share < best) {
        best = share;
        plan.sweep_axis = axis;
      }
    }
  }
  const AxisSample& along = axes[static_cast<std::size_t>(plan.sweep_axis)];
  plan.along = make_map(along.first, along.last, 65536);

  // Cut the others, not finer than pays for this number of boxes
  const double most = static_cast<double>(request.count) / kBoxesPerColumn;
  const double most_axis = std::min<double>(kMostColumnsAxis[D - 2], D == 2 ? most : std::sqrt(most));
  for (int k = 0; k < D - 1; ++k) {
    const int axis = (plan.sweep_axis + 1 + k) % D;
    plan.across_axis[k] = axis;
    const AxisSample& a = axes[static_cast<std::size_t>(axis)];
    const double spread = a.last - a.first;
    const double wanted = request.width * a.edge;
    double columns = wanted > 0 ? std::floor(spread / wanted) : most_axis;
    columns = request.cut && spread > 0 ? std::max(1.0, std::min(columns, std::floor(most_axis))) : 1;
    plan.columns[k] = static_cast<int>(columns);
    plan.across[k] = make_map(a.first, a.last, columns * (1 << kColumnBits));
  }
  return plan;
}

template ColumnPlan plan_columns<2>(const BoxColumns<2>&, const PlanRequest&);
template ColumnPlan plan_columns<3>(const BoxColumns<3>&, const PlanRequest&);

}  // namespace sudar::inline SUDAR_ABI
