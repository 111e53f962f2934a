#include <sudar/dynamics/contact_solver2.hpp>

namespace sudar {

struct ContactSolver2::Scratch {};

ContactSolver2::ContactSolver2() noexcept = default;
ContactSolver2::~ContactSolver2() = default;
ContactSolver2::ContactSolver2(ContactSolver2&&) noexcept = default;
ContactSolver2& ContactSolver2::operator=(ContactSolver2&&) noexcept = default;

Result<SolverStats> ContactSolver2::solve(std::span<SolverBody2>, std::span<const ContactInput2>,
                                          std::span<const ContactPointInput2>, std::span<PointImpulse2>,
                                          std::span<Joint2>, const SolverSettings&) {
  return Error{ErrorCode::unsupported, Error::kNoElement, "the solver is not there yet"};
}

std::size_t ContactSolver2::bytes() const noexcept { return 0; }

}  // namespace sudar
