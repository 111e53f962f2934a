// What:    Box2D 3's bodies on a world of boxes.
#include "bench/peers/world_peer.hpp"

#include <box2d/box2d.h>

#include <memory>

namespace sudar_bench {

std::string box2d3_world_version() {
  const b2Version v = b2GetVersion();
  return std::to_string(v.major) + '.' + std::to_string(v.minor) + '.' + std::to_string(v.revision);
}

PeerWorld<2> box2d3_world(std::span<const WorldBox<2>> boxes) {
  struct Own {
    b2WorldId world{};
    std::vector<b2BodyId> bodies;
    ~Own() { b2DestroyWorld(world); }
  };
  auto own = std::make_shared<Own>();
  b2WorldDef world = b2DefaultWorldDef();
  world.gravity = {0, static_cast<float>(-kWorldGravity)};
  world.enableSleep = false;
  own->world = b2CreateWorld(&world);
  for (const WorldBox<2>& box : boxes) {
    b2BodyDef def = b2DefaultBodyDef();
    def.type = box.fixed ? b2_staticBody : b2_dynamicBody;
    def.position = {static_cast<float>(box.pose.position.x), static_cast<float>(box.pose.position.y)};
    def.rotation = {static_cast<float>(box.pose.rotation.c), static_cast<float>(box.pose.rotation.s)};
    b2ShapeDef shape = b2DefaultShapeDef();
    shape.density = static_cast<float>(kWorldDensity);
    shape.material.friction = static_cast<float>(kWorldFriction);
    const b2Polygon polygon = b2MakeBox(static_cast<float>(box.half.x), static_cast<float>(box.half.y));
    own->bodies.push_back(b2CreateBody(own->world, &def));
    b2CreatePolygonShape(own->bodies.back(), &shape, &polygon);
  }
  const auto step = [own](double dt) { b2World_Step(own->world, static_cast<float>(dt), 4); };
  const auto poses = [own] {
    std::vector<sudar::Pose2d> out;
    for (const b2BodyId body : own->bodies) {
      const b2Vec2 p = b2Body_GetPosition(body);
      const b2Rot q = b2Body_GetRotation(body);
      out.push_back({{p.x, p.y}, normalized(sudar::Rot2d{q.c, q.s})});
    }
    return out;
  };
  return {step, poses};
}

}  // namespace sudar_bench
