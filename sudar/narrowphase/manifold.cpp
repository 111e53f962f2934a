#include <sudar/math/tolerance.hpp>
#include <sudar/narrowphase/manifold.hpp>

#include <cmath>

namespace sudar {

namespace {

// A change must be worth this much to displace an earlier point: equal candidates keep their order
constexpr double kBetter = 1 + kContactMiss;

template <int D>
std::size_t deepest(const ContactSet<D>& set) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < set.points.size(); ++i)
    if (set.points[i].separation < set.points[best].separation) best = i;
  return best;
}
template <int D>
std::size_t farthest(const ContactSet<D>& set, std::size_t from) {
  std::size_t best = from;
  double reach = 0;
  for (std::size_t i = 0; i < set.points.size(); ++i) {
    const double d = length_squared(set.points[i].position - set.points[from].position);
    if (d > reach * kBetter) reach = d, best = i;
  }
  return best;
}

}  // namespace

Manifold2 reduce(const ContactSet2& set) {
  Manifold2 out;
  out.normal = set.normal;
  if (set.points.empty()) return out;
  const std::size_t first = deepest(set), second = farthest(set, first);
  out.points[out.count++] = set.points[first];
  if (second != first) out.points[out.count++] = set.points[second];
  return out;
}

Manifold3 reduce(const ContactSet3& set) {
  Manifold3 out;
  out.normal = set.normal;
  const std::size_t count = set.points.size();
  if (count <= Manifold3::kMaxPoints) {
    for (const auto& point : set.points) out.points[out.count++] = point;
    return out;
  }
  const std::size_t p = deepest(set), q = farthest(set, p);
  out.points[out.count++] = set.points[p];
  if (q == p) return out;
  out.points[out.count++] = set.points[q];
  // Twice the area with the line p q, positive on its left seen against the normal
  const Vec3d &at = set.points[p].position, line = set.points[q].position - at;
  const auto area = [&](std::size_t i) { return dot(cross(line, set.points[i].position - at), set.normal); };
  std::size_t left = p, right = p;
  double most = 0, least = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (const double x = area(i); x > most * kBetter)
      most = x, left = i;
    else if (x < least * kBetter)
      least = x, right = i;
  }
  if (left != p) out.points[out.count++] = set.points[left];
  if (right != p) out.points[out.count++] = set.points[right];
  return out;
}

}  // namespace sudar
