// What:    A slice through a signed distance field: values, iso-lines, gradient, bricks, and the error against the exact
//          distance. Bodies can be joined with a ball and grown or shrunk.
#include "lab/chart.hpp"
#include "lab/field_exhibits.hpp"
#include "lab/query_line.hpp"
#include "lab/show_bodies.hpp"
#include "lab/still_exhibit.hpp"
#include <sudar/queries/point_query.hpp>
#include <sudar/sdf/field_csg.hpp>
#include <sudar/sdf/mesh_field.hpp>
#include <sudar/sdf/polygon_field.hpp>
#include <sudar/sdf/shape_field.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/polygon_set.hpp>

#include <algorithm>

namespace sudar::lab {

namespace {

class FieldSlice final : public StillExhibit {
 public:
  FieldSlice() {
    using P = Parameter;
    parameters_ = {
        P::choice("body", "body", {"star", "gear", "box", "torus", "bumpy_ball", "cone"}),
        P::choice("join", "join with a ball", {"alone", "union", "intersection", "difference"}),
        P::number("ball_x", "where the ball is", "m", 0.8, -2, 2),
        P::number("offset", "grow by", "m", 0, -0.4, 0.4),
        P::whole("cells", "samples along the longer side", 40, 12, 96, true),
        P::number("band", "band", "m", 1.2, 0.4, 4),
        P::number("height", "height of the slice", "m", 0.1, -1.2, 1.2),
        P::choice("layer", "layer", {"distance", "error", "samples"}),
        P::number("spacing", "between two iso-lines", "m", 0.1, 0.05, 0.5),
        P::toggle("arrows", "gradient", true),
        P::number("probe_x", "probe x", "m", 1.1, -1.9, 1.9),
        P::number("probe_y", "probe y", "m", 1.15, -1.9, 1.9),
    };
    for (Parameter& p : parameters_)
      if (p.name == "height") p.help = "of bodies in space; the plane has none";
  }

  Result<void> set(std::size_t i) override {
    // Nothing of the field depends on these
    const std::string& name = parameters_[i].name;
    if (name == "probe_x" || name == "probe_y" || name == "layer" || name == "arrows") return {};
    return remake();
  }

  void draw(DrawList& list) const override {
    list.flat = true;
    frame(list, {-2, -2}, {2, 2});
    draw_layer(list);
    for (const auto& [p, q] : iso_) list.line(drawn_at(p, 2), drawn_at(q, 2), color_of(Ink::field, 0.55f), 1);
    for (const auto& [p, q] : exact_border_) list.line(drawn_at(p, 3), drawn_at(q, 3), color_of(Ink::text, 0.9f), 1);
    for (const auto& [p, q] : border_) list.line(drawn_at(p, 3), drawn_at(q, 3), color_of(Ink::field), 3);
    if (on("arrows")) draw_arrows(list);
    draw_probe(list);
  }

  void tell(Panel& panel) const override {
    tell_trouble(panel);
    const Vec2d p = probe();
    const FieldValue there = value_at(p);
    const double exact = exact_at(p), bound = error_bound();
    panel.badges.push_back({stored_all() ? "dense" : "sparse", Ink::node});
    panel.badges.push_back(facts().exact_outside && facts().exact_inside
                               ? Badge{"values are distances", Ink::good}
                               : Badge{"one side holds bounds only", Ink::bad});
    panel.badges.push_back({"largest error " + shown(largest_error_, 3) + " m", Ink::field});
    panel.decision = "At the probe the field says " + shown(there.distance) + " m, the exact distance is " +
                     shown(exact) + " m" + (there.in_band ? "." : "; the place lies beyond the band.");
    panel.tables.push_back({"at the probe",
                            {"what", "value"},
                            {{"place", space() ? shown(Vec3d{p.x, p.y, value("height")}) : shown(p)},
                             {"field", shown(there.distance, 7)},
                             {"exact", shown(exact, 7)},
                             {"error", shown(there.distance - exact, 3)},
                             {"error at worst", shown(bound, 3)},
                             {"|gradient|", shown(length(there.gradient), 5)},
                             {"in the band", there.in_band ? "yes" : "no"}}});
    panel.tables.push_back({"the field",
                            {"what", "value"},
                            {{"samples", std::to_string(samples())},
                             {"bricks stored", std::to_string(stored()) + " of " + std::to_string(bricks())},
                             {"cell", shown(cell(), 3) + " m"},
                             {"band", shown(band(), 3) + " m"}}});
    panel.plots.push_back(along_the_line());
    if (index("join") != 0)
      panel.notes.push_back(
          "A joined field is the least (or the greatest) of two distances: on one side that is the distance, on the "
          "other a bound. The exact values beside it are joined in the same way.");
  }

  std::string as_query() const override {
    if (index("join") != 0 || value("offset") != 0) return {};
    const Vec2d p = probe();
    if (space())
      return query_line(
          "inside", 3,
          "\"a\":" + body_text(*shape3_, Pose3d{}) + ",\"point\":" + json_text(Vec3d{p.x, p.y, value("height")}));
    return query_line("inside", 2, "\"a\":" + body_text(*shape2_, TurnedPlace2{}) + ",\"point\":" + json_text(p));
  }
  bool nudge(int axis, int ulps) override {
    const char* names[] = {"probe_x", "probe_y", "height"};
    if (axis < 0 || axis > (space() ? 2 : 1)) return false;
    write(names[axis], nudged(value(names[axis]), ulps));
    return true;
  }
  bool grab(const Pick& pick) override {
    drag(pick);
    return true;
  }
  void drag(const Pick& pick) override {
    const Vec2d p = in_plane_of(pick);
    write("probe_x", std::clamp(p.x, -kHalfX, kHalfX));
    write("probe_y", std::clamp(p.y, -kHalfY, kHalfY));
  }

 protected:
  Result<void> make() override {
    if (const auto done = space() ? make_space() : make_plane(); !done) return done.error();
    sample_lattice();
    return {};
  }

 private:
  static constexpr double kHalfX = 1.9, kHalfY = 1.9, kBall = 0.8;
  static constexpr int kNx = 95, kNy = 95;
  struct FieldValue {
    double distance;
    Vec2d gradient;
    bool in_band;
  };
  struct Node {
    double value, exact;
    bool in_band;
  };

  bool space() const { return index("body") >= 3; }
  Vec2d probe() const { return {value("probe_x"), value("probe_y")}; }
  template <class F>
  auto with_field(F&& f) const {
    return field3_ ? f(*field3_) : f(*field2_);
  }
  FieldFacts facts() const {
    return with_field([](const auto& f) { return f.facts(); });
  }
  bool stored_all() const {
    return with_field([](const auto& f) { return f.dense(); });
  }
  std::size_t stored() const {
    return with_field([](const auto& f) { return f.stored_bricks(); });
  }
  std::size_t bricks() const {
    return with_field([](const auto& f) { return f.grid().brick_count(); });
  }
  double cell() const {
    return with_field([](const auto& f) { return f.grid().cell; });
  }
  double band() const {
    return with_field([](const auto& f) { return f.band(); });
  }
  double error_bound() const {
    return with_field([](const auto& f) { return f.interpolation_error(); });
  }
  std::size_t samples() const {
    return with_field([](const auto& f) {
      std::size_t count = 1;
      for (const std::uint32_t n : f.grid().samples) count *= n;
      return count;
    });
  }

  template <int D>
  Result<DistanceField<D>> joined_field(DistanceField<D> body, const Result<DistanceField<D>>& ball) const {
    if (!ball) return ball.error();
    Result<DistanceField<D>> out = [&]() -> Result<DistanceField<D>> {
      switch (index("join")) {
        case 1:
          return field_union(body, *ball);
        case 2:
          return field_intersection(body, *ball);
        case 3:
          return field_difference(body, *ball);
        default:
          return std::move(body);
      }
    }();
    if (!out || value("offset") == 0) return out;
    return field_offset(*out, value("offset"));
  }

  Result<void> make_plane() {
    const auto side = static_cast<std::uint32_t>(value("cells"));
    const auto grid = fit_grid(Aabb2d{{-kHalfX, -kHalfY}, {kHalfX, kHalfY}}, side, 0);
    if (!grid) return grid.error();
    FieldOptions options;
    options.band = std::max(value("band"), 3 * grid->cell);
    const std::vector<Vec2d> outline = index("body") == 0 ? star_outline() : gear_outline();
    Result<Shape2> shape = index("body") == 2 ? make_box2({1.2, 0.7}) : make_concave_polygon2(outline);
    if (!shape) return shape.error();
    Result<DistanceField2> body = index("body") == 2 ? make_shape_field(*shape, *grid, options)
                                                     : make_polygon_field(std::span(&outline, 1), *grid, options);
    if (!body) return body.error();
    const CompoundChild2 ball[] = {{*make_circle2(kBall), {{value("ball_x"), 0}, {}}}};
    const Result<Shape2> placed = make_compound2(ball);
    if (!placed) return placed.error();
    Result<DistanceField2> field = joined_field<2>(*std::move(body), make_shape_field(*placed, *grid, options));
    if (!field) return field.error();
    shape2_ = *std::move(shape);
    field2_ = *std::move(field);
    field3_.reset();
    mesh_.reset();
    return {};
  }
  Result<void> make_space() {
    const auto side = static_cast<std::uint32_t>(value("cells"));
    const auto grid = fit_grid(Aabb3d{{-kHalfX, -kHalfY, -kHalfY}, {kHalfX, kHalfY, kHalfY}}, side, 0);
    if (!grid) return grid.error();
    FieldOptions options;
    options.band = std::max(value("band"), 3 * grid->cell);
    std::shared_ptr<const TriangleMesh> mesh;
    Result<Shape3> shape = make_cone3(1, 1);
    if (index("body") < 5) {
      const Result<Mesh> triangles = index("body") == 3 ? torus_mesh(1, 0.45, 40, 20) : bumpy_ball(1.1, 36, 24, 0.25);
      if (!triangles) return triangles.error();
      shape = make_mesh_shape3(triangles->vertices, triangles->triangles, true);
      if (!shape) return shape.error();
      mesh = shape->as<MeshShape3>().mesh;
    }
    if (!shape) return shape.error();
    Result<DistanceField3> body =
        mesh ? make_mesh_field(*mesh, *grid, options) : make_shape_field(*shape, *grid, options);
    if (!body) return body.error();
    const CompoundChild3 ball[] = {{*make_sphere3(kBall), {{value("ball_x"), 0, 0}, {}}}};
    const Result<Shape3> placed = make_compound3(ball);
    if (!placed) return placed.error();
    Result<DistanceField3> field = joined_field<3>(*std::move(body), make_shape_field(*placed, *grid, options));
    if (!field) return field.error();
    shape3_ = *std::move(shape);
    mesh_ = std::move(mesh);
    field3_ = *std::move(field);
    field2_.reset();
    return {};
  }

  FieldValue value_at(const Vec2d& p) const {
    if (field2_) {
      const FieldSample<2> s = field2_->sample(p);
      return {s.distance, s.gradient, s.in_band};
    }
    const FieldSample<3> s = field3_->sample({p.x, p.y, value("height")});
    return {s.distance, {s.gradient.x, s.gradient.y}, s.in_band};
  }
  double exact_at(const Vec2d& p) const {
    double body, ball;
    if (field2_) {
      body = signed_distance(*shape2_, p);
      ball = length(p - Vec2d{value("ball_x"), 0}) - kBall;
    } else {
      const Vec3d q{p.x, p.y, value("height")};
      if (mesh_) {
        const Result<PointAnswer3> x = signed_distance(*mesh_, q);
        body = x ? x->distance : std::numeric_limits<double>::quiet_NaN();
      } else {
        body = signed_distance(*shape3_, q);
      }
      ball = length(q - Vec3d{value("ball_x"), 0, 0}) - kBall;
    }
    const double joined = index("join") == 0   ? body
                          : index("join") == 1 ? std::min(body, ball)
                          : index("join") == 2 ? std::max(body, ball)
                                               : std::max(body, -ball);
    return joined - value("offset");
  }

  static Vec2d lattice(int i, int j) {
    return {kHalfX * (2.0 * i / (kNx - 1) - 1), kHalfY * (2.0 * j / (kNy - 1) - 1)};
  }
  const Node& node(int i, int j) const { return nodes_[static_cast<std::size_t>(j * kNx + i)]; }
  void sample_lattice() {
    nodes_.resize(kNx * kNy);
    largest_error_ = 0;
    for (int j = 0; j < kNy; ++j)
      for (int i = 0; i < kNx; ++i) {
        const Vec2d p = lattice(i, j);
        const FieldValue there = value_at(p);
        Node& out = nodes_[static_cast<std::size_t>(j * kNx + i)];
        out = {there.distance, exact_at(p), there.in_band};
        if (there.in_band) largest_error_ = std::max(largest_error_, std::fabs(there.distance - out.exact));
      }
    iso_.clear(), border_.clear(), exact_border_.clear();
    const double spacing = value("spacing"), limit = band() * (1 - 1e-6);
    for (int j = 0; j + 1 < kNy; ++j)
      for (int i = 0; i + 1 < kNx; ++i) {
        const Node* corner[] = {&node(i, j), &node(i + 1, j), &node(i + 1, j + 1), &node(i, j + 1)};
        double values[4], exact[4], least = corner[0]->value, most = least;
        for (int k = 0; k < 4; ++k) {
          values[k] = corner[k]->value, exact[k] = corner[k]->exact;
          least = std::min(least, values[k]), most = std::max(most, values[k]);
        }
        cross_cell(i, j, exact, 0, exact_border_);
        cross_cell(i, j, values, 0, border_);
        for (double k = std::ceil(least / spacing); k * spacing <= most; ++k)
          if (k != 0 && std::fabs(k * spacing) < limit) cross_cell(i, j, values, k * spacing, iso_);
      }
  }
  // Two crossings of the border of a lattice cell make a piece of the line
  static void cross_cell(int i, int j, const double (&values)[4], double level,
                         std::vector<std::pair<Vec2d, Vec2d>>& out) {
    const Vec2d corner[] = {lattice(i, j), lattice(i + 1, j), lattice(i + 1, j + 1), lattice(i, j + 1)};
    Vec2d crossing[4];
    int count = 0;
    for (int k = 0; k < 4; ++k) {
      const double a = values[k] - level, b = values[(k + 1) % 4] - level;
      if ((a < 0) != (b < 0)) crossing[count++] = lerp(corner[k], corner[(k + 1) % 4], a / (a - b));
    }
    for (int k = 0; k + 1 < count; k += 2) out.push_back({crossing[k], crossing[k + 1]});
  }

  void draw_layer(DrawList& list) const {
    const std::size_t layer = index("layer");
    const double reach = std::min(band(), 1.5), bound = error_bound();
    for (int j = 0; j + 1 < kNy; ++j)
      for (int i = 0; i + 1 < kNx; ++i) {
        const Node* corner[] = {&node(i, j), &node(i + 1, j), &node(i + 1, j + 1), &node(i, j + 1)};
        double mean = 0, error = 0;
        bool known = true;
        for (const Node* n : corner) {
          mean += n->value / 4;
          error = std::max(error, std::fabs(n->value - n->exact));
          known = known && n->in_band;
        }
        const auto share = static_cast<float>(std::min(1.0, std::fabs(mean) / reach));
        Color c = mean < 0 ? color_of(Ink::b, 0.4f + 0.5f * share) : color_of(Ink::a, 0.08f + 0.5f * share);
        if (!known) c = color_of(Ink::ghost, 0.18f);
        if (layer == 1 && known) c = heat(error / bound);
        if (layer == 2) c = faded(c, 0.5f);
        const Vec3d quad[] = {drawn_at(lattice(i, j)), drawn_at(lattice(i + 1, j)), drawn_at(lattice(i + 1, j + 1)),
                              drawn_at(lattice(i, j + 1))};
        list.polygon(quad, c);
      }
    if (layer == 1) draw_scale(list, bound);
    if (layer == 2) draw_samples(list);
  }
  // What the colours of the error mean
  void draw_scale(DrawList& list, double bound) const {
    for (int i = 0; i < 40; ++i) {
      const double y = -1 + 2.0 * i / 40;
      const Vec3d quad[] = {drawn_at(Vec2d{-1.85, y}, 5), drawn_at(Vec2d{-1.75, y}, 5),
                            drawn_at(Vec2d{-1.75, y + 0.05}, 5), drawn_at(Vec2d{-1.85, y + 0.05}, 5)};
      list.polygon(quad, heat((i + 0.5) / 40));
    }
    list.label(drawn_at(Vec2d{-1.72, -1}, 5), "0");
    list.label(drawn_at(Vec2d{-1.72, 1}, 5), shown(bound, 3) + " m, at worst");
  }
  // The samples of the slice (the layer of samples below it, in space), and the bricks that are kept
  void draw_samples(DrawList& list) const {
    with_field([&](const auto& field) {
      const auto& grid = field.grid();
      constexpr bool kSpace = std::is_same_v<decltype(grid), const FieldGrid3&>;
      const double h = value("height");
      for (std::size_t number = 0; number < grid.brick_count(); ++number) {
        const auto at = grid.brick_at(number);
        const auto lo = grid.brick_position(at, 0);
        const double side = grid.cell * kBrickCells;
        if constexpr (kSpace)
          if (h < lo.z || h >= lo.z + side) continue;
        const bool kept = !field.brick(number).empty();
        const Vec2d p{lo.x, lo.y}, q{std::min(lo.x + side, kHalfX), std::min(lo.y + side, kHalfY)};
        const Vec3d corners[] = {drawn_at(p, 3), drawn_at(Vec2d{q.x, p.y}, 3), drawn_at(q, 3),
                                 drawn_at(Vec2d{p.x, q.y}, 3)};
        list.polyline(corners, color_of(kept ? Ink::node : Ink::ghost, kept ? 0.9f : 0.4f), true, kept ? 1.5f : 1.0f);
      }
      auto i = grid.samples;
      if constexpr (kSpace)
        i[2] = static_cast<std::uint32_t>(
            std::clamp(std::floor((h - grid.origin.z) / grid.cell), 0.0, static_cast<double>(grid.samples[2] - 1)));
      for (i[1] = 0; i[1] < grid.samples[1]; ++i[1])
        for (i[0] = 0; i[0] < grid.samples[0]; ++i[0]) {
          const double v = field.at(i);
          const auto p = grid.position(i);
          const bool inside = v < 0, bound = !(std::fabs(v) < field.band());
          list.point(drawn_at(Vec2d{p.x, p.y}, 4), bound ? color_of(Ink::ghost) : color_of(inside ? Ink::b : Ink::a),
                     bound ? 2.0f : 4.0f);
        }
    });
  }
  void draw_arrows(DrawList& list) const {
    for (int j = 0; j < 11; ++j)
      for (int i = 0; i < 11; ++i) {
        const Vec2d p{kHalfX * ((2.0 * i + 1) / 11 - 1), kHalfY * ((2.0 * j + 1) / 11 - 1)};
        const FieldValue there = value_at(p);
        if (!there.in_band) continue;
        list.arrow(drawn_at(p, 4), drawn_at(p + there.gradient * 0.16, 4), color_of(Ink::normal, 0.8f), 1.5f);
      }
  }
  void draw_probe(DrawList& list) const {
    const Vec2d p = probe();
    const FieldValue there = value_at(p);
    const double r = std::fabs(there.distance);
    list.circle(drawn_at(p, 5), r, {0, 0, 1}, color_of(Ink::ray), 2);
    list.point(drawn_at(p, 6), color_of(Ink::highlight), 10);
    if (there.in_band && length(there.gradient) > 0) {
      const Vec2d foot = p - normalized(there.gradient) * there.distance;
      list.line(drawn_at(p, 5), drawn_at(foot, 5), color_of(Ink::ray), 2);
      list.point(drawn_at(foot, 6), color_of(Ink::contact), 8);
    }
    list.label(drawn_at(p + Vec2d{p.x > 1 ? -0.75 : 0.06, 0.12}, 6),
               shown(there.distance, 4) + " m" + (there.in_band ? "" : " (a bound)"), color_of(Ink::text));
  }
  Plot along_the_line() const {
    Plot plot{"along the line through the probe",
              "x [m]",
              "distance [m]",
              {{"field", {}, {}, false}, {"exact", {}, {}, false}}};
    const double y = value("probe_y");
    for (int i = 0; i < kNx; i += 2) {
      const Vec2d p{lattice(i, 0).x, y};
      plot.series[0].x.push_back(p.x), plot.series[0].y.push_back(value_at(p).distance);
      plot.series[1].x.push_back(p.x), plot.series[1].y.push_back(exact_at(p));
    }
    plot.marker_x = value("probe_x");
    return plot;
  }

  std::optional<Shape2> shape2_;
  std::optional<Shape3> shape3_;
  std::shared_ptr<const TriangleMesh> mesh_;
  std::optional<DistanceField2> field2_;
  std::optional<DistanceField3> field3_;
  std::vector<Node> nodes_;
  std::vector<std::pair<Vec2d, Vec2d>> iso_, border_, exact_border_;
  double largest_error_ = 0;
};

}  // namespace

std::unique_ptr<Exhibit> make_distance_field(std::string_view parameters, std::string& why_not) {
  return make_still<FieldSlice>(parameters, why_not);
}

}  // namespace sudar::lab
