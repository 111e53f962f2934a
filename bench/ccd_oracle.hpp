// What:    The oracle of the tests for queries of moving vertices (tests/continuous/impact_oracle.hpp), for the benchmark: in a
//          file of its own, because rational arithmetic is slow to compile and is not always there.
#pragma once

#include "scenes/ccd_queries.hpp"

namespace sudar_bench {

struct OracleVerdict {
  bool hit = false;
  bool late = false;  // the first contact comes before the time that was given
};

bool has_ccd_oracle();
OracleVerdict ask_ccd_oracle(const sudar_scenes::CcdQuery& query, double t_lower);

}  // namespace sudar_bench
