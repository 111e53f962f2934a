// What:    A living scene of boxes: they move by themselves, the broad phase finds their pairs, a tracker tells what began
//          and ended.
// Differs: The tracker belongs to the scene, not to the broad phase, so a swap loses no event.
#pragma once

#include "lab/live_scene.hpp"
#include "scenes/scene.hpp"

namespace sudar::lab {

template <int D>
Result<std::unique_ptr<LiveScene<D>>> make_live_boxes(const scenes::Spec& spec, const LiveOptions& options);

}  // namespace sudar::lab
