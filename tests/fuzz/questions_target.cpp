// A body anywhere, and what is asked of it by points, rays and casts with any numbers: every answer is finite, or refused. In space;
// after a byte of 255, in the plane.
#include "tests/fuzz/body_bytes.hpp"
#include <sudar/continuous/swept_volume.hpp>
#include <sudar/queries/ray2.hpp>
#include <sudar/queries/ray3.hpp>
#include <sudar/queries/shape_cast.hpp>

#include <cmath>
#include <limits>
#include <span>

namespace sudar_fuzz {

namespace {

template <int D>
void ask_with_points(const sudar::ShapeOf<D>& body, const sudar::Pose<D, double>& place, Bytes& bytes) {
  using namespace sudar;
  const Vec<D, double> p = bytes.any_vector<D>();
  const auto x = locate_point<D>(body, place, p);
  if (!x) return;
  promise(is_finite(p) && is_finite(place.position), "what is no place is refused");
  promise(std::isfinite(x->distance) && is_finite(x->point) && is_finite(x->normal), "an answer to a point is finite");
  promise(x->inside() ? x->distance <= 0 : x->distance >= 0, "inside is below zero");
  PointAnswer<D> again;
  const auto done = locate_points<D>(body, place, std::span(&p, 1), std::span(&again, 1));
  promise(done.ok() && again.distance == x->distance, "many points are answered as one");
}

template <int D>
void ask_with_rays(const sudar::ShapeOf<D>& body, const sudar::Pose<D, double>& place, Bytes& bytes) {
  using namespace sudar;
  Ray<D, double> ray;
  ray.origin = bytes.any_vector<D>();
  ray.direction = bytes.any_vector<D>();
  const double max_t = bytes.coin() ? std::numeric_limits<double>::infinity() : bytes.any_number();
  const auto x = cast_ray(body, place, ray, max_t);
  if (!x || !x->hit) return;
  promise(std::isfinite(x->t) && x->t >= 0 && x->t <= max_t, "a ray hits between its ends");
  promise(is_finite(x->normal), "an answer to a ray is finite");
}

template <int D>
void ask_with_casts(const sudar::ShapeOf<D>& body, const sudar::Pose<D, double>& place, Bytes& bytes) {
  using namespace sudar;
  const auto other = any_body(bytes, std::integral_constant<int, D>());
  const auto start = any_place<D>(bytes);
  const Vec<D, double> way = bytes.any_vector<D>();
  const double max_t = bytes.coin() ? 1 : bytes.any_number();
  const auto x = cast_shape<D>(other, start, way, body, place, max_t);
  if (x && x->hit) {
    promise(x->t >= 0 && x->t <= x->t_hi && x->t_hi <= max_t, "a cast hits between its ends");
    promise(is_finite(x->point) && is_finite(x->normal), "an answer to a cast is finite");
  }
  RigidMotion<D> motion;
  motion.linear = way;
  if constexpr (D == 2)
    motion.angular = bytes.any_number();
  else
    motion.angular = bytes.any_vector<3>();
  const double begin = bytes.any_number(), end = bytes.any_number();
  (void)swept_hull(other, start, motion, begin, end);
}

template <int D>
void ask(Bytes bytes) {
  const auto body = any_body(bytes, std::integral_constant<int, D>());
  const auto place = any_place<D>(bytes);
  while (!bytes.empty()) switch (bytes.below(4)) {
      case 0:
        ask_with_points<D>(body, place, bytes);
        break;
      case 1:
        ask_with_casts<D>(body, place, bytes);
        break;
      default:
        ask_with_rays<D>(body, place, bytes);
    }
}

}  // namespace

void fuzz_questions(FuzzBytes all) {
  if (!all.empty() && all[0] == kInThePlane) return ask<2>(Bytes(all.subspan(1)));
  ask<3>(Bytes(all));
}

}  // namespace sudar_fuzz
