// What:    Two bodies on their way in the plane: the ground of the exhibits of moving axes, advancement, halving, substeps and
//          times of impact. Named situations, a body that can be dragged and nudged, and the separation over time under the picture.
// Differs: An exhibit with the setting `case` shows the bodies of a line of `sudar query`, and draws them through a PlaneView.
// Frame:   The scene lies above y = -2; its curve over time below.
#pragma once

#include "lab/chart.hpp"
#include "lab/query_file.hpp"
#include "lab/query_line.hpp"
#include "lab/still_exhibit.hpp"
#include <sudar/continuous/time_of_impact.hpp>

namespace sudar::lab {

class PlaneMotion : public StillExhibit {
 public:
  std::string as_query() const override;
  bool nudge(int axis, int ulps) override;
  bool grab(const Pick& pick) override;
  void drag(const Pick& pick) override;
  Result<void> set(std::size_t i) override;

 protected:
  struct Moving {
    Shape2 shape;
    TurnedPlace2 at;
    Motion2 motion;
    Pose2d pose(double t) const { return pose_at(at.pose(), motion, t); }
  };
  enum Situation { rod_and_ball, two_boxes, graze, full_turns, bullet, crossing, polygons };

  // Parameters that all of them have; `first` is the situation at the start
  void add_common(std::vector<Situation> offered, Situation first, bool turning);
  // The bodies as the parameters or the case say, and what the library says of them by its own choice of method
  Result<void> make_bodies();
  ToiOptions options(ToiMethod method, TraceSink* trace = nullptr) const;
  Result<ToiAnswer2> ask(ToiMethod method, TraceSink* trace = nullptr) const;

  MovingPair2 pair() const { return {a_->at.pose(), a_->motion, b_->at.pose(), b_->motion}; }
  double separation(double t) const;
  // Where the pointer is in the world, and one metre of it in the picture
  virtual Vec2d pointed(const Pick& pick) const { return in_plane_of(pick); }
  virtual double metre() const { return 1; }
  // How far a point is from where B can be taken, metres
  virtual double from_b(const Vec2d& p) const { return distance(p, b_->at.position); }
  // At a time; and where they were and will be, with the paths of their origins
  void draw_bodies(DrawList& list, double t, float alpha = 0.85f) const;
  void draw_ghosts(DrawList& list, int count = 9) const;
  void draw_answer(DrawList& list, const ToiAnswer2& answer) const;
  // Separation over time
  Plot curve() const;
  Chart chart(const Plot& plot) const { return chart_of(plot, {-3.1, -3.7}, {2.6, -2.25}); }
  void tell_answer(Panel& panel, const ToiAnswer2& answer, std::string_view method) const;

  static constexpr double kTime = 1;
  // The method of the line that is copied
  virtual std::string_view method_name() const { return "auto"; }

  std::optional<Moving> a_, b_;
  CaseSlot case_;
  std::optional<GivenMotion2> given_;
  double time_ = kTime;  // seconds that are looked at
  std::optional<ToiAnswer2> truth_;
  std::vector<double> curve_t_, curve_d_;

 private:
  void place_bodies();
  void place_situation();

  std::vector<Situation> offered_;
  bool turning_ = true;
  int nudges_[2] = {0, 0};
  Vec2d dragged_{};  // of a case, whatever its size; situations have move_x and move_y
  Vec2d grabbed_{};
};

}  // namespace sudar::lab
