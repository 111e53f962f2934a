// What:    See script_play.hpp.
#include "lab/script_play.hpp"

#include "lab/number_text.hpp"
#include "lab/still_exhibit.hpp"
#include <sudar/broadphase/brute_force.hpp>

#include <algorithm>
#include <cmath>

namespace sudar::lab {

namespace {

constexpr double kScriptSide = 4;          // of the picture, metres
constexpr double kFinestShare = 1e-3;      // of the picture, that a person still sees
constexpr std::size_t kMostRanked = 40;    // ends on an axis that are still told apart
constexpr std::size_t kMostDrawn = 20000;  // pairs, at one step
constexpr std::size_t kMostLabels = 60;
constexpr double kTip = 0.15;  // of the way of a cast, metres
constexpr std::size_t kMostText = 160;
constexpr std::size_t kKeptOnTheWay = 32;  // stores to go back to, from which the lines are followed again
// In looks at two boxes, about half a nanosecond each: a box that is moved, put in order and has its ends sorted; one that a
// question looks at; a pair that is told
constexpr double kMovedBox = 500, kAskedBox = 2, kToldPair = 5;

// Where a number of the script is drawn along one axis
class AxisScale {
 public:
  void add(double x) {
    if (std::isfinite(x)) ends_.push_back(x);
    if (ends_.size() > 2 * settled_ + 1024) settle();
  }
  void settle() {
    std::sort(ends_.begin(), ends_.end());
    ends_.erase(std::unique(ends_.begin(), ends_.end()), ends_.end());
    settled_ = ends_.size();
  }
  std::size_t size() const { return ends_.size(); }
  double least() const { return ends_.empty() ? 0 : ends_.front(); }
  double most() const { return ends_.empty() ? 0 : ends_.back(); }
  // Ends that differ are drawn in one place
  bool is_too_fine(double extent) const {
    for (std::size_t i = 1; i < ends_.size() && ends_.size() <= kMostRanked; ++i)
      if (ends_[i] - ends_[i - 1] < kFinestShare * extent) return true;
    return false;
  }
  void take_ranks() { ranked_ = true; }
  void take_metres(double middle, double extent) { ranked_ = false, middle_ = middle, extent_ = extent; }

  double at(double x) const {
    // Of the smallest extents there is no scale that is a double
    if (!ranked_) return std::clamp((x - middle_) / extent_ * kScriptSide, -kScriptSide, kScriptSide);
    if (ends_.size() < 2) return 0;
    // Between two ends in proportion, beyond all of them half a rank away
    const auto next = std::upper_bound(ends_.begin(), ends_.end(), x);
    double rank = static_cast<double>(next - ends_.begin()) - 1;
    if (next == ends_.begin())
      rank = -0.5;
    else if (next == ends_.end())
      rank = x > ends_.back() ? rank + 0.5 : rank;
    else
      rank += share(*(next - 1), x, *next);
    return kScriptSide * (rank / static_cast<double>(ends_.size() - 1) - 0.5);
  }

 private:
  // Halves do not leave the doubles, and what they would make nothing of is whole
  static double share(double lo, double x, double hi) {
    return std::isfinite(hi - lo) ? (x - lo) / (hi - lo) : (0.5 * x - 0.5 * lo) / (0.5 * hi - 0.5 * lo);
  }

  std::vector<double> ends_;
  std::size_t settled_ = 0;  // when they were last sorted, each once
  bool ranked_ = false;
  double middle_ = 0, extent_ = 1;
};

std::string told_pairs(std::size_t n) { return num(n) + (n == 1 ? " pair" : " pairs"); }
std::string told_boxes(std::size_t n) { return num(n) + (n == 1 ? " box" : " boxes"); }

// Whether more boxes than so many pairs of them overlap, whatever is filtered
template <int D>
bool overlaps_more_than(std::size_t most, const BoxStore<D>& store) {
  const std::size_t n = store.size();
  if (n < 2 || n <= most / n) return false;
  std::vector<Aabb<D, float>> boxes;
  for (std::uint32_t row = 0; row < n; ++row) boxes.push_back(store.box(row));
  std::sort(boxes.begin(), boxes.end(), [](const auto& a, const auto& b) { return a.lo.x < b.lo.x; });
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n && boxes[j].lo.x <= boxes[i].hi.x; ++j)
      if (overlap(boxes[i], boxes[j]) && ++pairs > most) return true;
  return false;
}

template <int D>
class ScriptPlayOf final : public ScriptPlay {
 public:
  ScriptPlayOf(BoxScript<D> script, std::unique_ptr<Broadphase<D>> algorithm, ScriptPlaces places,
               const ScriptLimits& limits)
      : script_(std::move(script)),
        tried_(std::move(algorithm)),
        plain_(std::make_unique<BruteForce<D>>()),
        limits_(limits) {
    BoxStore<D> store;
    for (std::size_t i = 0; i < script_.size() && too_much_.empty(); ++i) {
      found_.push_back(follow(store, script_[i]));
      weigh(store, i);
      if (!too_much_.empty()) found_.back().told += " " + too_much_ + ": the script ends here.";
    }
    if (cut()) leave_the_rest();
    tried_.reset(), plain_.reset();
    settle_scales(places);
  }

  std::size_t lines() const override { return found_.size(); }
  std::string line_text(std::size_t line) const override {
    const bool is_last = line + 1 == found_.size();
    const std::string text = is_last && is_refused_ ? last_text_ : print_line(script_[line], 2 * kMostText);
    const std::size_t most = name_of(script_[line].action).size() + kMostText;
    return text.size() > most ? text.substr(0, most) + " …" : text;
  }
  const ScriptFound& found(std::size_t line) const override { return found_[line]; }
  bool uses_ranks() const override { return ranked_; }
  bool cut() const override { return !too_much_.empty(); }
  std::size_t lines_drawn() const override { return lines_drawn_; }

  void draw(DrawList& list, std::size_t lines_done) const override {
    list.flat = D == 2;
    show(lines_done);
    const ScriptFound* now = lines_done > 0 ? &found_[lines_done - 1] : nullptr;
    // The picture stays where it is
    Vec<D, double> corner;
    for (int k = 0; k < D; ++k) corner[k] = 0.5 * kScriptSide;
    for (const double side : {-1.0, 1.0}) list.point(drawn_at(corner * side), {0, 0, 0, 0}, 1);
    std::vector<Aabb<D, float>> boxes;
    std::vector<Color> fills, edges;
    std::vector<bool> meant(shown_.id_limit());
    if (now != nullptr)
      for (const std::uint32_t id : now->ids)
        if (id < meant.size()) meant[id] = true;
    for (std::uint32_t row = 0; row < shown_.size(); ++row) {
      const std::uint32_t id = shown_.ids()[row];
      const Ink ink = meant[id] ? Ink::highlight : shown_.is_fixed(row) ? Ink::ground : Ink::a;
      boxes.push_back(drawn_box(vec_box(shown_.box(row))));
      fills.push_back(color_of(ink, D == 2 ? 0.3f : 0.16f));
      edges.push_back(color_of(ink));
      if (shown_.size() <= kMostLabels)
        list.label(drawn_at(to_double(boxes.back().hi)), std::to_string(id), color_of(Ink::text));
    }
    list.boxes(boxes, fills);
    list.boxes(boxes, edges, true);
    if (now == nullptr) return;
    draw_pairs(list, known_pairs(lines_done), color_of(Ink::contact), 2);
    draw_pairs(list, now->missing, color_of(Ink::bad), 5);
    draw_pairs(list, now->extra, color_of(Ink::bad, 0.6f), 5);
    draw_question(list, script_[lines_done - 1]);
  }

 private:
  using V = Vec<D, double>;
  using Box = Aabb<D, double>;

  static Box vec_box(const Aabb<D, float>& box) { return {to_double(box.lo), to_double(box.hi)}; }
  static V to_double(const Vec<D, float>& v) {
    V out;
    for (int k = 0; k < D; ++k) out[k] = v[k];
    return out;
  }
  static Vec3d drawn_at(const V& p) {
    if constexpr (D == 2)
      return {p.x, p.y, 0};
    else
      return p;
  }
  void add_ends(const Box& box) {
    for (int k = 0; k < D; ++k) scales_[static_cast<std::size_t>(k)].add(box.lo[k]);
    for (int k = 0; k < D; ++k) scales_[static_cast<std::size_t>(k)].add(box.hi[k]);
  }
  // Boxes that a line has moved or made
  void add_changed_ends(const BoxStore<D>& store, std::size_t line) {
    const BoxAction action = script_[line].action;
    if (asks(action) || action == BoxAction::parameter) return;
    if (action == BoxAction::drift || action == BoxAction::assign) {
      for (std::uint32_t row = 0; row < store.size(); ++row) add_ends(vec_box(store.box(row)));
      return;
    }
    for (const std::uint32_t id : found_[line].ids)
      if (store.contains(id)) add_ends(vec_box(store.box(store.row_of(id))));
  }
  // What a line has taken, and whether that was too much
  void weigh(const BoxStore<D>& store, std::size_t line) {
    const ScriptFound& found = found_[line];
    if (store.size() > limits_.boxes) {
      is_refused_ = true;
      too_much_ = "These are more than can be drawn";
      return;
    }
    add_changed_ends(store, line);
    kept_ += found.pairs.size() + found.missing.size() + found.extra.size() + found.ids.size();
    work_ += weight(store, line);
    if (!too_much_.empty()) return;
    if (kept_ > limits_.kept ||
        std::ranges::any_of(scales_, [&](const AxisScale& s) { return s.size() > limits_.kept; }))
      too_much_ = "This is more than can be kept";
    else if (work_ > limits_.work)
      too_much_ = "This is more than can be waited for";
  }
  // Of a line without the pairs that it tells or looks at
  double weight(const BoxStore<D>& store, std::size_t line) const {
    const double boxes = static_cast<double>(store.size());
    const BoxAction action = script_[line].action;
    switch (action) {
      case BoxAction::drift:
      case BoxAction::assign:
      case BoxAction::update:
      case BoxAction::build:
        return kMovedBox * (1 + boxes);
      case BoxAction::many:
      case BoxAction::clear:
        return kMovedBox * (1 + static_cast<double>(found_[line].ids.size()));
      default:
        return kMovedBox + (asks(action) ? kAskedBox * boxes : 0);
    }
  }
  // What is not followed is not kept, and of a line that makes too many boxes only a few words are
  void leave_the_rest() {
    script_.resize(found_.size());
    if (!is_refused_) return;
    last_text_ = print_line(script_.back(), 2 * kMostText);
    script_.back().boxes = {};
    found_.back().ids.clear();
  }
  V placed(const V& p) const {
    V out;
    for (int k = 0; k < D; ++k) out[k] = scales_[static_cast<std::size_t>(k)].at(p[k]);
    return out;
  }
  Aabb<D, float> drawn_box(const Box& box) const {
    return {vec_cast<float>(placed(box.lo)), vec_cast<float>(placed(box.hi))};
  }

  void settle_scales(ScriptPlaces places) {
    for (const BoxLine<D>& line : script_)
      if (parts_of(line.action).box && asks(line.action) && is_box(line.box)) add_ends(line.box);
    double extent = 0;
    for (AxisScale& scale : scales_) {
      scale.settle();
      extent = std::max(extent, scale.most() - scale.least());
    }
    const auto too_fine = [&](const AxisScale& scale) { return scale.is_too_fine(extent); };
    // Where the way from end to end leaves the doubles, metres do not place anything
    ranked_ = places == ScriptPlaces::ranks || !std::isfinite(extent) ||
              (places == ScriptPlaces::automatic && std::any_of(scales_.begin(), scales_.end(), too_fine));
    for (AxisScale& scale : scales_)
      if (ranked_)
        scale.take_ranks();
      else
        scale.take_metres(0.5 * scale.least() + 0.5 * scale.most(), extent > 0 ? extent : kScriptSide);
  }

  ScriptFound follow(BoxStore<D>& store, const BoxLine<D>& line) {
    ScriptFound found;
    if (line.action == BoxAction::parameter) {
      const auto parameters = tried_->parameters();
      found.told = std::string(tried_->name()) + " has no parameters.";
      if (parameters.empty()) return found;
      const std::size_t which = line.which % parameters.size();
      found.wrong = !set_scripted_parameter(*tried_, line).ok();
      found.value = num(tried_->parameters()[which].value);
      found.told = "'" + std::string(parameters[which].name) + "' of " + std::string(tried_->name()) + " is now " +
                   found.value + (found.wrong ? "; it was refused." : ".");
      return found;
    }
    if (asks(line.action)) {
      ask(store, line, found);
      return found;
    }
    const std::optional<std::uint32_t> meant = meant_box(store, line);
    const std::size_t before = store.size();
    const ScriptedChange change = follow_change(store, line);
    found.ids = change.born;
    if (meant && found.ids.empty()) found.ids = {*meant};
    found.value = num(store.size());
    found.wrong = change.done != change.good;
    found.told = !change.done ? "The store refuses: " + std::string(before == 0 ? "there is no box." : "it is no box.")
                              : change_told(line, found, store.size());
    if (found.wrong) found.told += change.done ? " It should have refused." : " It should not have.";
    return found;
  }
  static std::string change_told(const BoxLine<D>& line, const ScriptFound& found, std::size_t count) {
    const std::string box = found.ids.empty() ? "No box" : "Box " + num(std::size_t{found.ids.front()});
    switch (line.action) {
      case BoxAction::insert:
        return box + " comes" + (line.motion == Motion::fixed ? ", and stays where it is." : ".");
      case BoxAction::move:
      case BoxAction::shift:
        return box + " moves.";
      case BoxAction::teleport:
        return box + " is set to another place.";
      case BoxAction::remove:
        return box + " goes; its id is given out again.";
      case BoxAction::filter:
        return box + " has layer " + num(std::size_t{line.filter.layer}) + ", mask " +
               num(std::size_t{line.filter.mask}) + " and group " + num(std::size_t{line.filter.group}) + " now.";
      case BoxAction::motion:
        return box + (line.motion == Motion::fixed ? " is fixed now." : " may move now.");
      case BoxAction::drift:
        return "All boxes that move drift a little.";
      case BoxAction::callback:
        return line.which != 0 ? "Some pairs are refused by a callback now." : "There is no callback now.";
      case BoxAction::clear:
        return "All boxes are gone.";
      default:
        return "There are " + told_boxes(count) + " now.";
    }
  }

  // The same question to the broad phase and to the plain search
  void ask(BoxStore<D>& store, const BoxLine<D>& line, ScriptFound& found) {
    const bool looks = line.action == BoxAction::update || line.action == BoxAction::build;
    if (looks) {
      const double all = 0.5 * static_cast<double>(store.size()) * static_cast<double>(store.size());
      work_ += all;
      looked_ += all;
    }
    compares_ = compares_ && looked_ <= limits_.compared;
    if (looks && overlaps_more_than(limits_.kept, store)) {
      found.told = "The " + told_boxes(store.size()) + " have more pairs than can be kept.";
      too_much_ = "Nobody looks at them";
      return;
    }
    const QueryFilter filter{line.filter.layer, line.filter.mask, line.filter.group};
    switch (line.action) {
      case BoxAction::update:
      case BoxAction::build: {
        const auto look = [&](Broadphase<D>& one) {
          return line.action == BoxAction::update ? one.update(store) : one.build(store);
        };
        const Result<void> done = look(*tried_);
        if (compares_ && !look(*plain_)) compares_ = false;
        const auto pairs = tried_->pairs(store);
        found.wrong = !done || !pairs;
        found.told = std::string(tried_->name()) + " cannot look at the boxes.";
        if (found.wrong) return;
        work_ += kToldPair * static_cast<double>(pairs->size());
        found.value = num(pairs->size());
        found.told = std::string(tried_->name()) + " looks at " + told_boxes(store.size()) + " and finds " +
                     told_pairs(pairs->size()) + (compares_ ? "" : "; they are too many for the plain search") + ".";
        found.pairs.assign(pairs->begin(), pairs->begin() + static_cast<long>(std::min(pairs->size(), kMostDrawn)));
        if (!compares_) return;
        if (const auto all = plain_->pairs(store)) {
          found.compared = true;
          std::set_difference(all->begin(), all->end(), pairs->begin(), pairs->end(),
                              std::back_inserter(found.missing));
          std::set_difference(pairs->begin(), pairs->end(), all->begin(), all->end(), std::back_inserter(found.extra));
        }
        if (found.missing.empty() && found.extra.empty()) return;
        found.wrong = true;
        found.told += " " + num(found.missing.size()) + " are missing, and " + num(found.extra.size()) + " are none.";
        return;
      }
      case BoxAction::events: {
        const auto mine = tried_->changes(store);
        const Counts counts = mine ? counts_of(*mine) : Counts{};
        work_ += kToldPair * static_cast<double>(counts[0] + counts[1] + counts[2]);
        if (mine) {
          found.value = num(counts[0]);
          found.told = told_pairs(counts[0]) + (counts[0] == 1 ? " begins, " : " begin, ") + num(counts[1]) +
                       " stay, " + num(counts[2]) + " end.";
        } else {
          found.told = kNotLooked;
        }
        if (!compares_) return;
        const auto plain = plain_->changes(store);
        found.compared = true;
        found.wrong = mine.ok() != plain.ok() || (mine.ok() && !same_changes(*mine, *plain));
        if (found.wrong) found.told += " The plain search tells other events.";
        return;
      }
      case BoxAction::cast: {
        const BoxCast<D> cast{line.box, line.direction, line.amount};
        compare(
            found, [&](Broadphase<D>& one) { return one.cast_all(store, cast, filter); }, "meets");
        return;
      }
      case BoxAction::overlap:
        compare(
            found, [&](Broadphase<D>& one) { return one.overlapping(store, line.box, filter); }, "overlaps");
        return;
      default:
        compare(
            found, [&](Broadphase<D>& one) { return one.nearest(store, line.box.lo, line.which, filter); },
            "is near to");
        return;
    }
  }

  using Counts = std::array<std::size_t, 3>;
  static constexpr const char* kNotLooked =
      "That is refused: the boxes have changed since the last look, or it is no box.";
  static Counts counts_of(const PairChanges& changes) {
    return {changes.begin.size(), changes.stay.size(), changes.end.size()};
  }
  static bool same_changes(const PairChanges& a, const PairChanges& b) {
    return std::ranges::equal(a.begin, b.begin) && std::ranges::equal(a.stay, b.stay) &&
           std::ranges::equal(a.end, b.end);
  }

  static std::uint32_t id_of(std::uint32_t id) { return id; }
  static std::uint32_t id_of(const CastHit& hit) { return hit.id; }
  static std::uint32_t id_of(const NearHit& hit) { return hit.id; }
  template <class Question>
  void compare(ScriptFound& found, const Question& question, const char* verb) {
    const auto mine = question(*tried_);
    if (mine) {
      for (const auto& hit : *mine) found.ids.push_back(id_of(hit));
      found.value = num(mine->size());
      found.told = "What is asked about " + std::string(verb) + " " + told_boxes(mine->size()) + ".";
    } else {
      found.told = kNotLooked;
    }
    if (!compares_) return;
    const auto plain = question(*plain_);
    found.compared = true;
    found.wrong = mine.ok() != plain.ok() || (mine.ok() && !std::ranges::equal(*mine, *plain));
    if (found.wrong) found.told += " The plain search has another answer.";
  }

  // The boxes after so many lines
  void show(std::size_t lines_done) const {
    // A line that makes too many boxes is told, and what was there before it is drawn
    lines_done = std::min(lines_done, found_.size() - (is_refused_ ? 1 : 0));
    const std::size_t between = found_.size() / kKeptOnTheWay + 1;
    const std::size_t from = std::min(lines_done / between, kept_on_the_way_.size());
    if (lines_done < shown_lines_ || shown_lines_ < from * between) {
      shown_ = from > 0 ? kept_on_the_way_[from - 1] : BoxStore<D>();
      shown_lines_ = from * between;
    }
    while (shown_lines_ < lines_done) {
      (void)follow_change(shown_, script_[shown_lines_++]);
      ++lines_drawn_;
      if (shown_lines_ == (kept_on_the_way_.size() + 1) * between) kept_on_the_way_.push_back(shown_);
    }
  }
  // Those of the last look that was taken
  std::span<const IdPair> known_pairs(std::size_t lines_done) const {
    while (lines_done-- > 0)
      if (script_[lines_done].action == BoxAction::update || script_[lines_done].action == BoxAction::build)
        return found_[lines_done].pairs;
    return {};
  }
  void draw_pairs(DrawList& list, std::span<const IdPair> pairs, Color c, float pixels) const {
    const auto middle = [&](std::uint32_t id) {
      const Box box = vec_box(shown_.box(shown_.row_of(id)));
      return drawn_at((placed(box.lo) + placed(box.hi)) * 0.5);
    };
    for (const IdPair& pair : pairs)
      if (shown_.contains(pair.lo) && shown_.contains(pair.hi))
        list.line_in_front(middle(pair.lo), middle(pair.hi), c, pixels);
  }
  void draw_question(DrawList& list, const BoxLine<D>& line) const {
    if (!asks(line.action) || !parts_of(line.action).box || !is_finite(line.box.lo)) return;
    if (line.action == BoxAction::nearest) {
      list.point_in_front(drawn_at(placed(line.box.lo)), color_of(Ink::ray), 12);
      return;
    }
    if (!is_box(line.box)) return;
    const Aabb<D, float> at = drawn_box(line.box);
    const Color c = color_of(Ink::ray);
    list.boxes(std::span(&at, 1), std::span(&c, 1), true);
    if (line.action != BoxAction::cast) return;
    // As far as the picture goes; by ranks a straight way is bent, and only its ends are right
    const V middle = line.box.lo * 0.5 + line.box.hi * 0.5;
    double far = 0;
    for (const AxisScale& scale : scales_) far = std::max(far, scale.most() - scale.least());
    const double length = max_abs(line.direction), t = length > 0 ? std::min(line.amount, far / length) : 0;
    const V end = middle + line.direction * t;
    if (!is_finite(end)) return;
    draw_way(list, drawn_at(placed(middle)), drawn_at(placed(end)), c, 2.5f, kTip);
  }

  BoxScript<D> script_;
  std::unique_ptr<Broadphase<D>> tried_, plain_;
  ScriptLimits limits_;
  double work_ = 0, looked_ = 0;
  std::size_t kept_ = 0;
  std::string too_much_;     // why the script ends before its end
  bool is_refused_ = false;  // the last line made more boxes than can be drawn
  std::string last_text_;    // of that line
  bool compares_ = true;
  std::vector<ScriptFound> found_;
  std::array<AxisScale, D> scales_;
  bool ranked_ = false;
  // What is drawn
  mutable BoxStore<D> shown_;
  mutable std::size_t shown_lines_ = 0, lines_drawn_ = 0;
  mutable std::vector<BoxStore<D>> kept_on_the_way_;  // after as many lines each
};

}  // namespace

template <int D>
std::unique_ptr<ScriptPlay> make_script_play(BoxScript<D> script, std::unique_ptr<Broadphase<D>> algorithm,
                                             ScriptPlaces places, const ScriptLimits& limits) {
  return std::make_unique<ScriptPlayOf<D>>(std::move(script), std::move(algorithm), places, limits);
}

template std::unique_ptr<ScriptPlay> make_script_play(BoxScript<2>, std::unique_ptr<Broadphase<2>>, ScriptPlaces,
                                                      const ScriptLimits&);
template std::unique_ptr<ScriptPlay> make_script_play(BoxScript<3>, std::unique_ptr<Broadphase<3>>, ScriptPlaces,
                                                      const ScriptLimits&);

}  // namespace sudar::lab
