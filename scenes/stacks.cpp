// What:    What is stacked: pyramid, pile in a pit, tower, house of cards, row of dominoes.
#include "scenes/physics.hpp"
#include <sudar/math/sampling.hpp>

namespace sudar::scenes {

namespace {

template <int D>
BodySpec<D> brick_at(const Vec<D, double>& position) {
  BodySpec<D> spec = blank_body<D>();
  spec.pose.position = position;
  return spec;
}

// A card that stands on its edge, and lies when tilted by a quarter turn
template <int D>
BodySpec<D> card_at(double x, double height, double radians) {
  BodySpec<D> spec = brick_at<D>(place<D>(x, height));
  spec.pose.rotation = tilt<D>(radians);
  spec.density = 800;
  spec.material.friction = 0.9;
  return spec;
}

}  // namespace

// A wall of unit cubes, each row one shorter than the one below
template <int D>
Result<std::unique_ptr<PhysicsScene<D>>> make_pyramid(const Spec& spec, const WorldOptions<D>& options) {
  WorldBuilder<D> build(options);
  const int rows = static_cast<int>(spec["rows"]);
  build.floor(rows + 10.0);
  const auto cube = box_of(half_of<D>(0.5, 0.5));
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < rows - row; ++i)
      build.add(cube, brick_at<D>(place<D>(1.05 * (i - (rows - row - 1) / 2.0), row + 0.5)));
  return build.done(spec);
}

// Cubes that fall into a pit in layers, each turned and shifted a little
template <int D>
Result<std::unique_ptr<PhysicsScene<D>>> make_pile(const Spec& spec, const WorldOptions<D>& options) {
  WorldBuilder<D> build(options);
  Random random(spec.seed());
  const std::size_t n = spec.count();
  std::size_t side = 2;
  while ((D == 2 ? side * side : side * side * side) < n) ++side;
  const double step = 1.3, half = step * static_cast<double>(side) / 2 + 0.5;
  build.pit(half, step * static_cast<double>(side) + 2);
  const auto cube = box_of(half_of<D>(0.5, 0.5));
  for (std::size_t i = 0; i < n; ++i) {
    BodySpec<D> brick = blank_body<D>();
    std::size_t rest = i;
    for (int axis = 0; axis < D; ++axis, rest /= side)
      brick.pose.position[axis] = axis == D - 1 ? 1 + step * static_cast<double>(rest)
                                                : step * (static_cast<double>(rest % side) + 0.5) - half + 0.5;
    for (int axis = 0; axis + 1 < D; ++axis) brick.pose.position[axis] += random.uniform(-0.1, 0.1);
    brick.pose.rotation = tilt<D>(random.uniform(-0.15, 0.15));
    build.add(cube, brick);
  }
  return build.done(spec);
}

template <int D>
Result<std::unique_ptr<PhysicsScene<D>>> make_tower(const Spec& spec, const WorldOptions<D>& options) {
  WorldBuilder<D> build(options);
  build.floor(10);
  const auto cube = box_of(half_of<D>(0.5, 0.5));
  for (std::size_t i = 0; i < spec.count(); ++i)
    build.add(cube, brick_at<D>(place<D>(0, static_cast<double>(i) + 0.5)));
  return build.done(spec);
}

// Pairs of cards that lean against each other, with cards across from tip to tip, and the next level on these
template <int D>
Result<std::unique_ptr<PhysicsScene<D>>> make_card_house(const Spec& spec, const WorldOptions<D>& options) {
  WorldBuilder<D> build(options);
  const int levels = static_cast<int>(spec["levels"]);
  const double half_length = 0.5, half_thick = 0.01, lean = 0.4;  // radians from upright
  const SinCos turn = sin_cos(lean);
  // Half of what a leaning card is wide and high
  const double across = half_length * turn.sin + half_thick * turn.cos,
               up = half_length * turn.cos + half_thick * turn.sin;
  const double pitch = 4 * across + 2 * half_thick, storey = 2 * up + 2 * half_thick;
  build.floor(levels * pitch + 5, {.friction = 0.9});
  const auto card = [&](double half_x) {
    Vec<D, double> half = half_of<D>(0.35, half_length);
    half[0] = half_x;
    return half;
  };
  const auto leaning = box_of(card(half_thick));
  for (int level = 0; level < levels; ++level) {
    const int tents = levels - level;
    const double foot = level * storey;
    for (int i = 0; i < tents; ++i) {
      const double tip = pitch * (i - (tents - 1) / 2.0);
      build.add(leaning, card_at<D>(tip - across, foot + up, -lean));
      build.add(leaning, card_at<D>(tip + across, foot + up, lean));
      // Across to the next tip
      if (i + 1 == tents) continue;
      Vec<D, double> flat = half_of<D>(0.35, half_thick);
      flat[0] = pitch / 2 - half_thick / 2;
      build.add(box_of(flat), card_at<D>(tip + pitch / 2, foot + 2 * up + half_thick, 0));
    }
  }
  return build.done(spec);
}

// The first one is pushed
template <int D>
Result<std::unique_ptr<PhysicsScene<D>>> make_domino(const Spec& spec, const WorldOptions<D>& options) {
  WorldBuilder<D> build(options);
  const double n = static_cast<double>(spec.count());
  build.floor(n * 0.3 + 5);
  Vec<D, double> half = half_of<D>(0.25, 0.5);
  half[0] = 0.06;
  const auto stone = box_of(half);
  for (std::size_t i = 0; i < spec.count(); ++i) {
    BodySpec<D> brick = brick_at<D>(place<D>(0.5 * (static_cast<double>(i) - n / 2), 0.5));
    // About the axis that takes its top forwards
    if constexpr (D == 2) {
      if (i == 0) brick.angular_velocity = -2.5;
    } else {
      if (i == 0) brick.angular_velocity = {0, 2.5, 0};
    }
    build.add(stone, brick);
  }
  return build.done(spec);
}

// clang-format off
template Result<std::unique_ptr<PhysicsScene<2>>> make_pyramid(const Spec&, const WorldOptions<2>&);
template Result<std::unique_ptr<PhysicsScene<3>>> make_pyramid(const Spec&, const WorldOptions<3>&);
template Result<std::unique_ptr<PhysicsScene<2>>> make_pile(const Spec&, const WorldOptions<2>&);
template Result<std::unique_ptr<PhysicsScene<3>>> make_pile(const Spec&, const WorldOptions<3>&);
template Result<std::unique_ptr<PhysicsScene<2>>> make_tower(const Spec&, const WorldOptions<2>&);
template Result<std::unique_ptr<PhysicsScene<3>>> make_tower(const Spec&, const WorldOptions<3>&);
template Result<std::unique_ptr<PhysicsScene<2>>> make_card_house(const Spec&, const WorldOptions<2>&);
template Result<std::unique_ptr<PhysicsScene<3>>> make_card_house(const Spec&, const WorldOptions<3>&);
template Result<std::unique_ptr<PhysicsScene<2>>> make_domino(const Spec&, const WorldOptions<2>&);
template Result<std::unique_ptr<PhysicsScene<3>>> make_domino(const Spec&, const WorldOptions<3>&);
// clang-format on

}  // namespace sudar::scenes
