#include "scenes/registry.hpp"

#include <gtest/gtest.h>

using namespace sudar;
using scenes::explain;
using scenes::parse;

TEST(SceneSpec, ReadsNameAndParameters) {
  const auto spec = parse("  cluster  n=10000 speed=0.2\tseed=7 dim=2 ");
  ASSERT_TRUE(spec.ok());
  EXPECT_EQ(spec->scene().name, "cluster");
  EXPECT_EQ(spec->count(), 10000u);
  EXPECT_EQ((*spec)["speed"], 0.2);
  EXPECT_EQ(spec->seed(), 7u);
  EXPECT_EQ(spec->dim(), 2);
  EXPECT_EQ((*spec)["period"], 2);
}

TEST(SceneSpec, TextReadsBackAsTheSame) {
  for (const auto& entry : scenes::all()) {
    const auto spec = parse(std::string(entry.name) + " n=17 seed=3 speed=0.30000000000000004");
    ASSERT_TRUE(spec.ok());
    const auto again = parse(spec->text());
    ASSERT_TRUE(again.ok()) << spec->text();
    EXPECT_EQ(again->text(), spec->text());
    for (const auto& p : spec->parameters()) EXPECT_EQ((*again)[p.key], p.value);
  }
}

TEST(SceneSpec, ErrorsNameTheWord) {
  struct Case {
    const char* text;
    ErrorCode code;
    std::size_t element;
  };
  const Case cases[] = {
      {"", ErrorCode::empty_input, Error::kNoElement},    {"   ", ErrorCode::empty_input, Error::kNoElement},
      {"clustr n=5", ErrorCode::unknown_id, 0},           {"cluster size=5", ErrorCode::unknown_id, 1},
      {"cluster size=huge", ErrorCode::unknown_id, 1},    {"cluster n=5 ratio=0.5", ErrorCode::unknown_id, 2},
      {"cluster n", ErrorCode::invalid_argument, 1},      {"cluster n=", ErrorCode::invalid_argument, 1},
      {"cluster n=5x", ErrorCode::invalid_argument, 1},   {"cluster n=0", ErrorCode::invalid_argument, 1},
      {"cluster n=-3", ErrorCode::invalid_argument, 1},   {"cluster n=1.5", ErrorCode::invalid_argument, 1},
      {"cluster n=1e30", ErrorCode::invalid_argument, 1}, {"cluster n=1e999", ErrorCode::invalid_argument, 1},
      {"cluster dim=4", ErrorCode::invalid_argument, 1},  {"cluster n=5 n=6", ErrorCode::invalid_argument, 2},
      {"cluster speed=nan", ErrorCode::non_finite, 1},    {"cluster speed=inf", ErrorCode::non_finite, 1},
      {"cluster = n=5", ErrorCode::unknown_id, 1},
  };
  for (const Case& c : cases) {
    const auto spec = parse(c.text);
    ASSERT_FALSE(spec.ok()) << c.text;
    EXPECT_EQ(spec.error(), (Error{c.code, c.element})) << c.text;
    const std::string line = explain(c.text, spec.error());
    EXPECT_FALSE(line.empty());
    EXPECT_EQ(line.find('\n'), std::string::npos);
  }
  EXPECT_NE(explain("clustr", parse("clustr").error()).find("uniform"), std::string::npos);
  EXPECT_NE(explain("giant n=0", parse("giant n=0").error()).find("n takes whole numbers from 1"), std::string::npos);
  EXPECT_NE(explain("giant x=0", parse("giant x=0").error()).find("ratio"), std::string::npos);
}
