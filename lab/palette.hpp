// What:    Two shapes from a palette at places that a person sets: what the microscope looks at. One pair for the plane and
//          one for space, with their parameters, their pictures and their test cases.
// Frame:   A stands at the origin and is turned; B is moved and turned. Angles are set in degrees.
#pragma once

#include "lab/exhibit.hpp"
#include "lab/query_case.hpp"
#include "lab/query_file.hpp"
#include "lab/query_text.hpp"
#include "lab/stepped.hpp"
#include <sudar/narrowphase/placement.hpp>

#include <string>
#include <vector>

namespace sudar::lab {

// Names of the palette; `polytopes` leaves out what has no corners
std::vector<std::string> palette2(bool polytopes);
std::vector<std::string> palette3(bool polytopes);
Shape2 palette_shape2(std::string_view name);
Shape3 palette_shape3(std::string_view name);

// Where an exhibit begins
struct PairStart2 {
  std::string_view a, b;
  Vec2d at;                       // of B
  double turn_a = 0, turn_b = 0;  // degrees
  bool polytopes = false;         // of the palette only these
};
struct PairStart3 {
  std::string_view a, b;
  Vec3d at;
  double turn_a = 0;                    // around z
  double yaw = 0, pitch = 0, roll = 0;  // of B
  bool polytopes = false;
};

class Pair2 {
 public:
  // Appends its parameters
  Pair2(const PairStart2& start, std::vector<Parameter>& parameters);
  // Takes over what is set. A new case (a line of `sudar query`, or @FILE) sets where B is; turns are those of the case then.
  void read(std::span<Parameter> parameters);

  const Shape2& a() const { return a_; }
  const Shape2& b() const { return b_; }
  Pose2d pose_a() const { return at_a_.pose(); }
  Pose2d pose_b() const { return at_b_.pose(); }
  Placement2 placement() const { return make_placement<2>(pose_a(), pose_b()); }
  Vec2d to_world(const Vec2d& p_a) const { return transform(pose_a(), p_a); }
  Vec2d turned(const Vec2d& d_a) const { return rotate(pose_a().rotation, d_a); }
  // Neither is a half-plane; of one that is, bounds() leaves it out
  bool bounded() const { return a_.is_bounded() && b_.is_bounded(); }
  Aabb2d bounds() const;
  // Filled, with outlines and names
  void draw(DrawList& list, float alpha = 0.45f) const;
  std::string query(std::string_view op, std::string_view more = {}) const {
    return query_text(op, a_, at_a_, b_, at_b_, more);
  }

  // Whether it shows a case, or why it does not
  void tell(Panel& panel) const;
  // Near enough for a hand
  bool meets_b(const Pick& pick) const;

 private:
  Shape2 a_, b_;
  TurnedPlace2 at_a_, at_b_;
  bool polytopes_;
  void draw_shape(DrawList& list, const Shape2& shape, const Pose2d& pose, Ink ink, float alpha) const;

  CaseSlot case_;
  std::optional<GivenPair2> given_;
};

class Pair3 {
 public:
  Pair3(const PairStart3& start, std::vector<Parameter>& parameters);
  void read(std::span<Parameter> parameters);

  const Shape3& a() const { return a_; }
  const Shape3& b() const { return b_; }
  const Pose3d& pose_a() const { return pose_a_; }
  const Pose3d& pose_b() const { return pose_b_; }
  Placement3 placement() const { return make_placement<3>(pose_a_, pose_b_); }
  Vec3d to_world(const Vec3d& p_a) const { return transform(pose_a_, p_a); }
  Vec3d turned(const Vec3d& d_a) const { return rotate(pose_a_.rotation, d_a); }
  bool bounded() const { return a_.is_bounded() && b_.is_bounded(); }
  Aabb3d bounds() const;
  void draw(DrawList& list, float alpha = 0.35f) const;
  std::string query(std::string_view op, std::string_view more = {}) const {
    return query_text(op, a_, pose_a_, b_, pose_b_, more);
  }

  void tell(Panel& panel) const;
  bool meets_b(const Pick& pick) const;

 private:
  Shape3 a_, b_;
  Pose3d pose_a_, pose_b_;
  bool polytopes_;
  void draw_shape(DrawList& list, const Shape3& shape, const Pose3d& pose, Ink ink, float alpha) const;

  CaseSlot case_;
  std::optional<GivenPair3> given_;
};

// What is drawn in the plane
inline Vec3d flat(const Vec2d& p) { return {p.x, p.y, 0}; }
std::vector<Vec3d> flat(std::span<const Vec2d> points);

}  // namespace sudar::lab
