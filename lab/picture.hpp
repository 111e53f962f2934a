// What:    A picture as rows of red, green, blue from the top, to and from PNG files; and how much two of them differ.
// Fails:   reading and writing say in one line what went wrong. A picture is written beside its name and moved there, so no
//          half of one is ever found.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sudar::lab {

struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

bool write_png(const std::string& path, const Picture& picture, std::string& why_not);
std::optional<Picture> read_png(const std::string& path, std::string& why_not);

// Share of the pixels that differ by more than `step` (of 255) in a channel; 1 when the sizes differ. A pixel is compared with
// the best of its neighbours as well, so that an edge may lie a pixel aside.
double difference(const Picture& a, const Picture& b, int step);
// Share of the pixels that differ from the commonest colour
double filled_share(const Picture& picture);

}  // namespace sudar::lab
