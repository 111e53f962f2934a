// What:    The microscope on V-Clip: a walk over pairs of features, with the Voronoi regions that prove its end.
#include "lab/microscope.hpp"
#include "lab/palette.hpp"
#include "lab/stepped.hpp"
#include <sudar/narrowphase/vclip3.hpp>

#include <algorithm>

namespace sudar::lab {

namespace {

constexpr double kRegionReach = 0.8;  // how far of a region is drawn, metres

std::string feature_text(std::uint32_t kind, std::uint32_t index) {
  static constexpr const char* kNames[] = {"vertex ", "edge ", "face "};
  return kNames[std::min(kind, 2u)] + std::to_string(index);
}

class MicroVClip final : public Stepped {
 public:
  MicroVClip() : pair_({"gem", "prism", {2.0, 0.5, 0.8}, 0, 20, 35, 15, true}, parameters_) {
    parameters_.push_back(Parameter::whole("start_a", "Start: vertex of A", 0, 0, 17));
    parameters_.push_back(Parameter::whole("start_b", "Start: vertex of B", 0, 0, 17));
    parameters_.push_back(Parameter::toggle("regions", "Voronoi regions", true));
  }

  std::string as_query() const override { return pair_.query("distance"); }
  bool nudge(int axis, int ulps) override { return axis < 3 && nudge_parameter(coordinate_name(axis), ulps); }
  View home() const override { return {true, {0.2, -1.6, 0.6}, {}, 1}; }

 private:
  bool meets_b(const Pick& pick) const override { return pair_.meets_b(pick); }
  void run() override {
    pair_.read(parameters_);
    const VClipBody3 a(pair_.a()), b(pair_.b());
    const auto hint = [&](std::string_view name, const VClipBody3& body) {
      const auto i = static_cast<std::uint32_t>(parameter(name).value);
      return Feature{FeatureKind::vertex, std::min(i, static_cast<std::uint32_t>(body.view().vertices().size() - 1))};
    };
    answer_ = vclip3(a, b, pair_.placement(), hint("start_a", a), hint("start_b", b), trace());
    double last = -1;
    for (std::size_t i = 0; i < events().size(); ++i) {
      const Entry& e = events()[i];
      std::string text;
      if (e.step == "pair") {
        const std::string features =
            feature_text(e.ids[0], e.ids[1]) + " of A and " + feature_text(e.ids[2], e.ids[3]) + " of B";
        text = last < 0
                   ? "Start at " + features + ", " + num(e.value) + " m apart."
                   : "A neighbour is nearer: " + features + ", " + num(e.value) + " m in place of " + num(last) + " m.";
        last = e.value;
      } else if (e.step == "escape") {
        text = "The point lies behind its face, but in front of face " + num(std::size_t{e.ids[0]}) + " by " +
               num(e.value) + " m: go on there.";
      } else if (e.step == "apart") {
        text = "Each closest point lies in the Voronoi region of the other's feature: no pair of points is nearer. " +
               num(e.value) + " m apart.";
      } else if (e.step == "overlap") {
        text =
            "The features meet, or a vertex is behind all faces: the bodies overlap. V-Clip gives no depth; EPA does.";
      } else {
        text = "Rounding hides the side: left to GJK and exact arithmetic.";
      }
      add(e.step, num(e.value), text, i + 1);
    }
  }

  struct Body {
    const VClipBody3& body;
    const Pose3d& pose;
    const PolytopeView3& view() const { return body.view(); }
    Vec3d vertex(std::uint32_t v) const { return transform(pose, view().vertices()[v]); }
    Vec3d normal(std::uint32_t f) const { return rotate(pose.rotation, view().planes()[f].normal); }
  };

  static void draw_feature(DrawList& list, const Body& s, std::uint32_t kind, std::uint32_t i, bool regions, Ink ink) {
    const Color strong = color_of(Ink::highlight), wall = color_of(ink, 0.16f), rim = color_of(ink, 0.6f);
    const PolytopeView3& view = s.view();
    const auto quad = [&](const Vec3d& p, const Vec3d& q, const Vec3d& along_p, const Vec3d& along_q) {
      const Vec3d ring[] = {p, q, q + along_q * kRegionReach, p + along_p * kRegionReach};
      list.polygon(ring, wall);
      list.line(p, ring[3], rim, 1);
      list.line(q, ring[2], rim, 1);
    };
    if (kind == 2) {
      std::vector<Vec3d> ring;
      for (std::uint32_t k = 0; k < view.face_degree(i); ++k)
        ring.push_back(s.vertex(view.edges()[view.first_edge(i) + k].origin));
      list.polygon(ring, color_of(Ink::highlight, 0.6f));
      list.polyline(ring, strong, true, 3);
      for (std::size_t k = 0; regions && k < ring.size(); ++k)
        quad(ring[k], ring[(k + 1) % ring.size()], s.normal(i), s.normal(i));
    } else if (kind == 1) {
      const Vec3d p = s.vertex(view.edges()[i].origin), q = s.vertex(view.destination(i));
      list.line(p, q, strong, 6);
      if (!regions || view.face_count() == 0) return;
      for (const std::uint32_t e : {i, view.edges()[i].twin}) {
        const Vec3d n = s.normal(view.edges()[e].face);
        quad(p, q, n, n);
      }
    } else {
      const Vec3d p = s.vertex(i);
      list.point(p, strong, 13);
      if (!regions || !s.body.has_edges() || view.face_count() == 0) return;
      // The cone between the normals around the vertex
      const std::uint32_t first = s.body.vertex_edge(i);
      std::uint32_t e = first;
      do {
        const std::uint32_t next = view.edges()[view.edges()[e].twin].next;
        const Vec3d n = s.normal(view.edges()[e].face), m = s.normal(view.edges()[next].face);
        list.triangle(p, p + n * kRegionReach, p + m * kRegionReach, wall);
        list.line(p, p + n * kRegionReach, rim, 1);
        e = next;
      } while (e != first);
    }
  }

  void draw_at(DrawList& list, std::size_t events_done) const override {
    pair_.draw(list, 0.25f);
    const VClipBody3 body_a(pair_.a()), body_b(pair_.b());
    const Body a{body_a, pair_.pose_a()}, b{body_b, pair_.pose_b()};
    const bool regions = parameter("regions").on();
    // The walk so far, and where it is now
    const Entry* now = nullptr;
    std::vector<Vec3d> trail_a, trail_b;
    for (std::size_t i = 0; i < events_done; ++i)
      if (const Entry& e = events()[i]; e.step == "pair") {
        now = &e;
        trail_a.push_back(pair_.to_world({e.numbers[0], e.numbers[1], e.numbers[2]}));
        trail_b.push_back(pair_.to_world({e.numbers[3], e.numbers[4], e.numbers[5]}));
      }
    if (now == nullptr) return;
    draw_feature(list, a, now->ids[0], now->ids[1], regions, Ink::a);
    draw_feature(list, b, now->ids[2], now->ids[3], regions, Ink::b);
    list.polyline(trail_a, color_of(Ink::ray), false, 2);
    list.polyline(trail_b, color_of(Ink::ray), false, 2);
    for (std::size_t i = 0; i < trail_a.size(); ++i) {
      list.point(trail_a[i], color_of(Ink::ray), 6);
      list.point(trail_b[i], color_of(Ink::ray), 6);
    }
    const Vec3d p = trail_a.back(), q = trail_b.back();
    list.line(p, q, color_of(Ink::contact), 4);
    list.label((p + q) * 0.5, " " + num(now->value) + " m", color_of(Ink::contact));
  }

  void tell_more(Panel& panel) const override {
    pair_.tell(panel);
    const bool apart = answer_.outcome == VClipOutcome::apart;
    panel.badges.push_back({apart                                      ? "apart"
                            : answer_.outcome == VClipOutcome::overlap ? "overlap"
                                                                       : "unclear",
                            apart ? Ink::good : Ink::bad});
    panel.badges.push_back({std::to_string(answer_.steps) + " pairs of features", Ink::axis});
    panel.paragraph =
        "From any pair of features the walk goes to a neighbour that is nearer. It ends when each closest point lies "
        "in the "
        "Voronoi region of the other's feature, the set of all places that are nearest to it. The end of one query is "
        "the start "
        "of the next, so for bodies that move little it takes one or two steps.";
    Plot plot{"Distance along the walk", "pair", "m", {}, false, false, static_cast<double>(step() + 1)};
    PlotSeries series{"distance", {}, {}, false};
    for (std::size_t i = 0; i < events().size(); ++i)
      if (events()[i].step == "pair")
        series.x.push_back(static_cast<double>(i + 1)), series.y.push_back(events()[i].value);
    plot.series = {series};
    panel.plots.push_back(std::move(plot));
  }

  Pair3 pair_;
  VClip3 answer_;
};

}  // namespace

ExhibitEntry vclip_exhibit() {
  return {"vclip",
          "Closest features and Voronoi regions",
          "microscope",
          "V-Clip walks from a pair of features to a nearer neighbour until both closest points lie in each other's "
          "Voronoi "
          "regions, which are drawn as walls that rise from the features.",
          "Lin and Canny 1991; Mirtich, V-Clip, 1998; seed B8",
          [](std::string_view text, std::string& why_not) { return make_stepped<MicroVClip>(text, why_not); }};
}

}  // namespace sudar::lab
