// Recordings of worlds in files. Oracle: the worlds themselves, written down as they went.
#include <sudar/io/recording_file.hpp>

#include <gtest/gtest.h>
#include <tests/support/temp_file.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <type_traits>

namespace {

using namespace sudar;

constexpr std::size_t kSteps = 4;

template <int D>
struct Recorded {
  std::string path, bytes;
  std::vector<RecordedStep<D>> truth;
};

std::string bytes_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void put_bytes(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// Three boxes fall; the first is taken away half-way, so that indices have a gap
template <int D>
Recorded<D> record(const std::string& name) {
  Recorded<D> out;
  out.path = sudar_test::temp_path(name);
  auto world = *World<D>::make();
  auto writer = *RecordingWriter<D>::make(out.path, "three boxes");
  Vec<D, double> half{};
  for (int k = 0; k < D; ++k) half[k] = 0.5;
  typename World<D>::Body first;
  for (int i = 0; i < 3; ++i) {
    BodySpec<D> spec{.shape = ShapeOf<D>(std::conditional_t<D == 2, BoxShape2, BoxShape3>{half})};
    spec.pose.position[0] = 3.0 * i;
    spec.velocity[1] = 0.1 * i;
    const auto body = *world.add_body(spec);
    if (i == 0) first = body;
  }
  for (std::size_t step = 0; step < kSteps; ++step) {
    EXPECT_TRUE(world.step(1.0 / 60).ok());
    if (step == kSteps / 2) {
      EXPECT_TRUE(world.remove_body(first).ok());
    }
    EXPECT_TRUE(writer.add(world).ok());
    out.truth.push_back({world.state_hash(), recorded_bodies(world)});
  }
  // There is nothing under the name before the end
  EXPECT_FALSE(std::filesystem::exists(out.path));
  EXPECT_TRUE(writer.finish().ok());
  out.bytes = bytes_of_file(out.path);
  return out;
}

// Steps until an end or an error, never more than the file may have; nothing where it ends as it should
template <int D>
Result<std::size_t> read_all(const std::string& path) {
  auto reader = RecordingReader::make(path);
  if (!reader) return reader.error();
  RecordedStep<D> step;
  for (std::size_t i = 0; i <= kSteps; ++i) {
    const Result<bool> more = reader->next(step);
    if (!more) return more.error();
    if (!*more) return i;
  }
  ADD_FAILURE() << "more steps than were written";
  return kSteps;
}

template <int D>
void expect_the_same_again() {
  const Recorded<D> run = record<D>("run");
  auto reader = *RecordingReader::make(run.path);
  EXPECT_EQ(reader.dim(), D);
  EXPECT_EQ(reader.text(), "three boxes");
  RecordedStep<5 - D> other;
  EXPECT_EQ(reader.template next<5 - D>(other).error().code, ErrorCode::invalid_argument);
  RecordedStep<D> step;
  for (std::size_t i = 0; i < kSteps; ++i) {
    ASSERT_TRUE(*reader.next(step));
    EXPECT_EQ(step.hash, run.truth[i].hash);
    EXPECT_EQ(step.bodies.size(), i < kSteps / 2 ? 3u : 2u);
    EXPECT_FALSE(first_difference<D>(i, step.bodies, run.truth[i].bodies).has_value());
  }
  EXPECT_FALSE(*reader.next(step));
  std::remove(run.path.c_str());
}

TEST(RecordingFile, StepsComeBackToTheBit) {
  expect_the_same_again<2>();
  expect_the_same_again<3>();
}

TEST(RecordingFile, WhatIsCutOffOrDamagedIsAnErrorWithTheStep) {
  const Recorded<3> run = record<3>("damaged");
  EXPECT_EQ(*read_all<3>(run.path), kSteps);
  // Wherever it is cut off, and with more behind it
  for (std::size_t length = run.bytes.size(); length-- > 0;) {
    std::filesystem::resize_file(run.path, length);
    const auto read = read_all<3>(run.path);
    ASSERT_FALSE(read.ok()) << length;
    ASSERT_EQ(read.error().code, ErrorCode::bad_format) << length;
    ASSERT_LE(read.error().element, kSteps) << length;
  }
  put_bytes(run.path, run.bytes + '\0');
  EXPECT_EQ(read_all<3>(run.path).error().element, kSteps);
  // Magic, version, dimension, length of the text; then the mark and the count of the first step, the second body's index
  const std::size_t text = 24 + 11, body = 5 + 13 * 8;
  for (const std::size_t at : {std::size_t{0}, std::size_t{8}, std::size_t{12}, std::size_t{22}, text, text + 9,
                               text + 11, text + 13 + 4, text + 13 + body}) {
    std::string bytes = run.bytes;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x42);
    if (at == text + 13 + body) bytes[at] = 0;  // the index of the body before
    put_bytes(run.path, bytes);
    EXPECT_EQ(read_all<3>(run.path).error().code, ErrorCode::bad_format) << at;
  }
  std::remove(run.path.c_str());
}

TEST(RecordingFile, WhatCannotBeReadOrWrittenIsAnError) {
  EXPECT_EQ(RecordingReader::make(sudar_test::temp_path("nothing")).error().code, ErrorCode::io_failure);
  EXPECT_FALSE(RecordingReader::make(testing::TempDir()).ok());
  EXPECT_EQ(RecordingWriter<2>::make("/nowhere/at/all", "").error().code, ErrorCode::io_failure);
  // A folder comes to stand where the file should be named
  const std::string path = sudar_test::temp_path("folder");
  auto writer = *RecordingWriter<2>::make(path, "");
  std::filesystem::create_directories(path + "/inside");
  EXPECT_EQ(writer.finish().error().code, ErrorCode::io_failure);
  EXPECT_FALSE(std::filesystem::exists(path + ".part0"));
  // It stands there already
  EXPECT_EQ(RecordingWriter<2>::make(path, "").error().code, ErrorCode::io_failure);
  EXPECT_FALSE(std::filesystem::exists(path + ".part0"));
  std::filesystem::remove_all(path);
}

TEST(RecordingFile, ADeviceIsWrittenAndStays) {
  // By a link, so that only the link is lost where this goes wrong
  const std::string path = sudar_test::temp_path("device");
  for (const char* device : {"/dev/null", "/dev/full"}) {
    if (!std::filesystem::exists(device)) continue;
    std::filesystem::create_symlink(device, path);
    {
      auto writer = *RecordingWriter<2>::make(path, "a text");
      EXPECT_EQ(writer.finish().ok(), std::string_view(device) == "/dev/null");
    }
    EXPECT_TRUE(std::filesystem::is_symlink(path));
    EXPECT_FALSE(std::filesystem::exists(path + ".part0"));
    std::filesystem::remove(path);
  }
}

TEST(RecordingFile, AWriterThatIsNotFinishedLeavesNothing) {
  const std::string path = sudar_test::temp_path("unfinished"), other = sudar_test::temp_path("unfinished_too");
  {
    auto writer = *RecordingWriter<2>::make(path, "a text");
    EXPECT_TRUE(std::filesystem::exists(path + ".part0"));
    auto second = *RecordingWriter<2>::make(other, "");
    writer = std::move(second);
    EXPECT_FALSE(std::filesystem::exists(path + ".part0"));
    EXPECT_TRUE(std::filesystem::exists(other + ".part0"));
  }
  EXPECT_FALSE(std::filesystem::exists(other + ".part0"));
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_FALSE(std::filesystem::exists(other));
}

}  // namespace
