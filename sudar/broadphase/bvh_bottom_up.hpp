// What:    `bvh_bottom_up`: a hierarchy joined from the leaves up; see bottom_up_builder.hpp.
// Source:  Meister and Bittner, "Parallel Locally-Ordered Clustering", 2018; seed A19.
#pragma once

#include <sudar/broadphase/bottom_up_builder.hpp>
#include <sudar/broadphase/bvh.hpp>

namespace sudar {

template <int D>
class SUDAR_API BvhBottomUp final : public Bvh<D> {
 public:
  BvhBottomUp();
  std::string_view name() const noexcept override { return "bvh_bottom_up"; }

 private:
  void build_nodes(BinaryTree<D>& tree) override;
  std::size_t builder_bytes() const noexcept override { return builder_.bytes(); }

  BottomUpBuilder<D> builder_;
};

}  // namespace sudar
