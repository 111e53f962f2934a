// What:    Boxes in one flat layer.
#include "scenes/builders.hpp"

namespace sudar::scenes {

namespace {

template <int D>
class Plane final : public Scene<D> {
 public:
  explicit Plane(const Spec& spec) : Scene<D>(spec) {
    // In the layer a box of edge e overlaps n (2 e)^(D - 1) others
    const double share = spec["overlap"] / spec["n"];
    this->fill_evenly(spec.count(), 0.5 * (D == 2 ? share : std::sqrt(share)));
    for (Body<D>& body : this->edit_bodies()) {
      body.center[D - 1] = 0.5;
      body.half[D - 1] = kThickness;
      body.velocity[D - 1] = 0;
    }
  }
  std::unique_ptr<Scene<D>> clone() const override { return std::make_unique<Plane>(*this); }

 private:
  static constexpr double kThickness = 0.001;

  void advance(double dt) override {
    for (Body<D>& body : this->edit_bodies()) this->bounce(body, dt);
  }
};

}  // namespace

template <int D>
std::unique_ptr<Scene<D>> make_plane(const Spec& spec) {
  return std::make_unique<Plane<D>>(spec);
}

template std::unique_ptr<Scene<2>> make_plane(const Spec&);
template std::unique_ptr<Scene<3>> make_plane(const Spec&);

}  // namespace sudar::scenes
