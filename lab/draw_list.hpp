// What:    What is to be drawn, as plain data: points, lines, triangles, labels, and instances of surfaces. Exhibits fill
//          it, the renderer reads it; it knows neither OpenGL nor windows.
// Frame:   World coordinates, metres; z is up in space. The plane lies in z = 0 with y up.
// Fails:   never; what has a NaN or an infinity is left out, because it cannot be drawn, and counted.
#pragma once

#include "lab/surface.hpp"
#include <sudar/bounding/aabb.hpp>
#include <sudar/math/pose.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sudar {
class Shape2;
class Shape3;
}  // namespace sudar

namespace sudar::lab {

// What a thing is, in place of what colour it has
enum class Ink : std::uint8_t {
  a,          // the first of two bodies
  b,          // the second
  contact,    // points where they touch, overlap
  normal,     // normals, directions, velocities
  axis,       // separating axes, coordinate axes
  ghost,      // where something was or will be
  good,       // true, agrees, free
  bad,        // false, missing, hit
  node,       // boxes and cells of acceleration structures
  ray,        // rays, sweeps, probes
  field,      // iso-lines, fields
  text,       // letters, axes of plots
  ground,     // floors, walls
  highlight,  // what is being decided in this step
};
inline constexpr int kInks = 14;

// sRGB, each 0…1, as written in the palette
struct Color {
  float r = 0, g = 0, b = 0, a = 1;
  friend constexpr bool operator==(const Color&, const Color&) = default;
};
// From the palette of Okabe and Ito, which people with any kind of colour blindness can tell apart; readable on dark and light
Color color_of(Ink ink, float alpha = 1);
// From dark blue over green to yellow, even in lightness; shares outside 0…1 are clamped
Color heat(double share, float alpha = 1);
// For the i-th curve of a plot, body or part; repeats after eight
Color series(std::size_t i, float alpha = 1);
inline Color faded(Color c, float alpha) { return {c.r, c.g, c.b, c.a * alpha}; }

struct DrawnPoint {
  BasicVec3<float> p;
  float pixels;
  Color color;
};
struct DrawnLine {
  BasicVec3<float> p, q;
  float pixels;
  Color color;
};
struct DrawnTriangle {
  BasicVec3<float> v[3];
  Color color;
};
struct DrawnLabel {
  Vec3d p;
  std::string text;
  Color color;
};

// The image of a surface's point x is column0 x.x + column1 x.y + column2 x.z + column3
struct Instance {
  std::array<float, 12> columns;
  Color color;
};
struct InstanceBatch {
  std::shared_ptr<const Surface> surface;
  bool wire = false;  // its edges in place of its faces
  double reach = 0;   // no point of the surface is farther from its origin, at size one
  std::vector<Instance> instances;
};

class DrawList {
 public:
  DrawList();

  bool flat = false;  // of the plane: seen from above without perspective, without light

  // Forgets what is to be drawn; surfaces that were made are kept for the next frame
  void clear();

  void point(const Vec3d& p, Color c, float pixels = 6);
  void line(const Vec3d& p, const Vec3d& q, Color c, float pixels = 1.5f);
  void arrow(const Vec3d& from, const Vec3d& to, Color c, float pixels = 2);
  void polyline(std::span<const Vec3d> points, Color c, bool closed, float pixels = 1.5f);
  // Around an axis, or in the plane
  void circle(const Vec3d& center, double radius, const Vec3d& axis, Color c, float pixels = 1.5f);
  // Lit on both sides unless flat; alpha < 1 is blended
  void triangle(const Vec3d& p, const Vec3d& q, const Vec3d& r, Color c);
  // Convex and planar
  void polygon(std::span<const Vec3d> points, Color c);
  void wire_box(const Vec3d& lo, const Vec3d& hi, Color c, float pixels = 1);
  void box(const Vec3d& lo, const Vec3d& hi, Color c);
  void sphere(const Vec3d& center, double radius, Color c);
  // The same, seen through everything: what is inside of bodies
  void point_in_front(const Vec3d& p, Color c, float pixels = 6);
  void line_in_front(const Vec3d& p, const Vec3d& q, Color c, float pixels = 1.5f);
  // At the right of the point; several lines are separated by '\n'
  void label(const Vec3d& p, std::string text, Color c = color_of(Ink::text));

  // Any shape, drawn instanced: what has the same surface costs one call. A half-space is a piece of its plane.
  void shape(const Shape3& s, const Pose3d& pose, Color c, bool wire = false);
  void shape(const Shape2& s, const Pose2d& pose, Color c, bool wire = false);
  // A surface of the caller's own, which keeps it: it is uploaded once
  void surface(const std::shared_ptr<const Surface>& s, const Pose3d& pose, Color c, bool wire = false);

  // Many at once: one colour for each, or one for all
  void boxes(std::span<const Aabb<3, float>> boxes, std::span<const Color> colors, bool wire = false);
  void boxes(std::span<const Aabb<2, float>> boxes, std::span<const Color> colors, bool wire = false);
  // Very many, by columns of their minima and maxima (two or three of each), with the number of a colour for each. They are
  // kept as they come; instances are made of them when the renderer asks, so that a frame that is not drawn does without.
  void boxes(std::span<const std::span<const float>> lo, std::span<const std::span<const float>> hi,
             std::span<const std::uint8_t> kinds, std::span<const Color> palette);
  void spheres(std::span<const Vec3d> centers, std::span<const double> radii, std::span<const Color> colors);

  // A point of the plane
  static Vec3d in_plane(const Vec2d& p) { return {p.x, p.y, 0}; }

  // For the renderer
  std::span<const DrawnPoint> points() const { return points_; }
  std::span<const DrawnLine> lines() const { return lines_; }
  std::span<const DrawnTriangle> triangles() const { return triangles_; }
  std::span<const DrawnLabel> labels() const { return labels_; }
  // Those without an instance are left over from frames before
  std::span<const InstanceBatch> batches() const;
  std::span<const DrawnPoint> points_in_front() const { return front_points_; }
  std::span<const DrawnLine> lines_in_front() const { return front_lines_; }
  // Around everything but half-spaces; empty when there is nothing
  Aabb3d bounds() const;
  std::size_t size() const;
  // Things with a NaN or an infinity since the list was cleared; columns of boxes are not looked at
  std::size_t left_out() const { return left_out_; }

 private:
  // Which surface a shape is drawn with: one of the common ones, or that of shared data
  using Key = std::pair<const void*, double>;
  struct Made {
    std::shared_ptr<const void> keeps;  // the address stays taken while this is here
    std::shared_ptr<const Surface> surface;
    unsigned unused = 0;  // frames
  };

  // Boxes of which no instances were made yet
  struct Columns {
    std::array<std::vector<float>, 3> lo, hi;
    std::vector<std::uint8_t> kinds;
    std::vector<Color> palette;
    int axes = 3;
  };

  InstanceBatch& batch_of(const std::shared_ptr<const Surface>& s, bool wire) const;
  void make_instances(const Columns& columns) const;
  void place(CommonSurface which, const Pose3d& pose, const Vec3d& scale, Color c, bool wire);
  void grow(const Vec3d& p, double reach = 0);
  // Whether that can be drawn; what cannot is counted
  bool drawable(bool finite) {
    left_out_ += !finite;
    return finite;
  }
  void capsule(const Pose3d& pose, const Vec3d& p, const Vec3d& q, double radius, Color c, bool wire);
  template <class Make>
  const std::shared_ptr<const Surface>& made(const std::shared_ptr<const void>& data, double radius, Make make);

  std::vector<DrawnPoint> points_;
  std::vector<DrawnLine> lines_;
  std::vector<DrawnTriangle> triangles_;
  std::vector<DrawnLabel> labels_;
  std::vector<DrawnPoint> front_points_;
  std::vector<DrawnLine> front_lines_;
  mutable std::vector<InstanceBatch> batches_;
  mutable std::map<std::pair<const Surface*, bool>, std::size_t> batch_index_;
  std::vector<Columns> columns_;  // those behind the first so many are left over from frames before
  std::size_t columns_used_ = 0;
  mutable std::size_t columns_made_ = 0;  // of which there are instances
  std::map<Key, Made> made_;
  Aabb3d bounds_;
  std::size_t left_out_ = 0;
};

}  // namespace sudar::lab
