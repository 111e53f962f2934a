// What:    The vertices of a k-DOP, and its re-fit from them under a pose: between the tight re-fit from the body's
//          points and the cheap one from the slabs (kdop.hpp).
// Differs: Vertices are found by trying every D slabs. A candidate that is out by less than rounding is kept, so the
//          set may hold a vertex twice but never lacks one; a re-fit grows by that rounding and contains the k-DOP.
// Fails:   vertices: degenerate when the k-DOP is empty or has a NaN; too_large when a bound is beyond kMaxKdopBound.
//          refit_from_vertices: as refit (kdop.hpp).
#pragma once

#include <sudar/bounding/kdop.hpp>

#include <vector>

namespace sudar {

// Sums of the products that meet in a vertex stay finite up to here
inline constexpr double kMaxKdopBound = 0x1p1020;

template <int D, int K>
SUDAR_API Result<std::vector<Vec<D, double>>> vertices(const Kdop<D, K, double>& kdop) noexcept;

// Frame a's k-DOP of a body given by the vertices, in frame b, of its k-DOP there
template <int D, int K>
Result<Kdop<D, K, double>> refit_from_vertices(const Pose<D, double>& a_from_b,
                                               std::span<const Vec<D, double>> vertices_b) {
  auto out = refit<D, K, double>(a_from_b, vertices_b);
  if (!out) return out;
  double size = 0;
  for (const Vec<D, double>& v : vertices_b) size = std::fmax(size, max_abs(v));
  for (int i = 0; i < K / 2; ++i) {
    out->lo[i] -= D * D * kPoseSlack<double> * size;
    out->hi[i] += D * D * kPoseSlack<double> * size;
  }
  if (!is_bounded(*out)) return Error{ErrorCode::too_large, Error::kNoElement, "a bound is past the largest number"};
  return out;
}

}  // namespace sudar
