// What:    See box_script.hpp.
#include "lab/box_script.hpp"

#include <sudar/core/random.hpp>
#include <sudar/io/double_text.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sudar::lab {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool refuses_some(void*, std::uint32_t a, std::uint32_t b) { return (a + 2 * b) % 5 != 0; }

// The words of a text, one after the other, and on which of its lines the last one stood
class ScriptWords {
 public:
  explicit ScriptWords(std::string_view text) : rest_(text) {}

  bool next(std::string_view& word) {
    const std::size_t begin = rest_.find_first_not_of(kBlanks);
    // At the end the last word's line is the one that lacks something
    if (begin == rest_.npos) return false;
    line_ += static_cast<std::size_t>(std::count(rest_.begin(), rest_.begin() + static_cast<long>(begin), '\n'));
    rest_.remove_prefix(begin);
    word = rest_.substr(0, rest_.find_first_of(kBlanks));
    rest_.remove_prefix(word.size());
    return true;
  }
  std::size_t line() const { return line_; }

 private:
  std::string_view rest_;
  std::size_t line_ = 1;
};

// What is read of a script; once something is wrong, all that follows is nothing
class ScriptReader {
 public:
  explicit ScriptReader(std::string_view text) : words_(text) {}

  bool good() const { return why_not_.empty(); }
  std::string why_not() const { return "line " + std::to_string(words_.line()) + " of the script: " + why_not_; }
  void fail(std::string why) {
    if (good()) why_not_ = std::move(why);
  }

  bool more(std::string_view& word) { return good() && words_.next(word); }
  std::string_view word() {
    std::string_view word;
    if (good() && !words_.next(word)) fail("it ends in the middle of a line");
    return word;
  }
  double number() {
    const std::string_view text = word();
    double x = 0;
    if (!good()) return 0;
    const auto [end, status] = read_double(text, x);
    if (status != std::errc() || end != text.data() + text.size()) fail("'" + std::string(text) + "' is no number");
    return good() ? x : 0;
  }
  std::uint32_t whole() {
    const double x = number();
    if (!(x >= 0 && x <= std::numeric_limits<std::uint32_t>::max() && x == std::floor(x)))
      fail("a whole number that is not negative is expected");
    return good() ? static_cast<std::uint32_t>(x) : 0u;
  }
  template <int D>
  Aabb<D, double> box() {
    Aabb<D, double> box;
    for (int k = 0; k < D; ++k) box.lo[k] = number();
    for (int k = 0; k < D; ++k) box.hi[k] = number();
    return box;
  }

 private:
  ScriptWords words_;
  std::string why_not_;
};

// One that is moved or refused wrongly is what is told of many
bool note(ScriptedChange& change, bool done, bool good) {
  change.done = done, change.good = good;
  return done == good;
}

template <int D>
bool shift_box(BoxStore<D>& store, std::uint32_t id, const Vec<D, double>& by, ScriptedChange& change) {
  const Aabb<D, float> box = store.box(store.row_of(id));
  Aabb<D, double> moved;
  for (int k = 0; k < D; ++k) {
    moved.lo[k] = box.lo[k] + by[k];
    moved.hi[k] = box.hi[k] + by[k];
  }
  return note(change, store.move(id, moved).ok(), is_box(moved));
}

template <int D>
void drift_boxes(BoxStore<D>& store, const BoxLine<D>& line, ScriptedChange& change) {
  Random random(line.which);
  for (std::uint32_t row = 0; row < store.size(); ++row) {
    Vec<D, double> by;
    for (int k = 0; k < D; ++k) by[k] = random.uniform(-line.amount, line.amount);
    if (!store.is_fixed(row) && !shift_box(store, store.ids()[row], by, change)) return;
  }
}

template <int D>
void insert_many(BoxStore<D>& store, const BoxLine<D>& line, ScriptedChange& change) {
  Random random(line.which);
  for (double i = 0; i < std::min(line.amount, kMostBoxesAtOnce); ++i) {
    Aabb<D, double> box;
    for (int k = 0; k < D; ++k) {
      box.lo[k] = random.uniform(line.box.lo[k], line.box.hi[k]);
      box.hi[k] = box.lo[k] + std::abs(line.direction[k]) * random.uniform();
    }
    const auto made = store.insert(box, {}, line.motion);
    if (made) change.born.push_back(*made);
    if (!note(change, made.ok(), is_box(box))) return;
  }
}

// Through the floats when these are all of them
template <int D>
void assign_boxes(BoxStore<D>& store, const BoxLine<D>& line, ScriptedChange& change) {
  std::vector<double> rows;
  for (const Aabb<D, double>& box : line.boxes) {
    change.good = change.good && is_box(box);
    for (int k = 0; k < D; ++k) rows.push_back(box.lo[k]);
    for (int k = 0; k < D; ++k) rows.push_back(box.hi[k]);
  }
  // A double beyond the floats has no float, not even to be compared with
  constexpr double kMost = std::numeric_limits<float>::max();
  const auto is_float = [](double x) {
    return std::isfinite(x) ? std::abs(x) <= kMost && x == static_cast<double>(static_cast<float>(x)) : std::isinf(x);
  };
  const bool exact = std::all_of(rows.begin(), rows.end(), is_float);
  const bool same = line.boxes.size() == store.size() && store.id_limit() == store.size() && store.ids_are_rows();
  if (exact) {
    std::vector<float> floats;
    for (const double x : rows) floats.push_back(static_cast<float>(x));
    change.done = store.assign(floats).ok();
  } else {
    change.done = store.assign(rows).ok();
  }
  if (change.done && !same)
    for (std::uint32_t id = 0; id < store.size(); ++id) change.born.push_back(id);
}

}  // namespace

BoxLineParts parts_of(BoxAction action) {
  switch (action) {
    case BoxAction::insert:
      return {.box = true, .filter = true, .motion = true};
    case BoxAction::move:
    case BoxAction::teleport:
      return {.which = true, .box = true};
    case BoxAction::shift:
      return {.which = true, .direction = true};
    case BoxAction::drift:
    case BoxAction::parameter:
      return {.which = true, .amount = true};
    case BoxAction::remove:
    case BoxAction::callback:
      return {.which = true};
    case BoxAction::filter:
      return {.which = true, .filter = true};
    case BoxAction::motion:
      return {.which = true, .motion = true};
    case BoxAction::assign:
      return {.boxes = true};
    case BoxAction::many:
      return {.which = true, .box = true, .direction = true, .amount = true, .motion = true};
    case BoxAction::cast:
      return {.box = true, .direction = true, .amount = true, .filter = true};
    case BoxAction::overlap:
      return {.box = true, .filter = true};
    case BoxAction::nearest:
      return {.which = true, .box = true, .filter = true};
    case BoxAction::clear:
    case BoxAction::update:
    case BoxAction::build:
    case BoxAction::events:
      return {};
  }
  return {};
}

int script_dimension(std::string_view text) {
  ScriptWords words(text);
  std::string_view word;
  if (!words.next(word) || word != "dim" || !words.next(word)) return 0;
  return word == "2" ? 2 : word == "3" ? 3 : 0;
}

template <int D>
std::string print_line(const BoxLine<D>& line, std::size_t most) {
  const BoxLineParts has = parts_of(line.action);
  std::string text(name_of(line.action));
  const auto number = [&](double x) {
    char digits[40];
    std::snprintf(digits, sizeof digits, " %.17g", x);
    text += digits;
  };
  const auto box = [&](const Aabb<D, double>& b) {
    for (int k = 0; k < D; ++k) number(b.lo[k]);
    for (int k = 0; k < D; ++k) number(b.hi[k]);
  };
  if (has.which) text += ' ' + std::to_string(line.which);
  if (has.box) box(line.box);
  if (has.direction)
    for (int k = 0; k < D; ++k) number(line.direction[k]);
  if (has.amount) number(line.amount);
  if (has.filter)
    for (const std::uint32_t x : {line.filter.layer, line.filter.mask, line.filter.group})
      text += ' ' + std::to_string(x);
  if (has.motion) text += line.motion == Motion::fixed ? " fixed" : " moving";
  if (has.boxes) {
    text += ' ' + std::to_string(line.boxes.size());
    for (std::size_t i = 0; i < line.boxes.size() && text.size() <= most; ++i) box(line.boxes[i]);
  }
  return text;
}

template <int D>
std::string print_script(const BoxScript<D>& script) {
  std::string text = "dim " + std::to_string(D) + '\n';
  for (const BoxLine<D>& line : script) text += print_line(line) + '\n';
  return text;
}

template <int D>
std::optional<BoxScript<D>> parse_script(std::string_view text, std::string& why_not) {
  ScriptReader reader(text);
  if (reader.word() != "dim" || reader.whole() != D || !reader.good())
    reader.fail("a script begins with 'dim " + std::to_string(D) + "'");
  BoxScript<D> script;
  std::string_view word;
  while (reader.more(word)) {
    const auto action = std::find(kBoxActions.begin(), kBoxActions.end(), word);
    if (action == kBoxActions.end()) {
      reader.fail("there is no action '" + std::string(word) + "'");
      break;
    }
    BoxLine<D> line;
    line.action = static_cast<BoxAction>(action - kBoxActions.begin());
    const BoxLineParts has = parts_of(line.action);
    if (has.which) line.which = reader.whole();
    if (has.box) line.box = reader.box<D>();
    if (has.direction)
      for (int k = 0; k < D; ++k) line.direction[k] = reader.number();
    if (has.amount) line.amount = reader.number();
    if (has.filter) {
      line.filter.layer = reader.whole();
      line.filter.mask = reader.whole();
      line.filter.group = reader.whole();
    }
    if (has.motion) {
      const std::string_view motion = reader.word();
      if (motion != "fixed" && motion != "moving") reader.fail("'fixed' or 'moving' is expected");
      line.motion = motion == "fixed" ? Motion::fixed : Motion::moving;
    }
    if (has.boxes)
      for (std::uint32_t count = reader.whole(); reader.good() && count > 0; --count)
        line.boxes.push_back(reader.box<D>());
    script.push_back(std::move(line));
  }
  if (reader.good()) return script;
  why_not = reader.why_not();
  return std::nullopt;
}

template <int D>
std::optional<std::uint32_t> meant_box(const BoxStore<D>& store, const BoxLine<D>& line) {
  if (store.empty()) return std::nullopt;
  switch (line.action) {
    case BoxAction::move:
    case BoxAction::teleport:
    case BoxAction::shift:
    case BoxAction::remove:
    case BoxAction::filter:
    case BoxAction::motion:
      return store.ids()[line.which % store.size()];
    default:
      return std::nullopt;
  }
}

template <int D>
ScriptedChange follow_change(BoxStore<D>& store, const BoxLine<D>& line) {
  ScriptedChange change;
  const bool there = !store.empty();
  const std::uint32_t id = meant_box(store, line).value_or(0);
  const auto did = [&](bool done, bool good) { (void)note(change, done, good); };
  switch (line.action) {
    case BoxAction::insert: {
      const auto made = store.insert(line.box, line.filter, line.motion);
      if (made) change.born.push_back(*made);
      did(made.ok(), is_box(line.box));
      break;
    }
    case BoxAction::move:
      did(store.move(id, line.box).ok(), there && is_box(line.box));
      break;
    case BoxAction::teleport:
      did(store.teleport(id, line.box).ok(), there && is_box(line.box));
      break;
    case BoxAction::remove:
      did(store.remove(id).ok(), there);
      break;
    case BoxAction::filter:
      did(store.set_filter(id, line.filter).ok(), there);
      break;
    case BoxAction::motion:
      did(store.set_motion(id, line.motion).ok(), there);
      break;
    case BoxAction::shift:
      if (there) (void)shift_box(store, id, line.direction, change);
      break;
    case BoxAction::drift:
      drift_boxes(store, line, change);
      break;
    case BoxAction::callback:
      store.set_pair_callback(line.which != 0 ? PairCallback{refuses_some, nullptr} : PairCallback{});
      break;
    case BoxAction::assign:
      assign_boxes(store, line, change);
      break;
    case BoxAction::many:
      insert_many(store, line, change);
      break;
    case BoxAction::clear:
      store.clear();
      break;
    default:
      break;
  }
  return change;
}

template <int D>
Result<void> set_scripted_parameter(Broadphase<D>& algorithm, const BoxLine<D>& line) {
  const auto parameters = algorithm.parameters();
  if (parameters.empty()) return {};
  const sudar::Parameter& p = parameters[line.which % parameters.size()];
  // What is no number is no share
  const double share = line.amount >= 0 ? std::min(line.amount, 1.0) : 0;
  const double value = p.lowest + share * (p.highest - p.lowest);
  return algorithm.set_parameter(p.name, p.whole ? std::floor(value) : value);
}

template std::string print_line(const BoxLine<2>&, std::size_t);
template std::string print_line(const BoxLine<3>&, std::size_t);
template std::string print_script(const BoxScript<2>&);
template std::string print_script(const BoxScript<3>&);
template std::optional<BoxScript<2>> parse_script<2>(std::string_view, std::string&);
template std::optional<BoxScript<3>> parse_script<3>(std::string_view, std::string&);
template std::optional<std::uint32_t> meant_box(const BoxStore<2>&, const BoxLine<2>&);
template std::optional<std::uint32_t> meant_box(const BoxStore<3>&, const BoxLine<3>&);
template ScriptedChange follow_change(BoxStore<2>&, const BoxLine<2>&);
template ScriptedChange follow_change(BoxStore<3>&, const BoxLine<3>&);
template Result<void> set_scripted_parameter(Broadphase<2>&, const BoxLine<2>&);
template Result<void> set_scripted_parameter(Broadphase<3>&, const BoxLine<3>&);

}  // namespace sudar::lab
