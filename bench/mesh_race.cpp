// What:    Mesh against mesh: bumpy spheres of about 10 000 and 100 000 triangles; the build of a tree, all pairs of
//          triangles (touching, deep), disjoint, first hit, distance; in one frame, and with the second mesh turned.
//          Besides, four kinds of bounding volumes on one topology.
// Differs: Embree has no relative pose: where the second mesh is turned it has to move a copy and build its tree, which
//          counts. Its candidates are decided by the exact test of this library; FCL decides in its own way, and pairs
//          on which it errs show as disagreements.
#include "bench/peers/mesh_peer.hpp"
#include "bench/suites.hpp"
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/narrowphase/mesh_distance.hpp>
#include <sudar/narrowphase/volume_tree.hpp>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace sudar_bench {

namespace {

sudar::Mesh bumpy_sphere(std::uint32_t count) {
  const auto slices = static_cast<std::uint32_t>(std::sqrt(count / 2.0));
  sudar::Mesh mesh = *sudar::uv_sphere_mesh(1, slices, slices);
  for (sudar::Vec3d& v : mesh.vertices)
    v = v * (1 + 0.1 * std::sin(5 * v.x) * std::sin(4 * v.y + 1) * std::sin(6 * v.z + 2));
  return mesh;
}

class OurMesh final : public MeshPeer {
 public:
  void build(const sudar::Mesh& mesh) override { keep(sudar::MeshTree::build(mesh).levels()); }
  void place(const sudar::Mesh& a, const sudar::Mesh& b, const sudar::Pose3d& a_from_b) override {
    a_ = *sudar::make_triangle_mesh(a.vertices, a.triangles);
    b_ = *sudar::make_triangle_mesh(b.vertices, b.triangles);
    placement_ = sudar::make_placement(a_from_b);
  }
  std::size_t all_pairs() override {
    keep(intersect(*a_, *b_, placement_, out_, sudar::MeshPairDetail::pairs_only).ok());
    return out_.pairs.size();
  }
  bool first_hit() override { return sudar::first_hit(*a_, *b_, placement_).has_value(); }
  double distance() override { return surface_distance(*a_, *b_, placement_).distance; }

 private:
  std::shared_ptr<const sudar::TriangleMesh> a_, b_;
  sudar::Placement3 placement_;
  sudar::MeshIntersection out_;
};

struct Entrant {
  std::string name, version;
  std::shared_ptr<MeshPeer> peer;
  bool pairs_only;
  bool ready = true;  // its meshes could be placed
};

std::vector<Entrant> entrants(Session& session) {
  std::vector<Entrant> all = {{"sudar", "", std::make_shared<OurMesh>(), false}};
  if (!session.options().peers) return all;
#if defined(SUDAR_PEER_EMBREE)
  all.push_back({"Embree + exact test", embree_version(), make_embree_mesh(), true});
#else
  session.missing_peer("meshes", "Embree");
#endif
#if defined(SUDAR_PEER_FCL)
  all.push_back({"FCL OBBRSS", fcl_version(), make_fcl_mesh(), false});
#else
  session.missing_peer("meshes", "FCL");
#endif
  return all;
}

struct Scene {
  const char* name;
  sudar::Pose3d pose;
};

void race_meshes(Session& session, std::uint32_t count) {
  const std::string where = ", " + std::to_string(count) + " triangles";
  const sudar::Mesh mesh = bumpy_sphere(count);
  std::vector<Entrant> all = entrants(session);
  const int rounds = count > 50000 ? 15 : 40;
  const auto race = [&](const std::string& what, bool only_pairs, double tolerance, auto&& work) {
    std::vector<Contestant> contestants;
    for (const Entrant& e : all)
      if (e.ready && (only_pairs || !e.pairs_only))
        contestants.push_back({e.name, e.version, [peer = e.peer, &work] { return static_cast<double>(work(*peer)); }});
    const auto result = session.race("meshes", what + where, rounds, tolerance, contestants);
    session.bar_against_peers(what + where + ": times faster than the best peer", 1, speedup_over_best_peer(result));
  };

  // The build of one tree
  {
    std::vector<Contestant> contestants;
    for (const Entrant& e : all)
      contestants.push_back({e.name, e.version, [peer = e.peer, &mesh] {
                               peer->build(mesh);
                               return static_cast<double>(mesh.triangles.size());
                             }});
    if (session.options().peers) {
#if defined(SUDAR_PEER_CGAL_TRIANGLES)
      contestants.push_back({"CGAL AABB_tree", cgal_triangles_version(), cgal_tree_build(mesh)});
#else
      session.missing_peer("meshes", "CGAL");
#endif
#if defined(SUDAR_PEER_BULLET)
      contestants.push_back({"Bullet GImpact", bullet_version(), gimpact_build(mesh)});
#else
      session.missing_peer("meshes", "Bullet");
#endif
    }
    const auto result = session.race("meshes", "build of one tree" + where, 9, 0, contestants);
    session.bar_against_peers("build of one tree" + where + ": times faster than the best peer", 1,
                              speedup_over_best_peer(result));
  }

  // In one frame: the second mesh is moved for everybody
  const sudar::Quatd turn = normalized(sudar::Quatd{1, 0.3, 0.2, 0.1});
  const auto place = [&](const Scene& scene) {
    const bool in_one_frame = std::string(scene.name).find("turned") == std::string::npos;
    const sudar::Mesh other = in_one_frame ? *transformed(mesh, scene.pose) : mesh;
    for (Entrant& e : all) {
      const auto set_up = [&] { e.peer->place(mesh, other, in_one_frame ? sudar::Pose3d{} : scene.pose); };
      if (e.version.empty())
        set_up();
      else
        e.ready =
            session.made("meshes", std::string(scene.name) + where + ": before the race", e.name, e.version, set_up);
    }
  };
  for (const Scene& scene :
       {Scene{"touching", {{1.92, 0.1, 0.05}, {}}}, Scene{"deep", {{0.8, 0.1, 0.05}, {}}},
        Scene{"touching, turned", {{1.9, 0.1, 0.05}, turn}}, Scene{"deep, turned", {{0.8, 0.1, 0.05}, turn}}}) {
    place(scene);
    // FCL's test is not exact: a pair more or less is reported as a disagreement
    race(std::string("all pairs, ") + scene.name, true, 0, [](MeshPeer& peer) { return peer.all_pairs(); });
    race(std::string("first hit, ") + scene.name, false, 0, [](MeshPeer& peer) { return peer.first_hit(); });
  }
  for (const Scene& scene : {Scene{"near", {{2.05, 0.1, 0.05}, {}}}, Scene{"near, turned", {{2.08, 0.1, 0.05}, turn}},
                             Scene{"far, turned", {{3.1, 0.3, 0.4}, turn}}}) {
    place(scene);
    race(std::string("disjoint, ") + scene.name, true, 0, [](MeshPeer& peer) { return peer.all_pairs(); });
    race(std::string("distance, ") + scene.name, false, 1e-9, [](MeshPeer& peer) { return peer.distance(); });
  }
}

// The same topology under four volumes: what each lets through, and how long that takes
template <class V>
void add_volume(const char* name, const sudar::TriangleMesh& mesh, const sudar::Pose3d& pose, Table& table,
                std::vector<Contestant>& contestants) {
  const auto tree = std::make_shared<const sudar::VolumeTree<V>>(mesh);
  std::size_t leaves = 0;
  const std::size_t compared = for_each_leaf_pair(*tree, *tree, pose, [&](std::uint32_t, std::uint32_t) { ++leaves; });
  table.rows.push_back({name, std::to_string(mesh.triangle_count()), std::to_string(compared), std::to_string(leaves)});
  contestants.push_back({name, "", [tree, pose] {
                           std::size_t n = 0;
                           keep(for_each_leaf_pair(*tree, *tree, pose, [&](std::uint32_t, std::uint32_t) { ++n; }));
                           return 0.0;
                         }});
}

void compare_volumes(Session& session) {
  const sudar::Mesh mesh = bumpy_sphere(10000);
  const auto shape = *sudar::make_triangle_mesh(mesh.vertices, mesh.triangles);
  const sudar::Pose3d pose{{1.9, 0.1, 0.05}, normalized(sudar::Quatd{1, 0.3, 0.2, 0.1})};
  Table table{"mesh volumes", {"volume", "triangles", "pairs compared", "leaf pairs left"}, {}};
  std::vector<Contestant> contestants;
  add_volume<sudar::Aabb3d>("boxes", *shape, pose, table, contestants);
  add_volume<sudar::Sphere<3, double>>("spheres", *shape, pose, table, contestants);
  add_volume<sudar::Obb3d>("oriented boxes", *shape, pose, table, contestants);
  add_volume<sudar::Dop18<double>>("18-DOPs", *shape, pose, table, contestants);
  session.race("mesh volumes", "leaf pairs of two turned meshes that touch, 10000 triangles", 15, 0, contestants);
  session.add_table(std::move(table));
}

}  // namespace

void bench_meshes(Session& session) {
  race_meshes(session, 10000);
  if (!session.options().quick) race_meshes(session, 100000);
  compare_volumes(session);
}

}  // namespace sudar_bench
