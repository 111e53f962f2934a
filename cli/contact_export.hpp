// What:    Where the parts of `sudar check` meet, as a PLY for a viewer: the triangles that meet, each coloured by its side,
//          and as edges the curves along which they cross.
#pragma once

#include "cli/check_report.hpp"

#include <atomic>
#include <memory>

namespace sudar_cli {

struct ContactExport {
  bool left = false;  // after `stop`, before anything was written: memory is still in use, as run_or_leave says
  sudar::Result<void> done;
};
// Fails: io_failure, out_of_memory, unsupported for a name that does not end in .ply, too_large
ContactExport export_or_leave(std::shared_ptr<const CheckReport> report, const std::string& path,
                              const std::atomic<bool>& stop);

}  // namespace sudar_cli
