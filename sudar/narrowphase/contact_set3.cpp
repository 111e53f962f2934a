#include <sudar/geom/closest.hpp>
#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/box_box3.hpp>
#include <sudar/narrowphase/contact_set3.hpp>
#include <sudar/narrowphase/convex_distance3.hpp>
#include <sudar/narrowphase/features3.hpp>
#include <sudar/narrowphase/part_placement.hpp>
#include <sudar/narrowphase/primitives3.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace sudar {

namespace {

using Ring = StackList<Vec3d, 24>;

// The part of a ring, open when it has two points, that is behind a plane. Points that pass it by no more than `slack`
// stay as they are.
void cut(const Ring& ring, const Vec3d& normal, double offset, double slack, Ring& out) {
  out.clear();
  const std::size_t count = ring.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3d &p = ring[i], &q = ring[(i + 1) % count];
    const double f = dot(normal, p) - offset, g = dot(normal, q) - offset;
    if (f <= slack) out.push_back(p);
    if ((f <= slack) != (g <= slack) && (count > 2 || i == 0))
      out.push_back(lerp(p, q, std::clamp(f / (f - g), 0.0, 1.0)));
  }
}

// Where a point of the patch lies: in a corner, on a side, or between
Feature feature_at(const Patch3& patch, const Vec3d& p, double close) {
  for (std::size_t i = 0; i < patch.points.size(); ++i)
    if (distance(patch.points[i], p) <= close) return patch.corners[i];
  if (patch.is_polygon())
    for (std::size_t i = 0; i < patch.points.size(); ++i) {
      const Segment<3, double> side{patch.points[i], patch.points[(i + 1) % patch.points.size()]};
      if (closest_point(side, p).distance_squared <= close * close) return patch.sides[i];
    }
  return patch.inside;
}

template <class Trace>
class Builder {
 public:
  Builder(const Shape3& a, const Shape3& b, const Placement3& place, const DistanceAnswer3& answer, double margin,
          Trace trace)
      : a_(a), b_(b), place_(place), answer_(answer), trace_(trace), n_(answer.normal) {
    set_.normal = n_;
    set_.separation = answer.separation;
    set_.status = answer.status;
    margin_ = margin;
  }

  ContactSet3 build() {
    if (answer_.status == QueryStatus::unsupported || !(answer_.separation <= margin_)) return std::move(set_);
    from_a_ = patch_of(true, PatchWish::touching);
    from_b_ = patch_of(false, PatchWish::touching);
    tell("patch of a", from_a_.points, from_a_.faces ? 1 : 0);
    tell("patch of b", from_b_.points, from_b_.faces ? 1 : 0);
    size_ = 0;
    for (const Patch3* patch : {&from_a_, &from_b_})
      if (!patch->unbounded)
        for (const Vec3d& p : patch->points) size_ = std::max(size_, distance(p, patch->points[0]) + patch->radius);
    size_ = std::max(size_, std::fabs(answer_.separation));
    cutoff_ = std::max(margin_, answer_.separation + kContactMerge * size_);

    if (from_a_.faces && !from_b_.unbounded)
      clip(true);
    else if (from_b_.faces)
      clip(false);
    else if (from_a_.points.size() == 2 && from_b_.points.size() == 2)
      edges_in_line();
    tidy();
    if (!reaches_deepest()) witness();
    set_.kind = set_.points.size() == 1   ? ContactKind::point
                : set_.points.size() == 2 ? ContactKind::segment
                                          : ContactKind::polygon;
    return std::move(set_);
  }

 private:
  template <class Points>
  void tell(std::string_view step, const Points& points, double value) {
    if constexpr (Trace::kEnabled) {
      std::vector<double> numbers;
      for (const Vec3d& p : points) numbers.insert(numbers.end(), {p.x, p.y, p.z});
      trace_({.step = step, .numbers = numbers, .value = value});
    }
  }
  void tell_point(std::string_view step, const Vec3d& p, double value) {
    if constexpr (Trace::kEnabled) trace_({.step = step, .numbers = {&p.x, 3}, .value = value});
  }

  // In A's frame
  Patch3 patch_of(bool of_a, PatchWish wish) const {
    if (of_a) return patch_towards(a_, n_, answer_.point_a, wish);
    const Vec3d witness_b = to_b(place_, answer_.point_b - place_.translation);
    Patch3 out = patch_towards(b_, to_b(place_, -n_), witness_b, wish);
    for (Vec3d& p : out.points) p = transform(place_, p);
    out.normal = turn(place_, out.normal);
    return out;
  }

  // `core`, a point of A's or B's patch without its radius, seen along the normal from `core` of the other
  void add(const Vec3d& core_a, const Vec3d& core_b, const Feature& feature_a, const Feature& feature_b) {
    const double separation = dot(core_b - core_a, n_) - from_a_.radius - from_b_.radius;
    if (!Trace::kEnabled && !(separation <= cutoff_)) return;
    const Vec3d middle = (core_a + n_ * from_a_.radius + (core_b - n_ * from_b_.radius)) * 0.5;
    tell_point(separation <= cutoff_ ? "keep" : "leave out", middle, separation);
    if (!(separation <= cutoff_)) return;
    set_.points.push_back({middle, separation, feature_a, feature_b});
  }

  // The incident patch over the reference face
  void clip(bool reference_is_a) {
    const Patch3& reference = reference_is_a ? from_a_ : from_b_;
    const Patch3 incident = patch_of(!reference_is_a, PatchWish::widest);
    const Vec3d outward = reference_is_a ? n_ : -n_;
    tell("reference", incident.points, reference_is_a ? 0 : 1);
    Ring ring, next;
    for (const Vec3d& p : incident.points) ring.push_back(p);
    if (incident.unbounded) return;
    const double slack = kContactMerge * size_;
    // Sides along the normal of the decision, so that what is cut by one lies over the edge
    if (!reference.unbounded) {
      for (std::size_t i = 0; i < reference.points.size() && !ring.empty(); ++i) {
        const Vec3d& p = reference.points[i];
        const Vec3d along = reference.points[(i + 1) % reference.points.size()] - p;
        const Vec3d side = normalized(cross(along, outward));
        cut(ring, side, dot(side, p), slack, next);
        std::swap(ring, next);
        tell("cut", ring, static_cast<double>(ring.size()));
      }
    }
    const double lean = dot(reference.normal, outward);
    for (const Vec3d& p : ring) {
      const double height = dot(reference.normal, p - reference.points[0]) / lean;
      const Vec3d foot = p - outward * height;
      const Feature on_incident = feature_at(incident, p, 4 * slack);
      const Feature on_reference = reference.unbounded ? reference.inside : feature_at(reference, foot, 4 * slack);
      if (reference_is_a)
        add(foot, p, on_reference, on_incident);
      else
        add(p, foot, on_incident, on_reference);
    }
  }

  // Two edges across the normal: side by side they share a segment, otherwise they cross in the witness point
  void edges_in_line() {
    const Vec3d &p = from_a_.points[0], along = from_a_.points[1] - p, u = normalized(along);
    const Vec3d &r = from_b_.points[0], &s = from_b_.points[1];
    if (length(cross(u, normalized(s - r))) > kContactTilt) return;
    const double first = dot(r - p, u), second = dot(s - p, u);
    const double lo = std::max(0.0, std::min(first, second)), hi = std::min(length(along), std::max(first, second));
    if (!(hi - lo > 4 * kContactMerge * size_) || first == second) return;
    for (const double x : {lo, hi}) {
      const Vec3d on_a = p + u * x, on_b = lerp(r, s, std::clamp((x - first) / (second - first), 0.0, 1.0));
      const double close = 4 * kContactMerge * size_;
      add(on_a, on_b, feature_at(from_a_, on_a, close), feature_at(from_b_, on_b, close));
    }
  }

  // Points that coincide are one; points in line are two
  void tidy() {
    auto& points = set_.points;
    const double close = 4 * kContactMerge * size_;
    for (std::size_t i = 0; i < points.size(); ++i)
      for (std::size_t j = points.size(); j-- > i + 1;)
        if (distance(points[i].position, points[j].position) <= close)
          points.erase(points.begin() + static_cast<std::ptrdiff_t>(j));
    if (points.size() < 3) return;
    std::size_t p = 0, q = 0;
    double longest = -1, widest = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
      for (std::size_t j = i + 1; j < points.size() && points.size() <= kMaxExact; ++j)
        if (const double d = distance(points[i].position, points[j].position); d > longest) longest = d, p = i, q = j;
    if (points.size() > kMaxExact) return;
    const Vec3d u = normalized(points[q].position - points[p].position);
    for (const auto& point : points) widest = std::max(widest, length(cross(point.position - points[p].position, u)));
    if (widest > close) return;
    const auto one = points[p], two = points[q];
    points.assign({one, two});
  }

  bool reaches_deepest() const {
    for (const auto& point : set_.points)
      if (point.separation <= answer_.separation + kContactMiss * size_) return true;
    return false;
  }
  void witness() {
    const double close = 4 * kContactMerge * size_;
    const auto feature = [&](const Patch3& patch, const Vec3d& surface, double side) {
      return patch.unbounded ? patch.inside : feature_at(patch, surface - n_ * (side * patch.radius), close);
    };
    set_.points.clear();
    set_.points.push_back({(answer_.point_a + answer_.point_b) * 0.5, answer_.separation,
                           feature(from_a_, answer_.point_a, 1), feature(from_b_, answer_.point_b, -1)});
    tell_point("witness", set_.points[0].position, answer_.separation);
  }

  // Polygons with more corners than this are not looked at for being a line
  static constexpr std::size_t kMaxExact = 64;

  const Shape3 &a_, &b_;
  const Placement3& place_;
  const DistanceAnswer3& answer_;
  Trace trace_;
  Vec3d n_;
  double margin_ = 0, cutoff_ = 0, size_ = 0;
  Patch3 from_a_, from_b_;
  ContactSet3 set_;
};

}  // namespace

template <class Trace>
ContactSet3 contact_set3(const Shape3& a, const Shape3& b, const Placement3& a_from_b, const DistanceAnswer3& answer,
                         double margin, Trace trace) {
  return Builder<Trace>(a, b, a_from_b, answer, margin, trace).build();
}

template ContactSet3 contact_set3<NoTrace>(const Shape3&, const Shape3&, const Placement3&, const DistanceAnswer3&,
                                           double, NoTrace);
template ContactSet3 contact_set3<TraceTo>(const Shape3&, const Shape3&, const Placement3&, const DistanceAnswer3&,
                                           double, TraceTo);

ContactSet3 contact_set3(const Shape3& a, const Shape3& b, const Placement3& a_from_b, double margin) {
  const auto decide = [&]() -> DistanceAnswer3 {
    if (a.kind() == ShapeKind3::box && b.kind() == ShapeKind3::box)
      return box_box_distance3(a.as<BoxShape3>().half, b.as<BoxShape3>().half, a_from_b);
    if (a.is_convex() && b.is_convex() && (!a.is_bounded() || !b.is_bounded()))
      return primitive_distance3(a, b, a_from_b);
    if (a.is_convex() && b.is_convex()) return convex_distance3(a, b, a_from_b);
    DistanceAnswer3 none;
    none.status = QueryStatus::unsupported;
    return none;
  };
  DistanceAnswer3 answer = decide();
  if (!a.is_bounded() && !b.is_bounded()) answer.status = QueryStatus::unsupported;
  return contact_set3(a, b, a_from_b, answer, margin);
}

}  // namespace sudar
