// What:    Separating axes of moving polygons: one axis after another says from when on or until when it lets the two meet; what
//          all of them leave is the time of contact.
#include "lab/field_exhibits.hpp"
#include "lab/plane_motion.hpp"
#include <sudar/continuous/moving_sat.hpp>

#include <algorithm>

namespace sudar::lab {

namespace {

class MovingSat final : public PlaneMotion {
 public:
  MovingSat() { add_common({polygons, crossing, two_boxes, graze}, polygons, false); }

  void draw(DrawList& list) const override {
    list.flat = true;
    draw_ghosts(list, 7);
    if (at_answer()) {
      draw_answer_of_axes(list);
    } else {
      const Side x = side_of(step_);
      draw_bodies(list, x.shown_at());
      draw_axis(list, x);
    }
    draw_bars(list);
  }

  void tell(Panel& panel) const override {
    tell_trouble(panel);
    panel.badges.push_back(
        answer_.hit ? Badge{"meet from " + shown(answer_.first, 6) + " to " + shown(answer_.last, 6) + " s", Ink::bad}
                    : Badge{"never meet in time", Ink::good});
    panel.badges.push_back(truth_->hit == answer_.hit ? Badge{"agrees with auto", Ink::good}
                                                      : Badge{"differs from auto", Ink::bad});
    if (at_answer()) {
      panel.decision = answer_.hit ? "Every side lets them meet from " + shown(answer_.first, 7) + " s to " +
                                         shown(answer_.last, 7) + " s: the latest beginning and the earliest end."
                                   : "The last axis shown keeps them apart all the time: the search ends there.";
    } else {
      const Side x = side_of(step_);
      const std::string along = "Along the normal of edge " + std::to_string(x.feature) + " of " + x.owner +
                                " the gap is " + shown(x.gap) + " m and changes by " + shown(x.speed) + " m/s: ";
      panel.decision =
          along + (x.separates   ? "no common time is left, so they never meet."
                   : x.speed < 0 ? "it closes at t = " + shown(x.time, 6) + " s, and not before do they meet."
                   : x.speed > 0 ? "it opens at t = " + shown(x.time, 6) + " s, and after that they do not meet."
                                 : "it stays as it is, and does not keep them apart.");
    }
    Table table{"sides of the axes", {"side", "gap [m]", "changes [m/s]", "lets them meet"}, {}, -1};
    for (std::size_t i = 0; i < log_.entries().size(); ++i) {
      const Side x = side_of(i);
      table.rows.push_back({x.owner + std::to_string(x.feature) + (i % 2 == 0 ? "+" : "-"), shown(x.gap, 4),
                            shown(x.speed, 4),
                            x.speed < 0   ? "from " + shown(x.time, 5)
                            : x.speed > 0 ? "until " + shown(x.time, 5)
                                          : (x.gap > 0 ? "never" : "always")});
    }
    table.highlighted_row = at_answer() ? -1 : static_cast<int>(step_);
    panel.tables.push_back(std::move(table));
    panel.plots.push_back(curve());
    panel.plots.back().marker_x = at_answer() ? answer_.first : side_of(step_).shown_at();
  }

 protected:
  Result<void> make() override {
    if (const auto done = make_bodies(); !done) return done;
    TraceLog log;
    answer_ = sudar::moving_sat(a_->shape, b_->shape, pair(), kTime, log);
    log_ = std::move(log);
    steps_ = log_.entries().size() + 1;
    return {};
  }
  std::string_view method_name() const override { return "moving_sat"; }

 private:
  struct Side {
    Vec2d normal;  // in the world
    double gap, speed, time;
    std::string owner;
    std::uint32_t feature;
    bool separates;
    double shown_at() const { return std::clamp(speed != 0 ? time : 0.0, 0.0, kTime); }
  };
  Side side_of(std::size_t i) const {
    const TraceLog::Entry& e = log_.entries()[i];
    const bool of_a = e.ids[0] == static_cast<std::uint32_t>(SatKind::face_a);
    return {rotate(a_->at.pose().rotation, Vec2d{e.numbers[0], e.numbers[1]}),
            e.numbers[2],
            e.numbers[3],
            e.value,
            of_a ? "A" : "B",
            of_a ? e.ids[1] : e.ids[2],
            e.step == "separates"};
  }
  bool at_answer() const { return step_ >= log_.entries().size(); }

  static void extent(const Shape2& shape, const Pose2d& pose, const Vec2d& n, double& lo, double& hi) {
    const PolytopeView2 view(shape);
    lo = std::numeric_limits<double>::infinity(), hi = -lo;
    for (const Vec2d& v : view.vertices()) {
      const double h = dot(n, transform(pose, v));
      lo = std::min(lo, h), hi = std::max(hi, h);
    }
  }
  // The axis beside the scene, with the shadows of both on it, at the start and at the time that is shown
  void draw_axis(DrawList& list, const Side& x) const {
    Vec2d across = perp(x.normal);
    if (across.y < 0) across = -across;
    const Vec2d foot = across * 1.5;
    const auto on_axis = [&](double h, double lift) { return foot + x.normal * h + across * lift; };
    double lo, hi, b_lo, b_hi, at_lo, at_hi;
    const double t = x.shown_at();
    extent(a_->shape, a_->pose(t), x.normal, lo, hi);
    extent(b_->shape, b_->pose(0), x.normal, b_lo, b_hi);
    extent(b_->shape, b_->pose(t), x.normal, at_lo, at_hi);
    list.line(drawn_at(on_axis(std::min({lo, b_lo, at_lo}) - 0.3, 0), 2),
              drawn_at(on_axis(std::max({hi, b_hi, at_hi}) + 0.3, 0), 2), color_of(Ink::axis), 1.5f);
    list.line(drawn_at(on_axis(lo, 0.05), 3), drawn_at(on_axis(hi, 0.05), 3), color_of(Ink::a), 6);
    list.line(drawn_at(on_axis(b_lo, 0.14), 3), drawn_at(on_axis(b_hi, 0.14), 3), color_of(Ink::b, 0.35f), 5);
    list.line(drawn_at(on_axis(at_lo, 0.14), 3), drawn_at(on_axis(at_hi, 0.14), 3), color_of(Ink::b), 6);
    draw_way(list, drawn_at(on_axis((b_lo + b_hi) / 2, 0.24), 3), drawn_at(on_axis((at_lo + at_hi) / 2, 0.24), 3),
             color_of(Ink::normal), 2, 0.4);
    // The sides of the two that are looked at
    for (const double h : {hi, at_lo}) {
      const Vec2d p = x.normal * h;
      list.line(drawn_at(p - across * 1.2, 1), drawn_at(p + across * 1.8, 1), color_of(Ink::highlight, 0.7f), 1.5f);
    }
    list.label(drawn_at(on_axis(hi, 0.35), 4), "gap " + shown(x.gap, 3) + " m at the start");
  }
  void draw_answer_of_axes(DrawList& list) const {
    draw_bodies(list, answer_.hit ? answer_.first : kTime);
    if (!answer_.hit) return;
    list.shape(a_->shape, a_->pose(answer_.last), color_of(Ink::a, 0.35f));
    list.shape(b_->shape, b_->pose(answer_.last), color_of(Ink::b, 0.35f));
    list.label(drawn_at(b_->pose(answer_.first).position + Vec2d{-0.9, 0.75}, 6),
               "first " + shown(answer_.first, 5) + " s");
    list.label(drawn_at(b_->pose(answer_.last).position + Vec2d{0.2, 0.75}, 6),
               "last " + shown(answer_.last, 5) + " s");
    if (!truth_->hit) return;
    for (const auto& p : truth_->contacts.points) list.point(drawn_at(p.position, 6), color_of(Ink::contact), 9);
    list.arrow(drawn_at(truth_->point, 6), drawn_at(truth_->point + truth_->normal * 0.5, 6), color_of(Ink::normal), 3);
  }
  // When each side lets them meet, and what is left
  void draw_bars(DrawList& list) const {
    const double left = -3.1, right = 2.6, top = -2.2, bottom = -3.8;
    const double height = (top - bottom) / static_cast<double>(std::max<std::size_t>(log_.entries().size(), 8));
    const auto x_of = [&](double t) { return left + (right - left) * std::clamp(t, 0.0, kTime) / kTime; };
    const auto bar = [&](double from, double to, double y_top, double y_bottom, Color c) {
      const Vec3d corners[] = {drawn_at(Vec2d{x_of(from), y_bottom}), drawn_at(Vec2d{x_of(to), y_bottom}),
                               drawn_at(Vec2d{x_of(to), y_top}), drawn_at(Vec2d{x_of(from), y_top})};
      list.polygon(corners, c);
    };
    constexpr double kLetters = 0.17;  // metres: the height of a line
    double first = 0, last = kTime;
    const std::size_t shown_sides = std::min(log_.entries().size(), step_ + 1);
    for (std::size_t i = 0; i < shown_sides; ++i) {
      const Side x = side_of(i);
      double from = 0, to = kTime;
      if (x.speed < 0) from = x.time;
      if (x.speed > 0) to = x.time;
      if (x.speed == 0 && x.gap > 0) from = to = 0;
      first = std::max(first, from), last = std::min(last, to);
      const double y = top - height * static_cast<double>(i);
      const bool now = i == step_;
      if (from < to) bar(from, to, y, y - 0.75 * height, color_of(now ? Ink::highlight : Ink::node, 0.8f));
      // The bars are thinner than letters: the one that is looked at has its name, the others when there are few
      if (now || height > kLetters)
        list.label(drawn_at(Vec2d{right + 0.06, y - 0.4 * height}), x.owner + std::to_string(x.feature),
                   color_of(Ink::text, now ? 1.0f : 0.6f));
    }
    if (first <= last && shown_sides > 0) bar(first, last, top + 0.05, bottom, color_of(Ink::good, 0.3f));
    for (int i = 0; i <= 4; ++i) {
      list.line(drawn_at(Vec2d{x_of(kTime * i / 4), top}), drawn_at(Vec2d{x_of(kTime * i / 4), bottom}),
                color_of(Ink::text, 0.2f), 1);
      list.label(drawn_at(Vec2d{x_of(kTime * i / 4) - 0.05, bottom - 0.12}), shown(kTime * i / 4, 3) + " s");
    }
  }

  TraceLog log_;
  MovingSatAnswer2 answer_;
};

}  // namespace

std::unique_ptr<Exhibit> make_moving_sat(std::string_view parameters, std::string& why_not) {
  return make_still<MovingSat>(parameters, why_not);
}

}  // namespace sudar::lab
