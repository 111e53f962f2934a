// What:    FCL's tree of boxes (detail::HierarchyTree, under its dynamic_AABB_tree manager) as a contestant, in double as
//          FCL is used: built at once by its default, moved with a margin. The searches are those of the manager, which
//          keeps them to itself, so they are written out here.
#include "bench/peers/tree_peer.hpp"

#include <fcl/broadphase/detail/hierarchy_tree.h>
#include <fcl/config.h>
#include <fcl/math/bv/AABB.h>

#include <cstdint>
#include <vector>

namespace sudar_bench {

namespace {

using Box = fcl::AABB<double>;
using Tree = fcl::detail::HierarchyTree<Box>;
using Node = Tree::NodeType;

constexpr double kMargin = 0.1;

Box box_of(const float* row) {
  Box box;
  box.min_ << row[0], row[1], row[2];
  box.max_ << row[3], row[4], row[5];
  return box;
}

std::size_t number_of(const Node* leaf) { return reinterpret_cast<std::size_t>(leaf->data); }

class FclTree final : public TreePeer {
 public:
  void build(std::span<const float> boxes) override {
    tree_.clear();
    boxes_ = boxes;
    leaves_.resize(boxes.size() / 6);
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      leaves_[i] = new Node;
      leaves_[i]->bv = box_of(&boxes[i * 6]);
      leaves_[i]->parent = nullptr;
      leaves_[i]->children[1] = nullptr;
      leaves_[i]->data = reinterpret_cast<void*>(i);
    }
    // The tree reorders the list and owns the nodes
    std::vector<Node*> list = leaves_;
    tree_.init(list, 0);
  }
  void clear(std::span<const float> boxes) override {
    tree_.clear();
    boxes_ = boxes;
    leaves_.assign(boxes.size() / 6, nullptr);
  }
  void insert(std::size_t i) override { leaves_[i] = tree_.insert(box_of(&boxes_[i * 6]), reinterpret_cast<void*>(i)); }
  void remove(std::size_t i) override { tree_.remove(leaves_[i]); }
  void update(std::span<const float> boxes) override {
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      Box box = box_of(&boxes[i * 6]);
      if (leaves_[i]->bv.contain(box)) continue;
      // Its own update with velocity and margin does not compile in 0.7
      const fcl::Vector3<double> velocity = box.min_ - box_of(&boxes_[i * 6]).min_;
      box.min_ += velocity.cwiseMin(0) - fcl::Vector3<double>::Constant(kMargin);
      box.max_ += velocity.cwiseMax(0) + fcl::Vector3<double>::Constant(kMargin);
      tree_.update(leaves_[i], box);
    }
    boxes_ = boxes;
  }
  std::size_t count_overlaps(std::span<const float> probes) override {
    std::size_t count = 0;
    for (std::size_t i = 0; i < probes.size(); i += 6) search(tree_.getRoot(), box_of(&probes[i]), &probes[i], count);
    return count;
  }
  std::size_t count_ray_hits(std::span<const float>) override { return 0; }
  std::size_t count_pairs() override {
    pairs_.clear();
    if (tree_.getRoot() != nullptr) search_self(tree_.getRoot());
    return pairs_.size();
  }

 private:
  void search(const Node* node, const Box& box, const float* probe, std::size_t& count) const {
    if (node->isLeaf()) {
      count += rows_overlap<3>(probe, &boxes_[number_of(node) * 6]) ? 1 : 0;
      return;
    }
    for (const Node* child : {node->children[0], node->children[1]})
      if (child->bv.overlap(box)) search(child, box, probe, count);
  }
  void search_self(const Node* node) {
    if (node->isLeaf()) return;
    search_self(node->children[0]);
    search_self(node->children[1]);
    search_two(node->children[0], node->children[1]);
  }
  void search_two(const Node* a, const Node* b) {
    if (!a->bv.overlap(b->bv)) return;
    if (a->isLeaf() && b->isLeaf()) {
      const std::size_t i = number_of(a), j = number_of(b);
      if (rows_overlap<3>(&boxes_[i * 6], &boxes_[j * 6])) pairs_.push_back(std::uint64_t{i} << 32 | j);
    } else if (b->isLeaf() || (!a->isLeaf() && a->bv.size() > b->bv.size())) {
      search_two(a->children[0], b);
      search_two(a->children[1], b);
    } else {
      search_two(a, b->children[0]);
      search_two(a, b->children[1]);
    }
  }

  Tree tree_;
  std::vector<Node*> leaves_;
  std::vector<std::uint64_t> pairs_;
  std::span<const float> boxes_;
};

}  // namespace

std::string fcl_version() { return FCL_VERSION; }

std::unique_ptr<TreePeer> make_fcl_tree() { return std::make_unique<FclTree>(); }

}  // namespace sudar_bench
