// What:    A pair of bodies in space as numbers, so that a failure can be shrunk and written as a case: a line of `sudar query`,
//          which the command answers, the lab shows (`case=`), the fuzzer replays (--target=query), and data/hard_cases.jsonl
//          takes in.
// Fails:   what the makers refuse is no case: shrinking stays away from it.
#pragma once

#include "lab/query_text.hpp"
#include <sudar/shapes/shape3.hpp>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace sudar_test {

struct BodyCase {
  sudar::ShapeKind3 kind;
  std::vector<double> numbers;  // what the maker takes, in its order; a hull: its radius, then its points
  sudar::Vec3d position{};
  sudar::Quatd rotation{};
};

inline sudar::Result<sudar::Shape3> make_shape(const BodyCase& body) {
  using K = sudar::ShapeKind3;
  const std::vector<double>& x = body.numbers;
  const auto v = [&](std::size_t i) { return sudar::Vec3d{x[i], x[i + 1], x[i + 2]}; };
  switch (body.kind) {
    case K::point:
      return sudar::make_point3(v(0));
    case K::segment:
      return sudar::make_segment3(v(0), v(3));
    case K::triangle:
      return sudar::make_triangle3(v(0), v(3), v(6));
    case K::sphere:
      return sudar::make_sphere3(x[0]);
    case K::capsule:
      return sudar::make_capsule3(v(1), v(4), x[0]);
    case K::box:
      return sudar::make_box3(v(0));
    case K::cylinder:
      return sudar::make_cylinder3(x[0], x[1]);
    case K::cone:
      return sudar::make_cone3(x[0], x[1]);
    case K::ellipsoid:
      return sudar::make_ellipsoid3(v(0));
    case K::halfspace:
      return sudar::make_halfspace3(v(1), x[0]);
    default: {
      std::vector<sudar::Vec3d> points;
      for (std::size_t i = 1; i + 2 < x.size(); i += 3) points.push_back(v(i));
      return sudar::make_hull_shape3(points, x[0]);
    }
  }
}

struct PairCase {
  BodyCase a, b;
};
inline bool can_be_made(const PairCase& pair) { return make_shape(pair.a).ok() && make_shape(pair.b).ok(); }

inline std::string case_line(const PairCase& pair) {
  return sudar::lab::query_text("distance", *make_shape(pair.a), {pair.a.position, pair.a.rotation},
                                *make_shape(pair.b), {pair.b.position, pair.b.rotation});
}

// A simpler pair for which fails(pair) still holds
template <class F>
PairCase shrink(PairCase pair, const F& fails) {
  const auto try_it = [&](auto& place, const auto& simple) {
    const auto before = std::exchange(place, simple);
    if (!(before == simple) && can_be_made(pair) && fails(pair)) return true;
    place = before;
    return false;
  };
  const auto number = [&](double& x) {
    const double whole = std::fabs(x) < 1e15 ? std::trunc(x) : x,
                 eighth = std::fabs(x) < 1e14 ? std::trunc(8 * x) / 8 : x;
    for (const double simple : {0.0, 1.0, whole, eighth, static_cast<double>(static_cast<float>(x))})
      if (x == simple || try_it(x, simple)) return;
  };
  for (int round = 0; round < 3; ++round)
    for (BodyCase* body : {&pair.a, &pair.b}) {
      // Points of a hull that are not needed
      for (std::size_t i = 1;
           body->kind == sudar::ShapeKind3::hull && body->numbers.size() > 4 && i < body->numbers.size();) {
        std::vector<double> fewer = body->numbers;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i), fewer.begin() + static_cast<std::ptrdiff_t>(i + 3));
        if (!try_it(body->numbers, fewer)) i += 3;
      }
      try_it(body->rotation, sudar::Quatd{});
      try_it(body->position, sudar::Vec3d{});
      for (int i = 0; i < 3; ++i) number(body->position[i]);
      for (std::size_t i = 0; i < body->numbers.size(); ++i) number(body->numbers[i]);
    }
  return pair;
}

// Into the folder that SUDAR_CASES names, or here: NAME.jsonl. What to say of it in a failure.
inline std::string write_case(const std::string& name, const PairCase& pair) {
  const char* folder = std::getenv("SUDAR_CASES");
  const std::string path = (std::filesystem::path(folder != nullptr ? folder : ".") / (name + ".jsonl")).string();
  const std::string line = case_line(pair);
  std::ofstream(path) << line << '\n';
  return path + ":\n" + line + '\n';
}

}  // namespace sudar_test
