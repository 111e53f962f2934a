// What:    Planes of a hull's faces: unit normals that hold for thin faces too.
// Differs: Where the plain cross product loses more than about 6 bits to cancellation, it is redone with edges and
//          products as sums of two doubles.
#include <sudar/geom/hull3_build.hpp>
#include <sudar/math/expansion.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace sudar::hull3_detail {

namespace {

// a*d - b*c to about twice the precision
double minor2(const TwoDoubles& a, const TwoDoubles& b, const TwoDoubles& c, const TwoDoubles& d) {
  const TwoDoubles ad = two_product(a.hi, d.hi), bc = two_product(b.hi, c.hi);
  const double ad_lo = ad.lo + (a.hi * d.lo + a.lo * d.hi), bc_lo = bc.lo + (b.hi * c.lo + b.lo * c.hi);
  const TwoDoubles high = two_difference(ad.hi, bc.hi);
  return high.hi + (high.lo + (ad_lo - bc_lo));
}

// Edge q - p in twice the precision, scaled by a power of two to about unit size
std::array<TwoDoubles, 3> scaled_edge(const Vec3d& p, const Vec3d& q) {
  const double shrink = std::max(max_abs(p), max_abs(q)) > 0x1p1000 ? 0x1p-8 : 1.0;
  std::array<TwoDoubles, 3> edge{};
  double size = 0;
  for (int k = 0; k < 3; ++k) {
    edge[k] = two_difference(q[k] * shrink, p[k] * shrink);
    size = std::max(size, std::fabs(edge[k].hi));
  }
  const int exponent = size > 0 ? -std::ilogb(size) : 0;
  for (TwoDoubles& component : edge)
    component = {std::ldexp(component.hi, exponent), std::ldexp(component.lo, exponent)};
  return edge;
}

// Unit normal of a counterclockwise triangle
Vec3d unit_normal(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d ab = b - a, ac = c - a;
  const Vec3d n = cross(ab, ac);
  const double squared = length_squared(n), size = length_squared(ab) * length_squared(ac);
  // Well shaped, and nothing near over- or underflow. The negation also catches NaN.
  const bool well_shaped = squared >= 0x1p-12 * size && squared > 0x1p-900 && size < 0x1p1000;
  if (well_shaped) return n * (1 / std::sqrt(squared));
  // From the corner that faces the longest edge: two short edges have the widest angle
  const auto size_of = [](const Vec3d& p, const Vec3d& q) { return max_abs(q * 0x1p-8 - p * 0x1p-8); };
  const double sizes[3] = {size_of(b, c), size_of(c, a), size_of(a, b)};
  const Vec3d* const corners[3] = {&a, &b, &c};
  const auto k = std::max_element(sizes, sizes + 3) - sizes;
  const Vec3d& base = *corners[k];
  const auto u = scaled_edge(base, *corners[(k + 1) % 3]), v = scaled_edge(base, *corners[(k + 2) % 3]);
  return normalized(
      Vec3d{minor2(u[1], u[2], v[1], v[2]), minor2(u[2], u[0], v[2], v[0]), minor2(u[0], u[1], v[0], v[1])});
}

}  // namespace

void write_hull_planes(Hull3& hull) {
  const std::uint32_t faces = hull.face_count();
  hull.planes.resize(faces);
  for (std::uint32_t f = 0; f < faces; ++f) {
    const std::uint32_t k = hull.face_degree(f);
    const auto corner = [&](std::uint32_t i) -> const Vec3d& { return hull.vertices[hull.face_vertex(f, i)]; };
    Plane<3, double>& plane = hull.planes[f];
    plane.normal = unit_normal(corner(0), corner(k / 3), corner(2 * k / 3));
    plane.offset = dot(plane.normal, corner(0));
    for (std::uint32_t i = 1; i < k; ++i) plane.offset = std::max(plane.offset, dot(plane.normal, corner(i)));
  }
  // The two sides of a flat hull are one plane
  if (hull.dimension == 2) {
    hull.planes[1].normal = -hull.planes[0].normal;
    hull.planes[1].offset = dot(hull.planes[1].normal, hull.vertices[0]);
    for (const Vec3d& v : hull.vertices)
      hull.planes[1].offset = std::max(hull.planes[1].offset, dot(hull.planes[1].normal, v));
  }
}

}  // namespace sudar::hull3_detail
