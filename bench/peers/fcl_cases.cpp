// What:    FCL on single pairs of shapes, through its collide and its distance.
#include "bench/peers/case_peer.hpp"
#include "bench/peers/fcl_convex.hpp"
#include "bench/peers/fcl_pose.hpp"
#include <sudar/shapes/convex_body3.hpp>

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cone.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

namespace sudar_bench {

namespace {

using sudar::ShapeKind3;
using Geometry = std::unique_ptr<fcl::CollisionGeometry<double>>;

constexpr std::size_t kMaxContacts = 16;

struct Body {
  Geometry geometry;
  fcl::Transform3<double> pose;
};

// A flat polygon as a fan of triangles
Geometry fan_of(std::span<const sudar::Vec3d> polygon) {
  auto model = std::make_unique<fcl::BVHModel<fcl::OBBRSSd>>();
  std::vector<fcl::Vector3d> vertices;
  std::vector<fcl::Triangle> triangles;
  for (const sudar::Vec3d& v : polygon) vertices.emplace_back(v.x, v.y, v.z);
  for (std::size_t i = 2; i < polygon.size(); ++i) triangles.emplace_back(0, i - 1, i);
  model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(vertices.size()));
  model->addSubModel(vertices, triangles);
  model->endModel();
  return model;
}

Geometry hull_of(const sudar::HullShape3& shape) {
  const sudar::Hull3& hull = shape.body->hull();
  if (shape.radius > 0 || hull.dimension < 2) return nullptr;
  if (hull.dimension == 3) return std::make_unique<fcl::Convex<double>>(fcl_convex(hull));
  std::vector<sudar::Vec3d> polygon;
  for (std::uint32_t i = 0; i < hull.face_degree(0); ++i) polygon.push_back(hull.vertices[hull.face_vertex(0, i)]);
  return fan_of(polygon);
}

// Without a geometry where FCL has none
Body body_of(const PlacedShape& placed) {
  const sudar::Shape3& shape = placed.shape;
  Body body{nullptr, fcl_pose(placed.pose)};
  switch (shape.kind()) {
    case ShapeKind3::triangle:
      body.geometry = fan_of(shape.as<sudar::TriangleShape3>().v);
      break;
    case ShapeKind3::sphere:
      body.geometry = std::make_unique<fcl::Sphered>(shape.as<sudar::SphereShape3>().radius);
      break;
    case ShapeKind3::capsule: {
      const auto& capsule = shape.as<sudar::CapsuleShape3>();
      body.geometry = std::make_unique<fcl::Capsuled>(capsule.radius, sudar::length(capsule.q - capsule.p));
      body.pose = fcl_pose(placed.pose * from_centred(capsule));
      break;
    }
    case ShapeKind3::box: {
      const sudar::Vec3d& half = shape.as<sudar::BoxShape3>().half;
      body.geometry = std::make_unique<fcl::Boxd>(2 * half.x, 2 * half.y, 2 * half.z);
      break;
    }
    case ShapeKind3::cylinder: {
      const auto& cylinder = shape.as<sudar::CylinderShape3>();
      body.geometry = std::make_unique<fcl::Cylinderd>(cylinder.radius, 2 * cylinder.half_height);
      break;
    }
    case ShapeKind3::cone: {
      const auto& cone = shape.as<sudar::ConeShape3>();
      body.geometry = std::make_unique<fcl::Coned>(cone.radius, 2 * cone.half_height);
      break;
    }
    case ShapeKind3::ellipsoid: {
      const sudar::Vec3d& radii = shape.as<sudar::EllipsoidShape3>().radii;
      body.geometry = std::make_unique<fcl::Ellipsoidd>(radii.x, radii.y, radii.z);
      break;
    }
    case ShapeKind3::hull:
      body.geometry = hull_of(shape.as<sudar::HullShape3>());
      break;
    default:
      break;
  }
  return body;
}

template <class Ask>
CaseAnswer ask_with(const PlacedShape& a, const PlacedShape& b, Ask ask) {
  CaseAnswer answer;
  try {
    const Body body_a = body_of(a), body_b = body_of(b);
    if (!body_a.geometry || !body_b.geometry) return answer;
    ask(body_a, body_b, answer);
    answer.answered = true;
  } catch (const std::exception&) {
    answer.threw = true;
  }
  return answer;
}

}  // namespace

CaseAnswer fcl_collide_case(const PlacedShape& a, const PlacedShape& b) {
  return ask_with(a, b, [](const Body& body_a, const Body& body_b, CaseAnswer& answer) {
    fcl::CollisionRequestd request(kMaxContacts, true);
    request.gjk_solver_type = fcl::GST_LIBCCD;
    fcl::CollisionResultd result;
    fcl::collide(body_a.geometry.get(), body_a.pose, body_b.geometry.get(), body_b.pose, request, result);
    answer.hit = result.isCollision();
    // Depths are positive, but for a sphere with a triangle
    double depth = 0;
    for (std::size_t i = 0; i < result.numContacts(); ++i)
      depth = std::max(depth, std::abs(result.getContact(i).penetration_depth));
    if (result.isCollision()) answer.separation = -depth;
  });
}

CaseAnswer fcl_distance_case(const PlacedShape& a, const PlacedShape& b) {
  return ask_with(a, b, [](const Body& body_a, const Body& body_b, CaseAnswer& answer) {
    fcl::DistanceRequestd request(true, true);
    request.gjk_solver_type = fcl::GST_LIBCCD;
    fcl::DistanceResultd result;
    fcl::distance(body_a.geometry.get(), body_a.pose, body_b.geometry.get(), body_b.pose, request, result);
    answer.separation = result.min_distance;
  });
}

}  // namespace sudar_bench
