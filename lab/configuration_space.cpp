// What:    The free space of a robot that slides without turning in the plane: its obstacles grown by the robot, corners that
//          see each other, and the shortest way, corner by corner as A* settles them.
#include "lab/field_exhibits.hpp"
#include "lab/still_exhibit.hpp"
#include <sudar/continuous/time_of_impact.hpp>
#include <sudar/core/random.hpp>
#include <sudar/core/trace.hpp>
#include <sudar/queries/shortest_path2.hpp>

#include <algorithm>

namespace sudar::lab {

namespace {

class ConfigurationSpace final : public StillExhibit {
 public:
  ConfigurationSpace() {
    using P = Parameter;
    parameters_ = {P::choice("robot", "robot", {"angle", "triangle", "disc", "point"}),
                   P::number("angle", "turned by", "°", 0, -180, 180),
                   P::number("size", "size", "times", 1, 0.2, 2.5),
                   P::whole("boulders", "boulders", 7, 0, 24),
                   P::whole("seed", "seed", 12, 1, 1000),
                   P::toggle("graph", "corners that see each other", true),
                   P::toggle("hidden", "sight that is blocked", false),
                   P::number("start_x", "start x", "m", -2.75, -3, 3),
                   P::number("start_y", "start y", "m", -1.95, -2.2, 2.2),
                   P::number("goal_x", "goal x", "m", 2.75, -3, 3),
                   P::number("goal_y", "goal y", "m", -1.95, -2.2, 2.2)};
  }
  Result<void> set(std::size_t i) override {
    const std::string& name = parameters_[i].name;
    if (name == "graph" || name == "hidden") return {};
    return remake();
  }

  void draw(DrawList& list) const override {
    list.flat = true;
    const Vec3d room[] = {{-kHalfX, -kHalfY, 0}, {kHalfX, -kHalfY, 0}, {kHalfX, kHalfY, 0}, {-kHalfX, kHalfY, 0}};
    list.polyline(room, color_of(Ink::text), true, 2);
    for (const ConvexPart2& part : space_.obstacles) {
      fill(list, part, {}, color_of(Ink::ghost, 0.25f), 0);
      outline(list, part, color_of(Ink::node, 0.8f), 1);
    }
    for (const ConvexPart2& part : obstacles_) fill(list, part, {}, color_of(Ink::ground, 0.95f), 2);
    if (space_.bounded) outline(list, space_.bounds, color_of(Ink::node, 0.5f), 1);
    draw_search(list);
    const Vec2d start = place("start"), goal = place("goal");
    draw_robot(list, start, start_free_ ? Ink::a : Ink::bad, 0.9f);
    draw_robot(list, goal, goal_free_ ? Ink::b : Ink::bad, 0.6f);
    list.label(drawn_at(start + Vec2d{0.05, -0.3}, 9), "start");
    list.label(drawn_at(goal + Vec2d{0.05, -0.3}, 9), "goal");
    if (!at_answer() || !path_.found) return;
    // The robot at even distances along its way
    for (int i = 1; i < kStamps; ++i) draw_robot(list, along(path_.length * i / kStamps), Ink::a, 0.22f);
    for (std::size_t i = 1; i < path_.points.size(); ++i)
      list.line(drawn_at(path_.points[i - 1], 8), drawn_at(path_.points[i], 8), color_of(Ink::good), 4);
    for (const Vec2d& p : path_.points) list.point(drawn_at(p, 9), color_of(Ink::good), 8);
  }

  void tell(Panel& panel) const override {
    tell_trouble(panel);
    panel.badges.push_back(!start_free_ || !goal_free_ ? Badge{"start or goal is not free", Ink::bad}
                           : path_.found ? Badge{"shortest way: " + shown(path_.length, 6) + " m", Ink::good}
                                         : Badge{"there is no way", Ink::bad});
    if (path_.found)
      panel.badges.push_back(touched_ == 0 ? Badge{"checked by continuous detection", Ink::good}
                                           : Badge{std::to_string(touched_) + " impacts along the way", Ink::bad});
    if (step_ == 0)
      panel.decision =
          "Grown by the robot, the obstacles are those of a single point: where the point may be, the robot fits.";
    else if (at_answer())
      panel.decision = path_.found ? "The way bends at corners of grown obstacles only; nothing shorter is free."
                                   : "No corner is left that could be reached.";
    else {
      const TraceLog::Entry& e = log_.entries()[settled_[step_ - 1]];
      panel.decision = "The corner with the least way through it is settled: " + shown(e.numbers[4], 4) +
                       " m to come here, " + shown(e.value - e.numbers[4], 4) + " m at least to the goal.";
    }
    std::size_t sights = 0, hidden = 0;
    for (const auto& e : log_.entries()) sights += e.step == "see", hidden += e.step == "hidden";
    panel.tables.push_back({"the search",
                            {"what", "value"},
                            {{"obstacles of the robot's place", std::to_string(space_.obstacles.size())},
                             {"corners settled", std::to_string(path_.reached)},
                             {"sights that shorten a way", std::to_string(sights)},
                             {"sights that are blocked", std::to_string(hidden)},
                             {"straight line", shown(distance(place("start"), place("goal")), 5) + " m"},
                             {"bends", path_.found ? std::to_string(path_.points.size() - 2) : "-"}}});
  }

  bool grab(const Pick& pick) override {
    const Vec2d p = in_plane_of(pick);
    const double to_start = distance(p, place("start")), to_goal = distance(p, place("goal"));
    holds_ = to_start <= to_goal ? "start" : "goal";
    return std::min(to_start, to_goal) < 0.45;
  }
  void drag(const Pick& pick) override {
    const Vec2d p = in_plane_of(pick);
    write(holds_ + "_x", std::clamp(p.x, -3.0, 3.0));
    write(holds_ + "_y", std::clamp(p.y, -2.2, 2.2));
    (void)remake();
  }

 protected:
  Result<void> make() override {
    make_robot();
    make_obstacles();
    const Vec2d room[] = {{-kHalfX, -kHalfY}, {kHalfX, -kHalfY}, {kHalfX, kHalfY}, {-kHalfX, kHalfY}};
    Result<FreeSpace2> space = make_free_space2(robot_, obstacles_, room);
    if (!space) return space.error();
    space_ = *std::move(space);
    const Vec2d start = place("start"), goal = place("goal");
    start_free_ = space_.is_free(start), goal_free_ = space_.is_free(goal);
    path_ = {};
    log_ = {};
    settled_.clear();
    touched_ = 0;
    if (start_free_ && goal_free_) {
      TraceLog log;
      Result<Path2> path = shortest_path2(space_, start, goal, log);
      if (!path) return path.error();
      path_ = *std::move(path);
      log_ = std::move(log);
      for (std::size_t i = 0; i < log_.entries().size(); ++i)
        if (log_.entries()[i].step == "settle") settled_.push_back(i);
      check_way();
    }
    // The obstacles, each corner that is settled, the way
    steps_ = settled_.size() + 2;
    return {};
  }

 private:
  static constexpr double kHalfX = 3.2, kHalfY = 2.4;
  static constexpr int kStamps = 26;

  Vec2d place(const std::string& which) const { return {value(which + "_x"), value(which + "_y")}; }
  bool at_answer() const { return step_ >= settled_.size() + 1; }

  void make_robot() {
    robot_.clear();
    const double s = value("size");
    switch (index("robot")) {
      case 0:
        robot_ = {{{-0.18, -0.18}, {0.2, -0.18}, {0.2, -0.06}, {-0.18, -0.06}},
                  {{-0.18, -0.18}, {-0.06, -0.18}, {-0.06, 0.24}, {-0.18, 0.24}}};
        break;
      case 1:
        robot_ = {{{-0.2, -0.15}, {0.25, -0.1}, {-0.05, 0.22}}};
        break;
      case 2: {
        ConvexPart2 disc;
        for (int i = 0; i < 20; ++i) {
          const SinCos x = sin_cos(2 * kPi * i / 20);
          disc.push_back({0.2 * x.cos, 0.2 * x.sin});
        }
        robot_ = {disc};
        break;
      }
      default:
        robot_ = {{{0, 0}}};
    }
    const Rot2d turn = Rot2d::from_angle(value("angle") * kPi / 180);
    for (ConvexPart2& part : robot_)
      for (Vec2d& p : part) p = rotate(turn, p) * s;
  }
  void make_obstacles() {
    obstacles_ = {{{-1.9, -2.4}, {-1.6, -2.4}, {-1.6, 0.9}, {-1.9, 0.9}},
                  {{-0.5, -0.9}, {-0.2, -0.9}, {-0.2, 2.4}, {-0.5, 2.4}},
                  {{1.2, -2.4}, {1.5, -2.4}, {1.5, 0.2}, {1.2, 0.2}}};
    Random random(static_cast<std::uint64_t>(value("seed")));
    for (int i = 0; i < static_cast<int>(value("boulders")); ++i) {
      const Vec2d middle{random.uniform(-2.3, 2.6), random.uniform(-1.9, 1.9)};
      ConvexPart2 points;
      for (int k = 0; k < 9; ++k) {
        const SinCos x = sin_cos(2 * kPi * random.uniform());
        points.push_back(middle + Vec2d{x.cos, x.sin} * random.uniform(0.15, 0.32));
      }
      const Vec2d still[] = {{0, 0}};
      if (const auto hull = dilate(std::span(&points, 1), still)) obstacles_.push_back(hull->front());
    }
  }
  // Each leg against each obstacle by the time of impact. The way touches what it bends around, so the robot is shrunk by a
  // millionth for that.
  void check_way() {
    constexpr double kShrunk = 1 - 1e-6;
    for (std::size_t i = 1; i < path_.points.size(); ++i)
      for (const ConvexPart2& part : robot_) {
        Vec2d middle{};
        for (const Vec2d& p : part) middle += p / static_cast<double>(part.size());
        ConvexPart2 smaller;
        for (const Vec2d& p : part) smaller.push_back(middle + (p - middle) * kShrunk);
        for (const ConvexPart2& obstacle : obstacles_) {
          const Result<Shape2> a = make_polygon2(obstacle), b = make_polygon2(smaller);
          if (!a || !b || part.size() < 3) continue;
          ToiOptions o;
          o.contacts = o.last = false;
          const Vec2d way = path_.points[i] - path_.points[i - 1];
          const auto x = time_of_impact(*a, {}, {}, *b, {path_.points[i - 1], {}}, {way, 0}, o);
          touched_ += !x || x->hit;
        }
      }
  }

  static void fill(DrawList& list, const ConvexPart2& part, const Vec2d& at, Color c, double layer) {
    std::vector<Vec3d> points;
    for (const Vec2d& p : part) points.push_back(drawn_at(p + at, layer));
    if (points.size() >= 3) list.polygon(points, c);
  }
  static void outline(DrawList& list, const ConvexPart2& part, Color c, double layer) {
    std::vector<Vec3d> points;
    for (const Vec2d& p : part) points.push_back(drawn_at(p, layer));
    list.polyline(points, c, true, 1);
  }
  void draw_robot(DrawList& list, const Vec2d& at, Ink ink, float alpha) const {
    for (const ConvexPart2& part : robot_) fill(list, part, at, color_of(ink, alpha), 6);
    list.point(drawn_at(at, 7), color_of(ink), 5);
  }
  // Sights up to the corner that is being settled, and the best ways to those that are
  void draw_search(DrawList& list) const {
    if (step_ == 0 || log_.entries().empty()) return;
    const std::size_t now = std::min(step_, settled_.size());
    const std::size_t end = now < settled_.size() ? settled_[now] : log_.entries().size();
    for (std::size_t i = 0; i < end; ++i) {
      const TraceLog::Entry& e = log_.entries()[i];
      const Vec2d p{e.numbers[0], e.numbers[1]}, q{e.numbers[2], e.numbers[3]};
      const bool fresh = !at_answer() && i > settled_[now - 1];
      if (e.step == "settle") {
        list.line(drawn_at(p, 5), drawn_at(q, 5), color_of(Ink::axis, 0.9f), 2);
        list.point(drawn_at(p, 6), color_of(Ink::axis), 6);
      } else if (e.step == "see" && on("graph")) {
        list.line(drawn_at(p, 3), drawn_at(q, 3), color_of(Ink::ray, fresh ? 0.9f : 0.25f), fresh ? 1.5f : 1.0f);
      } else if (e.step == "hidden" && on("hidden") && fresh) {
        list.line(drawn_at(p, 3), drawn_at(q, 3), color_of(Ink::bad, 0.35f), 1);
      }
    }
    if (at_answer()) return;
    const TraceLog::Entry& e = log_.entries()[settled_[now - 1]];
    const Vec2d here{e.numbers[0], e.numbers[1]};
    list.point(drawn_at(here, 8), color_of(Ink::highlight), 12);
    list.line(drawn_at(here, 4), drawn_at(place("goal"), 4), color_of(Ink::highlight, 0.5f), 1);
    list.label(drawn_at(here + Vec2d{0.06, 0.06}, 9),
               shown(e.numbers[4], 3) + " + " + shown(e.value - e.numbers[4], 3) + " m");
  }
  Vec2d along(double way) const {
    std::size_t k = 1;
    while (k + 1 < path_.points.size() && way > distance(path_.points[k - 1], path_.points[k]))
      way -= distance(path_.points[k - 1], path_.points[k]), ++k;
    const double piece = distance(path_.points[k - 1], path_.points[k]);
    return lerp(path_.points[k - 1], path_.points[k], piece > 0 ? std::min(1.0, way / piece) : 0);
  }

  std::vector<ConvexPart2> robot_, obstacles_;
  FreeSpace2 space_;
  Path2 path_;
  TraceLog log_;
  std::vector<std::size_t> settled_;
  bool start_free_ = false, goal_free_ = false;
  std::size_t touched_ = 0;
  std::string holds_ = "start";
};

}  // namespace

std::unique_ptr<Exhibit> make_configuration_space(std::string_view parameters, std::string& why_not) {
  return make_still<ConfigurationSpace>(parameters, why_not);
}

}  // namespace sudar::lab
