#include <sudar/narrowphase/features2.hpp>
#include <sudar/narrowphase/manifold_choice.hpp>
#include <sudar/narrowphase/manifold_clip2.hpp>
#include <sudar/narrowphase/manifold_tolerance.hpp>
#include <sudar/narrowphase/part_placement.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sudar {

namespace {

Feature part_at2(const Patch2& patch, const Vec2d& p, double snap) {
  if (patch.unbounded) return patch.inside;
  if (patch.count == 1) return patch.corners[0];
  for (int i = 0; i < 2; ++i)
    if (length_squared(patch.points[i] - p) <= snap * snap) return patch.corners[i];
  return patch.inside;
}

class ManifoldClip2 {
 public:
  ManifoldClip2(const Shape2& a, const Shape2& b, const Placement2& place, const DistanceAnswer2& decision,
                double margin)
      : decision_(decision), n_(decision.normal), from_a_(patch_towards(a, n_, decision.point_a, true)) {
    const Vec2d witness_b = to_b(place, decision.point_b - place.translation);
    from_b_ = patch_towards(b, to_b(place, -n_), witness_b, true);
    for (int i = 0; i < from_b_.count; ++i) from_b_.points[i] = transform(place, from_b_.points[i]);
    from_b_.normal = turn(place, from_b_.normal);
    double side = std::numeric_limits<double>::infinity();
    size_ = std::fabs(decision.separation);
    for (const Patch2* patch : {&from_a_, &from_b_}) {
      size_ = std::max(size_, patch->radius);
      if (patch->count < 2) continue;
      side = std::min(side, distance(patch->points[0], patch->points[1]));
      size_ = std::max(size_, patch->radius + distance(patch->points[0], patch->points[1]));
    }
    snap_ = side < std::numeric_limits<double>::infinity() ? kManifoldSnap * side : 0;
    close_ = 4 * kContactMerge * size_;
    cutoff_ = std::max(margin, decision.separation + kContactMerge * size_);
  }

  void run(Manifold2& out) {
    const double lean_a = lean_of(from_a_, n_), lean_b = lean_of(from_b_, -n_);
    if (std::max(lean_a, lean_b) >= kManifoldLean) clip(!from_b_.unbounded && lean_a >= lean_b - kContactMerge);
    add_deepest();
    out = choose_points(std::span<const ContactPoint<2>>(points_, count_), n_);
  }

 private:
  static double lean_of(const Patch2& patch, const Vec2d& outward) {
    return patch.count == 2 || patch.unbounded ? dot(patch.normal, outward) : -1;
  }

  void add(const Vec2d& core_a, const Vec2d& core_b) {
    const double separation = dot(core_b - core_a, n_) - from_a_.radius - from_b_.radius;
    if (!(separation <= cutoff_)) return;
    const Vec2d middle = (core_a + n_ * from_a_.radius + (core_b - n_ * from_b_.radius)) * 0.5;
    add({middle, std::max(separation, decision_.separation), part_at2(from_a_, core_a, snap_),
         part_at2(from_b_, core_b, snap_)});
  }
  void add(const ContactPoint<2>& point) {
    const double near = std::max(4 * snap_, close_);
    for (std::size_t i = 0; i < count_; ++i) {
      ContactPoint<2>& other = points_[i];
      const double d = length_squared(other.position - point.position);
      if (d > close_ * close_ && (d > near * near || other.id() != point.id())) continue;
      if (point.separation < other.separation) other = point;
      return;
    }
    points_[count_++] = point;
  }

  // What the other shape turns towards the reference edge, cut along the normal at its ends
  void clip(bool reference_is_a) {
    const Patch2 &reference = reference_is_a ? from_a_ : from_b_, &incident = reference_is_a ? from_b_ : from_a_;
    if (incident.unbounded) return;
    const Vec2d outward = reference_is_a ? n_ : -n_;
    Vec2d ends[2] = {incident.points[0], incident.points[incident.count - 1]};
    if (!reference.unbounded) {
      const Vec2d along = reference.points[1] - reference.points[0];
      const Vec2d u = dot(along, perp(outward)) < 0 ? -perp(outward) : perp(outward);
      const double low = dot(u, reference.points[0]), high = dot(u, reference.points[1]);
      const double f = dot(u, ends[0]), g = dot(u, ends[1]);
      if ((f < low && g < low) || (f > high && g > high)) return;
      const Vec2d p = ends[0], q = ends[1];
      const auto at = [&](double x) { return lerp(p, q, std::clamp((x - f) / (g - f), 0.0, 1.0)); };
      if (f < low || f > high) ends[0] = at(f < low ? low : high);
      if (g < low || g > high) ends[1] = at(g < low ? low : high);
    }
    const double lean = dot(reference.normal, outward);
    for (int i = 0; i < incident.count; ++i) {
      const Vec2d foot = ends[i] - outward * (dot(reference.normal, ends[i] - reference.points[0]) / lean);
      reference_is_a ? add(foot, ends[i]) : add(ends[i], foot);
    }
  }

  void add_deepest() {
    ContactPoint<2>* deepest = nullptr;
    for (std::size_t i = 0; i < count_; ++i)
      if (deepest == nullptr || points_[i].separation < deepest->separation) deepest = &points_[i];
    if (deepest != nullptr && deepest->separation <= decision_.separation + close_) {
      deepest->separation = decision_.separation;
      return;
    }
    const Vec2d core_a = decision_.point_a - n_ * from_a_.radius, core_b = decision_.point_b + n_ * from_b_.radius;
    add({(decision_.point_a + decision_.point_b) * 0.5, decision_.separation, part_at2(from_a_, core_a, snap_),
         part_at2(from_b_, core_b, snap_)});
  }

  const DistanceAnswer2& decision_;
  Vec2d n_;
  double cutoff_ = 0, size_ = 0, snap_ = 0, close_ = 0;
  Patch2 from_a_, from_b_;
  ContactPoint<2> points_[3];
  std::size_t count_ = 0;
};

}  // namespace

bool clip_manifold2(const Shape2& a, const Shape2& b, const Placement2& a_from_b, const DistanceAnswer2& decision,
                    double margin, Manifold2& out) {
  if (decision.status == QueryStatus::unsupported || !(decision.separation <= margin)) return false;
  ManifoldClip2(a, b, a_from_b, decision, margin).run(out);
  return true;
}

}  // namespace sudar
