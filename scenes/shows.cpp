// What:    Shapes that show something: simple ones that redden while they touch (A20), three characters on a platform that
//          are one, two and four convex parts (A16, A22).
#include "scenes/physics.hpp"
#include <sudar/math/sampling.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/polygon_parts.hpp>

namespace sudar::scenes {

namespace {

Result<Shape2> simple_shape(Random& random, std::size_t kind, const Vec2d*) {
  const double size = random.uniform(0.3, 0.6);
  switch (kind % 4) {
    case 0:
      return make_circle2(size);
    case 1:
      return make_box2({size, size * 0.7});
    case 2:
      return make_capsule2({-size, 0}, {size, 0}, size / 2);
    default:
      break;
  }
  std::vector<Vec2d> points;
  for (int i = 0; i < 7; ++i) points.push_back(unit_vector<2>(random) * size);
  return make_polygon2(points);
}
Result<Shape3> simple_shape(Random& random, std::size_t kind, const Vec3d*) {
  const double size = random.uniform(0.3, 0.6);
  switch (kind % 7) {
    case 0:
      return make_sphere3(size);
    case 1:
      return make_box3({size, size * 0.7, size * 0.8});
    case 2:
      return make_capsule3({-size, 0, 0}, {size, 0, 0}, size / 2);
    case 3:
      return make_cylinder3(size, size * 0.7);
    case 4:
      return make_cone3(size, size);
    case 5:
      return make_ellipsoid3({size, size * 0.6, size * 0.8});
    default:
      break;
  }
  std::vector<Vec3d> points;
  for (int i = 0; i < 20; ++i) points.push_back(unit_vector<3>(random) * size);
  return make_hull_shape3(points);
}

// Counterclockwise: legs apart and arms raised, so that the hull covers much that is not there
constexpr Vec2d kCharacter[] = {{-0.6, 0},     {-0.35, 0},  {0, 0.8},    {0.35, 0},    {0.6, 0},   {0.3, 1},
                                {0.3, 1.3},    {0.9, 1.7},  {0.8, 1.9},  {0.25, 1.65}, {0.2, 2.1}, {-0.2, 2.1},
                                {-0.25, 1.65}, {-0.8, 1.9}, {-0.9, 1.7}, {-0.3, 1.3},  {-0.3, 1}};

}  // namespace

template <int D>
Result<std::unique_ptr<PhysicsScene<D>>> make_simple_shapes(const Spec& spec, const WorldOptions<D>& options) {
  WorldBuilder<D> build(options);
  Random random(spec.seed());
  const std::size_t side = D == 2 ? 6 : 4;
  build.pit(1.5 * static_cast<double>(side) / 2 + 0.5, 8);
  for (std::size_t i = 0; i < spec.count(); ++i) {
    BodySpec<D> body = blank_body<D>();
    std::size_t rest = i;
    for (int axis = 0; axis < D; ++axis, rest /= side)
      body.pose.position[axis] = axis == D - 1
                                     ? 1.5 + 1.5 * static_cast<double>(rest)
                                     : 1.5 * (static_cast<double>(rest % side) - (static_cast<double>(side) - 1) / 2);
    body.pose.rotation = tilt<D>(random.uniform(-1, 1));
    build.add(simple_shape(random, i, static_cast<const Vec<D, double>*>(nullptr)), body);
  }
  return build.done(spec, {}, [](const World<D>& world) {
    const std::vector<std::uint8_t> touching = touching_bodies(world);
    double red = 0;
    for (std::size_t i = 0; i < touching.size(); ++i) red += touching[i] != 0 && world.bodies()[i].is_dynamic() ? 1 : 0;
    return std::vector<Figure>{{"red", red}};
  });
}

template <>
Result<std::unique_ptr<PhysicsScene<2>>> make_characters(const Spec& spec, const WorldOptions<2>& options) {
  WorldBuilder<2> build(options);
  build.wall({-6, -0.5}, {6, 0}, {.friction = 0.8});
  double x = -3;
  for (const std::size_t parts : {1, 2, 4}) {
    const auto coarse = coarse_parts(kCharacter, parts);
    if (!coarse) return coarse.error();
    std::vector<CompoundChild2> children;
    for (const std::vector<Vec2d>& part : coarse->parts) {
      const auto shape = make_polygon2(part);
      if (!shape) return shape.error();
      children.push_back({*shape, {}});
    }
    BodySpec<2> body = blank_body<2>();
    body.pose.position = {x, 1};
    body.user = parts;
    body.material.friction = 0.8;
    build.add(make_compound2(children), body);
    // A ball over each that falls between the raised arms where there is no hull
    BodySpec<2> ball = blank_body<2>();
    ball.pose.position = {x + 0.55, 4.5};
    build.add(make_circle2(0.12), ball);
    x += 3;
  }
  return build.done(spec);
}

template Result<std::unique_ptr<PhysicsScene<2>>> make_simple_shapes(const Spec&, const WorldOptions<2>&);
template Result<std::unique_ptr<PhysicsScene<3>>> make_simple_shapes(const Spec&, const WorldOptions<3>&);

}  // namespace sudar::scenes
