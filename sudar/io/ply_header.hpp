// What:    The header of a PLY file: which elements there are, how many of each, and what a row of each holds.
// Fails:   bad_format with the line; unsupported for another version.
#pragma once

#include <sudar/core/result.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace sudar::detail {

enum class PlyType : std::uint8_t { int8, uint8, int16, uint16, int32, uint32, float32, float64 };
enum class PlyEncoding : std::uint8_t { ascii, little_endian, big_endian };

constexpr std::size_t size_of(PlyType type) {
  constexpr std::size_t kSizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
  return kSizes[static_cast<std::size_t>(type)];
}
constexpr bool is_integer(PlyType type) { return type < PlyType::float32; }

// Names point into the file
struct PlyProperty {
  std::string_view name;
  PlyType type = PlyType::int8;
  bool is_list = false;
  PlyType count_type = PlyType::uint8;  // of a list
};

struct PlyElement {
  std::string_view name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;
  std::size_t line = 0;
};

struct PlyHeader {
  PlyEncoding encoding = PlyEncoding::ascii;
  std::vector<PlyElement> elements;
  std::size_t body = 0;   // where it begins
  std::size_t lines = 0;  // of the header
};

Result<PlyHeader> parse_ply_header(std::string_view text);

}  // namespace sudar::detail
