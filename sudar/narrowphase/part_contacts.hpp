// What:    The contact sets of the parts of two shapes put together to one.
// Differs: Parts may touch in different directions; one set has one normal. It is that of the deepest part, and the parts
//          that touch in the same direction (within kContactTilt) add their points. In space the outline of all points
//          in the plane of contact is the polygon, so that a box on a floor of many triangles stands on its corners.
// Frame:   A's.
// Fails:   none; throws bad_alloc like a vector.
#pragma once

#include <sudar/geom/hull2.hpp>
#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/part_placement.hpp>

#include <span>
#include <vector>

namespace sudar {

// A contact without features, where a body holds another one and their surfaces do not touch
template <int D>
ContactSet<D> contact_from(const DistanceAnswer<D>& x) {
  ContactSet<D> out;
  out.kind = ContactKind::point;
  out.normal = x.normal;
  out.separation = x.separation;
  out.status = x.status;
  ContactPoint<D> point;
  point.position = (x.point_a + x.point_b) * 0.5;
  point.separation = x.separation;
  point.feature_a = point.feature_b = {FeatureKind::face, 0};
  out.points.push_back(point);
  return out;
}

namespace detail {

// The points that span the others: two ends on a line, the outline on a plane
inline void keep_outline(ContactSet<2>& set) {
  const Vec2d along = perp(set.normal);
  std::size_t lo = 0, hi = 0;
  for (std::size_t i = 1; i < set.points.size(); ++i) {
    const double t = dot(along, set.points[i].position);
    if (t < dot(along, set.points[lo].position)) lo = i;
    if (t > dot(along, set.points[hi].position)) hi = i;
  }
  const bool one = set.points[lo].position == set.points[hi].position;
  const std::vector<ContactPoint<2>> kept =
      one ? std::vector{set.points[lo]} : std::vector{set.points[lo], set.points[hi]};
  set.points = kept;
  set.kind = one ? ContactKind::point : ContactKind::segment;
}
inline void keep_outline(ContactSet<3>& set) {
  Vec3d u, v;
  make_frame(set.normal, u, v);
  std::vector<Vec2d> flat;
  for (const ContactPoint<3>& point : set.points) flat.push_back({dot(u, point.position), dot(v, point.position)});
  const auto hull = convex_hull2(flat);
  if (!hull) return;
  std::vector<ContactPoint<3>> kept;
  for (const std::uint32_t i : *hull) kept.push_back(set.points[i]);
  set.points = std::move(kept);
  set.kind = set.points.size() == 1   ? ContactKind::point
             : set.points.size() == 2 ? ContactKind::segment
                                      : ContactKind::polygon;
}

}  // namespace detail

template <int D>
ContactSet<D> join_contacts(std::span<const ContactSet<D>> sets) {
  const ContactSet<D>* deepest = nullptr;
  std::size_t touching = 0;
  for (const ContactSet<D>& set : sets) {
    if (set.kind == ContactKind::none) continue;
    ++touching;
    if (deepest == nullptr || set.separation < deepest->separation) deepest = &set;
  }
  if (deepest == nullptr) return {};
  ContactSet<D> out = *deepest;
  if (touching == 1) return out;
  out.points.clear();
  for (const ContactSet<D>& set : sets)
    if (set.kind != ContactKind::none && length_squared(set.normal - out.normal) <= kContactTilt * kContactTilt)
      out.points.insert(out.points.end(), set.points.begin(), set.points.end());
  detail::keep_outline(out);
  return out;
}

}  // namespace sudar
