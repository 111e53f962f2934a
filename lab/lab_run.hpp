// What:    What a run in a window and one without have in common: how they begin, and what they leave behind.
#pragma once

#include "lab/lab.hpp"
#include "lab/ui.hpp"

#include <fstream>

namespace sudar::lab {

int run_headless(const LabOptions& options, std::string& why_not);
int run_window(const LabOptions& options, std::string& why_not);

// Reads settings, opens the exhibit, sets its parameters
bool begin_lab(const LabOptions& options, Ui& ui, std::string& why_not);

// Times of every frame, and what was done, as files
class RunLog {
 public:
  explicit RunLog(const LabOptions& options);
  void add(Ui& ui);
  bool write(std::string& why_not);

 private:
  struct Row {
    FrameTimes times;
    StepCost cost;
    std::size_t drawn;
  };
  std::string metrics_, log_;
  std::ofstream log_file_;
  std::vector<Row> rows_;
};

}  // namespace sudar::lab
