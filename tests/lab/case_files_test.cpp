// Files of cases in the lab: what campaigns write is opened by name, each line in the exhibit that shows it, and what is shown is
// the case to the last digit. Oracle: the line itself, which the exhibit copies again, and the library's answer to it.
#include "lab/desk.hpp"
#include "lab/query_file.hpp"
#include "lab/stepped.hpp"
#include "tests/continuous/impact_promise.hpp"
#include "tests/continuous/motion_promise.hpp"
#include "tests/lab/shown_case.hpp"
#include "tests/queries/ray_promise.hpp"

#include <gtest/gtest.h>

#include <set>

namespace {

using namespace sudar;
using namespace sudar::lab;
namespace lab = sudar::lab;
using sudar_test::expect_finite, sudar_test::panel_of, sudar_test::table_of, sudar_test::WrittenFile;

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

// Where a body of that name is drawn
std::optional<Vec2d> drawn_name(const Exhibit& exhibit, std::string_view name) {
  DrawList list;
  exhibit.draw(list);
  for (const DrawnLabel& label : list.labels())
    if (label.text == name) return Vec2d{label.p.x, label.p.y};
  return std::nullopt;
}
Pick pointed_at(const Vec2d& p) { return {{p.x, p.y, 9}, {0, 0, -1}}; }

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

}  // namespace
