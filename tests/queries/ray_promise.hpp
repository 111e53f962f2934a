// What:    What must hold of every ray against a shape. Oracles: of convex shapes the distance of a point, which is a convex
//          function along the ray; of half-spaces a formula; of all others their triangles, edges or children, one by one.
//          And a ray as a `ray` line of `sudar query`, shrunk and written.
// Frame:   Shapes and rays of about a metre; tolerances are made for these.
#pragma once

#include "tests/support/shape_case.hpp"
#include <sudar/geom/ray_triangle.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/queries/ray2.hpp>
#include <sudar/queries/ray3.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/polygon_set.hpp>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace sudar_test {

template <int D>
struct RayCase {
  ShapeCase<D> a;
  sudar::Ray<D, double> ray{};
  double max_t = std::numeric_limits<double>::infinity();
  std::optional<bool> expected{};  // whether it is hit, where that is known to the last digit

  std::vector<ShapeCase<D>*> shapes() { return {&a}; }
  std::vector<double*> numbers() {
    std::vector<double*> all;
    for (auto* v : {&ray.origin, &ray.direction})
      for (int k = 0; k < D; ++k) all.push_back(&(*v)[k]);
    return all;
  }
};

inline double separation_at(const sudar::Shape3& shape, const sudar::Pose3d& pose, const sudar::Vec3d& p) {
  return distance(shape, pose, *sudar::make_point3({}), sudar::Pose3d{p, {}}).separation;
}
inline double separation_at(const sudar::Shape2& shape, const sudar::Pose2d& pose, const sudar::Vec2d& p) {
  return distance(shape, pose, *sudar::make_point2({}), sudar::Pose2d{p, {}}).separation;
}

// The first t at which the distance is no more than `touch`; -1 when it stays above
template <int D>
double first_time_by_distance(const RayCase<D>& c, double end, double touch) {
  const auto gap = [&](double t) { return separation_at(c.a.shape, c.a.pose(), c.ray.at(t)); };
  double lo = 0, hi = end;
  for (int i = 0; i < 60; ++i) {
    const double a = lo + (hi - lo) * 0.4, b = lo + (hi - lo) * 0.6;
    const bool first = gap(a) < gap(b);
    (first ? hi : lo) = first ? b : a;
  }
  if (gap(lo) > touch) return -1;
  double before = 0, after = lo;
  if (gap(0) <= touch) return 0;
  for (int i = 0; i < 60; ++i) {
    const double middle = (before + after) / 2;
    (gap(middle) <= touch ? after : before) = middle;
  }
  return after;
}

// Where the ray is behind all of a convex shape that is bounded
template <int D>
double end_of_ray(const RayCase<D>& c) {
  const auto box = bounding_box(c.a.shape, c.a.pose());
  const double reach = length(c.ray.origin - (box.lo + box.hi) * 0.5) + 0.5 * length(box.hi - box.lo);
  return std::min(c.max_t, 1.01 * reach / length(c.ray.direction));
}

template <int D>
std::string broken_at_convex_shape(const RayCase<D>& c, const sudar::RayAnswer<D>& x) {
  const double end = end_of_ray(c), near = 1e-6, speed = length(c.ray.direction);
  const double touching = first_time_by_distance(c, end, 1e-9), deep = first_time_by_distance(c, end, -1e-9);
  // At the very end of a ray rounding has the word
  if (!x.hit) return deep >= 0 && deep < end - near / speed ? "the ray passes through and misses" : "";
  if (touching < 0) return "the ray hits what it does not meet";
  // Between the times at which it comes near and at which it is inside; grazing takes long for it
  if (x.t < touching - near) return "the hit is early";
  if (deep >= 0 && x.t > deep + near) return "the hit is late";
  const auto pose = c.a.pose();
  if (separation_at(c.a.shape, pose, c.ray.at(x.t)) > 1e-8) return "the hit is off the shape";
  if (!(std::fabs(length(x.normal) - 1) <= 1e-12)) return "the normal is not of unit length";
  if (dot(x.normal, c.ray.direction) > 1e-9) return "the normal goes with the ray";
  // One step out along the normal is outside, whatever the shape
  if (x.t > 0 && !(separation_at(c.a.shape, pose, x.point + x.normal * 1e-4) > 0.5e-4)) return "the normal is wrong";
  if (x.t > 0 && !(max_abs(x.point - c.ray.at(x.t)) <= 1e-12)) return "the point is not on the ray";
  if (x.inside != (separation_at(c.a.shape, pose, c.ray.origin) < 0)) return "inside and outside are mistaken";
  return "";
}

template <int D>
std::string broken_at_half_space(const RayCase<D>& c, const sudar::RayAnswer<D>& x, const sudar::Vec<D, double>& normal,
                                 double offset) {
  const auto n = rotate(c.a.pose().rotation, normal);
  const double height = dot(n, c.ray.origin - c.a.pose().position) - offset, speed = dot(n, c.ray.direction);
  const double t = height <= 0 ? 0 : speed < 0 ? -height / speed : std::numeric_limits<double>::infinity();
  const double near = 1e-9 * std::max(1.0, std::fabs(t));
  if (t > c.max_t + near && x.hit) return "the ray hits what it does not meet";
  if (t < c.max_t - near && !x.hit) return "the ray passes through and misses";
  return x.hit && !(std::fabs(x.t - t) <= near) ? "the hit is early or late" : "";
}

// The least of what the parts say, the ray in the frame of the shape
struct RayParts {
  double first = std::numeric_limits<double>::infinity();
  std::size_t hits = 0;

  void add(bool hit, double t, double max_t) {
    if (!hit || t > max_t) return;
    first = std::min(first, t);
    ++hits;
  }
};
inline RayParts parts_hit(const RayCase<3>& c) {
  using namespace sudar;
  RayParts out;
  const Shape3& shape = c.a.shape;
  const auto triangle = [&](const Triangle<3, double>& t) {
    const auto x = intersect(c.ray, t);
    out.add(x.hit, x.t, c.max_t);
  };
  if (shape.kind() == ShapeKind3::mesh) {
    const Mesh& mesh = shape.as<MeshShape3>().mesh->mesh();
    for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) triangle(mesh.corners(i));
  } else if (shape.kind() == ShapeKind3::height_field) {
    const HeightField& field = *shape.as<HeightFieldShape3>().field;
    for (std::uint32_t i = 0; i < field.triangle_count(); ++i) triangle(field.triangle(i));
  } else {
    for (const CompoundChild3& child : shape.as<CompoundShape3>().parts->children())
      if (const auto x = cast_ray(child.shape, child.pose, c.ray, c.max_t)) out.add(x->hit, x->t, c.max_t);
  }
  return out;
}
inline RayParts parts_hit(const RayCase<2>& c) {
  using namespace sudar;
  RayParts out;
  const Shape2& shape = c.a.shape;
  if (shape.kind() == ShapeKind2::compound) {
    for (const CompoundChild2& child : shape.as<CompoundShape2>().parts->children())
      if (const auto x = cast_ray(child.shape, child.pose, c.ray, c.max_t)) out.add(x->hit, x->t, c.max_t);
    return out;
  }
  const PolygonSet& set =
      shape.kind() == ShapeKind2::chain ? *shape.as<ChainShape2>().set : *shape.as<ConcavePolygonShape2>().set;
  for (std::uint32_t e = 0; e < set.edge_count(); ++e) {
    const double t = ray_segment_time(c.ray, set.edge(e));
    out.add(std::isfinite(t), t, c.max_t);
  }
  return out;
}

inline std::string broken_at_all_hits(const RayCase<3>& c, const sudar::RayAnswer3& x, const RayParts& parts) {
  const auto meets = ray_meets(c.a.shape, c.ray, c.max_t);
  if (!meets || *meets != x.hit) return "whether it is hit is not what the hit says";
  std::vector<sudar::RayAnswer3> all;
  if (!cast_ray_all(c.a.shape, c.ray, c.max_t, all)) return "all hits are refused";
  if (!x.inside && all.size() != parts.hits) return "all hits are more or fewer";
  return x.hit && !x.inside && all.front().t != x.t ? "the first of all hits is not the hit" : "";
}
inline std::string broken_at_all_hits(const RayCase<2>&, const sudar::RayAnswer2&, const RayParts&) { return ""; }

template <int D>
std::string broken_at_parts(const RayCase<D>& c, const sudar::RayAnswer<D>& x) {
  if (x.inside) return x.hit && x.t == 0 ? "" : "a ray from inside is hit later than at once";
  // A pose rounds, and then the parts have no exact word
  if (!(c.a.pose() == sudar::Pose<D, double>{})) return "";
  const RayParts parts = parts_hit(c);
  if (x.hit != (parts.hits > 0)) return "the parts are hit or not otherwise";
  if (x.hit && x.t != parts.first) return "the parts are hit at another time";
  return broken_at_all_hits(c, x, parts);
}

inline const sudar::HalfSpaceShape3* half_space_of(const sudar::Shape3& s) {
  return s.kind() == sudar::ShapeKind3::halfspace ? &s.as<sudar::HalfSpaceShape3>() : nullptr;
}
inline const sudar::HalfPlaneShape2* half_space_of(const sudar::Shape2& s) {
  return s.kind() == sudar::ShapeKind2::halfplane ? &s.as<sudar::HalfPlaneShape2>() : nullptr;
}

// Empty when the answer is one that may be given
template <int D>
std::string broken_promise(const RayCase<D>& c) {
  const auto x = cast_ray(c.a.shape, c.a.pose(), c.ray, c.max_t);
  if (!x) return "it is refused";
  if (c.expected && x->hit != *c.expected) return "it is hit or not otherwise than is known";
  if (const auto* half = half_space_of(c.a.shape)) return broken_at_half_space(c, *x, half->normal, half->offset);
  return c.a.shape.is_convex() ? broken_at_convex_shape(c, *x) : broken_at_parts(c, *x);
}

template <int D>
std::string case_line(const RayCase<D>& c) {
  using sudar::lab::body_text, sudar::lab::json_text;
  return sudar::lab::query_line(
      "ray", D,
      "\"a\":" + body_text(c.a.shape, c.a.at) + ",\"origin\":" + json_text(c.ray.origin) + ",\"direction\":" +
          json_text(c.ray.direction) + (std::isfinite(c.max_t) ? ",\"max\":" + json_text(c.max_t) : "") +
          (c.expected ? *c.expected ? ",\"expect\":{\"hit\":true}" : ",\"expect\":{\"hit\":false}" : ""));
}

template <int D>
std::string written_ray(const RayCase<D>& c, const std::string& wrong) {
  return shrunk_case(c, wrong, [](const RayCase<D>& other) { return broken_promise(other); });
}

}  // namespace sudar_test
