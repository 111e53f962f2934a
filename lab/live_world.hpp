// What:    A living world of bodies: it steps with its contacts, or stops after each stage of the scene below it.
// Differs: To stop between stages, they run on a twin of the world that was brought to the same state; when the last one is
//          asked for, the world itself takes the whole step. Both have the same bits, so what was seen is what happens.
#pragma once

#include "lab/live_scene.hpp"
#include "scenes/physics.hpp"

namespace sudar::lab {

template <int D>
Result<std::unique_ptr<LiveScene<D>>> make_live_world(const scenes::Spec& spec, const LiveOptions& options);

}  // namespace sudar::lab
