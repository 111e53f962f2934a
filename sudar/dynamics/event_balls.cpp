#include <sudar/dynamics/ball_check.hpp>
#include <sudar/dynamics/ball_impact.hpp>
#include <sudar/dynamics/event_balls.hpp>

#include <cmath>

namespace sudar {

namespace {

// So that ids, cells and links fit their types
constexpr std::size_t kMostBalls = std::size_t{1} << 27;

template <int D>
Result<void> check_balls(std::span<const Ball<D>> balls, const EventBallsOptions<D>& o) {
  if (balls.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "no balls"};
  if (balls.size() > kMostBalls) return Error{ErrorCode::too_large, Error::kNoElement, "more than 2^27 balls"};
  if (const auto ok = ball_detail::check_box<D>(o.box, o.gravity, o.restitution, o.wall_restitution); !ok) return ok;
  if (!(o.contact_time >= 0) || !std::isfinite(o.contact_time))
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "contact_time must not be negative"};
  if (o.contact_time == 0 && !(o.gravity == Vec<D, double>{}))
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "gravity needs a contact_time"};
  for (int a = 0; a < D; ++a) {
    const double hop = std::fabs(o.gravity[a]) * o.contact_time;
    if (o.gravity[a] != 0 && !(std::isnormal(hop) && hop <= kFastestBall))
      return Error{ErrorCode::invalid_argument, Error::kNoElement, "contact_time is too short or long for gravity"};
  }
  if (!(o.crowd > 0) || !std::isfinite(o.crowd))
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "crowd must be positive"};
  for (std::size_t i = 0; i < balls.size(); ++i) {
    const Ball<D>& b = balls[i];
    if (const auto ok = ball_detail::check_ball<D>(b, i); !ok) return ok;
    for (int a = 0; a < D; ++a) {
      const double slack = kBallTouch * (b.radius + std::fabs(o.box.lo[a]) + std::fabs(o.box.hi[a]));
      if (b.position[a] - b.radius < o.box.lo[a] - slack || b.position[a] + b.radius > o.box.hi[a] + slack)
        return Error{ErrorCode::degenerate, i, "a ball reaches out of the box"};
    }
  }
  return {};
}

}  // namespace

template <int D>
Result<EventBalls<D>> EventBalls<D>::make(std::span<const Ball<D>> balls,
                                          const EventBallsOptions<D>& options) noexcept {
  return guarded([&]() -> Result<EventBalls> {
    if (const auto checked = check_balls(balls, options); !checked) return checked.error();
    EventBalls out;
    out.options_ = options;
    out.falls_ = !(options.gravity == Vec<D, double>{});
    if (const auto prepared = out.prepare(balls); !prepared) return prepared.error();
    return out;
  });
}

template <int D>
Result<void> EventBalls<D>::prepare(std::span<const Ball<D>> balls) {
  const std::size_t n = balls.size();
  flights_.reserve(n);
  for (const Ball<D>& b : balls) {
    flights_.push_back({b.position, b.velocity, 0, b.radius});
    masses_.push_back(b.mass);
  }
  plans_.resize(n);
  last_.assign(n, -kNever);
  happened_.assign(n, 0);
  grid_ = BallGrid<D>(balls, options_.box, options_.crowd);
  queue_ = EventQueue(n);

  for (std::uint32_t i = 0; i < n; ++i) {
    bool overlaps = false;
    grid_.near(i, [&](std::uint32_t j) {
      if (i == j || overlaps) return;
      const double reach = balls[i].radius + balls[j].radius;
      const double slack = kBallTouch * (reach + max_abs(balls[i].position) + max_abs(balls[j].position));
      overlaps = distance(balls[i].position, balls[j].position) < reach - slack;
    });
    if (overlaps) return Error{ErrorCode::degenerate, i, "a ball overlaps another"};
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    plan_passing(i);
    plan_meeting(i);
    enqueue(i);
  }
  return {};
}

template <int D>
void EventBalls<D>::bring(Flight& m) const {
  const double dt = now_ - m.time;
  m.time = now_;
  if (falls_) {
    m.position += (m.velocity + options_.gravity * (dt / 2)) * dt;
    m.velocity += options_.gravity * dt;
  } else {
    m.position += m.velocity * dt;
  }
}

// `ball` is at the present; take `other` for its partner if they meet before anything that either has planned
template <int D>
inline void EventBalls<D>::consider(std::uint32_t ball, std::uint32_t other, Plan& plan) const {
  const Flight& a = flights_[ball];
  const Flight& b = flights_[other];
  const double dt = now_ - b.time;
  Vec<D, double> offset, velocity;
  if (falls_) {
    offset = b.position + (b.velocity + options_.gravity * (dt / 2)) * dt - a.position;
    velocity = b.velocity + options_.gravity * dt - a.velocity;
  } else {
    offset = b.position + b.velocity * dt - a.position;
    velocity = b.velocity - a.velocity;
  }
  const double t = now_ + time_to_meet<D>(offset, velocity, a.radius + b.radius, plan.meets - now_);
  // One that does something before looks again then, and finds this meeting if it still takes place
  if (!(t < plan.meets) || plans_[other].meets < t) return;
  plan.meets = t;
  plan.partner = other;
  plan.partner_count = happened_[other];
}

template <int D>
void EventBalls<D>::plan_meeting(std::uint32_t ball) {
  Plan& plan = plans_[ball];
  plan.meets = kNever;
  grid_.near(ball, [&](std::uint32_t other) {
    if (other != ball) consider(ball, other, plan);
  });
}

// The first border of the cell, or wall, on the ball's way
template <int D>
void EventBalls<D>::plan_passing(std::uint32_t ball) {
  const Flight& m = flights_[ball];
  Plan& plan = plans_[ball];
  double first = kNever;
  for (int axis = 0; axis < D; ++axis) {
    const double g = options_.gravity[axis], v = m.velocity[axis], x = m.position[axis];
    const auto look = [&](bool upper) {
      const double sign = upper ? 1 : -1;
      const double wall = upper ? options_.box.hi[axis] - m.radius : options_.box.lo[axis] + m.radius;
      const double border = grid_.border(ball, axis, upper);
      const bool at_wall = !(sign * border < sign * wall);
      const double t = time_to_pass(sign * ((at_wall ? wall : border) - x), sign * v, sign * g);
      if (!(t < first)) return;
      first = t;
      plan.axis = static_cast<std::uint8_t>(axis);
      plan.upper = upper;
      plan.wall = at_wall;
    };
    // Without gravity it only gets where it moves to
    if (g != 0 || v < 0) look(false);
    if (g != 0 || v > 0) look(true);
  }
  plan.passes = now_ + first;
}

template <int D>
double EventBalls<D>::restitution_of(std::uint32_t a, std::uint32_t b, double given) {
  if (given == 1) return 1;
  const double contact = contact_time_at(now_, options_.contact_time);
  const bool soon = now_ - last_[a] < contact || now_ - last_[b] < contact;
  counts_.held += soon ? 1 : 0;
  return soon ? 1 : given;
}

template <int D>
void EventBalls<D>::meet(std::uint32_t a, std::uint32_t b) {
  Flight& ma = flights_[a];
  Flight& mb = flights_[b];
  bring(ma);
  bring(mb);
  // Along the line of centres, whatever its length: n·n divides. Where rounding has left nothing of it, along the way
  // they came
  Vec<D, double> n = mb.position - ma.position;
  if (!std::isnormal(dot(n, n))) [[unlikely]]
    n = normalized(ma.velocity - mb.velocity);
  const double e = restitution_of(a, b, options_.restitution), square = dot(n, n);
  const double change = square > 0 ? (1 + e) * dot(ma.velocity - mb.velocity, n) / square : 0;
  const double sum = masses_[a] + masses_[b];
  ma.velocity -= n * (change * (masses_[b] / sum));
  mb.velocity += n * (change * (masses_[a] / sum));
  ++happened_[a];
  ++happened_[b];
  last_[a] = last_[b] = now_;
  ++counts_.collisions;
  plan_passing(a);
  plan_passing(b);
  // Neither has a plan of a meeting now; a sees b as free, and then b sees what a has taken
  plans_[b].meets = kNever;
  plan_meeting(a);
  plan_meeting(b);
  enqueue(a);
  enqueue(b);
}

template <int D>
void EventBalls<D>::hit_wall(std::uint32_t ball) {
  Flight& m = flights_[ball];
  bring(m);
  const int axis = plans_[ball].axis;
  const double e = restitution_of(ball, ball, options_.wall_restitution);
  m.velocity[axis] *= -e;
  // Pressed to the wall by gravity with no speed left: a hop that takes one contact time
  const double into = plans_[ball].upper ? options_.gravity[axis] : -options_.gravity[axis];
  if (const double hop = into * contact_time_at(now_, options_.contact_time) / 2;
      into > 0 && std::fabs(m.velocity[axis]) < hop) {
    m.velocity[axis] = plans_[ball].upper ? -hop : hop;
    counts_.held += 1;
  }
  ++happened_[ball];
  last_[ball] = now_;
  ++counts_.wall_hits;
  plan_passing(ball);
  plan_meeting(ball);
  enqueue(ball);
}

template <int D>
void EventBalls<D>::cross(std::uint32_t ball) {
  bring(flights_[ball]);
  ++counts_.crossings;
  Plan& plan = plans_[ball];
  const int axis = plan.axis;
  const bool upper = plan.upper;
  grid_.cross(ball, axis, upper, [&](std::uint32_t other) { consider(ball, other, plan); });
  plan_passing(ball);
  enqueue(ball);
}

template <int D>
Result<EventStop> EventBalls<D>::run(double time, std::uint64_t limit, std::vector<BallEvent>* log) noexcept {
  return guarded([&]() -> Result<EventStop> {
    if (std::isnan(time)) return Error{ErrorCode::non_finite, Error::kNoElement, "the time is NaN"};
    if (time < now_) return Error{ErrorCode::invalid_argument, Error::kNoElement, "the time has passed"};
    if (time == kNever && limit == kNoLimit && queue_.top().time != kNever)
      return Error{ErrorCode::invalid_argument, Error::kNoElement, "a run without an end needs a limit of events"};
    std::uint64_t left = limit, still = 0;
    const std::uint64_t most = kMostEventsAtOnce + 16 * size();
    for (;;) {
      const EventQueue::Entry next = queue_.top();
      if (!(next.time <= time) || next.time == kNever) break;
      const std::uint32_t ball = next.id;
      Plan& plan = plans_[ball];
      const bool passes = plan.passes <= plan.meets;
      const bool counts = passes ? plan.wall : happened_[plan.partner] == plan.partner_count;
      if (counts && left == 0) return EventStop::limit;
      still = next.time > now_ ? 0 : still + 1;
      if (still > most) return EventStop::limit;
      // A collision may have been predicted a rounding before the present
      now_ = std::fmax(now_, next.time);
      if (counts) {
        --left;
        if (log != nullptr) log->push_back({now_, ball, passes ? BallEvent::kWall : plan.partner});
      }
      if (passes && plan.wall) {
        hit_wall(ball);
      } else if (passes) {
        cross(ball);
      } else if (counts) {
        meet(ball, plan.partner);
      } else {
        ++counts_.stale;
        bring(flights_[ball]);
        plan_meeting(ball);
        enqueue(ball);
      }
    }
    if (std::isfinite(time)) now_ = time;
    return EventStop::time;
  });
}

template <int D>
Ball<D> EventBalls<D>::ball(std::size_t i) const {
  Flight m = flights_[i];
  bring(m);
  return {m.position, m.velocity, m.radius, masses_[i]};
}

template <int D>
double EventBalls<D>::energy() const {
  double sum = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const Ball<D> b = ball(i);
    sum += kinetic_energy(b) - b.mass * dot(options_.gravity, b.position);
  }
  return sum;
}
template <int D>
Vec<D, double> EventBalls<D>::momentum() const {
  Vec<D, double> sum{};
  for (std::size_t i = 0; i < size(); ++i) sum += sudar::momentum(ball(i));
  return sum;
}
template <int D>
std::size_t EventBalls<D>::bytes() const {
  return flights_.capacity() * sizeof(Flight) + plans_.capacity() * sizeof(Plan) +
         (masses_.capacity() + last_.capacity()) * sizeof(double) + happened_.capacity() * sizeof(std::uint32_t) +
         grid_.bytes() + queue_.bytes();
}

template class EventBalls<2>;
template class EventBalls<3>;

}  // namespace sudar
