// What:    Hard balls in a box, exactly: from each collision straight to the next, by a queue of predicted collisions
//          (seed C7). Any masses and radii, elastic or with restitution, with or without gravity, in the plane and in space.
// Source:  Alder and Wainwright, "Studies in Molecular Dynamics I", 1959; one event per ball and places kept at each ball's
//          own time as in Lubachevsky, "How to Simulate Billiards and Similar Systems", 1991; restitution as in Luding and
//          McNamara, "How to Handle the Inelastic Collapse of a Dissipative Hard-Sphere Gas with the TC Model", 1998.
// Differs: A predicted collision is kept by one of its two balls, with the number of collisions that the other had: one
//          that the other has forgotten is recognised when its time comes, and nobody has to be told before. A ball takes
//          a partner only if that one has nothing to do before, because it looks again then: fewer predictions go stale.
//          Neighbours come from nested grids, so radii may differ by any ratio (ball_grid.hpp).
//          Inelastic collapse: balls with restitution may meet infinitely often in a finite time (until rounding
//          has eaten their relative velocities, or for ever under gravity). A collision of a
//          ball that had another less than `contact_time` ago is elastic (the TC model: a contact takes that long, and
//          what does not part in between loses no more). Under gravity a ball that lies on a wall hops with that period.
// Frame:   The world's: metres, kilograms, seconds. No friction and no spin: tangential velocities stay.
//          Energy of an elastic gas is kept up to rounding (a collision changes velocities only, and keeps their energy);
//          places are those of the exact collisions, up to rounding, which a chaotic system then carries on. Balls that
//          are smaller than a rounding of their coordinates are points, and rounding says whether they meet.
// Fails:   make: empty_input; what ball_check.hpp says of the box, gravity, restitutions and balls; invalid_argument
//          (contact_time negative; zero under gravity, or so short or long that the speed of a hop is out of range);
//          degenerate for balls that overlap or reach out of the box, with the ball; too_large past 2^27 balls;
//          out_of_memory. run: non_finite, invalid_argument for a time that has passed, and for an infinite one without
//          a limit while anything moves. A run in which time stands still (contact_time of zero; a ball between two
//          walls with no room; a light ball between a wall and one that is many powers of ten heavier) is cut off after
//          millions of events and says `limit`. Time is kept as one number: after 1e6 s places are right to 1e-10 of a
//          second's way, and a contact never takes less than two roundings of it. What lies under gravity costs an
//          event each contact_time, so a long run wants a longer one, or a limit.
#pragma once

#include <sudar/bounding/aabb.hpp>
#include <sudar/core/result.hpp>
#include <sudar/dynamics/ball_grid.hpp>
#include <sudar/dynamics/elastic.hpp>
#include <sudar/dynamics/event_queue.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace sudar {

template <int D>
struct EventBallsOptions {
  Aabb<D, double> box{};
  Vec<D, double> gravity{};
  double restitution = 1, wall_restitution = 1;
  double contact_time = kBallContactTime;  // seconds; zero: no guard against collapse
  double crowd = 0.3;                      // balls in a cell of the finest grid: changes the speed only
};

struct EventCounts {
  std::uint64_t collisions = 0;  // of two balls
  std::uint64_t wall_hits = 0;
  std::uint64_t crossings = 0;  // of borders of cells
  std::uint64_t stale = 0;      // predictions that came to nothing
  std::uint64_t held = 0;       // collisions made elastic by the guard, and hops
};

enum class EventStop : std::uint8_t { time, limit };

struct BallEvent {
  static constexpr std::uint32_t kWall = std::numeric_limits<std::uint32_t>::max();
  double time = 0;
  std::uint32_t a = 0, b = 0;  // b is kWall for a wall
};

template <int D>
class SUDAR_API EventBalls {
 public:
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

  static Result<EventBalls> make(std::span<const Ball<D>> balls, const EventBallsOptions<D>& options) noexcept;

  // On to `time`, or to the limit of collisions and wall hits in this call, whichever comes first. Where time stands
  // still the limit is one of the run's own. With a log, every collision and wall hit is put there.
  Result<EventStop> run(double time, std::uint64_t limit = kNoLimit, std::vector<BallEvent>* log = nullptr) noexcept;

  double time() const { return now_; }
  std::size_t size() const { return flights_.size(); }
  // Where it is now
  Ball<D> ball(std::size_t i) const;
  // Kinetic, and potential under gravity, joules
  double energy() const;
  Vec<D, double> momentum() const;
  const EventCounts& counts() const { return counts_; }
  std::size_t bytes() const;

 private:
  EventBalls() = default;

  // Place and velocity at the ball's own time: one line of the cache
  struct alignas(64) Flight {
    Vec<D, double> position, velocity;
    double time = 0, radius = 0;
  };
  // What a ball will do next: the collision it keeps, and the border or wall that it reaches
  struct Plan {
    double meets = std::numeric_limits<double>::infinity();
    double passes = std::numeric_limits<double>::infinity();
    std::uint32_t partner = 0, partner_count = 0;
    std::uint8_t axis = 0;
    bool upper = false, wall = false;
  };

  Result<void> prepare(std::span<const Ball<D>> balls);
  void bring(Flight& m) const;
  void consider(std::uint32_t ball, std::uint32_t other, Plan& plan) const;
  void plan_meeting(std::uint32_t ball);
  void plan_passing(std::uint32_t ball);
  void enqueue(std::uint32_t ball) {
    const Plan& plan = plans_[ball];
    queue_.set(ball, plan.meets < plan.passes ? plan.meets : plan.passes);
  }
  double restitution_of(std::uint32_t a, std::uint32_t b, double given);
  void meet(std::uint32_t a, std::uint32_t b);
  void hit_wall(std::uint32_t ball);
  void cross(std::uint32_t ball);

  EventBallsOptions<D> options_;
  bool falls_ = false;
  double now_ = 0;
  std::vector<Flight> flights_;
  std::vector<Plan> plans_;
  std::vector<double> masses_, last_;    // last_: time of the last collision
  std::vector<std::uint32_t> happened_;  // changes of velocity so far
  BallGrid<D> grid_;
  EventQueue queue_;
  EventCounts counts_;
};

}  // namespace sudar
