// What:    Vertices of a k-DOP, see the header.
#include <sudar/bounding/kdop_fit.hpp>

namespace sudar {
namespace {

// The point where three planes (two lines) meet; false when they are dependent. Directions are small integers, so the
// determinant is exact and at least 1 in size.
bool meet(const std::array<Vec2d, 2>& n, const std::array<double, 2>& at, Vec2d& p) {
  const double det = cross(n[0], n[1]);
  if (det == 0) return false;
  p = {(at[0] * n[1].y - at[1] * n[0].y) / det, (at[1] * n[0].x - at[0] * n[1].x) / det};
  return true;
}
bool meet(const std::array<Vec3d, 3>& n, const std::array<double, 3>& at, Vec3d& p) {
  const Vec3d yz = cross(n[1], n[2]), zx = cross(n[2], n[0]), xy = cross(n[0], n[1]);
  const double det = dot(n[0], yz);
  if (det == 0) return false;
  p = (yz * at[0] + zx * at[1] + xy * at[2]) / det;
  return true;
}

template <int D, int K>
std::vector<Vec<D, double>> list_vertices(const Kdop<D, K, double>& kdop) {
  std::vector<Vec<D, double>> out;
  double size = 0;
  for (int i = 0; i < D; ++i) size = std::fmax(size, std::fmax(std::fabs(kdop.lo[i]), std::fabs(kdop.hi[i])));
  const double slack = D * kPoseSlack<double> * size;
  const auto keep = [&](const Vec<D, double>& p) {
    for (int i = 0; i < K / 2; ++i) {
      const double along = dot(p, Kdop<D, K, double>::direction(i));
      if (!(along >= kdop.lo[i] - slack && along <= kdop.hi[i] + slack)) return;
    }
    out.push_back(p);
  };
  // Every D slabs in order, and both sides of each
  std::array<Vec<D, double>, D> normals;
  std::array<double, D> at;
  const auto visit = [&](const auto& self, int depth, int first) -> void {
    if (depth == D) {
      if (Vec<D, double> p; meet(normals, at, p)) keep(p);
      return;
    }
    for (int slab = first; slab < K / 2; ++slab) {
      normals[depth] = Kdop<D, K, double>::direction(slab);
      at[depth] = kdop.lo[slab];
      self(self, depth + 1, slab + 1);
      if (kdop.hi[slab] == kdop.lo[slab]) continue;
      at[depth] = kdop.hi[slab];
      self(self, depth + 1, slab + 1);
    }
  };
  visit(visit, 0, 0);
  return out;
}

}  // namespace

template <int D, int K>
Result<std::vector<Vec<D, double>>> vertices(const Kdop<D, K, double>& kdop) noexcept {
  return guarded([&]() -> Result<std::vector<Vec<D, double>>> {
    const auto empty = [] { return Error{ErrorCode::degenerate, Error::kNoElement, "the k-DOP is empty"}; };
    for (int i = 0; i < K / 2; ++i)
      if (!(kdop.lo[i] <= kdop.hi[i])) return empty();
    for (int i = 0; i < K / 2; ++i)
      if (!(kdop.lo[i] >= -kMaxKdopBound && kdop.hi[i] <= kMaxKdopBound))
        return Error{ErrorCode::too_large, static_cast<std::size_t>(i), "a bound beyond kMaxKdopBound"};
    std::vector<Vec<D, double>> out = list_vertices(kdop);
    if (out.empty()) return empty();
    return out;
  });
}

template Result<std::vector<Vec2d>> vertices(const Kdop<2, 4, double>&) noexcept;
template Result<std::vector<Vec2d>> vertices(const Kdop<2, 6, double>&) noexcept;
template Result<std::vector<Vec2d>> vertices(const Kdop<2, 8, double>&) noexcept;
template Result<std::vector<Vec3d>> vertices(const Kdop<3, 6, double>&) noexcept;
template Result<std::vector<Vec3d>> vertices(const Kdop<3, 14, double>&) noexcept;
template Result<std::vector<Vec3d>> vertices(const Kdop<3, 18, double>&) noexcept;
template Result<std::vector<Vec3d>> vertices(const Kdop<3, 26, double>&) noexcept;

}  // namespace sudar
