#include "lab/draw_list.hpp"

#include "lab/shape_surface.hpp"
#include <sudar/math/scalar.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/convex_body2.hpp>

#include <algorithm>
#include <cmath>

namespace sudar::lab {

namespace {

// Half the side of the piece of a half-space that is drawn, in metres
constexpr double kPlanePiece = 50;
// Coordinates beyond this are those of what has no end
constexpr float kDrawnEnd = 1e30f;
// A surface that no frame has asked for so often in a row is given up
constexpr unsigned kFramesUnused = 120;

Color from_bytes(int r, int g, int b, float alpha) {
  return {static_cast<float>(r) / 255, static_cast<float>(g) / 255, static_cast<float>(b) / 255, alpha};
}

Pose3d in_space(const Pose2d& pose) {
  // The half angle's sine and cosine, without dividing by what may vanish
  const double c = std::clamp(pose.rotation.c, -1.0, 1.0);
  const double cos_half = std::sqrt((1 + c) / 2), sin_half = std::sqrt((1 - c) / 2);
  return {DrawList::in_plane(pose.position), {cos_half, 0, 0, pose.rotation.s < 0 ? -sin_half : sin_half}};
}

Instance instance_of(const Mat3d& rotation, const Vec3d& scale, const Vec3d& position, Color c) {
  Instance instance;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      instance.columns[static_cast<std::size_t>(3 * j + i)] = static_cast<float>(rotation[j][i] * scale[j]);
  for (int i = 0; i < 3; ++i) instance.columns[static_cast<std::size_t>(9 + i)] = static_cast<float>(position[i]);
  instance.color = c;
  return instance;
}

// The least of a column, of what has an end; many at once, which the compiler turns into SIMD. For the greatest, sign is -1.
template <int sign>
float least_of(std::span<const float> column) {
  constexpr std::size_t kLanes = 16;
  std::array<float, kLanes> least;
  least.fill(kDrawnEnd);
  const auto take = [&](std::size_t i, std::size_t lane) {
    const float x = static_cast<float>(sign) * column[i];
    const float counted = x > -kDrawnEnd ? x : kDrawnEnd;
    least[lane] = counted < least[lane] ? counted : least[lane];
  };
  std::size_t i = 0;
  for (; i + kLanes <= column.size(); i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) take(i + lane, lane);
  for (; i < column.size(); ++i) take(i, 0);
  return static_cast<float>(sign) * *std::min_element(least.begin(), least.end());
}

Color pick(std::span<const Color> colors, std::size_t i) {
  return colors.empty() ? color_of(Ink::a) : colors[std::min(i, colors.size() - 1)];
}

}  // namespace

Color color_of(Ink ink, float alpha) {
  switch (ink) {
    case Ink::a:
      return from_bytes(86, 180, 233, alpha);  // sky blue
    case Ink::b:
      return from_bytes(230, 159, 0, alpha);  // orange
    case Ink::contact:
      return from_bytes(213, 94, 0, alpha);  // vermilion
    case Ink::normal:
      return from_bytes(204, 121, 167, alpha);  // reddish purple
    case Ink::axis:
      return from_bytes(0, 158, 115, alpha);  // bluish green
    case Ink::ghost:
      return from_bytes(150, 156, 165, alpha);
    case Ink::good:
      return from_bytes(0, 158, 115, alpha);
    case Ink::bad:
      return from_bytes(213, 94, 0, alpha);
    case Ink::node:
      return from_bytes(0, 114, 178, alpha);  // blue
    case Ink::ray:
      return from_bytes(240, 228, 66, alpha);  // yellow
    case Ink::field:
      return from_bytes(120, 134, 156, alpha);
    case Ink::text:
      return from_bytes(222, 226, 232, alpha);
    case Ink::ground:
      return from_bytes(126, 132, 140, alpha);
    case Ink::highlight:
      return from_bytes(240, 228, 66, alpha);
  }
  return from_bytes(255, 0, 255, alpha);
}

Color heat(double share, float alpha) {
  // Nine stops of a ramp that rises evenly in lightness and needs no red against green
  static constexpr int kStops[9][3] = {{68, 1, 84},    {71, 44, 122}, {59, 81, 139},  {44, 113, 142}, {33, 144, 141},
                                       {39, 173, 129}, {92, 200, 99}, {170, 220, 50}, {253, 231, 37}};
  const double at = (share > 0 ? std::min(share, 1.0) : 0.0) * 8;
  const std::size_t i = std::min<std::size_t>(static_cast<std::size_t>(at), 7);
  const double t = at - static_cast<double>(i);
  const auto mix = [&](int k) {
    return static_cast<int>(std::lround(kStops[i][k] + t * (kStops[i + 1][k] - kStops[i][k])));
  };
  return from_bytes(mix(0), mix(1), mix(2), alpha);
}

Color series(std::size_t i, float alpha) {
  static constexpr int kColors[8][3] = {{86, 180, 233}, {230, 159, 0}, {0, 158, 115}, {204, 121, 167},
                                        {240, 228, 66}, {213, 94, 0},  {0, 114, 178}, {170, 176, 184}};
  const int* c = kColors[i % 8];
  return from_bytes(c[0], c[1], c[2], alpha);
}

DrawList::DrawList() : bounds_(Aabb3d::empty()) {}

void DrawList::clear() {
  points_.clear(), lines_.clear(), triangles_.clear(), labels_.clear();
  front_points_.clear(), front_lines_.clear();
  columns_used_ = columns_made_ = 0;
  bounds_ = Aabb3d::empty();
  left_out_ = 0;
  flat = false;
  for (auto it = made_.begin(); it != made_.end();) it = ++it->second.unused > kFramesUnused ? made_.erase(it) : ++it;
  // A batch that stayed empty for a frame goes, so that surfaces are not held for ever
  const auto gone = std::stable_partition(batches_.begin(), batches_.end(),
                                          [](const InstanceBatch& batch) { return !batch.instances.empty(); });
  if (gone != batches_.end()) {
    batches_.erase(gone, batches_.end());
    batch_index_.clear();
    for (std::size_t i = 0; i < batches_.size(); ++i) batch_index_[{batches_[i].surface.get(), batches_[i].wire}] = i;
  }
  for (InstanceBatch& batch : batches_) batch.instances.clear();
}

void DrawList::grow(const Vec3d& p, double reach) {
  bounds_.lo = min(bounds_.lo, p - Vec3d{reach, reach, reach});
  bounds_.hi = max(bounds_.hi, p + Vec3d{reach, reach, reach});
}

void DrawList::point(const Vec3d& p, Color c, float pixels) {
  if (!drawable(is_finite(p))) return;
  points_.push_back({vec_cast<float>(p), pixels, c});
  grow(p);
}

void DrawList::line(const Vec3d& p, const Vec3d& q, Color c, float pixels) {
  if (!drawable(is_finite(p) && is_finite(q))) return;
  lines_.push_back({vec_cast<float>(p), vec_cast<float>(q), pixels, c});
  grow(p), grow(q);
}

void DrawList::arrow(const Vec3d& from, const Vec3d& to, Color c, float pixels) {
  line(from, to, c, pixels);
  const Vec3d way = to - from;
  if (!is_finite(way) || way == Vec3d{}) return;
  // The head is a fixed share of the arrow; in the plane it lies in the plane
  const Vec3d n = normalized(way);
  const double head = 0.18 * length(way);
  Vec3d u, v;
  if (flat) {
    u = {-n.y, n.x, 0};
    line(to, to - n * head + u * (head / 2), c, pixels);
    line(to, to - n * head - u * (head / 2), c, pixels);
    return;
  }
  make_frame(n, u, v);
  for (const Vec3d& side : {u, v, -u, -v}) line(to, to - n * head + side * (head / 2.5), c, pixels);
}

void DrawList::polyline(std::span<const Vec3d> points, Color c, bool closed, float pixels) {
  for (std::size_t i = 1; i < points.size(); ++i) line(points[i - 1], points[i], c, pixels);
  if (closed && points.size() > 2) line(points.back(), points.front(), c, pixels);
}

void DrawList::circle(const Vec3d& center, double radius, const Vec3d& axis, Color c, float pixels) {
  const Vec3d n = normalized(axis);
  if (!drawable(is_finite(center) && std::isfinite(radius)) || n == Vec3d{}) return;
  constexpr int kPieces = 64;
  Vec3d u, v, last{};
  make_frame(n, u, v);
  for (int i = 0; i <= kPieces; ++i) {
    const SinCos sc = sin_cos(2 * kPi * i / kPieces);
    const Vec3d p = center + u * (radius * sc.cos) + v * (radius * sc.sin);
    if (i > 0) line(last, p, c, pixels);
    last = p;
  }
}

void DrawList::triangle(const Vec3d& p, const Vec3d& q, const Vec3d& r, Color c) {
  if (!drawable(is_finite(p) && is_finite(q) && is_finite(r))) return;
  triangles_.push_back({{vec_cast<float>(p), vec_cast<float>(q), vec_cast<float>(r)}, c});
  grow(p), grow(q), grow(r);
}

void DrawList::polygon(std::span<const Vec3d> points, Color c) {
  for (std::size_t i = 2; i < points.size(); ++i) triangle(points[0], points[i - 1], points[i], c);
}

void DrawList::wire_box(const Vec3d& lo, const Vec3d& hi, Color c, float pixels) {
  if (!drawable(is_finite(lo) && is_finite(hi))) return;
  const auto corner = [&](int i) { return Vec3d{i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z}; };
  const bool thin = flat || lo.z == hi.z;
  for (int i = 0; i < (thin ? 4 : 8); ++i)
    for (int axis = 0; axis < (thin ? 2 : 3); ++axis)
      if (!(i & (1 << axis))) line(corner(i), corner(i | (1 << axis)), c, pixels);
}

void DrawList::box(const Vec3d& lo, const Vec3d& hi, Color c) {
  place(flat ? CommonSurface::rectangle : CommonSurface::box, {(lo + hi) * 0.5, {}}, (hi - lo) * 0.5, c, false);
}

void DrawList::sphere(const Vec3d& center, double radius, Color c) {
  place(flat ? CommonSurface::disk : CommonSurface::sphere, {center, {}}, {radius, radius, radius}, c, false);
}

void DrawList::point_in_front(const Vec3d& p, Color c, float pixels) {
  if (!drawable(is_finite(p))) return;
  front_points_.push_back({vec_cast<float>(p), pixels, c});
  grow(p);
}

void DrawList::line_in_front(const Vec3d& p, const Vec3d& q, Color c, float pixels) {
  if (!drawable(is_finite(p) && is_finite(q))) return;
  front_lines_.push_back({vec_cast<float>(p), vec_cast<float>(q), pixels, c});
  grow(p), grow(q);
}

void DrawList::label(const Vec3d& p, std::string text, Color c) {
  if (drawable(is_finite(p))) labels_.push_back({p, std::move(text), c});
}

InstanceBatch& DrawList::batch_of(const std::shared_ptr<const Surface>& s, bool wire) const {
  const auto [found, inserted] = batch_index_.try_emplace({s.get(), wire}, batches_.size());
  if (inserted) {
    float reach = 0;
    for (const SurfaceVertex& vertex : s->vertices) reach = std::max(reach, length(vertex.position));
    batches_.push_back({s, wire, reach, {}});
  }
  return batches_[found->second];
}

void DrawList::place(CommonSurface which, const Pose3d& pose, const Vec3d& scale, Color c, bool wire) {
  if (!drawable(is_finite(pose.position) && is_finite(scale))) return;
  const Mat3d rotation = to_matrix(pose.rotation);
  batch_of(common_surface(which), wire).instances.push_back(instance_of(rotation, scale, pose.position, c));
  // How far it reaches along each axis: exact for balls and boxes, a little too far for the others
  const bool round = which == CommonSurface::sphere || which == CommonSurface::hemisphere;
  Vec3d reach{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double part = rotation[j][i] * scale[j];
      reach[i] += round ? part * part : std::fabs(part);
    }
    if (round) reach[i] = std::sqrt(reach[i]);
  }
  grow(pose.position - reach), grow(pose.position + reach);
}

void DrawList::surface(const std::shared_ptr<const Surface>& s, const Pose3d& pose, Color c, bool wire) {
  if (s == nullptr || !drawable(is_finite(pose.position))) return;
  InstanceBatch& batch = batch_of(s, wire);
  batch.instances.push_back(instance_of(to_matrix(pose.rotation), {1, 1, 1}, pose.position, c));
  grow(pose.position, batch.reach);
}

template <class Make>
const std::shared_ptr<const Surface>& DrawList::made(const std::shared_ptr<const void>& data, double radius,
                                                     Make make) {
  Made& entry = made_[{data.get(), radius}];
  entry.unused = 0;
  if (entry.surface == nullptr) entry = {data, std::make_shared<const Surface>(make()), 0};
  return entry.surface;
}

void DrawList::capsule(const Pose3d& pose, const Vec3d& p, const Vec3d& q, double radius, Color c, bool wire) {
  const double half = length(q - p) / 2;
  const Vec3d round{radius, radius, radius};
  if (!(half > 0)) return place(CommonSurface::sphere, pose * Pose3d{p, {}}, round, c, wire);
  const Vec3d axis = (q - p) / (2 * half);
  // The shortest turn from z to the axis, and half a turn when that is down
  Quatd turn = axis.z > -1 ? normalized(Quatd{1 + axis.z, -axis.y, axis.x, 0}) : Quatd{0, 1, 0, 0};
  const Quatd down{0, 1, 0, 0};
  place(CommonSurface::tube, pose * Pose3d{(p + q) * 0.5, turn}, {radius, radius, half}, c, wire);
  place(CommonSurface::hemisphere, pose * Pose3d{q, turn}, round, c, wire);
  place(CommonSurface::hemisphere, pose * Pose3d{p, turn * down}, round, c, wire);
}

void DrawList::shape(const Shape3& s, const Pose3d& pose, Color c, bool wire) {
  const auto drawn = [&](const std::shared_ptr<const Surface>& surface_) { surface(surface_, pose, c, wire); };
  switch (s.kind()) {
    case ShapeKind3::point:
      return point(transform(pose, s.as<PointShape3>().p), c);
    case ShapeKind3::segment:
      return line(transform(pose, s.as<SegmentShape3>().p), transform(pose, s.as<SegmentShape3>().q), c, 2.5f);
    case ShapeKind3::triangle: {
      Vec3d v[3];
      for (int i = 0; i < 3; ++i) v[i] = transform(pose, s.as<TriangleShape3>().v[i]);
      if (!wire) triangle(v[0], v[1], v[2], c);
      return wire ? polyline(v, c, true) : void();
    }
    case ShapeKind3::sphere: {
      const double r = s.as<SphereShape3>().radius;
      return place(CommonSurface::sphere, pose, {r, r, r}, c, wire);
    }
    case ShapeKind3::capsule: {
      const auto& capsule_ = s.as<CapsuleShape3>();
      return capsule(pose, capsule_.p, capsule_.q, capsule_.radius, c, wire);
    }
    case ShapeKind3::box:
      return place(CommonSurface::box, pose, s.as<BoxShape3>().half, c, wire);
    case ShapeKind3::cylinder: {
      const auto& cylinder = s.as<CylinderShape3>();
      return place(CommonSurface::cylinder, pose, {cylinder.radius, cylinder.radius, cylinder.half_height}, c, wire);
    }
    case ShapeKind3::cone: {
      const auto& cone = s.as<ConeShape3>();
      return place(CommonSurface::cone, pose, {cone.radius, cone.radius, cone.half_height}, c, wire);
    }
    case ShapeKind3::ellipsoid:
      return place(CommonSurface::sphere, pose, s.as<EllipsoidShape3>().radii, c, wire);
    case ShapeKind3::hull: {
      const auto& hull = s.as<HullShape3>();
      return drawn(made(hull.body, hull.radius, [&] { return hull_surface(*hull.body, hull.radius); }));
    }
    case ShapeKind3::custom: {
      const auto& function = s.as<CustomShape3>().function;
      return drawn(
          made(function, 0, [&] { return support_surface3([&](const Vec3d& d) { return function->support(d); }); }));
    }
    case ShapeKind3::halfspace: {
      const auto& half = s.as<HalfSpaceShape3>();
      const Vec3d z = rotate(pose.rotation, half.normal);
      const Vec3d on_plane = transform(pose, half.normal * half.offset);
      const Quatd turn = z.z > -1 ? normalized(Quatd{1 + z.z, -z.y, z.x, 0}) : Quatd{0, 1, 0, 0};
      const Aabb3d before = bounds_;
      place(CommonSurface::rectangle, {on_plane, turn}, {kPlanePiece, kPlanePiece, 1}, c, wire);
      bounds_ = before;
      return;
    }
    case ShapeKind3::mesh: {
      const auto& mesh = s.as<MeshShape3>().mesh;
      return drawn(made(mesh, 0, [&] { return mesh_surface(*mesh); }));
    }
    case ShapeKind3::height_field: {
      const auto& field = s.as<HeightFieldShape3>().field;
      return drawn(made(field, 0, [&] { return height_surface(*field); }));
    }
    case ShapeKind3::compound:
      for (const CompoundChild3& child : s.as<CompoundShape3>().parts->children())
        shape(child.shape, pose * child.pose, c, wire);
      return;
  }
}

void DrawList::shape(const Shape2& s, const Pose2d& pose, Color c, bool wire) {
  const Pose3d placed = in_space(pose);
  const auto drawn = [&](const std::shared_ptr<const Surface>& surface_) { surface(surface_, placed, c, wire); };
  switch (s.kind()) {
    case ShapeKind2::point:
      return point(in_plane(transform(pose, s.as<PointShape2>().p)), c);
    case ShapeKind2::segment:
      return line(in_plane(transform(pose, s.as<SegmentShape2>().p)),
                  in_plane(transform(pose, s.as<SegmentShape2>().q)), c, 2.5f);
    case ShapeKind2::circle: {
      const double r = s.as<CircleShape2>().radius;
      place(CommonSurface::disk, placed, {r, r, 0}, c, wire);
      // A spoke shows how it turns
      return line(placed.position, transform(placed, Vec3d{r, 0, 0}), faded(c, 0.5f), 1);
    }
    case ShapeKind2::capsule: {
      const auto& capsule_ = s.as<CapsuleShape2>();
      const double half = distance(capsule_.p, capsule_.q) / 2, r = capsule_.radius;
      if (!(half > 0)) return place(CommonSurface::disk, placed * Pose3d{in_plane(capsule_.p), {}}, {r, r, 0}, c, wire);
      const Vec2d axis = (capsule_.q - capsule_.p) / (2 * half);
      const Pose2d along{(capsule_.p + capsule_.q) * 0.5, {axis.x, axis.y}};
      const Pose2d back{capsule_.p, {-axis.x, -axis.y}}, front{capsule_.q, {axis.x, axis.y}};
      if (!wire) place(CommonSurface::rectangle, placed * in_space(along), {half, r, 0}, c, false);
      place(CommonSurface::half_disk, placed * in_space(back), {r, r, 0}, c, wire);
      place(CommonSurface::half_disk, placed * in_space(front), {r, r, 0}, c, wire);
      if (wire)
        for (const double side : {r, -r}) {
          const Pose2d world = pose * along;
          line(in_plane(transform(world, Vec2d{-half, side})), in_plane(transform(world, Vec2d{half, side})), c);
        }
      return;
    }
    case ShapeKind2::box: {
      const Vec2d& half = s.as<BoxShape2>().half;
      return place(CommonSurface::rectangle, placed, {half.x, half.y, 0}, c, wire);
    }
    case ShapeKind2::polygon: {
      const auto& polygon_ = s.as<PolygonShape2>();
      return drawn(
          made(polygon_.body, polygon_.radius, [&] { return polygon_surface(*polygon_.body, polygon_.radius); }));
    }
    case ShapeKind2::custom: {
      const auto& function = s.as<CustomShape2>().function;
      return drawn(
          made(function, 0, [&] { return support_surface2([&](const Vec2d& d) { return function->support(d); }); }));
    }
    case ShapeKind2::halfplane: {
      const auto& half = s.as<HalfPlaneShape2>();
      const Vec2d n = rotate(pose.rotation, half.normal);
      const Pose2d inside{transform(pose, half.normal * (half.offset - kPlanePiece)), {n.y, -n.x}};
      const Aabb3d before = bounds_;
      place(CommonSurface::rectangle, in_space(inside), {kPlanePiece, kPlanePiece, 0}, c, wire);
      bounds_ = before;
      return;
    }
    case ShapeKind2::chain: {
      const auto& set = s.as<ChainShape2>().set;
      return surface(made(set, 0, [&] { return polygon_set_surface(*set); }), placed, c, true);
    }
    case ShapeKind2::concave_polygon: {
      const auto& set = s.as<ConcavePolygonShape2>().set;
      return drawn(made(set, 0, [&] { return polygon_set_surface(*set); }));
    }
    case ShapeKind2::compound:
      for (const CompoundChild2& child : s.as<CompoundShape2>().parts->children())
        shape(child.shape, pose * child.pose, c, wire);
      return;
  }
}

void DrawList::boxes(std::span<const Aabb<3, float>> boxes, std::span<const Color> colors, bool wire) {
  std::vector<Instance>& out = batch_of(common_surface(CommonSurface::box), wire).instances;
  out.reserve(out.size() + boxes.size());
  Aabb<3, float> all = Aabb<3, float>::empty();
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Aabb<3, float>& b = boxes[i];
    if (!drawable(is_finite(b.lo) && is_finite(b.hi))) continue;
    const BasicVec3<float> half = (b.hi - b.lo) * 0.5f, center = b.lo + half;
    out.push_back({{half.x, 0, 0, 0, half.y, 0, 0, 0, half.z, center.x, center.y, center.z}, pick(colors, i)});
    all.lo = min(all.lo, b.lo), all.hi = max(all.hi, b.hi);
  }
  if (is_valid(all)) grow(vec_cast<double>(all.lo)), grow(vec_cast<double>(all.hi));
}

void DrawList::boxes(std::span<const Aabb<2, float>> boxes, std::span<const Color> colors, bool wire) {
  std::vector<Instance>& out = batch_of(common_surface(CommonSurface::rectangle), wire).instances;
  out.reserve(out.size() + boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Aabb<2, float>& b = boxes[i];
    if (!drawable(is_finite(b.lo) && is_finite(b.hi))) continue;
    const BasicVec2<float> half = (b.hi - b.lo) * 0.5f, center = b.lo + half;
    out.push_back({{half.x, 0, 0, 0, half.y, 0, 0, 0, 1, center.x, center.y, 0}, pick(colors, i)});
    grow(in_plane(vec_cast<double>(b.lo))), grow(in_plane(vec_cast<double>(b.hi)));
  }
}

void DrawList::boxes(std::span<const std::span<const float>> lo, std::span<const std::span<const float>> hi,
                     std::span<const std::uint8_t> kinds, std::span<const Color> palette) {
  const std::size_t axes = std::min<std::size_t>({lo.size(), hi.size(), 3});
  if (axes < 2 || kinds.empty() || palette.empty()) return;
  if (columns_used_ == columns_.size()) columns_.emplace_back();
  Columns& columns = columns_[columns_used_++];
  columns.axes = static_cast<int>(axes);
  Vec3d least{}, greatest{};
  bool seen = true;
  for (std::size_t k = 0; k < axes; ++k) {
    SUDAR_ASSERT(lo[k].size() == kinds.size() && hi[k].size() == kinds.size());
    columns.lo[k].assign(lo[k].begin(), lo[k].end());
    columns.hi[k].assign(hi[k].begin(), hi[k].end());
    least[static_cast<int>(k)] = least_of<1>(lo[k]);
    greatest[static_cast<int>(k)] = least_of<-1>(hi[k]);
    seen = seen && lo[k].size() == kinds.size() && least[static_cast<int>(k)] <= greatest[static_cast<int>(k)];
  }
  columns.kinds.assign(kinds.begin(), kinds.end());
  columns.palette.assign(palette.begin(), palette.end());
  if (seen) grow(least), grow(greatest);
}

void DrawList::make_instances(const Columns& columns) const {
  const bool in_space = columns.axes == 3;
  std::vector<Instance>& out =
      batch_of(common_surface(in_space ? CommonSurface::box : CommonSurface::rectangle), false).instances;
  const std::size_t before = out.size();
  std::size_t made = before;
  out.resize(before + columns.kinds.size());
  for (std::size_t i = 0; i < columns.kinds.size(); ++i) {
    BasicVec3<float> half{1, 1, 1}, center{};
    bool ends = true;
    for (int k = 0; k < columns.axes; ++k) {
      const float lo = columns.lo[static_cast<std::size_t>(k)][i], hi = columns.hi[static_cast<std::size_t>(k)][i];
      half[k] = (hi - lo) * 0.5f;
      center[k] = lo + half[k];
      ends = ends && lo > -kDrawnEnd && hi < kDrawnEnd;
    }
    if (!ends) continue;
    out[made++] = {{half.x, 0, 0, 0, half.y, 0, 0, 0, half.z, center.x, center.y, center.z},
                   pick(columns.palette, columns.kinds[i])};
  }
  out.resize(made);
}

std::span<const InstanceBatch> DrawList::batches() const {
  for (; columns_made_ < columns_used_; ++columns_made_) make_instances(columns_[columns_made_]);
  return batches_;
}

void DrawList::spheres(std::span<const Vec3d> centers, std::span<const double> radii, std::span<const Color> colors) {
  std::vector<Instance>& out =
      batch_of(common_surface(flat ? CommonSurface::disk : CommonSurface::sphere), false).instances;
  out.reserve(out.size() + centers.size());
  for (std::size_t i = 0; i < centers.size() && !radii.empty(); ++i) {
    const double radius = radii[std::min(i, radii.size() - 1)];
    if (!drawable(is_finite(centers[i]) && std::isfinite(radius))) continue;
    const BasicVec3<float> p = vec_cast<float>(centers[i]);
    const float r = static_cast<float>(radius);
    out.push_back({{r, 0, 0, 0, r, 0, 0, 0, r, p.x, p.y, p.z}, pick(colors, i)});
    grow(centers[i], radius);
  }
}

Aabb3d DrawList::bounds() const { return bounds_; }

std::size_t DrawList::size() const {
  std::size_t count =
      points_.size() + lines_.size() + triangles_.size() + labels_.size() + front_points_.size() + front_lines_.size();
  for (std::size_t i = columns_made_; i < columns_used_; ++i) count += columns_[i].kinds.size();
  for (const InstanceBatch& batch : batches_) count += batch.instances.size();
  return count;
}

}  // namespace sudar::lab
