// What:    Shapes in snapshots: small ones by their numbers; of large ones, which are kept beside the bytes, the number of
//          their features and a hash of their numbers, so that another one is noticed.
// Differs: Of a custom shape, which is a function, only the features are known.
// Fails:   reading gives nothing for numbers that no maker would have taken.
#pragma once

#include <sudar/scene/snapshot_bytes.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/convex_body3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/polygon_set.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <optional>
#include <span>
#include <type_traits>

namespace sudar {

// Everything but these is in the bytes
inline bool is_large(ShapeKind2 kind) {
  return kind == ShapeKind2::polygon || kind == ShapeKind2::custom || kind == ShapeKind2::chain ||
         kind == ShapeKind2::concave_polygon || kind == ShapeKind2::compound;
}
inline bool is_large(ShapeKind3 kind) {
  return kind == ShapeKind3::hull || kind == ShapeKind3::custom || kind == ShapeKind3::mesh ||
         kind == ShapeKind3::height_field || kind == ShapeKind3::compound;
}

// The numbers of small shapes
template <class F>
struct ShapeFields {
  F& f;

  void operator()(PointShape2& s) { fields(f, s.p); }
  void operator()(SegmentShape2& s) { fields(f, s.p), fields(f, s.q); }
  void operator()(CircleShape2& s) { f(s.radius); }
  void operator()(CapsuleShape2& s) { fields(f, s.p), fields(f, s.q), f(s.radius); }
  void operator()(BoxShape2& s) { fields(f, s.half); }
  void operator()(HalfPlaneShape2& s) { fields(f, s.normal), f(s.offset); }
  void operator()(PointShape3& s) { fields(f, s.p); }
  void operator()(SegmentShape3& s) { fields(f, s.p), fields(f, s.q); }
  void operator()(TriangleShape3& s) { fields(f, s.v[0]), fields(f, s.v[1]), fields(f, s.v[2]); }
  void operator()(SphereShape3& s) { f(s.radius); }
  void operator()(CapsuleShape3& s) { fields(f, s.p), fields(f, s.q), f(s.radius); }
  void operator()(BoxShape3& s) { fields(f, s.half); }
  void operator()(CylinderShape3& s) { f(s.half_height), f(s.radius); }
  void operator()(ConeShape3& s) { f(s.half_height), f(s.radius); }
  void operator()(EllipsoidShape3& s) { fields(f, s.radii); }
  void operator()(HalfSpaceShape3& s) { fields(f, s.normal), f(s.offset); }
  template <class Large>
  void operator()(Large&) {}
};

// What the makers say to the numbers of a small shape
struct ShapeCheck {
  bool operator()(const PointShape2& s) const { return make_point2(s.p).ok(); }
  bool operator()(const SegmentShape2& s) const { return make_segment2(s.p, s.q).ok(); }
  bool operator()(const CircleShape2& s) const { return make_circle2(s.radius).ok(); }
  bool operator()(const CapsuleShape2& s) const { return make_capsule2(s.p, s.q, s.radius).ok(); }
  bool operator()(const BoxShape2& s) const { return make_box2(s.half).ok(); }
  bool operator()(const HalfPlaneShape2& s) const { return make_halfplane2(s.normal, s.offset).ok(); }
  bool operator()(const PointShape3& s) const { return make_point3(s.p).ok(); }
  bool operator()(const SegmentShape3& s) const { return make_segment3(s.p, s.q).ok(); }
  bool operator()(const TriangleShape3& s) const { return make_triangle3(s.v[0], s.v[1], s.v[2]).ok(); }
  bool operator()(const SphereShape3& s) const { return make_sphere3(s.radius).ok(); }
  bool operator()(const CapsuleShape3& s) const { return make_capsule3(s.p, s.q, s.radius).ok(); }
  bool operator()(const BoxShape3& s) const { return make_box3(s.half).ok(); }
  bool operator()(const CylinderShape3& s) const { return make_cylinder3(s.half_height, s.radius).ok(); }
  bool operator()(const ConeShape3& s) const { return make_cone3(s.half_height, s.radius).ok(); }
  bool operator()(const EllipsoidShape3& s) const { return make_ellipsoid3(s.radii).ok(); }
  bool operator()(const HalfSpaceShape3& s) const { return make_halfspace3(s.normal, s.offset).ok(); }
  template <class Large>
  bool operator()(const Large&) const {
    return false;
  }
};

template <class Shape>
std::uint64_t shape_digest(const Shape& shape);

// All numbers of a shape, large or small, into a hash
struct ShapeDigest {
  NumberWriter<HashSink> to;

  template <class V>
  void list(std::span<const V> points) {
    to(std::uint64_t{points.size()});
    for (V p : points) fields(to, p);
  }
  template <class Compound>
  void children(const Compound& parts) {
    for (const auto& child : parts.children()) {
      auto pose = child.pose;
      to(shape_digest(child.shape));
      fields(to, pose);
    }
  }
  void operator()(const PolygonShape2& s) { to(s.radius), list(s.body->vertices()); }
  void operator()(const ChainShape2& s) { to(s.set->closed()), list(s.set->vertices()); }
  void operator()(const ConcavePolygonShape2& s) { list(s.set->vertices()); }
  void operator()(const CompoundShape2& s) { children(*s.parts); }
  void operator()(const CustomShape2&) {}
  void operator()(const HullShape3& s) { to(s.radius), list(s.body->vertices()); }
  void operator()(const MeshShape3& s) {
    to(s.solid);
    for (std::uint32_t t = 0; t < s.mesh->triangle_count(); ++t) {
      Triangle<3, double> triangle = s.mesh->triangle(t);
      fields(to, triangle.a), fields(to, triangle.b), fields(to, triangle.c);
    }
  }
  void operator()(const HeightFieldShape3& s) {
    to(s.field->columns()), to(s.field->rows());
    for (std::uint32_t j = 0; j < s.field->rows(); ++j)
      for (std::uint32_t i = 0; i < s.field->columns(); ++i) {
        Vec3d vertex = s.field->vertex(i, j);
        fields(to, vertex);
      }
  }
  void operator()(const CompoundShape3& s) { children(*s.parts); }
  void operator()(const CustomShape3&) {}
  template <class Small>
  void operator()(const Small& s) {
    Small copy = s;
    ShapeFields<NumberWriter<HashSink>>{to}(copy);
  }
};
template <class Shape>
std::uint64_t shape_digest(const Shape& shape) {
  HashSink sink;
  const NumberWriter<HashSink> to{sink};
  sink.put(static_cast<std::uint8_t>(shape.kind()));
  std::visit(ShapeDigest{to}, shape.any());
  return sink.hash();
}

template <class Writer, class Shape>
void write_shape(Writer& to, const Shape& shape) {
  to(static_cast<std::uint8_t>(shape.kind()));
  if (is_large(shape.kind())) {
    to(feature_span(shape));
    to(shape_digest(shape));
  } else {
    typename Shape::Any copy = shape.any();
    std::visit(ShapeFields<Writer>{to}, copy);
  }
}

// The alternative of that number, zeroed
template <class Any, std::size_t I = 0>
std::optional<Any> empty_shape(std::size_t kind) {
  if constexpr (I == std::variant_size_v<Any>)
    return std::nullopt;
  else if (kind == I)
    return Any(std::in_place_index<I>, std::variant_alternative_t<I, Any>{});
  else
    return empty_shape<Any, I + 1>(kind);
}

// Of large shapes the next one of `large`, which it takes off
template <class Shape>
std::optional<Shape> read_shape(NumberReader& from, std::span<const Shape>& large) {
  std::uint8_t number = 0;
  from(number);
  using Kind = decltype(std::declval<const Shape&>().kind());
  const auto kind = static_cast<Kind>(number);
  if (is_large(kind)) {
    std::uint32_t features = 0;
    std::uint64_t digest = 0;
    from(features), from(digest);
    if (large.empty() || large.front().kind() != kind || feature_span(large.front()) != features ||
        shape_digest(large.front()) != digest)
      return std::nullopt;
    const Shape out = large.front();
    large = large.subspan(1);
    return out;
  }
  auto any = empty_shape<typename Shape::Any>(number);
  if (!any) return std::nullopt;
  std::visit(ShapeFields<NumberReader>{from}, *any);
  if (from.failed() || !std::visit(ShapeCheck{}, *any)) return std::nullopt;
  return Shape(*std::move(any));
}

}  // namespace sudar
