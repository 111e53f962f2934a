// What:    The microscope on GJK and EPA, in the plane and in space: support points and simplices in the difference A - B,
//          then, for bodies that overlap, the growing polytope or the faces of the difference.
#include "lab/difference_view.hpp"
#include "lab/microscope.hpp"
#include "lab/stepped.hpp"
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/convex_distance2.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/epa3.hpp>
#include <sudar/narrowphase/polytope_view3.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sudar::lab {

namespace {

constexpr double kSamePlace = 1e-9;  // metres: nearer than this is one place in a picture

template <int D>
struct DistanceKit;
template <>
struct DistanceKit<2> {
  using Pair = Pair2;
  using Start = PairStart2;
  using View = DifferenceView2;
  using Core = ConvexView2;
  using Difference = Difference2;
  static std::vector<std::string> methods() { return {"distance", "decide", "vector_form"}; }
  static DistanceAnswer2 distance(const Core& a, const Core& b, const Placement2& at, TraceTo trace) {
    return convex_distance2(a, b, at, static_cast<GjkCache2*>(nullptr), trace);
  }
  static bool decide(const Core& a, const Core& b, const Placement2& at, TraceTo trace) {
    return convex_intersects2(a, b, at, static_cast<GjkCache2*>(nullptr), trace);
  }
  static bool plain(const Difference& difference, TraceTo trace) { return gjk_plain2(difference, trace); }
  static void expand(const Difference&, TraceTo) {}
};
template <>
struct DistanceKit<3> {
  using Pair = Pair3;
  using Start = PairStart3;
  using View = DifferenceView3;
  using Core = ConvexView3;
  using Difference = Difference3;
  static std::vector<std::string> methods() { return {"distance", "decide", "vector_form", "expanding_polytope"}; }
  static DistanceAnswer3 distance(const Core& a, const Core& b, const Placement3& at, TraceTo trace) {
    return convex_distance3(a, b, at, static_cast<GjkCache3*>(nullptr), trace);
  }
  static bool decide(const Core& a, const Core& b, const Placement3& at, TraceTo trace) {
    return convex_intersects3(a, b, at, static_cast<GjkCache3*>(nullptr), trace);
  }
  static bool plain(const Difference& difference, TraceTo trace) { return gjk_plain3(difference, trace); }
  // Also where the faces of hulls have the word in the query
  static void expand(const Difference& difference, TraceTo trace) {
    const Gjk3 g = gjk3(difference, GjkGoal::measure, 0, nullptr, trace);
    if (g.outcome == GjkOutcome::hit) epa3(difference, {g.simplex, static_cast<std::size_t>(g.count)}, trace);
  }
};

// What the first events of the log have led to
template <int D>
struct DistanceState {
  using V = Vec<D, double>;
  enum class Phase { search, exact, faces, expand } phase = Phase::search;
  std::vector<V> simplex;
  std::vector<std::uint32_t> ids;  // vertices of A and B of each corner
  V v{}, support{}, asked{};       // the direction that was asked for least, or zero
  bool has_v = false, has_support = false;
  std::vector<double> surface;  // of EPA: vertices of the ring, or nine numbers a face
  std::vector<std::uint32_t> nearest;
  std::string looked_at;  // of the faces of hulls: "face of a" …, and which
  std::uint32_t feature[2] = {};
  V normal{};
  double distance = 0, upper = std::numeric_limits<double>::infinity();
};

template <int D>
Vec<D, double> vector_at(const std::vector<double>& numbers, std::size_t i) {
  Vec<D, double> v;
  for (int k = 0; k < D; ++k) v[k] = numbers[i * D + static_cast<std::size_t>(k)];
  return v;
}

void draw_simplex(DrawList& list, std::span<const Vec3d> p) {
  const Color edge = color_of(Ink::highlight), face = color_of(Ink::highlight, 0.35f);
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t j = i + 1; j < p.size(); ++j) list.line(p[i], p[j], edge, 3);
  if (p.size() == 3) list.triangle(p[0], p[1], p[2], face);
  if (p.size() == 4)
    for (std::size_t i = 0; i < 4; ++i) list.triangle(p[(i + 1) % 4], p[(i + 2) % 4], p[(i + 3) % 4], face);
  for (const Vec3d& q : p) list.point(q, edge, 9);
}

template <int D>
class MicroDistance final : public Stepped {
 public:
  using Kit = DistanceKit<D>;
  using V = Vec<D, double>;
  using State = DistanceState<D>;

  MicroDistance(const typename Kit::Start& start, std::string_view method) : pair_(start, parameters_) {
    const std::vector<std::string> methods = Kit::methods();
    parameters_.push_back(Parameter::choice(
        "method", "Method", methods,
        static_cast<std::size_t>(std::find(methods.begin(), methods.end(), method) - methods.begin())));
    parameters_.back().help =
        "distance: what the library answers with; decide: stops at the first proof; vector_form: the textbook's yes or "
        "no";
  }

  std::string as_query() const override {
    return pair_.query(method_ == "decide" || method_ == "vector_form" ? "intersects" : "distance");
  }
  bool nudge(int axis, int ulps) override { return axis < D && nudge_parameter(coordinate_name(axis), ulps); }
  View home() const override { return {true, {0.25, -1.6, 0.5}, {}, 1}; }

 private:
  bool meets_b(const Pick& pick) const override { return pair_.meets_b(pick); }
  void run() override {
    pair_.read(parameters_);
    method_ = parameter("method").chosen();
    if (!pair_.bounded()) return run_half_space();
    const typename Kit::Core a = make_view(pair_.a()), b = make_view(pair_.b());
    const auto place = pair_.placement();
    radii_ = a.radius + b.radius;
    named_ = a.count > 0 && b.count > 0;
    view_ = typename Kit::View(pair_);
    TraceLog unheard;
    answer_ = Kit::distance(a, b, place, TraceTo{&unheard});
    hit_ = answer_.hit;
    if (method_ == "distance")
      Kit::distance(a, b, place, trace());
    else if (method_ == "decide")
      hit_ = Kit::decide(a, b, place, trace());
    else if (method_ == "vector_form")
      hit_ = Kit::plain(typename Kit::Difference(a, b, place), trace());
    else
      Kit::expand(typename Kit::Difference(a, b, place), trace());
    tell_steps();
    const bool yes_or_no = method_ == "decide" || method_ == "vector_form";
    add("answer", yes_or_no ? (hit_ ? "hit" : "apart") : num(answer_.separation),
        yes_or_no ? std::string(hit_ ? "They meet" : "They are apart") + ": the first proof ends it."
        : hit_ ? "They overlap: B moved by " + num(-answer_.separation) + " m along the normal " + num(answer_.normal) +
                     " only touches A."
               : "They are " + num(answer_.separation) + " m apart; proven: at least " + num(answer_.lower) +
                     " m, at most " + num(answer_.upper) + " m.",
        events().size());
  }

  // No difference and no simplex: the point of the other shape that is deepest under the plane has the word
  void run_half_space() {
    radii_ = 0, named_ = false;
    view_ = typename Kit::View();
    answer_ = sudar::distance(pair_.a(), pair_.b(), pair_.placement());
    hit_ = answer_.hit;
    add("plane", num(answer_.separation),
        std::string("A half-") + (D == 2 ? "plane" : "space") +
            " has no farthest points, so GJK has nothing to look at. The point of the other shape that lies deepest "
            "under the plane decides.",
        0);
    add("answer", num(answer_.separation),
        std::string(hit_ ? "They overlap: " : "They are apart: ") + num(answer_.separation) +
            " m from the plane to the deepest point; proven: at least " + num(answer_.lower) + " m, at most " +
            num(answer_.upper) + " m.",
        0);
  }

  void tell_steps() {
    State state;
    for (std::size_t i = 0; i < events().size(); ++i) {
      const Entry& e = events()[i];
      apply(state, e);
      const bool exact = state.phase == State::Phase::exact, plain = method_ == "vector_form";
      std::string text;
      if (e.step == "polygon" || e.step == "polytope") continue;  // shown with what follows
      if (e.step == "start")
        text = "Begin with the direction v = " + num(state.v) +
               " between the centres. The next point is the one of A - B that "
               "lies farthest against it.";
      else if (e.step == "support" && plain)
        text = "The farthest point towards the origin is w = " + num(state.support) +
               (e.value < 0 ? "; it does not pass the origin, so nothing does: apart."
                            : "; it passes the origin, so go on.");
      else if (e.step == "support" && max_abs(state.asked) == 0)
        text = "Not clear at first sight, so more corners are asked for at once: w = " + num(state.support) + ".";
      else if (e.step == "support")
        text = "The farthest point against v is w = " + num(state.support) + ". " +
               (e.value > 0 ? "The whole set lies beyond the " + std::string(D == 2 ? "line" : "plane") +
                                  " across v through w: the distance is at least " + num(e.value) + " m."
                            : "It lies beyond the origin, so this direction separates nothing.");
      else if (plain && (e.step == "point" || e.step == "line" || e.step == "triangle" || e.step == "tetrahedron"))
        text = "Looked at the " + e.step + ": " + num(state.simplex.size()) +
               (state.simplex.size() == 1 ? " corner is" : " corners are") +
               " kept, and the origin lies in the direction " + num(state.v) + ".";
      else if (e.step == "closest" && exact)
        text = "In integers: of the simplex " + num(state.simplex.size()) + " corners are kept.";
      else if (e.step == "closest")
        text = "The point of the simplex nearest to the origin is v, " + num(e.value) +
               " m away: the distance is at most that. Corners without a part in v are dropped; " +
               num(state.simplex.size()) + (state.simplex.size() == 1 ? " stays." : " stay.");
      else if (e.step == "hit")
        text = radii_ > 0 && state.simplex.size() <= D
                   ? "The cores are nearer to each other than the radii reach: they meet."
                   : "The simplex holds the origin, so A and B have a point in common.";
      else if (e.step == "apart" && state.phase == State::Phase::faces)
        text = "A face of the difference has the origin in front of it: apart.";
      else if (e.step == "apart")
        text = plain ? "Apart: no point of the difference lies beyond the origin in this direction."
                     : "No point of the set is nearer than v: the search ends, " + num(e.value) + " m" +
                           (radii_ > 0 ? " between the cores." : ".");
      else if (e.step == "unclear")
        text = "Rounding hides on which side the origin lies: exact arithmetic has the word.";
      else if (e.step == "corner")
        text = "In integers: the next corner is vertex " + num(std::size_t{e.ids[0]}) + " of A minus vertex " +
               num(std::size_t{e.ids[1]}) + " of B.";
      else if (e.step == "nearest edge" || e.step == "nearest face")
        text = "Of the " + std::string(D == 2 ? "polygon the edge" : "polytope the face") +
               " nearest to the origin is " + num(e.value) + " m away: no way out is shorter than that.";
      else if (e.step == "expand")
        text = "The farthest point of A - B across it lies at " + num(e.value) + " m" +
               (e.value - state.distance > kSamePlace
                    ? ", beyond the " + std::string(D == 2 ? "edge" : "face") + ": grow there."
                    : ": nothing lies beyond, so this is the surface and the depth is known.");
      else if (e.step == "done")
        text = "Depth " + num(e.value) + " m along " + num(state.normal) + ".";
      else if (e.step == "direction")
        text = "The depth along the line of the centres is " + num(e.value) + " m: the true depth is no more.";
      else if (e.step == "faces of a left" || e.step == "faces of b left")
        text = "Only " + num(e.ids.size()) + " faces of " + (e.step == "faces of a left" ? "A" : "B") +
               " can be nearer than " + num(e.value) + " m: under the others the deepest vertex already lies deeper.";
      else if (e.step == "face of a" || e.step == "face of b")
        text = "Face " + num(std::size_t{e.ids[e.step == "face of a" ? 0 : 1]}) + " of " +
               (e.step == "face of a" ? "A" : "B") + ": the other body lies " + num(e.value) + " m behind it" +
               (e.value <= state.upper ? ", the least so far." : ", which is no better.");
      else if (e.step == "crossing edges")
        text = num(e.ids.size() / 2) + " pairs of edges near the deepest place cross on the Gauss map.";
      else if (e.step == "edges")
        text = "The face of edge " + num(std::size_t{e.ids[0]}) + " of A and edge " + num(std::size_t{e.ids[1]}) +
               " of B is " + num(e.value) + " m away" +
               (e.value <= state.upper ? ", the least so far." : ", which is no better.");
      else
        text = "The faces leave something open: EPA goes on.";
      const bool number = e.step != "start" && e.step != "unclear" && e.step != "corner" && e.step != "open" &&
                          !(plain && e.step != "support") && std::isfinite(e.value);
      add(exact && e.step != "unclear" ? "exact: " + e.step : e.step, number ? num(e.value) : "", text, i + 1);
    }
  }

  void apply(State& s, const Entry& e) const {
    using Phase = typename State::Phase;
    const auto take_simplex = [&] {
      s.simplex.clear();
      s.ids = e.ids;
      for (std::size_t i = 1; (i + 1) * D <= e.numbers.size(); ++i) s.simplex.push_back(vector_at<D>(e.numbers, i));
      if (e.numbers.size() >= D) s.v = vector_at<D>(e.numbers, 0), s.has_v = true;
    };
    const auto of_vertices = [&](std::uint32_t ia, std::uint32_t ib) {
      const typename Kit::Core a = make_view(pair_.a()), b = make_view(pair_.b());
      const auto place = pair_.placement();
      return typename Kit::Difference(a, b, place).of_vertices(ia, ib).w;
    };
    const auto least_towards = [&](const V& direction) {
      const typename Kit::Core a = make_view(pair_.a()), b = make_view(pair_.b());
      const auto place = pair_.placement();
      return typename Kit::Difference(a, b, place).least(direction).w;
    };
    s.has_support = false;
    if (e.step == "corner") s.phase = Phase::exact;
    if (s.phase == Phase::exact &&
        (e.step == "corner" || e.step == "closest" || e.step == "hit" || e.step == "apart")) {
      std::vector<V> corners;
      for (std::size_t i = 0; i + 1 < e.ids.size(); i += 2) corners.push_back(of_vertices(e.ids[i], e.ids[i + 1]));
      if (e.step == "corner" && !corners.empty())
        s.support = corners[0], s.has_support = true, s.asked = {};
      else if (!corners.empty())
        s.simplex = corners, s.ids = e.ids;
      s.has_v = false;
      return;
    }
    if (e.step == "support") {
      s.support = vector_at<D>(e.numbers, 0);
      s.has_support = true;
      // A decision asks for two corners more at once, in directions of its own
      const V asked = method_ == "vector_form" ? -s.v : s.v;
      s.asked = distance(least_towards(asked), s.support) <= kSamePlace ? asked : V{};
    } else if (e.step == "polygon" || e.step == "polytope") {
      s.phase = Phase::expand;
      s.surface = e.numbers;
      s.has_v = false;
    } else if (e.step == "nearest edge" || e.step == "nearest face") {
      s.nearest = e.ids;
      s.normal = vector_at<D>(e.numbers, 0);
      s.distance = e.value;
    } else if (e.step == "expand") {
      s.support = vector_at<D>(e.numbers, 0);
      s.has_support = true;
      s.asked = -s.normal;
      s.upper = std::min(s.upper, e.value);
    } else if (e.step == "direction" || e.step == "face of a" || e.step == "face of b" || e.step == "edges") {
      s.phase = Phase::faces;
      s.has_v = false;
      s.normal = vector_at<D>(e.numbers, 0);
      s.support = vector_at<D>(e.numbers, 1);
      s.has_support = true;
      s.asked = -s.normal;
      s.upper = std::min(s.upper, e.value);
      s.distance = e.value;
      s.looked_at = e.step;
      s.feature[0] = e.ids[0], s.feature[1] = e.ids[1];
    } else if (e.step == "done" || (e.step == "apart" && s.phase == Phase::faces)) {
      s.normal = vector_at<D>(e.numbers, 0);
      s.distance = e.value;
    } else if (!e.numbers.empty()) {
      take_simplex();
      // A hit with three corners has the centre as its fourth
      if (D == 3 && e.step == "hit" && method_ == "decide" && s.simplex.size() == 3 && radii_ == 0)
        s.simplex.push_back(s.v);
    }
  }

  // The line or plane across n through a point of the difference
  void draw_across(DrawList& list, const V& w, const V& n, Ink ink) const {
    const double r = 0.55 * view_.size();
    const V unit = normalized(n);
    if constexpr (D == 2) {
      list.line(view_.at(w - perp(unit) * r), view_.at(w + perp(unit) * r), color_of(ink), 1.5f);
    } else {
      Vec3d u, t;
      make_frame(unit, u, t);
      u *= 0.6 * r, t *= 0.6 * r;
      // Around the foot of the origin
      const V c = unit * dot(unit, w);
      const Vec3d ring[] = {view_.at(c - u - t), view_.at(c + u - t), view_.at(c + u + t), view_.at(c - u + t)};
      list.polygon(ring, color_of(ink, 0.2f));
      list.polyline(ring, color_of(ink), true, 1);
    }
  }

  Vec3d world(const V& p_a) const {
    if constexpr (D == 2)
      return flat(pair_.to_world(p_a));
    else
      return pair_.to_world(p_a);
  }

  void draw_surface(DrawList& list, const State& s) const {
    const Color face = color_of(Ink::node, 0.25f), edge = color_of(Ink::node);
    if constexpr (D == 2) {
      std::vector<Vec3d> ring;
      for (std::size_t i = 0; 2 * i + 1 < s.surface.size(); ++i) ring.push_back(view_.at(vector_at<2>(s.surface, i)));
      list.polygon(ring, face);
      list.polyline(ring, edge, true, 2);
      // The ring begins with the nearest edge
      if (!s.nearest.empty() && ring.size() > 1) list.line(ring[0], ring[1], color_of(Ink::highlight), 4);
    } else {
      for (std::size_t f = 0; 9 * f + 8 < s.surface.size(); ++f) {
        const Vec3d w[] = {vector_at<3>(s.surface, 3 * f), vector_at<3>(s.surface, 3 * f + 1),
                           vector_at<3>(s.surface, 3 * f + 2)};
        const Vec3d p[] = {view_.at(w[0]), view_.at(w[1]), view_.at(w[2])};
        const Vec3d n = normalized(cross(w[1] - w[0], w[2] - w[0]));
        const bool nearest = !s.nearest.empty() && dot(n, s.normal) > 1 - kSamePlace &&
                             std::fabs(dot(n, w[0]) - s.distance) < kSamePlace * view_.size();
        list.triangle(p[0], p[1], p[2], nearest ? color_of(Ink::highlight, 0.7f) : face);
        list.polyline(p, edge, true, 1.5f);
      }
    }
  }

  void draw_at(DrawList& list, std::size_t events_done) const override {
    pair_.draw(list);
    if (pair_.bounded()) view_.draw(list);
    State s;
    for (std::size_t i = 0; i < events_done; ++i) apply(s, events()[i]);
    using Phase = typename State::Phase;
    const Vec3d origin = view_.origin();
    if (s.phase == Phase::search || s.phase == Phase::exact) {
      std::vector<Vec3d> corners;
      for (const V& w : s.simplex) corners.push_back(view_.at(w));
      draw_simplex(list, corners);
      for (std::size_t i = 0; named_ && i < corners.size() && 2 * i + 1 < s.ids.size(); ++i)
        list.label(corners[i], " a" + std::to_string(s.ids[2 * i]) + " - b" + std::to_string(s.ids[2 * i + 1]),
                   color_of(Ink::highlight));
      const bool plain = method_ == "vector_form";
      if (s.has_v && max_abs(s.v) > 0 && !at_end()) {
        const V to = plain ? normalized(s.v) * (0.3 * view_.size()) : s.v;
        if (plain && !corners.empty())
          list.arrow(corners[0], corners[0] + (view_.at(to) - origin), color_of(Ink::normal), 2.5f);
        else
          list.arrow(origin, view_.at(to), color_of(Ink::normal), 2.5f);
        if (!plain)
          list.label(view_.at(to * 0.5), s.simplex.empty() ? "\nv" : "\n|v| = " + num(length(s.v)),
                     color_of(Ink::normal));
      }
    } else if (s.phase == Phase::expand) {
      draw_surface(list, s);
    }
    if (s.phase == Phase::expand || s.phase == Phase::faces) {
      if (max_abs(s.normal) > 0) {
        const double reach = s.distance;
        list.arrow(origin, view_.at(s.normal * reach), color_of(Ink::normal), 3);
        list.label(view_.at(s.normal * reach), " " + num(reach) + " m", color_of(Ink::normal));
        if (s.phase == Phase::faces && s.has_support) draw_features(list, s);
        if (s.phase == Phase::faces) draw_across(list, s.normal * s.distance, s.normal, Ink::highlight);
      }
    }
    if (s.has_support) {
      list.point(view_.at(s.support), color_of(Ink::axis), 12);
      list.label(view_.at(s.support), " w", color_of(Ink::axis));
      if (max_abs(s.asked) > 0) {
        draw_across(list, s.support, s.asked, Ink::axis);
        draw_support(list, s.asked);
      }
    }
    if (at_end() && ((method_ != "decide" && method_ != "vector_form") || !pair_.bounded())) {
      const Vec3d p = world(answer_.point_a), q = world(answer_.point_b);
      list.line(p, q, color_of(Ink::contact), 4);
      list.point(p, color_of(Ink::contact), 9);
      list.point(q, color_of(Ink::contact), 9);
      list.label((p + q) * 0.5, " " + num(answer_.separation) + " m", color_of(Ink::contact));
    }
  }

  // The faces or edges of the bodies that make the face of the difference
  void draw_features(DrawList& list, const State& s) const {
    if constexpr (D == 3) {
      const PolytopeView3 a(pair_.a()), b(pair_.b());
      const auto face = [&](const PolytopeView3& view, const Pose3d& pose, std::uint32_t f) {
        std::vector<Vec3d> ring;
        for (std::uint32_t i = 0; i < view.face_degree(f); ++i)
          ring.push_back(transform(pose, view.vertices()[view.edges()[view.first_edge(f) + i].origin]));
        list.polygon(ring, color_of(Ink::highlight, 0.6f));
        list.polyline(ring, color_of(Ink::highlight), true, 3);
      };
      const auto edge = [&](const PolytopeView3& view, const Pose3d& pose, std::uint32_t e) {
        list.line(transform(pose, view.vertices()[view.edges()[e].origin]),
                  transform(pose, view.vertices()[view.destination(e)]), color_of(Ink::highlight), 5);
      };
      if (s.looked_at == "face of a") face(a, pair_.pose_a(), s.feature[0]);
      if (s.looked_at == "face of b") face(b, pair_.pose_b(), s.feature[1]);
      if (s.looked_at == "edges") {
        edge(a, pair_.pose_a(), s.feature[0]);
        edge(b, pair_.pose_b(), s.feature[1]);
      }
    }
  }

  // Where the support points lie on the two bodies, and in which direction they were asked for
  void draw_support(DrawList& list, const V& asked) const {
    const typename Kit::Core a = make_view(pair_.a()), b = make_view(pair_.b());
    const auto place = pair_.placement();
    const typename Kit::Difference difference(a, b, place);
    const auto p = difference.least(asked);
    const Vec3d on_a = world(p.a), on_b = world(difference.point_b(p.turned_b));
    const Vec3d way = world(p.a - normalized(asked) * 0.5) - on_a;
    list.point(on_a, color_of(Ink::axis), 10);
    list.point(on_b, color_of(Ink::axis), 10);
    list.arrow(on_a, on_a + way, color_of(Ink::axis), 2);
    list.arrow(on_b, on_b - way, color_of(Ink::axis), 2);
  }

  void tell_more(Panel& panel) const override {
    pair_.tell(panel);
    panel.badges.push_back({hit_ ? "hit" : "apart", hit_ ? Ink::bad : Ink::good});
    panel.badges.push_back({num(answer_.separation) + " m", Ink::contact});
    State s;
    const std::size_t here = told()[step()].events;
    for (std::size_t i = 0; i < here; ++i) apply(s, events()[i]);
    if (!s.simplex.empty() && (s.phase == State::Phase::search || s.phase == State::Phase::exact)) {
      Table table{"Simplex", {"corner", "x in m", "y in m"}, {}, -1};
      if (D == 3) table.columns.push_back("z in m");
      for (std::size_t i = 0; i < s.simplex.size(); ++i) {
        const bool named = named_ && 2 * i + 1 < s.ids.size();
        std::vector<std::string> row = {
            named ? "a" + std::to_string(s.ids[2 * i]) + " - b" + std::to_string(s.ids[2 * i + 1]) : num(i)};
        for (int k = 0; k < D; ++k) row.push_back(num(s.simplex[i][k]));
        table.rows.push_back(std::move(row));
      }
      panel.tables.push_back(std::move(table));
    }
    // Two bounds that close on the answer
    Plot plot{"Bounds", "step of the trace", "m", {}, false, false, static_cast<double>(here)};
    PlotSeries from_above{"at most", {}, {}, false}, from_below{"at least", {}, {}, false};
    const auto put = [](PlotSeries& series, std::size_t x, double y) {
      if (!std::isfinite(y)) return;
      series.x.push_back(static_cast<double>(x + 1));
      series.y.push_back(y);
    };
    double least = std::numeric_limits<double>::infinity();
    // Of bodies that overlap the depth is what closes
    const auto of_depth = [](const Entry& e) { return e.step == "expand" || e.step == "direction"; };
    const bool deep = std::any_of(events().begin(), events().end(), of_depth);
    for (std::size_t i = 0; i < events().size() && method_ != "vector_form"; ++i) {
      const Entry& e = events()[i];
      if (!deep && e.step == "closest" && !e.numbers.empty()) put(from_above, i, e.value);
      if (!deep && e.step == "support") put(from_below, i, std::max(0.0, e.value));
      if (e.step == "nearest edge" || e.step == "nearest face") put(from_below, i, e.value);
      if (e.step == "expand" || e.step == "direction" || e.step == "face of a" || e.step == "face of b" ||
          e.step == "edges")
        put(from_above, i, least = std::min(least, e.value));
    }
    plot.series = {from_above, from_below};
    if (from_above.x.size() + from_below.x.size() > 1) panel.plots.push_back(std::move(plot));
    panel.paragraph =
        "A and B meet exactly when the origin lies in A - B, the set of all differences of their points. GJK looks at "
        "the set "
        "only through its farthest points; EPA grows a polytope inside of it until its nearest face is one of the "
        "set's own.";
    if (!pair_.bounded())
      panel.paragraph =
          "Of a half-space and a convex shape the point that lies farthest against the normal has the word; for shapes "
          "with corners the sign of that distance is exact.";
    panel.notes.push_back("The library's answer: " + num(answer_.separation) + " m, between " + num(answer_.lower) +
                          " and " + num(answer_.upper) + ", " + std::to_string(answer_.iterations) +
                          " support points.");
    if (radii_ > 0)
      panel.notes.push_back("Rounded shapes are searched by their cores; the radii, " + num(radii_) +
                            " m together, are taken off at the end.");
  }

  typename Kit::Pair pair_;
  typename Kit::View view_;
  DistanceAnswer<D> answer_;
  std::string method_;
  double radii_ = 0;
  bool hit_ = false;
  bool named_ = false;  // both have vertices, which have numbers
};

constexpr std::string_view kGjkSource = "Gilbert, Johnson, Keerthi 1988; van den Bergen 1999; seeds B11, D10";
constexpr std::string_view kEpaSource = "van den Bergen 2001; Gregorius 2013 (faces of hulls); seed D11";

}  // namespace

ExhibitEntry gjk2_exhibit() {
  return {"gjk2",
          "GJK in the plane",
          "microscope",
          "Distance of two convex shapes: the point of A - B nearest to the origin, by a simplex that walks towards "
          "it. Each "
          "support point and each simplex is drawn in the difference beside the pair, with the bounds that close on "
          "the answer.",
          kGjkSource,
          [](std::string_view text, std::string& why_not) {
            return make_stepped<MicroDistance<2>>(text, why_not,
                                                  PairStart2{"hexagon", "pentagon", {2.3, 1.1}, 8, 20, false},
                                                  std::string_view("distance"));
          }};
}
ExhibitEntry gjk3_exhibit() {
  return {"gjk3",
          "GJK in space",
          "microscope",
          "Distance of two convex bodies: the point of A - B nearest to the origin, by a simplex of up to four corners "
          "that walks "
          "towards it, drawn in the difference beside the pair.",
          kGjkSource,
          [](std::string_view text, std::string& why_not) {
            return make_stepped<MicroDistance<3>>(text, why_not,
                                                  PairStart3{"crate", "gem", {1.9, 0.5, 0.9}, 15, 30, 20, 10, false},
                                                  std::string_view("distance"));
          }};
}
ExhibitEntry epa2_exhibit() {
  return {"epa2",
          "EPA in the plane",
          "microscope",
          "Penetration depth: a polygon around the origin, inside of A - B, grows at its nearest edge until that edge "
          "lies on the "
          "boundary. Its distance is the depth, its normal the shortest way out.",
          kEpaSource,
          [](std::string_view text, std::string& why_not) {
            return make_stepped<MicroDistance<2>>(text, why_not,
                                                  PairStart2{"dodecagon", "pentagon", {0.9, 0.5}, 0, 20, false},
                                                  std::string_view("distance"));
          }};
}
ExhibitEntry epa3_exhibit() {
  return {"epa3",
          "EPA and the faces of hulls",
          "microscope",
          "Penetration depth in space. The expanding polytope grows at its nearest face until that is a face of A - B. "
          "Hulls are "
          "answered sooner by the few faces of A, faces of B and pairs of edges that can be nearest (method distance).",
          kEpaSource,
          [](std::string_view text, std::string& why_not) {
            return make_stepped<MicroDistance<3>>(text, why_not,
                                                  PairStart3{"crate", "gem", {1.05, 0.35, 0.4}, 15, 30, 20, 10, false},
                                                  std::string_view("expanding_polytope"));
          }};
}

}  // namespace sudar::lab
