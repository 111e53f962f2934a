// What:    Balls in a box by steps of one length (seed C4): gravity, walls, any broad phase for the pairs, and one of the
//          three responses of the seeds for those that overlap after a step. What event_balls.hpp is compared with.
// Source:  Seeds C4 (balls, walls, gravity, frame time) and E8 (minimum translation vector, stiff springs).
// Differs: Pairs come sorted from the broad phase, so the result is the same for each of them. A ball that is outside of a wall
//          is set on it, with its speed turned round if it still goes outwards.
// Frame:   The world's: metres, kilograms, seconds.
// Fails:   make: empty_input; what ball_check.hpp says of the box, gravity, restitutions and balls; degenerate for a
//          ball that does not fit into the box (balls may overlap); unknown_id for a broad phase that does not exist,
//          and a spring without stiffness is invalid_argument. step: invalid_argument when dt is not positive;
//          non_finite for dt, and with the ball for one whose place or velocity would leave the doubles; out_of_memory;
//          the balls are as they were then. What is fast enough to pass through another within a step does so: that is
//          what continuous detection is for.
#pragma once

#include <sudar/bounding/aabb.hpp>
#include <sudar/broadphase/broadphase.hpp>
#include <sudar/dynamics/elastic.hpp>
#include <sudar/dynamics/mtv_response.hpp>
#include <sudar/dynamics/spring_response.hpp>

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace sudar {

enum class BallResponse : std::uint8_t {
  impulse,      // new velocities only (C4): overlap goes away as they part
  translation,  // moved apart by the minimum translation vector, and new velocities (E8)
  spring,       // a force while they overlap (E8)
};

template <int D>
struct SteppedBallsOptions {
  Aabb<D, double> box{};
  Vec<D, double> gravity{};
  double restitution = 1, wall_restitution = 1;
  BallResponse response = BallResponse::translation;
  MtvShare share = MtvShare::half;
  SpringLaw spring{};
  std::string_view broadphase = "columns";
};

template <int D>
class SUDAR_API SteppedBalls {
 public:
  static Result<SteppedBalls> make(std::span<const Ball<D>> balls, const SteppedBallsOptions<D>& options) noexcept;

  Result<void> step(double dt) noexcept;

  double time() const { return time_; }
  std::span<const Ball<D>> balls() const { return balls_; }
  // Kinetic, and potential under gravity; energy in springs is not counted
  double energy() const;
  std::uint64_t collisions() const { return collisions_; }

 private:
  SteppedBalls() = default;
  void push_by_springs(Ball<D>& a, Ball<D>& b, double dt) const;

  SteppedBallsOptions<D> options_;
  std::vector<Ball<D>> balls_;
  std::vector<Ball<D>> moved_;  // what they become, until a step can no more fail
  std::vector<double> rows_;    // of boxes, for the store
  BoxStore<D> store_;
  std::unique_ptr<Broadphase<D>> broadphase_;
  double time_ = 0;
  std::uint64_t collisions_ = 0;
};

}  // namespace sudar
