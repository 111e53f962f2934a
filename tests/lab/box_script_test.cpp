// Scripts of boxes in the lab: a file that a campaign over the broad phases writes opens as a whole, is stepped, and is compared.
// Oracle: loops over all boxes after each line.
#include "lab/exhibit_registry.hpp"
#include "lab/script_play.hpp"
#include "lab/stepped.hpp"
#include "tests/broadphase/box_sets.hpp"
#include "tests/broadphase/script.hpp"
#include "tests/lab/shown_case.hpp"
#include <sudar/broadphase/registry.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>

namespace {

using namespace sudar;
using namespace sudar::lab;
using sudar_test::expect_finite, sudar_test::panel_of, sudar_test::table_of, sudar_test::WrittenFile;

std::size_t boxes_of(const DrawList& list, bool wire) {
  std::size_t boxes = 0;
  for (const InstanceBatch& batch : list.batches())
    if (batch.wire == wire) boxes += batch.instances.size();
  return boxes;
}

// All boxes and pairs after each line, by loops over the boxes
template <int D>
void expect_script_is_shown(Random& random, const char* places) {
  const auto script = sudar_test::random_script<D>(random);
  const WrittenFile file(print_script(script), ".script");
  std::string why_not;
  const std::unique_ptr<Exhibit> exhibit = open("@" + file.path(), why_not);
  ASSERT_NE(exhibit, nullptr) << why_not;
  EXPECT_EQ(entry_of("@" + file.path())->name, "box_script");
  ASSERT_TRUE(set_from_text(*exhibit, "places", places, why_not)) << why_not;
  EXPECT_NE(exhibit->as_query().find(file.path()), std::string::npos);
  const Panel panel = panel_of(*exhibit);
  EXPECT_TRUE(panel.hints.empty()) << panel.hints[0];
  EXPECT_EQ(panel.badges.at(0).text, "as the plain search");
  EXPECT_EQ(panel.notes.at(0).rfind("All of ", 0), 0u) << panel.notes[0];
  ASSERT_EQ(exhibit->steps(), script.size() + 1);
  BoxStore<D> store;
  const auto& told = dynamic_cast<const Stepped&>(*exhibit).told();
  for (std::size_t i = 0; i < script.size(); ++i) {
    (void)follow_change(store, script[i]);
    const bool looks = script[i].action == BoxAction::update || script[i].action == BoxAction::build;
    if (looks) {
      EXPECT_EQ(told[i].value, num(sudar_test::plain_pairs(store).size())) << i;
    }
    exhibit->go_to(i);
    DrawList list;
    exhibit->draw(list);
    EXPECT_EQ(boxes_of(list, false), store.size()) << i;
    expect_finite(list);
    EXPECT_LT(max_abs(list.bounds().hi - list.bounds().lo), 30) << i;
  }
}

TEST(BoxScripts, AScriptOfBoxesOpensAsAWhole) {
  Random random(5);
  for (const char* const places : {"automatic", "metres", "ranks"})
    for (int i = 0; i < 12; ++i) {
      expect_script_is_shown<2>(random, places);
      expect_script_is_shown<3>(random, places);
    }
}

TEST(BoxScripts, ABrokenScriptIsToldByItsLine) {
  std::string why_not;
  const auto refused = [&](const std::string& text) {
    const WrittenFile file(text, ".script");
    why_not.clear();
    EXPECT_EQ(open("@" + file.path(), why_not), nullptr) << text;
    return why_not;
  };
  EXPECT_NE(refused("dim 2\nupdate\nleap 1\n").find("line 3 of the script: there is no action 'leap'"),
            std::string::npos)
      << why_not;
  EXPECT_NE(refused("dim 3\ninsert 0 0 0 1 1").find("it ends in the middle of a line"), std::string::npos) << why_not;
  EXPECT_NE(refused("dim 2\nassign 4294967295 0 0 1 1").find("line 2"), std::string::npos) << why_not;
  EXPECT_NE(refused("dim 2\n").find("it has no lines"), std::string::npos) << why_not;
  // Other exhibits say who shows it
  const auto gjk = open("gjk2:case=\"dim 2 update\"", why_not);
  ASSERT_NE(gjk, nullptr) << why_not;
  ASSERT_FALSE(panel_of(*gjk).hints.empty());
  EXPECT_NE(panel_of(*gjk).hints[0].find("box_script"), std::string::npos) << panel_of(*gjk).hints[0];
}

// What a shell makes of the exhibit's command
std::string exhibit_of(const std::string& command) {
  const std::string before = "sudar lab --exhibit '";
  EXPECT_TRUE(command.starts_with(before) && command.ends_with("'")) << command;
  std::string text = command.substr(before.size(), command.size() - before.size() - 1);
  for (std::size_t at = text.find("'\\''"); at != std::string::npos; at = text.find("'\\''", at + 1))
    text.replace(at, 4, "'");
  return text;
}

TEST(BoxScripts, AScriptThatIsCopiedOpensAgain) {
  std::string why_not;
  const std::string script = "dim 2\ninsert 0 0 1 1 1 1 0 moving\ninsert 1 0 2 1 1 1 0 moving\nupdate\n";
  const auto pasted = open("box_script:algorithm=sap", why_not);
  ASSERT_NE(pasted, nullptr) << why_not;
  ASSERT_TRUE(set_from_text(*pasted, "case", script, why_not)) << why_not;
  EXPECT_EQ(pasted->steps(), 4u);
  const auto again = open(exhibit_of(pasted->as_query()), why_not);
  ASSERT_NE(again, nullptr) << why_not << pasted->as_query();
  EXPECT_EQ(again->as_query(), pasted->as_query());
  EXPECT_EQ(again->steps(), 4u);
  EXPECT_TRUE(panel_of(*again).hints.empty());
  // So does a file whose name has a blank, a comma and both kinds of quotes
  const std::string name = testing::TempDir() + "a 'case', \"quoted\".script";
  ASSERT_TRUE(std::ofstream(name) << script);
  ASSERT_TRUE(set_from_text(*pasted, "case", "@" + name, why_not)) << why_not;
  const auto named = open(exhibit_of(pasted->as_query()), why_not);
  ASSERT_NE(named, nullptr) << why_not << pasted->as_query();
  EXPECT_EQ(named->as_query(), pasted->as_query());
  EXPECT_EQ(named->steps(), 4u);
  std::remove(name.c_str());
}

// What was not asked does not agree
TEST(BoxScripts, WhatIsNotComparedIsSaidSo) {
  std::string why_not;
  const auto exhibit = open("box_script", why_not);
  ASSERT_NE(exhibit, nullptr) << why_not;
  const auto told = [&](const std::string& script) {
    EXPECT_TRUE(set_from_text(*exhibit, "case", script, why_not)) << why_not;
    exhibit->go_to(exhibit->steps());
    const Panel panel = panel_of(*exhibit);
    EXPECT_TRUE(panel.hints.empty());
    return panel.badges.at(0).text + (panel.badges.size() > 1 ? ", " + panel.badges[1].text : "") + ": " +
           panel.decision;
  };
  const std::string box = "insert 0 0 1 1 1 1 0 moving ", crowd = "many 1 0 0 1 1 9 9 5000 moving ";
  EXPECT_EQ(told("dim 2 " + box + "update events update"),
            "as the plain search: The broad phase and the plain search agree on 3 lines that ask.");
  EXPECT_EQ(told("dim 2 " + box), "0 of 0 compared: No line asks the broad phase, and the store does what it should.");
  EXPECT_EQ(told("dim 2 " + crowd + crowd + crowd + crowd + "update events"),
            "0 of 1 compared, ends before its end: The plain search was asked on 0 of 1 line that asks: nothing is "
            "compared. The script is followed no further.");
  EXPECT_EQ(told("dim 2 " + box + "update " + crowd + crowd + crowd + crowd + crowd + "update"),
            "as the plain search, ends before its end: The broad phase and the plain search agree on 1 line that asks. "
            "The script is followed no further.");
  // Lines have the numbers of their steps
  (void)told("dim 2 " + box + "update events");
  for (std::size_t i = 0; i < 3; ++i) {
    exhibit->go_to(i);
    const Panel panel = panel_of(*exhibit);
    const Table& line = table_of(panel, "The line");
    EXPECT_EQ(line.rows.at(0).at(0), num(i + 1));
  }
  const auto play = make_script_play<2>(*sudar_test::parse_script<2>("dim 2 update " + box + box + "update events"),
                                        *make_broadphase<2>("sap"), ScriptPlaces::automatic, {.compared = 0.5});
  const bool compared[] = {true, false, false, false, false};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(play->found(i).compared, compared[i]) << i;
  EXPECT_FALSE(play->cut());
}

// Numbers at both ends of the doubles have places in the picture
TEST(BoxScripts, PlacesOfAScriptAreFinite) {
  for (const char* box : {"0 0 1e-310 0", "0 0 5e-324 0", "-1.7e308 0 1.7e308 1", "-1e308 -1e308 1e308 1e308",
                          "1e-310 1e-310 2e-310 1e308"})
    for (const ScriptPlaces places : {ScriptPlaces::automatic, ScriptPlaces::metres, ScriptPlaces::ranks}) {
      const std::string text = "dim 2 update overlap " + std::string(box) + " 1 1 0 insert 0 0 1 1 1 1 0 moving";
      const auto play = make_script_play<2>(*sudar_test::parse_script<2>(text), *make_broadphase<2>("sap"), places);
      for (std::size_t i = 0; i <= play->lines(); ++i) {
        DrawList list;
        play->draw(list, i);
        expect_finite(list);
        EXPECT_EQ(boxes_of(list, false), i == 3 ? 1u : 0u) << box;
        EXPECT_EQ(boxes_of(list, true), i < 2 ? 0u : 1u) << box;
        EXPECT_LT(max_abs(list.bounds().hi - list.bounds().lo), 9) << box;
      }
      // Ways that are no doubles are no metres
      EXPECT_TRUE(places != ScriptPlaces::metres || play->uses_ranks() == (std::string_view(box)[0] == '-')) << box;
    }
}

// A step back is not the way from the start
TEST(BoxScripts, AScriptIsSteppedBack) {
  std::string text = "dim 2 many 1 0 0 9 9 1 1 40 moving ";
  for (int i = 0; i < 3000; ++i) text += i % 5 == 0 ? "insert 0 0 1 1 1 1 0 moving " : "shift 3 0.5 0 remove 2 ";
  const auto script = *sudar_test::parse_script<2>(text);
  const auto play_of = [&] {
    return make_script_play<2>(script, *make_broadphase<2>("dynamic_tree"), ScriptPlaces::automatic);
  };
  const auto play = play_of(), other = play_of();
  const auto picture = [](const ScriptPlay& one, std::size_t lines) {
    DrawList list;
    one.draw(list, lines);
    std::vector<std::array<float, 12>> out;
    for (const InstanceBatch& batch : list.batches())
      for (const Instance& instance : batch.instances) out.push_back(instance.columns);
    return out;
  };
  const std::size_t n = play->lines();
  ASSERT_EQ(n, script.size());
  (void)picture(*play, n);
  EXPECT_EQ(play->lines_drawn(), n);
  std::vector<std::vector<std::array<float, 12>>> back;
  for (std::size_t i = 0; i < 100; ++i) back.push_back(picture(*play, n - 1 - i));
  EXPECT_LT(play->lines_drawn(), n + 100 * (n / 16));
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(back[99 - i], picture(*other, n - 100 + i)) << i;
  // There and back over all of it
  for (const std::size_t lines : {std::size_t{1}, n / 2, std::size_t{7}, n, n / 3, n / 3 + 1})
    EXPECT_EQ(picture(*play, lines), picture(*play_of(), lines)) << lines;
}

// A line that makes too many boxes is told by its first words; what was there before it is drawn
TEST(BoxScripts, ALineOfTooManyBoxesIsToldInShort) {
  std::string many = "dim 2 insert 0 0 1 1 1 1 0 moving assign 1000";
  for (int i = 0; i < 1000; ++i) many += " 0.125 0.125 0.25 0.5";
  for (const std::size_t most : {std::size_t{10}, std::size_t{1000}}) {
    const auto play = make_script_play<2>(*sudar_test::parse_script<2>(many), *make_broadphase<2>("sap"),
                                          ScriptPlaces::automatic, {.boxes = most});
    ASSERT_EQ(play->lines(), 2u);
    EXPECT_EQ(play->cut(), most == 10);
    const std::string text = play->line_text(1);
    EXPECT_TRUE(text.starts_with("assign 1000 0.125 0.125 0.25 0.5 0.125")) << text;
    EXPECT_TRUE(text.ends_with(" …")) << text;
    EXPECT_LT(text.size(), 180u);
    DrawList list;
    play->draw(list, 2);
    EXPECT_EQ(boxes_of(list, false), most == 10 ? 1u : 1000u);
  }
}

// A few words that ask for much: what is kept does not grow with what they would find
TEST(BoxScripts, AScriptThatAsksForTooMuchEnds) {
  const auto play_of = [](const std::string& text, const ScriptLimits& limits = {}) {
    return make_script_play<2>(*sudar_test::parse_script<2>(text), *make_broadphase<2>("dynamic_tree"),
                               ScriptPlaces::automatic, limits);
  };
  const auto end_of = [](const ScriptPlay& play) { return play.found(play.lines() - 1).told; };
  const auto told = [&](const ScriptPlay& play, const char* why) {
    const std::string end = end_of(play);
    return end.find(why) != std::string::npos && end.find("the script ends here") != std::string::npos;
  };
  const std::string crowd = "many 1 0 0 1 1 9 9 5000 moving\n";
  const auto pairs = play_of("dim 2\n" + crowd + crowd + crowd + crowd + "update\nevents\n");
  EXPECT_EQ(pairs->lines(), 5u);
  EXPECT_TRUE(told(*pairs, "more pairs than can be kept")) << end_of(*pairs);
  EXPECT_TRUE(pairs->found(4).pairs.empty());
  const auto boxes = play_of("dim 2\n" + crowd + crowd + crowd + crowd + crowd + "update\n");
  EXPECT_EQ(boxes->lines(), 5u);
  EXPECT_TRUE(told(*boxes, "more than can be drawn")) << end_of(*boxes);
  // Lines of one word: what they find adds up, and so does what they look at
  const std::string few = "dim 2\nmany 1 0 0 1 1 9 9 50 moving\n";
  std::string looks = few, drifts = few;
  for (int i = 0; i < 1000; ++i) looks += "update\n", drifts += "drift 1 0.1\n";
  const auto kept = play_of(looks, {.kept = 100000});
  EXPECT_GT(kept->lines(), 50u);
  EXPECT_LT(kept->lines(), 150u);
  EXPECT_TRUE(told(*kept, "more than can be kept")) << end_of(*kept);
  const auto worked = play_of(looks, {.work = 1e5});
  EXPECT_LT(worked->lines(), 100u);
  EXPECT_TRUE(told(*worked, "more than can be waited for")) << end_of(*worked);
  const auto ends = play_of(drifts, {.kept = 20000});
  EXPECT_LT(ends->lines(), 400u);
  EXPECT_TRUE(told(*ends, "more than can be kept")) << end_of(*ends);
  // A box that is moved takes the time of many that are looked at, and so do pairs that are told
  const auto moved = play_of(drifts, {.work = 1e6});
  EXPECT_LT(moved->lines(), 100u);
  EXPECT_TRUE(told(*moved, "more than can be waited for")) << end_of(*moved);
  EXPECT_TRUE(moved->cut());
  std::string events = few + "update\n";
  for (int i = 0; i < 1000; ++i) events += "events\n";
  const auto paired = play_of(events, {.work = 1e6});
  EXPECT_LT(paired->lines(), 300u);
  EXPECT_TRUE(told(*paired, "more than can be waited for")) << end_of(*paired);
  // Questions move no box
  std::string asked = few;
  for (int i = 0; i < 1000; ++i) asked += "events\n";
  EXPECT_EQ(play_of(asked, {.kept = 1000})->lines(), 1001u);
  EXPECT_EQ(play_of(looks)->lines(), 1001u);
}

// Has lost the first pair, and knows only of events that begin
class LosesOne final : public Broadphase<2> {
 public:
  std::string_view name() const noexcept override { return "loses_one"; }

 private:
  void do_build(const BoxStore<2>& store) override { pairs_ = sudar_test::plain_pairs(store); }
  void do_pairs(const BoxStore<2>&, SearchOutput& out) override {
    for (std::size_t i = 1; i < pairs_.size(); ++i) out.pairs.push(pairs_[i]);
  }
  std::size_t do_bytes() const noexcept override { return 0; }

  std::vector<IdPair> pairs_;
};

TEST(BoxScripts, ABroadPhaseThatLosesAPairIsSeenToDoSo) {
  const std::string text =
      "dim 2\ninsert 0 0 1 1 1 1 0 moving\ninsert 1 0 2 1 1 1 0 moving\ninsert 2 1 3 2 1 1 0 moving\nupdate\nevents\n"
      "remove 0\nremove 0\nupdate\nevents\n";
  const auto play =
      make_script_play<2>(*sudar_test::parse_script<2>(text), std::make_unique<LosesOne>(), ScriptPlaces::automatic);
  ASSERT_EQ(play->lines(), 9u);
  const ScriptFound& look = play->found(3);
  EXPECT_TRUE(look.wrong);
  EXPECT_EQ(look.pairs, (std::vector<IdPair>{{1, 2}}));
  EXPECT_EQ(look.missing, (std::vector<IdPair>{{0, 1}}));
  EXPECT_TRUE(look.extra.empty());
  EXPECT_TRUE(play->found(4).wrong);
  EXPECT_FALSE(play->found(7).wrong);
  // It is drawn, thick
  const auto thick = [&](std::size_t lines) {
    DrawList list;
    play->draw(list, lines);
    std::size_t count = 0;
    for (const DrawnLine& line : list.lines_in_front()) count += line.pixels > 4;
    return count;
  };
  EXPECT_EQ(thick(4), 1u);
  EXPECT_EQ(thick(8), 0u);
}

}  // namespace
