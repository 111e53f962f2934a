// What:    Boxes that fall and gather on the floor (Broadmark's "free fall").
#include "scenes/builders.hpp"

namespace sudar::scenes {

namespace {

template <int D>
class FreeFall final : public Scene<D> {
 public:
  explicit FreeFall(const Spec& spec) : Scene<D>(spec) { this->fill_evenly(spec.count(), this->even_edge()); }
  std::unique_ptr<Scene<D>> clone() const override { return std::make_unique<FreeFall>(*this); }

 private:
  static constexpr int kDown = D - 1;

  void advance(double dt) override {
    const double gravity = this->spec()["gravity"], keep = this->spec()["bounce"];
    for (Body<D>& body : this->edit_bodies()) {
      // Sideways as in an empty world, downwards with gravity
      const double height = body.center[kDown], fall = body.velocity[kDown] - gravity * dt;
      this->bounce(body, dt);
      body.center[kDown] = height + fall * dt;
      body.velocity[kDown] = fall;
      if (body.center[kDown] >= body.half[kDown]) continue;
      body.center[kDown] = body.half[kDown];
      body.velocity[kDown] = fall < 0 ? -fall * keep : fall;
    }
  }
};

}  // namespace

template <int D>
std::unique_ptr<Scene<D>> make_free_fall(const Spec& spec) {
  return std::make_unique<FreeFall<D>>(spec);
}

template std::unique_ptr<Scene<2>> make_free_fall(const Spec&);
template std::unique_ptr<Scene<3>> make_free_fall(const Spec&);

}  // namespace sudar::scenes
