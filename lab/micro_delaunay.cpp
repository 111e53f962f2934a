// What:    The microscope on the Delaunay triangulation of the plane: each point, its cavity, and the star that fills it.
#include "lab/microscope.hpp"
#include "lab/palette.hpp"
#include "lab/point_cloud.hpp"
#include "lab/stepped.hpp"
#include <sudar/geom/delaunay2.hpp>

#include <algorithm>
#include <array>

namespace sudar::lab {

namespace {

class MicroDelaunay2 final : public Stepped {
 public:
  MicroDelaunay2() {
    add_cloud_parameters(parameters_, 18, 200);
    parameters_.push_back(Parameter::toggle("circles", "Circles of the cavity", true));
  }
  std::string as_query() const override { return command_line("delaunay2"); }

 private:
  using Corners = std::array<std::uint32_t, 3>;

  void run() override {
    points_ = cloud2(parameters_);
    const auto made = delaunay2(points_, trace());
    triangles_ = made ? made->triangles.size() : 0;
    const auto& log = events();
    std::size_t i = 0;
    const auto run_of = [&](std::string_view step) {
      std::size_t count = 0;
      while (i < log.size() && log[i].step == step) ++i, ++count;
      return count;
    };
    if (const std::size_t first = run_of("add"); first > 0)
      add("start", num(first), "Three points that are not in line make the first triangle.", i);
    while (i < log.size()) {
      if (log[i].step == "insert") {
        const std::string point = num(std::size_t{log[i].ids[0]});
        ++i;
        const std::size_t gone = run_of("remove");
        add("insert", num(gone),
            "Point " + point + " lies in the circles of " + num(gone) + (gone == 1 ? " triangle" : " triangles") +
                (gone == 0 ? ": it is outside of the hull so far." : ": they are no longer Delaunay, and go."),
            i);
        const std::size_t added = run_of("add");
        add("star", num(added),
            "The hole is seen from point " + point + " as a star: " + num(added) + " new triangles fill it.", i);
      } else {
        add(log[i].step, num(std::size_t{log[i].ids[0]}), "This point lies where another one is: it is left out.",
            i + 1);
        ++i;
      }
    }
    add("answer", num(triangles_), num(triangles_) + " triangles; no point lies inside of the circle of any of them.",
        log.size());
  }

  static Corners sorted(const std::vector<std::uint32_t>& ids) {
    Corners c{ids[0], ids[1], ids[2]};
    std::sort(c.begin(), c.end());
    return c;
  }

  void draw_at(DrawList& list, std::size_t events_done) const override {
    list.flat = true;
    std::vector<Corners> alive, gone, fresh;
    std::vector<bool> present(points_.size(), false);
    std::uint32_t newest = 0;
    bool has_newest = false;
    const bool insert = events_done > 0 && told()[step()].name == "insert";
    for (std::size_t i = 0; i < events_done; ++i) {
      const Entry& e = events()[i];
      if (e.step == "insert") {
        newest = e.ids[0], has_newest = true;
        present[newest] = true;
        gone.clear(), fresh.clear();
      } else if (e.step == "remove") {
        gone.push_back(sorted(e.ids));
        const auto at = std::find(alive.begin(), alive.end(), gone.back());
        if (at != alive.end()) alive.erase(at);
      } else if (e.step == "add") {
        alive.push_back(sorted(e.ids)), fresh.push_back(alive.back());
        for (const std::uint32_t id : e.ids) present[id] = true;
      }
    }
    const auto draw = [&](const Corners& c, Color fill, Color line, float pixels) {
      const Vec3d ring[] = {flat(points_[c[0]]), flat(points_[c[1]]), flat(points_[c[2]])};
      list.triangle(ring[0], ring[1], ring[2], fill);
      list.polyline(ring, line, true, pixels);
    };
    const bool end = at_end();
    for (const Corners& c : alive) {
      const bool is_new = !insert && !end && std::find(fresh.begin(), fresh.end(), c) != fresh.end();
      draw(c, is_new ? color_of(Ink::highlight, 0.35f) : color_of(Ink::a, 0.2f), color_of(Ink::a), 1.5f);
    }
    if (insert)
      for (const Corners& c : gone) {
        draw(c, color_of(Ink::bad, 0.35f), color_of(Ink::bad), 1.5f);
        if (parameter("circles").on()) draw_circle(list, c);
      }
    for (std::size_t i = 0; i < points_.size(); ++i)
      list.point(flat(points_[i]), color_of(present[i] ? Ink::text : Ink::ghost, present[i] ? 1.f : 0.5f), 6);
    if (has_newest && !end) {
      list.point(flat(points_[newest]), color_of(Ink::highlight), 13);
      list.label(flat(points_[newest]), " " + std::to_string(newest), color_of(Ink::highlight));
    }
  }

  void draw_circle(DrawList& list, const Corners& c) const {
    const Vec2d a = points_[c[0]], b = points_[c[1]] - a, d = points_[c[2]] - a;
    const double whole = 2 * cross(b, d);
    if (whole == 0) return;
    const Vec2d offset = (perp(d) * -dot(b, b) + perp(b) * dot(d, d)) / whole;
    list.circle(flat(a + offset), length(offset), {0, 0, 1}, color_of(Ink::ghost, 0.6f), 1);
  }

  void tell_more(Panel& panel) const override {
    panel.badges.push_back({num(points_.size()) + " points", Ink::text});
    panel.badges.push_back({num(triangles_) + " triangles", Ink::good});
    panel.paragraph =
        "A triangulation is Delaunay when no point lies inside of the circle of a triangle. A new point removes "
        "exactly the "
        "triangles whose circle holds it; the hole is seen from the point as a star, and is filled by joining the "
        "point to its "
        "rim. Inside or outside is the exact sign of a determinant, so points on one circle (cloud circle or grid) do "
        "no harm.";
  }

  std::vector<Vec2d> points_;
  std::size_t triangles_ = 0;
};

}  // namespace

ExhibitEntry delaunay2_exhibit() {
  return {"delaunay2",
          "Delaunay triangulation",
          "microscope",
          "Incremental insertion with a cavity: the triangles whose circle holds the new point go, and a star from the "
          "point fills "
          "the hole.",
          "Bowyer 1981; Watson 1981",
          [](std::string_view text, std::string& why_not) { return make_stepped<MicroDelaunay2>(text, why_not); }};
}

}  // namespace sudar::lab
