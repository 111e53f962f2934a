// What:    Rooms with doors, and boxes that wander through them.
#include "scenes/builders.hpp"

namespace sudar::scenes {

namespace {

template <int D>
class Rooms final : public Scene<D> {
 public:
  explicit Rooms(const Spec& spec) : Scene<D>(spec) {
    // Each room has a wall to its left and one below it, in two pieces with a door between them
    side_ = static_cast<std::size_t>(std::sqrt(spec["n"] * spec["walls"] / 4));
    pitch_ = 1 / static_cast<double>(std::max<std::size_t>(side_, 1));
    for (std::size_t i = 0; i < side_ * side_; ++i)
      for (const int across : {0, 1})
        for (const int piece : {0, 1}) {
          const double corner[2] = {static_cast<double>(i % side_) * pitch_, static_cast<double>(i / side_) * pitch_};
          const double begin = piece == 0 ? 0 : kDoorEnd, end = piece == 0 ? kDoorBegin : 1;
          Body<D> wall;
          wall.motion = Motion::fixed;
          for (int k = 0; k < D; ++k) wall.center[k] = wall.half[k] = 0.5;
          wall.center[across] = corner[across];
          wall.half[across] = kWall * pitch_;
          wall.center[1 - across] = corner[1 - across] + 0.5 * (begin + end) * pitch_;
          wall.half[1 - across] = 0.5 * (end - begin) * pitch_;
          this->edit_bodies().push_back(wall);
        }
    this->fill_evenly(spec.count() - 4 * side_ * side_, std::min(this->even_edge(), 0.2 * pitch_));
  }
  std::unique_ptr<Scene<D>> clone() const override { return std::make_unique<Rooms>(*this); }

 private:
  static constexpr double kDoorBegin = 0.4, kDoorEnd = 0.6;  // of a room
  static constexpr double kWall = 0.02;                      // half its thickness, of a room

  void advance(double dt) override {
    for (Body<D>& body : this->edit_bodies()) {
      if (body.motion == Motion::fixed) continue;
      const Vec<D, double> before = body.center;
      this->bounce(body, dt);
      // Into the next room through the door only
      for (const int k : {0, 1}) {
        const double rooms = std::fabs(std::floor(body.center[k] / pitch_) - std::floor(before[k] / pitch_));
        if (rooms == 0) continue;
        const double along = before[1 - k] / pitch_ - std::floor(before[1 - k] / pitch_);
        if (rooms == 1 && along > kDoorBegin && along < kDoorEnd) continue;
        body.center[k] = before[k];
        body.velocity[k] = -body.velocity[k];
      }
    }
  }

  std::size_t side_ = 0;
  double pitch_ = 1;
};

}  // namespace

template <int D>
std::unique_ptr<Scene<D>> make_rooms(const Spec& spec) {
  return std::make_unique<Rooms<D>>(spec);
}

template std::unique_ptr<Scene<2>> make_rooms(const Spec&);
template std::unique_ptr<Scene<3>> make_rooms(const Spec&);

}  // namespace sudar::scenes
