// What:    Boxes that fall to one wall after the other (Broadmark's "gravity").
#include "scenes/builders.hpp"

namespace sudar::scenes {

namespace {

template <int D>
class MovingGravity final : public Scene<D> {
 public:
  explicit MovingGravity(const Spec& spec) : Scene<D>(spec) { this->fill_evenly(spec.count(), this->even_edge()); }
  std::unique_ptr<Scene<D>> clone() const override { return std::make_unique<MovingGravity>(*this); }

 private:
  void advance(double dt) override {
    const double gravity = this->spec()["gravity"], keep = this->spec()["bounce"];
    // First down the last axis, then through the others, then up all of them
    const double turns = std::floor(this->time() / this->spec()["period"]);
    const auto turn = static_cast<int>(turns - 2 * D * std::floor(turns / (2 * D)));
    const int axis = D - 1 - turn % D;
    const double pull = (turn < D ? -gravity : gravity) * dt;
    for (Body<D>& body : this->edit_bodies()) {
      body.velocity[axis] += pull;
      body.center += body.velocity * dt;
      for (int k = 0; k < D; ++k) {
        const double low = std::min(0.5, body.half[k]), high = 1 - low;
        if (body.center[k] >= low && body.center[k] <= high) continue;
        const bool at_low = body.center[k] < low;
        body.center[k] = at_low ? low : high;
        if ((body.velocity[k] < 0) == at_low) body.velocity[k] *= -keep;
      }
    }
  }
};

}  // namespace

template <int D>
std::unique_ptr<Scene<D>> make_moving_gravity(const Spec& spec) {
  return std::make_unique<MovingGravity<D>>(spec);
}

template std::unique_ptr<Scene<2>> make_moving_gravity(const Spec&);
template std::unique_ptr<Scene<3>> make_moving_gravity(const Spec&);

}  // namespace sudar::scenes
