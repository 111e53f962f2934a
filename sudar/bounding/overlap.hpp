// What:    Overlap and containment between volumes of different kinds: sphere and box in both dimensions. Tests
//          between volumes of one kind are beside the kind.
// Source:  Arvo, "A simple method for box–sphere intersection testing", Graphics Gems, 1990; seed A1.
// Differs: Closed sets: touching counts. Squares are compared as in sphere.hpp, with the same range. NaN is a miss.
#pragma once

#include <sudar/bounding/aabb.hpp>
#include <sudar/bounding/sphere.hpp>

namespace sudar {

// The point of the box nearest to p, which is p itself inside of it
template <int D, class T>
constexpr Vec<D, T> closest_point(const Aabb<D, T>& box, const Vec<D, T>& p) {
  Vec<D, T> out = p;
  for (int i = 0; i < D; ++i) {
    if (out[i] < box.lo[i]) out[i] = box.lo[i];
    if (out[i] > box.hi[i]) out[i] = box.hi[i];
  }
  return out;
}

template <int D, class T>
constexpr bool overlap(const Sphere<D, T>& sphere, const Aabb<D, T>& box) {
  return is_valid(box) && contains(sphere, closest_point(box, sphere.center));
}
template <int D, class T>
constexpr bool overlap(const Aabb<D, T>& box, const Sphere<D, T>& sphere) {
  return overlap(sphere, box);
}

// Whether all of the box lies in the sphere: its farthest corner does
template <int D, class T>
constexpr bool contains(const Sphere<D, T>& sphere, const Aabb<D, T>& box) {
  if (!is_valid(box)) return false;
  Vec<D, T> corner;
  for (int i = 0; i < D; ++i)
    corner[i] = sphere.center[i] - box.lo[i] > box.hi[i] - sphere.center[i] ? box.lo[i] : box.hi[i];
  return contains(sphere, corner);
}
// Whether all of the sphere lies in the box
template <int D, class T>
constexpr bool contains(const Aabb<D, T>& box, const Sphere<D, T>& sphere) {
  for (int i = 0; i < D; ++i)
    if (!(sphere.center[i] - box.lo[i] >= sphere.radius && box.hi[i] - sphere.center[i] >= sphere.radius)) return false;
  return true;
}

// Box around a sphere, rounded outward
template <int D, class T>
constexpr Aabb<D, T> bounding_box(const Sphere<D, T>& sphere) {
  Aabb<D, T> out;
  for (int i = 0; i < D; ++i) {
    out.lo[i] = sub_down(sphere.center[i], sphere.radius);
    out.hi[i] = add_up(sphere.center[i], sphere.radius);
  }
  return out;
}

}  // namespace sudar
