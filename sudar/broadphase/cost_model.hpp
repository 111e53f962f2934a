// What:    What a step of a broad phase costs, as a sum over what the scene shows.
// Differs: The coefficients are fitted to random worlds of boxes (even, flat, in a row, in a blob; any share moving, at any
//          speed, together or not), none of which is a scene of ours; only the
//          factors of trees in the plane were picked, from what those worlds gave (0.45 to 0.8), with an eye on the
//          lattice. They only say where to look first: each
//          measurement replaces the scale of its model, and `spread` says how far off the model may be until then.
#pragma once

#include <sudar/broadphase/scene_watch.hpp>

#include <span>
#include <string_view>

namespace sudar {

// Nanoseconds on a machine of 2026
struct CostModel {
  std::string_view name;
  double fixed = 0;       // a step
  double box = 0;         // a box
  double moving = 0;      // a box that is not fixed
  double moving_log = 0;  // such a box and a doubling of the number of boxes
  double moved = 0;       // a box that moved
  double put = 0;         // a box that left its fat box, and a doubling of the number of boxes, while few do
  double anew = 0;        // a box that is not fixed, when many left their fat boxes
  double churned = 0;     // a box that came, went or leapt
  double any_churn = 0;   // a box that is not fixed, when any came, went or leapt
  double swept = 0;       // a box that is not fixed, and a box that it meets along the best axis
  double swap = 0;        // two ends that pass each other
  double square = 0;      // two boxes
  double pair = 0;        // among few pairs …
  double dense_pair = 2;  // … and when nearly all boxes overlap each other
  double plane = 1;       // times all of this in 2D
  // The first step: what building from nothing costs, with a part for each box. It comes on top of a step for one that is
  // not incremental, and is the step for one that is.
  double first_fixed = 0;
  double first_box = 0;
  double spread = 0.5;       // share by which the cost of a scene may be off
  int warm_up = 1;           // steps until its steps cost what they will
  bool incremental = false;  // keeps something from step to step
};

// Of the broad phases that `adaptive` chooses from; the first is the one for a single search
SUDAR_API std::span<const CostModel> cost_models() noexcept;

SUDAR_API double step_ms(const CostModel& model, const SceneFeatures& features) noexcept;
SUDAR_API double first_step_ms(const CostModel& model, const SceneFeatures& features) noexcept;

}  // namespace sudar
