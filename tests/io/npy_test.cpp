#include "tests/support/seed.hpp"
#include "tests/support/temp_file.hpp"
#include <sudar/core/random.hpp>
#include <sudar/io/npy.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

using namespace sudar;
using sudar_test::campaign_seed;

namespace {

std::string file_of(const std::string& dict, const std::string& data, char major = 1) {
  std::string text = "\x93NUMPY";
  text += major;
  text += '\0';
  text += static_cast<char>(dict.size() & 0xff);
  text += static_cast<char>(dict.size() >> 8);
  if (major > 1) text += std::string(2, '\0');
  return text + dict + data;
}

Result<NpyArray> parsed(const std::string& text) {
  return parse_npy({reinterpret_cast<const std::byte*>(text.data()), text.size()});
}

ErrorCode code_of(const std::string& text) {
  const auto array = parsed(text);
  EXPECT_FALSE(array.ok());
  return array.ok() ? ErrorCode::empty_input : array.error().code;
}

std::string dict(const std::string& descr, const std::string& order, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

}  // namespace

TEST(Npy, ReadsWhatItWrites) {
  const std::string path = sudar_test::temp_path("array.npy");
  const std::vector<float> floats = {1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<double> doubles = {0.1, 0.2, 0.3, 0.4};
  const std::vector<std::uint32_t> words = {1, 2, 3, 4, 5, 6};
  const std::size_t three[] = {2, 1, 4}, one[] = {4};
  ASSERT_TRUE(write_npy(path, floats, three).ok());
  auto array = read_npy(path);
  ASSERT_TRUE(array.ok());
  EXPECT_EQ(array->shape, (std::vector<std::size_t>{2, 1, 4}));
  EXPECT_EQ(std::get<std::vector<float>>(array->values), floats);
  ASSERT_TRUE(write_npy(path, doubles, one).ok());
  array = read_npy(path);
  ASSERT_TRUE(array.ok());
  EXPECT_EQ(std::get<std::vector<double>>(array->values), doubles);
  ASSERT_TRUE(write_npy(path, words, 3).ok());
  array = read_npy(path);
  ASSERT_TRUE(array.ok());
  EXPECT_EQ(array->shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(std::get<std::vector<std::uint32_t>>(array->values), words);
  ASSERT_TRUE(write_npy(path, std::span<const std::uint32_t>{}, 2).ok());
  array = read_npy(path);
  ASSERT_TRUE(array.ok());
  EXPECT_EQ(array->shape, (std::vector<std::size_t>{0, 2}));
  std::remove(path.c_str());
}

TEST(Npy, RefusesToWriteShapesThatDoNotFit) {
  const std::string path = sudar_test::temp_path("wrong.npy");
  const std::vector<float> four(4);
  const std::vector<std::uint32_t> six(6);
  const std::size_t wrong[] = {2, 3}, huge[] = {std::size_t{1} << 63, 4}, deep[] = {1, 1, 1, 1, 1, 1, 1, 1, 4};
  EXPECT_EQ(write_npy(path, four, wrong).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(write_npy(path, four, huge).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(write_npy(path, four, deep).error().code, ErrorCode::unsupported);
  EXPECT_EQ(write_npy(path, six, 4).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(write_npy(path, six, 0).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(read_npy(path).error().code, ErrorCode::io_failure);  // nothing was written
}

TEST(Npy, AllThreeVersions) {
  const std::string data(16, '\0');
  for (const char version : {'\x01', '\x02', '\x03'})
    EXPECT_TRUE(parsed(file_of(dict("<f4", "False", "(1, 4)"), data, version)).ok());
}

TEST(Npy, RefusesWhatItCannotRead) {
  const std::string data(16, '\0');
  EXPECT_EQ(code_of(file_of(dict("<f4", "True", "(1, 4)"), data)), ErrorCode::unsupported);
  EXPECT_EQ(code_of(file_of(dict(">f4", "False", "(1, 4)"), data)), ErrorCode::unsupported);
  EXPECT_EQ(code_of(file_of(dict("<i4", "False", "(1, 4)"), data)), ErrorCode::unsupported);
  EXPECT_EQ(code_of(file_of(dict("|O", "False", "(1, 4)"), data)), ErrorCode::unsupported);
  EXPECT_EQ(code_of(file_of("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (4,), }", data)),
            ErrorCode::unsupported);
  EXPECT_EQ(code_of(file_of(dict("<f4", "False", "(1, 4)"), data, 9)), ErrorCode::unsupported);
  EXPECT_EQ(code_of(file_of(dict("<f4", "False", "(1,1,1,1,1,1,1,1,4)"), data)), ErrorCode::unsupported);
  EXPECT_EQ(read_npy("/no/such/file.npy").error().code, ErrorCode::io_failure);
  EXPECT_EQ(read_npy("/tmp").error().code, ErrorCode::io_failure);
  EXPECT_EQ(write_npy("/no/such/folder/x.npy", std::span<const std::uint32_t>{}, 2).error().code,
            ErrorCode::io_failure);
}

TEST(Npy, RefusesHeadersThatLie) {
  const std::string data(16, '\0');
  EXPECT_EQ(code_of(""), ErrorCode::bad_format);
  EXPECT_EQ(code_of("hello, world, this is no array"), ErrorCode::bad_format);
  EXPECT_EQ(code_of(file_of(dict("<f4", "False", "(1, 5)"), data)), ErrorCode::bad_format);
  EXPECT_EQ(code_of(file_of(dict("<f4", "False", "(1, 3)"), data)), ErrorCode::bad_format);
  EXPECT_EQ(code_of(file_of(dict("<f4", "False", "(1000000000000, 4)"), data)), ErrorCode::bad_format);
  EXPECT_EQ(code_of(file_of(dict("<f4", "False", "(18446744073709551615, 4)"), data)), ErrorCode::too_large);
  EXPECT_EQ(code_of(file_of(dict("<f4", "False", "(99999999999999999999999, 4)"), data)), ErrorCode::too_large);
  EXPECT_EQ(code_of(file_of(dict("<f4", "False", "(-1, 4)"), data)), ErrorCode::bad_format);
  EXPECT_EQ(code_of(file_of(dict("<f4", "Maybe", "(1, 4)"), data)), ErrorCode::bad_format);
  EXPECT_EQ(code_of(file_of("{'descr': '<f4'}", data)), ErrorCode::bad_format);
  EXPECT_EQ(code_of(file_of("", data)), ErrorCode::bad_format);
  EXPECT_EQ(code_of(file_of("{'descr': '<f4", data)), ErrorCode::bad_format);
}

// Damage every byte and cut at every place: an answer or an error, never a crash (also under the sanitizers)
TEST(Npy, DamagedFilesAreAnsweredNotTrusted) {
  const std::string good = file_of(dict("<f4", "False", "(1, 4)"), std::string(16, 'x'));
  ASSERT_TRUE(parsed(good).ok());
  for (std::size_t cut = 0; cut < good.size(); ++cut) EXPECT_FALSE(parsed(good.substr(0, cut)).ok());
  Random random(campaign_seed(1));
  for (int round = 0; round < 20000; ++round) {
    std::string bad = good;
    for (std::uint64_t k = random.below(3) + 1; k > 0; --k)
      bad[random.below(bad.size() - 16)] = static_cast<char>(random.next());
    const auto array = parsed(bad);
    if (!array.ok()) continue;
    EXPECT_LE(std::visit([](const auto& v) { return v.size(); }, array->values), 4u);
  }
}
