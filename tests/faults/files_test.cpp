// Files that cannot be written, that are devices, links and folders, and that change while they are read.
#include "tests/dynamics/world_scenes.hpp"
#include "tests/support/temp_file.hpp"
#include <sudar/geom/mesh.hpp>
#include <sudar/io/file_bytes.hpp>
#include <sudar/io/mesh_file.hpp>
#include <sudar/io/npy.hpp>
#include <sudar/io/recording_file.hpp>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

using namespace sudar;
namespace fs = std::filesystem;

namespace {

std::string folder_for(const char* name) {
  const std::string path = sudar_test::temp_path(name);
  fs::remove_all(path);
  fs::create_directory(path);
  return path;
}
std::size_t entries(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

// Files of this process may grow to so many bytes and no further, as on a disk that is full
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, SIG_DFL);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

 private:
  rlimit before_{};
};

// A file that another process writes and cuts while it is read again and again: what comes back was there at some time, or is
// an error. In place, not by a rename: the worst that can happen to a reader.
class Meddler {
 public:
  Meddler(const std::string& path, const std::string& whole, const std::string& more) : child_(fork()) {
    if (child_ != 0) return;
    for (;;) {
      std::ofstream(path, std::ios::binary | std::ios::trunc) << whole;
      std::ofstream(path, std::ios::binary | std::ios::app) << more;
    }
  }
  ~Meddler() {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  Meddler(const Meddler&) = delete;
  Meddler& operator=(const Meddler&) = delete;
  bool started() const { return child_ > 0; }

 private:
  pid_t child_;
};

}  // namespace

TEST(WholeFiles, AFullDiskLeavesTheOldFileAndNothingElse) {
  const std::string folder = folder_for("full");
  const std::string path = folder + "/file";
  ASSERT_TRUE(write_whole_file(path, "old").ok());
  const std::string large(1 << 16, 'x');
  {
    const SmallDisk disk(1000);
    EXPECT_EQ(write_whole_file(path, large).error().code, ErrorCode::io_failure);
    EXPECT_EQ(write_whole_file(folder + "/other", large).error().code, ErrorCode::io_failure);
    const std::vector<double> values(4096, 1.0);
    const std::size_t shape[] = {4096};
    EXPECT_EQ(write_npy(path, values, shape).error().code, ErrorCode::io_failure);
  }
  EXPECT_EQ(*read_whole_file(path), "old");
  EXPECT_EQ(entries(folder), 1u) << "something half-written was left";
  fs::remove_all(folder);
}

TEST(WholeFiles, DevicesAreWrittenStraight) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  EXPECT_EQ(write_whole_file("/dev/full", "x").error().code, ErrorCode::io_failure);
  EXPECT_TRUE(write_whole_file("/dev/null", "x").ok());
  EXPECT_FALSE(read_whole_file("/dev/zero").ok());
}

TEST(WholeFiles, LinksStayAndFoldersAreRefused) {
  const std::string folder = folder_for("links");
  ASSERT_TRUE(write_whole_file(folder + "/real", "old").ok());
  fs::create_symlink("real", folder + "/link");
  EXPECT_TRUE(write_whole_file(folder + "/link", "new").ok());
  EXPECT_TRUE(fs::is_symlink(folder + "/link"));
  EXPECT_EQ(*read_whole_file(folder + "/real"), "new");
  EXPECT_EQ(write_whole_file(folder, "x").error().code, ErrorCode::io_failure);
  EXPECT_EQ(write_whole_file(folder + "/none/file", "x").error().code, ErrorCode::io_failure);
  EXPECT_EQ(read_whole_file(folder).error().code, ErrorCode::io_failure);
  fs::remove_all(folder);
}

TEST(WholeFiles, PartsAreWrittenOneAfterTheOther) {
  const std::string folder = folder_for("parts");
  const std::string_view parts[] = {"head ", "", "body"};
  ASSERT_TRUE(write_whole_file(folder + "/file", parts).ok());
  EXPECT_EQ(*read_whole_file(folder + "/file"), "head body");
  fs::remove_all(folder);
}

TEST(WholeFiles, WhatChangesWhileItIsReadIsNotBelieved) {
  const std::string folder = folder_for("changing");
  const std::string path = folder + "/file.npy";
  const std::vector<double> few(64, 1.0);
  const std::size_t few_shape[] = {64};
  ASSERT_TRUE(write_npy(path, few, few_shape).ok());
  {
    const Meddler meddler(path, *read_whole_file(path), std::string(100000, 'x'));
    ASSERT_TRUE(meddler.started());
    for (int i = 0; i < 400; ++i) {
      const auto array = read_npy(path);
      if (!array) continue;
      const auto* values = std::get_if<std::vector<double>>(&array->values);
      ASSERT_TRUE(values != nullptr && values->size() == 64 && array->shape == std::vector<std::size_t>{64});
    }
  }
  fs::remove_all(folder);
}

// The same for meshes: one triangle or a hundred more, never a part of the last one
TEST(WholeFiles, MeshesThatChangeWhileTheyAreReadAreMeshes) {
  const std::string folder = folder_for("changing_mesh");
  const std::string path = folder + "/file.obj", one = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  std::string many;
  for (int i = 0; i < 2000; ++i) many += "v 0 0 1\nf 1 2 -1\n";
  ASSERT_TRUE(write_whole_file(path, one).ok());
  {
    const Meddler meddler(path, one, many);
    ASSERT_TRUE(meddler.started());
    for (int i = 0; i < 200; ++i) {
      const auto file = load_mesh_file(path);
      if (!file) continue;
      for (const MeshPart& part : file->parts) ASSERT_TRUE(check_mesh(part.mesh).ok());
    }
  }
  fs::remove_all(folder);
}

// Recordings are read step by step: each is one that was written, or an error ends them
TEST(WholeFiles, RecordingsThatChangeWhileTheyAreReadEndInAnError) {
  const std::string folder = folder_for("changing_recording");
  const std::string path = folder + "/file.rec";
  World<2> world = *World<2>::make();
  sudar_test::add_tower<2>(world, 40);
  {
    auto writer = RecordingWriter<2>::make(path, "a tower");
    ASSERT_TRUE(writer.ok());
    for (int i = 0; i < 8; ++i) ASSERT_TRUE(writer->add(world).ok());
    ASSERT_TRUE(writer->finish().ok());
  }
  std::size_t broken = 0;
  {
    const Meddler meddler(path, *read_whole_file(path), std::string(100000, 'x'));
    ASSERT_TRUE(meddler.started());
    for (int i = 0; i < 200 || (i < 20000 && broken == 0); ++i) {
      auto reader = RecordingReader::make(path);
      if (!reader) {
        ++broken;
        continue;
      }
      ASSERT_EQ(reader->text(), "a tower");
      RecordedStep<2> step;
      auto more = reader->next<2>(step);
      for (; more && *more; more = reader->next<2>(step)) {
        ASSERT_EQ(step.hash, world.state_hash());
        ASSERT_EQ(step.bodies.size(), 40u);
      }
      broken += !more;
    }
  }
  EXPECT_GT(broken, 0u);
  fs::remove_all(folder);
}
