// What:    Bullet on single pairs of shapes: GJK with its EPA for depth. Margins are zero, but for spheres and capsules,
//          which are nothing else.
#include "bench/peers/case_peer.hpp"
#include <sudar/shapes/convex_body3.hpp>

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <memory>
#include <span>

namespace sudar_bench {

namespace {

using sudar::ShapeKind3;

btScalar scalar(double x) { return static_cast<btScalar>(x); }
btVector3 vector_of(const sudar::Vec3d& v) { return {scalar(v.x), scalar(v.y), scalar(v.z)}; }
btTransform transform_of(const sudar::Pose3d& p) {
  const sudar::Quatd& q = p.rotation;
  return btTransform(btQuaternion(scalar(q.x), scalar(q.y), scalar(q.z), scalar(q.w)), vector_of(p.position));
}

struct Body {
  std::unique_ptr<btConvexShape> shape;
  btTransform pose;
};

std::unique_ptr<btConvexShape> hull_of(std::span<const sudar::Vec3d> points, double radius) {
  auto hull = std::make_unique<btConvexHullShape>();
  for (const sudar::Vec3d& p : points) hull->addPoint(vector_of(p), false);
  hull->recalcLocalAabb();
  hull->setMargin(scalar(radius));
  return hull;
}
// Sizes are kept less a margin of its own; taking that off again would round them
template <class Shape>
std::unique_ptr<btConvexShape> without_margin(const btVector3& half) {
  auto shape = std::make_unique<Shape>(half);
  shape->setMargin(0);
  shape->setImplicitShapeDimensions(half);
  return shape;
}

// Without a shape where Bullet has none
Body body_of(const PlacedShape& placed) {
  const sudar::Shape3& shape = placed.shape;
  Body body{nullptr, transform_of(placed.pose)};
  switch (shape.kind()) {
    case ShapeKind3::point:
      body.shape = hull_of(std::span(&shape.as<sudar::PointShape3>().p, 1), 0);
      break;
    case ShapeKind3::segment: {
      const sudar::Vec3d ends[] = {shape.as<sudar::SegmentShape3>().p, shape.as<sudar::SegmentShape3>().q};
      body.shape = hull_of(ends, 0);
      break;
    }
    case ShapeKind3::triangle:
      body.shape = hull_of(shape.as<sudar::TriangleShape3>().v, 0);
      break;
    case ShapeKind3::sphere:
      body.shape = std::make_unique<btSphereShape>(scalar(shape.as<sudar::SphereShape3>().radius));
      break;
    case ShapeKind3::capsule: {
      const auto& capsule = shape.as<sudar::CapsuleShape3>();
      body.shape =
          std::make_unique<btCapsuleShapeZ>(scalar(capsule.radius), scalar(sudar::length(capsule.q - capsule.p)));
      body.pose = transform_of(placed.pose * from_centred(capsule));
      break;
    }
    case ShapeKind3::box:
      body.shape = without_margin<btBoxShape>(vector_of(shape.as<sudar::BoxShape3>().half));
      break;
    case ShapeKind3::cylinder: {
      const auto& cylinder = shape.as<sudar::CylinderShape3>();
      body.shape =
          without_margin<btCylinderShapeZ>(vector_of({cylinder.radius, cylinder.radius, cylinder.half_height}));
      break;
    }
    case ShapeKind3::cone: {
      const auto& cone = shape.as<sudar::ConeShape3>();
      body.shape = std::make_unique<btConeShapeZ>(scalar(cone.radius), scalar(2 * cone.half_height));
      body.shape->setMargin(0);
      break;
    }
    case ShapeKind3::hull: {
      const auto& hull = shape.as<sudar::HullShape3>();
      body.shape = hull_of(hull.body->vertices(), hull.radius);
      break;
    }
    default:
      break;
  }
  return body;
}

}  // namespace

CaseAnswer bullet_case(const PlacedShape& a, const PlacedShape& b) {
  const Body body_a = body_of(a), body_b = body_of(b);
  CaseAnswer answer;
  if (!body_a.shape || !body_b.shape) return answer;
  btVoronoiSimplexSolver simplex;
  btGjkEpaPenetrationDepthSolver depth;
  btGjkPairDetector detector(body_a.shape.get(), body_b.shape.get(), &simplex, &depth);
  btGjkPairDetector::ClosestPointInput input;
  input.m_transformA = body_a.pose;
  input.m_transformB = body_b.pose;
  btPointCollector out;
  detector.getClosestPoints(input, out, nullptr);
  // Without a result Bullet makes no contact: it says no
  answer.answered = true;
  if (out.m_hasResult) answer.separation = static_cast<double>(out.m_distance);
  answer.hit = out.m_hasResult && out.m_distance <= 0;
  return answer;
}

}  // namespace sudar_bench
