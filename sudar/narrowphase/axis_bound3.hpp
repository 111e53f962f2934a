// What:    A bound from below for the depth of a body in a body of revolution, over all directions between two latitudes: by
//          points of the other that lie near the axis.
// Source:  The plane of a body in direction n lies h(n) - p·n beyond a point p. On the axis that depends on the latitude alone.
// Differs: A corner on the axis has a ring of directions, or a part of one, that are all equally good; each belt of latitudes is
//          one look here. For cylinders, cones and ellipsoids of revolution the least over a belt is at its ends or where
//          two pieces of the support function meet.
// Frame:   Anyone's; directions point out of the body of revolution.
// Fails:   never: without a point near the axis the bound is minus infinity.
#pragma once

#include <sudar/math/vec.hpp>

namespace sudar {

// A cylinder or cone about its z axis, or an ellipsoid about the one of its axes that is not like the others
struct Revolution {
  enum class Kind { cylinder, cone, ellipsoid } kind = Kind::cylinder;
  double radius = 0, height = 0;  // half of it; of an ellipsoid the radius along the axis
};

class AxisBound3 {
 public:
  AxisBound3() = default;
  AxisBound3(const Revolution& body, const Vec3d& center, const Vec3d& axis, double reach)
      : body_(body), center_(center), axis_(axis), reach_(reach) {}
  // Taken up when it is no farther from the axis than the reach, and the first or last along it
  void add(const Vec3d& point) noexcept;
  const Vec3d& axis() const noexcept { return axis_; }
  // No plane of the body in a direction whose cosine to the axis is in [from, to] is nearer than this to all of the points
  double least(double from, double to) const noexcept;

 private:
  struct Point {
    double along = 0, off = 0;
  };
  double least(const Point& p, double from, double to) const noexcept;
  double beyond(const Point& p, double cosine) const noexcept;

  Revolution body_;
  Vec3d center_{}, axis_{};
  double reach_ = 0;
  int count_ = 0;
  Point first_, last_;
};

}  // namespace sudar
