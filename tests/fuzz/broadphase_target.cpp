// Sequences of changes and questions to every broad phase, followed as the plain loops over the boxes follow them
// (tests/broadphase/script_runner.hpp). What fails is printed as a script that the tests can replay (SUDAR_SCRIPT).
#include "tests/broadphase/script_runner.hpp"
#include "tests/fuzz/bytes.hpp"

#include <cstdio>

namespace sudar_fuzz {

namespace {

constexpr std::size_t kMostLines = 48, kMostBoxes = 12;
constexpr double kMostAtOnce = 80;

template <int D>
sudar::Aabb<D, double> box_of(Bytes& bytes) {
  sudar::Aabb<D, double> box;
  const bool any = bytes.below(16) == 0;
  for (int k = 0; k < D; ++k) {
    box.lo[k] = any ? bytes.any_number() : bytes.number();
    box.hi[k] = any ? bytes.any_number() : box.lo[k] + bytes.size();
  }
  return box;
}

template <int D>
sudar_test::Script<D> script_of(Bytes& bytes) {
  using sudar_test::Action;
  sudar_test::Script<D> script;
  while (!bytes.empty() && script.size() < kMostLines) {
    sudar_test::Line<D> line;
    line.action = static_cast<Action>(bytes.below(sudar_test::kActionNames.size()));
    const sudar_test::LineParts has = sudar_test::parts_of(line.action);
    if (has.which) line.which = bytes.byte();
    if (has.box) line.box = box_of<D>(bytes);
    if (has.direction)
      for (int k = 0; k < D; ++k) line.direction[k] = bytes.number();
    if (has.amount) line.amount = line.action == Action::many ? bytes.byte() / 255.0 * kMostAtOnce : bytes.number();
    if (has.filter) line.filter = {bytes.byte() & 7u, bytes.byte() & 7u, bytes.byte() & 3u};
    if (has.motion) line.motion = bytes.coin() ? sudar::Motion::fixed : sudar::Motion::moving;
    if (has.boxes)
      for (std::uint32_t count = bytes.below(kMostBoxes); count > 0; --count) line.boxes.push_back(box_of<D>(bytes));
    // A cast goes forward, and a drift is a number
    if (line.action == Action::cast) line.amount = std::fabs(line.amount);
    script.push_back(std::move(line));
  }
  return script;
}

template <int D>
void follow_bytes(Bytes& bytes) {
  const auto script = script_of<D>(bytes);
  const std::string wrong = sudar_test::Runner<D>(sudar_test::make_algorithms<D>()).run(script);
  if (wrong.empty()) return;
  std::fprintf(stderr, "%s\n%s", wrong.c_str(), sudar_test::print_script(script).c_str());
  promise(false, "every broad phase follows every script");
}

}  // namespace

void fuzz_broadphase(FuzzBytes all) {
  Bytes bytes(all);
  bytes.coin() ? follow_bytes<2>(bytes) : follow_bytes<3>(bytes);
}

}  // namespace sudar_fuzz
