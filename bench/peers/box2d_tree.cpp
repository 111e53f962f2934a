// What:    Box2D 2.4's b2DynamicTree as a contestant, with the margin and the prediction that it has built in.
#include "bench/peers/tree_peer.hpp"

#include <box2d/b2_dynamic_tree.h>

#include <cstdint>
#include <vector>

namespace sudar_bench {

namespace {

b2AABB box_of(const float* row) {
  b2AABB box;
  box.lowerBound.Set(row[0], row[1]);
  box.upperBound.Set(row[2], row[3]);
  return box;
}

class Box2dTree final : public TreePeer {
 public:
  void build(std::span<const float> boxes) override {
    clear(boxes);
    for (std::size_t i = 0; i < proxies_.size(); ++i) insert(i);
  }
  void clear(std::span<const float> boxes) override {
    tree_ = std::make_unique<b2DynamicTree>();
    boxes_ = boxes;
    proxies_.resize(boxes.size() / 4);
  }
  void insert(std::size_t i) override {
    proxies_[i] = tree_->CreateProxy(box_of(&boxes_[i * 4]), reinterpret_cast<void*>(i));
  }
  void remove(std::size_t i) override { tree_->DestroyProxy(proxies_[i]); }
  void update(std::span<const float> boxes) override {
    for (std::size_t i = 0; i < proxies_.size(); ++i) {
      const b2AABB box = box_of(&boxes[i * 4]);
      tree_->MoveProxy(proxies_[i], box, box.lowerBound - box_of(&boxes_[i * 4]).lowerBound);
    }
    boxes_ = boxes;
  }
  std::size_t count_overlaps(std::span<const float> probes) override {
    Counter counter{this, nullptr, 0};
    for (std::size_t i = 0; i < probes.size(); i += 4) {
      counter.probe = &probes[i];
      tree_->Query(&counter, box_of(counter.probe));
    }
    return counter.count;
  }
  std::size_t count_ray_hits(std::span<const float> rays) override {
    Counter counter{this, nullptr, 0};
    for (std::size_t i = 0; i < rays.size(); i += 4) {
      counter.probe = &rays[i];
      b2RayCastInput input;
      input.p1.Set(rays[i], rays[i + 1]);
      input.p2.Set(rays[i + 2], rays[i + 3]);
      input.maxFraction = 1;
      tree_->RayCast(&counter, input);
    }
    return counter.count;
  }
  std::size_t count_pairs() override {
    // As b2BroadPhase does: every proxy asks the tree with its fat box
    pairs_.clear();
    PairFinder finder{this, 0, pairs_};
    for (std::size_t i = 0; i < proxies_.size(); ++i) {
      finder.first = i;
      tree_->Query(&finder, tree_->GetFatAABB(proxies_[i]));
    }
    return pairs_.size();
  }

 private:
  std::size_t number_of(int32 proxy) const { return reinterpret_cast<std::size_t>(tree_->GetUserData(proxy)); }
  struct Counter {
    const Box2dTree* owner;
    const float* probe;
    std::size_t count;
    bool QueryCallback(int32 proxy) {
      count += rows_overlap<2>(probe, &owner->boxes_[owner->number_of(proxy) * 4]) ? 1 : 0;
      return true;
    }
    float RayCastCallback(const b2RayCastInput& input, int32 proxy) {
      count += ray_meets_row<2>(probe, &owner->boxes_[owner->number_of(proxy) * 4]) ? 1 : 0;
      return input.maxFraction;
    }
  };
  struct PairFinder {
    const Box2dTree* owner;
    std::size_t first;
    std::vector<std::uint64_t>& pairs;
    bool QueryCallback(int32 proxy) {
      const std::size_t other = owner->number_of(proxy);
      if (first < other && rows_overlap<2>(&owner->boxes_[first * 4], &owner->boxes_[other * 4]))
        pairs.push_back(std::uint64_t{first} << 32 | other);
      return true;
    }
  };

  std::unique_ptr<b2DynamicTree> tree_;
  std::vector<int32> proxies_;
  std::span<const float> boxes_;
  std::vector<std::uint64_t> pairs_;  // kept, so that no round pays for its growth
};

}  // namespace

std::string box2d_version() {
  return std::to_string(b2_version.major) + "." + std::to_string(b2_version.minor) + "." +
         std::to_string(b2_version.revision);
}

std::unique_ptr<TreePeer> make_box2d_tree() { return std::make_unique<Box2dTree>(); }

}  // namespace sudar_bench
