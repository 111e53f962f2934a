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
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
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

// Another process that changes files, turn after turn, while they are read again and again
class Meddler {
 public:
  template <class F>
  explicit Meddler(F&& change) : child_(fork()) {
    if (child_ != 0) return;
    for (unsigned turn = 0;; ++turn) change(turn);
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

// At once, or after a moment, in which the other process has its turn also where there is one processor for both
void rest(unsigned turn) {
  if (turn % 4 != 0) usleep(40 * (turn % 4));
}

// In place: cut, written, and more at its end: the worst that can happen to a reader. What comes back was there at some
// time, or is an error.
auto written_over(std::string path, std::string whole, std::string more) {
  return [=](unsigned turn) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    rest(turn);
    file << whole << std::flush;
    rest(turn / 4);
    file << more << std::flush;
    rest(turn / 16);
  };
}

// One after the other has the name. There is always one of them, and nothing that grows.
auto renamed(std::string path, std::vector<std::string> versions) {
  return [=](unsigned turn) {
    const std::string next = path + ".next";
    std::ofstream(next, std::ios::binary | std::ios::trunc) << versions[turn % versions.size()];
    std::rename(next.c_str(), path.c_str());
    rest(turn);
  };
}

// So many times at least, then until all that must be seen was, and no longer than that can take on a machine that is busy
template <class Read>
void read_until_seen(int times, std::initializer_list<const std::size_t*> seen, Read&& read) {
  const auto begun = std::chrono::steady_clock::now();
  const auto all = [&] { return std::all_of(seen.begin(), seen.end(), [](const std::size_t* n) { return *n > 0; }); };
  for (int i = 0; i < times || (!all() && std::chrono::steady_clock::now() - begun < std::chrono::seconds(60)); ++i) {
    read();
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_TRUE(all()) << "nothing changed, or nothing could be read";
}

// A recording of a tower of so many boxes, and the hash of each of its steps
std::uint64_t record_tower(const std::string& path, int boxes, int steps) {
  World<2> world = *World<2>::make();
  sudar_test::add_tower<2>(world, boxes);
  auto writer = *RecordingWriter<2>::make(path, "a tower");
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(writer.add(world).ok());
  EXPECT_TRUE(writer.finish().ok());
  return world.state_hash();
}

// How many bodies there are in all steps, or why the end was not reached
Result<std::size_t> bodies_of(const std::string& path) {
  auto reader = RecordingReader::make(path);
  if (!reader) return reader.error();
  EXPECT_EQ(reader->text(), "a tower");
  std::size_t bodies = 0;
  for (RecordedStep<2> step;; bodies += step.bodies.size()) {
    const auto more = reader->next<2>(step);
    if (!more) return more.error();
    if (!*more) return bodies;
  }
}

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
    const Meddler meddler(written_over(path, *read_whole_file(path), std::string(100000, 'x')));
    ASSERT_TRUE(meddler.started());
    std::size_t whole = 0, refused = 0;
    read_until_seen(400, {&whole, &refused}, [&] {
      const auto array = read_npy(path);
      ++(array ? whole : refused);
      if (!array) return;
      const auto* values = std::get_if<std::vector<double>>(&array->values);
      ASSERT_TRUE(values != nullptr && values->size() == 64 && array->shape == std::vector<std::size_t>{64});
    });
  }
  fs::remove_all(folder);
}

// The same for meshes: one triangle or more, never a part of the last one
TEST(WholeFiles, MeshesThatChangeWhileTheyAreReadAreMeshes) {
  const std::string folder = folder_for("changing_mesh");
  const std::string path = folder + "/file.obj", one = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  std::string many;
  for (int i = 0; i < 2000; ++i) many += "v 0 0 1\nf 1 2 -1\n";
  ASSERT_TRUE(write_whole_file(path, one).ok());
  {
    const Meddler meddler(written_over(path, one, many));
    ASSERT_TRUE(meddler.started());
    std::size_t ones = 0, longer = 0, refused = 0;
    read_until_seen(200, {&ones, &longer, &refused}, [&] {
      const auto file = load_mesh_file(path);
      if (!file) {
        ++refused;
        return;
      }
      std::size_t triangles = 0;
      for (const MeshPart& part : file->parts) {
        ASSERT_TRUE(check_mesh(part.mesh).ok());
        triangles += part.mesh.triangles.size();
      }
      ++(triangles == 1 ? ones : longer);
    });
  }
  fs::remove_all(folder);
}

// Recordings are read step by step: each is one that was written, or an error ends them
TEST(WholeFiles, RecordingsThatChangeWhileTheyAreReadEndInAnError) {
  const std::string folder = folder_for("changing_recording");
  const std::string path = folder + "/file.rec";
  const std::uint64_t hash = record_tower(path, 40, 8);
  {
    const Meddler meddler(written_over(path, *read_whole_file(path), std::string(100000, 'x')));
    ASSERT_TRUE(meddler.started());
    std::size_t whole = 0, refused = 0;
    read_until_seen(200, {&whole, &refused}, [&] {
      auto reader = RecordingReader::make(path);
      if (!reader) {
        ++refused;
        return;
      }
      ASSERT_EQ(reader->text(), "a tower");
      RecordedStep<2> step;
      auto more = reader->next<2>(step);
      for (; more && *more; more = reader->next<2>(step)) {
        ASSERT_EQ(step.hash, hash);
        ASSERT_EQ(step.bodies.size(), 40u);
      }
      ++(more ? whole : refused);
    });
  }
  fs::remove_all(folder);
}

// By a rename there is always one version or the other, of whatever length, and no reader refuses it
TEST(WholeFiles, VersionsThatAreRenamedIntoPlaceAreReadWhole) {
  const std::string folder = folder_for("renamed");
  const std::string text = folder + "/file.txt", array = folder + "/file.npy", recording = folder + "/file.rec";
  std::vector<std::string> texts, arrays, recordings;
  for (const std::size_t size : {std::size_t{100}, std::size_t{20000}}) {
    const std::vector<double> values(size, 1.0);
    const std::size_t shape[] = {size};
    ASSERT_TRUE(write_npy(array, values, shape).ok());
    record_tower(recording, size == 100 ? 2 : 40, 8);
    texts.push_back(std::string(size, 'x'));
    arrays.push_back(*read_whole_file(array));
    recordings.push_back(*read_whole_file(recording));
  }
  ASSERT_TRUE(write_whole_file(text, texts[0]).ok());
  const auto look = [](const std::string& path, const std::vector<std::string>& versions, std::size_t short_one,
                       std::size_t long_one, auto&& read) {
    const Meddler meddler(renamed(path, versions));
    ASSERT_TRUE(meddler.started());
    std::size_t shorts = 0, longs = 0;
    read_until_seen(4000, {&shorts, &longs}, [&] {
      const Result<std::size_t> size = read();
      ASSERT_TRUE(size.ok()) << size.error().message();
      ASSERT_TRUE(*size == short_one || *size == long_one) << *size;
      ++(*size == short_one ? shorts : longs);
    });
  };
  look(text, texts, 100, 20000, [&]() -> Result<std::size_t> {
    const auto bytes = read_whole_file(text);
    if (!bytes) return bytes.error();
    return bytes->size();
  });
  look(array, arrays, 100, 20000, [&]() -> Result<std::size_t> {
    const auto read = read_npy(array);
    if (!read) return read.error();
    return std::get<std::vector<double>>(read->values).size();
  });
  look(recording, recordings, 16, 320, [&] { return bodies_of(recording); });
  fs::remove_all(folder);
}

// A pipe that takes the place of a file between a look at the name and the opening has nobody who writes into it
TEST(WholeFiles, PipesThatAreRenamedIntoPlaceAreRefusedAtOnce) {
  const std::string folder = folder_for("pipes");
  const std::string path = folder + "/file";
  ASSERT_TRUE(write_whole_file(path, "text").ok());
  {
    const Meddler meddler([=](unsigned turn) {
      const std::string next = path + ".next";
      if (turn % 2 == 0)
        mkfifo(next.c_str(), 0600);
      else
        std::ofstream(next) << "text";
      std::rename(next.c_str(), path.c_str());
      if (turn % 16 == 0) rest(turn / 16);
    });
    ASSERT_TRUE(meddler.started());
    // What waits is woken, and then it is an error of another kind
    struct sigaction wake {};
    wake.sa_handler = [](int) {};
    sigaction(SIGALRM, &wake, nullptr);
    const itimerval often{{1, 0}, {1, 0}}, never{};
    setitimer(ITIMER_REAL, &often, nullptr);
    std::size_t texts = 0, refused = 0;
    read_until_seen(40000, {&texts, &refused}, [&] {
      const auto bytes = read_whole_file(path);
      ++(bytes ? texts : refused);
      if (bytes)
        ASSERT_EQ(*bytes, "text");
      else
        ASSERT_STREQ(bytes.error().reason, "it is no regular file");
    });
    setitimer(ITIMER_REAL, &never, nullptr);
    std::signal(SIGALRM, SIG_DFL);
  }
  fs::remove_all(folder);
}
