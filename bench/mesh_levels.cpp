// What:    Levels of detail: what a distance costs at each level of two bodies, and how wide its bounds are there.
#include "bench/suites.hpp"
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/narrowphase/levels.hpp>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace sudar_bench {

namespace {

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", x);
  return text;
}

}  // namespace

void bench_levels(Session& session) {
  const std::uint32_t slices = session.options().quick ? 40 : 70;
  sudar::Mesh mesh = *sudar::uv_sphere_mesh(1, slices, slices);
  for (sudar::Vec3d& v : mesh.vertices)
    v = v * (1 + 0.1 * std::sin(5 * v.x) * std::sin(4 * v.y + 1) * std::sin(6 * v.z + 2));
  const auto body = *sudar::DetailLevels::make(mesh.vertices, mesh.triangles, true);
  const sudar::Placement3 placement =
      sudar::make_placement(sudar::Pose3d{{2.6, 0.4, 0.3}, normalized(sudar::Quatd{1, 0.3, 0.2, 0.1})});
  const std::string where = ", " + std::to_string(mesh.triangles.size()) + " triangles";
  Table table{"levels of detail", {"level", "parts", "missing", "excess", "lower", "upper"}, {}};
  std::vector<Contestant> contestants;
  for (std::size_t i = 0; i < body->levels().size(); ++i) {
    const sudar::DetailLevel& level = body->levels()[i];
    const std::string name = std::string(to_string(level.kind)) + " " + std::to_string(level.parts);
    const sudar::LevelAnswer x = level_distance(*body, i, *body, i, placement);
    table.rows.push_back({name, std::to_string(level.parts), number(level.missing), number(level.excess),
                          number(x.lower), number(x.upper)});
    // Every level answers the same question; what they agree on is that the bodies are apart or not known to be
    contestants.push_back({name, "", [body, i, placement] {
                             keep(level_distance(*body, i, *body, i, placement).upper);
                             return 0.0;
                           }});
  }
  session.race("levels of detail", "distance of two bodies by level" + where, 25, 0, contestants);
  session.add_table(std::move(table));
}

}  // namespace sudar_bench
