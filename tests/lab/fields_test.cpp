// Oracles: the library asked again for what a picture shows, the reader of `sudar query` for what is copied, and the picture
// itself for going forwards and backwards.
#include "cli/shape_json.hpp"
#include "lab/exhibit_registry.hpp"
#include "lab/field_exhibits.hpp"
#include "lab/results_file.hpp"
#include "tests/support/temp_file.hpp"
#include <sudar/continuous/primitive_impact.hpp>
#include <sudar/continuous/time_of_impact.hpp>
#include <sudar/queries/point_query.hpp>
#include <sudar/queries/ray2.hpp>
#include <sudar/queries/ray3.hpp>

#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>

using namespace sudar;
using namespace sudar::lab;

namespace {

std::unique_ptr<Exhibit> open_field(std::string_view text) {
  std::string why_not;
  auto out = lab::open(text, why_not);
  EXPECT_TRUE(out) << text << ": " << why_not;
  return out;
}
// Everything of a picture that can be compared
std::string field_picture(const Exhibit& exhibit) {
  DrawList list;
  exhibit.draw(list);
  std::string out = std::to_string(list.points().size()) + ' ' + std::to_string(list.lines().size()) + ' ' +
                    std::to_string(list.triangles().size());
  const auto bytes = [&](const auto& items) {
    for (const auto& item : items) out.append(reinterpret_cast<const char*>(&item), sizeof item);
  };
  bytes(list.points());
  bytes(list.lines());
  bytes(list.triangles());
  for (const auto& label : list.labels()) out += label.text + std::to_string(label.p.x) + std::to_string(label.p.y);
  for (const auto& batch : list.batches()) bytes(batch.instances);
  return out;
}
std::size_t field_items(const Exhibit& exhibit) {
  DrawList list;
  exhibit.draw(list);
  return list.size();
}
std::string field_told(const Exhibit& exhibit) {
  Panel panel;
  exhibit.tell(panel);
  std::string out = panel.decision;
  for (const auto& badge : panel.badges) out += badge.text;
  return out;
}
std::string field_badges(const Exhibit& exhibit) {
  Panel panel;
  exhibit.tell(panel);
  std::string out;
  for (const auto& badge : panel.badges) out += badge.text + "; ";
  return out;
}
nlohmann::json field_line(const Exhibit& exhibit) {
  const std::string text = exhibit.as_query();
  nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  EXPECT_TRUE(json.is_object()) << text;
  return json;
}

template <int D>
Result<ToiAnswer<D>> ask_toi(const nlohmann::json& line) {
  const sudar_cli::ShapeReader reader(false);
  const auto body = [&](const char* key) { return line.at(key); };
  ToiOptions options;
  options.t_max = line.at("t_max").get<double>();
  const std::string method = line.value("method", "auto");
  options.method = method == "conservative" ? ToiMethod::conservative
                   : method == "halving"    ? ToiMethod::halving
                   : method == "moving_sat" ? ToiMethod::moving_sat
                                            : ToiMethod::automatic;
  if (line.contains("tolerance")) options.tolerance = line.at("tolerance").get<double>();
  const auto motion = [&](const char* key) {
    RigidMotion<D> out;
    if (!line.contains(key)) return out;
    for (int k = 0; k < D; ++k) out.linear[k] = line.at(key).at("linear").at(static_cast<std::size_t>(k)).get<double>();
    if constexpr (D == 2)
      out.angular = line.at(key).at("angular").get<double>();
    else
      for (int k = 0; k < 3; ++k)
        out.angular[k] = line.at(key).at("angular").at(static_cast<std::size_t>(k)).get<double>();
    return out;
  };
  if constexpr (D == 2)
    return time_of_impact(reader.shape2(body("a").at("shape")), reader.pose2(body("a")), motion("motion_a"),
                          reader.shape2(body("b").at("shape")), reader.pose2(body("b")), motion("motion_b"), options);
  else
    return time_of_impact(reader.shape3(body("a").at("shape")), reader.pose3(body("a")), motion("motion_a"),
                          reader.shape3(body("b").at("shape")), reader.pose3(body("b")), motion("motion_b"), options);
}
// A number of the text is this one, as far as four digits tell
bool says(const std::string& text, double x) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (std::isdigit(static_cast<unsigned char>(text[i])) != 0 || text[i] == '-') {
      const char* begin = text.c_str() + i;
      char* end = nullptr;
      const double y = std::strtod(begin, &end);
      if (end != begin && std::fabs(y - x) <= 1e-3 * std::fabs(x)) return true;
      while (end != begin && i + 1 < text.size() && text.c_str() + i + 1 < end) ++i;
    }
  return false;
}

}  // namespace

// Every step can be drawn and told, says what it decides, and looks the same when it is come back to
TEST(LabFields, EveryStepIsDrawnForwardsAndBackwards) {
  for (const ExhibitEntry& entry : field_exhibits()) {
    SCOPED_TRACE(entry.name);
    EXPECT_GT(entry.paragraph.size(), 80u);
    EXPECT_FALSE(entry.source.empty());
    const auto exhibit = open_field(entry.name);
    ASSERT_TRUE(exhibit);
    exhibit->advance(1.0 / 60);
    const std::size_t steps = std::max<std::size_t>(1, exhibit->steps());
    const std::size_t stride = 1 + steps / 12;
    std::vector<std::pair<std::size_t, std::string>> seen;
    for (std::size_t i = 0; i < steps; i += stride) {
      exhibit->go_to(i);
      seen.push_back({i, field_picture(*exhibit)});
      EXPECT_GT(field_items(*exhibit), 0u);
      EXPECT_FALSE(field_told(*exhibit).empty());
      Panel panel;
      exhibit->tell(panel);
      EXPECT_FALSE(panel.decision.empty()) << i;
      for (const auto& table : panel.tables)
        for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << table.title;
      for (const auto& plot : panel.plots)
        for (const auto& curve : plot.series) EXPECT_EQ(curve.x.size(), curve.y.size()) << plot.title;
    }
    for (auto it = seen.rbegin(); it != seen.rend(); ++it) {
      exhibit->go_to(it->first);
      EXPECT_EQ(field_picture(*exhibit), it->second) << it->first;
    }
    // Past the end is the end
    exhibit->go_to(steps + 5);
    EXPECT_LT(exhibit->step(), steps);
  }
}

// Each choice of each parameter, and an end of each number, make a picture
TEST(LabFields, EveryParameterTakesAllOfItsRange) {
  for (const ExhibitEntry& entry : field_exhibits()) {
    SCOPED_TRACE(entry.name);
    const auto exhibit = open_field(entry.name);
    ASSERT_TRUE(exhibit);
    for (std::size_t i = 0; i < exhibit->parameters().size(); ++i) {
      lab::Parameter& p = exhibit->parameters()[i];
      SCOPED_TRACE(p.name);
      const double before = p.value;
      std::vector<double> values;
      if (p.kind == lab::Parameter::Kind::choice)
        for (std::size_t k = 0; k < p.choices.size(); ++k) values.push_back(static_cast<double>(k));
      else if (p.kind == lab::Parameter::Kind::toggle)
        values = {0, 1};
      else if (p.kind == lab::Parameter::Kind::number)
        values = {p.hi};
      else if (p.kind == lab::Parameter::Kind::whole)
        values = {p.lo};
      // Large meshes and many bodies are for eyes, not for tests
      if (p.name == "triangles") values = {0};
      if (p.name == "body" && entry.group == "body") values = {2};
      for (const double v : values) {
        exhibit->parameters()[i].value = v;
        const Result<void> done = exhibit->set(i);
        // What cannot be is said, and the picture stays
        EXPECT_TRUE(done.ok() || !field_badges(*exhibit).empty());
        EXPECT_GT(field_items(*exhibit), 0u);
      }
      exhibit->parameters()[i].value = before;
      EXPECT_TRUE(exhibit->set(i).ok());
    }
  }
}

TEST(LabFields, UnknownParametersAreRefused) {
  std::string why_not;
  EXPECT_FALSE(lab::open("distance_field:colour=3", why_not));
  EXPECT_FALSE(why_not.empty());
  why_not.clear();
  EXPECT_FALSE(lab::open("interval_halving:speed=90", why_not));
  EXPECT_FALSE(why_not.empty());
  why_not.clear();
  EXPECT_FALSE(lab::open("evaluation:file=/no/such/results.json", why_not));
  EXPECT_FALSE(why_not.empty());
}

// What is copied is read by the reader of `sudar query`, and its answer is the one that is shown
TEST(LabFields, CopiedTimesOfImpactAreTheShownOnes) {
  std::size_t hits = 0, misses = 0;
  for (const char* name : {"moving_sat", "conservative_advancement", "interval_halving", "substeps"})
    for (const double dx : {0.0, 0.13, 4.0}) {
      const auto exhibit = open_field(name);
      ASSERT_TRUE(exhibit);
      std::string why_not;
      for (const lab::Parameter& p : exhibit->parameters())
        if (p.name == "move_y") {
          ASSERT_TRUE(set_from_text(*exhibit, "move_y", std::to_string(dx), why_not)) << why_not;
          break;
        }
      EXPECT_TRUE(exhibit->nudge(0, 3));
      const auto x = ask_toi<2>(field_line(*exhibit));
      ASSERT_TRUE(x.ok());
      (x->hit ? hits : misses) += 1;
      exhibit->go_to(exhibit->steps());
      const std::string told = field_told(*exhibit);
      EXPECT_TRUE(x->hit ? says(told, x->t_lo) : told.find("never") != std::string::npos) << name << ' ' << told;
    }
  EXPECT_GT(hits, 0u);
  EXPECT_GT(misses, 0u);
  for (const char* situation : {"blade_and_ball", "boxes", "cone_and_capsule", "hulls", "ring"}) {
    const auto exhibit = open_field(std::string("time_of_impact:situation=") + situation);
    ASSERT_TRUE(exhibit);
    const auto x = ask_toi<3>(field_line(*exhibit));
    ASSERT_TRUE(x.ok());
    exhibit->go_to(exhibit->steps());
    EXPECT_EQ(x->hit, field_badges(*exhibit).find("hit") != std::string::npos) << situation;
    const std::string told = field_badges(*exhibit);
    EXPECT_TRUE(x->hit ? says(told, x->t_lo) : told.find("free") != std::string::npos) << situation << ' ' << told;
  }
  for (const char* situation : {"rod_and_ball", "two_boxes", "graze", "full_turns", "bullet", "crossing", "polygons"})
    for (const char* method : {"auto", "moving_sat", "conservative", "halving"}) {
      std::string why_not;
      const auto exhibit =
          lab::open(std::string("time_of_impact2:situation=") + situation + ",method=" + method, why_not);
      // Bodies that turn have no axes of their own
      if (exhibit == nullptr) {
        EXPECT_STREQ(method, "moving_sat") << why_not;
        continue;
      }
      const auto x = ask_toi<2>(field_line(*exhibit));
      ASSERT_TRUE(x.ok());
      exhibit->go_to(exhibit->steps());
      const std::string told = field_badges(*exhibit);
      EXPECT_EQ(x->hit, told.find("hit") != std::string::npos) << situation << method;
      EXPECT_TRUE(x->hit ? says(told, x->t_lo) : told.find("free") != std::string::npos) << situation << ' ' << told;
    }
  // The way back from the end, on which the last contact is found, is no part of the steps
  for (const char* text : {"time_of_impact:situation=hulls,spin=0", "time_of_impact2:situation=rod_and_ball,spin=0"}) {
    const auto exhibit = open_field(text);
    ASSERT_TRUE(exhibit);
    ASSERT_GT(exhibit->steps(), 2u) << text;
    exhibit->go_to(exhibit->steps());
    Panel panel;
    exhibit->tell(panel);
    const std::vector<double>& looks = panel.plots.at(0).series.at(1).x;
    EXPECT_TRUE(std::is_sorted(looks.begin(), looks.end())) << text;
    EXPECT_LE(looks.back(), panel.plots[0].marker_x) << text;
  }
  const auto cast = open_field("shape_cast");
  const auto first = ask_toi<3>(field_line(*cast));
  ASSERT_TRUE(first.ok());
  EXPECT_TRUE(first->hit);
  EXPECT_TRUE(says(field_badges(*cast), first->t_lo)) << field_badges(*cast) << first->t_lo;
}

TEST(LabFields, CopiedPrimitivesRaysAndPointsAreTheShownOnes) {
  const sudar_cli::ShapeReader reader(false);
  for (const char* name : {"vertex_face", "edge_edge"})
    for (const char* situation : {"hit", "beside", "graze", "twice", "in_one_plane", "random"}) {
      SCOPED_TRACE(std::string(name) + " " + situation);
      const auto exhibit = open_field(std::string(name) + ":situation=" + situation);
      ASSERT_TRUE(exhibit);
      exhibit->nudge(2, 1);
      exhibit->nudge(2, -1);
      const nlohmann::json line = field_line(*exhibit);
      std::array<Vec3d, 4> start, end;
      for (std::size_t k = 0; k < 4; ++k)
        start[k] = reader.vec3(line.at("t0").at(k), "t0"), end[k] = reader.vec3(line.at("t1").at(k), "t1");
      EXPECT_EQ(line.at("op"), std::string("ccd_") + name);
      const auto x = line.at("op") == "ccd_vertex_face" ? vertex_face_impact(start, end) : edge_edge_impact(start, end);
      ASSERT_TRUE(x.ok());
      EXPECT_EQ(x->hit, field_badges(*exhibit).find("hit at") != std::string::npos);
      const std::string_view known = situation;
      EXPECT_TRUE(x->hit || (known != "hit" && known != "graze"));
      EXPECT_FALSE(x->hit && known == "beside");
    }
  for (const char* situation : {"hit", "beside", "graze", "twice", "on_one_line", "random"}) {
    SCOPED_TRACE(std::string("point_edge ") + situation);
    const auto exhibit = open_field(std::string("point_edge:situation=") + situation);
    ASSERT_TRUE(exhibit);
    exhibit->nudge(1, 1);
    exhibit->nudge(1, -1);
    const nlohmann::json line = field_line(*exhibit);
    std::array<Vec2d, 3> start, end;
    for (std::size_t k = 0; k < 3; ++k)
      start[k] = reader.vec2(line.at("t0").at(k), "t0"), end[k] = reader.vec2(line.at("t1").at(k), "t1");
    EXPECT_EQ(line.at("op"), "ccd_point_edge");
    const auto x = point_edge_impact(start, end);
    ASSERT_TRUE(x.ok());
    EXPECT_EQ(x->hit, field_badges(*exhibit).find("hit at") != std::string::npos);
    const std::string_view known = situation;
    EXPECT_TRUE(x->hit || (known != "hit" && known != "graze" && known != "on_one_line"));
    EXPECT_FALSE(x->hit && known == "beside");
    EXPECT_TRUE(known != "twice" || exhibit->steps() == 3);
    // A graze is one root; an ulp to one side is a hit, one to the other is none
    if (known == "graze") {
      EXPECT_EQ(exhibit->steps(), 2u);
      const auto hits = [&] { return field_badges(*exhibit).find("hit at") != std::string::npos; };
      exhibit->nudge(1, 1);
      const bool above = hits();
      exhibit->nudge(1, -2);
      EXPECT_NE(above, hits());
    }
  }
  for (const char* body : {"star", "gear", "open_chain", "box", "circle", "capsule", "rounded", "several"})
    for (const double across : {-0.4, 0.35, 2.5}) {
      const auto bundle = open_field(std::string("ray_bundle2:body=") + body + ",ray_y=" + std::to_string(across));
      ASSERT_TRUE(bundle);
      const nlohmann::json line = field_line(*bundle);
      const auto x = cast_ray(reader.shape2(line.at("a").at("shape")), reader.pose2(line.at("a")),
                              {reader.vec2(line.at("origin"), ""), reader.vec2(line.at("direction"), "")});
      ASSERT_TRUE(x.ok());
      EXPECT_EQ(x->hit, across < 2);
      bundle->go_to(bundle->steps());
      EXPECT_EQ(x->hit, field_told(*bundle).find("first at t") != std::string::npos) << body;
      EXPECT_EQ(field_badges(*bundle).find("differ"), std::string::npos) << body;
      EXPECT_TRUE(!x->hit || says(field_told(*bundle), x->t)) << body;
    }
  const auto rays = open_field("ray_bundle:rays=2,body=torus");
  const nlohmann::json ray = field_line(*rays);
  const auto hit = cast_ray(reader.shape3(ray.at("a").at("shape")), reader.pose3(ray.at("a")),
                            {reader.vec3(ray.at("origin"), ""), reader.vec3(ray.at("direction"), "")});
  ASSERT_TRUE(hit.ok());
  rays->go_to(rays->steps());
  EXPECT_EQ(hit->hit, field_told(*rays).find("nearest triangle") != std::string::npos);
  EXPECT_NE(field_badges(*rays).find("agrees"), std::string::npos);

  for (const char* body : {"star", "torus", "cone"}) {
    const auto slice = open_field(std::string("distance_field:cells=12,body=") + body);
    const nlohmann::json line = field_line(*slice);
    const bool plane = line.at("dim") == 2;
    double exact = 0;
    if (plane) {
      const auto x = locate_point<2>(reader.shape2(line.at("a").at("shape")), reader.pose2(line.at("a")),
                                     reader.vec2(line.at("point"), ""));
      ASSERT_TRUE(x.ok());
      exact = x->distance;
    } else {
      const auto x = locate_point<3>(reader.shape3(line.at("a").at("shape")), reader.pose3(line.at("a")),
                                     reader.vec3(line.at("point"), ""));
      ASSERT_TRUE(x.ok());
      exact = x->distance;
    }
    EXPECT_TRUE(says(field_told(*slice), exact)) << body << ' ' << field_told(*slice);
  }
}

// What exhibits check of themselves holds
TEST(LabFields, WaysAreFreeAndTruthsAreTold) {
  for (const char* robot : {"angle", "triangle", "disc", "point"}) {
    const auto way = open_field(std::string("configuration_space:robot=") + robot);
    EXPECT_NE(field_badges(*way).find("checked by continuous detection"), std::string::npos) << field_badges(*way);
  }
  for (const char* seed : {"1", "2", "4"}) {
    const auto trees = open_field(std::string("grown_trees:seed=") + seed);
    EXPECT_NE(field_badges(*trees).find("all legs free"), std::string::npos) << field_badges(*trees);
  }
  EXPECT_NE(field_badges(*open_field("substeps:test=discrete")).find("1 missed"), std::string::npos);
  for (const char* situation : {"bullet", "crossing", "two_boxes", "rod_and_ball", "full_turns", "graze"})
    for (const char* test : {"swept", "hulls"})
      EXPECT_NE(
          field_badges(*open_field(std::string("substeps:situation=") + situation + ",test=" + test)).find("0 missed"),
          std::string::npos)
          << situation << test;
  EXPECT_NE(field_badges(*open_field("substeps:situation=crossing,test=hulls,substeps=1")).find("1 false alarms"),
            std::string::npos);
}

// The hand drags, the ball stays outside, and forces come and go
TEST(LabFields, TheHapticProbeLives) {
  const auto probe = open_field("haptic_probe:triangles=2k");
  for (int i = 0; i < 120; ++i) probe->advance(1.0 / 60);
  EXPECT_NE(field_told(*probe).find("touching"), std::string::npos) << field_told(*probe);
  Panel panel;
  probe->tell(panel);
  ASSERT_FALSE(panel.plots.empty());
  double most = 0;
  for (const double f : panel.plots[0].series[0].y) most = std::max(most, f);
  EXPECT_GT(most, 0.5);
  EXPECT_GT(field_items(*probe), 0u);
}

TEST(LabFields, ResultsOfTheBenchBecomePlots) {
  const std::string file = sudar_test::temp_path("results.json");
  std::ofstream(file) << R"({"schema":"sudar/bench-1","suite":"seeds","build":{"version":"1"},
    "tables":{"e14_bodies":[{"bodies":"100","algorithm":"grid","ms_median":"0.5"},{"bodies":"1000","algorithm":"grid","ms_median":"6"},
                            {"bodies":"100","algorithm":"sap","ms_median":0.7},{"bodies":"1000","algorithm":"sap","ms_median":9}],
              "rays":[{"workload":"W8","contestant":"ours","version":"","ms_min":"1"},{"workload":"W8","contestant":"peer","version":"3","ms_min":"2"}]},
    "bars":[{"what":"a","required":2,"seen":1,"passed":false},{"what":"b","required":2,"seen":3,"passed":true}]})";
  const auto read = read_results(file);
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read->tables.size(), 2u);
  const Plot plot = plot_of(read->tables[0]);
  ASSERT_EQ(plot.series.size(), 2u);
  EXPECT_EQ(plot.series[0].name, "grid");
  EXPECT_EQ(plot.series[1].y, (std::vector<double>{0.7, 9}));
  EXPECT_EQ(plot.x_label, "bodies");
  const auto race = race_of(read->tables[1]);
  ASSERT_EQ(race.size(), 2u);
  EXPECT_TRUE(race[1].peer);
  const auto shown = open_field("evaluation:file=" + file);
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->steps(), 3u);
  EXPECT_NE(field_badges(*shown).find("1 of 2 bars met"), std::string::npos);
  // Brackets would take the stack where they are printed
  const std::string deep = "{\"tables\":{},\"suite\":" + std::string(1000000, '[') + std::string(1000000, ']') + "}";
  for (const std::string& text : {std::string("{broken"), deep}) {
    std::ofstream(file) << text;
    EXPECT_EQ(read_results(file).error().code, ErrorCode::bad_format);
  }
  std::remove(file.c_str());
}
