// What:    Substeps of a motion: plain placements, which let fast bodies through; placements grown by what may move, and swept
//          hulls, which let nothing through and cry wolf. Every substep beside the truth.
#include "lab/field_exhibits.hpp"
#include "lab/plane_motion.hpp"
#include <sudar/continuous/substeps.hpp>
#include <sudar/continuous/swept_volume.hpp>
#include <sudar/narrowphase/collide2.hpp>

#include <algorithm>

namespace sudar::lab {

namespace {

class Substeps final : public PlaneMotion {
 public:
  Substeps() {
    add_common({bullet, crossing, two_boxes, rod_and_ball, full_turns, graze}, bullet, true);
    parameters_.push_back(Parameter::whole("substeps", "substeps", 6, 1, 48));
    parameters_.push_back(Parameter::choice("test", "test", {"discrete", "swept", "hulls"}));
  }

  void draw(DrawList& list) const override {
    list.flat = true;
    draw_ghosts(list, static_cast<int>(rows_.size()) + 1);
    if (at_verdict()) {
      for (std::size_t i = 0; i < rows_.size(); ++i) draw_placement(list, rows_[i], 0.25f);
      draw_answer(list, *truth_);
    } else {
      draw_placement(list, rows_[step_], 1);
    }
    draw_strip(list);
    const Plot plot = now_plot();
    draw_plot(list, plot, chart_of(plot, {-3.1, -3.85}, {2.6, -2.85}), false);
  }

  void tell(Panel& panel) const override {
    tell_trouble(panel);
    std::size_t missed = 0, alarms = 0;
    for (const Row& r : rows_) missed += r.verdict() == Verdict::missed, alarms += r.verdict() == Verdict::false_alarm;
    panel.badges.push_back({std::to_string(missed) + " missed", missed > 0 ? Ink::bad : Ink::good});
    panel.badges.push_back({std::to_string(alarms) + " false alarms", alarms > 0 ? Ink::highlight : Ink::good});
    panel.badges.push_back(first_.hit ? Badge{"first substep with a contact: t = " + shown(first_.t, 4) + " s", Ink::b}
                                      : Badge{"no substep has a contact", Ink::a});
    if (at_verdict()) {
      panel.decision = truth_->hit ? (first_.hit ? "The bodies do meet, at t = " + shown(truth_->t_lo, 6) + " s."
                                                 : "The bodies meet at t = " + shown(truth_->t_lo, 6) +
                                                       " s, and no substep saw it: that is tunnelling.")
                                   : (first_.hit ? "The bodies never meet: what was reported is a false alarm."
                                                 : "The bodies never meet, and nothing was reported.");
    } else {
      const Row& r = rows_[step_];
      const std::string in = "From " + shown(r.begin, 4) + " to " + shown(r.end, 4) + " s: ";
      if (index("test") == 0)
        panel.decision =
            in + "at its beginning they are " + shown(r.separation) + " m apart; what is between is not looked at.";
      else if (index("test") == 1)
        panel.decision = in + "in the middle they are " + shown(r.separation) + " m apart and may move " +
                         shown(r.reach) + " m in half of it: " + (r.flagged ? "they may touch." : "they do not touch.");
      else
        panel.decision = in + "the two swept hulls " +
                         (r.flagged ? "meet, which proves nothing: the bodies may be there at different times."
                                    : "are apart, which proves that they do not touch.");
    }
    Table table{"substeps", {"from [s]", "apart [m]", "reported", "in truth", "verdict"}, {}, -1};
    for (const Row& r : rows_)
      table.rows.push_back({shown(r.begin, 4), shown(r.separation, 4), r.flagged ? "contact" : "free",
                            r.truth ? "contact" : "free", word_of(r.verdict())});
    table.highlighted_row = at_verdict() ? -1 : static_cast<int>(step_);
    panel.tables.push_back(std::move(table));
    panel.plots.push_back(now_plot());
  }

  // What the library says of the substeps, for tests
  Impact<2> first_of(SubstepKind kind) const {
    return sudar::substeps<2>(pair(), a_->shape, b_->shape, kTime, static_cast<int>(value("substeps")), kind);
  }

 protected:
  Result<void> make() override {
    if (const auto done = make_bodies(); !done) return done;
    const auto count = static_cast<std::size_t>(value("substeps"));
    const std::size_t test = index("test");
    const double speed = closing_speed(pair(), farthest_radius<2>(a_->shape), farthest_radius<2>(b_->shape));
    std::vector<Row> rows;
    for (std::size_t k = 0; k < count; ++k) {
      Row r;
      r.begin = kTime * static_cast<double>(k) / static_cast<double>(count);
      r.end = k + 1 == count ? kTime : kTime * static_cast<double>(k + 1) / static_cast<double>(count);
      const double at = test == 0 ? r.begin : 0.5 * (r.begin + r.end);
      const DistanceAnswer2 x = sudar::distance(a_->shape, a_->pose(at), b_->shape, b_->pose(at));
      r.separation = x.separation;
      r.reach = 0.5 * speed * (r.end - r.begin);
      if (test == 0) {
        r.flagged = x.hit || (k + 1 == count && intersects(a_->shape, a_->pose(kTime), b_->shape, b_->pose(kTime)));
      } else if (test == 1) {
        r.flagged = x.hit || !(x.lower > r.reach);
      } else {
        r.hull_a = swept(*a_, r.begin, r.end), r.hull_b = swept(*b_, r.begin, r.end);
        r.flagged = intersects(*r.hull_a, Pose2d{}, *r.hull_b, Pose2d{});
      }
      ToiOptions o;
      o.t_max = r.end - r.begin;
      const Result<ToiAnswer2> truth =
          time_of_impact(a_->shape, a_->pose(r.begin), a_->motion, b_->shape, b_->pose(r.begin), b_->motion, o);
      if (!truth) return truth.error();
      r.truth = truth->hit;
      rows.push_back(std::move(r));
    }
    rows_ = std::move(rows);
    if (test < 2) {
      first_ = first_of(test == 0 ? SubstepKind::discrete : SubstepKind::swept);
    } else {
      first_ = {};
      for (const Row& r : rows_)
        if (r.flagged && !first_.hit) first_.hit = true, first_.t = r.begin;
    }
    steps_ = rows_.size() + 1;
    return {};
  }

 private:
  enum class Verdict { free, found, missed, false_alarm };
  struct Row {
    double begin = 0, end = 0, separation = 0, reach = 0;
    bool flagged = false, truth = false;
    std::optional<Shape2> hull_a, hull_b;
    Verdict verdict() const {
      return flagged ? (truth ? Verdict::found : Verdict::false_alarm) : (truth ? Verdict::missed : Verdict::free);
    }
  };
  static const char* word_of(Verdict v) {
    static constexpr const char* kWords[] = {"", "found", "missed", "false alarm"};
    return kWords[static_cast<std::size_t>(v)];
  }
  static Ink ink_of(Verdict v) {
    static constexpr Ink kInks[] = {Ink::good, Ink::contact, Ink::bad, Ink::highlight};
    return kInks[static_cast<std::size_t>(v)];
  }
  bool at_verdict() const { return step_ >= rows_.size(); }
  // A rounded hull, or the box when there is none
  static Shape2 swept(const Moving& body, double t0, double t1) {
    if (Result<Shape2> hull = swept_hull(body.shape, body.at.pose(), body.motion, t0, t1)) return *std::move(hull);
    const Aabb2d box = swept_box<2>(body.shape, body.at.pose(), body.motion, t0, t1);
    const Vec2d corners[] = {box.lo, {box.hi.x, box.lo.y}, box.hi, {box.lo.x, box.hi.y}};
    return *make_polygon2(corners);
  }

  void draw_placement(DrawList& list, const Row& r, float alpha) const {
    const std::size_t test = index("test");
    if (test == 2) {
      const Color c = color_of(ink_of(r.verdict()), (r.flagged ? 0.35f : 0.2f) * alpha);
      list.shape(*r.hull_a, Pose2d{}, c);
      list.shape(*r.hull_b, Pose2d{}, c);
      list.shape(*r.hull_a, Pose2d{}, color_of(Ink::a, alpha), true);
      list.shape(*r.hull_b, Pose2d{}, color_of(Ink::b, alpha), true);
    }
    if (alpha < 1) {
      list.shape(a_->shape, a_->pose(r.begin), color_of(Ink::a, alpha));
      list.shape(b_->shape, b_->pose(r.begin), color_of(Ink::b, alpha));
      return;
    }
    const double at = test == 1 ? 0.5 * (r.begin + r.end) : r.begin;
    draw_bodies(list, at);
    list.shape(a_->shape, a_->pose(r.end), color_of(Ink::a, 0.3f));
    list.shape(b_->shape, b_->pose(r.end), color_of(Ink::b, 0.3f));
    if (test == 1) {
      const DistanceAnswer2 x = sudar::distance(a_->shape, a_->pose(at), b_->shape, b_->pose(at));
      list.line(drawn_at(x.point_a, 5), drawn_at(x.point_b, 5), color_of(Ink::highlight), 3);
      list.circle(drawn_at(x.point_b, 5), r.reach, {0, 0, 1}, color_of(r.flagged ? Ink::bad : Ink::good), 2);
    }
  }
  // One box a substep, in the colour of its verdict
  void draw_strip(DrawList& list) const {
    const double left = -3.1, right = 2.6;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Row& r = rows_[i];
      const double x0 = left + (right - left) * r.begin / kTime, x1 = left + (right - left) * r.end / kTime - 0.01;
      const Vec3d bar[] = {drawn_at(Vec2d{x0, -2.4}, 1), drawn_at(Vec2d{x1, -2.4}, 1), drawn_at(Vec2d{x1, -2.2}, 1),
                           drawn_at(Vec2d{x0, -2.2}, 1)};
      list.polygon(bar, color_of(ink_of(r.verdict()), 0.85f));
      if (i == step_) list.polyline(bar, color_of(Ink::text), true, 3);
      if (r.verdict() != Verdict::free)
        list.label(drawn_at(Vec2d{x0, -2.1}, 2), word_of(r.verdict()), color_of(Ink::text));
    }
  }
  Plot now_plot() const {
    Plot plot = curve();
    plot.marker_x = at_verdict() ? (truth_->hit ? truth_->t_lo : kTime) : rows_[step_].begin;
    return plot;
  }

  std::vector<Row> rows_;
  Impact<2> first_;
};

}  // namespace

std::unique_ptr<Exhibit> make_substeps(std::string_view parameters, std::string& why_not) {
  return make_still<Substeps>(parameters, why_not);
}

}  // namespace sudar::lab
