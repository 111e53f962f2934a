// Batches of hulls, of boxes, and of spheres with capsules, from any numbers and poses: each is refused, with its index, or
// answered as the single query answers. Queries that start from the cache of an earlier pose decide as those that start
// from nothing. Of the queries of hulls for gaps and depths alone, the first byte says which ones are asked.
#include "tests/fuzz/bytes.hpp"
#include <sudar/narrowphase/box_batch3.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/hull_batch3.hpp>
#include <sudar/narrowphase/sphere_capsule3.hpp>
#include <sudar/narrowphase/sphere_capsule_batch3.hpp>

#include <algorithm>
#include <vector>

namespace sudar_fuzz {

namespace {

using namespace sudar;

constexpr std::uint32_t kMostBodiesOfBatch = 5, kMostCorners = 12;

// Most as they are, some huge or tiny beside them
double scale_of(Bytes& bytes) {
  constexpr int kPowers[] = {0, 0, 0, 0, 0, 10, -10, 25, -25, 40, -40, 56, -56};
  return std::ldexp(1.0, kPowers[bytes.below(std::size(kPowers))]);
}

// Rotations of any length, and now and then none
Pose3d pose_of_batch(Bytes& bytes) {
  const std::uint32_t kind = bytes.below(16);
  Pose3d pose{kind == 0 ? bytes.any_vector<3>() : bytes.vector<3>(), {}};
  if (kind == 1) pose.position *= scale_of(bytes);
  if (kind < 6) return pose;
  Quatd q{bytes.number(), bytes.number(), bytes.number(), bytes.number()};
  if (kind == 6) q = {bytes.any_number(), bytes.any_number(), bytes.any_number(), bytes.any_number()};
  pose.rotation = kind < 9 ? q : normalized(q);
  return pose;
}
bool good(const Pose3d& pose) {
  const Quatd& q = pose.rotation;
  const bool finite = std::isfinite(q.w) && std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z);
  return is_finite(pose.position) && finite && !(q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0);
}
bool near(const Pose3d& pose) { return max_abs(pose.position) <= kMaxShapeSize; }
// Refused with the index of the first that is bad; otherwise the poses are of unit length from here on. What is too far away
// for shapes is taken, and not asked.
bool taken(const Result<void>& built, std::vector<Pose3d>& poses) {
  const auto bad = std::find_if_not(poses.begin(), poses.end(), good);
  promise(built.ok() == (bad == poses.end()), "a batch of good poses and of no others");
  if (!built) {
    promise(built.error().element == static_cast<std::size_t>(bad - poses.begin()), "the first bad pose is named");
    return false;
  }
  // Those of unit length stay as they are, as the batch keeps them
  for (Pose3d& pose : poses) {
    const Quatd& q = pose.rotation;
    const double square = (q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z);
    if (!(std::fabs(square - 1) <= 0x1p-49)) pose.rotation = normalized(q);
  }
  return std::all_of(poses.begin(), poses.end(), near);
}

void look_at(const DistanceAnswer3& x, const DistanceAnswer3& one) {
  promise(x.hit == one.hit, "a distance decides as yes and no does");
  promise(x.lower <= x.separation && x.separation <= x.upper, "an answer lies within its bounds");
  promise(x.lower <= one.upper && one.lower <= x.upper, "the bounds of one answer reach those of the other");
  promise(x.hit ? x.separation <= 0 : x.separation >= 0, "yes and no is the sign of the distance");
}
void look_at_whole(const DistanceAnswer3& x, const DistanceAnswer3& one) {
  look_at(x, one);
  promise(std::isfinite(x.separation) && is_finite(x.normal) && is_finite(x.point_a) && is_finite(x.point_b),
          "an answer is finite");
  promise(x.status != QueryStatus::max_iterations, "no search ends at its limit");
}

template <class Pair>
std::vector<Pair> all_pairs(std::size_t first, std::size_t second) {
  std::vector<Pair> pairs;
  for (std::uint32_t i = 0; i < first; ++i)
    for (std::uint32_t j = 0; j < second; ++j) pairs.push_back({i, j});
  return pairs;
}
// Every two once, in both orders by turns, and each with itself
template <class Pair>
std::vector<Pair> all_pairs_of(std::size_t count) {
  std::vector<Pair> pairs;
  for (std::uint32_t i = 0; i < count; ++i)
    for (std::uint32_t j = i; j < count; ++j) pairs.push_back((i + j) % 2 == 0 ? Pair{i, j} : Pair{j, i});
  return pairs;
}

void hulls_of_bytes(Bytes& bytes, std::uint32_t choice) {
  std::vector<Shape3> hulls;
  std::vector<Pose3d> poses;
  for (std::uint32_t count = 2 + bytes.below(kMostBodiesOfBatch - 1); count > 0; --count) {
    std::vector<Vec3d> points(1 + bytes.below(kMostCorners));
    const double scale = scale_of(bytes);
    for (Vec3d& p : points) p = bytes.vector<3>() * scale;
    const auto made = make_hull_shape3(points);
    hulls.push_back(made ? *made : *make_hull_shape3(std::vector<Vec3d>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
    poses.push_back(pose_of_batch(bytes));
  }
  HullBatch3 batch;
  if (!taken(batch.build(hulls, poses), poses)) return;
  promise(batch.size() == hulls.size(), "a batch has its hulls");

  const auto pairs = all_pairs_of<HullBatch3::Pair>(hulls.size());
  std::vector<std::uint8_t> plain(pairs.size()), lanes(pairs.size()), doubles(pairs.size());
  batch.intersects_scalar(pairs, plain);
  batch.intersects(pairs, lanes);
  batch.intersects_double(pairs, doubles);
  promise(lanes == plain && doubles == plain, "lanes decide as single queries");
  std::vector<DistanceAnswer3> one(pairs.size()), narrow(pairs.size()), wide(pairs.size());
  batch.distances_scalar(pairs, one);
  batch.distances(pairs, narrow);
  batch.distances_double(pairs, wide);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto [i, j] = pairs[k];
    const Placement3 at = make_placement(poses[i], poses[j]);
    promise(intersects(hulls[i], hulls[j], at) == (plain[k] != 0), "a batch decides as the query of two shapes");
    promise(one[k].hit == (plain[k] != 0), "a distance decides as yes and no does");
    look_at_whole(one[k], one[k]);
    look_at_whole(narrow[k], one[k]);
    look_at_whole(wide[k], one[k]);
  }
  using Query = void (HullBatch3::*)(std::span<const HullBatch3::Pair>, std::span<DistanceAnswer3>) const noexcept;
  constexpr Query kQueries[] = {&HullBatch3::gaps,          &HullBatch3::depths,      &HullBatch3::gaps_double,
                                &HullBatch3::depths_double, &HullBatch3::gaps_scalar, &HullBatch3::depths_scalar};
  for (std::uint32_t k = 0; k < 2; ++k) {
    (batch.*kQueries[(2 * choice + k) % std::size(kQueries)])(pairs, narrow);
    for (std::size_t i = 0; i < pairs.size(); ++i) look_at(narrow[i], one[i]);
  }
  // A cache goes from each pose to the next
  GjkCache3 cache;
  const Shape3 &a = hulls[0], &b = hulls[1];
  for (std::size_t k = 0; k < poses.size(); ++k) {
    const Placement3 at = make_placement(poses[0], poses[k]);
    const DistanceAnswer3 cold = convex_distance3(a, b, at);
    look_at_whole(convex_distance3(a, b, at, &cache), cold);
    promise(convex_intersects3(a, b, at, &cache) == cold.hit, "a cache changes no decision");
    look_at(convex_gap3(a, b, at, &cache), cold);
    look_at(convex_depth3(a, b, at, &cache), cold);
  }
}

void boxes_of_bytes(Bytes& bytes) {
  std::vector<Vec3d> halves;
  std::vector<Pose3d> poses;
  for (std::uint32_t count = 2 + bytes.below(kMostBodiesOfBatch - 1); count > 0; --count) {
    const double scale = scale_of(bytes);
    halves.push_back(Vec3d{bytes.size(), bytes.size(), bytes.size()} * scale);
    if (!make_box3(halves.back())) halves.back() = {1, 1, 1};
    poses.push_back(pose_of_batch(bytes));
  }
  BoxBatch3 batch;
  if (!taken(batch.build(halves, poses), poses)) return;

  const auto pairs = all_pairs_of<BoxPair>(halves.size());
  std::vector<std::uint8_t> plain(pairs.size()), lanes(pairs.size()), doubles(pairs.size()), scalar(pairs.size());
  batch.intersects_plain(pairs, plain);
  batch.intersects(pairs, lanes);
  batch.intersects_double(pairs, doubles);
  batch.intersects_scalar(pairs, scalar);
  promise(lanes == plain && doubles == plain && scalar == plain, "lanes decide as single queries");
  std::vector<DistanceAnswer3> answers(pairs.size());
  std::vector<BoxDepth3> depths(pairs.size());
  batch.distances(pairs, answers);
  batch.depths(pairs, depths);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto [i, j] = pairs[k];
    const Placement3 at = make_placement(poses[i], poses[j]);
    promise(box_box_intersects3(halves[i], halves[j], at) == (plain[k] != 0),
            "a batch decides as the query of two boxes");
    look_at_whole(answers[k], box_box_distance3(halves[i], halves[j], at));
    const BoxDepth3 one = box_box_depth3(halves[i], halves[j], at), &x = depths[k];
    promise(x.hit == one.hit && one.hit == (plain[k] != 0), "a depth decides as yes and no does");
    if (!x.hit) continue;
    promise(is_finite(x.normal) && x.lower <= x.depth && x.depth <= x.upper, "a depth lies within its bounds");
    promise(x.lower <= one.upper && one.lower <= x.upper, "the bounds of one depth reach those of the other");
  }
}

void rods_of_bytes(Bytes& bytes) {
  std::vector<SphereShape3> balls;
  std::vector<CapsuleShape3> rods;
  std::vector<Pose3d> at_balls, at_rods;
  for (std::uint32_t count = 1 + bytes.below(kMostBodiesOfBatch); count > 0; --count) {
    const double scale = scale_of(bytes);
    const auto ball = make_sphere3(bytes.size() * scale);
    const Vec3d p = bytes.vector<3>() * scale, q = bytes.vector<3>() * scale;
    const auto rod = make_capsule3(p, q, bytes.size() * scale);
    balls.push_back(ball ? ball->as<SphereShape3>() : SphereShape3{1});
    rods.push_back(rod && rod->kind() == ShapeKind3::capsule ? rod->as<CapsuleShape3>()
                                                             : CapsuleShape3{{0, 0, 0}, {1, 0, 0}, 1});
    at_balls.push_back({bytes.vector<3>() * scale, {}});
    if (!near(at_balls.back())) at_balls.back() = {};
    at_rods.push_back(pose_of_batch(bytes));
  }
  SphereCapsuleBatch3 batch;
  if (!taken(batch.build(balls, at_balls, rods, at_rods), at_rods)) return;

  const auto pairs = all_pairs<SphereCapsuleBatch3::Pair>(balls.size(), rods.size());
  std::vector<std::uint8_t> hits(pairs.size()), narrow_hits(pairs.size());
  std::vector<DistanceAnswer3> answers(pairs.size());
  std::vector<double> wide(pairs.size()), scalar(pairs.size());
  std::vector<float> narrow(pairs.size()), narrow_scalar(pairs.size());
  batch.intersects(pairs, hits);
  batch.intersects_float(pairs, narrow_hits);
  batch.distances(pairs, answers);
  batch.distances(pairs, wide);
  batch.distances_scalar(pairs, scalar);
  batch.distances_float(pairs, narrow);
  batch.distances_float_scalar(pairs, narrow_scalar);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto [i, j] = pairs[k];
    const DistanceAnswer3 one = sphere_capsule_distance3(balls[i].radius, rods[j], at_balls[i], at_rods[j]);
    promise((hits[k] != 0) == one.hit && (narrow_hits[k] != 0) == one.hit, "lanes decide as single queries");
    look_at_whole(answers[k], one);
    for (const double x : {wide[k], scalar[k]})
      promise(std::isfinite(x) && (x <= 0) == one.hit, "yes and no is the sign of the distance");
    for (const float x : {narrow[k], narrow_scalar[k]})
      promise(std::isfinite(x) && (x <= 0) == one.hit, "yes and no is the sign of the distance in float");
  }
}

}  // namespace

void fuzz_batch(FuzzBytes all) {
  Bytes bytes(all);
  const std::uint8_t choice = bytes.byte();
  switch (choice % 4) {
    case 0:
      return boxes_of_bytes(bytes);
    case 1:
      return rods_of_bytes(bytes);
    default:
      return hulls_of_bytes(bytes, choice / 4);
  }
}

}  // namespace sudar_fuzz
