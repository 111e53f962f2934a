#include "cli/pictures.hpp"

#include "cli/svg.hpp"
#include "cli/text.hpp"

#include <algorithm>
#include <cmath>

namespace sudar_cli {

namespace {

constexpr double kSize = 1000;  // of a scene's picture

// So large that it would hide the others: drawn last, as glass
constexpr float kGiantEdge = 0.3f;

const char* style_of(const Snapshot& snapshot, const Snapshot::Item& item) {
  float least = 1;
  for (std::size_t k = 0; k < static_cast<std::size_t>(snapshot.dim); ++k)
    least = std::min(least, item.hi[k] - item.lo[k]);
  if (least > kGiantEdge) return "giant";
  if (item.overlaps) return "hit";
  return item.fixed ? "fix" : "box";
}
constexpr const char* kStyles[] = {"fix", "box", "hit", "giant"};

// The world and a little around it
std::string picture2(const Snapshot& snapshot, const std::string& label) {
  constexpr double kMargin = 0.04, kScale = kSize / (1 + 2 * kMargin);
  const auto sx = [](double x) { return (x + kMargin) * kScale; };
  const auto sy = [](double y) { return kSize - (y + kMargin) * kScale; };
  Svg svg(kSize, kSize, label);
  svg.rect(sx(0), sy(1), kScale, kScale, "world");
  for (const char* style : kStyles) {
    SvgPath path;
    for (const Snapshot::Item& item : snapshot.items) {
      if (std::string_view(style_of(snapshot, item)) != style) continue;
      path.move(sx(item.lo[0]), sy(item.lo[1]));
      path.draw(sx(item.hi[0]), sy(item.lo[1]));
      path.draw(sx(item.hi[0]), sy(item.hi[1]));
      path.draw(sx(item.lo[0]), sy(item.hi[1]));
      path.close();
    }
    svg.path(path.data(), style);
  }
  return svg.finish();
}

// Seen from (1, 1, 1): the faces at the upper ends of x, y and z are visible
struct Projection {
  static constexpr double kCos30 = 0.8660254037844386, kScale = kSize / 2.12;
  static double x(double px, double py) { return kSize / 2 + (px - py) * kCos30 * kScale; }
  static double y(double px, double py, double pz) { return kSize / 2 + ((px + py) * 0.5 - pz) * kScale; }
};

struct Corner {
  double x, y, z;
};

void add_face(SvgPath& path, std::initializer_list<Corner> corners) {
  bool first = true;
  for (const Corner& c : corners) {
    const double x = Projection::x(c.x, c.y), y = Projection::y(c.x, c.y, c.z);
    first ? path.move(x, y) : path.draw(x, y);
    first = false;
  }
  path.close();
}

std::string picture3(const Snapshot& snapshot, const std::string& label) {
  Svg svg(kSize, kSize, label);
  SvgPath room;
  add_face(room, {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}});
  add_face(room, {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}});
  add_face(room, {{0, 0, 0}, {0, 1, 0}, {0, 1, 1}, {0, 0, 1}});
  svg.path(room.data(), "world");

  // From far to near, in layers
  constexpr std::size_t kLayers = 128;
  std::vector<std::vector<const Snapshot::Item*>> layers(kLayers);
  for (const Snapshot::Item& item : snapshot.items) {
    double depth = 0;
    for (std::size_t k = 0; k < 3; ++k) depth += 0.5 * (static_cast<double>(item.lo[k]) + item.hi[k]) / 3;
    const bool giant = std::string_view(style_of(snapshot, item)) == "giant";
    const double layer = giant ? kLayers - 1 : std::clamp(depth, 0.0, 1.0) * (kLayers - 1);
    layers[static_cast<std::size_t>(layer)].push_back(&item);
  }
  for (const auto& layer : layers) {
    for (const char* style : kStyles) {
      SvgPath top, left, right;
      for (const Snapshot::Item* item : layer) {
        if (std::string_view(style_of(snapshot, *item)) != style) continue;
        const auto& [x0, y0, z0] = item->lo;
        const auto& [x1, y1, z1] = item->hi;
        add_face(top, {{x0, y0, z1}, {x1, y0, z1}, {x1, y1, z1}, {x0, y1, z1}});
        add_face(left, {{x0, y1, z0}, {x1, y1, z0}, {x1, y1, z1}, {x0, y1, z1}});
        add_face(right, {{x1, y0, z0}, {x1, y1, z0}, {x1, y1, z1}, {x1, y0, z1}});
      }
      const bool glass = std::string_view(style) == "giant";
      svg.path(right.data(), style + std::string(glass ? "" : " r"));
      svg.path(left.data(), style + std::string(glass ? "" : " l"));
      svg.path(top.data(), style + std::string(glass ? "" : " t"));
    }
  }
  return svg.finish();
}

}  // namespace

std::string series_style(std::size_t i) { return "s" + std::to_string(i % kSeriesCount); }

std::string scene_picture(const Snapshot& snapshot, const std::string& label) {
  return snapshot.dim == 2 ? picture2(snapshot, label) : picture3(snapshot, label);
}

std::string bar_chart(const TourStop& stop) {
  constexpr double kWidth = 280, kRow = 26, kLabel = 100, kValue = 68;
  double longest = 0;
  for (const TourTime& time : stop.times) longest = std::max(longest, time.median_ms);
  Svg svg(kWidth, kRow * static_cast<double>(stop.times.size()),
          "time of a step in " + stop.scene + " under each broad phase");
  for (std::size_t i = 0; i < stop.times.size(); ++i) {
    const TourTime& time = stop.times[i];
    const double y = kRow * static_cast<double>(i);
    const double length = longest > 0 ? time.median_ms / longest * (kWidth - kLabel - kValue) : 0;
    const bool fastest = i == stop.fastest;
    svg.text(kLabel - 8, y + 17, time.algorithm, fastest ? "label best" : "label", "end");
    svg.rect(kLabel, y + 5, std::max(length, 2.0), kRow - 10, series_style(i), 3);
    svg.text(kLabel + std::max(length, 2.0) + 7, y + 17, three_digits(time.median_ms) + " ms",
             fastest ? "value best" : "value");
  }
  return svg.finish();
}

std::string overview_chart(const Tour& tour) {
  constexpr double kWidth = 1300, kRow = 27, kLeft = 138, kRight = 24, kTop = 12, kBottom = 44;
  double low = 1e30, high = 0;
  for (const TourStop& stop : tour.stops)
    for (const TourTime& time : stop.times) {
      low = std::min(low, time.median_ms);
      high = std::max(high, time.median_ms);
    }
  // Whole decades around the data
  const double first = std::floor(std::log10(low)), last = std::max(std::ceil(std::log10(high)), first + 1);
  const double bottom = kTop + kRow * static_cast<double>(tour.stops.size());
  const auto at = [&](double log) { return kLeft + (log - first) / (last - first) * (kWidth - kLeft - kRight); };
  Svg svg(kWidth, bottom + kBottom, "time of a step of every scene under every broad phase, on a logarithmic axis");
  for (double decade = first; decade <= last; ++decade) {
    for (int k = 2; decade < last && k < 10; ++k) {
      const double x = at(decade + std::log10(k));
      svg.line(x, kTop, x, bottom, "fine");
    }
    svg.line(at(decade), kTop, at(decade), bottom, "axis");
    std::string name = fixed(std::pow(10, decade), decade < 0 ? static_cast<int>(-decade) : 0);
    svg.text(at(decade), bottom + 17, name, "tick", "middle");
  }
  svg.text((kLeft + kWidth - kRight) / 2, bottom + 36, "ms a step (median, lower is better)", "tick", "middle");
  for (std::size_t s = 0; s < tour.stops.size(); ++s) {
    const TourStop& stop = tour.stops[s];
    const double y = kTop + kRow * (static_cast<double>(s) + 0.5);
    const auto [least, most] = std::minmax_element(
        stop.times.begin(), stop.times.end(), [](const auto& a, const auto& b) { return a.median_ms < b.median_ms; });
    svg.text(kLeft - 38, y + 4, stop.scene, "label", "end");
    svg.text(kLeft - 12, y + 4, stop.dim == 2 ? "2D" : "3D", "tick", "end");
    svg.line(at(std::log10(least->median_ms)), y, at(std::log10(most->median_ms)), y, "span");
    for (std::size_t i = stop.times.size(); i-- > 0;)
      svg.circle(at(std::log10(stop.times[i].median_ms)), y, i == stop.fastest ? 7 : 5.5, series_style(i),
                 stop.times[i].algorithm + ": " + three_digits(stop.times[i].median_ms) + " ms");
  }
  return svg.finish();
}

}  // namespace sudar_cli
