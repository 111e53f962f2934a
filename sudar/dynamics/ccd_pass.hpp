// What:    Fast bodies: from where a step began to where it would end, a body stops where it first touches what it must not
//          pass. Against fixed and kinematic bodies for all that move fast, against everything for bullets; sensors are
//          told what went through them.
// Source:  continuous/time_of_impact.hpp, rotation included; seeds A10, A11.
// Differs: - The way of a body is that of a constant velocity of its origin and a constant angular velocity between its two
//            poses, full turns included: whatever the substeps did in between, a way without a touch proves that the body
//            is on the side where it was.
//          - What stops against something that moves is carried along with it for the rest of the step, so that a blade
//            cannot pass the bullet that it has caught.
//          - A touch that ends with less overlap than a small part of the margin is the solver's: bodies slide. While it
//            lasts, and when the body touched at the start, it goes on by conservative advancement as long as it overlaps
//            no more than it did by that part: what it touches hides nothing behind it.
//          - What is slow is followed too where it is in the way of a fast kinematic body, and a bullet in the way of
//            anything fast.
//          - Two bullets are looked at once, by the one with the higher index, when the way of the other is settled.
// Frame:   The world's; ways are over [0, 1], the step.
// Fails:   what time_of_impact and the scene's questions say; out_of_memory.
#pragma once

#include <sudar/dynamics/world_types.hpp>
#include <sudar/scene/scene.hpp>

#include <span>
#include <vector>

namespace sudar {

template <int D>
struct FastHit {
  std::uint32_t body = 0, other = 0;
  double t = 0;         // share of the step
  bool sensor = false;  // `other` is a sensor that was passed; otherwise `body` was stopped
};

// The objects of a scene whose shapes reach into a box, in rising order
template <int D>
Result<void> objects_in(Scene<D>& scene, const Aabb<D, double>& box, const QueryFilter& filter,
                        std::vector<std::uint32_t>& ids);

template <int D>
class CcdPass {
 public:
  // `active`: bodies that move in this step, in rising order. `start`: states at its beginning, by body; those at its end
  // are in `bodies` and are changed for what is stopped. `jointed`: sorted pairs that may pass each other.
  Result<void> run(Scene<D>& scene, std::span<WorldBody<D>> bodies, std::span<const RigidState<D>> start,
                   std::span<const std::uint32_t> active, std::span<const IdPair> jointed, double dt);
  std::span<const FastHit<D>> hits() const noexcept { return hits_; }
  std::uint32_t fast_count() const noexcept { return fast_; }

 private:
  using Place = Pose<D, double>;
  struct Mover {
    std::uint32_t body;
    Place start, end;
    RigidMotion<D> motion;
    Aabb<D, double> box;
    bool boxed;  // it has its box
    bool hasty;  // it moves farther than what the solver sees
    bool fast;   // it is to be followed
    bool bullet;
  };
  struct Stop {
    double t = 2;  // more than 1: none
    std::uint32_t other = kNoIndex;
    const Mover* mover = nullptr;  // of what moves
  };

  bool may_be_fast(const WorldBody<D>& body, const RigidState<D>& start) const;
  void gather(std::span<const WorldBody<D>> bodies, std::span<const RigidState<D>> start,
              std::span<const std::uint32_t> active, double dt, double margin);
  Result<void> follow(std::size_t at, std::span<WorldBody<D>> bodies, std::span<const IdPair> jointed);
  Result<void> find_candidates(std::size_t at, std::span<const WorldBody<D>> bodies, std::span<const IdPair> jointed);
  // The first stop of `body` on its way from `start` over [0, t_max], but for `but`
  Result<Stop> first_stop(const Mover& mover, const WorldBody<D>& body, const Place& start,
                          const RigidMotion<D>& motion, double from, std::uint32_t but);
  Result<double> stop_against(const Mover& mover, const WorldBody<D>& body, const Place& start,
                              const RigidMotion<D>& motion, std::uint32_t other, const Mover* target, double from,
                              double t_max);
  Result<void> tell_sensors(const Mover& mover);
  const Aabb<D, double>& box_of(Mover& mover) const;

  Scene<D>* scene_ = nullptr;
  double margin_ = 0, dt_ = 0;
  std::vector<Mover> movers_;
  std::vector<std::uint32_t> mover_of_;  // by body, kNoIndex for what does not move
  std::vector<std::uint32_t> candidates_, sensors_, found_;
  std::vector<FastHit<D>> hits_;
  std::uint32_t fast_ = 0;
};

extern template class CcdPass<2>;
extern template class CcdPass<3>;

}  // namespace sudar
