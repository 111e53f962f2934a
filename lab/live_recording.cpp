#include "lab/live_recording.hpp"

#include <sudar/io/double_text.hpp>
#include <sudar/io/file_bytes.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace sudar::lab {

namespace {

constexpr std::string_view kRecordingHead = "sudar-lab-recording 1";
constexpr int kMostSubsteps = 1000;  // as in scene files

// The shortest digits that are read back as the same number
std::string exact_text(double x) {
  char digits[40];
  return {digits, std::to_chars(digits, digits + sizeof digits, x).ptr};
}
std::string hex_text(std::uint64_t x) {
  char digits[20];
  return {digits, std::to_chars(digits, digits + sizeof digits, x, 16).ptr};
}
template <class T>
bool read_number(std::string_view word, T& out, int base) {
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), out, base);
  return status == std::errc() && end == word.data() + word.size();
}
bool read_number(std::string_view word, double& out) {
  const auto [end, status] = read_double(word, out);
  return status == std::errc() && end == word.data() + word.size() && std::isfinite(out);
}
std::vector<std::string_view> split_words(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) break;
    line.remove_prefix(begin);
    words.push_back(line.substr(0, line.find_first_of(" \t\r")));
    line.remove_prefix(words.back().size());
  }
  return words;
}
std::string_view next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}
Error bad_line(std::size_t line, const char* reason) { return {ErrorCode::bad_format, line, reason}; }

template <int D>
bool read_input(std::span<const std::string_view> words, typename LiveRecording<D>::Entry& entry) {
  if (words.size() != 5 + 2 * static_cast<std::size_t>(D)) return false;
  bool known = false;
  for (int kind = 0; kind < 6 && !known; ++kind) {
    entry.input.kind = static_cast<LiveInputKind>(kind);
    known = to_string(entry.input.kind) == words[2];
  }
  bool good = known && read_number(words[1], entry.step, 10) && read_number(words[3], entry.input.body, 10);
  for (int k = 0; k < D; ++k) {
    good = good && read_number(words[4 + static_cast<std::size_t>(k)], entry.input.point[k]);
    good = good && read_number(words[4 + static_cast<std::size_t>(D + k)], entry.input.vector[k]);
  }
  return good && read_number(words.back(), entry.input.value);
}

}  // namespace

template <int D>
void LiveRecording<D>::note(const LiveScene<D>& live, std::span<const LiveInput<D>> step_inputs) {
  for (const LiveInput<D>& input : step_inputs) inputs.push_back({live.steps() - 1, input});
  steps = live.steps();
  if (steps % kHashEvery == 0) prints.push_back({steps, live.state_hash()});
}

template <int D>
void LiveRecording<D>::cut(std::uint64_t step) {
  while (!inputs.empty() && inputs.back().step >= step) inputs.pop_back();
  while (!prints.empty() && prints.back().step > step) prints.pop_back();
  steps = std::min(steps, step);
}

template <int D>
std::string LiveRecording<D>::text() const {
  std::string out(kRecordingHead);
  out += "\nscene " + scene + "\ndim " + std::to_string(D) + "\ndt " + exact_text(dt);
  out += "\noptions " + options.algorithm + ' ' + std::to_string(options.substeps) + ' ' + exact_text(options.margin) +
         ' ' + std::to_string(options.integrator) + ' ' + (options.continuous ? "1" : "0");
  for (const Entry& entry : inputs) {
    out += "\ninput " + std::to_string(entry.step) + ' ' + std::string(to_string(entry.input.kind)) + ' ' +
           std::to_string(entry.input.body);
    for (int k = 0; k < D; ++k) out += ' ' + exact_text(entry.input.point[k]);
    for (int k = 0; k < D; ++k) out += ' ' + exact_text(entry.input.vector[k]);
    out += ' ' + exact_text(entry.input.value);
  }
  for (const Print& print : prints) out += "\nhash " + std::to_string(print.step) + ' ' + hex_text(print.hash);
  out += "\nsteps " + std::to_string(steps) + '\n';
  return out;
}

Result<int> recorded_dimension(std::string_view text) {
  if (next_line(text) != kRecordingHead) return bad_line(0, "not a recording of the lab");
  for (std::size_t line = 1; !text.empty(); ++line) {
    const auto words = split_words(next_line(text));
    if (words.size() == 2 && words[0] == "dim") {
      if (words[1] == "2") return 2;
      if (words[1] == "3") return 3;
      return bad_line(line, "the dimension is 2 or 3");
    }
  }
  return bad_line(0, "no dimension");
}

template <int D>
Result<LiveRecording<D>> parse_recording(std::string_view text) {
  return guarded([&]() -> Result<LiveRecording<D>> {
    const auto dimension = recorded_dimension(text);
    if (!dimension) return dimension.error();
    if (*dimension != D) return Error{ErrorCode::unsupported, Error::kNoElement, "a recording of another dimension"};
    LiveRecording<D> recording;
    next_line(text);
    for (std::size_t line = 1; !text.empty(); ++line) {
      const std::string_view whole = next_line(text);
      const auto words = split_words(whole);
      if (words.empty()) continue;
      if (words[0] == "scene" && words.size() > 1) {
        recording.scene = std::string(whole.substr(static_cast<std::size_t>(words[1].data() - whole.data())));
        recording.scene.erase(recording.scene.find_last_not_of(" \t\r") + 1);
      } else if (words[0] == "dim") {
        continue;
      } else if (words[0] == "dt" && words.size() == 2) {
        if (!read_number(words[1], recording.dt) || !(recording.dt > 0)) return bad_line(line, "dt is no good number");
      } else if (words[0] == "options" && words.size() == 6) {
        LiveOptions& o = recording.options;
        int continuous = 1;
        o.algorithm = std::string(words[1]);
        if (!read_number(words[2], o.substeps, 10) || !read_number(words[3], o.margin) ||
            !read_number(words[4], o.integrator, 10) || !read_number(words[5], continuous, 10) || o.substeps < 1 ||
            o.substeps > kMostSubsteps || o.integrator < 0 || o.integrator > 2 || !(o.margin >= 0))
          return bad_line(line, "options that are none");
        o.continuous = continuous != 0;
      } else if (words[0] == "input") {
        typename LiveRecording<D>::Entry entry;
        if (!read_input<D>(words, entry)) return bad_line(line, "an input that is none");
        if (!recording.inputs.empty() && entry.step < recording.inputs.back().step)
          return bad_line(line, "inputs are not in the order of their steps");
        recording.inputs.push_back(entry);
      } else if (words[0] == "hash" && words.size() == 3) {
        typename LiveRecording<D>::Print print{};
        if (!read_number(words[1], print.step, 10) || !read_number(words[2], print.hash, 16))
          return bad_line(line, "a hash that is none");
        recording.prints.push_back(print);
      } else if (words[0] == "steps" && words.size() == 2) {
        if (!read_number(words[1], recording.steps, 10)) return bad_line(line, "no number of steps");
      } else {
        return bad_line(line, "a line that is not known");
      }
    }
    if (recording.scene.empty()) return bad_line(0, "no scene");
    return recording;
  });
}

template <int D>
Result<void> write_recording(const LiveRecording<D>& recording, const std::string& path) {
  return write_whole_file(path, recording.text());
}

template <int D>
Result<LiveRecording<D>> read_recording(const std::string& path) {
  const auto text = read_whole_file(path);
  if (!text) return text.error();
  return parse_recording<D>(*text);
}

template <int D>
std::vector<LiveInput<D>> LiveReplay<D>::inputs_of(std::uint64_t step) const {
  const auto& all = recording_.inputs;
  const auto before = [](const auto& entry, std::uint64_t at) { return entry.step < at; };
  std::vector<LiveInput<D>> found;
  for (auto i = std::lower_bound(all.begin(), all.end(), step, before); i != all.end() && i->step == step; ++i)
    found.push_back(i->input);
  return found;
}

template <int D>
void LiveReplay<D>::compare(const LiveScene<D>& live) {
  for (const auto& print : recording_.prints) {
    if (print.step != live.steps()) continue;
    ++compared_;
    if (!diverged_ && print.hash != live.state_hash()) diverged_ = print.step;
    return;
  }
}

template struct LiveRecording<2>;
template struct LiveRecording<3>;
template class LiveReplay<2>;
template class LiveReplay<3>;
template Result<LiveRecording<2>> parse_recording(std::string_view);
template Result<LiveRecording<3>> parse_recording(std::string_view);
template Result<void> write_recording(const LiveRecording<2>&, const std::string&);
template Result<void> write_recording(const LiveRecording<3>&, const std::string&);
template Result<LiveRecording<2>> read_recording(const std::string&);
template Result<LiveRecording<3>> read_recording(const std::string&);

}  // namespace sudar::lab
