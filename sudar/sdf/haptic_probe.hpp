// What:    A ball that a hand moves against a mesh or a distance field, and the force that the hand feels: sliding,
//          rolling and pressing at a thousand updates a second.
// Source:  Zilles and Salisbury, "A Constraint-Based God-Object Method for Haptic Display", 1995; Ruspini, Kolarov, Khatib,
//          "The Haptic Display of Complex Graphical Environments", 1997 (a ball as proxy, up to three planes); seed B13.
// Differs: The sources move the proxy until it hits something and take the plane there. Here every triangle within reach
//          gives the half-space beyond which it cannot be touched; what these have in common is convex, free, and holds the
//          proxy, so the point of it that is nearest to the hand is reached along a straight way that touches nothing:
//          no sheet is thin enough to pop through, whichever side it is touched from and however deep the hand is behind it.
// Frame:   The surface's, metres; forces in newtons.
//          The force is a spring from the hand to the proxy. The proxy moves so that the spring gets shorter, never longer:
//          the surface gives no energy that the hand did not put in. It moves by max_step at most, so the force changes by
//          at most stiffness · (max_step + the hand's own way) in an update.
// Fails:   make: non_finite, degenerate (radius, stiffness), invalid_argument (friction, max_step, a start that is nearer to
//          the surface than the radius; of a field: a radius below a cell or not within the band), empty_input (null).
//          update: a hand that is NaN or infinite is not followed: the state stays and says so. Never allocates.
#pragma once

#include <sudar/sdf/distance_field.hpp>
#include <sudar/sdf/plane_projection.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <memory>

namespace sudar {

struct HapticOptions {
  double radius = 0;        // of the ball, metres
  double stiffness = 1000;  // newtons a metre
  double friction = 0;      // tangential over normal force at which the ball starts to move along the surface
  double max_step = 0;      // metres the proxy may move in one update; zero: four radii
  double max_force = std::numeric_limits<double>::infinity();
};

struct HapticState {
  Vec3d proxy{};               // middle of the ball as it is seen: outside of the surface
  Quatd rotation{};            // of the ball: with friction it rolls over what it touches, without it slides
  Vec3d force{};               // on the hand
  bool touching = false;       // something keeps the ball from the hand
  bool following = true;       // false: the hand's place was not a place
  bool sliding = false;        // the ball moved along the surface in this update
  Vec3d normal{};              // of the contact, towards the ball
  Vec3d point{};               // where the ball touches
  double depth = 0;            // how far the hand is from the proxy
  int planes = 0, rounds = 0;  // that hold the ball; steps of this update
};

class SUDAR_API HapticProbe {
 public:
  static Result<HapticProbe> make(std::shared_ptr<const TriangleMesh> mesh, const HapticOptions& options,
                                  const Vec3d& start) noexcept;
  static Result<HapticProbe> make(std::shared_ptr<const DistanceField3> field, const HapticOptions& options,
                                  const Vec3d& start) noexcept;

  const HapticState& update(const Vec3d& hand) noexcept;
  const HapticState& state() const { return state_; }

 private:
  HapticProbe() = default;
  double collect(const Vec3d& p, const Vec3d& hand, double reach);
  void follow_mesh(const Vec3d& hand);
  void follow_field(const Vec3d& hand);
  void move_to(const Vec3d& target, bool held);

  std::shared_ptr<const TriangleMesh> mesh_;
  std::shared_ptr<const DistanceField3> field_;
  HapticOptions options_;
  HapticState state_;
  double slack_ = 0, stride_ = 0;  // what rounding may move; how far a round looks; metres
  // Of one round; never grow after make
  struct Near {
    double squared;
    Vec3d point;
    std::uint32_t triangle;
  };
  std::vector<Near> near_;
  std::vector<FreeHalfSpace> planes_;
};

}  // namespace sudar
