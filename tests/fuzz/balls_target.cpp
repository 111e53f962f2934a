// Balls of any numbers, event by event and by steps: what is made stays finite, goes on in bounded work. In space; after a byte of 255, in the plane.
#include "tests/fuzz/bytes.hpp"
#include <sudar/dynamics/event_balls.hpp>
#include <sudar/dynamics/spring_response.hpp>
#include <sudar/dynamics/stepped_balls.hpp>

#include <cmath>
#include <vector>

namespace sudar_fuzz {

namespace {

template <int D>
void promise_finite(const sudar::Ball<D>& ball) {
  promise(is_finite(ball.position) && is_finite(ball.velocity), "a ball stays a ball");
}

// A quarter of the numbers any, so that most of what is made is made of the others
double some_number(Bytes& bytes, double usual) { return bytes.below(4) != 0 ? usual : bytes.any_number(); }

template <int D>
void balls(Bytes bytes) {
  using namespace sudar;
  std::vector<Ball<D>> all(1 + bytes.below(6));
  for (Ball<D>& ball : all) {
    const bool wild = bytes.below(8) == 0;
    ball.position = wild ? bytes.any_vector<D>() : bytes.template vector<D>();
    ball.velocity = wild ? bytes.any_vector<D>() : bytes.template vector<D>();
    ball.radius = some_number(bytes, 0.125 + bytes.below(8) / 16.0);
    ball.mass = some_number(bytes, 1 + bytes.below(8));
  }
  Aabb<D, double> box;
  for (int a = 0; a < D; ++a) {
    box.lo[a] = some_number(bytes, -16);
    box.hi[a] = some_number(bytes, 16);
  }
  const Vec<D, double> gravity = bytes.coin() ? Vec<D, double>{} : bytes.any_vector<D>();
  const double restitution = some_number(bytes, 0.5), wall = some_number(bytes, 1);
  const double contact_time = some_number(bytes, kBallContactTime), crowd = some_number(bytes, 0.3);
  if (auto made = EventBalls<D>::make(all, {box, gravity, restitution, wall, contact_time, crowd})) {
    for (int i = 0; i < 3; ++i) {
      const double until = made->time() + std::fabs(some_number(bytes, 1));
      if (!made->run(until, 100)) break;
      for (std::size_t k = 0; k < made->size(); ++k) promise_finite(made->ball(k));
    }
  }
  SteppedBallsOptions<D> options{box, gravity, restitution, wall};
  options.response = static_cast<BallResponse>(bytes.below(3));
  options.share = static_cast<MtvShare>(bytes.below(2));
  if (options.response == BallResponse::spring) {
    const double stiffness = some_number(bytes, 100), reduced = some_number(bytes, 0.5);
    const auto law = make_spring(stiffness, restitution, reduced);
    if (!law) return;
    promise(std::isfinite(law->stiffness) && std::isfinite(law->damping), "a spring is finite");
    options.spring = *law;
  }
  if (auto made = SteppedBalls<D>::make(all, options)) {
    for (int i = 0; i < 4; ++i) {
      if (!made->step(std::fabs(some_number(bytes, 0.0625)))) break;
      for (const Ball<D>& ball : made->balls()) promise_finite(ball);
    }
  }
}

}  // namespace

void fuzz_balls(FuzzBytes all) {
  if (!all.empty() && all[0] == 255) return balls<2>(Bytes(all.subspan(1)));
  balls<3>(Bytes(all));
}

}  // namespace sudar_fuzz
