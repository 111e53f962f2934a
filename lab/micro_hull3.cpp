// What:    The microscope on hulls in space: Quickhull and the incremental hull, face by face.
#include "lab/microscope.hpp"
#include "lab/palette.hpp"
#include "lab/point_cloud.hpp"
#include "lab/stepped.hpp"
#include <sudar/geom/hull3.hpp>

#include <algorithm>
#include <array>

namespace sudar::lab {

namespace {

class MicroHull3 final : public Stepped {
 public:
  MicroHull3() {
    add_cloud_parameters(parameters_, 24, 300);
    parameters_.push_back(Parameter::choice("method", "Method", {"quickhull", "incremental"}));
  }

  std::string as_query() const override {
    const Result<Shape3> shape = make_hull_shape3(points_);
    if (!shape || points_.empty()) return {};
    return "{\"op\":\"inside\",\"dim\":3,\"a\":{\"shape\":" + json_text(*shape) +
           "},\"point\":" + json_text(points_[0]) + "}";
  }

 private:
  using Corners = std::array<std::uint32_t, 3>;

  void run() override {
    points_ = cloud3(parameters_);
    quick_ = parameter("method").chosen() == "quickhull";
    const auto hull = quick_ ? quickhull3(points_, {}, trace()) : incremental_hull3(points_, {}, trace());
    corners_ = faces_ = 0;
    if (hull) corners_ = hull->vertex_count(), faces_ = hull->face_count();
    for (std::size_t i = 0; i < events().size(); ++i) {
      const Entry& e = events()[i];
      std::string text, value;
      if (e.step == "initial tetrahedron") {
        text = "Four points that span a tetrahedron: the first hull.";
      } else if (e.step == "chosen point") {
        value = num(std::size_t{e.ids[0]});
        text = quick_ ? "Point " + value + " lies farthest outside of a face: it is a corner of the hull for sure."
                      : "Point " + value + " is next in random order, and outside.";
      } else if (e.step == "visible faces") {
        value = num(e.ids.size() / 3);
        text = "The point is in front of " + value + (e.ids.size() == 3 ? " face, which goes." : " faces, which go.");
      } else if (e.step == "horizon") {
        value = num(e.ids.size());
        text = "Their rim, the horizon as seen from the point, has " + value + " edges.";
      } else if (e.step == "new faces") {
        value = num(e.ids.size() / 3);
        text = "A cone of " + value + " new faces from the point to the horizon closes the hull.";
      } else {
        text = "The points lie in one plane or on one line: the hull is flat.";
      }
      add(e.step, value, text, i + 1);
    }
    add("answer", num(std::size_t{faces_}),
        "The hull has " + num(std::size_t{corners_}) + " corners and " + num(std::size_t{faces_}) + " faces.",
        events().size());
  }

  static Corners sorted(Corners c) {
    std::rotate(c.begin(), std::min_element(c.begin(), c.end()), c.end());
    return c;
  }
  std::vector<Corners> faces_after(std::size_t events_done) const {
    std::vector<Corners> faces;
    for (std::size_t i = 0; i < events_done; ++i) {
      const Entry& e = events()[i];
      if (e.step == "initial tetrahedron" && e.ids.size() == 4) {
        const auto& t = e.ids;
        for (const Corners& c : {Corners{t[0], t[1], t[2]}, Corners{t[1], t[0], t[3]}, Corners{t[2], t[1], t[3]},
                                 Corners{t[0], t[2], t[3]}})
          faces.push_back(sorted(c));
      }
      for (std::size_t k = 0; k + 2 < e.ids.size(); k += 3) {
        const Corners c = sorted({e.ids[k], e.ids[k + 1], e.ids[k + 2]});
        // What is seen goes when the cone is there
        if (e.step == "new faces") faces.push_back(c);
      }
      if (e.step == "new faces" && i >= 2)
        for (std::size_t k = 0; k + 2 < events()[i - 2].ids.size(); k += 3) {
          const auto& seen = events()[i - 2].ids;
          const auto at = std::find(faces.begin(), faces.end(), sorted({seen[k], seen[k + 1], seen[k + 2]}));
          if (at != faces.end()) faces.erase(at);
        }
    }
    return faces;
  }

  void draw_at(DrawList& list, std::size_t events_done) const override {
    const std::vector<Corners> faces = faces_after(events_done);
    const Entry* now = events_done > 0 && !at_end() ? &events()[events_done - 1] : nullptr;
    const auto lists = [&](std::string_view step, const Corners& c) {
      if (now == nullptr || now->step != step) return false;
      for (std::size_t k = 0; k + 2 < now->ids.size(); k += 3)
        if (sorted({now->ids[k], now->ids[k + 1], now->ids[k + 2]}) == c) return true;
      return false;
    };
    // Seen from the point that was chosen last, while it is not a corner yet
    std::uint32_t eye = 0;
    bool has_eye = false;
    std::vector<Corners> seen;
    for (std::size_t i = 0; i < events_done; ++i) {
      if (events()[i].step == "chosen point") eye = events()[i].ids[0], has_eye = true;
      if (events()[i].step == "new faces") seen.clear();
      if (events()[i].step == "visible faces")
        for (std::size_t k = 0; k + 2 < events()[i].ids.size(); k += 3)
          seen.push_back(sorted({events()[i].ids[k], events()[i].ids[k + 1], events()[i].ids[k + 2]}));
    }
    for (const Corners& c : faces) {
      const Vec3d p[] = {points_[c[0]], points_[c[1]], points_[c[2]]};
      const bool goes = std::find(seen.begin(), seen.end(), c) != seen.end(), comes = lists("new faces", c);
      list.triangle(p[0], p[1], p[2],
                    goes    ? color_of(Ink::bad, 0.6f)
                    : comes ? color_of(Ink::highlight, 0.6f)
                            : color_of(Ink::a, at_end() ? 0.55f : 0.35f));
      list.polyline(p, color_of(Ink::a), true, 1.5f);
    }
    for (const Vec3d& p : points_) list.point(p, color_of(Ink::text), 6);
    if (now == nullptr || !has_eye) return;
    list.point(points_[eye], color_of(Ink::highlight), 14);
    list.label(points_[eye], " " + std::to_string(eye), color_of(Ink::highlight));
    if (now->step == "horizon") {
      std::vector<Vec3d> loop;
      for (const std::uint32_t i : now->ids) loop.push_back(points_[i]);
      list.polyline(loop, color_of(Ink::highlight), true, 5);
    }
    if (now->step == "visible faces" || now->step == "horizon")
      for (const Corners& c : seen)
        for (const std::uint32_t i : c) list.line(points_[eye], points_[i], color_of(Ink::ray, 0.6f), 1);
  }

  void tell_more(Panel& panel) const override {
    panel.badges.push_back({num(points_.size()) + " points", Ink::text});
    panel.badges.push_back(
        {num(std::size_t{corners_}) + " corners, " + num(std::size_t{faces_}) + " faces", Ink::good});
    panel.paragraph =
        std::string(quick_ ? "Quickhull takes the farthest point outside of a face"
                           : "The incremental hull takes the points in random order") +
        ", removes the faces that the point sees and closes the hole with a cone from its rim. Every face is seen or "
        "not by the "
        "sign of an exact determinant; both methods give the same hull, down to the triangles of flat faces.";
    Plot plot{
        "Faces of the hull so far", "event", "faces", {}, false, false, static_cast<double>(told()[step()].events)};
    PlotSeries series{"faces", {}, {}, false};
    double faces = 0;
    for (std::size_t i = 0; i < events().size(); ++i) {
      const Entry& e = events()[i];
      if (e.step == "initial tetrahedron") faces = 4;
      if (e.step == "visible faces") faces -= static_cast<double>(e.ids.size() / 3);
      if (e.step == "new faces") faces += static_cast<double>(e.ids.size() / 3);
      if (e.step != "initial tetrahedron" && e.step != "new faces") continue;
      series.x.push_back(static_cast<double>(i + 1)), series.y.push_back(faces);
    }
    plot.series = {series};
    panel.plots.push_back(std::move(plot));
  }

  std::vector<Vec3d> points_;
  std::uint32_t corners_ = 0, faces_ = 0;
  bool quick_ = true;
};

}  // namespace

ExhibitEntry hull3_exhibit() {
  return {"hull3",
          "Quickhull and the incremental hull",
          "microscope",
          "Convex hulls in space: the chosen point, the faces it sees, their horizon, and the cone that replaces them, "
          "by Quickhull "
          "or in random order.",
          "Barber, Dobkin, Huhdanpaa 1996; Clarkson and Shor 1989; seeds A15, D8",
          [](std::string_view text, std::string& why_not) { return make_stepped<MicroHull3>(text, why_not); }};
}

}  // namespace sudar::lab
