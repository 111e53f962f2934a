// What:    A look inside of a broad phase, for people: the nodes of its trees, its cells with what is in them, its sorted ends,
//          and a few numbers of its own, as the last build() or update() left them.
// Differs: A visitor that is called from outside with what the algorithms show of themselves anyway. Nothing is recorded
//          while they work, so what nobody looks at costs nothing.
// Frame:   World, metres. Boxes are float, as in the store; what has no end is told with an infinite one.
// Fails:   never; an algorithm that has nothing to show (brute_force), or was not built yet, calls nobody.
#pragma once

#include <sudar/broadphase/broadphase.hpp>

#include <string_view>

namespace sudar {

// Of a tree
template <int D>
struct InsideNode {
  Aabb<D, float> box;
  double radius = 0;        // positive: the node is a ball around the middle of the box
  std::uint32_t depth = 0;  // 0 for a root
  std::uint32_t boxes = 0;  // in the node itself, not below it
  bool leaf = false;
  bool fixed = false;  // of the tree of fixed boxes
};

// Of a grid
template <int D>
struct InsideCell {
  Aabb<D, float> box;
  std::uint32_t boxes = 0;
  int level = 0;  // finest first, where there are several
};

template <int D>
class SUDAR_API InsideVisitor {
 public:
  virtual ~InsideVisitor() = default;
  // Parents before their children, and a subtree as a whole before the next one
  virtual void node(const InsideNode<D>&) {}
  // Those that hold a box
  virtual void cell(const InsideCell<D>&) {}
  // Along an axis in their order
  virtual void end(int /*axis*/, float /*at*/, bool /*upper*/, std::uint32_t /*id*/) {}
  // A number of the algorithm's own, and what it is
  virtual void figure(std::string_view /*name*/, double /*value*/) {}
};

enum class InsideKind : std::uint8_t { nothing, tree, cells, ends };
SUDAR_API std::string_view to_string(InsideKind kind) noexcept;

// What was visited. Of `adaptive`, the one at work is looked at. `store` is the one that was taken in last.
template <int D>
SUDAR_API InsideKind look_inside(const Broadphase<D>& broadphase, const BoxStore<D>& store, InsideVisitor<D>& visitor);

}  // namespace sudar
