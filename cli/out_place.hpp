// What:    Places of results, looked at before the work: a long run is not lost to a name that cannot be written.
#pragma once

#include <string>
#include <vector>

namespace sudar_cli {

// "cannot write PATH: …", of the first that cannot, or that another one of them would replace; empty where all can. Empty
// paths are those that were not asked for.
std::string fault_of_places(const std::vector<std::string>& paths);

}  // namespace sudar_cli
