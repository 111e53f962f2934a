#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/narrowphase/depth_search.hpp>
#include <sudar/narrowphase/part_placement.hpp>
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

// The ways out that pairs of pieces know, and the deepest pair
template <int D>
class HitVisitor final : public PieceVisitor<D> {
 public:
  double least = 0;
  Vec<D, double> deepest{};
  StackList<Vec<D, double>, 32> normals;

  double reach() const override { return 0; }
  bool visit(const PiecePair<D>& pair) override {
    const DistanceAnswer<D> x = answer_of(pair);
    if (!x.hit) return true;
    if (-x.upper > least || deepest == Vec<D, double>{}) least = std::max(least, -x.upper), deepest = x.normal;
    bool known = normals.size() >= kMostNormals;
    for (const auto& other : normals) known = known || dot(other, x.normal) > kSameDirection;
    if (!known) normals.push_back(x.normal);
    return true;
  }

 private:
  static constexpr std::size_t kMostNormals = 16;
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
