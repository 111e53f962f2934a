// What:    The shapes of two dimensions, as one value: a list of plain structures and the checked makers of them.
// Differs: Double by name in both builds, for the reason that shape3.hpp gives.
// Frame:   The shape's own, metres. Large data (polygons, children) are immutable and shared between copies.
// Fails:   makers return non_finite, degenerate (zero or negative size), invalid_argument, too_large (beyond
//          kMaxShapeSize, math/tolerance.hpp). Queries on a shape that a maker returned never fail.
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

class ConvexBody2;  // shapes/convex_body2.hpp: a convex polygon with what fast support and SAT need
class PolygonSet;   // shapes/polygon_set.hpp: a simple polygon or a chain as edges, with the convex parts of its inside
class Compound2;    // shapes/compound2.hpp

// In the order of Shape2's variant. Everything up to `custom` is convex and bounded.
enum class ShapeKind2 : std::uint8_t {
  point,
  segment,
  circle,
  capsule,
  box,
  polygon,
  custom,
  halfplane,
  chain,
  concave_polygon,
  compound,
};
inline constexpr int kShapeKinds2 = 11;
SUDAR_API std::string_view to_string(ShapeKind2 kind) noexcept;

// A convex set given by its support function: the farthest point in a direction, which need not be of unit length
class SUDAR_API SupportFunction2 {
 public:
  virtual ~SupportFunction2() = default;
  virtual Vec2d support(const Vec2d& direction) const = 0;
};

struct PointShape2 {
  Vec2d p;
};
struct SegmentShape2 {
  Vec2d p, q;
};
struct CircleShape2 {
  double radius;
};
struct CapsuleShape2 {
  Vec2d p, q;
  double radius;
};
struct BoxShape2 {
  Vec2d half;
};
// A convex polygon of any number of vertices, grown by `radius`
struct PolygonShape2 {
  std::shared_ptr<const ConvexBody2> body;
  double radius;
};
struct CustomShape2 {
  std::shared_ptr<const SupportFunction2> function;
};
// normal · x <= offset, unit normal
struct HalfPlaneShape2 {
  Vec2d normal;
  double offset;
};
// Segments from vertex to vertex, open or closed, without an inside
struct ChainShape2 {
  std::shared_ptr<const PolygonSet> set;
};
struct ConcavePolygonShape2 {
  std::shared_ptr<const PolygonSet> set;
};
struct CompoundShape2 {
  std::shared_ptr<const Compound2> parts;
};

class Shape2 {
 public:
  using Any = std::variant<PointShape2, SegmentShape2, CircleShape2, CapsuleShape2, BoxShape2, PolygonShape2,
                           CustomShape2, HalfPlaneShape2, ChainShape2, ConcavePolygonShape2, CompoundShape2>;
  // Trusts its argument; the makers check
  explicit Shape2(Any any) : any_(std::move(any)) {}

  ShapeKind2 kind() const { return static_cast<ShapeKind2>(any_.index()); }
  bool is_convex() const { return kind() <= ShapeKind2::halfplane; }
  bool is_bounded() const { return kind() != ShapeKind2::halfplane; }
  const Any& any() const { return any_; }
  template <class S>
  const S& as() const {
    SUDAR_ASSERT(std::holds_alternative<S>(any_));
    return *std::get_if<S>(&any_);
  }

 private:
  Any any_;
};
static_assert(std::variant_size_v<Shape2::Any> == kShapeKinds2);

SUDAR_API Result<Shape2> make_point2(const Vec2d& p) noexcept;
// p == q is allowed: a point
SUDAR_API Result<Shape2> make_segment2(const Vec2d& p, const Vec2d& q) noexcept;
SUDAR_API Result<Shape2> make_circle2(double radius) noexcept;
SUDAR_API Result<Shape2> make_capsule2(const Vec2d& p, const Vec2d& q, double radius) noexcept;
SUDAR_API Result<Shape2> make_box2(const Vec2d& half) noexcept;
// The hull of the points. Flat hulls, a segment or a point, are shapes as well.
SUDAR_API Result<Shape2> make_polygon2(std::span<const Vec2d> points, double radius = 0) noexcept;
SUDAR_API Result<Shape2> make_custom2(std::shared_ptr<const SupportFunction2> function) noexcept;
// The normal may have any length but zero; n · x <= d means the same set when both are scaled
SUDAR_API Result<Shape2> make_halfplane2(const Vec2d& normal, double offset) noexcept;

// A box around the shape at a pose, rounded outward. A half-plane has the whole plane, with infinite sides.
SUDAR_API Aabb<2, double> bounding_box(const Shape2& shape, const Pose2d& pose = {});

}  // namespace sudar
