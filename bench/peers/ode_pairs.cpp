// What:    ODE on pairs of boxes, on spheres with capsules, and on convex hulls, through dCollide. It has no distances.
#include "bench/peers/hull_peer.hpp"
#include "bench/peers/ode_geom.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

namespace sudar_bench {

namespace {

constexpr int kMaxContacts = 8;

// The deepest of the contacts
double answer_of(dGeomID a, dGeomID b, PairQuery query, int most = kMaxContacts) {
  dContactGeom contacts[kMaxContacts];
  const int count = dCollide(a, b, query == PairQuery::hit ? 1 : most, contacts, sizeof(dContactGeom));
  if (query == PairQuery::hit) return count > 0 ? 1 : 0;
  double depth = 0;
  for (int i = 0; i < count; ++i) depth = std::max(depth, static_cast<double>(contacts[i].depth));
  return depth;
}

// ODE has no query by poses: geoms are put in their places first, inside of the clock
struct Pairs {
  std::deque<OdeGeom> a, b;
  std::vector<sudar::Pose3d> pose_a, pose_b;
};
PairFill fill(std::shared_ptr<Pairs> pairs, PairQuery query, int most = kMaxContacts) {
  return [pairs = std::move(pairs), query, most](std::span<double> answers) {
    for (std::size_t k = 0; k < pairs->a.size(); ++k) {
      place(pairs->a[k].id, pairs->pose_a[k]);
      place(pairs->b[k].id, pairs->pose_b[k]);
      answers[k] = answer_of(pairs->a[k].id, pairs->b[k].id, query, most);
    }
  };
}

struct Hulls {
  std::deque<OdeHull> bodies;
  std::deque<OdeGeom> a, b;
  std::vector<HullPairCase> cases;
};

}  // namespace

std::string ode_version() {
  start_ode();
  return dODE_VERSION;
}

PairFill ode_box_pairs(std::span<const BoxPairCase> cases, PairQuery query, bool one_point) {
  if (query == PairQuery::distance) return {};
  start_ode();
  auto pairs = std::make_shared<Pairs>();
  const auto box = [](const sudar::Vec3d& h) {
    return dCreateBox(nullptr, ode_real(2 * h.x), ode_real(2 * h.y), ode_real(2 * h.z));
  };
  for (const BoxPairCase& c : cases) {
    pairs->a.emplace_back(box(c.half_a));
    pairs->b.emplace_back(box(c.half_b));
    pairs->pose_a.push_back(c.a);
    pairs->pose_b.push_back(c.b);
  }
  return fill(std::move(pairs), query, one_point ? 1 : kMaxContacts);
}
PairFill ode_rod_pairs(std::span<const RodPairCase> cases, PairQuery query) {
  if (query == PairQuery::distance) return {};
  start_ode();
  auto pairs = std::make_shared<Pairs>();
  for (const RodPairCase& c : cases) {
    pairs->a.emplace_back(dCreateSphere(nullptr, ode_real(c.sphere)));
    pairs->b.emplace_back(dCreateCapsule(nullptr, ode_real(c.radius), ode_real(2 * c.half_length)));
    pairs->pose_a.push_back(c.a);
    pairs->pose_b.push_back(c.b);
  }
  return fill(std::move(pairs), query);
}
PairFill ode_hull_pairs(std::span<const std::vector<sudar::Vec3d>> hulls, std::span<const HullPairCase> cases,
                        PairQuery query) {
  if (query == PairQuery::distance) return {};
  start_ode();
  auto scene = std::make_shared<Hulls>();
  for (const std::vector<sudar::Vec3d>& points : hulls) {
    const OdeHull& body = scene->bodies.emplace_back(*sudar::quickhull3(points));
    scene->a.emplace_back(body.make());
    scene->b.emplace_back(body.make());
  }
  scene->cases.assign(cases.begin(), cases.end());
  return [scene, query](std::span<double> answers) {
    for (std::size_t k = 0; k < scene->cases.size(); ++k) {
      const HullPairCase& c = scene->cases[k];
      place(scene->a[c.a].id, c.pose_a);
      place(scene->b[c.b].id, c.pose_b);
      answers[k] = answer_of(scene->a[c.a].id, scene->b[c.b].id, query);
    }
  };
}

}  // namespace sudar_bench
