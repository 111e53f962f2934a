// What:    A vertex and a face, or two edges, whose corners move along straight lines: the cubic whose roots are the times at
//          which all four lie in one plane, and at each root whether they touch there, as the exact answer has it.
#include "lab/field_exhibits.hpp"
#include "lab/impact_roots.hpp"
#include "lab/query_case.hpp"
#include "lab/query_file.hpp"
#include "lab/query_line.hpp"
#include "lab/still_exhibit.hpp"
#include <sudar/continuous/inclusion_impact.hpp>
#include <sudar/continuous/primitive_impact.hpp>
#include <sudar/core/random.hpp>
#include <sudar/geom/closest.hpp>
#include <sudar/math/roots.hpp>
#include <sudar/math/sampling.hpp>

#include <algorithm>
#include <array>

namespace sudar::lab {

namespace {

using FourPoints = std::array<Vec3d, 4>;

template <bool kFace>
class MovingPrimitives final : public StillExhibit {
 public:
  MovingPrimitives() {
    using P = Parameter;
    parameters_ = {P::choice("situation", "situation", {"hit", "beside", "graze", "twice", "in_one_plane", "random"}),
                   P::whole("seed", "seed", 1, 1, 10000), P::number("t", "look at", "s", 0, 0, 1),
                   P::choice("selected", "corner to nudge",
                             kFace ? std::vector<std::string>{"vertex", "p", "q", "r"}
                                   : std::vector<std::string>{"p", "q", "r", "s"}),
                   CaseSlot::parameter()};
  }
  Result<void> set(std::size_t i) override {
    const std::string& name = parameters_[i].name;
    if (name == "selected") return {};
    if (name == "t") {
      free_look_ = true;
      return {};
    }
    placed_ = false;
    free_look_ = false;
    return remake();
  }
  void go_to(std::size_t step) override {
    StillExhibit::go_to(step);
    free_look_ = false;
  }

  void draw(DrawList& list) const override {
    const double t = now();
    for (std::size_t k = 0; k < 4; ++k) {
      const Color c = color_of(first_body(k) ? Ink::b : Ink::a, 0.8f);
      draw_way(list, start_[k], end_[k], c, 1.5f, 0.3 * scale_);
      list.point(start_[k], c, 5);
      list.label(start_[k], "0", faded(c, 0.8f));
    }
    draw_body(list, 0, 0.18f);
    draw_body(list, 1, 0.18f);
    draw_body(list, t, 0.8f);
    const FourPoints p = at(t);
    if (kFace) list.point(p[0], color_of(Ink::b), 12);
    if (at_answer() && !free_look_ && answer_.hit) {
      const Vec3d touch = kFace ? p[0] : between(p);
      list.point(touch, color_of(Ink::contact), 13);
      list.label(touch, "t = " + shown(answer_.t, 9));
    } else if (const Closest x = closest(p); x.distance > 0) {
      list.line(x.on_first, x.on_second, color_of(Ink::highlight), 2);
      list.label((x.on_first + x.on_second) * 0.5, shown(x.distance, 3) + " m");
    }
    // The plane of the four at a root
    if (!at_answer() && !free_look_) {
      const Vec3d n = normalized(kFace ? cross(p[2] - p[1], p[3] - p[1]) : cross(p[1] - p[0], p[3] - p[2]));
      if (length(n) > 0) {
        const Vec3d middle = (p[0] + p[1] + p[2] + p[3]) * 0.25;
        Vec3d u, v;
        make_frame(n, u, v);
        u = u * (1.2 * scale_), v = v * (1.2 * scale_);
        const Vec3d corners[] = {middle + u + v, middle + v - u, middle - u - v, middle + u - v};
        list.polyline(corners, color_of(Ink::axis), true, 1.5f);
        list.polygon(corners, color_of(Ink::axis, 0.12f));
      }
    }
  }

  void tell(Panel& panel) const override {
    tell_trouble(panel);
    case_.tell(panel, given_.has_value(), "Corners can still be dragged and nudged.");
    panel.badges.push_back(answer_.hit ? Badge{"hit at t = " + shown(answer_.t, 9), Ink::bad}
                                       : Badge{"no hit, exactly", Ink::good});
    panel.badges.push_back({std::to_string(roots_.count) + " roots in all", Ink::field});
    if (free_look_) {
      panel.decision = "At t = " + shown(now(), 4) + " the two are " + shown(closest(at(now())).distance) + " m apart.";
    } else if (at_answer()) {
      panel.decision =
          answer_.hit ? "The first root at which the two touch: the answer is exact, and t_lower never comes after it."
                      : "At no time in [0, 1] do the two touch: the answer is exact, without a tolerance.";
    } else {
      panel.decision = "At t = " + shown(now(), 7) + " all four lie in one plane. " + told_here();
    }
    if (is_lost(times_, answer_))
      panel.notes.push_back("None of the roots, which are rounded, is where the two touch. The answer is exact.");
    const InclusionImpact twin = kFace ? inclusion_vertex_face(start_, end_) : inclusion_edge_edge(start_, end_);
    panel.tables.push_back({"answers",
                            {"method", "answer"},
                            {{"exact, t", answer_.hit ? shown(answer_.t, 17) : "no hit"},
                             {"exact, t_lower", answer_.hit ? shown(answer_.t_lower, 17) : "-"},
                             {"inclusion, t_lower", twin.hit ? shown(twin.t_lower, 17) : "no hit"},
                             {"boxes it looked at", std::to_string(twin.boxes)}}});
    Table table{"roots of the cubic", {"root", "distance there [m]", "verdict"}, {}, -1};
    for (std::size_t i = 0; i < times_.size(); ++i) {
      const double d = closest(at(times_[i])).distance;
      table.rows.push_back({shown(times_[i], 12), shown(d, 4), word_of(told_root(times_[i], times_, answer_))});
    }
    table.highlighted_row = at_answer() || free_look_ ? -1 : static_cast<int>(step_);
    panel.tables.push_back(std::move(table));
    const std::string unit = unit_ == 1 ? "m³" : "(" + shown(unit_, 5) + " m)³";
    panel.tables.push_back({unit_ == 1 ? "the cubic" : "the cubic, in " + unit,
                            {"t³", "t²", "t", "1"},
                            {{shown(cubic_[0], 5), shown(cubic_[1], 5), shown(cubic_[2], 5), shown(cubic_[3], 5)}}});
    Plot plot{
        "volume of the four corners over time", "t", "six times the volume [" + unit + "]", {{"cubic", {}, {}, false}}};
    for (int i = 0; i <= 120; ++i) {
      const double t = i / 120.0;
      plot.series[0].x.push_back(t);
      plot.series[0].y.push_back(((cubic_[0] * t + cubic_[1]) * t + cubic_[2]) * t + cubic_[3]);
    }
    plot.series.push_back({"roots", times_, std::vector<double>(times_.size(), 0.0), true});
    plot.marker_x = now();
    panel.plots.push_back(std::move(plot));
    Plot gap{"distance over time", "t", "distance [m]", {{"distance", {}, {}, false}}};
    for (int i = 0; i <= 120; ++i) {
      gap.series[0].x.push_back(i / 120.0);
      gap.series[0].y.push_back(closest(at(i / 120.0)).distance);
    }
    gap.marker_x = now();
    panel.plots.push_back(std::move(gap));
  }

  std::string as_query() const override {
    return query_line(
        kFace ? "ccd_vertex_face" : "ccd_edge_edge", 3,
        "\"t0\":" + json_text(std::span<const Vec3d>(start_)) + ",\"t1\":" + json_text(std::span<const Vec3d>(end_)));
  }
  bool nudge(int axis, int ulps) override {
    if (axis < 0 || axis > 2) return false;
    double& x = end_[index("selected")][axis];
    x = nudged(x, ulps);
    return remake().ok();
  }
  bool grab(const Pick& pick) override {
    double best = 0.25 * scale_;
    held_ = nullptr;
    for (FourPoints* points : {&start_, &end_})
      for (Vec3d& p : *points)
        if (const double d = off_the_ray(pick, p); d < best) best = d, held_ = &p;
    return held_ != nullptr;
  }
  void drag(const Pick& pick) override {
    if (held_ == nullptr) return;
    *held_ = dragged_to(pick, *held_);
    (void)remake();
  }
  void release(bool) override { held_ = nullptr; }

 protected:
  Result<void> make() override {
    if (!placed_) place();
    placed_ = true;
    const Result<PrimitiveImpact> answer = kFace ? vertex_face_impact(start_, end_) : edge_edge_impact(start_, end_);
    if (!answer) return answer.error();
    answer_ = *answer;
    find_cubic();
    roots_ = cubic_roots(cubic_[0], cubic_[1], cubic_[2], cubic_[3]);
    times_.clear();
    for (const double t : roots_)
      if (t >= 0 && t <= 1) times_.push_back(t);
    steps_ = times_.size() + 1;
    return {};
  }

 private:
  struct Closest {
    double distance;
    Vec3d on_first, on_second;
  };
  static bool first_body(std::size_t k) { return kFace ? k == 0 : k < 2; }

  void place() {
    if (case_.read(parameters_))
      given_ = case_.text().empty() ? std::nullopt : read_points_case(case_.text(), !kFace, case_.why_not);
    if (given_) {
      start_ = given_->start, end_ = given_->end;
      double size = 0;
      for (const FourPoints* points : {&start_, &end_})
        for (const Vec3d& p : *points) size = std::max(size, max_abs(p - start_[0]));
      scale_ = size > 0 ? 0.5 * size : 1;
      return;
    }
    scale_ = 1;
    // Vertex (or the first edge) comes from above; what it meets moves, too
    const FourPoints face0 = {Vec3d{0.2, 0.1, 1.3}, {-1, -0.7, 0}, {1.1, -0.6, 0.1}, {0, 1.1, -0.1}};
    const FourPoints face1 = {Vec3d{0, 0.1, -1}, {-0.9, -0.8, 0.3}, {1, -0.5, -0.2}, {0.2, 1, 0.1}};
    const FourPoints edge0 = {Vec3d{-1, 0.1, 1.1}, {1, -0.1, 1.2}, {0.1, -1, 0}, {-0.1, 1, 0.1}};
    const FourPoints edge1 = {Vec3d{-1, -0.2, -0.9}, {1, 0.3, -0.7}, {0.2, -1, 0.2}, {0, 1, -0.1}};
    start_ = kFace ? face0 : edge0, end_ = kFace ? face1 : edge1;
    switch (index("situation")) {
      case 1:  // through the plane, beside the other
        for (FourPoints* points : {&start_, &end_}) {
          (*points)[0].x += 1.9;
          if (!kFace) (*points)[1].x += 1.9;
        }
        break;
      case 2:  // comes to the other and goes away again: a double root
        if (kFace) {
          start_ = {Vec3d{0, 1, 0.5}, {-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
          end_ = {Vec3d{0, -1, 0.5}, {-1, -1, 0}, {1, -1, 0}, {0, 1, 2}};
        } else {
          start_ = {Vec3d{-1, 0, 1}, {1, 0, 0}, {1, -1, 0.5}, {1, 1, 0.5}};
          end_ = {Vec3d{-1, 0, 0}, {1, 0, 1}, {-1, -1, 0.5}, {-1, 1, 0.5}};
        }
        break;
      case 3:  // the corners swing so that they are in one plane more than once
        if (kFace) {
          start_ = {Vec3d{0, 0, 0.35}, {-1, -1, -0.6}, {1, -1, 0.9}, {0, 1.2, 0.2}};
          end_ = {Vec3d{0.1, 0.2, -0.25}, {1, -0.9, 0.7}, {-1, -0.8, -0.8}, {-0.3, -1.1, -0.3}};
        } else {
          start_ = {Vec3d{-1, 0, 0.8}, {1, 0, -0.5}, {0, -1, -0.4}, {0.3, 1, 0.6}};
          end_ = {Vec3d{1, 0.2, 0.4}, {-1, -0.3, -0.7}, {0.2, 1, 0.5}, {-0.2, -1, -0.3}};
        }
        break;
      case 4:  // all in the plane z = 0, all the time
        for (FourPoints* points : {&start_, &end_})
          for (Vec3d& p : *points) p.z = 0;
        start_[0] = {-1.8, 0.9, 0};
        if (!kFace) start_[1] = {-1.2, 1.3, 0}, end_[0] = {0.8, -0.2, 0}, end_[1] = {1.4, 0.4, 0};
        if (kFace) end_[0] = {0.6, -0.1, 0};
        break;
      case 5: {
        Random random(static_cast<std::uint64_t>(value("seed")));
        for (FourPoints* points : {&start_, &end_})
          for (Vec3d& p : *points) p = point_in_ball<3>(random) * 1.4;
        break;
      }
      default:
        break;
    }
  }
  // det(q - p, r - p, s - p) of points that move linearly
  void find_cubic() {
    double most = 0;
    for (const FourPoints* points : {&start_, &end_})
      for (const Vec3d& p : *points) most = std::max(most, max_abs(p));
    unit_ = unit_for(most);
    const FourPoints start = in_units(start_), end = in_units(end_);
    const auto line_of = [&](std::size_t a, std::size_t b, int axis) {
      const double at0 = start[b][axis] - start[a][axis], at1 = end[b][axis] - end[a][axis];
      return std::array<double, 2>{at0, at1 - at0};
    };
    std::array<double, 4> rising{};
    for (int k = 0; k < 3; ++k) {
      const auto x = line_of(0, 1, k), y1 = line_of(0, 2, (k + 1) % 3), z1 = line_of(0, 3, (k + 2) % 3),
                 y2 = line_of(0, 2, (k + 2) % 3), z2 = line_of(0, 3, (k + 1) % 3);
      const double minor[3] = {y1[0] * z1[0] - y2[0] * z2[0],
                               y1[0] * z1[1] + y1[1] * z1[0] - y2[0] * z2[1] - y2[1] * z2[0],
                               y1[1] * z1[1] - y2[1] * z2[1]};
      for (std::size_t i = 0; i < 3; ++i) rising[i] += x[0] * minor[i], rising[i + 1] += x[1] * minor[i];
    }
    for (std::size_t i = 0; i < 4; ++i) cubic_[i] = rising[3 - i];
  }
  FourPoints at(double t) const {
    FourPoints out;
    for (std::size_t k = 0; k < 4; ++k) out[k] = lerp(start_[k], end_[k], t);
    return out;
  }
  FourPoints in_units(const FourPoints& p) const { return {p[0] / unit_, p[1] / unit_, p[2] / unit_, p[3] / unit_}; }
  Closest closest(const FourPoints& points) const {
    const FourPoints p = in_units(points);
    if constexpr (kFace) {
      const auto x = closest_point(Triangle<3, double>{p[1], p[2], p[3]}, p[0]);
      return {std::sqrt(x.distance_squared) * unit_, points[0], x.point * unit_};
    } else {
      const auto x = closest_points(Segment<3, double>{p[0], p[1]}, Segment<3, double>{p[2], p[3]});
      return {std::sqrt(x.distance_squared) * unit_, x.point_a * unit_, x.point_b * unit_};
    }
  }
  Vec3d between(const FourPoints& p) const {
    const Closest x = closest(p);
    return (x.on_first + x.on_second) * 0.5;
  }
  // Of a root
  std::string told_here() const {
    const std::string apart = shown(closest(at(now())).distance, 4) + " m";
    switch (told_root(now(), times_, answer_)) {
      case RootIs::apart:
        return (kFace ? "The vertex is outside of the face, " : "The edges are apart, ") + apart +
               " as rounded here: by the exact answer they do not touch there.";
      case RootIs::contact:
        return kFace ? "The vertex is in the face: the first contact, by the exact answer."
                     : "The edges cross: the first contact, by the exact answer.";
      case RootIs::later:
        break;
    }
    return "That is after the first contact; the distance here is " + apart + ".";
  }
  bool at_answer() const { return step_ >= times_.size(); }
  double now() const {
    return free_look_ ? value("t") : step_ < times_.size() ? times_[step_] : answer_.hit ? answer_.t : 1;
  }
  void draw_body(DrawList& list, double t, float alpha) const {
    const FourPoints p = at(t);
    if (kFace) {
      list.triangle(p[1], p[2], p[3], color_of(Ink::a, alpha));
      const Vec3d corners[] = {p[1], p[2], p[3]};
      list.polyline(corners, color_of(Ink::a, std::min(1.0f, 2 * alpha)), true, 2);
    } else {
      list.line(p[0], p[1], color_of(Ink::b, std::min(1.0f, 2 * alpha)), 5);
      list.line(p[2], p[3], color_of(Ink::a, std::min(1.0f, 2 * alpha)), 5);
    }
  }

  FourPoints start_{}, end_{};
  bool placed_ = false, free_look_ = false;
  PrimitiveImpact answer_;
  std::array<double, 4> cubic_{};
  Roots<3> roots_;
  std::vector<double> times_;
  Vec3d* held_ = nullptr;
  CaseSlot case_;
  std::optional<GivenPoints> given_;
  double scale_ = 1;  // metres: arrows and planes are so large
  double unit_ = 1;   // of lengths in the cubic, metres
};

}  // namespace

std::unique_ptr<Exhibit> make_vertex_face(std::string_view parameters, std::string& why_not) {
  return make_still<MovingPrimitives<true>>(parameters, why_not);
}
std::unique_ptr<Exhibit> make_edge_edge(std::string_view parameters, std::string& why_not) {
  return make_still<MovingPrimitives<false>>(parameters, why_not);
}

}  // namespace sudar::lab
