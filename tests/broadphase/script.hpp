// What:    Scripts of changes and questions to a broad phase: a text that can be read, written and replayed.
// Differs: Boxes are named by their place among those that are there, so a script makes sense with any of its lines left
//          out. Lines whose boxes are no boxes stay in: the store must refuse them.
#pragma once

#include "tests/support/shrink.hpp"
#include <sudar/broadphase/box_query.hpp>
#include <sudar/core/random.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace sudar_test {

enum class Action : std::uint8_t {
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
inline constexpr std::array<const char*, 19> kActionNames = {
    "insert", "move",  "teleport",  "shift",  "drift", "remove", "filter", "motion",  "callback", "assign",
    "many",   "clear", "parameter", "update", "build", "events", "cast",   "overlap", "nearest"};

template <int D>
struct Line {
  Action action = Action::update;
  std::uint32_t which = 0;
  sudar::Aabb<D, double> box{};
  sudar::Vec<D, double> direction{};
  double amount = 0;
  sudar::Filter filter{};
  sudar::Motion motion = sudar::Motion::moving;
  std::vector<sudar::Aabb<D, double>> boxes{};
};
template <int D>
using Script = std::vector<Line<D>>;

// What a line of an action has, in the order of the text
struct LineParts {
  bool which = false, box = false, direction = false, amount = false, filter = false, motion = false, boxes = false;
};
constexpr LineParts parts_of(Action action) {
  switch (action) {
    case Action::insert:
      return {.box = true, .filter = true, .motion = true};
    case Action::move:
    case Action::teleport:
      return {.which = true, .box = true};
    case Action::shift:
      return {.which = true, .direction = true};
    case Action::drift:
    case Action::parameter:
      return {.which = true, .amount = true};
    case Action::remove:
    case Action::callback:
      return {.which = true};
    case Action::filter:
      return {.which = true, .filter = true};
    case Action::motion:
      return {.which = true, .motion = true};
    case Action::assign:
      return {.boxes = true};
    case Action::many:
      return {.which = true, .box = true, .direction = true, .amount = true, .motion = true};
    case Action::cast:
      return {.box = true, .direction = true, .amount = true, .filter = true};
    case Action::overlap:
      return {.box = true, .filter = true};
    case Action::nearest:
      return {.which = true, .box = true, .filter = true};
    default:
      return {};
  }
}

template <int D>
std::string print_script(const Script<D>& script) {
  std::string text = "dim " + std::to_string(D) + '\n';
  const auto number = [&](double x) {
    char digits[40];
    std::snprintf(digits, sizeof digits, " %.17g", x);
    text += digits;
  };
  const auto box = [&](const sudar::Aabb<D, double>& b) {
    for (int k = 0; k < D; ++k) number(b.lo[k]);
    for (int k = 0; k < D; ++k) number(b.hi[k]);
  };
  for (const Line<D>& line : script) {
    const LineParts has = parts_of(line.action);
    text += kActionNames[static_cast<std::size_t>(line.action)];
    if (has.which) text += ' ' + std::to_string(line.which);
    if (has.box) box(line.box);
    if (has.direction)
      for (int k = 0; k < D; ++k) number(line.direction[k]);
    if (has.amount) number(line.amount);
    if (has.filter)
      for (const std::uint32_t x : {line.filter.layer, line.filter.mask, line.filter.group})
        text += ' ' + std::to_string(x);
    if (has.motion) text += line.motion == sudar::Motion::fixed ? " fixed" : " moving";
    if (has.boxes) {
      text += ' ' + std::to_string(line.boxes.size());
      for (const auto& b : line.boxes) box(b);
    }
    text += '\n';
  }
  return text;
}

// Nothing when it is no script of this dimension
template <int D>
std::optional<Script<D>> parse_script(const std::string& text) {
  std::istringstream words(text);
  std::string word;
  bool good = true;
  const auto next = [&]() -> const std::string& {
    good = good && words >> word;
    return word;
  };
  const auto number = [&] {
    char* end = nullptr;
    const double x = std::strtod(next().c_str(), &end);
    good = good && end != word.c_str() && *end == '\0';
    return x;
  };
  const auto whole = [&] {
    const double x = number();
    good = good && x >= 0 && x <= 4294967295.0;
    return good ? static_cast<std::uint32_t>(x) : 0u;
  };
  const auto box = [&] {
    sudar::Aabb<D, double> b;
    for (int k = 0; k < D; ++k) b.lo[k] = number();
    for (int k = 0; k < D; ++k) b.hi[k] = number();
    return b;
  };
  if (next() != "dim" || whole() != D || !good) return std::nullopt;
  Script<D> script;
  while (words >> word) {
    Line<D> line;
    std::size_t action = 0;
    while (action < kActionNames.size() && word != kActionNames[action]) ++action;
    if (action == kActionNames.size()) return std::nullopt;
    line.action = static_cast<Action>(action);
    const LineParts has = parts_of(line.action);
    if (has.which) line.which = whole();
    if (has.box) line.box = box();
    if (has.direction)
      for (int k = 0; k < D; ++k) line.direction[k] = number();
    if (has.amount) line.amount = number();
    if (has.filter) line.filter = {whole(), whole(), whole()};
    if (has.motion) {
      line.motion = next() == "fixed" ? sudar::Motion::fixed : sudar::Motion::moving;
      good = good && (word == "fixed" || word == "moving");
    }
    if (has.boxes)
      for (std::uint32_t count = whole(); good && count > 0; --count) line.boxes.push_back(box());
    if (!good) return std::nullopt;
    script.push_back(std::move(line));
  }
  return script;
}

// The numbers of a line, for who wants to make them simpler
template <int D, class F>
void for_each_number(Line<D>& line, F&& visit) {
  const LineParts has = parts_of(line.action);
  const auto box = [&](sudar::Aabb<D, double>& b) {
    for (int k = 0; k < D; ++k) {
      visit(b.lo[k]);
      visit(b.hi[k]);
    }
  };
  if (has.box) box(line.box);
  if (has.direction)
    for (int k = 0; k < D; ++k) visit(line.direction[k]);
  if (has.amount) visit(line.amount);
  for (auto& b : line.boxes) box(b);
}

// Line i with a simpler member, if fails(script) still holds
template <int D, class T, class F>
void simplify(Script<D>& script, std::size_t i, T Line<D>::*member, const T& simple, F&& fails) {
  if (script[i].*member == simple) return;
  const T before = std::exchange(script[i].*member, simple);
  if (!fails(script)) script[i].*member = before;
}

// A shorter script with simpler lines for which fails(script) still holds
template <int D, class F>
Script<D> shrink(Script<D> script, F&& fails) {
  constexpr std::size_t kFewLines = 24;
  leave_out(script, fails);
  for (std::size_t i = 0; i < script.size(); ++i) {
    std::vector<sudar::Aabb<D, double>> boxes = script[i].boxes;
    leave_out(boxes, [&](const auto& fewer) {
      Script<D> other = script;
      other[i].boxes = fewer;
      return fails(other);
    });
    script[i].boxes = boxes;
    // From the most telling to the simplest: the last one that still fails stays
    for (const std::uint32_t which : {2u, 1u, 0u}) simplify(script, i, &Line<D>::which, which, fails);
    for (double fewer = script[i].amount; script[i].action == Action::many && fewer > 1; fewer = std::floor(fewer / 2))
      simplify(script, i, &Line<D>::amount, fewer, fails);
    simplify(script, i, &Line<D>::filter, sudar::Filter{}, fails);
    simplify(script, i, &Line<D>::motion, sudar::Motion::moving, fails);
    Line<D> line = script[i];
    for_each_number(line, [&](double& x) {
      simplify(x, [&] {
        Script<D> other = script;
        other[i] = line;
        return fails(other);
      });
    });
    script[i] = line;
  }
  leave_out(script, fails);
  if (script.size() <= kFewLines) leave_out_twos(script, fails);
  return script;
}

// Batches of changes, a look after each, and questions
template <int D>
Script<D> random_script(sudar::Random& random) {
  Script<D> script;
  const std::uint64_t style = random.below(4);
  const auto number = [&]() -> double {
    constexpr double kEnds[] = {-1e300, -3.4028234663852886e38, -1e30, -1, -1e-45, -0.0, 0, 1e-45, 1e-38, 0.1, 1,
                                1e30,   3.4028234663852886e38,  1e300};
    switch (style) {
      case 0:
        return static_cast<double>(random.below(12));  // ties
      case 1:
        return random.uniform(-10, 10);
      case 2:
        return static_cast<float>(random.uniform(-10, 10));
      default:
        return random.coin() ? kEnds[random.below(14)] : static_cast<double>(random.below(5));
    }
  };
  // One in `bad` is no box
  const auto box = [&](std::uint64_t bad = 60) {
    sudar::Aabb<D, double> b;
    for (int k = 0; k < D; ++k) {
      b.lo[k] = number();
      if (style == 3) {
        b.hi[k] = number();
        if (b.hi[k] < b.lo[k]) std::swap(b.lo[k], b.hi[k]);
      } else {
        const double edge = random.below(30) == 0 ? 30
                            : style == 0          ? static_cast<double>(random.below(4))
                                                  : random.uniform(0, 3);
        b.hi[k] = random.below(6) == 0 ? b.lo[k] : b.lo[k] + edge;
      }
    }
    if (random.below(bad) == 0) b.lo[0] = random.coin() ? std::numeric_limits<double>::quiet_NaN() : b.hi[0] + 1;
    return b;
  };
  const auto filter = [&]() -> sudar::Filter {
    if (random.coin()) return {};
    return {1u << random.below(3), static_cast<std::uint32_t>(1 + random.below(7)),
            static_cast<std::uint32_t>(random.below(3))};
  };
  const auto add = [&](Action action) {
    Line<D> line;
    line.action = action;
    line.which = static_cast<std::uint32_t>(random.below(1000));
    line.box = box();
    for (int k = 0; k < D; ++k)
      line.direction[k] = random.below(4) == 0 ? 0
                          : style == 0         ? static_cast<double>(random.below(5)) - 2.0
                                               : random.uniform(-1, 1);
    line.amount = random.uniform();
    line.filter = filter();
    line.motion = random.below(3) == 0 ? sudar::Motion::fixed : sudar::Motion::moving;
    switch (action) {
      case Action::callback:
        line.which = random.coin() ? 1 : 0;
        break;
      case Action::drift:
        line.amount *= style == 0 ? 2 : 0.3;
        break;
      case Action::cast:
        line.amount = random.coin() ? std::numeric_limits<double>::infinity() : 20 * line.amount;
        break;
      case Action::nearest:
        line.which = static_cast<std::uint32_t>(random.below(8));
        break;
      case Action::many: {
        // So many that cells, columns and trees have several levels; now and then flat, or a crowd
        line.amount = static_cast<double>(50 + random.below(random.below(3) == 0 ? 1200 : 400));
        const double half = random.below(4) == 0 ? 2 : 15;
        for (int k = 0; k < D; ++k) {
          line.box.lo[k] = random.uniform(-half, half) - (random.below(6) == 0 ? 0 : half);
          line.box.hi[k] = line.box.lo[k] + (random.below(6) == 0 ? 0.1 : 2 * half);
          line.direction[k] = random.below(8) == 0 ? half : random.uniform(0.1, 1.5);
        }
        // A few that reach over the others
        if (!script.empty() && script.back().action == Action::many && random.coin()) {
          line.box = script.back().box;
          line.amount = static_cast<double>(1 + random.below(4));
          for (int k = 0; k < D; ++k) line.direction[k] = 40;
        }
        break;
      }
      case Action::assign: {
        constexpr std::uint64_t kCounts[] = {0, 1, 2, 10, 30, 30, 80};
        for (std::uint64_t count = kCounts[random.below(7)]; count > 0; --count) line.boxes.push_back(box(500));
        break;
      }
      default:
        break;
    }
    script.push_back(std::move(line));
  };
  // Few of what makes everything new
  constexpr Action kChanges[] = {Action::insert,   Action::insert, Action::insert, Action::insert, Action::insert,
                                 Action::move,     Action::move,   Action::shift,  Action::shift,  Action::shift,
                                 Action::teleport, Action::remove, Action::remove, Action::filter, Action::motion};
  constexpr Action kRare[] = {Action::callback, Action::assign, Action::clear, Action::parameter, Action::parameter};
  constexpr Action kQuestions[] = {Action::cast, Action::overlap, Action::nearest};
  for (std::uint64_t first = random.below(40); first > 0; --first) add(Action::insert);
  for (std::uint64_t crowds = random.below(10) == 0 ? 1 + random.below(3) : 0; crowds > 0; --crowds) add(Action::many);
  for (std::uint64_t batch = 2 + random.below(8); batch > 0; --batch) {
    if (random.below(3) == 0) add(Action::drift);
    for (std::uint64_t changes = random.below(random.below(4) == 0 ? 30 : 6); changes > 0; --changes)
      add(kChanges[random.below(std::size(kChanges))]);
    if (random.below(5) == 0) add(kRare[random.below(std::size(kRare))]);
    // Now and then without an update, which everybody must notice
    if (random.below(20) != 0) add(random.below(12) == 0 ? Action::build : Action::update);
    if (random.coin()) add(Action::events);
    for (std::uint64_t questions = random.below(4); questions > 0; --questions) add(kQuestions[random.below(3)]);
  }
  return script;
}

}  // namespace sudar_test
