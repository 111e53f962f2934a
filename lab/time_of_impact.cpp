// What:    The time of impact of two bodies that move and turn in space: the planes that carry the proof, and the interval
//          [t_lo, t_hi] of the answer.
#include "lab/field_exhibits.hpp"
#include "lab/half_space_view.hpp"
#include "lab/query_case.hpp"
#include "lab/query_file.hpp"
#include "lab/query_line.hpp"
#include "lab/show_bodies.hpp"
#include "lab/still_exhibit.hpp"
#include <sudar/continuous/time_of_impact.hpp>
#include <sudar/core/random.hpp>
#include <sudar/math/sampling.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <algorithm>

namespace sudar::lab {

namespace {

class TimeOfImpact final : public StillExhibit {
 public:
  TimeOfImpact() {
    using P = Parameter;
    parameters_ = {
        P::choice("situation", "situation", {"blade_and_ball", "boxes", "cone_and_capsule", "hulls", "ring"}),
        P::choice("method", "method", {"auto", "conservative"}),
        P::number("speed", "speed", "times", 1, 0, 4),
        P::number("spin", "turning", "times", 1, -4, 4),
        P::number("move_x", "B farther along x", "m", 0, -3, 3),
        P::number("move_y", "B farther along y", "m", 0, -3, 3),
        P::number("move_z", "B farther up", "m", 0, -3, 3),
        P::whole("seed", "seed of the hulls", 1, 1, 1000),
        CaseSlot::parameter()};
  }
  Result<void> set(std::size_t i) override {
    if (parameters_[i].name == "situation" || parameters_[i].name == "case") {
      for (const char* name : kMoves) write(name, 0);
      nudges_ = {};
      step_ = 0;
    }
    return remake();
  }

  void draw(DrawList& list) const override {
    const double t = time_of(step_);
    for (int i = 0; i <= 8; ++i) {
      if (a_->shape.is_bounded()) list.shape(a_->shape, a_->pose(time_ * (i / 8.0)), color_of(Ink::a, 0.25f), true);
      if (b_->shape.is_bounded()) list.shape(b_->shape, b_->pose(time_ * (i / 8.0)), color_of(Ink::b, 0.25f), true);
    }
    for (const Moving* body : {&*a_, &*b_})
      if (length(body->motion.linear) > 0)
        draw_way(list, body->at.position, body->at.position + body->motion.linear * time_,
                 color_of(body == &*a_ ? Ink::a : Ink::b, 0.7f), 2, 0.4 * scale_);
    draw_body(list, *a_, *b_, t, Ink::a);
    draw_body(list, *b_, *a_, t, Ink::b);
    const DistanceAnswer3 x = sudar::distance(a_->shape, a_->pose(t), b_->shape, b_->pose(t));
    if (!at_answer()) {
      draw_plane(list, (x.point_a + x.point_b) * 0.5, normal_of(step_));
      list.line(x.point_a, x.point_b, color_of(Ink::highlight), 3);
      list.point(x.point_a, color_of(Ink::contact), 8);
      list.point(x.point_b, color_of(Ink::contact), 8);
      list.label(x.point_b, "d = " + shown(x.separation, 4) + " m");
    } else if (answer_->hit) {
      for (const auto& p : answer_->contacts.points) list.point(p.position, color_of(Ink::contact), 8);
      list.point(answer_->point, color_of(Ink::contact), 11);
      list.arrow(answer_->point, answer_->point + answer_->normal * (0.7 * scale_), color_of(Ink::normal), 3);
      list.label(answer_->point + answer_->normal * (0.8 * scale_), "t = " + shown(answer_->t_lo, 8) + " s");
    }
  }

  void tell(Panel& panel) const override {
    tell_trouble(panel);
    case_.tell(panel, given_.has_value(), "Speed, turning and the place of B still change it.");
    const ToiAnswer3& x = *answer_;
    panel.badges.push_back(x.hit ? Badge{"hit", Ink::bad} : Badge{"free, and that is proven", Ink::good});
    if (x.hit) panel.badges.push_back({"t in [" + shown(x.t_lo, 10) + ", " + shown(x.t_hi, 10) + "] s", Ink::contact});
    panel.badges.push_back(x.status == QueryStatus::converged ? Badge{"converged", Ink::good}
                                                              : Badge{"work ran out", Ink::bad});
    if (at_answer())
      panel.decision = x.hit ? "Before t_lo nothing touches, full turns included; at t_hi the two are within " +
                                   shown(2 * x.tolerance, 3) + " m of each other."
                             : "A plane carried to the end of the time: there is no time at which they touch.";
    else
      panel.decision = "At t = " + shown(time_of(step_), 7) +
                       " s a plane lies between the two. As long as it does, nothing touches: how long that is, is "
                       "proven, and there the next plane is looked for.";
    panel.tables.push_back({"answer",
                            {"what", "value"},
                            {{"t_lo", x.hit ? shown(x.t_lo, 15) + " s" : "-"},
                             {"t_hi", x.hit ? shown(x.t_hi, 15) + " s" : "-"},
                             {"t_hi - t_lo", x.hit ? shown(x.t_hi - x.t_lo, 3) + " s" : "-"},
                             {"tolerance", shown(x.tolerance, 3) + " m"},
                             {"distances asked", std::to_string(x.iterations)},
                             {"turns of A", shown(turn_rate(a_->motion.angular) * time_ / (2 * kPi), 3)},
                             {"turns of B", shown(turn_rate(b_->motion.angular) * time_ / (2 * kPi), 3)}}});
    Plot plot{"separation over time", "t [s]", "separation [m]", {{"separation", curve_t_, curve_d_, false}}};
    PlotSeries looks{"planes", {}, {}, true};
    for (std::size_t i = 0; i + 1 < steps_ && i <= step_; ++i) {
      looks.x.push_back(time_of(i));
      looks.y.push_back(separation(time_of(i)));
    }
    plot.series.push_back(std::move(looks));
    plot.marker_x = time_of(step_);
    panel.plots.push_back(std::move(plot));
  }

  std::string as_query() const override {
    return query_line("toi", 3,
                      "\"a\":" + body_text(a_->shape, a_->at) + ",\"b\":" + body_text(b_->shape, b_->at) +
                          ",\"motion_a\":" + json_text(a_->motion) + ",\"motion_b\":" + json_text(b_->motion) +
                          ",\"t_max\":" + json_text(time_) + ",\"method\":\"" + chosen("method") + "\"");
  }
  bool nudge(int axis, int ulps) override {
    if (axis < 0 || axis > 2) return false;
    nudges_[static_cast<std::size_t>(axis)] += ulps;
    return remake().ok();
  }
  bool grab(const Pick& pick) override {
    const double size = scale_ * std::max(0.3, std::min(1.0, farthest_radius<3>(b_->shape) / scale_));
    if (off_the_ray(pick, b_->at.position) > size) return false;
    grabbed_ = b_->at.position;
    held_ = dragged_to(pick, grabbed_) - Vec3d{value("move_x"), value("move_y"), value("move_z")};
    return true;
  }
  void drag(const Pick& pick) override {
    const Vec3d to = dragged_to(pick, grabbed_) - held_;
    for (int k = 0; k < 3; ++k) write(kMoves[k], std::clamp(to[k], -3.0, 3.0));
    nudges_ = {};
    (void)remake();
  }

 protected:
  Result<void> make() override {
    if (const auto done = place_bodies(); !done) return done;
    TraceLog log;
    ToiOptions o;
    o.t_max = time_;
    o.method = index("method") == 0 ? ToiMethod::automatic : ToiMethod::conservative;
    o.trace = &log;
    // The last contact is found on the way back from the end, which would be among the planes
    o.last = false;
    Result<ToiAnswer3> answer = sudar::time_of_impact(a_->shape, a_->at, a_->motion, b_->shape, b_->at, b_->motion, o);
    if (!answer && given_) {
      case_.why_not = answer.error().message();
      given_.reset();
      return make();
    }
    if (!answer) return answer.error();
    answer_ = *std::move(answer);
    planes_.clear();
    for (const TraceLog::Entry& e : log.entries())
      if (e.step == "plane" && e.numbers.size() >= 3)
        planes_.push_back({e.value, {e.numbers[0], e.numbers[1], e.numbers[2]}});
    steps_ = planes_.size() + 1;
    curve_t_.clear(), curve_d_.clear();
    for (int i = 0; i <= kSamples; ++i) {
      curve_t_.push_back(time_ * (static_cast<double>(i) / kSamples));
      curve_d_.push_back(separation(curve_t_.back()));
    }
    return {};
  }

 private:
  static constexpr int kSamples = 120;
  static constexpr const char* kMoves[] = {"move_x", "move_y", "move_z"};
  struct Moving {
    Shape3 shape;
    Pose3d at;
    Motion3 motion;
    Pose3d pose(double t) const { return pose_at(at, motion, t); }
  };
  struct PlaneAt {
    double t;
    Vec3d normal;
  };

  Result<void> place_bodies() {
    const auto turned = [](const Vec3d& axis, double angle) {
      return settled(Quatd::from_axis_angle(normalized(axis), angle));
    };
    if (case_.read(parameters_))
      given_ = case_.text().empty() ? std::nullopt : read_motion_case3(case_.text(), case_.why_not);
    time_ = given_ ? given_->t_max : 1;
    scale_ = 1;
    if (given_) {
      a_ = {given_->pair.a, given_->pair.pose_a, given_->motion_a};
      b_ = {given_->pair.b, given_->pair.pose_b, given_->motion_b};
      double size = 0;
      for (const Moving* body : {&*a_, &*b_})
        if (body->shape.is_bounded()) size = std::max(size, farthest_radius<3>(body->shape));
      if (size > 0) scale_ = size;
      return change_bodies();
    }
    switch (index("situation")) {
      case 0:
        a_ = {*make_box3({1.2, 0.12, 0.05}), {{0, 0, 0}, turned({0, 0, 1}, 0.4)}, {{0, 0, 0}, {0, 0, 22}}};
        b_ = {*make_sphere3(0.16), {{2.2, -0.3, 0.9}, {}}, {{-2, 0.1, -1.05}, {0, 0, 0}}};
        break;
      case 1:
        a_ = {*make_box3({0.5, 0.4, 0.3}), {{-1.8, 0, 0}, turned({1, 2, 3}, 0.7)}, {{2, 0, 0.1}, {1, 3, -2}}};
        b_ = {*make_box3({0.35, 0.5, 0.35}), {{1.8, 0.4, 0.3}, turned({3, -1, 1}, 1.1)}, {{-1.7, -0.3, 0}, {-4, 1, 2}}};
        break;
      case 2:
        a_ = {*make_cone3(0.7, 0.5), {{-0.8, 0, 0}, turned({1, 0, 0}, 0.5)}, {{0.8, 0, 0}, {0, 2, 1}}};
        b_ = {*make_capsule3({-0.6, 0, 0}, {0.6, 0, 0}, 0.15), {{1.7, 0, 1.2}, {}}, {{-1.6, 0, -1.3}, {0, 6, 0}}};
        break;
      case 3: {
        Random random(static_cast<std::uint64_t>(value("seed")));
        std::vector<Vec3d> p, q;
        for (int i = 0; i < 14; ++i)
          p.push_back(point_in_ball<3>(random) * 0.8), q.push_back(point_in_ball<3>(random) * 0.7);
        Result<Shape3> a = make_hull_shape3(p), b = make_hull_shape3(q, 0.03);
        if (!a) return a.error();
        if (!b) return b.error();
        a_ = {*std::move(a), {{-1.7, 0, 0}, {}}, {{1.8, 0.1, 0}, {0, 2, 3}}};
        b_ = {*std::move(b), {{1.7, 0.3, 0.2}, {}}, {{-1.9, -0.2, 0}, {5, 0, -3}}};
        break;
      }
      default: {
        const Result<Mesh> ring = torus_mesh(1, 0.22, 28, 12);
        if (!ring) return ring.error();
        Result<Shape3> a = make_mesh_shape3(ring->vertices, ring->triangles, true);
        if (!a) return a.error();
        // Through the ring, which turns under it
        a_ = {*std::move(a), {{0, 0, 0}, {}}, {{0, 0, 0}, {1.7, 0, 0}}};
        b_ = {*make_capsule3({0, 0, -0.5}, {0, 0, 0.5}, 0.14), {{0.15, 0, 2}, {}}, {{0, 0, -3.2}, {0, 1, 0}}};
      }
    }
    return change_bodies();
  }
  // By the sliders and by ulps
  Result<void> change_bodies() {
    for (Moving* body : {&*a_, &*b_}) {
      body->motion.linear *= value("speed");
      body->motion.angular *= value("spin");
    }
    for (int k = 0; k < 3; ++k)
      b_->at.position[k] = nudged(b_->at.position[k] + value(kMoves[k]), nudges_[static_cast<std::size_t>(k)]);
    return {};
  }
  double separation(double t) const {
    return sudar::distance(a_->shape, a_->pose(t), b_->shape, b_->pose(t)).separation;
  }
  bool at_answer() const { return step_ >= planes_.size(); }
  double time_of(std::size_t i) const {
    return i < planes_.size() ? planes_[i].t : answer_->hit ? answer_->t_lo : time_;
  }
  Vec3d normal_of(std::size_t i) const { return planes_[i].normal; }
  // A half-space as the piece that is beside the other's way
  void draw_body(DrawList& list, const Moving& body, const Moving& other, double t, Ink ink) const {
    if (body.shape.is_bounded()) return list.shape(body.shape, body.pose(t), color_of(ink));
    if (!other.shape.is_bounded()) return;
    const Aabb3d first = bounding_box(other.shape, other.pose(0)), last = bounding_box(other.shape, other.pose(time_));
    draw_half_space(list, body.shape.as<HalfSpaceShape3>(), body.pose(t),
                    {min(first.lo, last.lo), max(first.hi, last.hi)}, ink, 0.4f);
  }
  void draw_plane(DrawList& list, const Vec3d& p, const Vec3d& n) const {
    Vec3d u, v;
    make_frame(n, u, v);
    const double size = 0.9 * scale_;
    const Vec3d corners[] = {p + (u + v) * size, p + (v - u) * size, p - (u + v) * size, p + (u - v) * size};
    list.polygon(corners, color_of(Ink::axis, 0.3f));
    list.polyline(corners, color_of(Ink::axis), true, 1.5f);
    list.arrow(p, p + n * (0.5 * scale_), color_of(Ink::normal), 2);
  }

  std::optional<Moving> a_, b_;
  std::optional<ToiAnswer3> answer_;
  std::vector<PlaneAt> planes_;
  std::vector<double> curve_t_, curve_d_;
  std::array<int, 3> nudges_{};
  Vec3d grabbed_{}, held_{};
  CaseSlot case_;
  std::optional<GivenMotion3> given_;
  double time_ = 1;   // seconds that are looked at
  double scale_ = 1;  // metres: arrows and planes are so large
};

}  // namespace

std::unique_ptr<Exhibit> make_time_of_impact(std::string_view parameters, std::string& why_not) {
  return make_still<TimeOfImpact>(parameters, why_not);
}

}  // namespace sudar::lab
