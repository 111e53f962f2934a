// What:    The microscope on a script of boxes, line by line (script_play.hpp): one that a campaign of the tests wrote to a
//          file, or the exhibit's own.
#include "lab/microscope.hpp"
#include "lab/query_file.hpp"
#include "lab/script_play.hpp"
#include "lab/stepped.hpp"
#include <sudar/broadphase/registry.hpp>

#include <algorithm>

namespace sudar::lab {

namespace {

// What has begun, is there and has ended, in a scene of two
constexpr std::string_view kOwnScript =
    "dim 2 insert 0 0 2 2 1 4294967295 0 moving insert 3 0 5 2 1 4294967295 0 moving "
    "insert 5 1 6 4 1 4294967295 0 fixed insert 1 3 4 5 1 4294967295 0 moving update events shift 0 1 0 update events "
    "overlap 3 1 4 3 4294967295 4294967295 0 cast 0 4 0 4 1 -0.5 inf 4294967295 4294967295 0 "
    "nearest 2 4 2.5 4 2.5 4294967295 4294967295 0 shift 1 0 2 update events remove 0 update events";

class MicroScript final : public Stepped {
 public:
  MicroScript() {
    parameters_.push_back(CaseSlot::parameter());
    parameters_.back().help = "@FILE of a script of boxes, or the script itself; empty: the exhibit's own";
    std::vector<std::string> names;
    for (const BroadphaseEntry& entry : broadphases()) names.emplace_back(entry.name);
    const auto first = std::find(names.begin(), names.end(), "dynamic_tree") - names.begin();
    parameters_.push_back(Parameter::choice("algorithm", "Broad phase", names, static_cast<std::size_t>(first)));
    parameters_.push_back(Parameter::choice("places", "Places", {"automatic", "metres", "ranks"}));
    parameters_.back().help = "metres: boxes as they lie; ranks: by the order of their ends, which is what decides";
  }
  std::string as_query() const override { return command_line("box_script"); }
  View home() const override { return {true, {0.5, -1.3, 0.8}, {}, 1}; }

 private:
  void run() override {
    if (case_.read(parameters_)) given_ = case_.text().empty() ? "" : case_.text();
    play_ = made(given_.empty() ? kOwnScript : std::string_view(given_));
    if (play_ == nullptr || play_->lines() == 0) {
      if (case_.why_not.empty()) case_.why_not = "it has no lines";
      given_.clear();
      play_ = made(kOwnScript);
    }
    std::size_t wrong = 0, asked = 0, compared = 0;
    for (std::size_t i = 0; i < play_->lines(); ++i) {
      const ScriptFound& found = play_->found(i);
      const std::string text = play_->line_text(i), word = text.substr(0, text.find(' '));
      wrong += found.wrong;
      asked += std::ranges::find(kBoxActions, word) >= kBoxActions.begin() + static_cast<long>(BoxAction::update);
      compared += found.compared;
      add(word + (found.wrong ? " (wrong)" : ""), found.value, found.told, i + 1);
    }
    wrong_ = wrong, asked_ = asked, compared_ = compared;
    add("answer", num(wrong), told_answer() + (play_->cut() ? " The script is followed no further." : ""),
        play_->lines());
  }
  std::string told_answer() const {
    if (wrong_ > 0) return num(wrong_) + (wrong_ == 1 ? " line is" : " lines are") + " wrong: marked (wrong) above.";
    if (asked_ == 0) return "No line asks the broad phase, and the store does what it should.";
    const std::string asked = num(asked_) + (asked_ == 1 ? " line that asks" : " lines that ask");
    if (compared_ == asked_) return "The broad phase and the plain search agree on " + asked + ".";
    return "The plain search was asked on " + num(compared_) + " of " + asked +
           (compared_ > 0 ? ", and agrees there." : ": nothing is compared.");
  }
  std::unique_ptr<ScriptPlay> made(std::string_view text) {
    const int dim = script_dimension(text);
    if (dim == 2) {
      if (auto script = parse_script<2>(text, case_.why_not)) return play_of<2>(*std::move(script));
    } else if (dim == 3) {
      if (auto script = parse_script<3>(text, case_.why_not)) return play_of<3>(*std::move(script));
    } else {
      case_.why_not = "it is no script of boxes, which begins with 'dim 2' or 'dim 3'";
    }
    return nullptr;
  }

  template <int D>
  std::unique_ptr<ScriptPlay> play_of(BoxScript<D> script) const {
    // The name is in the list
    return make_script_play<D>(std::move(script), *make_broadphase<D>(parameter("algorithm").chosen()),
                               static_cast<ScriptPlaces>(parameter("places").index()));
  }

  void draw_at(DrawList& list, std::size_t lines_done) const override { play_->draw(list, lines_done); }

  void tell_more(Panel& panel) const override {
    case_.tell(panel, !given_.empty(), "Any broad phase can follow it.");
    if (wrong_ > 0)
      panel.badges.push_back({num(wrong_) + (wrong_ == 1 ? " line is wrong" : " lines are wrong"), Ink::bad});
    else if (compared_ < asked_ || asked_ == 0)
      panel.badges.push_back({num(compared_) + " of " + num(asked_) + " compared", Ink::highlight});
    else
      panel.badges.push_back({"as the plain search", Ink::good});
    if (play_->cut()) panel.badges.push_back({"ends before its end", Ink::highlight});
    if (play_->uses_ranks()) panel.badges.push_back({"by ranks", Ink::node});
    panel.paragraph =
        "A script changes boxes and asks a broad phase about them, as campaigns of the tests do at random; one that a "
        "broad "
        "phase did not follow is written to a file and opened here. Pairs are lines between boxes, those of the last "
        "look; what the line is about, or what answers it, is bright.";
    const std::size_t line = std::min(told()[step()].events, play_->lines());
    const std::string text = line > 0 ? play_->line_text(line - 1) : "";
    // Numbered as the steps are
    panel.tables.push_back({"The line", {"#", "of the script"}, {{num(line), text}}, -1});
  }

  CaseSlot case_;
  std::string given_;
  std::unique_ptr<ScriptPlay> play_;
  std::size_t wrong_ = 0, asked_ = 0, compared_ = 0;  // lines
};

}  // namespace

ExhibitEntry box_script_exhibit() {
  return {"box_script",
          "A script of boxes",
          "microscope",
          "Boxes come, move and go, line by line, and a broad phase is asked for pairs, events, casts, overlaps and "
          "what is "
          "nearest; beside it the plain search over all pairs says whether that is right.",
          "seeds C6, E1",
          [](std::string_view text, std::string& why_not) { return make_stepped<MicroScript>(text, why_not); }};
}

}  // namespace sudar::lab
