// What:    Bullet's casts of moving convex shapes: btContinuousConvexCollision and btGjkConvexCast.
#include "bench/peers/flight_peer.hpp"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkConvexCast.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <memory>
#include <vector>

namespace sudar_bench {

namespace {

btVector3 bullet_vector(const sudar::Vec3d& v) {
  return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)};
}
btTransform bullet_pose(const sudar::Pose3d& p) {
  const sudar::Quatd& q = p.rotation;
  return btTransform(btQuaternion(static_cast<btScalar>(q.x), static_cast<btScalar>(q.y), static_cast<btScalar>(q.z),
                                  static_cast<btScalar>(q.w)),
                     bullet_vector(p.position));
}

struct Flight {
  btVector3 half_a, half_b;
  btTransform from_a, to_a, from_b, to_b;
};

}  // namespace

FlightFill bullet_flights(std::span<const BoxFlight<3>> flights, bool turning) {
  auto all = std::make_shared<std::vector<Flight>>();
  for (const BoxFlight<3>& f : flights)
    all->push_back({bullet_vector(f.half_a), bullet_vector(f.half_b), bullet_pose(f.a),
                    bullet_pose(pose_at(f.a, f.motion_a, 1)), bullet_pose(f.b),
                    bullet_pose(pose_at(f.b, f.motion_b, 1))});
  return [all, turning](std::span<double> times) {
    for (std::size_t k = 0; k < all->size(); ++k) {
      const Flight& f = (*all)[k];
      btBoxShape a(f.half_a), b(f.half_b);
      a.setMargin(0), b.setMargin(0);
      btVoronoiSimplexSolver simplex;
      btGjkEpaPenetrationDepthSolver depth;
      btConvexCast::CastResult result;
      bool hit;
      if (turning) {
        btContinuousConvexCollision cast(&a, &b, &simplex, &depth);
        hit = cast.calcTimeOfImpact(f.from_a, f.to_a, f.from_b, f.to_b, result);
      } else {
        btGjkConvexCast cast(&a, &b, &simplex);
        hit = cast.calcTimeOfImpact(f.from_a, f.to_a, f.from_b, f.to_b, result);
      }
      times[k] = hit ? static_cast<double>(result.m_fraction) : kNoImpact;
    }
  };
}

}  // namespace sudar_bench
