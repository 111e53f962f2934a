// What:    The microscope on triangle against triangle: sides of the planes, the line of both, and the intervals on it.
#include "lab/microscope.hpp"
#include "lab/palette.hpp"
#include "lab/stepped.hpp"
#include <sudar/narrowphase/triangle_triangle.hpp>

#include <algorithm>

namespace sudar::lab {

namespace {

class MicroTriangles final : public Stepped {
 public:
  MicroTriangles() {
    parameters_.push_back(Parameter::number("bx", "B: x", "m", 0.35, -2, 2));
    parameters_.push_back(Parameter::number("by", "B: y", "m", 0.05, -2, 2));
    parameters_.push_back(Parameter::number("bz", "B: z", "m", 0.1, -2, 2));
    parameters_.push_back(Parameter::number("b_yaw", "B: turn around z", "deg", 25, -180, 180));
    parameters_.push_back(Parameter::number("b_roll", "B: turn around x", "deg", 70, -180, 180));
  }

  std::string as_query() const override {
    const Result<Shape3> a = make_triangle3(a_.a, a_.b, a_.c), b = make_triangle3(b_.a, b_.b, b_.c);
    return a && b ? query_text("intersects", *a, {}, *b, {}) : std::string();
  }
  bool nudge(int axis, int ulps) override { return axis < 3 && nudge_parameter(coordinate_name(axis), ulps); }
  View home() const override { return {true, {1.1, -0.9, 0.9}, {}, 1}; }

 private:
  using Tri = Triangle<3, double>;

  bool meets_b(const Pick& pick) const override {
    const Vec3d middle = (b_.a + b_.b + b_.c) / 3.0;
    return length(cross(middle - pick.origin, normalized(pick.direction))) < 0.6;
  }
  void run() override {
    constexpr double kDegrees = 3.14159265358979323846 / 180;
    const Quatd turn = settled(Quatd::from_axis_angle({0, 0, 1}, parameter("b_yaw").value * kDegrees) *
                               Quatd::from_axis_angle({1, 0, 0}, parameter("b_roll").value * kDegrees));
    const Pose3d pose{{parameter("bx").value, parameter("by").value, parameter("bz").value}, turn};
    a_ = Tri{{-1, -0.8, 0}, {1.1, -0.6, 0}, {0.1, 1.1, 0}};
    b_ = Tri{transform(pose, Vec3d{-0.9, -0.7, 0}), transform(pose, Vec3d{0.9, -0.6, 0}),
             transform(pose, Vec3d{0.1, 0.8, 0})};
    answer_ = intersection_by_intervals(a_, b_, trace());
    exact_ = intersection_exact(a_, b_);
    for (std::size_t i = 0; i < events().size(); ++i) {
      const Entry& e = events()[i];
      std::string text, value;
      if (e.step == "plane of b" || e.step == "plane of a") {
        const bool of_b = e.step == "plane of b";
        int front = 0, behind = 0;
        for (const double d : e.numbers) front += d > 0 ? 1 : 0, behind += d < 0 ? 1 : 0;
        value = std::to_string(front) + " / " + std::to_string(behind);
        text = std::string("Corners of ") + (of_b ? "A against the plane of B: " : "B against the plane of A: ") +
               std::to_string(front) + " in front, " + std::to_string(behind) + " behind" +
               (front == 3 || behind == 3 ? ": all on one side, so they cannot meet." : ".");
      } else if (e.step == "line") {
        text = "Both cross the plane of the other, so what they have in common lies on the line of the two planes.";
      } else if (e.step == "interval of a" || e.step == "interval of b") {
        value = num(e.numbers[0]) + " .. " + num(e.numbers[1]);
        text = std::string(e.step == "interval of a" ? "A" : "B") + " covers the line from " + num(e.numbers[0]) +
               " to " + num(e.numbers[1]) + ", measured along its direction.";
      } else if (e.step == "coplanar") {
        text = "All corners lie in one plane: a problem in the plane, by clipping.";
      } else if (e.step == "meet") {
        text = "The intervals overlap: the triangles have " +
               std::string(answer_.count == 1   ? "a point"
                           : answer_.count == 2 ? "a segment"
                                                : "a polygon") +
               " in common.";
      } else {
        text = "Apart.";
      }
      add(e.step, value, text, i + 1);
    }
    add("answer", exact_ ? "meet" : "apart",
        std::string("The exact version, eight signs without a rounded line, says: ") + (exact_ ? "meet." : "apart."),
        events().size());
  }

  // On the line of both planes, by its coordinate along the direction
  Vec3d on_line(double t) const {
    const Vec3d na = double_area(a_), nb = double_area(b_), along = cross(na, nb);
    return (cross(nb, along) * dot(na, a_.a) + cross(along, na) * dot(nb, b_.a) + along * t) / dot(along, along);
  }

  void draw_at(DrawList& list, std::size_t events_done) const override {
    const auto draw = [&](const Tri& t, Ink ink) {
      const Vec3d ring[] = {t.a, t.b, t.c};
      list.triangle(t.a, t.b, t.c, color_of(ink, 0.45f));
      list.polyline(ring, color_of(ink), true, 2.5f);
    };
    draw(a_, Ink::a);
    draw(b_, Ink::b);
    list.label(a_.a, "A ", color_of(Ink::a));
    list.label(b_.a, "B ", color_of(Ink::b));
    const auto plane = [&](const Tri& t, Ink ink) {
      const Vec3d n = normalized(double_area(t)), c = (t.a + t.b + t.c) / 3.0;
      Vec3d u, v;
      make_frame(n, u, v);
      const Vec3d ring[] = {c - u * 1.6 - v * 1.6, c + u * 1.6 - v * 1.6, c + u * 1.6 + v * 1.6, c - u * 1.6 + v * 1.6};
      list.polygon(ring, color_of(ink, 0.1f));
      list.polyline(ring, color_of(ink, 0.5f), true, 1);
    };
    double t[4] = {};
    bool line = false, has_a = false, has_b = false;
    for (std::size_t i = 0; i < events_done; ++i) {
      const Entry& e = events()[i];
      const bool now = i + 1 == events_done;
      if (now && (e.step == "plane of b" || e.step == "plane of a")) {
        const bool of_b = e.step == "plane of b";
        plane(of_b ? b_ : a_, of_b ? Ink::b : Ink::a);
        const Tri& other = of_b ? a_ : b_;
        for (int k = 0; k < 3; ++k) {
          const double d = e.numbers[static_cast<std::size_t>(k)];
          const Ink ink = d > 0 ? Ink::good : d < 0 ? Ink::bad : Ink::highlight;
          list.point(other[k], color_of(ink), 12);
          list.label(other[k], d > 0 ? " front" : d < 0 ? " behind" : " in the plane", color_of(ink));
        }
      }
      if (e.step == "line") line = true;
      if (e.step == "interval of a") t[0] = e.numbers[0], t[1] = e.numbers[1], has_a = true;
      if (e.step == "interval of b") t[2] = e.numbers[0], t[3] = e.numbers[1], has_b = true;
    }
    if (line) {
      const Vec3d along = normalized(cross(double_area(a_), double_area(b_)));
      const Vec3d center = on_line(dot(cross(double_area(a_), double_area(b_)), (a_.a + a_.b + a_.c) / 3.0));
      list.line(center - along * 1.9, center + along * 1.9, color_of(Ink::axis), 1.5f);
      list.arrow(center + along * 1.5, center + along * 2, color_of(Ink::axis), 1.5f);
      const Vec3d up{0, 0, 0.03};
      if (has_a) list.line(on_line(t[0]) + up, on_line(t[1]) + up, color_of(Ink::a), 7);
      if (has_b) list.line(on_line(t[2]) - up, on_line(t[3]) - up, color_of(Ink::b), 7);
      if (has_a) list.point(on_line(t[0]), color_of(Ink::a), 9), list.point(on_line(t[1]), color_of(Ink::a), 9);
      if (has_b) list.point(on_line(t[2]), color_of(Ink::b), 9), list.point(on_line(t[3]), color_of(Ink::b), 9);
    }
    const bool over = events_done > 0 && events()[events_done - 1].step == "meet";
    if (!over && !at_end()) return;
    const TriangleIntersection& x = at_end() ? exact_ : answer_;
    std::vector<Vec3d> ring(x.points.begin(), x.points.begin() + x.count);
    if (ring.size() > 2) list.polygon(ring, color_of(Ink::contact, 0.7f));
    list.polyline(ring, color_of(Ink::contact), ring.size() > 2, 6);
    for (const Vec3d& p : ring) list.point(p, color_of(Ink::contact), 10);
  }

  void tell_more(Panel& panel) const override {
    panel.badges.push_back({exact_ ? "meet" : "apart", exact_ ? Ink::bad : Ink::good});
    const bool same = static_cast<bool>(exact_) == static_cast<bool>(answer_);
    panel.badges.push_back(
        {same ? "rounded and exact agree" : "rounding decides otherwise", same ? Ink::good : Ink::bad});
    panel.paragraph =
        "Two triangles that both cross the plane of the other can only meet on the line of the two planes. Each covers "
        "an "
        "interval of it; they meet when the intervals overlap. Nudge B by an ulp at a touching place to see rounding "
        "decide, and "
        "the exact version beside it.";
    if (events().size() >= 2) {
      Table table{"Signed volumes", {"corner", "of A, plane of B", "of B, plane of A"}, {}, -1};
      for (std::size_t k = 0; k < 3; ++k)
        table.rows.push_back({num(k), num(events()[0].numbers[k]), num(events()[1].numbers[k])});
      panel.tables.push_back(std::move(table));
    }
  }

  Tri a_{}, b_{};
  TriangleIntersection answer_, exact_;
};

}  // namespace

ExhibitEntry triangles_exhibit() {
  return {"triangles",
          "Triangle against triangle",
          "microscope",
          "The interval method: the corners of each triangle against the plane of the other, the line of the two "
          "planes, and the "
          "intervals that the triangles cover on it; with the answer of the exact version at the end.",
          "Moller, A Fast Triangle-Triangle Intersection Test, 1997; seeds B3, D5",
          [](std::string_view text, std::string& why_not) { return make_stepped<MicroTriangles>(text, why_not); }};
}

}  // namespace sudar::lab
