// What:    Jolt's rigid bodies on a world of boxes.
#include <Jolt/Jolt.h>
// Jolt's headers want this one first
#include "bench/peers/world_peer.hpp"

#include <Jolt/Core/Factory.h>
#include <Jolt/Core/JobSystemSingleThreaded.h>
#include <Jolt/Core/TempAllocator.h>
#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/Collision/Shape/BoxShape.h>
#include <Jolt/Physics/PhysicsSettings.h>
#include <Jolt/Physics/PhysicsSystem.h>
#include <Jolt/RegisterTypes.h>

#include <algorithm>
#include <memory>

namespace sudar_bench {

namespace {

constexpr JPH::ObjectLayer kFixedLayer = 0, kMovingLayer = 1;
constexpr JPH::uint kLayers = 2, kJobs = 256, kRoom = 65536, kScratch = 64u << 20;

class Layers final : public JPH::BroadPhaseLayerInterface {
 public:
  JPH::uint GetNumBroadPhaseLayers() const override { return kLayers; }
  JPH::BroadPhaseLayer GetBroadPhaseLayer(JPH::ObjectLayer layer) const override {
    return JPH::BroadPhaseLayer(static_cast<JPH::BroadPhaseLayer::Type>(layer));
  }
#if defined(JPH_EXTERNAL_PROFILE) || defined(JPH_PROFILE_ENABLED)
  const char* GetBroadPhaseLayerName(JPH::BroadPhaseLayer) const override { return "layer"; }
#endif
};
class AgainstLayers final : public JPH::ObjectVsBroadPhaseLayerFilter {
 public:
  bool ShouldCollide(JPH::ObjectLayer layer, JPH::BroadPhaseLayer other) const override {
    return layer == kMovingLayer || other == JPH::BroadPhaseLayer(kMovingLayer);
  }
};
class AgainstObjects final : public JPH::ObjectLayerPairFilter {
 public:
  bool ShouldCollide(JPH::ObjectLayer a, JPH::ObjectLayer b) const override {
    return a == kMovingLayer || b == kMovingLayer;
  }
};

// Once for the process, as Jolt wants it
void start_jolt() {
  static const bool started = [] {
    JPH::RegisterDefaultAllocator();
    JPH::Factory::sInstance = new JPH::Factory();
    JPH::RegisterTypes();
    return true;
  }();
  (void)started;
}

struct JoltWorld {
  JPH::TempAllocatorImpl scratch{kScratch};
  JPH::JobSystemSingleThreaded jobs{kJobs};
  Layers layers;
  AgainstLayers against_layers;
  AgainstObjects against_objects;
  JPH::PhysicsSystem system;
  std::vector<JPH::BodyID> bodies;
};

JPH::Vec3 world_vector(const sudar::Vec3d& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

}  // namespace

std::string jolt_world_version() {
  return std::to_string(JPH_VERSION_MAJOR) + '.' + std::to_string(JPH_VERSION_MINOR) + '.' +
         std::to_string(JPH_VERSION_PATCH);
}

PeerWorld<3> jolt_world(std::span<const WorldBox<3>> boxes) {
  start_jolt();
  auto own = std::make_shared<JoltWorld>();
  own->system.Init(kRoom, 0, kRoom, kRoom, own->layers, own->against_layers, own->against_objects);
  own->system.SetGravity({0, 0, static_cast<float>(-kWorldGravity)});
  JPH::BodyInterface& bodies = own->system.GetBodyInterfaceNoLock();
  for (const WorldBox<3>& box : boxes) {
    const double least = std::min({box.half.x, box.half.y, box.half.z});
    JPH::BoxShapeSettings settings(world_vector(box.half),
                                   std::min(JPH::cDefaultConvexRadius, static_cast<float>(least)));
    settings.SetDensity(static_cast<float>(kWorldDensity));
    const sudar::Quatd& q = box.pose.rotation;
    JPH::BodyCreationSettings body(
        settings.Create().Get(), world_vector(box.pose.position),
        JPH::Quat(static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)),
        box.fixed ? JPH::EMotionType::Static : JPH::EMotionType::Dynamic, box.fixed ? kFixedLayer : kMovingLayer);
    body.mFriction = static_cast<float>(kWorldFriction);
    // The others have none unless asked
    body.mLinearDamping = body.mAngularDamping = 0;
    body.mAllowSleeping = false;
    own->bodies.push_back(
        bodies.CreateAndAddBody(body, box.fixed ? JPH::EActivation::DontActivate : JPH::EActivation::Activate));
  }
  own->system.OptimizeBroadPhase();
  const auto step = [own](double dt) { own->system.Update(static_cast<float>(dt), 1, &own->scratch, &own->jobs); };
  const auto poses = [own] {
    std::vector<sudar::Pose3d> out;
    for (const JPH::BodyID id : own->bodies) {
      const JPH::RVec3 p = own->system.GetBodyInterfaceNoLock().GetPosition(id);
      const JPH::Quat q = own->system.GetBodyInterfaceNoLock().GetRotation(id);
      out.push_back({{p.GetX(), p.GetY(), p.GetZ()}, normalized(sudar::Quatd{q.GetW(), q.GetX(), q.GetY(), q.GetZ()})});
    }
    return out;
  };
  return {step, poses};
}

}  // namespace sudar_bench
