// What:    A point and an edge of the plane whose ends move along straight lines: the quadratic whose roots are the times at
//          which all three lie on one line, and at each root whether they touch there, as the exact answer has it.
#include "lab/chart.hpp"
#include "lab/field_exhibits.hpp"
#include "lab/impact_roots.hpp"
#include "lab/plane_view.hpp"
#include "lab/query_case.hpp"
#include "lab/query_file.hpp"
#include "lab/query_line.hpp"
#include "lab/still_exhibit.hpp"
#include <sudar/continuous/primitive_impact.hpp>
#include <sudar/core/random.hpp>
#include <sudar/geom/closest.hpp>
#include <sudar/math/roots.hpp>
#include <sudar/math/sampling.hpp>

#include <algorithm>
#include <array>

namespace sudar::lab {

namespace {

using ThreePoints = std::array<Vec2d, 3>;

class PointEdge final : public StillExhibit {
 public:
  PointEdge() {
    using P = Parameter;
    parameters_ = {P::choice("situation", "situation", {"hit", "beside", "graze", "twice", "on_one_line", "random"}),
                   P::whole("seed", "seed", 1, 1, 10000), P::number("t", "look at", "s", 0, 0, 1),
                   P::choice("selected", "end to nudge", {"point", "p", "q"}), CaseSlot::parameter()};
  }
  Result<void> set(std::size_t i) override {
    const std::string& name = parameters_[i].name;
    if (name == "selected") return {};
    if (name == "t") {
      free_look_ = true;
      return {};
    }
    placed_ = false;
    free_look_ = false;
    return remake();
  }
  void go_to(std::size_t step) override {
    StillExhibit::go_to(step);
    free_look_ = false;
  }

  void draw(DrawList& list) const override {
    list.flat = true;
    frame(list, {-3.6, -4.1}, {2.9, 2.1});
    const double t = now();
    for (std::size_t k = 0; k < 3; ++k) {
      const Color c = color_of(k == 0 ? Ink::b : Ink::a, 0.8f);
      view_.way(list, start_[k], end_[k], c, 1.5f);
      list.point(drawn_at(view_.at(start_[k]), 2), c, 5);
      list.label(drawn_at(view_.at(start_[k]), 2), "0", faded(c, 0.8f));
    }
    draw_edge(list, 0, 0.3f);
    draw_edge(list, 1, 0.3f);
    const ThreePoints p = at(t);
    // The line of the three at a root
    if (!at_answer() && !free_look_)
      if (const Vec2d along = normalized(p[2] - p[1]); along != Vec2d{}) {
        const Vec2d middle = view_.at(p[1] * 0.5 + p[2] * 0.5);
        list.line(drawn_at(middle - along * 2.6, 2), drawn_at(middle + along * 2.6, 2), color_of(Ink::axis), 1.5f);
      }
    draw_edge(list, t, 1);
    const auto [on_edge, apart] = closest(p);
    list.point(drawn_at(view_.at(p[0]), 5), color_of(Ink::b), 11);
    if (at_answer() && !free_look_ && answer_.hit) {
      list.point(drawn_at(view_.at(p[0]), 6), color_of(Ink::contact), 12);
      list.label(drawn_at(view_.at(p[0]) + Vec2d{0.12, 0.25}, 7), "t = " + shown(answer_.t, 9));
    } else if (apart * view_.scale() > kSeen) {
      list.line(drawn_at(view_.at(p[0]), 4), drawn_at(view_.at(on_edge), 4), color_of(Ink::highlight), 2);
      list.label(drawn_at(view_.at(p[0] * 0.5 + on_edge * 0.5), 7), shown(apart, 3) + " m");
    }
    const Plot plot = distances();
    draw_plot(list, plot, chart_of(plot, {-3.1, -3.7}, {2.6, -2.25}), false);
  }

  void tell(Panel& panel) const override {
    tell_trouble(panel);
    case_.tell(panel, given_.has_value(), "The point and the ends can still be dragged and nudged.");
    panel.badges.push_back(answer_.hit ? Badge{"hit at t = " + shown(answer_.t, 9), Ink::bad}
                                       : Badge{"no hit, exactly", Ink::good});
    panel.badges.push_back(roots_.everywhere ? Badge{"on one line all the time", Ink::field}
                                             : Badge{std::to_string(roots_.count) + " roots in all", Ink::field});
    if (free_look_)
      panel.decision = "At t = " + shown(now(), 4) + " the two are " + shown(apart_at(now())) + " m apart.";
    else if (at_answer())
      panel.decision =
          answer_.hit ? "The first time at which the two touch: the answer is exact, and t_lower never comes after it."
                      : "At no time in [0, 1] do the two touch: the answer is exact, without a tolerance.";
    else
      panel.decision = "At t = " + shown(now(), 7) + " all three lie on one line. " + told_here();
    if (is_lost(times_, answer_))
      panel.notes.push_back("None of the roots, which are rounded, is where the two touch. The answer is exact.");
    panel.tables.push_back({"answer",
                            {"what", "value"},
                            {{"t", answer_.hit ? shown(answer_.t, 17) : "no hit"},
                             {"t_lower", answer_.hit ? shown(answer_.t_lower, 17) : "-"}}});
    Table table{"roots of the quadratic", {"root", "distance there [m]", "verdict"}, {}, -1};
    for (const double t : times_)
      table.rows.push_back({shown(t, 12), shown(apart_at(t), 4), word_of(told_root(t, times_, answer_))});
    table.highlighted_row = at_answer() || free_look_ ? -1 : static_cast<int>(step_);
    panel.tables.push_back(std::move(table));
    const std::string unit = unit_ == 1 ? "m²" : "(" + shown(unit_, 5) + " m)²";
    panel.tables.push_back({unit_ == 1 ? "the quadratic" : "the quadratic, in " + unit,
                            {"t²", "t", "1"},
                            {{shown(quadratic_[0], 5), shown(quadratic_[1], 5), shown(quadratic_[2], 5)}}});
    Plot plot{
        "area of the three points over time", "t", "twice the area [" + unit + "]", {{"quadratic", {}, {}, false}}};
    for (int i = 0; i <= 120; ++i) {
      const double t = i / 120.0;
      plot.series[0].x.push_back(t);
      plot.series[0].y.push_back((quadratic_[0] * t + quadratic_[1]) * t + quadratic_[2]);
    }
    plot.series.push_back({"roots", times_, std::vector<double>(times_.size(), 0.0), true});
    plot.marker_x = now();
    panel.plots.push_back(std::move(plot));
    panel.plots.push_back(distances());
  }

  std::string as_query() const override {
    return query_line(
        "ccd_point_edge", 2,
        "\"t0\":" + json_text(std::span<const Vec2d>(start_)) + ",\"t1\":" + json_text(std::span<const Vec2d>(end_)));
  }
  bool nudge(int axis, int ulps) override {
    if (axis < 0 || axis > 1) return false;
    double& x = end_[index("selected")][axis];
    x = nudged(x, ulps);
    return remake().ok();
  }
  bool grab(const Pick& pick) override {
    double best = 0.25 / view_.scale();
    held_ = nullptr;
    const Vec2d pointer = view_.world(in_plane_of(pick));
    for (ThreePoints* points : {&start_, &end_})
      for (Vec2d& p : *points)
        if (const double d = distance(pointer, p); d < best) best = d, held_ = &p;
    return held_ != nullptr;
  }
  void drag(const Pick& pick) override {
    if (held_ == nullptr) return;
    *held_ = view_.world(in_plane_of(pick));
    (void)remake();
  }
  void release(bool) override { held_ = nullptr; }

 protected:
  Result<void> make() override {
    if (!placed_) place();
    placed_ = true;
    const Result<PrimitiveImpact> answer = point_edge_impact(start_, end_);
    if (!answer) return answer.error();
    answer_ = *answer;
    find_quadratic();
    roots_ = quadratic_roots(quadratic_[0], quadratic_[1], quadratic_[2]);
    times_.clear();
    for (const double t : roots_)
      if (t >= 0 && t <= 1) times_.push_back(t);
    steps_ = times_.size() + 1;
    return {};
  }

 private:
  // Of the picture, metres: what is shorter is not drawn
  static constexpr double kSeen = 1e-9;

  void place() {
    if (case_.read(parameters_))
      given_ = case_.text().empty() ? std::nullopt : read_point_edge_case(case_.text(), case_.why_not);
    view_ = {};
    if (given_) {
      start_ = given_->start, end_ = given_->end;
      Aabb2d all{start_[0], start_[0]};
      for (const ThreePoints* points : {&start_, &end_})
        for (const Vec2d& p : *points) all = {min(all.lo, p), max(all.hi, p)};
      view_ = {all, {{-3.3, -1.8}, {2.6, 1.9}}};
      return;
    }
    start_ = {Vec2d{0.2, 1.8}, {-1.6, -0.4}, {1.2, 0}};
    end_ = {Vec2d{-0.6, -1.7}, {-1.4, -0.9}, {1.5, 0.5}};
    switch (index("situation")) {
      case 1:  // through the line, beside the edge
        start_[0].x += 2.1, end_[0].x += 2.9;
        break;
      case 2:  // comes to the edge and goes away again on the same side: a double root
        start_ = {Vec2d{-1, -0.8125}, {-1.5, -0.25}, {1.5, -1.375}};
        end_ = {Vec2d{1, 0.3125}, {-1.5, -0.25}, {1.5, 0.875}};
        break;
      case 3:  // the edge swings, so that the three are on one line twice
        start_ = {Vec2d{-1.9, -0.3}, {-1.5, -1.2}, {1.5, 1.4}};
        end_ = {Vec2d{1.9, -0.4}, {-1.5, 1.3}, {1.4, -1.3}};
        break;
      case 4:  // all on the line y = 0, all the time
        start_ = {Vec2d{-3, 0}, {-1, 0}, {1.25, 0}};
        end_ = {Vec2d{1, 0}, {-0.5, 0}, {2, 0}};
        break;
      case 5: {
        Random random(static_cast<std::uint64_t>(value("seed")));
        for (ThreePoints* points : {&start_, &end_})
          for (Vec2d& p : *points) p = point_in_ball<2>(random) * 1.8;
        break;
      }
      default:
        break;
    }
  }
  // (q - p) × (point - p) of points that move linearly
  void find_quadratic() {
    double most = 0;
    for (const ThreePoints* points : {&start_, &end_})
      for (const Vec2d& p : *points) most = std::max(most, max_abs(p));
    unit_ = unit_for(most);
    const ThreePoints start = in_units(start_), end = in_units(end_);
    const Vec2d e0 = start[2] - start[1], e1 = (end[2] - end[1]) - e0;
    const Vec2d v0 = start[0] - start[1], v1 = (end[0] - end[1]) - v0;
    quadratic_ = {cross(e1, v1), cross(e0, v1) + cross(e1, v0), cross(e0, v0)};
  }
  ThreePoints at(double t) const {
    return {lerp(start_[0], end_[0], t), lerp(start_[1], end_[1], t), lerp(start_[2], end_[2], t)};
  }
  ThreePoints in_units(const ThreePoints& p) const { return {p[0] / unit_, p[1] / unit_, p[2] / unit_}; }
  struct Closest {
    Vec2d on_edge;
    double apart;
  };
  Closest closest(const ThreePoints& points) const {
    const ThreePoints p = in_units(points);
    const auto x = closest_point(Segment<2, double>{p[1], p[2]}, p[0]);
    return {x.point * unit_, std::sqrt(x.distance_squared) * unit_};
  }
  double apart_at(double t) const { return closest(at(t)).apart; }
  // Of a root
  std::string told_here() const {
    const std::string apart = shown(apart_at(now()), 4) + " m";
    switch (told_root(now(), times_, answer_)) {
      case RootIs::apart:
        return "The point is beside the edge, " + apart +
               " as rounded here: by the exact answer they do not touch there.";
      case RootIs::contact:
        return "The point is on the edge: the first contact, by the exact answer.";
      case RootIs::later:
        break;
    }
    return "That is after the first contact; the distance here is " + apart + ".";
  }
  bool at_answer() const { return step_ >= times_.size(); }
  double now() const {
    return free_look_ ? value("t") : step_ < times_.size() ? times_[step_] : answer_.hit ? answer_.t : 1;
  }
  void draw_edge(DrawList& list, double t, float alpha) const {
    const ThreePoints p = at(t);
    list.line(drawn_at(view_.at(p[1]), 3), drawn_at(view_.at(p[2]), 3), color_of(Ink::a, alpha), 5);
  }
  Plot distances() const {
    Plot plot{"distance over time", "t", "distance [m]", {{"distance", {}, {}, false}}};
    for (int i = 0; i <= 120; ++i) {
      plot.series[0].x.push_back(i / 120.0);
      plot.series[0].y.push_back(apart_at(i / 120.0));
    }
    PlotSeries roots{"roots", {}, {}, true};
    for (const double t : times_) roots.x.push_back(t), roots.y.push_back(apart_at(t));
    plot.series.push_back(std::move(roots));
    plot.marker_x = now();
    return plot;
  }

  ThreePoints start_{}, end_{};
  bool placed_ = false, free_look_ = false;
  PrimitiveImpact answer_;
  std::array<double, 3> quadratic_{};
  Roots<2> roots_;
  std::vector<double> times_;
  Vec2d* held_ = nullptr;
  CaseSlot case_;
  std::optional<GivenPointEdge> given_;
  PlaneView view_;
  double unit_ = 1;  // of lengths in the quadratic, metres
};

}  // namespace

std::unique_ptr<Exhibit> make_point_edge(std::string_view parameters, std::string& why_not) {
  return make_still<PointEdge>(parameters, why_not);
}

}  // namespace sudar::lab
