// Sequences of changes and questions to broad phases, followed as the plain loops over the boxes follow them
// (tests/broadphase/script_runner.hpp). What fails is printed as a script that the tests can replay (SUDAR_SCRIPT). Three of
// the broad phases follow each, which the first byte says: all of them would take six times as long.
#include "tests/broadphase/script_runner.hpp"
#include "tests/fuzz/bytes.hpp"

#include <cstdio>

namespace sudar_fuzz {

namespace {

constexpr std::size_t kMostLines = 48, kMostBoxes = 12;
constexpr double kMostAtOnce = 80;
constexpr std::uint32_t kAtOnce = 3;

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
    line.action = static_cast<Action>(bytes.below(sudar::lab::kBoxActions.size()));
    const sudar::lab::BoxLineParts has = sudar::lab::parts_of(line.action);
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
sudar_test::Algorithms<D> some_algorithms(std::uint32_t choice) {
  const auto entries = sudar::broadphases();
  const auto count = static_cast<std::uint32_t>(entries.size());
  const std::uint32_t first = choice % count, step = 1 + choice / count;
  sudar_test::Algorithms<D> some;
  for (std::uint32_t i = 0; i < kAtOnce; ++i)
    for (auto& one : sudar_test::make_algorithms<D>(entries[(first + i * step) % count].name))
      some.push_back(std::move(one));
  return some;
}

template <int D>
void follow_bytes(Bytes& bytes, std::uint32_t choice) {
  const auto script = script_of<D>(bytes);
  const std::string wrong = sudar_test::Runner<D>(some_algorithms<D>(choice)).run(script);
  if (wrong.empty()) return;
  std::fprintf(stderr, "%s\n%s", wrong.c_str(), sudar_test::print_script(script).c_str());
  promise(false, "every broad phase follows every script");
}

}  // namespace

void fuzz_broadphase(FuzzBytes all) {
  Bytes bytes(all);
  const std::uint8_t first = bytes.byte();
  (first & 1) != 0 ? follow_bytes<2>(bytes, first / 2) : follow_bytes<3>(bytes, first / 2);
}

}  // namespace sudar_fuzz
