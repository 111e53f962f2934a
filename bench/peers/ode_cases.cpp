// What:    ODE on single pairs of shapes, through dCollide.
#include "bench/peers/case_peer.hpp"
#include "bench/peers/ode_geom.hpp"
#include <sudar/shapes/convex_body3.hpp>

#include <algorithm>
#include <memory>

namespace sudar_bench {

namespace {

using sudar::ShapeKind3;

constexpr int kMaxContacts = 16;

struct Body {
  std::unique_ptr<OdeHull> hull;
  std::unique_ptr<OdeGeom> geom;
  void make(dGeomID id, const sudar::Pose3d& pose) {
    geom = std::make_unique<OdeGeom>(id);
    place(id, pose);
  }
};

// Without a geom where ODE has none
Body body_of(const PlacedShape& placed) {
  const sudar::Shape3& shape = placed.shape;
  Body body;
  switch (shape.kind()) {
    case ShapeKind3::sphere:
      body.make(dCreateSphere(nullptr, ode_real(shape.as<sudar::SphereShape3>().radius)), placed.pose);
      break;
    case ShapeKind3::capsule: {
      const auto& capsule = shape.as<sudar::CapsuleShape3>();
      body.make(dCreateCapsule(nullptr, ode_real(capsule.radius), ode_real(sudar::length(capsule.q - capsule.p))),
                placed.pose * from_centred(capsule));
      break;
    }
    case ShapeKind3::box: {
      const sudar::Vec3d& half = shape.as<sudar::BoxShape3>().half;
      body.make(dCreateBox(nullptr, ode_real(2 * half.x), ode_real(2 * half.y), ode_real(2 * half.z)), placed.pose);
      break;
    }
    case ShapeKind3::cylinder: {
      const auto& cylinder = shape.as<sudar::CylinderShape3>();
      body.make(dCreateCylinder(nullptr, ode_real(cylinder.radius), ode_real(2 * cylinder.half_height)), placed.pose);
      break;
    }
    case ShapeKind3::hull: {
      const auto& hull = shape.as<sudar::HullShape3>();
      if (hull.radius > 0 || hull.body->hull().dimension < 3) break;
      body.hull = std::make_unique<OdeHull>(hull.body->hull());
      body.make(body.hull->make(), placed.pose);
      break;
    }
    default:
      break;
  }
  return body;
}

}  // namespace

CaseAnswer ode_case(const PlacedShape& a, const PlacedShape& b) {
  start_ode();
  const Body body_a = body_of(a), body_b = body_of(b);
  if (!body_a.geom || !body_b.geom) return {};
  dContactGeom contacts[kMaxContacts];
  const int count = dCollide(body_a.geom->id, body_b.geom->id, kMaxContacts, contacts, sizeof(dContactGeom));
  double depth = 0;
  for (int i = 0; i < count; ++i) depth = std::max(depth, static_cast<double>(contacts[i].depth));
  CaseAnswer answer;
  answer.answered = true;
  answer.hit = count > 0;
  if (count > 0) answer.separation = -depth;
  return answer;
}

}  // namespace sudar_bench
