// Files that are written beside their names. Oracle: what lies in the folder, and what other names held before.
#include <sudar/io/file_bytes.hpp>
#include <sudar/io/part_file.hpp>
#include <sudar/io/recording_file.hpp>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <tests/support/temp_file.hpp>

#include <filesystem>
#include <functional>
#include <set>

namespace {

using namespace sudar;
namespace fs = std::filesystem;

// The two that write so: a whole file, and one step by step
struct Writer {
  const char* name;
  std::function<Result<void>(const std::string& path)> write;
};
const Writer kWriters[] = {
    {"write_whole_file", [](const std::string& path) { return write_whole_file(path, "new"); }},
    {"RecordingWriter",
     [](const std::string& path) -> Result<void> {
       auto writer = RecordingWriter<2>::make(path, "new");
       if (!writer) return writer.error();
       return writer->finish();
     }},
};

// An empty folder, as long as this object is there
struct Folder {
  std::string path;
  explicit Folder(const std::string& name) : path(sudar_test::temp_path(name)) {
    fs::remove_all(path);
    fs::create_directory(path);
  }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::set<std::string> names() const {
    std::set<std::string> out;
    for (const auto& entry : fs::directory_iterator(path)) out.insert(entry.path().filename().string());
    return out;
  }
};

using Names = std::set<std::string>;

}  // namespace

TEST(PartFile, NothingThatIsThereIsWrittenOver) {
  for (const Writer& writer : kWriters) {
    SCOPED_TRACE(writer.name);
    const Folder folder("beside");
    const std::string path = folder.path + "/file";
    ASSERT_TRUE(write_whole_file(folder.path + "/other", "of another").ok());
    fs::create_symlink("other", path + ".part");
    fs::create_symlink("other", path + ".part0");
    ASSERT_TRUE(write_whole_file(folder.path + "/file.part1x", "mine").ok());
    fs::rename(folder.path + "/file.part1x", path + ".part1");
    ASSERT_TRUE(writer.write(path).ok());
    EXPECT_EQ(folder.names(), (Names{"file", "file.part", "file.part0", "file.part1", "other"}));
    EXPECT_EQ(*read_whole_file(folder.path + "/other"), "of another");
    EXPECT_EQ(*read_whole_file(path + ".part1"), "mine");
    EXPECT_TRUE(fs::is_symlink(path + ".part") && fs::is_symlink(path + ".part0"));
    EXPECT_NE(*read_whole_file(path), "of another");
  }
}

TEST(PartFile, TwoWritersOfOneNameDoNotMeet) {
  const Folder folder("two");
  const std::string path = folder.path + "/file";
  auto one = *PartFile::make(path), two = *PartFile::make(path);
  EXPECT_EQ(folder.names(), (Names{"file.part0", "file.part1"}));
  ASSERT_TRUE(one.write("one").ok() && two.write("two").ok() && one.write(", one").ok());
  ASSERT_TRUE(one.finish().ok());
  EXPECT_EQ(*read_whole_file(path), "one, one");
  ASSERT_TRUE(two.finish().ok());
  EXPECT_EQ(*read_whole_file(path), "two");
  EXPECT_EQ(folder.names(), Names{"file"});
  // Finished once
  EXPECT_FALSE(two.write("more").ok());
  EXPECT_FALSE(two.finish().ok());
  EXPECT_EQ(*read_whole_file(path), "two");
}

TEST(PartFile, LinksStayAlsoThoseThatLeadToNothingYet) {
  for (const Writer& writer : kWriters) {
    SCOPED_TRACE(writer.name);
    const Folder folder("links");
    fs::create_directory(folder.path + "/far");
    ASSERT_TRUE(write_whole_file(folder.path + "/far/real", "old").ok());
    fs::create_symlink("far/real", folder.path + "/link");
    fs::create_symlink("link", folder.path + "/second");
    fs::create_symlink(folder.path + "/far/new", folder.path + "/ahead");
    for (const char* name : {"/second", "/ahead"}) {
      ASSERT_TRUE(writer.write(folder.path + name).ok());
      EXPECT_TRUE(fs::is_symlink(folder.path + name));
      EXPECT_NE(*read_whole_file(folder.path + name), "old");
    }
    EXPECT_EQ(folder.names(), (Names{"ahead", "far", "link", "second"}));
    EXPECT_TRUE(fs::is_symlink(folder.path + "/link"));
    EXPECT_EQ(*read_whole_file(folder.path + "/far/new"), *read_whole_file(folder.path + "/far/real"));
    EXPECT_FALSE(fs::exists(folder.path + "/far/real.part0"));
    // In a circle
    fs::create_symlink("round", folder.path + "/round");
    EXPECT_EQ(writer.write(folder.path + "/round").error().code, ErrorCode::io_failure);
    EXPECT_TRUE(fs::is_symlink(folder.path + "/round"));
  }
}

TEST(PartFile, TheNewFileIsAsPrivateAsTheOld) {
  for (const Writer& writer : kWriters) {
    SCOPED_TRACE(writer.name);
    const Folder folder("private");
    const std::string path = folder.path + "/file";
    ASSERT_TRUE(write_whole_file(path, "old").ok());
    constexpr fs::perms kMine = fs::perms::owner_read | fs::perms::owner_write;
    fs::permissions(path, kMine);
    ASSERT_TRUE(writer.write(path).ok());
    EXPECT_EQ(fs::status(path).permissions(), kMine);
  }
}

// What did not find room is lost, whether or not there is room again when the next is written
TEST(PartFile, AFailureStays) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  auto file = *PartFile::make("/dev/full");
  bool failed = false;
  for (int i = 0; i < 100 && !failed; ++i) failed = !file.write(std::string(10000, 'x')).ok();
  EXPECT_TRUE(failed);
  EXPECT_EQ(file.write("x").error().code, ErrorCode::io_failure);
  EXPECT_EQ(file.finish().error().code, ErrorCode::io_failure);
}

TEST(PartFile, OneThatIsNotFinishedLeavesTheOldFileAndNothingElse) {
  const Folder folder("unfinished");
  const std::string path = folder.path + "/file", other = folder.path + "/other";
  ASSERT_TRUE(write_whole_file(path, "old").ok());
  {
    auto file = *PartFile::make(path);
    ASSERT_TRUE(file.write("new").ok());
    file = *PartFile::make(other);
    EXPECT_EQ(folder.names(), (Names{"file", "other.part0"}));
  }
  EXPECT_EQ(folder.names(), Names{"file"});
  EXPECT_EQ(*read_whole_file(path), "old");
  EXPECT_EQ(PartFile::make(folder.path).error().code, ErrorCode::io_failure);
  EXPECT_EQ(PartFile::make(folder.path + "/none/file").error().code, ErrorCode::io_failure);
}

TEST(PartFile, NamesAsLongAsTheyMayBe) {
  const Folder folder("long");
  const std::string name(255, 'n');
  ASSERT_TRUE(write_whole_file(folder.path + "/" + name, "text").ok());
  EXPECT_EQ(folder.names(), Names{name});
  EXPECT_FALSE(write_whole_file(folder.path + "/" + name + "n", "text").ok());
  EXPECT_EQ(folder.names(), Names{name});
}

TEST(PartFile, WhetherAFileCanBeWrittenIsAskedWithoutWritingOne) {
  const Folder folder("asked");
  const std::string path = folder.path + "/file";
  EXPECT_TRUE(can_write_file(path).ok());
  EXPECT_EQ(folder.names(), Names{});
  ASSERT_TRUE(write_whole_file(path, "old").ok());
  EXPECT_TRUE(can_write_file(path).ok());
  EXPECT_EQ(*read_whole_file(path), "old");
  EXPECT_FALSE(can_write_file(folder.path).ok());
  EXPECT_FALSE(can_write_file(folder.path + "/nowhere/file").ok());
  EXPECT_FALSE(can_write_file(path + "/file").ok());
  // Nobody reads it: opening it would wait
  ASSERT_EQ(mkfifo((folder.path + "/pipe").c_str(), 0600), 0);
  EXPECT_TRUE(can_write_file(folder.path + "/pipe").ok());
  EXPECT_EQ(folder.names(), (Names{"file", "pipe"}));
}
