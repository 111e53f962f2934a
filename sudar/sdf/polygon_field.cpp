#include <sudar/geom/closest.hpp>
#include <sudar/geom/point_in_polygon.hpp>
#include <sudar/sdf/column_winding.hpp>
#include <sudar/sdf/polygon_field.hpp>
#include <sudar/shapes/part_tree.hpp>
#include <sudar/shapes/shape_check.hpp>

namespace sudar {

namespace {

Result<std::vector<Segment<2, double>>> edges_of(std::span<const std::vector<Vec2d>> polygons) {
  std::vector<Segment<2, double>> edges;
  std::size_t number = 0;
  for (const std::vector<Vec2d>& polygon : polygons)
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      if (const auto r = check_position(polygon[i], number++); !r) return r.error();
      edges.push_back({polygon[i], polygon[i + 1 < polygon.size() ? i + 1 : 0]});
    }
  if (edges.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "no vertex"};
  if (edges.size() > kMaxParts) return Error{ErrorCode::too_large, Error::kNoElement, "too many edges"};
  return edges;
}

bool inside(FieldSign rule, std::int32_t winding) {
  return rule == FieldSign::winding ? winding != 0 : rule == FieldSign::parity && winding % 2 != 0;
}

Aabb2d box_of(const Segment<2, double>& s) { return {min(s.a, s.b), max(s.a, s.b)}; }

}  // namespace

Result<DistanceField2> make_polygon_field(std::span<const std::vector<Vec2d>> polygons, const FieldGrid2& grid,
                                          const FieldOptions& options) noexcept {
  return guarded([&]() -> Result<DistanceField2> {
    const auto edges = edges_of(polygons);
    if (!edges) return edges.error();
    const Result<double> band = checked_band(grid, options);
    if (!band) return band.error();
    Executor& executor = options.executor != nullptr ? *options.executor : default_executor();
    const Result<ColumnWinding<2>> winding_numbers = ColumnWinding<2>::build(grid, *edges, executor);
    if (!winding_numbers) return winding_numbers.error();
    const ColumnWinding<2>& columns = *winding_numbers;
    std::vector<Aabb2d> boxes;
    for (const Segment<2, double>& s : *edges) boxes.push_back(box_of(s));
    PartTree<2> tree;
    tree.assign(boxes);
    const Aabb2d all = merge(grid.bounds(), tree.bounds());
    const double slack = kFieldTreeSlack * std::max(max_abs(all.lo), max_abs(all.hi));
    const auto search = [&](const Vec2d& p, double& best) {
      const auto bound = [&](const Aabb2d& box) {
        const double d = std::max(0.0, distance(p, closest_point_in_box(box.lo, box.hi, p)) - slack);
        return d * d;
      };
      tree.for_each_nearer(
          bound, best, [&](std::uint32_t e) { best = std::min(best, closest_point((*edges)[e], p).distance_squared); });
    };
    const double diagonal = grid.cell * kBrickCells * kLeastBand<2>, limit = *band * *band;
    FieldFacts facts;
    facts.covers = contains(grid.bounds(), tree.bounds());
    facts.exact_inside = options.sign != FieldSign::winding || !columns.has_buried_parts();
    return build_field<2>(
        grid, *band, options, facts, [&](const GridIndex<2>& brick, double(&values)[kBrickSamples<2>]) {
          const BrickKind far =
              inside(options.sign, columns.read_first(brick)) ? BrickKind::inside : BrickKind::outside;
          double nearest = (*band + diagonal) * (*band + diagonal);
          const double reach = nearest;
          search(grid.brick_position(brick, 0), nearest);
          if (!(nearest < reach) && !std::isinf(*band)) return far;
          std::int32_t winding[kBrickSamples<2>];
          columns.read(brick, winding);
          bool near = std::isinf(*band);
          for (std::uint32_t i = 0; i < kBrickSamples<2>; ++i) {
            double best = limit;
            search(grid.brick_position(brick, i), best);
            near = near || best < limit;
            values[i] = inside(options.sign, winding[i]) ? -std::sqrt(best) : std::sqrt(best);
          }
          return near ? BrickKind::stored : far;
        });
  });
}

Result<DistanceField2> make_polygon_field_plain(std::span<const std::vector<Vec2d>> polygons, const FieldGrid2& grid,
                                                const FieldOptions& options) noexcept {
  return guarded([&]() -> Result<DistanceField2> {
    const auto edges = edges_of(polygons);
    if (!edges) return edges.error();
    const Result<double> band = checked_band(grid, options);
    if (!band) return band.error();
    Aabb2d box = Aabb2d::empty();
    for (const Segment<2, double>& s : *edges) box = merge(box, box_of(s));
    FieldFacts facts;
    facts.covers = contains(grid.bounds(), box);
    return build_field<2>(grid, *band, options, facts,
                          [&](const GridIndex<2>& brick, double(&values)[kBrickSamples<2>]) {
                            bool near = false;
                            for (std::uint32_t i = 0; i < kBrickSamples<2>; ++i) {
                              const Vec2d p = grid.brick_position(brick, i);
                              double best = std::numeric_limits<double>::infinity();
                              for (const Segment<2, double>& s : *edges)
                                best = std::min(best, closest_point(s, p).distance_squared);
                              std::int32_t winding = 0;
                              for (const std::vector<Vec2d>& polygon : polygons) winding += winding_number(polygon, p);
                              values[i] = inside(options.sign, winding) ? -std::sqrt(best) : std::sqrt(best);
                              near = near || best < *band * *band;
                            }
                            return near ? BrickKind::stored : values[0] < 0 ? BrickKind::inside : BrickKind::outside;
                          });
  });
}

}  // namespace sudar
