// What:    The HTML report of `sudar check`: one file with the summary, a matrix of parts, a table to sort and filter, and
//          for each clash a view that can be turned.
// Differs: The views are drawn by a small rasteriser in the page (check_html_page.hpp), with a depth buffer for each of the
//          two parts, so that one is seen through the other; no WebGL, no network, the same picture everywhere.
//          Parts of many triangles are shown around the contact only; what is left out is said in the page.
#include "cli/check_html_page.hpp"
#include "cli/check_report.hpp"
#include <sudar/core/info.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace sudar_cli {

namespace {

using Out = nlohmann::ordered_json;
using sudar::Vec3d;

// What keeps a report of thousands of clashes in some tens of megabytes
constexpr std::size_t kMostViews = 300, kMostPartTriangles = 20000, kMostTriangles = 600000, kMostSegments = 4000;

std::string base64(const std::string& bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (i + k < bytes.size() ? static_cast<std::uint8_t>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += i + k <= bytes.size() ? kDigits[word >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}
void add_word(std::string& bytes, std::uint32_t word) {
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(word >> shift & 255);
}

// Triangles as corners of float, little-endian, seen from `origin`
class TriangleBytes {
 public:
  explicit TriangleBytes(const Vec3d& origin) : origin_(origin) {}
  void add(const Vec3d& p) {
    for (int k = 0; k < 3; ++k) add_word(bytes_, std::bit_cast<std::uint32_t>(static_cast<float>(p[k] - origin_[k])));
  }
  void add(const sudar::Triangle<3, double>& t) {
    for (int k = 0; k < 3; ++k) add(t[k]);
    ++count_;
  }
  std::size_t count() const { return count_; }
  std::string text() const { return base64(bytes_); }

 private:
  Vec3d origin_;
  std::string bytes_;
  std::size_t count_ = 0;
};

double diagonal(const sudar::Aabb3d& box) { return length(box.hi - box.lo); }

// The triangles of a large part around the contact
TriangleBytes around(const CheckPart& part, const sudar::Aabb3d& contact, const Vec3d& origin) {
  double reach = 0.75 * std::max(diagonal(contact), 0.05 * diagonal(part.mesh->bounds()));
  for (;; reach /= 2) {
    TriangleBytes out(origin);
    const Vec3d grow{reach, reach, reach};
    const sudar::Aabb3d near{contact.lo - grow, contact.hi + grow};
    for (std::uint32_t t = 0; t < part.mesh->triangle_count() && out.count() <= kMostPartTriangles; ++t) {
      const auto corners = part.mesh->triangle(t);
      const sudar::Aabb3d box{min(corners.a, min(corners.b, corners.c)), max(corners.a, max(corners.b, corners.c))};
      if (overlap(box, near)) out.add(corners);
    }
    if (out.count() <= kMostPartTriangles || reach < 1e-12 * diagonal(part.mesh->bounds())) return out;
  }
}

std::string curves_of(const CheckReport& report, const Clash& clash, const Vec3d& origin) {
  TriangleBytes out(origin);
  // Who pressed Ctrl-C does not wait for lines
  if (clash.type == ClashType::clearance || clash.type == ClashType::duplicate || report.interrupted) return "";
  const auto meet = contact_of(report.input.parts[clash.a], report.input.parts[clash.b], clash.type == ClashType::self,
                               kMostSegments);
  if (!meet) return "";
  std::size_t segments = 0;
  for (const sudar::MeshPair& pair : meet->pairs)
    for (std::uint32_t i = 1; i < pair.count && segments < kMostSegments; ++i, ++segments) {
      out.add(meet->points[pair.first + i - 1]);
      out.add(meet->points[pair.first + i]);
    }
  return out.text();
}

// JSON inside of a script element must not end it
void add_safe_json(std::string& out, std::string_view json) {
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
}

}  // namespace

std::string check_html(const CheckReport& report) {
  // What a person can look through; the JSON of --format json has all
  constexpr std::size_t kRowsOfParts = 2000, kRowsOfClashes = 10000;
  return check_html(report, check_json(report, kRowsOfParts, kRowsOfClashes));
}

std::string check_html(const CheckReport& report, Out data) {
  sudar::Aabb3d all = sudar::Aabb3d::empty();
  for (const CheckPart& part : report.input.parts) all = merge(all, part.mesh->bounds());
  const Vec3d origin = center(all);
  // The larger part of the page: by number of the part, written without another copy in between
  std::map<std::uint32_t, std::string> shapes;
  // Of the worst: unknown depths first, then deep ones, then what is inside, last what is near
  std::vector<std::size_t> order(report.search.clashes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto weight = [&](std::size_t i) {
    const Clash& clash = report.search.clashes[i];
    if (clash.distance) return -*clash.distance;
    return clash.depth ? *clash.depth : std::numeric_limits<double>::infinity();
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return weight(x) > weight(y); });
  std::size_t embedded = 0, views = 0;
  for (const std::size_t i : order) {
    if (views >= kMostViews || embedded >= kMostTriangles) break;
    if (i >= data["clashes"].size()) continue;
    const Clash& clash = report.search.clashes[i];
    Out view;
    for (const auto& [key, part] : {std::pair("a", clash.a), std::pair("b", clash.b)}) {
      if (clash.type == ClashType::self && *key == 'b') continue;
      const CheckPart& body = report.input.parts[part];
      if (body.mesh->triangle_count() > kMostPartTriangles) {
        const TriangleBytes near = around(body, clash.bounds, origin);
        embedded += near.count();
        view[key] = near.text();
        view["cut"] = true;
        continue;
      }
      view[std::string(key) + "_part"] = std::to_string(part);
      if (shapes.contains(part)) continue;
      TriangleBytes whole(origin);
      for (std::uint32_t t = 0; t < body.mesh->triangle_count(); ++t) whole.add(body.mesh->triangle(t));
      embedded += whole.count();
      shapes[part] = whole.text();
    }
    view["curves"] = curves_of(report, clash, origin);
    view["point"] = Out::array({clash.point.x - origin.x, clash.point.y - origin.y, clash.point.z - origin.z});
    view["size"] = diagonal(clash.bounds);
    data["clashes"][i]["view"] = std::move(view);
    ++views;
  }
  data["views"] = views;
  data["all_clashes"] = std::max(report.search.clashes.size() + report.resolved.size(), data["clashes"].size());
  const std::string json = data.dump(-1, ' ', false, Out::error_handler_t::replace);
  data = nullptr;
  std::size_t size = sizeof kCheckPage + json.size() + json.size() / 8;
  for (const auto& [part, text] : shapes) size += text.size() + 16;
  // The page around its marks, one after another
  std::string_view rest = kCheckPage;
  std::string page;
  page.reserve(size);
  const auto copy_to = [&](std::string_view mark) {
    const std::size_t at = rest.find(mark);
    page += rest.substr(0, at);
    rest.remove_prefix(at + mark.size());
  };
  copy_to("@VERSION@");
  page += sudar::build_info().version;
  copy_to("@DATA@");
  // All but the brace at its end
  add_safe_json(page, std::string_view(json).substr(0, json.size() - 1));
  page += ",\"shapes\":{";
  for (auto& [part, text] : shapes) {
    if (page.back() != '{') page += ',';
    page += '"' + std::to_string(part) + "\":\"";
    page += std::exchange(text, {});
    page += '"';
  }
  page += "}}";
  page += rest;
  return page;
}

}  // namespace sudar_cli
