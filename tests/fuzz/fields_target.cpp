// Fields of bodies, meshes and polygons on any grid, sampled, joined and touched anywhere, and the probe on them: what is asked is
// finite or refused. In space; after a byte of 255, in the plane.
#include "tests/fuzz/body_bytes.hpp"
#include <sudar/sdf/field_contacts.hpp>
#include <sudar/sdf/field_csg.hpp>
#include <sudar/sdf/haptic_probe.hpp>
#include <sudar/sdf/mesh_field.hpp>
#include <sudar/sdf/polygon_field.hpp>
#include <sudar/sdf/shape_field.hpp>

#include <cmath>
#include <memory>
#include <vector>

namespace sudar_fuzz {

namespace {

constexpr double kMostCells = 12, kMostCellsOfAUnion = 4;
constexpr int kMostDone = 12;

template <int D>
sudar::FieldGrid<D> grid_of(Bytes& bytes) {
  sudar::FieldGrid<D> grid;
  const bool usual = bytes.below(4) != 0;
  for (int k = 0; k < D; ++k) {
    grid.origin[k] = usual ? bytes.round_number() : bytes.any_number();
    grid.samples[static_cast<std::size_t>(k)] = 1 + bytes.below(usual ? 4 : 8);
  }
  grid.cell = usual ? 0.25 * (1 + bytes.below(8)) : bytes.any_number();
  return grid;
}

sudar::FieldOptions options_of(Bytes& bytes) {
  sudar::FieldOptions options;
  if (bytes.coin()) options.band = bytes.any_number();
  options.dense = bytes.coin();
  options.sign = static_cast<sudar::FieldSign>(bytes.below(3));
  options.executor = &sudar::serial_executor();
  return options;
}

sudar::Result<sudar::DistanceField<2>> field_of(Bytes& bytes, std::integral_constant<int, 2>) {
  const auto grid = grid_of<2>(bytes);
  const auto options = options_of(bytes);
  if (bytes.coin()) return sudar::make_shape_field(flat_body_of(bytes), grid, options);
  std::vector<std::vector<sudar::Vec2d>> polygons(1 + bytes.below(2));
  for (auto& polygon : polygons) polygon = some_points<2>(bytes, 3, 8);
  return sudar::make_polygon_field(polygons, grid, options);
}

sudar::Mesh rough_mesh(Bytes& bytes) {
  sudar::Mesh mesh;
  mesh.vertices = some_points<3>(bytes, 3, 8);
  const auto count = static_cast<std::uint32_t>(mesh.vertices.size());
  for (std::uint32_t n = 1 + bytes.below(12); n > 0; --n)
    mesh.triangles.push_back({bytes.below(count), bytes.below(count), bytes.below(count)});
  return mesh;
}

sudar::Result<sudar::DistanceField<3>> field_of(Bytes& bytes, std::integral_constant<int, 3>) {
  const auto grid = grid_of<3>(bytes);
  const auto options = options_of(bytes);
  if (bytes.coin()) return sudar::make_shape_field(body_of(bytes), grid, options);
  const auto method = static_cast<sudar::FieldMethod>(bytes.below(3));
  return sudar::make_mesh_field(rough_mesh(bytes), grid, options, method);
}

template <int D>
void sample(const sudar::DistanceField<D>& field, Bytes& bytes) {
  const auto p = bytes.any_vector<D>();
  sudar::FieldSample<D> x;
  if (!field.sample(std::span(&p, 1), std::span(&x, 1), sudar::serial_executor())) return;
  promise(is_finite(x.gradient) && !std::isnan(x.distance), "a sample is a number");
  const auto near = field.closest(p);
  promise(!near.found || is_finite(near.point), "a closest place is a place");
}

template <int D>
void touch(const sudar::DistanceField<D>& field, Bytes& bytes) {
  const auto body = any_body(bytes, std::integral_constant<int, D>());
  const auto place = any_place<D>(bytes);
  // It is asked how far it is from each of thousands of parts of a cell
  if (body.is_bounded()) {
    const auto box = bounding_box(body);
    if (max_abs(box.hi - box.lo) > (body.is_convex() ? kMostCells : kMostCellsOfAUnion) * field.grid().cell) return;
  }
  if (bytes.coin()) {
    const auto x = sudar::field_distance(field, body, place);
    if (!x) return;
    promise(!std::isnan(x->separation) && is_finite(x->point_a) && is_finite(x->point_b) && is_finite(x->normal),
            "a distance from a field is finite");
  } else if (const auto set = sudar::field_contacts(field, body, place, bytes.coin() ? 0.125 : 0)) {
    for (const auto& point : set->points)
      promise(is_finite(point.position) && std::isfinite(point.separation), "contacts with a field are finite");
  }
}

void probe(Bytes& bytes, std::shared_ptr<const sudar::DistanceField3> field) {
  sudar::HapticOptions options;
  const auto some = [&](double usual) { return bytes.below(4) != 0 ? usual : bytes.any_number(); };
  options.radius = some(0.125);
  options.stiffness = some(1000), options.damping = some(1), options.period = some(0.001), options.friction = some(0.5);
  options.max_step = some(0), options.max_force = some(20);
  const auto start = bytes.any_vector<3>();
  std::shared_ptr<const sudar::TriangleMesh> mesh;
  if (bytes.coin())
    if (auto made = sudar::TriangleMesh::make(rough_mesh(bytes))) mesh = *std::move(made);
  auto made = mesh ? sudar::HapticProbe::make(mesh, options, start)
                   : sudar::HapticProbe::make(std::move(field), options, start);
  if (!made) return;
  for (int i = 0; i < 4; ++i) {
    const sudar::HapticState& x = made->update(bytes.any_vector<3>());
    promise(is_finite(x.proxy) && is_finite(x.force) && is_finite(x.normal) && is_finite(x.point),
            "what the probe feels is finite");
  }
}
void probe(Bytes&, std::shared_ptr<const sudar::DistanceField2>) {}

template <int D>
void fields(Bytes bytes) {
  const std::integral_constant<int, D> dim;
  auto field = field_of(bytes, dim);
  if (!field) return;
  for (int done = 0; done < kMostDone && !bytes.empty(); ++done) switch (bytes.below(6)) {
      case 0: {
        const auto other = field_of(bytes, dim);
        if (!other) break;
        auto joined = bytes.coin()   ? sudar::field_union(*field, *other)
                      : bytes.coin() ? sudar::field_intersection(*field, *other)
                                     : sudar::field_difference(*field, *other);
        if (joined) field = std::move(joined);
        break;
      }
      case 1:
        if (auto moved = sudar::field_offset(*field, bytes.any_number())) field = std::move(moved);
        break;
      case 2:
        probe(bytes, std::make_shared<const sudar::DistanceField<D>>(*field));
        break;
      case 3:
        touch(*field, bytes);
        break;
      default:
        sample(*field, bytes);
    }
}

}  // namespace

void fuzz_fields(FuzzBytes all) {
  if (!all.empty() && all[0] == kInThePlane) return fields<2>(Bytes(all.subspan(1)));
  fields<3>(Bytes(all));
}

}  // namespace sudar_fuzz
