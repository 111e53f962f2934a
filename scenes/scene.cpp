#include "scenes/scene.hpp"

#include <sudar/math/scalar.hpp>

namespace sudar::scenes {

double root(double x, int d) { return d == 2 ? std::sqrt(x) : cube_root(x); }

namespace {
template <int D>
Aabb<D, double> box_of(const Body<D>& body) {
  return {body.center - body.half, body.center + body.half};
}
}  // namespace

template <int D>
Result<void> Scene<D>::start() {
  for (const Body<D>& body : bodies_)
    if (const auto id = store_.insert(box_of(body), {}, body.motion); !id) return id.error();
  return {};
}

template <int D>
Result<void> Scene<D>::step(double dt) {
  if (!std::isfinite(dt)) return Error{ErrorCode::non_finite, Error::kNoElement, "dt is not a finite number"};
  if (dt < 0) return Error{ErrorCode::invalid_argument, Error::kNoElement, "dt is negative"};
  time_ += dt;
  advance(dt);
  return tell_store();
}

template <int D>
Result<void> Scene<D>::tell_store() {
  for (std::uint32_t i = 0; i < bodies_.size(); ++i) {
    if (bodies_[i].motion == Motion::fixed) continue;
    if (const auto done = put(i); !done) return done.error();
  }
  return {};
}

// Tell the store where a moving body is now
template <int D>
Result<void> Scene<D>::put(std::uint32_t id) {
  const Aabb<D, double> box = box_of(bodies_[id]);
  switch (bodies_[id].deed) {
    case Deed::rests:
      return {};
    case Deed::leaps:
      return store_.teleport(id, box);
    case Deed::is_replaced: {
      // The id that was given back last is given out first
      if (const auto removed = store_.remove(id); !removed) return removed.error();
      const auto inserted = store_.insert(box);
      if (!inserted) return inserted.error();
      SUDAR_ASSERT(*inserted == id);
      return {};
    }
    case Deed::moves:
      break;
  }
  return store_.move(id, box);
}

template <int D>
double Scene<D>::even_edge() const {
  // A box of edge e overlaps those whose centres are within e on each axis: n (2 e)^D of them
  return 0.5 * root(spec_["overlap"] / spec_["n"], D);
}

template <int D>
Vec<D, double> Scene<D>::random_point() {
  Vec<D, double> p;
  for (int k = 0; k < D; ++k) p[k] = random_.uniform();
  return p;
}

template <int D>
Vec<D, double> Scene<D>::random_in_ball() {
  for (;;) {
    Vec<D, double> p;
    for (int k = 0; k < D; ++k) p[k] = random_.uniform(-1, 1);
    if (length_squared(p) <= 1) return p;
  }
}

template <int D>
void Scene<D>::fill_evenly(std::size_t count, double edge) {
  bodies_.reserve(bodies_.size() + count);
  for (std::size_t i = 0; i < count; ++i) {
    Body<D> body;
    body.center = random_point();
    for (int k = 0; k < D; ++k) body.half[k] = 0.5 * edge * random_.uniform(0.5, 1.5);
    body.velocity = random_in_ball() * spec_["speed"];
    bodies_.push_back(body);
  }
}

template <int D>
void Scene<D>::bounce(Body<D>& body, double dt) {
  body.center += body.velocity * dt;
  for (int k = 0; k < D; ++k) {
    // Reflect as often as a fast body meets the walls in one step: the track repeats every two widths
    double& x = body.center[k];
    if (x >= 0 && x <= 1) continue;
    double phase = x - 2 * std::floor(x / 2);
    const bool back = phase > 1;
    x = back ? 2 - phase : phase;
    const double speed = std::fabs(body.velocity[k]);
    const bool was_rising = body.velocity[k] > 0;
    body.velocity[k] = back == was_rising ? -speed : speed;
  }
}

template class Scene<2>;
template class Scene<3>;

}  // namespace sudar::scenes
