// What:    See half_space_view.hpp.
#include "lab/half_space_view.hpp"

namespace sudar::lab {

namespace {

constexpr double kPieceShare = 1;    // of what is beside it: half the side of the piece
constexpr double kArrowShare = 0.3;  // of that: the arrow that points out of it

template <class Box>
double piece_of(const Box& box) {
  const double size = max_abs(box.hi - box.lo);
  return kPieceShare * (size > 0 ? size : 1);
}

}  // namespace

void draw_half_space(DrawList& list, const HalfSpaceShape3& half, const Pose3d& pose, const Aabb3d& beside, Ink ink,
                     float alpha, const std::string& name) {
  const Vec3d n = rotate(pose.rotation, half.normal), middle = (beside.lo + beside.hi) * 0.5;
  const double size = piece_of(beside);
  const Vec3d foot = middle - n * (dot(n, middle - pose.position) - half.offset);
  Vec3d u, v;
  make_frame(n, u, v);
  u = u * size, v = v * size;
  const Vec3d corners[] = {foot + u + v, foot - u + v, foot - u - v, foot + u - v};
  list.polygon(corners, color_of(ink, alpha));
  list.polyline(corners, color_of(ink), true, 2);
  list.arrow(foot, foot + n * (kArrowShare * size), color_of(ink), 2);
  if (!name.empty()) list.label(corners[0], name, color_of(ink));
}

void draw_half_plane(DrawList& list, const HalfPlaneShape2& half, const Pose2d& pose, const Aabb2d& beside, Ink ink,
                     float alpha, const std::string& name) {
  const Vec2d n = rotate(pose.rotation, half.normal), along{-n.y, n.x}, middle = (beside.lo + beside.hi) * 0.5;
  const double size = piece_of(beside);
  const Vec2d foot = middle - n * (dot(n, middle - pose.position) - half.offset);
  const auto at = [&](double right, double down) { return DrawList::in_plane(foot + along * right - n * down); };
  const Vec3d corners[] = {at(size, 0), at(-size, 0), at(-size, size), at(size, size)};
  list.polygon(corners, color_of(ink, alpha));
  list.line(corners[0], corners[1], color_of(ink), 2);
  list.arrow(at(0, 0), at(0, -kArrowShare * size), color_of(ink), 2);
  if (!name.empty()) list.label(at(-0.9 * size, 0.5 * size), name, color_of(ink));
}

}  // namespace sudar::lab
