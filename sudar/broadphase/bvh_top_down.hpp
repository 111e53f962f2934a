// What:    `bvh_top_down`: a hierarchy split from the top, at medians or where it costs least; see top_down_builder.hpp.
// Source:  Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies", 2007; seeds A19, B5.
#pragma once

#include <sudar/broadphase/bvh.hpp>
#include <sudar/broadphase/top_down_builder.hpp>

namespace sudar {

template <int D>
class SUDAR_API BvhTopDown final : public Bvh<D> {
 public:
  BvhTopDown();
  std::string_view name() const noexcept override { return "bvh_top_down"; }

 private:
  void build_nodes(BinaryTree<D>& tree) override;
  std::size_t builder_bytes() const noexcept override { return builder_.bytes(); }

  TopDownBuilder<D> builder_;
};

}  // namespace sudar
