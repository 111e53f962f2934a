#include "bench/sdf_picture.hpp"

#include <sudar/core/random.hpp>
#include <sudar/io/file_bytes.hpp>
#include <sudar/queries/shortest_path2.hpp>
#include <sudar/sdf/field_csg.hpp>
#include <sudar/sdf/polygon_field.hpp>
#include <sudar/sdf/shape_field.hpp>
#include <sudar/shapes/compound2.hpp>

#include <cstdio>
#include <sstream>
#include <vector>

namespace sudar_bench {

namespace {

constexpr double kScale = 100, kWidth = 640, kHeight = 480;  // pixels a metre; of the picture

// The line where the field has a value, cell by cell: two crossings of the cell's border make a piece
std::string level_line(const sudar::DistanceField2& field, double level) {
  std::string out;
  const auto n = field.grid().samples;
  for (std::uint32_t j = 0; j + 1 < n[1]; ++j)
    for (std::uint32_t i = 0; i + 1 < n[0]; ++i) {
      const sudar::GridIndex<2> corner[] = {{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}};
      std::vector<sudar::Vec2d> crossing;
      for (int k = 0; k < 4; ++k) {
        const double a = field.at(corner[k]) - level, b = field.at(corner[(k + 1) % 4]) - level;
        if ((a < 0) == (b < 0)) continue;
        crossing.push_back(
            lerp(field.grid().position(corner[k]), field.grid().position(corner[(k + 1) % 4]), a / (a - b)));
      }
      for (std::size_t k = 0; k + 1 < crossing.size(); k += 2) {
        char text[96];
        const sudar::Vec2d step = (crossing[k + 1] - crossing[k]) * kScale;
        std::snprintf(text, sizeof text, "M%.1f %.1fl%.1f %.1f", kWidth / 2 + kScale * crossing[k].x,
                      kHeight / 2 - kScale * crossing[k].y, step.x, -step.y);
        out += text;
      }
    }
  return out;
}

}  // namespace

bool write_field_picture(const std::string& file) {
  // A star and a ball as one body, a bar taken out of it
  std::vector<sudar::Vec2d> star;
  for (int i = 0; i < 10; ++i) {
    const sudar::SinCos angle = sudar::sin_cos(2 * sudar::kPi * i / 10 + 0.3);
    const double r = i % 2 == 0 ? 1.7 : 0.75;
    star.push_back({r * angle.cos - 0.7, r * angle.sin});
  }
  const sudar::FieldGrid2 grid = *sudar::fit_grid(sudar::Aabb2d{{-3.2, -2.4}, {3.2, 2.4}}, 121, 0);
  sudar::FieldOptions options;
  options.band = 1;
  const sudar::CompoundChild2 ball[] = {{*sudar::make_circle2(1.1), {{1.2, 0.1}, {}}}};
  const sudar::CompoundChild2 bar[] = {{*sudar::make_box2({0.9, 0.18}), {{1.4, 0.1}, sudar::Rot2d::from_angle(0.5)}}};
  const auto star_field = sudar::make_polygon_field(std::span(&star, 1), grid, options);
  const auto ball_field = sudar::make_shape_field(*sudar::make_compound2(ball), grid, options);
  const auto bar_field = sudar::make_shape_field(*sudar::make_compound2(bar), grid, options);
  if (!star_field || !ball_field || !bar_field) return false;
  const auto both = field_union(*star_field, *ball_field);
  if (!both) return false;
  const auto field = field_difference(*both, *bar_field);
  if (!field) return false;

  std::ostringstream out;
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << kWidth << ' ' << kHeight
      << "\" role=\"img\" aria-label=\"Lines of equal distance around and inside a star joined with a disc from which "
         "a "
         "bar is cut\">\n<rect width=\""
      << kWidth << "\" height=\"" << kHeight << "\" fill=\"#fbfaf7\"/>\n<g fill=\"none\">\n";
  for (int i = -9; i <= 9; ++i) {
    const bool surface = i == 0;
    out << "<path d=\"" << level_line(*field, 0.1 * i) << "\" stroke=\""
        << (surface ? "#1b1b1b"
            : i > 0 ? "#2f6f9f"
                    : "#b5482f")
        << "\" stroke-width=\"" << (surface ? 2.4 : 0.9) << "\" stroke-opacity=\""
        << (surface ? 1.0 : 1 - 0.08 * (i > 0 ? i : -i)) << "\"/>\n";
  }
  out << "</g>\n<g stroke=\"#555\" stroke-width=\"1\">\n";
  // Places and the points of the surface that the field gives for them
  for (const sudar::Vec2d p :
       {sudar::Vec2d{-2.4, 1.5}, {-0.4, 1.8}, {2.3, 1.2}, {0.4, -1.0}, {-1.0, 0.2}, {1.0, -0.45}}) {
    const auto near = field->closest(p);
    if (!near.found) continue;
    const auto x = [](const sudar::Vec2d& q) { return kWidth / 2 + kScale * q.x; };
    const auto y = [](const sudar::Vec2d& q) { return kHeight / 2 - kScale * q.y; };
    out << "<line x1=\"" << x(p) << "\" y1=\"" << y(p) << "\" x2=\"" << x(near.point) << "\" y2=\"" << y(near.point)
        << "\"/><circle cx=\"" << x(p) << "\" cy=\"" << y(p) << "\" r=\"3\" fill=\"#fff\"/><circle cx=\""
        << x(near.point) << "\" cy=\"" << y(near.point) << "\" r=\"2.5\" fill=\"#555\"/>\n";
  }
  out << "</g>\n</svg>\n";
  return sudar::write_whole_file(file, out.str()).ok();
}

bool write_path_picture(const std::string& file) {
  // An angle that slides without turning between boxes and boulders
  const std::vector<sudar::ConvexPart2> robot = {{{-0.18, -0.18}, {0.18, -0.18}, {0.18, -0.06}, {-0.18, -0.06}},
                                                 {{-0.18, -0.18}, {-0.06, -0.18}, {-0.06, 0.22}, {-0.18, 0.22}}};
  std::vector<sudar::ConvexPart2> obstacles = {{{-1.9, -2.4}, {-1.6, -2.4}, {-1.6, 0.9}, {-1.9, 0.9}},
                                               {{-0.5, -0.9}, {-0.2, -0.9}, {-0.2, 2.4}, {-0.5, 2.4}},
                                               {{1.2, -2.4}, {1.5, -2.4}, {1.5, 0.2}, {1.2, 0.2}}};
  sudar::Random random(12);
  for (const sudar::Vec2d middle :
       {sudar::Vec2d{-2.4, -0.7}, {-1.0, 1.9}, {0.5, -0.3}, {0.5, 1.7}, {2.3, 1.2}, {-2.7, 1.5}, {0.4, -1.8}}) {
    sudar::ConvexPart2 points;
    for (int i = 0; i < 9; ++i) {
      const sudar::SinCos angle = sudar::sin_cos(2 * sudar::kPi * random.uniform());
      points.push_back(middle + sudar::Vec2d{angle.cos, angle.sin} * random.uniform(0.2, 0.34));
    }
    const auto hull = sudar::dilate(std::span(&points, 1), std::vector<sudar::Vec2d>{{0, 0}});
    if (hull) obstacles.push_back(hull->front());
  }
  const auto space = sudar::make_free_space2(
      robot, obstacles, std::vector<sudar::Vec2d>{{-3.2, -2.4}, {3.2, -2.4}, {3.2, 2.4}, {-3.2, 2.4}});
  if (!space) return false;
  const auto way = sudar::shortest_path2(*space, {-2.8, -2.0}, {2.8, -2.0});
  if (!way || !way->found) return false;

  std::ostringstream out;
  const auto polygon = [&](const sudar::ConvexPart2& points, const sudar::Vec2d& at, const char* style) {
    out << "<polygon points=\"";
    for (const sudar::Vec2d& p : points)
      out << kWidth / 2 + kScale * (p.x + at.x) << ',' << kHeight / 2 - kScale * (p.y + at.y) << ' ';
    out << "\" " << style << "/>\n";
  };
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << kWidth << ' ' << kHeight
      << "\" role=\"img\" aria-label=\"The shortest way of an angle-shaped robot among obstacles\">\n<rect width=\""
      << kWidth << "\" height=\"" << kHeight << "\" fill=\"#fbfaf7\"/>\n";
  for (const sudar::ConvexPart2& part : space->obstacles) polygon(part, {}, "fill=\"#e9d9cf\"");
  for (const sudar::ConvexPart2& part : obstacles) polygon(part, {}, "fill=\"#b5482f\" fill-opacity=\"0.75\"");
  // The robot at even distances along its way
  constexpr int kStamps = 26;
  for (int i = 0; i <= kStamps; ++i) {
    double rest = way->length * i / kStamps;
    std::size_t k = 1;
    while (k + 1 < way->points.size() && rest > distance(way->points[k - 1], way->points[k]))
      rest -= distance(way->points[k - 1], way->points[k]), ++k;
    const double piece = distance(way->points[k - 1], way->points[k]);
    const sudar::Vec2d at = lerp(way->points[k - 1], way->points[k], piece > 0 ? rest / piece : 0);
    for (const sudar::ConvexPart2& part : robot) polygon(part, at, "fill=\"#2f6f9f\" fill-opacity=\"0.35\"");
  }
  out << "<polyline fill=\"none\" stroke=\"#1b1b1b\" stroke-width=\"2\" points=\"";
  for (const sudar::Vec2d& p : way->points)
    out << kWidth / 2 + kScale * p.x << ',' << kHeight / 2 - kScale * p.y << ' ';
  out << "\"/>\n</svg>\n";
  return sudar::write_whole_file(file, out.str()).ok();
}

}  // namespace sudar_bench
