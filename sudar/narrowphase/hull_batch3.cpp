// What:    Many pairs of hulls at once, see the header: what lanes find, and its proofs in double.
#include <sudar/math/unit_rotation.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/hull_batch3.hpp>
#include <sudar/narrowphase/hull_lanes3.hpp>
#include <sudar/narrowphase/simplex3.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sudar {

namespace {

// Is what the lanes found true? 1 apart, -1 a common point, 0 not proven
int proven(const ConvexView3& a, const ConvexView3& b, const Placement3& at, const HullFound& found) {
  const Difference3 difference(a, b, at);
  if (found.outcome == GjkOutcome::apart) {
    const Vec3d& axis = found.cache.axis;
    return is_finite(axis) && difference.proves_apart(axis, difference.least(axis).w) ? 1 : 0;
  }
  if (found.outcome != GjkOutcome::hit || found.cache.count < 3) return 0;
  if (found.cache.count == 3) {
    DifferencePoint3 corners[4];
    for (int i = 0; i < 3; ++i) corners[i] = difference.of_vertices(found.cache.a[i], found.cache.b[i]);
    return surrounded_with_center(difference, corners, difference.center()) ? -1 : 0;
  }
  DifferencePoint3 p[4];
  double m = 0, volume[4];
  for (int i = 0; i < 4; ++i) {
    p[i] = difference.of_vertices(found.cache.a[i], found.cache.b[i]);
    m = std::max(m, max_abs(p[i].w));
  }
  return tetrahedron_volumes(p, difference.volume_error(m), volume) ? -1 : 0;
}

// The single queries
constexpr auto kDistance = [](const ConvexView3& a, const ConvexView3& b, const Placement3& at, GjkCache3* cache) {
  return convex_distance3(a, b, at, cache);
};
constexpr auto kGap = [](const ConvexView3& a, const ConvexView3& b, const Placement3& at, GjkCache3* cache) {
  return convex_gap3(a, b, at, cache);
};
constexpr auto kDepth = [](const ConvexView3& a, const ConvexView3& b, const Placement3& at, GjkCache3* cache) {
  return convex_depth3(a, b, at, cache);
};

}  // namespace

Result<void> HullBatch3::build(std::span<const Shape3> hulls, std::span<const Pose3d> poses) noexcept {
  return guarded([&]() -> Result<void> {
    if (hulls.size() != poses.size())
      return Error{ErrorCode::invalid_argument, Error::kNoElement, "as many poses as hulls"};
    if (hulls.size() > std::numeric_limits<std::uint32_t>::max())
      return Error{ErrorCode::too_large, Error::kNoElement, "more hulls than indices"};
    std::vector<Pose3d> placed(poses.size());
    for (std::size_t i = 0; i < hulls.size(); ++i) {
      if (hulls[i].kind() != ShapeKind3::hull || hulls[i].as<HullShape3>().radius != 0)
        return Error{ErrorCode::invalid_argument, i, "not a hull without a radius"};
      if (hulls[i].as<HullShape3>().body->vertex_count() > kMostLaneVertices)
        return Error{ErrorCode::too_large, i, "more vertices than lanes of float can number"};
      if (!is_finite(poses[i].position)) return Error{ErrorCode::non_finite, i, "pose"};
      const Result<Quatd> turn = checked_rotation(poses[i].rotation, i);
      if (!turn) return turn.error();
      placed[i] = {poses[i].position, *turn};
    }
    std::vector<ConvexView3> views;
    for (const Shape3& hull : hulls) views.push_back(make_view(hull));
    shapes_.assign(hulls.begin(), hulls.end());
    views_ = std::move(views);
    poses_ = std::move(placed);
    return {};
  });
}

// The searches of one kind for all pairs, and `finish(k, placement, found)` for each
template <class Finish>
void HullBatch3::run(std::span<const Pair> pairs, bool in_float, bool decide, const Finish& finish) const {
  Placement3 at[kHullBlock];
  HullLane lanes[kHullBlock];
  HullFound found[kHullBlock];
  for (std::size_t from = 0; from < pairs.size(); from += kHullBlock) {
    const std::size_t here = std::min(kHullBlock, pairs.size() - from);
    for (std::size_t k = 0; k < here; ++k) {
      const Pair& pair = pairs[from + k];
      at[k] = make_placement(poses_[pair.a], poses_[pair.b]);
      lanes[k] = {views_[pair.a].body, views_[pair.b].body, &at[k]};
    }
    search_lanes(in_float, lanes, here, decide, found);
    for (std::size_t k = 0; k < here; ++k) finish(from + k, at[k], found[k]);
  }
}

std::size_t HullBatch3::decide_all(std::span<const Pair> pairs, std::span<std::uint8_t> hits, bool in_float) const {
  SUDAR_ASSERT(hits.size() >= pairs.size());
  std::size_t left = 0;
  run(pairs, in_float, true, [&](std::size_t k, const Placement3& at, const HullFound& found) {
    const ConvexView3 &a = views_[pairs[k].a], &b = views_[pairs[k].b];
    int sign = !found.proven ? proven(a, b, at, found) : found.outcome == GjkOutcome::hit ? -1 : 1;
    if (sign == 0) {
      ++left;
      sign = convex_intersects3(a, b, at) ? -1 : 1;
    }
    hits[k] = sign < 0 ? std::uint8_t{1} : std::uint8_t{0};
  });
  return left;
}
// `single` goes on from what the lanes left
template <class Single>
void HullBatch3::measure_all(std::span<const Pair> pairs, std::span<DistanceAnswer3> answers, bool in_float,
                             const Single& single) const {
  SUDAR_ASSERT(answers.size() >= pairs.size());
  run(pairs, in_float, false, [&](std::size_t k, const Placement3& at, HullFound& found) {
    answers[k] = single(views_[pairs[k].a], views_[pairs[k].b], at, &found.cache);
  });
}
template <class Single>
void HullBatch3::measure_each(std::span<const Pair> pairs, std::span<DistanceAnswer3> answers,
                              const Single& single) const {
  SUDAR_ASSERT(answers.size() >= pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k)
    answers[k] = single(views_[pairs[k].a], views_[pairs[k].b], make_placement(poses_[pairs[k].a], poses_[pairs[k].b]),
                        static_cast<GjkCache3*>(nullptr));
}

std::size_t HullBatch3::intersects(std::span<const Pair> pairs, std::span<std::uint8_t> hits) const noexcept {
  return decide_all(pairs, hits, true);
}
std::size_t HullBatch3::intersects_double(std::span<const Pair> pairs, std::span<std::uint8_t> hits) const noexcept {
  return decide_all(pairs, hits, false);
}
void HullBatch3::distances(std::span<const Pair> pairs, std::span<DistanceAnswer3> answers) const noexcept {
  measure_all(pairs, answers, true, kDistance);
}
void HullBatch3::distances_double(std::span<const Pair> pairs, std::span<DistanceAnswer3> answers) const noexcept {
  measure_all(pairs, answers, false, kDistance);
}
void HullBatch3::gaps(std::span<const Pair> pairs, std::span<DistanceAnswer3> answers) const noexcept {
  measure_all(pairs, answers, true, kGap);
}
void HullBatch3::gaps_double(std::span<const Pair> pairs, std::span<DistanceAnswer3> answers) const noexcept {
  measure_all(pairs, answers, false, kGap);
}
// The faces of the difference decide and measure in one go; what the lanes could find would save them nothing
void HullBatch3::depths(std::span<const Pair> pairs, std::span<DistanceAnswer3> answers) const noexcept {
  measure_each(pairs, answers, kDepth);
}
void HullBatch3::depths_double(std::span<const Pair> pairs, std::span<DistanceAnswer3> answers) const noexcept {
  measure_each(pairs, answers, kDepth);
}

void HullBatch3::intersects_scalar(std::span<const Pair> pairs, std::span<std::uint8_t> hits) const noexcept {
  SUDAR_ASSERT(hits.size() >= pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const Placement3 at = make_placement(poses_[pairs[k].a], poses_[pairs[k].b]);
    hits[k] = convex_intersects3(views_[pairs[k].a], views_[pairs[k].b], at) ? 1 : 0;
  }
}
void HullBatch3::distances_scalar(std::span<const Pair> pairs, std::span<DistanceAnswer3> answers) const noexcept {
  measure_each(pairs, answers, kDistance);
}
void HullBatch3::gaps_scalar(std::span<const Pair> pairs, std::span<DistanceAnswer3> answers) const noexcept {
  measure_each(pairs, answers, kGap);
}
void HullBatch3::depths_scalar(std::span<const Pair> pairs, std::span<DistanceAnswer3> answers) const noexcept {
  measure_each(pairs, answers, kDepth);
}

}  // namespace sudar
