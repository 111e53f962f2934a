// What:    See slab_pairs.hpp.
#include <sudar/continuous/part_boxes.hpp>
#include <sudar/continuous/slab_pairs.hpp>

#include <cmath>
#include <utility>
#include <vector>

namespace sudar {

namespace {

// An angular velocity as a turned frame sees it
double seen_from(const Rot2d&, double angular) { return angular; }
Vec3d seen_from(const Quatd& frame, const Vec3d& angular) { return rotate(conjugate(frame), angular); }

// The numbers of a slab that do not depend on the frames of parts
template <int D>
struct SlabNumbers {
  MovingInstant<D> at;  // the middle
  double half = 0;      // of its length
  double v = 0, far = 0, turn_a = 0, turn_b = 0;
  double slack = 0;  // rounding, but for that of the parts' own coordinates

  SlabNumbers(const TimeSlab<D>& slab, double radius_a, double radius_b) {
    const MovingPair<D>& pair = slab.pair;
    const double middle = slab.t_begin + 0.5 * (slab.t_end - slab.t_begin);
    at = pair.instant(middle);
    half = std::max(middle - slab.t_begin, slab.t_end - middle);
    const double rate_a = pair.rate_a(), rate_b = pair.rate_b();
    v = pair.speed() * kGrown;
    far = (any_length(at.offset) + v * half) * kGrown;
    turn_b = rate_b > 0 ? rate_b * radius_b : 0, turn_a = rate_a > 0 ? rate_a * radius_a : 0;
    const double speed = v + turn_a + turn_b + (rate_a + rate_b) * far;
    slack = kMotionError * (radius_a + radius_b + far + speed * half) + kAngleError * (turn_a + turn_b) * slab.t_end +
            kAngleError * (rate_a + rate_b) * far * slab.t_end;
  }
  // What accelerations can do along a unit direction in half the slab to what turns at `other_rate`, up to
  // other_turn / other_rate from its origin, as seen from a frame that turns at `rate`: that of the turning itself,
  // Coriolis' and the centrifugal one. `across` and `other_across`: the sines of the angles between direction and axes.
  double bend(double rate, double across, double other_rate, double other_across, double other_turn,
              double other_radius) const {
    // The other axis turns in this frame
    const double other = std::min(1.0, other_across + rate * half);
    const double most =
        other_rate * other * other_turn + rate * across * (2 * (v + other_turn) + rate * (far + other_radius));
    return 0.5 * most * half * half * kGrownMuch;
  }
};
// The sine of the angle between a unit direction and an axis of rotation of the world; in the plane the axis is across
double across_axis(const Vec2d&, double) { return 1; }
double across_axis(const Vec3d& n, const Vec3d& axis) { return length(cross(n, axis)) + kDotError; }

// Boxes of two shapes in the middle of a slab, and how those of B move as A's shape sees them
template <int D>
class BoxPlacement {
 public:
  using V = Vec<D, double>;

  BoxPlacement(const TimeSlab<D>& slab, const SlabNumbers<D>& numbers, const MovingPiece<D>& a, const MovingPiece<D>& b,
               double sizes, double radius_a, double radius_b)
      : place_(placed_pieces(slab.pair, a, b, numbers.at)), half_(numbers.half) {
    const MovingPair<D>& pair = slab.pair;
    const Angular<D> spin = pair.motion_b().angular - pair.motion_a().angular;
    const V at_a = rotate(numbers.at.rotation_a, a.body_from_piece.position);
    const V base =
        pair.velocity() - tip_velocity(pair.motion_b().angular, numbers.at.offset) + tip_velocity(spin, at_a);
    const Rot<D, double> frame = numbers.at.rotation_a * a.body_from_piece.rotation;
    base_ = rotate(conjugate(frame), base);
    spin_ = seen_from(frame, spin);
    turns_ = pair.turns();
    for (int j = 0; j < D; ++j) {
      V unit{};
      unit[j] = 1;
      axis_[j] = place_.turned ? place_.turn * unit : unit;
      const V grows_b = tip_velocity(spin_, axis_[j]);
      for (int i = 0; i < D; ++i) {
        V unit_i{};
        unit_i[i] = 1;
        cosine_[j][i] = std::fabs(axis_[j][i]);
        along_a_[j][i] = std::fabs(grows_b[i]);
        along_b_[j][i] = std::fabs(dot(axis_[j], tip_velocity(spin_, unit_i)));
      }
    }
    const double slack = numbers.slack + kMotionError * sizes;
    const Angular<D> axis_a = unit_axis(pair.motion_a().angular), axis_b = unit_axis(pair.motion_b().angular);
    for (int i = 0; i < D; ++i) {
      V unit{};
      unit[i] = 1;
      const V n = rotate(frame, unit), m = rotate(frame, axis_[i]);
      least_a_[i] = slack + numbers.bend(pair.rate_a(), across_axis(n, axis_a), pair.rate_b(), across_axis(n, axis_b),
                                         numbers.turn_b, radius_b);
      least_b_[i] = slack + numbers.bend(pair.rate_b(), across_axis(m, axis_b), pair.rate_a(), across_axis(m, axis_a),
                                         numbers.turn_a, radius_a);
    }
    most_a_ = slack + numbers.bend(pair.rate_a(), 1, pair.rate_b(), 1, numbers.turn_b, radius_b);
    most_b_ = slack + numbers.bend(pair.rate_b(), 1, pair.rate_a(), 1, numbers.turn_a, radius_a);
  }

  // Do the two boxes stay apart in the whole slab?
  bool apart(const PartBox<D>& a, const PartBox<D>& b) const {
    const V center_b = transform(place_, b.center) + place_.rest, d = center_b - a.center;
    // A's axes: what B's box does along them
    for (int i = 0; i < D; ++i) {
      double gap = std::fabs(d[i]) - a.half[i];
      for (int j = 0; j < D; ++j) gap -= cosine_[j][i] * b.half[j];
      if (!(gap > least_a_[i])) continue;
      double speed = std::fabs(turns_ ? (base_ + tip_velocity(spin_, center_b))[i] : base_[i]);
      for (int j = 0; j < D && turns_; ++j) speed += along_a_[j][i] * b.half[j];
      if (gap - speed * half_ > least_a_[i]) return true;
    }
    // B's axes: what A's box does along them
    for (int j = 0; j < D; ++j) {
      double gap = std::fabs(dot(d, axis_[j])) - b.half[j];
      for (int i = 0; i < D; ++i) gap -= cosine_[j][i] * a.half[i];
      if (!(gap > least_b_[j])) continue;
      double speed = std::fabs(dot(axis_[j], turns_ ? base_ + tip_velocity(spin_, a.center) : base_));
      for (int i = 0; i < D && turns_; ++i) speed += along_b_[j][i] * a.half[i];
      if (gap - speed * half_ > least_b_[j]) return true;
    }
    return false;
  }

  // The same of two triangles in these frames: does the plane of one keep the corners of the other on one side?
  bool apart(const Vec3d (&a)[3], const Vec3d (&b)[3]) const {
    Vec3d at_b[3];
    for (int k = 0; k < 3; ++k) at_b[k] = transform(place_, b[k]) + place_.rest;
    return beyond_plane(a, at_b, most_a_) || beyond_plane(at_b, a, most_b_);
  }

 private:
  // What moves in the frame that the plane stands still in does so at the same velocities, up to the sign
  bool beyond_plane(const Vec3d (&plane)[3], const Vec3d (&corners)[3], double least) const {
    // An axis like any other: the corners of a needle may lie far from the plane across its rounded normal
    const Vec3d u = plane[1] - plane[0], w = plane[2] - plane[0], n = normalized(cross(u, w));
    const double along[2] = {dot(n, u), dot(n, w)};
    const double high = std::max({0.0, along[0], along[1]}), low = std::min({0.0, along[0], along[1]});
    bool above = true, below = true;
    for (const Vec3d& p : corners) {
      const double height = dot(n, p - plane[0]), way = half_ * std::fabs(dot(n, base_ + tip_velocity(spin_, p)));
      above = above && height - high - way > least;
      below = below && low - height - way > least;
    }
    return above || below;
  }

  Placement<D> place_;
  V axis_[D], base_{};  // B's axes; velocity of what is at A's origin and moves with B
  Angular<D> spin_{};
  double cosine_[D][D], along_a_[D][D], along_b_[D][D];
  double least_a_[D], least_b_[D], most_a_ = 0, most_b_ = 0, half_;  // rounding and what accelerations do, by axis
  bool turns_ = false;
};

// Of two surfaces, in whose frames their triangles are
bool triangles_apart(const BoxPlacement<3>& place, const Shape3& a, const Shape3& part_a, const Shape3& b,
                     const Shape3& part_b) {
  const auto is_surface = [](const Shape3& shape) {
    return shape.kind() == ShapeKind3::mesh || shape.kind() == ShapeKind3::height_field;
  };
  return is_surface(a) && is_surface(b) && place.apart(part_a.as<TriangleShape3>().v, part_b.as<TriangleShape3>().v);
}
bool triangles_apart(const BoxPlacement<2>&, const Shape2&, const Shape2&, const Shape2&, const Shape2&) {
  return false;
}

template <int D>
class PairWalk {
 public:
  PairWalk(const TimeSlab<D>& slab, const AnyShape<D>& a, const AnyShape<D>& b, std::int64_t max_tests,
           SlabVisitor<D>& visitor)
      : slab_(slab),
        radius_a_(farthest_radius<D>(a)),
        radius_b_(farthest_radius<D>(b)),
        numbers_(slab, radius_a_, radius_b_),
        max_tests_(max_tests),
        visitor_(visitor) {}

  // False when it was ended
  bool walk(const MovingPiece<D>& a, const MovingPiece<D>& b) {
    const PartBoxes<D> boxes_a(a.shape), boxes_b(b.shape);
    const PartBox<D> root_a = boxes_a.root(), root_b = boxes_b.root();
    const double sizes = size_of(a, root_a) + size_of(b, root_b);
    const BoxPlacement<D> place(slab_, numbers_, a, b, sizes, radius_a_, radius_b_);
    const std::size_t base = stack_.size();
    ++result_.tests;
    if (!place.apart(root_a, root_b)) stack_.push_back({root_a, root_b});
    while (stack_.size() > base) {
      const Entry e = stack_.back();
      stack_.pop_back();
      if (e.a.leaf && e.b.leaf) {
        if (!meet(place, a, boxes_a, e.a, b, boxes_b, e.b)) return false;
        continue;
      }
      if (result_.tests >= max_tests_) {
        result_.out_of_tests = true;
        return false;
      }
      // The larger of the two is taken apart
      PartBox<D> parts[kMaxPartBoxes];
      const bool split_a = !e.a.leaf && (e.b.leaf || max_abs(e.a.half) >= max_abs(e.b.half));
      const int count = split_a ? boxes_a.below(e.a, parts) : boxes_b.below(e.b, parts);
      result_.tests += count;
      for (int k = 0; k < count; ++k) {
        const PartBox<D>&x = split_a ? parts[k] : e.a, &y = split_a ? e.b : parts[k];
        if (!place.apart(x, y)) stack_.push_back({x, y});
      }
    }
    return true;
  }
  SlabWalk& result() { return result_; }

 private:
  struct Entry {
    PartBox<D> a, b;
  };
  static double size_of(const MovingPiece<D>& piece, const PartBox<D>& root) {
    return D * (max_abs(root.center) + max_abs(root.half) + max_abs(piece.body_from_piece.position));
  }
  bool meet(const BoxPlacement<D>& place, const MovingPiece<D>& a, const PartBoxes<D>& boxes_a,
            const PartBox<D>& leaf_a, const MovingPiece<D>& b, const PartBoxes<D>& boxes_b, const PartBox<D>& leaf_b) {
    return boxes_a.each(leaf_a, [&](const AnyShape<D>& shape_a, const Pose<D, double>& pose_a) {
      const MovingPiece<D> piece_a{shape_a, a.body_from_piece * pose_a};
      return boxes_b.each(leaf_b, [&](const AnyShape<D>& shape_b, const Pose<D, double>& pose_b) {
        if (triangles_apart(place, a.shape, shape_a, b.shape, shape_b)) return true;
        const MovingPiece<D> piece_b{shape_b, b.body_from_piece * pose_b};
        return shape_a.is_convex() && shape_b.is_convex() ? visitor_.visit(piece_a, piece_b) : walk(piece_a, piece_b);
      });
    });
  }

  const TimeSlab<D>& slab_;
  double radius_a_, radius_b_;
  const SlabNumbers<D> numbers_;
  std::int64_t max_tests_;
  SlabVisitor<D>& visitor_;
  std::vector<Entry> stack_;
  SlabWalk result_;
};

}  // namespace

template <int D>
SlabWalk for_each_slab_pair(const TimeSlab<D>& slab, const AnyShape<D>& a, const AnyShape<D>& b, std::int64_t max_tests,
                            SlabVisitor<D>& visitor) {
  PairWalk<D> walk(slab, a, b, max_tests, visitor);
  walk.result().finished = walk.walk({a}, {b});
  return walk.result();
}

template SlabWalk for_each_slab_pair<2>(const TimeSlab<2>&, const Shape2&, const Shape2&, std::int64_t,
                                        SlabVisitor<2>&);
template SlabWalk for_each_slab_pair<3>(const TimeSlab<3>&, const Shape3&, const Shape3&, std::int64_t,
                                        SlabVisitor<3>&);

}  // namespace sudar
