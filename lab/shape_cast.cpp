// What:    A shape that moves along a line among others: what it meets first, what it would meet after that, and where it is
//          then.
#include "lab/field_exhibits.hpp"
#include "lab/query_line.hpp"
#include "lab/still_exhibit.hpp"
#include <sudar/core/random.hpp>
#include <sudar/math/sampling.hpp>
#include <sudar/queries/shape_cast.hpp>

#include <algorithm>

namespace sudar::lab {

namespace {

class ShapeCast final : public StillExhibit {
 public:
  ShapeCast() {
    using P = Parameter;
    parameters_ = {P::choice("shape", "shape that moves", {"box", "sphere", "capsule", "cone", "hull"}),
                   P::whole("targets", "targets", 30, 1, 60),
                   P::whole("seed", "seed", 4, 1, 1000),
                   P::number("start_y", "start, across", "m", 0, -2, 2),
                   P::number("start_z", "start, up", "m", 0.1, -2, 2),
                   P::number("aim_y", "aim, across", "m", 0.3, -2, 2),
                   P::number("aim_z", "aim, up", "m", -0.2, -2, 2)};
  }

  void draw(DrawList& list) const override {
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      const bool met = std::any_of(hits_.begin(), hits_.end(), [&](const Hit& h) { return h.target == i; });
      const bool first = !hits_.empty() && hits_.front().target == i;
      list.shape(targets_[i].shape, targets_[i].pose,
                 first ? color_of(Ink::b)
                 : met ? color_of(Ink::b, 0.55f)
                       : color_of(Ink::ground, 0.5f));
    }
    const Vec3d way = aim_ - start_.position;
    draw_way(list, start_.position, aim_, color_of(Ink::ray, 0.8f), 2, 0.35);
    for (int i = 0; i <= 12; ++i) list.shape(*moving_, at(i / 12.0), color_of(Ink::a, 0.22f), true);
    const std::size_t now = std::min(step_, hits_.size());
    if (now >= hits_.size()) {
      list.shape(*moving_, at(hits_.empty() ? 1 : hits_.front().answer.t), color_of(Ink::a));
    } else {
      list.shape(*moving_, at(hits_[now].answer.t), color_of(Ink::a));
    }
    for (std::size_t i = 0; i < hits_.size(); ++i) {
      if (i != now && now < hits_.size()) continue;
      const ShapeCastAnswer3& x = hits_[i].answer;
      list.point(x.point, color_of(Ink::contact), 9);
      list.arrow(x.point, x.point + x.normal * 0.5, color_of(Ink::normal), 2);
      list.label(x.point, "t = " + shown(x.t, 5));
    }
    list.label(start_.position + way * 1.02, "aim");
  }

  void tell(Panel& panel) const override {
    tell_trouble(panel);
    panel.badges.push_back(hits_.empty() ? Badge{"the way is free", Ink::good}
                                         : Badge{"first hit at t = " + shown(hits_.front().answer.t, 7), Ink::bad});
    panel.badges.push_back(
        {std::to_string(hits_.size()) + " of " + std::to_string(targets_.size()) + " in the way", Ink::b});
    if (hits_.empty())
      panel.decision = "No target is touched along the whole way: that is proven, not sampled.";
    else if (step_ < hits_.size())
      panel.decision = "Target " + std::to_string(hits_[step_].target) +
                       " is touched at t = " + shown(hits_[step_].answer.t, 8) +
                       " of the way; before it, nothing touches it.";
    else
      panel.decision = "The first of all hits is where a shape that cannot pass has to stop.";
    Table table{"hits in order", {"target", "kind", "share of the way", "t_hi - t"}, {}, -1};
    for (const Hit& h : hits_)
      table.rows.push_back({std::to_string(h.target), std::string(to_string(targets_[h.target].shape.kind())),
                            shown(h.answer.t, 12), shown(h.answer.t_hi - h.answer.t, 3)});
    table.highlighted_row = step_ < hits_.size() ? static_cast<int>(step_) : -1;
    panel.tables.push_back(std::move(table));
  }

  // The hit that is shown, as a time of impact
  std::string as_query() const override {
    const std::size_t target = hits_.empty() ? 0 : hits_[std::min(step_, hits_.size() - 1)].target;
    return query_line("toi", 3,
                      "\"a\":" + body_text(targets_[target].shape, targets_[target].pose) +
                          ",\"b\":" + body_text(*moving_, start_) +
                          ",\"motion_b\":" + json_text(Motion3{aim_ - start_.position, {}}) + ",\"t_max\":1");
  }
  bool nudge(int axis, int ulps) override {
    if (axis < 0 || axis > 2) return false;
    nudges_[static_cast<std::size_t>(axis)] += ulps;
    return remake().ok();
  }
  Result<void> set(std::size_t) override {
    nudges_ = {};
    return remake();
  }
  bool grab(const Pick& pick) override {
    const double to_start = off_the_ray(pick, start_.position), to_aim = off_the_ray(pick, aim_);
    holds_aim_ = to_aim < to_start;
    return std::min(to_start, to_aim) < 0.5;
  }
  void drag(const Pick& pick) override {
    // In the plane in which the start, or the aim, may be
    const double x = holds_aim_ ? aim_.x : start_.position.x;
    if (std::fabs(pick.direction.x) < 0.05) return;
    const Vec3d p = pick.origin + pick.direction * ((x - pick.origin.x) / pick.direction.x);
    write(holds_aim_ ? "aim_y" : "start_y", std::clamp(p.y, -2.0, 2.0));
    write(holds_aim_ ? "aim_z" : "start_z", std::clamp(p.z, -2.0, 2.0));
    nudges_ = {};
    (void)remake();
  }

 protected:
  Result<void> make() override {
    Random random(static_cast<std::uint64_t>(value("seed")));
    std::vector<Target> targets;
    for (int i = 0; i < static_cast<int>(value("targets")); ++i) {
      const Vec3d place{random.uniform(-1.6, 2.2), random.uniform(-1.5, 1.5), random.uniform(-1.2, 1.2)};
      const double r = random.uniform(0.15, 0.4);
      Result<Shape3> shape = random_shape(random, r);
      if (!shape) return shape.error();
      targets.push_back({*std::move(shape), {place, settled(unit_quaternion(random))}});
    }
    const Result<Shape3> moving = moving_shape();
    if (!moving) return moving.error();
    start_ = {{-3, value("start_y"), value("start_z")},
              settled(Quatd::from_axis_angle(normalized(Vec3d{1, 1, 0.5}), 0.6))};
    for (int k = 0; k < 3; ++k) start_.position[k] = nudged(start_.position[k], nudges_[static_cast<std::size_t>(k)]);
    aim_ = {3, value("aim_y"), value("aim_z")};
    std::vector<Hit> hits;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const Result<ShapeCastAnswer3> x =
          cast_shape<3>(*moving, start_, aim_ - start_.position, targets[i].shape, targets[i].pose, 1);
      if (!x) return x.error();
      if (x->hit) hits.push_back({i, *x});
    }
    std::stable_sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.answer.t < b.answer.t; });
    moving_ = *moving;
    targets_ = std::move(targets);
    hits_ = std::move(hits);
    steps_ = hits_.size() + 1;
    return {};
  }

 private:
  struct Target {
    Shape3 shape;
    Pose3d pose;
  };
  struct Hit {
    std::size_t target;
    ShapeCastAnswer3 answer;
  };
  static Result<Shape3> random_shape(Random& random, double r) {
    switch (random.below(5)) {
      case 0:
        return make_sphere3(r);
      case 1:
        return make_box3({r, 0.7 * r, 0.5 * r});
      case 2:
        return make_capsule3({-r, 0, 0}, {r, 0, 0}, 0.4 * r);
      case 3:
        return make_cylinder3(r, 0.6 * r);
      default: {
        std::vector<Vec3d> points;
        for (int i = 0; i < 12; ++i) points.push_back(point_in_ball<3>(random) * (1.3 * r));
        return make_hull_shape3(points);
      }
    }
  }
  Result<Shape3> moving_shape() const {
    switch (index("shape")) {
      case 0:
        return make_box3({0.3, 0.2, 0.15});
      case 1:
        return make_sphere3(0.22);
      case 2:
        return make_capsule3({0, -0.3, 0}, {0, 0.3, 0}, 0.12);
      case 3:
        return make_cone3(0.3, 0.22);
      default: {
        Random random(11);
        std::vector<Vec3d> points;
        for (int i = 0; i < 14; ++i) points.push_back(point_in_ball<3>(random) * 0.4);
        return make_hull_shape3(points);
      }
    }
  }
  Pose3d at(double t) const { return {start_.position + (aim_ - start_.position) * t, start_.rotation}; }

  std::optional<Shape3> moving_;
  std::vector<Target> targets_;
  std::vector<Hit> hits_;
  Pose3d start_;
  Vec3d aim_{};
  bool holds_aim_ = false;
  std::array<int, 3> nudges_{};
};

}  // namespace

std::unique_ptr<Exhibit> make_shape_cast(std::string_view parameters, std::string& why_not) {
  return make_still<ShapeCast>(parameters, why_not);
}

}  // namespace sudar::lab
