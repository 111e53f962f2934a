#include <sudar/broadphase/cost_model.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace sudar {

namespace {

constexpr std::array kModels = {
    CostModel{.name = "columns",
              .fixed = 5700,
              .box = 8,
              .moving = 32,
              .pair = 10.5,
              .dense_pair = 3,
              .plane = 0.85,
              .first_fixed = 3000,
              .first_box = 8,
              .spread = 0.35},
    CostModel{.name = "brute_force", .fixed = 5000, .square = 0.3, .pair = 20, .spread = 0.35},
    CostModel{.name = "dynamic_tree",
              .fixed = 200,
              .box = 3.5,
              .moved = 13,
              .put = 78,
              .anew = 165,
              .pair = 9,
              .dense_pair = 5,
              .plane = 0.85,
              .first_fixed = 24000,
              .first_box = 165,
              .spread = 0.9,
              .incremental = true},
    CostModel{.name = "sap",
              .fixed = 500,
              .box = 25,
              .moved = 27,
              .churned = 1550,
              .swap = 2.2,
              .pair = 7.3,
              .dense_pair = 5,
              .first_fixed = 36000,
              .first_box = 88,
              .spread = 0.6,
              .incremental = true},
    CostModel{.name = "bvh_linear",
              .fixed = 200,
              .box = 6.5,
              .moving = 8,
              .moving_log = 3.2,
              .moved = 4,
              .anew = 27,
              .any_churn = 41,
              .pair = 17,
              .plane = 0.5,
              .first_fixed = 13000,
              .first_box = 113,
              .spread = 0.7,
              .incremental = true},
    CostModel{.name = "bvh_top_down",
              .fixed = 200,
              .box = 5.2,
              .moving = 1,
              .moving_log = 2,
              .moved = 5,
              .anew = 87,
              .any_churn = 256,
              .pair = 15,
              .plane = 0.5,
              .first_box = 406,
              .spread = 0.8,
              .incremental = true},
    CostModel{.name = "sort_sweep",
              .fixed = 7800,
              .box = 27,
              .swept = 0.76,
              .pair = 19,
              .first_fixed = 6000,
              .first_box = 8,
              .spread = 0.7},
    CostModel{.name = "octree_loose",
              .fixed = 3500,
              .box = 6.4,
              .moving = 26,
              .moving_log = 4.2,
              .pair = 12,
              .plane = 0.7,
              .first_fixed = 6000,
              .first_box = 81,
              .spread = 0.4,
              .incremental = true},
};

constexpr double kLeaving = 4;       // share of moved boxes that leave a fat box, over their speed in edges
constexpr double kManyLeft = 0.1;    // share of boxes from which on a tree is built anew …
constexpr double kAnewForSpeed = 6;  // … at this many times the speed in edges of all steps
constexpr double kMostSwaps = 32;    // a box; with more, sap does not go by swaps, and is no better than columns

}  // namespace

std::span<const CostModel> cost_models() noexcept { return kModels; }

double step_ms(const CostModel& m, const SceneFeatures& f) noexcept {
  const double moving = f.boxes * (1 - f.fixed);
  const double moved = std::min(f.boxes, f.moved);
  const auto doublings = static_cast<double>(std::bit_width(static_cast<std::uint64_t>(f.boxes)));
  const double left = moved * std::min(1.0, kLeaving * f.speed);
  const bool many = left > kManyLeft * moving;
  double ns = m.fixed + m.box * f.boxes + moving * (m.moving + m.moving_log * doublings) + m.moved * moved;
  ns += many ? m.anew * moving * std::min(1.0, kAnewForSpeed * f.speed) : m.put * left * doublings;
  ns += m.churned * f.churned + (f.churned > 0 ? m.any_churn * moving : 0);
  ns += m.swept * moving * f.along + m.swap * std::min(f.swaps, kMostSwaps * f.boxes);
  ns += m.square * f.boxes * f.boxes;
  // Where nearly all tests hit, none of them is a surprise to the processor
  const double hits = f.boxes > 1 ? std::min(1.0, 2 * f.pairs / (f.boxes * f.boxes)) : 0;
  ns += f.pairs * ((1 - hits) * m.pair + hits * m.dense_pair);
  return ns * (f.plane ? m.plane : 1) / 1e6;
}

double first_step_ms(const CostModel& m, const SceneFeatures& f) noexcept {
  const double building = (m.first_fixed + m.first_box * f.boxes) / 1e6;
  return m.incremental ? building + m.pair * f.pairs / 1e6 : building + step_ms(m, f);
}

}  // namespace sudar
