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
#include <sudar/math/unit_rotation.hpp>
#include <sudar/narrowphase/far_pair.hpp>
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
HWY_INLINE void transpose(const float* records, std::size_t fields, const std::uint32_t* ids, std::size_t lanes,
                          float* out) {
  const hn::FixedTag<float, 4> d;
  for (std::size_t l = 0; l < lanes; l += 4)
    for (std::size_t f = 0; f < fields; f += 4) {
      const auto row = [&](std::size_t k) HWY_ATTR { return hn::LoadU(d, records + ids[l + k] * fields + f); };
      const auto r0 = row(0), r1 = row(1), r2 = row(2), r3 = row(3);
      const auto t0 = hn::InterleaveLower(d, r0, r2), t1 = hn::InterleaveLower(d, r1, r3);
      const auto t2 = hn::InterleaveUpper(d, r0, r2), t3 = hn::InterleaveUpper(d, r1, r3);
      hn::StoreU(hn::InterleaveLower(d, t0, t1), d, out + f * lanes + l);
      hn::StoreU(hn::InterleaveUpper(d, t0, t1), d, out + (f + 1) * lanes + l);
      hn::StoreU(hn::InterleaveLower(d, t2, t3), d, out + (f + 2) * lanes + l);
      hn::StoreU(hn::InterleaveUpper(d, t2, t3), d, out + (f + 3) * lanes + l);
    }
}

// Separations, NaN for those that need the single query, whose number comes back. With `ways`, these too.
template <class T>
HWY_INLINE std::size_t measure(const Batch::Ball<T>* balls, const Batch::Rod<T>* rods, const Batch::Pair* pairs,
                               std::size_t count, T allowed, T least, T* separations, Batch::Way* ways) {
  const hn::CappedTag<T, 16> d;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN T ball[4 * 16], rod[8 * 16], out[16], way[4][16];
  std::uint32_t ball_ids[16], rod_ids[16];
  const auto error = hn::Set(d, allowed), clear = hn::Set(d, least);
  const auto nan = hn::Set(d, std::numeric_limits<T>::quiet_NaN());
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
    const auto load = [&](const T* of, std::size_t f) HWY_ATTR { return hn::Load(d, of + f * lanes); };
    const auto px = hn::Sub(load(rod, 0), load(ball, 0)), py = hn::Sub(load(rod, 1), load(ball, 1));
    const auto pz = hn::Sub(load(rod, 2), load(ball, 2));
    const auto ux = load(rod, 3), uy = load(rod, 4), uz = load(rod, 5);
    const auto along = hn::Neg(hn::Add(hn::Add(hn::Mul(px, ux), hn::Mul(py, uy)), hn::Mul(pz, uz)));
    const auto t = hn::Min(hn::Max(hn::Mul(along, load(rod, 7)), hn::Zero(d)), hn::Set(d, T(1)));
    const auto x = hn::Add(px, hn::Mul(ux, t)), y = hn::Add(py, hn::Mul(uy, t)), z = hn::Add(pz, hn::Mul(uz, t));
    const auto distance = hn::Sqrt(hn::Add(hn::Add(hn::Mul(x, x), hn::Mul(y, y)), hn::Mul(z, z)));
    const auto separation = hn::Sub(distance, hn::Add(load(ball, 3), load(rod, 6)));
    const auto sure = hn::And(hn::Gt(hn::Abs(separation), error), hn::Gt(distance, clear));
    hn::Store(hn::IfThenElse(sure, separation, nan), d, out);
    for (std::size_t l = 0; l < here; ++l) separations[from + l] = out[l];
    if (!hn::AllTrue(d, sure))
      for (std::size_t l = 0; l < here; ++l) left += std::isnan(out[l]) ? 1 : 0;
    if (ways == nullptr) continue;
    hn::Store(x, d, way[0]);
    hn::Store(y, d, way[1]);
    hn::Store(z, d, way[2]);
    hn::Store(distance, d, way[3]);
    for (std::size_t l = 0; l < here; ++l)
      ways[from + l] = {static_cast<double>(way[0][l]), static_cast<double>(way[1][l]), static_cast<double>(way[2][l]),
                        static_cast<double>(way[3][l])};
  }
  return left;
}

std::size_t Distances(const Batch::Ball<double>* balls, const Batch::Rod<double>* rods, const Batch::Pair* pairs,
                      std::size_t count, double size, double* separations, Batch::Way* ways) {
  return measure(balls, rods, pairs, count, kClosedFormError * size, kRodClear * size, separations, ways);
}
std::size_t DistancesFloat(const Batch::Ball<float>* balls, const Batch::Rod<float>* rods, const Batch::Pair* pairs,
                           std::size_t count, float error, float* separations) {
  return measure(balls, rods, pairs, count, error, error, separations, nullptr);
}

#else

std::size_t Distances(const Batch::Ball<double>*, const Batch::Rod<double>*, const Batch::Pair*, std::size_t count,
                      double, double* separations, Batch::Way*) {
  std::fill(separations, separations + count, std::numeric_limits<double>::quiet_NaN());
  return count;
}
std::size_t DistancesFloat(const Batch::Ball<float>*, const Batch::Rod<float>*, const Batch::Pair*, std::size_t count,
                           float, float* separations) {
  std::fill(separations, separations + count, std::numeric_limits<float>::quiet_NaN());
  return count;
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace sudar::sphere_capsule_simd
HWY_AFTER_NAMESPACE();
#endif

#if !defined(SUDAR_HAVE_HIGHWAY) || HWY_ONCE
namespace sudar {

static_assert(sizeof(SphereCapsuleBatch3::Ball<float>) == 4 * sizeof(float));
static_assert(sizeof(SphereCapsuleBatch3::Rod<double>) == 8 * sizeof(double));

namespace {

constexpr std::size_t kBlock = 256;

// The sign survives: what is not zero does not become zero
float to_float(double x) {
  const float rounded = static_cast<float>(x);
  if (rounded != 0 || x == 0) return rounded;
  return std::copysign(std::numeric_limits<float>::denorm_min(), rounded);
}

}  // namespace

#if defined(SUDAR_HAVE_HIGHWAY)
namespace sphere_capsule_simd {
HWY_EXPORT(Distances);
HWY_EXPORT(DistancesFloat);
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
    // All of one kind with rotations of unit length
    const auto place = [](std::span<const Pose3d> poses, std::vector<Pose3d>& out) -> Result<void> {
      for (std::size_t i = 0; i < poses.size(); ++i) {
        if (!is_finite(poses[i].position)) return Error{ErrorCode::non_finite, i, "position"};
        const Result<Quatd> turn = checked_rotation(poses[i].rotation, i);
        if (!turn) return turn.error();
        out.push_back({poses[i].position, *turn});
      }
      return {};
    };
    std::vector<Pose3d> at_spheres, at_capsules;
    if (const Result<void> placed = place(sphere_poses, at_spheres); !placed) return placed;
    if (const Result<void> placed = place(capsule_poses, at_capsules); !placed) return placed;
    double size = 0;
    Vec3d lo{}, hi{};
    const auto bound = [&](const Vec3d& p, bool first) {
      lo = first ? p : min(lo, p);
      hi = first ? p : max(hi, p);
    };
    std::vector<Ball<double>> balls(spheres.size());
    std::vector<Rod<double>> rods(capsules.size());
    for (std::size_t i = 0; i < spheres.size(); ++i) {
      if (!std::isfinite(spheres[i].radius)) return Error{ErrorCode::non_finite, i, "sphere"};
      if (!(spheres[i].radius > 0)) return Error{ErrorCode::degenerate, i, "a sphere without a radius"};
      const Vec3d& c = at_spheres[i].position;
      balls[i] = {{c.x, c.y, c.z}, spheres[i].radius};
      size = std::max(size, max_abs(c) + spheres[i].radius);
      bound(c, i == 0);
    }
    for (std::size_t i = 0; i < capsules.size(); ++i) {
      const CapsuleShape3& s = capsules[i];
      if (!is_finite(s.p) || !is_finite(s.q) || !std::isfinite(s.radius))
        return Error{ErrorCode::non_finite, i, "capsule"};
      if (!(s.radius > 0)) return Error{ErrorCode::degenerate, i, "a capsule without a radius"};
      const Vec3d p = transform(at_capsules[i], s.p), u = rotate(at_capsules[i].rotation, s.q - s.p);
      const double whole = dot(u, u);
      rods[i] = {{p.x, p.y, p.z}, {u.x, u.y, u.z}, s.radius, whole > 0 ? 1 / whole : 0};
      size = std::max(size, max_abs(at_capsules[i].position) + max_abs(s.p) + max_abs(s.q) + s.radius);
      bound(p, spheres.empty() && i == 0);
    }

    // In float, about the middle of all
    const Vec3d middle = lo * 0.5 + hi * 0.5;
    double float_size = 0;
    std::vector<Ball<float>> float_balls(balls.size());
    std::vector<Rod<float>> float_rods(rods.size());
    const auto single = [](double x) { return static_cast<float>(x); };
    for (std::size_t i = 0; i < balls.size(); ++i) {
      const Vec3d c = Vec3d{balls[i].center[0], balls[i].center[1], balls[i].center[2]} - middle;
      float_balls[i] = {{single(c.x), single(c.y), single(c.z)}, single(balls[i].radius)};
      float_size = std::max(float_size, max_abs(c) + balls[i].radius);
    }
    for (std::size_t i = 0; i < rods.size(); ++i) {
      const Rod<double>& r = rods[i];
      const Vec3d p = Vec3d{r.p[0], r.p[1], r.p[2]} - middle, u{r.along[0], r.along[1], r.along[2]};
      // A rod too short for the square of its length is a point
      const float whole = single(dot(u, u)), inverse = whole >= std::numeric_limits<float>::min() ? 1 / whole : 0;
      float_rods[i] = {{single(p.x), single(p.y), single(p.z)},
                       {single(u.x), single(u.y), single(u.z)},
                       single(r.radius),
                       inverse < std::numeric_limits<float>::infinity() ? inverse : 0};
      float_size = std::max(float_size, max_abs(p) + max_abs(u) + r.radius);
    }
    std::vector<SphereShape3> all_spheres(spheres.begin(), spheres.end());
    std::vector<CapsuleShape3> all_capsules(capsules.begin(), capsules.end());
    spheres_ = std::move(all_spheres);
    capsules_ = std::move(all_capsules);
    sphere_poses_ = std::move(at_spheres);
    capsule_poses_ = std::move(at_capsules);
    balls_ = std::move(balls);
    rods_ = std::move(rods);
    float_balls_ = std::move(float_balls);
    float_rods_ = std::move(float_rods);
    constexpr double kInfinity = std::numeric_limits<double>::infinity(), kFloatRange = 0x1p60;
    size_ = 2 * size < kFarAway ? 2 * size : kInfinity;
    // What the difference to the middle rounds away counts as if float had
    float_size_ = 2 * float_size < kFloatRange ? 2 * float_size + 0x1p-27 * size : kInfinity;
    return {};
  });
}

DistanceAnswer3 SphereCapsuleBatch3::single(const Pair& pair) const {
  return sphere_capsule_distance3(spheres_[pair.sphere].radius, capsules_[pair.capsule], sphere_poses_[pair.sphere],
                                  capsule_poses_[pair.capsule]);
}
double SphereCapsuleBatch3::float_error() const {
  // As kClosedFormError, in units of float
  return kClosedFormError / kRoundoff * static_cast<double>(std::numeric_limits<float>::epsilon()) * float_size_;
}

namespace {

template <class T>
bool measure_one(const SphereCapsuleBatch3::Ball<T>& ball, const SphereCapsuleBatch3::Rod<T>& rod, T error, T clear,
                 T& separation) {
  T p[3], u[3];
  for (int i = 0; i < 3; ++i) p[i] = rod.p[i] - ball.center[i], u[i] = rod.along[i];
  const T along = -((p[0] * u[0] + p[1] * u[1]) + p[2] * u[2]);
  const T t = std::min(std::max(along * rod.inverse, T(0)), T(1));
  for (int i = 0; i < 3; ++i) p[i] = p[i] + u[i] * t;
  const T distance = std::sqrt((p[0] * p[0] + p[1] * p[1]) + p[2] * p[2]);
  separation = distance - (ball.radius + rod.radius);
  return std::fabs(separation) > error && distance > clear;
}

}  // namespace

std::size_t SphereCapsuleBatch3::distances_scalar(std::span<const Pair> pairs,
                                                  std::span<double> separations) const noexcept {
  SUDAR_ASSERT(separations.size() >= pairs.size());
  std::size_t left = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    if (measure_one(balls_[pairs[k].sphere], rods_[pairs[k].capsule], kClosedFormError * size_, kRodClear * size_,
                    separations[k]))
      continue;
    ++left;
    separations[k] = single(pairs[k]).separation;
  }
  return left;
}
std::size_t SphereCapsuleBatch3::distances_float_scalar(std::span<const Pair> pairs,
                                                        std::span<float> separations) const noexcept {
  SUDAR_ASSERT(separations.size() >= pairs.size());
  const float error = static_cast<float>(float_error());
  std::size_t left = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    if (measure_one(float_balls_[pairs[k].sphere], float_rods_[pairs[k].capsule], error, error, separations[k]))
      continue;
    ++left;
    separations[k] = to_float(single(pairs[k]).separation);
  }
  return left;
}

std::size_t SphereCapsuleBatch3::distances(std::span<const Pair> pairs, std::span<double> separations) const noexcept {
#if defined(SUDAR_HAVE_HIGHWAY)
  SUDAR_ASSERT(separations.size() >= pairs.size());
  if (pairs.empty()) return 0;
  using namespace sphere_capsule_simd;
  const std::size_t left = HWY_DYNAMIC_DISPATCH(Distances)(balls_.data(), rods_.data(), pairs.data(), pairs.size(),
                                                           size_, separations.data(), nullptr);
  if (left > 0)
    for (std::size_t k = 0; k < pairs.size(); ++k)
      if (std::isnan(separations[k])) separations[k] = single(pairs[k]).separation;
  return left;
#else
  return distances_scalar(pairs, separations);
#endif
}
std::size_t SphereCapsuleBatch3::distances(std::span<const Pair> pairs,
                                           std::span<DistanceAnswer3> answers) const noexcept {
  SUDAR_ASSERT(answers.size() >= pairs.size());
  std::size_t left = 0;
  double separations[kBlock];
  Way ways[kBlock];
  const double error = kClosedFormError * size_;
  for (std::size_t from = 0; from < pairs.size(); from += kBlock) {
    const std::size_t here = std::min(kBlock, pairs.size() - from);
#if defined(SUDAR_HAVE_HIGHWAY)
    using namespace sphere_capsule_simd;
    left += HWY_DYNAMIC_DISPATCH(Distances)(balls_.data(), rods_.data(), pairs.data() + from, here, size_, separations,
                                            ways);
#else
    std::fill(separations, separations + here, std::numeric_limits<double>::quiet_NaN());
    left += here;
#endif
    for (std::size_t k = 0; k < here; ++k) {
      const Pair& pair = pairs[from + k];
      DistanceAnswer3& out = answers[from + k];
      if (std::isnan(separations[k])) {
        out = placed(single(pair), sphere_poses_[pair.sphere]);
        continue;
      }
      const Ball<double>& ball = balls_[pair.sphere];
      const double inverse = 1 / ways[k].distance;
      const Vec3d center{ball.center[0], ball.center[1], ball.center[2]};
      out.normal = {ways[k].x * inverse, ways[k].y * inverse, ways[k].z * inverse};
      out.separation = separations[k];
      out.hit = separations[k] < 0;
      out.lower = separations[k] - error;
      out.upper = separations[k] + error;
      out.point_a = center + out.normal * ball.radius;
      out.point_b = center + out.normal * (ball.radius + separations[k]);
      out.status = QueryStatus::converged;
      out.iterations = 0;
    }
  }
  return left;
}
std::size_t SphereCapsuleBatch3::distances_float(std::span<const Pair> pairs,
                                                 std::span<float> separations) const noexcept {
#if defined(SUDAR_HAVE_HIGHWAY)
  SUDAR_ASSERT(separations.size() >= pairs.size());
  if (pairs.empty()) return 0;
  using namespace sphere_capsule_simd;
  const std::size_t left =
      HWY_DYNAMIC_DISPATCH(DistancesFloat)(float_balls_.data(), float_rods_.data(), pairs.data(), pairs.size(),
                                           static_cast<float>(float_error()), separations.data());
  if (left > 0)
    for (std::size_t k = 0; k < pairs.size(); ++k)
      if (std::isnan(separations[k])) separations[k] = to_float(single(pairs[k]).separation);
  return left;
#else
  return distances_float_scalar(pairs, separations);
#endif
}

std::size_t SphereCapsuleBatch3::intersects(std::span<const Pair> pairs, std::span<std::uint8_t> hits) const noexcept {
  SUDAR_ASSERT(hits.size() >= pairs.size());
  double separations[kBlock];
  std::size_t left = 0;
  for (std::size_t from = 0; from < pairs.size(); from += kBlock) {
    const std::size_t here = std::min(kBlock, pairs.size() - from);
    left += distances(pairs.subspan(from, here), std::span<double>(separations, here));
    for (std::size_t k = 0; k < here; ++k) hits[from + k] = separations[k] <= 0 ? 1 : 0;
  }
  return left;
}
std::size_t SphereCapsuleBatch3::intersects_float(std::span<const Pair> pairs,
                                                  std::span<std::uint8_t> hits) const noexcept {
  SUDAR_ASSERT(hits.size() >= pairs.size());
  float separations[kBlock];
  std::size_t left = 0;
  for (std::size_t from = 0; from < pairs.size(); from += kBlock) {
    const std::size_t here = std::min(kBlock, pairs.size() - from);
    left += distances_float(pairs.subspan(from, here), std::span<float>(separations, here));
    for (std::size_t k = 0; k < here; ++k) hits[from + k] = separations[k] <= 0 ? 1 : 0;
  }
  return left;
}

}  // namespace sudar
#endif
