// What:    A ray against a convex shape of which only the distance to a point is asked: the ray advances to the plane that
//          the closest point gives, again and again. Internal.
// Source:  van den Bergen, "Ray Casting against General Convex Objects", 2004.
// Differs: Each step is a distance query of its own with a proven plane, so the ray never passes the surface.
// Fails:   max_iterations when it neither touches nor passes within kMaxSteps; the t is then the last proven one.
#pragma once

#include <sudar/narrowphase/answer.hpp>
#include <sudar/queries/query_tolerance.hpp>
#include <sudar/queries/ray_answer.hpp>

namespace sudar {

// distance_at(p): the DistanceAnswer of the shape (A) and the point p (B)
template <int D, class F>
RayAnswer<D> advance_to_convex(const Ray<D, double>& ray, double max_t, double size, F&& distance_at) {
  constexpr int kMaxSteps = 256;
  RayAnswer<D> out;
  DistanceAnswer<D> x;
  for (int step = 0; step < kMaxSteps; ++step) {
    const Vec<D, double> p = ray.at(out.t);
    x = distance_at(p);
    const double touch = kRayTouch * (size + max_abs(p));
    if (x.separation <= touch) {
      out.hit = true;
      out.inside = step == 0 && x.separation < -touch;
      out.point = p;
      out.normal = out.inside ? -normalized(ray.direction) : x.normal;
      return out;
    }
    const double closing = -dot(x.normal, ray.direction);
    if (!(closing > 0)) return {};
    out.t += x.separation / closing;
    if (!(out.t <= max_t)) return {};
  }
  out.hit = true;
  out.point = ray.at(out.t);
  out.normal = x.normal;
  out.status = QueryStatus::max_iterations;
  return out;
}

}  // namespace sudar
