// What:    One step of a rigid-body solver in the plane: velocities, contacts with friction and restitution, joints, positions.
// Source:  Macklin et al., "Small Steps in Physics Simulation", SCA 2019 (substeps instead of iterations); Catto, "Soft
//          Constraints", GDC 2011, and "Solver2D", 2024 (soft contacts with a relaxing pass, "soft step"); Tonge,
//          "Iterative Rigid Body Solvers", GDC 2013 (colours).
// Differs: - A contact is solved in its own frame from the relative velocity at the middle of its points: the two points
//            are one block whose coupling is precomputed; friction acts at the middle, limited by the sum of the normal
//            impulses.
//          - Warm starting between substeps costs nothing a contact: with arms and normals fixed through the step, what the
//            contacts gave each body in the last substep is given to it again as one sum.
//          - Separations follow the points by the first order of the motion, so a rolling ball does not lift off itself.
//          - Contacts are coloured greedily in the order given, so that no two of a colour share a body that can move;
//            colours run one after another, bundles of eight contacts in SIMD lanes within. Same bits for every executor,
//            thread count and instruction set.
// Frame:   World. Linear momentum of an isolated system is kept to rounding.
// Fails:   index_out_of_range, invalid_argument, non_finite with the index of the body, contact or joint (the reason says
//          which), and what check() says of joints; too_large past 2^31 contacts; out_of_memory. Nothing has been
//          changed then. Poses or velocities that are not finite are an error at the door; ones that overflow within
//          come out as they are.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/dynamics/joint2.hpp>
#include <sudar/dynamics/solver_body.hpp>
#include <sudar/dynamics/solver_input.hpp>

#include <memory>
#include <span>

namespace sudar {

// Keeps its scratch memory between steps; nothing else of a step stays in it
class SUDAR_API ContactSolver2 {
 public:
  ContactSolver2() noexcept;
  ~ContactSolver2();
  ContactSolver2(ContactSolver2&&) noexcept;
  ContactSolver2& operator=(ContactSolver2&&) noexcept;

  // Advances the bodies by settings.dt. `impulses` has one entry for each entry of `points`, in: the guess, out: the
  // answer. The order of contacts and joints matters for the result; their points may lie in any order.
  Result<SolverStats> solve(std::span<SolverBody2> bodies, std::span<const ContactInput2> contacts,
                            std::span<const ContactPointInput2> points, std::span<PointImpulse2> impulses,
                            std::span<Joint2> joints, const SolverSettings& settings);
  std::size_t bytes() const noexcept;

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace sudar
