// What:    Numbers as bytes of a snapshot and back: little-endian on every machine; into a list, or into a hash alone.
// Fails:   a source that has come to its end gives zeros and says so, with the byte.
#pragma once

#include <sudar/core/hash.hpp>
#include <sudar/math/pose.hpp>

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

// Writes to a list; may throw bad_alloc
class ByteSink {
 public:
  explicit ByteSink(std::vector<std::uint8_t>& bytes) : bytes_(bytes) {}
  void put(std::uint8_t x) {
    bytes_.push_back(x);
    hash_.add_byte(x);
  }
  std::uint64_t hash() const noexcept { return hash_.value(); }

 private:
  std::vector<std::uint8_t>& bytes_;
  Hash64 hash_;
};
// Keeps nothing but the hash
class HashSink {
 public:
  void put(std::uint8_t x) noexcept { hash_.add_byte(x); }
  std::uint64_t hash() const noexcept { return hash_.value(); }

 private:
  Hash64 hash_;
};

template <class Sink>
struct NumberWriter {
  Sink& sink;

  void operator()(const bool& x) { sink.put(x ? 1 : 0); }
  void operator()(const std::uint8_t& x) { sink.put(x); }
  void operator()(const std::uint32_t& x) {
    for (int shift = 0; shift < 32; shift += 8) sink.put(static_cast<std::uint8_t>(x >> shift));
  }
  void operator()(const std::uint64_t& x) {
    for (int shift = 0; shift < 64; shift += 8) sink.put(static_cast<std::uint8_t>(x >> shift));
  }
  void operator()(const double& x) { (*this)(std::bit_cast<std::uint64_t>(x)); }
};

class NumberReader {
 public:
  explicit NumberReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  void operator()(bool& x) {
    const std::uint8_t byte = next();
    x = byte != 0;
    if (byte > 1) fail();
  }
  void operator()(std::uint8_t& x) { x = next(); }
  void operator()(std::uint32_t& x) {
    x = 0;
    for (int shift = 0; shift < 32; shift += 8) x |= std::uint32_t{next()} << shift;
  }
  void operator()(std::uint64_t& x) {
    x = 0;
    for (int shift = 0; shift < 64; shift += 8) x |= std::uint64_t{next()} << shift;
  }
  void operator()(double& x) {
    std::uint64_t bits = 0;
    (*this)(bits);
    x = std::bit_cast<double>(bits);
  }
  // A count of things that take at least `least` bytes each; 0 when there cannot be as many
  std::size_t count(std::size_t least) {
    std::uint64_t n = 0;
    (*this)(n);
    if (n > (bytes_.size() - at_) / least) {
      fail();
      return 0;
    }
    return static_cast<std::size_t>(n);
  }

  bool failed() const noexcept { return failed_; }
  void fail() noexcept { failed_ = true; }
  std::size_t at() const noexcept { return at_; }
  bool at_end() const noexcept { return at_ == bytes_.size(); }

 private:
  std::uint8_t next() noexcept {
    if (at_ < bytes_.size()) return bytes_[at_++];
    failed_ = true;
    return 0;
  }

  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

// The numbers of larger things, one after another, for a writer or a reader
template <class F, class T>
void fields(F& f, BasicVec2<T>& v) {
  f(v.x), f(v.y);
}
template <class F, class T>
void fields(F& f, BasicVec3<T>& v) {
  f(v.x), f(v.y), f(v.z);
}
template <class F, int D>
void fields(F& f, Pose<D, double>& pose) {
  fields(f, pose.position);
  if constexpr (D == 2)
    f(pose.rotation.c), f(pose.rotation.s);
  else
    f(pose.rotation.w), f(pose.rotation.x), f(pose.rotation.y), f(pose.rotation.z);
}

}  // namespace sudar
