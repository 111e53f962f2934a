#include "lab/plane_motion.hpp"

#include <sudar/narrowphase/collide2.hpp>

#include <algorithm>

namespace sudar::lab {

namespace {

constexpr double kCurvesBelow = -2.1;  // y, metres: the bodies have what is above, curves and strips what is below

}  // namespace

void PlaneMotion::add_common(std::vector<Situation> offered, Situation first, bool turning) {
  static constexpr const char* kNames[] = {"rod_and_ball", "two_boxes", "graze",   "full_turns",
                                           "bullet",       "crossing",  "polygons"};
  using P = Parameter;
  std::vector<std::string> names;
  std::size_t chosen = 0;
  for (const Situation s : offered) {
    if (s == first) chosen = names.size();
    names.push_back(kNames[s]);
  }
  offered_ = std::move(offered);
  turning_ = turning;
  parameters_.push_back(P::choice("situation", "situation", names, chosen));
  parameters_.push_back(P::number("speed", "speed", "times", 1, 0, 4));
  if (turning) parameters_.push_back(P::number("spin", "turning", "times", 1, -4, 4));
  parameters_.push_back(P::number("move_x", "B farther to the right", "m", 0, -5, 5));
  parameters_.push_back(P::number("move_y", "B farther up", "m", 0, -5, 5));
}

Result<void> PlaneMotion::set(std::size_t i) {
  if (parameters_[i].name == "situation" || parameters_[i].name == "case") {
    write("move_x", 0), write("move_y", 0);
    dragged_ = {};
    nudges_[0] = nudges_[1] = 0;
    step_ = 0;
  }
  return remake();
}

void PlaneMotion::place_bodies() {
  if (case_.read(parameters_)) {
    given_ = case_.text().empty() ? std::nullopt : read_motion_case2(case_.text(), case_.why_not);
    if (given_) choose("method", given_->method);
  }
  time_ = given_ ? given_->t_max : kTime;
  if (given_) {
    a_ = {given_->pair.a, given_->pair.at_a, given_->motion_a};
    b_ = {given_->pair.b, given_->pair.at_b, given_->motion_b};
  } else {
    place_situation();
  }
  const double spin = turning_ ? value("spin") : 0;
  for (Moving* body : {&*a_, &*b_}) {
    body->motion.linear *= value("speed");
    body->motion.angular *= spin;
  }
  b_->at.position += Vec2d{value("move_x"), value("move_y")} + dragged_;
  for (int k = 0; k < 2; ++k) b_->at.position[k] = nudged(b_->at.position[k], nudges_[k]);
}

void PlaneMotion::place_situation() {
  const auto ball = [](double r) { return *make_circle2(r); };
  const auto box = [](double x, double y) { return *make_box2({x, y}); };
  switch (offered_[index("situation")]) {
    case rod_and_ball:
      a_ = {box(1.2, 0.09), {{-0.5, 0}, 0.3}, {{0, 0}, 5}};
      b_ = {ball(0.3), {{2.4, 0.9}, 0}, {{-3.4, -0.9}, 0}};
      break;
    case two_boxes:
      a_ = {box(0.55, 0.35), {{-2.2, -0.3}, 0.2}, {{2.4, 0.4}, 3}};
      b_ = {box(0.4, 0.4), {{1.9, 0.5}, 0.5}, {{-1.9, -0.3}, -4}};
      break;
    case graze:
      a_ = {box(0.6, 0.6), {{0, -0.6}, 0}, {{0, 0}, 0}};
      b_ = {box(0.5, 0.2), {{-2.3, 0.76}, 0}, {{4.6, 0}, 6}};
      break;
    case full_turns:
      a_ = {box(1.1, 0.05), {{-0.6, 0}, 0}, {{0, 0}, 31}};
      b_ = {ball(0.12), {{1.9, 0.35}, 0}, {{-1.7, 0}, 0}};
      break;
    case bullet:
      a_ = {box(0.05, 1.3), {{0.6, 0}, 0}, {{0, 0}, 0}};
      b_ = {ball(0.09), {{-2.4, 0.2}, 0}, {{5, -0.2}, 0}};
      break;
    case crossing:
      a_ = {box(0.4, 0.25), {{-2.6, -1}, 0.4}, {{4.4, 2}, 0}};
      b_ = {box(0.3, 0.3), {{0.2, 0.4}, 0}, {{0, -2.1}, 2}};
      break;
    case polygons: {
      std::vector<Vec2d> five, three;
      for (int i = 0; i < 5; ++i) {
        const SinCos x = sin_cos(2 * kPi * i / 5 + 0.4);
        five.push_back({0.7 * x.cos, 0.7 * x.sin});
      }
      three = {{-0.5, -0.35}, {0.55, -0.25}, {-0.1, 0.5}};
      a_ = {*make_polygon2(five), {{-0.2, 0}, 0}, {{0.3, 0.1}, 0}};
      b_ = {*make_polygon2(three), {{-2.5, -1}, 0.3}, {{5.2, 2.1}, 0}};
      break;
    }
  }
}

Result<void> PlaneMotion::make_bodies() {
  place_bodies();
  const Result<ToiAnswer2> truth = ask(ToiMethod::automatic);
  if (!truth && given_) {
    case_.why_not = truth.error().message();
    given_.reset();
    return make_bodies();
  }
  if (!truth) return truth.error();
  truth_ = *truth;
  constexpr int kSamples = 240;
  curve_t_.clear(), curve_d_.clear();
  for (int i = 0; i <= kSamples; ++i) {
    curve_t_.push_back(time_ * (static_cast<double>(i) / kSamples));
    curve_d_.push_back(separation(curve_t_.back()));
  }
  return {};
}

ToiOptions PlaneMotion::options(ToiMethod method, TraceSink* trace) const {
  ToiOptions out;
  out.t_max = time_;
  out.method = method;
  out.trace = trace;
  // The way back from the end, which finds the last contact, is not what is stepped through
  out.last = trace == nullptr;
  if (given_) out.tolerance = given_->tolerance;
  for (const Parameter& p : parameters_)
    if (p.name == "tolerance" && method != ToiMethod::automatic) out.tolerance = p.value;
  return out;
}
Result<ToiAnswer2> PlaneMotion::ask(ToiMethod method, TraceSink* trace) const {
  return time_of_impact(a_->shape, a_->at.pose(), a_->motion, b_->shape, b_->at.pose(), b_->motion,
                        options(method, trace));
}
double PlaneMotion::separation(double t) const {
  return distance(a_->shape, a_->pose(t), b_->shape, b_->pose(t)).separation;
}

void PlaneMotion::draw_bodies(DrawList& list, double t, float alpha) const {
  list.shape(a_->shape, a_->pose(t), color_of(Ink::a, alpha));
  list.shape(b_->shape, b_->pose(t), color_of(Ink::b, alpha));
  list.label(drawn_at(a_->pose(t).position, 5), "A");
  list.label(drawn_at(b_->pose(t).position, 5), "B");
}
void PlaneMotion::draw_ghosts(DrawList& list, int count) const {
  frame(list, {-3.6, -4.1}, {2.9, 2.1});
  // What is fast leaves the picture: its way ends where the curves begin
  for (const Moving* body : {&*a_, &*b_}) {
    const Ink ink = body == &*a_ ? Ink::a : Ink::b;
    const double radius = farthest_radius<2>(body->shape);
    for (int i = 0; i < count; ++i) {
      const Pose2d pose = body->pose(kTime * i / (count - 1));
      if (pose.position.y - radius > kCurvesBelow) list.shape(body->shape, pose, color_of(ink, 0.22f), true);
    }
    const Vec2d from = body->at.position, way = body->motion.linear * kTime;
    if (!(length(way) > 0)) continue;
    const double seen = way.y < 0 ? std::clamp((kCurvesBelow - from.y) / way.y, 0.0, 1.0) : 1.0;
    draw_way(list, drawn_at(from, 1), drawn_at(from + way * seen, 1), color_of(ink, 0.6f), 1.5f, 0.5);
  }
}
void PlaneMotion::draw_answer(DrawList& list, const ToiAnswer2& answer) const {
  draw_bodies(list, answer.hit ? answer.t_lo : kTime);
  if (!answer.hit) return;
  list.point(drawn_at(answer.point, 6), color_of(Ink::contact), 10);
  list.arrow(drawn_at(answer.point, 6), drawn_at(answer.point + answer.normal * 0.5, 6), color_of(Ink::normal), 3);
  list.label(drawn_at(answer.point + Vec2d{0.1, 0.3}, 6), "t = " + shown(answer.t_lo, 6) + " s");
}

Plot PlaneMotion::curve() const {
  return {"separation over time", "t [s]", "separation [m]", {{"separation", curve_t_, curve_d_, false}}};
}
void PlaneMotion::tell_answer(Panel& panel, const ToiAnswer2& x, std::string_view method) const {
  tell_trouble(panel);
  panel.badges.push_back(x.hit ? Badge{"hit at t = " + shown(x.t_lo, 6) + " s", Ink::bad} : Badge{"free", Ink::good});
  if (x.hit == truth_->hit)
    panel.badges.push_back({std::string(method) + " agrees with auto", Ink::good});
  else if (x.hit)
    panel.badges.push_back({"within the tolerance, not touching", Ink::highlight});
  else
    panel.badges.push_back({"missed a contact", Ink::bad});
  const auto row = [](const ToiAnswer2& y) {
    return (y.hit ? "hit, " + shown(y.t_lo, 10) + " s" : std::string("free")) + ", " + std::to_string(y.iterations) +
           " distances";
  };
  panel.tables.push_back(
      {"time of impact", {"method", "answer"}, {{std::string(method), row(x)}, {"auto", row(*truth_)}}});
}

std::string PlaneMotion::as_query() const {
  const ToiOptions o = options(method_name() == "auto" ? ToiMethod::automatic : ToiMethod::conservative);
  return query_line("toi", 2,
                    "\"a\":" + body_text(a_->shape, a_->at) + ",\"b\":" + body_text(b_->shape, b_->at) +
                        ",\"motion_a\":" + json_text(a_->motion) + ",\"motion_b\":" + json_text(b_->motion) +
                        ",\"t_max\":" + json_text(time_) + ",\"method\":\"" + std::string(method_name()) + "\"" +
                        (o.tolerance > 0 ? ",\"tolerance\":" + json_text(o.tolerance) : ""));
}
bool PlaneMotion::nudge(int axis, int ulps) {
  if (axis < 0 || axis > 1) return false;
  nudges_[axis] += ulps;
  return remake().ok();
}
bool PlaneMotion::grab(const Pick& pick) {
  const Vec2d p = pointed(pick);
  if (in_plane_of(pick).y < kCurvesBelow || !(from_b(p) * metre() <= 0.8)) return false;
  grabbed_ = p - (given_ ? dragged_ : Vec2d{value("move_x"), value("move_y")});
  return true;
}
void PlaneMotion::drag(const Pick& pick) {
  const Vec2d to = pointed(pick) - grabbed_;
  if (!is_finite(to)) return;
  if (given_) {
    dragged_ = to;
  } else {
    write("move_x", std::clamp(to.x, -5.0, 5.0));
    write("move_y", std::clamp(to.y, -5.0, 5.0));
  }
  nudges_[0] = nudges_[1] = 0;
  (void)remake();
}

}  // namespace sudar::lab
