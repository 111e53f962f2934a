// What:    A way in space by two trees that grow towards each other (RRT-Connect): every edge is proven free by distances, and
//          corners of the way are cut afterwards.
#include "lab/field_exhibits.hpp"
#include "lab/query_line.hpp"
#include "lab/still_exhibit.hpp"
#include <sudar/core/trace.hpp>
#include <sudar/queries/sampled_path3.hpp>
#include <sudar/queries/shape_cast.hpp>

#include <algorithm>

namespace sudar::lab {

namespace {

class GrownTrees final : public StillExhibit {
 public:
  GrownTrees() {
    using P = Parameter;
    parameters_ = {P::choice("robot", "robot", {"box", "sphere", "capsule"}),
                   P::whole("seed", "seed", 4, 1, 1000),
                   P::number("clearance", "clearance", "m", 0.06, 0.01, 0.3),
                   P::number("step", "longest edge", "m", 0.6, 0.1, 2),
                   P::number("window", "windows in the walls", "m", 0.75, 0.5, 1.6),
                   P::whole("shortcuts", "tries to cut corners", 120, 0, 500)};
  }

  void draw(DrawList& list) const override {
    for (std::size_t i = 0; i < obstacles_.size(); ++i)
      list.shape(obstacles_[i].shape, obstacles_[i].pose, color_of(Ink::ground, 0.32f));
    list.wire_box(kBounds.lo, kBounds.hi, color_of(Ink::text, 0.4f), 1);
    list.shape(*robot_, {kStart, {}}, color_of(Ink::a));
    list.shape(*robot_, {kGoal, {}}, color_of(Ink::b));
    list.label(kStart + Vec3d{0, 0, 0.35}, "start");
    list.label(kGoal + Vec3d{0, 0, 0.35}, "goal");
    const std::size_t last = std::min(step_, events_.size());
    std::vector<Vec3d> way;
    for (std::size_t i = 0; i < last; ++i) {
      const TraceLog::Entry& e = events_[i];
      const bool now = i + 1 == last && step_ <= events_.size();
      if (e.step == "extend" || e.step == "blocked") {
        const Vec3d p{e.numbers[0], e.numbers[1], e.numbers[2]}, q{e.numbers[3], e.numbers[4], e.numbers[5]};
        if (e.step == "extend") {
          list.line(p, q, color_of(e.ids[0] == 0 ? Ink::a : Ink::b, now ? 1.0f : 0.75f), now ? 4.0f : 2.0f);
          list.point(q, color_of(e.ids[0] == 0 ? Ink::a : Ink::b), now ? 9.0f : 4.0f);
        } else if (now || i + 12 > last) {
          list.line(p, q, color_of(Ink::bad, now ? 1.0f : 0.35f), now ? 3.0f : 1.0f);
        }
        if (now) list.shape(*robot_, {q, {}}, color_of(e.step == "extend" ? Ink::good : Ink::bad, 0.6f));
      } else if (e.step == "way") {
        way.clear();
        for (std::size_t k = 0; k + 2 < e.numbers.size(); k += 3)
          way.push_back({e.numbers[k], e.numbers[k + 1], e.numbers[k + 2]});
      }
    }
    if (step_ > events_.size() && path_.found) way = path_.points;
    list.polyline(way, color_of(Ink::good), false, 5);
    if (step_ <= events_.size() || way.size() < 2) return;
    for (int i = 1; i < kStamps; ++i)
      list.shape(*robot_, {along(way, path_.length * i / kStamps), {}}, color_of(Ink::good, 0.35f));
  }

  void tell(Panel& panel) const override {
    tell_trouble(panel);
    panel.badges.push_back(path_.found ? Badge{"way of " + shown(path_.length, 5) + " m", Ink::good}
                                       : Badge{"no way found, which proves nothing", Ink::bad});
    if (path_.found)
      panel.badges.push_back(hits_ == 0 ? Badge{"all legs free by shape casts", Ink::good}
                                        : Badge{std::to_string(hits_) + " casts hit", Ink::bad});
    const std::size_t last = std::min(step_, events_.size());
    std::size_t nodes[2] = {1, 1}, blocked = 0;
    PlotSeries lengths{"length", {}, {}, false};
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const TraceLog::Entry& e = events_[i];
      if (e.step == "way") lengths.x.push_back(static_cast<double>(lengths.x.size())), lengths.y.push_back(e.value);
      if (i >= last) continue;
      if (e.step == "extend") ++nodes[e.ids[0]];
      blocked += e.step == "blocked";
    }
    if (step_ == 0) {
      panel.decision =
          "Two trees, one from the start and one from the goal. A random place is drawn, the nearer tree "
          "grows towards it, and the other one tries to come to the new place.";
    } else if (step_ > events_.size()) {
      panel.decision =
          path_.found ? "The way after its corners were cut, with the robot along it." : "The tries ran out.";
    } else {
      const TraceLog::Entry& e = events_[step_ - 1];
      panel.decision = e.step == "extend" ? "The edge is free: every step of the check was shorter than the distance "
                                            "to the nearest obstacle."
                       : e.step == "blocked" ? "The robot would come nearer to an obstacle than the clearance: no edge."
                       : e.step == "met"     ? "The two trees have met."
                                             : "The way so far: " + shown(e.value, 5) + " m.";
    }
    panel.tables.push_back({"the trees",
                            {"what", "value"},
                            {{"places in the tree of the start", std::to_string(nodes[0])},
                             {"places in the tree of the goal", std::to_string(nodes[1])},
                             {"edges that were blocked", std::to_string(blocked)},
                             {"random places in all", std::to_string(path_.iterations)},
                             {"distances asked in all", std::to_string(path_.checks)}}});
    panel.plots.push_back({"corners that are cut", "cut", "length [m]", {std::move(lengths)}});
  }
  View home() const override { return {true, {0.5, -1.5, 1.1}, {0, 0, 0}, 6}; }

 protected:
  Result<void> make() override {
    Result<Shape3> robot = index("robot") == 0   ? make_box3({0.22, 0.12, 0.12})
                           : index("robot") == 1 ? make_sphere3(0.2)
                                                 : make_capsule3({0, -0.18, 0}, {0, 0.18, 0}, 0.1);
    if (!robot) return robot.error();
    std::vector<PlacedShape3> obstacles;
    // Two walls with a window each, at opposite corners
    if (const auto done = add_wall(obstacles, -0.8, {0.9, 0.9}); !done) return done;
    if (const auto done = add_wall(obstacles, 0.9, {-0.9, -0.8}); !done) return done;
    obstacles.push_back({*make_sphere3(0.45), {{0.05, 0.1, 0.3}, {}}});
    PathOptions3 options;
    options.bounds = kBounds;
    options.clearance = value("clearance");
    options.step = value("step");
    options.seed = static_cast<std::uint64_t>(value("seed"));
    options.shortcuts = static_cast<int>(value("shortcuts"));
    options.max_iterations = 2000;
    TraceLog log;
    options.trace = &log;
    Result<Path3> path = find_path3(*robot, {}, obstacles, kStart, kGoal, options);
    if (!path) return path.error();
    robot_ = *std::move(robot);
    obstacles_ = std::move(obstacles);
    path_ = *std::move(path);
    events_ = log.entries();
    hits_ = 0;
    for (std::size_t i = 1; i < path_.points.size(); ++i)
      for (const PlacedShape3& o : obstacles_) {
        const auto x = cast_shape<3>(*robot_, {path_.points[i - 1], {}}, path_.points[i] - path_.points[i - 1], o.shape,
                                     o.pose, 1);
        hits_ += !x || x->hit;
      }
    steps_ = events_.size() + 2;
    return {};
  }

 private:
  static constexpr Aabb3d kBounds{{-2.4, -1.5, -1.5}, {2.4, 1.5, 1.5}};
  static constexpr Vec3d kStart{-2, -0.9, -0.9}, kGoal{2, 0.9, 0.8};
  static constexpr int kStamps = 22;

  // Square to x, around a window
  Result<void> add_wall(std::vector<PlacedShape3>& out, double x, const Vec2d& at) const {
    const double half = value("window") / 2, lo = -1.7, hi = 1.7;
    const auto add = [&](double y0, double y1, double z0, double z1) -> Result<void> {
      if (!(y1 > y0) || !(z1 > z0)) return {};
      Result<Shape3> box = make_box3({0.08, (y1 - y0) / 2, (z1 - z0) / 2});
      if (!box) return box.error();
      out.push_back({*std::move(box), {{x, (y0 + y1) / 2, (z0 + z1) / 2}, {}}});
      return {};
    };
    if (const auto done = add(lo, at.x - half, lo, hi); !done) return done;
    if (const auto done = add(at.x + half, hi, lo, hi); !done) return done;
    if (const auto done = add(at.x - half, at.x + half, lo, at.y - half); !done) return done;
    return add(at.x - half, at.x + half, at.y + half, hi);
  }
  static Vec3d along(const std::vector<Vec3d>& points, double way) {
    std::size_t k = 1;
    while (k + 1 < points.size() && way > distance(points[k - 1], points[k]))
      way -= distance(points[k - 1], points[k]), ++k;
    const double piece = distance(points[k - 1], points[k]);
    return lerp(points[k - 1], points[k], piece > 0 ? std::min(1.0, way / piece) : 0);
  }

  std::optional<Shape3> robot_;
  std::vector<PlacedShape3> obstacles_;
  Path3 path_;
  std::vector<TraceLog::Entry> events_;
  std::size_t hits_ = 0;
};

}  // namespace

std::unique_ptr<Exhibit> make_grown_trees(std::string_view parameters, std::string& why_not) {
  return make_still<GrownTrees>(parameters, why_not);
}

}  // namespace sudar::lab
