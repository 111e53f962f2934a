#include "lab/camera.hpp"

#include <sudar/math/scalar.hpp>

#include <algorithm>
#include <cmath>

namespace sudar::lab {

namespace {

constexpr double kSteepest = 1.55;   // radians: never straight up or down, where left and right are lost
constexpr double kResponse = 8;      // a walker reaches its speed within an eighth of a second
constexpr double kWalkSpeed = 0.35;  // sizes of the scene in a second
constexpr double kFastFactor = 4;
constexpr double kFrameMargin = 1.12;  // air around what is framed

}  // namespace

Mat4 operator*(const Mat4& a, const Mat4& b) {
  Mat4 m{};
  for (std::size_t j = 0; j < 4; ++j)
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t k = 0; k < 4; ++k) m[4 * j + i] += a[4 * k + i] * b[4 * j + k];
  return m;
}

Mat4 looking(const Vec3d& eye, const Vec3d& target, const Vec3d& up) {
  const Vec3d f = normalized(target - eye), r = normalized(cross(f, up)), u = cross(r, f);
  const auto as_float = [](double x) { return static_cast<float>(x); };
  return {as_float(r.x),          as_float(u.x),          as_float(-f.x),        0,
          as_float(r.y),          as_float(u.y),          as_float(-f.y),        0,
          as_float(r.z),          as_float(u.z),          as_float(-f.z),        0,
          as_float(-dot(r, eye)), as_float(-dot(u, eye)), as_float(dot(f, eye)), 1};
}

Mat4 orthographic(double half_width, double half_height, double near_z, double far_z) {
  Mat4 m{};
  m[0] = static_cast<float>(1 / half_width);
  m[5] = static_cast<float>(1 / half_height);
  m[10] = static_cast<float>(-2 / (far_z - near_z));
  m[14] = static_cast<float>(-(far_z + near_z) / (far_z - near_z));
  m[15] = 1;
  return m;
}

Mat4 perspective(double fov_y, double aspect, double near_z, double far_z) {
  const double f = 1 / std::tan(fov_y / 2);
  Mat4 m{};
  m[0] = static_cast<float>(f / aspect);
  m[5] = static_cast<float>(f);
  m[10] = static_cast<float>((far_z + near_z) / (near_z - far_z));
  m[11] = -1;
  m[14] = static_cast<float>(2 * far_z * near_z / (near_z - far_z));
  return m;
}

std::array<float, 4> apply(const Mat4& m, const Vec3d& p) {
  std::array<float, 4> out{};
  for (std::size_t i = 0; i < 4; ++i)
    out[i] = static_cast<float>(m[i] * p.x + m[4 + i] * p.y + m[8 + i] * p.z + m[12 + i]);
  return out;
}

void Camera::frame(const View& view, const Aabb3d& bounds, bool flat, double aspect) {
  const bool seen = is_valid(bounds) && is_finite(bounds.lo) && is_finite(bounds.hi);
  const Vec3d size = seen ? bounds.hi - bounds.lo : Vec3d{1, 1, 1};
  velocity = {};
  target = view.fit && seen ? (bounds.lo + bounds.hi) * 0.5 : view.target;
  const double extent = std::max({size.x, size.y, flat ? 0.0 : size.z});
  scene_size = extent > 0 ? extent : 1;
  if (flat) {
    mode = CameraMode::plane;
    target.z = 0;
    height = view.fit ? kFrameMargin * std::max(size.y, size.x / aspect) : view.height;
    if (!(height > 0)) height = 1;
    return;
  }
  if (mode == CameraMode::plane) mode = CameraMode::orbit;
  Vec3d way = view.fit ? view.eye : view.target - view.eye;
  if (view.fit) way = -way;
  if (way == Vec3d{} || !is_finite(way)) way = {0, 1, -0.4};
  yaw = arc_tangent(way.y, way.x);
  pitch = std::clamp(arc_tangent(way.z, std::sqrt(way.x * way.x + way.y * way.y)), -kSteepest, kSteepest);
  distance = length(way);
  if (!view.fit) {
    scene_size = std::max(scene_size, distance);
    return;
  }
  // Far enough that the corners of the box are inside the view on both axes
  const Vec3d f = forward(), r = right(), u = cross(r, f);
  const double tan_y = std::tan(fov / 2), tan_x = tan_y * aspect;
  distance = 0;
  for (int i = 0; i < 8; ++i) {
    const Vec3d corner = Vec3d{i & 1 ? size.x : -size.x, i & 2 ? size.y : -size.y, i & 4 ? size.z : -size.z} * 0.5;
    const double depth = dot(corner, f);
    distance =
        std::max({distance, std::fabs(dot(corner, r)) / tan_x - depth, std::fabs(dot(corner, u)) / tan_y - depth});
  }
  distance *= 1 + (kFrameMargin - 1) / 2;
  if (!(distance > 0)) distance = 1;
}

void Camera::set_mode(CameraMode wanted) {
  if (mode == CameraMode::plane || wanted == CameraMode::plane || mode == wanted) return;
  const Vec3d at = eye();
  velocity = {};
  mode = wanted;
  put_eye(at);
}

Vec3d Camera::forward() const {
  if (mode == CameraMode::plane) return {0, 0, -1};
  const SinCos y = sin_cos(yaw), p = sin_cos(pitch);
  return {y.cos * p.cos, y.sin * p.cos, p.sin};
}

Vec3d Camera::right() const {
  if (mode == CameraMode::plane) return {1, 0, 0};
  const SinCos y = sin_cos(yaw);
  return {y.sin, -y.cos, 0};
}

Vec3d Camera::eye() const {
  if (mode == CameraMode::plane) return target + Vec3d{0, 0, 1};
  return target - forward() * distance;
}

void Camera::put_eye(const Vec3d& eye) { target = eye + forward() * distance; }

void Camera::turn(double yaw_by, double pitch_by) {
  if (mode == CameraMode::plane) return;
  // A walker turns the head, the orbit turns about its target
  const Vec3d at = eye();
  yaw += yaw_by;
  pitch = std::clamp(pitch + pitch_by, -kSteepest, kSteepest);
  if (mode != CameraMode::orbit) put_eye(at);
}

void Camera::pan(double right_share, double up_share) {
  const double seen = mode == CameraMode::plane ? height : 2 * distance * std::tan(fov / 2);
  const Vec3d r = right(), u = mode == CameraMode::plane ? Vec3d{0, 1, 0} : cross(r, forward());
  target += (r * right_share + u * up_share) * seen;
}

void Camera::zoom(double factor, double pointer_x, double pointer_y, double aspect) {
  if (!(factor > 0)) return;
  if (mode == CameraMode::plane) {
    const Vec3d pointer{pointer_x * aspect * height / 2, pointer_y * height / 2, 0};
    target += pointer * (1 - factor);
    height *= factor;
  } else if (mode == CameraMode::orbit) {
    distance *= factor;
  } else {
    target += forward() * ((1 - factor) * scene_size * 0.5);
  }
}

void Camera::move(const Walk& walk, double seconds, const std::function<Vec3d(const Vec3d&, double)>& push_out) {
  Vec3d f = forward();
  // A walker stays at the height where it is unless it climbs
  if (mode == CameraMode::walk || mode == CameraMode::orbit) f = normalized(Vec3d{f.x, f.y, 0});
  Vec3d wish = f * walk.forward + right() * walk.right + Vec3d{0, 0, 1} * walk.up;
  if (mode == CameraMode::plane) wish = {walk.right, walk.forward, 0};
  const double longest = length(wish), reference = mode == CameraMode::plane ? height : scene_size;
  if (longest > 1) wish = wish / longest;
  wish *= kWalkSpeed * reference * (walk.fast ? kFastFactor : 1);
  const double share = std::min(1.0, kResponse * seconds);
  velocity += (wish - velocity) * share;
  if (length(velocity) < 0x1p-10 * kWalkSpeed * reference && wish == Vec3d{}) velocity = {};
  if (velocity == Vec3d{}) return;
  if (mode == CameraMode::plane || mode == CameraMode::orbit || !push_out) {
    target += velocity * seconds;
    return;
  }
  // In pieces shorter than the walker, so that no wall is passed; what pushes takes the speed against it away
  const double radius = walker_radius();
  const int pieces = std::clamp(static_cast<int>(std::ceil(length(velocity) * seconds / (0.5 * radius))), 1, 64);
  Vec3d at = eye();
  for (int i = 0; i < pieces; ++i) {
    at += velocity * (seconds / pieces);
    const Vec3d out = push_out(at, radius);
    if (out == Vec3d{} || !is_finite(out)) continue;
    at += out;
    const Vec3d n = normalized(out);
    const double against = dot(velocity, n);
    if (against < 0) velocity -= n * against;
  }
  put_eye(at);
}

Mat4 Camera::projection(double aspect, const Aabb3d& bounds, double nearer) const {
  if (mode == CameraMode::plane) return orthographic(aspect * height / 2, height / 2, -1000, 1000);
  // As deep as what is drawn, so that the depth buffer is used well
  double far_z = 4 * scene_size + distance;
  const Vec3d at = eye();
  if (is_valid(bounds))
    for (int i = 0; i < 8; ++i) {
      const Vec3d corner{i & 1 ? bounds.hi.x : bounds.lo.x, i & 2 ? bounds.hi.y : bounds.lo.y,
                         i & 4 ? bounds.hi.z : bounds.lo.z};
      far_z = std::max(far_z, 1.1 * sudar::distance(corner, at));
    }
  const double near_z = std::min(0.002 * scene_size, 0.05 * distance);
  return perspective(fov, aspect, near_z * (1 + nearer), far_z * (1 + nearer));
}

Mat4 Camera::view() const {
  return mode == CameraMode::plane ? looking(eye(), target, {0, 1, 0}) : looking(eye(), target, {0, 0, 1});
}

Pick Camera::ray(double x, double y, double aspect) const {
  if (mode == CameraMode::plane)
    return {{target.x + x * aspect * height / 2, target.y + y * height / 2, 0}, {0, 0, -1}};
  const Vec3d f = forward(), r = right(), u = cross(r, f);
  const double t = std::tan(fov / 2);
  return {eye(), normalized(f + r * (x * t * aspect) + u * (y * t))};
}

}  // namespace sudar::lab
