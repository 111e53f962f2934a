// What:    Fast bodies: from where a step began to where it would end, a body stops where it first touches what it must not
//          pass. Against fixed and kinematic bodies for all that move fast, against everything for bullets; sensors are
//          told what went through them.
// Source:  continuous/time_of_impact.hpp, rotation included; seeds A10, A11.
// Differs: - The way of a body is that of a constant velocity of its origin and a constant angular velocity between its two
//            poses, full turns included: whatever the substeps did in between, a way without a touch proves that the body
//            is on the side where it was.
//          - What stops against something that moves is carried along with it for the rest of the step, so that a blade
//            cannot pass the bullet that it has caught; when something else is then in the way and moves, with that.
//          - A touch that ends with less overlap than a small part of the margin is the solver's: bodies slide
//            (ccd_stop.cpp).
//          - What is slow is followed too where it is in the way of a kinematic body that moves farther than the thinner of
//            the two is thick, and a bullet in the way of anything fast.
//          - Two bullets are looked at once, by the one with the higher index, when the way of the other is settled.
//          - Who may meet whom among all that moves is found by a broad phase over the boxes of their ways; what depends on
//            nothing that may still be stopped is followed on all threads.
// Frame:   The world's; ways are over [0, 1], the step.
// Fails:   what time_of_impact and the scene's questions say; out_of_memory.
#pragma once

#include <sudar/broadphase/broadphase.hpp>
#include <sudar/dynamics/world_types.hpp>
#include <sudar/scene/scene.hpp>

#include <memory>
#include <span>
#include <vector>

namespace sudar {

template <int D>
struct FastHit {
  std::uint32_t body = 0, other = 0;
  double t = 0;         // share of the step
  bool sensor = false;  // `other` is a sensor that was passed; otherwise `body` was stopped
};

// A body on its way through a step
template <int D>
struct Mover {
  std::uint32_t body = 0;
  Pose<D, double> start{}, end{};
  RigidMotion<D> motion{};
  Aabb<D, double> box{};  // of the way, where anybody asks for it
  double way = 0;         // no point of it goes farther
  bool special = false;   // kinematic, bullet or sensor: who may meet others that move
  bool hasty = false;     // it moves farther than what the solver sees
  bool quick = false;     // it moves farther than it is thick: sensors could miss it
  bool fast = false;      // it is followed
  bool bullet = false;
  bool alone = true;                   // nothing that it may meet can still be stopped
  std::uint32_t first = 0, count = 0;  // what it may meet, among the links
};

// The objects of a scene whose shapes reach into a box, in rising order
template <int D>
Result<void> objects_in(Scene<D>& scene, const Aabb<D, double>& box, const QueryFilter& filter,
                        std::vector<std::uint32_t>& ids);

// How far from its origin a shape has what turning moves: balls look the same
inline double turning_radius(const Shape2& shape, double radius) {
  return shape.kind() == ShapeKind2::circle ? 0 : radius;
}
inline double turning_radius(const Shape3& shape, double radius) {
  return shape.kind() == ShapeKind3::sphere ? 0 : radius;
}

inline constexpr double kNoStop = 2;  // a time after the step

struct StopAnswer {
  double t = kNoStop;  // in [0, t_max], or kNoStop
  bool sinks = false;  // it was looked at where the way ends only: who stops earlier for something else asks again
};
// When shape a on its way stops at shape b on its (ccd_stop.cpp)
template <int D>
struct StopQuestion {
  const ShapeOf<D>&a, &b;
  Pose<D, double> start_a, start_b;
  RigidMotion<D> motion_a, motion_b;
  double radius_a = 0;  // of what turning moves
  double thickness_a = 0, margin = 0;
};
template <int D>
Result<StopAnswer> stop_at(const StopQuestion<D>& question, double t_max);

template <int D>
class CcdPass {
 public:
  // `active`: bodies that move in this step, in rising order. `start`: states at its beginning, by body; those at its end
  // are in `bodies` and are changed for what is stopped. `jointed`: sorted pairs that may pass each other. `sensors`: one of
  // the bodies is a sensor.
  Result<void> run(Scene<D>& scene, std::span<WorldBody<D>> bodies, std::span<const RigidState<D>> start,
                   std::span<const std::uint32_t> active, std::span<const IdPair> jointed, bool sensors, double dt,
                   Executor* executor);
  // Stops first, then what sensors saw
  std::span<const FastHit<D>> hits() const noexcept { return hits_; }
  std::uint32_t fast_count() const noexcept { return static_cast<std::uint32_t>(followers_.size()); }

 private:
  using Place = Pose<D, double>;
  struct Stop {
    double t = kNoStop;
    std::uint32_t other = kNoIndex;
  };
  struct Outcome {
    Stop stop;
    Place end{};
    RigidMotion<D> motion{};
    bool carried = false;
    Result<void> done{};
  };
  // What a mover may meet
  struct Link {
    std::uint32_t mover, body;

    friend auto operator<=>(const Link&, const Link&) = default;
  };

  bool may_matter(const WorldBody<D>& body, const RigidState<D>& start) const;
  void gather(std::span<const RigidState<D>> start, std::span<const std::uint32_t> active);
  void find_boxes();
  Result<void> find_meetings();
  void follow_what_is_in_the_way();
  Result<void> find_links();
  void follow(std::span<const std::uint32_t> movers);
  Outcome outcome_of(std::size_t at) const;
  Result<Stop> first_stop(std::size_t at, const Place& start, const RigidMotion<D>& motion, double from,
                          std::uint32_t but) const;
  bool moves_with(std::uint32_t a, std::uint32_t b) const;
  Result<void> settle(std::size_t at);
  void spread(std::size_t at);
  Result<void> tell_sensors();
  bool may_meet(std::uint32_t a, std::uint32_t b) const;
  Result<void> standing_in(const Mover<D>& mover, bool sensors);

  Scene<D>* scene_ = nullptr;
  Executor* executor_ = nullptr;
  std::span<WorldBody<D>> bodies_;
  std::span<const IdPair> jointed_;
  double margin_ = 0, dt_ = 0;
  bool sensors_ = false, specials_ = false;
  std::vector<Mover<D>> movers_;
  std::vector<std::uint32_t> mover_of_;  // by body, kNoIndex for what does not move
  BoxStore<D> store_;                    // of the ways, by mover
  std::unique_ptr<Broadphase<D>> broadphase_;
  std::vector<double> rows_;
  std::vector<IdPair> meetings_;  // movers of which one is special and whose boxes overlap
  std::vector<std::uint32_t> followers_, round_, found_;
  std::vector<Link> links_, late_;  // late: found when something was carried along
  std::vector<Outcome> outcomes_;   // by mover
  std::vector<IdPair> passes_;      // body and sensor
  std::vector<Result<double>> pass_times_;
  std::vector<FastHit<D>> hits_;
};

extern template class CcdPass<2>;
extern template class CcdPass<3>;

}  // namespace sudar
