// Two bodies of any numbers: what is asked in two ways has one answer, and answers are finite, within their bounds and no
// search's limit. In space; after a byte of 255, in the plane.
#include "tests/fuzz/shape_bytes.hpp"
#include "tests/support/thin_pair.hpp"
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/convex_view3.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace sudar_fuzz {

namespace {

using namespace sudar;

constexpr std::uint8_t kInThePlane = 255;

Shape3 body_of(Bytes& bytes) {
  const auto or_point = [](const Result<Shape3>& made) { return made ? *made : *make_point3({0, 0, 0}); };
  const std::uint8_t choice = bytes.byte();
  if (choice >= kMoreShapes) return or_point(more_shape(bytes, choice, std::integral_constant<int, 3>()));
  switch (choice % 10) {
    case 0:
      return or_point(make_sphere3(bytes.size()));
    case 1: {
      const Vec3d p = bytes.vector<3>(), q = bytes.vector<3>();
      return or_point(make_capsule3(p, q, bytes.size()));
    }
    case 2:
    case 3:
      return or_point(make_box3({bytes.size(), bytes.size(), bytes.size()}));
    case 4: {
      const double half_height = bytes.size();
      return or_point(make_cylinder3(half_height, bytes.size()));
    }
    case 5: {
      const double half_height = bytes.size();
      return or_point(make_cone3(half_height, bytes.size()));
    }
    case 6: {
      const Vec3d p = bytes.vector<3>(), q = bytes.vector<3>();
      return or_point(make_triangle3(p, q, bytes.vector<3>()));
    }
    case 7: {
      const Vec3d p = bytes.vector<3>();
      return or_point(make_segment3(p, bytes.vector<3>()));
    }
    case 8: {
      const Vec3d normal = bytes.vector<3>();
      return or_point(make_halfspace3(normal, bytes.number()));
    }
    default: {
      std::vector<Vec3d> points(1 + bytes.below(12));
      for (Vec3d& p : points) p = bytes.vector<3>();
      return or_point(make_hull_shape3(points, bytes.below(4) == 0 ? bytes.size() : 0));
    }
  }
}
Shape2 flat_body_of(Bytes& bytes) {
  const auto or_point = [](const Result<Shape2>& made) { return made ? *made : *make_point2({0, 0}); };
  const std::uint8_t choice = bytes.byte();
  if (choice >= kMoreShapes) return or_point(more_shape(bytes, choice, std::integral_constant<int, 2>()));
  switch (choice % 6) {
    case 0:
      return or_point(make_circle2(bytes.size()));
    case 1: {
      const Vec2d p = bytes.vector<2>(), q = bytes.vector<2>();
      return or_point(make_capsule2(p, q, bytes.size()));
    }
    case 2:
      return or_point(make_box2({bytes.size(), bytes.size()}));
    case 3: {
      const Vec2d normal = bytes.vector<2>();
      return or_point(make_halfplane2(normal, bytes.number()));
    }
    case 4:
      return or_point(make_point2(bytes.vector<2>()));
    default:
      return or_point(make_polygon2(some_points<2>(bytes, 1, 9)));
  }
}

template <class Pose>
Pose place_of_body(Bytes& bytes) {
  Pose pose;
  for (int i = 0; i < static_cast<int>(sizeof(pose.position) / sizeof(double)); ++i) pose.position[i] = bytes.number();
  if (bytes.below(3) == 0) turn(bytes, pose);
  return pose;
}

bool is_flat(const Shape3& shape) {
  if (shape.kind() == ShapeKind3::compound) {
    const auto children = shape.as<CompoundShape3>().parts->children();
    return std::all_of(children.begin(), children.end(), [](const auto& child) { return is_flat(child.shape); });
  }
  return !shape.is_convex() || !shape.is_bounded() || (make_view(shape).is_polytope() && make_view(shape).radius == 0);
}
// The hull of the pieces of a compound is known by its support function alone. Where something of it or of the other is round,
// the search for the proof of a depth goes to its limit, which is bounded and takes many seconds under the sanitizers.
bool takes_long(const Shape3& a, const Shape3& b) {
  return (a.kind() == ShapeKind3::compound || b.kind() == ShapeKind3::compound) && !(is_flat(a) && is_flat(b));
}
bool takes_long(const Shape2&, const Shape2&) { return false; }

// `may_end`: at the limit of a search, as depths of what is not convex may
template <class Shape, class Pose>
void look_at_pair(const Shape& a, const Pose& at_a, const Shape& b, const Pose& at_b, bool may_end, Bytes& bytes) {
  const bool hit = intersects(a, at_a, b, at_b);
  promise(hit == intersects(b, at_b, a, at_a), "the order of two bodies is no matter");
  if (hit && takes_long(a, b)) return;
  const auto x = distance(a, at_a, b, at_b);
  if (x.status == QueryStatus::unsupported) return;
  promise(std::isfinite(x.separation) && is_finite(x.normal) && is_finite(x.point_a) && is_finite(x.point_b),
          "an answer is finite");
  promise(x.lower <= x.separation && x.separation <= x.upper, "an answer lies within its bounds");
  promise(x.status != QueryStatus::max_iterations || may_end, "no search ends at its limit");
  promise(hit ? x.separation <= 0 : x.separation >= 0, "yes and no is the sign of the distance");
  const auto set = contacts(a, at_a, b, at_b, bytes.coin() ? 0.125 : 0);
  for (const auto& point : set.points)
    promise(is_finite(point.position) && std::isfinite(point.separation), "contacts are finite");
}

}  // namespace

void fuzz_bodies(FuzzBytes all) {
  if (!all.empty() && all[0] == kInThePlane) {
    Bytes bytes(all.subspan(1));
    const Shape2 a = flat_body_of(bytes), b = flat_body_of(bytes);
    const auto at_a = place_of_body<Pose2d>(bytes), at_b = place_of_body<Pose2d>(bytes);
    return look_at_pair(a, at_a, b, at_b, !a.is_convex() || !b.is_convex(), bytes);
  }
  Bytes bytes(all);
  const Shape3 a = body_of(bytes), b = body_of(bytes);
  const auto at_a = place_of_body<Pose3d>(bytes), at_b = place_of_body<Pose3d>(bytes);
  // Where a round body is so thin, or so small beside the other, that rounding leaves little of it (docs/guarantees.md)
  const bool may_end = !a.is_convex() || !b.is_convex() || sudar_test::is_thin_pair(a, b);
  look_at_pair(a, at_a, b, at_b, may_end, bytes);
}

}  // namespace sudar_fuzz
