// What:    The walk of a ray through a RayTree, eight boxes and four triangles at a time. See ray_tree.hpp.
// Differs: Compiled for every instruction set through Highway and chosen at run time. Which boxes are entered may differ
//          between them; the hits are those of exact tests.
#include <sudar/shapes/ray_tree.hpp>
#include <sudar/shapes/ray_tree_walk.hpp>

#include <algorithm>
#include <bit>

#if defined(SUDAR_HAVE_HIGHWAY)

// This file is compiled once for every instruction set: foreach_target.h includes it again and again
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sudar/shapes/ray_tree_kernels.cpp"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace sudar::ray_simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR || !HWY_HAVE_FLOAT64

template <class Sink>
void Walk(const RayTree& tree, const TreeRay& ray, Sink& sink) {
  walk_ray_plain(tree, ray, 0, sink);
}

#else

template <class D, class M>
HWY_ATTR HWY_INLINE std::uint32_t BitsOf(D d, M mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  return bytes[0];
}

// Bit i: box i is entered by `limit`, at near[i]. The numbers of the ray come as vectors, loaded once for all nodes.
template <class D, class V>
HWY_ATTR HWY_INLINE std::uint32_t MeetBoxes(D d, const RayTree::Node& node, const std::size_t (&side)[3], V near_x,
                                            V near_y, V near_z, V near_ix, V near_iy, V near_iz, V far_x, V far_y,
                                            V far_z, V far_ix, V far_iy, V far_iz, V limit, float* near) {
  // From lo to hi; the other side is what is left of it
  constexpr std::size_t kSide = 3 * RayTree::kWidth, kAxis = RayTree::kWidth;
  const float* planes = node.lo[0];
  const std::size_t lanes = hn::Lanes(d);
  std::uint32_t bits = 0;
  for (std::size_t first = 0; first < RayTree::kWidth; first += lanes) {
    const float *x = planes + first, *y = x + kAxis, *z = y + kAxis;
    const V x0 = hn::Mul(hn::Sub(hn::Load(d, x + side[0]), near_x), near_ix);
    const V y0 = hn::Mul(hn::Sub(hn::Load(d, y + side[1]), near_y), near_iy);
    const V z0 = hn::Mul(hn::Sub(hn::Load(d, z + side[2]), near_z), near_iz);
    const V x1 = hn::Mul(hn::Sub(hn::Load(d, x + (kSide - side[0])), far_x), far_ix);
    const V y1 = hn::Mul(hn::Sub(hn::Load(d, y + (kSide - side[1])), far_y), far_iy);
    const V z1 = hn::Mul(hn::Sub(hn::Load(d, z + (kSide - side[2])), far_z), far_iz);
    const V enter = hn::Max(hn::Max(x0, y0), hn::Max(z0, hn::Zero(d)));
    const V leave = hn::Min(hn::Min(x1, y1), hn::Min(z1, limit));
    hn::Store(enter, d, near + first);
    bits |= BitsOf(d, hn::Le(enter, leave)) << first;
  }
  return bits;
}

// Bit i: the line passes triangle i, surely when that bit of `sure` is set
HWY_ATTR HWY_INLINE std::uint32_t MeetTriangles(const RayTree::Leaf& leaf, const TreeRay& ray, std::uint32_t& sure) {
  const hn::CappedTag<double, RayTree::kLeafWidth> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  const V ox = hn::Set(d, ray.origin[ray.x]), oy = hn::Set(d, ray.origin[ray.y]);
  const V oz = hn::Set(d, ray.origin[ray.z]), sx = hn::Set(d, ray.shear_x), sy = hn::Set(d, ray.shear_y);
  const V above = hn::Set(d, ray.side_error), below = hn::Neg(above);
  std::uint32_t bits = 0;
  sure = 0;
  for (std::size_t first = 0; first < RayTree::kLeafWidth; first += lanes) {
    const auto corner = [&](int c, V& px, V& py) HWY_ATTR {
      const V z = hn::Sub(hn::Load(d, leaf.corner[c][ray.z] + first), oz);
      px = hn::Sub(hn::Sub(hn::Load(d, leaf.corner[c][ray.x] + first), ox), hn::Mul(sx, z));
      py = hn::Sub(hn::Sub(hn::Load(d, leaf.corner[c][ray.y] + first), oy), hn::Mul(sy, z));
    };
    V ax, ay, bx, by, cx, cy;
    corner(0, ax, ay);
    corner(1, bx, by);
    corner(2, cx, cy);
    const V u = hn::Sub(hn::Mul(bx, cy), hn::Mul(by, cx)), v = hn::Sub(hn::Mul(cx, ay), hn::Mul(cy, ax));
    const V w = hn::Sub(hn::Mul(ax, by), hn::Mul(ay, bx));
    const V least = hn::Min(u, hn::Min(v, w)), most = hn::Max(u, hn::Max(v, w));
    const auto miss = hn::And(hn::Lt(least, below), hn::Gt(most, above));
    const auto pass = hn::Or(hn::Gt(least, above), hn::Lt(most, below));
    bits |= (~BitsOf(d, miss) & ((1u << lanes) - 1)) << first;
    sure |= BitsOf(d, pass) << first;
  }
  return bits;
}

template <class Sink>
HWY_ATTR void Walk(const RayTree& tree, const TreeRay& ray, Sink& sink) {
  const hn::CappedTag<float, RayTree::kWidth> d;
  const auto near_x = hn::Set(d, ray.near_from[0]), near_ix = hn::Set(d, ray.near_inverse[0]);
  const auto near_y = hn::Set(d, ray.near_from[1]), near_iy = hn::Set(d, ray.near_inverse[1]);
  const auto near_z = hn::Set(d, ray.near_from[2]), near_iz = hn::Set(d, ray.near_inverse[2]);
  const auto far_x = hn::Set(d, ray.far_from[0]), far_ix = hn::Set(d, ray.far_inverse[0]);
  const auto far_y = hn::Set(d, ray.far_from[1]), far_iy = hn::Set(d, ray.far_inverse[1]);
  const auto far_z = hn::Set(d, ray.far_from[2]), far_iz = hn::Set(d, ray.far_inverse[2]);
  constexpr std::size_t kSide = 3 * RayTree::kWidth;
  const std::size_t side[3] = {ray.near_side[0] * kSide, ray.near_side[1] * kSide, ray.near_side[2] * kSide};

  // What waits: the time at which it is entered above, which as bits has the order of floats, and the child below
  std::uint64_t open[RayTree::kMaxDepth * (RayTree::kWidth - 1) + RayTree::kWidth];
  int count = 0;
  HWY_ALIGN float near[RayTree::kWidth];
  float limit = ray.limit_of(sink.limit);
  std::uint32_t child = 0;
  for (;;) {
    // Down to a leaf, along the child that is entered first; the others wait, the nearest on top
    while ((child & RayTree::kLeaf) == 0) {
      const RayTree::Node& node = tree.node(child);
      std::uint32_t bits = MeetBoxes(d, node, side, near_x, near_y, near_z, near_ix, near_iy, near_iz, far_x, far_y,
                                     far_z, far_ix, far_iy, far_iz, hn::Set(d, limit), near);
      const auto next = [&]() HWY_ATTR {
        const int lane = std::countr_zero(bits);
        bits &= bits - 1;
        return std::uint64_t{std::bit_cast<std::uint32_t>(near[lane])} << 32 | node.child[lane];
      };
      if (bits == 0) {
        child = kNoIndex;
        break;
      }
      if ((bits & (bits - 1)) == 0) {
        child = node.child[std::countr_zero(bits)];
        continue;
      }
      const std::uint64_t first = next(), second = next();
      std::uint64_t best = std::min(first, second);
      open[count] = std::max(first, second);
      const int base = count++;
      while (bits != 0) {  // NOLINT(bugprone-infinite-loop): next() takes one of them
        const std::uint64_t third = next(), other = std::max(best, third);
        best = std::min(best, third);
        int at = count++;
        for (; at > base && open[at - 1] < other; --at) open[at] = open[at - 1];
        open[at] = other;
      }
      child = static_cast<std::uint32_t>(best);
    }
    if (child != kNoIndex) {
      const RayTree::Leaf& leaf = tree.leaf(child & ~RayTree::kLeaf);
      std::uint32_t sure, bits = MeetTriangles(leaf, ray, sure);
      for (; bits != 0; bits &= bits - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(bits));
        if (leaf.triangle[lane] == kNoIndex) break;
        RayTreeHit hit;
        if (!meet_lane(ray, leaf, lane, (sure >> lane & 1) != 0, sink.limit, hit)) continue;
        if (!sink.take(hit, leaf, lane)) return;
        limit = ray.limit_of(sink.limit);
      }
    }
    // What waits and is not too late
    for (;;) {
      if (count == 0) return;
      const std::uint64_t top = open[--count];
      child = static_cast<std::uint32_t>(top);
      if (std::bit_cast<float>(static_cast<std::uint32_t>(top >> 32)) <= limit) break;
    }
  }
}

#endif

void WalkClosest(const RayTree& tree, const TreeRay& ray, ClosestSink& sink) { Walk(tree, ray, sink); }
void WalkAny(const RayTree& tree, const TreeRay& ray, AnySink& sink) { Walk(tree, ray, sink); }
void WalkAll(const RayTree& tree, const TreeRay& ray, AllSink& sink) { Walk(tree, ray, sink); }

}  // namespace HWY_NAMESPACE
}  // namespace sudar::ray_simd
HWY_AFTER_NAMESPACE();

#endif

#if !defined(SUDAR_HAVE_HIGHWAY) || HWY_ONCE

namespace sudar {

#if defined(SUDAR_HAVE_HIGHWAY)
namespace ray_simd {
HWY_EXPORT(WalkClosest);
HWY_EXPORT(WalkAny);
HWY_EXPORT(WalkAll);
}  // namespace ray_simd
#endif

bool closest_hit(const RayTree& tree, const Ray<3, double>& ray, double max_t, RayTreeHit& hit,
                 Triangle<3, double>* corners) noexcept {
  ClosestSink sink{max_t};
#if defined(SUDAR_HAVE_HIGHWAY)
  using namespace ray_simd;
  HWY_DYNAMIC_DISPATCH(WalkClosest)(tree, make_tree_ray(tree, ray), sink);
#else
  walk_ray_plain(tree, make_tree_ray(tree, ray), 0, sink);
#endif
  hit = sink.best;
  if (corners != nullptr && sink.leaf != nullptr) *corners = sink.leaf->at(sink.lane);
  return hit.triangle != kNoIndex;
}

bool any_hit(const RayTree& tree, const Ray<3, double>& ray, double max_t, RayTreeHit& hit) noexcept {
  AnySink sink{max_t};
#if defined(SUDAR_HAVE_HIGHWAY)
  using namespace ray_simd;
  HWY_DYNAMIC_DISPATCH(WalkAny)(tree, make_tree_ray(tree, ray), sink);
#else
  walk_ray_plain(tree, make_tree_ray(tree, ray), 0, sink);
#endif
  hit = sink.best;
  return hit.triangle != kNoIndex;
}

void all_hits(const RayTree& tree, const Ray<3, double>& ray, double max_t, std::vector<RayTreeHit>& hits) {
  hits.clear();
  AllSink sink{max_t, hits};
#if defined(SUDAR_HAVE_HIGHWAY)
  using namespace ray_simd;
  HWY_DYNAMIC_DISPATCH(WalkAll)(tree, make_tree_ray(tree, ray), sink);
#else
  walk_ray_plain(tree, make_tree_ray(tree, ray), 0, sink);
#endif
}

}  // namespace sudar

#endif
