// What:    Where the parts of `sudar check` meet, as a PLY for a viewer: the triangles that meet, each coloured by its side,
//          and as edges the curves along which they cross.
#pragma once

#include "cli/check_report.hpp"

namespace sudar_cli {

// Fails: io_failure, out_of_memory, unsupported for a name that does not end in .ply
sudar::Result<void> export_contacts(const CheckReport& report, const std::string& path);

}  // namespace sudar_cli
