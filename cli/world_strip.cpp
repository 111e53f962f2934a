#include "cli/world_strip.hpp"

#include "cli/svg.hpp"
#include "cli/text.hpp"
#include "scenes/physics.hpp"
#include <sudar/io/file_bytes.hpp>
#include <sudar/narrowphase/primitives2.hpp>
#include <sudar/narrowphase/primitives3.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/polygon_set.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <algorithm>
#include <cmath>

namespace sudar_cli {

namespace {

using sudar::Pose2d;
using sudar::Pose3d;
using sudar::Shape2;
using sudar::Shape3;
using sudar::Vec2d;
using sudar::Vec3d;

constexpr int kOutline = 28;  // directions of a round body's outline
constexpr double kPicture = 420;

// The camera of space: x to the right, up on the picture, and towards the viewer
const Vec3d kToViewer = normalized(Vec3d{0.45, -1, 0.4});
const Vec3d kRight = normalized(cross(Vec3d{0, 0, 1}, kToViewer));
const Vec3d kUpwards = cross(kToViewer, kRight);
const Vec3d kSun = normalized(Vec3d{-0.3, -0.6, 1});
Vec2d on_picture(const Vec3d& p) { return {dot(p, kRight), dot(p, kUpwards)}; }
Vec2d on_picture(const Vec2d& p) { return p; }

// visit(corners in the world, normal or zero)
template <class F>
void for_each_patch(const Shape2& shape, const Pose2d& pose, F&& visit) {
  std::vector<Vec2d> points;
  if (shape.kind() == sudar::ShapeKind2::compound) {
    for (const auto& child : shape.as<sudar::CompoundShape2>().parts->children())
      for_each_patch(child.shape, pose * child.pose, visit);
    return;
  }
  if (shape.kind() == sudar::ShapeKind2::concave_polygon || shape.kind() == sudar::ShapeKind2::chain) {
    const auto& set = shape.kind() == sudar::ShapeKind2::chain ? shape.as<sudar::ChainShape2>().set
                                                               : shape.as<sudar::ConcavePolygonShape2>().set;
    for (const Vec2d& p : set->vertices()) points.push_back(transform(pose, p));
  } else if (shape.is_bounded()) {
    for (int i = 0; i < kOutline; ++i) {
      const sudar::Rot2d turn = sudar::Rot2d::from_angle(2 * sudar::kPi * (i + 0.5) / kOutline);
      points.push_back(transform(pose, support_point(shape, Vec2d{turn.c, turn.s})));
    }
  }
  visit(points, Vec3d{});
}

void for_each_triangle(const Shape3& shape, const Pose3d& pose, const auto& visit) {
  const auto one = [&](const sudar::Triangle<3, double>& t) {
    const std::vector<Vec3d> corners = {transform(pose, t.a), transform(pose, t.b), transform(pose, t.c)};
    visit(corners, normalized(cross(corners[1] - corners[0], corners[2] - corners[0])));
  };
  if (shape.kind() == sudar::ShapeKind3::mesh) {
    const auto& mesh = *shape.as<sudar::MeshShape3>().mesh;
    for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t) one(mesh.triangle(t));
  } else {
    const auto& field = *shape.as<sudar::HeightFieldShape3>().field;
    for (std::uint32_t t = 0; t < field.triangle_count(); ++t) one(field.triangle(t));
  }
}

template <class F>
void for_each_patch(const Shape3& shape, const Pose3d& pose, F&& visit) {
  std::vector<Vec3d> points;
  if (shape.kind() == sudar::ShapeKind3::compound) {
    for (const auto& child : shape.as<sudar::CompoundShape3>().parts->children())
      for_each_patch(child.shape, pose * child.pose, visit);
  } else if (shape.kind() == sudar::ShapeKind3::mesh || shape.kind() == sudar::ShapeKind3::height_field) {
    for_each_triangle(shape, pose, visit);
  } else if (shape.kind() == sudar::ShapeKind3::box) {
    const Vec3d& h = shape.as<sudar::BoxShape3>().half;
    for (int side = 0; side < 6; ++side) {
      const int axis = side / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
      Vec3d normal{};
      normal[axis] = side % 2 == 0 ? 1 : -1;
      points.clear();
      for (int corner = 0; corner < 4; ++corner) {
        Vec3d p{};
        p[axis] = normal[axis] * h[axis];
        p[u] = (corner == 1 || corner == 2 ? 1 : -1) * h[u];
        p[v] = (corner >= 2 ? 1 : -1) * h[v];
        points.push_back(transform(pose, p));
      }
      visit(points, rotate(pose.rotation, normal));
    }
  } else if (shape.kind() == sudar::ShapeKind3::hull && shape.as<sudar::HullShape3>().radius == 0) {
    const sudar::Hull3& hull = shape.as<sudar::HullShape3>().body->hull();
    for (std::uint32_t f = 0; f < hull.face_count(); ++f) {
      points.clear();
      for (std::uint32_t i = 0; i < hull.face_degree(f); ++i)
        points.push_back(transform(pose, hull.vertices[hull.face_vertex(f, i)]));
      visit(points, rotate(pose.rotation, hull.planes[f].normal));
    }
  } else if (shape.is_bounded()) {
    // Farthest in every direction of the picture
    for (int i = 0; i < kOutline; ++i) {
      const sudar::Rot2d turn = sudar::Rot2d::from_angle(2 * sudar::kPi * i / kOutline);
      const Vec3d way = rotate(conjugate(pose.rotation), kRight * turn.c + kUpwards * turn.s);
      points.push_back(transform(pose, support_point(shape, way)));
    }
    visit(points, Vec3d{});
  }
}

double depth_of(const Vec3d& p) { return dot(p, kToViewer); }
double depth_of(const Vec2d&) { return 0; }

// Bodies differ a little, so that they can be told apart
std::string colour_of(std::uint32_t body, bool fixed, bool red, bool asleep, double light) {
  const int hue = red ? 4 : 205 + static_cast<int>(body * 37 % 40), part = fixed ? 8 : asleep ? 25 : 62;
  const double bright = (fixed ? 82 : 60 + static_cast<double>(body * 13 % 9)) * light;
  return "hsl(" + std::to_string(hue) + ' ' + std::to_string(part) + "% " + sudar_cli::fixed(bright, 0) + "%)";
}

}  // namespace

template <int D>
void WorldStrip<D>::add_shape(const sudar::AnyShape<D>& shape, const sudar::Pose<D, double>& pose, const Patch& like,
                              Frame& frame) {
  for_each_patch(shape, pose, [&](const auto& points, const Vec3d& normal) {
    if (points.size() < 2 || dot(normal, kToViewer) < 0) return;
    Patch patch = like;
    patch.depth = 0;
    for (const auto& p : points) {
      patch.corners.push_back(on_picture(p));
      patch.depth += depth_of(p) / static_cast<double>(points.size());
      if (!like.fixed) seen_ = merge(seen_, sudar::Aabb<2, double>{patch.corners.back(), patch.corners.back()});
    }
    patch.light = normal == Vec3d{} ? 1 : 0.78 + 0.22 * dot(normal, kSun);
    frame.patches.push_back(std::move(patch));
  });
}

template <int D>
void WorldStrip<D>::add(const sudar::World<D>& world) {
  Frame frame;
  frame.time = world.time();
  const std::vector<std::uint8_t> touching = sudar::scenes::touching_bodies(world);
  for (std::uint32_t i = 0; i < world.bodies().size(); ++i) {
    const auto& body = world.bodies()[i];
    if (!body.used) continue;
    Patch like;
    like.body = i;
    like.fixed = body.kind == sudar::BodyKind::fixed;
    like.red = !like.fixed && touching[i] != 0 && !body.asleep;
    like.asleep = body.asleep;
    add_shape(world.scene()[i].shape, world.pose(world.id_of(i)), like, frame);
  }
  std::stable_sort(frame.patches.begin(), frame.patches.end(),
                   [](const Patch& a, const Patch& b) { return a.fixed != b.fixed ? a.fixed : a.depth < b.depth; });
  frames_.push_back(std::move(frame));
}

template <int D>
bool WorldStrip<D>::write(const std::string& path, const std::string& title) const {
  const Vec2d size = seen_.hi - seen_.lo, middle = (seen_.lo + seen_.hi) / 2;
  const double scale = kPicture / (1.12 * std::max({size.x, size.y, 1e-3}));
  const double width = kPicture * static_cast<double>(frames_.size()), top = 26;
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + fixed(width, 0) + ' ' +
                    fixed(kPicture + top, 0) + "\" role=\"img\" aria-label=\"" + escaped(title) +
                    "\" font-family=\"sans-serif\" font-size=\"14\">";
  for (std::size_t k = 0; k < frames_.size(); ++k) {
    const double left = kPicture * static_cast<double>(k);
    out += "<text x=\"" + fixed(left + 6, 0) + "\" y=\"18\" fill=\"#666\">" +
           escaped(k == 0 ? title + ", 0 s" : fixed(frames_[k].time, 2) + " s") + "</text>";
    out += "<svg x=\"" + fixed(left + 3, 0) + "\" y=\"" + fixed(top, 0) + "\" width=\"" + fixed(kPicture - 6, 0) +
           "\" height=\"" + fixed(kPicture, 0) +
           "\"><rect width=\"100%\" height=\"100%\" fill=\"#f7f8fa\"/>"
           "<g stroke=\"#223\" stroke-opacity=\".35\" stroke-width=\".6\">";
    for (const Patch& patch : frames_[k].patches) {
      out += "<path d=\"";
      for (std::size_t i = 0; i < patch.corners.size(); ++i) {
        // Floors reach far beyond the picture
        const double x = std::clamp(kPicture / 2 + (patch.corners[i].x - middle.x) * scale, -1e5, 1e5);
        const double y = std::clamp(kPicture / 2 - (patch.corners[i].y - middle.y) * scale, -1e5, 1e5);
        out += (i == 0 ? "M" : "L") + fixed(x, 1) + ' ' + fixed(y, 1);
      }
      out += "z\" fill=\"" + colour_of(patch.body, patch.fixed, patch.red, patch.asleep, patch.light) + "\"/>";
    }
    out += "</g></svg>";
  }
  out += "</svg>\n";
  return sudar::write_whole_file(path, out).ok();
}

template class WorldStrip<2>;
template class WorldStrip<3>;

}  // namespace sudar_cli
