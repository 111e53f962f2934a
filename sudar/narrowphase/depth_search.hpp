// What:    The search for a short translation that separates two bodies that are not convex: what the depths of meshes,
//          compounds and non-convex polygons have in common.
// Source:  the definition of seed B7; the walk is that of Je, Tang, Lee, Lee, Kim, "PolyDepth: Real-Time Penetration Depth
//          Computation Using Iterative Contact-Space Projection", 2012: the origin is projected on the planes between near
//          pieces, over and over.
// Differs: The depth of two bodies is the length of the shortest translation of B after which their interiors are apart.
//          For non-convex bodies that is a problem of their whole difference set, so the answer is a bracket:
//          - from above, the length of a translation that was tried and found to separate. From each of a few directions
//            the translation is first halved to where the bodies begin to meet, then walks along the border: two convex
//            pieces at a distance g with normal n stay apart while B moves by δ with n · δ >= -g, because their distance
//            is a convex function of δ. So the shortest translation within all these planes separates as well, and the
//            walk never has to go back. It ends where no plane lets it on: a shortest translation, of those near it;
//          - from below, what the caller can prove: the depth of the deepest pair of pieces, or the largest distance of a
//            point of one body, inside of the other, to that one's surface.
// Frame:   A's.
// Fails:   never; ends after a number of tries that is known beforehand. converged when the bracket is closed,
//          max_iterations with the bracket otherwise.
#pragma once

#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/answer.hpp>
#include <sudar/narrowphase/underflow.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace sudar {

// How far around pieces are looked for, relative to the translation; the share of a step that is proven to be free that is
// taken, against its rounding; and how much longer than the best translation the first one along a direction may be:
// larger, more directions that lead nowhere; smaller, some that would have are left out.
inline constexpr double kDepthReach = 0x1p-3, kDepthStep = 1 - 0x1p-10, kDepthDetour = 2;
// Of the halvings, kMostDepthHalvings only as long as nothing is met: a shallow contact has a way out that is much shorter
// than the bodies.
inline constexpr int kDepthHalvings = 5, kMostDepthHalvings = 56, kDepthSteps = 24;
// How many of the translations found by halving are walked in from, and the gain of a step below which the others end
inline constexpr int kDepthStarts = 8;
inline constexpr double kDepthGain = 0x1p-10;
// How much farther along the same way the bodies must still be apart
inline constexpr double kDepthRoom = 1.01;
// Of the size: how much farther out than they are freed bodies are looked at, for where they touch. Less: rounding is taken
// for a side that slides along another one. More: witness points farther apart than the depth.
inline constexpr double kDepthHair = 0x1p-30;
// Of the size: overlaps of curved bodies that the decision may take for gaps
inline constexpr double kUnclearTouch = 0x1p-30;
// Cosine above which two directions are one to start from
inline constexpr double kSameDirection = 0.9;

// Pairs of convex pieces, one of each body, that are near each other: the nearest kMost of them
template <int D>
class NearPieces {
 public:
  static constexpr int kMost = 96;
  struct Piece {
    Vec<D, double> normal;  // unit, from A to B
    double gap;
    Vec<D, double> point_a, point_b;
  };
  explicit NearPieces(double reach) : reach_(reach) {}

  // All pairs that are nearer than this are here
  double reach() const { return reach_; }
  bool meets() const { return meets_; }
  const Piece& met() const { return met_; }  // if any does
  std::span<const Piece> pieces() const { return {pieces_, static_cast<std::size_t>(count_)}; }
  const Piece* nearest() const {
    const Piece* best = nullptr;
    for (const Piece& piece : pieces())
      if (best == nullptr || piece.gap < best->gap) best = &piece;
    return best;
  }

  void add(const DistanceAnswer<D>& x) {
    if (x.hit || !(x.separation > 0)) {
      meets_ = true;
      met_ = {x.normal, x.separation, x.point_a, x.point_b};
    }
    if (meets_ || !(x.separation < reach_)) return;
    const Piece piece{x.normal, std::max(0.0, x.lower), x.point_a, x.point_b};
    if (count_ < kMost) {
      pieces_[count_++] = piece;
      return;
    }
    Piece* far = std::max_element(pieces_, pieces_ + count_, [](auto& p, auto& q) { return p.gap < q.gap; });
    reach_ = std::min(reach_, std::max(far->gap, piece.gap));
    if (piece.gap < far->gap) *far = piece;
  }

 private:
  Piece pieces_[kMost], met_{};
  int count_ = 0;
  double reach_;
  bool meets_ = false;
};

namespace detail {

// The half-space normal · x >= offset
template <int D>
struct Wall {
  Vec<D, double> normal;
  double offset;
};

// The point of a line that is in front of all walls and nearest to `from`, which is on the line
template <int D>
Vec<D, double> nearest_on_line(const Vec<D, double>& from, const Vec<D, double>& along,
                               std::span<const Wall<D>> walls) {
  double lo = -std::numeric_limits<double>::infinity(), hi = std::numeric_limits<double>::infinity();
  for (const Wall<D>& wall : walls) {
    const double slope = dot(wall.normal, along), need = wall.offset - dot(wall.normal, from);
    if (slope > kFlatSimplex) lo = std::max(lo, need / slope);
    if (slope < -kFlatSimplex) hi = std::min(hi, need / slope);
  }
  return from + along * std::max(lo, std::min(hi, 0.0));
}
// The point nearest to the origin in front of all walls, one wall after the other (Seidel's order, lowest dimension last)
inline Vec2d nearest_to_origin(std::span<const Wall<2>> walls) {
  Vec2d best{};
  for (std::size_t i = 0; i < walls.size(); ++i)
    if (dot(walls[i].normal, best) < walls[i].offset)
      best = nearest_on_line<2>(walls[i].normal * walls[i].offset, perp(walls[i].normal), walls.first(i));
  return best;
}
inline Vec3d nearest_to_origin(std::span<const Wall<3>> walls) {
  Vec3d best{};
  for (std::size_t i = 0; i < walls.size(); ++i) {
    const Vec3d& n = walls[i].normal;
    if (!(dot(n, best) < walls[i].offset)) continue;
    best = n * walls[i].offset;
    for (std::size_t j = 0; j < i; ++j) {
      if (!(dot(walls[j].normal, best) < walls[j].offset)) continue;
      // On both planes: a n + b m, and along their line
      const Vec3d& m = walls[j].normal;
      const Vec3d across = cross(n, m);
      const double square = dot(across, across), c = dot(n, m);
      if (!(square > kFlatSimplex * kFlatSimplex)) continue;
      const double a = (walls[i].offset - c * walls[j].offset) / square,
                   b = (walls[j].offset - c * walls[i].offset) / square;
      best = nearest_on_line<3>(n * a + m * b, across / std::sqrt(square), walls.first(j));
    }
  }
  return best;
}

}  // namespace detail

template <int D>
struct DepthSearch {
  using V = Vec<D, double>;

  double best = std::numeric_limits<double>::infinity();  // the length of a translation that separates
  V direction{};                                          // unit
  double size = 0;                                        // of the bodies: what their rounding is measured by
  double unclear = 0;  // overlaps below this may be taken for gaps, where something is curved
  int tries = 0;
};

// What is asked of the bodies: `hits(t)`, do they meet when B is moved by t; and `near(t, pieces)`, which adds the pairs
// of pieces that are nearer than pieces.reach() then.
//
// From a translation that separates to the shortest near it, until a step gains less than `gain` of the way
template <int D, class Bodies>
Vec<D, double> walk_in(DepthSearch<D>& search, const Vec<D, double>& start, int steps, double gain, Bodies&& bodies) {
  using V = Vec<D, double>;
  V at = start, before = start;
  double reach = kDepthReach * length(start);
  for (int step = 0; step < steps; ++step) {
    ++search.tries;
    NearPieces<D> near(reach);
    bodies.near(at, near);
    // Only rounding can have done that
    if (near.meets()) return before;
    before = at;
    // Walls a hair in front of the pieces, so that their normals stay well defined
    const double clear = kDepthSearchGap * length(at) + 16 * kRoundoff * search.size + search.unclear;
    std::array<detail::Wall<D>, NearPieces<D>::kMost> walls;
    std::size_t count = 0;
    for (const auto& piece : near.pieces())
      walls[count++] = {piece.normal, dot(piece.normal, at) - std::max(0.0, piece.gap - clear)};
    V by = detail::nearest_to_origin(std::span<const detail::Wall<D>>(walls.data(), count)) - at;
    const double far = length(by), most = near.reach() * kDepthStep;
    if (far > most) by = by * (most / far);
    const V next = at + by;
    if (!is_finite(next) || !(length(next) < length(at) * (1 - gain))) return at;
    at = next;
    reach = std::min(reach, std::max(2 * far, kDepthReach * kDepthReach * length(at)));
  }
  return before;
}

// The border along the direction, so near that the witness points touch it. What is as short as `enough`, which is proven
// from below, is not shortened any more.
template <int D, class Bodies>
void close_in(DepthSearch<D>& search, double enough, Bodies&& bodies) {
  double share = kDepthStep;
  for (int step = 0; step < 2 * kDepthSteps; ++step) {
    if (!(search.best - enough > 64 * kRoundoff * (search.best + search.size) + search.unclear)) return;
    ++search.tries;
    NearPieces<D> near(kDepthReach * search.best);
    bodies.near(search.direction * search.best, near);
    if (near.meets()) return;
    double way = near.reach();
    for (const auto& piece : near.pieces())
      if (const double c = dot(piece.normal, search.direction); c > 0) way = std::min(way, piece.gap / c);
    const double next = std::max(search.best - way * share, enough);
    if (!(search.best - next > 4 * kRoundoff * (search.best + search.size))) return;
    ++search.tries;
    if (bodies.hits(search.direction * next)) {
      share /= 2;
    } else {
      search.best = next;
    }
  }
}

// The depth of the deepest pair of pieces is the depth when that translation separates the whole
template <int D, class Bodies>
bool is_depth(DepthSearch<D>& search, const DistanceAnswer<D>& deepest, Bodies&& bodies) {
  const double least = std::max(0.0, -deepest.upper), rounding = 16 * kRoundoff * (search.size + least);
  for (const double depth :
       {-deepest.separation + rounding, -deepest.lower + rounding, -deepest.lower * (1 + kDepthSearchGap) + rounding}) {
    ++search.tries;
    if (!(depth <= least * (1 + kDepthBracket) + 2 * rounding) || bodies.hits(deepest.normal * depth)) continue;
    search.best = depth;
    search.direction = deepest.normal;
    close_in(search, least, bodies);
    return true;
  }
  return false;
}

// The directions given, those of the axes and everything halfway between them: first by halving, which is cheap, then the
// shortest few by walking, then the border along the best. `enough` is proven from below.
template <int D, class Bodies>
void search_depth(DepthSearch<D>& search, std::span<const Vec<D, double>> directions, double enough, Bodies&& bodies) {
  using V = Vec<D, double>;
  std::array<V, kDepthStarts> starts;
  std::size_t count = 0;
  const double farthest = search.best * kDepthDetour;
  const double rounding = 64 * kRoundoff * search.size + search.unclear;
  const auto is_enough = [&] { return search.best <= enough * (1 + 2 * kDepthSearchGap) + rounding; };
  const auto hits = [&](const V& by) {
    ++search.tries;
    return bodies.hits(by);
  };
  // A slot without room to spare is no way out
  const auto take = [&](const V& way) {
    const double depth = length(way);
    if (depth < search.best - rounding && !hits(way) && !hits(way * kDepthRoom))
      // The length of what is small enough is zero
      search.best = depth, search.direction = depth > kLeastDirection ? way / depth : normalized(way);
  };
  const auto look = [&](const V& direction) {
    if (direction == V{} || is_enough()) return;
    // What is proven to be out by then leaves less to look at
    double high = std::min(farthest, search.best * (kDepthDetour * kDepthDetour)), low = 0;
    if (hits(direction * high)) return;
    const double least = std::max(enough, rounding);
    for (int halving = 0; halving < kDepthHalvings || (low == 0 && halving < kMostDepthHalvings); ++halving) {
      const double middle = (low + high) / 2;
      // Nothing shorter than what is proven from below separates
      (middle < least || hits(direction * middle) ? low : high) = middle;
    }
    take(direction * high);
    // Sorted by length; the longest falls out
    const V start = direction * high;
    const auto shorter = [](const V& p, const V& q) { return length_squared(p) < length_squared(q); };
    if (count == starts.size() && !shorter(start, starts[count - 1])) return;
    std::size_t i = count < starts.size() ? count++ : count - 1;
    for (; i > 0 && shorter(start, starts[i - 1]); --i) starts[i] = starts[i - 1];
    starts[i] = start;
  };
  for (const V& direction : directions) look(direction);
  constexpr int kAll = D == 2 ? 9 : 27;
  for (int i = 0; i < kAll; ++i) {
    V direction{};
    for (int k = 0, digits = i; k < D; ++k, digits /= 3) direction[k] = digits % 3 - 1;
    look(normalized(direction));
  }
  const auto walk = [&](const V& start, int steps, double gain) {
    if (!is_enough()) take(walk_in(search, start, steps, gain, bodies));
  };
  for (std::size_t i = 0; i < count; ++i) walk(starts[i], kDepthSteps, kDepthGain);
  // The best of them to its end
  walk(search.direction * search.best, 2 * kDepthSteps, kDepthSearchGap);
  close_in(search, enough, bodies);
}

// The answer from the bracket; `least` is proven from below. The witness points are those where the bodies touch when B
// has been moved out.
template <int D, class Bodies>
DistanceAnswer<D> depth_answer(const DepthSearch<D>& search, double least, Bodies&& bodies) {
  DistanceAnswer<D> out;
  out.hit = true;
  out.separation = -search.best;
  out.lower = -search.best * (1 + 8 * kRoundoff);
  out.upper = std::max(-least, out.separation);
  out.normal = search.direction;
  out.iterations = search.tries;
  // They may touch closer than rounding can tell: then from a hair further out. Sides that slide along each other all the
  // way still touch there, and what touches first is the witness.
  double out_of = search.best, hair = 16 * kRoundoff * (search.size + search.best), reach = hair;
  const double most = kDepthHair * (search.size + search.best);
  typename NearPieces<D>::Piece first{{}, std::numeric_limits<double>::infinity(), {}, {}};
  for (int attempt = 0; attempt < 32; ++attempt) {
    NearPieces<D> near(reach);
    bodies.near(search.direction * out_of, near);
    const auto* piece = near.nearest();
    if (near.meets()) {
      if (attempt == 0) first = near.met();
      if (hair > most && std::fabs(first.gap) <= most) {
        out.point_a = first.point_a;
        out.point_b = first.point_b - search.direction * search.best;
        break;
      }
      out_of = search.best + hair;
      hair *= 4, reach = 2 * hair;
    } else if (piece == nullptr) {
      reach *= 16;
    } else {
      out.point_a = piece->point_a;
      out.point_b = piece->point_b - search.direction * out_of;
      break;
    }
  }
  const bool tight = out.upper - out.lower <= kDepthBracket * search.best;
  out.status = tight ? QueryStatus::converged : QueryStatus::max_iterations;
  return out;
}

}  // namespace sudar
