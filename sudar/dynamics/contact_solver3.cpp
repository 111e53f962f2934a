#include <sudar/dynamics/contact_solver3.hpp>

namespace sudar {

struct ContactSolver3::Scratch {};

ContactSolver3::ContactSolver3() noexcept = default;
ContactSolver3::~ContactSolver3() = default;
ContactSolver3::ContactSolver3(ContactSolver3&&) noexcept = default;
ContactSolver3& ContactSolver3::operator=(ContactSolver3&&) noexcept = default;

Result<SolverStats> ContactSolver3::solve(std::span<SolverBody3>, std::span<const ContactInput3>,
                                          std::span<const ContactPointInput3>, std::span<PointImpulse3>,
                                          std::span<Joint3>, const SolverSettings&) {
  return Error{ErrorCode::unsupported, Error::kNoElement, "the solver is not there yet"};
}

std::size_t ContactSolver3::bytes() const noexcept { return 0; }

}  // namespace sudar
