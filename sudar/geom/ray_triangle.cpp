#include <sudar/geom/closest.hpp>
#include <sudar/geom/projection.hpp>
#include <sudar/geom/ray_triangle.hpp>
#include <sudar/math/dyadic.hpp>

#include <algorithm>
#include <limits>

namespace sudar {

namespace {

template <int N>
struct ExactVector {
  Dyadic<N> x, y, z;
};

ExactVector<kDyadicLimbs + 1> exact_difference(const Vec3d& p, const Vec3d& q, int e) {
  return {to_dyadic(p.x, e) - to_dyadic(q.x, e), to_dyadic(p.y, e) - to_dyadic(q.y, e),
          to_dyadic(p.z, e) - to_dyadic(q.z, e)};
}
template <int N, int M>
auto exact_product(const ExactVector<N>& u, const ExactVector<M>& v) {
  return (u.x * v.x + u.y * v.y) + u.z * v.z;
}

// value · 2^exponent, to a rounding
struct Scaled {
  double value;
  int exponent;
};
template <int N>
Scaled to_scaled(const Dyadic<N>& x) {
  Scaled out{0, 0};
  if (x.size == 0) return out;
  out.exponent = 64 * (x.size - 1);
  out.value = static_cast<double>(x.limb[x.size - 1]);
  if (x.size > 1) out.value += static_cast<double>(x.limb[x.size - 2]) * 0x1p-64;
  if (x.negative) out.value = -out.value;
  return out;
}

}  // namespace

namespace detail {

double plane_time_exact(const Ray<3, double>& ray, const Triangle<3, double>& t) noexcept {
  const Vec3d &o = ray.origin, &d = ray.direction;
  const double places[] = {o.x, o.y, o.z, t.a.x, t.a.y, t.a.z, t.b.x, t.b.y, t.b.z, t.c.x, t.c.y, t.c.z};
  const double directions[] = {d.x, d.y, d.z};
  const int e = common_exponent(places), f = common_exponent(directions);
  const auto ab = exact_difference(t.b, t.a, e), ac = exact_difference(t.c, t.a, e), to = exact_difference(t.a, o, e);
  const ExactVector<2 * kDyadicLimbs + 3> normal{ab.y * ac.z - ab.z * ac.y, ab.z * ac.x - ab.x * ac.z,
                                                 ab.x * ac.y - ab.y * ac.x};
  const ExactVector<kDyadicLimbs> along{to_dyadic(d.x, f), to_dyadic(d.y, f), to_dyadic(d.z, f)};
  const Scaled height = to_scaled(exact_product(normal, to)), advance = to_scaled(exact_product(normal, along));
  if (height.value == 0 || advance.value == 0) return 0;
  const double out = std::ldexp(height.value / advance.value, height.exponent - advance.exponent + e - f);
  constexpr double kLeast = std::numeric_limits<double>::min();
  return (height.value > 0) == (advance.value > 0) ? std::max(out, kLeast) : std::min(out, -kLeast);
}

// Line and triangle lie in one plane, or the triangle has no area and the line is in a plane with it
RayTriangleHit intersect_coplanar(const Ray<3, double>& ray, const Triangle<3, double>& triangle) noexcept {
  const Vec3d &o = ray.origin, &d = ray.direction;
  // Exact sides of points in the shadow along an axis
  const auto side = [&](int axis, const Vec3d& p) {
    return cross_sign({}, drop(d, axis), drop(o, axis), drop(p, axis));
  };
  // The widest shadow, when rounding lets it be seen
  const Vec3d normal = abs(double_area(triangle));
  int axis = normal.x >= normal.y ? (normal.x >= normal.z ? 0 : 2) : (normal.y >= normal.z ? 1 : 2);
  if (orient_along(axis, triangle.a, triangle.b, triangle.c) == 0)
    axis = projection_axis(triangle.a, triangle.b, triangle.c);
  if (axis < 0) {
    // A segment or a point: the shadow in which it crosses the line, if there is one
    Vec3d p = triangle.a, q = triangle.a;
    for (const Vec3d& v : {triangle.b, triangle.c}) {
      if (lexicographically_less(v, p)) p = v;
      if (lexicographically_less(q, v)) q = v;
    }
    for (int k = 0; k < 3; ++k)
      if (cross_sign({}, drop(d, k), drop(p, k), drop(q, k)) != 0) axis = k;
    if (axis < 0) {
      for (int k = 0; k < 3; ++k)
        if (side(k, p) != 0) return {};
      axis = 0;
    }
  }
  // The part of the line in the triangle lies between corners on it and edges that cross it
  const int along = std::fabs(d.x) >= std::fabs(d.y) ? (std::fabs(d.x) >= std::fabs(d.z) ? 0 : 2)
                                                     : (std::fabs(d.y) >= std::fabs(d.z) ? 1 : 2);
  double first = std::numeric_limits<double>::infinity(), last = -first, time[3], off[3];
  int sides[3];
  for (int i = 0; i < 3; ++i) {
    const Vec3d to = triangle[i] - o;
    time[i] = to[along] / d[along];
    off[i] = std::fabs(cross(drop(d, axis), drop(to, axis)));
    sides[i] = side(axis, triangle[i]);
    if (sides[i] == 0) first = std::min(first, time[i]), last = std::max(last, time[i]);
  }
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    if (sides[i] * sides[j] >= 0) continue;
    const double sum = off[i] + off[j], at = sum > 0 ? off[i] / sum : 0.5;
    const double t = time[i] + (time[j] - time[i]) * at;
    first = std::min(first, t), last = std::max(last, t);
  }
  if (!(last >= 0)) return {};
  return {true, std::max(first, 0.0)};
}

}  // namespace detail

TriangleWeights weights_at(const Ray<3, double>& ray, const Triangle<3, double>& triangle, double t) noexcept {
  // As seen from the hit, where the corners are no farther than the triangle is wide; in the widest shadow
  const Vec3d hit = ray.origin + ray.direction * t, normal = double_area(triangle), size = abs(normal);
  const int axis = size.z >= std::max(size.x, size.y) ? 2 : size.y >= size.x ? 1 : 0;
  const Vec2d a = drop(triangle.a - hit, axis), b = drop(triangle.b - hit, axis), c = drop(triangle.c - hit, axis);
  const double side = normal[axis] > 0 ? 1 : -1;
  const double wa = std::max(0.0, side * cross(b, c)), wb = std::max(0.0, side * cross(c, a));
  const double wc = std::max(0.0, side * cross(a, b)), sum = wa + wb + wc;
  // Without area, or so thin that rounding leaves nothing
  const double flat = kFlatTriangle<double> * max_abs(triangle.b - triangle.a) * max_abs(triangle.c - triangle.a);
  if (!(size[axis] > flat && sum > std::numeric_limits<double>::min())) {
    const auto closest = closest_point(triangle, hit);
    return {closest.u, closest.v};
  }
  const double share = 1 / sum;
  return {wb * share, wc * share};
}

}  // namespace sudar
