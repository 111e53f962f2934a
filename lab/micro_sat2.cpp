// What:    The microscope on separating axes of polygons: every edge normal with both projections and the gap between them.
#include "lab/microscope.hpp"
#include "lab/palette.hpp"
#include "lab/stepped.hpp"
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/sat2.hpp>

#include <algorithm>
#include <limits>

namespace sudar::lab {

namespace {

class MicroSat2 final : public Stepped {
 public:
  MicroSat2() : pair_({"pentagon", "triangle", {1.75, 0.55}, 10, 25, true}, parameters_) {
    parameters_.push_back(Parameter::choice("method", "Method", {"one_sided", "both_projections", "until_apart"}));
    parameters_.back().help =
        "one_sided: how far the other reaches behind each edge; both_projections: the plain one; until_apart: "
        "one-sided, ends with the first gap";
  }

  std::string as_query() const override { return pair_.query("distance"); }
  bool nudge(int axis, int ulps) override { return axis < 2 && nudge_parameter(coordinate_name(axis), ulps); }

 private:
  bool meets_b(const Pick& pick) const override { return pair_.meets_b(pick); }
  void run() override {
    pair_.read(parameters_);
    const PolytopeView2 a(pair_.a()), b(pair_.b());
    const std::string& method = parameter("method").chosen();
    plain_ = method == "both_projections";
    answer_ = plain_ ? sat2_plain(a, b, pair_.placement(), trace())
                     : sat2(a, b, pair_.placement(), method == "until_apart" ? SatGoal::separate : SatGoal::measure,
                            nullptr, trace());
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < events().size(); ++i) {
      const Entry& e = events()[i];
      const bool better = e.value > best;
      best = std::max(best, e.value);
      const bool of_a = e.step == "edge of a";
      const bool thin = e.step == "other";
      const std::string index = num(std::size_t{e.ids[of_a ? 0 : 1]});
      add(thin ? e.step : e.step + " " + index, num(e.value),
          (thin ? "An axis of the thin rectangle around a flat set: "
                : "Edge " + index + (of_a ? " of A: " : " of B: ")) +
              (e.value > answer_.error ? "a gap of " + num(e.value) + " m, so this line separates them: they are apart."
                                       : (of_a ? "B" : "A") + std::string(" reaches ") + num(-e.value) +
                                             " m behind the edge, so this axis does not separate.") +
              (better ? " It is the best so far." : " The best so far stays " + num(best) + " m."),
          i + 1);
    }
    add("answer", num(answer_.separation),
        answer_.proven_apart() ? "Apart: the widest gap is " + num(answer_.separation) + " m, found at one axis of " +
                                     std::to_string(answer_.axes) + "."
                               : "No axis separates: they overlap, and the least overlap, " + num(-answer_.separation) +
                                     " m, is the depth; its axis is the contact normal.",
        events().size());
  }

  void draw_at(DrawList& list, std::size_t events_done) const override {
    pair_.draw(list);
    if (events_done == 0) return;
    const bool end = at_end();
    const Entry& e = events()[events_done - 1];
    const Vec2d n_a = end ? answer_.normal : Vec2d{e.numbers[0], e.numbers[1]}, n = pair_.turned(n_a);
    const PolytopeView2 a(pair_.a()), b(pair_.b());
    // The axis beside the pair: value s of the projection is at base + n s
    const Aabb2d box = pair_.bounds();
    const Vec2d middle = (box.lo + box.hi) * 0.5, side = perp(n);
    std::vector<Vec2d> of_a, of_b;
    for (const Vec2d& p : a.vertices()) of_a.push_back(transform(pair_.pose_a(), p));
    for (const Vec2d& p : b.vertices()) of_b.push_back(transform(pair_.pose_b(), p));
    double reach = 0;
    for (const auto* points : {&of_a, &of_b})
      for (const Vec2d& p : *points) reach = std::max(reach, -dot(side, p - middle));
    const Vec2d base = middle - side * (reach + 0.45) - n * dot(n, middle);
    const auto on_axis = [&](double s, double off) { return flat(base + n * s - side * off); };
    double lo[2], hi[2];
    Vec2d far_a{}, near_b{};
    for (int k = 0; k < 2; ++k) {
      const auto& points = k == 0 ? of_a : of_b;
      lo[k] = std::numeric_limits<double>::infinity(), hi[k] = -lo[k];
      for (const Vec2d& p : points) {
        const double s = dot(n, p);
        if (k == 0 && s > hi[0]) far_a = p;
        if (k == 1 && s < lo[1]) near_b = p;
        lo[k] = std::min(lo[k], s), hi[k] = std::max(hi[k], s);
      }
    }
    const double from = std::min(lo[0], lo[1]) - 0.4, to = std::max(hi[0], hi[1]) + 0.4;
    list.line(on_axis(from, 0), on_axis(to, 0), color_of(Ink::axis), 1.5f);
    list.arrow(on_axis(to - 0.4, 0), on_axis(to + 0.2, 0), color_of(Ink::axis), 1.5f);
    list.line(on_axis(lo[0], 0.06), on_axis(hi[0], 0.06), color_of(Ink::a), 6);
    list.line(on_axis(lo[1], 0.16), on_axis(hi[1], 0.16), color_of(Ink::b), 6);
    // From what decides down to the axis
    const Color guide = color_of(Ink::ghost, 0.7f);
    list.line(flat(far_a), on_axis(hi[0], 0.16), guide, 1);
    list.line(flat(near_b), on_axis(lo[1], 0.16), guide, 1);
    const bool apart = lo[1] > hi[0];
    list.line(on_axis(hi[0], -0.06), on_axis(lo[1], -0.06), color_of(apart ? Ink::good : Ink::bad), 5);
    list.label(on_axis(0.5 * (hi[0] + lo[1]), 0.36),
               (apart ? "gap " : "overlap ") + num(std::abs(lo[1] - hi[0])) + " m",
               color_of(apart ? Ink::good : Ink::bad));
    list.point(flat(far_a), color_of(Ink::highlight), 9);
    list.point(flat(near_b), color_of(Ink::highlight), 9);
    // The edge whose normal this is
    const SatFeature feature = end ? answer_.feature
                                   : SatFeature{e.step == "edge of a"   ? SatKind::face_a
                                                : e.step == "edge of b" ? SatKind::face_b
                                                                        : SatKind::other,
                                                e.ids[0], e.ids[1]};
    if (feature.kind != SatKind::face_a && feature.kind != SatKind::face_b) return;
    const bool is_a = feature.kind == SatKind::face_a;
    const auto& points = is_a ? of_a : of_b;
    const std::uint32_t i = is_a ? feature.a : feature.b;
    const Vec2d p = points[i], q = points[(i + 1) % points.size()], m = (p + q) * 0.5;
    list.line(flat(p), flat(q), color_of(Ink::highlight), 5);
    list.arrow(flat(m), flat(m + (is_a ? n : -n) * 0.5), color_of(Ink::normal), 2.5f);
  }

  void tell_more(Panel& panel) const override {
    pair_.tell(panel);
    panel.badges.push_back(
        {answer_.proven_apart() ? "apart" : "overlap", answer_.proven_apart() ? Ink::good : Ink::bad});
    panel.badges.push_back({std::to_string(answer_.axes) + " axes", Ink::axis});
    panel.paragraph =
        plain_ ? "Both polygons are projected on every edge normal: four extremes an axis."
               : "The edge itself is an extreme of its own polygon, so one extreme an axis is enough: how far "
                 "the other polygon reaches behind the edge.";
    Plot plot{"Gap by axis", "axis", "m", {}, false, false, static_cast<double>(step() + 1)};
    PlotSeries gaps{"gap", {}, {}, true}, best{"widest so far", {}, {}, false};
    double widest = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < events().size(); ++i) {
      widest = std::max(widest, events()[i].value);
      gaps.x.push_back(static_cast<double>(i + 1)), gaps.y.push_back(events()[i].value);
      best.x.push_back(static_cast<double>(i + 1)), best.y.push_back(widest);
    }
    plot.series = {gaps, best};
    panel.plots.push_back(plot);
    panel.notes.push_back("Rounding of a gap: at most " + num(answer_.error) + " m; a gap counts as proven beyond it.");
  }

  Pair2 pair_;
  SatAnswer2 answer_;
  bool plain_ = false;
};

}  // namespace

ExhibitEntry sat2_exhibit() {
  return {"sat2",
          "Separating axes of polygons",
          "microscope",
          "Two convex polygons are apart exactly when a line separates them, and then some edge of one of them is "
          "parallel to "
          "such a line. Step through the edges: each normal with both projections and the gap between them.",
          "Seeds A4, D9; Gottschalk, Lin, Manocha 1996",
          [](std::string_view text, std::string& why_not) { return make_stepped<MicroSat2>(text, why_not); }};
}

}  // namespace sudar::lab
