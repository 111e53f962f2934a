// What:    Pictures of what is inside of a broad phase: levels of trees, nodes by how many searches enter them, cells with
//          what is in them, sorted intervals with those that changed places, and pairs, true and false.
// Source:  seeds E10, E11; three-mesh-bvh's traversal heat.
// Differs: Everything is gathered by look() after a step, and only while it is shown; draw() copies. A search enters a node
//          when the box that it is for overlaps the node: that is counted for a sample of boxes.
// Fails:   never; what is too much to be drawn is left out, and told.
#pragma once

#include "lab/draw_list.hpp"
#include "lab/panel.hpp"
#include <sudar/broadphase/inspection.hpp>

#include <array>
#include <string>
#include <vector>

namespace sudar::lab {

enum class InsideView : std::uint8_t { off, levels, visits, cells, intervals, pairs, automatic };
inline constexpr std::array<std::string_view, 7> kInsideViews = {"off",       "levels", "visits",   "cells",
                                                                 "intervals", "pairs",  "automatic"};

template <int D>
class BroadphaseView {
 public:
  static constexpr std::size_t kMostBoxes = 20000, kMostLines = 20000, kIntervals = 48, kVisitors = 256;

  // `level`: the depth that is shown, -1 for all; `touching`: of each pair, empty where all do. `broadphase` may be null.
  void look(InsideView view, int level, const Broadphase<D>* broadphase, const BoxStore<D>& store,
            std::span<const IdPair> pairs, std::span<const std::uint8_t> touching);
  void clear();
  void draw(DrawList& list) const;
  void tell(Panel& panel) const;

  InsideKind kind() const { return kind_; }
  // What is seen, in one sentence
  const std::string& sentence() const { return sentence_; }
  std::size_t shown() const { return boxes_.size() + balls_.size() + lines_.size(); }
  int depth() const { return depth_; }
  std::size_t node_count() const { return nodes_.size(); }
  std::uint64_t false_pairs() const { return false_pairs_; }
  std::uint64_t changed_places() const { return changed_places_; }

 private:
  struct Line {
    Vec3d p, q;
    Color color;
    float pixels;
  };
  struct Label {
    Vec3d at;
    std::string text;
  };
  struct End {
    float at;
    bool upper;
    std::uint32_t id;
  };
  class Gather;

  void show_levels(int level);
  void show_visits(const BoxStore<D>& store, int level);
  void show_cells();
  void show_intervals(const BoxStore<D>& store);
  void show_pairs(const BoxStore<D>& store, std::span<const IdPair> pairs, std::span<const std::uint8_t> touching);
  void push_box(const Aabb<D, float>& box, double radius, Color color);

  // What look_inside() told
  std::vector<InsideNode<D>> nodes_;
  std::vector<InsideCell<D>> cells_;
  std::array<std::vector<End>, D> ends_;
  std::vector<std::pair<std::string_view, double>> figures_;
  InsideKind kind_ = InsideKind::nothing;
  InsideView view_ = InsideView::off;
  std::string algorithm_;
  Aabb<D, double> bounds_{};
  int depth_ = 0;

  // What is drawn
  std::vector<Aabb<D, float>> boxes_;
  std::vector<Color> colors_;
  std::vector<std::pair<Vec3d, double>> balls_;
  std::vector<Color> ball_colors_;
  std::vector<Line> lines_;
  std::vector<Label> labels_;
  std::size_t left_out_ = 0;
  std::string sentence_;
  std::array<std::vector<std::uint32_t>, D> ranks_;  // by id, of the look before
  std::uint64_t false_pairs_ = 0, changed_places_ = 0;
};

}  // namespace sudar::lab
