#include "lab/shape_gallery.hpp"

#include <sudar/core/random.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/math/sampling.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/polygon_set.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

namespace sudar::lab {

namespace {

constexpr std::string_view kParagraph =
    "One shape of every kind that the library knows, turning. Boxes around them are those that a broad phase sees. The "
    "round ones are exact in the narrow phase; what is drawn is a fine approximation.";

// Convex, with corners nowhere: |x|^4 + |y|^4 + |z|^4 <= r^4 by its support function is a bit long; a ball cut by a larger
// one is short: the farthest point of the ball, pulled to half its height
class Lens3 final : public SupportFunction3 {
 public:
  Vec3d support(const Vec3d& d) const override {
    const Vec3d n = normalized(Vec3d{d.x, d.y, d.z / 2});
    return {0.5 * n.x, 0.5 * n.y, 0.25 * n.z};
  }
};
class Lens2 final : public SupportFunction2 {
 public:
  Vec2d support(const Vec2d& d) const override {
    const Vec2d n = normalized(Vec2d{d.x, d.y / 2});
    return {0.5 * n.x, 0.25 * n.y};
  }
};

template <class Shape>
struct Piece {
  Shape shape;
  std::string name;
};

template <class Shape>
void add(std::vector<Piece<Shape>>& pieces, const Result<Shape>& shape, std::string name) {
  if (shape) pieces.push_back({*shape, std::move(name)});
}

std::vector<Piece<Shape3>> pieces3() {
  std::vector<Piece<Shape3>> all;
  add(all, make_sphere3(0.45), "sphere");
  add(all, make_box3({0.4, 0.3, 0.25}), "box");
  add(all, make_capsule3({0, 0, -0.3}, {0, 0, 0.3}, 0.2), "capsule");
  add(all, make_cylinder3(0.35, 0.35), "cylinder");
  add(all, make_cone3(0.4, 0.4), "cone");
  add(all, make_ellipsoid3({0.5, 0.3, 0.2}), "ellipsoid");
  Random random(7);
  std::vector<Vec3d> cloud;
  for (int i = 0; i < 24; ++i) cloud.push_back(unit_vector<3>(random) * 0.5);
  add(all, make_hull_shape3(cloud), "hull");
  const Vec3d tetrahedron[] = {{0.3, 0.3, 0.3}, {-0.3, -0.3, 0.3}, {-0.3, 0.3, -0.3}, {0.3, -0.3, -0.3}};
  add(all, make_hull_shape3(tetrahedron, 0.15), "rounded hull");
  add(all, make_custom3(std::make_shared<const Lens3>()), "support function");
  add(all, make_triangle3({-0.4, -0.3, 0}, {0.4, -0.3, 0}, {0, 0.4, 0}), "triangle");
  add(all, make_segment3({-0.4, 0, -0.2}, {0.4, 0, 0.2}), "segment");
  add(all, make_point3({0, 0, 0}), "point");
  if (const auto torus = torus_mesh(0.35, 0.15, 32, 16))
    add(all, make_mesh_shape3(torus->vertices, torus->triangles, true), "mesh");
  std::vector<double> heights;
  for (int j = 0; j < 17; ++j)
    for (int i = 0; i < 17; ++i) heights.push_back(0.12 * sin_cos(0.7 * i).sin * sin_cos(0.5 * j + 1).sin);
  if (const auto field = HeightField::make(heights, 17, 17, {1.0 / 17, 1.0 / 17}))
    add(all, Result<Shape3>(Shape3(HeightFieldShape3{*field})), "height field");
  std::vector<CompoundChild3> parts;
  if (const auto ball = make_sphere3(0.2)) {
    parts.push_back({*ball, {{0.35, 0, 0}, {}}});
    parts.push_back({*ball, {{-0.35, 0, 0}, {}}});
  }
  if (const auto bar = make_cylinder3(0.3, 0.08))
    parts.push_back({*bar, {{}, Quatd::from_axis_angle({0, 1, 0}, kPi / 2)}});
  add(all, make_compound3(parts), "compound");
  return all;
}

std::vector<Piece<Shape2>> pieces2() {
  std::vector<Piece<Shape2>> all;
  add(all, make_circle2(0.42), "circle");
  add(all, make_box2({0.42, 0.28}), "box");
  add(all, make_capsule2({-0.25, 0}, {0.25, 0}, 0.2), "capsule");
  const Vec2d hexagon[] = {{0.45, 0}, {0.2, 0.4}, {-0.25, 0.38}, {-0.45, 0}, {-0.2, -0.36}, {0.25, -0.4}};
  add(all, make_polygon2(hexagon), "polygon");
  const Vec2d triangle[] = {{-0.3, -0.22}, {0.3, -0.22}, {0, 0.3}};
  add(all, make_polygon2(triangle, 0.12), "rounded polygon");
  add(all, make_custom2(std::make_shared<const Lens2>()), "support function");
  const Vec2d star[] = {{0.45, 0},  {0.12, 0.12},   {0, 0.45},  {-0.12, 0.12},
                        {-0.45, 0}, {-0.12, -0.12}, {0, -0.45}, {0.12, -0.12}};
  add(all, make_concave_polygon2(star), "simple polygon");
  const Vec2d chain[] = {{-0.45, -0.2}, {-0.2, 0.2}, {0, -0.1}, {0.2, 0.25}, {0.45, -0.2}};
  add(all, make_chain2(chain), "chain");
  add(all, make_segment2({-0.4, -0.1}, {0.4, 0.1}), "segment");
  add(all, make_point2({0, 0}), "point");
  std::vector<CompoundChild2> parts;
  if (const auto ball = make_circle2(0.18)) {
    parts.push_back({*ball, {{0.3, 0}, {}}});
    parts.push_back({*ball, {{-0.3, 0}, {}}});
  }
  if (const auto bar = make_box2({0.3, 0.07})) parts.push_back({*bar, {}});
  add(all, make_compound2(parts), "compound");
  return all;
}

void place_at(double, const Vec2d& cell, double angle, Pose2d& pose) { pose = {cell, Rot2d::from_angle(angle)}; }
void place_at(double height, const Vec2d& cell, double angle, Pose3d& pose) {
  pose = {{cell.x, cell.y, height}, Quatd::from_axis_angle(normalized(Vec3d{0.3, 0.2, 1}), angle)};
}

template <int D, class Shape>
class Gallery final : public Exhibit {
 public:
  explicit Gallery(std::vector<Piece<Shape>> pieces) : pieces_(std::move(pieces)) {
    parameters_.push_back(Parameter::toggle("boxes", "Boxes around them", false));
    parameters_.push_back(Parameter::toggle("wire", "Edges only", false));
    parameters_.push_back(Parameter::number("opacity", "Opacity", "", 1, 0.1, 1));
    parameters_.push_back(Parameter::number("speed", "Turns", "per second", 0.1, 0, 2));
  }

  std::span<Parameter> parameters() override { return parameters_; }
  void advance(double seconds) override { angle_ += 2 * kPi * parameters_[3].value * seconds; }

  void draw(DrawList& list) const override {
    list.flat = D == 2;
    const bool wire = parameters_[1].on();
    const float alpha = static_cast<float>(parameters_[2].value);
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      Pose<D, double> pose;
      const Vec2d cell = cell_of(i);
      place_at(0.7, cell, angle_, pose);
      list.shape(pieces_[i].shape, pose, series(i, alpha), wire);
      list.label({cell.x - 0.3, cell.y - (D == 2 ? 0.62 : 0), D == 2 ? 0 : 1.4}, pieces_[i].name);
      if (!parameters_[0].on()) continue;
      const auto box = bounding_box(pieces_[i].shape, pose);
      if constexpr (D == 2)
        list.wire_box(DrawList::in_plane(box.lo), DrawList::in_plane(box.hi), color_of(Ink::node), 1.5f);
      else
        list.wire_box(box.lo, box.hi, color_of(Ink::node), 1.5f);
    }
    if constexpr (D == 3) {
      const double half = 0.7 * columns() + 0.6;
      list.box({-half, -half, -0.1}, {half, half, 0}, color_of(Ink::ground));
    }
  }

  void tell(Panel& panel) const override {
    panel.paragraph = kParagraph;
    panel.badges.push_back({std::to_string(pieces_.size()) + " kinds of shape", Ink::a});
  }

  View home() const override {
    View view;
    if (D == 3) view.eye = {0.35, -1.6, 1.1};
    return view;
  }

  // The floor
  Vec3d push_out(const Vec3d& p, double radius) const override {
    return D == 3 && p.z < radius ? Vec3d{0, 0, radius - p.z} : Vec3d{};
  }

 private:
  double columns() const { return 4; }
  Vec2d cell_of(std::size_t i) const {
    const double column = static_cast<double>(i % 4), row = static_cast<double>(i / 4);
    return {(column - 1.5) * 1.4, (1.5 - row) * 1.4};
  }

  std::vector<Piece<Shape>> pieces_;
  std::vector<Parameter> parameters_;
  double angle_ = 0.4;
};

template <int D, class Shape>
std::unique_ptr<Exhibit> make_gallery(std::vector<Piece<Shape>> pieces, std::string_view text, std::string& why_not) {
  auto gallery = std::make_unique<Gallery<D, Shape>>(std::move(pieces));
  if (!read_parameters(gallery->parameters(), text, why_not)) return nullptr;
  return gallery;
}

std::unique_ptr<Exhibit> make2(std::string_view text, std::string& why_not) {
  return make_gallery<2>(pieces2(), text, why_not);
}
std::unique_ptr<Exhibit> make3(std::string_view text, std::string& why_not) {
  return make_gallery<3>(pieces3(), text, why_not);
}

}  // namespace

ExhibitEntry shape_gallery2_entry() { return {"shapes2", "Shapes of the plane", "shapes", kParagraph, "", make2}; }
ExhibitEntry shape_gallery3_entry() { return {"shapes3", "Shapes of space", "shapes", kParagraph, "", make3}; }

}  // namespace sudar::lab
