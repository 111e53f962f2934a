// What:    A solid as one, two, four … convex parts: what the approximation has too much, part by part.
#include "lab/field_exhibits.hpp"
#include "lab/show_bodies.hpp"
#include "lab/still_exhibit.hpp"
#include <sudar/shapes/convex_parts3.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <algorithm>

namespace sudar::lab {

namespace {

class ConvexPartsShow final : public StillExhibit {
 public:
  ConvexPartsShow() {
    using P = Parameter;
    parameters_ = {P::choice("body", "body", solid_names(), 1),
                   P::number("explode", "pulled apart", "times", 0.25, 0, 1.5),
                   P::toggle("mesh", "the mesh as well", true)};
  }
  Result<void> set(std::size_t i) override { return parameters_[i].name == "body" ? remake() : Result<void>{}; }

  void draw(DrawList& list) const override {
    if (step_ == 0) {
      list.shape(*shape_, {}, color_of(Ink::a));
      return;
    }
    if (on("mesh")) list.shape(*shape_, {{0, 0, 0}, {}}, color_of(Ink::text, 0.3f), true);
    const ConvexParts3& cut = cuts_[step_ - 1];
    for (std::size_t i = 0; i < cut.parts.size(); ++i) {
      const Pose3d pose{cut.parts[i]->center() * value("explode"), {}};
      const Shape3 part(HullShape3{cut.parts[i], 0});
      list.shape(part, pose, series(i, 0.85f));
      list.shape(part, pose, color_of(Ink::text, 0.5f), true);
    }
  }

  void tell(Panel& panel) const override {
    tell_trouble(panel);
    if (step_ == 0) {
      panel.badges.push_back(
          {std::to_string(shape_->as<MeshShape3>().mesh->triangle_count()) + " triangles", Ink::ground});
      panel.decision = "The solid itself. Convex bodies have fast tests; this one is to be covered by a few of them.";
    } else {
      const ConvexParts3& cut = cuts_[step_ - 1];
      panel.badges.push_back({std::to_string(cut.parts.size()) + (cut.parts.size() == 1 ? " part" : " parts"), Ink::b});
      panel.badges.push_back(
          {shown(100 * cut.excess, 3) + " % too much", cut.excess < 0.05 ? Ink::good : Ink::highlight});
      panel.decision = "With at most " + std::to_string(kCounts[step_ - 1]) +
                       " parts the deepest hollow that is filled is " + shown(cut.concavity, 3) +
                       " m, and the parts have " + shown(100 * cut.excess, 3) + " % more volume than the solid.";
    }
    Table table{
        "parts", {"at most", "parts", "hollow [m]", "too much [%]", "corners"}, {}, static_cast<int>(step_) - 1};
    Plot plot{"what more parts buy", "parts", "volume that is too much [%]", {{"excess", {}, {}, false}}};
    plot.log_x = true;
    for (std::size_t i = 0; i < cuts_.size(); ++i) {
      std::size_t corners = 0;
      for (const auto& part : cuts_[i].parts) corners += part->vertex_count();
      table.rows.push_back({std::to_string(kCounts[i]), std::to_string(cuts_[i].parts.size()),
                            shown(cuts_[i].concavity, 3), shown(100 * cuts_[i].excess, 3), std::to_string(corners)});
      plot.series[0].x.push_back(static_cast<double>(cuts_[i].parts.size()));
      plot.series[0].y.push_back(100 * cuts_[i].excess);
    }
    panel.tables.push_back(std::move(table));
    panel.plots.push_back(std::move(plot));
  }

 protected:
  Result<void> make() override {
    // As fine as the cuts can tell
    const Result<Mesh> mesh = solid_named(index("body"), 20);
    if (!mesh) return mesh.error();
    Result<Shape3> shape = make_mesh_shape3(mesh->vertices, mesh->triangles, true);
    if (!shape) return shape.error();
    std::vector<ConvexParts3> cuts;
    for (const std::size_t count : kCounts) {
      PartsOptions3 options;
      options.max_parts = count;
      Result<ConvexParts3> parts = convex_parts3(*mesh, options);
      if (!parts) return parts.error();
      cuts.push_back(*std::move(parts));
    }
    shape_ = *std::move(shape);
    cuts_ = std::move(cuts);
    steps_ = cuts_.size() + 1;
    return {};
  }

 private:
  static constexpr std::size_t kCounts[] = {1, 2, 4, 8, 16};

  std::optional<Shape3> shape_;
  std::vector<ConvexParts3> cuts_;
};

}  // namespace

std::unique_ptr<Exhibit> make_convex_parts(std::string_view parameters, std::string& why_not) {
  return make_still<ConvexPartsShow>(parameters, why_not);
}

}  // namespace sudar::lab
