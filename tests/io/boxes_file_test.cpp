#include "tests/support/temp_file.hpp"
#include <sudar/io/boxes_file.hpp>
#include <sudar/io/npy.hpp>

#include <gtest/gtest.h>

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
