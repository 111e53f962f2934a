#include "bench/plain_pairs.hpp"

#include <cmath>

namespace sudar_bench {

namespace {

using namespace sudar;

// Touches the planes x = lo and x = hi where the x axis meets them. So two in a row along the axis are as far apart as
// their planes, whatever the turn about the axis; with the second moved aside, at most the length of both moves.
struct Body {
  std::string name;
  Shape3 shape;
  Quatd turn;
  double lo, hi;
  int dimension = 3;
};

std::vector<Body> bodies() {
  const double s = std::sqrt(0.5);
  const Quatd as_is{}, z_to_x{s, 0, s, 0}, z_to_minus_x{s, 0, -s, 0};
  const Vec3d pyramid[] = {{0.6, 0, 0}, {-0.4, 0.6, 0}, {-0.4, -0.3, 0.5}, {-0.4, -0.3, -0.5}};
  return {
      {"box", *make_box3({0.3, 0.5, 0.7}), as_is, -0.3, 0.3},
      {"box, turned", *make_box3({0.3, 0.5, 0.7}), z_to_x, -0.7, 0.7},
      {"sphere", *make_sphere3(0.4), as_is, -0.4, 0.4},
      {"capsule", *make_capsule3({0.1, 0, -0.5}, {0.1, 0, 0.5}, 0.3), as_is, -0.2, 0.4},
      {"capsule, turned", *make_capsule3({0, 0, 0.3}, {0, 0, -0.5}, 0.2), z_to_x, -0.7, 0.5},
      {"capsule along x", *make_capsule3({0.3, 0, 0}, {-0.5, 0, 0}, 0.2), as_is, -0.7, 0.5},
      {"cylinder", *make_cylinder3(0.6, 0.35), as_is, -0.35, 0.35},
      {"cylinder, turned", *make_cylinder3(0.6, 0.35), z_to_x, -0.6, 0.6},
      {"cone, tip first", *make_cone3(0.6, 0.4), z_to_x, -0.6, 0.6},
      {"cone, tip last", *make_cone3(0.6, 0.4), z_to_minus_x, -0.6, 0.6},
      {"ellipsoid", *make_ellipsoid3({0.3, 0.5, 0.7}), as_is, -0.3, 0.3},
      {"ellipsoid, turned", *make_ellipsoid3({0.3, 0.5, 0.7}), z_to_x, -0.7, 0.7},
      {"hull", *make_hull_shape3(pyramid), as_is, -0.4, 0.6},
      {"triangle", *make_triangle3({0.6, 0, 0}, {-0.4, 0.5, 0}, {-0.4, -0.5, 0}), as_is, -0.4, 0.6, 2},
      {"segment", *make_segment3({0.5, 0, 0}, {-0.4, 0, 0}), as_is, -0.4, 0.5, 1},
  };
}

}  // namespace

std::vector<PlainPair> plain_pairs() {
  constexpr double kGap = 0.25, kOverlap = 0.15, kAsideY = 0.02, kAsideZ = 0.01;
  const std::vector<Body> all = bodies();
  const Pose3d world{{1, -2, 3}, normalized(Quatd{0.8, 0.3, -0.4, 0.2})};
  const Quatd about_x = normalized(Quatd{0.9, 0.4, 0, 0});  // two triangles cross
  std::vector<PlainPair> pairs;
  for (const Body& a : all)
    for (const Body& b : all)
      for (const bool hit : {false, true}) {
        // In space, what is flat and what is thin only touch
        if (hit && a.dimension + b.dimension <= 3) continue;
        const double x = a.hi + (hit ? -kOverlap : kGap) - b.lo;
        pairs.push_back({a.name + " – " + b.name,
                         {a.shape, world * Pose3d{{}, a.turn}},
                         {b.shape, world * Pose3d{{x, kAsideY, kAsideZ}, about_x * b.turn}},
                         hit,
                         kGap,
                         std::hypot(kGap, kAsideY, kAsideZ)});
      }
  return pairs;
}

}  // namespace sudar_bench
