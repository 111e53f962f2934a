// What:    ODE on pairs of boxes, on spheres with capsules, and on convex hulls, through dCollide. It has no distances.
#include "bench/peers/hull_peer.hpp"
#include <sudar/geom/hull3.hpp>

#include <ode/ode.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

namespace sudar_bench {

namespace {

constexpr int kMaxContacts = 8;

dReal real(double x) { return static_cast<dReal>(x); }

struct Library {
  Library() { dInitODE2(0); }
};
void start() { static const Library library; }

void place(dGeomID geom, const sudar::Pose3d& pose) {
  const sudar::Quatd& q = pose.rotation;
  const dQuaternion turn = {real(q.w), real(q.x), real(q.y), real(q.z)};
  dGeomSetPosition(geom, real(pose.position.x), real(pose.position.y), real(pose.position.z));
  dGeomSetQuaternion(geom, turn);
}

struct Geom {
  dGeomID id;
  explicit Geom(dGeomID made) : id(made) {}
  ~Geom() { dGeomDestroy(id); }
  Geom(const Geom&) = delete;
  Geom& operator=(const Geom&) = delete;
};

// The deepest of the contacts
double answer_of(dGeomID a, dGeomID b, PairQuery query) {
  dContactGeom contacts[kMaxContacts];
  const int count = dCollide(a, b, query == PairQuery::hit ? 1 : kMaxContacts, contacts, sizeof(dContactGeom));
  if (query == PairQuery::hit) return count > 0 ? 1 : 0;
  double depth = 0;
  for (int i = 0; i < count; ++i) depth = std::max(depth, static_cast<double>(contacts[i].depth));
  return depth;
}

// ODE has no query by poses: geoms are put in their places first, inside of the clock
struct Pairs {
  std::deque<Geom> a, b;
  std::vector<sudar::Pose3d> pose_a, pose_b;
};
PairFill fill(std::shared_ptr<Pairs> pairs, PairQuery query) {
  return [pairs = std::move(pairs), query](std::span<double> answers) {
    for (std::size_t k = 0; k < pairs->a.size(); ++k) {
      place(pairs->a[k].id, pairs->pose_a[k]);
      place(pairs->b[k].id, pairs->pose_b[k]);
      answers[k] = answer_of(pairs->a[k].id, pairs->b[k].id, query);
    }
  };
}

// ODE keeps pointers to these
struct Body {
  std::vector<dReal> planes, points;
  std::vector<unsigned> polygons;
  unsigned faces = 0;

  explicit Body(const std::vector<sudar::Vec3d>& given) {
    const sudar::Hull3 hull = *sudar::quickhull3(given);
    for (const sudar::Vec3d& p : hull.vertices) points.insert(points.end(), {real(p.x), real(p.y), real(p.z)});
    faces = hull.face_count();
    for (std::uint32_t f = 0; f < faces; ++f) {
      const sudar::Vec3d& n = hull.planes[f].normal;
      planes.insert(planes.end(), {real(n.x), real(n.y), real(n.z), real(hull.planes[f].offset)});
      polygons.push_back(hull.face_degree(f));
      for (std::uint32_t i = 0; i < hull.face_degree(f); ++i) polygons.push_back(hull.face_vertex(f, i));
    }
  }
  dGeomID make() const {
    return dCreateConvex(nullptr, planes.data(), faces, points.data(), static_cast<unsigned>(points.size() / 3),
                         polygons.data());
  }
};
struct Hulls {
  std::deque<Body> bodies;
  std::deque<Geom> a, b;
  std::vector<HullPairCase> cases;
};

}  // namespace

std::string ode_version() {
  start();
  return dODE_VERSION;
}

PairFill ode_box_pairs(std::span<const BoxPairCase> cases, PairQuery query) {
  if (query == PairQuery::distance) return {};
  start();
  auto pairs = std::make_shared<Pairs>();
  const auto box = [](const sudar::Vec3d& h) {
    return dCreateBox(nullptr, real(2 * h.x), real(2 * h.y), real(2 * h.z));
  };
  for (const BoxPairCase& c : cases) {
    pairs->a.emplace_back(box(c.half_a));
    pairs->b.emplace_back(box(c.half_b));
    pairs->pose_a.push_back(c.a);
    pairs->pose_b.push_back(c.b);
  }
  return fill(std::move(pairs), query);
}
PairFill ode_rod_pairs(std::span<const RodPairCase> cases, PairQuery query) {
  if (query == PairQuery::distance) return {};
  start();
  auto pairs = std::make_shared<Pairs>();
  for (const RodPairCase& c : cases) {
    pairs->a.emplace_back(dCreateSphere(nullptr, real(c.sphere)));
    pairs->b.emplace_back(dCreateCapsule(nullptr, real(c.radius), real(2 * c.half_length)));
    pairs->pose_a.push_back(c.a);
    pairs->pose_b.push_back(c.b);
  }
  return fill(std::move(pairs), query);
}
PairFill ode_hull_pairs(std::span<const std::vector<sudar::Vec3d>> hulls, std::span<const HullPairCase> cases,
                        PairQuery query) {
  if (query == PairQuery::distance) return {};
  start();
  auto scene = std::make_shared<Hulls>();
  for (const std::vector<sudar::Vec3d>& points : hulls) {
    const Body& body = scene->bodies.emplace_back(points);
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
