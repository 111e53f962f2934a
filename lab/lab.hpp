// What:    The lab as a program: in a window, or the same without one. What `sudar lab` and `sudar sim --screenshot` call.
// Fails:   the answer is an exit code; with 2 comes one line that says why. Nothing is written then.
#pragma once

#include "lab/draw_list.hpp"

#include <string>
#include <utility>
#include <vector>

namespace sudar::lab {

struct LabOptions {
  std::string exhibit;  // "NAME", "NAME:n=100", "NAME n=100"; empty: the last one
  std::vector<std::pair<std::string, std::string>> set;
  long step = -1;  // of a stepped exhibit, or frame of a living one's memory
  bool headless = false;
  long frames = 60;
  std::string screenshot;  // .png, of the last frame
  std::string metrics;     // .csv, one row a frame
  std::string log;         // what was done, a line each
  std::string settings;    // a file; without a window none is read unless it is named here
  std::string keys;        // without a window: "ctrl+o,text=race,enter,right", one after the other
  int width = 0, height = 0;
  double scale = 0;
  bool panels = true, labels = true;
};

int run_lab(const LabOptions& options, std::string& why_not);

// A picture of what is in a list, framed, without panels; false and why not
bool write_picture(const DrawList& list, const std::string& path, int width, int height, std::string& why_not);

}  // namespace sudar::lab
