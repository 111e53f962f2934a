// What:    A piece of the plane, moved and scaled into a rectangle of the picture. What a case has may be far from the origin,
//          and of any size; letters, arrows and the curves below the scene have theirs.
// Differs: A shape in the size of the picture is made once, and drawn in every frame: surfaces are kept by what they are made of.
// Fails:   a shape that cannot be made in the size of the picture is not drawn.
#pragma once

#include "lab/draw_list.hpp"
#include <sudar/shapes/shape2.hpp>

#include <optional>
#include <string_view>

namespace sudar::lab {

// A shape in the size of the picture, around its own middle
class SeenShape {
 public:
  SeenShape() = default;
  SeenShape(const Shape2& shape, double scale);
  double scale() const { return scale_; }

 private:
  friend class PlaneView;
  std::optional<Shape2> world_, drawn_;  // none when it cannot be made
  Vec2d origin_{};                       // of what is drawn, in the frame of the shape
  double scale_ = 1;
};

class PlaneView {
 public:
  // As it is, all of the picture
  PlaneView() = default;
  // The box in the middle of the rectangle, as large as fits
  PlaneView(const Aabb2d& seen, const Aabb2d& picture);

  // Pixels of one metre, as it were
  double scale() const { return scale_; }
  Vec2d at(const Vec2d& p) const { return (p - center_) * scale_ + middle_; }
  Pose2d at(const Pose2d& pose) const { return {at(pose.position), pose.rotation}; }
  Aabb2d at(const Aabb2d& box) const { return {at(box.lo), at(box.hi)}; }
  Vec2d world(const Vec2d& drawn) const { return (drawn - middle_) / scale_ + center_; }

  // Whether all of it is in the rectangle, or any of it
  bool holds(const Aabb2d& box) const;
  bool meets(const Aabb2d& box) const;

  // A bounded shape, or the piece of a half-plane that is beside a point; what is elsewhere is an arrow that says how far away
  void body(DrawList& list, const SeenShape& seen, const Pose2d& pose, const Vec2d& beside, Ink ink, float alpha,
            std::string_view name) const;
  // Its outline, where all of it is in the rectangle
  void ghost(DrawList& list, const SeenShape& seen, const Pose2d& pose, Ink ink, float alpha) const;
  // What of a way is in the rectangle, with a tip
  void way(DrawList& list, const Vec2d& from, const Vec2d& to, Color c, float pixels) const;

 private:
  void far_away(DrawList& list, const Vec2d& p, Ink ink, std::string_view name) const;

  Vec2d center_{}, middle_{};
  double scale_ = 1;
  std::optional<Aabb2d> picture_;
};

// How large what is drawn of a shape is, metres: nothing of a point or a half-plane
double seen_size(const Shape2& shape, const Pose2d& pose);

}  // namespace sudar::lab
