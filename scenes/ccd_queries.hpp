// What:    Queries of four linearly moving points, vertex against face or edge against edge, for the tests and the
//          benchmark: random ones, ones on a lattice, where touching and degenerate cases abound, near misses of those,
//          and the public ones with known answers.
// Source:  Wang et al., "A large-scale benchmark and an inclusion-based algorithm for continuous collision detection",
//          2021, for the format of the public queries: 8 rows a query, 4 points at t = 0 and then at t = 1, each coordinate
//          a numerator and a denominator, and the truth.
// Fails:   a file that is not there gives no queries; a row that is not as described, or a number that is not a double,
//          ends the reading with `bad` set.
#pragma once

#include <sudar/core/random.hpp>
#include <sudar/math/vec.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace sudar_scenes {

using MovingPoints = std::array<sudar::Vec3d, 4>;

struct CcdQuery {
  bool edges = false;  // edge against edge
  MovingPoints start{}, end{};
  bool hit = false;  // the truth, when it came with the query
};

enum class CcdKind {
  random,       // uniform in a cube, any motion
  close,        // small primitives next to each other, small motion: like those that a broad phase leaves
  lattice,      // whole numbers of -2 … 2
  flat,         // the same, all in one plane that stands still
  line,         // the same, all on one line
  slanted,      // a lattice in a plane that moves and turns
  nudged,       // lattice and flat, some numbers moved by a few units in the last place
  translating,  // one whole moves without turning
  wide,         // some numbers 2^500 times smaller or larger than the others; not among kAllCcdKinds
};
inline constexpr std::array kAllCcdKinds = {CcdKind::random, CcdKind::close,   CcdKind::lattice, CcdKind::flat,
                                            CcdKind::line,   CcdKind::slanted, CcdKind::nudged,  CcdKind::translating};

inline CcdQuery make_ccd_query(CcdKind kind, bool edges, sudar::Random& random) {
  using sudar::Vec3d;
  CcdQuery q;
  q.edges = edges;
  const auto whole = [&] { return static_cast<double>(random.below(5)) - 2; };
  const auto uniform = [&](double r) {
    return Vec3d{random.uniform(-r, r), random.uniform(-r, r), random.uniform(-r, r)};
  };
  const auto each = [&](auto&& make) {
    for (auto* set : {&q.start, &q.end})
      for (auto& p : *set) p = make();
  };
  switch (kind) {
    case CcdKind::random:
      each([&] { return uniform(1); });
      break;
    case CcdKind::close:
      for (std::size_t i = 0; i < 4; ++i) {
        q.start[i] = uniform(1);
        q.end[i] = q.start[i] + uniform(0.5);
      }
      break;
    case CcdKind::lattice:
      each([&] { return Vec3d{whole(), whole(), whole()}; });
      break;
    case CcdKind::nudged:
    case CcdKind::flat: {
      const double a = whole(), b = whole(), c = whole();
      each([&] {
        const double x = whole(), y = whole();
        return Vec3d{x, y, a * x + b * y + c};
      });
      if (kind == CcdKind::nudged && random.coin()) each([&] { return Vec3d{whole(), whole(), whole()}; });
      break;
    }
    case CcdKind::line: {
      const Vec3d d{whole(), whole(), whole()}, o{whole(), whole(), whole()};
      each([&] { return o + d * whole(); });
      break;
    }
    case CcdKind::slanted: {
      // Four points of one plane at both ends, and between when the plane only turns about a line of it
      const double a = whole(), c = whole(), d = whole();
      for (auto* set : {&q.start, &q.end})
        for (auto& p : *set) {
          const double x = whole(), y = whole();
          p = {x, y, (set == &q.start ? a : c) * y + d};
        }
      for (std::size_t i = 0; i < 4; ++i) q.end[i].x = q.start[i].x, q.end[i].y = q.start[i].y;
      for (std::size_t i = 0; i < 4; ++i) q.end[i].z = c * q.end[i].y + d;
      if (random.coin())
        for (std::size_t i = 0; i < 4; ++i) q.end[i].x += whole();
      break;
    }
    case CcdKind::wide: {
      const bool small = random.coin();
      each([&] {
        Vec3d p;
        for (int k = 0; k < 3; ++k) {
          p[k] = small ? whole() : random.uniform(-1, 1);
          if (random.below(3) == 0)
            p[k] = std::ldexp(p[k], (random.coin() ? -1 : 1) * static_cast<int>(random.below(501)));
        }
        return p;
      });
      break;
    }
    case CcdKind::translating: {
      each([&] { return Vec3d{whole(), whole(), whole()}; });
      const Vec3d move{whole(), whole(), whole()};
      const std::size_t others = edges ? 2 : 1;
      for (std::size_t i = 0; i < 4; ++i) q.end[i] = i < others ? q.start[i] : q.start[i] + move;
      break;
    }
  }
  if (kind == CcdKind::nudged)
    for (int n = static_cast<int>(random.below(4)); n >= 0; --n) {
      auto& p = (random.coin() ? q.start : q.end)[random.below(4)];
      const int k = static_cast<int>(random.below(3));
      const double sign = random.coin() ? 1 : -1;
      p[k] = p[k] == 0 ? sign * std::ldexp(1, -52 - static_cast<int>(random.below(20)))
                       : p[k] + sign * static_cast<double>(1 + random.below(3)) * std::fabs(p[k]) * 0x1p-52;
    }
  return q;
}

// Exact as long as nothing under- or overflows
inline CcdQuery scaled(CcdQuery q, int exponent) {
  for (auto* set : {&q.start, &q.end})
    for (auto& p : *set)
      for (int k = 0; k < 3; ++k) p[k] = std::ldexp(p[k], exponent);
  return q;
}
// Rounds: the truth may change
inline CcdQuery translated(CcdQuery q, const sudar::Vec3d& by) {
  for (auto* set : {&q.start, &q.end})
    for (auto& p : *set) p = p + by;
  return q;
}

struct CcdFile {
  std::string name;
  std::vector<CcdQuery> queries;
  bool bad = false;
};

// numerator / denominator, a power of two, as a double; false when that is not exact
inline bool dyadic_ratio(const std::string& numerator, const std::string& denominator, double& x) {
  // A decimal integer of any length as a double, and whether it is one
  const auto parse = [](const std::string& text, double& value) {
    std::vector<std::uint32_t> limb;  // least first
    const std::size_t begin = !text.empty() && text[0] == '-' ? 1 : 0;
    if (begin == text.size()) return false;
    for (std::size_t i = begin; i < text.size(); ++i) {
      if (text[i] < '0' || text[i] > '9') return false;
      std::uint64_t carry = static_cast<std::uint64_t>(text[i] - '0');
      for (auto& l : limb) {
        carry += std::uint64_t{l} * 10;
        l = static_cast<std::uint32_t>(carry);
        carry >>= 32;
      }
      if (carry != 0) limb.push_back(static_cast<std::uint32_t>(carry));
    }
    int lowest = -1, highest = 0;
    value = 0;
    for (std::size_t i = limb.size(); i-- > 0;) {
      value += std::ldexp(static_cast<double>(limb[i]), static_cast<int>(32 * i));
      if (limb[i] == 0) continue;
      lowest = static_cast<int>(32 * i) + std::countr_zero(limb[i]);
      highest = std::max(highest, static_cast<int>(32 * i) + static_cast<int>(std::bit_width(limb[i])));
    }
    if (begin == 1) value = -value;
    return highest - std::max(lowest, 0) <= 53;
  };
  double n = 0, d = 0;
  if (!parse(numerator, n) || !parse(denominator, d)) return false;
  int exponent = 0;
  if (d <= 0 || std::frexp(d, &exponent) != 0.5) return false;
  x = n / d;
  return std::isfinite(x);
}

// The name says whether they are of two edges
inline CcdFile read_ccd_queries(std::istream& in, const std::string& name) {
  CcdFile file;
  file.name = name;
  const bool edges = file.name.ends_with("edge-edge");
  CcdQuery q;
  std::size_t row = 0;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    std::array<std::string, 7> field;
    std::size_t n = 0;
    for (const char c : line) {
      if (c == ',')
        ++n;
      else if (n < 7)
        field[n] += c;
    }
    auto& p = (row % 8 < 4 ? q.start : q.end)[row % 4];
    bool good = n == 6 && (field[6] == "0" || field[6] == "1");
    for (int k = 0; k < 3 && good; ++k)
      good = dyadic_ratio(field[static_cast<std::size_t>(2 * k)], field[static_cast<std::size_t>(2 * k + 1)], p[k]);
    if (!good) {
      file.bad = true;
      return file;
    }
    q.edges = edges;
    q.hit = field[6] == "1";
    if (++row % 8 == 0) file.queries.push_back(q);
  }
  file.bad = row % 8 != 0;
  return file;
}

inline CcdFile read_ccd_file(const std::filesystem::path& path) {
  std::ifstream in(path);
  return read_ccd_queries(in, path.stem().string());
}

// By name; none when the folder is not there
inline std::vector<CcdFile> read_ccd_folder(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".csv") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<CcdFile> files;
  for (const auto& path : paths) files.push_back(read_ccd_file(path));
  return files;
}

}  // namespace sudar_scenes
