// What:    Interval halving step by step: an interval of time is free, or cut in two; the tree of intervals under the picture.
#include "lab/field_exhibits.hpp"
#include "lab/plane_motion.hpp"

#include <algorithm>

namespace sudar::lab {

namespace {

class Halving final : public PlaneMotion {
 public:
  Halving() {
    add_common({rod_and_ball, two_boxes, graze, full_turns, crossing, polygons}, rod_and_ball, true);
    parameters_.push_back(Parameter::number("tolerance", "tolerance", "m", 0.02, 1e-9, 0.1, true));
  }

  void draw(DrawList& list) const override {
    list.flat = true;
    draw_ghosts(list);
    if (at_answer()) {
      draw_answer(list, *answer_);
    } else {
      const Interval x = interval_of(step_);
      list.shape(a_->shape, a_->pose(x.end), color_of(Ink::a, 0.3f));
      list.shape(b_->shape, b_->pose(x.end), color_of(Ink::b, 0.3f));
      draw_bodies(list, x.begin);
    }
    draw_tree(list);
  }

  void tell(Panel& panel) const override {
    tell_answer(panel, *answer_, "halving");
    if (at_answer()) {
      panel.decision =
          answer_->hit
              ? "The first interval that could not be cut away begins at t = " + shown(answer_->t_lo, 7) + " s."
              : "Every interval was shown to be free: they never touch.";
    } else {
      const Interval x = interval_of(step_);
      const std::string sums = "In [" + shown(x.begin, 5) + ", " + shown(x.end, 5) + "] s they can move " +
                               shown(x.move) + " m; they are " + shown(x.room_begin) + " m apart at its start and " +
                               shown(x.room_end) + " m at its end: ";
      panel.decision = sums + (x.kind == Kind::free    ? "less than both together, so it is free."
                               : x.kind == Kind::halve ? "too much to be sure, so it is cut in two."
                                                       : "within the tolerance, so this is the impact.");
    }
    Table table{"intervals", {"from [s]", "until [s]", "apart [m]", "may move [m]", "verdict"}, {}, -1};
    for (std::size_t i = 0; i < log_.entries().size(); ++i) {
      const Interval x = interval_of(i);
      table.rows.push_back({shown(x.begin, 5), shown(x.end, 5), shown(x.room_begin + x.room_end, 3), shown(x.move, 3),
                            log_.entries()[i].step});
    }
    table.highlighted_row = at_answer() ? -1 : static_cast<int>(step_);
    panel.tables.push_back(std::move(table));
    panel.plots.push_back(tent());
  }

 protected:
  Result<void> make() override {
    if (const auto done = make_bodies(); !done) return done;
    TraceLog log;
    Result<ToiAnswer2> answer = ask(ToiMethod::halving, &log);
    if (!answer) return answer.error();
    answer_ = *std::move(answer);
    log_ = std::move(log);
    steps_ = log_.entries().size() + 1;
    return {};
  }
  std::string_view method_name() const override { return "halving"; }

 private:
  enum class Kind { free, halve, impact };
  struct Interval {
    double begin, end, room_begin, room_end, move;
    Kind kind;
    int depth;
  };
  Interval interval_of(std::size_t i) const {
    const TraceLog::Entry& e = log_.entries()[i];
    const double length = e.numbers[0] - e.value;
    int depth = 0;
    for (double whole = kTime; whole > 1.5 * length && depth < 60; whole /= 2) ++depth;
    return {e.value,      e.numbers[0], e.numbers[1],
            e.numbers[2], e.numbers[3], e.step == "free" ? Kind::free : e.step == "halve" ? Kind::halve : Kind::impact,
            depth};
  }
  bool at_answer() const { return step_ >= log_.entries().size(); }

  // One row of bars for each depth, time to the right
  void draw_tree(DrawList& list) const {
    int deepest = 4;
    for (std::size_t i = 0; i < log_.entries().size(); ++i) deepest = std::max(deepest, interval_of(i).depth);
    const double left = -3.1, right = 2.6, top = -2.15, bottom = -3.85, height = (top - bottom) / (deepest + 1);
    const auto x_of = [&](double t) { return left + (right - left) * t / kTime; };
    for (std::size_t i = 0; i < log_.entries().size() && i <= step_; ++i) {
      const Interval x = interval_of(i);
      const Ink ink = x.kind == Kind::free ? Ink::good : x.kind == Kind::halve ? Ink::node : Ink::bad;
      const double y = top - height * x.depth, x0 = x_of(x.begin), x1 = std::max(x_of(x.end), x0 + 0.012);
      const Vec3d bar[] = {drawn_at(Vec2d{x0, y - 0.86 * height}, 1), drawn_at(Vec2d{x1, y - 0.86 * height}, 1),
                           drawn_at(Vec2d{x1, y}, 1), drawn_at(Vec2d{x0, y}, 1)};
      list.polygon(bar, color_of(ink, x.kind == Kind::halve ? 0.45f : 0.85f));
      if (i == step_) list.polyline(bar, color_of(Ink::highlight), true, 3);
    }
    for (int i = 0; i <= 4; ++i)
      list.label(drawn_at(Vec2d{x_of(kTime * i / 4) - 0.05, bottom - 0.12}), shown(kTime * i / 4, 3) + " s");
    list.label(drawn_at(Vec2d{left, top + 0.12}), "free", color_of(Ink::good));
    list.label(drawn_at(Vec2d{left + 0.6, top + 0.12}), "cut in two", color_of(Ink::node));
    list.label(drawn_at(Vec2d{left + 1.8, top + 0.12}), "impact", color_of(Ink::bad));
  }
  // The separation cannot be below the two lines that fall from the ends of the interval
  Plot tent() const {
    Plot plot = curve();
    if (at_answer()) {
      plot.marker_x = answer_->hit ? answer_->t_lo : kTime;
      return plot;
    }
    const Interval x = interval_of(step_);
    const double speed = x.end > x.begin ? x.move / (x.end - x.begin) : 0;
    const double meet =
        speed > 0 ? std::clamp((x.room_begin - x.room_end + speed * (x.begin + x.end)) / (2 * speed), x.begin, x.end)
                  : x.end;
    plot.series.push_back({"at least this far",
                           {x.begin, meet, x.end},
                           {x.room_begin, x.room_begin - speed * (meet - x.begin), x.room_end},
                           false});
    plot.marker_x = x.begin;
    return plot;
  }

  TraceLog log_;
  std::optional<ToiAnswer2> answer_;
};

}  // namespace

std::unique_ptr<Exhibit> make_interval_halving(std::string_view parameters, std::string& why_not) {
  return make_still<Halving>(parameters, why_not);
}

}  // namespace sudar::lab
