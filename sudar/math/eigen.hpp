// What:    Eigenvalues and eigenvectors of symmetric 2×2 and 3×3 matrices.
// Frame:   Values ascend; vectors are the columns of a rotation (orthonormal, right-handed), also for repeated values.
// Fails:   never for finite input. Only the upper triangle is read. NaN or infinity is the caller's bug.
#pragma once

#include <sudar/math/mat.hpp>

namespace sudar {

struct SymmetricEigen2 {
  Vec2d values;
  Mat2d vectors;
};
struct SymmetricEigen3 {
  Vec3d values;
  Mat3d vectors;
};

SUDAR_API SymmetricEigen2 symmetric_eigen(const Mat2d& m) noexcept;
SUDAR_API SymmetricEigen3 symmetric_eigen(const Mat3d& m) noexcept;

}  // namespace sudar
