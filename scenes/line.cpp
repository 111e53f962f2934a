// What:    Boxes in a row along one axis.
#include "scenes/builders.hpp"

namespace sudar::scenes {

namespace {

template <int D>
class Line final : public Scene<D> {
 public:
  explicit Line(const Spec& spec) : Scene<D>(spec) {
    // Along one axis a box of edge e overlaps 2 e n others
    const double edge = spec["overlap"] / (2 * spec["n"]);
    this->fill_evenly(spec.count(), edge);
    for (Body<D>& body : this->edit_bodies())
      for (int k = 0; k < D - 1; ++k) {
        body.center[k] = 0.5;
        body.half[k] = kThickness;
        body.velocity[k] = 0;
      }
  }
  std::unique_ptr<Scene<D>> clone() const override { return std::make_unique<Line>(*this); }

 private:
  static constexpr double kThickness = 0.02;

  void advance(double dt) override {
    for (Body<D>& body : this->edit_bodies()) this->bounce(body, dt);
  }
};

}  // namespace

template <int D>
std::unique_ptr<Scene<D>> make_line(const Spec& spec) {
  return std::make_unique<Line<D>>(spec);
}

template std::unique_ptr<Scene<2>> make_line(const Spec&);
template std::unique_ptr<Scene<3>> make_line(const Spec&);

}  // namespace sudar::scenes
