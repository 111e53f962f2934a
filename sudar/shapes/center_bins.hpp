// What:    When the centres of boxes are too near to each other to be sorted into bins: what the builds of trees share.
// Differs: Below it the number of bins for each unit of length overflows a float, and a place times that is no bin.
// Fails:   never.
#pragma once

namespace sudar {

inline constexpr float kLeastSpread = 0x1p-118f;

}  // namespace sudar
