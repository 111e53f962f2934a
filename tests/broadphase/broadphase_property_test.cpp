// Every broad phase follows every script of changes and questions as plain loops over the boxes do. A script that one does
// not follow is shrunk and written to a file, which SUDAR_SCRIPT replays; those in tests/regress/cases are replayed always.
#include "tests/broadphase/script_runner.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/soak.hpp"
#include "tests/support/written_case.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>

using namespace sudar;
using namespace sudar_test;

namespace {

template <int D>
void follow(const Script<D>& script, Executor* executor = nullptr) {
  Runner<D> all(make_algorithms<D>({}, executor));
  const std::string wrong = all.run(script);
  if (wrong.empty()) return;
  const auto again = [&](const Script<D>& other) {
    return Runner<D>(make_algorithms<D>(all.at_fault().empty() ? "brute_force" : all.at_fault(), executor)).run(other);
  };
  const Script<D> small = shrink(script, [&](const Script<D>& other) { return !again(other).empty(); });
  ADD_FAILURE() << wrong << "; shrunk: " << again(small) << ", " << write_case_text(print_script(small), ".script");
}

std::string text_of_file(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void follow_file(const std::string& path) {
  SCOPED_TRACE(path);
  const std::string text = text_of_file(path);
  const auto flat = parse_script<2>(text);
  const auto solid = parse_script<3>(text);
  ASSERT_TRUE(flat || solid) << path << " is no script";
  if (flat) follow(*flat);
  if (solid) follow(*solid);
}

template <int D>
void follow_random_scripts() {
  Random random(campaign_seed(D));
  const auto several = make_executor(3);
  // Every third script is followed by several threads
  for (std::size_t i = 0; i < soak(200) && !testing::Test::HasFailure(); ++i)
    follow(random_script<D>(random), i % 3 == 0 ? several.get() : nullptr);
}

// Looks at boxes anew only when their number changed
class Forgetful final : public Broadphase<2> {
 public:
  std::string_view name() const noexcept override { return "forgetful"; }

 private:
  void do_build(const BoxStore<2>& store) override { pairs_ = plain_pairs(store); }
  void do_update(const BoxStore<2>& store) override {
    if (store.size() != size_) do_build(store);
  }
  void do_pairs(const BoxStore<2>& store, SearchOutput& out) override {
    size_ = store.size();
    for (const IdPair& pair : pairs_) out.pairs.push(pair);
  }
  std::size_t do_bytes() const noexcept override { return 0; }

  Pairs pairs_;
  std::size_t size_ = 0;
};

std::string run_forgetful(const Script<2>& script) {
  Algorithms<2> one;
  one.push_back(std::make_unique<Forgetful>());
  return Runner<2>(std::move(one)).run(script);
}

template <int D>
void round_trip() {
  Random random(campaign_seed(77));
  for (int i = 0; i < 50; ++i) {
    const std::string text = print_script(random_script<D>(random));
    const auto script = parse_script<D>(text);
    ASSERT_TRUE(script.has_value()) << text;
    EXPECT_EQ(print_script(*script), text);
  }
}

}  // namespace

TEST(BroadphaseProperty, EveryAlgorithmFollowsEveryScript2) { follow_random_scripts<2>(); }
TEST(BroadphaseProperty, EveryAlgorithmFollowsEveryScript3) { follow_random_scripts<3>(); }

TEST(BroadphaseProperty, ScriptsArePrintedAndParsed) {
  round_trip<2>();
  round_trip<3>();
  const std::string text = "dim 2\ninsert 0 0 1 1 1 7 0 fixed\nassign 1 0 0 1 1\nupdate\n";
  ASSERT_TRUE(parse_script<2>(text).has_value());
  EXPECT_EQ(print_script(*parse_script<2>(text)), text);
  for (const char* bad : {"", "dim 3\nupdate", "dim 2\nleap 1", "dim 2\nremove", "dim 2\nremove -1", "dim 2\nremove x",
                          "dim 2\nmove 0 0 0 1", "dim 2\nmotion 0 sideways", "dim 2\nassign 2 0 0 1 1"})
    EXPECT_FALSE(parse_script<2>(bad).has_value()) << bad;
}

TEST(BroadphaseProperty, AFaultIsShrunkToAFewLines) {
  Random random(5);
  std::size_t found = 0;
  for (int i = 0; i < 20; ++i) {
    const Script<2> script = random_script<2>(random);
    if (run_forgetful(script).empty()) continue;
    ++found;
    const Script<2> small = shrink(script, [](const Script<2>& other) { return !run_forgetful(other).empty(); });
    // Two boxes, a look, a change that is missed, a look; or as much with all boxes at once
    EXPECT_LE(small.size(), 6u) << print_script(small);
    EXPECT_FALSE(run_forgetful(*parse_script<2>(print_script(small))).empty());
  }
  EXPECT_GT(found, 5u);
}

// Worlds with several columns, giants and crowds, standing and moving, on one thread and on several
TEST(BroadphaseProperty, LargeWorldsAreFollowed) {
  const std::string rest =
      "update\nevents\ndrift 5 0.2\nremove 3\nupdate\nevents\nmotion 7 fixed\ndrift 6 0.2\nupdate\nevents\n";
  const std::string flat[] = {
      "dim 2\nmany 1 0 0 400 400 1 1 2500 moving\nmany 2 0 0 400 400 600 600 20 moving\nmany 3 0 0 400 400 1 1 700 "
      "fixed\n",
      "dim 2\nmany 1 0 0 50 50 1 1 2000 moving\nmany 2 0 0 1e6 1e6 9 9 110 moving\nmany 3 0 0 50 50 1 1 600 fixed\n"};
  const std::string solid[] = {
      "dim 3\nmany 1 0 0 0 40 40 40 0.5 0.5 0.5 2500 moving\nmany 2 0 0 0 40 40 40 80 80 80 20 moving\n"
      "many 3 0 0 0 40 40 40 1 1 1 700 fixed\n",
      "dim 3\nmany 1 0 0 0 12 12 12 1 1 1 2000 moving\nmany 2 0 0 0 1e5 1e5 1e5 9 9 9 110 moving\n"
      "many 3 0 0 0 12 12 12 1 1 1 600 fixed\n"};
  const auto several = make_executor(3);
  reached = {};
  for (const std::string& text : flat) follow(*parse_script<2>(text + rest));
  EXPECT_TRUE(reached.giants && reached.planned_again);
  reached = {};
  for (const std::string& text : solid) follow(*parse_script<3>(text + rest), several.get());
  EXPECT_TRUE(reached.giants && reached.planned_again);
}

// What is written can be read, and fails as it did
TEST(BroadphaseProperty, WhatIsWrittenFailsTheSame) {
  Random random(6);
  Script<2> script = random_script<2>(random);
  while (run_forgetful(script).empty()) script = random_script<2>(random);
  const std::string wrong = run_forgetful(script);
  const Script<2> small = shrink(script, [&](const Script<2>& other) { return run_forgetful(other) == wrong; });
  const std::string said = write_case_text(print_script(small), ".script"), path = said.substr(0, said.find(":\n"));
  EXPECT_NE(path.find("BroadphaseProperty.WhatIsWrittenFailsTheSame-"), std::string::npos);
  const auto again = parse_script<2>(text_of_file(path));
  ASSERT_TRUE(again.has_value()) << said;
  EXPECT_EQ(run_forgetful(*again), wrong);
  // No broad phase of the library is forgetful
  follow_file(path);
  std::remove(path.c_str());
}

// Scripts that once failed, and the one that SUDAR_SCRIPT names
TEST(BroadphaseProperty, ScriptsAreReplayed) {
  std::set<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(SUDAR_REGRESS_CASES))
    if (entry.path().extension() == ".script") paths.insert(entry.path().string());
  EXPECT_FALSE(paths.empty());
  if (const char* const path = std::getenv("SUDAR_SCRIPT")) paths.insert(path);
  for (const std::string& path : paths) follow_file(path);
}
