// What:    Mass of the shapes of the plane. See shape_mass.hpp.
#include <sudar/dynamics/shape_mass.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/convex_body2.hpp>
#include <sudar/shapes/polygon_set.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace sudar {

namespace {

// Directions around the circle in which a rounded or unknown body is asked for its farthest point
constexpr int kOutlineDirections = 256;

MassProperties2 disc_mass(double radius, double density) {
  const double mass = density * kPi * radius * radius, square = mass * radius * radius / 4;
  return {mass, {}, square, square, 0};
}

// Along x: the rectangle, and two half discs with their centres of mass 4r/3π outside of its ends
MassProperties2 capsule_mass(const CapsuleShape2& c, double density) {
  const double half = distance(c.p, c.q) / 2, r = c.radius;
  const MassProperties2 disc = disc_mass(r, density);
  const double rectangle = density * 4 * half * r, arm = 4 * r / (3 * kPi);
  MassProperties2 out{rectangle + disc.mass, {}, 0, 0, 0};
  out.xx = rectangle * half * half / 3 + disc.xx + disc.mass * (half * half + 2 * half * arm);
  out.yy = rectangle * r * r / 3 + disc.yy;
  const Vec2d axis = normalized(c.q - c.p);
  const Rot2d turn = axis == Vec2d{} ? Rot2d{} : Rot2d{axis.x, axis.y};
  return transformed(out, {(c.p + c.q) / 2, turn});
}

Result<MassProperties2> polygon_mass(std::span<const Vec2d> vertices, double density) {
  if (vertices.size() < 3) return Error{ErrorCode::degenerate, Error::kNoElement, "the shape has no area"};
  return mass_properties(vertices, density);
}

// The hull of the farthest points in many directions
template <class Support>
Result<MassProperties2> outline_mass(double density, const Support& support) {
  std::vector<Vec2d> points;
  for (int k = 0; k < kOutlineDirections; ++k) {
    const Rot2d r = Rot2d::from_angle(2 * kPi * k / kOutlineDirections);
    points.push_back(support(Vec2d{r.c, r.s}));
  }
  const auto hull = ConvexBody2::make(points);
  if (!hull) return hull.error();
  return polygon_mass((*hull)->vertices(), density);
}

Result<MassProperties2> mass_at(const Shape2& shape, double density);

struct MassOf2 {
  double density;

  Result<MassProperties2> none() const {
    return Error{ErrorCode::degenerate, Error::kNoElement, "the shape has no area"};
  }
  Result<MassProperties2> operator()(const PointShape2&) const { return none(); }
  Result<MassProperties2> operator()(const SegmentShape2&) const { return none(); }
  Result<MassProperties2> operator()(const ChainShape2&) const { return none(); }
  Result<MassProperties2> operator()(const HalfPlaneShape2&) const {
    return Error{ErrorCode::unsupported, Error::kNoElement, "a half-plane has no finite mass"};
  }
  Result<MassProperties2> operator()(const CircleShape2& s) const { return disc_mass(s.radius, density); }
  Result<MassProperties2> operator()(const CapsuleShape2& s) const { return capsule_mass(s, density); }
  Result<MassProperties2> operator()(const BoxShape2& s) const {
    const double mass = density * 4 * s.half.x * s.half.y;
    return MassProperties2{mass, {}, mass * s.half.x * s.half.x / 3, mass * s.half.y * s.half.y / 3, 0};
  }
  Result<MassProperties2> operator()(const PolygonShape2& s) const {
    if (!(s.radius > 0)) return polygon_mass(s.body->vertices(), density);
    return outline_mass(density, [&](const Vec2d& d) { return s.body->vertices()[s.body->support(d)] + d * s.radius; });
  }
  Result<MassProperties2> operator()(const CustomShape2& s) const {
    return outline_mass(density, [&](const Vec2d& d) { return s.function->support(d); });
  }
  Result<MassProperties2> operator()(const ConcavePolygonShape2& s) const {
    return polygon_mass(s.set->vertices(), density);
  }
  Result<MassProperties2> operator()(const CompoundShape2& s) const {
    MassProperties2 sum;
    for (const CompoundChild2& child : s.parts->children()) {
      const Result<MassProperties2> part = mass_at(child.shape, density);
      if (!part) return part;
      sum = sum.mass > 0 ? combined(sum, transformed(*part, child.pose)) : transformed(*part, child.pose);
    }
    return sum;
  }
};

Result<MassProperties2> mass_at(const Shape2& shape, double density) {
  return std::visit(MassOf2{density}, shape.any());
}

}  // namespace

Result<MassProperties2> mass_of(const Shape2& shape, double density) noexcept {
  if (!(density > 0) || !std::isfinite(density))
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "density must be positive and finite"};
  return guarded([&]() -> Result<MassProperties2> {
    const Result<MassProperties2> out = mass_at(shape, density);
    if (out && !(std::isfinite(out->mass) && is_finite(out->center) && std::isfinite(out->inertia())))
      return Error{ErrorCode::too_large, Error::kNoElement, "the mass leaves the range of double"};
    return out;
  });
}

double inner_radius(const Shape2& shape) noexcept {
  switch (shape.kind()) {
    case ShapeKind2::circle:
      return shape.as<CircleShape2>().radius;
    case ShapeKind2::capsule:
      return shape.as<CapsuleShape2>().radius;
    case ShapeKind2::box:
      return std::min(shape.as<BoxShape2>().half.x, shape.as<BoxShape2>().half.y);
    case ShapeKind2::polygon: {
      const PolygonShape2& s = shape.as<PolygonShape2>();
      if (s.body->dimension() < 2) return s.radius;
      double least = std::numeric_limits<double>::infinity();
      for (std::uint32_t i = 0; i < s.body->vertex_count(); ++i)
        least = std::min(least, dot(s.body->normals()[i], s.body->vertices()[i] - s.body->center()));
      return std::max(least, 0.0) + s.radius;
    }
    case ShapeKind2::compound: {
      double least = std::numeric_limits<double>::infinity();
      for (const CompoundChild2& child : shape.as<CompoundShape2>().parts->children())
        least = std::min(least, inner_radius(child.shape));
      return least;
    }
    default:
      return 0;
  }
}

Result<BodyMass<2>> body_mass(const MassProperties2& mass, bool fixed_rotation) noexcept {
  if (!is_finite(mass.center)) return Error{ErrorCode::non_finite, 2, "the centre of mass is not finite"};
  const Result<RigidMass2> inverse = make_mass(mass.mass, fixed_rotation ? mass.mass : mass.inertia());
  if (!inverse) return inverse.error();
  BodyMass<2> out{mass.mass, mass.inertia(), mass.center, *inverse};
  if (fixed_rotation) out.inverse.inverse_inertia = 0;
  return out;
}

}  // namespace sudar
