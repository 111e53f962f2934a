// What:    Questions to placed shapes through any broad phase: what a ray or a moving shape meets, what overlaps a shape,
//          what holds a point, what is nearest. The base of whoever keeps shapes in a box store: ShapeSet, Scene.
// Source:  the broad phase answers for boxes (broadphase/box_query.hpp); what it lets through, the shapes decide.
// Differs: The answers do not depend on the broad phase: boxes are grown by a hair, and the order is by the shapes' own
//          answers, then by id (ShapeSet.EveryBroadPhaseGivesTheAnswersOfThePlainLoop2 and …3). Filters as in pairs:
//          layers, masks, groups, a callback. Half-spaces have boxes as large as there are.
// Frame:   The world's, metres. Ids are those of the boxes in the store.
// Threads: one question at a time; a batch of rays asks the boxes one after another and the shapes on all threads.
// Fails:   what the queries of one shape say, whether or not a box is met, and out_of_memory. A shape that is asked about:
//          non_finite, too_large (a position beyond 2^100 metres), degenerate (a rotation of length zero).
#pragma once

#include <sudar/broadphase/broadphase.hpp>
#include <sudar/queries/point_query.hpp>
#include <sudar/queries/ray2.hpp>
#include <sudar/queries/ray3.hpp>
#include <sudar/queries/shape_cast.hpp>

#include <span>
#include <vector>

namespace sudar {

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
class SUDAR_API ShapeQuestions {
 public:
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

 protected:
  // A shape and where it is, both kept by whoever answers `placed`
  struct Placed {
    const ShapeOf<D>& shape;
    const Pose<D, double>& pose;
  };
  // The store and a broad phase that has seen it as it is now
  struct Ground {
    const BoxStore<D>* store;
    Broadphase<D>* broadphase;
  };

  ShapeQuestions() = default;
  ShapeQuestions(const ShapeQuestions&) = default;
  ShapeQuestions& operator=(const ShapeQuestions&) = default;
  ~ShapeQuestions() = default;

  // Brings the boxes up to date
  virtual Result<Ground> ground() = 0;
  // `id` is in the store. Called from several threads at once.
  virtual Placed placed(std::uint32_t id) const noexcept = 0;

 private:
  Result<std::span<const CastHit>> boxes_met(const ShapeOf<D>& shape, const Pose<D, double>& start,
                                             const Vec<D, double>& translation, double max_t,
                                             const QueryFilter& filter);
  Result<SetRayHit<D>> first_of(std::span<const CastHit> boxes, const Ray<D, double>& ray, double max_t) const;
};

extern template class ShapeQuestions<2>;
extern template class ShapeQuestions<3>;

// A box as the store of such questions must have it: inside of the range of float, and grown by a hair, so that the
// rounding of a cast at boxes loses nothing that touches
template <int D>
SUDAR_API Aabb<D, double> question_box(const Aabb<D, double>& box) noexcept;

}  // namespace sudar
