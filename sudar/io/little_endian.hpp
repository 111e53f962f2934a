// What:    Numbers in binary files, byte by byte: the order of the machine does not matter.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace sudar::detail {

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 1, std::uint8_t,
                                  std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                                     std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

// The caller has made sure that the bytes are there
template <class T>
T read_bytes(std::string_view bytes, std::size_t at, bool big_endian = false) {
  BitsOf<T> bits = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    const auto byte = static_cast<BitsOf<T>>(static_cast<unsigned char>(bytes[at + i]));
    bits = static_cast<BitsOf<T>>(bits | byte << (8 * (big_endian ? sizeof(T) - 1 - i : i)));
  }
  return std::bit_cast<T>(bits);
}

template <class T>
void append_bytes(std::string& out, T value) {
  const auto bits = std::bit_cast<BitsOf<T>>(value);
  for (std::size_t i = 0; i < sizeof(T); ++i) out.push_back(static_cast<char>(bits >> (8 * i) & 0xff));
}

}  // namespace sudar::detail
