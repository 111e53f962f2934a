// What:    Public files of moving points, as text: what is read of them, and what ends the reading.
// Oracle:  the numbers that were written.
#include "scenes/ccd_queries.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>

namespace {

using sudar_scenes::CcdFile;
using sudar_scenes::read_ccd_queries;

// One query whose coordinates are all the same
CcdFile read_eight_rows(const std::string& numerator, const std::string& denominator,
                        const char* name = "0-vertex-face") {
  const std::string number = numerator + "," + denominator + ",";
  std::string text;
  for (int row = 0; row < 8; ++row) text += number + number + number + "1\n";
  std::istringstream lines(text);
  return read_ccd_queries(lines, name);
}
std::string power_of_two(int exponent) {
  std::ostringstream text;
  text.precision(0);
  text << std::fixed << std::ldexp(1.0, exponent);
  return text.str();
}

TEST(CcdFiles, NumbersAreReadToTheLastDigit) {
  const CcdFile file = read_eight_rows("-9007199254740991", power_of_two(60));
  ASSERT_FALSE(file.bad);
  ASSERT_EQ(file.queries.size(), 1u);
  EXPECT_EQ(file.queries[0].start[3].y, std::ldexp(-9007199254740991.0, -60));
  EXPECT_EQ(file.queries[0].end[0].z, std::ldexp(-9007199254740991.0, -60));
  EXPECT_TRUE(file.queries[0].hit);
  EXPECT_FALSE(file.queries[0].edges);
  EXPECT_TRUE(read_eight_rows("1", "1", "0-edge-edge").queries[0].edges);
  EXPECT_EQ(read_eight_rows(power_of_two(1023), "1").queries.at(0).start[0].x, 0x1p1023);
  EXPECT_EQ(read_eight_rows("3", power_of_two(1023)).queries.at(0).start[0].x, std::ldexp(3.0, -1023));
}

TEST(CcdFiles, NumbersThatAreNoDoublesEndTheReading) {
  const std::string beyond = power_of_two(1023) + "0000";
  EXPECT_TRUE(read_eight_rows("9007199254740993", "1").bad);
  EXPECT_TRUE(read_eight_rows("1", "3").bad);
  EXPECT_TRUE(read_eight_rows("1", "0").bad);
  EXPECT_TRUE(read_eight_rows("1", "-2").bad);
  EXPECT_TRUE(read_eight_rows("", "1").bad);
  EXPECT_TRUE(read_eight_rows("1e3", "1").bad);
  EXPECT_TRUE(read_eight_rows("1", beyond).bad);
  // Few bits, and beyond the largest
  EXPECT_TRUE(read_eight_rows(beyond, "1").bad);
  EXPECT_TRUE(read_eight_rows("-" + beyond, power_of_two(4)).bad);
}

}  // namespace
