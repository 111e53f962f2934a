// Files of cases in the lab: what campaigns write is opened by name, each line in the exhibit that shows it, and what is shown is
// the case to the last digit. Oracle: the line itself, which the exhibit copies again, and the library's answer to it.
#include "lab/desk.hpp"
#include "lab/query_file.hpp"
#include "lab/script_play.hpp"
#include "lab/stepped.hpp"
#include "tests/broadphase/box_sets.hpp"
#include "tests/broadphase/script.hpp"
#include "tests/continuous/impact_promise.hpp"
#include "tests/continuous/motion_promise.hpp"
#include "tests/queries/ray_promise.hpp"
#include "tests/support/temp_file.hpp"
#include <sudar/broadphase/registry.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <set>

namespace {

using namespace sudar;
using namespace sudar::lab;
namespace lab = sudar::lab;

// The file of one test, as a campaign writes it
class WrittenFile {
 public:
  explicit WrittenFile(const std::string& text, const char* ending = ".jsonl") {
    const std::string said = sudar_test::write_case_text(text, ending);
    path_ = said.substr(0, said.find(":\n"));
  }
  ~WrittenFile() { std::remove(path_.c_str()); }
  WrittenFile(const WrittenFile&) = delete;
  WrittenFile& operator=(const WrittenFile&) = delete;
  const std::string& path() const { return path_; }
  std::string at(int line) const { return "@" + path_ + ":" + std::to_string(line); }

 private:
  std::string path_;
};

sudar_test::MotionCase<3> falling_hull() {
  const std::vector<Vec3d> points = {{0.1, 0.2, 0.3}, {-0.5, 0.25, 0}, {0.5, -0.75, 0.125}, {0, 0, 1}};
  return sudar_test::motion_case<3>({*make_halfspace3({0, 0, 1}, 0)},
                                    {*make_hull_shape3(points), {{3, 4, 2}, {}}, {{0.5, 0, -4}, {1, 2, 3}}}, 2);
}
sudar_test::RayCase<3> slanted_ray() {
  return {sudar_test::shape_case<3>(*make_cone3(0.5, 0.25), {{1, 2, 3}, {}}), {{1, 2, 5}, {0.01, 0, -1}}, 10};
}
sudar_test::ImpactCase crossing_points(bool edges) {
  Random random(edges ? 3 : 4);
  return {make_ccd_query(sudar_scenes::CcdKind::close, edges, random)};
}
std::string pair_on_plane() {
  const sudar_test::PairCase pair{{ShapeKind3::halfspace, {0.25, 0, 0, 1}, {}, {}},
                                  {ShapeKind3::box, {0.5, 0.25, 0.125}, {7, 8, 0.3125}, {}}};
  return sudar_test::case_line(pair);
}
constexpr const char* kFlatPair =
    R"({"op":"contacts","dim":2,"a":{"shape":{"type":"capsule","p":[-1,0],"q":[1,0],"radius":0.5},"pose":{"position":[40,2]}},)"
    R"("b":{"shape":{"type":"halfspace","normal":[0,1],"offset":1.5},"pose":{"position":[0,0]}},"margin":0.05})";
// A point that comes over sixteen kilometres in a second, far from the origin
constexpr const char* kFlatMotion =
    R"({"op":"toi","dim":2,"a":{"shape":{"type":"polygon","points":[[0,0.0008544921875],[0.5,0],[1,-0.000244140625]]},)"
    R"("pose":{"position":[-2500000,3287751.055886683],"angle":0}},"b":{"shape":{"type":"point","p":[0.8653279537829803,1.25]},)"
    R"("pose":{"position":[-2495906,3287749.5904584397],"angle":0.33816054905037163}},)"
    R"("motion_a":{"linear":[0,0],"angular":0},"motion_b":{"linear":[-16384,0],"angular":0},)"
    R"("t_max":1,"method":"halving","tolerance":0.01})";
constexpr const char* kPointEdge =
    R"({"op":"ccd_point_edge","dim":2,"t0":[[0,0],[1,0],[1,1]],"t1":[[2,0],[1,0],[1,1]]})";

constexpr const char* kFlatRay =
    R"({"op":"ray","dim":2,"a":{"shape":{"type":"polygon","points":[[0,0],[2,0],[2,1],[1,1],[1,3],[0,3]]},)"
    R"("pose":{"position":[400000.5,5],"angle":0.25}},"origin":[400004,9],"direction":[-0.5,-0.25],"max":30})";
// Nothing shows it
constexpr const char* kInside = R"({"op":"inside","dim":2,"a":{"shape":{"type":"circle","radius":1}},"point":[0,0]})";

std::string all_lines() {
  return pair_on_plane() + '\n' + case_line(falling_hull()) + "\n\n" + case_line(slanted_ray()) + '\n' +
         case_line(crossing_points(false)) + '\n' + case_line(crossing_points(true)) + '\n' + kFlatPair + '\n' +
         kFlatMotion + '\n' + kFlatRay + '\n' + kPointEdge + '\n' + kInside;
}

// Without the id, and without what only a campaign knows
std::string bare(std::string line) {
  if (line.starts_with("{\"id\":1,")) line.erase(1, 7);
  for (const char* const own : {",\"method\":\"auto\""})
    if (const std::size_t at = line.find(own); at != std::string::npos) line.erase(at, std::string(own).size());
  return line;
}

Panel panel_of(const Exhibit& exhibit) {
  Panel panel;
  exhibit.tell(panel);
  return panel;
}

// What is not finite is left out of a list, so that its bounds do not tell
void expect_finite(const DrawList& list) {
  EXPECT_EQ(list.left_out(), 0u);
  for (const InstanceBatch& batch : list.batches())
    for (const Instance& instance : batch.instances)
      for (const float x : instance.columns) ASSERT_TRUE(std::isfinite(x));
}
// Where a body of that name is drawn
std::optional<Vec2d> drawn_name(const Exhibit& exhibit, std::string_view name) {
  DrawList list;
  exhibit.draw(list);
  for (const DrawnLabel& label : list.labels())
    if (label.text == name) return Vec2d{label.p.x, label.p.y};
  return std::nullopt;
}
Pick pointed_at(const Vec2d& p) { return {{p.x, p.y, 9}, {0, 0, -1}}; }
const Table& table_of(const Panel& panel, std::string_view title) {
  const auto at = std::ranges::find_if(panel.tables, [&](const Table& t) { return t.title.starts_with(title); });
  EXPECT_NE(at, panel.tables.end()) << title;
  static const Table kNone{};
  return at == panel.tables.end() ? kNone : *at;
}

TEST(CaseFiles, EveryLineOpensInTheExhibitThatShowsIt) {
  const WrittenFile file(all_lines());
  std::string why_not;
  const std::vector<CaseLine> lines = read_query_file(file.path(), why_not);
  ASSERT_EQ(lines.size(), 10u) << why_not;
  const char* const names[] = {"gjk3",      "time_of_impact",  "ray_bundle",  "vertex_face", "edge_edge",
                               "contacts2", "time_of_impact2", "ray_bundle2", "point_edge"};
  for (int i = 0; i < 9; ++i) {
    const std::unique_ptr<Exhibit> exhibit = open(file.at(i + 1), why_not);
    ASSERT_NE(exhibit, nullptr) << why_not;
    EXPECT_EQ(entry_of(file.at(i + 1))->name, names[i]);
    // The gjk of a contacts line would ask for the distance
    EXPECT_EQ(bare(exhibit->as_query()), bare(lines[static_cast<std::size_t>(i)].text)) << names[i];
    const Panel panel = panel_of(*exhibit);
    EXPECT_TRUE(panel.hints.empty()) << panel.hints[0];
    ASSERT_FALSE(panel.notes.empty());
    EXPECT_NE(panel.notes[0].find("Line " + std::to_string(i + 1)), std::string::npos) << panel.notes[0];
    for (std::size_t step = 0; step < exhibit->steps(); ++step) {
      exhibit->go_to(step);
      DrawList list;
      exhibit->draw(list);
      expect_finite(list);
      EXPECT_TRUE(is_valid(list.bounds())) << names[i] << " " << step;
      // A plane without an end is shown as far as the other body asks for
      EXPECT_LT(max_abs(list.bounds().hi - list.bounds().lo), 30) << names[i] << " " << step;
    }
  }
}

TEST(CaseFiles, WhatIsShownIsTheAnswer) {
  const WrittenFile file(all_lines());
  std::string why_not;
  const auto badge = [&](int line) {
    const auto exhibit = open(file.at(line), why_not);
    EXPECT_NE(exhibit, nullptr) << why_not;
    return exhibit == nullptr ? std::string() : panel_of(*exhibit).badges.at(0).text;
  };
  // The box reaches down to 0.3125 - 0.125, the plane is at 0.25
  const auto pair = open(file.at(1), why_not);
  ASSERT_NE(pair, nullptr) << why_not;
  EXPECT_EQ(dynamic_cast<const Stepped&>(*pair).told().back().value, num(-0.0625));
  EXPECT_EQ(badge(1), "hit");
  const auto falling = falling_hull();
  const bool falls = sudar_test::impact_time(falling.body_a(), falling.body_b(), falling.t_max)->hit;
  EXPECT_TRUE(falls);
  EXPECT_EQ(badge(2), "hit");
  const auto ray = slanted_ray();
  EXPECT_EQ(badge(3).rfind("hit at t = ", 0), 0u) << badge(3);
  EXPECT_TRUE(cast_ray(ray.a.shape, ray.a.pose(), ray.ray, ray.max_t)->hit);
  for (const bool edges : {false, true}) {
    const auto& q = crossing_points(edges).query;
    const bool hit = (edges ? edge_edge_impact(q.start, q.end) : vertex_face_impact(q.start, q.end))->hit;
    EXPECT_EQ(badge(edges ? 5 : 4).rfind(hit ? "hit" : "no hit", 0), 0u) << badge(edges ? 5 : 4);
  }
  EXPECT_EQ(badge(7), "hit");
  EXPECT_EQ(badge(8).rfind("hit at t = ", 0), 0u) << badge(8);
  EXPECT_EQ(badge(9), "hit at t = 0.5");
}

// The keys of a person: on, back, around, and past a line that nothing shows
TEST(CaseFiles, LinesAreLeafedThrough) {
  const WrittenFile file(all_lines());
  Desk desk;
  std::string why_not;
  ASSERT_TRUE(desk.open("shapes3", why_not));
  desk.next_case(1);
  EXPECT_NE(desk.message().find("no file of cases"), std::string::npos);
  ASSERT_TRUE(desk.open("@" + file.path(), why_not)) << why_not;
  EXPECT_EQ(desk.entry()->name, "gjk3");
  const std::string first = desk.query();
  const char* const names[] = {"time_of_impact", "ray_bundle",      "vertex_face", "edge_edge",
                               "contacts2",      "time_of_impact2", "ray_bundle2", "point_edge"};
  for (const char* name : names) {
    desk.next_case(1);
    EXPECT_EQ(desk.entry()->name, name) << desk.message();
  }
  desk.next_case(1);
  EXPECT_NE(desk.message().find("line 10 of 10: inside in the plane, not shown"), std::string::npos) << desk.message();
  desk.frame(0);
  ASSERT_FALSE(desk.panel.hints.empty());
  EXPECT_NE(desk.panel.hints[0].find("no exhibit shows"), std::string::npos);
  desk.next_case(1);
  EXPECT_EQ(desk.entry()->name, "gjk3");
  EXPECT_EQ(desk.query(), first);
  desk.next_case(-5);
  EXPECT_EQ(desk.entry()->name, "contacts2") << desk.message();
  // Another exhibit of pairs stays where it can show the line
  ASSERT_TRUE(desk.open("contacts3:case=" + file.at(10), why_not)) << why_not;
  desk.next_case(1);
  EXPECT_EQ(desk.entry()->name, "contacts3");
  desk.frame(0);
  EXPECT_TRUE(desk.panel.hints.empty());
}

// What is refused leaves the picture as it was
TEST(CaseFiles, AMethodThatIsRefusedLeavesTheSteps) {
  std::string why_not;
  const auto exhibit = open("time_of_impact2:situation=two_boxes,method=halving", why_not);
  ASSERT_NE(exhibit, nullptr) << why_not;
  const std::size_t steps = exhibit->steps();
  EXPECT_FALSE(set_from_text(*exhibit, "method", "moving_sat", why_not));
  EXPECT_FALSE(why_not.empty());
  EXPECT_EQ(exhibit->steps(), steps);
  for (std::size_t step = 0; step < steps; ++step) {
    exhibit->go_to(step);
    DrawList list;
    exhibit->draw(list);
    EXPECT_GT(list.size(), 0u);
    EXPECT_EQ(list.left_out(), 0u);
  }
}

// Motions of the plane as the library answers them, and those that it refuses
TEST(CaseFiles, MotionsOfThePlaneAreStepped) {
  const std::string circle = R"({"shape":{"type":"circle","radius":1},"pose":{"position":[%,0]}})";
  const auto at = [&](const char* x) { return std::string(circle).replace(circle.find('%'), 1, x); };
  const std::string ell = R"({"shape":{"type":"polygon","points":[[0,0],[2,0],[2,1],[1,1],[1,3],[0,3]]}})";
  const std::string floor = R"({"shape":{"type":"halfspace","normal":[0,1],"offset":-2}})";
  const auto line = [](const std::string& a, const std::string& b, const std::string& more) {
    return R"({"op":"toi","dim":2,"a":)" + a + R"(,"b":)" + b + R"(,"motion_b":{"linear":[-4,0],"angular":[0.5]})" +
           more + "}\n";
  };
  const WrittenFile file(std::string(kFlatMotion) + '\n' + line(at("-1"), at("3"), "") +
                         line(ell, at("9"), R"(,"t_max":3)") + line(floor, ell, R"(,"motion_a":{"linear":[0,8]})") +
                         line(at("0"), at("9"), R"(,"method":"halving","t_max":0.25)") + line(at("0"), at("0.5"), "") +
                         // Those that are refused
                         line(at("0"), at("9"), R"(,"t_max":0)") + line(at("0"), at("9"), R"(,"method":"guess")") +
                         line(floor, floor, "") + line(at("0"), R"({"shape":{"type":"sphere","radius":1}})", "") +
                         line(at("0"), at("9"), R"(,"motion_a":{"angular":[1,2,3]})") +
                         line(ell, at("9"), R"(,"tolerance":-1)") + line(at("0"), at("9"), R"(,"motion_a":7)") +
                         R"({"op":"toi","dim":2,"a":)");
  std::string why_not;
  struct Known {
    const char* badge;
    double t;
    std::size_t least_steps;
  };
  // The point and the stick far away; two circles by a formula; an ell of parts, and on a floor; halving; from the start on
  const Known known[] = {{"hit", 0.25, 3}, {"hit", 0.5, 1},   {"hit", 1.5, 1},
                         {"hit", 0.25, 2}, {"free", 0.25, 2}, {"hit", 0, 1}};
  for (int i = 0; i < 6; ++i) {
    const auto exhibit = open(file.at(i + 1), why_not);
    ASSERT_NE(exhibit, nullptr) << why_not;
    EXPECT_EQ(panel_of(*exhibit).badges.at(0).text.rfind(known[i].badge, 0), 0u) << i;
    EXPECT_GE(exhibit->steps(), known[i].least_steps) << i;
    // No look of the way there comes after the answer
    const auto answer = lab::read_motion_case2(exhibit->as_query(), why_not);
    ASSERT_TRUE(answer.has_value()) << why_not;
    exhibit->go_to(exhibit->steps() - 1);
    const Plot curve = panel_of(*exhibit).plots.at(0);
    EXPECT_NEAR(curve.marker_x, known[i].t, 1e-2) << i;
    for (const double t : curve.series.at(1).x) EXPECT_LE(t, curve.marker_x + 1e-12) << i;
    for (std::size_t step = 0; step < exhibit->steps(); ++step) {
      exhibit->go_to(step);
      DrawList list;
      exhibit->draw(list);
      EXPECT_LT(max_abs(list.bounds().hi - list.bounds().lo), 12) << i << " " << step;
      EXPECT_FALSE(panel_of(*exhibit).decision.empty());
    }
  }
  const char* const words[] = {"'t_max'", "'method'", "half-spaces", "sphere",
                               "angular", "negative", "motion_a",    "JSON object"};
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(open(file.at(i + 7), why_not), nullptr) << i;
    EXPECT_NE(why_not.find(words[i]), std::string::npos) << i << " " << why_not;
  }
  // A coordinate is moved by an ulp, and back
  const auto far = open(file.at(1), why_not);
  ASSERT_NE(far, nullptr) << why_not;
  EXPECT_EQ(bare(far->as_query()), kFlatMotion);
  EXPECT_TRUE(far->nudge(0, 1));
  EXPECT_NE(bare(far->as_query()), kFlatMotion);
  EXPECT_TRUE(far->nudge(0, -1));
  EXPECT_EQ(bare(far->as_query()), kFlatMotion);
}

// B follows the pointer in metres of the world, wherever the picture has it and however large that is
TEST(CaseFiles, BodiesOfThePlaneAreDragged) {
  const auto big = [](const char* x) {
    return R"({"shape":{"type":"polygon","points":[[0,0],[9000,0],[0,9000]]},"pose":{"position":[)" + std::string(x) +
           R"(,0]}})";
  };
  const WrittenFile file(std::string(kFlatMotion) + "\n" + R"({"op":"toi","dim":2,"a":)" + big("0") + R"(,"b":)" +
                         big("20000") + R"(,"motion_b":{"linear":[-16000,0]},"t_max":1})");
  std::string why_not;
  for (int i = 1; i <= 2; ++i) {
    const auto exhibit = open(file.at(i), why_not);
    ASSERT_NE(exhibit, nullptr) << why_not;
    exhibit->go_to(exhibit->steps());
    const auto given = [&] { return *lab::read_motion_case2(exhibit->as_query(), why_not); };
    const lab::GivenMotion2 before = given();
    // Two points of the picture and of the world tell its scale
    const double t = panel_of(*exhibit).plots.at(0).marker_x;
    const auto middle = [](const Aabb2d& box) { return (box.lo + box.hi) * 0.5; };
    const auto a = drawn_name(*exhibit, "A"), b = drawn_name(*exhibit, "B");
    ASSERT_TRUE(a && b) << i;
    const Pose2d at_b = pose_at(before.pair.at_b.pose(), before.motion_b, t);
    const double scale = distance(*a, *b) / distance(middle(bounding_box(before.pair.a, before.pair.at_a.pose())),
                                                     middle(bounding_box(before.pair.b, at_b)));
    EXPECT_FALSE(exhibit->grab(pointed_at(*b + Vec2d{0, 1.9}))) << i;
    ASSERT_TRUE(exhibit->grab(pointed_at(*b))) << i;
    const Vec2d start = before.pair.at_b.position, by{0.25, 0.5};
    for (const double times : {1.0, 1.0, 1.0, -1.0, 2.0, 2.0}) {
      exhibit->drag(pointed_at(*b + by * times));
      const Vec2d moved = given().pair.at_b.position - start;
      EXPECT_LT(length(moved * scale - by * times), 1e-6) << i << " " << times << " " << moved.x << " " << moved.y;
    }
    EXPECT_TRUE(i == 1 || length(given().pair.at_b.position - start) > 1000);
    // The view follows again, and the place is kept
    const std::string dragged = exhibit->as_query();
    exhibit->release(false);
    EXPECT_EQ(exhibit->as_query(), dragged);
    exhibit->go_to(exhibit->steps());
    DrawList list;
    exhibit->draw(list);
    expect_finite(list);
    EXPECT_LT(max_abs(list.bounds().hi - list.bounds().lo), 12) << i;
  }
}

// A frame is drawn with the surfaces of the last one: what is made for each alone would be held for many
TEST(CaseFiles, SurfacesOfACaseAreMadeOnce) {
  const WrittenFile file(std::string(kFlatMotion) + '\n' + kFlatRay);
  std::string why_not;
  for (int line = 1; line <= 2; ++line) {
    const auto exhibit = open(file.at(line), why_not);
    ASSERT_NE(exhibit, nullptr) << why_not;
    DrawList list;
    std::set<const Surface*> surfaces;
    const auto draw_all = [&] {
      for (std::size_t step = 0; step < exhibit->steps(); ++step) {
        list.clear();
        exhibit->go_to(step);
        exhibit->draw(list);
        for (const InstanceBatch& batch : list.batches()) surfaces.insert(batch.surface.get());
      }
    };
    draw_all();
    const std::size_t of_one = surfaces.size(), batches = list.batches().size();
    for (int i = 0; i < 5; ++i) draw_all();
    EXPECT_EQ(surfaces.size(), of_one) << line;
    EXPECT_EQ(list.batches().size(), batches) << line;
    EXPECT_LT(of_one, 5u) << line;
  }
}

// Times near the end of the doubles
TEST(CaseFiles, LongTimesAreShown) {
  const auto line = [](const char* dim, const char* shape, const char* place) {
    return R"({"op":"toi","dim":)" + std::string(dim) + R"(,"a":{"shape":)" + shape + R"(},"b":{"shape":)" + shape +
           R"(,"pose":{"position":)" + place + R"(}},"t_max":1e307})" + "\n";
  };
  const WrittenFile file(line("2", R"({"type":"circle","radius":1})", "[3,0]") +
                         line("3", R"({"type":"sphere","radius":1})", "[3,0,0]"));
  std::string why_not;
  for (int i = 1; i <= 2; ++i) {
    const auto exhibit = open(file.at(i), why_not);
    ASSERT_NE(exhibit, nullptr) << why_not;
    const Panel panel = panel_of(*exhibit);
    const std::vector<double>& times = panel.plots.at(0).series.at(0).x;
    for (const double t : times) EXPECT_TRUE(t >= 0 && t <= 1e307) << i << " " << t;
    EXPECT_EQ(times.back(), 1e307);
    DrawList list;
    exhibit->draw(list);
    expect_finite(list);
  }
}

// What is told of a root is what the library says of the first contact: by rounded numbers it may look otherwise
TEST(CaseFiles, RootsAreToldByTheExactAnswer) {
  const auto line = [](const char* op, int dim, const std::string& start, const std::string& end) {
    return "{\"op\":\"" + std::string(op) + "\",\"dim\":" + std::to_string(dim) + ",\"t0\":[" + start + "],\"t1\":[" +
           end + "]}\n";
  };
  const char *edge = ",[0,0],[4,0]", *face = ",[0,0,0],[4,0,0],[0,4,0]";
  const std::string beam = ",[0,-1,0],[0,1,0]";
  const WrittenFile file(
      // Half a metre beside, on a way of 2e10 metres
      line("ccd_point_edge", 2, std::string("[4.5,1e10]") + edge, std::string("[4.5,-1e10]") + edge) +
      line("ccd_vertex_face", 3, std::string("[3,3,1e10]") + face, std::string("[3,3,-1e10]") + face) +
      line("ccd_edge_edge", 3, "[0.5,0,1e10],[3,0,1e10]" + beam, "[0.5,0,-1e10],[3,0,-1e10]" + beam) +
      // On it
      line("ccd_point_edge", 2, std::string("[3.5,1e10]") + edge, std::string("[3.5,-1e10]") + edge) +
      line("ccd_vertex_face", 3, std::string("[1,1,1e10]") + face, std::string("[1,1,-1e10]") + face) +
      line("ccd_edge_edge", 3, "[-0.5,0,1e10],[3,0,1e10]" + beam, "[-0.5,0,-1e10],[3,0,-1e10]" + beam) +
      // So small that products of coordinates are no doubles
      line("ccd_point_edge", 2, "[1e-170,2e-170],[0,0],[4e-170,0]", "[1e-170,-2e-170],[0,0],[4e-170,0]") +
      line("ccd_vertex_face", 3, "[1e-170,1e-170,2e-170],[0,0,0],[4e-170,0,0],[0,4e-170,0]",
           "[1e-170,1e-170,-2e-170],[0,0,0],[4e-170,0,0],[0,4e-170,0]") +
      line("ccd_edge_edge", 3, "[-1e-170,0,2e-170],[1e-170,0,2e-170],[0,-1e-170,0],[0,1e-170,0]",
           "[-1e-170,0,-2e-170],[1e-170,0,-2e-170],[0,-1e-170,0],[0,1e-170,0]") +
      // And so large
      line("ccd_point_edge", 2, "[1e200,2e200],[0,0],[4e200,0]", "[1e200,-2e200],[0,0],[4e200,0]"));
  std::string why_not;
  for (int i = 1; i <= 10; ++i) {
    const bool hits = i > 3;
    const auto exhibit = open(file.at(i), why_not);
    ASSERT_NE(exhibit, nullptr) << why_not;
    exhibit->go_to(0);
    const Panel panel = panel_of(*exhibit);
    EXPECT_EQ(panel.badges.at(0).text, hits ? "hit at t = 0.5" : "no hit, exactly") << i;
    const Table& roots = table_of(panel, "roots of the");
    ASSERT_EQ(roots.rows.size(), 1u) << i;
    EXPECT_EQ(roots.rows[0].at(2), hits ? "first contact" : "apart") << i;
    EXPECT_EQ(panel.decision.find("first contact") != std::string::npos, hits) << i << panel.decision;
    EXPECT_EQ(exhibit->steps(), 2u);
  }
  // Roots after the first contact are not decided
  const auto twice = open("point_edge:situation=twice", why_not);
  ASSERT_NE(twice, nullptr) << why_not;
  const Panel told = panel_of(*twice);
  const std::vector<std::vector<std::string>>& rows = table_of(told, "roots of the").rows;
  ASSERT_GE(rows.size(), 2u);
  EXPECT_EQ(rows[0].at(2), "first contact");
  EXPECT_EQ(rows[1].at(2), "after the contact");
}

// Rays and points of the plane as the library answers them, and those that it refuses
TEST(CaseFiles, RaysAndPointsOfThePlaneAreStepped) {
  const auto ray = [](const std::string& shape, const std::string& rest) {
    return R"({"op":"ray","dim":2,"a":{"shape":)" + shape + R"(},"origin":[-3,0],)" + rest + "}\n";
  };
  const std::string along = R"("direction":[2,0])", chain = R"({"type":"chain","points":[[1,-1],[1,1],[-1,-1]]})";
  const auto points = [](const std::string& start, const std::string& end) {
    return R"({"op":"ccd_point_edge","dim":2,"t0":)" + start + R"(,"t1":)" + end + "}\n";
  };
  const WrittenFile file(
      ray(chain, along) + ray(R"({"type":"circle","radius":4})", along) +
      ray(R"({"type":"halfspace","normal":[-1,0],"offset":-5})", along) + ray(chain, along + R"(,"max":1)") +
      ray(R"({"type":"point","p":[5e10,0]})", along) + points("[[1,2],[0,0],[4,0]]", "[[1,-2],[0,0],[4,0]]") +
      points("[[1e9,2],[0,0],[4,0]]", "[[1e9,-2],[0,0],[4,0]]") +
      ray(R"({"type":"segment","p":[1e5,-1],"q":[100002,2]})", along) +
      // Those that are refused
      ray(chain, R"("direction":[0,0])") + ray(R"({"type":"sphere","radius":1})", along) +
      ray(chain, R"("direction":[1,0,0])") + ray(chain, along + R"(,"max":-1)") + points("[[1,2],[0,0]]", "[]") +
      points("[[1,2,3],[0,0,0],[1,1,1]]", "[[1,2,3],[0,0,0],[1,1,1]]") +
      points("[[1,2],[0,0],[4,0]]", R"([[1,-2],[0,0],[4,0]],"min_separation":0.1)") + points("7", "{}"));
  std::string why_not;
  struct Known {
    const char* badge;
    std::size_t steps;
  };
  // Of rays the start, the edges and the answer; of points the roots and the answer
  const Known known[] = {{"hit at t = 1.5", 4}, {"hit at t = 0", 2},         {"hit at t = 4", 2},
                         {"no hit", 4},         {"hit at t = 2.5e+10", 3},   {"hit at t = 0.5", 2},
                         {"no hit", 2},         {"hit at t = 50001.8333", 3}};
  for (int i = 0; i < 8; ++i) {
    const auto exhibit = open(file.at(i + 1), why_not);
    ASSERT_NE(exhibit, nullptr) << why_not;
    EXPECT_EQ(exhibit->steps(), known[i].steps) << i;
    for (std::size_t step = 0; step < exhibit->steps(); ++step) {
      exhibit->go_to(step);
      const Panel panel = panel_of(*exhibit);
      EXPECT_EQ(panel.badges.at(0).text.rfind(known[i].badge, 0), 0u) << panel.badges.at(0).text;
      for (const Badge& badge : panel.badges) EXPECT_EQ(badge.text.find("differ"), std::string::npos) << i;
      EXPECT_FALSE(panel.decision.empty());
      DrawList list;
      exhibit->draw(list);
      EXPECT_GT(list.size(), 3u);
      EXPECT_LT(max_abs(list.bounds().hi - list.bounds().lo), 12) << i << " " << step;
    }
    EXPECT_TRUE(exhibit->nudge(0, 1) && exhibit->nudge(0, -1));
  }
  const char* const words[] = {"direction", "sphere", "direction",          "negative",
                               "3 points",  "point",  "minimum separation", "points"};
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(open(file.at(i + 9), why_not), nullptr) << i;
    EXPECT_NE(why_not.find(words[i]), std::string::npos) << i << " " << why_not;
  }
}

// A pair with a plane in every exhibit that can have one
TEST(CaseFiles, HalfSpacesAreShown) {
  const WrittenFile file(pair_on_plane() + '\n' + kFlatPair);
  std::string why_not;
  for (const std::string name : {"gjk3", "epa3", "contacts3", "gjk2", "epa2", "contacts2"}) {
    const bool plane = name.back() == '2';
    const auto exhibit = open(name + ":case=" + file.at(plane ? 2 : 1), why_not);
    ASSERT_NE(exhibit, nullptr) << why_not;
    EXPECT_TRUE(panel_of(*exhibit).hints.empty()) << name;
    DrawList list;
    exhibit->go_to(exhibit->steps() - 1);
    exhibit->draw(list);
    // The piece of the plane is beside the body, not at the origin
    const Aabb3d box = list.bounds();
    const Vec3d body = plane ? Vec3d{40, 2, 0} : Vec3d{7, 8, 0.3125};
    EXPECT_TRUE(contains(Aabb3d{box.lo, box.hi}, body)) << name;
    EXPECT_LT(max_abs(box.hi - box.lo), 12) << name;
    EXPECT_FALSE(list.triangles().empty()) << name;
    EXPECT_FALSE(exhibit->grab({{0, 0, 9}, {0, 0, -1}}));
  }
  for (const std::string name : {"sat2", "sat3", "vclip"}) {
    const auto exhibit = open(name + ":case=" + file.at(name == "sat2" ? 2 : 1), why_not);
    ASSERT_NE(exhibit, nullptr) << why_not;
    EXPECT_NE(panel_of(*exhibit).hints.at(0).find("polytopes"), std::string::npos);
  }
}

TEST(CaseFiles, WhatIsNotShownSaysWhy) {
  const WrittenFile file(all_lines());
  std::string why_not;
  const auto refused = [&](const std::string& text, const char* words) {
    EXPECT_EQ(open(text, why_not), nullptr) << text;
    EXPECT_NE(why_not.find(words), std::string::npos) << why_not;
  };
  refused("@/no/such/file.jsonl", "cannot read /no/such/file.jsonl");
  refused(file.at(11), "has 10 lines, and no line 11");
  refused(file.at(0), "no line 0");
  refused(file.at(10), "no exhibit shows a line of 'inside' in the plane; sudar query answers it");
  const WrittenFile bad("nonsense\n{\"op\":\"distance\",\"dim\":3}\n{\"op\":\"inside\",\"dim\":2}\n");
  refused(bad.at(1), "no JSON object");
  refused(bad.at(2), "is missing");
  refused(bad.at(3), "no exhibit shows a line of 'inside' in the plane");
  // In an exhibit of something else it is a hint, and names the one that shows it
  const auto hint = [&](const std::string& text) {
    const auto exhibit = open(text, why_not);
    EXPECT_NE(exhibit, nullptr) << why_not;
    const Panel panel = exhibit == nullptr ? Panel{} : panel_of(*exhibit);
    return panel.hints.empty() ? std::string() : panel.hints[0];
  };
  EXPECT_NE(hint("gjk3:case=" + file.at(3)).find("a line of 'ray' is shown by ray_bundle"), std::string::npos);
  EXPECT_NE(hint("ray_bundle:case=" + file.at(2)).find("is shown by time_of_impact"), std::string::npos);
  EXPECT_NE(hint("vertex_face:case=" + file.at(5)).find("is shown by edge_edge"), std::string::npos);
  EXPECT_NE(hint("time_of_impact:case=" + file.at(1)).find("is shown by gjk3"), std::string::npos);
  EXPECT_NE(hint("ray_bundle:case=" + file.at(8)).find("in the plane is shown by ray_bundle2"), std::string::npos);
  EXPECT_NE(hint("point_edge:case=" + file.at(4)).find("is shown by vertex_face"), std::string::npos);
  EXPECT_NE(hint("edge_edge:case=@/no/such/file").find("cannot read"), std::string::npos);
}

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

TEST(CaseFiles, AScriptOfBoxesOpensAsAWhole) {
  Random random(5);
  for (const char* const places : {"automatic", "metres", "ranks"})
    for (int i = 0; i < 12; ++i) {
      expect_script_is_shown<2>(random, places);
      expect_script_is_shown<3>(random, places);
    }
}

TEST(CaseFiles, ABrokenScriptIsToldByItsLine) {
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

TEST(CaseFiles, AScriptThatIsCopiedOpensAgain) {
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
TEST(CaseFiles, WhatIsNotComparedIsSaidSo) {
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
TEST(CaseFiles, PlacesOfAScriptAreFinite) {
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
TEST(CaseFiles, AScriptIsSteppedBack) {
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
TEST(CaseFiles, ALineOfTooManyBoxesIsToldInShort) {
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
TEST(CaseFiles, AScriptThatAsksForTooMuchEnds) {
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

TEST(CaseFiles, ABroadPhaseThatLosesAPairIsSeenToDoSo) {
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
