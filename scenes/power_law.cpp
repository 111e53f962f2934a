// What:    Sizes by a power law.
#include "scenes/builders.hpp"

namespace sudar::scenes {

namespace {

template <int D>
class PowerLaw final : public Scene<D> {
 public:
  explicit PowerLaw(const Spec& spec) : Scene<D>(spec) {
    const double smallest = 0.5 * this->even_edge(), spread = spec["spread"];
    this->fill_evenly(spec.count(), 1);
    for (Body<D>& body : this->edit_bodies()) {
      // Edges with density 1 / x^3 between the smallest and the largest
      const double u = this->random().uniform();
      const double factor = 1 / std::sqrt(1 - u * (1 - 1 / (spread * spread)));
      for (int k = 0; k < D; ++k)
        body.half[k] = std::min(0.25, 0.5 * smallest * factor * this->random().uniform(0.75, 1.25));
    }
  }
  std::unique_ptr<Scene<D>> clone() const override { return std::make_unique<PowerLaw>(*this); }

 private:
  void advance(double dt) override {
    for (Body<D>& body : this->edit_bodies()) this->bounce(body, dt);
  }
};

}  // namespace

template <int D>
std::unique_ptr<Scene<D>> make_power_law(const Spec& spec) {
  return std::make_unique<PowerLaw<D>>(spec);
}

template std::unique_ptr<Scene<2>> make_power_law(const Spec&);
template std::unique_ptr<Scene<3>> make_power_law(const Spec&);

}  // namespace sudar::scenes
