// What:    One body from coarse to fine: spheres, an oriented box, its hull, simplified meshes, the mesh; with the two lengths
//          that every level knows, and what it says of the distance of two such bodies.
#include "lab/field_exhibits.hpp"
#include "lab/show_bodies.hpp"
#include "lab/still_exhibit.hpp"
#include <sudar/narrowphase/levels.hpp>

#include <algorithm>

namespace sudar::lab {

namespace {

class LevelsOfDetail final : public StillExhibit {
 public:
  LevelsOfDetail() {
    using P = Parameter;
    parameters_ = {P::choice("body", "body", solid_names()), P::number("apart", "how far apart", "m", 2.6, 0, 6),
                   P::number("turn", "second body turned by", "°", 40, -180, 180)};
  }
  Result<void> set(std::size_t i) override {
    if (parameters_[i].name == "body") levels_.reset();
    return remake();
  }

  void draw(DrawList& list) const override {
    const DetailLevel& level = levels_->levels()[step_];
    const Shape3& full = levels_->levels().back().shape;
    const bool last = step_ + 1 == levels_->levels().size();
    const Pose3d poses[] = {Pose3d{{-0.5 * value("apart"), 0, 0}, {}}, second()};
    const Ink inks[] = {Ink::a, Ink::b};
    for (int i = 0; i < 2; ++i) {
      if (!last) list.shape(full, poses[i], color_of(Ink::text, 0.25f), true);
      if (level.kind == DetailKind::spheres) {
        for (std::size_t k = 0; k < level.radius.size(); ++k)
          list.sphere(transform(poses[i], Vec3d{level.x[k], level.y[k], level.z[k]}), level.radius[k],
                      color_of(inks[i], level.radius.size() == 1 ? 0.35f : 0.55f));
      } else {
        const bool around = level.kind == DetailKind::oriented_box || level.kind == DetailKind::hull;
        list.shape(level.shape, poses[i], color_of(inks[i], around ? 0.5f : 1.0f));
        list.shape(level.shape, poses[i], color_of(inks[i]), true);
      }
    }
    list.label({0, 0, 1.5}, std::string(to_string(level.kind)) + ", " + std::to_string(level.parts) +
                                (level.parts == 1 ? " part" : " parts"));
  }

  void tell(Panel& panel) const override {
    tell_trouble(panel);
    const auto levels = levels_->levels();
    const LevelAnswer& now = answers_[step_];
    const char* words[] = {"apart, proven", "meet, proven", "cannot say"};
    const Ink inks[] = {Ink::good, Ink::bad, Ink::highlight};
    panel.badges.push_back({words[static_cast<int>(now.verdict)], inks[static_cast<int>(now.verdict)]});
    panel.badges.push_back({"level " + std::to_string(step_ + 1) + " of " + std::to_string(levels.size()), Ink::node});
    panel.decision = "At this level the distance of the two bodies is between " + shown(std::max(0.0, now.lower), 4) +
                     " and " + shown(now.upper, 4) + " m; the meshes themselves say " +
                     shown(answers_.back().upper, 4) + " m.";
    Table table{"levels, coarse to fine",
                {"kind of level", "parts", "misses ≤", "too much ≤", "distance [m]"},
                {},
                static_cast<int>(step_)};
    Plot error{"error over parts", "parts", "metres", {{"misses + too much", {}, {}, false}}};
    Plot bounds{"what each level says of the distance",
                "level",
                "metres",
                {{"at least", {}, {}, false}, {"at most", {}, {}, false}}};
    error.log_x = error.log_y = true;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const DetailLevel& l = levels[i];
      table.rows.push_back({std::string(to_string(l.kind)), std::to_string(l.parts), shown(l.missing, 3),
                            shown(l.excess, 3), shown(answers_[i].lower, 3) + " … " + shown(answers_[i].upper, 3)});
      if (l.missing + l.excess > 0) {
        error.series[0].x.push_back(static_cast<double>(l.parts));
        error.series[0].y.push_back(l.missing + l.excess);
      }
      bounds.series[0].x.push_back(static_cast<double>(i + 1));
      bounds.series[0].y.push_back(std::max(0.0, answers_[i].lower));
      bounds.series[1].x.push_back(static_cast<double>(i + 1));
      bounds.series[1].y.push_back(answers_[i].upper);
    }
    error.series[0].points = true;
    bounds.marker_x = static_cast<double>(step_ + 1);
    panel.tables.push_back(std::move(table));
    panel.plots.push_back(std::move(bounds));
    panel.plots.push_back(std::move(error));
  }

 protected:
  Result<void> make() override {
    if (!levels_) {
      const Result<Mesh> mesh = solid_named(index("body"));
      if (!mesh) return mesh.error();
      Result<std::shared_ptr<const DetailLevels>> levels = DetailLevels::make(mesh->vertices, mesh->triangles, true);
      if (!levels) return levels.error();
      levels_ = *std::move(levels);
    }
    const Pose3d first{{-0.5 * value("apart"), 0, 0}, {}};
    answers_.clear();
    for (std::size_t i = 0; i < levels_->levels().size(); ++i)
      answers_.push_back(level_distance(*levels_, i, *levels_, i, make_placement(first, second())));
    steps_ = levels_->levels().size();
    return {};
  }

 private:
  Pose3d second() const {
    return {{0.5 * value("apart"), 0, 0},
            Quatd::from_axis_angle(normalized(Vec3d{0.3, 0.5, 1}), value("turn") * kPi / 180)};
  }

  std::shared_ptr<const DetailLevels> levels_;
  std::vector<LevelAnswer> answers_;
};

}  // namespace

std::unique_ptr<Exhibit> make_levels_of_detail(std::string_view parameters, std::string& why_not) {
  return make_still<LevelsOfDetail>(parameters, why_not);
}

}  // namespace sudar::lab
