// What:    Boxes of which a few leap at every step.
#include "scenes/builders.hpp"

namespace sudar::scenes {

namespace {

template <int D>
class Teleporting final : public Scene<D> {
 public:
  explicit Teleporting(const Spec& spec) : Scene<D>(spec) { this->fill_evenly(spec.count(), this->even_edge()); }
  std::unique_ptr<Scene<D>> clone() const override { return std::make_unique<Teleporting>(*this); }

 private:
  void advance(double dt) override {
    const double share = this->spec()["share"];
    for (Body<D>& body : this->edit_bodies()) {
      body.deed = this->random().uniform() < share ? Deed::leaps : Deed::moves;
      if (body.deed == Deed::leaps)
        body.center = this->random_point();
      else
        this->bounce(body, dt);
    }
  }
};

}  // namespace

template <int D>
std::unique_ptr<Scene<D>> make_teleporting(const Spec& spec) {
  return std::make_unique<Teleporting<D>>(spec);
}

template std::unique_ptr<Scene<2>> make_teleporting(const Spec&);
template std::unique_ptr<Scene<3>> make_teleporting(const Spec&);

}  // namespace sudar::scenes
