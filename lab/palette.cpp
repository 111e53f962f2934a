// What:    See palette.hpp.
#include "lab/palette.hpp"

#include "lab/half_space_view.hpp"
#include <sudar/core/random.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/narrowphase/polytope_view2.hpp>
#include <sudar/narrowphase/polytope_view3.hpp>

#include <algorithm>

namespace sudar::lab {

namespace {

constexpr double kDegree = 3.14159265358979323846 / 180;
constexpr double kPaletteReach = 4;  // of the sliders, metres

double palette_value(std::span<const Parameter> parameters, std::string_view name) {
  for (const Parameter& p : parameters)
    if (p.name == name) return p.value;
  return 0;
}
const std::string& palette_chosen(std::span<const Parameter> parameters, std::string_view name) {
  static const std::string none;
  for (const Parameter& p : parameters)
    if (p.name == name) return p.chosen();
  return none;
}
Parameter palette_choice(std::string name, std::string label, const std::vector<std::string>& palette,
                         std::string_view start) {
  const auto at = std::find(palette.begin(), palette.end(), start);
  return Parameter::choice(std::move(name), std::move(label), palette,
                           at == palette.end() ? 0 : static_cast<std::size_t>(at - palette.begin()));
}

// The sliders of B go to where it is
template <class V>
void set_sliders(std::span<Parameter> parameters, const V& position) {
  for (Parameter& p : parameters)
    for (int axis = 0; axis < V::kDim; ++axis)
      if (p.name == coordinate_name(axis)) {
        p.value = position[axis];
        p.lo = std::min(p.lo, p.value - kPaletteReach);
        p.hi = std::max(p.hi, p.value + kPaletteReach);
      }
}
constexpr double kHandReach = 0.1;   // metres beside a body that a hand still takes it
constexpr double kInnerShare = 0.8;  // of the half diagonal of its box
constexpr std::string_view kCaseSettings = "Shapes and turns are those of the case; x, y and z still move B.";
constexpr const char* kNoPolytopes = "this exhibit takes polytopes without a radius only";

std::vector<Vec2d> regular_polygon(int corners, double radius, double first_degrees) {
  std::vector<Vec2d> points;
  for (int i = 0; i < corners; ++i) {
    const Rot2d r = Rot2d::from_angle((first_degrees + 360.0 * i / corners) * kDegree);
    points.push_back({radius * r.c, radius * r.s});
  }
  return points;
}

std::vector<Vec3d> gem_points() {
  Random random(11);
  std::vector<Vec3d> points;
  while (points.size() < 18) {
    const Vec3d p{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    if (length(p) > 0.3 && length(p) < 1) points.push_back(normalized(p) * 0.95);
  }
  return points;
}
std::vector<Vec3d> prism_points() {
  std::vector<Vec3d> points;
  for (const Vec2d& p : regular_polygon(6, 0.75, 0))
    for (const double z : {-0.8, 0.8}) points.push_back({p.x, p.y, z});
  return points;
}

}  // namespace

std::vector<std::string> palette2(bool polytopes) {
  std::vector<std::string> names = {"triangle", "box", "pentagon", "hexagon", "dodecagon", "blade"};
  if (!polytopes) names.insert(names.end(), {"segment", "point", "circle", "capsule"});
  return names;
}

std::vector<std::string> palette3(bool polytopes) {
  std::vector<std::string> names = {"tetrahedron", "box", "octahedron", "prism", "icosahedron", "gem", "crate"};
  if (!polytopes)
    names.insert(names.end(), {"triangle", "segment", "sphere", "capsule", "cylinder", "cone", "ellipsoid"});
  return names;
}

Shape2 palette_shape2(std::string_view name) {
  if (name == "box") return *make_box2({0.9, 0.6});
  if (name == "pentagon") return *make_polygon2(regular_polygon(5, 0.9, 90));
  if (name == "hexagon") return *make_polygon2(regular_polygon(6, 0.9, 0));
  if (name == "dodecagon") return *make_polygon2(regular_polygon(12, 0.9, 15));
  if (name == "blade") return *make_polygon2(std::vector<Vec2d>{{-1.4, -0.05}, {1.2, -0.15}, {1.3, 0.15}});
  if (name == "segment") return *make_segment2({-0.9, 0}, {0.9, 0.2});
  if (name == "point") return *make_point2({0, 0});
  if (name == "circle") return *make_circle2(0.7);
  if (name == "capsule") return *make_capsule2({-0.6, 0}, {0.6, 0.1}, 0.4);
  return *make_polygon2(std::vector<Vec2d>{{-0.9, -0.6}, {1.0, -0.5}, {0.0, 0.9}});
}

Shape3 palette_shape3(std::string_view name) {
  if (name == "box") return *make_box3({0.9, 0.6, 0.5});
  if (name == "octahedron")
    return *make_hull_shape3(std::vector<Vec3d>{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}});
  if (name == "prism") return *make_hull_shape3(prism_points());
  if (name == "icosahedron") return *make_hull_shape3(icosphere_mesh(0.95, 0)->vertices);
  if (name == "gem") return *make_hull_shape3(gem_points());
  // A box as a hull: the methods of hulls apply to it
  if (name == "crate") {
    std::vector<Vec3d> corners;
    for (int i = 0; i < 8; ++i) corners.push_back({i & 1 ? 0.8 : -0.8, i & 2 ? 0.7 : -0.7, i & 4 ? 0.6 : -0.6});
    return *make_hull_shape3(corners);
  }
  if (name == "triangle") return *make_triangle3({-0.9, -0.6, 0}, {0.9, -0.6, 0.2}, {0, 0.9, -0.1});
  if (name == "segment") return *make_segment3({-0.9, 0, -0.2}, {0.9, 0.2, 0.3});
  if (name == "sphere") return *make_sphere3(0.7);
  if (name == "capsule") return *make_capsule3({-0.6, 0, 0}, {0.6, 0.1, 0.2}, 0.4);
  if (name == "cylinder") return *make_cylinder3(0.7, 0.6);
  if (name == "cone") return *make_cone3(0.8, 0.7);
  if (name == "ellipsoid") return *make_ellipsoid3({1, 0.6, 0.5});
  return *make_hull_shape3(std::vector<Vec3d>{{-0.8, -0.7, -0.5}, {0.9, -0.5, -0.5}, {0, 0.9, -0.5}, {0, 0, 0.9}});
}

Pair2::Pair2(const PairStart2& start, std::vector<Parameter>& parameters)
    : a_(palette_shape2(start.a)), b_(palette_shape2(start.b)), polytopes_(start.polytopes) {
  const std::vector<std::string> palette = palette2(start.polytopes);
  parameters.push_back(palette_choice("a", "A", palette, start.a));
  parameters.push_back(palette_choice("b", "B", palette, start.b));
  parameters.push_back(Parameter::number("bx", "B: x", "m", start.at.x, -kPaletteReach, kPaletteReach));
  parameters.push_back(Parameter::number("by", "B: y", "m", start.at.y, -kPaletteReach, kPaletteReach));
  parameters.push_back(Parameter::number("a_turn", "A: turn", "deg", start.turn_a, -180, 180));
  parameters.push_back(Parameter::number("b_turn", "B: turn", "deg", start.turn_b, -180, 180));
  parameters.push_back(CaseSlot::parameter());
}

void Pair2::read(std::span<Parameter> parameters) {
  if (case_.read(parameters)) {
    given_ = case_.text().empty() ? std::nullopt : read_case2(case_.text(), case_.why_not);
    const auto sharp = [](const Shape2& s) { return is_polytope(s) && !(PolytopeView2(s).radius() > 0); };
    if (given_ && polytopes_ && !(sharp(given_->a) && sharp(given_->b))) given_.reset(), case_.why_not = kNoPolytopes;
    if (given_) set_sliders(parameters, given_->at_b.position);
  }
  if (given_) {
    a_ = given_->a, b_ = given_->b;
    at_a_ = given_->at_a;
    at_b_ = {{palette_value(parameters, "bx"), palette_value(parameters, "by")}, given_->at_b.angle};
    return;
  }
  a_ = palette_shape2(palette_chosen(parameters, "a"));
  b_ = palette_shape2(palette_chosen(parameters, "b"));
  at_a_ = {{}, palette_value(parameters, "a_turn") * kDegree};
  at_b_ = {{palette_value(parameters, "bx"), palette_value(parameters, "by")},
           palette_value(parameters, "b_turn") * kDegree};
}

Aabb2d Pair2::bounds() const {
  // A half-plane has no end: the other shape is what there is to see
  if (!bounded()) return a_.is_bounded() ? bounding_box(a_, pose_a()) : bounding_box(b_, pose_b());
  const Aabb2d of_a = bounding_box(a_, pose_a()), of_b = bounding_box(b_, pose_b());
  return {min(of_a.lo, of_b.lo), max(of_a.hi, of_b.hi)};
}

void Pair2::draw_shape(DrawList& list, const Shape2& shape, const Pose2d& pose, Ink ink, float alpha) const {
  if (shape.is_bounded()) {
    list.shape(shape, pose, color_of(ink, alpha));
    return list.shape(shape, pose, color_of(ink), true);
  }
  draw_half_plane(list, shape.as<HalfPlaneShape2>(), pose, bounds(), ink, alpha, ink == Ink::a ? "A" : "B");
}

void Pair2::draw(DrawList& list, float alpha) const {
  list.flat = true;
  draw_shape(list, a_, pose_a(), Ink::a, alpha);
  draw_shape(list, b_, pose_b(), Ink::b, alpha);
  if (a_.is_bounded()) list.label(flat(at_a_.position), "A", color_of(Ink::a));
  if (b_.is_bounded()) list.label(flat(at_b_.position), "B", color_of(Ink::b));
}

Pair3::Pair3(const PairStart3& start, std::vector<Parameter>& parameters)
    : a_(palette_shape3(start.a)), b_(palette_shape3(start.b)), polytopes_(start.polytopes) {
  const std::vector<std::string> palette = palette3(start.polytopes);
  parameters.push_back(palette_choice("a", "A", palette, start.a));
  parameters.push_back(palette_choice("b", "B", palette, start.b));
  parameters.push_back(Parameter::number("bx", "B: x", "m", start.at.x, -kPaletteReach, kPaletteReach));
  parameters.push_back(Parameter::number("by", "B: y", "m", start.at.y, -kPaletteReach, kPaletteReach));
  parameters.push_back(Parameter::number("bz", "B: z", "m", start.at.z, -kPaletteReach, kPaletteReach));
  parameters.push_back(Parameter::number("a_turn", "A: turn around z", "deg", start.turn_a, -180, 180));
  parameters.push_back(Parameter::number("b_yaw", "B: turn around z", "deg", start.yaw, -180, 180));
  parameters.push_back(Parameter::number("b_pitch", "B: turn around y", "deg", start.pitch, -180, 180));
  parameters.push_back(Parameter::number("b_roll", "B: turn around x", "deg", start.roll, -180, 180));
  parameters.push_back(CaseSlot::parameter());
}

void Pair3::read(std::span<Parameter> parameters) {
  if (case_.read(parameters)) {
    given_ = case_.text().empty() ? std::nullopt : read_case3(case_.text(), case_.why_not);
    const auto sharp = [](const Shape3& s) { return is_polytope(s) && !(PolytopeView3(s).radius() > 0); };
    if (given_ && polytopes_ && !(sharp(given_->a) && sharp(given_->b))) given_.reset(), case_.why_not = kNoPolytopes;
    if (given_) set_sliders(parameters, given_->pose_b.position);
  }
  const Vec3d place{palette_value(parameters, "bx"), palette_value(parameters, "by"), palette_value(parameters, "bz")};
  if (given_) {
    a_ = given_->a, b_ = given_->b;
    pose_a_ = given_->pose_a;
    pose_b_ = {place, given_->pose_b.rotation};
    return;
  }
  const auto turn = [&](const Vec3d& axis, std::string_view name) {
    return Quatd::from_axis_angle(axis, palette_value(parameters, name) * kDegree);
  };
  a_ = palette_shape3(palette_chosen(parameters, "a"));
  b_ = palette_shape3(palette_chosen(parameters, "b"));
  pose_a_ = {{}, settled(turn({0, 0, 1}, "a_turn"))};
  pose_b_.position = place;
  pose_b_.rotation = settled(turn({0, 0, 1}, "b_yaw") * turn({0, 1, 0}, "b_pitch") * turn({1, 0, 0}, "b_roll"));
}

Aabb3d Pair3::bounds() const {
  if (!bounded()) return a_.is_bounded() ? bounding_box(a_, pose_a_) : bounding_box(b_, pose_b_);
  const Aabb3d of_a = bounding_box(a_, pose_a_), of_b = bounding_box(b_, pose_b_);
  return {min(of_a.lo, of_b.lo), max(of_a.hi, of_b.hi)};
}

void Pair3::draw_shape(DrawList& list, const Shape3& shape, const Pose3d& pose, Ink ink, float alpha) const {
  if (shape.is_bounded()) {
    list.shape(shape, pose, color_of(ink, alpha));
    return list.shape(shape, pose, color_of(ink), true);
  }
  draw_half_space(list, shape.as<HalfSpaceShape3>(), pose, bounds(), ink, alpha, ink == Ink::a ? "A" : "B");
}

void Pair3::draw(DrawList& list, float alpha) const {
  draw_shape(list, a_, pose_a_, Ink::a, alpha);
  draw_shape(list, b_, pose_b_, Ink::b, alpha);
  if (a_.is_bounded()) list.label(pose_a_.position, "A", color_of(Ink::a));
  if (b_.is_bounded()) list.label(pose_b_.position, "B", color_of(Ink::b));
}

bool Pair2::meets_b(const Pick& pick) const {
  if (!b_.is_bounded()) return false;
  const Aabb2d box = bounding_box(b_, pose_b());
  const Vec2d reach{kHandReach, kHandReach}, p{pick.origin.x, pick.origin.y};
  return contains(Aabb2d{box.lo - reach, box.hi + reach}, p);
}
bool Pair3::meets_b(const Pick& pick) const {
  if (!b_.is_bounded()) return false;
  const Aabb3d box = bounding_box(b_, pose_b_);
  const Vec3d center = (box.lo + box.hi) * 0.5, way = center - pick.origin, d = normalized(pick.direction);
  return dot(way, d) > 0 && length(cross(way, d)) < 0.5 * length(box.hi - box.lo) * kInnerShare + kHandReach;
}
void Pair2::tell(Panel& panel) const { case_.tell(panel, given_.has_value(), kCaseSettings); }
void Pair3::tell(Panel& panel) const { case_.tell(panel, given_.has_value(), kCaseSettings); }

std::vector<Vec3d> flat(std::span<const Vec2d> points) {
  std::vector<Vec3d> out;
  for (const Vec2d& p : points) out.push_back(flat(p));
  return out;
}

}  // namespace sudar::lab
