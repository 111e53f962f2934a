// What:    Bullet's rigid bodies on a world of boxes.
#include "bench/peers/world_peer.hpp"

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>

namespace sudar_bench {

namespace {

btVector3 world_vector(const sudar::Vec3d& v) {
  return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)};
}

struct BulletWorld {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
  std::vector<std::unique_ptr<btBoxShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;

  ~BulletWorld() {
    for (const auto& body : bodies) world.removeRigidBody(body.get());
  }
};

}  // namespace

std::string bullet_world_version() {
  return std::to_string(btGetVersion() / 100) + '.' + std::to_string(btGetVersion() % 100);
}

PeerWorld<3> bullet_world(std::span<const WorldBox<3>> boxes) {
  auto own = std::make_shared<BulletWorld>();
  own->world.setGravity({0, 0, static_cast<btScalar>(-kWorldGravity)});
  for (const WorldBox<3>& box : boxes) {
    own->shapes.push_back(std::make_unique<btBoxShape>(world_vector(box.half)));
    const double mass = box.fixed ? 0 : kWorldDensity * 8 * box.half.x * box.half.y * box.half.z;
    btVector3 inertia(0, 0, 0);
    if (!box.fixed) own->shapes.back()->calculateLocalInertia(static_cast<btScalar>(mass), inertia);
    btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(mass), nullptr, own->shapes.back().get(),
                                                  inertia);
    const sudar::Quatd& q = box.pose.rotation;
    info.m_startWorldTransform = btTransform(btQuaternion(static_cast<btScalar>(q.x), static_cast<btScalar>(q.y),
                                                          static_cast<btScalar>(q.z), static_cast<btScalar>(q.w)),
                                             world_vector(box.pose.position));
    // It multiplies the frictions of the two, where the others take their geometric mean
    info.m_friction = static_cast<btScalar>(std::sqrt(kWorldFriction));
    own->bodies.push_back(std::make_unique<btRigidBody>(info));
    own->bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    own->world.addRigidBody(own->bodies.back().get());
  }
  const auto step = [own](double dt) {
    own->world.stepSimulation(static_cast<btScalar>(dt), 1, static_cast<btScalar>(dt));
  };
  const auto poses = [own] {
    std::vector<sudar::Pose3d> out;
    for (const auto& body : own->bodies) {
      const btVector3& p = body->getWorldTransform().getOrigin();
      const btQuaternion q = body->getWorldTransform().getRotation();
      out.push_back({{p.x(), p.y(), p.z()}, normalized(sudar::Quatd{q.w(), q.x(), q.y(), q.z()})});
    }
    return out;
  };
  return {step, poses};
}

}  // namespace sudar_bench
