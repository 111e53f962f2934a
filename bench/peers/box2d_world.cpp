// What:    Box2D 2.4's bodies on a world of boxes.
#include "bench/peers/world_peer.hpp"
#include <sudar/math/scalar.hpp>

#include <box2d/box2d.h>

#include <memory>

namespace sudar_bench {

std::string box2d_world_version() {
  return std::to_string(b2_version.major) + '.' + std::to_string(b2_version.minor) + '.' +
         std::to_string(b2_version.revision);
}

PeerWorld<2> box2d_world(std::span<const WorldBox<2>> boxes) {
  struct Own {
    b2World world{b2Vec2(0, static_cast<float>(-kWorldGravity))};
    std::vector<b2Body*> bodies;
  };
  auto own = std::make_shared<Own>();
  own->world.SetAllowSleeping(false);
  for (const WorldBox<2>& box : boxes) {
    b2BodyDef def;
    def.type = box.fixed ? b2_staticBody : b2_dynamicBody;
    def.position.Set(static_cast<float>(box.pose.position.x), static_cast<float>(box.pose.position.y));
    def.angle = static_cast<float>(sudar::arc_tangent(box.pose.rotation.s, box.pose.rotation.c));
    b2PolygonShape shape;
    shape.SetAsBox(static_cast<float>(box.half.x), static_cast<float>(box.half.y));
    b2FixtureDef fixture;
    fixture.shape = &shape;
    fixture.density = static_cast<float>(kWorldDensity);
    fixture.friction = static_cast<float>(kWorldFriction);
    own->bodies.push_back(own->world.CreateBody(&def));
    own->bodies.back()->CreateFixture(&fixture);
  }
  const auto step = [own](double dt) { own->world.Step(static_cast<float>(dt), 8, 3); };
  const auto poses = [own] {
    std::vector<sudar::Pose2d> out;
    for (const b2Body* body : own->bodies)
      out.push_back({{body->GetPosition().x, body->GetPosition().y},
                     sudar::Rot2d::from_angle(static_cast<double>(body->GetAngle()))});
    return out;
  };
  return {step, poses};
}

}  // namespace sudar_bench
