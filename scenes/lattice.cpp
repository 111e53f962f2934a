// What:    Boxes that touch exactly.
#include "scenes/builders.hpp"

namespace sudar::scenes {

namespace {

template <int D>
class Lattice final : public Scene<D> {
 public:
  explicit Lattice(const Spec& spec) : Scene<D>(spec) {
    auto side = static_cast<std::size_t>(root(spec["n"], D));
    while (power(side) < spec.count()) ++side;
    // The pitch is a power of two, so that all coordinates are exact in float and neighbours share theirs
    double pitch = 1;
    while (pitch * static_cast<double>(side) > 1) pitch /= 2;
    step_ = pitch / 16;
    for (std::size_t i = 0; i < spec.count(); ++i) {
      Body<D> body;
      std::size_t rest = i;
      for (int k = 0; k < D; ++k, rest /= side) {
        body.half[k] = 0.5 * pitch;
        body.center[k] = (static_cast<double>(rest % side) + 0.5) * pitch;
      }
      this->edit_bodies().push_back(body);
    }
  }
  std::unique_ptr<Scene<D>> clone() const override { return std::make_unique<Lattice>(*this); }

 private:
  static std::size_t power(std::size_t side) { return D == 2 ? side * side : side * side * side; }

  void advance(double) override {
    // One sixteenth of a box, to and fro
    const double shift = ++steps_ % 16 < 8 ? step_ : -step_;
    for (Body<D>& body : this->edit_bodies()) body.center[0] += shift;
  }

  double step_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace

template <int D>
std::unique_ptr<Scene<D>> make_lattice(const Spec& spec) {
  return std::make_unique<Lattice<D>>(spec);
}

template std::unique_ptr<Scene<2>> make_lattice(const Spec&);
template std::unique_ptr<Scene<3>> make_lattice(const Spec&);

}  // namespace sudar::scenes
