#include <sudar/io/aabbs_file.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace sudar {

namespace {

constexpr std::size_t kName = 128;                  // bytes of each of the two names
constexpr std::size_t kCounts = 2 * kName;          // where the four integers are
constexpr std::size_t kHeader = kCounts + 16 + 32;  // with the box of the world
constexpr std::size_t kBox = 32;                    // bytes of a box

std::uint32_t word_at(std::span<const std::byte> bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word |= std::to_integer<std::uint32_t>(bytes[at + i]) << (8 * i);
  return word;
}

float float_at(std::span<const std::byte> bytes, std::size_t at) { return std::bit_cast<float>(word_at(bytes, at)); }

bool is_text(std::span<const std::byte> bytes) {
  return std::find(bytes.begin(), bytes.end(), std::byte{0}) != bytes.end();
}

constexpr Error bad(const char* reason, std::size_t element = Error::kNoElement) {
  return {ErrorCode::bad_format, element, reason};
}

}  // namespace

Result<BoxesFile> parse_aabbs(std::span<const std::byte> bytes) {
  return guarded([&]() -> Result<BoxesFile> {
    if (bytes.size() < kHeader) return bad("the file ends before the first frame");
    if (!is_text(bytes.first(kName)) || !is_text(bytes.subspan(kName, kName)))
      return bad("the file does not begin with two names, so it is no recording");
    const std::uint32_t boxes = word_at(bytes, kCounts), frames = word_at(bytes, kCounts + 4);
    constexpr std::uint32_t kMost = 0x7fffffffu;  // counts have a sign
    if (boxes == 0 || frames == 0 || boxes > kMost || frames > kMost)
      return bad("the numbers of boxes and frames must be positive");
    if (word_at(bytes, kCounts + 8) != 0 || word_at(bytes, kCounts + 12) != 0)
      return bad("what follows the counts must be zero");

    // Products of two counts below 2^31 fit
    const std::uint64_t rows = (bytes.size() - kHeader) / kBox;
    const std::uint64_t least = std::uint64_t{boxes} * frames, most = least + boxes;
    if (rows < least || (rows > least && rows < most))
      return bad("the file ends early: the box is not all there", static_cast<std::size_t>(rows));
    if (rows > most || (bytes.size() - kHeader) % kBox != 0) return bad("the file goes on after its last frame");

    BoxesFile file;
    file.dim = 3;
    file.boxes = boxes;
    file.frames = static_cast<std::size_t>(rows / boxes);
    std::vector<float> values;
    values.reserve(static_cast<std::size_t>(rows) * 6);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t corner = 0; corner < 2; ++corner) {
        const std::size_t at = kHeader + row * kBox + corner * (kBox / 2);
        for (std::size_t k = 0; k < 3; ++k) values.push_back(float_at(bytes, at + 4 * k));
        if (float_at(bytes, at + 12) != 0) return bad("the fourth number of a corner must be zero", row);
      }
    file.values = std::move(values);
    return file;
  });
}

}  // namespace sudar
