// What:    A pair of bodies, in space or in the plane, as numbers, so that a failure can be shrunk and written as a case: a line
//          of `sudar query`, which the command answers, the lab shows (`case=`), the fuzzer replays (--target=query), and
//          data/hard_cases.jsonl takes in.
// Fails:   what the makers refuse is no case: shrinking stays away from it.
#pragma once

#include "lab/query_text.hpp"
#include "tests/support/shrink.hpp"
#include "tests/support/written_case.hpp"
#include <sudar/shapes/shape2.hpp>
#include <sudar/shapes/shape3.hpp>

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

// The same in the plane. The rotation is an angle, which is what cases have.
struct PlaneBodyCase {
  sudar::ShapeKind2 kind;
  std::vector<double> numbers;  // a polygon: its radius, then its points
  sudar::Vec2d position{};
  double rotation = 0;
};

inline sudar::Result<sudar::Shape2> make_shape(const PlaneBodyCase& body) {
  using K = sudar::ShapeKind2;
  const std::vector<double>& x = body.numbers;
  const auto v = [&](std::size_t i) { return sudar::Vec2d{x[i], x[i + 1]}; };
  switch (body.kind) {
    case K::point:
      return sudar::make_point2(v(0));
    case K::segment:
      return sudar::make_segment2(v(0), v(2));
    case K::circle:
      return sudar::make_circle2(x[0]);
    case K::capsule:
      return sudar::make_capsule2(v(1), v(3), x[0]);
    case K::box:
      return sudar::make_box2(v(0));
    case K::halfplane:
      return sudar::make_halfplane2(v(1), x[0]);
    default: {
      std::vector<sudar::Vec2d> points;
      for (std::size_t i = 1; i + 1 < x.size(); i += 2) points.push_back(v(i));
      return sudar::make_polygon2(points, x[0]);
    }
  }
}

inline sudar::Pose3d pose_of(const BodyCase& body) { return {body.position, body.rotation}; }
inline sudar::lab::TurnedPlace2 place_of(const PlaneBodyCase& body) { return {body.position, body.rotation}; }
inline sudar::Pose2d pose_of(const PlaneBodyCase& body) { return place_of(body).pose(); }
// Bodies of any number of points: numbers of one point, or none
inline std::size_t numbers_of_a_point(const BodyCase& body) { return body.kind == sudar::ShapeKind3::hull ? 3 : 0; }
inline std::size_t numbers_of_a_point(const PlaneBodyCase& body) {
  return body.kind == sudar::ShapeKind2::polygon ? 2 : 0;
}

template <class Body>
struct BodyPair {
  Body a, b;
};
using PairCase = BodyPair<BodyCase>;
using PlanePairCase = BodyPair<PlaneBodyCase>;

template <class Body>
bool can_be_made(const BodyPair<Body>& pair) {
  return make_shape(pair.a).ok() && make_shape(pair.b).ok();
}

inline std::string case_line(const PairCase& pair) {
  return sudar::lab::query_text("distance", *make_shape(pair.a), pose_of(pair.a), *make_shape(pair.b), pose_of(pair.b));
}
inline std::string case_line(const PlanePairCase& pair) {
  return sudar::lab::query_text("distance", *make_shape(pair.a), place_of(pair.a), *make_shape(pair.b),
                                place_of(pair.b));
}

// A simpler pair for which fails(pair) still holds
template <class Body, class F>
BodyPair<Body> shrink(BodyPair<Body> pair, const F& fails) {
  const auto try_it = [&](auto& place, const auto& simple) {
    const auto before = std::exchange(place, simple);
    if (!(before == simple) && can_be_made(pair) && fails(pair)) return true;
    place = before;
    return false;
  };
  const auto number = [&](double& x) { simplify(x, [&] { return can_be_made(pair) && fails(pair); }); };
  for (int round = 0; round < 3; ++round)
    for (Body* body : {&pair.a, &pair.b}) {
      // Points of a hull that are not needed
      const std::size_t dim = numbers_of_a_point(*body);
      for (std::size_t i = 1; dim > 0 && body->numbers.size() > 1 + dim && i < body->numbers.size();) {
        std::vector<double> fewer = body->numbers;
        const auto first = fewer.begin() + static_cast<std::ptrdiff_t>(i);
        fewer.erase(first, first + static_cast<std::ptrdiff_t>(dim));
        if (!try_it(body->numbers, fewer)) i += dim;
      }
      try_it(body->rotation, decltype(body->rotation){});
      try_it(body->position, decltype(body->position){});
      for (int i = 0; i < static_cast<int>(sizeof body->position / sizeof(double)); ++i) number(body->position[i]);
      for (std::size_t i = 0; i < body->numbers.size(); ++i) number(body->numbers[i]);
    }
  return pair;
}

// What to say of a pair of which complaint(pair) says what is wrong: the smaller pair of which it says the same, written
template <class Body, class F>
std::string shrunk_case(const BodyPair<Body>& pair, const F& complaint) {
  const std::string wrong = complaint(pair);
  const auto same = [&](const BodyPair<Body>& other) { return complaint(other) == wrong; };
  return wrong + ", " + write_case_text(case_line(shrink(pair, same)));
}

}  // namespace sudar_test
