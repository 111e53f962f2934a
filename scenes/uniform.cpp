// What:    Boxes spread evenly, moving straight on between walls.
#include "scenes/builders.hpp"

namespace sudar::scenes {

namespace {

template <int D>
class Uniform final : public Scene<D> {
 public:
  explicit Uniform(const Spec& spec) : Scene<D>(spec) { this->fill_evenly(spec.count(), this->even_edge()); }
  std::unique_ptr<Scene<D>> clone() const override { return std::make_unique<Uniform>(*this); }

 private:
  void advance(double dt) override {
    for (Body<D>& body : this->edit_bodies()) this->bounce(body, dt);
  }
};

}  // namespace

template <int D>
std::unique_ptr<Scene<D>> make_uniform(const Spec& spec) {
  return std::make_unique<Uniform<D>>(spec);
}

template std::unique_ptr<Scene<2>> make_uniform(const Spec&);
template std::unique_ptr<Scene<3>> make_uniform(const Spec&);

}  // namespace sudar::scenes
