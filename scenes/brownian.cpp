// What:    Boxes on random walks (Broadmark's "Brownian").
#include "scenes/builders.hpp"

namespace sudar::scenes {

namespace {

template <int D>
class Brownian final : public Scene<D> {
 public:
  explicit Brownian(const Spec& spec) : Scene<D>(spec) { this->fill_evenly(spec.count(), this->even_edge()); }
  std::unique_ptr<Scene<D>> clone() const override { return std::make_unique<Brownian>(*this); }

 private:
  void advance(double dt) override {
    for (Body<D>& body : this->edit_bodies()) {
      body.velocity = this->random_in_ball() * this->spec()["speed"];
      this->bounce(body, dt);
    }
  }
};

}  // namespace

template <int D>
std::unique_ptr<Scene<D>> make_brownian(const Spec& spec) {
  return std::make_unique<Brownian<D>>(spec);
}

template std::unique_ptr<Scene<2>> make_brownian(const Spec&);
template std::unique_ptr<Scene<3>> make_brownian(const Spec&);

}  // namespace sudar::scenes
