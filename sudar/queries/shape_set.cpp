#include <sudar/broadphase/registry.hpp>
#include <sudar/math/pose_check.hpp>
#include <sudar/queries/query_tolerance.hpp>
#include <sudar/queries/shape_set.hpp>

namespace sudar {

template <int D>
Result<ShapeSet<D>> ShapeSet<D>::make(std::span<const PlacedShape<D>> shapes, std::string_view broadphase) {
  return guarded([&]() -> Result<ShapeSet<D>> {
    ShapeSet set;
    auto made = make_broadphase<D>(broadphase);
    if (!made) return made.error();
    set.broadphase_ = *std::move(made);
    set.shapes_.assign(shapes.begin(), shapes.end());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const auto pose = checked_pose<D>(shapes[i].pose, i, kMaxPlace);
      if (!pose) return pose.error();
      set.shapes_[i].pose = *pose;
      const auto id = set.store_.insert(question_box<D>(bounding_box(shapes[i].shape, *pose)), shapes[i].filter);
      if (!id) return Error{id.error().code, i, id.error().reason};
    }
    return set;
  });
}

template <int D>
Result<void> ShapeSet<D>::move(std::uint32_t id, const Pose<D, double>& pose) {
  if (id >= shapes_.size()) return Error{ErrorCode::unknown_id, id, "no shape of that number"};
  const auto place = checked_pose<D>(pose, id, kMaxPlace);
  if (!place) return place.error();
  if (const auto r = store_.move(id, question_box<D>(bounding_box(shapes_[id].shape, *place))); !r) return r.error();
  shapes_[id].pose = *place;
  stale_ = true;
  return {};
}

template <int D>
Result<typename ShapeSet<D>::Ground> ShapeSet<D>::ground() {
  if (stale_) {
    if (const auto r = broadphase_->update(store_); !r) return r.error();
    stale_ = false;
  }
  return Ground{&store_, broadphase_.get()};
}

template class SUDAR_API ShapeSet<2>;
template class SUDAR_API ShapeSet<3>;

}  // namespace sudar
