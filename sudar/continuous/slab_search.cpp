#include <sudar/continuous/slab_search.hpp>
#include <sudar/narrowphase/part_placement.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/polygon_set.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace sudar {

namespace {

// Pairs of pieces up to which a slab is searched as a whole, and how often it may be halved
constexpr std::size_t kPairsOfSlab = 24;
constexpr int kSlabHalvings = 48;

template <int D>
struct OwnPair {
  AnyShape<D> a, b;
  Pose<D, double> pose_a, pose_b;
};

template <int D>
Pose<D, double> pose_of(const Placement<D>& x);
template <>
Pose2d pose_of<2>(const Placement2& x) {
  return {x.translation + x.rest, normalized(Rot2d{x.turn.x.x, x.turn.x.y})};
}
template <>
Pose3d pose_of<3>(const Placement3& x) {
  // The largest of the four components first, by which the others are divided
  const Mat3d& m = x.turn;
  const double trace[4] = {m.x.x + m.y.y + m.z.z, m.x.x - m.y.y - m.z.z, m.y.y - m.x.x - m.z.z, m.z.z - m.x.x - m.y.y};
  const int k = static_cast<int>(std::max_element(trace, trace + 4) - trace);
  Quatd q;
  if (k == 0)
    q = {1 + trace[0], m.y.z - m.z.y, m.z.x - m.x.z, m.x.y - m.y.x};
  else if (k == 1)
    q = {m.y.z - m.z.y, 1 + trace[1], m.x.y + m.y.x, m.z.x + m.x.z};
  else if (k == 2)
    q = {m.z.x - m.x.z, m.x.y + m.y.x, 1 + trace[2], m.y.z + m.z.y};
  else
    q = {m.x.y - m.y.x, m.z.x + m.x.z, m.y.z + m.z.y, 1 + trace[3]};
  return {x.translation + x.rest, normalized(q)};
}

// Where a piece of B lies in B, from where both whole shapes and both pieces lie as seen from each other
template <int D>
Pose<D, double> piece_in_b(const PiecePair<D>& pair, const Placement<D>& whole_a_from_b, bool b_has_poses) {
  if (!b_has_poses) return {};
  const Pose<D, double> whole = pose_of<D>(whole_a_from_b), piece = pose_of<D>(pair.a_from_b);
  return inverse(whole) * (pair.whole_from_a * piece);
}

// Pairs within reach, each given to a function that returns false to end it
template <int D, class F>
class NearPairs final : public PieceVisitor<D> {
 public:
  NearPairs(double reach, F f) : reach_(reach), f_(f) {}
  double reach() const override { return reach_; }
  bool visit(const PiecePair<D>& pair) override { return f_(pair); }

 private:
  double reach_;
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

bool has_poses(const Shape2& shape) { return shape.kind() == ShapeKind2::compound; }
bool has_poses(const Shape3& shape) { return shape.kind() == ShapeKind3::compound; }

}  // namespace

template <int D>
Impact<D> slab_search(const MovingPair<D>& pair, const AnyShape<D>& a, const AnyShape<D>& b, double t_max,
                      double tolerance, int& budget, TraceSink* trace) {
  const double radius_a = farthest_radius<D>(a), radius_b = farthest_radius<D>(b);
  const double speed = closing_speed(pair, radius_a, radius_b), size = both_sizes(radius_a, radius_b);
  const bool bounded = a.is_bounded() && b.is_bounded();
  const double piece = std::max(piece_size<D>(a, radius_a), piece_size<D>(b, radius_b));
  std::vector<OwnPair<D>> pieces;
  double ends[kSlabHalvings + 1];
  int open_ends = 0;
  ends[open_ends++] = t_max;
  Impact<D> out;
  while (open_ends > 0) {
    const double end = ends[open_ends - 1], middle = out.t + 0.5 * (end - out.t);
    if (budget <= 0) {
      out.open = true;
      return out;
    }
    --budget;
    ++out.iterations;
    const bool last = !bounded || 2 * speed * (end - out.t) <= piece || open_ends > kSlabHalvings ||
                      !(middle > out.t && middle < end);
    const Placement<D> whole = pair.at(middle);
    const double slack = kMotionError * (size + length(whole.translation)) + kAngleError * speed * t_max;
    const double reach = bounded ? (0.5 * speed * (end - out.t) + tolerance + slack) * (1 + 16 * kRoundoff) : 0;
    // The pairs that can meet in the slab; where there are too many, none is searched yet
    bool full = false;
    double earliest = end;
    Impact<D> found;
    const auto search = [&](const AnyShape<D>& piece_a, const Pose<D, double>& pose_a, const AnyShape<D>& piece_b,
                            const Pose<D, double>& pose_b) {
      // Each pair until the earliest impact of those before it
      const Impact<D> one =
          search_impact<D>(pair, {piece_a, pose_a}, {piece_b, pose_b}, out.t, earliest, tolerance, budget);
      out.iterations += one.iterations;
      out.open = one.open;
      if (one.hit) found = one, earliest = one.t;
      return !one.open;
    };
    const auto visit = [&](const PiecePair<D>& x) {
      const Pose<D, double> pose_b = piece_in_b(x, whole, has_poses(b));
      if (last) return search(x.a, x.whole_from_a, x.b, pose_b);
      full = pieces.size() == kPairsOfSlab;
      if (!full) pieces.push_back({x.a, x.b, x.whole_from_a, pose_b});
      return !full;
    };
    pieces.clear();
    NearPairs<D, decltype(visit)> near(reach, visit);
    for_each_piece_pair(a, b, whole, near);
    if (full) {
      ends[open_ends++] = middle;
      continue;
    }
    for (std::size_t i = 0; i < pieces.size() && !out.open; ++i)
      search(pieces[i].a, pieces[i].pose_a, pieces[i].b, pieces[i].pose_b);
    if (out.open) return out;
    if (found.hit) {
      found.iterations = out.iterations;
      if (trace != nullptr) trace->on_event({.step = "impact", .numbers = {&found.normal.x, D}, .value = found.t});
      return found;
    }
    if (trace != nullptr) trace->on_event({.step = "slab", .numbers = {&end, 1}, .value = out.t});
    out.t = end;
    --open_ends;
  }
  return out;
}

template Impact<2> slab_search<2>(const MovingPair<2>&, const Shape2&, const Shape2&, double, double, int&, TraceSink*);
template Impact<3> slab_search<3>(const MovingPair<3>&, const Shape3&, const Shape3&, double, double, int&, TraceSink*);

}  // namespace sudar
