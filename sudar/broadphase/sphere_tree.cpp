#include <sudar/broadphase/sphere_tree.hpp>
#include <sudar/broadphase/tree_walk.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sudar {

namespace {
enum : std::size_t { kSphereLeafSize, kSphereSplit };
constexpr std::size_t kSphereGrain = 4096;  // nodes of one task
// The slack of a measured radius, and as much again for the at most 6 roundings of the test whether two spheres meet
constexpr double kSlack = 2 * kRadiusSlack;

template <int D>
bool spheres_meet(const typename SphereNodes<D>::Sphere& a, const typename SphereNodes<D>::Sphere& b) {
  double squares = 0;
  for (int k = 0; k < D; ++k) squares += (a.centre[k] - b.centre[k]) * (a.centre[k] - b.centre[k]);
  return squares <= (a.radius + b.radius) * (a.radius + b.radius);
}

template <int D>
bool boxes_meet(const Aabb<D, float>& a, const Aabb<D, float>& b) {
  bool all = true;
  for (int k = 0; k < D; ++k) {
    all &= a.lo[k] <= b.hi[k];
    all &= b.lo[k] <= a.hi[k];
  }
  return all;
}

// For walk_tree: a sphere as the box around it
template <int D>
struct SphereWalk {
  using Node = std::uint32_t;
  const SphereNodes<D>& nodes;
  const BoxStore<D>& store;

  bool empty() const { return nodes.empty(); }
  Node root() const { return nodes.tree().root; }
  Aabb<D, float> box(Node node) const {
    constexpr double kLargest = std::numeric_limits<float>::max();
    const auto& sphere = nodes.sphere(node);
    Aabb<D, double> around;
    for (int k = 0; k < D; ++k) {
      around.lo[k] = std::max(sub_down(sphere.centre[k], sphere.radius), -kLargest);
      around.hi[k] = std::min(add_up(sphere.centre[k], sphere.radius), kLargest);
    }
    return round_out(around);
  }
  bool is_leaf(Node node) const { return nodes.tree().nodes[node].is_leaf(); }
  template <class F>
  void for_each_child(Node node, F&& visit) const {
    visit(nodes.tree().nodes[node].left);
    visit(nodes.tree().nodes[node].right);
  }
  template <class F>
  void for_each_row(Node node, F&& visit) const {
    const TreeNode<D>& leaf = nodes.tree().nodes[node];
    if (!leaf.is_leaf()) return;
    for (std::uint32_t i = leaf.first; i < leaf.first + leaf.count; ++i) visit(store.row_of(nodes.tree().items[i].id));
  }
};

// Calls found(item of a, item of b) for what is below two nodes
template <int D, class F>
void search_nodes(const SphereNodes<D>& a, std::uint32_t node_a, const SphereNodes<D>& b, std::uint32_t node_b,
                  std::vector<std::uint64_t>& stack, SearchOutput& out, F&& found) {
  const auto test = [&](std::uint32_t na, std::uint32_t nb) {
    ++out.nodes_visited;
    if (spheres_meet<D>(a.sphere(na), b.sphere(nb))) stack.push_back(std::uint64_t{na} << 32 | nb);
  };
  stack.clear();
  test(node_a, node_b);
  while (!stack.empty()) {
    const auto na = static_cast<std::uint32_t>(stack.back() >> 32), nb = static_cast<std::uint32_t>(stack.back());
    stack.pop_back();
    const TreeNode<D>&ta = a.tree().nodes[na], &tb = b.tree().nodes[nb];
    if (ta.is_leaf() && tb.is_leaf()) {
      out.box_tests += std::uint64_t{ta.count} * tb.count;
      for (std::uint32_t i = ta.first; i < ta.first + ta.count; ++i)
        for (std::uint32_t j = tb.first; j < tb.first + tb.count; ++j)
          if (boxes_meet(a.tree().items[i].box, b.tree().items[j].box))
            found(a.tree().items[i].id, b.tree().items[j].id);
    } else if (tb.is_leaf() || (!ta.is_leaf() && a.sphere(na).radius >= b.sphere(nb).radius)) {
      test(ta.left, nb);
      test(ta.right, nb);
    } else {
      test(na, tb.left);
      test(na, tb.right);
    }
  }
}
}  // namespace

// The children come after their parents in the tree, so theirs are known
template <int D>
typename SphereNodes<D>::Sphere SphereNodes<D>::around(const TreeNode<D>& node) const noexcept {
  Sphere sphere{};
  double diagonal = 0;
  for (int k = 0; k < D; ++k) {
    sphere.centre[k] = 0.5 * node.box.lo[k] + 0.5 * node.box.hi[k];
    const double half = std::max(node.box.hi[k] - sphere.centre[k], sphere.centre[k] - node.box.lo[k]);
    diagonal += half * half;
  }
  double needed = 0;
  if (node.is_leaf()) {
    double squares = 0;
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      double farthest = 0;
      for (int k = 0; k < D; ++k) {
        const double far =
            std::max(tree_.items[i].box.hi[k] - sphere.centre[k], sphere.centre[k] - tree_.items[i].box.lo[k]);
        farthest += far * far;
      }
      squares = std::max(squares, farthest);
    }
    needed = std::sqrt(squares);
  } else {
    for (const std::uint32_t child : {node.left, node.right}) {
      double squares = 0;
      for (int k = 0; k < D; ++k) {
        const double d = spheres_[child].centre[k] - sphere.centre[k];
        squares += d * d;
      }
      needed = std::max(needed, std::sqrt(squares) + spheres_[child].radius);
    }
  }
  sphere.radius = std::min(std::sqrt(diagonal), needed) * (1 + kSlack);
  return sphere;
}

template <int D>
void SphereNodes<D>::build(BinaryTree<D>&& items, std::uint32_t leaf_size, TreeSplit split, Executor& executor) {
  tree_ = std::move(items);
  builder_.build(tree_, leaf_size, split, executor);
  spheres_.resize(tree_.nodes.size());
  for (std::size_t i = tree_.nodes.size(); i-- > 0;) spheres_[i] = around(tree_.nodes[i]);
}

template <int D>
std::size_t SphereNodes<D>::bytes() const noexcept {
  return tree_.bytes() + spheres_.capacity() * sizeof(Sphere) + builder_.bytes();
}

template <int D>
SphereTree<D>::SphereTree()
    : Broadphase<D>({{"leaf_size", "most boxes of a leaf", 4, 1, 64, true},
                     {"split", "0: at the median, 1: where binned surface costs least", 1, 0, 1, true}}) {}

template <int D>
void SphereTree<D>::rebuild(const BoxStore<D>& store, bool fixed) {
  SphereNodes<D>& nodes = fixed ? fixed_ : moving_;
  BinaryTree<D> items = std::move(nodes.tree());
  items.items.clear();
  for (std::uint32_t row = 0; row < store.size(); ++row)
    if (store.is_fixed(row) == fixed) items.items.push_back({store.box(row), store.ids()[row]});
  nodes.build(std::move(items), static_cast<std::uint32_t>(this->parameter(kSphereLeafSize)),
              this->parameter(kSphereSplit) != 0 ? TreeSplit::binned_cost : TreeSplit::median, this->executor());
  ++this->count().rebuilds;
}

template <int D>
void SphereTree<D>::do_build(const BoxStore<D>& store) {
  rebuild(store, true);
  fixed_revision_ = store.fixed_revision();
  rebuild(store, false);
}

template <int D>
void SphereTree<D>::do_update(const BoxStore<D>& store) {
  if (store.fixed_revision() != fixed_revision_) return do_build(store);
  rebuild(store, false);
}

template <int D>
void SphereTree<D>::do_pairs(const BoxStore<D>& store, SearchOutput& out) {
  const bool filtered = store.has_filters();
  const BinaryTree<D>& tree = moving_.tree();
  search_blocks(this->executor(), tree.nodes.size(), kSphereGrain, this->parts(), out,
                [&](std::size_t begin, std::size_t end, SearchOutput& part) {
                  std::vector<std::uint64_t> stack;
                  const auto found = [&](std::uint32_t a, std::uint32_t b) {
                    if (!filtered || store.rows_may_pair(store.row_of(a), store.row_of(b)))
                      part.pairs.push(make_pair_of(a, b));
                  };
                  for (std::size_t i = begin; i < end; ++i) {
                    const TreeNode<D>& node = tree.nodes[i];
                    // Two boxes meet in one leaf, or on the two sides of one node
                    if (!node.is_leaf()) {
                      search_nodes(moving_, node.left, moving_, node.right, stack, part, found);
                      continue;
                    }
                    part.box_tests += std::uint64_t{node.count} * (node.count - 1) / 2;
                    for (std::uint32_t a = node.first; a < node.first + node.count; ++a)
                      for (std::uint32_t b = a + 1; b < node.first + node.count; ++b)
                        if (boxes_meet(tree.items[a].box, tree.items[b].box)) found(tree.items[a].id, tree.items[b].id);
                  }
                  if (begin == 0 && !moving_.empty() && !fixed_.empty())
                    search_nodes(moving_, tree.root, fixed_, fixed_.tree().root, stack, part, found);
                });
}

template <int D>
void SphereTree<D>::do_cast(const BoxStore<D>& store, CastSink<D>& sink) {
  walk_tree(SphereWalk<D>{moving_, store}, sink);
  walk_tree(SphereWalk<D>{fixed_, store}, sink);
}
template <int D>
void SphereTree<D>::do_overlap(const BoxStore<D>& store, OverlapSink<D>& sink) {
  walk_tree(SphereWalk<D>{moving_, store}, sink);
  walk_tree(SphereWalk<D>{fixed_, store}, sink);
}
template <int D>
void SphereTree<D>::do_nearest(const BoxStore<D>& store, NearSink<D>& sink) {
  walk_tree(SphereWalk<D>{moving_, store}, sink);
  walk_tree(SphereWalk<D>{fixed_, store}, sink);
}

template class SphereNodes<2>;
template class SphereNodes<3>;
template class SUDAR_API SphereTree<2>;
template class SUDAR_API SphereTree<3>;

}  // namespace sudar
