// Every exhibit and every scene, sixty frames each without a window: no error of OpenGL, and something to see. Twelve of them
// are compared with pictures that were looked at (tests/lab/golden; SUDAR_GOLDEN=write makes them anew).
#include "lab/app.hpp"
#include "lab/offscreen.hpp"
#include "scenes/registry.hpp"

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace {

using namespace sudar::lab;

constexpr int kWidth = 320, kHeight = 180, kFrames = 60;
// Sixty frames of everything are many pixels for a processor
constexpr int kSmallWidth = 128, kSmallHeight = 72;
constexpr double kSeconds = 1.0 / 60;
// A picture that is nothing but background and grid has less than this share of other pixels
constexpr double kLeastFilled = 0.005;
// Processors round differently and renderers place edges differently; a wrong picture differs far more
constexpr double kGoldenShare = 0.02;
constexpr int kGoldenStep = 40;

struct Golden {
  const char* text;
  const char* file;
  int frames, step;
};
#include "golden_list.hpp"

// The context is made once; ImGui's is the program's own
class LabPictures : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    screen_ = Offscreen::make(why_not_).release();
    if (screen_ != nullptr) app_ = App::make(screen_->gl(), why_not_).release();
    if (app_ == nullptr) return;
    ImGuiIO& io = ImGui::GetIO();
    io.DeltaTime = static_cast<float>(kSeconds);
    io.MousePos = {-1, -1};
  }
  static void TearDownTestSuite() {
    delete app_;
    delete screen_;
  }
  void SetUp() override {
    if (app_ == nullptr) GTEST_SKIP() << "no picture can be made on this machine: " << why_not_;
    Settings& settings = app_->ui.desk.settings;
    settings = Settings{};
    settings.panels = settings.labels = settings.grid = false;
    set_size(kWidth, kHeight);
  }
  void set_size(int width, int height) {
    width_ = width, height_ = height;
    ImGui::GetIO().DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  }
  // True when it opened
  bool run(const std::string& text, int frames, int step = -1) {
    std::string why_not;
    app_->ui.desk.aspect = static_cast<double>(width_) / height_;
    if (!app_->ui.desk.open(text, why_not)) {
      ADD_FAILURE() << text << ": " << why_not;
      return false;
    }
    if (step >= 0) app_->ui.desk.go_to(static_cast<std::size_t>(step));
    for (int i = 0; i < frames; ++i) app_->frame(width_, height_, kSeconds, 1);
    EXPECT_EQ(app_->trouble(), "") << text;
    return true;
  }
  int width_ = kWidth, height_ = kHeight;
  static Offscreen* screen_;
  static App* app_;
  static std::string why_not_;
};
Offscreen* LabPictures::screen_ = nullptr;
App* LabPictures::app_ = nullptr;
std::string LabPictures::why_not_;

TEST_F(LabPictures, EveryExhibitRunsSixtyFrames) {
  set_size(kSmallWidth, kSmallHeight);
  for (const ExhibitEntry& entry : exhibits()) {
    // Those with very many triangles have fewer
    std::string text(entry.name);
    if (text == "distance_field") text += ":cells=16,spacing=0.5";
    if (text == "haptic_probe") text += ":triangles=2k";
    if (!run(text, kFrames)) continue;
    EXPECT_GT(filled_share(app_->picture()), kLeastFilled) << entry.name << " is blank";
  }
}

TEST_F(LabPictures, EverySceneRunsSixtyFrames) {
  set_size(kSmallWidth, kSmallHeight);
  for (const ExhibitEntry& entry : catalogue()) {
    if (entry.group != "scene" || entry.make != nullptr) continue;
    // As many bodies as can be drawn sixty times in a moment
    sudar::scenes::Spec spec(*sudar::scenes::find(entry.name));
    for (const sudar::scenes::SceneParameter& p : spec.parameters())
      for (const auto& [key, few] : {std::pair("n", 24.0), std::pair("rows", 4.0), std::pair("pieces", 8.0)})
        if (p.key == key) {
          ASSERT_TRUE(spec.set(key, std::clamp(few, p.lowest, p.highest))) << entry.name;
        }
    if (!run(spec.text(), kFrames)) continue;
    EXPECT_GT(filled_share(app_->picture()), kLeastFilled) << entry.name << " is blank";
  }
}

TEST_F(LabPictures, PanelsHelpAndPickerDrawWithoutAnErrorAtAnySize) {
  Ui& ui = app_->ui;
  ui.desk.settings.panels = ui.desk.settings.labels = ui.desk.settings.grid = true;
  ASSERT_TRUE(run("shapes3", 2));
  ui.help = ui.picker = true;
  for (const double scale : {1.0, 2.0}) {
    ui.desk.settings.scale = scale;
    for (int i = 0; i < 2; ++i) app_->frame(kWidth, kHeight, kSeconds, 1);
    EXPECT_EQ(app_->trouble(), "");
  }
  ui.help = ui.picker = false;
}

TEST_F(LabPictures, AreThoseThatWereLookedAt) {
  const std::filesystem::path folder = std::filesystem::path(SUDAR_SOURCE_FOLDER) / "tests/lab/golden";
  const char* mode = std::getenv("SUDAR_GOLDEN");
  const bool writes = mode != nullptr && std::string_view(mode) == "write";
  for (const Golden& golden : kGolden) {
    if (!run(golden.text, golden.frames, golden.step)) continue;
    const std::string path = (folder / (std::string(golden.file) + ".png")).string();
    std::string why_not;
    if (writes) {
      EXPECT_TRUE(write_png(path, app_->picture(), why_not)) << why_not;
      continue;
    }
    const std::optional<Picture> looked_at = read_png(path, why_not);
    if (!looked_at) {
      ADD_FAILURE() << why_not;
      continue;
    }
    EXPECT_LE(difference(*looked_at, app_->picture(), kGoldenStep), kGoldenShare) << golden.text;
    // The comparison can fail: nothing is not the picture
    Picture nothing = *looked_at;
    std::fill(nothing.rgb.begin(), nothing.rgb.end(), nothing.rgb[0]);
    EXPECT_GT(difference(*looked_at, nothing, kGoldenStep), kGoldenShare / 2) << golden.text;
  }
}

}  // namespace
