// What:    The viewer: orbits around a point, walks or flies with acceleration and slides along walls, or looks at the plane
//          from above. Free of OpenGL.
// Frame:   The world's; z up. Yaw turns about z from the x axis, pitch is above the horizon, radians.
#pragma once

#include "lab/exhibit.hpp"

#include <array>
#include <functional>

namespace sudar::lab {

// By columns, as OpenGL takes it
using Mat4 = std::array<float, 16>;
Mat4 operator*(const Mat4& a, const Mat4& b);
Mat4 looking(const Vec3d& eye, const Vec3d& target, const Vec3d& up);
Mat4 orthographic(double half_width, double half_height, double near_z, double far_z);
Mat4 perspective(double fov_y, double aspect, double near_z, double far_z);
// Clip coordinates of a point
std::array<float, 4> apply(const Mat4& m, const Vec3d& p);

enum class CameraMode : std::uint8_t { orbit, walk, fly, plane };

// What the keys and the pointer ask for, between -1 and 1
struct Walk {
  double forward = 0, right = 0, up = 0;
  bool fast = false;
};

class Camera {
 public:
  CameraMode mode = CameraMode::orbit;
  Vec3d target{};       // of the orbit, and of the plane
  double distance = 5;  // from the target
  double yaw = 1, pitch = 0.4;
  double height = 2;      // of what is seen of the plane
  double fov = 0.8;       // from top to bottom
  double scene_size = 1;  // how large a step is
  Vec3d velocity{};       // of a walker

  // Frames the box, seen from the direction of the view
  void frame(const View& view, const Aabb3d& bounds, bool flat, double aspect);
  void set_mode(CameraMode wanted);

  Vec3d eye() const;
  Vec3d forward() const;  // of length one
  Vec3d right() const;

  void turn(double yaw_by, double pitch_by);
  // By shares of the height of the view
  void pan(double right_share, double up_share);
  // Nearer by a factor; in the plane the point under the pointer stays where it is (in -1…1 of the view)
  void zoom(double factor, double pointer_x = 0, double pointer_y = 0, double aspect = 1);
  // Speeds up towards what is asked and slows down by itself. `push_out` is the exhibit's; a walker slides along what it says.
  void move(const Walk& walk, double seconds, const std::function<Vec3d(const Vec3d&, double)>& push_out);

  // Things drawn `nearer` by a share of their distance cover surfaces that they lie on
  Mat4 projection(double aspect, const Aabb3d& bounds, double nearer = 0) const;
  Mat4 view() const;
  // The ray through a point of the view, x and y in -1…1
  Pick ray(double x, double y, double aspect) const;
  double walker_radius() const { return 0.02 * scene_size; }

 private:
  void put_eye(const Vec3d& eye);
};

}  // namespace sudar::lab
