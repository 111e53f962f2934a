// What is seen of a living scene: race, inside of the broad phase, decisions of adaptive, graphs, hints, saved cases
#include "lab/algorithm_notes.hpp"
#include "lab/case_file.hpp"
#include "lab/live_exhibit.hpp"
#include "tests/support/temp_file.hpp"
#include <sudar/broadphase/registry.hpp>
#include <sudar/io/boxes_file.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

using namespace sudar;
using namespace sudar::lab;

namespace {

template <int D>
std::unique_ptr<LiveExhibit<D>> seen_scene(std::string_view text) {
  const auto spec = scenes::parse(text);
  EXPECT_TRUE(spec) << text;
  auto made = LiveExhibit<D>::make(*spec);
  EXPECT_TRUE(made) << text << ": " << made.error().message();
  return *std::move(made);
}

void put(Exhibit& exhibit, std::string_view name, std::string_view value) {
  std::string why_not;
  EXPECT_TRUE(set_from_text(exhibit, name, value, why_not)) << why_not;
}

bool hints_at(const TroubleSigns& signs, std::string_view words) {
  const std::vector<std::string> hints = hints_for(signs);
  return std::any_of(hints.begin(), hints.end(), [&](const std::string& h) { return h.starts_with(words); });
}

// Ten thousand equal boxes, spread evenly: nothing to hint at
TroubleSigns calm_signs() {
  TroubleSigns signs;
  signs.algorithm = "grid";
  signs.boxes = signs.moved = 10000;
  signs.pairs = 5000;
  signs.median_edge = 0.01;
  signs.largest_edge = 0.02;
  signs.extent = 1;
  signs.cell_edge = 0.025;
  signs.most_in_cell = 12;
  signs.leaf_capacity = 128;
  return signs;
}

}  // namespace

TEST(Race, ContestantsAgreeAndAreRanked) {
  auto exhibit = seen_scene<3>("cluster n=600");
  put(*exhibit, "race_a", "columns");
  put(*exhibit, "race_b", "brute_force");
  put(*exhibit, "race_c", "octree");
  put(*exhibit, "race_d", "none");
  put(*exhibit, "race", "on");
  for (int i = 0; i < 20; ++i) exhibit->advance(0.02);
  const std::vector<RaceResult> results = exhibit->race().results();
  ASSERT_EQ(results.size(), 3u);
  std::uint64_t wins = 0;
  bool best = false;
  for (const RaceResult& r : results) {
    EXPECT_EQ(r.frames, 20u);
    EXPECT_EQ(r.differing_frames, 0u) << r.name;
    EXPECT_LE(r.least, r.median);
    EXPECT_LE(r.median, r.p95);
    EXPECT_LE(r.p95, r.p99);
    wins += r.wins;
    best |= r.ratio == 1;
  }
  EXPECT_EQ(wins, 20u);
  EXPECT_TRUE(best);
  Panel panel;
  exhibit->tell(panel);
  EXPECT_TRUE(std::any_of(panel.badges.begin(), panel.badges.end(),
                          [](const Badge& b) { return b.text == "race: all agree on 20 frames"; }));
  const std::string csv = exhibit->race().csv();
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 4);

  Race<2> race;
  const std::vector<std::string> one = {"sap"}, unknown = {"sap", "fastest"};
  EXPECT_EQ(race.enter(one, serial_executor()).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(race.enter(unknown, serial_executor()).error().element, 1u);
  EXPECT_FALSE(race.running());
}

TEST(BroadphaseView, ShowsTheInsideOfEveryAlgorithm) {
  for (const char* text : {"city n=300 dim=2", "power_law n=300 dim=2"})
    for (const BroadphaseEntry& entry : broadphases()) {
      auto exhibit = seen_scene<2>(text);
      put(*exhibit, "algorithm", entry.name);
      put(*exhibit, "view", "automatic");
      for (int i = 0; i < 3; ++i) exhibit->advance(0.01);
      const InsideKind kind = exhibit->view().kind();
      EXPECT_EQ(kind == InsideKind::nothing, entry.name == "brute_force") << entry.name;
      // A sort that waits has no ends to show
      EXPECT_TRUE(kind == InsideKind::ends || exhibit->view().shown() > 0) << entry.name << " in " << text;
      if (kind == InsideKind::tree) {
        for (int level = 0; level <= exhibit->view().depth(); ++level) {
          put(*exhibit, "level", std::to_string(level));
          EXPECT_GT(exhibit->view().shown(), 0u) << entry.name << " level " << level;
        }
        put(*exhibit, "view", "visits");
        EXPECT_GT(exhibit->view().shown(), 0u) << entry.name;
      }
      Panel panel;
      exhibit->tell(panel);
      EXPECT_FALSE(panel.notes.empty());
      put(*exhibit, "view", "off");
      EXPECT_EQ(exhibit->view().shown(), 0u);
    }
}

TEST(BroadphaseView, CountsFalsePositives) {
  auto exhibit = seen_scene<2>("simple_shapes n=30 dim=2");
  put(*exhibit, "view", "pairs");
  for (int i = 0; i < 90; ++i) exhibit->advance(1.0 / 60);
  std::uint64_t not_touching = 0;
  const auto& live = exhibit->live();
  for (std::size_t i = 0; i < live.pairs().size(); ++i) not_touching += live.touching(i) ? 0 : 1;
  EXPECT_EQ(exhibit->view().false_pairs(), not_touching);
  EXPECT_GT(not_touching, 0u);
  EXPECT_LT(not_touching, live.pairs().size());
}

TEST(BroadphaseView, SeesWhoChangedPlaces) {
  auto exhibit = seen_scene<3>("uniform n=60 speed=0.2");
  put(*exhibit, "algorithm", "sap");
  put(*exhibit, "view", "intervals");
  std::uint64_t changed = 0, swaps = 0;
  for (int i = 0; i < 20; ++i) {
    exhibit->advance(1.0 / 60);
    if (i == 0) continue;
    changed += exhibit->view().changed_places();
    swaps += exhibit->live().stats().search.swaps;
  }
  EXPECT_GT(changed, 0u);
  EXPECT_GT(swaps, 0u);
  // Nobody moves, nobody changes places
  auto still = seen_scene<3>("uniform n=60 speed=0");
  put(*still, "algorithm", "sap");
  put(*still, "view", "intervals");
  for (int i = 0; i < 5; ++i) still->advance(1.0 / 60);
  EXPECT_EQ(still->view().changed_places(), 0u);
}

TEST(AdaptiveView, TellsDecisionsWithReasonsCostsAndRegret) {
  auto exhibit = seen_scene<3>("cluster n=500 period=0.5");
  for (int i = 0; i < 60; ++i) exhibit->advance(1.0 / 60);
  Panel panel;
  exhibit->tell(panel);
  const auto table = std::find_if(panel.tables.begin(), panel.tables.end(),
                                  [](const Table& t) { return t.title.starts_with("Decisions"); });
  ASSERT_NE(table, panel.tables.end());
  ASSERT_FALSE(table->rows.empty());
  for (const auto& row : table->rows) EXPECT_EQ(row.size(), table->columns.size());
  EXPECT_FALSE(table->rows[0][4].empty());
  const auto plot = std::find_if(panel.plots.begin(), panel.plots.end(),
                                 [](const Plot& p) { return p.title.find("which one") != std::string::npos; });
  ASSERT_NE(plot, panel.plots.end());
  std::size_t moments = 0;
  for (const PlotSeries& series : plot->series) {
    EXPECT_EQ(series.x.size(), series.y.size());
    if (series.points) moments += series.x.size();
  }
  EXPECT_EQ(moments, 60u);
}

TEST(StepGraphs, PlotsAndCsvHaveEveryStep) {
  auto exhibit = seen_scene<3>("gather n=50");
  for (int i = 0; i < 12; ++i) exhibit->advance(1.0 / 60);
  const std::string csv = exhibit->graphs().csv();
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 13);
  const std::size_t first = csv.find('\n'), second = csv.find('\n', first + 1);
  EXPECT_EQ(std::count(csv.begin(), csv.begin() + static_cast<std::ptrdiff_t>(first), ','),
            std::count(csv.begin() + static_cast<std::ptrdiff_t>(first),
                       csv.begin() + static_cast<std::ptrdiff_t>(second), ','));
  Panel panel;
  exhibit->tell(panel);
  const auto plot = std::find_if(panel.plots.begin(), panel.plots.end(),
                                 [](const Plot& p) { return p.title == "Step time by stage"; });
  ASSERT_NE(plot, panel.plots.end());
  EXPECT_EQ(plot->series[0].x.size(), 12u);
  EXPECT_GE(plot->series.size(), 5u);
}

TEST(AlgorithmNotes, EveryAlgorithmIsExplained) {
  for (const BroadphaseEntry& entry : broadphases()) {
    const AlgorithmNote* note = note_on(entry.name);
    ASSERT_NE(note, nullptr) << entry.name;
    for (const std::string_view text : {note->how, note->cost, note->wins, note->loses, note->source})
      EXPECT_FALSE(text.empty()) << entry.name;
  }
  EXPECT_NE(note_on(kNoAlgorithm), nullptr);
  EXPECT_EQ(note_on("fastest"), nullptr);
  EXPECT_EQ(algorithm_notes().size(), broadphases().size() + 1);
}

TEST(Trouble, EveryHintHasItsSign) {
  EXPECT_TRUE(hints_for(calm_signs()).empty()) << hints_for(calm_signs())[0];
  TroubleSigns s = calm_signs();
  s.cell_edge = 0.002;
  EXPECT_TRUE(hints_at(s, "Cell size far below body size"));
  s = calm_signs();
  s.cell_edge = 0.2, s.most_in_cell = 500;
  EXPECT_TRUE(hints_at(s, "Cells far above body size"));
  s = calm_signs();
  s.largest_edge = 0.5;
  EXPECT_TRUE(hints_at(s, "One giant body"));
  s = calm_signs();
  s.pairs = 4e7;
  EXPECT_TRUE(hints_at(s, "All bodies in one point"));
  s = calm_signs();
  s.algorithm = "sap", s.counters.swaps = 200000;
  EXPECT_TRUE(hints_at(s, "20 swaps a box"));
  s = calm_signs();
  s.algorithm = "brute_force";
  EXPECT_TRUE(hints_at(s, "49995000 box tests"));
  s = calm_signs();
  s.leaf_capacity = 20000;
  EXPECT_TRUE(hints_at(s, "Leaf capacity above"));
  s = calm_signs();
  s.counters.duplicates = 20000;
  EXPECT_TRUE(hints_at(s, "4.0 duplicates"));
  s = calm_signs();
  s.moved = 10;
  EXPECT_TRUE(hints_at(s, "Only 10 of 10000"));
  s = calm_signs();
  s.boxes = s.moved = 500, s.pairs = 200, s.threads = 8;
  EXPECT_TRUE(hints_at(s, "8 threads for 500"));
}

TEST(Trouble, IsSeenInTheScenesThatAreMadeForIt) {
  const auto hint_of = [](const char* text, const char* algorithm, const char* name, const char* value) {
    auto exhibit = seen_scene<3>(text);
    put(*exhibit, "algorithm", algorithm);
    if (*name != 0) put(*exhibit, name, value);
    exhibit->advance(1.0 / 60);
    Panel panel;
    exhibit->tell(panel);
    std::string all;
    for (const std::string& hint : panel.hints) all += hint;
    return all;
  };
  EXPECT_NE(hint_of("one_point n=300", "columns", "", "").find("All bodies in one point"), std::string::npos);
  EXPECT_NE(hint_of("giant n=2000", "grid", "", "").find("One giant body"), std::string::npos)
      << hint_of("giant n=2000", "grid", "", "");
  EXPECT_NE(hint_of("uniform n=2000 overlap=40", "grid", "cell_scale", "0.25").find("Cell size far below"),
            std::string::npos);
  EXPECT_EQ(hint_of("uniform n=2000", "grid", "", ""), "");
}

TEST(CaseFile, IsReadBackByThePairsCommand) {
  auto exhibit = seen_scene<3>("churn n=150 overlap=3");
  for (int i = 0; i < 5; ++i) exhibit->advance(1.0 / 60);
  for (const char* ending : {".npy", ".csv"}) {
    const std::string path = sudar_test::temp_path("lab_case") + ending;
    put(*exhibit, "case_path", path);
    put(*exhibit, "save_case", "");
    EXPECT_NE(exhibit->message().find(path), std::string::npos);
    const auto file = read_boxes(path);
    ASSERT_TRUE(file) << ending;
    ASSERT_TRUE(check_boxes(*file));
    EXPECT_EQ(file->dim, 3);
    EXPECT_EQ(file->boxes, 150u);
    BoxStore<3> store;
    ASSERT_TRUE(std::visit([&](const auto& values) { return store.assign(std::span(values)); }, file->values));
    auto plain = make_broadphase<3>("brute_force");
    ASSERT_TRUE((*plain)->build(store));
    const auto pairs = (*plain)->pairs(store);
    ASSERT_TRUE(pairs);
    EXPECT_TRUE(std::ranges::equal(*pairs, exhibit->live().pairs())) << ending;
    std::remove(path.c_str());
  }
  EXPECT_FALSE(save_case(exhibit->live().boxes(), "/nowhere/at/all.npy"));
}
