// What:    Mass of the shapes of space. See shape_mass.hpp.
#include <sudar/dynamics/shape_mass.hpp>
#include <sudar/geom/mesh_from_hull.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/convex_body3.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace sudar {

namespace {

// The corners of an icosahedron whose triangles are cut in four this often: 642 directions in which a rounded or unknown
// body is asked for its farthest point
constexpr std::uint32_t kSurfaceCuts = 3;

MassProperties3 diagonal_mass(double mass, const Vec3d& center, const Vec3d& inertia) {
  return {mass, center, Mat3d::diagonal(inertia)};
}
// From the mean squares of the coordinates about the centre
MassProperties3 from_squares(double mass, const Vec3d& center, const Vec3d& squares) {
  return diagonal_mass(mass, center, Vec3d{squares.y + squares.z, squares.z + squares.x, squares.x + squares.y} * mass);
}

// Along z, then turned: the cylinder, and two half spheres with their centres of mass 3r/8 outside of its ends
MassProperties3 capsule_mass(const CapsuleShape3& c, double density) {
  const double length_ = distance(c.p, c.q), r = c.radius, rr = r * r;
  const double cylinder = density * kPi * rr * length_, ball = density * kPi * rr * r * 4 / 3;
  const double across =
      cylinder * (length_ * length_ / 12 + rr / 4) + ball * (2 * rr / 5 + length_ * length_ / 4 + 3 * length_ * r / 8);
  const double along = cylinder * rr / 2 + ball * 2 * rr / 5;
  // I = across · 1 + (along - across) · a aᵀ for the axis a
  const Vec3d a = normalized(c.q - c.p);
  const Mat3d inertia = Mat3d::diagonal({across, across, across}) + outer(a, a) * (along - across);
  return {cylinder + ball, (c.p + c.q) / 2, inertia};
}

Result<MassProperties3> hull_mass(const Hull3& hull, double density) {
  if (hull.dimension < 3) return Error{ErrorCode::degenerate, Error::kNoElement, "the shape has no volume"};
  const Result<Mesh> mesh = to_mesh(hull);
  if (!mesh) return mesh.error();
  return mass_properties_of_solid(*mesh, density);
}

// The hull of the farthest points in many directions
template <class Points>
Result<MassProperties3> surface_mass(double density, const Points& append_points) {
  const Result<Mesh> directions = icosphere_mesh(1, kSurfaceCuts);
  if (!directions) return directions.error();
  std::vector<Vec3d> points;
  for (const Vec3d& d : directions->vertices) append_points(d, points);
  const auto body = ConvexBody3::make(points);
  if (!body) return body.error();
  return hull_mass((*body)->hull(), density);
}

Result<MassProperties3> mass_at(const Shape3& shape, double density);

struct MassOf3 {
  double density;

  Result<MassProperties3> none() const {
    return Error{ErrorCode::degenerate, Error::kNoElement, "the shape has no volume"};
  }
  Result<MassProperties3> operator()(const PointShape3&) const { return none(); }
  Result<MassProperties3> operator()(const SegmentShape3&) const { return none(); }
  Result<MassProperties3> operator()(const TriangleShape3&) const { return none(); }
  Result<MassProperties3> operator()(const HeightFieldShape3&) const { return none(); }
  Result<MassProperties3> operator()(const HalfSpaceShape3&) const {
    return Error{ErrorCode::unsupported, Error::kNoElement, "a half-space has no finite mass"};
  }
  Result<MassProperties3> operator()(const SphereShape3& s) const {
    const double rr = s.radius * s.radius;
    return from_squares(density * kPi * rr * s.radius * 4 / 3, {}, Vec3d{rr, rr, rr} / 5);
  }
  Result<MassProperties3> operator()(const CapsuleShape3& s) const { return capsule_mass(s, density); }
  Result<MassProperties3> operator()(const BoxShape3& s) const {
    return from_squares(density * 8 * s.half.x * s.half.y * s.half.z, {}, mul(s.half, s.half) / 3);
  }
  Result<MassProperties3> operator()(const CylinderShape3& s) const {
    const double rr = s.radius * s.radius;
    return from_squares(density * kPi * rr * 2 * s.half_height, {},
                        {rr / 4, rr / 4, s.half_height * s.half_height / 3});
  }
  // A quarter of the height above the base
  Result<MassProperties3> operator()(const ConeShape3& s) const {
    const double rr = s.radius * s.radius, h = 2 * s.half_height;
    return from_squares(density * kPi * rr * h / 3, {0, 0, -s.half_height / 2},
                        {3 * rr / 20, 3 * rr / 20, 3 * h * h / 80});
  }
  Result<MassProperties3> operator()(const EllipsoidShape3& s) const {
    return from_squares(density * kPi * s.radii.x * s.radii.y * s.radii.z * 4 / 3, {}, mul(s.radii, s.radii) / 5);
  }
  Result<MassProperties3> operator()(const HullShape3& s) const {
    if (!(s.radius > 0)) return hull_mass(s.body->hull(), density);
    // Every vertex on all sides where it can be on the surface: where it is among the farthest
    return surface_mass(density, [&](const Vec3d& d, std::vector<Vec3d>& points) {
      points.push_back(s.body->vertices()[s.body->support(d)] + d * s.radius);
    });
  }
  Result<MassProperties3> operator()(const CustomShape3& s) const {
    return surface_mass(density,
                        [&](const Vec3d& d, std::vector<Vec3d>& points) { points.push_back(s.function->support(d)); });
  }
  Result<MassProperties3> operator()(const MeshShape3& s) const {
    if (!s.solid) return none();
    return mass_properties_of_solid(s.mesh->mesh(), density);
  }
  Result<MassProperties3> operator()(const CompoundShape3& s) const {
    MassProperties3 sum;
    for (const CompoundChild3& child : s.parts->children()) {
      const Result<MassProperties3> part = mass_at(child.shape, density);
      if (!part) return part;
      sum = sum.mass > 0 ? combined(sum, transformed(*part, child.pose)) : transformed(*part, child.pose);
    }
    return sum;
  }
};

Result<MassProperties3> mass_at(const Shape3& shape, double density) {
  return std::visit(MassOf3{density}, shape.any());
}

}  // namespace

Result<MassProperties3> mass_of(const Shape3& shape, double density) noexcept {
  if (!(density > 0) || !std::isfinite(density))
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "density must be positive and finite"};
  return guarded([&]() -> Result<MassProperties3> {
    const Result<MassProperties3> out = mass_at(shape, density);
    if (out && !(std::isfinite(out->mass) && is_finite(out->center) && is_finite(out->inertia.x) &&
                 is_finite(out->inertia.y) && is_finite(out->inertia.z)))
      return Error{ErrorCode::too_large, Error::kNoElement, "the mass leaves the range of double"};
    return out;
  });
}

double inner_radius(const Shape3& shape) noexcept {
  switch (shape.kind()) {
    case ShapeKind3::sphere:
      return shape.as<SphereShape3>().radius;
    case ShapeKind3::capsule:
      return shape.as<CapsuleShape3>().radius;
    case ShapeKind3::box: {
      const Vec3d& half = shape.as<BoxShape3>().half;
      return std::min({half.x, half.y, half.z});
    }
    case ShapeKind3::cylinder:
      return std::min(shape.as<CylinderShape3>().half_height, shape.as<CylinderShape3>().radius);
    case ShapeKind3::cone: {
      // Inscribed in the triangle of height h and base 2r: r h / (r + √(r² + h²))
      const double r = shape.as<ConeShape3>().radius, h = 2 * shape.as<ConeShape3>().half_height;
      return r * h / (r + std::sqrt(r * r + h * h));
    }
    case ShapeKind3::ellipsoid: {
      const Vec3d& radii = shape.as<EllipsoidShape3>().radii;
      return std::min({radii.x, radii.y, radii.z});
    }
    case ShapeKind3::hull: {
      const HullShape3& s = shape.as<HullShape3>();
      if (s.body->hull().dimension < 3) return s.radius;
      double least = std::numeric_limits<double>::infinity();
      for (const Plane<3, double>& plane : s.body->hull().planes)
        least = std::min(least, -signed_distance(plane, s.body->center()));
      return std::max(least, 0.0) + s.radius;
    }
    case ShapeKind3::compound: {
      double least = std::numeric_limits<double>::infinity();
      for (const CompoundChild3& child : shape.as<CompoundShape3>().parts->children())
        least = std::min(least, inner_radius(child.shape));
      return least;
    }
    default:
      return 0;
  }
}

Result<BodyMass<3>> body_mass(const MassProperties3& mass, bool fixed_rotation) noexcept {
  if (!is_finite(mass.center)) return Error{ErrorCode::non_finite, 2, "the centre of mass is not finite"};
  const Vec3d unit{mass.mass, mass.mass, mass.mass};
  const Result<RigidMass3> inverse = make_mass(mass.mass, fixed_rotation ? Mat3d::diagonal(unit) : mass.inertia);
  if (!inverse) return inverse.error();
  BodyMass<3> out{mass.mass, mass.inertia, mass.center, *inverse};
  if (fixed_rotation) out.inverse.inverse_inertia = Mat3d::diagonal({0, 0, 0});
  return out;
}

}  // namespace sudar
