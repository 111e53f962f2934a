// What:    All boxes around one point.
#include "scenes/builders.hpp"

namespace sudar::scenes {

namespace {

template <int D>
class OnePoint final : public Scene<D> {
 public:
  explicit OnePoint(const Spec& spec) : Scene<D>(spec) {
    this->fill_evenly(spec.count(), 0.2);
    place();
  }
  std::unique_ptr<Scene<D>> clone() const override { return std::make_unique<OnePoint>(*this); }

 private:
  void place() {
    // The centre is off the middle by less than half an edge
    for (Body<D>& body : this->edit_bodies())
      for (int k = 0; k < D; ++k) body.center[k] = 0.5 + 0.9 * body.half[k] * this->random().uniform(-1, 1);
  }
  void advance(double dt) override {
    if (dt > 0) place();
  }
};

}  // namespace

template <int D>
std::unique_ptr<Scene<D>> make_one_point(const Spec& spec) {
  return std::make_unique<OnePoint<D>>(spec);
}

template std::unique_ptr<Scene<2>> make_one_point(const Spec&);
template std::unique_ptr<Scene<3>> make_one_point(const Spec&);

}  // namespace sudar::scenes
