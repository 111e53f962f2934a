// What:    Many spheres with many capsules at once, see the header: a scalar and a Highway version.
#if defined(SUDAR_HAVE_HIGHWAY)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sudar/narrowphase/sphere_capsule_batch3.cpp"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on
#endif

#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/sphere_capsule3.hpp>
#include <sudar/narrowphase/sphere_capsule_batch3.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#if defined(SUDAR_HAVE_HIGHWAY)
HWY_BEFORE_NAMESPACE();
namespace sudar::sphere_capsule_simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using Batch = SphereCapsuleBatch3;

#if HWY_TARGET != HWY_SCALAR

// `fields` numbers of each of `lanes` records, number by number
HWY_INLINE void transpose(const double* records, std::size_t fields, const std::uint32_t* ids, std::size_t lanes,
                          double* out) {
  const hn::FixedTag<double, 2> d;
  for (std::size_t l = 0; l < lanes; l += 2)
    for (std::size_t f = 0; f < fields; f += 2) {
      const auto r0 = hn::LoadU(d, records + ids[l] * fields + f), r1 = hn::LoadU(d, records + ids[l + 1] * fields + f);
      hn::StoreU(hn::InterleaveLower(d, r0, r1), d, out + f * lanes + l);
      hn::StoreU(hn::InterleaveUpper(d, r0, r1), d, out + (f + 1) * lanes + l);
    }
}

// Separations, and 1 for those that need the single query
std::size_t Distances(const Batch::Ball* balls, const Batch::Rod* rods, const Batch::Pair* pairs, std::size_t count,
                      double size, double* separations) {
  const hn::CappedTag<double, 8> d;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN double ball[4 * 8], rod[8 * 8], out[8];
  std::uint32_t ball_ids[8], rod_ids[8];
  const auto error = hn::Set(d, kClosedFormError * size), clear = hn::Set(d, kRodClear * size);
  const auto nan = hn::Set(d, std::numeric_limits<double>::quiet_NaN());
  std::size_t left = 0;
  for (std::size_t from = 0; from < count; from += lanes) {
    const std::size_t here = std::min(lanes, count - from);
    for (std::size_t l = 0; l < lanes; ++l) {
      const Batch::Pair& pair = pairs[from + std::min(l, here - 1)];
      ball_ids[l] = pair.sphere;
      rod_ids[l] = pair.capsule;
    }
    transpose(balls->center, 4, ball_ids, lanes, ball);
    transpose(rods->p, 8, rod_ids, lanes, rod);
    const auto load = [&](const double* of, std::size_t f) HWY_ATTR { return hn::Load(d, of + f * lanes); };
    const auto px = hn::Sub(load(rod, 0), load(ball, 0)), py = hn::Sub(load(rod, 1), load(ball, 1));
    const auto pz = hn::Sub(load(rod, 2), load(ball, 2));
    const auto ux = load(rod, 3), uy = load(rod, 4), uz = load(rod, 5);
    const auto along = hn::Neg(hn::Add(hn::Add(hn::Mul(px, ux), hn::Mul(py, uy)), hn::Mul(pz, uz)));
    const auto t = hn::Min(hn::Max(hn::Mul(along, load(rod, 7)), hn::Zero(d)), hn::Set(d, 1.0));
    const auto x = hn::Add(px, hn::Mul(ux, t)), y = hn::Add(py, hn::Mul(uy, t)), z = hn::Add(pz, hn::Mul(uz, t));
    const auto distance = hn::Sqrt(hn::Add(hn::Add(hn::Mul(x, x), hn::Mul(y, y)), hn::Mul(z, z)));
    const auto separation = hn::Sub(distance, hn::Add(load(ball, 3), load(rod, 6)));
    const auto sure = hn::And(hn::Gt(hn::Abs(separation), error), hn::Gt(distance, clear));
    hn::Store(hn::IfThenElse(sure, separation, nan), d, out);
    for (std::size_t l = 0; l < here; ++l) separations[from + l] = out[l];
    if (!hn::AllTrue(d, sure))
      for (std::size_t l = 0; l < here; ++l) left += out[l] != out[l] ? 1 : 0;
  }
  return left;
}

#else

std::size_t Distances(const Batch::Ball*, const Batch::Rod*, const Batch::Pair*, std::size_t count, double,
                      double* separations) {
  std::fill(separations, separations + count, std::numeric_limits<double>::quiet_NaN());
  return count;
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace sudar::sphere_capsule_simd
HWY_AFTER_NAMESPACE();
#endif

#if !defined(SUDAR_HAVE_HIGHWAY) || HWY_ONCE
namespace sudar {

static_assert(sizeof(SphereCapsuleBatch3::Ball) == 4 * sizeof(double));
static_assert(sizeof(SphereCapsuleBatch3::Rod) == 8 * sizeof(double));

#if defined(SUDAR_HAVE_HIGHWAY)
namespace sphere_capsule_simd {
HWY_EXPORT(Distances);
}  // namespace sphere_capsule_simd
#endif

Result<void> SphereCapsuleBatch3::build(std::span<const SphereShape3> spheres, std::span<const Pose3d> sphere_poses,
                                        std::span<const CapsuleShape3> capsules,
                                        std::span<const Pose3d> capsule_poses) noexcept {
  return guarded([&]() -> Result<void> {
    if (spheres.size() != sphere_poses.size() || capsules.size() != capsule_poses.size())
      return Error{ErrorCode::invalid_argument, Error::kNoElement, "as many poses as shapes"};
    if (std::max(spheres.size(), capsules.size()) > std::numeric_limits<std::uint32_t>::max())
      return Error{ErrorCode::too_large, Error::kNoElement, "more shapes than indices"};
    const auto finite = [](const Pose3d& pose) {
      const Quatd& q = pose.rotation;
      return is_finite(pose.position) && std::isfinite(q.w + q.x + q.y + q.z);
    };
    double size = 0;
    std::vector<Ball> balls(spheres.size());
    std::vector<Rod> rods(capsules.size());
    for (std::size_t i = 0; i < spheres.size(); ++i) {
      if (!finite(sphere_poses[i]) || !std::isfinite(spheres[i].radius))
        return Error{ErrorCode::non_finite, i, "sphere or its pose"};
      if (!(spheres[i].radius > 0)) return Error{ErrorCode::degenerate, i, "a sphere without a radius"};
      const Vec3d& c = sphere_poses[i].position;
      balls[i] = {{c.x, c.y, c.z}, spheres[i].radius};
      size = std::max(size, max_abs(c) + spheres[i].radius);
    }
    for (std::size_t i = 0; i < capsules.size(); ++i) {
      const CapsuleShape3& s = capsules[i];
      if (!finite(capsule_poses[i]) || !is_finite(s.p) || !is_finite(s.q) || !std::isfinite(s.radius))
        return Error{ErrorCode::non_finite, i, "capsule or its pose"};
      if (!(s.radius > 0)) return Error{ErrorCode::degenerate, i, "a capsule without a radius"};
      const Vec3d p = transform(capsule_poses[i], s.p), u = rotate(capsule_poses[i].rotation, s.q - s.p);
      const double whole = dot(u, u);
      rods[i] = {{p.x, p.y, p.z}, {u.x, u.y, u.z}, s.radius, whole > 0 ? 1 / whole : 0};
      size = std::max(size, max_abs(capsule_poses[i].position) + max_abs(s.p) + max_abs(s.q) + s.radius);
    }
    spheres_.assign(spheres.begin(), spheres.end());
    sphere_poses_.assign(sphere_poses.begin(), sphere_poses.end());
    capsules_.assign(capsules.begin(), capsules.end());
    capsule_poses_.assign(capsule_poses.begin(), capsule_poses.end());
    balls_ = std::move(balls);
    rods_ = std::move(rods);
    size_ = 2 * size;
    return {};
  });
}

double SphereCapsuleBatch3::single(const Pair& pair) const {
  return sphere_capsule_distance3(spheres_[pair.sphere].radius, capsules_[pair.capsule], sphere_poses_[pair.sphere],
                                  capsule_poses_[pair.capsule])
      .separation;
}

std::size_t SphereCapsuleBatch3::distances_scalar(std::span<const Pair> pairs,
                                                  std::span<double> separations) const noexcept {
  SUDAR_ASSERT(separations.size() >= pairs.size());
  std::size_t left = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const Ball& ball = balls_[pairs[k].sphere];
    const Rod& rod = rods_[pairs[k].capsule];
    const Vec3d p{rod.p[0] - ball.center[0], rod.p[1] - ball.center[1], rod.p[2] - ball.center[2]};
    const Vec3d u{rod.along[0], rod.along[1], rod.along[2]};
    const double t = std::min(std::max(-dot(p, u) * rod.inverse, 0.0), 1.0), distance = length(p + u * t);
    separations[k] = distance - (ball.radius + rod.radius);
    if (std::fabs(separations[k]) > kClosedFormError * size_ && distance > kRodClear * size_) continue;
    ++left;
    separations[k] = single(pairs[k]);
  }
  return left;
}

std::size_t SphereCapsuleBatch3::distances(std::span<const Pair> pairs, std::span<double> separations) const noexcept {
#if defined(SUDAR_HAVE_HIGHWAY)
  SUDAR_ASSERT(separations.size() >= pairs.size());
  if (pairs.empty()) return 0;
  using namespace sphere_capsule_simd;
  const std::size_t left = HWY_DYNAMIC_DISPATCH(Distances)(balls_.data(), rods_.data(), pairs.data(), pairs.size(),
                                                           size_, separations.data());
  if (left > 0)
    for (std::size_t k = 0; k < pairs.size(); ++k)
      if (std::isnan(separations[k])) separations[k] = single(pairs[k]);
  return left;
#else
  return distances_scalar(pairs, separations);
#endif
}

std::size_t SphereCapsuleBatch3::intersects(std::span<const Pair> pairs, std::span<std::uint8_t> hits) const noexcept {
  SUDAR_ASSERT(hits.size() >= pairs.size());
  constexpr std::size_t kBlock = 256;
  double separations[kBlock];
  std::size_t left = 0;
  for (std::size_t from = 0; from < pairs.size(); from += kBlock) {
    const std::size_t here = std::min(kBlock, pairs.size() - from);
    left += distances(pairs.subspan(from, here), {separations, here});
    for (std::size_t k = 0; k < here; ++k) hits[from + k] = separations[k] <= 0 ? 1 : 0;
  }
  return left;
}

}  // namespace sudar
#endif
