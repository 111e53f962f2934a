#include <sudar/narrowphase/manifold_choice.hpp>
#include <sudar/narrowphase/manifold_clip3.hpp>
#include <sudar/narrowphase/manifold_ring3.hpp>
#include <sudar/narrowphase/part_placement.hpp>

namespace sudar {

namespace {

class ManifoldClip3 {
 public:
  ManifoldClip3(const Shape3& a, const Shape3& b, const Placement3& place, const DistanceAnswer3& decision,
                double margin)
      : a_(a),
        b_(b),
        place_(place),
        decision_(decision),
        n_(decision.normal),
        margin_(margin),
        from_a_(patch_of(true, PatchWish::widest)),
        from_b_(patch_of(false, PatchWish::widest)) {}

  void run(Manifold3& out) {
    const double lean_a = lean_of(from_a_, n_), lean_b = lean_of(from_b_, -n_);
    const bool carried = std::max(lean_a, lean_b) >= kManifoldLean;
    // Neither face lies across the normal: edges or corners meet
    if (!carried && from_a_.is_polygon()) from_a_ = patch_of(true, PatchWish::touching);
    if (!carried && from_b_.is_polygon()) from_b_ = patch_of(false, PatchWish::touching);
    measure();
    // Equal faces: A's, so that rounding does not choose; a half-space has no rim to be cut
    if (carried)
      clip(!from_b_.unbounded && lean_a >= lean_b - kContactMerge);
    else if (from_a_.points.size() == 2 && from_b_.points.size() == 2)
      side_by_side();
    add_deepest();
    out = choose_points(std::span<const ContactPoint<3>>(points_.data(), points_.size()), n_);
  }

 private:
  Patch3 patch_of(bool of_a, PatchWish wish) const {
    if (of_a) return patch_towards(a_, n_, decision_.point_a, wish);
    const Vec3d witness_b = to_b(place_, decision_.point_b - place_.translation);
    Patch3 out = patch_towards(b_, to_b(place_, -n_), witness_b, wish);
    for (Vec3d& p : out.points) p = transform(place_, p);
    out.normal = turn(place_, out.normal);
    return out;
  }
  static double lean_of(const Patch3& patch, const Vec3d& outward) {
    return patch.is_polygon() || patch.unbounded ? dot(patch.normal, outward) : -1;
  }
  void measure() {
    size_ = std::fabs(decision_.separation);
    for (const Patch3* patch : {&from_a_, &from_b_}) {
      if (patch->unbounded) continue;
      for (const Vec3d& p : patch->points) size_ = std::max(size_, max_abs(p - patch->points[0]) + patch->radius);
    }
    snap_ = std::min(snap_of(from_a_), snap_of(from_b_));
    if (!(snap_ < std::numeric_limits<double>::infinity())) snap_ = 0;
    close_ = 4 * kContactMerge * size_;
    cutoff_ = std::max(margin_, decision_.separation + kContactMerge * size_);
  }

  // Points of the cores that lie over each other along the normal
  void add(const Vec3d& core_a, const Vec3d& core_b) {
    const double separation = dot(core_b - core_a, n_) - from_a_.radius - from_b_.radius;
    if (!(separation <= cutoff_)) return;
    const Vec3d middle = (core_a + n_ * from_a_.radius + (core_b - n_ * from_b_.radius)) * 0.5;
    add({middle, std::max(separation, decision_.separation), part_at(from_a_, core_a, snap_),
         part_at(from_b_, core_b, snap_)});
  }
  // Points that coincide are one, and so are those with the same name near each other
  void add(const ContactPoint<3>& point) {
    const double near = std::max(4 * snap_, close_);
    for (ContactPoint<3>& other : points_) {
      const double d = length_squared(other.position - point.position);
      if (d > close_ * close_ && (d > near * near || other.id() != point.id())) continue;
      if (point.separation < other.separation) other = point;
      return;
    }
    points_.push_back(point);
  }

  // What the other shape turns towards the reference face, cut along the normal with its sides
  void clip(bool reference_is_a) {
    const Patch3 &reference = reference_is_a ? from_a_ : from_b_, &incident = reference_is_a ? from_b_ : from_a_;
    if (incident.unbounded) return;
    const Vec3d outward = reference_is_a ? n_ : -n_;
    ClipRing rings[2], *ring = &rings[0];
    for (const Vec3d& p : incident.points) ring->push_back(p);
    const std::size_t sides = reference.unbounded ? 0 : reference.points.size();
    for (std::size_t i = 0; i < sides && !ring->empty(); ++i) {
      const Vec3d& p = reference.points[i];
      const Vec3d side = cross(reference.points[i + 1 < sides ? i + 1 : 0] - p, outward);
      ClipRing* next = ring == &rings[0] ? &rings[1] : &rings[0];
      cut_ring(*ring, side, dot(side, p), *next);
      ring = next;
    }
    const double lean = dot(reference.normal, outward);
    for (const Vec3d& p : *ring) {
      const Vec3d foot = p - outward * (dot(reference.normal, p - reference.points[0]) / lean);
      reference_is_a ? add(foot, p) : add(p, foot);
    }
  }

  // Two edges or sides that run along each other: the ends of what they share. Where one is beside the other there by
  // more than names tell apart, they cross or pass, and only the witness points lie over each other.
  void side_by_side() {
    const Vec3d &p = from_a_.points[0], along = from_a_.points[1] - p, u = normalized(along);
    const Vec3d &r = from_b_.points[0], &s = from_b_.points[1];
    const double first = dot(r - p, u), second = dot(s - p, u);
    const double lo = std::max(0.0, std::min(first, second)), hi = std::min(length(along), std::max(first, second));
    if (!(hi > lo) || first == second) return;
    const auto at = [&](double x, Vec3d& on_a, Vec3d& on_b) {
      on_a = p + u * x;
      on_b = lerp(r, s, std::clamp((x - first) / (second - first), 0.0, 1.0));
      const Vec3d way = on_b - on_a;
      return length(way - n_ * dot(way, n_)) <= snap_;
    };
    Vec3d a_lo, b_lo, a_hi, b_hi;
    if (!at(lo, a_lo, b_lo) || !at(hi, a_hi, b_hi)) return;
    add(a_lo, b_lo);
    add(a_hi, b_hi);
  }

  // The deepest point is as deep as the decision, or the decision's own
  void add_deepest() {
    ContactPoint<3>* deepest = nullptr;
    for (ContactPoint<3>& point : points_)
      if (deepest == nullptr || point.separation < deepest->separation) deepest = &point;
    if (deepest != nullptr && deepest->separation <= decision_.separation + close_) {
      deepest->separation = decision_.separation;
      return;
    }
    const Vec3d core_a = decision_.point_a - n_ * from_a_.radius, core_b = decision_.point_b + n_ * from_b_.radius;
    add({(decision_.point_a + decision_.point_b) * 0.5, decision_.separation, part_at(from_a_, core_a, snap_),
         part_at(from_b_, core_b, snap_)});
  }

  const Shape3 &a_, &b_;
  const Placement3& place_;
  const DistanceAnswer3& decision_;
  Vec3d n_;
  double margin_, cutoff_ = 0, size_ = 0, snap_ = 0, close_ = 0;
  Patch3 from_a_, from_b_;
  StackList<ContactPoint<3>, 16> points_;
};

}  // namespace

bool clip_manifold3(const Shape3& a, const Shape3& b, const Placement3& a_from_b, const DistanceAnswer3& decision,
                    double margin, Manifold3& out) {
  if (decision.status == QueryStatus::unsupported || !(decision.separation <= margin)) return false;
  ManifoldClip3(a, b, a_from_b, decision, margin).run(out);
  return true;
}

}  // namespace sudar
