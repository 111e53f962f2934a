// What:    A ray as the walk through a RayTree reads it, rounded so that no box that it meets is lost. Internal.
// Source:  Ize, "Robust BVH Ray Traversal", 2013.
// Differs: Besides the slabs' rounding, that of the origin is covered: there are two of it, below and above the true one.
//          An origin far away is first moved along the ray to where the mesh begins, so that floats suffice.
// Frame:   The tree's: tree = (mesh - origin) · scale, and tree time = (t - start) · rate.
#pragma once

#include <sudar/core/trace.hpp>
#include <sudar/geom/ray_triangle.hpp>
#include <sudar/math/scalar.hpp>
#include <sudar/shapes/ray_tolerance.hpp>
#include <sudar/shapes/ray_tree.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace sudar {

struct TreeRay {
  Ray<3, double> ray;
  // The planes through which the ray enters and leaves a box: of each axis (lo - from) · inverse
  float near_from[3], far_from[3], near_inverse[3], far_inverse[3];
  int near_side[3];  // 0: it enters through lo
  double start, rate;
  // The shear that turns the ray into the axis z
  double origin[3];
  int x, y, z;
  double shear_x, shear_y;
  double side_error;  // of the side of an edge, for any of the mesh

  // Everything that meets the ray by t has a box that it enters by this
  float limit_of(double t) const {
    const double at = (t - start) * rate;
    return at < 0x1p60 ? float_up(at + kRayLimit * (1 + std::fabs(at))) : 0x1p62f;
  }
};

inline TreeRay make_tree_ray(const RayTree& tree, const Ray<3, double>& ray) noexcept {
  TreeRay out;
  out.ray = ray;
  const double o[3] = {ray.origin.x, ray.origin.y, ray.origin.z},
               c[3] = {tree.origin().x, tree.origin().y, tree.origin().z};
  const double d[3] = {ray.direction.x, ray.direction.y, ray.direction.z};
  const double dx = std::fabs(d[0]), dy = std::fabs(d[1]), dz = std::fabs(d[2]);
  const Vec3d to_middle = tree.origin() - ray.origin;
  const double size = std::max(dx, std::max(dy, dz)), unit = tree.unit(), reach = max_abs(to_middle);
  // From two units before the middle is passed, when the origin is farther away than four
  out.start = 0;
  if (reach > 4 * unit) {
    const Vec3d along = ray.direction / size;
    const double length2 = dot(along, along);
    // A little less, for its own rounding
    out.start =
        std::max(0.0, (dot(to_middle, along) * (1 - kRayStartLess) - 2 * std::sqrt(length2) * unit) / length2 / size);
  }
  // Powers of two: rate <= speed in the tree's units < 2 rate
  const std::uint64_t exponent = std::bit_cast<std::uint64_t>(size * tree.scale()) >> 52;
  out.rate = std::bit_cast<double>(exponent << 52);
  const double shrink = tree.scale() * std::bit_cast<double>((2046 - exponent) << 52);
  // Roundings of the origin as the nodes see it: it is computed from these. Those of float come on top.
  constexpr double kMoved = 16 * kRoundoff, kFar = 0x1p60;
  const double slack = kMoved * (reach + 2 * tree.far() + out.start * size) * tree.scale();
  const auto hair = static_cast<float>(std::min(slack, kFar)) + std::numeric_limits<float>::min();
  for (int i = 0; i < 3; ++i) {
    const double at = (o[i] + out.start * d[i] - c[i]) * tree.scale();
    const auto from = static_cast<float>(std::min(std::max(at, -kFar), kFar));
    const float margin = hair + std::fabs(from) * kRayFloat;
    // The conversion, the inverse, the subtraction and the products round by six units of float at most. A component that
    // is less than kLeast crosses none of the hair by which all boxes are grown.
    constexpr float kLeast = 0x1p-100f, kLess = 1 - kRaySlab, kMore = 1 + kRaySlab;
    const auto small = static_cast<float>(d[i] * shrink);
    const float inverse = 1 / std::copysign(std::max(std::fabs(small), kLeast), small);
    out.near_side[i] = std::signbit(inverse) ? 1 : 0;
    out.near_from[i] = from + std::copysign(margin, inverse);
    out.far_from[i] = from - std::copysign(margin, inverse);
    out.near_inverse[i] = inverse * kLess;
    out.far_inverse[i] = inverse * kMore;
  }
  // The axis along which the ray is longest becomes z
  const int z = dz >= std::max(dx, dy) ? 2 : dy >= dx ? 1 : 0;
  constexpr int kNext[3] = {1, 2, 0}, kPrevious[3] = {2, 0, 1};
  out.z = z, out.x = kNext[z], out.y = kPrevious[z];
  out.shear_x = d[out.x] / d[z];
  out.shear_y = d[out.y] / d[z];
  for (int i = 0; i < 3; ++i) out.origin[i] = o[i];
  // With M the largest coordinate of a corner as seen from the origin: sheared coordinates are below 2 M and off by 6
  // roundings of M; a side is the difference of two products of them: off by 64 roundings of M² at most
  constexpr double kSideError = 72 * kRoundoff, kTiny = 0x1p-900, kMore = 1 + 8 * kRoundoff;
  const double most = (reach + unit) * kMore;
  out.side_error = kSideError * most * most + kTiny;
  return out;
}

// A triangle of a leaf that the line passes, surely or perhaps, as a hit by `limit`
inline bool meet_lane(const TreeRay& ray, const RayTree::Leaf& leaf, std::uint32_t lane, bool surely, double limit,
                      RayTreeHit& hit) noexcept {
  const Triangle<3, double> triangle = leaf.at(lane);
  if (surely) {
    hit.t = plane_time(ray.ray, triangle);
    if (!(hit.t >= 0)) return false;
  } else {
    const RayTriangleHit found = intersect(ray.ray, triangle);
    if (!found.hit) return false;
    hit.t = found.t;
  }
  hit.triangle = leaf.triangle[lane];
  return hit.t <= limit;
}

// What a walk is after. limit: hits after it do not matter.
struct ClosestSink {
  double limit;
  RayTreeHit best{0, kNoIndex};

  const RayTree::Leaf* leaf = nullptr;
  std::uint32_t lane = 0;

  bool take(const RayTreeHit& hit, const RayTree::Leaf& at, std::uint32_t number) {
    if (best.triangle == kNoIndex || hit < best) best = hit, limit = hit.t, leaf = &at, lane = number;
    return true;
  }
};
struct AnySink {
  double limit;
  RayTreeHit best{0, kNoIndex};

  bool take(const RayTreeHit& hit, const RayTree::Leaf&, std::uint32_t) {
    best = hit;
    return false;
  }
};
struct AllSink {
  double limit;
  std::vector<RayTreeHit>& hits;

  bool take(const RayTreeHit& hit, const RayTree::Leaf&, std::uint32_t) {
    hits.push_back(hit);
    return true;
  }
};

// The plain walk: one box and one triangle at a time, in the order of the nodes. False: the sink has had enough.
template <class Sink, class Trace = NoTrace>
bool walk_ray_plain(const RayTree& tree, const TreeRay& ray, std::uint32_t index, Sink& sink, Trace trace = {}) {
  const RayTree::Node& node = tree.node(index);
  for (std::uint32_t i = 0; i < RayTree::kWidth; ++i) {
    double enter = 0, leave = static_cast<double>(ray.limit_of(sink.limit));
    for (int k = 0; k < 3; ++k) {
      const double lo = node.lo[k][i], hi = node.hi[k][i];
      const bool flip = ray.near_side[k] == 1;
      enter = std::max(enter, ((flip ? hi : lo) - ray.near_from[k]) * ray.near_inverse[k]);
      leave = std::min(leave, ((flip ? lo : hi) - ray.far_from[k]) * ray.far_inverse[k]);
    }
    if constexpr (Trace::kEnabled) {
      if (node.lo[0][i] <= node.hi[0][i]) {
        const std::uint32_t ids[] = {index, i, node.child[i]};
        double numbers[6];
        for (int k = 0; k < 3; ++k) {
          const auto place = [&](float x) { return tree.origin()[k] + static_cast<double>(x) * tree.unit(); };
          numbers[k] = place(node.lo[k][i]), numbers[3 + k] = place(node.hi[k][i]);
        }
        trace({.step = enter <= leave ? "enter" : "pass", .ids = ids, .numbers = numbers, .value = enter});
      }
    }
    if (!(enter <= leave)) continue;
    if ((node.child[i] & RayTree::kLeaf) == 0) {
      if (!walk_ray_plain(tree, ray, node.child[i], sink, trace)) return false;
      continue;
    }
    const RayTree::Leaf& leaf = tree.leaf(node.child[i] & ~RayTree::kLeaf);
    for (std::uint32_t lane = 0; lane < RayTree::kLeafWidth && leaf.triangle[lane] != kNoIndex; ++lane)
      if (RayTreeHit hit; meet_lane(ray, leaf, lane, false, sink.limit, hit)) {
        if constexpr (Trace::kEnabled) trace({.step = "hit", .ids = {&hit.triangle, 1}, .value = hit.t});
        if (!sink.take(hit, leaf, lane)) return false;
      } else if constexpr (Trace::kEnabled) {
        trace({.step = "miss", .ids = {&leaf.triangle[lane], 1}});
      }
  }
  return true;
}

}  // namespace sudar
