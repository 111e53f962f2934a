// What:    The bounding volumes of one body, one after another: how much more than its hull each holds, and what fitting,
//          testing and moving it costs.
#include "lab/field_exhibits.hpp"
#include "lab/show_bodies.hpp"
#include "lab/still_exhibit.hpp"
#include <sudar/bounding/kdop_fit.hpp>
#include <sudar/bounding/obb_fit.hpp>
#include <sudar/bounding/round_fit.hpp>
#include <sudar/bounding/sphere_fit.hpp>
#include <sudar/bounding/tightness.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <algorithm>

namespace sudar::lab {

namespace {

class BoundingVolumes final : public StillExhibit {
 public:
  BoundingVolumes() {
    using P = Parameter;
    parameters_ = {P::choice("body", "body", solid_names(), 2), P::number("turn", "turned by", "°", 35, -180, 180),
                   P::number("stretch", "stretched along x", "times", 1.5, 0.3, 4)};
  }

  void draw(DrawList& list) const override {
    list.shape(*body_, {}, color_of(Ink::a));
    if (step_ < volumes_.size()) {
      const Drawn& v = volumes_[step_];
      list.shape(v.shape, v.pose, color_of(Ink::b, 0.3f));
      list.shape(v.shape, v.pose, color_of(Ink::b), true);
      list.label({0, 0, height_},
                 std::string(rows_[step_].kind) + ": " + shown(rows_[step_].tightness, 4) + " × the hull");
    }
  }

  void tell(Panel& panel) const override {
    tell_trouble(panel);
    const VolumeRow& now = rows_[step_];
    panel.badges.push_back({std::string(now.kind), Ink::b});
    panel.badges.push_back(
        {shown(now.tightness, 4) + " × the volume of the hull", now.tightness < 1.5 ? Ink::good : Ink::highlight});
    panel.decision = "The " + std::string(now.kind) + " holds " + shown(now.volume, 4) + " m³, " +
                     shown(now.tightness, 4) + " times the hull. A test of two of them takes " +
                     std::to_string(now.test_cost) + " operations, moving one " + std::to_string(now.move_cost) + ".";
    Table table{"volumes", {"kind of volume", "× hull", "fit [ms]", "test", "move"}, {}, static_cast<int>(step_)};
    Plot plot{"tightness against the cost of a test", "operations of a test", "× hull", {}};
    plot.log_x = true;
    for (const VolumeRow& r : rows_) {
      table.rows.push_back({std::string(r.kind), shown(r.tightness, 4), shown(r.fit_ms, 2), std::to_string(r.test_cost),
                            std::to_string(r.move_cost)});
      plot.series.push_back({std::string(r.kind), {static_cast<double>(r.test_cost)}, {r.tightness}, true});
    }
    plot.marker_x = static_cast<double>(now.test_cost);
    panel.tables.push_back(std::move(table));
    panel.plots.push_back(std::move(plot));
  }

 protected:
  Result<void> make() override {
    Result<Mesh> mesh = solid_named(index("body"), 18);
    if (!mesh) return mesh.error();
    const Quatd turn = Quatd::from_axis_angle(normalized(Vec3d{0.4, 0.2, 1}), value("turn") * kPi / 180);
    for (Vec3d& v : mesh->vertices) v = rotate(turn, Vec3d{v.x * value("stretch"), v.y, v.z});
    Result<Shape3> body = make_mesh_shape3(mesh->vertices, mesh->triangles, true);
    if (!body) return body.error();
    const std::span<const Vec3d> points = mesh->vertices;
    Result<std::vector<VolumeRow>> rows = compare_volumes<3>(points, 1);
    if (!rows) return rows.error();
    std::vector<Drawn> volumes;
    for (const VolumeRow& row : *rows) {
      Result<Drawn> drawn = volume_of(row.kind, points);
      if (!drawn) return drawn.error();
      volumes.push_back(*std::move(drawn));
    }
    body_ = *std::move(body);
    rows_ = *std::move(rows);
    volumes_ = std::move(volumes);
    height_ = 0;
    for (const Vec3d& v : mesh->vertices) height_ = std::max(height_, v.z);
    height_ = 1.5 * height_ + 0.3;
    steps_ = rows_.size();
    return {};
  }

 private:
  static constexpr double kHair = 1.004;
  struct Drawn {
    Shape3 shape;
    Pose3d pose{};
  };
  template <class T>
  static Result<Drawn> placed_shape(Result<Shape3> shape, const T& at) {
    if (!shape) return shape.error();
    return Drawn{*std::move(shape), {at, {}}};
  }
  static Result<Drawn> sphere_of(const Result<Sphere<3, double>>& s) {
    if (!s) return s.error();
    return placed_shape(make_sphere3(s->radius), s->center);
  }
  static Result<Drawn> box_of(const Result<Obb3d>& box) {
    if (!box) return box.error();
    // Drawn a hair larger: its sides lie on the body
    Result<Drawn> out = placed_shape(make_box3(box->half * kHair), box->center);
    if (out) out->pose.rotation = turn_of(box->axes);
    return out;
  }
  template <int K>
  static Result<Drawn> kdop_of(std::span<const Vec3d> points) {
    const auto dop = bounding_kdop<3, K, double>(points);
    if (!dop) return dop.error();
    const auto corners = vertices(*dop);
    if (!corners) return corners.error();
    return placed_shape(make_hull_shape3(*corners), Vec3d{});
  }
  // As compare_volumes names them
  static Result<Drawn> volume_of(std::string_view kind, std::span<const Vec3d> points) {
    if (kind == "aabb") {
      const auto box = bounding_box<3, double>(points);
      if (!box) return box.error();
      return placed_shape(make_box3((box->hi - box->lo) * (0.5 * kHair)), (box->lo + box->hi) * 0.5);
    }
    if (kind == "sphere (mean)") return sphere_of(mean_sphere<3>(points));
    if (kind == "sphere (box)") return sphere_of(box_sphere<3>(points));
    if (kind == "sphere (ritter)") return sphere_of(ritter_sphere<3>(points));
    if (kind == "sphere (smallest)") return sphere_of(smallest_sphere<3>(points));
    if (kind == "capsule") {
      const auto c = bounding_capsule<3>(points);
      if (!c) return c.error();
      return placed_shape(make_capsule3(c->a, c->b, c->radius), Vec3d{});
    }
    if (kind == "cylinder") {
      const auto c = bounding_cylinder(points);
      if (!c) return c.error();
      Result<Drawn> out = placed_shape(make_cylinder3(c->half_height, c->radius), c->center);
      if (out) out->pose.rotation = turn_to(c->axis);
      return out;
    }
    if (kind == "obb (principal)") return box_of(principal_box(points));
    if (kind == "obb (smallest)") return box_of(smallest_box(points));
    if (kind == "6-dop") return kdop_of<6>(points);
    if (kind == "14-dop") return kdop_of<14>(points);
    if (kind == "18-dop") return kdop_of<18>(points);
    if (kind == "26-dop") return kdop_of<26>(points);
    return placed_shape(make_hull_shape3(points), Vec3d{});
  }
  // Of axes that are orthonormal and right-handed: x to the first, then about it
  static Quatd turn_of(const std::array<Vec3d, 3>& axes) {
    const Vec3d x{1, 0, 0}, across = cross(x, axes[0]);
    const double sine = length(across);
    const Vec3d about = sine > 0 ? normalized(across) : Vec3d{0, 0, 1};
    const Quatd first = Quatd::from_axis_angle(about, arc_tangent(sine, dot(x, axes[0])));
    const Vec3d y = rotate(first, Vec3d{0, 1, 0});
    return Quatd::from_axis_angle(axes[0], arc_tangent(dot(cross(y, axes[1]), axes[0]), dot(y, axes[1]))) * first;
  }
  // The shortest turn from z to an axis
  static Quatd turn_to(const Vec3d& axis) {
    const Vec3d z{0, 0, 1}, across = cross(z, axis);
    if (length(across) == 0) return {};
    return Quatd::from_axis_angle(normalized(across), arc_tangent(length(across), dot(z, axis)));
  }

  std::optional<Shape3> body_;
  std::vector<VolumeRow> rows_;
  std::vector<Drawn> volumes_;
  double height_ = 1;
};

}  // namespace

std::unique_ptr<Exhibit> make_bounding_volumes(std::string_view parameters, std::string& why_not) {
  return make_still<BoundingVolumes>(parameters, why_not);
}

}  // namespace sudar::lab
