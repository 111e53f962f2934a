#include <sudar/continuous/motion.hpp>
#include <sudar/math/pose_check.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/queries/point_check.hpp>
#include <sudar/queries/shape_questions.hpp>

#include <algorithm>

namespace sudar {

namespace {

// As far as boxes of the broad phase reach
constexpr double kMostBox = std::numeric_limits<float>::max();

template <int D>
BoxCast<D> box_cast(const Ray<D, double>& ray, double max_t) {
  return BoxCast<D>::ray(ray.origin, ray.direction, max_t);
}

// What the cast of boxes says, a little earlier for its own rounding
double box_time(const CastHit& x) { return x.t * (1 - kBoxLess); }

}  // namespace

template <int D>
Aabb<D, double> question_box(const Aabb<D, double>& box) noexcept {
  Aabb<D, double> out;
  for (int i = 0; i < D; ++i) {
    const double lo = std::clamp(box.lo[i], -kMostBox, kMostBox), hi = std::clamp(box.hi[i], -kMostBox, kMostBox);
    const double grow = kQuestionHair * std::max(std::fabs(lo), std::fabs(hi));
    out.lo[i] = std::max(lo - grow, -kMostBox);
    out.hi[i] = std::min(hi + grow, kMostBox);
  }
  return out;
}

template <int D>
Result<SetRayHit<D>> ShapeQuestions<D>::first_of(std::span<const CastHit> boxes, const Ray<D, double>& ray,
                                                 double max_t) const {
  SetRayHit<D> best;
  for (const CastHit& box : boxes) {
    // Boxes come by time: what begins after the best hit cannot be before it
    if (best.id != kNoIndex && box_time(box) > best.answer.t) break;
    const Placed x = placed(box.id);
    const auto hit = sudar::cast_ray(x.shape, x.pose, ray, max_t);
    if (!hit) return hit.error();
    if (!hit->hit) continue;
    if (best.id == kNoIndex || hit->t < best.answer.t || (hit->t == best.answer.t && box.id < best.id))
      best = {box.id, *hit};
  }
  return best;
}

template <int D>
Result<SetRayHit<D>> ShapeQuestions<D>::cast_ray(const Ray<D, double>& ray, double max_t, const QueryFilter& filter) {
  if (const auto r = check_ray(ray, max_t); !r) return r.error();
  const auto on = ground();
  if (!on) return on.error();
  const auto boxes = on->broadphase->cast_all(*on->store, box_cast<D>(ray, max_t), filter);
  if (!boxes) return boxes.error();
  return first_of(*boxes, ray, max_t);
}

template <int D>
Result<bool> ShapeQuestions<D>::ray_meets(const Ray<D, double>& ray, double max_t, const QueryFilter& filter) {
  if (const auto r = check_ray(ray, max_t); !r) return r.error();
  const auto on = ground();
  if (!on) return on.error();
  const auto boxes = on->broadphase->cast_all(*on->store, box_cast<D>(ray, max_t), filter);
  if (!boxes) return boxes.error();
  for (const CastHit& box : *boxes) {
    const Placed x = placed(box.id);
    const auto hit = sudar::cast_ray(x.shape, x.pose, ray, max_t);
    if (!hit) return hit.error();
    if (hit->hit) return true;
  }
  return false;
}

template <int D>
Result<void> ShapeQuestions<D>::cast_ray_all(const Ray<D, double>& ray, double max_t, std::vector<SetRayHit<D>>& hits,
                                             const QueryFilter& filter) {
  hits.clear();
  if (const auto r = check_ray(ray, max_t); !r) return r.error();
  const auto on = ground();
  if (!on) return on.error();
  const auto boxes = on->broadphase->cast_all(*on->store, box_cast<D>(ray, max_t), filter);
  if (!boxes) return boxes.error();
  return guarded([&]() -> Result<void> {
    for (const CastHit& box : *boxes) {
      const Placed x = placed(box.id);
      const auto hit = sudar::cast_ray(x.shape, x.pose, ray, max_t);
      if (!hit) return hit.error();
      if (hit->hit) hits.push_back({box.id, *hit});
    }
    std::sort(hits.begin(), hits.end(), [](const SetRayHit<D>& a, const SetRayHit<D>& b) {
      return a.answer.t != b.answer.t ? a.answer.t < b.answer.t : a.id < b.id;
    });
    return {};
  });
}

template <int D>
Result<void> ShapeQuestions<D>::cast_rays(std::span<const Ray<D, double>> rays, double max_t,
                                          std::span<SetRayHit<D>> hits, Executor& executor, const QueryFilter& filter) {
  if (hits.size() != rays.size())
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "as many answers as rays"};
  for (std::size_t i = 0; i < rays.size(); ++i)
    if (const auto r = check_ray(rays[i], max_t); !r) return Error{r.error().code, i, r.error().reason};
  const auto on = ground();
  if (!on) return on.error();
  return guarded([&]() -> Result<void> {
    // The boxes of all rays, one ray after another; then the shapes, on all threads
    std::vector<CastHit> boxes;
    std::vector<std::size_t> first(rays.size() + 1, 0);
    for (std::size_t i = 0; i < rays.size(); ++i) {
      const auto met = on->broadphase->cast_all(*on->store, box_cast<D>(rays[i], max_t), filter);
      if (!met) return met.error();
      boxes.insert(boxes.end(), met->begin(), met->end());
      first[i + 1] = boxes.size();
    }
    std::vector<Result<void>> failed(rays.size());
    constexpr std::size_t kRaysAtATime = 64;
    parallel_for(executor, rays.size(), kRaysAtATime, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto x = first_of(std::span(boxes).subspan(first[i], first[i + 1] - first[i]), rays[i], max_t);
        if (x)
          hits[i] = *x;
        else
          failed[i] = x.error();
      }
    });
    for (const Result<void>& r : failed)
      if (!r) return r.error();
    return {};
  });
}

template <int D>
Result<std::span<const CastHit>> ShapeQuestions<D>::boxes_met(const ShapeOf<D>& shape, const Pose<D, double>& start,
                                                              const Vec<D, double>& translation, double max_t,
                                                              const QueryFilter& filter) {
  if (const auto r = check_motion<D>(start, {translation, {}}, max_t, Error::kNoElement); !r) return r.error();
  const auto unit = checked_rotation(start.rotation, Error::kNoElement);
  if (!unit) return unit.error();
  const auto on = ground();
  if (!on) return on.error();
  // What comes within the tolerance of a time of impact counts as touching: another hair
  Aabb<D, double> box = question_box<D>(bounding_box(shape, Pose<D, double>{start.position, *unit}));
  double size = 0;
  for (int i = 0; i < D; ++i) size = std::max(size, box.hi[i] - box.lo[i]);
  for (int i = 0; i < D; ++i) {
    box.lo[i] = std::max(box.lo[i] - kCastHair * size, -kMostBox);
    box.hi[i] = std::min(box.hi[i] + kCastHair * size, kMostBox);
  }
  return on->broadphase->cast_all(*on->store, BoxCast<D>{box, translation, max_t}, filter);
}

template <int D>
Result<SetCastHit<D>> ShapeQuestions<D>::cast_shape(const ShapeOf<D>& shape, const Pose<D, double>& start,
                                                    const Vec<D, double>& translation, double max_t,
                                                    const QueryFilter& filter) {
  const auto boxes = boxes_met(shape, start, translation, max_t, filter);
  if (!boxes) return boxes.error();
  SetCastHit<D> best;
  for (const CastHit& box : *boxes) {
    if (best.id != kNoIndex && box_time(box) > best.answer.t) break;
    const Placed x = placed(box.id);
    const auto hit = sudar::cast_shape<D>(shape, start, translation, x.shape, x.pose, max_t);
    if (!hit) return hit.error();
    if (!hit->hit) continue;
    if (best.id == kNoIndex || hit->t < best.answer.t || (hit->t == best.answer.t && box.id < best.id))
      best = {box.id, *hit};
  }
  return best;
}

template <int D>
Result<void> ShapeQuestions<D>::cast_shape_all(const ShapeOf<D>& shape, const Pose<D, double>& start,
                                               const Vec<D, double>& translation, double max_t,
                                               std::vector<SetCastHit<D>>& hits, const QueryFilter& filter) {
  hits.clear();
  const auto boxes = boxes_met(shape, start, translation, max_t, filter);
  if (!boxes) return boxes.error();
  return guarded([&]() -> Result<void> {
    for (const CastHit& box : *boxes) {
      const Placed x = placed(box.id);
      const auto hit = sudar::cast_shape<D>(shape, start, translation, x.shape, x.pose, max_t);
      if (!hit) return hit.error();
      if (hit->hit) hits.push_back({box.id, *hit});
    }
    std::sort(hits.begin(), hits.end(), [](const SetCastHit<D>& a, const SetCastHit<D>& b) {
      return a.answer.t != b.answer.t ? a.answer.t < b.answer.t : a.id < b.id;
    });
    return {};
  });
}

template <int D>
Result<void> ShapeQuestions<D>::overlapping(const ShapeOf<D>& shape, const Pose<D, double>& pose,
                                            std::vector<std::uint32_t>& ids, const QueryFilter& filter) {
  ids.clear();
  const auto place = checked_pose<D>(pose, Error::kNoElement, kMaxPlace);
  if (!place) return place.error();
  const auto on = ground();
  if (!on) return on.error();
  const auto found = on->broadphase->overlapping(*on->store, question_box<D>(bounding_box(shape, *place)), filter);
  if (!found) return found.error();
  return guarded([&]() -> Result<void> {
    for (const std::uint32_t id : *found) {
      const Placed x = placed(id);
      if (intersects(x.shape, x.pose, shape, *place)) ids.push_back(id);
    }
    return {};
  });
}

template <int D>
Result<void> ShapeQuestions<D>::containing(const Vec<D, double>& p, std::vector<std::uint32_t>& ids,
                                           const QueryFilter& filter) {
  ids.clear();
  if (const auto r = check_point<D>(p, Error::kNoElement); !r) return r.error();
  const auto on = ground();
  if (!on) return on.error();
  const auto found = on->broadphase->overlapping(*on->store, Aabb<D, double>{p, p}, filter);
  if (!found) return found.error();
  return guarded([&]() -> Result<void> {
    for (const std::uint32_t id : *found) {
      const Placed held = placed(id);
      const auto x = locate_point<D>(held.shape, held.pose, p);
      if (!x) return x.error();
      if (x->inside()) ids.push_back(id);
    }
    return {};
  });
}

template <int D>
Result<void> ShapeQuestions<D>::nearest(const Vec<D, double>& p, std::size_t count, std::vector<SetNear<D>>& out,
                                        const QueryFilter& filter) {
  out.clear();
  if (const auto r = check_point<D>(p, Error::kNoElement); !r) return r.error();
  const auto on = ground();
  if (!on) return on.error();
  count = std::min(count, on->store->size());
  if (count == 0) return {};
  return guarded([&]() -> Result<void> {
    const auto before = [](const SetNear<D>& a, const SetNear<D>& b) {
      return a.answer.distance != b.answer.distance ? a.answer.distance < b.answer.distance : a.id < b.id;
    };
    // More and more boxes, until the next one is farther than the last shape that counts
    for (std::size_t ask = count + 1;; ask *= 2) {
      const auto boxes = on->broadphase->nearest(*on->store, p, ask, filter);
      if (!boxes) return boxes.error();
      const bool all = boxes->size() < ask;
      for (std::size_t i = out.size(); i < boxes->size(); ++i) out.push_back({(*boxes)[i].id, {}});
      const double reach = std::sqrt(boxes->empty() ? 0 : boxes->back().distance_squared) * (1 - kBoxLess);
      // The boxes come in the same order each time, but the answers were sorted since: ask again
      for (std::size_t i = 0; i < boxes->size(); ++i) {
        const std::uint32_t id = (*boxes)[i].id;
        const Placed held = placed(id);
        const auto x = locate_point<D>(held.shape, held.pose, p);
        if (!x) return x.error();
        out[i] = {id, *x};
      }
      std::sort(out.begin(), out.end(), before);
      if (all || (out.size() >= count && out[count - 1].answer.distance < reach)) break;
    }
    if (out.size() > count) out.resize(count);
    return {};
  });
}

template class SUDAR_API ShapeQuestions<2>;
template class SUDAR_API ShapeQuestions<3>;
template SUDAR_API Aabb<2, double> question_box<2>(const Aabb<2, double>&) noexcept;
template SUDAR_API Aabb<3, double> question_box<3>(const Aabb<3, double>&) noexcept;

}  // namespace sudar
