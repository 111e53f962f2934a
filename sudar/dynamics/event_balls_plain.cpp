#include <sudar/dynamics/ball_impact.hpp>
#include <sudar/dynamics/event_balls_plain.hpp>

namespace sudar {

namespace {

struct NextEvent {
  double after = kNever;
  std::size_t a = 0, b = 0;
  int axis = -1;  // of the wall
  bool upper = false;
};

template <int D>
NextEvent next_event(const std::vector<Ball<D>>& balls, const EventBallsOptions<D>& o) {
  NextEvent next;
  for (std::size_t i = 0; i < balls.size(); ++i) {
    const Ball<D>& a = balls[i];
    for (std::size_t j = i + 1; j < balls.size(); ++j) {
      const double t =
          time_to_meet<D>(balls[j].position - a.position, balls[j].velocity - a.velocity, a.radius + balls[j].radius);
      if (t < next.after) next = {t, i, j, -1, false};
    }
    for (int axis = 0; axis < D; ++axis)
      for (const bool upper : {false, true}) {
        const double sign = upper ? 1 : -1, wall = upper ? o.box.hi[axis] - a.radius : o.box.lo[axis] + a.radius;
        const double t =
            time_to_pass(sign * (wall - a.position[axis]), sign * a.velocity[axis], sign * o.gravity[axis]);
        if (t < next.after) next = {t, i, i, axis, upper};
      }
  }
  return next;
}

}  // namespace

template <int D>
Result<EventStop> run_events_plain(std::vector<Ball<D>>& balls, const EventBallsOptions<D>& options, double time,
                                   std::uint64_t limit, std::vector<BallEvent>* log) noexcept {
  return guarded([&]() -> Result<EventStop> {
    if (std::isnan(time)) return Error{ErrorCode::non_finite, Error::kNoElement, "the time is NaN"};
    if (time < 0) return Error{ErrorCode::invalid_argument, Error::kNoElement, "the time has passed"};
    const EventBallsOptions<D>& o = options;
    if (time == kNever && limit == EventBalls<D>::kNoLimit && next_event(balls, o).after != kNever)
      return Error{ErrorCode::invalid_argument, Error::kNoElement, "a run without an end needs a limit of events"};
    std::vector<double> last(balls.size(), -kNever);
    double now = 0;
    for (;;) {
      const NextEvent next = next_event(balls, o);
      const bool ends = !(now + next.after <= time) || next.after == kNever;
      if (!ends && limit-- == 0) return EventStop::limit;
      if (ends && time == kNever) return EventStop::time;
      const double dt = ends ? time - now : next.after;
      for (Ball<D>& ball : balls) {
        ball.position += (ball.velocity + o.gravity * (dt / 2)) * dt;
        ball.velocity += o.gravity * dt;
      }
      now += dt;
      if (ends) return EventStop::time;
      const double contact = contact_time_at(now, o.contact_time);
      const bool held = now - last[next.a] < contact || now - last[next.b] < contact;
      last[next.a] = last[next.b] = now;
      Ball<D>& a = balls[next.a];
      if (next.axis < 0) {
        collide(a, balls[next.b], held ? 1 : o.restitution);
      } else {
        double& speed = a.velocity[next.axis];
        speed *= held ? -1 : -o.wall_restitution;
        const double hop = (next.upper ? 1 : -1) * o.gravity[next.axis] * contact / 2;
        if (hop > 0 && std::fabs(speed) < hop) speed = next.upper ? -hop : hop;
      }
      if (log != nullptr)
        log->push_back({now, static_cast<std::uint32_t>(next.a),
                        next.axis < 0 ? static_cast<std::uint32_t>(next.b) : BallEvent::kWall});
    }
  });
}

template Result<EventStop> run_events_plain(std::vector<Ball<2>>&, const EventBallsOptions<2>&, double, std::uint64_t,
                                            std::vector<BallEvent>*) noexcept;
template Result<EventStop> run_events_plain(std::vector<Ball<3>>&, const EventBallsOptions<3>&, double, std::uint64_t,
                                            std::vector<BallEvent>*) noexcept;

}  // namespace sudar
