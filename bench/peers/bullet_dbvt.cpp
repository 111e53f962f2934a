// What:    Bullet's dynamic tree (btDbvt) as a contestant: leaves inserted one by one, moved with a margin and their
//          velocity, searched with its own collideTV, rayTest and collideTT.
#include "bench/peers/tree_peer.hpp"

#include <BulletCollision/BroadphaseCollision/btDbvt.h>

#include <cstdint>
#include <vector>

namespace sudar_bench {

namespace {

constexpr btScalar kMargin = 0.1f;

btVector3 vector_of(const float* row) { return {row[0], row[1], row[2]}; }

btDbvtVolume volume_of(const float* row) { return btDbvtVolume::FromMM(vector_of(row), vector_of(row + 3)); }

std::size_t number_of(const btDbvtNode* leaf) { return static_cast<std::size_t>(leaf->dataAsInt); }

class BulletTree final : public TreePeer {
 public:
  void build(std::span<const float> boxes) override {
    clear(boxes);
    for (std::size_t i = 0; i < leaves_.size(); ++i) insert(i);
  }
  void clear(std::span<const float> boxes) override {
    tree_.clear();
    boxes_ = boxes;
    leaves_.resize(boxes.size() / 6);
  }
  void insert(std::size_t i) override {
    leaves_[i] = tree_.insert(volume_of(&boxes_[i * 6]), nullptr);
    leaves_[i]->dataAsInt = static_cast<int>(i);
  }
  void remove(std::size_t i) override { tree_.remove(leaves_[i]); }
  void update(std::span<const float> boxes) override {
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      btDbvtVolume volume = volume_of(&boxes[i * 6]);
      tree_.update(leaves_[i], volume, vector_of(&boxes[i * 6]) - vector_of(&boxes_[i * 6]), kMargin);
    }
    boxes_ = boxes;
  }
  std::size_t count_overlaps(std::span<const float> probes) override {
    struct Counter : btDbvt::ICollide {
      const float *boxes, *probe;
      std::size_t count = 0;
      void Process(const btDbvtNode* leaf) override {
        count += rows_overlap<3>(probe, boxes + number_of(leaf) * 6) ? 1 : 0;
      }
    } counter;
    counter.boxes = boxes_.data();
    for (std::size_t i = 0; i < probes.size(); i += 6) {
      counter.probe = &probes[i];
      tree_.collideTV(tree_.m_root, volume_of(counter.probe), counter);
    }
    return counter.count;
  }
  std::size_t count_ray_hits(std::span<const float> rays) override {
    struct Counter : btDbvt::ICollide {
      const float *boxes, *ray;
      std::size_t count = 0;
      void Process(const btDbvtNode* leaf) override {
        count += ray_meets_row<3>(ray, boxes + number_of(leaf) * 6) ? 1 : 0;
      }
    } counter;
    counter.boxes = boxes_.data();
    for (std::size_t i = 0; i < rays.size(); i += 6) {
      counter.ray = &rays[i];
      btDbvt::rayTest(tree_.m_root, vector_of(counter.ray), vector_of(counter.ray + 3), counter);
    }
    return counter.count;
  }
  std::size_t count_pairs() override {
    struct Counter : btDbvt::ICollide {
      const float* boxes;
      std::vector<std::uint64_t>& pairs;
      explicit Counter(std::vector<std::uint64_t>& kept) : pairs(kept) { pairs.clear(); }
      void Process(const btDbvtNode* a, const btDbvtNode* b) override {
        const std::size_t i = number_of(a), j = number_of(b);
        if (i != j && rows_overlap<3>(boxes + i * 6, boxes + j * 6)) pairs.push_back(std::uint64_t{i} << 32 | j);
      }
    } counter(pairs_);
    counter.boxes = boxes_.data();
    tree_.collideTT(tree_.m_root, tree_.m_root, counter);
    return pairs_.size();
  }

 private:
  btDbvt tree_;
  std::vector<btDbvtNode*> leaves_;
  std::span<const float> boxes_;
  std::vector<std::uint64_t> pairs_;  // kept, so that no round pays for its growth
};

}  // namespace

std::string bullet_version() {
  return std::to_string(BT_BULLET_VERSION / 100) + "." + std::to_string(BT_BULLET_VERSION % 100);
}

std::unique_ptr<TreePeer> make_bullet_dbvt() { return std::make_unique<BulletTree>(); }

}  // namespace sudar_bench
