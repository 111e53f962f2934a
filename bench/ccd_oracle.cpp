// What:    See ccd_oracle.hpp.
#include "bench/ccd_oracle.hpp"

#ifdef SUDAR_CCD_ORACLE
#include "tests/continuous/impact_oracle.hpp"
#endif

namespace sudar_bench {

#ifdef SUDAR_CCD_ORACLE

bool has_ccd_oracle() { return true; }
OracleVerdict ask_ccd_oracle(const sudar_scenes::CcdQuery& query, double t_lower) {
  const sudar_test::OracleImpact truth = sudar_test::oracle_impact(query.edges, query.start, query.end);
  return {truth.hit, truth.hit && !truth.time.not_before(sudar_test::Rational(t_lower))};
}

#else

bool has_ccd_oracle() { return false; }
OracleVerdict ask_ccd_oracle(const sudar_scenes::CcdQuery&, double) { return {}; }

#endif

}  // namespace sudar_bench
