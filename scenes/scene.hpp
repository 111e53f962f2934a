// What:    A scene: boxes with positions and velocities that move by themselves, step by step, the same on every run.
// Frame:   The world is the cube [0, 1]^D and its width the unit of length; bodies may leave it where their scene says
//          so. Gravity, where there is any, points down the last axis.
#pragma once

#include "scenes/spec.hpp"
#include <sudar/broadphase/box_store.hpp>
#include <sudar/core/random.hpp>

#include <memory>

namespace sudar::scenes {

// What a moving body does in a step, and how its box is told to the store
enum class Deed : std::uint8_t {
  moves,
  rests,        // nothing is told
  leaps,        // teleported
  is_replaced,  // removed, and another inserted under the same id
};

template <int D>
struct Body {
  Vec<D, double> center, half, velocity;
  Motion motion = Motion::moving;
  Deed deed = Deed::moves;
};

template <int D>
class Scene {
 public:
  explicit Scene(const Spec& spec) : spec_(spec), random_(spec.seed()) {}
  Scene(const Scene&) = default;
  Scene& operator=(const Scene&) = delete;
  virtual ~Scene() = default;
  // The same scene at the same time, which goes on the same way: what was, to come back to
  virtual std::unique_ptr<Scene> clone() const = 0;

  const Spec& spec() const noexcept { return spec_; }
  // Body i has the box with id i
  const BoxStore<D>& boxes() const noexcept { return store_; }
  std::span<const Body<D>> bodies() const noexcept { return bodies_; }
  double time() const noexcept { return time_; }

  // invalid_argument when dt is negative, non_finite when it is no number
  Result<void> step(double dt);
  // Put the boxes of all bodies into the store; part of making a scene
  Result<void> start();

  // For somebody who takes a hand in it: places and velocities may be changed between two steps. Scenes whose bodies
  // follow from the time alone put them back. tell_store() takes what was changed into the boxes without a step.
  std::vector<Body<D>>& edit_bodies() noexcept { return bodies_; }
  Result<void> tell_store();

 protected:
  // Move the bodies on by dt; time() is the time at the end of the step
  virtual void advance(double dt) = 0;

  Random& random() noexcept { return random_; }

  // Edge of n equal boxes, spread evenly, that overlap `overlap` others each
  double even_edge() const;
  Vec<D, double> random_point();
  // In the ball of radius 1
  Vec<D, double> random_in_ball();
  // n bodies spread evenly, edges between half and one and a half times `edge`
  void fill_evenly(std::size_t count, double edge);
  // Straight on, reflected at the walls of the world
  static void bounce(Body<D>& body, double dt);

 private:
  Result<void> put(std::uint32_t id);

  Spec spec_;
  Random random_;
  BoxStore<D> store_;
  std::vector<Body<D>> bodies_;
  double time_ = 0;
};

// d-th root, the same on every platform
double root(double x, int d);

}  // namespace sudar::scenes
