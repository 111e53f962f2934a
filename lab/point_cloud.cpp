// What:    See point_cloud.hpp.
#include "lab/point_cloud.hpp"

#include <sudar/core/random.hpp>
#include <sudar/math/pose.hpp>

#include <algorithm>
#include <cmath>

namespace sudar::lab {

namespace {

constexpr double kCloudRadius = 2;  // of every cloud, metres

template <int D>
Vec<D, double> in_unit_ball(Random& random) {
  for (;;) {
    Vec<D, double> p;
    for (int i = 0; i < D; ++i) p[i] = random.uniform(-1, 1);
    if (length_squared(p) <= 1 && length_squared(p) > 0.01) return p;
  }
}

template <int D>
std::vector<Vec<D, double>> make_cloud(std::span<const Parameter> parameters) {
  std::size_t count = 0;
  double seed = 0;
  std::string kind;
  for (const Parameter& p : parameters) {
    if (p.name == "points") count = static_cast<std::size_t>(p.value);
    if (p.name == "seed") seed = p.value;
    if (p.name == "cloud") kind = p.chosen();
  }
  Random random(static_cast<std::uint64_t>(seed));
  std::vector<Vec<D, double>> points;
  std::vector<Vec<D, double>> centers;
  for (int i = 0; i < 4; ++i) centers.push_back(in_unit_ball<D>(random) * 0.75);
  std::size_t side = 1;
  while (std::pow(static_cast<double>(side), D) < static_cast<double>(count)) ++side;
  for (std::size_t i = 0; i < count; ++i) {
    Vec<D, double> p;
    if (kind == "square") {
      for (int k = 0; k < D; ++k) p[k] = random.uniform(-1, 1);
    } else if (kind == "circle") {
      p = normalized(in_unit_ball<D>(random));
    } else if (kind == "grid") {
      std::size_t rest = i;
      for (int k = 0; k < D; ++k, rest /= side)
        p[k] = side > 1 ? 2.0 * static_cast<double>(rest % side) / static_cast<double>(side - 1) - 1 : 0;
    } else if (kind == "clusters") {
      p = centers[random.below(centers.size())] + in_unit_ball<D>(random) * 0.25;
    } else {
      p = in_unit_ball<D>(random);
    }
    points.push_back(p * kCloudRadius);
  }
  return points;
}

}  // namespace

void add_cloud_parameters(std::vector<Parameter>& parameters, double points, double most, std::string_view cloud) {
  const std::vector<std::string> kinds = {"disc", "square", "circle", "grid", "clusters"};
  const auto at = std::find(kinds.begin(), kinds.end(), cloud);
  parameters.push_back(Parameter::whole("points", "Points", points, 3, most));
  parameters.push_back(Parameter::whole("seed", "Seed", 1, 0, 999));
  parameters.push_back(Parameter::choice("cloud", "Cloud", kinds, static_cast<std::size_t>(at - kinds.begin())));
}

std::vector<Vec2d> cloud2(std::span<const Parameter> parameters) { return make_cloud<2>(parameters); }
std::vector<Vec3d> cloud3(std::span<const Parameter> parameters) { return make_cloud<3>(parameters); }

}  // namespace sudar::lab
