#include "lab/lab_run.hpp"

#include <sudar/io/file_bytes.hpp>

#include <algorithm>
#include <sstream>

namespace sudar::lab {

namespace {

// What is shown to someone who names nothing
constexpr const char* kFirstExhibits[] = {"pyramid", "shapes3"};

bool open_first(Ui& ui, std::string& why_not) {
  if (!ui.desk.settings.exhibit.empty() && ui.desk.open(ui.desk.settings.exhibit, why_not)) return true;
  for (const char* name : kFirstExhibits)
    if (ui.desk.open(name, why_not)) return true;
  return false;
}

}  // namespace

int run_lab(const LabOptions& options, std::string& why_not) {
  return options.headless ? run_headless(options, why_not) : run_window(options, why_not);
}

bool begin_lab(const LabOptions& options, Ui& ui, std::string& why_not) {
  Settings& settings = ui.desk.settings;
  const std::string path = !options.settings.empty() ? options.settings
                           : options.headless        ? std::string()
                                                     : settings_path();
  if (read_settings(path, settings, why_not) == SettingsFile::broken) return false;
  if (options.scale > 0) settings.scale = options.scale;
  if (options.headless) settings.panels = options.panels, settings.labels = options.labels;
  // The view is as wide as the window until the first frame says otherwise
  if (options.width > 0 && options.height > 0) ui.desk.aspect = static_cast<double>(options.width) / options.height;
  if (options.exhibit.empty() ? !open_first(ui, why_not) : !ui.desk.open(options.exhibit, why_not)) return false;
  why_not.clear();
  for (const auto& [name, value] : options.set)
    if (!set_from_text(ui.desk.exhibit(), name, value, why_not)) return false;
  if (options.step >= 0) ui.desk.go_to(static_cast<std::size_t>(options.step));
  ui.log.push_back("opened " + std::string(ui.desk.entry()->name));
  return true;
}

RunLog::RunLog(const LabOptions& options) : metrics_(options.metrics), log_(options.log) {
  if (!log_.empty()) log_file_.open(log_, std::ios::binary | std::ios::trunc);
}

void RunLog::add(Ui& ui) {
  if (!metrics_.empty()) rows_.push_back({ui.desk.times, ui.desk.exhibit().last_step(), ui.desk.list.size()});
  if (!log_.empty() && !ui.log.empty()) {
    for (const std::string& line : ui.log) log_file_ << line << '\n';
    log_file_.flush();
  }
  ui.log.clear();
}

bool RunLog::write(std::string& why_not) {
  if (!log_.empty() && !log_file_) {
    why_not = "cannot write " + log_;
    return false;
  }
  if (metrics_.empty()) return true;
  std::ostringstream file;
  file << "frame,advance_ms,draw_ms,tell_ms,render_ms,step_ms,lab_ms,swap_ms,drawn\n";
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const FrameTimes& t = rows_[i].times;
    const StepCost& cost = rows_[i].cost;
    file << i << ',' << t.advance << ',' << t.draw << ',' << t.tell << ',' << t.render << ',' << cost.step << ','
         << cost.lab << ',' << cost.swap << ',' << rows_[i].drawn << '\n';
  }
  if (write_whole_file(metrics_, file.str())) return true;
  why_not = "cannot write " + metrics_;
  return false;
}

}  // namespace sudar::lab
