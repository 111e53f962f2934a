#include <sudar/broadphase/registry.hpp>
#include <sudar/dynamics/ball_check.hpp>
#include <sudar/dynamics/stepped_balls.hpp>

#include <algorithm>
#include <cmath>

namespace sudar {

template <int D>
Result<SteppedBalls<D>> SteppedBalls<D>::make(std::span<const Ball<D>> balls,
                                              const SteppedBallsOptions<D>& options) noexcept {
  return guarded([&]() -> Result<SteppedBalls> {
    if (balls.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "no balls"};
    if (const auto ok =
            ball_detail::check_box<D>(options.box, options.gravity, options.restitution, options.wall_restitution);
        !ok)
      return ok.error();
    if (options.response == BallResponse::spring &&
        !(options.spring.stiffness > 0 && options.spring.damping >= 0 && std::isfinite(options.spring.stiffness) &&
          std::isfinite(options.spring.damping)))
      return Error{ErrorCode::invalid_argument, Error::kNoElement, "a spring needs a stiffness"};
    for (std::size_t i = 0; i < balls.size(); ++i) {
      const Ball<D>& b = balls[i];
      if (const auto ok = ball_detail::check_ball<D>(b, i); !ok) return ok.error();
      for (int a = 0; a < D; ++a)
        if (2 * b.radius > options.box.hi[a] - options.box.lo[a])
          return Error{ErrorCode::degenerate, i, "a ball does not fit into the box"};
    }
    SteppedBalls out;
    auto broadphase = make_broadphase<D>(options.broadphase);
    if (!broadphase) return broadphase.error();
    out.broadphase_ = std::move(*broadphase);
    out.options_ = options;
    out.options_.broadphase = {};
    out.balls_.assign(balls.begin(), balls.end());
    return out;
  });
}

// Semi-implicit Euler: the force changes velocities, and the next step goes on with them
template <int D>
void SteppedBalls<D>::push_by_springs(Ball<D>& a, Ball<D>& b, double dt) const {
  const Vec<D, double> offset = b.position - a.position, normal = normalized(offset);
  const double separation = length(offset) - (a.radius + b.radius);
  const double closing = dot(a.velocity - b.velocity, normal);
  const Vec<D, double> push = normal * (spring_force(options_.spring, separation, closing) * dt);
  a.velocity -= push / a.mass;
  b.velocity += push / b.mass;
}

template <int D>
Result<void> SteppedBalls<D>::step(double dt) noexcept {
  return guarded([&]() -> Result<void> {
    if (!std::isfinite(dt)) return Error{ErrorCode::non_finite, Error::kNoElement, "dt is NaN or infinite"};
    if (!(dt > 0)) return Error{ErrorCode::invalid_argument, Error::kNoElement, "dt must be positive"};
    moved_ = balls_;
    // Onwards, and back from the walls
    for (Ball<D>& ball : moved_) {
      ball.velocity += options_.gravity * dt;
      ball.position += ball.velocity * dt;
      for (int a = 0; a < D; ++a) {
        const double lo = options_.box.lo[a] + ball.radius, hi = options_.box.hi[a] - ball.radius;
        double& x = ball.position[a];
        double& v = ball.velocity[a];
        if (x < lo && v < 0) v *= -options_.wall_restitution;
        if (x > hi && v > 0) v *= -options_.wall_restitution;
        x = std::fmin(std::fmax(x, lo), hi);
      }
    }
    // Who overlaps
    rows_.clear();
    for (const Ball<D>& ball : moved_) {
      for (int a = 0; a < D; ++a) rows_.push_back(ball.position[a] - ball.radius);
      for (int a = 0; a < D; ++a) rows_.push_back(ball.position[a] + ball.radius);
    }
    if (const auto assigned = store_.assign(rows_); !assigned) return assigned.error();
    if (const auto updated = broadphase_->update(store_); !updated) return updated.error();
    const auto pairs = broadphase_->pairs(store_);
    if (!pairs) return pairs.error();
    // What to do about it
    std::uint64_t met = 0;
    for (const IdPair& pair : *pairs) {
      Ball<D>&a = moved_[pair.lo], &b = moved_[pair.hi];
      const double reach = a.radius + b.radius;
      if (!(length_squared(b.position - a.position) < reach * reach)) continue;
      ++met;
      switch (options_.response) {
        case BallResponse::impulse:
          collide(a, b, options_.restitution);
          break;
        case BallResponse::translation:
          push_apart(a, b, options_.restitution, options_.share);
          break;
        case BallResponse::spring:
          push_by_springs(a, b, dt);
          break;
      }
    }
    for (std::size_t i = 0; i < moved_.size(); ++i)
      if (!is_finite(moved_[i].position) || !is_finite(moved_[i].velocity))
        return Error{ErrorCode::non_finite, i, "a ball would be NaN or infinite after the step"};
    // In their places: whoever looks at balls() goes on looking at them
    std::copy(moved_.begin(), moved_.end(), balls_.begin());
    collisions_ += met;
    time_ += dt;
    return {};
  });
}

template <int D>
double SteppedBalls<D>::energy() const {
  double sum = 0;
  for (const Ball<D>& ball : balls_) sum += kinetic_energy(ball) - ball.mass * dot(options_.gravity, ball.position);
  return sum;
}

template class SteppedBalls<2>;
template class SteppedBalls<3>;

}  // namespace sudar
