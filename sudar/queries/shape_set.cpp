#include <sudar/broadphase/registry.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/queries/shape_set.hpp>

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
double box_time(const CastHit& x) { return x.t * (1 - 0x1p-40); }

}  // namespace

template <int D>
Aabb<D, double> ShapeSet<D>::box_of(const PlacedShape<D>& x) {
  Aabb<D, double> box = bounding_box(x.shape, x.pose);
  // A hair, so that the rounding of a cast at boxes loses nothing that touches
  constexpr double kHair = 0x1p-22;
  for (int i = 0; i < D; ++i) {
    const double lo = std::clamp(box.lo[i], -kMostBox, kMostBox), hi = std::clamp(box.hi[i], -kMostBox, kMostBox);
    const double grow = kHair * std::max(std::fabs(lo), std::fabs(hi));
    box.lo[i] = std::max(lo - grow, -kMostBox);
    box.hi[i] = std::min(hi + grow, kMostBox);
  }
  return box;
}

template <int D>
Result<ShapeSet<D>> ShapeSet<D>::make(std::span<const PlacedShape<D>> shapes, std::string_view broadphase) {
  return guarded([&]() -> Result<ShapeSet<D>> {
    ShapeSet set;
    auto made = make_broadphase<D>(broadphase);
    if (!made) return made.error();
    set.broadphase_ = *std::move(made);
    set.shapes_.assign(shapes.begin(), shapes.end());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      if (!is_finite(shapes[i].pose.position)) return Error{ErrorCode::non_finite, i, "position is NaN or infinite"};
      const auto id = set.store_.insert(box_of(shapes[i]), shapes[i].filter);
      if (!id) return Error{id.error().code, i, id.error().reason};
    }
    return set;
  });
}

template <int D>
Result<void> ShapeSet<D>::move(std::uint32_t id, const Pose<D, double>& pose) {
  if (id >= shapes_.size()) return Error{ErrorCode::unknown_id, id, "no shape of that number"};
  if (!is_finite(pose.position)) return Error{ErrorCode::non_finite, id, "position is NaN or infinite"};
  const PlacedShape<D> moved{shapes_[id].shape, pose, shapes_[id].filter};
  if (const auto r = store_.move(id, box_of(moved)); !r) return r.error();
  shapes_[id].pose = pose;
  stale_ = true;
  return {};
}

template <int D>
Result<void> ShapeSet<D>::refresh() {
  if (!stale_) return {};
  if (const auto r = broadphase_->update(store_); !r) return r.error();
  stale_ = false;
  return {};
}

template <int D>
Result<SetRayHit<D>> ShapeSet<D>::first_of(std::span<const CastHit> boxes, const Ray<D, double>& ray,
                                           double max_t) const {
  SetRayHit<D> best;
  for (const CastHit& box : boxes) {
    // Boxes come by time: what begins after the best hit cannot be before it
    if (best.id != kNoIndex && box_time(box) > best.answer.t) break;
    const PlacedShape<D>& x = shapes_[box.id];
    const auto hit = sudar::cast_ray(x.shape, x.pose, ray, max_t);
    if (!hit) return hit.error();
    if (!hit->hit) continue;
    if (best.id == kNoIndex || hit->t < best.answer.t || (hit->t == best.answer.t && box.id < best.id))
      best = {box.id, *hit};
  }
  return best;
}

template <int D>
Result<SetRayHit<D>> ShapeSet<D>::cast_ray(const Ray<D, double>& ray, double max_t, const QueryFilter& filter) {
  if (const auto r = check_ray(ray, max_t); !r) return r.error();
  if (const auto r = refresh(); !r) return r.error();
  const auto boxes = broadphase_->cast_all(store_, box_cast<D>(ray, max_t), filter);
  if (!boxes) return boxes.error();
  return first_of(*boxes, ray, max_t);
}

template <int D>
Result<bool> ShapeSet<D>::ray_meets(const Ray<D, double>& ray, double max_t, const QueryFilter& filter) {
  if (const auto r = check_ray(ray, max_t); !r) return r.error();
  if (const auto r = refresh(); !r) return r.error();
  const auto boxes = broadphase_->cast_all(store_, box_cast<D>(ray, max_t), filter);
  if (!boxes) return boxes.error();
  for (const CastHit& box : *boxes) {
    const auto hit = sudar::cast_ray(shapes_[box.id].shape, shapes_[box.id].pose, ray, max_t);
    if (!hit) return hit.error();
    if (hit->hit) return true;
  }
  return false;
}

template <int D>
Result<void> ShapeSet<D>::cast_ray_all(const Ray<D, double>& ray, double max_t, std::vector<SetRayHit<D>>& hits,
                                       const QueryFilter& filter) {
  hits.clear();
  if (const auto r = check_ray(ray, max_t); !r) return r.error();
  if (const auto r = refresh(); !r) return r.error();
  const auto boxes = broadphase_->cast_all(store_, box_cast<D>(ray, max_t), filter);
  if (!boxes) return boxes.error();
  return guarded([&]() -> Result<void> {
    for (const CastHit& box : *boxes) {
      const auto hit = sudar::cast_ray(shapes_[box.id].shape, shapes_[box.id].pose, ray, max_t);
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
Result<void> ShapeSet<D>::cast_rays(std::span<const Ray<D, double>> rays, double max_t, std::span<SetRayHit<D>> hits,
                                    Executor& executor, const QueryFilter& filter) {
  if (hits.size() != rays.size())
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "as many answers as rays"};
  for (std::size_t i = 0; i < rays.size(); ++i)
    if (const auto r = check_ray(rays[i], max_t); !r) return Error{r.error().code, i, r.error().reason};
  if (const auto r = refresh(); !r) return r.error();
  return guarded([&]() -> Result<void> {
    // The boxes of all rays, one ray after another; then the shapes, on all threads
    std::vector<CastHit> boxes;
    std::vector<std::size_t> first(rays.size() + 1, 0);
    for (std::size_t i = 0; i < rays.size(); ++i) {
      const auto met = broadphase_->cast_all(store_, box_cast<D>(rays[i], max_t), filter);
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
Result<std::span<const CastHit>> ShapeSet<D>::boxes_met(const ShapeOf<D>& shape, const Pose<D, double>& start,
                                                        const Vec<D, double>& translation, double max_t,
                                                        const QueryFilter& filter) {
  if (!is_finite(start.position) || !is_finite(translation))
    return Error{ErrorCode::non_finite, Error::kNoElement, "position or translation is NaN or infinite"};
  if (const auto r = refresh(); !r) return r.error();
  // What comes within the tolerance of a time of impact counts as touching: another hair
  Aabb<D, double> box = box_of({shape, start, {}});
  double size = 0;
  for (int i = 0; i < D; ++i) size = std::max(size, box.hi[i] - box.lo[i]);
  for (int i = 0; i < D; ++i) {
    box.lo[i] = std::max(box.lo[i] - 0x1p-20 * size, -kMostBox);
    box.hi[i] = std::min(box.hi[i] + 0x1p-20 * size, kMostBox);
  }
  return broadphase_->cast_all(store_, BoxCast<D>{box, translation, max_t}, filter);
}

template <int D>
Result<SetCastHit<D>> ShapeSet<D>::cast_shape(const ShapeOf<D>& shape, const Pose<D, double>& start,
                                              const Vec<D, double>& translation, double max_t,
                                              const QueryFilter& filter) {
  const auto boxes = boxes_met(shape, start, translation, max_t, filter);
  if (!boxes) return boxes.error();
  SetCastHit<D> best;
  for (const CastHit& box : *boxes) {
    if (best.id != kNoIndex && box_time(box) > best.answer.t) break;
    const PlacedShape<D>& x = shapes_[box.id];
    const auto hit = sudar::cast_shape<D>(shape, start, translation, x.shape, x.pose, max_t);
    if (!hit) return hit.error();
    if (!hit->hit) continue;
    if (best.id == kNoIndex || hit->t < best.answer.t || (hit->t == best.answer.t && box.id < best.id))
      best = {box.id, *hit};
  }
  return best;
}

template <int D>
Result<void> ShapeSet<D>::cast_shape_all(const ShapeOf<D>& shape, const Pose<D, double>& start,
                                         const Vec<D, double>& translation, double max_t,
                                         std::vector<SetCastHit<D>>& hits, const QueryFilter& filter) {
  hits.clear();
  const auto boxes = boxes_met(shape, start, translation, max_t, filter);
  if (!boxes) return boxes.error();
  return guarded([&]() -> Result<void> {
    for (const CastHit& box : *boxes) {
      const PlacedShape<D>& x = shapes_[box.id];
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
Result<void> ShapeSet<D>::overlapping(const ShapeOf<D>& shape, const Pose<D, double>& pose,
                                      std::vector<std::uint32_t>& ids, const QueryFilter& filter) {
  ids.clear();
  if (!is_finite(pose.position)) return Error{ErrorCode::non_finite, Error::kNoElement, "position is NaN or infinite"};
  if (const auto r = refresh(); !r) return r.error();
  const auto found = broadphase_->overlapping(store_, box_of({shape, pose, {}}), filter);
  if (!found) return found.error();
  return guarded([&]() -> Result<void> {
    for (const std::uint32_t id : *found)
      if (intersects(shapes_[id].shape, shapes_[id].pose, shape, pose)) ids.push_back(id);
    return {};
  });
}

template <int D>
Result<void> ShapeSet<D>::containing(const Vec<D, double>& p, std::vector<std::uint32_t>& ids,
                                     const QueryFilter& filter) {
  ids.clear();
  if (!is_finite(p)) return Error{ErrorCode::non_finite, Error::kNoElement, "point has a NaN or an infinity"};
  if (const auto r = refresh(); !r) return r.error();
  const auto found = broadphase_->overlapping(store_, Aabb<D, double>{p, p}, filter);
  if (!found) return found.error();
  return guarded([&]() -> Result<void> {
    for (const std::uint32_t id : *found) {
      const auto x = locate_point<D>(shapes_[id].shape, shapes_[id].pose, p);
      if (!x) return x.error();
      if (x->inside()) ids.push_back(id);
    }
    return {};
  });
}

template <int D>
Result<void> ShapeSet<D>::nearest(const Vec<D, double>& p, std::size_t count, std::vector<SetNear<D>>& out,
                                  const QueryFilter& filter) {
  out.clear();
  if (!is_finite(p)) return Error{ErrorCode::non_finite, Error::kNoElement, "point has a NaN or an infinity"};
  if (const auto r = refresh(); !r) return r.error();
  count = std::min(count, shapes_.size());
  if (count == 0) return {};
  return guarded([&]() -> Result<void> {
    const auto before = [](const SetNear<D>& a, const SetNear<D>& b) {
      return a.answer.distance != b.answer.distance ? a.answer.distance < b.answer.distance : a.id < b.id;
    };
    // More and more boxes, until the next one is farther than the last shape that counts
    for (std::size_t ask = count + 1;; ask *= 2) {
      const auto boxes = broadphase_->nearest(store_, p, ask, filter);
      if (!boxes) return boxes.error();
      const bool all = boxes->size() < ask;
      for (std::size_t i = out.size(); i < boxes->size(); ++i) out.push_back({(*boxes)[i].id, {}});
      const double reach = std::sqrt(boxes->empty() ? 0 : boxes->back().distance_squared) * (1 - 0x1p-40);
      // The boxes come in the same order each time, but the answers were sorted since: ask again
      for (std::size_t i = 0; i < boxes->size(); ++i) {
        const std::uint32_t id = (*boxes)[i].id;
        const auto x = locate_point<D>(shapes_[id].shape, shapes_[id].pose, p);
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

template class SUDAR_API ShapeSet<2>;
template class SUDAR_API ShapeSet<3>;

}  // namespace sudar
