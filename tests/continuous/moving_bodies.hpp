// What:    Random bodies on their way, for the tests of this room.
#pragma once

#include <sudar/continuous/motion.hpp>
#include <sudar/math/sampling.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>

#include <cmath>
#include <vector>

namespace sudar_test {

template <int D>
struct MovingBody {
  sudar::AnyShape<D> shape;
  sudar::Pose<D, double> pose{};
  sudar::RigidMotion<D> motion{};
};

// A convex shape of about the given size; `curved` takes in cylinders, cones and ellipsoids
inline sudar::Shape3 random_convex3(sudar::Random& random, double size, bool curved) {
  using namespace sudar;
  const auto point = [&] { return point_in_ball<3>(random) * size; };
  const auto length = [&] { return size * random.uniform(0.05, 1); };
  switch (random.below(curved ? 10 : 7)) {
    case 0:
      return *make_point3(point());
    case 1:
      return *make_segment3(point(), point());
    case 2:
      return *make_triangle3(point(), point(), point());
    case 3:
      return *make_sphere3(length());
    case 4:
      return *make_capsule3(point(), point(), length());
    case 5:
      return *make_box3({length(), length(), length()});
    case 6: {
      std::vector<Vec3d> points;
      for (std::uint64_t i = 0, n = 4 + random.below(12); i < n; ++i) points.push_back(point());
      return *make_hull_shape3(points, random.coin() ? 0 : 0.2 * length());
    }
    case 7:
      return *make_cylinder3(length(), length());
    case 8:
      return *make_cone3(length(), length());
    default:
      return *make_ellipsoid3({length(), length(), length()});
  }
}
inline sudar::Shape2 random_convex2(sudar::Random& random, double size) {
  using namespace sudar;
  const auto point = [&] { return point_in_ball<2>(random) * size; };
  const auto length = [&] { return size * random.uniform(0.05, 1); };
  switch (random.below(6)) {
    case 0:
      return *make_point2(point());
    case 1:
      return *make_segment2(point(), point());
    case 2:
      return *make_circle2(length());
    case 3:
      return *make_capsule2(point(), point(), length());
    case 4:
      return *make_box2({length(), length()});
    default: {
      std::vector<Vec2d> points;
      for (std::uint64_t i = 0, n = 3 + random.below(8); i < n; ++i) points.push_back(point());
      return *make_polygon2(points, random.coin() ? 0 : 0.2 * length());
    }
  }
}

// Somewhere around, and a velocity that takes it near the middle at some time in [0, 1]
inline void aim(sudar::Random& random, MovingBody<3>& body, double far, double spread) {
  using namespace sudar;
  body.pose = {unit_vector<3>(random) * far, unit_quaternion(random)};
  const Vec3d through = point_in_ball<3>(random) * spread;
  body.motion.linear = (through - body.pose.position) / random.uniform(0.1, 0.9);
}
inline void aim(sudar::Random& random, MovingBody<2>& body, double far, double spread) {
  using namespace sudar;
  body.pose = {unit_vector<2>(random) * far, unit_rotation(random)};
  const Vec2d through = point_in_ball<2>(random) * spread;
  body.motion.linear = (through - body.pose.position) / random.uniform(0.1, 0.9);
}

// Where a body is at a time, by the formula of rotation in extended precision: shares nothing with the library's motion
inline sudar::Pose2d pose_by_hand(const MovingBody<2>& body, long double t) {
  sudar::Pose2d out;
  for (int i = 0; i < 2; ++i) out.position[i] = static_cast<double>(body.pose.position[i] + body.motion.linear[i] * t);
  const long double c = std::cos(body.motion.angular * t), s = std::sin(body.motion.angular * t);
  const sudar::Rot2d& r = body.pose.rotation;
  out.rotation = {static_cast<double>(c * r.c - s * r.s), static_cast<double>(s * r.c + c * r.s)};
  return out;
}
inline sudar::Pose3d pose_by_hand(const MovingBody<3>& body, long double t) {
  sudar::Pose3d out;
  const sudar::Vec3d& w = body.motion.angular;
  for (int i = 0; i < 3; ++i) out.position[i] = static_cast<double>(body.pose.position[i] + body.motion.linear[i] * t);
  out.rotation = body.pose.rotation;
  const long double rate = std::sqrt(static_cast<long double>(w.x) * w.x + static_cast<long double>(w.y) * w.y +
                                     static_cast<long double>(w.z) * w.z);
  if (!(rate > 0)) return out;
  const long double c = std::cos(rate * t / 2), s = std::sin(rate * t / 2) / rate;
  const long double x = s * w.x, y = s * w.y, z = s * w.z;
  const sudar::Quatd& q = body.pose.rotation;
  out.rotation = {static_cast<double>(c * q.w - x * q.x - y * q.y - z * q.z),
                  static_cast<double>(c * q.x + x * q.w + y * q.z - z * q.y),
                  static_cast<double>(c * q.y - x * q.z + y * q.w + z * q.x),
                  static_cast<double>(c * q.z + x * q.y - y * q.x + z * q.w)};
  return out;
}

// First of evenly spaced times at which the two touch, or a negative number
template <int D>
double sampled_contact(const MovingBody<D>& a, const MovingBody<D>& b, double t_max, int samples) {
  for (int k = 0; k <= samples; ++k)
    if (const double t = t_max * k / samples;
        sudar::intersects(a.shape, pose_by_hand(a, t), b.shape, pose_by_hand(b, t)))
      return t;
  return -1;
}

}  // namespace sudar_test
