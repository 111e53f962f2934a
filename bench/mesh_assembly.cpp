// What:    An assembly of many parts: which pairs clash, yes or no, with the trees ready and from the meshes on. Some parts
//          lie wholly inside of others: no triangles meet there, and a library of surfaces misses them.
// Differs: One thread, as the peer has one. The answers are compared by the pairs whose surfaces meet; what is inside
//          is counted in a table of its own.
#include "bench/mesh_assembly.hpp"

#include "bench/harness.hpp"
#include "bench/peers/clash_peer.hpp"
#include <sudar/broadphase/registry.hpp>
#include <sudar/core/random.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/narrowphase/mesh_mesh.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace sudar_bench {

namespace {

class OurClash final : public ClashPeer {
 public:
  void build(std::span<const sudar::Mesh> parts) override {
    meshes_.clear();
    std::vector<double> rows;
    for (const sudar::Mesh& part : parts) {
      meshes_.push_back({*sudar::make_triangle_mesh(part.vertices, part.triangles), true});
      const sudar::Aabb3d& box = meshes_.back().mesh->bounds();
      for (const sudar::Vec3d& corner : {box.lo, box.hi})
        for (int k = 0; k < 3; ++k) rows.push_back(corner[k]);
    }
    keep(store_.assign(std::span<const double>(rows)).ok());
    broadphase_ = *sudar::make_broadphase<3>("columns");
  }
  std::vector<sudar::IdPair> pairs() override {
    std::vector<sudar::IdPair> out;
    // From nothing, as for parts that were never seen
    keep(broadphase_->build(store_).ok());
    const auto near = broadphase_->pairs(store_);
    if (!near) return out;
    for (const sudar::IdPair& pair : *near)
      if (intersects(meshes_[pair.lo], meshes_[pair.hi], sudar::Placement3{})) out.push_back(pair);
    return out;
  }
  // Without those of which one is inside of the other
  std::size_t surfaces() {
    std::size_t count = 0;
    for (const sudar::IdPair& pair : pairs())
      count += first_hit(*meshes_[pair.lo].mesh, *meshes_[pair.hi].mesh, sudar::Placement3{}).has_value();
    return count;
  }

 private:
  std::vector<sudar::MeshShape3> meshes_;
  sudar::BoxStore<3> store_;
  std::unique_ptr<sudar::Broadphase<3>> broadphase_;
};

}  // namespace

std::vector<sudar::Mesh> assembly_parts(std::uint32_t count, std::uint32_t triangles, std::uint64_t seed) {
  sudar::Random random(seed);
  const auto slices = static_cast<std::uint32_t>(std::sqrt(triangles / 2.0)) + 1;
  sudar::Mesh ball = *sudar::uv_sphere_mesh(1, slices, slices);
  for (sudar::Vec3d& v : ball.vertices)
    v = v * (1 + 0.06 * std::sin(5 * v.x) * std::sin(4 * v.y + 1) * std::sin(6 * v.z + 2));
  const auto side = static_cast<std::uint32_t>(std::ceil(std::cbrt(count)));
  std::vector<sudar::Mesh> parts;
  for (std::uint32_t n = 0; parts.size() < count; ++n) {
    sudar::Vec3d at{1.93 * (n % side), 1.93 * (n / side % side), 1.93 * (n / side / side)};
    for (int k = 0; k < 3; ++k) at[k] += random.uniform(-0.06, 0.06);
    const double size = random.uniform(0.9, 1.02);
    for (const double scale : {size, 0.3}) {
      parts.push_back(ball);
      for (sudar::Vec3d& v : parts.back().vertices) v = v * scale + at;
      if (n % 10 != 0 || parts.size() >= count) break;
    }
  }
  return parts;
}

void bench_assembly(Session& session) {
  const bool quick = session.options().quick;
  const std::uint32_t count = quick ? 200 : 2000, triangles = quick ? 400 : 1000;
  const std::string where = std::to_string(count) + " parts of about " + std::to_string(triangles) + " triangles";
  const std::vector<sudar::Mesh> parts = assembly_parts(count, triangles, session.options().seed);
  auto ours = std::make_shared<OurClash>();
  ours->build(parts);
  const std::vector<sudar::IdPair> found = ours->pairs();
  const std::size_t surfaces = ours->surfaces();
  std::vector<Contestant> ready, whole;
  ready.push_back({"sudar", "", [ours] { return static_cast<double>(ours->pairs().size()); },
                   [surfaces] { return static_cast<double>(surfaces); }});
  whole.push_back({"sudar", "",
                   [&parts] {
                     OurClash all;
                     all.build(parts);
                     return static_cast<double>(all.pairs().size());
                   },
                   [surfaces] { return static_cast<double>(surfaces); }});
  Table table{"assembly", {"contestant", "pairs", "one inside of the other", "of these missed"}, {}};
  const std::size_t inside = found.size() - surfaces;
  table.rows.push_back({"sudar", std::to_string(found.size()), std::to_string(inside), "0"});
  if (session.options().peers) {
#if defined(SUDAR_PEER_FCL)
    const std::shared_ptr<ClashPeer> fcl = make_fcl_clash();
    std::vector<sudar::IdPair> theirs;
    const auto set_up = [&] {
      fcl->build(parts);
      theirs = fcl->pairs();
    };
    if (session.made("assembly", "before the race, " + where, "FCL", fcl_version(), set_up)) {
      std::sort(theirs.begin(), theirs.end());
      std::size_t missed = 0;
      for (const sudar::IdPair& pair : found) missed += !std::binary_search(theirs.begin(), theirs.end(), pair);
      table.rows.push_back({"FCL", std::to_string(theirs.size()), std::to_string(inside), std::to_string(missed)});
      ready.push_back({"FCL", fcl_version(), [fcl] { return static_cast<double>(fcl->pairs().size()); }});
    }
    whole.push_back({"FCL", fcl_version(), [&parts] {
                       const auto all = make_fcl_clash();
                       all->build(parts);
                       return static_cast<double>(all->pairs().size());
                     }});
#else
    session.missing_peer("assembly", "FCL");
#endif
  }
  const auto searched = session.race("assembly", "clash yes or no, trees ready, " + where, 7, 0, ready);
  const auto made = session.race("assembly", "clash yes or no, from the meshes on, " + where, 3, 0, whole);
  session.bar_against_peers("assembly, trees ready: times faster than FCL", 3, speedup_over_best_peer(searched));
  session.bar_against_peers("assembly, from the meshes on: times faster than FCL", 3, speedup_over_best_peer(made));
  session.add_table(std::move(table));
}

}  // namespace sudar_bench
