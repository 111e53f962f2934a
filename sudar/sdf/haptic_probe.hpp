// What:    A ball that a hand moves against a mesh or a distance field, and the force that the hand feels: sliding,
//          rolling and pressing at a thousand updates a second.
// Source:  Zilles and Salisbury, "A Constraint-Based God-Object Method for Haptic Display", 1995; Ruspini, Kolarov, Khatib,
//          "The Haptic Display of Complex Graphical Environments", 1997 (a ball as proxy, up to three planes); seed B13.
// Differs: The sources move the proxy until it hits something and take the plane there. Here every triangle within reach
//          gives the half-space beyond which it cannot be touched; what these have in common is convex, free, and holds the
//          proxy, so the point of it that is nearest to the hand is reached along a straight way that touches nothing:
//          no sheet is thin enough to pop through, whichever side it is touched from and however deep the hand is behind it.
//          Triangles are looked at nearest first, so wherever the look ends it is known how far the ball may go. A half-space
//          may be that of the triangle's own plane, which stops the ball a little before an edge of it, now and then for good
//          (less than a hundredth of the radius was seen, HapticProbe.HoldsItsPromisesOnLongWalks).
// Frame:   The surface's, metres; forces in newtons, times in seconds.
//          The force is a spring from the hand to the proxy, and a damper along it that never pulls. The proxy moves so that
//          the spring gets shorter, never longer: what the hand gets back from the spring it has put in, up to what holding
//          a force for a period adds, which is that of a damper of -stiffness · period / 2 (Colgate and Schenkel, "Passivity
//          of a class of sampled-data systems", 1997). `damping` above this, or a hand with that much of its own, comes to
//          rest on the surface (HapticProbe.AFreeHandComesToRest).
//          The proxy moves by max_step at most, so the spring changes by max_step and the hand's own way in an update.
// Fails:   make: non_finite, degenerate (radius, stiffness, a period below 2^-60 s, a radius below 2^-30 of the largest
//          coordinate of mesh and start), invalid_argument (friction, damping, max_step, max_force, a start that is nearer to
//          the surface than the radius; of a field: a radius below a cell or not within the band), too_large (also a
//          stiffness or damping beyond 2^100), empty_input (null).
//          update: a hand that is NaN or infinite is not followed: the state stays and says so. Never allocates, and does
//          at most kProbeTests comparisons of a triangle or box with a plane: what that leaves undone, the next update
//          goes on with, and the state says `limited`.
//          Out of the grid of a field that does not cover its surface nothing is known: the ball stays in the grid.
#pragma once

#include <sudar/sdf/distance_field.hpp>
#include <sudar/sdf/plane_projection.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <memory>

namespace sudar {

struct HapticOptions {
  double radius = 0;        // of the ball, metres
  double stiffness = 1000;  // newtons a metre
  double damping = 1;       // newtons a metre a second, along the spring; see above for how much a free hand needs
  double period = 0.001;    // seconds from one update to the next
  double friction = 0;      // tangential over normal force at which the ball starts to move along the surface
  double max_step = 0;      // metres the proxy may move in one update; zero: four radii
  double max_force = 20;    // newtons: about what devices that are held in the hand can give
};

struct HapticState {
  Vec3d proxy{};               // middle of the ball as it is seen: outside of the surface
  Quatd rotation{};            // of the ball: with friction it rolls over what it touches, without it slides
  Vec3d force{};               // on the hand, towards the proxy
  bool touching = false;       // something keeps the ball from the hand
  bool following = true;       // false: the hand's place was not a place
  bool sliding = false;        // the ball moved along the surface in this update
  bool limited = false;        // the update ended before the ball was where it may go: the next one goes on
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
  bool behind_planes(const Triangle<3, double>& triangle);
  bool behind_planes(const Aabb3d& box);
  void add_plane(const Vec3d& p, const Vec3d& hand, std::uint32_t triangle);
  double collect(const Vec3d& p, const Vec3d& hand, double reach);
  bool slide(const Vec3d& hand, double& reach);
  bool step_freely(const Vec3d& hand, double most);
  void follow_mesh(const Vec3d& hand);
  void follow_field(const Vec3d& hand);
  void move_to(const Vec3d& target, bool held);

  std::shared_ptr<const TriangleMesh> mesh_;
  std::shared_ptr<const DistanceField3> field_;
  HapticOptions options_;
  HapticState state_;
  Vec3d spring_{};       // of the update before
  double slack_ = 0;     // what rounding may move, metres
  double straight_ = 0;  // most way with the planes of one round, in distances to the nearest triangle:
  double nearest_ = 0;   // that distance in this round, metres
  double last_way_ = 0;  // how far the ball went in the update before, metres
  int tests_ = 0;        // that are left to this update
  // A node of the tree, or a triangle (level -1). None of these grows after make.
  struct Candidate {
    double distance;
    std::uint32_t index;
    int level;
  };
  std::vector<Candidate> open_;
  std::vector<FreeHalfSpace> planes_, touched_;
};

}  // namespace sudar
