// What:    A list of placed shapes to ask questions of: which are listed in shape_questions.hpp.
// Differs: Shapes may move, but none comes or goes; for that there is the scene (scene/scene.hpp).
// Frame:   The world's, metres. Ids are the positions in the list that the set was made of.
// Fails:   make: unknown_id (no such broad phase), out_of_memory; with the shape: non_finite, too_large (a position beyond
//          2^100 metres), degenerate (a rotation of length zero).
#pragma once

#include <sudar/queries/shape_questions.hpp>

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
class SUDAR_API ShapeSet final : public ShapeQuestions<D> {
 public:
  static Result<ShapeSet> make(std::span<const PlacedShape<D>> shapes, std::string_view broadphase = "dynamic_tree");

  std::size_t size() const { return shapes_.size(); }
  const PlacedShape<D>& operator[](std::uint32_t id) const { return shapes_[id]; }
  Result<void> move(std::uint32_t id, const Pose<D, double>& pose);

 private:
  using typename ShapeQuestions<D>::Ground;
  using typename ShapeQuestions<D>::Placed;

  ShapeSet() = default;
  Result<Ground> ground() override;
  Placed placed(std::uint32_t id) const noexcept override { return {shapes_[id].shape, shapes_[id].pose}; }

  std::vector<PlacedShape<D>> shapes_;
  BoxStore<D> store_;
  std::unique_ptr<Broadphase<D>> broadphase_;
  bool stale_ = true;
};

extern template class ShapeSet<2>;
extern template class ShapeSet<3>;

}  // namespace sudar
