// What:    `sphere_tree`: a hierarchy whose nodes are spheres, over the boxes; boxes are compared in the leaves only.
// Source:  Hubbard, "Approximating Polyhedra with Spheres for Time-Critical Collision Detection", 1996; Quinlan,
//          "Efficient Distance Computation Between Non-Convex Objects", 1994; seed B5.
// Differs: A node's sphere is around the centre of its box, with the smaller of two safe radii: half of the diagonal, and
//          what its children's spheres need. Doubles, so that no box of floats overflows the square of a distance.
//          The topology is that of top_down_builder.hpp, so what spheres cost against boxes is counted fairly.
// Frame:   nodes_visited counts pairs of nodes whose spheres were compared, box_tests pairs of boxes of the store.
// Fails:   Never. It is here to be compared: a sphere around boxes is looser than a box, so it visits more.
#pragma once

#include <sudar/broadphase/broadphase.hpp>
#include <sudar/broadphase/top_down_builder.hpp>

namespace sudar {

template <int D>
class SphereNodes {
 public:
  struct Sphere {
    Vec<D, double> centre;
    double radius;
  };

  // From tree.items
  void build(BinaryTree<D>&& items, std::uint32_t leaf_size, TreeSplit split, Executor& executor);
  BinaryTree<D>& tree() noexcept { return tree_; }
  const BinaryTree<D>& tree() const noexcept { return tree_; }
  const Sphere& sphere(std::uint32_t node) const noexcept { return spheres_[node]; }
  bool empty() const noexcept { return tree_.nodes.empty(); }
  std::size_t bytes() const noexcept;

 private:
  Sphere around(const TreeNode<D>& node) const noexcept;

  BinaryTree<D> tree_;
  std::vector<Sphere> spheres_;  // of the nodes
  TopDownBuilder<D> builder_;
};

template <int D>
class SUDAR_API SphereTree final : public Broadphase<D> {
 public:
  SphereTree();
  std::string_view name() const noexcept override { return "sphere_tree"; }
  const SphereNodes<D>& moving_tree() const noexcept { return moving_; }
  const SphereNodes<D>& fixed_tree() const noexcept { return fixed_; }

 private:
  void do_build(const BoxStore<D>& store) override;
  void do_update(const BoxStore<D>& store) override;
  void do_pairs(const BoxStore<D>& store, SearchOutput& out) override;
  bool keeps_answers() const noexcept override { return true; }
  void do_cast(const BoxStore<D>& store, CastSink<D>& sink) override;
  void do_overlap(const BoxStore<D>& store, OverlapSink<D>& sink) override;
  void do_nearest(const BoxStore<D>& store, NearSink<D>& sink) override;
  std::size_t do_bytes() const noexcept override { return moving_.bytes() + fixed_.bytes(); }

  void rebuild(const BoxStore<D>& store, bool fixed);

  SphereNodes<D> moving_, fixed_;
  std::uint64_t fixed_revision_ = 0;
};

}  // namespace sudar
