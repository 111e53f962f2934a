// What:    One giant among small ones.
#include "scenes/builders.hpp"

namespace sudar::scenes {

namespace {

template <int D>
class Giant final : public Scene<D> {
 public:
  explicit Giant(const Spec& spec) : Scene<D>(spec) {
    this->fill_evenly(spec.count(), this->even_edge());
    Body<D>& giant = this->edit_bodies().front();
    for (int k = 0; k < D; ++k) {
      giant.center[k] = 0.5;
      giant.half[k] = 0.5 * spec["ratio"];
    }
  }
  std::unique_ptr<Scene<D>> clone() const override { return std::make_unique<Giant>(*this); }

 private:
  void advance(double dt) override {
    for (Body<D>& body : this->edit_bodies()) this->bounce(body, dt);
  }
};

}  // namespace

template <int D>
std::unique_ptr<Scene<D>> make_giant(const Spec& spec) {
  return std::make_unique<Giant<D>>(spec);
}

template std::unique_ptr<Scene<2>> make_giant(const Spec&);
template std::unique_ptr<Scene<3>> make_giant(const Spec&);

}  // namespace sudar::scenes
