// What:    The shapes of three dimensions, as one value: a list of plain structures and the checked makers of them.
// Differs: Sizes and vertices are double by name in both builds. A float world has float poses; its shapes are built
//          off line, and the narrow phase decides signs, which single precision cannot. So the two builds share one
//          narrow phase and its guarantees, and float speed comes from the batches (narrowphase/batch…).
// Frame:   The shape's own, metres. Large data (hulls, meshes, children) are immutable and shared between copies.
// Fails:   makers return non_finite, degenerate (zero or negative size), invalid_argument, too_large (beyond
//          kMaxShapeSize, math/tolerance.hpp), and what hulls and meshes add to it. Queries on a shape that a maker returned never fail.
#pragma once

#include <sudar/bounding/aabb.hpp>
#include <sudar/core/result.hpp>
#include <sudar/math/pose.hpp>
#include <sudar/math/vec.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <variant>

namespace sudar {

class ConvexBody3;   // shapes/convex_body3.hpp: a hull with what fast support and SAT need
class TriangleMesh;  // shapes/triangle_mesh.hpp: triangles with a tree
class HeightField;   // shapes/height_field.hpp
class Compound3;     // shapes/compound3.hpp

// In the order of Shape3's variant. Everything up to `custom` is convex and bounded.
enum class ShapeKind3 : std::uint8_t {
  point,
  segment,
  triangle,
  sphere,
  capsule,
  box,
  cylinder,
  cone,
  ellipsoid,
  hull,
  custom,
  halfspace,
  mesh,
  height_field,
  compound,
};
inline constexpr int kShapeKinds3 = 15;
SUDAR_API std::string_view to_string(ShapeKind3 kind) noexcept;

// A convex set given by its support function: the farthest point in a direction, which need not be of unit length
class SUDAR_API SupportFunction3 {
 public:
  virtual ~SupportFunction3() = default;
  virtual Vec3d support(const Vec3d& direction) const = 0;
};

struct PointShape3 {
  Vec3d p;
};
struct SegmentShape3 {
  Vec3d p, q;
};
struct TriangleShape3 {
  Vec3d v[3];
};
struct SphereShape3 {
  double radius;
};
struct CapsuleShape3 {
  Vec3d p, q;
  double radius;
};
struct BoxShape3 {
  Vec3d half;
};
// Axis z, centred at the middle of the height
struct CylinderShape3 {
  double half_height, radius;
};
// Axis z, apex at +half_height, base at -half_height
struct ConeShape3 {
  double half_height, radius;
};
struct EllipsoidShape3 {
  Vec3d radii;
};
// The hull of points, grown by `radius`
struct HullShape3 {
  std::shared_ptr<const ConvexBody3> body;
  double radius;
};
struct CustomShape3 {
  std::shared_ptr<const SupportFunction3> function;
};
// normal · x <= offset, unit normal
struct HalfSpaceShape3 {
  Vec3d normal;
  double offset;
};
// A surface, or the solid that a closed surface bounds
struct MeshShape3 {
  std::shared_ptr<const TriangleMesh> mesh;
  bool solid;
};
struct HeightFieldShape3 {
  std::shared_ptr<const HeightField> field;
};
struct CompoundShape3 {
  std::shared_ptr<const Compound3> parts;
};

class Shape3 {
 public:
  using Any = std::variant<PointShape3, SegmentShape3, TriangleShape3, SphereShape3, CapsuleShape3, BoxShape3,
                           CylinderShape3, ConeShape3, EllipsoidShape3, HullShape3, CustomShape3, HalfSpaceShape3,
                           MeshShape3, HeightFieldShape3, CompoundShape3>;
  // Trusts its argument; the makers check
  explicit Shape3(Any any) : any_(std::move(any)) {}

  ShapeKind3 kind() const { return static_cast<ShapeKind3>(any_.index()); }
  bool is_convex() const { return kind() <= ShapeKind3::halfspace; }
  bool is_bounded() const { return kind() != ShapeKind3::halfspace; }
  const Any& any() const { return any_; }
  template <class S>
  const S& as() const {
    SUDAR_ASSERT(std::holds_alternative<S>(any_));
    return *std::get_if<S>(&any_);
  }

 private:
  Any any_;
};
static_assert(std::variant_size_v<Shape3::Any> == kShapeKinds3);

SUDAR_API Result<Shape3> make_point3(const Vec3d& p) noexcept;
// p == q is allowed: a point
SUDAR_API Result<Shape3> make_segment3(const Vec3d& p, const Vec3d& q) noexcept;
// Corners that are exactly collinear are refused
SUDAR_API Result<Shape3> make_triangle3(const Vec3d& a, const Vec3d& b, const Vec3d& c) noexcept;
SUDAR_API Result<Shape3> make_sphere3(double radius) noexcept;
SUDAR_API Result<Shape3> make_capsule3(const Vec3d& p, const Vec3d& q, double radius) noexcept;
SUDAR_API Result<Shape3> make_box3(const Vec3d& half) noexcept;
SUDAR_API Result<Shape3> make_cylinder3(double half_height, double radius) noexcept;
SUDAR_API Result<Shape3> make_cone3(double half_height, double radius) noexcept;
SUDAR_API Result<Shape3> make_ellipsoid3(const Vec3d& radii) noexcept;
// The hull of the points. Flat hulls, of two dimensions, one or none, are shapes as well.
SUDAR_API Result<Shape3> make_hull_shape3(std::span<const Vec3d> points, double radius = 0) noexcept;
SUDAR_API Result<Shape3> make_custom3(std::shared_ptr<const SupportFunction3> function) noexcept;
// The normal may have any length but zero; n · x <= d means the same set when both are scaled
SUDAR_API Result<Shape3> make_halfspace3(const Vec3d& normal, double offset) noexcept;

// A box around the shape at a pose, rounded outward. A half-space has the whole space, with infinite sides.
SUDAR_API Aabb<3, double> bounding_box(const Shape3& shape, const Pose3d& pose = {});

}  // namespace sudar
