// What:    What is told beside the picture: badges, a paragraph, tables, plots, notes and hints. Exhibits fill it, the shell
//          shows it and writes its plots to CSV.
#pragma once

#include "lab/draw_list.hpp"

#include <limits>
#include <string>
#include <vector>

namespace sudar::lab {

// A word in a coloured box: "0 missing, 0 extra"
struct Badge {
  std::string text;
  Ink ink = Ink::text;
};

struct Table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  int highlighted_row = -1;
};

struct PlotSeries {
  std::string name;
  std::vector<double> x, y;  // as many of each
  bool points = false;       // dots in place of a line
};

struct Plot {
  std::string title, x_label, y_label;
  std::vector<PlotSeries> series;
  bool log_x = false, log_y = false;
  double marker_x = std::numeric_limits<double>::quiet_NaN();  // a line upwards: "now"
};

struct Panel {
  std::vector<Badge> badges;
  std::string decision;   // one sentence: what is being decided at this step, what is happening now
  std::string paragraph;  // the explanation
  std::vector<Table> tables;
  std::vector<Plot> plots;
  std::vector<std::string> notes;
  std::vector<std::string> hints;  // a known trouble that the counters show

  void clear() { *this = Panel{}; }
};

}  // namespace sudar::lab
