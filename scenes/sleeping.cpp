// What:    A pile that rests, and a few that do not.
#include "scenes/builders.hpp"

namespace sudar::scenes {

namespace {

template <int D>
class Sleeping final : public Scene<D> {
 public:
  explicit Sleeping(const Spec& spec) : Scene<D>(spec) {
    this->fill_evenly(spec.count(), this->even_edge() * root(kHeight, D));
    awake_ = std::max<std::size_t>(1, static_cast<std::size_t>(spec["n"] * spec["awake"]));
    for (std::size_t i = 0; i < spec.count(); ++i) {
      Body<D>& body = this->edit_bodies()[i];
      body.center[D - 1] *= kHeight;
      if (i < awake_) continue;
      body.velocity = {};
      body.deed = Deed::rests;
    }
  }
  std::unique_ptr<Scene<D>> clone() const override { return std::make_unique<Sleeping>(*this); }

 private:
  static constexpr double kHeight = 0.25;

  void advance(double dt) override {
    for (std::size_t i = 0; i < std::min(awake_, this->edit_bodies().size()); ++i)
      this->bounce(this->edit_bodies()[i], dt);
  }

  std::size_t awake_ = 0;
};

}  // namespace

template <int D>
std::unique_ptr<Scene<D>> make_sleeping(const Spec& spec) {
  return std::make_unique<Sleeping<D>>(spec);
}

template std::unique_ptr<Scene<2>> make_sleeping(const Spec&);
template std::unique_ptr<Scene<3>> make_sleeping(const Spec&);

}  // namespace sudar::scenes
