// What:    The microscope on hulls of the plane and what walks around them: the monotone chain, and rotating calipers.
#include "lab/microscope.hpp"
#include "lab/palette.hpp"
#include "lab/point_cloud.hpp"
#include "lab/stepped.hpp"
#include <sudar/bounding/obb_fit.hpp>
#include <sudar/geom/hull2.hpp>

#include <algorithm>
#include <limits>

namespace sudar::lab {

namespace {

// A hull as a case: is the first point of the cloud inside of it? It is, and the distance tells the whole shape.
std::string inside_query(std::span<const Vec2d> points) {
  const Result<Shape2> shape = make_polygon2(points);
  if (!shape || points.empty()) return {};
  return "{\"op\":\"inside\",\"dim\":2,\"a\":{\"shape\":" + json_text(*shape) + "},\"point\":" + json_text(points[0]) +
         "}";
}

class MicroHull2 final : public Stepped {
 public:
  MicroHull2() { add_cloud_parameters(parameters_, 24, 200); }
  std::string as_query() const override { return inside_query(points_); }

 private:
  void run() override {
    points_ = cloud2(parameters_);
    const auto hull = convex_hull2(points_, trace());
    hull_ = hull ? *hull : std::vector<std::uint32_t>();
    for (std::size_t i = 0; i < events().size(); ++i) {
      const Entry& e = events()[i];
      std::string text;
      if (e.step == "keep")
        text = "Point " + num(std::size_t{e.ids[0]}) + " is next from left to right (then back): it joins the chain.";
      else if (e.step == "drop")
        text = "Seen from point " + num(std::size_t{e.ids[1]}) + ", point " + num(std::size_t{e.ids[0]}) +
               " is no left turn on the way to point " + num(std::size_t{e.ids[2]}) + ": it is dropped.";
      else
        text = "The " + e.step + " is complete: " + num(e.ids.size()) + " points.";
      add(e.step, num(std::size_t{e.ids.empty() ? 0 : e.ids[0]}), text, i + 1);
    }
    add("answer", num(hull_.size()),
        "The hull has " + num(hull_.size()) + " corners of " + num(points_.size()) + " points.", events().size());
  }

  void draw_at(DrawList& list, std::size_t events_done) const override {
    list.flat = true;
    std::vector<std::uint32_t> chain;
    for (std::size_t i = 0; i < events_done; ++i) {
      const Entry& e = events()[i];
      if (e.step == "keep") chain.push_back(e.ids[0]);
      if (e.step == "drop" && !chain.empty()) chain.pop_back();
    }
    const Entry* now = events_done > 0 ? &events()[events_done - 1] : nullptr;
    if (now != nullptr && (now->step == "keep" || now->step == "drop") && !at_end()) {
      // The sweep
      const double x = points_[now->step == "keep" ? now->ids[0] : now->ids[2]].x;
      list.line({x, -2.3, 0}, {x, 2.3, 0}, color_of(Ink::ghost, 0.7f), 1);
    }
    std::vector<Vec3d> path;
    for (const std::uint32_t i : at_end() ? hull_ : chain) path.push_back(flat(points_[i]));
    if (at_end() && path.size() > 2) list.polygon(path, color_of(Ink::good, 0.2f));
    for (const Vec2d& p : points_) list.point(flat(p), color_of(Ink::text, 0.7f), 6);
    list.polyline(path, color_of(Ink::good), at_end(), 3);
    for (const Vec3d& p : path) list.point(p, color_of(Ink::good), 9);
    if (now == nullptr || at_end()) return;
    if (now->step == "drop") {
      const Vec3d gone = flat(points_[now->ids[0]]), before = flat(points_[now->ids[1]]),
                  comer = flat(points_[now->ids[2]]);
      list.triangle(before, gone, comer, color_of(Ink::bad, 0.3f));
      list.line(before, gone, color_of(Ink::bad), 2);
      list.line(gone, comer, color_of(Ink::bad), 2);
      list.point(gone, color_of(Ink::bad), 12);
      list.point(comer, color_of(Ink::highlight), 12);
      list.label(gone, " right turn", color_of(Ink::bad));
    } else if (now->step == "keep") {
      list.point(flat(points_[now->ids[0]]), color_of(Ink::highlight), 12);
    }
  }

  void tell_more(Panel& panel) const override {
    panel.badges.push_back({num(points_.size()) + " points", Ink::text});
    panel.badges.push_back({num(hull_.size()) + " corners", Ink::good});
    panel.paragraph =
        "The points are sorted from left to right. A chain takes each of them and drops what makes no left turn; the "
        "lower chain "
        "first, the upper one on the way back. Each turn is the sign of an exact determinant, so no rounding can spoil "
        "it.";
  }

  std::vector<Vec2d> points_;
  std::vector<std::uint32_t> hull_;
};

class MicroCalipers final : public Stepped {
 public:
  MicroCalipers() { add_cloud_parameters(parameters_, 16, 200); }
  std::string as_query() const override { return inside_query(points_); }

 private:
  void run() override {
    points_ = cloud2(parameters_);
    box_ = {};
    const auto hull = convex_hull2(points_);
    hull_ = hull ? *hull : std::vector<std::uint32_t>();
    if (const auto box = smallest_rectangle(points_, trace())) box_ = *box;
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < events().size(); ++i) {
      const Entry& e = events()[i];
      const bool better = e.value < best;
      best = std::min(best, e.value);
      add(e.step, num(e.value),
          e.step == "edge"
              ? "One side of the calipers lies on the edge from point " + num(std::size_t{e.ids[0]}) + " to " +
                    num(std::size_t{e.ids[1]}) + ": a rectangle of " + num(e.value) + " square metres" +
                    (better ? ", the smallest so far." : "; the smallest so far has " + num(best) + ".")
              : "All edges have been looked at: the smallest rectangle has " + num(e.value) +
                    " square metres and lies on one of them.",
          i + 1);
    }
  }

  void draw_rectangle(DrawList& list, const Entry& e, Color c, float alpha, float pixels) const {
    const Vec2d a = points_[e.ids[0]], d = normalized(points_[e.ids[1]] - a), n = perp(d);
    const double from = dot(d, points_[e.ids[4]] - a), to = dot(d, points_[e.ids[2]] - a),
                 high = dot(n, points_[e.ids[3]] - a);
    const Vec3d ring[] = {flat(a + d * from), flat(a + d * to), flat(a + d * to + n * high),
                          flat(a + d * from + n * high)};
    list.polygon(ring, faded(c, alpha));
    list.polyline(ring, c, true, pixels);
  }

  void draw_at(DrawList& list, std::size_t events_done) const override {
    list.flat = true;
    std::vector<Vec3d> ring;
    for (const std::uint32_t i : hull_) ring.push_back(flat(points_[i]));
    const Entry* best = nullptr;
    const Entry* now = nullptr;
    for (std::size_t i = 0; i < events_done; ++i) {
      const Entry& e = events()[i];
      if (e.step != "edge") continue;
      now = &e;
      if (best == nullptr || e.value < best->value) best = &e;
    }
    const bool end = events_done > 0 && events()[events_done - 1].step == "smallest";
    if (best != nullptr) draw_rectangle(list, *best, color_of(Ink::good), 0.15f, end ? 4.f : 2.f);
    if (ring.size() > 2) list.polygon(ring, color_of(Ink::a, 0.25f));
    list.polyline(ring, color_of(Ink::a), true, 2);
    for (const Vec2d& p : points_) list.point(flat(p), color_of(Ink::text, 0.7f), 6);
    if (now == nullptr || end) return;
    draw_rectangle(list, *now, color_of(Ink::highlight), 0.08f, 3);
    list.line(flat(points_[now->ids[0]]), flat(points_[now->ids[1]]), color_of(Ink::highlight), 6);
    static constexpr const char* kNames[] = {" ahead", " opposite", " behind"};
    for (std::size_t k = 2; k < 5; ++k) {
      list.point(flat(points_[now->ids[k]]), color_of(Ink::highlight), 12);
      list.label(flat(points_[now->ids[k]]), kNames[k - 2], color_of(Ink::text));
    }
  }

  void tell_more(Panel& panel) const override {
    panel.badges.push_back({num(volume(box_)) + " square metres", Ink::good});
    panel.paragraph =
        "A smallest rectangle has a side on an edge of the hull. The calipers turn from edge to edge; the farthest "
        "points ahead, "
        "opposite and behind only ever move forwards, so all rectangles together take linear time.";
    Plot plot{"Area by edge", "edge", "square metres", {}, false, false, static_cast<double>(step() + 1)};
    PlotSeries areas{"area", {}, {}, true};
    for (std::size_t i = 0; i < events().size(); ++i)
      if (events()[i].step == "edge")
        areas.x.push_back(static_cast<double>(i + 1)), areas.y.push_back(events()[i].value);
    plot.series = {areas};
    panel.plots.push_back(std::move(plot));
  }

  std::vector<Vec2d> points_;
  std::vector<std::uint32_t> hull_;
  Obb2d box_;
};

}  // namespace

ExhibitEntry hull2_exhibit() {
  return {"hull2",
          "Convex hull in the plane",
          "microscope",
          "Andrew's monotone chain: from left to right along the bottom and back along the top, dropping whatever "
          "makes no left "
          "turn.",
          "Andrew 1979; seed B8",
          [](std::string_view text, std::string& why_not) { return make_stepped<MicroHull2>(text, why_not); }};
}
ExhibitEntry calipers_exhibit() {
  return {"calipers",
          "Rotating calipers",
          "microscope",
          "The smallest rectangle around points: four lines turn around the hull together, one of them on an edge.",
          "Toussaint 1983; Freeman and Shapira 1975; seed A13",
          [](std::string_view text, std::string& why_not) { return make_stepped<MicroCalipers>(text, why_not); }};
}

}  // namespace sudar::lab
