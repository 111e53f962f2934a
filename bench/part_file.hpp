// What:    The results of one part as a JSON file, written and read back: how a part's process hands them over, and how a run
//          that was interrupted goes on.
// Fails:   a file that is not there, or is not what write_part writes, reads as nothing.
#pragma once

#include "bench/harness.hpp"

#include <optional>
#include <string>

namespace sudar_bench {

bool write_part(const PartResult& part, const Options& options, const std::string& file);
std::optional<PartResult> read_part(const std::string& file);
// Only when the same program with the same options has run it to its end
std::optional<PartResult> read_finished_part(const std::string& file, const Options& options);

// Written aside first, so that no half-written file is left under the final name
bool write_text(const std::string& file, const std::string& text);

}  // namespace sudar_bench
