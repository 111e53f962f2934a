// What:    A small writer of inline SVG: shapes carry a class, colours come from the page's style.
#pragma once

#include <string>
#include <string_view>

namespace sudar_cli {

// &, <, > and quotes as entities
std::string escaped(std::string_view text);

class Svg {
 public:
  // `label` is what a screen reader says
  Svg(double width, double height, std::string_view label);

  void rect(double x, double y, double width, double height, std::string_view style, double radius = 0);
  void circle(double x, double y, double radius, std::string_view style, std::string_view title = {});
  void line(double x1, double y1, double x2, double y2, std::string_view style);
  void path(const std::string& data, std::string_view style);
  // anchor: "start", "middle" or "end"
  void text(double x, double y, std::string_view text, std::string_view style, std::string_view anchor = "start");
  std::string finish() const { return out_ + "</svg>"; }

 private:
  std::string out_;
};

// The d attribute of a path, in whole units to keep pages small
class SvgPath {
 public:
  void move(double x, double y);
  // To an absolute place, written as a step from the last one
  void draw(double x, double y);
  void close() { data_ += 'z'; }
  bool empty() const { return data_.empty(); }
  const std::string& data() const { return data_; }

 private:
  void number(long value, bool first);

  std::string data_;
  long x_ = 0, y_ = 0;
};

}  // namespace sudar_cli
