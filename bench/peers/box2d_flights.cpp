// What:    Box2D 2.4's b2TimeOfImpact on boxes.
#include "bench/peers/flight_peer.hpp"
#include <sudar/math/scalar.hpp>

#include <box2d/b2_polygon_shape.h>
#include <box2d/b2_time_of_impact.h>

#include <memory>
#include <vector>

namespace sudar_bench {

FlightFill box2d_flights(std::span<const BoxFlight<2>> flights) {
  struct Flight {
    b2PolygonShape a, b;
    b2Sweep sweep_a, sweep_b;
  };
  auto all = std::make_shared<std::vector<Flight>>();
  const auto sweep = [](const sudar::Pose2d& from, const sudar::Motion2& motion) {
    const auto vector = [](const sudar::Vec2d& v) { return b2Vec2(static_cast<float>(v.x), static_cast<float>(v.y)); };
    b2Sweep out;
    out.localCenter.SetZero();
    out.c0 = vector(from.position);
    out.c = vector(from.position + motion.linear);
    const double angle = sudar::arc_tangent(from.rotation.s, from.rotation.c);
    out.a0 = static_cast<float>(angle);
    out.a = static_cast<float>(angle + motion.angular);
    out.alpha0 = 0;
    return out;
  };
  for (const BoxFlight<2>& f : flights) {
    Flight& x = all->emplace_back();
    x.a.SetAsBox(static_cast<float>(f.half_a.x), static_cast<float>(f.half_a.y));
    x.b.SetAsBox(static_cast<float>(f.half_b.x), static_cast<float>(f.half_b.y));
    x.sweep_a = sweep(f.a, f.motion_a);
    x.sweep_b = sweep(f.b, f.motion_b);
  }
  return [all](std::span<double> times) {
    for (std::size_t k = 0; k < all->size(); ++k) {
      const Flight& f = (*all)[k];
      b2TOIInput input;
      input.proxyA.Set(&f.a, 0);
      input.proxyB.Set(&f.b, 0);
      input.sweepA = f.sweep_a;
      input.sweepB = f.sweep_b;
      input.tMax = 1;
      b2TOIOutput output;
      b2TimeOfImpact(&output, &input);
      // It stops a slop before contact, and calls that touching
      const bool hit = output.state == b2TOIOutput::e_touching || output.state == b2TOIOutput::e_overlapped ||
                       output.state == b2TOIOutput::e_failed;
      times[k] = hit ? static_cast<double>(output.t) : kNoImpact;
    }
  };
}

}  // namespace sudar_bench
