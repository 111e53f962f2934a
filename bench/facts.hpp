// What:    Where and with what a benchmark ran: the machine, the build, the date. Recorded in every result.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sudar_bench {

// Names and values, in the order in which they are told
using Facts = std::vector<std::pair<std::string, std::string>>;

Facts build_facts();
// Of the peers that were found: where they come from, how they were compiled, and in what they count
Facts peer_facts();
// Includes the date and how busy the machine was when this was asked
Facts machine_facts();

}  // namespace sudar_bench
