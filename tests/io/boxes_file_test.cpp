#include "tests/support/temp_file.hpp"
#include <sudar/io/aabbs_file.hpp>
#include <sudar/io/boxes_file.hpp>
#include <sudar/io/npy.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <fstream>

using namespace sudar;

namespace {

Result<BoxesFile> through_npy(const std::vector<double>& values, const std::vector<std::size_t>& shape) {
  const std::string path = sudar_test::temp_path("boxes.npy");
  EXPECT_TRUE(write_npy(path, values, shape).ok());
  auto file = read_boxes(path);
  std::remove(path.c_str());
  if (!file) return file.error();
  if (const auto good = check_boxes(*file); !good) return good.error();
  return file;
}

Error csv_error(const char* text) {
  const auto file = parse_boxes_csv(text);
  if (!file) return file.error();
  const auto good = check_boxes(*file);
  EXPECT_FALSE(good.ok()) << text;
  return good.ok() ? Error{ErrorCode::unsupported} : good.error();
}

}  // namespace

TEST(BoxesFile, ShapesOfNpy) {
  auto file = through_npy({0, 0, 1, 1, 2, 2, 3, 3}, {2, 4});
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->dim, 2);
  EXPECT_EQ(file->frames, 1u);
  EXPECT_EQ(file->boxes, 2u);
  file = through_npy(std::vector<double>(36, 0.5), {3, 2, 6});
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->dim, 3);
  EXPECT_EQ(file->frames, 3u);
  EXPECT_EQ(file->boxes, 2u);
  file = through_npy({}, {0, 6});
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->boxes, 0u);
  EXPECT_EQ(through_npy({0, 0, 1, 1}, {4}).error().code, ErrorCode::bad_format);
  EXPECT_EQ(through_npy({0, 0, 1, 1}, {1, 1, 1, 4}).error().code, ErrorCode::bad_format);
  EXPECT_EQ(through_npy({0, 0, 1, 1, 1}, {1, 5}).error().code, ErrorCode::bad_format);
  EXPECT_EQ(through_npy({}, {0, 4, 6}).error().code, ErrorCode::empty_input);
  EXPECT_EQ(through_npy({}, {4000000000000, 0, 6}).error().code, ErrorCode::bad_format);
}

TEST(BoxesFile, BadBoxesAreNamed) {
  EXPECT_EQ(through_npy({0, 0, 1, 1, 5, 0, 4, 1}, {2, 4}).error(), (Error{ErrorCode::invalid_argument, 1}));
  EXPECT_EQ(through_npy({0, 0, 1, 1, 0, std::nan(""), 4, 1}, {2, 4}).error(), (Error{ErrorCode::non_finite, 1}));
  EXPECT_EQ(through_npy({0, 0, 1, 1, 0, 0, 1, 1, 0, 0, INFINITY, 1}, {3, 1, 4}).error(),
            (Error{ErrorCode::non_finite, 2}));
}

TEST(BoxesFile, Csv) {
  const auto file = parse_boxes_csv("# two boxes\nminx, miny, maxx, maxy\n\n0, 0, 1, 1\r\n+1,-2e0,1.5, 3");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->dim, 2);
  EXPECT_EQ(file->boxes, 2u);
  EXPECT_EQ(std::get<std::vector<double>>(file->values), (std::vector<double>{0, 0, 1, 1, 1, -2, 1.5, 3}));
}

TEST(BoxesFile, CsvNumbersNearZeroAreZero) {
  const std::string zeros(400, '0');
  const auto file =
      parse_boxes_csv("1e-400,-1E-400,0." + zeros + "1,1e-99999999999999999999\n0,0,1" + zeros + "e-400,1");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(std::get<std::vector<double>>(file->values), (std::vector<double>{0, 0, 0, 0, 0, 0, 1, 1}));
  EXPECT_EQ(csv_error(("0,0,1" + zeros + ",1").c_str()), (Error{ErrorCode::non_finite, 0}));
  EXPECT_EQ(csv_error(("0,0,0." + zeros + "1e999,1").c_str()), (Error{ErrorCode::non_finite, 0}));
  EXPECT_EQ(csv_error("0,0,1e+99999999999999999999,1"), (Error{ErrorCode::non_finite, 0}));
}

TEST(BoxesFile, CsvErrorsNameTheRow) {
  EXPECT_EQ(csv_error("").code, ErrorCode::empty_input);
  EXPECT_EQ(csv_error("a,b,c,d\n").code, ErrorCode::empty_input);
  EXPECT_EQ(csv_error("0,0,1,1\n0,0,1\n"), (Error{ErrorCode::bad_format, 1}));
  EXPECT_EQ(csv_error("0,0,1\n"), (Error{ErrorCode::bad_format, 0}));
  EXPECT_EQ(csv_error("0,0,1,1\n0,0,one,1\n"), (Error{ErrorCode::bad_format, 1}));
  EXPECT_EQ(csv_error("0,0,1,1\nx,y,z,w\n"), (Error{ErrorCode::bad_format, 1}));
  EXPECT_EQ(csv_error("0,0,1,1,\n"), (Error{ErrorCode::bad_format, 0}));
  EXPECT_EQ(csv_error("0,0,+-1,1\n"), (Error{ErrorCode::bad_format, 0}));
  EXPECT_EQ(csv_error("0,0,1,1\n0,0,nan,1\n"), (Error{ErrorCode::non_finite, 1}));
  EXPECT_EQ(csv_error("nan,0,1,1\n"), (Error{ErrorCode::non_finite, 0}));
  EXPECT_EQ(csv_error("0,0,inf,1\n"), (Error{ErrorCode::non_finite, 0}));
  EXPECT_EQ(csv_error("0,0,1e999,1\n"), (Error{ErrorCode::non_finite, 0}));
  EXPECT_EQ(csv_error("0,0,1,1\n2,0,1,1\n"), (Error{ErrorCode::invalid_argument, 1}));
}

TEST(BoxesFile, OtherEndingsAndMissingFiles) {
  EXPECT_EQ(read_boxes("boxes.txt").error().code, ErrorCode::unsupported);
  EXPECT_EQ(read_boxes("/no/such/boxes.csv").error().code, ErrorCode::io_failure);
  EXPECT_EQ(read_boxes("/no/such/boxes.npy").error().code, ErrorCode::io_failure);
  const std::string path = sudar_test::temp_path("empty.csv");
  std::ofstream(path).close();
  EXPECT_EQ(read_boxes(path).error().code, ErrorCode::empty_input);
  std::remove(path.c_str());
}

namespace {

// A recording by the layout of its format: 304 bytes, then 32 a box
struct Recording {
  std::vector<std::byte> bytes = std::vector<std::byte>(304);

  Recording(std::uint32_t boxes, std::uint32_t frames) {
    put(256, boxes);
    put(260, frames);
  }
  void put(std::size_t at, std::uint32_t word) {
    for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::byte>(word >> (8 * i) & 0xff);
  }
  void add(std::initializer_list<float> numbers) {
    for (const float x : numbers) {
      bytes.insert(bytes.end(), 4, std::byte{0});
      put(bytes.size() - 4, std::bit_cast<std::uint32_t>(x));
    }
  }
  Error error() const {
    const auto file = parse_aabbs(bytes);
    EXPECT_FALSE(file.ok());
    return file.ok() ? Error{ErrorCode::unsupported} : file.error();
  }
};

}  // namespace

TEST(AabbsFile, FramesOfARecording) {
  Recording recording(2, 2);
  for (const float t : {0.0f, 10.0f}) {
    recording.add({t, 1, 2, 0, t + 1, 2, 3, 0});
    recording.add({t - 5, 1, 2, -0.0f, t, 1, 2.5f, 0});
  }
  auto file = parse_aabbs(recording.bytes);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->dim, 3);
  EXPECT_EQ(file->boxes, 2u);
  EXPECT_EQ(file->frames, 2u);
  EXPECT_EQ(std::get<std::vector<float>>(file->values),
            (std::vector<float>{0, 1, 2, 1, 2, 3, -5, 1, 2, 0, 1, 2.5f, 10, 1, 2, 11, 2, 3, 5, 1, 2, 10, 1, 2.5f}));
  EXPECT_TRUE(check_boxes(*file).ok());
  // The frame before the first step comes on top
  recording.add({0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 0});
  file = parse_aabbs(recording.bytes);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->frames, 3u);
  // By its name
  const std::string path = sudar_test::temp_path("recording.aabbs");
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(recording.bytes.data()),
             static_cast<std::streamsize>(recording.bytes.size()));
  file = read_boxes(path);
  std::remove(path.c_str());
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->frames, 3u);
}

TEST(AabbsFile, CutOffAnywhereItIsRefused) {
  Recording whole(3, 2);
  for (int i = 0; i < 6; ++i) whole.add({0, 0, 0, 0, 1, 1, 1, 0});
  ASSERT_TRUE(parse_aabbs(whole.bytes).ok());
  for (std::size_t size = 0; size < whole.bytes.size(); ++size) {
    Recording cut = whole;
    cut.bytes.assign(whole.bytes.begin(), whole.bytes.begin() + static_cast<std::ptrdiff_t>(size));
    const Error error = cut.error();
    EXPECT_EQ(error.code, ErrorCode::bad_format);
    // The first box that is not all there
    EXPECT_EQ(error.element, size < 304 ? Error::kNoElement : (size - 304) / 32);
  }
  for (const std::size_t more : {1, 31, 32, 97, 128}) {
    Recording longer = whole;
    longer.bytes.insert(longer.bytes.end(), more, std::byte{0});
    EXPECT_EQ(longer.error().code, ErrorCode::bad_format) << more;
  }
}

TEST(AabbsFile, HostileHeadersAndBoxes) {
  const auto with = [](std::size_t at, std::uint32_t word) {
    Recording recording(1, 1);
    recording.add({0, 0, 0, 0, 1, 1, 1, 0});
    recording.put(at, word);
    return recording;
  };
  // Counts that nothing stands behind must not ask for memory
  for (const std::uint32_t count : {0u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
    EXPECT_EQ(with(256, count).error().code, ErrorCode::bad_format) << count;
    EXPECT_EQ(with(260, count).error().code, ErrorCode::bad_format) << count;
  }
  EXPECT_EQ(with(264, 1).error().code, ErrorCode::bad_format);
  EXPECT_EQ(with(268, 1).error().code, ErrorCode::bad_format);
  EXPECT_EQ(with(304 + 12, 1).error(), (Error{ErrorCode::bad_format, 0}));
  EXPECT_EQ(with(304 + 28, 0x7fc00000u).error(), (Error{ErrorCode::bad_format, 0}));
  Recording text(1, 1);
  text.add({0, 0, 0, 0, 1, 1, 1, 0});
  for (std::size_t at = 0; at < 128; at += 4) text.put(at, 0x61616161u);
  EXPECT_EQ(text.error().code, ErrorCode::bad_format);
  // Boxes that are none are named
  auto file = parse_aabbs(with(304 + 4, 0x7f800000u).bytes);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(check_boxes(*file).error(), (Error{ErrorCode::non_finite, 0}));
  file = parse_aabbs(with(304, 0x40000000u).bytes);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(check_boxes(*file).error(), (Error{ErrorCode::invalid_argument, 0}));
}
