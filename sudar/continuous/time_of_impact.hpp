// What:    When two moving bodies of any shapes touch for the first time: the production method, and the door to the others.
// Source:  seeds A8–A11. Spheres: round_impact.hpp. Small polytopes that do not turn: moving_sat.hpp. Everything else:
//          impact_search.hpp, for bodies of parts over slabs of time with the pieces that can meet in them.
// Differs: The answer is an interval with a proof: before t_lo nothing touches, full turns included, and at t_hi the two
//          are within twice the stated tolerance of each other, where they touch soon after or graze. A miss is proven:
//          there is no time at which they touch. What stays farther apart than twice the tolerance is never a hit.
//          The tolerance grows where rounding is coarser: of places far from A's origin, and of the time of a fast body.
//          Seconds may be of any size: below 2^-64 and above 2^64 they are counted in a unit of their own.
// Frame:   The world. The normal points from A to B. Closed sets: what touches at the start is hit at t = 0, whether it
//          then slides, parts or presses; without motion the answer is that of the narrow phase at rest.
// Fails:   check_motion's errors; invalid_argument (tolerance negative or not finite, max_iterations below 1); unsupported
//          (two half-spaces; moving_sat with a body that turns; conservative and halving with a half-space that turns).
//          When the work runs out, status is max_iterations and hit is true: contact in [t_lo, t_hi] was not ruled out,
//          and before t_lo it was.
#pragma once

#include <sudar/continuous/motion.hpp>
#include <sudar/core/trace.hpp>
#include <sudar/narrowphase/contact.hpp>

#include <optional>

namespace sudar {

enum class ToiMethod : std::uint8_t {
  automatic,
  moving_sat,    // no rotation: separating axes; shapes with a round part by impact_search.hpp
  conservative,  // conservative_advancement.hpp
  halving,       // interval_halving.hpp
};

struct ToiOptions {
  double t_max = 1;
  ToiMethod method = ToiMethod::automatic;
  // Metres; 0 takes kImpactTolerance (or kCurvedImpactTolerance) times the sizes of the shapes. Rounding sets a lower limit.
  double tolerance = 0;
  // Distances that may be asked for in a search: one for the first time, and one more for the last
  int max_iterations = 20000;
  // The contact set at the time of impact; without it kind is point
  bool contacts = true;
  // The last time of contact, where nothing but balls turns, is asked for, by whatever method: a second search unless a formula or
  // axes know both
  bool last = true;
  // The steps of the searches (impact_search.hpp, slab_search.hpp) or of the method asked for, with times in seconds: those of
  // the search for the last time, which come after, count back from t_max
  TraceSink* trace = nullptr;
};

template <int D>
struct ToiAnswer {
  bool hit = false;
  double t_lo = 0, t_hi = 0;  // of a miss, both are t_max
  // Last time of contact in [0, t_max], up to tolerance_last; none where it is not asked for, something turns (but balls), or the
  // work ran out. After it they touch no more when they are moved apart by twice tolerance_last, along the way or across.
  std::optional<double> t_last;
  double tolerance = 0;  // see above, metres
  // The same at the last time, where there is one: at least `tolerance`, and more where the way up to there is so long that
  // its rounding is coarser, that of the clock included, whichever side of the last contact it tells
  double tolerance_last = 0;
  // At t_lo along the normal, zero or less for an overlap: no farther apart than this and an eighth of the tolerance
  double separation = 0;
  Vec<D, double> point{}, normal{};
  ContactKind kind = ContactKind::none;
  ContactSet<D> contacts;  // at t_lo, bodies moved to their places
  QueryStatus status = QueryStatus::converged;
  int iterations = 0;  // distances asked for until the first time was known; axes, where they decide
};
using ToiAnswer2 = ToiAnswer<2>;
using ToiAnswer3 = ToiAnswer<3>;

SUDAR_API Result<ToiAnswer2> time_of_impact(const Shape2& a, const Pose2d& world_from_a, const Motion2& motion_a,
                                            const Shape2& b, const Pose2d& world_from_b, const Motion2& motion_b,
                                            const ToiOptions& options = {}) noexcept;
SUDAR_API Result<ToiAnswer3> time_of_impact(const Shape3& a, const Pose3d& world_from_a, const Motion3& motion_a,
                                            const Shape3& b, const Pose3d& world_from_b, const Motion3& motion_b,
                                            const ToiOptions& options = {}) noexcept;

}  // namespace sudar
