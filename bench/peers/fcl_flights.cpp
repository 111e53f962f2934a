// What:    FCL's continuousCollide by conservative advancement, with its own GJK, which misses fewer of these flights than the
//          one of libccd.
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
    // Of its constructors from two poses, the others read a point of reference that was never set, or set no velocity
    const fcl::Vector3<double> zero = fcl::Vector3<double>::Zero();
    fcl::ContinuousCollisionRequest<double> request(200, 1e-4, fcl::CCDM_LINEAR, fcl::GST_INDEP,
                                                    fcl::CCDC_CONSERVATIVE_ADVANCEMENT);
    for (std::size_t k = 0; k < all->size(); ++k) {
      const Flight& f = (*all)[k];
      fcl::ContinuousCollisionResult<double> result;
      // It throws where its GJK fails: no answer, then
      try {
        const fcl::InterpMotion<double> a(f.from_a.linear(), f.from_a.translation(), f.to_a.linear(),
                                          f.to_a.translation(), zero);
        const fcl::InterpMotion<double> b(f.from_b.linear(), f.from_b.translation(), f.to_b.linear(),
                                          f.to_b.translation(), zero);
        fcl::continuousCollide<double>(f.a.get(), &a, f.b.get(), &b, request, result);
        times[k] = result.is_collide ? result.time_of_contact : kNoImpact;
      } catch (const std::exception&) {
        times[k] = kNoImpact;
      }
    }
  };
}

}  // namespace sudar_bench
