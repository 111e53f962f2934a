// What:    Boxes in a thin shell.
#include "scenes/builders.hpp"

namespace sudar::scenes {

namespace {

template <int D>
class Shell final : public Scene<D> {
 public:
  explicit Shell(const Spec& spec) : Scene<D>(spec) {
    // On a surface a box of edge e overlaps those within e along it
    constexpr double kPi = 3.14159265358979323846;
    const double surface = D == 2 ? 2 * kPi * kRadius : 4 * kPi * kRadius * kRadius;
    const double share = spec["overlap"] * surface / spec["n"];
    this->fill_evenly(spec.count(), std::min(0.5 * kRadius, 0.5 * (D == 2 ? share : std::sqrt(share))));
    for (Body<D>& body : this->edit_bodies()) {
      radii_.push_back(kRadius * (1 + spec["thickness"] * this->random().uniform(-0.5, 0.5)));
      Vec<D, double> direction;
      do direction = this->random_in_ball();
      while (length_squared(direction) < 0.01);
      body.center = middle() + normalized(direction) * radii_.back();
    }
  }
  std::unique_ptr<Scene<D>> clone() const override { return std::make_unique<Shell>(*this); }

 private:
  static constexpr double kRadius = 0.45;

  static Vec<D, double> middle() {
    Vec<D, double> p;
    for (int k = 0; k < D; ++k) p[k] = 0.5;
    return p;
  }

  void advance(double dt) override {
    for (std::size_t i = 0; i < radii_.size(); ++i) {
      Body<D>& body = this->edit_bodies()[i];
      // Along the shell only
      const Vec<D, double> out = normalized(body.center - middle());
      body.velocity -= out * dot(body.velocity, out);
      const Vec<D, double> next = body.center + body.velocity * dt - middle();
      if (length_squared(next) > 0) body.center = middle() + normalized(next) * radii_[i];
    }
  }

  std::vector<double> radii_;
};

}  // namespace

template <int D>
std::unique_ptr<Scene<D>> make_shell(const Spec& spec) {
  return std::make_unique<Shell<D>>(spec);
}

template std::unique_ptr<Scene<2>> make_shell(const Spec&);
template std::unique_ptr<Scene<3>> make_shell(const Spec&);

}  // namespace sudar::scenes
