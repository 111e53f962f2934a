// What:    Fixed blocks along streets and a few that move.
#include "scenes/builders.hpp"

namespace sudar::scenes {

namespace {

template <int D>
class City final : public Scene<D> {
 public:
  explicit City(const Spec& spec) : Scene<D>(spec) {
    const auto moving = static_cast<std::size_t>(spec["n"] * spec["movers"]);
    const std::size_t blocks = spec.count() - moving;
    // Blocks on a square plan; in 2D the city is seen from above
    const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(blocks))));
    const double pitch = 1 / static_cast<double>(std::max<std::size_t>(side, 1));
    for (std::size_t i = 0; i < blocks; ++i) {
      Body<D> body;
      body.motion = Motion::fixed;
      const double at[2] = {static_cast<double>(i % side), static_cast<double>(i / side)};
      for (int k = 0; k < 2; ++k) {
        body.center[k] = (at[k] + 0.5) * pitch;
        body.half[k] = 0.5 * pitch * (1 - spec["street"]) * this->random().uniform(0.8, 1);
      }
      if (D == 3) body.half[D - 1] = body.center[D - 1] = 0.5 * pitch * this->random().uniform(0.5, 4);
      this->edit_bodies().push_back(body);
    }
    // What moves is smaller than a block and stays below the highest roofs
    this->fill_evenly(moving, 0.5 * pitch);
    for (std::size_t i = blocks; D == 3 && i < this->edit_bodies().size(); ++i) {
      Body<D>& body = this->edit_bodies()[i];
      body.center[D - 1] *= 4 * pitch;
      body.velocity[D - 1] = 0;
    }
  }
  std::unique_ptr<Scene<D>> clone() const override { return std::make_unique<City>(*this); }

 private:
  void advance(double dt) override {
    for (Body<D>& body : this->edit_bodies())
      if (body.motion == Motion::moving) this->bounce(body, dt);
  }
};

}  // namespace

template <int D>
std::unique_ptr<Scene<D>> make_city(const Spec& spec) {
  return std::make_unique<City<D>>(spec);
}

template std::unique_ptr<Scene<2>> make_city(const Spec&);
template std::unique_ptr<Scene<3>> make_city(const Spec&);

}  // namespace sudar::scenes
