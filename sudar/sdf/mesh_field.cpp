#include <sudar/geom/closest.hpp>
#include <sudar/geom/mesh_weld.hpp>
#include <sudar/geom/point_in_mesh.hpp>
#include <sudar/sdf/column_winding.hpp>
#include <sudar/sdf/mesh_field.hpp>
#include <sudar/sdf/surface_caps.hpp>
#include <sudar/sdf/triangle_rows.hpp>
#include <sudar/shapes/shape_check.hpp>

#include <optional>

namespace sudar {

namespace {

constexpr std::size_t kTriangleGrain = 4096;  // triangles
// What a search costs, in samples of a scatter: about a microsecond against a few nanoseconds
constexpr double kSearchCost = 250;

// Who is inside: winding numbers of the closed surface, and what closes it
struct MeshSign {
  FieldSign rule = FieldSign::none;
  const Mesh* mesh = nullptr;
  ColumnWinding<3> columns;
  SurfaceCaps caps;

  // Where the closed surface winds `number` times around p
  bool inside(std::int32_t number, const Vec3d& p) const {
    if (rule == FieldSign::parity) return number % 2 != 0;
    if (caps.triangles.empty()) return number != 0;
    return std::fabs(winding(number, p)) > 0.5;
  }
  double winding(std::int32_t number, const Vec3d& p) const {
    const std::optional<double> missing = caps.winding(p);
    return missing ? number - *missing : generalized_winding_number(*mesh, p);
  }
};

// Closed by place, if not by index, before it counts as open
Result<MeshSign> make_sign(const Mesh& mesh, const MeshAdjacency* who, const FieldGrid3& grid, FieldSign rule,
                           Executor& executor) {
  MeshSign out;
  out.rule = rule;
  out.mesh = &mesh;
  if (rule == FieldSign::none) return out;
  std::vector<Triangle<3, double>> surface(mesh.triangles.size());
  for (std::size_t t = 0; t < surface.size(); ++t) surface[t] = mesh.corners(t);
  if (who != nullptr) {
    SurfaceCaps caps = make_surface_caps(mesh, *who);
    if (!caps.triangles.empty()) {
      const Result<Welded> welded = weld(mesh);
      // Nothing but triangles without area has no inside
      if (!welded && welded.error().code != ErrorCode::degenerate) return welded.error();
      caps = {};
      if (welded) {
        const Result<MeshAdjacency> again = adjacency(welded->mesh);
        if (!again) return again.error();
        if (const auto open = open_triangle(*again); open && rule == FieldSign::parity)
          return Error{ErrorCode::not_closed, welded->triangle_from[*open],
                       "sign unknown: the mesh is open at this triangle"};
        caps = make_surface_caps(welded->mesh, *again);
      }
    }
    if (rule == FieldSign::winding) {
      surface.insert(surface.end(), caps.triangles.begin(), caps.triangles.end());
      out.caps = std::move(caps);
    }
  }
  Result<ColumnWinding<3>> columns = ColumnWinding<3>::build(grid, surface, executor);
  if (!columns) return columns.error();
  out.columns = *std::move(columns);
  return out;
}

// From squares of distances to signed distances. A brick beyond the band has one sign, unless it lies in the mouth of a
// hole; then it is kept.
BrickKind give_signs(const FieldGrid3& grid, const GridIndex<3>& brick, const MeshSign& sign, bool near,
                     const double (&squared)[kBrickSamples<3>], double (&values)[kBrickSamples<3>]) {
  const bool holes = !sign.caps.triangles.empty();
  CapsAround caps;
  std::optional<double> missing;  // for the whole brick
  if (holes) {
    const Vec3d first = grid.brick_position(brick, 0), last = grid.brick_position(brick, kBrickSamples<3> - 1);
    caps = sign.caps.around((first + last) * 0.5, distance(first, last) * 0.5);
    const double from_half = std::fabs(caps.far - std::floor(caps.far) - 0.5);
    if (caps.near.empty() && from_half > caps.error + kWindingError) missing = caps.far;
  }
  const auto inside = [&](std::int32_t number, std::uint32_t i) {
    if (sign.rule == FieldSign::none) return false;
    if (missing) return std::fabs(number - *missing) > 0.5;
    const Vec3d p = grid.brick_position(brick, i);
    if (holes) {
      const std::optional<double> near_caps = sign.caps.winding(p, caps);
      const double winding = near_caps ? std::fabs(number - caps.far - *near_caps) : 0.5;
      if (std::fabs(winding - 0.5) > caps.error + kWindingError) return winding > 0.5;
    }
    return sign.inside(number, p);
  };
  if (!near && (!holes || missing)) {
    const std::int32_t number = sign.rule == FieldSign::none ? 0 : sign.columns.read_first(brick);
    return inside(number, 0) ? BrickKind::inside : BrickKind::outside;
  }
  std::int32_t winding[kBrickSamples<3>] = {};
  if (sign.rule != FieldSign::none) sign.columns.read(brick, winding);
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < kBrickSamples<3>; ++i) {
    const double d = std::sqrt(squared[i]);
    const bool in = inside(winding[i], i);
    values[i] = in ? -d : d;
    count += in;
  }
  if (near || (count != 0 && count != kBrickSamples<3>)) return BrickKind::stored;
  return count == 0 ? BrickKind::outside : BrickKind::inside;
}

void place_rows(const FieldGrid3& grid, const GridIndex<3>& brick, double limit, BrickRows& rows) {
  for (std::uint32_t i = 0; i < kBrickSide; ++i) {
    rows.x[i] = grid.coordinate(0, brick[0] * kBrickCells + i);
    rows.y[i] = grid.coordinate(1, brick[1] * kBrickCells + i);
    rows.z[i] = grid.coordinate(2, brick[2] * kBrickCells + i);
  }
  std::fill(std::begin(rows.squared), std::end(rows.squared), limit);
}

struct MeshParts {
  const Mesh& mesh;
  const MeshTree& tree;
  const std::vector<TriangleFrame>& frames;
  double large;  // the largest coordinate of mesh and grid
};

bool scatter(const MeshParts& parts, double band, BrickRows& rows) {
  const Aabb3d box{{rows.x[0], rows.y[0], rows.z[0]}, {rows.x[kBrickCells], rows.y[kBrickCells], rows.z[kBrickCells]}};
  for_each_overlap(parts.tree, expand(box, band), [&](std::uint32_t t) {
    lower_rows(parts.frames[t], band, rows);
    return true;
  });
  for (const double s : rows.squared)
    if (s < band * band) return true;
  return false;
}

// The square of the distance to the nearest triangle, if it is below `best`
void search(const MeshParts& parts, const Vec3d& p, double& best) {
  const double slack = kFieldTreeSlack * parts.large;
  for_each_nearer(
      parts.tree,
      [&](const Aabb3d& box) {
        const double d = std::max(0.0, distance(p, closest_point_in_box(box.lo, box.hi, p)) - slack);
        return d * d;
      },
      best, [&](std::uint32_t t) { best = std::min(best, distance_squared(parts.frames[t], p)); });
}
bool search_rows(const MeshParts& parts, const FieldGrid3& grid, double band, BrickRows& rows) {
  // Beyond the band as a whole?
  const Vec3d lo{rows.x[0], rows.y[0], rows.z[0]}, hi{rows.x[kBrickCells], rows.y[kBrickCells], rows.z[kBrickCells]};
  const double reach = band + distance(lo, hi);  // a little more than from the middle
  double nearest = reach * reach;
  search(parts, (lo + hi) * 0.5, nearest);
  if (!(nearest < reach * reach) && !std::isinf(band)) return false;
  bool near = false;
  const double limit = band * band;
  double last = std::sqrt(nearest) + distance(lo, hi);
  for (std::uint32_t i = 0; i < kBrickSamples<3>; ++i) {
    // No farther than the sample before, and the way from there
    const std::uint32_t x = i % kBrickSide;
    double best = (last + grid.cell) * (1 + kFieldTreeSlack) + kFieldTreeSlack * parts.large;
    best = std::min(best * best, limit);
    search(parts, {rows.x[x], rows.y[i / kBrickSide % kBrickSide], rows.z[i / (kBrickSide * kBrickSide)]}, best);
    rows.squared[i] = best;
    near = near || best < limit;
    last = std::sqrt(best) + (x + 1 == kBrickSide ? kBrickSide * 2 * grid.cell : 0);
  }
  return near || std::isinf(band);
}

Result<void> check_vertices(const Mesh& mesh) {
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    if (const auto r = check_position(mesh.vertices[i], i); !r) return r;
  return {};
}

bool search_is_cheaper(const MeshParts& parts, const FieldGrid3& grid, double band) {
  if (std::isinf(band)) return true;
  double scattered = 0, area = 0, all = 1;
  for (const TriangleFrame& f : parts.frames) {
    double box = 1;
    for (int k = 0; k < 3; ++k)
      box *= std::min((f.hi[k] - f.lo[k] + 2 * band) / grid.cell + 1, static_cast<double>(grid.samples[k]));
    scattered += box;
    area += f.base * f.height / 2;
  }
  for (const std::uint32_t n : grid.samples) all *= n;
  const double searched = std::min(all, area * 2 * band / (grid.cell * grid.cell * grid.cell));
  return searched * kSearchCost < scattered;
}

// The inside of a surface with holes ends where it is wound around by a half, which may be outside of the grid; not when all
// of the grid's border is outside, as that number has no largest value beside the surface
bool border_is_outside(const DistanceField3& field) {
  const GridIndex<3> n = field.grid().samples;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    GridIndex<3> at;
    for (const std::uint32_t end : {0u, n[axis] - 1})
      for (at[axis] = end, at[u] = 0; at[u] < n[u]; ++at[u])
        for (at[v] = 0; at[v] < n[v]; ++at[v])
          if (field.at(at) < 0) return false;
  }
  return true;
}

Result<DistanceField3> build(const Mesh& mesh, const MeshTree& tree, const MeshAdjacency* who, const FieldGrid3& grid,
                             const FieldOptions& options, FieldMethod method) {
  const Result<double> band = checked_band(grid, options);
  if (!band) return band.error();
  Executor& executor = options.executor != nullptr ? *options.executor : default_executor();
  const Result<MeshSign> sign = make_sign(mesh, who, grid, options.sign, executor);
  if (!sign) return sign.error();
  std::vector<TriangleFrame> frames(mesh.triangles.size());
  parallel_for(executor, frames.size(), kTriangleGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) frames[t] = make_triangle_frame(mesh.corners(t));
  });
  const Aabb3d all = merge(grid.bounds(), tree.bounds());
  const MeshParts parts{mesh, tree, frames, std::max(max_abs(all.lo), max_abs(all.hi))};
  if (method == FieldMethod::scatter && std::isinf(*band))
    return Error{ErrorCode::invalid_argument, Error::kNoElement, "an infinite band needs a search"};
  const bool searched =
      method == FieldMethod::search || (method == FieldMethod::automatic && search_is_cheaper(parts, grid, *band));
  FieldFacts facts;
  facts.covers = contains(grid.bounds(), tree.bounds());
  facts.closed = sign->caps.triangles.empty();
  facts.exact_outside = facts.closed;
  facts.exact_inside = facts.closed && (options.sign != FieldSign::winding || !sign->columns.has_buried_parts());
  Result<DistanceField3> out =
      build_field<3>(grid, *band, options, facts, [&](const GridIndex<3>& brick, double(&values)[kBrickSamples<3>]) {
        BrickRows rows;
        place_rows(grid, brick, *band * *band, rows);
        const bool near = searched ? search_rows(parts, grid, *band, rows) : scatter(parts, *band, rows);
        return give_signs(grid, brick, *sign, near, rows.squared, values);
      });
  if (!out || facts.closed || !facts.covers || border_is_outside(*out)) return out;
  facts.covers = false;
  return DistanceField3(*std::move(out), facts);
}

}  // namespace

Result<DistanceField3> make_mesh_field(const Mesh& mesh, const FieldGrid3& grid, const FieldOptions& options,
                                       FieldMethod method) noexcept {
  return guarded([&]() -> Result<DistanceField3> {
    if (const auto r = check_vertices(mesh); !r) return r.error();
    const Result<MeshAdjacency> who = adjacency(mesh);  // checks the mesh
    if (!who) return who.error();
    return build(mesh, MeshTree::build(mesh), &*who, grid, options, method);
  });
}

Result<DistanceField3> make_mesh_field(const TriangleMesh& mesh, const FieldGrid3& grid, const FieldOptions& options,
                                       FieldMethod method) noexcept {
  return guarded([&]() -> Result<DistanceField3> {
    std::optional<MeshAdjacency> who;
    if (!mesh.is_oriented() && options.sign != FieldSign::none) {
      Result<MeshAdjacency> found = adjacency(mesh.mesh());
      if (!found) return found.error();
      who = *std::move(found);
    }
    return build(mesh.mesh(), mesh.tree(), who ? &*who : nullptr, grid, options, method);
  });
}

Result<DistanceField3> make_mesh_field_plain(const Mesh& mesh, const FieldGrid3& grid,
                                             const FieldOptions& options) noexcept {
  return guarded([&]() -> Result<DistanceField3> {
    if (const auto r = check_vertices(mesh); !r) return r.error();
    const Result<MeshAdjacency> who = adjacency(mesh);
    if (!who) return who.error();
    const Result<double> band = checked_band(grid, options);
    if (!band) return band.error();
    if (const auto open = open_triangle(*who); open && options.sign == FieldSign::parity)
      return Error{ErrorCode::not_closed, *open, "sign unknown: the mesh is open at this triangle"};
    Aabb3d box = Aabb3d::empty();
    for (const MeshTriangle& t : mesh.triangles)
      for (const std::uint32_t v : t) box = merge(box, mesh.vertices[v]);
    FieldFacts facts;
    facts.covers = contains(grid.bounds(), box);
    return build_field<3>(
        grid, *band, options, facts, [&](const GridIndex<3>& brick, double(&values)[kBrickSamples<3>]) {
          bool near = false, all_inside = true, all_outside = true;
          for (std::uint32_t i = 0; i < kBrickSamples<3>; ++i) {
            const Vec3d p = grid.brick_position(brick, i);
            double best = std::numeric_limits<double>::infinity();
            for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
              best = std::min(best, closest_point(mesh.corners(t), p).distance_squared);
            const bool inside = options.sign == FieldSign::winding
                                    ? std::fabs(generalized_winding_number(mesh, p)) > 0.5
                                : options.sign == FieldSign::parity ? locate(mesh, p) == Containment::inside
                                                                    : false;
            values[i] = inside ? -std::sqrt(best) : std::sqrt(best);
            near = near || best < *band * *band;
            (inside ? all_outside : all_inside) = false;
          }
          if (near || !(all_inside || all_outside)) return BrickKind::stored;
          return all_inside ? BrickKind::inside : BrickKind::outside;
        });
  });
}

}  // namespace sudar
