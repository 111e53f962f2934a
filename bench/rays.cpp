// What:    Rays against a mesh of 100 000 triangles, one after another in no order (W8): the first hit, any hit, a batch on
//          several threads; and rays aimed at the edges and corners of closed meshes, of which none may get through.
// Differs: Vertices and rays are rounded to float beforehand, so that all contestants get the same numbers; ours and
//          CGAL's answers are exact for them, and rays whose first triangle a peer does not find are counted.
#include "bench/peers/ray_peer.hpp"
#include "bench/suites.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/geom/ray_triangle.hpp>
#include <sudar/math/sampling.hpp>
#include <sudar/queries/ray3.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace sudar_bench {

namespace {

using Rays = std::vector<sudar::Ray<3, double>>;

sudar::Vec3d to_floats(const sudar::Vec3d& v) { return sudar::vec_cast<double>(sudar::vec_cast<float>(v)); }

sudar::Mesh ray_target(std::uint32_t count) {
  const auto slices = static_cast<std::uint32_t>(std::sqrt(count / 2.0));
  sudar::Mesh mesh = *sudar::uv_sphere_mesh(1, slices, slices);
  for (sudar::Vec3d& v : mesh.vertices)
    v = to_floats(v * (1 + 0.1 * std::sin(5 * v.x) * std::sin(4 * v.y + 1) * std::sin(6 * v.z + 2)));
  return mesh;
}

// From a sphere around the mesh to places inside of a ball that is a little larger than it
Rays incoherent_rays(std::size_t count, std::uint64_t seed) {
  sudar::Random random(seed);
  Rays rays;
  for (std::size_t i = 0; i < count; ++i) {
    const sudar::Vec3d from = to_floats(sudar::unit_vector<3>(random) * 2.0);
    const sudar::Vec3d to = sudar::point_in_ball<3>(random) * 1.25;
    rays.push_back({from, to_floats(normalized(to - from))});
  }
  return rays;
}

class OurRays final : public RayPeer {
 public:
  void build(const sudar::Mesh& mesh) override {
    shape_ = *sudar::make_mesh_shape3(mesh.vertices, mesh.triangles, false);
  }
  void load(std::span<const sudar::Ray<3, double>> rays) override { rays_.assign(rays.begin(), rays.end()); }
  void cast(std::span<std::uint32_t> triangles) override {
    for (std::size_t i = 0; i < rays_.size(); ++i) triangles[i] = cast_ray(shape_, rays_[i])->triangle;
  }

 private:
  sudar::Shape3 shape_{sudar::PointShape3{}};
  Rays rays_;
};

struct RayEntrant {
  std::string name, version;
  std::shared_ptr<RayPeer> peer;
};

std::vector<RayEntrant> ray_entrants(Session& session) {
  std::vector<RayEntrant> all = {{"sudar", "", std::make_shared<OurRays>()}};
  if (!session.options().peers) return all;
#if defined(SUDAR_PEER_EMBREE)
  all.push_back({"Embree", embree_version(), make_embree_rays(false)});
  all.push_back({"Embree robust", embree_version(), make_embree_rays(true)});
#else
  session.missing_peer("rays", "Embree");
#endif
#if defined(SUDAR_PEER_BULLET)
  all.push_back({"Bullet", bullet_version(), make_bullet_rays()});
#else
  session.missing_peer("rays", "Bullet");
#endif
#if defined(SUDAR_PEER_CGAL_RAYS)
  all.push_back({"CGAL AABB_tree", cgal_rays_version(), make_cgal_rays()});
#else
  session.missing_peer("rays", "CGAL");
#endif
  return all;
}

void race_rays(Session& session) {
  const std::uint32_t count = 100000;
  const std::size_t ray_count = session.options().quick ? 20000 : 100000;
  const sudar::Mesh mesh = ray_target(count);
  const Rays rays = incoherent_rays(ray_count, session.options().seed);
  std::vector<RayEntrant> all = ray_entrants(session);
  std::vector<std::vector<std::uint32_t>> found(all.size(), std::vector<std::uint32_t>(rays.size()));
  std::vector<Contestant> contestants;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].peer->build(mesh);
    all[i].peer->load(rays);
    contestants.push_back({all[i].name, all[i].version,
                           [peer = all[i].peer, &triangles = found[i]] {
                             peer->cast(triangles);
                             return 0.0;
                           },
                           [&triangles = found[i]] {
                             std::size_t hits = 0;
                             for (const std::uint32_t t : triangles) hits += t != sudar::kNoIndex;
                             return static_cast<double>(hits);
                           }});
  }
  const std::string workload = std::to_string(ray_count) + " incoherent rays, first hit, 100000 triangles";
  // A ray that touches the border of the mesh may count for one and not for the other
  const auto result = session.race("rays", workload, session.options().quick ? 7 : 15, 1e-4, contestants);
  Table table{"ray agreement", {"contestant", "ns a ray", "hits", "other hit or miss", "other triangle"}, {}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::size_t hits = 0, missed = 0, other = 0;
    for (std::size_t r = 0; r < rays.size(); ++r) {
      hits += found[i][r] != sudar::kNoIndex;
      missed += (found[i][r] == sudar::kNoIndex) != (found[0][r] == sudar::kNoIndex);
      other += found[i][r] != found[0][r];
    }
    char ns[32];
    std::snprintf(ns, sizeof ns, "%.1f", result[i].min_ms * 1e6 / static_cast<double>(rays.size()));
    table.rows.push_back(
        {all[i].name, ns, std::to_string(hits), std::to_string(missed), std::to_string(other - missed)});
  }
  session.add_table(std::move(table));
  Speedup embree;
  std::vector<Measurement> others = {result[0]};
  for (const Measurement& m : result) {
    if (m.contestant == "Embree") embree = speedup_over(result[0], m);
    if (!m.version.empty() && !m.contestant.starts_with("Embree")) others.push_back(m);
  }
  session.bar_against_peers("rays: speed against Embree's single rays", 0.5, embree);
  session.bar_against_peers("rays: times faster than the best of the other peers", 1, speedup_over_best_peer(others));
}

// What else there is, against our own first hit
void race_modes(Session& session) {
  const sudar::Mesh mesh = ray_target(100000);
  const auto shape = *sudar::make_mesh_shape3(mesh.vertices, mesh.triangles, false);
  const Rays rays = incoherent_rays(20000, session.options().seed + 1);
  std::vector<sudar::RayAnswer3> answers(rays.size());
  const auto& tree = *shape.as<sudar::MeshShape3>().mesh->ray_tree();
  const double endless[] = {sudar::kEndless};
  const auto hits = [&] {
    std::size_t n = 0;
    for (const auto& x : answers) n += x.hit;
    return static_cast<double>(n);
  };
  const auto batch = [&](sudar::Executor& executor) {
    keep(cast_rays(shape, rays, endless, answers, executor).ok());
    return 0.0;
  };
  const auto count_by = [&](auto&& meets) {
    std::size_t n = 0;
    for (const auto& ray : rays) n += meets(ray);
    return static_cast<double>(n);
  };
  using Hit = sudar::RayTreeHit;
  const auto cores = session.all_cores();
  session.race("ray modes", "20000 incoherent rays, 100000 triangles", 9, 0,
               {{"first hit, batch", "", [&] { return batch(sudar::serial_executor()); }, hits},
                {"first hit, batch on all threads", "", [&] { return batch(sudar::default_executor()); }, hits},
                {"first hit, plain twin", "",
                 [&] {
                   return count_by([&](const auto& r) {
                     Hit h;
                     return closest_hit_plain(tree, r, sudar::kEndless, h);
                   });
                 }},
                {"any hit", "", [&] { return count_by([&](const auto& r) { return *ray_meets(shape, r); }); }}});
  Table build{"ray tree", {"triangles", "nodes", "leaves", "bytes"}, {}};
  build.rows.push_back({std::to_string(mesh.triangles.size()), std::to_string(tree.node_count()),
                        std::to_string(tree.leaf_count()), std::to_string(tree.bytes())});
  session.add_table(std::move(build));
}

// From inside of a closed mesh at its corners and at points of its edges, rounded or not: what does not hit, leaks
void count_leaks(Session& session) {
  struct Body {
    const char* name;
    sudar::Mesh mesh;
  };
  std::vector<Body> bodies = {{"cube", *sudar::box_mesh({1, 1, 1})},
                              {"icosphere", *sudar::icosphere_mesh(1, 4)},
                              {"bumpy sphere", ray_target(20000)}};
  bodies.push_back({"icosphere far away", *transformed(bodies[1].mesh, {{1e6, -3e5, 2e6}, {}})});
  Table table{"ray leaks", {"mesh", "aimed at", "rays", "leaks"}, {}};
  const std::size_t each = session.options().quick ? 20000 : 12500000;
  std::size_t all = 0, leaks = 0;
  for (const Body& body : bodies) {
    const auto mesh = *sudar::make_triangle_mesh(body.mesh.vertices, body.mesh.triangles);
    const sudar::RayTree& tree = *mesh->ray_tree();
    const sudar::Vec3d middle = center(mesh->bounds());
    for (const char* aim : {"corners", "edges"}) {
      struct Part {
        std::size_t leaks = 0;
      };
      constexpr std::size_t kGrain = 10000;
      std::vector<Part> parts((each + kGrain - 1) / kGrain);
      sudar::parallel_for(sudar::default_executor(), each, kGrain, [&](std::size_t begin, std::size_t end) {
        sudar::Random random(session.options().seed + begin);
        for (std::size_t i = begin; i < end; ++i) {
          const auto t = body.mesh.corners(random.below(body.mesh.triangles.size()));
          const auto k = static_cast<int>(random.below(3));
          const sudar::Vec3d target =
              *aim == 'c' ? t[k] : lerp(t[k], t[(k + 1) % 3], static_cast<double>(random.below(17)) / 16);
          // The middle, lattice points near it, or anywhere near it
          sudar::Vec3d from = middle;
          if (i % 3 == 1)
            for (int axis = 0; axis < 3; ++axis) from[axis] += (static_cast<double>(random.below(9)) - 4) / 16;
          if (i % 3 == 2) from = from + sudar::point_in_ball<3>(random) * 0.25;
          sudar::RayTreeHit hit;
          parts[begin / kGrain].leaks += !closest_hit(tree, {from, target - from}, sudar::kEndless, hit);
        }
      });
      std::size_t sum = 0;
      for (const Part& part : parts) sum += part.leaks;
      table.rows.push_back({body.name, aim, std::to_string(each), std::to_string(sum)});
      all += each, leaks += sum;
    }
  }
  session.add_table(std::move(table));
  session.bar_at_most("rays that leak through closed meshes, of " + std::to_string(all), 0, static_cast<double>(leaks));
}

}  // namespace

void bench_rays(Session& session) {
  race_rays(session);
  race_modes(session);
}

void bench_leaks(Session& session) { count_leaks(session); }

}  // namespace sudar_bench
