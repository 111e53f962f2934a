// What:    Bullet on pairs of boxes: its box–box detector, and GJK with the exact depth solver for distances.
#include "bench/peers/pair_peer.hpp"

#include <BulletCollision/CollisionDispatch/btBoxBoxDetector.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <algorithm>
#include <deque>
#include <memory>

namespace sudar_bench {

namespace {

btScalar scalar(double x) { return static_cast<btScalar>(x); }
btVector3 vector_of(const sudar::Vec3d& v) { return {scalar(v.x), scalar(v.y), scalar(v.z)}; }
btTransform transform_of(const sudar::Pose3d& p) {
  const sudar::Quatd& q = p.rotation;
  return btTransform(btQuaternion(scalar(q.x), scalar(q.y), scalar(q.z), scalar(q.w)), vector_of(p.position));
}

struct Pair {
  btBoxShape a, b;
  btTransform pose_a, pose_b;
  explicit Pair(const BoxPairCase& c)
      : a(vector_of(c.half_a)), b(vector_of(c.half_b)), pose_a(transform_of(c.a)), pose_b(transform_of(c.b)) {
    a.setMargin(0);
    b.setMargin(0);
  }
};

// The deepest of the contacts
struct Deepest final : btDiscreteCollisionDetectorInterface::Result {
  btScalar depth = 0;
  bool hit = false;
  void setShapeIdentifiersA(int, int) override {}
  void setShapeIdentifiersB(int, int) override {}
  void addContactPoint(const btVector3&, const btVector3&, btScalar separation) override {
    hit = true;
    depth = std::max(depth, -separation);
  }
};

}  // namespace

std::string bullet_pairs_version() {
  return std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100);
}

PairFill bullet_box_pairs(std::span<const BoxPairCase> cases, PairQuery query) {
  auto pairs = std::make_shared<std::deque<Pair>>();
  for (const BoxPairCase& c : cases) pairs->emplace_back(c);
  if (query == PairQuery::distance)
    return [pairs](std::span<double> answers) {
      std::size_t k = 0;
      for (Pair& pair : *pairs) {
        btVoronoiSimplexSolver simplex;
        btGjkEpaPenetrationDepthSolver depth;
        btGjkPairDetector detector(&pair.a, &pair.b, &simplex, &depth);
        btGjkPairDetector::ClosestPointInput input;
        input.m_transformA = pair.pose_a;
        input.m_transformB = pair.pose_b;
        btPointCollector out;
        detector.getClosestPoints(input, out, nullptr);
        answers[k++] = out.m_hasResult ? std::max(0.0, static_cast<double>(out.m_distance)) : 0;
      }
    };
  return [pairs, query](std::span<double> answers) {
    std::size_t k = 0;
    for (Pair& pair : *pairs) {
      btBoxBoxDetector detector(&pair.a, &pair.b);
      btDiscreteCollisionDetectorInterface::ClosestPointInput input;
      input.m_transformA = pair.pose_a;
      input.m_transformB = pair.pose_b;
      Deepest out;
      detector.getClosestPoints(input, out, nullptr);
      answers[k++] = query == PairQuery::hit ? (out.hit ? 1 : 0) : static_cast<double>(out.depth);
    }
  };
}

}  // namespace sudar_bench
