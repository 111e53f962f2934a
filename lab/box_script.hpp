// What:    Scripts of changes and questions to a broad phase: a text that campaigns of the tests write, they replay and the lab
//          shows. "dim 2" or "dim 3", then lines of an action and its numbers.
// Differs: Boxes are named by their place among those that are there, so a script makes sense with any of its lines left
//          out. Lines whose boxes are no boxes stay in: the store must refuse them.
// Fails:   parse_script: nothing, and one line that says where and why.
#pragma once

#include <sudar/broadphase/broadphase.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sudar::lab {

enum class BoxAction : std::uint8_t {
  insert,     // box, filter, motion
  move,       // which, box
  teleport,   // which, box
  shift,      // which, direction: by so much from where it is
  drift,      // which: a seed; amount: every box by up to so much
  remove,     // which
  filter,     // which, filter
  motion,     // which, motion
  callback,   // which: 0 none, 1 one that refuses some pairs
  assign,     // boxes
  many,       // which: a seed; box: where; direction: the longest edges; amount: how many; motion
  clear,      //
  parameter,  // which, amount: the parameter of that number, at that share of its range
  update,     // and the pairs
  build,      // and the pairs
  events,     // begin, stay, end
  cast,       // box, direction, amount (the largest t), filter: the closest, and all
  overlap,    // box, filter
  nearest,    // which (how many), box.lo, filter
};
inline constexpr std::array<std::string_view, 19> kBoxActions = {
    "insert", "move",  "teleport",  "shift",  "drift", "remove", "filter", "motion",  "callback", "assign",
    "many",   "clear", "parameter", "update", "build", "events", "cast",   "overlap", "nearest"};
inline std::string_view name_of(BoxAction action) { return kBoxActions[static_cast<std::size_t>(action)]; }
// These ask the broad phase, `parameter` sets it, and the others change the boxes
constexpr bool asks(BoxAction action) { return action >= BoxAction::update; }
// No more boxes are made by one line of `many`
inline constexpr double kMostBoxesAtOnce = 5000;

template <int D>
struct BoxLine {
  BoxAction action = BoxAction::update;
  std::uint32_t which = 0;
  Aabb<D, double> box{};
  Vec<D, double> direction{};
  double amount = 0;
  Filter filter{};
  Motion motion = Motion::moving;
  std::vector<Aabb<D, double>> boxes{};
};
template <int D>
using BoxScript = std::vector<BoxLine<D>>;

// What a line of an action has, in the order of the text
struct BoxLineParts {
  bool which = false, box = false, direction = false, amount = false, filter = false, motion = false, boxes = false;
};
BoxLineParts parts_of(BoxAction action);

// 2 or 3 when it begins as a script does, and 0 when it is none
int script_dimension(std::string_view text);
// Of the boxes of `assign` none is begun behind so many characters
template <int D>
std::string print_line(const BoxLine<D>& line, std::size_t most = std::string::npos);
template <int D>
std::string print_script(const BoxScript<D>& script);
template <int D>
std::optional<BoxScript<D>> parse_script(std::string_view text, std::string& why_not);

// A line that changes the boxes, done
struct ScriptedChange {
  bool good = true;                 // what it asks for makes sense, and the store must do it
  bool done = true;                 // the store did it
  std::vector<std::uint32_t> born;  // ids of the boxes that it made
};
template <int D>
ScriptedChange follow_change(BoxStore<D>& store, const BoxLine<D>& line);
// Whose box a line changes; no id when it is not about one, or there is none
template <int D>
std::optional<std::uint32_t> meant_box(const BoxStore<D>& store, const BoxLine<D>& line);
template <int D>
bool is_box(const Aabb<D, double>& box) {
  return is_finite(box.lo) && is_finite(box.hi) && is_valid(box);
}
// `parameter` of an algorithm that has any
template <int D>
Result<void> set_scripted_parameter(Broadphase<D>& algorithm, const BoxLine<D>& line);

}  // namespace sudar::lab
