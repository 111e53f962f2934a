// What:    A 64-bit hash of bytes that anyone can recompute: golden states, pair lists, files.
// Source:  Fowler, Noll, Vo: FNV-1a, 64 bits (Eastlake et al., RFC 9923).
// Differs: Integers go in as little-endian bytes on every platform.
#pragma once

#include <sudar/core/config.hpp>

#include <cstdint>

namespace sudar {

class Hash64 {
 public:
  constexpr void add_byte(std::uint8_t byte) { value_ = (value_ ^ byte) * 0x100000001b3u; }
  constexpr void add(std::uint32_t word) {
    for (int shift = 0; shift < 32; shift += 8) add_byte(static_cast<std::uint8_t>(word >> shift));
  }
  constexpr void add(std::uint64_t word) {
    add(static_cast<std::uint32_t>(word));
    add(static_cast<std::uint32_t>(word >> 32));
  }
  constexpr std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace sudar
