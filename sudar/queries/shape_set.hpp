// What:    Questions to a set of placed shapes through any broad phase: what a ray or a moving shape meets, what overlaps
//          a shape, what holds a point, what is nearest.
// Source:  the broad phase answers for boxes (broadphase/box_query.hpp); what it lets through, the shapes decide.
// Differs: The answers do not depend on the broad phase: boxes are grown by a hair, and the order is by the shapes' own
//          answers, then by id (ShapeSet.EveryBroadPhaseGivesTheAnswersOfThePlainLoop). Filters as in pairs: layers,
//          masks, groups, a callback. Half-spaces have boxes as large as there are.
// Frame:   The world's, metres. Ids are the positions in the list that the set was made of.
// Threads: one question at a time; a batch of rays asks the boxes one after another and the shapes on all threads.
// Fails:   make: unknown_id (no such broad phase), non_finite with the shape (a pose), out_of_memory. Questions: what the
//          queries of one shape say.
#pragma once

#include <sudar/broadphase/broadphase.hpp>
#include <sudar/queries/point_query.hpp>
#include <sudar/queries/ray2.hpp>
#include <sudar/queries/ray3.hpp>
#include <sudar/queries/shape_cast.hpp>

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace sudar {

template <int D>
struct PlacedShape {
  ShapeOf<D> shape;
  Pose<D, double> pose{};
  Filter filter{};
};

template <int D>
struct SetRayHit {
  std::uint32_t id = kNoIndex;  // kNoIndex: no hit
  RayAnswer<D> answer{};
};
template <int D>
struct SetCastHit {
  std::uint32_t id = kNoIndex;
  ShapeCastAnswer<D> answer{};
};
template <int D>
struct SetNear {
  std::uint32_t id = kNoIndex;
  PointAnswer<D> answer{};
};

template <int D>
class SUDAR_API ShapeSet {
 public:
  static Result<ShapeSet> make(std::span<const PlacedShape<D>> shapes, std::string_view broadphase = "dynamic_tree");

  std::size_t size() const { return shapes_.size(); }
  const PlacedShape<D>& operator[](std::uint32_t id) const { return shapes_[id]; }
  Result<void> move(std::uint32_t id, const Pose<D, double>& pose);

  // The first shape along the ray; of several at one t, the lowest id
  Result<SetRayHit<D>> cast_ray(const Ray<D, double>& ray, double max_t, const QueryFilter& filter = {});
  Result<bool> ray_meets(const Ray<D, double>& ray, double max_t, const QueryFilter& filter = {});
  // The first hit of every shape that is met, by t, then id
  Result<void> cast_ray_all(const Ray<D, double>& ray, double max_t, std::vector<SetRayHit<D>>& hits,
                            const QueryFilter& filter = {});
  Result<void> cast_rays(std::span<const Ray<D, double>> rays, double max_t, std::span<SetRayHit<D>> hits,
                         Executor& executor = serial_executor(), const QueryFilter& filter = {});

  // What a shape meets that moves along a line (shape_cast.hpp): the first, and all by t, then id
  Result<SetCastHit<D>> cast_shape(const ShapeOf<D>& shape, const Pose<D, double>& start,
                                   const Vec<D, double>& translation, double max_t = 1, const QueryFilter& filter = {});
  Result<void> cast_shape_all(const ShapeOf<D>& shape, const Pose<D, double>& start, const Vec<D, double>& translation,
                              double max_t, std::vector<SetCastHit<D>>& hits, const QueryFilter& filter = {});

  // Which shapes touch or overlap this one; ids in rising order
  Result<void> overlapping(const ShapeOf<D>& shape, const Pose<D, double>& pose, std::vector<std::uint32_t>& ids,
                           const QueryFilter& filter = {});
  // Which hold the point, the border included
  Result<void> containing(const Vec<D, double>& p, std::vector<std::uint32_t>& ids, const QueryFilter& filter = {});
  // The `count` nearest by signed distance, then id
  Result<void> nearest(const Vec<D, double>& p, std::size_t count, std::vector<SetNear<D>>& out,
                       const QueryFilter& filter = {});

 private:
  ShapeSet() = default;
  Result<void> refresh();
  static Aabb<D, double> box_of(const PlacedShape<D>& x);
  Result<std::span<const CastHit>> boxes_met(const ShapeOf<D>& shape, const Pose<D, double>& start,
                                             const Vec<D, double>& translation, double max_t,
                                             const QueryFilter& filter);
  Result<SetRayHit<D>> first_of(std::span<const CastHit> boxes, const Ray<D, double>& ray, double max_t) const;

  std::vector<PlacedShape<D>> shapes_;
  BoxStore<D> store_;
  std::unique_ptr<Broadphase<D>> broadphase_;
  bool stale_ = true;
};

extern template class ShapeSet<2>;
extern template class ShapeSet<3>;

}  // namespace sudar
