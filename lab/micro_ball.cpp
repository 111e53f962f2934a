// What:    The microscope on smallest circles and spheres: Welzl's algorithm, ball by ball.
#include "lab/microscope.hpp"
#include "lab/palette.hpp"
#include "lab/point_cloud.hpp"
#include "lab/stepped.hpp"
#include <sudar/bounding/sphere_fit.hpp>

#include <algorithm>

namespace sudar::lab {

namespace {

template <int D>
class MicroBall final : public Stepped {
 public:
  MicroBall() { add_cloud_parameters(parameters_, 20, 300); }
  std::string as_query() const override { return command_line(D == 2 ? "welzl2" : "welzl3"); }

 private:
  using V = Vec<D, double>;

  void run() override {
    if constexpr (D == 2)
      points_ = cloud2(parameters_);
    else
      points_ = cloud3(parameters_);
    ball_ = {};
    if (const auto ball = welzl_sphere<D>(points_, trace())) ball_ = *ball;
    for (std::size_t i = 0; i < events().size(); ++i) {
      const Entry& e = events()[i];
      std::string ids;
      for (const std::uint32_t id : e.ids) ids += (ids.empty() ? "" : ", ") + std::to_string(id);
      if (e.step == "outside")
        add(e.step, ids,
            i == 0 ? "There is no ball yet: point " + ids + " is the first of the list."
                   : "Point " + ids + " is outside of the ball so far, so it lies on the boundary of the next one.",
            i + 1);
      else
        add(e.step, num(e.value),
            "The smallest ball with " + std::string(e.ids.size() == 1 ? "point " : "points ") + ids +
                " on its boundary: radius " + num(e.value) + " m.",
            i + 1);
    }
    add("answer", num(ball_.radius),
        "No point is outside any more: the smallest ball has radius " + num(ball_.radius) + " m.", events().size());
  }

  static Vec3d in_space(const V& p) {
    if constexpr (D == 2)
      return flat(p);
    else
      return p;
  }

  void draw_at(DrawList& list, std::size_t events_done) const override {
    list.flat = D == 2;
    // The ball of this step, and the largest before it, which it is to replace
    const Entry* ball = nullptr;
    const Entry* largest = nullptr;
    for (std::size_t i = 0; i < events_done; ++i)
      if (events()[i].step == "ball") {
        ball = &events()[i];
        if (largest == nullptr || ball->value > largest->value) largest = ball;
      }
    const auto center_of = [](const Entry& e) {
      V center;
      for (int k = 0; k < D; ++k) center[k] = e.numbers[static_cast<std::size_t>(k)];
      return center;
    };
    const auto draw_ball = [&](const V& center, double radius, Ink ink) {
      const Vec3d c = in_space(center);
      if (D == 3) {
        list.sphere(c, radius, color_of(ink, 0.15f));
        for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}}) list.circle(c, radius, axis, color_of(ink, 0.6f), 1);
      }
      list.circle(c, radius, {0, 0, 1}, color_of(ink), 3);
      list.point(c, color_of(ink), 6);
      if (radius > 0) list.label(c, " r = " + num(radius), color_of(ink));
    };
    if (at_end()) {
      draw_ball(ball_.center, ball_.radius, Ink::good);
    } else if (ball != nullptr) {
      if (largest != ball)
        list.circle(in_space(center_of(*largest)), largest->value, {0, 0, 1}, color_of(Ink::ghost, 0.7f), 1.5f);
      draw_ball(center_of(*ball), ball->value, Ink::a);
    }
    for (const V& p : points_) list.point(in_space(p), color_of(Ink::text), 6);
    if (ball != nullptr)
      for (const std::uint32_t i : ball->ids) {
        list.point(in_space(points_[i]), color_of(Ink::highlight), 12);
        list.label(in_space(points_[i]), " " + std::to_string(i), color_of(Ink::highlight));
      }
    if (events_done == 0 || at_end()) return;
    if (const Entry& now = events()[events_done - 1]; now.step == "outside") {
      list.point(in_space(points_[now.ids[0]]), color_of(Ink::bad), 14);
      list.label(in_space(points_[now.ids[0]]), " outside", color_of(Ink::bad));
    }
  }

  void tell_more(Panel& panel) const override {
    panel.badges.push_back({"r = " + num(ball_.radius) + " m", Ink::good});
    panel.paragraph =
        "Points are taken in random order. One that is outside of the smallest ball of those before it lies on the "
        "boundary of "
        "the next ball, which is found in the same way with that point held fast. Points that were outside move to the "
        "front of "
        "the list, so later rounds meet them first; expected linear time.";
    Plot plot{"Radius of the ball", "event", "m", {}, false, false, static_cast<double>(told()[step()].events)};
    PlotSeries series{"radius", {}, {}, false};
    for (std::size_t i = 0; i < events().size(); ++i)
      if (events()[i].step == "ball")
        series.x.push_back(static_cast<double>(i + 1)), series.y.push_back(events()[i].value);
    plot.series = {series};
    panel.plots.push_back(std::move(plot));
  }

  std::vector<V> points_;
  Sphere<D, double> ball_;
};

constexpr std::string_view kWelzlSource = "Welzl 1991; Gartner 1999; seeds A12, D7";

}  // namespace

ExhibitEntry welzl2_exhibit() {
  return {"welzl2",
          "Smallest circle",
          "microscope",
          "Welzl's algorithm with move-to-front: every point that is found outside lies on the boundary of the next "
          "circle.",
          kWelzlSource,
          [](std::string_view text, std::string& why_not) { return make_stepped<MicroBall<2>>(text, why_not); }};
}
ExhibitEntry welzl3_exhibit() {
  return {"welzl3",
          "Smallest sphere",
          "microscope",
          "Welzl's algorithm in space: every point that is found outside lies on the boundary of the next sphere; at "
          "most four hold it.",
          kWelzlSource,
          [](std::string_view text, std::string& why_not) { return make_stepped<MicroBall<3>>(text, why_not); }};
}

}  // namespace sudar::lab
