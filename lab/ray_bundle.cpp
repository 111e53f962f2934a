// What:    A bundle of rays against a mesh, coloured by the boxes that each one enters, and the walk of one of them through the
//          tree, box by box and triangle by triangle.
#include "lab/field_exhibits.hpp"
#include "lab/half_space_view.hpp"
#include "lab/query_case.hpp"
#include "lab/query_file.hpp"
#include "lab/query_line.hpp"
#include "lab/show_bodies.hpp"
#include "lab/still_exhibit.hpp"
#include <sudar/queries/ray3.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <algorithm>

namespace sudar::lab {

namespace {

class RayBundle final : public StillExhibit {
 public:
  RayBundle() {
    using P = Parameter;
    parameters_ = {P::choice("body", "body", solid_names()),
                   P::whole("rays", "rays along a side", 24, 2, 96),
                   P::number("width", "width of the bundle", "m", 2.6, 0.2, 6),
                   P::number("turn", "where the rays come from", "°", 25, -180, 180),
                   P::number("rise", "how high", "°", 20, -85, 85),
                   P::number("ray_x", "the ray that is followed, across", "m", 0.35, -3, 3),
                   P::number("ray_y", "and up", "m", 0.25, -3, 3),
                   P::toggle("boxes", "boxes of the walk", true),
                   CaseSlot::parameter()};
  }

  void draw(DrawList& list) const override {
    const Vec3d ray_end = ray_.at(answer_->hit ? answer_->t : end_of_ray_);
    draw_target(list, at_bundle() ? 0.55f : 0.25f, ray_end);
    if (at_bundle()) {
      for (std::size_t i = 0; i < bundle_.size(); ++i) {
        const Shot& s = bundle_[i];
        const Color c = heat(static_cast<double>(s.entered) / std::max(1, most_entered_));
        const Vec3d end = s.ray.origin + s.ray.direction * (s.hit ? s.t : 2 * kAway);
        if (s.hit) list.point(end, c, 7);
        // A few of the rays themselves, or nothing could be seen
        if (i % 7 == 3) list.line(s.ray.origin, end, faded(c, s.hit ? 0.5f : 0.25f), 1);
        list.point(s.ray.origin, c, 4);
      }
    } else {
      draw_walk(list);
    }
    draw_way(list, ray_.origin, ray_end, color_of(Ink::ray), 3, 0.25 * scale_);
    if (answer_->hit && (at_bundle() || step_ >= events_.size())) {
      list.point(answer_->point, color_of(Ink::contact), 10);
      list.arrow(answer_->point, answer_->point + answer_->normal * (0.4 * scale_), color_of(Ink::normal), 2);
      list.label(answer_->point, "t = " + shown(answer_->t, 6));
    }
  }

  void tell(Panel& panel) const override {
    tell_trouble(panel);
    case_.tell(panel, given_.has_value(), "The ray can be nudged; the bundle is left out.");
    if (given_) return tell_given(panel);
    std::size_t hits = 0, sum = 0;
    for (const Shot& s : bundle_) hits += s.hit, sum += static_cast<std::size_t>(s.entered);
    panel.badges.push_back({std::to_string(hits) + " of " + std::to_string(bundle_.size()) + " rays hit", Ink::ray});
    panel.badges.push_back({std::to_string(triangles_) + " triangles", Ink::ground});
    panel.badges.push_back(plain_agrees_ ? Badge{"plain walk agrees with the fast one", Ink::good}
                                         : Badge{"plain walk differs from the fast one", Ink::bad});
    if (at_bundle())
      panel.decision =
          "The colour of a ray is the number of boxes that it enters: " +
          shown(static_cast<double>(sum) / static_cast<double>(std::max<std::size_t>(1, bundle_.size())), 3) +
          " on average, " + std::to_string(most_entered_) + " at most. Rays along the surface cost most.";
    else if (step_ > events_.size())
      panel.decision = answer_->hit ? "The nearest triangle that was hit: number " + std::to_string(answer_->triangle) +
                                          " at t = " + shown(answer_->t, 9) + "."
                                    : "No triangle was hit.";
    else
      panel.decision = event_told();
    panel.tables.push_back(followed_ray());
    Plot plot{"boxes entered", "boxes", "rays", {{"rays", {}, {}, false}}};
    std::vector<double> histogram(static_cast<std::size_t>(most_entered_) + 1);
    for (const Shot& s : bundle_) ++histogram[static_cast<std::size_t>(s.entered)];
    for (std::size_t i = 0; i < histogram.size(); ++i) {
      plot.series[0].x.push_back(static_cast<double>(i));
      plot.series[0].y.push_back(histogram[i]);
    }
    panel.plots.push_back(std::move(plot));
  }

  std::string as_query() const override {
    return query_line("ray", 3,
                      "\"a\":" + body_text(*shape_, pose_) + ",\"origin\":" + json_text(ray_.origin) +
                          ",\"direction\":" + json_text(ray_.direction) +
                          (given_ && given_->max_t < kEndless ? ",\"max\":" + json_text(given_->max_t) : ""));
  }
  // The origin of the ray that is followed
  bool nudge(int axis, int ulps) override {
    if (axis < 0 || axis > 2) return false;
    nudges_[static_cast<std::size_t>(axis)] += ulps;
    return remake().ok();
  }
  Result<void> set(std::size_t i) override {
    if (parameters_[i].name == "boxes") return {};
    nudges_ = {};
    return remake();
  }
  bool grab(const Pick& pick) override {
    if (given_) return false;
    drag(pick);
    return true;
  }
  // The followed ray goes through the point under the pointer
  void drag(const Pick& pick) override {
    Vec3d right, up;
    const Vec3d forward = frame(right, up);
    const double slant = dot(pick.direction, forward);
    if (std::fabs(slant) < 0.05) return;
    const Vec3d p = pick.origin + pick.direction * (dot(-pick.origin, forward) / slant);
    write("ray_x", std::clamp(dot(p, right), -3.0, 3.0));
    write("ray_y", std::clamp(dot(p, up), -3.0, 3.0));
    nudges_ = {};
    (void)remake();
  }

  // From the side of the rays
  View home() const override { return {true, {1.7, -0.3, 0.6}, {0, 0, 0}, 1}; }

 protected:
  Result<void> make() override {
    if (case_.read(parameters_))
      given_ = case_.text().empty() ? std::nullopt : read_ray_case3(case_.text(), case_.why_not);
    if (given_) {
      const Result<void> done = make_given();
      if (done) return done;
      case_.why_not = done.error().message();
      given_.reset();
    }
    pose_ = {}, scale_ = 1, end_of_ray_ = 2 * kAway;
    const Result<Mesh> mesh = solid_named(index("body"));
    if (!mesh) return mesh.error();
    Result<Shape3> shape = make_mesh_shape3(mesh->vertices, mesh->triangles, false);
    if (!shape) return shape.error();
    const RayTree* tree = shape->as<MeshShape3>().mesh->ray_tree();
    if (tree == nullptr) return Error{ErrorCode::out_of_memory, Error::kNoElement, "no tree for rays"};
    shape_ = *std::move(shape);
    triangles_ = mesh->triangles.size();
    mesh_ = shape_->as<MeshShape3>().mesh;
    Vec3d right, up;
    const Vec3d forward = frame(right, up);
    const auto start = [&](double x, double y) { return right * x + up * y - forward * kAway; };

    const int n = static_cast<int>(value("rays"));
    const double width = value("width");
    bundle_.clear();
    most_entered_ = 0;
    plain_agrees_ = true;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        Shot s;
        s.ray = {start(width * ((i + 0.5) / n - 0.5), width * ((j + 0.5) / n - 0.5)), forward};
        Counter counter;
        RayTreeHit hit{};
        s.hit = closest_hit_plain(*tree, s.ray, kEndless, hit, counter);
        s.t = hit.t;
        s.entered = counter.entered;
        most_entered_ = std::max(most_entered_, s.entered);
        RayTreeHit fast{};
        const bool found = closest_hit(*tree, s.ray, kEndless, fast);
        plain_agrees_ = plain_agrees_ && found == s.hit && (!found || fast == hit);
        bundle_.push_back(s);
      }

    ray_ = {start(value("ray_x"), value("ray_y")), forward};
    nudge_ray();
    Result<RayAnswer3> answer = cast_ray(*shape_, ray_);
    if (!answer) return answer.error();
    answer_ = *answer;
    follow(*tree, kEndless);
    return {};
  }

 private:
  static constexpr double kAway = 2.6;
  struct Counter final : TraceSink {
    int entered = 0;
    void on_event(const TraceEvent& event) override { entered += event.step == "enter" ? 1 : 0; }
  };
  struct Shot {
    Ray<3, double> ray;
    bool hit = false;
    double t = 0;
    int entered = 0;
  };
  bool at_bundle() const { return step_ == 0; }
  void nudge_ray() {
    for (int k = 0; k < 3; ++k) ray_.origin[k] = nudged(ray_.origin[k], nudges_[static_cast<std::size_t>(k)]);
  }
  // The walk of the ray, in the frame of the mesh. Steps: the bundle, every event, the answer.
  void follow(const RayTree& tree, double max_t) {
    TraceLog log;
    RayTreeHit hit{};
    closest_hit_plain(tree, ray_, max_t, hit, log);
    events_ = log.entries();
    steps_ = events_.size() + 2;
  }

  // The ray of a case against any shape. The walk is shown where the shape is a mesh that is not moved.
  Result<void> make_given() {
    const Ray<3, double> before = std::exchange(ray_, given_->ray);
    nudge_ray();
    Result<RayAnswer3> answer = cast_ray(given_->shape, given_->pose, ray_, given_->max_t);
    if (!answer) {
      ray_ = before;
      return answer.error();
    }
    answer_ = *answer;
    shape_ = given_->shape, pose_ = given_->pose;
    bundle_.clear(), events_.clear();
    most_entered_ = 0, triangles_ = 0, plain_agrees_ = true;
    const bool bounded = shape_->is_bounded();
    const double size = bounded ? max_abs(bounding_box(*shape_, pose_).hi - bounding_box(*shape_, pose_).lo) : 0;
    scale_ = size > 0 ? 0.5 * size : 1;
    // A ray that hits nothing ends behind the shape
    const Vec3d middle = bounded ? (bounding_box(*shape_, pose_).lo + bounding_box(*shape_, pose_).hi) * 0.5 : Vec3d{};
    end_of_ray_ = std::min(given_->max_t, (distance(ray_.origin, middle) + 2 * scale_) / length(ray_.direction));
    steps_ = 1;
    const RayTree* tree = nullptr;
    if (shape_->kind() == ShapeKind3::mesh && pose_ == Pose3d{}) {
      mesh_ = shape_->as<MeshShape3>().mesh;
      tree = mesh_->ray_tree();
    }
    if (tree != nullptr) follow(*tree, given_->max_t);
    return {};
  }
  void draw_target(DrawList& list, float alpha, const Vec3d& end) const {
    if (shape_->is_bounded()) return list.shape(*shape_, pose_, color_of(Ink::ground, alpha));
    draw_half_space(list, shape_->as<HalfSpaceShape3>(), pose_, {min(ray_.origin, end), max(ray_.origin, end)},
                    Ink::ground, alpha);
  }
  void tell_given(Panel& panel) const {
    panel.badges.push_back(answer_->hit ? Badge{"hit at t = " + shown(answer_->t, 9), Ink::bad}
                                        : Badge{"no hit", Ink::good});
    if (answer_->inside) panel.badges.push_back({"starts inside", Ink::highlight});
    panel.badges.push_back({std::string(to_string(shape_->kind())), Ink::ground});
    panel.decision = step_ > 0 && step_ <= events_.size() ? event_told()
                     : answer_->hit ? "The ray meets the shape first at t = " + shown(answer_->t, 9) +
                                          ", a multiple of its direction."
                                    : "The ray meets nothing.";
    panel.tables.push_back(followed_ray());
  }
  std::string event_told() const {
    const TraceLog::Entry& e = events_[step_ - 1];
    if (e.step == "enter")
      return "The ray enters box " + std::to_string(e.ids[1]) + " of node " + std::to_string(e.ids[0]) +
             ((e.ids[2] & RayTree::kLeaf) != 0 ? ", a leaf: its triangles are next." : ": the walk goes down.");
    if (e.step == "pass")
      return "The ray misses box " + std::to_string(e.ids[1]) + " of node " + std::to_string(e.ids[0]) +
             ", or enters it after the best hit: all in it is left out.";
    return e.step == "hit" ? "Triangle " + std::to_string(e.ids[0]) + " is hit at t = " + shown(e.value, 7) +
                                 ": boxes beyond do not matter any more."
                           : "Triangle " + std::to_string(e.ids[0]) + " is not hit.";
  }
  Table followed_ray() const {
    const auto count = [&](const char* step) {
      return std::to_string(
          std::count_if(events_.begin(), events_.end(), [&](const auto& e) { return e.step == step; }));
    };
    const bool triangle = answer_->hit && answer_->triangle != kNoIndex;
    return {"the ray that is followed",
            {"what", "value"},
            {{"origin", shown(ray_.origin)},
             {"direction", shown(ray_.direction)},
             {"boxes entered", count("enter")},
             {"boxes passed by", count("pass")},
             {"triangles missed", count("miss")},
             {"triangles hit", count("hit")},
             {"t", answer_->hit ? shown(answer_->t, 15) : "no hit"},
             {"u, v", triangle ? shown(answer_->u, 6) + ", " + shown(answer_->v, 6) : "-"}}};
  }
  // Forward, to the right and up as the rays see it
  Vec3d frame(Vec3d& right, Vec3d& up) const {
    const SinCos turn = sin_cos(value("turn") * kPi / 180), rise = sin_cos(value("rise") * kPi / 180);
    const Vec3d forward{-turn.sin * rise.cos, turn.cos * rise.cos, -rise.sin};
    right = {turn.cos, turn.sin, 0};
    up = cross(right, forward);
    return forward;
  }
  void draw_walk(DrawList& list) const {
    const std::size_t last = std::min(step_, events_.size());
    for (std::size_t i = 0; i < last; ++i) {
      const TraceLog::Entry& e = events_[i];
      const bool now = i + 1 == last && step_ <= events_.size();
      if (e.step == "enter" || e.step == "pass") {
        if (!on("boxes") && !now) continue;
        const Vec3d lo{e.numbers[0], e.numbers[1], e.numbers[2]}, hi{e.numbers[3], e.numbers[4], e.numbers[5]};
        const bool entered = e.step == "enter";
        const Color c = now       ? color_of(Ink::highlight)
                        : entered ? color_of(Ink::node, 0.8f)
                                  : color_of(Ink::ghost, 0.25f);
        list.wire_box(lo, hi, c, now ? 3.0f : entered ? 1.5f : 1.0f);
      } else {
        const Triangle<3, double> t = mesh_->triangle(e.ids[0]);
        const Ink ink = e.step == "hit" ? Ink::contact : Ink::bad;
        list.triangle(t.a, t.b, t.c, color_of(now ? Ink::highlight : ink, 0.8f));
        const Vec3d corners[] = {t.a, t.b, t.c};
        list.polyline(corners, color_of(ink), true, 1.5f);
      }
    }
  }

  std::optional<Shape3> shape_;
  std::shared_ptr<const TriangleMesh> mesh_;
  std::size_t triangles_ = 0;
  std::vector<Shot> bundle_;
  int most_entered_ = 0;
  bool plain_agrees_ = true;
  Ray<3, double> ray_{};
  std::optional<RayAnswer3> answer_;
  std::vector<TraceLog::Entry> events_;
  std::array<int, 3> nudges_{};
  CaseSlot case_;
  std::optional<GivenRay3> given_;
  Pose3d pose_;
  double scale_ = 1, end_of_ray_ = 2 * kAway;  // metres; a multiple of the direction
};

}  // namespace

std::unique_ptr<Exhibit> make_ray_bundle(std::string_view parameters, std::string& why_not) {
  return make_still<RayBundle>(parameters, why_not);
}

}  // namespace sudar::lab
