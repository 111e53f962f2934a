// What:    The microscope on contact sets: what each body turns to the other, which of the two is the reference, and how the
//          other is cut at its sides.
#include "lab/microscope.hpp"
#include "lab/palette.hpp"
#include "lab/stepped.hpp"
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/contact_set2.hpp>
#include <sudar/narrowphase/contact_set3.hpp>

#include <algorithm>

namespace sudar::lab {

namespace {

template <int D>
struct ContactKit;
template <>
struct ContactKit<2> {
  using Pair = Pair2;
  static ContactSet2 build(const Shape2& a, const Shape2& b, const Placement2& at, const DistanceAnswer2& answer,
                           double margin, TraceTo trace) {
    return contact_set2(a, b, at, answer, margin, trace);
  }
};
template <>
struct ContactKit<3> {
  using Pair = Pair3;
  static ContactSet3 build(const Shape3& a, const Shape3& b, const Placement3& at, const DistanceAnswer3& answer,
                           double margin, TraceTo trace) {
    return contact_set3(a, b, at, answer, margin, trace);
  }
};

std::string feature_name(const Feature& feature) {
  static constexpr const char* kNames[] = {"vertex ", "edge ", "face ", "inside "};
  return kNames[static_cast<std::size_t>(feature.kind)] + std::to_string(feature.index);
}

template <int D>
class MicroContacts final : public Stepped {
 public:
  using V = Vec<D, double>;
  template <class Start>
  explicit MicroContacts(const Start& start) : pair_(start, parameters_) {
    parameters_.push_back(Parameter::number("margin", "Margin", "m", 0.05, 0, 1));
    parameters_.back().help = "Points up to this far apart belong to the set";
  }

  std::string as_query() const override {
    return pair_.query("contacts", ",\"margin\":" + json_text(parameter("margin").value));
  }
  bool nudge(int axis, int ulps) override { return axis < D && nudge_parameter(coordinate_name(axis), ulps); }
  View home() const override { return {true, {0.5, -1.6, 0.7}, {}, 1}; }

 private:
  bool meets_b(const Pick& pick) const override { return pair_.meets_b(pick); }
  void run() override {
    pair_.read(parameters_);
    const double margin = parameter("margin").value;
    answer_ = distance(pair_.a(), pair_.b(), pair_.placement());
    set_ = ContactKit<D>::build(pair_.a(), pair_.b(), pair_.placement(), answer_, margin, trace());
    add("decision", num(answer_.separation),
        answer_.separation > margin
            ? "They are " + num(answer_.separation) + " m apart, farther than the margin: the contact set is empty."
            : "The decision gives the normal " + num(answer_.normal) + " and a separation of " +
                  num(answer_.separation) + " m. Everything that follows is measured along this normal.",
        0);
    std::size_t sides = 0;
    for (std::size_t i = 0; i < events().size(); ++i) {
      const Entry& e = events()[i];
      const std::size_t corners = e.numbers.size() / D;
      const std::string corner_text = num(corners) + (corners == 1 ? " corner" : " corners");
      std::string text;
      if (e.step == "patch of a" || e.step == "patch of b")
        text = std::string(e.step == "patch of a" ? "A turns to B" : "B turns to A") + ": " + corner_text +
               (e.value != 0 ? D == 2 ? ", an edge across the normal." : ", a face across the normal."
                             : ", nothing that lies across the normal.");
      else if (e.step == "reference")
        text = std::string(e.value == 0 ? "A" : "B") + " has the reference " + (D == 2 ? "edge" : "face") +
               "; what the other turns to it, " + corner_text + ", is cut at its sides.";
      else if (e.step == "cut")
        text = "Cut at side " + num(sides++) + " of the reference: " + corner_text +
               (corners == 1 ? " is left." : " are left.");
      else if (e.step == "keep")
        text = "This point has a separation of " + num(e.value) + " m: it belongs to the contact set.";
      else if (e.step == "leave out")
        text = "This point has a separation of " + num(e.value) + " m, more than the margin: it is left out.";
      else
        text = "Clipping does not reach the deepest point, so the witness points of the decision are the contact.";
      add(e.step, e.step == "patch of a" || e.step == "patch of b" || e.step == "reference" ? "" : num(e.value), text,
          i + 1);
    }
    static constexpr const char* kKinds[] = {"none", "a point", "a segment", "a polygon"};
    add("answer", num(set_.points.size()),
        std::string("The contact set is ") + kKinds[static_cast<std::size_t>(set_.kind)] + ": " +
            num(set_.points.size()) + " points, each with the features that made it.",
        events().size());
  }

  Vec3d world(const V& p_a) const {
    if constexpr (D == 2)
      return flat(pair_.to_world(p_a));
    else
      return pair_.to_world(p_a);
  }
  std::vector<Vec3d> ring_of(const Entry& e) const {
    std::vector<Vec3d> ring;
    for (std::size_t i = 0; (i + 1) * D <= e.numbers.size(); ++i) {
      V p;
      for (int k = 0; k < D; ++k) p[k] = e.numbers[i * D + static_cast<std::size_t>(k)];
      ring.push_back(world(p));
    }
    return ring;
  }
  static void draw_ring(DrawList& list, const std::vector<Vec3d>& ring, Ink ink, float alpha, float pixels) {
    if (ring.size() > 2) list.polygon(ring, color_of(ink, alpha));
    list.polyline(ring, color_of(ink), ring.size() > 2, pixels);
    for (const Vec3d& p : ring) list.point(p, color_of(ink), pixels + 4);
  }

  void draw_at(DrawList& list, std::size_t events_done) const override {
    pair_.draw(list, D == 2 ? 0.35f : 0.2f);
    const Vec3d from = world(answer_.point_a), n = world(answer_.point_a + answer_.normal) - from;
    list.arrow(from, from + n * 0.8, color_of(Ink::normal), 2.5f);
    std::vector<Vec3d> of_a, of_b, left;
    bool reference_is_a = true, has_reference = false;
    std::size_t cuts = 0;
    std::vector<std::pair<Vec3d, const Entry*>> points;
    for (std::size_t i = 0; i < events_done; ++i) {
      const Entry& e = events()[i];
      // What a half-space turns to the other has no end; the piece of it that is drawn has
      if (e.step == "patch of a" && pair_.a().is_bounded()) of_a = ring_of(e);
      if (e.step == "patch of b" && pair_.b().is_bounded()) of_b = ring_of(e);
      if (e.step == "reference") reference_is_a = e.value == 0, has_reference = true, left = ring_of(e);
      if (e.step == "cut") left = ring_of(e), ++cuts;
      if (e.step == "keep" || e.step == "leave out" || e.step == "witness") points.push_back({ring_of(e)[0], &e});
    }
    const bool end = at_end();
    if (!has_reference) {
      draw_ring(list, of_a, Ink::a, 0.5f, 3);
      draw_ring(list, of_b, Ink::b, 0.5f, 3);
    } else {
      const auto& reference = reference_is_a ? of_a : of_b;
      draw_ring(list, reference, reference_is_a ? Ink::a : Ink::b, 0.25f, 3);
      if (!end) draw_ring(list, left, Ink::highlight, 0.5f, 3);
      // The sides at which it is cut: through each edge along the normal
      const std::size_t sides = D == 2 ? std::min<std::size_t>(2, reference.size()) : reference.size();
      for (std::size_t i = 0; i < sides && !end; ++i) {
        const bool now = cuts > 0 && i + 1 == cuts && events_done > 0 && events()[events_done - 1].step == "cut";
        const Color c = now ? color_of(Ink::bad) : color_of(Ink::ghost, 0.5f);
        const Vec3d p = reference[i], up = n * 0.5;
        if (D == 2) {
          list.line(p - up, p + up, c, now ? 3.f : 1.f);
        } else {
          const Vec3d q = reference[(i + 1) % reference.size()];
          const Vec3d ring[] = {p - up, q - up, q + up, p + up};
          list.polygon(ring, faded(c, 0.25f));
          list.polyline(ring, c, true, now ? 2.f : 1.f);
        }
      }
    }
    for (const auto& [p, e] : points) {
      if (end) break;
      const bool kept = e->step != "leave out";
      list.point(p, color_of(kept ? Ink::contact : Ink::ghost), 11);
      list.label(p, " " + num(e->value) + " m", color_of(kept ? Ink::contact : Ink::ghost));
    }
    if (!end) return;
    std::vector<Vec3d> set;
    for (const auto& point : set_.points) set.push_back(world(point.position));
    draw_ring(list, set, Ink::contact, 0.6f, 5);
    for (std::size_t i = 0; i < set.size(); ++i)
      list.label(set[i], " " + num(set_.points[i].separation) + " m", color_of(Ink::contact));
  }

  void tell_more(Panel& panel) const override {
    pair_.tell(panel);
    const bool hit = answer_.hit;
    panel.badges.push_back({hit                                               ? "hit"
                            : answer_.separation <= parameter("margin").value ? "within the margin"
                                                                              : "apart",
                            hit ? Ink::bad : Ink::good});
    panel.badges.push_back({num(set_.points.size()) + " contact points", Ink::contact});
    panel.paragraph =
        "Where two bodies touch is a point, a segment or a polygon. One of them has the reference face; what the other "
        "turns to "
        "it is cut at the sides of that face (Sutherland and Hodgman), and what is left within the margin is the "
        "contact set.";
    Table table{"Contact set", {"point", "separation", "of A", "of B"}, {}, -1};
    for (std::size_t i = 0; i < set_.points.size(); ++i)
      table.rows.push_back({num(i), num(set_.points[i].separation), feature_name(set_.points[i].feature_a),
                            feature_name(set_.points[i].feature_b)});
    panel.tables.push_back(std::move(table));
  }

  typename ContactKit<D>::Pair pair_;
  DistanceAnswer<D> answer_;
  ContactSet<D> set_;
};

}  // namespace

ExhibitEntry contacts2_exhibit() {
  return {
      "contacts2",
      "Contact sets of polygons",
      "microscope",
      "From the decision to the points where two shapes of the plane touch: the edges that face each other, the cuts "
      "at the "
      "ends of the reference edge, and the points that are kept, with their features.",
      "Seeds A6, A7",
      [](std::string_view text, std::string& why_not) {
        return make_stepped<MicroContacts<2>>(text, why_not, PairStart2{"box", "hexagon", {0.75, 1.36}, 0, 0, false});
      }};
}
ExhibitEntry contacts3_exhibit() {
  return {"contacts3",
          "Contact sets of polyhedra",
          "microscope",
          "From the decision to the polygon in which two bodies touch: the faces that face each other, the cuts at the "
          "sides of the "
          "reference face, and the points that are kept, with their features.",
          "Seeds A6, A7; Sutherland and Hodgman, Reentrant polygon clipping, 1974",
          [](std::string_view text, std::string& why_not) {
            return make_stepped<MicroContacts<3>>(text, why_not,
                                                  PairStart3{"crate", "prism", {0.45, 0.3, 1.38}, 10, 25, 0, 0, false});
          }};
}

}  // namespace sudar::lab
