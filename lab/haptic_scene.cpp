// What:    A ball that a hand moves against a mesh or a field, and the force that the hand feels, a thousand times a second:
//          the living exhibit of sdf/haptic_probe.hpp, with the force and the time of an update as graphs.
#include "lab/field_exhibits.hpp"
#include "lab/show_bodies.hpp"
#include "lab/still_exhibit.hpp"
#include <sudar/sdf/haptic_probe.hpp>
#include <sudar/sdf/mesh_field.hpp>

#include <algorithm>
#include <chrono>
#include <deque>

namespace sudar::lab {

namespace {

class HapticScene final : public StillExhibit {
 public:
  HapticScene() {
    using P = Parameter;
    parameters_ = {P::choice("surface", "surface", {"bumpy_ball", "torus", "sheet", "field"}),
                   P::choice("triangles", "triangles", {"2k", "20k", "100k"}, 1),
                   P::number("radius", "radius of the ball", "m", 0.08, 0.03, 0.2),
                   P::number("stiffness", "stiffness", "N/m", 60, 5, 2000, true),
                   P::number("friction", "friction", "", 0.2, 0, 1),
                   P::number("press", "how deep the hand goes", "m", 0.12, -0.1, 0.4),
                   P::number("pace", "rounds a second", "1/s", 0.15, 0, 1),
                   P::action("reset", "let go")};
  }
  Result<void> set(std::size_t i) override {
    const std::string& name = parameters_[i].name;
    if (name == "press" || name == "pace") return {};
    if (name == "reset") {
      held_ = false;
      by_hand_ = false;
    }
    return remake();
  }

  void advance(double seconds) override {
    if (!probe_) return;
    using Clock = std::chrono::steady_clock;
    // A frame that took too long is not made up for
    const int updates = static_cast<int>(std::clamp(seconds, 0.0, 0.05) / kPeriod);
    double slowest = 0;
    for (int i = 0; i < updates; ++i) {
      time_ += kPeriod;
      if (!by_hand_) {
        phase_ += value("pace") * kPeriod;
        hand_ = way_of_the_hand();
      } else {
        // The hand follows the pointer no faster than a hand can
        const Vec3d to = wanted_ - hand_;
        const double most = 3 * kPeriod, far = length(to);
        hand_ += far > most ? to * (most / far) : to;
      }
      const auto begin = Clock::now();
      probe_->update(hand_);
      const double us = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
      slowest = std::max(slowest, us);
      limited_ += probe_->state().limited;
    }
    if (updates == 0) return;
    slowest_ = std::max(slowest_, slowest);
    updates_ += static_cast<std::size_t>(updates);
    const HapticState& s = probe_->state();
    samples_.push_back({time_, length(s.force), slowest, s.depth});
    if (samples_.size() > kRemembered) samples_.pop_front();
    if (s.touching) trail_.push_back(s.point);
    if (trail_.size() > kRemembered) trail_.pop_front();
  }

  void draw(DrawList& list) const override {
    list.shape(*shape_, {}, color_of(Ink::ground, 0.9f));
    if (!probe_) return;
    const HapticState& s = probe_->state();
    const double r = value("radius");
    for (std::size_t i = 1; i < trail_.size(); ++i)
      list.line(trail_[i - 1], trail_[i], color_of(Ink::contact, 0.7f), 2);
    list.shape(Shape3(SphereShape3{r}), {s.proxy, s.rotation}, color_of(s.touching ? Ink::b : Ink::a));
    // A cross on the ball, so that it is seen to roll
    for (int k = 0; k < 2; ++k) {
      Vec3d axis{};
      axis[k] = 1;
      list.circle(s.proxy, r * 1.01, rotate(s.rotation, axis), color_of(Ink::text, 0.7f), 1);
    }
    list.point(hand_, color_of(Ink::highlight), 11);
    list.line(hand_, s.proxy, color_of(Ink::highlight), 3);
    list.label(hand_, "hand");
    if (length(s.force) > 0) {
      const Vec3d tip = s.proxy + s.force * 0.04;
      list.arrow(s.proxy, tip, color_of(Ink::normal), 4);
      list.label(tip, shown(length(s.force), 3) + " N");
    }
    if (s.touching) list.point(s.point, color_of(Ink::contact), 9);
  }

  void tell(Panel& panel) const override {
    tell_trouble(panel);
    if (!probe_) return;
    const HapticState& s = probe_->state();
    panel.badges.push_back(s.touching ? Badge{s.sliding ? "touching, sliding" : "touching", Ink::b}
                                      : Badge{"free", Ink::a});
    panel.badges.push_back({"slowest update " + shown(slowest_, 3) + " µs", slowest_ < 1000 ? Ink::good : Ink::bad});
    panel.badges.push_back({std::to_string(triangles_) + " triangles", Ink::ground});
    panel.decision = s.touching ? "The ball stays outside; a spring from the hand to the ball pulls with " +
                                      shown(length(s.force), 3) + " N for " + shown(1000 * s.depth, 3) + " mm."
                                : "Nothing is touched: the ball is where the hand is, and there is no force.";
    panel.tables.push_back({"now",
                            {"what", "value"},
                            {{"force", shown(s.force, 3) + " N"},
                             {"depth of the hand", shown(s.depth, 4) + " m"},
                             {"normal", shown(s.normal, 3)},
                             {"planes that hold the ball", std::to_string(s.planes)},
                             {"updates", std::to_string(updates_)},
                             {"updates cut short", std::to_string(limited_)}}});
    Plot force{"force on the hand", "t [s]", "N", {{"force", {}, {}, false}}};
    Plot time{
        "slowest update of a frame", "t [s]", "µs", {{"update", {}, {}, false}, {"limit of 1000 Hz", {}, {}, false}}};
    time.log_y = true;
    for (const Sample& x : samples_) {
      force.series[0].x.push_back(x.t), force.series[0].y.push_back(x.force);
      time.series[0].x.push_back(x.t), time.series[0].y.push_back(x.update_us);
      time.series[1].x.push_back(x.t), time.series[1].y.push_back(1000);
    }
    panel.plots.push_back(std::move(force));
    panel.plots.push_back(std::move(time));
    panel.hints.push_back("Drag the hand; 'let go' puts it back on its round.");
  }

  bool grab(const Pick& pick) override {
    if (!probe_ || std::min(off_the_ray(pick, hand_), off_the_ray(pick, probe_->state().proxy)) > 0.25) return false;
    by_hand_ = held_ = true;
    wanted_ = hand_;
    return true;
  }
  void drag(const Pick& pick) override { wanted_ = dragged_to(pick, hand_); }
  void release(bool) override { held_ = false; }

 protected:
  Result<void> make() override {
    const std::size_t kind = index("surface"), size = index("triangles");
    constexpr std::uint32_t kSides[] = {32, 100, 224};
    const std::uint32_t n = kSides[size];
    const Result<Mesh> mesh = kind == 1   ? torus_mesh(0.9, 0.38, n, n)
                              : kind == 2 ? wavy_sheet(1.4, n, 0.18)
                                          : bumpy_ball(1, n, n, 0.12);
    if (!mesh) return mesh.error();
    Result<std::shared_ptr<const TriangleMesh>> triangles = TriangleMesh::make(*mesh);
    if (!triangles) return triangles.error();
    HapticOptions options;
    options.radius = value("radius");
    options.stiffness = value("stiffness");
    options.friction = value("friction");
    options.period = kPeriod;
    std::optional<HapticProbe> probe;
    const Vec3d start = kind == 2 ? Vec3d{0.7, 0, 0.8} : Vec3d{1.9, 0, 0};
    if (kind == 3) {
      const auto grid = fit_grid((*triangles)->bounds(), 64, 8);
      if (!grid) return grid.error();
      FieldOptions field_options;
      field_options.band = std::max(3 * options.radius, 6 * grid->cell);
      Result<DistanceField3> field = make_mesh_field(**triangles, *grid, field_options);
      if (!field) return field.error();
      Result<HapticProbe> made =
          HapticProbe::make(std::make_shared<const DistanceField3>(*std::move(field)), options, start);
      if (!made) return made.error();
      probe = *std::move(made);
    } else {
      Result<HapticProbe> made = HapticProbe::make(*triangles, options, start);
      if (!made) return made.error();
      probe = *std::move(made);
    }
    shape_ = Shape3(MeshShape3{*triangles, false});
    triangles_ = mesh->triangles.size();
    probe_ = std::move(probe);
    hand_ = wanted_ = start;
    by_hand_ = held_ = false;
    time_ = phase_ = slowest_ = 0;
    updates_ = limited_ = 0;
    samples_.clear();
    trail_.clear();
    return {};
  }

 private:
  static constexpr double kPeriod = 0.001;
  static constexpr std::size_t kRemembered = 900;
  struct Sample {
    double t, force, update_us, depth;
  };
  // Round and round, in and out, so deep below the surface as `press` says
  Vec3d way_of_the_hand() const {
    const SinCos turn = sin_cos(2 * kPi * phase_), slow = sin_cos(2 * kPi * phase_ * 0.37);
    // From the start it comes down in the first second
    const double in = std::min(1.0, time_), press = value("press");
    if (index("surface") == 2) return {0.9 * turn.cos * slow.cos, 0.9 * turn.sin, 0.8 * (1 - in) - in * press};
    if (index("surface") == 1) {
      const double ring = 0.9 + (1 - in) + in * (0.38 - press) * slow.cos, up = in * (0.38 - press) * slow.sin;
      return {ring * turn.cos, ring * turn.sin, up};
    }
    const double out = 1.9 * (1 - in) + in * (1 - press);
    return Vec3d{turn.cos * slow.cos, turn.sin * slow.cos, slow.sin} * out;
  }

  std::optional<Shape3> shape_;
  std::optional<HapticProbe> probe_;
  std::size_t triangles_ = 0;
  Vec3d hand_{}, wanted_{};
  bool by_hand_ = false, held_ = false;
  double time_ = 0, phase_ = 0, slowest_ = 0;
  std::size_t updates_ = 0, limited_ = 0;
  std::deque<Sample> samples_;
  std::deque<Vec3d> trail_;
};

}  // namespace

std::unique_ptr<Exhibit> make_haptic_probe(std::string_view parameters, std::string& why_not) {
  return make_still<HapticScene>(parameters, why_not);
}

}  // namespace sudar::lab
