#include "lab/picture.hpp"

#include <sudar/io/file_bytes.hpp>

#include <stb/stb_image.h>
#include <stb/stb_image_write.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string_view>

namespace sudar::lab {

bool write_png(const std::string& path, const Picture& picture, std::string& why_not) {
  // stb's own writing to files does not notice a full disk
  struct Target {
    const std::string& path;
    bool written;
  } target{path, false};
  const auto save = [](void* context, void* bytes, int size) {
    Target& to = *static_cast<Target*>(context);
    const std::string_view png(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
    to.written = write_whole_file(to.path, png).ok();
  };
  const int made =
      stbi_write_png_to_func(save, &target, picture.width, picture.height, 3, picture.rgb.data(), 3 * picture.width);
  if (made != 0 && target.written) return true;
  why_not = "cannot write " + path;
  return false;
}

std::optional<Picture> read_png(const std::string& path, std::string& why_not) {
  Picture picture;
  int channels = 0;
  unsigned char* bytes = stbi_load(path.c_str(), &picture.width, &picture.height, &channels, 3);
  if (bytes == nullptr) {
    why_not = "cannot read " + path;
    return std::nullopt;
  }
  picture.rgb.assign(bytes, bytes + std::size_t{3} * static_cast<std::size_t>(picture.width) *
                                        static_cast<std::size_t>(picture.height));
  stbi_image_free(bytes);
  return picture;
}

double difference(const Picture& a, const Picture& b, int step) {
  if (a.width != b.width || a.height != b.height) return 1;
  const auto at = [](const Picture& p, int x, int y) {
    return p.rgb.data() + std::size_t{3} * (static_cast<std::size_t>(y) * static_cast<std::size_t>(p.width) +
                                            static_cast<std::size_t>(x));
  };
  // Whether some pixel of q around (x, y) is near that of p there
  const auto matched = [&](const Picture& p, const Picture& q, int x, int y) {
    const std::uint8_t* own = at(p, x, y);
    for (int v = std::max(y - 1, 0); v <= std::min(y + 1, q.height - 1); ++v)
      for (int u = std::max(x - 1, 0); u <= std::min(x + 1, q.width - 1); ++u) {
        const std::uint8_t* other = at(q, u, v);
        if (std::abs(own[0] - other[0]) <= step && std::abs(own[1] - other[1]) <= step &&
            std::abs(own[2] - other[2]) <= step)
          return true;
      }
    return false;
  };
  std::size_t different = 0;
  for (int y = 0; y < a.height; ++y)
    for (int x = 0; x < a.width; ++x) different += matched(a, b, x, y) && matched(b, a, x, y) ? 0 : 1;
  return static_cast<double>(different) / std::max(1, a.width * a.height);
}

double filled_share(const Picture& picture) {
  std::map<std::uint32_t, std::size_t> counts;
  for (std::size_t i = 0; i + 2 < picture.rgb.size(); i += 3)
    ++counts[(std::uint32_t{picture.rgb[i]} << 16) | (std::uint32_t{picture.rgb[i + 1]} << 8) | picture.rgb[i + 2]];
  std::size_t most = 0, all = 0;
  for (const auto& [color, count] : counts) most = std::max(most, count), all += count;
  return all == 0 ? 0 : static_cast<double>(all - most) / static_cast<double>(all);
}

}  // namespace sudar::lab
