// What:    FCL's continuousCollide by conservative advancement, with its own GJK: with the one of libccd, its default, it ends the
//          program with a failed assertion (doSimplex2) on these flights.
#include "bench/peers/fcl_pose.hpp"
#include "bench/peers/flight_peer.hpp"

#include <fcl/geometry/shape/box.h>
#include <fcl/math/motion/interp_motion.h>
#include <fcl/narrowphase/continuous_collision.h>

#include <memory>
#include <vector>

namespace sudar_bench {

FlightFill fcl_flights(std::span<const BoxFlight<3>> flights) {
  struct Flight {
    std::shared_ptr<fcl::Box<double>> a, b;
    fcl::Transform3<double> from_a, to_a, from_b, to_b;
  };
  auto all = std::make_shared<std::vector<Flight>>();
  const auto box = [](const sudar::Vec3d& half) {
    return std::make_shared<fcl::Box<double>>(2 * half.x, 2 * half.y, 2 * half.z);
  };
  for (const BoxFlight<3>& f : flights)
    all->push_back({box(f.half_a), box(f.half_b), fcl_pose(f.a), fcl_pose(pose_at(f.a, f.motion_a, 1)), fcl_pose(f.b),
                    fcl_pose(pose_at(f.b, f.motion_b, 1))});
  return [all](std::span<double> times) {
    fcl::ContinuousCollisionRequest<double> request(200, 1e-4, fcl::CCDM_LINEAR, fcl::GST_INDEP,
                                                    fcl::CCDC_CONSERVATIVE_ADVANCEMENT);
    for (std::size_t k = 0; k < all->size(); ++k) {
      const Flight& f = (*all)[k];
      fcl::ContinuousCollisionResult<double> result;
      // It throws where its GJK fails: no answer, then
      try {
        const fcl::InterpMotion<double> a(f.from_a, f.to_a), b(f.from_b, f.to_b);
        fcl::continuousCollide<double>(f.a.get(), &a, f.b.get(), &b, request, result);
        times[k] = result.is_collide ? result.time_of_contact : kNoImpact;
      } catch (const std::exception&) {
        times[k] = kNoImpact;
      }
    }
  };
}

}  // namespace sudar_bench
