#include <sudar/broadphase/column_plan.hpp>
#include <sudar/core/random.hpp>

#include <algorithm>
#include <cmath>

namespace sudar {

namespace {

constexpr std::size_t kColumnSample = 256;
constexpr double kTypicalShare = 0.9;           // edges above this quantile do not count as typical
constexpr double kBoxesPerColumn = 24;          // fewer make the bookkeeping dearer than the tests it saves
constexpr int kMostColumnsAxis[2] = {512, 64};  // in 2D, 3D; 512 columns of 15 bits are as much as a float counts
constexpr float kLargestScale = 1e30f;

constexpr std::size_t kFewToTrim = 64;    // samples below which nothing counts as far away
constexpr double kTrimmedShare = 0.01;    // at each end
constexpr double kFarAway = 4;            // times the extent of the others
constexpr int kDensityCells[2] = {8, 4};  // an axis in 2D, 3D: a few samples each
constexpr double kNoticedDensity = 2;     // against evenly spread; less may be chance
// What an entry costs, and each test beyond those that are made anyway, in nanoseconds
constexpr double kEntryCost = 14, kTestCost = 0.4, kFreeTests = 16;
constexpr double kNarrower[] = {1, 0.7, 0.5, 0.35};

struct AxisSample {
  double first = 0, last = 0;  // of the lower ends
  double edge = 0;             // typical
  double extent() const { return last - first + edge; }
};

template <int D>
struct Sample {
  std::size_t count = 0;
  std::array<std::array<double, kColumnSample>, D> lo;
  std::array<AxisSample, D> axes;
};

FixedPoint make_map(const AxisSample& axis, double levels) {
  const double half_spread = axis.last / 2 - axis.first / 2 + axis.edge / 2;
  FixedPoint map;
  map.half_base = static_cast<float>(axis.first / 2);
  map.scale = half_spread > 0 ? static_cast<float>(std::min<double>(levels / half_spread, kLargestScale)) : 0.0f;
  map.top = static_cast<float>(levels - 1);
  return map;
}

// Where the lower ends lie, without the few that are far away
void find_range(std::array<double, kColumnSample> lo, std::size_t count, AxisSample& axis) {
  const auto begin = lo.begin(), end = lo.begin() + static_cast<std::ptrdiff_t>(count);
  const auto [least, most] = std::minmax_element(begin, end);
  axis.first = *least;
  axis.last = *most;
  if (count < kFewToTrim) return;
  const auto trimmed = static_cast<std::ptrdiff_t>(kTrimmedShare * static_cast<double>(count)) + 1;
  std::nth_element(begin, begin + trimmed, end);
  const double low = lo[static_cast<std::size_t>(trimmed)];
  std::nth_element(begin, end - 1 - trimmed, end);
  const double high = *(end - 1 - trimmed);
  if (!(high > low) || axis.last - axis.first < kFarAway * (high - low)) return;
  const double margin = kTrimmedShare * (high - low);
  axis.first = std::max(axis.first, low - margin);
  axis.last = std::min(axis.last, high + margin);
}

template <int D>
Sample<D> take_sample(const BoxColumns<D>& boxes, std::span<const std::uint32_t> rows, std::size_t row_count) {
  // All rows when they are few
  Sample<D> sample;
  sample.count = std::min(kColumnSample, row_count);
  std::array<std::uint32_t, kColumnSample> picked;
  Random random(row_count);
  for (std::size_t i = 0; i < sample.count; ++i) {
    picked[i] = static_cast<std::uint32_t>(row_count <= kColumnSample ? i : random.below(row_count));
    if (!rows.empty()) picked[i] = rows[picked[i]];
  }
  const auto typical = static_cast<std::size_t>(kTypicalShare * static_cast<double>(sample.count));
  std::array<double, kColumnSample> edges;
  for (std::size_t axis = 0; axis < D; ++axis) {
    AxisSample& a = sample.axes[axis];
    for (std::size_t i = 0; i < sample.count; ++i) {
      sample.lo[axis][i] = boxes[axis][picked[i]];
      edges[i] = boxes[D + axis][picked[i]] - sample.lo[axis][i];
    }
    find_range(sample.lo[axis], sample.count, a);
    std::nth_element(edges.begin(), edges.begin() + static_cast<std::ptrdiff_t>(std::min(typical, sample.count - 1)),
                     edges.begin() + static_cast<std::ptrdiff_t>(sample.count));
    for (std::size_t i = 0; i < std::max<std::size_t>(typical, 1); ++i) a.edge += edges[i];
    a.edge /= static_cast<double>(std::max<std::size_t>(typical, 1));
  }
  return sample;
}

// Of two sets only the region where both are matters, and the larger boxes say how wide columns may be
template <int D>
Sample<D> take_both(const BoxColumns<D>& boxes, const PlanRequest& request) {
  Sample<D> sample = take_sample<D>(boxes, request.rows, request.count);
  if (request.others.empty()) return sample;
  Sample<D> other = take_sample<D>(boxes, request.others, request.others.size());
  if (request.others.size() > request.count) std::swap(sample, other);
  for (std::size_t axis = 0; axis < D; ++axis) {
    AxisSample& a = sample.axes[axis];
    const AxisSample& b = other.axes[axis];
    const double end = std::min(a.last + a.edge, b.last + b.edge);
    a.edge = std::max(a.edge, b.edge);
    a.first = std::max(a.first, b.first);
    a.last = std::max(a.first, end - a.edge);
  }
  return sample;
}

// How many times denser than evenly spread it is around a box, as far as the sample shows
template <int D>
double density_of(const Sample<D>& sample) {
  constexpr int kCells = kDensityCells[D - 2];
  std::array<std::uint32_t, static_cast<std::size_t>(D == 2 ? kCells * kCells : kCells * kCells * kCells)> cells{};
  for (std::size_t i = 0; i < sample.count; ++i) {
    std::size_t cell = 0;
    for (std::size_t axis = 0; axis < D; ++axis) {
      const AxisSample& a = sample.axes[axis];
      const double share = a.last > a.first ? (sample.lo[axis][i] - a.first) / (a.last - a.first) : 0;
      cell = cell * kCells + static_cast<std::size_t>(std::clamp(share * kCells, 0.0, kCells - 1.0));
    }
    ++cells[cell];
  }
  double pairs = 0;
  for (const double in_cell : cells) pairs += in_cell * (in_cell - 1);
  const auto count = static_cast<double>(sample.count);
  const double density = count > 1 ? pairs * static_cast<double>(cells.size()) / (count * (count - 1)) : 1;
  return density < kNoticedDensity ? 1 : density;
}

// Narrow columns make more copies, wide ones more tests
template <int D>
double best_width(const Sample<D>& sample, const ColumnPlan& plan, const PlanRequest& request) {
  const auto share = [&](int axis, double edges) {
    const AxisSample& a = sample.axes[static_cast<std::size_t>(axis)];
    return a.extent() > 0 ? std::min(1.0, edges * a.edge / a.extent()) : 1.0;
  };
  const auto count = static_cast<double>(request.count + request.others.size());
  const double along = density_of(sample) * count * share(plan.sweep_axis, 1);
  double best = request.width, best_cost = -1;
  for (const double narrower : kNarrower) {
    const double width = request.width * narrower;
    double tests = along, copies = 1;
    for (int k = 0; k < D - 1; ++k) {
      tests *= share(plan.across_axis[k], width + 1);
      copies *= 1 + 1 / width;
    }
    const double cost = copies * (kEntryCost + kTestCost * std::max(tests, kFreeTests));
    if (best_cost >= 0 && cost >= best_cost) continue;
    best_cost = cost;
    best = width;
  }
  return best;
}

}  // namespace

template <int D>
ColumnPlan plan_columns(const BoxColumns<D>& boxes, const PlanRequest& request) {
  const Sample<D> sample = take_both<D>(boxes, request);

  // Sweep along the axis on which the fewest boxes overlap
  ColumnPlan plan;
  plan.sweep_axis = request.sweep_axis;
  if (plan.sweep_axis < 0) {
    double best = -1;
    for (int axis = 0; axis < D; ++axis) {
      const AxisSample& a = sample.axes[static_cast<std::size_t>(axis)];
      const double share = a.last > a.first ? a.edge / a.extent() : 1;
      if (best < 0 || share < best) {
        best = share;
        plan.sweep_axis = axis;
      }
    }
  }
  plan.along = make_map(sample.axes[static_cast<std::size_t>(plan.sweep_axis)], kAlongTop + 1);
  for (int k = 0; k < D - 1; ++k) plan.across_axis[k] = (plan.sweep_axis + 1 + k) % D;

  // Cut the others, not finer than pays for this number of boxes
  const double most = static_cast<double>(request.count + request.others.size()) / kBoxesPerColumn;
  const double most_axis = std::floor(std::min<double>(kMostColumnsAxis[D - 2], D == 2 ? most : std::sqrt(most)));
  const double width = best_width(sample, plan, request);
  for (int k = 0; k < D - 1; ++k) {
    const AxisSample& a = sample.axes[static_cast<std::size_t>(plan.across_axis[k])];
    const double wanted = width * a.edge;
    double columns = wanted > 0 ? std::floor(a.extent() / wanted) : most_axis;
    columns = request.cut && a.last > a.first ? std::max(1.0, std::min(columns, most_axis)) : 1;
    plan.columns[k] = static_cast<int>(columns);
    plan.across[k] = make_map(a, columns * (1 << kColumnBits));
  }
  return plan;
}

template ColumnPlan plan_columns<2>(const BoxColumns<2>&, const PlanRequest&);
template ColumnPlan plan_columns<3>(const BoxColumns<3>&, const PlanRequest&);

}  // namespace sudar
