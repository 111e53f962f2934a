#include <sudar/narrowphase/chain_manifolds2.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/convex_view2.hpp>
#include <sudar/narrowphase/features2.hpp>
#include <sudar/narrowphase/manifold_choice.hpp>
#include <sudar/narrowphase/manifold_clip2.hpp>
#include <sudar/narrowphase/manifold_tolerance.hpp>
#include <sudar/narrowphase/part_placement.hpp>
#include <sudar/narrowphase/piece_pairs.hpp>
#include <sudar/shapes/polygon_set.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace sudar {

namespace {

constexpr double kNothing = std::numeric_limits<double>::infinity();

// The points of one direction so far: both ends and the deepest
struct ChainPatch {
  Vec2d normal{};
  double least = kNothing, low = kNothing, high = -kNothing;
  std::array<ContactPoint<2>, 3> points;
  bool proven = false;  // an edge of it does meet the shape

  void add(const ContactPoint<2>& point) {
    const double t = dot(perp(normal), point.position);
    if (t < low) low = t, points[0] = point;
    if (t > high) high = t, points[1] = point;
    if (point.separation < least) least = point.separation, points[2] = point;
  }
  Manifold2 manifold(bool apart) const {
    std::array<ContactPoint<2>, 3> distinct;
    std::size_t count = 0;
    // The deepest first, so that none with its name takes its place
    for (int k = 2; k >= 0; --k) {
      bool known = false;
      for (std::size_t i = 0; i < count; ++i)
        known = known || distinct[i].position == points[k].position || distinct[i].id() == points[k].id();
      if (!known) distinct[count++] = points[k];
    }
    if (apart)
      for (ContactPoint<2>& point : distinct)
        point.separation = std::max(point.separation, std::numeric_limits<double>::min());
    return choose_points(std::span<const ContactPoint<2>>(distinct.data(), count), normal);
  }
};

class ChainMaker {
 public:
  ChainMaker(const PolygonSet& chain, const Shape2& shape, const Placement2& place, double margin)
      : chain_(chain),
        shape_(shape),
        view_(make_view(shape)),
        place_(place),
        margin_(margin),
        center_(transform(place, view_.center()) + place.rest) {
    left_.separation = kNothing;
    rounding_ = kPoseSlack<double> *
                (view_.size + view_.radius + max_abs(place_.translation) + max_abs(center_) + chain.size());
  }

  void look_at_all() {
    chain_.edge_tree().for_each_overlap(expand(transform(place_, bounding_box(shape_)), margin_),
                                        [&](std::uint32_t i) { look_at(i); });
    double least = kNothing;
    for (std::size_t i = 0; i < count_; ++i) least = std::min(least, patches_[i].least);
    if (left_.separation < least - kContactMerge * view_.size) add_clipped(left_piece_, left_);
  }
  bool touching() const { return touching_; }
  bool seen_any() const { return seen_; }
  double rounding() const { return rounding_; }
  std::span<ChainPatch> patches() { return {patches_.data(), count_}; }

 private:
  struct Piece {
    std::uint32_t number;
    Segment<2, double> line;
    Vec2d face;  // unit, to the side that is touched
    bool right;  // of the way along the edge
  };

  // The far end of the neighbour at end k, if there is one
  std::optional<Vec2d> beyond(const Piece& piece, int k) const {
    const std::uint32_t edges = chain_.edge_count(), i = piece.number;
    if (k == 0 && (i > 0 || chain_.closed())) return chain_.edge(i > 0 ? i - 1 : edges - 1).a;
    if (k == 1 && (i + 1 < edges || chain_.closed())) return chain_.edge(i + 1 < edges ? i + 1 : 0).b;
    return std::nullopt;
  }
  // End k is flat or hollow, seen from the side of the face
  bool is_calm(const Piece& piece, int k) const {
    const std::optional<Vec2d> far = beyond(piece, k);
    if (!far) return false;
    const Vec2d to = *far - (k == 0 ? piece.line.a : piece.line.b);
    return dot(piece.face, to) >= -kNormalLean * length(to);
  }

  void look_at(std::uint32_t i) {
    seen_ = true;
    Piece piece{i, chain_.edge(i), {}, true};
    const Vec2d along = piece.line.b - piece.line.a;
    piece.face = -normalized(perp(along));
    if (piece.face == Vec2d{}) return by_distance(piece);
    if (dot(piece.face, center_ - piece.line.a) < 0) piece.face = -piece.face, piece.right = false;
    const Vec2d down = to_b(place_, -piece.face), core = support(view_, down).p;
    facing_ = patch_towards(shape_, down, core + down * view_.radius, true);
    for (int k = 0; k < facing_.count; ++k) facing_.points[k] = transform(place_, facing_.points[k]) + place_.rest;
    const double far = margin_ + rounding_;
    const double lowest = dot(piece.face, transform(place_, core) + place_.rest - piece.line.a) - view_.radius;
    if (lowest > far) return;
    bool calm = true;
    double beside = kNothing;
    for (int k = 0; k < 2; ++k) {
      const Vec2d& end = k == 0 ? piece.line.a : piece.line.b;
      const Vec2d out = normalized(k == 0 ? -along : along);
      const Vec2d nearest = transform(place_, support(view_, to_b(place_, -out)).p) + place_.rest;
      const double gap = dot(out, nearest - end) - view_.radius;
      if (gap > far) return;
      if (is_calm(piece, k)) continue;
      calm = false;
      beside = std::min(beside, -gap);
    }
    const double least = cut(piece);
    const double depth = view_.radius - least;
    const bool over = least - view_.radius <= lowest + rounding_;
    if (calm || (over && depth <= beside))
      add_cut(piece, least);
    else
      by_distance(piece);
  }

  // The shape's edge over the piece, along its normal: the height of the lowest point of the core
  double cut(const Piece& piece) {
    const Vec2d along = piece.line.b - piece.line.a;
    const double whole = length_squared(along);
    Vec2d p = facing_.points[0], q = facing_.points[facing_.count - 1];
    const double f = dot(along, p - piece.line.a), g = dot(along, q - piece.line.a);
    over_ = 0;
    if ((f < 0 && g < 0) || (f > whole && g > whole)) return kNothing;
    const auto at = [&](double x) { return lerp(p, q, std::clamp((x - f) / (g - f), 0.0, 1.0)); };
    const Vec2d first = f < 0 ? at(0) : f > whole ? at(whole) : p, last = g < 0 ? at(0) : g > whole ? at(whole) : q;
    ends_[over_++] = first;
    if (facing_.count == 2) ends_[over_++] = last;
    double least = kNothing;
    for (int k = 0; k < over_; ++k) least = std::min(least, dot(piece.face, ends_[k] - piece.line.a));
    return least;
  }
  void add_cut(const Piece& piece, double least) {
    if (!(least - view_.radius <= margin_)) return;
    ChainPatch& patch = patch_of(piece.face, least - view_.radius);
    if (least - view_.radius <= 0 && !patch.proven)
      patch.proven = intersects(Shape2(SegmentShape2{piece.line.a, piece.line.b}), shape_, place_);
    touching_ = touching_ || patch.proven;
    double side = distance(piece.line.a, piece.line.b);
    if (facing_.count == 2) side = std::min(side, distance(facing_.points[0], facing_.points[1]));
    const double snap = kManifoldSnap * side;
    for (int k = 0; k < over_; ++k) {
      const double height = dot(piece.face, ends_[k] - piece.line.a), separation = height - view_.radius;
      if (!(separation <= margin_)) continue;
      const Vec2d foot = ends_[k] - piece.face * height;
      Feature own{FeatureKind::edge, piece.right ? 0u : 1u}, other = facing_.inside;
      if (distance(foot, piece.line.a) <= snap) own = {FeatureKind::vertex, 0};
      if (distance(foot, piece.line.b) <= snap) own = {FeatureKind::vertex, 1};
      for (int m = 0; m < facing_.count; ++m)
        if (facing_.count == 1 || distance(ends_[k], facing_.points[m]) <= snap) other = facing_.corners[m];
      patch.add({foot + piece.face * (0.5 * separation), separation, name_of(piece).of_whole(own), other});
    }
  }

  void by_distance(const Piece& piece) {
    const Shape2 segment(SegmentShape2{piece.line.a, piece.line.b});
    const DistanceAnswer2 x = distance(segment, shape_, place_);
    if (!(x.separation <= margin_)) return;
    Vec2d normal = corrected(piece, x);
    // From behind, where the chain goes on: what is in front of the neighbour
    if (dot(x.normal, piece.face) < -kNormalLean && beyond(piece, nearest_end(piece, x.point_a))) {
      if (!x.hit) return leave(piece, x);
      normal = piece.face;
    }
    if (length_squared(normal - x.normal) <= kNormalLean * kNormalLean) return add_clipped(piece, x);
    // Its own line, or that of a neighbour, which has the contact then
    if (length_squared(normal - piece.face) <= kNormalLean * kNormalLean) add_cut(piece, cut(piece));
    leave(piece, x);
  }
  void leave(const Piece& piece, const DistanceAnswer2& x) {
    if (!x.hit && x.separation < left_.separation) left_ = x, left_piece_ = piece;
  }
  static int nearest_end(const Piece& piece, const Vec2d& p) {
    return length_squared(p - piece.line.a) <= length_squared(p - piece.line.b) ? 0 : 1;
  }
  void add_clipped(const Piece& piece, const DistanceAnswer2& x) {
    Manifold2 found;
    if (!clip_manifold2(Shape2(SegmentShape2{piece.line.a, piece.line.b}), shape_, place_, x, margin_, found)) return;
    ChainPatch& patch = patch_of(found.normal, x.separation);
    patch.proven = patch.proven || x.hit;
    touching_ = touching_ || x.hit;
    for (int i = 0; i < found.count; ++i) {
      found.points[i].feature_a = name_of(piece).of_whole(found.points[i].feature_a);
      patch.add(found.points[i]);
    }
  }

  // Between the normals of the two edges that meet at an end
  Vec2d corrected(const Piece& piece, const DistanceAnswer2& x) const {
    const Vec2d along = piece.line.b - piece.line.a;
    const double t = dot(x.point_a - piece.line.a, along), whole = length_squared(along);
    const double slack = kContactMerge * whole;
    if (t > slack && t < whole - slack) return piece.face;
    const int k = t <= slack ? 0 : 1;
    const std::optional<Vec2d> far = beyond(piece, k);
    if (!far) return x.normal;
    if (is_calm(piece, k)) return piece.face;
    const Vec2d &end = k == 0 ? piece.line.a : piece.line.b, out = normalized(k == 0 ? -along : along);
    if (dot(x.normal, out) < -kNormalLean) return piece.face;
    const Vec2d onward = normalized(*far - end);
    if (dot(x.normal, onward) <= kNormalLean) return x.normal;
    const Vec2d other = perp(onward);
    return dot(other, out) < 0 ? -other : other;
  }

  PieceName2 name_of(const Piece& piece) const {
    return {0, piece.number, static_cast<std::uint32_t>(chain_.vertices().size())};
  }
  ChainPatch& patch_of(const Vec2d& normal, double least) {
    std::size_t shallowest = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      ChainPatch& patch = patches_[i];
      if (length_squared(patch.normal - normal) <= kManifoldSamePatch) {
        if (least < patch.least) patch.normal = normal;
        return patch;
      }
      if (patch.least > patches_[shallowest].least) shallowest = i;
    }
    ChainPatch& fresh = count_ < kMostPatches                ? patches_[count_++]
                        : least < patches_[shallowest].least ? patches_[shallowest]
                                                             : spare_;
    fresh = ChainPatch{};
    fresh.normal = normal;
    return fresh;
  }

  const PolygonSet& chain_;
  const Shape2& shape_;
  ConvexView2 view_;
  const Placement2& place_;
  double margin_, rounding_ = 0;
  Vec2d center_, ends_[2];
  Patch2 facing_;
  int over_ = 0;
  bool touching_ = false, seen_ = false;
  DistanceAnswer2 left_;  // the nearest edge that left its contact to a neighbour
  Piece left_piece_{};
  std::size_t count_ = 0;
  std::array<ChainPatch, kMostPatches> patches_;
  ChainPatch spare_;
};

}  // namespace

bool chain_manifolds2(const Shape2& chain, const Shape2& convex, const Placement2& chain_from_convex, double margin,
                      std::vector<PieceManifold<2>>& out) {
  SUDAR_ASSERT(convex.is_convex() && convex.is_bounded());
  ChainMaker maker(*chain.as<ChainShape2>().set, convex, chain_from_convex, margin);
  maker.look_at_all();
  std::span<ChainPatch> patches = maker.patches();
  // Equal ones in the order of the edges that made them
  std::stable_sort(patches.begin(), patches.end(), [](const ChainPatch& p, const ChainPatch& q) {
    return p.least != q.least         ? p.least < q.least
           : p.normal.x != q.normal.x ? p.normal.x < q.normal.x
                                      : p.normal.y < q.normal.y;
  });
  // What nothing has shown to touch may still do so: by less than a rounding, or with an edge that faces none
  if (!maker.touching() && maker.seen_any() && intersects(chain, convex, chain_from_convex)) {
    if (patches.empty() || !(std::fabs(patches[0].least) <= maker.rounding())) return false;
    patches[0].proven = true;
    patches[0].points[2].separation = patches[0].least = std::min(patches[0].least, 0.0);
  }
  std::uint32_t count = 0;
  bool behind = false;
  for (const ChainPatch& patch : patches) {
    const bool open = patch.least <= 0 && !patch.proven, rounded = patch.least >= -maker.rounding();
    // Lines that are reached from behind only are not touched, and nor is what rounding alone lets touch
    behind = behind || (open && !rounded);
    if (patch.least == kNothing || (open && (!rounded || margin == 0))) continue;
    out.push_back({count++, patch.manifold(open)});
  }
  return !(behind && count == 0);
}

}  // namespace sudar
