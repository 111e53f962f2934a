#include <sudar/geom/closest.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/sdf/mesh_field.hpp>
#include <sudar/sdf/shape_field.hpp>

namespace sudar {

namespace {

// A box of any dimension: outside from its nearest point, inside from its nearest side
template <AnyVec V>
double box_distance(const V& half, const V& p) {
  const V q = abs(p) - half;
  double deepest = -std::numeric_limits<double>::infinity();
  V out{};
  for (int k = 0; k < V::kDim; ++k) {
    deepest = std::max(deepest, q[k]);
    out[k] = std::max(q[k], 0.0);
  }
  return deepest <= 0 ? deepest : length(out);
}
template <int D>
double capsule_distance(const Vec<D, double>& a, const Vec<D, double>& b, double radius, const Vec<D, double>& p) {
  return std::sqrt(closest_point(Segment<D, double>{a, b}, p).distance_squared) - radius;
}

template <int D, class Shape>
Result<DistanceField<D>> build(const Shape& shape, const FieldGrid<D>& grid, const FieldOptions& options) {
  return guarded([&]() -> Result<DistanceField<D>> {
    const Result<double> band = checked_band(grid, options);
    if (!band) return band.error();
    const double radius = grid.cell * kBrickCells * std::sqrt(static_cast<double>(D)) / 2;
    const FieldFacts facts{shape.is_bounded() && contains(grid.bounds(), bounding_box(shape)), true, true, true};
    return build_field<D>(grid, *band, options, facts,
                          [&](const GridIndex<D>& brick, double(&values)[kBrickSamples<D>]) {
                            // Distances change no faster than places: the middle may speak for all of the brick
                            Vec<D, double> middle = grid.brick_position(brick, 0);
                            for (int k = 0; k < D; ++k) middle[k] += grid.cell * kBrickCells / 2;
                            const double there = signed_distance(shape, middle);
                            if (std::fabs(there) > (*band + radius) * (1 + kFieldTreeSlack) && !std::isinf(*band))
                              return there > 0 ? BrickKind::outside : BrickKind::inside;
                            bool near = false;
                            for (std::uint32_t i = 0; i < kBrickSamples<D>; ++i) {
                              values[i] = signed_distance(shape, grid.brick_position(brick, i));
                              near = near || std::fabs(values[i]) < *band;
                            }
                            return near ? BrickKind::stored : there > 0 ? BrickKind::outside : BrickKind::inside;
                          });
  });
}

}  // namespace

double signed_distance(const Shape2& shape, const Vec2d& p) {
  switch (shape.kind()) {
    case ShapeKind2::point:
      return distance(shape.as<PointShape2>().p, p);
    case ShapeKind2::segment:
      return capsule_distance<2>(shape.as<SegmentShape2>().p, shape.as<SegmentShape2>().q, 0, p);
    case ShapeKind2::circle:
      return length(p) - shape.as<CircleShape2>().radius;
    case ShapeKind2::capsule: {
      const auto& c = shape.as<CapsuleShape2>();
      return capsule_distance<2>(c.p, c.q, c.radius, p);
    }
    case ShapeKind2::box:
      return box_distance(shape.as<BoxShape2>().half, p);
    case ShapeKind2::halfplane:
      return dot(shape.as<HalfPlaneShape2>().normal, p) - shape.as<HalfPlaneShape2>().offset;
    default:
      return distance(shape, Shape2(PointShape2{}), make_placement(Pose2d{p, {}})).separation;
  }
}

double signed_distance(const Shape3& shape, const Vec3d& p) {
  switch (shape.kind()) {
    case ShapeKind3::point:
      return distance(shape.as<PointShape3>().p, p);
    case ShapeKind3::segment:
      return capsule_distance<3>(shape.as<SegmentShape3>().p, shape.as<SegmentShape3>().q, 0, p);
    case ShapeKind3::triangle: {
      const auto& t = shape.as<TriangleShape3>();
      return std::sqrt(closest_point(Triangle<3, double>{t.v[0], t.v[1], t.v[2]}, p).distance_squared);
    }
    case ShapeKind3::sphere:
      return length(p) - shape.as<SphereShape3>().radius;
    case ShapeKind3::capsule: {
      const auto& c = shape.as<CapsuleShape3>();
      return capsule_distance<3>(c.p, c.q, c.radius, p);
    }
    case ShapeKind3::box:
      return box_distance(shape.as<BoxShape3>().half, p);
    case ShapeKind3::cylinder: {
      const auto& c = shape.as<CylinderShape3>();
      return box_distance(Vec2d{c.radius, c.half_height}, Vec2d{std::sqrt(p.x * p.x + p.y * p.y), p.z});
    }
    case ShapeKind3::halfspace:
      return dot(shape.as<HalfSpaceShape3>().normal, p) - shape.as<HalfSpaceShape3>().offset;
    default:
      return distance(shape, Shape3(PointShape3{}), make_placement(Pose3d{p, {}})).separation;
  }
}

Result<DistanceField2> make_shape_field(const Shape2& shape, const FieldGrid2& grid,
                                        const FieldOptions& options) noexcept {
  return build<2>(shape, grid, options);
}

Result<DistanceField3> make_shape_field(const Shape3& shape, const FieldGrid3& grid,
                                        const FieldOptions& options) noexcept {
  if (shape.kind() == ShapeKind3::mesh) {
    const auto& m = shape.as<MeshShape3>();
    FieldOptions same = options;
    same.sign = m.solid ? FieldSign::winding : FieldSign::none;
    return make_mesh_field(*m.mesh, grid, same);
  }
  return build<3>(shape, grid, options);
}

}  // namespace sudar
