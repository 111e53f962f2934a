// What:    Makers and boxes of the shapes of three dimensions, see the header.
#include <sudar/math/predicates.hpp>
#include <sudar/math/tolerance.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/convex_body3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/shape3.hpp>
#include <sudar/shapes/shape_check.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <cmath>
#include <limits>

namespace sudar {

std::string_view to_string(ShapeKind3 kind) noexcept {
  static constexpr std::string_view kNames[kShapeKinds3] = {
      "point",     "segment", "triangle", "sphere",    "capsule", "box",          "cylinder", "cone",
      "ellipsoid", "hull",    "custom",   "halfspace", "mesh",    "height_field", "compound"};
  return kNames[static_cast<int>(kind)];
}

Result<Shape3> make_point3(const Vec3d& p) noexcept {
  if (const auto r = check_position(p); !r) return r.error();
  return Shape3(PointShape3{p});
}

Result<Shape3> make_segment3(const Vec3d& p, const Vec3d& q) noexcept {
  if (const auto r = check_position(p, 0); !r) return r.error();
  if (const auto r = check_position(q, 1); !r) return r.error();
  return Shape3(SegmentShape3{p, q});
}

Result<Shape3> make_triangle3(const Vec3d& a, const Vec3d& b, const Vec3d& c) noexcept {
  const Vec3d v[3] = {a, b, c};
  for (std::size_t i = 0; i < 3; ++i)
    if (const auto r = check_position(v[i], i); !r) return r.error();
  // Collinear exactly when all three shadows on the planes of the axes are
  const bool collinear = orient2d({a.x, a.y}, {b.x, b.y}, {c.x, c.y}) == 0 &&
                         orient2d({a.y, a.z}, {b.y, b.z}, {c.y, c.z}) == 0 &&
                         orient2d({a.z, a.x}, {b.z, b.x}, {c.z, c.x}) == 0;
  if (collinear) return Error{ErrorCode::degenerate, Error::kNoElement, "corners on one line"};
  return Shape3(TriangleShape3{{a, b, c}});
}

Result<Shape3> make_sphere3(double radius) noexcept {
  if (const auto r = check_size(radius); !r) return r.error();
  return Shape3(SphereShape3{radius});
}

Result<Shape3> make_capsule3(const Vec3d& p, const Vec3d& q, double radius) noexcept {
  if (const auto r = check_position(p, 0); !r) return r.error();
  if (const auto r = check_position(q, 1); !r) return r.error();
  if (const auto r = check_size(radius); !r) return r.error();
  return Shape3(CapsuleShape3{p, q, radius});
}

Result<Shape3> make_box3(const Vec3d& half) noexcept {
  if (const auto r = check_sizes(half); !r) return r.error();
  return Shape3(BoxShape3{half});
}

Result<Shape3> make_cylinder3(double half_height, double radius) noexcept {
  if (const auto r = check_size(half_height); !r) return r.error();
  if (const auto r = check_size(radius); !r) return r.error();
  return Shape3(CylinderShape3{half_height, radius});
}

Result<Shape3> make_cone3(double half_height, double radius) noexcept {
  if (const auto r = check_size(half_height); !r) return r.error();
  if (const auto r = check_size(radius); !r) return r.error();
  return Shape3(ConeShape3{half_height, radius});
}

Result<Shape3> make_ellipsoid3(const Vec3d& radii) noexcept {
  if (const auto r = check_sizes(radii); !r) return r.error();
  return Shape3(EllipsoidShape3{radii});
}

Result<Shape3> make_hull_shape3(std::span<const Vec3d> points, double radius) noexcept {
  if (const auto r = check_growth(radius); !r) return r.error();
  auto body = ConvexBody3::make(points);
  if (!body) return body.error();
  return Shape3(HullShape3{*std::move(body), radius});
}

Result<Shape3> make_custom3(std::shared_ptr<const SupportFunction3> function) noexcept {
  if (function == nullptr) return Error{ErrorCode::invalid_argument, Error::kNoElement, "no support function"};
  for (int i = 0; i < 6; ++i) {
    Vec3d d{};
    d[i / 2] = i % 2 == 0 ? 1 : -1;
    if (const auto r = check_position(function->support(d), static_cast<std::size_t>(i)); !r) return r.error();
  }
  return Shape3(CustomShape3{std::move(function)});
}

Result<Shape3> make_halfspace3(const Vec3d& normal, double offset) noexcept {
  HalfSpaceShape3 s{};
  if (const auto r = check_side(normal, offset, s.normal, s.offset); !r) return r.error();
  return Shape3(s);
}

namespace {

// Rounding of points no farther than `size` from the shape's origin on their way through the pose
double slack(double size, const Pose3d& pose) {
  return kPoseSlack<double> * (3 * size + max_abs(pose.position)) + std::numeric_limits<double>::min();
}

// The box centre ± reach, both already in the target frame
Aabb3d around(const Vec3d& c, const Vec3d& reach) { return expand(Aabb3d{c, c}, reach); }

struct BoxOf {
  const Pose3d& pose;

  Aabb3d points(std::span<const Vec3d> p, double radius) const {
    Aabb3d box = Aabb3d::empty();
    double size = 0;
    for (const Vec3d& x : p) box = merge(box, transform(pose, x)), size = std::max(size, max_abs(x));
    return expand(box, add_up(radius, slack(size, pose)));
  }
  // How far a disc with the unit axis a reaches along each axis
  static Vec3d disc(const Vec3d& a, double radius) {
    Vec3d reach;
    for (int i = 0; i < 3; ++i) {
      const double j = a[(i + 1) % 3], k = a[(i + 2) % 3];
      reach[i] = radius * std::sqrt(j * j + k * k);
    }
    return reach;
  }

  Aabb3d operator()(const PointShape3& s) const { return points({&s.p, 1}, 0); }
  Aabb3d operator()(const SegmentShape3& s) const {
    const Vec3d ends[2] = {s.p, s.q};
    return points(ends, 0);
  }
  Aabb3d operator()(const TriangleShape3& s) const { return points(s.v, 0); }
  Aabb3d operator()(const SphereShape3& s) const { return expand(Aabb3d{pose.position, pose.position}, s.radius); }
  Aabb3d operator()(const CapsuleShape3& s) const {
    const Vec3d ends[2] = {s.p, s.q};
    return points(ends, s.radius);
  }
  // transform() of the box, to the bit; signs are taken off without branches, which nobody could foretell
  Aabb3d operator()(const BoxShape3& s) const {
    Vec3d reach{};
    for (int i = 0; i < 3; ++i) {
      Vec3d axis{};
      axis[i] = 1;
      const Vec3d turned = rotate(pose.rotation, axis);
      for (int k = 0; k < 3; ++k) reach[k] += std::fabs(turned[k]) * s.half[i];
    }
    const double size = s.half.x + s.half.y + s.half.z;
    Aabb3d out;
    for (int k = 0; k < 3; ++k) {
      const double t = pose.position[k];
      const double r = reach[k] + kPoseSlack<double> * (size + std::fabs(t)) + std::numeric_limits<double>::min();
      out.lo[k] = t - r;
      out.hi[k] = t + r;
    }
    return out;
  }
  Aabb3d operator()(const CylinderShape3& s) const {
    const Vec3d axis = rotate(pose.rotation, Vec3d{0, 0, 1});
    const double extra = slack(s.half_height + s.radius, pose);
    return around(pose.position, abs(axis) * s.half_height + disc(axis, s.radius) + Vec3d{extra, extra, extra});
  }
  Aabb3d operator()(const ConeShape3& s) const {
    const Vec3d axis = rotate(pose.rotation, Vec3d{0, 0, 1});
    const double extra = slack(s.half_height + s.radius, pose);
    const Vec3d apex = pose.position + axis * s.half_height, base = pose.position - axis * s.half_height;
    return expand(merge(around(base, disc(axis, s.radius)), apex), extra);
  }
  Aabb3d operator()(const EllipsoidShape3& s) const {
    const BasicMat3<double> turn = to_matrix(pose.rotation);
    const double extra = slack(max_abs(s.radii), pose);
    Vec3d reach;
    for (int i = 0; i < 3; ++i) {
      const Vec3d row{turn.x[i] * s.radii.x, turn.y[i] * s.radii.y, turn.z[i] * s.radii.z};
      reach[i] = length(row) + extra;
    }
    return around(pose.position, reach);
  }
  Aabb3d operator()(const HullShape3& s) const { return points(s.body->vertices(), s.radius); }
  Aabb3d operator()(const CustomShape3& s) const {
    Aabb3d box;
    double size = 0;
    for (int i = 0; i < 3; ++i) {
      Vec3d axis{};
      axis[i] = 1;
      const Vec3d d = rotate(conjugate(pose.rotation), axis);
      const Vec3d hi = s.function->support(d), lo = s.function->support(-d);
      size = std::max(size, std::max(max_abs(lo), max_abs(hi)));
      box.hi[i] = transform(pose, hi)[i], box.lo[i] = transform(pose, lo)[i];
    }
    return expand(box, slack(size, pose));
  }
  Aabb3d operator()(const HalfSpaceShape3&) const { return all(); }
  Aabb3d operator()(const MeshShape3& s) const { return transform(pose, s.mesh->bounds()); }
  Aabb3d operator()(const HeightFieldShape3& s) const { return transform(pose, s.field->bounds()); }
  Aabb3d operator()(const CompoundShape3& s) const { return bounding_box(*s.parts, pose); }

  static Aabb3d all() {
    const Aabb3d none = Aabb3d::empty();
    return {none.hi, none.lo};
  }
};

}  // namespace

Aabb3d bounding_box(const Shape3& shape, const Pose3d& pose) { return std::visit(BoxOf{pose}, shape.any()); }

}  // namespace sudar
