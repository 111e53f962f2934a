// What:    A plot drawn into the picture itself: axes, ticks, curves with their names at the end. For evaluation exhibits,
//          where the plot is the picture, and for curves that belong under a scene.
// Frame:   The plane z = 0, in the rectangle from lo to hi.
#pragma once

#include "lab/draw_list.hpp"
#include "lab/panel.hpp"

namespace sudar::lab {

struct Chart {
  Vec2d lo, hi;
  double x_lo = 0, x_hi = 1, y_lo = 0, y_hi = 1;  // of the data; powers of ten where the axis is logarithmic
  bool log_x = false, log_y = false;

  // Where a value is drawn; clamped to the rectangle
  Vec2d at(double x, double y) const;
};

// A range around the curves, with round ends
Chart chart_of(const Plot& plot, const Vec2d& lo, const Vec2d& hi);
void draw_axes(DrawList& list, const Plot& plot, const Chart& chart);
// Axes, curves in the colours of series(), names at the ends of the curves when `names`
void draw_plot(DrawList& list, const Plot& plot, const Chart& chart, bool names = true);

}  // namespace sudar::lab
