#include "bench/accuracy_bodies.hpp"

#include <sudar/geom/hull3.hpp>
#include <sudar/geom/mesh_from_hull.hpp>
#include <sudar/math/sampling.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <array>
#include <cmath>
#include <memory>

namespace sudar_bench {

namespace {

template <int D>
std::function<LongVec<D>(const LongVec<D>&)> farthest_of(std::vector<DoubleVec<D>> points, double radius = 0) {
  return [points = std::move(points), radius](const LongVec<D>& d) {
    LongVec<D> best = widen<D>(points[0]);
    for (const DoubleVec<D>& p : points)
      if (dot(widen<D>(p), d) > dot(best, d)) best = widen<D>(p);
    return radius > 0 ? best + normalized(d) * static_cast<Long>(radius) : best;
  };
}

LongVec<3> ellipsoid_support(const sudar::Vec3d& radii, const LongVec<3>& d) {
  const LongVec<3> r = widen<3>(radii), s{r.x * d.x, r.y * d.y, r.z * d.z};
  const LongVec<3> u = normalized(s);
  return {r.x * u.x, r.y * u.y, r.z * u.z};
}
LongVec<3> disc_support(Long radius, Long z, const LongVec<3>& d) {
  const Long flat = std::sqrt(d.x * d.x + d.y * d.y);
  return flat > 0 ? LongVec<3>{radius * d.x / flat, radius * d.y / flat, z} : LongVec<3>{0, 0, z};
}

// An ellipsoid swept by a box: flat faces and round edges
class PillowSupport3 final : public sudar::SupportFunction3 {
 public:
  explicit PillowSupport3(double scale) : radii_(sudar::Vec3d{0.3, 0.2, 0.4} * scale), half_(0.25 * scale) {}
  sudar::Vec3d support(const sudar::Vec3d& d) const override { return sudar::vec_cast<double>(wide(widen<3>(d))); }
  LongVec<3> wide(const LongVec<3>& d) const {
    LongVec<3> p = sudar::length_squared(d) > 0 ? ellipsoid_support(radii_, d) : LongVec<3>{};
    for (int i = 0; i < 3; ++i) p[i] += d[i] >= 0 ? half_ : -half_;
    return p;
  }

 private:
  sudar::Vec3d radii_;
  double half_;
};
class PillowSupport2 final : public sudar::SupportFunction2 {
 public:
  explicit PillowSupport2(double scale) : radius_(0.4 * scale), half_(0.3 * scale) {}
  sudar::Vec2d support(const sudar::Vec2d& d) const override { return sudar::vec_cast<double>(wide(widen<2>(d))); }
  LongVec<2> wide(const LongVec<2>& d) const {
    LongVec<2> p = sudar::length_squared(d) > 0 ? normalized(d) * static_cast<Long>(radius_) : LongVec<2>{};
    for (int i = 0; i < 2; ++i) p[i] += d[i] >= 0 ? half_ : -half_;
    return p;
  }

 private:
  double radius_, half_;
};

template <int D>
std::vector<DoubleVec<D>> random_points(Random& random, int count, double scale) {
  std::vector<DoubleVec<D>> points;
  for (int i = 0; i < count; ++i) points.push_back(sudar::unit_vector<D>(random) * (scale * random.uniform(0.6, 1)));
  return points;
}
template <int D>
DoubleVec<D> random_half(Random& random, double scale) {
  DoubleVec<D> half;
  for (int i = 0; i < D; ++i) half[i] = scale * random.uniform(0.2, 0.8);
  return half;
}
template <int D>
std::vector<DoubleVec<D>> corners(const DoubleVec<D>& half) {
  std::vector<DoubleVec<D>> out;
  for (int k = 0; k < 1 << D; ++k) {
    DoubleVec<D> p;
    for (int i = 0; i < D; ++i) p[i] = k >> i & 1 ? half[i] : -half[i];
    out.push_back(p);
  }
  return out;
}
template <int D>
std::function<LongVec<D>(const LongVec<D>&)> half_space_support(const DoubleVec<D>& normal, double offset) {
  return [n = widen<D>(normal), offset](const LongVec<D>&) { return n * (static_cast<Long>(offset) / dot(n, n)); };
}

}  // namespace

std::vector<BodyMaker<2>> body_makers2() {
  using namespace sudar;
  return {
      [](Random& r, double s) {
        const Vec2d p = unit_vector<2>(r) * (0.5 * s);
        return Body<2>{"point", *make_point2(p), farthest_of<2>({p}), s, true};
      },
      [](Random& r, double s) {
        const auto p = random_points<2>(r, 2, s);
        return Body<2>{"segment", *make_segment2(p[0], p[1]), farthest_of<2>(p), s, true};
      },
      [](Random& r, double s) {
        const double radius = s * r.uniform(0.3, 1);
        return Body<2>{"circle", *make_circle2(radius), farthest_of<2>({Vec2d{}}, radius), s};
      },
      [](Random& r, double s) {
        const auto p = random_points<2>(r, 2, 0.7 * s);
        const double radius = s * r.uniform(0.1, 0.3);
        return Body<2>{"capsule", *make_capsule2(p[0], p[1], radius), farthest_of<2>(p, radius), s};
      },
      [](Random& r, double s) {
        const Vec2d half = random_half<2>(r, s);
        return Body<2>{"box", *make_box2(half), farthest_of<2>(corners<2>(half)), s, true};
      },
      [](Random& r, double s) {
        const auto p = random_points<2>(r, 12, s);
        return Body<2>{"polygon", *make_polygon2(p), farthest_of<2>(p), s, true};
      },
      [](Random& r, double s) {
        const auto p = random_points<2>(r, 8, 0.8 * s);
        return Body<2>{"rounded polygon", *make_polygon2(p, 0.1 * s), farthest_of<2>(p, 0.1 * s), s};
      },
      [](Random&, double s) {
        auto function = std::make_shared<const PillowSupport2>(s);
        return Body<2>{"custom", *make_custom2(function), [=](const LongVec<2>& d) { return function->wide(d); }, s};
      },
      [](Random& r, double s) {
        const Shape2 shape = *make_halfplane2(unit_vector<2>(r), s * r.uniform(-1, 1));
        const auto& plane = shape.as<HalfPlaneShape2>();
        return Body<2>{"halfplane", shape, half_space_support<2>(plane.normal, plane.offset), s, true, plane.normal};
      },
      [](Random& r, double s) {
        Vec2d half = random_half<2>(r, s);
        half.x *= 0.5;
        const Shape2 part = *make_box2(half);
        const std::array children = {CompoundChild2{part, {{-half.x, 0}, {}}}, CompoundChild2{part, {{half.x, 0}, {}}}};
        return Body<2>{"compound", *make_compound2(children), farthest_of<2>(corners<2>({2 * half.x, half.y})), s};
      },
  };
}

std::vector<BodyMaker<3>> body_makers3() {
  using namespace sudar;
  return {
      [](Random& r, double s) {
        const Vec3d p = unit_vector<3>(r) * (0.5 * s);
        return Body<3>{"point", *make_point3(p), farthest_of<3>({p}), s, true};
      },
      [](Random& r, double s) {
        const auto p = random_points<3>(r, 2, s);
        return Body<3>{"segment", *make_segment3(p[0], p[1]), farthest_of<3>(p), s, true};
      },
      [](Random& r, double s) {
        const auto p = random_points<3>(r, 3, s);
        return Body<3>{"triangle", *make_triangle3(p[0], p[1], p[2]), farthest_of<3>(p), s, true};
      },
      [](Random& r, double s) {
        const double radius = s * r.uniform(0.3, 1);
        return Body<3>{"sphere", *make_sphere3(radius), farthest_of<3>({Vec3d{}}, radius), s};
      },
      [](Random& r, double s) {
        const auto p = random_points<3>(r, 2, 0.7 * s);
        const double radius = s * r.uniform(0.1, 0.3);
        return Body<3>{"capsule", *make_capsule3(p[0], p[1], radius), farthest_of<3>(p, radius), s};
      },
      [](Random& r, double s) {
        const Vec3d half = random_half<3>(r, s);
        return Body<3>{"box", *make_box3(half), farthest_of<3>(corners<3>(half)), s, true};
      },
      [](Random& r, double s) {
        const double h = s * r.uniform(0.2, 0.8), radius = s * r.uniform(0.2, 0.8);
        return Body<3>{"cylinder", *make_cylinder3(h, radius),
                       [=](const LongVec<3>& d) { return disc_support(radius, d.z >= 0 ? h : -h, d); }, s};
      },
      [](Random& r, double s) {
        const double h = s * r.uniform(0.2, 0.8), radius = s * r.uniform(0.2, 0.8);
        return Body<3>{"cone", *make_cone3(h, radius),
                       [=](const LongVec<3>& d) {
                         const LongVec<3> apex{0, 0, h}, rim = disc_support(radius, -h, d);
                         return dot(apex, d) > dot(rim, d) ? apex : rim;
                       },
                       s};
      },
      [](Random& r, double s) {
        const Vec3d radii = random_half<3>(r, s);
        return Body<3>{"ellipsoid", *make_ellipsoid3(radii),
                       [=](const LongVec<3>& d) { return ellipsoid_support(radii, d); }, s};
      },
      [](Random& r, double s) {
        const auto p = random_points<3>(r, 24, s);
        return Body<3>{"hull", *make_hull_shape3(p), farthest_of<3>(p), s, true};
      },
      [](Random& r, double s) {
        const auto p = random_points<3>(r, 12, 0.8 * s);
        return Body<3>{"rounded hull", *make_hull_shape3(p, 0.1 * s), farthest_of<3>(p, 0.1 * s), s};
      },
      [](Random&, double s) {
        auto function = std::make_shared<const PillowSupport3>(s);
        return Body<3>{"custom", *make_custom3(function), [=](const LongVec<3>& d) { return function->wide(d); }, s};
      },
      [](Random& r, double s) {
        const Shape3 shape = *make_halfspace3(unit_vector<3>(r), s * r.uniform(-1, 1));
        const auto& plane = shape.as<HalfSpaceShape3>();
        return Body<3>{"halfspace", shape, half_space_support<3>(plane.normal, plane.offset), s, true, plane.normal};
      },
      [](Random& r, double s) {
        const auto p = random_points<3>(r, 24, s);
        const Mesh mesh = *to_mesh(*quickhull3(p));
        return Body<3>{"solid mesh", *make_mesh_shape3(mesh.vertices, mesh.triangles, true), farthest_of<3>(p), s};
      },
      [](Random& r, double s) {
        Vec3d half = random_half<3>(r, s);
        half.x *= 0.5;
        const Shape3 part = *make_box3(half);
        const std::array children = {CompoundChild3{part, {{-half.x, 0, 0}, {}}},
                                     CompoundChild3{part, {{half.x, 0, 0}, {}}}};
        return Body<3>{"compound", *make_compound3(children), farthest_of<3>(corners<3>({2 * half.x, half.y, half.z})),
                       s};
      },
  };
}

}  // namespace sudar_bench
