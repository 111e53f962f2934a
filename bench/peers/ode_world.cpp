// What:    ODE's rigid bodies on a world of boxes.
#include "bench/peers/ode_geom.hpp"
#include "bench/peers/world_peer.hpp"

#include <memory>

namespace sudar_bench {

namespace {

struct OdeWorld {
  dWorldID world = dWorldCreate();
  dSpaceID space = dHashSpaceCreate(nullptr);
  dJointGroupID contacts = dJointGroupCreate(0);
  std::vector<dGeomID> geoms;

  ~OdeWorld() {
    dJointGroupDestroy(contacts);
    dSpaceDestroy(space);
    dWorldDestroy(world);
  }
};

void touch(void* data, dGeomID a, dGeomID b) {
  auto* own = static_cast<OdeWorld*>(data);
  const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
  if (body_a == nullptr && body_b == nullptr) return;
  dContact contacts[8];
  const int count = dCollide(a, b, 8, &contacts[0].geom, sizeof(dContact));
  for (int i = 0; i < count; ++i) {
    contacts[i].surface = {};
    contacts[i].surface.mode = dContactApprox1;
    contacts[i].surface.mu = ode_real(kWorldFriction);
    dJointAttach(dJointCreateContact(own->world, own->contacts, &contacts[i]), body_a, body_b);
  }
}

}  // namespace

std::string ode_world_version() { return dODE_VERSION; }

PeerWorld<3> ode_world(std::span<const WorldBox<3>> boxes) {
  start_ode();
  auto own = std::make_shared<OdeWorld>();
  dWorldSetGravity(own->world, 0, 0, ode_real(-kWorldGravity));
  for (const WorldBox<3>& box : boxes) {
    const dGeomID geom =
        dCreateBox(own->space, ode_real(2 * box.half.x), ode_real(2 * box.half.y), ode_real(2 * box.half.z));
    if (!box.fixed) {
      const dBodyID body = dBodyCreate(own->world);
      dMass mass;
      dMassSetBox(&mass, ode_real(kWorldDensity), ode_real(2 * box.half.x), ode_real(2 * box.half.y),
                  ode_real(2 * box.half.z));
      dBodySetMass(body, &mass);
      dGeomSetBody(geom, body);
    }
    place(geom, box.pose);
    own->geoms.push_back(geom);
  }
  const auto step = [own](double dt) {
    dSpaceCollide(own->space, own.get(), touch);
    dWorldQuickStep(own->world, ode_real(dt));
    dJointGroupEmpty(own->contacts);
  };
  const auto poses = [own] {
    std::vector<sudar::Pose3d> out;
    for (const dGeomID geom : own->geoms) {
      const dReal* p = dGeomGetPosition(geom);
      dQuaternion q;
      dGeomGetQuaternion(geom, q);
      const auto number = [](dReal x) { return static_cast<double>(x); };
      out.push_back({{number(p[0]), number(p[1]), number(p[2])},
                     normalized(sudar::Quatd{number(q[0]), number(q[1]), number(q[2]), number(q[3])})});
    }
    return out;
  };
  return {step, poses};
}

}  // namespace sudar_bench
