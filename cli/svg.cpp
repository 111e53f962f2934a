#include "cli/svg.hpp"

#include "cli/text.hpp"

#include <cmath>

namespace sudar_cli {

namespace {
std::string attribute(std::string_view name, double value) {
  std::string digits = fixed(value, 2);
  while (digits.back() == '0') digits.pop_back();
  if (digits.back() == '.') digits.pop_back();
  return ' ' + std::string(name) + "=\"" + digits + '"';
}
std::string styled(std::string_view style) { return " class=\"" + std::string(style) + '"'; }
}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

Svg::Svg(double width, double height, std::string_view label) {
  out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + fixed(width, 0) + ' ' + fixed(height, 0) +
         "\" role=\"img\" aria-label=\"" + escaped(label) + "\">";
}

void Svg::rect(double x, double y, double width, double height, std::string_view style, double radius) {
  out_ += "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", width) + attribute("height", height) +
          (radius > 0 ? attribute("rx", radius) : "") + styled(style) + "/>";
}

void Svg::circle(double x, double y, double radius, std::string_view style, std::string_view title) {
  out_ += "<circle" + attribute("cx", x) + attribute("cy", y) + attribute("r", radius) + styled(style) +
          (title.empty() ? "/>" : "><title>" + escaped(title) + "</title></circle>");
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view style) {
  out_ += "<line" + attribute("x1", x1) + attribute("y1", y1) + attribute("x2", x2) + attribute("y2", y2) +
          styled(style) + "/>";
}

void Svg::path(const std::string& data, std::string_view style) {
  if (!data.empty()) out_ += "<path d=\"" + data + '"' + styled(style) + "/>";
}

void Svg::text(double x, double y, std::string_view text, std::string_view style, std::string_view anchor) {
  out_ += "<text" + attribute("x", x) + attribute("y", y) + styled(style) +
          (anchor == "start" ? "" : " text-anchor=\"" + std::string(anchor) + '"') + '>' + escaped(text) + "</text>";
}

void SvgPath::number(long value, bool first) {
  // A minus sign separates as well as a blank does
  if (!first && value >= 0) data_ += ' ';
  data_ += std::to_string(value);
}

void SvgPath::move(double x, double y) {
  x_ = std::lround(x);
  y_ = std::lround(y);
  data_ += 'M';
  number(x_, true);
  number(y_, false);
}

void SvgPath::draw(double x, double y) {
  const long next_x = std::lround(x), next_y = std::lround(y);
  if (next_y == y_) {
    data_ += 'h';
    number(next_x - x_, true);
  } else if (next_x == x_) {
    data_ += 'v';
    number(next_y - y_, true);
  } else {
    data_ += 'l';
    number(next_x - x_, true);
    number(next_y - y_, false);
  }
  x_ = next_x;
  y_ = next_y;
}

}  // namespace sudar_cli
