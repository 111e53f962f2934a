// What:    Shots at hollow boxes and loops whose walls turn, in the plane and in space: plates of a centimetre and shells without
//          any thickness, turned (a kinematic body) or flying free (a heavy one). How many change sides.
// Differs: The same shots without continuous detection are counted beside, so that the row means something. Shots at a plate
//          that stands are in dynamics_laws.cpp.
#include "bench/suites.hpp"
#include "scenes/wall_shots.hpp"
#include <sudar/core/parallel.hpp>

#include <string>
#include <vector>

namespace sudar_bench {

namespace {

using namespace sudar;

constexpr double kThin = 0.005;        // half of a plate, metres
constexpr double kTurning = 10;        // radians a second at most
constexpr std::size_t kOneWorld = 80;  // shots with one target, which turns another way for the next ones

struct Shooting {
  std::size_t shots = 0, through = 0, unguarded = 0;
};

template <int D>
Shooting shoot(const ShapeOf<D>& target, BodyKind kind, std::size_t worlds, std::uint64_t seed) {
  std::vector<Shooting> parts(worlds);
  parallel_for(default_executor(), worlds, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto through = [&](bool continuous) {
        return scenes::shots_through<D>(target, false, kTurning, kind, kOneWorld, seed + i, continuous);
      };
      parts[i] = {kOneWorld, through(true), through(false)};
    }
  });
  Shooting all;
  for (const Shooting& part : parts) {
    all.shots += part.shots;
    all.through += part.through;
    all.unguarded += part.unguarded;
  }
  return all;
}

}  // namespace

void bench_shots(Session& session) {
  // Three targets of each dimension
  const std::size_t worlds = session.options().quick ? 9 : 84;
  Table table{"d_turning_shots", {"target", "shots", "through", "through_without_continuous_detection"}, {}};
  Shooting all;
  const auto add = [&](const std::string& what, auto&& shooting) {
    session.progress("shots at " + what);
    const Shooting x = shooting();
    table.rows.push_back({what, std::to_string(x.shots), std::to_string(x.through), std::to_string(x.unguarded)});
    all.shots += x.shots, all.through += x.through, all.unguarded += x.unguarded;
  };
  const std::uint64_t seed = 1000 * session.options().seed;
  const auto turned = BodyKind::kinematic, free = BodyKind::dynamic;
  using scenes::box_shell3, scenes::loop2, scenes::plates2, scenes::plates3;
  add("plates that are turned, space", [&] { return shoot<3>(plates3(kThin), turned, worlds, seed); });
  add("a shell that is turned, space", [&] { return shoot<3>(box_shell3(), turned, worlds, seed + 1000); });
  add("plates that fly free, space", [&] { return shoot<3>(plates3(kThin), free, worlds, seed + 2000); });
  add("plates that are turned, plane", [&] { return shoot<2>(plates2(kThin), turned, worlds, seed + 3000); });
  add("a loop that is turned, plane", [&] { return shoot<2>(loop2(), turned, worlds, seed + 4000); });
  add("plates that fly free, plane", [&] { return shoot<2>(plates2(kThin), free, worlds, seed + 5000); });
  session.add_table(std::move(table));
  const std::string count = std::to_string(all.shots);
  session.bar_at_most(count + " shots at turning targets: through", 0, static_cast<double>(all.through));
  session.bar_at_least(count + " shots at turning targets without continuous detection: share that goes through", 0.2,
                       static_cast<double>(all.unguarded) / static_cast<double>(all.shots));
}

}  // namespace sudar_bench
