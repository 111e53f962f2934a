// What:    Conservative advancement step by step: how far the bodies are apart, how fast they can come nearer, how far in time
//          that carries; with the separation over time under the picture.
#include "lab/field_exhibits.hpp"
#include "lab/plane_motion.hpp"

namespace sudar::lab {

namespace {

class Advancement final : public PlaneMotion {
 public:
  Advancement() {
    add_common({rod_and_ball, two_boxes, graze, full_turns, crossing, polygons}, two_boxes, true);
    parameters_.push_back(Parameter::number("tolerance", "tolerance", "m", 0.001, 1e-9, 0.1, true));
  }

  void draw(DrawList& list) const override {
    list.flat = true;
    draw_ghosts(list);
    if (at_answer()) {
      draw_answer(list, *answer_);
    } else {
      const Advance x = advance_of(step_);
      draw_bodies(list, x.t);
      const Vec2d middle = (x.on_a + x.on_b) * 0.5, along = perp(x.normal);
      list.line(drawn_at(x.on_a - along * 1.4, 4), drawn_at(x.on_a + along * 1.4, 4), color_of(Ink::axis), 2);
      list.line(drawn_at(x.on_b - along * 1.4, 4), drawn_at(x.on_b + along * 1.4, 4), color_of(Ink::axis, 0.6f), 1.5f);
      list.line(drawn_at(x.on_a, 5), drawn_at(x.on_b, 5), color_of(Ink::highlight), 3);
      list.point(drawn_at(x.on_a, 6), color_of(Ink::contact), 8);
      list.point(drawn_at(x.on_b, 6), color_of(Ink::contact), 8);
      list.label(drawn_at(middle + along * 0.45, 6), "d = " + shown(x.distance, 4) + " m");
    }
    const Plot plot = steps_plot();
    draw_plot(list, plot, chart(plot), false);
  }

  void tell(Panel& panel) const override {
    tell_answer(panel, *answer_, "conservative");
    if (at_answer()) {
      panel.decision = answer_->hit ? "Nearer than the tolerance at t = " + shown(answer_->t_lo, 7) +
                                          " s: before it, nothing touches, and that is proven."
                                    : "The last step reaches the end of the time: they never touch.";
    } else {
      const Advance x = advance_of(step_);
      panel.decision = "At t = " + shown(x.t, 6) + " s they are " + shown(x.distance) +
                       " m apart and come nearer by no more than " + shown(x.speed) +
                       " m/s: nothing can touch in the next " + shown(x.time, 5) + " s.";
    }
    Table table{"steps", {"time [s]", "apart ≥ [m]", "closing ≤ [m/s]", "free for [s]"}, {}, -1};
    for (std::size_t i = 0; i < log_.entries().size(); ++i) {
      const Advance x = advance_of(i);
      table.rows.push_back({shown(x.t, 5), shown(x.distance, 4), shown(x.speed, 4), shown(x.time, 4)});
    }
    table.highlighted_row = at_answer() ? -1 : static_cast<int>(step_);
    panel.tables.push_back(std::move(table));
    panel.plots.push_back(steps_plot());
  }

 protected:
  Result<void> make() override {
    if (const auto done = make_bodies(); !done) return done;
    TraceLog log;
    Result<ToiAnswer2> answer = ask(ToiMethod::conservative, &log);
    if (!answer) return answer.error();
    answer_ = *std::move(answer);
    log_ = std::move(log);
    steps_ = log_.entries().size() + 1;
    return {};
  }
  std::string_view method_name() const override { return "conservative"; }

 private:
  struct Advance {
    double t, distance, speed, time;
    Vec2d normal, on_a, on_b;
  };
  Advance advance_of(std::size_t i) const {
    const TraceLog::Entry& e = log_.entries()[i];
    const Vec2d origin = a_->pose(e.value).position;
    return {e.value,
            e.numbers[2],
            e.numbers[3],
            e.numbers[4],
            {e.numbers[0], e.numbers[1]},
            origin + Vec2d{e.numbers[5], e.numbers[6]},
            origin + Vec2d{e.numbers[7], e.numbers[8]}};
  }
  bool at_answer() const { return step_ >= log_.entries().size(); }
  // From each distance down the steepest line that it can follow; where that is zero is the next look
  Plot steps_plot() const {
    Plot plot = curve();
    PlotSeries bounds{"at least this far", {}, {}, false}, looks{"looks", {}, {}, true};
    const std::size_t last = at_answer() ? log_.entries().size() : step_ + 1;
    for (std::size_t i = 0; i < last; ++i) {
      const Advance x = advance_of(i);
      bounds.x.push_back(x.t), bounds.y.push_back(std::max(x.distance, 0.0));
      looks.x.push_back(x.t), looks.y.push_back(x.distance);
      const double end = std::min(x.t + x.time, kTime);
      bounds.x.push_back(end);
      bounds.y.push_back(std::max(0.0, x.distance - x.speed * (end - x.t)));
    }
    plot.series.push_back(std::move(bounds));
    plot.series.push_back(std::move(looks));
    plot.marker_x = at_answer() ? (answer_->hit ? answer_->t_lo : kTime) : advance_of(step_).t;
    return plot;
  }

  TraceLog log_;
  std::optional<ToiAnswer2> answer_;
};

}  // namespace

std::unique_ptr<Exhibit> make_conservative_advancement(std::string_view parameters, std::string& why_not) {
  return make_still<Advancement>(parameters, why_not);
}

}  // namespace sudar::lab
