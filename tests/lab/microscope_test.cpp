// What:    The exhibits of the microscope without a window: every step can be drawn and told, steps go back and forth, the
//          last one has the library's answer, and what is copied as a test case is answered the same by `sudar query`.
#include "lab/exhibit_registry.hpp"
#include "lab/query_text.hpp"
#include "lab/stepped.hpp"
#include "tests/support/temp_file.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

namespace {

using namespace sudar;
using namespace sudar::lab;

// Everything that a picture is made of, as bytes
std::string picture(const Exhibit& exhibit) {
  DrawList list;
  exhibit.draw(list);
  std::string bytes;
  const auto put = [&](const auto& items) {
    bytes.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(items[0]));
  };
  put(list.points());
  put(list.lines());
  put(list.triangles());
  for (const DrawnLabel& label : list.labels()) bytes += label.text;
  for (const InstanceBatch& batch : list.batches()) put(batch.instances);
  return bytes;
}

std::unique_ptr<Stepped> opened(const std::string& text) {
  std::string why_not;
  std::unique_ptr<Exhibit> exhibit = open(text, why_not);
  EXPECT_TRUE(exhibit != nullptr) << text << ": " << why_not;
  return std::unique_ptr<Stepped>(dynamic_cast<Stepped*>(exhibit.release()));
}

std::vector<std::string> microscope_names() {
  std::vector<std::string> names;
  for (const ExhibitEntry& entry : exhibits())
    if (entry.group == "microscope") {
      std::string why_not;
      const auto exhibit = entry.make({}, why_not);
      if (dynamic_cast<const Stepped*>(exhibit.get()) != nullptr) names.emplace_back(entry.name);
    }
  return names;
}

TEST(Microscope, EveryStepIsDrawnAndTold) {
  const std::vector<std::string> names = microscope_names();
  EXPECT_GE(names.size(), 18u);
  for (const std::string& name : names) {
    const auto exhibit = opened(name);
    ASSERT_GT(exhibit->steps(), 3u) << name;
    std::set<std::string> seen;
    for (std::size_t i = 0; i < exhibit->steps(); ++i) {
      exhibit->go_to(i);
      EXPECT_EQ(exhibit->step(), i);
      DrawList list;
      exhibit->draw(list);
      EXPECT_GT(list.size(), 0u) << name << " " << i;
      EXPECT_TRUE(is_valid(list.bounds())) << name << " " << i;
      EXPECT_LT(max_abs(list.bounds().hi - list.bounds().lo), 30) << name << " " << i;
      Panel panel;
      exhibit->tell(panel);
      EXPECT_GT(panel.decision.size(), 10u) << name << " " << i;
      EXPECT_FALSE(panel.paragraph.empty()) << name;
      ASSERT_FALSE(panel.tables.empty());
      const Table& steps = panel.tables.front();
      ASSERT_GE(steps.highlighted_row, 0) << name << " " << i;
      EXPECT_EQ(steps.rows[static_cast<std::size_t>(steps.highlighted_row)][0], std::to_string(i + 1)) << name;
      seen.insert(picture(*exhibit));
    }
    // Steps are to be seen
    EXPECT_GT(seen.size(), exhibit->steps() / 2) << name;
    EXPECT_FALSE(exhibit->as_query().empty()) << name;
  }
}

TEST(Microscope, BackAndForthIsTheSamePicture) {
  for (const std::string& name : microscope_names()) {
    const auto exhibit = opened(name);
    std::vector<std::string> pictures;
    for (std::size_t i = 0; i < exhibit->steps(); ++i) {
      exhibit->go_to(i);
      pictures.push_back(picture(*exhibit));
    }
    for (std::size_t i = exhibit->steps(); i-- > 0;) {
      exhibit->go_to(i);
      ASSERT_EQ(picture(*exhibit), pictures[i]) << name << " " << i;
    }
    // One ulp there and back
    exhibit->go_to(exhibit->steps() / 2);
    const std::string before = picture(*exhibit), query = exhibit->as_query();
    if (!exhibit->nudge(0, 1)) continue;
    EXPECT_NE(exhibit->as_query(), query) << name;
    EXPECT_TRUE(exhibit->nudge(0, -1));
    EXPECT_EQ(exhibit->as_query(), query) << name;
    EXPECT_EQ(picture(*exhibit), before) << name;
  }
}

// Every method, every kind of shape and cloud
TEST(Microscope, EveryChoiceHasSteps) {
  for (const std::string& name : microscope_names()) {
    const auto exhibit = opened(name);
    for (std::size_t i = 0; i < exhibit->parameters().size(); ++i) {
      lab::Parameter& p = exhibit->parameters()[i];
      if (p.kind != lab::Parameter::Kind::choice && p.kind != lab::Parameter::Kind::toggle) continue;
      const double old = p.value;
      for (double v = 0; v <= (p.kind == lab::Parameter::Kind::toggle ? 1 : p.hi); ++v) {
        p.value = v;
        ASSERT_TRUE(exhibit->set(i).ok());
        ASSERT_GT(exhibit->steps(), 0u) << name << " " << p.name << " " << text_of(p);
        for (const std::size_t step : {std::size_t{0}, exhibit->steps() / 2, exhibit->steps() - 1}) {
          exhibit->go_to(step);
          EXPECT_FALSE(picture(*exhibit).empty());
          Panel panel;
          exhibit->tell(panel);
        }
      }
      p.value = old;
      ASSERT_TRUE(exhibit->set(i).ok());
    }
  }
}

TEST(Microscope, RefusesWhatItDoesNotKnow) {
  std::string why_not;
  EXPECT_EQ(open("gjk3:a=banana", why_not), nullptr);
  EXPECT_NE(why_not.find("tetrahedron"), std::string::npos);
  EXPECT_EQ(open("hull3:points=1e9", why_not), nullptr);
  EXPECT_EQ(open("sat2:colour=1", why_not), nullptr);
}

TEST(Microscope, CommandLinesOpenTheSameExhibit) {
  for (const char* name : {"welzl2", "welzl3", "delaunay2", "tree_build", "sweep"}) {
    const auto exhibit = opened(std::string(name) + ":seed=5");
    const std::string line = exhibit->as_query();
    const std::size_t begin = line.find('\'') + 1;
    const auto again = opened(line.substr(begin, line.rfind('\'') - begin));
    EXPECT_EQ(picture(*again), picture(*exhibit)) << line;
  }
}

// What one exhibit copies, another one takes: the picture of the pair is the same, and so is the answer
TEST(Microscope, ACaseGoesUnderTheMicroscope) {
  const auto paste = [](Stepped& exhibit, const std::string& text) {
    std::string why_not;
    for (std::size_t i = 0; i < exhibit.parameters().size(); ++i)
      if (exhibit.parameters()[i].name == "case") {
        exhibit.parameters()[i].content = text;
        return exhibit.set(i).ok();
      }
    return false;
  };
  for (const std::string name : {"gjk2", "gjk3", "epa3", "contacts3", "sat2", "sat3", "vclip"}) {
    const auto from = opened(name + ":bx=1.3,by=0.7,a=" + (name.back() == '2' ? "hexagon" : "octahedron")),
               to = opened(name);
    EXPECT_NE(to->as_query(), from->as_query());
    ASSERT_TRUE(paste(*to, from->as_query())) << name;
    EXPECT_EQ(to->as_query(), from->as_query()) << name;
    EXPECT_EQ(to->told().back().value, from->told().back().value) << name;
    EXPECT_EQ(to->steps(), from->steps()) << name;
    // Far away, and one ulp farther
    EXPECT_TRUE(to->nudge(0, 3));
    EXPECT_NE(to->as_query(), from->as_query());
  }
  const auto hint = [&](const std::string& name, const std::string& text) {
    const auto exhibit = opened(name);
    EXPECT_TRUE(paste(*exhibit, text));
    Panel panel;
    exhibit->tell(panel);
    return panel.hints.empty() ? std::string() : panel.hints[0];
  };
  EXPECT_NE(hint("gjk3", "{\"op\":").find("not shown"), std::string::npos);
  EXPECT_NE(hint("gjk3", opened("gjk2")->as_query()).find("not of space"), std::string::npos);
  EXPECT_NE(hint("sat3", opened("gjk3:a=sphere")->as_query()).find("polytopes"), std::string::npos);
  const std::string half_plane = R"({"shape":{"type":"halfspace","normal":[0,1],"offset":0}})";
  EXPECT_NE(
      hint("gjk2", R"({"op":"distance","dim":2,"a":)" + half_plane + R"(,"b":)" + half_plane + "}").find("bounded"),
      std::string::npos);
}

// The pointer moves B and nothing else
TEST(Microscope, BFollowsThePointer) {
  for (const std::string name : {"gjk2", "sat2", "contacts2", "gjk3", "epa3", "sat3", "vclip", "triangles"}) {
    const auto exhibit = opened(name + ":bx=0.5,by=0.25");
    const auto value = [&](std::string_view parameter) {
      for (const lab::Parameter& p : exhibit->parameters())
        if (p.name == parameter) return p.value;
      return 0.0;
    };
    const bool plane = name.back() == '2';
    const double bz = value("bz");
    const Vec3d down{0, 0, -1};
    const auto over = [&](double x, double y) { return Pick{{x, y, plane ? 0.0 : 5.0}, down}; };
    EXPECT_FALSE(exhibit->grab(over(-9, 9))) << name;
    ASSERT_TRUE(exhibit->grab(over(0.5, 0.25))) << name;
    exhibit->drag(over(0.75, 0.5));
    EXPECT_NEAR(value("bx"), 0.75, 1e-12) << name;
    EXPECT_NEAR(value("by"), 0.5, 1e-12) << name;
    EXPECT_EQ(value("bz"), bz) << name;
    exhibit->drag(over(99, 0.5));
    EXPECT_LE(value("bx"), 4) << name;
    exhibit->release(false);
    exhibit->drag(over(0, 0));
    EXPECT_NEAR(value("by"), 0.5, 1e-12) << name;
    EXPECT_GT(exhibit->steps(), 0u);
  }
}

#ifdef SUDAR_CLI_PATH
// The command itself is the oracle
TEST(Microscope, TestCasesAreAnsweredTheSame) {
  if (!std::ifstream(SUDAR_CLI_PATH)) GTEST_SKIP() << "the command is not built";
  std::vector<std::string> texts;
  for (const std::string a : {"box", "hexagon", "capsule", "segment"})
    for (const std::string at : {"bx=2.3", "bx=0.7,by=0.4,b_turn=33", "bx=1.1,a_turn=20"})
      for (const std::string name : {"gjk2", "contacts2"}) texts.push_back(name + ":a=" + a + "," + at);
  for (const std::string a : {"gem", "cone", "capsule", "crate", "triangle"})
    for (const std::string at : {"bx=2.3,bz=0.4", "bx=0.7,by=0.4,b_yaw=33,b_roll=12", "bx=1.1,a_turn=20"})
      for (const std::string name : {"gjk3", "epa3", "contacts3"}) texts.push_back(name + ":a=" + a + "," + at);
  for (const std::string at : {"bx=2.3", "bx=0.7,by=0.4", "bx=1.1"})
    for (const std::string name : {"gjk2:method=decide,", "gjk3:method=decide,", "gjk2:method=vector_form,",
                                   "triangles:", "sat2:", "sat3:", "vclip:"})
      texts.push_back(name + (name == "triangles:" && at == "bx=2.3" ? "bx=1.9" : at));
  for (const std::string name : {"hull2", "hull3", "calipers"}) texts.push_back(name);

  const std::string cases = sudar_test::temp_path("cases.jsonl"), answers = sudar_test::temp_path("answers.jsonl");
  std::vector<std::unique_ptr<Stepped>> open_exhibits;
  {
    std::ofstream file(cases);
    for (const std::string& text : texts) {
      open_exhibits.push_back(opened(text));
      ASSERT_NE(open_exhibits.back(), nullptr);
      file << open_exhibits.back()->as_query() << "\n";
    }
  }
  const std::string command = std::string(SUDAR_CLI_PATH) + " query '" + cases + "' --out '" + answers + "'";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  std::ifstream file(answers);
  std::size_t hits = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::string line;
    ASSERT_TRUE(std::getline(file, line)) << i;
    const auto number = [&](const std::string& key) {
      const std::size_t at = line.find("\"" + key + "\":");
      EXPECT_NE(at, std::string::npos) << key << " in " << line;
      return at == std::string::npos ? 0.0 : std::strtod(line.c_str() + at + key.size() + 3, nullptr);
    };
    const Step& last = open_exhibits[i]->told().back();
    const std::string name(name_in(texts[i]));
    if (line.find("\"hit\":") != std::string::npos) {
      const bool hit = line.find("\"hit\":true") != std::string::npos;
      EXPECT_EQ(last.value == "hit" || last.value == "meet", hit) << texts[i] << "\n" << line;
      hits += hit ? 1 : 0;
    } else if (name == "gjk2" || name == "gjk3" || name == "epa3") {
      EXPECT_EQ(last.value, num(number("separation"))) << texts[i] << "\n" << line;
    } else if (name == "sat2" || name == "sat3") {
      EXPECT_EQ(std::strtod(last.value.c_str(), nullptr) > 0, number("separation") > 0) << texts[i];
    } else if (name == "vclip") {
      if (last.name == "apart") {
        EXPECT_EQ(last.value, num(number("separation"))) << texts[i];
      }
      EXPECT_EQ(last.name == "apart", number("separation") > 0) << texts[i];
    } else if (name == "contacts2" || name == "contacts3") {
      std::size_t points = 0;
      for (std::size_t at = line.find("\"position\""); at != std::string::npos; at = line.find("\"position\"", at + 1))
        ++points;
      EXPECT_EQ(last.value, std::to_string(points)) << texts[i] << "\n" << line;
    } else {
      EXPECT_NE(line.find("\"inside\":true"), std::string::npos) << texts[i] << "\n" << line;
    }
  }
  EXPECT_GT(hits, 2u);
  std::remove(cases.c_str());
  std::remove(answers.c_str());
}
#endif

}  // namespace
