// What:    The time of impact of two bodies that move and turn in the plane: the lines that carry the proof, the sides of axes
//          or the intervals that decide, and the interval [t_lo, t_hi] of the answer.
#include "lab/field_exhibits.hpp"
#include "lab/plane_motion.hpp"
#include "lab/plane_view.hpp"
#include <sudar/continuous/moving_sat.hpp>
#include <sudar/narrowphase/collide2.hpp>

#include <algorithm>
#include <array>

namespace sudar::lab {

namespace {

class TimeOfImpact2 final : public PlaneMotion {
 public:
  TimeOfImpact2() {
    add_common({rod_and_ball, two_boxes, graze, full_turns, bullet, crossing, polygons}, two_boxes, true);
    parameters_.push_back(Parameter::choice("method", "method", {"auto", "moving_sat", "conservative", "halving"}));
    parameters_.push_back(CaseSlot::parameter());
  }
  Result<void> set(std::size_t i) override {
    stale_ = true;
    held_.reset();
    return PlaneMotion::set(i);
  }
  bool grab(const Pick& pick) override {
    const double t = time_of(step_);
    const PlaneView view = view_at(nearest(t), t);
    if (!PlaneMotion::grab(pick)) return false;
    held_ = view;
    return true;
  }
  void release(bool) override {
    held_.reset();
    (void)remake();
  }

  void draw(DrawList& list) const override {
    list.flat = true;
    const double t = time_of(step_);
    const DistanceAnswer2 x = nearest(t);
    if (given_) {
      frame(list, {-3.6, -4.1}, {2.9, 2.1});
      draw_given(list, t, x);
    } else {
      draw_ghosts(list);
      draw_bodies(list, t);
    }
    const PlaneView view = view_at(x, t);
    if (at_answer()) {
      draw_contact(list, view);
    } else if (const Look& look = looks_[step_]; look.kind == Look::interval || look.kind == Look::slab) {
      for (const Moving* body : {&*a_, &*b_})
        view.ghost(list, seen(body), body->pose(look.end), body == &*a_ ? Ink::a : Ink::b, 0.8f);
    } else {
      draw_line_between(list, view, x);
    }
    const Plot plot = looks_plot();
    draw_plot(list, plot, chart(plot), false);
  }

  void tell(Panel& panel) const override {
    tell_trouble(panel);
    case_.tell(panel, given_.has_value(), "Speed, turning and the place of B still change it.");
    const ToiAnswer2& x = *answer_;
    panel.badges.push_back(x.hit ? Badge{"hit", Ink::bad} : Badge{"free, and that is proven", Ink::good});
    if (x.hit) panel.badges.push_back({"t in [" + shown(x.t_lo, 10) + ", " + shown(x.t_hi, 10) + "] s", Ink::contact});
    panel.badges.push_back(x.status == QueryStatus::converged ? Badge{"converged", Ink::good}
                                                              : Badge{"work ran out", Ink::bad});
    if (chosen("method") != "auto") tell_agreement(panel);
    panel.decision = at_answer() ? told_answer() : looks_[step_].told;
    panel.tables.push_back({"answer",
                            {"what", "value"},
                            {{"t_lo", x.hit ? shown(x.t_lo, 15) + " s" : "-"},
                             {"t_hi", x.hit ? shown(x.t_hi, 15) + " s" : "-"},
                             {"t_hi - t_lo", x.hit ? shown(x.t_hi - x.t_lo, 3) + " s" : "-"},
                             {"last contact", x.t_last ? shown(*x.t_last, 15) + " s" : "-"},
                             {"tolerance", shown(x.tolerance, 3) + " m"},
                             {by_axes_ ? "axes looked at" : "distances asked", std::to_string(x.iterations)},
                             {"turns of A", shown(turn_rate(a_->motion.angular) * time_ / (2 * kPi), 3)},
                             {"turns of B", shown(turn_rate(b_->motion.angular) * time_ / (2 * kPi), 3)}}});
    Table table{"steps", {"time [s]", "what", "number"}, {}, -1};
    const std::size_t first = step_ > kRows / 2 ? step_ - kRows / 2 : 0;
    for (std::size_t i = first; i < std::min(first + kRows, looks_.size()); ++i) {
      if (i == step_) table.highlighted_row = static_cast<int>(table.rows.size());
      table.rows.push_back({shown(looks_[i].t, 6), looks_[i].name, looks_[i].number});
    }
    panel.tables.push_back(std::move(table));
    panel.plots.push_back(looks_plot());
  }

 protected:
  Result<void> make() override {
    if (const auto done = make_bodies(); !done) return done;
    TraceLog log;
    ToiMethod method = method_of(index("method"));
    if (const auto x = ask_with(options(method, &log)); !x) {
      if (!given_) return x.error();
      case_.why_not = x.error().message();
      given_.reset();
      return make();
    }
    Result<ToiAnswer2> answer = ask(method);
    if (!answer) return answer.error();
    answer_ = *std::move(answer);
    looks_.clear();
    by_axes_ = log.entries().empty() && answer_->iterations > 0 && !pair().turns() && fits_moving_sat(a_->shape) &&
               fits_moving_sat(b_->shape);
    if (by_axes_) {
      TraceLog axes;
      (void)sudar::moving_sat(a_->shape, b_->shape, pair(), time_, axes);
      for (const TraceLog::Entry& e : axes.entries()) looks_.push_back(side(e));
    }
    for (const TraceLog::Entry& e : log.entries())
      if (std::optional<Look> look = look_of(e)) looks_.push_back(*std::move(look));
    for (Look& look : looks_) look.apart = separation(look.t);
    steps_ = looks_.size() + 1;
    see();
    return {};
  }
  std::string_view method_name() const override { return chosen("method"); }
  // At the time that is looked at, as it is drawn
  double from_b(const Vec2d& p) const override {
    if (!given_) return PlaneMotion::from_b(p);
    return sudar::distance(Shape2(PointShape2{p}), {}, b_->shape, b_->pose(time_of(step_))).separation;
  }
  Vec2d pointed(const Pick& pick) const override {
    return view_at(nearest(time_of(step_)), time_of(step_)).world(in_plane_of(pick));
  }
  double metre() const override { return view_at(nearest(time_of(step_)), time_of(step_)).scale(); }

 private:
  static constexpr std::size_t kRows = 15;
  // A case whose way is longer than so many of its bodies is seen where they come together
  static constexpr double kLongWay = 10, kSeenOfIt = 3;
  static constexpr Aabb2d kScene{{-3.5, -1.9}, {2.8, 2.05}};

  // What is looked at in a step
  struct Look {
    enum Kind { line, side, slab, interval } kind = line;
    double t = 0, end = 0;
    Vec2d normal{};
    std::string name, number, told;
    double apart = 0;  // at t
  };
  static ToiMethod method_of(std::size_t i) {
    constexpr ToiMethod kMethods[] = {ToiMethod::automatic, ToiMethod::moving_sat, ToiMethod::conservative,
                                      ToiMethod::halving};
    return kMethods[i];
  }
  Result<ToiAnswer2> ask_with(const ToiOptions& o) const {
    return time_of_impact(a_->shape, a_->at.pose(), a_->motion, b_->shape, b_->at.pose(), b_->motion, o);
  }

  Look side(const TraceLog::Entry& e) const {
    const bool of_a = e.ids[0] == static_cast<std::uint32_t>(SatKind::face_a);
    const bool of_b = e.ids[0] == static_cast<std::uint32_t>(SatKind::face_b);
    const double gap = e.numbers[2], speed = e.numbers[3];
    const std::string edge = of_a   ? "edge " + std::to_string(e.ids[1]) + " of A"
                             : of_b ? "edge " + std::to_string(e.ids[2]) + " of B"
                                    : std::string("an end");
    const std::string when = e.step == "separates" ? "no common time is left, so they never meet."
                             : speed < 0 ? "it closes at t = " + shown(e.value, 6) + " s, and not before do they meet."
                             : speed > 0
                                 ? "it opens at t = " + shown(e.value, 6) + " s, and after that they do not meet."
                                 : "it stays as it is, and does not keep them apart.";
    return {Look::side,
            std::clamp(speed != 0 ? e.value : 0.0, 0.0, time_),
            0,
            rotate(a_->at.pose().rotation, Vec2d{e.numbers[0], e.numbers[1]}),
            of_a   ? "A" + std::to_string(e.ids[1])
            : of_b ? "B" + std::to_string(e.ids[2])
                   : std::string("end"),
            shown(gap, 3) + " m, " + shown(speed, 3) + " m/s",
            "Along the normal of " + edge + " the gap is " + shown(gap) + " m at the start and changes by " +
                shown(speed) + " m/s: " + when};
  }
  std::optional<Look> look_of(const TraceLog::Entry& e) const {
    const auto& n = e.numbers;
    if (e.step == "slab" && !n.empty())
      return Look{Look::slab,
                  e.value,
                  n[0],
                  {},
                  "slab",
                  "until " + shown(n[0], 6) + " s",
                  "From " + shown(e.value, 6) + " s to " + shown(n[0], 6) +
                      " s each part of A that could come to a part of B is proven to stay away from it."};
    if (e.step == "plane" && n.size() >= 5)
      return Look{Look::line,
                  e.value,
                  e.value + n[4],
                  {n[0], n[1]},
                  "distance",
                  shown(n[2], 5) + " m",
                  "At t = " + shown(e.value, 7) + " s they are " + shown(n[2]) +
                      " m apart and come nearer by no more than " + shown(n[3]) +
                      " m/s: nothing can touch in the next " + shown(n[4], 5) + " s."};
    if (e.step == "plane" && n.size() >= 2)
      return Look{
          Look::line,
          e.value,
          e.value,
          {n[0], n[1]},
          "line",
          shown(Vec2d{n[0], n[1]}, 3),
          "At t = " + shown(e.value, 7) +
              " s a line lies between the two. As long as it does, nothing touches: how long that is, is proven, "
              "and there the next line is looked for."};
    if (n.size() >= 4 && (e.step == "free" || e.step == "halve" || e.step == "impact"))
      return Look{Look::interval,
                  e.value,
                  n[0],
                  {},
                  e.step,
                  "until " + shown(n[0], 6) + " s",
                  "In [" + shown(e.value, 6) + ", " + shown(n[0], 6) + "] s they can move " + shown(n[3]) +
                      " m; they are " + shown(n[1]) + " m apart at its start and " + shown(n[2]) + " m at its end: " +
                      (e.step == "free"    ? "less than both together, so it is free."
                       : e.step == "halve" ? "too much to be sure, so it is cut in two."
                                           : "within the tolerance, so this is the impact.")};
    return std::nullopt;
  }

  std::string told_answer() const {
    const ToiAnswer2& x = *answer_;
    if (!x.hit) return "Every look reaches the end of the time: there is no time at which they touch.";
    if (x.t_hi == 0) return "They touch at the start.";
    return "Before t_lo nothing touches, full turns included; at t_hi the two are within " + shown(2 * x.tolerance, 3) +
           " m of each other" + (by_axes_ ? std::string(": every side of every axis lets them meet then.") : ".");
  }
  void tell_agreement(Panel& panel) const {
    if (answer_->hit == truth_->hit)
      panel.badges.push_back({chosen("method") + " agrees with auto", Ink::good});
    else
      // One of them has a hit that is nearer than its tolerance
      panel.badges.push_back(
          {answer_->hit ? "auto: free" : "auto: nearer than " + shown(2 * truth_->tolerance, 3) + " m",
           Ink::highlight});
  }

  bool at_answer() const { return step_ >= looks_.size(); }
  double time_of(std::size_t i) const { return i < looks_.size() ? looks_[i].t : answer_->hit ? answer_->t_lo : time_; }
  DistanceAnswer2 nearest(double t) const { return sudar::distance(a_->shape, a_->pose(t), b_->shape, b_->pose(t)); }

  // How large what moves is, and whether all of its way can be seen
  void see() {
    all_ = {};
    size_ = 0;
    bool any = false;
    for (const Moving* body : {&*a_, &*b_})
      for (int i = 0; i <= 16 && body->shape.is_bounded(); ++i) {
        const Pose2d pose = body->pose(time_ * (i / 16.0));
        const Aabb2d box = bounding_box(body->shape, pose);
        size_ = std::max(size_, seen_size(body->shape, pose));
        all_ = any ? Aabb2d{min(all_.lo, box.lo), max(all_.hi, box.hi)} : box;
        any = true;
      }
    close_ = size_ > 0 && max_abs(all_.hi - all_.lo) > kLongWay * size_;
    // All views of it have one scale
    const double scale = view_at(nearest(0), 0).scale();
    if (!stale_ && seen_case_ == given_.has_value() && seen_[0].scale() == scale) return;
    stale_ = false;
    seen_case_ = given_.has_value();
    seen_ = {SeenShape(a_->shape, scale), SeenShape(b_->shape, scale)};
  }
  const SeenShape& seen(const Moving* body) const { return seen_[body == &*a_ ? 0 : 1]; }
  // Of a situation the picture is the world
  PlaneView view_at(const DistanceAnswer2& x, double t) const {
    if (held_) return *held_;
    if (!given_) return {};
    if (!close_) return {all_, kScene};
    // Between the two where they are near each other, at one of them where they are not
    const double half = 0.5 * kSeenOfIt * size_;
    Vec2d middle = (x.point_a + x.point_b) * 0.5;
    if (!(distance(x.point_a, x.point_b) < half)) {
      const Moving& body = a_->shape.is_bounded() ? *a_ : *b_;
      const Aabb2d box = bounding_box(body.shape, body.pose(t));
      middle = (box.lo + box.hi) * 0.5;
    }
    return {{middle - Vec2d{half, half}, middle + Vec2d{half, half}}, kScene};
  }

  void draw_given(DrawList& list, double t, const DistanceAnswer2& x) const {
    const PlaneView view = view_at(x, t);
    for (const Moving* body : {&*a_, &*b_}) {
      const Ink ink = body == &*a_ ? Ink::a : Ink::b;
      for (int i = 0; i <= 8; ++i) view.ghost(list, seen(body), body->pose(time_ * (i / 8.0)), ink, 0.22f);
      // Of the origin, about which it turns; of what does not turn, of its middle
      Vec2d from = body->at.position;
      if (body->shape.is_bounded() && body->motion.angular == 0) {
        const Aabb2d box = bounding_box(body->shape, body->pose(0));
        from = (box.lo + box.hi) * 0.5;
      }
      view.way(list, from, from + body->motion.linear * time_, color_of(ink, 0.6f), 1.5f);
    }
    view.body(list, seen(&*a_), a_->pose(t), x.point_b, Ink::a, 0.85f, "A");
    view.body(list, seen(&*b_), b_->pose(t), x.point_a, Ink::b, 0.85f, "B");
  }
  // Square to the normal that separates, in the middle of the gap
  void draw_line_between(DrawList& list, const PlaneView& view, const DistanceAnswer2& x) const {
    const Look& look = looks_[step_];
    if (!view.meets({x.point_a, x.point_a}) || !view.meets({x.point_b, x.point_b})) return;
    const Vec2d p = view.at(x.point_a), q = view.at(x.point_b), middle = (p + q) * 0.5;
    Vec2d n = normalized(look.normal);
    if (dot(n, q - p) < 0) n = -n;
    const Vec2d along = perp(n);
    list.line(drawn_at(middle - along * 1.4, 4), drawn_at(middle + along * 1.4, 4), color_of(Ink::axis), 2);
    list.arrow(drawn_at(middle + along * 1.2, 4), drawn_at(middle + along * 1.2 + n * 0.4, 4), color_of(Ink::normal),
               2);
    list.line(drawn_at(p, 5), drawn_at(q, 5), color_of(Ink::highlight), 3);
    list.point(drawn_at(p, 6), color_of(Ink::contact), 8);
    list.point(drawn_at(q, 6), color_of(Ink::contact), 8);
    list.label(drawn_at(middle + along * 0.45 + n * 0.15, 6), "d = " + shown(x.separation, 4) + " m");
  }
  void draw_contact(DrawList& list, const PlaneView& view) const {
    if (!answer_->hit) return;
    for (const auto& p : answer_->contacts.points)
      list.point(drawn_at(view.at(p.position), 6), color_of(Ink::contact), 8);
    const Vec2d p = view.at(answer_->point);
    list.point(drawn_at(p, 6), color_of(Ink::contact), 11);
    list.arrow(drawn_at(p, 6), drawn_at(p + answer_->normal * 0.5, 6), color_of(Ink::normal), 3);
    // Beside the arrow
    list.label(drawn_at(p + Vec2d{answer_->normal.x > 0 ? -1.3 : 0.15, 0.3}, 6),
               "t = " + shown(answer_->t_lo, 8) + " s");
  }
  Plot looks_plot() const {
    Plot plot = curve();
    PlotSeries looks{"looks", {}, {}, true};
    for (std::size_t i = 0; i < looks_.size() && i <= step_; ++i) {
      looks.x.push_back(looks_[i].t);
      looks.y.push_back(looks_[i].apart);
    }
    plot.series.push_back(std::move(looks));
    plot.marker_x = time_of(step_);
    return plot;
  }

  std::optional<ToiAnswer2> answer_;
  std::vector<Look> looks_;
  bool by_axes_ = false;
  Aabb2d all_{};        // where the bodies of a case come by
  double size_ = 0;     // of the larger of them, metres
  bool close_ = false;  // it is seen where they come together
  // Made for the case or situation and the scale of the picture
  std::array<SeenShape, 2> seen_;
  bool seen_case_ = false;
  bool stale_ = true;              // something was set since
  std::optional<PlaneView> held_;  // while B is dragged: what follows B would run away with it
};

}  // namespace

std::unique_ptr<Exhibit> make_time_of_impact2(std::string_view parameters, std::string& why_not) {
  return make_still<TimeOfImpact2>(parameters, why_not);
}

}  // namespace sudar::lab
