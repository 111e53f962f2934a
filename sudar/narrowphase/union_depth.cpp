#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/depth_search.hpp>
#include <sudar/narrowphase/part_placement.hpp>
#include <sudar/narrowphase/piece_hull.hpp>
#include <sudar/narrowphase/stack_list.hpp>
#include <sudar/narrowphase/union_depth.hpp>

namespace sudar {

namespace {

template <int D>
DistanceAnswer<D> answer_of(const PiecePair<D>& pair) {
  return placed(pair.known != nullptr ? *pair.known : distance(pair.a, pair.b, pair.a_from_b), pair.whole_from_a);
}

template <int D>
class NearVisitor final : public PieceVisitor<D> {
 public:
  explicit NearVisitor(NearPieces<D>& out) : out_(out) {}
  double reach() const override { return out_.reach(); }
  bool visit(const PiecePair<D>& pair) override {
    out_.add(answer_of(pair));
    return !out_.meets();
  }

 private:
  NearPieces<D>& out_;
};

// The ways out that pairs of pieces know, the deepest pair, and the hulls of the pieces that meet, in the frame of A
template <int D>
class HitVisitor final : public PieceVisitor<D> {
 public:
  double least = 0;
  Vec<D, double> deepest{};
  StackList<Vec<D, double>, 32> normals;
  PieceHull<D> hull_a, hull_b;
  bool all = true;  // of the pieces that meet are in the hulls

  double reach() const override { return 0; }
  bool visit(const PiecePair<D>& pair) override {
    const DistanceAnswer<D> x = answer_of(pair);
    if (!x.hit) return true;
    if (-x.upper > least || deepest == Vec<D, double>{}) least = std::max(least, -x.upper), deepest = x.normal;
    bool known = normals.size() >= kMostNormals;
    for (const auto& other : normals) known = known || dot(other, x.normal) > kSameDirection;
    if (!known) normals.push_back(x.normal);
    // A piece comes once for each that it meets, which does no harm
    all = all && hull_a.size() < kMostPieces;
    if (all) {
      hull_a.add(make_view(pair.a), make_placement(pair.whole_from_a));
      Placement<D> b = pair.a_from_b;
      b.turn = to_matrix(pair.whole_from_a.rotation) * (b.turned ? b.turn : Mat{});
      b.turned = true;
      b.translation = transform(pair.whole_from_a, pair.a_from_b.translation);
      b.rest = rotate(pair.whole_from_a.rotation, pair.a_from_b.rest);
      hull_b.add(make_view(pair.b), b);
    }
    return true;
  }

 private:
  using Mat = decltype(Placement<D>{}.turn);
  static constexpr std::size_t kMostNormals = 16, kMostPieces = 32;
};

template <int D>
struct UnionBodies {
  const AnyShape<D>&a, &b;
  const Placement<D>& a_from_b;

  bool hits(const Vec<D, double>& by) const { return intersects(a, b, moved(a_from_b, by)); }
  void near(const Vec<D, double>& by, NearPieces<D>& out) const {
    NearVisitor<D> visitor(out);
    for_each_piece_pair(a, b, moved(a_from_b, by), visitor);
  }
};

}  // namespace

template <int D>
DistanceAnswer<D> union_depth(const AnyShape<D>& a, const AnyShape<D>& b, const Placement<D>& a_from_b,
                              const DistanceAnswer<D>& deepest) {
  if (!deepest.hit || deepest.status == QueryStatus::unsupported || !a.is_bounded() || !b.is_bounded()) return deepest;
  const UnionBodies<D> bodies{a, b, a_from_b};
  const Aabb<D, double> box_a = bounding_box(a), box_b = transform(a_from_b, bounding_box(b));
  DepthSearch<D> search;
  search.size = max_abs(box_a.lo) + max_abs(box_a.hi) + max_abs(box_b.lo) + max_abs(box_b.hi);
  // A shallow contact ends here
  double least = std::max(0.0, -deepest.upper);
  if (is_depth(search, deepest, bodies)) return depth_answer(search, least, bodies);

  HitVisitor<D> met;
  for_each_piece_pair(a, b, a_from_b, met);
  least = std::max(least, met.least);
  search.best = std::numeric_limits<double>::infinity();
  StackList<Vec<D, double>, 32> candidates = met.normals;
  for (int k = 0; k < D; ++k)
    for (const double side : {1.0, -1.0}) {
      Vec<D, double> axis{};
      axis[k] = side;
      const double way =
          (side > 0 ? box_a.hi[k] - box_b.lo[k] : box_b.hi[k] - box_a.lo[k]) + 2 * kPoseSlack<double> * search.size;
      if (way < search.best) search.best = way, search.direction = axis;
    }
  // Out of the hull of the pieces that meet, which knows no seams between them, and out of that of everything. For bodies
  // that are convex as a whole that is the depth.
  const double rounding = 16 * kRoundoff * search.size;
  const auto try_out = [&](const Vec<D, double>& direction, double way) {
    for (const double depth :
         {std::max(way, least) + rounding, std::max(way, least) * (1 + kDepthSearchGap) + 16 * rounding}) {
      // A little shorter by rounding is no better, and the normal of the hulls is the surer one
      if (!(depth < search.best - 2 * rounding - search.unclear)) return;
      ++search.tries;
      if (bodies.hits(direction * depth)) continue;
      search.best = depth, search.direction = direction;
      return;
    }
  };
  PieceHull<D> hull_a, hull_b;
  const bool all_a = hull_a.add(a, Placement<D>{}), all_b = hull_b.add(b, a_from_b);
  if (hull_a.is_curved() || hull_b.is_curved()) search.unclear = kUnclearTouch * search.size;
  if (all_a && all_b) {
    const DistanceAnswer<D> hulls = hull_depth(hull_a, hull_b);
    try_out(hulls.normal, overlap_along(hull_a, hull_b, hulls.normal));
    candidates.push_back(hulls.normal);
    for (const Vec<D, double>& direction : candidates) try_out(direction, overlap_along(hull_a, hull_b, direction));
  }
  if (met.all && met.hull_a.size() > 0) {
    const DistanceAnswer<D> local = hull_depth(met.hull_a, met.hull_b);
    candidates.push_back(local.normal);
    try_out(local.normal, overlap_along(met.hull_a, met.hull_b, local.normal));
  }
  candidates.push_back(normalized(center(box_b) - center(box_a)));
  // Between each two ways out of pieces
  for (std::size_t i = 0; i + 1 < met.normals.size() && candidates.size() < 32; ++i)
    candidates.push_back(normalized(met.normals[i] + met.normals[i + 1]));
  search_depth<D>(search, {candidates.begin(), candidates.size()}, least, bodies);
  return depth_answer(search, least, bodies);
}

template DistanceAnswer2 union_depth<2>(const Shape2&, const Shape2&, const Placement2&, const DistanceAnswer2&);
template DistanceAnswer3 union_depth<3>(const Shape3&, const Shape3&, const Placement3&, const DistanceAnswer3&);

}  // namespace sudar
