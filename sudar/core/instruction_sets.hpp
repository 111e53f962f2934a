// What:    The instruction sets among which run-time dispatch picks, and a way to hold it to one of them.
// Differs: For tests and measurements: a kernel is compared with its plain twin on every set that it was compiled for, not
//          only on the best. Dispatch is one for the whole process, so nothing else may run while it is changed.
#pragma once

#include <sudar/core/config.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace sudar {

// Those that the library was compiled for and this processor has, by Highway's names, best first; "scalar" alone without
// Highway
SUDAR_API std::vector<std::string_view> instruction_sets();
// From now on number `index` of these alone, or the best again when there is no such number
SUDAR_API void hold_to_instruction_set(std::size_t index) noexcept;
// The one that a kernel that is called now was compiled for
SUDAR_API std::string_view dispatched_instruction_set() noexcept;

}  // namespace sudar
