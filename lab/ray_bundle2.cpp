// What:    A bundle of rays against a shape of the plane, with what they meet, and one of them edge by edge: on which side of it
//          the ends of the edge lie decides.
#include "lab/field_exhibits.hpp"
#include "lab/plane_view.hpp"
#include "lab/query_case.hpp"
#include "lab/query_file.hpp"
#include "lab/query_line.hpp"
#include "lab/show_bodies.hpp"
#include "lab/still_exhibit.hpp"
#include <sudar/math/predicates.hpp>
#include <sudar/queries/ray2.hpp>
#include <sudar/queries/ray_parts.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/convex_body2.hpp>
#include <sudar/shapes/polygon_set.hpp>

#include <algorithm>

namespace sudar::lab {

namespace {

using PlaneRay = Ray<2, double>;

// The edges of what is decided edge by edge
std::vector<Segment<2, double>> edges_of(const Shape2& shape) {
  std::vector<Segment<2, double>> out;
  const auto around = [&](std::span<const Vec2d> v) {
    for (std::size_t i = 0; i < v.size(); ++i) out.push_back({v[i], v[i + 1 < v.size() ? i + 1 : 0]});
  };
  if (shape.kind() == ShapeKind2::point) {
    out.push_back({shape.as<PointShape2>().p, shape.as<PointShape2>().p});
  } else if (shape.kind() == ShapeKind2::segment) {
    out.push_back({shape.as<SegmentShape2>().p, shape.as<SegmentShape2>().q});
  } else if (shape.kind() == ShapeKind2::polygon && !(shape.as<PolygonShape2>().radius > 0)) {
    const auto v = shape.as<PolygonShape2>().body->vertices();
    v.size() > 2 ? around(v) : out.push_back({v.front(), v.back()});
  } else if (shape.kind() == ShapeKind2::chain || shape.kind() == ShapeKind2::concave_polygon) {
    const PolygonSet& set =
        shape.kind() == ShapeKind2::chain ? *shape.as<ChainShape2>().set : *shape.as<ConcavePolygonShape2>().set;
    for (std::uint32_t i = 0; i < set.edge_count(); ++i) out.push_back(set.edge(i));
  }
  return out;
}

class RayBundle2 final : public StillExhibit {
 public:
  RayBundle2() {
    using P = Parameter;
    parameters_ = {
        P::choice("body", "body", {"star", "gear", "open_chain", "box", "circle", "capsule", "rounded", "several"}),
        P::whole("rays", "rays", 41, 2, 201),
        P::number("width", "width of the bundle", "m", 3.4, 0.2, 6),
        P::number("turn", "where the rays come from", "°", 25, -180, 180),
        P::number("ray_y", "the ray that is followed, across", "m", 0.35, -3, 3),
        CaseSlot::parameter()};
  }

  void draw(DrawList& list) const override {
    list.flat = true;
    if (given_) frame(list, {-3.4, -2.3}, {3.4, 2.3});
    const Vec2d end = ray_.at(answer_->hit ? answer_->t : end_of_ray_);
    view_.body(list, seen_, pose_, end, Ink::ground, at_bundle() && !given_ ? 0.8f : 0.5f, "");
    if (at_bundle()) draw_bundle(list);
    if (step_ > 0) draw_edges(list);
    view_.way(list, ray_.origin, end, color_of(Ink::ray), 3);
    if (view_.meets({ray_.origin, ray_.origin})) list.point(drawn_at(view_.at(ray_.origin), 4), color_of(Ink::ray), 7);
    if (!answer_->hit || !at_answer()) return;
    const Vec2d p = view_.at(answer_->point);
    list.point(drawn_at(p, 6), color_of(Ink::contact), 10);
    list.arrow(drawn_at(p, 6), drawn_at(p + answer_->normal * 0.5, 6), color_of(Ink::normal), 3);
    list.label(drawn_at(p + Vec2d{0.1, 0.25}, 7), "t = " + shown(answer_->t, 6));
  }

  void tell(Panel& panel) const override {
    tell_trouble(panel);
    case_.tell(panel, given_.has_value(), "The ray can be nudged; the bundle is left out.");
    if (given_) {
      panel.badges.push_back(answer_->hit ? Badge{"hit at t = " + shown(answer_->t, 9), Ink::bad}
                                          : Badge{"no hit", Ink::good});
      panel.badges.push_back({std::string(to_string(shape_->kind())), Ink::ground});
    } else {
      const auto hits = std::count_if(bundle_.begin(), bundle_.end(), [](const RayAnswer2& x) { return x.hit; });
      panel.badges.push_back({std::to_string(hits) + " of " + std::to_string(bundle_.size()) + " rays hit", Ink::ray});
    }
    if (answer_->inside) panel.badges.push_back({"starts inside", Ink::highlight});
    if (!edges_.empty())
      panel.badges.push_back(edges_agree() ? Badge{"edge by edge agrees", Ink::good}
                                           : Badge{"edge by edge differs", Ink::bad});
    if (!given_)
      panel.badges.push_back(batch_agrees_ ? Badge{"many at once agree with each alone", Ink::good}
                                           : Badge{"many at once differ from each alone", Ink::bad});
    panel.decision = told_step();
    tell_answer(panel);
    tell_edges(panel);
    if (!bundle_.empty()) panel.plots.push_back(depths());
  }

  std::string as_query() const override {
    return query_line("ray", 2,
                      "\"a\":" + body_text(*shape_, at_) + ",\"origin\":" + json_text(ray_.origin) +
                          ",\"direction\":" + json_text(ray_.direction) +
                          (given_ && given_->max_t < kEndless ? ",\"max\":" + json_text(given_->max_t) : ""));
  }
  // The origin of the ray that is followed
  bool nudge(int axis, int ulps) override {
    if (axis < 0 || axis > 1) return false;
    nudges_[axis] += ulps;
    return remake().ok();
  }
  Result<void> set(std::size_t) override {
    nudges_[0] = nudges_[1] = 0;
    return remake();
  }
  bool grab(const Pick& pick) override {
    if (given_) return false;
    drag(pick);
    return true;
  }
  // The followed ray goes through the point under the pointer
  void drag(const Pick& pick) override {
    write("ray_y", std::clamp(dot(in_plane_of(pick), perp(forward())), -3.0, 3.0));
    nudges_[0] = nudges_[1] = 0;
    (void)remake();
  }

 protected:
  Result<void> make() override {
    if (case_.read(parameters_))
      given_ = case_.text().empty() ? std::nullopt : read_ray_case2(case_.text(), case_.why_not);
    if (given_) {
      if (make_given()) return {};
      given_.reset();
    }
    Result<Shape2> shape = body_named(index("body"));
    if (!shape) return shape.error();
    at_ = {}, pose_ = {}, view_ = {}, end_of_ray_ = 2 * kAway;
    const auto n = static_cast<std::size_t>(value("rays"));
    rays_.clear();
    const auto start = [&](double across) { return perp(forward()) * across - forward() * kAway; };
    for (std::size_t i = 0; i < n; ++i)
      rays_.push_back(
          {start(value("width") * ((static_cast<double>(i) + 0.5) / static_cast<double>(n) - 0.5)), forward()});
    bundle_.assign(n, {});
    const double endless[] = {kEndless};
    if (const Result<void> done = cast_rays(*shape, rays_, endless, bundle_); !done) return done.error();
    batch_agrees_ = true;
    for (std::size_t i = 0; i < n; ++i) {
      const Result<RayAnswer2> one = cast_ray(*shape, rays_[i]);
      batch_agrees_ = batch_agrees_ && one && one->hit == bundle_[i].hit && one->t == bundle_[i].t &&
                      one->point == bundle_[i].point && one->normal == bundle_[i].normal;
    }
    ray_ = nudged_ray({start(value("ray_y")), forward()});
    Result<RayAnswer2> answer = cast_ray(*shape, ray_);
    if (!answer) return answer.error();
    answer_ = *answer;
    shape_ = *std::move(shape);
    seen_ = SeenShape(*shape_, view_.scale());
    follow();
    return {};
  }

 private:
  static constexpr double kAway = 2.6;
  // A ray that comes from farther than so many times the shape is seen where it ends
  static constexpr double kLongRay = 8, kSeenOfIt = 1.6;
  static constexpr Aabb2d kPicture{{-3.2, -2.1}, {3.2, 2.1}};

  // The bundle, every edge, the answer
  bool at_bundle() const { return step_ == 0; }
  bool at_answer() const { return step_ == 0 || step_ > edges_.size(); }

  static Result<Shape2> body_named(std::size_t i) {
    static constexpr Vec2d kChain[] = {{-1.6, 0.9}, {-0.9, -0.7}, {-0.3, 0.6}, {0.4, -0.9}, {0.9, 0.4}, {1.6, -0.2}};
    static constexpr Vec2d kThree[] = {{-0.8, -0.6}, {0.9, -0.4}, {-0.1, 0.9}};
    switch (i) {
      case 0:
        return make_concave_polygon2(star_outline());
      case 1:
        return make_concave_polygon2(gear_outline());
      case 2:
        return make_chain2(kChain);
      case 3:
        return make_box2({1.1, 0.7});
      case 4:
        return make_circle2(1);
      case 5:
        return make_capsule2({-0.9, -0.3}, {0.9, 0.4}, 0.5);
      case 6:
        return make_polygon2(kThree, 0.35);
      default: {
        const CompoundChild2 children[] = {{*make_circle2(0.6), {{-0.9, 0.5}, {}}},
                                           {*make_box2({0.5, 0.3}), {{0.8, 0.6}, Rot2d::from_angle(0.4)}},
                                           {*make_polygon2(kThree), {{0.1, -0.7}, Rot2d::from_angle(0.3)}}};
        return make_compound2(children);
      }
    }
  }
  Vec2d forward() const {
    const SinCos turn = sin_cos(value("turn") * kPi / 180);
    return {turn.cos, turn.sin};
  }
  PlaneRay nudged_ray(PlaneRay ray) const {
    for (int k = 0; k < 2; ++k) ray.origin[k] = nudged(ray.origin[k], nudges_[k]);
    return ray;
  }

  bool make_given() {
    const PlaneRay ray = nudged_ray(given_->ray);
    const Pose2d pose = given_->at.pose();
    Result<RayAnswer2> answer = cast_ray(given_->shape, pose, ray, given_->max_t);
    if (!answer) {
      case_.why_not = answer.error().message();
      return false;
    }
    answer_ = *answer, ray_ = ray, pose_ = pose;
    shape_ = given_->shape, at_ = given_->at;
    bundle_.clear(), rays_.clear();
    batch_agrees_ = true;
    see_given();
    seen_ = SeenShape(*shape_, view_.scale());
    follow();
    return true;
  }
  // The shape and the way of the ray, or the shape alone when the ray comes from far away
  void see_given() {
    Aabb2d seen{ray_.origin, ray_.origin};
    if (shape_->is_bounded()) seen = bounding_box(*shape_, pose_);
    const double size = seen_size(*shape_, pose_);
    // A ray that hits nothing ends behind the shape
    const double past = size > 0 ? size : 1, speed = length(ray_.direction);
    const double until = (distance(ray_.origin, (seen.lo + seen.hi) * 0.5) + past) / speed;
    end_of_ray_ = std::min(given_->max_t, until);
    const Vec2d end = answer_->hit ? answer_->point : ray_.at(end_of_ray_);
    const Aabb2d whole{min(seen.lo, min(ray_.origin, end)), max(seen.hi, max(ray_.origin, end))};
    if (!(size > 0) || max_abs(whole.hi - whole.lo) <= kLongRay * size) {
      view_ = {whole, kPicture};
      return;
    }
    const Vec2d half = Vec2d{size, size} * (0.5 * kSeenOfIt), middle = answer_->hit ? end : (seen.lo + seen.hi) * 0.5;
    view_ = {{middle - half, middle + half}, kPicture};
  }

  // The ray as the shape sees it, against one edge after the other
  void follow() {
    local_ = seen_from(pose_, ray_);
    edges_ = edges_of(*shape_);
    times_.clear();
    for (const auto& edge : edges_) times_.push_back(ray_segment_time(local_, edge));
    steps_ = edges_.size() + 2;
  }
  double limit() const { return given_ ? given_->max_t : kEndless; }
  bool counts(double t) const { return t <= limit() && t < kEndless; }
  // Up to the i-th edge: the one that is met first, or the number of edges
  std::size_t best_of(std::size_t count) const {
    std::size_t best = edges_.size();
    for (std::size_t i = 0; i < count; ++i)
      if (counts(times_[i]) && (best == edges_.size() || times_[i] < times_[best])) best = i;
    return best;
  }
  bool edges_agree() const {
    const std::size_t best = best_of(edges_.size());
    if (answer_->inside) return answer_->t == 0;
    return answer_->hit == (best < edges_.size()) && (!answer_->hit || answer_->t == times_[best]);
  }

  std::string told_step() const {
    if (at_bundle() && !given_)
      return "Every ray ends where it meets the shape, with the normal there. Step on, and one of them is followed.";
    if (at_answer()) {
      if (answer_->inside) return "The ray starts inside: the time is 0, and the normal is against the ray.";
      return answer_->hit
                 ? "The ray meets the shape first at t = " + shown(answer_->t, 9) + ", a multiple of its direction."
                 : "The ray meets nothing.";
    }
    const std::size_t i = step_ - 1;
    const int p = side_of(edges_[i].a), q = side_of(edges_[i].b);
    const std::string edge = "edge " + std::to_string(i);
    if (p * q > 0)
      return "Both ends of " + edge + " lie on the " + (p > 0 ? "left" : "right") +
             " of the ray's line, exactly: it is passed by.";
    const std::string across = p == 0 || q == 0 ? "The line of the ray goes through an end of " + edge
                                                : "The ends of " + edge + " lie on both sides of the ray's line";
    if (times_[i] == kEndless) return across + ", but behind its origin.";
    if (!counts(times_[i])) return across + ", at t = " + shown(times_[i], 7) + ", beyond the end of the ray.";
    return across + ": it is met at t = " + shown(times_[i], 7) +
           (best_of(i + 1) == i ? ", before all others so far." : ", later than the best so far.");
  }
  int side_of(const Vec2d& p) const { return cross_sign({}, local_.direction, local_.origin, p); }
  void tell_answer(Panel& panel) const {
    const bool edge = answer_->hit && answer_->triangle != kNoIndex;
    panel.tables.push_back(
        {"the ray that is followed",
         {"what", "value"},
         {{"origin", shown(ray_.origin)},
          {"direction", shown(ray_.direction)},
          {"t", answer_->hit ? shown(answer_->t, 15) : "no hit"},
          {"point", answer_->hit ? shown(answer_->point, 8) : "-"},
          {"normal", answer_->hit ? shown(answer_->normal, 6) : "-"},
          {"edge, how far along", edge ? std::to_string(answer_->triangle) + ", " + shown(answer_->u, 6) : "-"}}});
  }
  void tell_edges(Panel& panel) const {
    if (edges_.empty()) return;
    Table table{"edge by edge", {"edge", "ends", "t"}, {}, -1};
    constexpr std::size_t kRows = 15;
    const std::size_t now = step_ > 0 ? step_ - 1 : 0, first = now > kRows / 2 ? now - kRows / 2 : 0;
    const auto word = [](int side) { return std::string(side > 0 ? "left" : side < 0 ? "right" : "on it"); };
    for (std::size_t i = first; i < std::min(first + kRows, edges_.size()); ++i) {
      if (!at_answer() && i == now) table.highlighted_row = static_cast<int>(table.rows.size());
      table.rows.push_back({std::to_string(i), word(side_of(edges_[i].a)) + ", " + word(side_of(edges_[i].b)),
                            times_[i] < kEndless ? shown(times_[i], 9) : "-"});
    }
    panel.tables.push_back(std::move(table));
  }
  Plot depths() const {
    Plot plot{"how far the rays come", "across [m]", "t", {{"t", {}, {}, true}}};
    for (std::size_t i = 0; i < bundle_.size(); ++i) {
      if (!bundle_[i].hit) continue;
      plot.series[0].x.push_back(dot(rays_[i].origin, perp(forward())));
      plot.series[0].y.push_back(bundle_[i].t);
    }
    plot.marker_x = value("ray_y");
    return plot;
  }

  void draw_bundle(DrawList& list) const {
    for (std::size_t i = 0; i < bundle_.size(); ++i) {
      const RayAnswer2& x = bundle_[i];
      const Vec2d end = rays_[i].at(x.hit ? x.t : 2 * kAway);
      list.line(drawn_at(rays_[i].origin, 1), drawn_at(end, 1), color_of(Ink::ray, x.hit ? 0.55f : 0.2f), 1);
      if (!x.hit) continue;
      list.point(drawn_at(x.point, 3), color_of(Ink::contact), 5);
      list.line(drawn_at(x.point, 2), drawn_at(x.point + x.normal * 0.16, 2), color_of(Ink::normal, 0.8f), 1.5f);
    }
  }
  // Those that were looked at: passed by, met, and the one that is looked at now
  void draw_edges(DrawList& list) const {
    for (std::size_t i = 0; i < std::min(step_, edges_.size()); ++i) {
      const bool now = i + 1 == step_;
      const Color c = now                 ? color_of(Ink::highlight)
                      : counts(times_[i]) ? color_of(Ink::contact)
                                          : color_of(Ink::ghost, 0.7f);
      const Vec2d a = view_.at(transform(pose_, edges_[i].a)), b = view_.at(transform(pose_, edges_[i].b));
      list.line(drawn_at(a, 3), drawn_at(b, 3), c, now ? 5.0f : 2.5f);
      const Vec2d met = ray_.at(times_[i]);
      if (counts(times_[i]) && view_.meets({met, met})) list.point(drawn_at(view_.at(met), 5), c, now ? 9.0f : 6.0f);
    }
  }

  static constexpr double kEndless = std::numeric_limits<double>::infinity();
  std::optional<Shape2> shape_;
  TurnedPlace2 at_{};
  Pose2d pose_{};
  std::vector<PlaneRay> rays_;
  std::vector<RayAnswer2> bundle_;
  bool batch_agrees_ = true;
  PlaneRay ray_{}, local_{};
  std::optional<RayAnswer2> answer_;
  std::vector<Segment<2, double>> edges_;
  std::vector<double> times_;
  int nudges_[2] = {0, 0};
  CaseSlot case_;
  std::optional<GivenRay2> given_;
  PlaneView view_;
  SeenShape seen_;
  double end_of_ray_ = 2 * kAway;  // of a ray that hits nothing, a multiple of its direction
};

}  // namespace

std::unique_ptr<Exhibit> make_ray_bundle2(std::string_view parameters, std::string& why_not) {
  return make_still<RayBundle2>(parameters, why_not);
}

}  // namespace sudar::lab
