// What:    See slab_search.hpp.
#include <sudar/continuous/parts_support.hpp>
#include <sudar/continuous/slab_pairs.hpp>
#include <sudar/continuous/slab_search.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/polygon_set.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

namespace sudar {

namespace {

// Pairs of pieces up to which a slab is searched as a whole, and how often it may be halved
constexpr std::size_t kPairsOfSlab = 24;
constexpr int kSlabHalvings = 48;
// How often the walk starts again up to an impact that it found in the middle of a crowd
constexpr int kAgain = 16;
// How much before such an impact the walk ends, relative to the tolerance
constexpr double kCrowdRoom = 0.25;
// Tests of boxes that count as one distance
constexpr std::int64_t kTestsOfDistance = 64;

template <int D>
struct OwnPair {
  AnyShape<D> a, b;
  Pose<D, double> pose_a, pose_b;
};

// Pairs that may meet, each given to a function that returns false to end the walk
template <int D, class F>
class SlabPairs final : public SlabVisitor<D> {
 public:
  explicit SlabPairs(F f) : f_(f) {}
  bool visit(const MovingPiece<D>& a, const MovingPiece<D>& b) override { return f_(a, b); }

 private:
  F f_;
};

// About how large a piece is: where pieces are as near to each other as that, shorter slabs do not have fewer pairs
template <int D>
double piece_size(const AnyShape<D>& shape, double radius);
template <>
double piece_size<2>(const Shape2& shape, double radius) {
  switch (shape.kind()) {
    case ShapeKind2::chain:
      return radius / shape.as<ChainShape2>().set->edge_count();
    case ShapeKind2::concave_polygon:
      return radius / static_cast<double>(shape.as<ConcavePolygonShape2>().set->parts().size());
    case ShapeKind2::compound:
      return radius / std::sqrt(static_cast<double>(shape.as<CompoundShape2>().parts->children().size()));
    default:
      return radius;
  }
}
template <>
double piece_size<3>(const Shape3& shape, double radius) {
  switch (shape.kind()) {
    case ShapeKind3::mesh:
      return radius / std::sqrt(static_cast<double>(shape.as<MeshShape3>().mesh->triangle_count()));
    case ShapeKind3::height_field:
      return radius / std::sqrt(static_cast<double>(shape.as<HeightFieldShape3>().field->triangle_count()));
    case ShapeKind3::compound:
      return radius / cube_root(static_cast<double>(shape.as<CompoundShape3>().parts->children().size()));
    default:
      return radius;
  }
}

// A half-space touches a body where it touches the body's hull
Shape2 hull_shape(const Shape2& shape) { return Shape2(CustomShape2{std::make_shared<PartsSupport<2>>(shape)}); }
Shape3 hull_shape(const Shape3& shape) { return Shape3(CustomShape3{std::make_shared<PartsSupport<3>>(shape)}); }

}  // namespace

template <int D>
Impact<D> slab_search(const MovingPair<D>& pair, const AnyShape<D>& a, const AnyShape<D>& b, double t_max,
                      double tolerance, int& budget, TraceSink* trace) {
  if (!a.is_bounded()) return search_impact<D>(pair, {a}, {hull_shape(b)}, 0, t_max, tolerance, budget, trace);
  if (!b.is_bounded()) return search_impact<D>(pair, {hull_shape(a)}, {b}, 0, t_max, tolerance, budget, trace);

  const double radius_a = farthest_radius<D>(a), radius_b = farthest_radius<D>(b);
  const double speed = closing_speed(pair, radius_a, radius_b);
  const double piece = std::max(piece_size<D>(a, radius_a), piece_size<D>(b, radius_b));
  std::vector<OwnPair<D>> pieces;
  double ends[kSlabHalvings + 2];
  int open_ends = 0, again = 0;
  ends[open_ends++] = t_max;
  // Free before out.t; `found` is the earliest impact so far, at the last of the ends
  Impact<D> out, found;
  while (open_ends > 0) {
    const double end = ends[open_ends - 1], middle = out.t + 0.5 * (end - out.t);
    if (budget <= 0) {
      out.open = true;
      return out;
    }
    --budget;
    ++out.iterations;
    const bool last = speed * (end - out.t) <= piece || open_ends > kSlabHalvings || !(middle > out.t && middle < end);
    bool full = false, hit = false;
    double earliest = end;
    const auto search = [&](const MovingPiece<D>& piece_a, const MovingPiece<D>& piece_b) {
      // Each pair until the earliest impact of those before it
      const Impact<D> one = search_impact<D>(pair, piece_a, piece_b, out.t, earliest, tolerance, budget);
      out.iterations += one.iterations;
      out.open = one.open;
      if (!one.hit) return;
      found = one;
      hit = true;
      // In a crowd, a little before it: there all the others are apart, too, by more than rounding
      if (const double before = kCrowdRoom * tolerance; last && speed > 0) {
        found.t = std::max(out.t, found.t - before / speed);
        found.upper += before;
      }
      earliest = found.t;
    };
    // The pairs that may meet in the slab; where there are too many, none is searched yet. In a short slab they are
    // searched as they come, until one hits: up to there, the walk may find the rest to be free.
    const auto visit = [&](const MovingPiece<D>& x, const MovingPiece<D>& y) {
      if (last) {
        search(x, y);
        return !out.open && !(hit && again < kAgain);
      }
      full = pieces.size() == kPairsOfSlab;
      if (!full) pieces.push_back({x.shape, y.shape, x.body_from_piece, y.body_from_piece});
      return !full;
    };
    pieces.clear();
    SlabPairs<D, decltype(visit)> pairs(visit);
    const SlabWalk walk =
        for_each_slab_pair<D>({pair, out.t, end}, a, b, kTestsOfDistance * (std::int64_t{budget} + 1), pairs);
    const auto work = static_cast<int>(walk.tests / kTestsOfDistance);
    budget -= work;
    out.iterations += work;
    if (full) {
      ends[open_ends++] = middle;
      continue;
    }
    for (std::size_t i = 0; i < pieces.size() && !out.open; ++i)
      search({pieces[i].a, pieces[i].pose_a}, {pieces[i].b, pieces[i].pose_b});
    if (out.open || walk.out_of_tests) {
      out.open = true;
      return out;
    }
    if (hit && !walk.finished && found.t > out.t) {
      // Is there anything before it?
      ++again;
      open_ends = 0;
      ends[open_ends++] = found.t;
      continue;
    }
    if (hit) break;
    if (trace != nullptr) trace->on_event({.step = "slab", .numbers = {&end, kSlabNumbers}, .value = out.t});
    out.t = end;
    --open_ends;
  }
  if (!found.hit) return out;
  found.iterations = out.iterations;
  if (trace != nullptr) trace->on_event({.step = "impact", .numbers = {&found.normal.x, D}, .value = found.t});
  return found;
}

template Impact<2> slab_search<2>(const MovingPair<2>&, const Shape2&, const Shape2&, double, double, int&, TraceSink*);
template Impact<3> slab_search<3>(const MovingPair<3>&, const Shape3&, const Shape3&, double, double, int&, TraceSink*);

}  // namespace sudar
