// What:    Plots as CSV: all points of a panel's plots at once, or, while recording, the newest value of every curve in each
//          frame.
#pragma once

#include "lab/panel.hpp"

#include <iosfwd>

namespace sudar::lab {

// plot,series,x,y
void write_plots(std::ostream& out, const Panel& panel);

// One row a frame: frame, time, then the newest y of each curve of the first frame, empty where it has gone
class PlotRecorder {
 public:
  void add(const Panel& panel, double time);
  void write(std::ostream& out) const;
  std::size_t frames() const { return rows_.size(); }

 private:
  std::vector<std::string> columns_;
  std::vector<std::vector<double>> rows_;
};

}  // namespace sudar::lab
