// What:    What tells this program from one that was built otherwise: results of another are not gone on with.
#pragma once

#include <string>

namespace sudar_bench {

std::string program_stamp();

}  // namespace sudar_bench
