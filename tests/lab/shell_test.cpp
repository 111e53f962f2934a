// The shell's parts that need no window: what is drawn, the viewer, the picker, settings, CSV, the clock.
#include "lab/desk.hpp"
#include "lab/fuzzy.hpp"
#include "lab/input_queue.hpp"
#include "lab/settings.hpp"
#include <sudar/shapes/shape2.hpp>
#include <sudar/shapes/shape3.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

using namespace sudar;
using namespace sudar::lab;

// A counter that remembers what it was told
class ShellCounter final : public Exhibit {
 public:
  std::vector<Parameter> own = {Parameter::whole("n", "Number", 5, 1, 10),
                                Parameter::choice("algorithm", "", {"sap", "bvh"}), Parameter::toggle("on", "", false),
                                Parameter::action("go", "Go")};
  std::vector<std::size_t> told;
  std::size_t at = 0;
  std::span<Parameter> parameters() override { return own; }
  Result<void> set(std::size_t i) override {
    told.push_back(i);
    return {};
  }
  std::size_t steps() const override { return 4; }
  std::size_t step() const override { return at; }
  void go_to(std::size_t step) override { at = step; }
  void draw(DrawList& list) const override { list.point({}, {}); }
  void tell(Panel&) const override {}
};

std::size_t instance_count(const DrawList& list) {
  std::size_t count = 0;
  for (const InstanceBatch& batch : list.batches()) count += batch.instances.size();
  return count;
}

TEST(LabSurface, ClosedOnesHaveTheirVolume) {
  // Oracle: the divergence theorem over the triangles against the closed forms
  const auto volume = [](CommonSurface which) {
    const Surface& s = *common_surface(which);
    double sum = 0;
    for (std::size_t i = 0; i < s.triangles.size(); i += 3) {
      const auto at = [&](std::size_t k) { return vec_cast<double>(s.vertices[s.triangles[i + k]].position); };
      sum += dot(at(0), cross(at(1), at(2))) / 6;
    }
    return sum;
  };
  EXPECT_NEAR(volume(CommonSurface::box), 8, 1e-5);
  EXPECT_NEAR(volume(CommonSurface::sphere), 4 * kPi / 3, 0.08);
  EXPECT_NEAR(volume(CommonSurface::cylinder), 2 * kPi, 0.08);
  EXPECT_NEAR(volume(CommonSurface::cone), 2 * kPi / 3, 0.08);
}

TEST(LabSurface, SharpEdgesHaveANormalForEachFace) {
  const std::vector<Vec3d> v = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<std::uint32_t> t = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  const Surface sharp = surface_of(v, t, 10), smooth = surface_of(v, t, 180);
  EXPECT_EQ(sharp.vertices.size(), 12u);
  EXPECT_EQ(sharp.edges.size(), 12u);
  EXPECT_EQ(smooth.vertices.size(), 4u);
  EXPECT_TRUE(smooth.edges.empty());
  for (const SurfaceVertex& vertex : smooth.vertices) EXPECT_NEAR(length(vertex.normal), 1, 1e-5);
}

TEST(LabDrawList, BoundsHoldWhatIsDrawnAndBadNumbersAreLeftOut) {
  DrawList list;
  list.shape(*make_box3({1, 2, 3}), {{10, 0, 0}, {}}, {});
  EXPECT_EQ(list.bounds().lo, (Vec3d{9, -2, -3}));
  EXPECT_EQ(list.bounds().hi, (Vec3d{11, 2, 3}));
  const double nan = std::nan("");
  list.point({nan, 0, 0}, {});
  list.line({}, {0, INFINITY, 0}, {});
  list.triangle({}, {1, 0, 0}, {0, nan, 0}, {});
  list.sphere({nan, 0, 0}, 1, {});
  EXPECT_EQ(list.size(), 1u);
  // A half-space is drawn but does not count
  list.shape(*make_halfspace3({0, 0, 1}, 0), {}, {});
  EXPECT_EQ(list.bounds().hi, (Vec3d{11, 2, 3}));
  list.clear();
  EXPECT_EQ(list.size(), 0u);
  EXPECT_FALSE(is_valid(list.bounds()));
}

TEST(LabDrawList, ColumnsOfBoxesAreTheBoxes) {
  // Oracle: the same boxes one by one. One of them has no end.
  std::vector<Aabb<3, float>> boxes;
  std::vector<float> columns[6];
  std::vector<std::uint8_t> kinds;
  const Color palette[] = {color_of(Ink::a), color_of(Ink::b)};
  std::vector<Color> colors;
  const auto add = [&](const Aabb<3, float>& box) {
    boxes.push_back(box);
    for (int k = 0; k < 3; ++k) columns[k].push_back(box.lo[k]), columns[3 + k].push_back(box.hi[k]);
    kinds.push_back(static_cast<std::uint8_t>(boxes.size() % 2));
    colors.push_back(palette[kinds.back()]);
  };
  for (int i = 0; i < 37; ++i) {
    const float x = static_cast<float>((i * 17) % 37) - 9.0f;
    add({{x, 2 * x, -x}, {x + 1, 2 * x + 3, -x + 0.5f}});
  }
  DrawList plain, drawn;
  plain.boxes(boxes, colors);
  const float most = std::numeric_limits<float>::max();
  add({{-most, 0, 0}, {most, 1, 1}});
  const std::span<const float> lo[] = {columns[0], columns[1], columns[2]}, hi[] = {columns[3], columns[4], columns[5]};
  drawn.boxes(lo, hi, kinds, palette);
  EXPECT_EQ(drawn.size(), 38u);
  EXPECT_EQ(drawn.bounds().lo, plain.bounds().lo);
  EXPECT_EQ(drawn.bounds().hi, plain.bounds().hi);
  ASSERT_EQ(drawn.batches().size(), 1u);
  ASSERT_EQ(plain.batches().size(), 1u);
  EXPECT_EQ(drawn.batches()[0].surface, plain.batches()[0].surface);
  ASSERT_EQ(drawn.batches()[0].instances.size(), 37u);
  for (std::size_t i = 0; i < 37; ++i) {
    EXPECT_EQ(drawn.batches()[0].instances[i].columns, plain.batches()[0].instances[i].columns) << i;
    EXPECT_EQ(drawn.batches()[0].instances[i].color, plain.batches()[0].instances[i].color) << i;
  }
  drawn.clear();
  EXPECT_EQ(drawn.size(), 0u);
  drawn.boxes(std::span(lo).first(2), std::span(hi).first(2), kinds, palette);
  EXPECT_EQ(instance_count(drawn), 37u);
  EXPECT_EQ(drawn.bounds().hi.z, 0);
}

TEST(LabDrawList, EqualSurfacesShareABatch) {
  DrawList list;
  const Shape3 ball = *make_sphere3(0.5), capsule = *make_capsule3({0, 0, -1}, {0, 0, 1}, 0.5);
  const Vec3d points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Shape3 hull = *make_hull_shape3(points);
  for (int i = 0; i < 50; ++i) {
    const Pose3d pose{{3.0 * i, 0, 0}, {}};
    list.shape(ball, pose, {}), list.shape(hull, pose, {}), list.shape(capsule, pose, {});
  }
  EXPECT_EQ(list.batches().size(), 4u);  // ball, hull, tube, hemisphere
  EXPECT_EQ(instance_count(list), 50u * 5);
  list.clear();
  list.shape(ball, {}, {});
  EXPECT_EQ(instance_count(list), 1u);
}

TEST(LabCamera, FramesABoxAndItsRaysGoWhereItProjects) {
  Camera camera;
  const Aabb3d box{{-1, -2, 0}, {3, 2, 1}};
  camera.frame(View{}, box, false, 1.5);
  const Mat4 clip = camera.projection(1.5, box) * camera.view();
  for (int i = 0; i < 8; ++i) {
    const Vec3d p{i & 1 ? 3.0 : -1.0, i & 2 ? 2.0 : -2.0, i & 4 ? 1.0 : 0.0};
    const auto c = apply(clip, p);
    ASSERT_GT(c[3], 0);
    EXPECT_LE(std::fabs(c[0] / c[3]), 1) << i;
    EXPECT_LE(std::fabs(c[1] / c[3]), 1) << i;
    const Pick pick = camera.ray(c[0] / c[3], c[1] / c[3], 1.5);
    EXPECT_NEAR(length(cross(p - pick.origin, pick.direction)), 0, 1e-4);
  }
  Camera plane;
  plane.frame(View{}, {{-4, -1, 0}, {4, 1, 0}}, true, 2);
  EXPECT_EQ(plane.mode, CameraMode::plane);
  EXPECT_GE(plane.height * 2, 8);
  const Vec3d before = plane.ray(0.5, -0.25, 2).origin;
  plane.zoom(0.5, 0.5, -0.25, 2);
  EXPECT_NEAR(distance(plane.ray(0.5, -0.25, 2).origin, before), 0, 1e-9);
}

TEST(LabCamera, AWalkerSpeedsUpAndSlidesAlongAWall) {
  Camera camera;
  camera.frame(View{}, {{-5, -5, 0}, {5, 5, 2}}, false, 1);
  camera.set_mode(CameraMode::walk);
  camera.yaw = kPi / 4, camera.pitch = 0;
  camera.target = Vec3d{0, 0, 1} + camera.forward() * camera.distance;
  // A wall at x = 1
  const auto wall = [](const Vec3d& p, double r) { return p.x > 1 - r ? Vec3d{1 - r - p.x, 0, 0} : Vec3d{}; };
  double first = 0, fastest = 0;
  for (int i = 0; i < 120; ++i) {
    camera.move({.forward = 1}, 1.0 / 60, wall);
    if (i == 0) first = length(camera.velocity);
    fastest = std::max(fastest, length(camera.velocity));
    ASSERT_LE(camera.eye().x, 1 - camera.walker_radius() + 1e-9);
  }
  EXPECT_LT(first, 0.3 * fastest);
  EXPECT_GT(camera.eye().y, 1.5);
  EXPECT_NEAR(camera.eye().z, 1, 1e-9);
  for (int i = 0; i < 240; ++i) camera.move({}, 1.0 / 60, wall);
  EXPECT_EQ(camera.velocity, Vec3d{});
}

TEST(LabParameter, TextGoesInAndOutAndMistakesAreNamed) {
  ShellCounter counter;
  std::string why;
  EXPECT_TRUE(read_parameters(counter.own, "n=7, algorithm=bvh on=on", why)) << why;
  EXPECT_EQ(text_of(counter.own[0]), "7");
  EXPECT_EQ(text_of(counter.own[1]), "bvh");
  EXPECT_EQ(text_of(counter.own[2]), "on");
  for (const char* bad : {"n=11", "n=x", "n=2.5", "n=nan", "algorithm=none", "on=maybe", "m=1", "n", "=3"}) {
    why.clear();
    EXPECT_FALSE(read_parameters(counter.own, bad, why)) << bad;
    EXPECT_FALSE(why.empty()) << bad;
    EXPECT_EQ(why.find('\n'), std::string::npos);
  }
  // What has blanks or commas is in quotes
  for (const char* text :
       {"", "plain", "dim 2 update", "a,b", "\"", "say \"so\", twice", "tab\there", "@a file:3", "two\nlines"}) {
    std::vector<Parameter> texts = {Parameter::text("x", "x", text), Parameter::text("y", "y", "end")};
    const std::string all = written(texts[0]) + "," + written(texts[1]);
    texts[0].content = texts[1].content = "-";
    EXPECT_TRUE(read_parameters(texts, all, why)) << all << why;
    EXPECT_EQ(texts[0].content, text);
    EXPECT_EQ(texts[1].content, "end");
  }
  std::vector<Parameter> one = {Parameter::text("x", "x", "")};
  for (const char* bad : {"x=\"", "x=\"a", "x=\"a\"b", "x=\"a\"\""}) {
    why.clear();
    EXPECT_FALSE(read_parameters(one, bad, why)) << bad;
    EXPECT_NE(why.find("quotes"), std::string::npos) << why;
  }
  EXPECT_TRUE(set_from_text(counter, "go", "", why));
  EXPECT_TRUE(set_from_text(counter, "n", "3", why));
  EXPECT_EQ(counter.told, (std::vector<std::size_t>{3, 0}));
}

TEST(LabRegistry, NamesAreWordsEachOnceAndUnknownOnesAreRefused) {
  std::vector<std::string_view> names;
  for (const ExhibitEntry& entry : catalogue()) {
    names.push_back(entry.name);
    EXPECT_EQ(entry.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), std::string_view::npos)
        << entry.name;
    EXPECT_GT(entry.paragraph.size(), 20u) << entry.name;
    EXPECT_EQ(find_exhibit(entry.name)->name, entry.name);
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  std::string why;
  for (const char* bad : {"", "no_such_thing", "shapes3:no=1", "shapes3:opacity=7"}) {
    why.clear();
    EXPECT_EQ(lab::open(bad, why), nullptr) << bad;
    EXPECT_FALSE(why.empty()) << bad;
  }
  EXPECT_NE(lab::open("shapes3:opacity=0.5,boxes=on", why), nullptr) << why;
}

// GLFW's numbers
constexpr int kKeyO = 79, kKeyG = 71, kKeyEnter = 257, kKeyRight = 262, kKeyControl = 341;

TEST(LabInputQueue, AShortPressIsSeenForOneFrame) {
  InputQueue queue;
  for (int i = 0; i < 2; ++i) queue.key(kKeyRight, true), queue.key(kKeyRight, false);
  for (const bool down : {true, false, true, false, false}) EXPECT_EQ(queue.next(false).keys[kKeyRight], down);
  EXPECT_FALSE(queue.waiting());
  // A click is where the pointer was
  queue.pointer(1, 2), queue.pointer(3, 4);
  queue.button(0, true), queue.button(0, false);
  queue.pointer(50, 60);
  InputState seen = queue.next(false);
  EXPECT_TRUE(seen.buttons[0] && seen.has_pointer && seen.x == 3 && seen.y == 4);
  seen = queue.next(false);
  EXPECT_TRUE(!seen.buttons[0] && seen.x == 3 && seen.y == 4);
  seen = queue.next(false);
  EXPECT_TRUE(seen.x == 50 && seen.y == 60);
  // What is dragged within a frame is held for one of them at its end
  queue.button(1, true), queue.pointer(70, 60), queue.button(1, false);
  seen = queue.next(false);
  EXPECT_TRUE(seen.buttons[1] && seen.x == 50);
  seen = queue.next(false);
  EXPECT_TRUE(seen.buttons[1] && seen.x == 70);
  EXPECT_FALSE(queue.next(false).buttons[1]);
  // Numbers that are no key
  queue.key(-1, true), queue.key(100000, true), queue.button(9, true);
  EXPECT_FALSE(queue.waiting());
}

TEST(LabInputQueue, WhatIsDoneWithinAFrameIsReadInItsOrder) {
  InputQueue queue;
  const auto stroke = [&](int key, char32_t letter) {
    queue.key(key, true);
    if (letter != 0) queue.letter(letter);
    queue.key(key, false);
  };
  queue.key(kKeyControl, true), stroke(kKeyO, 0), queue.key(kKeyControl, false);
  for (const char32_t letter : {U'g', U'G', U'3'}) stroke(kKeyG, letter);
  stroke(kKeyEnter, 0);
  stroke(kKeyRight, 0);
  // A field that has the keyboard from the frame after the next on, as those of ImGui do
  std::string did;
  bool field = false, before = false;
  for (int frame = 0; frame < 20; ++frame) {
    const bool typing = before;
    before = field;
    const InputState& seen = queue.next(typing);
    for (const char32_t letter : seen.typed)
      if (typing) did += static_cast<char>(letter);
    if (seen.control() && seen.keys[kKeyO] && !field) did += "open ", field = true;
    if (seen.keys[kKeyEnter] && typing) did += " enter", field = false;
    if (seen.keys[kKeyRight] && !typing) did += " right";
    if (seen.keys[kKeyG]) did += " pressed";
  }
  EXPECT_EQ(did, "open gG3 enter right");
  EXPECT_FALSE(queue.waiting());
}

TEST(LabFuzzy, BetterFitsScoreHigher) {
  EXPECT_LT(fuzzy_score("xyz", "pyramid"), 0);
  EXPECT_LT(fuzzy_score("dim", "pyramid"), 0);
  EXPECT_GE(fuzzy_score("", "pyramid"), 0);
  EXPECT_GT(fuzzy_score("pyr", "pyramid"), fuzzy_score("pyr", "polyhedra_yard"));
  EXPECT_GT(fuzzy_score("ch", "card_house"), fuzzy_score("ch", "bachelor"));
  EXPECT_GT(fuzzy_score("RACE", "race"), fuzzy_score("race", "race_of_many"));
}

TEST(LabSettings, ComeBackAndBrokenOnesAreSetAside) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("sudar_lab_settings_" + std::to_string(::getpid()));
  fs::remove_all(folder);
  const std::string path = (folder / "deep" / "lab.conf").string();
  Settings settings, again;
  std::string told;
  EXPECT_EQ(read_settings(path, again, told), SettingsFile::missing);
  settings.exhibit = "cluster n=100";
  settings.scale = 1.5, settings.shadows = false, settings.width = 800;
  ASSERT_TRUE(write_settings(path, settings, told)) << told;
  EXPECT_EQ(read_settings(path, again, told), SettingsFile::read);
  EXPECT_EQ(again, settings);
  for (const char* bad : {"", "rubbish\n", "sudar/lab-1\nscale=huge\n", "sudar/lab-1\nno equals\n"}) {
    std::ofstream(path, std::ios::trunc) << bad;
    Settings untouched;
    told.clear();
    EXPECT_EQ(read_settings(path, untouched, told), SettingsFile::broken) << bad;
    EXPECT_EQ(untouched, Settings{});
    EXPECT_NE(told.find("set aside"), std::string::npos);
    EXPECT_FALSE(fs::exists(path));
  }
  // Each of the four lies beside, the first as it was
  EXPECT_TRUE(fs::exists(path + ".broken") && fs::exists(path + ".broken-4"));
  std::stringstream text;
  text << std::ifstream(path + ".broken-2").rdbuf();
  EXPECT_EQ(text.str(), "rubbish\n");
  fs::remove_all(folder);
}

TEST(LabSettings, WhatIsNoFileStaysWhereItIs) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("sudar_lab_no_settings_" + std::to_string(::getpid()));
  fs::remove_all(folder);
  fs::create_directories(folder / "folder");
  fs::create_symlink("/dev/null", folder / "device");
  for (const char* name : {"folder", "device"}) {
    Settings untouched;
    std::string told;
    EXPECT_EQ(read_settings((folder / name).string(), untouched, told), SettingsFile::broken);
    EXPECT_NE(told.find("it is no regular file"), std::string::npos) << told;
    EXPECT_TRUE(fs::exists(folder / name));
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 2);
  fs::remove_all(folder);
}

TEST(LabPlotCsv, RowsAreTheNewestValues) {
  Panel panel;
  Plot plot;
  plot.title = "Time";
  plot.series = {{"a", {0, 1}, {5, 6}, false}, {"b, c", {0}, {7}, false}};
  panel.plots.push_back(plot);
  std::ostringstream all, recorded;
  write_plots(all, panel);
  EXPECT_EQ(all.str(), "plot,series,x,y\nTime,a,0,5\nTime,a,1,6\nTime,\"b, c\",0,7\n");
  PlotRecorder recorder;
  recorder.add(panel, 0.5);
  panel.plots[0].series.pop_back();
  recorder.add(panel, 1);
  recorder.write(recorded);
  EXPECT_EQ(recorded.str(), "frame,time,Time: a,\"Time: b, c\"\n0,0.5,6,7\n1,1,6,\n");
}

TEST(LabDesk, OpensPlaysStepsAndKeepsWhatItHasOnAMistake) {
  Desk desk;
  std::string why;
  ASSERT_TRUE(desk.open("shapes3:speed=0.5", why)) << why;
  EXPECT_TRUE(desk.playing());
  EXPECT_FALSE(desk.open("no_such_thing", why));
  EXPECT_EQ(desk.entry()->name, "shapes3");
  desk.frame(1.0 / 60);
  EXPECT_GT(desk.list.size(), 10u);
  EXPECT_FALSE(desk.panel.badges.empty());
  EXPECT_NE(desk.query().find("shapes3:"), std::string::npos);
  EXPECT_NE(desk.text().find("speed=0.5"), std::string::npos);
  std::string again = desk.text();
  EXPECT_TRUE(desk.open(again, why)) << why;
  desk.step(-1);
  EXPECT_FALSE(desk.playing());
  EXPECT_FALSE(desk.message().empty());
}

}  // namespace
