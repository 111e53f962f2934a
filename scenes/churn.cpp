// What:    Boxes of which a few go and as many come at every step.
#include "scenes/builders.hpp"

namespace sudar::scenes {

namespace {

template <int D>
class Churn final : public Scene<D> {
 public:
  explicit Churn(const Spec& spec) : Scene<D>(spec) { this->fill_evenly(spec.count(), this->even_edge()); }
  std::unique_ptr<Scene<D>> clone() const override { return std::make_unique<Churn>(*this); }

 private:
  void advance(double dt) override {
    const double share = this->spec()["share"], edge = this->even_edge();
    for (Body<D>& body : this->edit_bodies()) {
      body.deed = this->random().uniform() < share ? Deed::is_replaced : Deed::moves;
      if (body.deed == Deed::moves) {
        this->bounce(body, dt);
        continue;
      }
      body.center = this->random_point();
      for (int k = 0; k < D; ++k) body.half[k] = 0.5 * edge * this->random().uniform(0.5, 1.5);
      body.velocity = this->random_in_ball() * this->spec()["speed"];
    }
  }
};

}  // namespace

template <int D>
std::unique_ptr<Scene<D>> make_churn(const Spec& spec) {
  return std::make_unique<Churn<D>>(spec);
}

template std::unique_ptr<Scene<2>> make_churn(const Spec&);
template std::unique_ptr<Scene<3>> make_churn(const Spec&);

}  // namespace sudar::scenes
