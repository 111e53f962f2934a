// Memory that runs out at every point of what reads and writes files: a typed error, no file half-written, no leak. Readers of
// JSON are not here: the library beneath them asks for memory where it throws values away (docs/guarantees.md).
#include "tests/dynamics/world_scenes.hpp"
#include "tests/faults/failing_new.hpp"
#include "tests/support/temp_file.hpp"
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/io/aabbs_file.hpp>
#include <sudar/io/file_bytes.hpp>
#include <sudar/io/mesh_file.hpp>
#include <sudar/io/npy.hpp>
#include <sudar/io/recording_file.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

using namespace sudar;
using namespace sudar_test;

namespace {

template <class Attempt>
void fail_reader(const char* name, Attempt attempt) {
  SCOPED_TRACE(name);
  EXPECT_GT(fail_everywhere(attempt), 0u);
}

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

// A recording of so many boxes and frames, as Broadmark writes them
std::string aabbs_text(std::uint32_t boxes, std::uint32_t frames) {
  std::string text(256, '\0');
  const std::uint32_t counts[] = {boxes, frames, 0, 0};
  text.append(reinterpret_cast<const char*>(counts), sizeof counts);
  const float box[] = {0, 0, 0, 0, 1, 1, 1, 0};
  for (std::uint32_t i = 0; i < 1 + boxes * frames; ++i) text.append(reinterpret_cast<const char*>(box), sizeof box);
  return text;
}

template <int D>
World<D> short_tower() {
  World<D> world = *World<D>::make({.broadphase = "sap"});
  add_floor<D>(world);
  add_tower<D>(world, 5);
  return world;
}

// A whole run into a file and back
template <int D>
Result<void> write_run(const std::string& path, World<D>& world) {
  auto writer = RecordingWriter<D>::make(path, "a run");
  if (!writer) return writer.error();
  for (int i = 0; i < 3; ++i)
    if (const auto added = writer->add(world); !added) return added;
  return writer->finish();
}
template <int D>
Result<std::size_t> read_run(const std::string& path) {
  auto reader = RecordingReader::make(path);
  if (!reader) return reader.error();
  RecordedStep<D> step;
  for (std::size_t steps = 0;; ++steps) {
    const auto more = reader->template next<D>(step);
    if (!more) return more.error();
    if (!*more) return steps;
  }
}

template <int D>
void fail_recordings() {
  World<D> world = short_tower<D>();
  const std::string path = temp_path("faults" + std::to_string(D) + ".rec");
  EXPECT_GT(fail_everywhere([&] { return std::remove(path.c_str()); }, [&](int) { return write_run<D>(path, world); },
                            [&](int) {
                              EXPECT_FALSE(std::filesystem::exists(path)) << "a half file under the final name";
                              EXPECT_FALSE(std::filesystem::exists(path + ".part0"));
                            }),
            0u);
  std::remove(path.c_str());
  ASSERT_TRUE(write_run<D>(path, world).ok());
  fail_reader("RecordingReader", [&] { return read_run<D>(path); });

  // A step that did not fit into memory is not half in the file: it can be put in again, and so can the end
  struct Begun {
    RecordingWriter<D> writer;
  };
  const auto begun = [&] { return Begun{*RecordingWriter<D>::make(path, "a run")}; };
  EXPECT_GT(fail_everywhere(
                begun, [&](Begun& b) { return b.writer.add(world); },
                [&](Begun& b) {
                  ASSERT_TRUE(b.writer.add(world).ok());
                  ASSERT_TRUE(b.writer.add(world).ok());
                  ASSERT_TRUE(b.writer.finish().ok());
                  const auto steps = read_run<D>(path);
                  ASSERT_TRUE(steps.ok()) << steps.error().message();
                  EXPECT_EQ(*steps, 2u);
                }),
            0u);
  std::remove(path.c_str());
}

}  // namespace

TEST(AllocationFailure, RecordingsInFiles2) { fail_recordings<2>(); }
TEST(AllocationFailure, RecordingsInFiles3) { fail_recordings<3>(); }

TEST(AllocationFailure, ReadersOfFiles) {
  const Mesh cube = *box_mesh({1, 1, 1});
  const MeshPart parts[] = {{"one", cube}, {"two", cube}};
  for (const char* ending : {".ply", ".obj", ".stl"}) {
    const std::string path = temp_path(std::string("faults") + ending);
    fail_reader("save_mesh_file", [&] { return save_mesh_file(path, parts); });
    ASSERT_TRUE(save_mesh_file(path, parts).ok());
    fail_reader("load_mesh_file", [&] { return load_mesh_file(path); });
    std::remove(path.c_str());
  }
  fail_reader("ascii stl", [] {
    return parse_mesh_file(
        bytes_of("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
                 "endloop\nendfacet\nendsolid a\n"),
        "a.stl");
  });
  fail_reader("off",
              [] { return parse_mesh_file(bytes_of("OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n"), "a.off"); });
  fail_reader("ply", [] {
    return parse_mesh_file(
        bytes_of("ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
                 "z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n"
                 "3 0 1 2\n"),
        "a.ply");
  });
  fail_reader("csv", [] { return parse_boxes_csv("0,0,1,1\n1,1,2,2\n"); });
  const std::string recording = aabbs_text(4, 3);
  fail_reader("aabbs", [&] { return parse_aabbs(bytes_of(recording)); });
  const std::string boxes = temp_path("faults.aabbs");
  fail_reader("write_whole_file", [&] { return write_whole_file(boxes, recording); });
  ASSERT_TRUE(write_whole_file(boxes, recording).ok());
  fail_reader("read_boxes of aabbs", [&] { return read_boxes(boxes); });
  std::remove(boxes.c_str());
  const std::string path = temp_path("faults.npy");
  const std::vector<double> values(12, 1.0);
  const std::size_t shape[] = {2, 6};
  fail_reader("write_npy", [&] { return write_npy(path, values, shape); });
  ASSERT_TRUE(write_npy(path, values, shape).ok());
  fail_reader("read_npy", [&] { return read_npy(path); });
  fail_reader("read_boxes", [&] { return read_boxes(path); });
  fail_reader("read_whole_file", [&] { return read_whole_file(path); });
  std::remove(path.c_str());
}
