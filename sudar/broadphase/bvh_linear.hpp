// What:    `bvh_linear`: a hierarchy along a Morton curve, the fastest to build; see linear_builder.hpp.
// Source:  Lauterbach et al., "Fast BVH Construction on GPUs", 2009; Karras, 2012; seed A19.
#pragma once

#include <sudar/broadphase/bvh.hpp>
#include <sudar/broadphase/linear_builder.hpp>

namespace sudar {

template <int D>
class SUDAR_API BvhLinear final : public Bvh<D> {
 public:
  BvhLinear();
  std::string_view name() const noexcept override { return "bvh_linear"; }

 private:
  void build_nodes(BinaryTree<D>& tree) override;
  std::size_t builder_bytes() const noexcept override { return builder_.bytes(); }

  LinearBuilder<D> builder_;
};

}  // namespace sudar
