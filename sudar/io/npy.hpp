// What:    Arrays in NumPy's .npy files: little-endian float32, float64 and uint32 in C order.
// Source:  NumPy Enhancement Proposal 1, format versions 1.0, 2.0 and 3.0.
// Differs: Nothing in a file is trusted: the shape must agree with the size of the file before memory is asked for.
// Fails:   io_failure when the file cannot be read or written; bad_format when it is not what it says; unsupported for
//          Fortran order, big-endian, other kinds of numbers and more than 8 dimensions; invalid_argument for a shape
//          that does not match what is to be written. The reason says which.
#pragma once

#include <sudar/core/result.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace sudar {

struct NpyArray {
  std::vector<std::size_t> shape;
  std::variant<std::vector<float>, std::vector<double>, std::vector<std::uint32_t>> values;
};

SUDAR_API Result<NpyArray> read_npy(const std::string& path);
// The same from memory
SUDAR_API Result<NpyArray> parse_npy(std::span<const std::byte> bytes);

// Rows of `columns` numbers each
SUDAR_API Result<void> write_npy(const std::string& path, std::span<const std::uint32_t> values, std::size_t columns);
SUDAR_API Result<void> write_npy(const std::string& path, std::span<const float> values,
                                 std::span<const std::size_t> shape);
SUDAR_API Result<void> write_npy(const std::string& path, std::span<const double> values,
                                 std::span<const std::size_t> shape);

}  // namespace sudar
