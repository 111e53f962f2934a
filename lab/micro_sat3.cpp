// What:    The microscope on separating axes of polyhedra: faces, then pairs of edges, with the Gauss map that rules most
//          pairs out.
#include "lab/microscope.hpp"
#include "lab/palette.hpp"
#include "lab/stepped.hpp"
#include <sudar/narrowphase/sat3.hpp>

#include <algorithm>
#include <limits>

namespace sudar::lab {

namespace {

class MicroSat3 final : public Stepped {
 public:
  MicroSat3() : pair_({"crate", "octahedron", {1.5, 0.3, 1.1}, 0, 40, 25, 10, true}, parameters_) {
    parameters_.push_back(Parameter::choice("method", "Method", {"gauss_map", "all_axes", "until_apart"}));
    parameters_.push_back(Parameter::toggle("ruled_out", "Step through pairs of edges that are ruled out", false));
  }

  std::string as_query() const override { return pair_.query("distance"); }
  bool nudge(int axis, int ulps) override { return axis < 3 && nudge_parameter(coordinate_name(axis), ulps); }
  View home() const override { return {true, {0.35, -1.6, 0.6}, {}, 1}; }

 private:
  bool meets_b(const Pick& pick) const override { return pair_.meets_b(pick); }
  void run() override {
    pair_.read(parameters_);
    const PolytopeView3 a(pair_.a()), b(pair_.b());
    const std::string& method = parameter("method").chosen();
    answer_ = method == "all_axes"
                  ? sat3_plain(a, b, pair_.placement(), trace())
                  : sat3(a, b, pair_.placement(), method == "until_apart" ? SatGoal::separate : SatGoal::measure,
                         nullptr, trace());
    ruled_out_ = 0;
    const bool show_all = parameter("ruled_out").on();
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < events().size(); ++i) {
      const Entry& e = events()[i];
      const std::string pair_name =
          "edges " + num(std::size_t{e.ids[0]}) + " of A and " + num(std::size_t{e.ids[1]}) + " of B";
      if (e.step == "no crossing") {
        ++ruled_out_;
        if (show_all)
          add("no crossing", "",
              "The arcs of " + pair_name +
                  " do not cross on the Gauss map, so the two make no face of the difference: no axis.",
              i + 1);
        continue;
      }
      if (e.step == "no better") {
        if (show_all)
          add("no better", num(e.value),
              "The arcs of " + pair_name + " cross, but at their own ends the gap is " + num(e.value) +
                  " m already: no better than " + num(best) + " m.",
              i + 1);
        continue;
      }
      const bool better = e.value > best;
      best = std::max(best, e.value);
      const std::string what = e.step == "face of a"   ? "Face " + num(std::size_t{e.ids[0]}) + " of A"
                               : e.step == "face of b" ? "Face " + num(std::size_t{e.ids[1]}) + " of B"
                               : e.step == "edges"     ? "The cross product of " + pair_name
                                                       : "An axis of the thin prism around a flat set";
      add(e.step, num(e.value),
          what + ": " +
              (e.value > answer_.error ? "a gap of " + num(e.value) + " m, so a plane across it separates them."
                                       : "the projections overlap by " + num(-e.value) + " m.") +
              (better ? " It is the best so far." : ""),
          i + 1);
    }
    add("answer", num(answer_.separation),
        answer_.proven_apart() ? "Apart: a plane leaves a gap of " + num(answer_.separation) + " m."
                               : "No axis separates: they overlap, and the axis of the least overlap, " +
                                     num(-answer_.separation) + " m, is the way out.",
        events().size());
  }

  static void draw_face(DrawList& list, const PolytopeView3& view, std::uint32_t f, const Pose3d& pose) {
    std::vector<Vec3d> ring;
    for (std::uint32_t i = 0; i < view.face_degree(f); ++i)
      ring.push_back(transform(pose, view.vertices()[view.edges()[view.first_edge(f) + i].origin]));
    list.polygon(ring, color_of(Ink::highlight, 0.6f));
    list.polyline(ring, color_of(Ink::highlight), true, 3);
  }
  static void draw_edge(DrawList& list, const PolytopeView3& view, std::uint32_t e, const Pose3d& pose) {
    list.line(transform(pose, view.vertices()[view.edges()[e].origin]),
              transform(pose, view.vertices()[view.destination(e)]), color_of(Ink::highlight), 5);
  }

  // Normals are points of the sphere, edges are arcs between those of their faces; B's are turned around
  void draw_gauss_map(DrawList& list, const PolytopeView3& a, const PolytopeView3& b, const Entry* e) const {
    const Aabb3d box = pair_.bounds();
    const Vec3d center{box.hi.x + 1.7, 0.5 * (box.lo.y + box.hi.y), 0.5 * (box.lo.z + box.hi.z)};
    list.sphere(center, 0.985, color_of(Ink::ghost, 0.25f));
    const auto arc = [&](const Vec3d& n, const Vec3d& m, Color c, float pixels) {
      constexpr int kPieces = 12;
      std::vector<Vec3d> points;
      for (int i = 0; i <= kPieces; ++i) points.push_back(center + normalized(lerp(n, m, double(i) / kPieces)));
      list.polyline(points, c, false, pixels);
    };
    const auto map = [&](const PolytopeView3& view, const Pose3d& pose, double sign, Ink ink, std::uint32_t chosen_edge,
                         std::uint32_t chosen_face) {
      const auto normal = [&](std::uint32_t f) { return rotate(pose.rotation, view.planes()[f].normal) * sign; };
      for (std::uint32_t i = 0; i < view.edges().size(); ++i)
        if (view.names_edge(i) || i == chosen_edge)
          arc(normal(view.edges()[i].face), normal(view.edges()[view.edges()[i].twin].face),
              i == chosen_edge ? color_of(Ink::highlight) : color_of(ink, 0.8f), i == chosen_edge ? 5 : 1.5f);
      for (std::uint32_t f = 0; f < view.face_count(); ++f)
        list.point(center + normal(f), f == chosen_face ? color_of(Ink::highlight) : color_of(ink),
                   f == chosen_face ? 12 : 7);
    };
    constexpr std::uint32_t kNone = 0xffffffffu;
    const bool edges = e != nullptr && (e->step == "edges" || e->step == "no crossing" || e->step == "no better");
    map(a, pair_.pose_a(), 1, Ink::a, edges ? e->ids[0] : kNone,
        e != nullptr && e->step == "face of a" ? e->ids[0] : kNone);
    map(b, pair_.pose_b(), -1, Ink::b, edges ? e->ids[1] : kNone,
        e != nullptr && e->step == "face of b" ? e->ids[1] : kNone);
    list.label(center + Vec3d{-0.9, 0, 1.2}, "Gauss map: A and -B", color_of(Ink::text));
  }

  void draw_at(DrawList& list, std::size_t events_done) const override {
    pair_.draw(list);
    const PolytopeView3 a(pair_.a()), b(pair_.b());
    const bool end = at_end();
    const Entry* e = events_done > 0 ? &events()[events_done - 1] : nullptr;
    if (!end) draw_gauss_map(list, a, b, e);
    const SatFeature feature = end            ? answer_.feature
                               : e == nullptr ? SatFeature{}
                                              : SatFeature{e->step == "face of a"   ? SatKind::face_a
                                                           : e->step == "face of b" ? SatKind::face_b
                                                           : e->step == "other"     ? SatKind::other
                                                                                    : SatKind::edges,
                                                           e->ids[0], e->ids[1]};
    if (end) {
      Entry chosen{"", {feature.a, feature.b}, {}, 0};
      chosen.step = feature.kind == SatKind::face_a   ? "face of a"
                    : feature.kind == SatKind::face_b ? "face of b"
                                                      : "edges";
      draw_gauss_map(list, a, b, feature.kind == SatKind::none || feature.kind == SatKind::other ? nullptr : &chosen);
    }
    if (feature.kind == SatKind::face_a) draw_face(list, a, feature.a, pair_.pose_a());
    if (feature.kind == SatKind::face_b) draw_face(list, b, feature.b, pair_.pose_b());
    if (feature.kind == SatKind::edges) {
      draw_edge(list, a, feature.a, pair_.pose_a());
      draw_edge(list, b, feature.b, pair_.pose_b());
    }
    if (!end && (e == nullptr || e->numbers.size() < 3)) return;
    // The planes at which the projections end
    const Vec3d n_a = end ? answer_.normal : Vec3d{e->numbers[0], e->numbers[1], e->numbers[2]}, n = pair_.turned(n_a);
    const Vec3d p = transform(pair_.pose_a(), a.vertices()[a.support(n_a)]);
    const Vec3d n_b = rotate(conjugate(pair_.pose_b().rotation), n);
    const Vec3d q = transform(pair_.pose_b(), b.vertices()[b.support(-n_b)]);
    const Vec3d middle = (p + q) * 0.5;
    Vec3d u, v;
    make_frame(n, u, v);
    const double gap = dot(n, q - p);
    for (const auto& [at, ink] : {std::pair{dot(n, p), Ink::a}, std::pair{dot(n, q), Ink::b}}) {
      const Vec3d c = middle + n * (at - dot(n, middle));
      const Vec3d ring[] = {c - u * 0.8 - v * 0.8, c + u * 0.8 - v * 0.8, c + u * 0.8 + v * 0.8, c - u * 0.8 + v * 0.8};
      list.polygon(ring, color_of(ink, 0.25f));
      list.polyline(ring, color_of(ink), true, 1.5f);
    }
    const Vec3d from = middle + n * (dot(n, p) - dot(n, middle));
    list.line(from, from + n * gap, color_of(gap > 0 ? Ink::good : Ink::bad), 5);
    list.arrow(from, from + n * (std::max(gap, 0.0) + 0.6), color_of(Ink::normal), 2);
    list.label(from + n * (std::max(gap, 0.0) + 0.65), (gap > 0 ? "gap " : "overlap ") + num(std::abs(gap)) + " m",
               color_of(gap > 0 ? Ink::good : Ink::bad));
    list.point(p, color_of(Ink::highlight), 9);
    list.point(q, color_of(Ink::highlight), 9);
  }

  void tell_more(Panel& panel) const override {
    pair_.tell(panel);
    panel.badges.push_back(
        {answer_.proven_apart() ? "apart" : "overlap", answer_.proven_apart() ? Ink::good : Ink::bad});
    panel.badges.push_back({std::to_string(answer_.axes) + " axes", Ink::axis});
    if (ruled_out_ > 0) panel.badges.push_back({std::to_string(ruled_out_) + " pairs of edges ruled out", Ink::good});
    panel.paragraph =
        "An edge of A and an edge of B make a face of the difference A - B only if their arcs cross on the Gauss map, "
        "where a "
        "face is the point of its normal and an edge the arc between its two faces. Only such pairs can give an axis.";
    Plot plot{"Gap by axis", "axis", "m", {}, false, false, std::numeric_limits<double>::quiet_NaN()};
    PlotSeries gaps{"gap", {}, {}, true};
    const std::size_t here = told()[step()].events;
    for (std::size_t i = 0; i < events().size(); ++i) {
      if (events()[i].numbers.empty()) continue;
      gaps.x.push_back(static_cast<double>(gaps.x.size() + 1)), gaps.y.push_back(events()[i].value);
      if (i + 1 <= here) plot.marker_x = gaps.x.back();
    }
    plot.series = {gaps};
    panel.plots.push_back(plot);
  }

  Pair3 pair_;
  SatAnswer3 answer_;
  std::size_t ruled_out_ = 0;
};

}  // namespace

ExhibitEntry sat3_exhibit() {
  return {"sat3",
          "Separating axes of polyhedra",
          "microscope",
          "Faces of A, faces of B, then pairs of edges. The Gauss map beside the bodies shows why most pairs of edges "
          "need not be "
          "looked at: only arcs that cross can give a separating axis.",
          "Gregorius, The Separating Axis Test between Convex Polyhedra, 2013; seeds A4, B7, D9",
          [](std::string_view text, std::string& why_not) { return make_stepped<MicroSat3>(text, why_not); }};
}

}  // namespace sudar::lab
