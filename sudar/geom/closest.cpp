#include <sudar/geom/closest.hpp>
#include <sudar/math/tolerance.hpp>

namespace sudar {

namespace {

// Size of the normal of two directions, and of a direction in that normal's plane, in both dimensions
template <class T>
T along_normal(const BasicVec2<T>& u, const BasicVec2<T>& v, T normal) {
  return cross(u, v) * normal;
}
template <class T>
T along_normal(const BasicVec3<T>& u, const BasicVec3<T>& v, const BasicVec3<T>& normal) {
  return dot(cross(u, v), normal);
}
template <class T>
T square(const T& x) {
  return x * x;
}
template <class T>
T square(const BasicVec3<T>& x) {
  return dot(x, x);
}

template <int D, class T>
void keep_nearer(ClosestSegments<D, T>& best, const Vec<D, T>& on_a, const Vec<D, T>& on_b, T s, T t) {
  const T d = length_squared(on_b - on_a);
  if (d < best.distance_squared) best = {on_a, on_b, s, t, d};
}

// The four sides of the unit square: an end of one segment against all of the other
template <int D, class T>
void try_ends(ClosestSegments<D, T>& best, const Segment<D, T>& a, const Segment<D, T>& b) {
  for (int end = 0; end < 2; ++end) {
    const T e = static_cast<T>(end);
    const Vec<D, T>&pa = end ? a.b : a.a, &pb = end ? b.b : b.a;
    const ClosestOnSegment<D, T> on_b = closest_point(b, pa), on_a = closest_point(a, pb);
    keep_nearer(best, pa, on_b.point, e, on_b.t);
    keep_nearer(best, on_a.point, pb, on_a.t, e);
  }
}

}  // namespace

template <int D, class T>
ClosestSegments<D, T> closest_points(const Segment<D, T>& a, const Segment<D, T>& b) {
  const Vec<D, T> da = a.b - a.a, db = b.b - b.a, r = b.a - a.a;
  const auto normal = cross(da, db);
  const T crossing = square(normal), scale = dot(da, da) * dot(db, db);
  ClosestSegments<D, T> best{a.a, b.a, 0, 0, length_squared(r)};
  if (crossing > 0) {
    // Where the lines pass each other on a, and from there across: s and t by themselves would each be off by the
    // rounding unit over the angle, in directions of their own
    const T s = along_normal(r, db, normal) / crossing;
    if (s >= 0 && s <= 1) {
      const Vec<D, T> on_a = a.at(s);
      const ClosestOnSegment<D, T> on_b = closest_point(b, on_a);
      keep_nearer(best, on_a, on_b.point, s, on_b.t);
      const bool crosses_inside = on_b.t > 0 && on_b.t < 1;
      if (crosses_inside && crossing > kParallelSegments<T> * kParallelSegments<T> * scale) return best;
    }
  }
  try_ends(best, a, b);
  return best;
}

template <int D, class T>
ClosestOnTriangle<D, T> closest_point(const Triangle<D, T>& triangle, const Vec<D, T>& p) {
  // The longest edge is the base, from vertex i to vertex j; the third vertex lies over it
  const T ab = length_squared(triangle.b - triangle.a), bc = length_squared(triangle.c - triangle.b),
          ca = length_squared(triangle.a - triangle.c);
  const int i = ab >= bc ? (ab >= ca ? 0 : 2) : (bc >= ca ? 1 : 2), j = (i + 1) % 3, k = (i + 2) % 3;
  const Vec<D, T>&base_a = triangle[i], &base_b = triangle[j], &top = triangle[k];

  // An orthonormal frame at the start of the base. Projected twice, or the height of a sliver would not be a height.
  const T length_of_base = distance(base_a, base_b);
  const Vec<D, T> to_top = top - base_a, to_p = p - base_a;
  const Vec<D, T> along = length_of_base > 0 ? (base_b - base_a) * (1 / length_of_base) : Vec<D, T>{};
  const T top_x = dot(to_top, along);
  Vec<D, T> rise = to_top - along * top_x;
  rise = rise - along * dot(rise, along);
  const T height = length(rise);
  const Vec<D, T> up = height > 0 ? rise * (1 / height) : Vec<D, T>{};
  const T x = dot(to_p, along), y = dot(to_p, up);
  const bool below = !(y >= 0), left = !(x * height >= y * top_x),
             right = !((length_of_base - x) * height >= y * (length_of_base - top_x)), flat = !(height > 0);

  ClosestOnTriangle<D, T> best;
  T weight[3] = {0, 0, 0};
  if (!below && !left && !right && !flat) {
    weight[k] = y / height;
    weight[j] = (x - weight[k] * top_x) / length_of_base;
    weight[i] = 1 - weight[j] - weight[k];
    best.feature = TriangleFeature::face;
    best.u = weight[1];
    best.v = weight[2];
    best.point = base_a + along * x + up * y;
    best.distance_squared = length_squared(p - best.point);
    return best;
  }

  // Nearest of the edges that face the point: a vertex belongs to the region of both of its edges
  bool found = false;
  const auto try_edge = [&](int edge) {
    const int from = edge, to = (edge + 1) % 3;
    const ClosestOnSegment<D, T> on = closest_point(Segment<D, T>{triangle[from], triangle[to]}, p);
    if (found && !(on.distance_squared < best.distance_squared)) return;
    found = true;
    best.point = on.point;
    best.distance_squared = on.distance_squared;
    weight[0] = weight[1] = weight[2] = 0;
    weight[from] = 1 - on.t;
    weight[to] = on.t;
    best.u = weight[1];
    best.v = weight[2];
    const int feature = on.t <= 0 ? from : on.t >= 1 ? to : 3 + edge;
    best.feature = static_cast<TriangleFeature>(feature);
  };
  if (below || flat) try_edge(i);
  if (right || flat) try_edge(j);
  if (left || flat) try_edge(k);
  return best;
}

template SUDAR_API ClosestSegments<2, float> closest_points(const Segment<2, float>&, const Segment<2, float>&);
template SUDAR_API ClosestSegments<3, float> closest_points(const Segment<3, float>&, const Segment<3, float>&);
template SUDAR_API ClosestSegments<2, double> closest_points(const Segment<2, double>&, const Segment<2, double>&);
template SUDAR_API ClosestSegments<3, double> closest_points(const Segment<3, double>&, const Segment<3, double>&);
template SUDAR_API ClosestOnTriangle<2, float> closest_point(const Triangle<2, float>&, const Vec<2, float>&);
template SUDAR_API ClosestOnTriangle<3, float> closest_point(const Triangle<3, float>&, const Vec<3, float>&);
template SUDAR_API ClosestOnTriangle<2, double> closest_point(const Triangle<2, double>&, const Vec<2, double>&);
template SUDAR_API ClosestOnTriangle<3, double> closest_point(const Triangle<3, double>&, const Vec<3, double>&);

}  // namespace sudar
