// What:    Pulled to a point and let go (cluster-and-scatter, seed E12).
#include "scenes/builders.hpp"

namespace sudar::scenes {

namespace {

template <int D>
class Cluster final : public Scene<D> {
 public:
  explicit Cluster(const Spec& spec) : Scene<D>(spec) {
    this->fill_evenly(spec.count(), this->even_edge());
    for (const Body<D>& body : this->edit_bodies()) homes_.push_back(body.center);
  }
  std::unique_ptr<Scene<D>> clone() const override { return std::make_unique<Cluster>(*this); }

 private:
  void advance(double dt) override {
    // How far the pull has got: 0 at home, 1 in the cluster, smooth at both ends
    const double turns = this->time() / this->spec()["period"];
    const double phase = turns - std::floor(turns);
    const double t = phase < 0.5 ? 2 * phase : 2 - 2 * phase;
    const double pull = t * t * (3 - 2 * t);
    const double scale = 1 - pull * (1 - this->spec()["tight"]);
    Vec<D, double> middle;
    for (int k = 0; k < D; ++k) middle[k] = 0.5;
    for (std::size_t i = 0; i < homes_.size(); ++i) {
      Body<D>& body = this->edit_bodies()[i];
      // Everybody trembles on top of the pull
      Vec<D, double>& home = homes_[i];
      home += this->random_in_ball() * (this->spec()["speed"] * dt);
      for (int k = 0; k < D; ++k) home[k] = std::min(1.0, std::max(0.0, home[k]));
      const Vec<D, double> next = middle + (home - middle) * scale;
      if (dt > 0) body.velocity = (next - body.center) / dt;
      body.center = next;
    }
  }

  std::vector<Vec<D, double>> homes_;
};

}  // namespace

template <int D>
std::unique_ptr<Scene<D>> make_cluster(const Spec& spec) {
  return std::make_unique<Cluster<D>>(spec);
}

template std::unique_ptr<Scene<2>> make_cluster(const Spec&);
template std::unique_ptr<Scene<3>> make_cluster(const Spec&);

}  // namespace sudar::scenes
