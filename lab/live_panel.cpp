// What:    What is told beside a living scene: the badge of its pairs, what a step took, the algorithm explained, hints, race,
//          decisions, graphs. See live_exhibit.hpp.
#include "lab/algorithm_notes.hpp"
#include "lab/live_exhibit.hpp"
#include <sudar/broadphase/adaptive.hpp>
#include <sudar/core/instruction_sets.hpp>

#include <chrono>
#include <cstdio>

namespace sudar::lab {

namespace {

std::string told(const char* format, double a, double b = 0) {
  char text[160];
  std::snprintf(text, sizeof text, format, a, b);
  return text;
}

}  // namespace

template <int D>
void LiveExhibit<D>::tell(Panel& panel) const {
  const auto start = std::chrono::steady_clock::now();
  const BoxStore<D>& store = live_->boxes();
  const std::string algorithm(algorithm_at_work());
  const bool adapts = dynamic_cast<const Adaptive<D>*>(live_->broadphase()) != nullptr;

  // The badge is that of the pairs
  if (live_->broadphase() == nullptr)
    panel.badges.push_back({"no detection", Ink::ghost});
  else
    panel.badges.push_back(value("check") != 0 ? check_.badge() : Badge{"pairs not checked", Ink::ghost});
  panel.badges.push_back({adapts ? "adaptive: " + algorithm : algorithm, Ink::node});
  if (recording_) panel.badges.push_back({"recording, " + std::to_string(recording_->steps) + " steps", Ink::bad});
  if (replay_) {
    if (replay_->diverged())
      panel.badges.push_back({"replay DIVERGED at step " + std::to_string(*replay_->diverged()), Ink::bad});
    else
      panel.badges.push_back({"replay: " + std::to_string(replay_->compared()) + " states as recorded" +
                                  (replay_->done(*live_) ? ", done" : ""),
                              Ink::good});
  }

  panel.decision = "step " + std::to_string(live_->steps()) + told(", %.2f s", live_->time());
  if (stage_ > 0)
    panel.decision += "; stage " + std::to_string(stage_) + " of " + std::to_string(live_->stages().size()) +
                      " is done: " + std::string(live_->stages()[stage_ - 1]) +
                      "; next: " + std::string(live_->stages()[stage_]);
  else if (!view_.sentence().empty())
    panel.decision += "; " + view_.sentence();
  panel.paragraph = std::string(spec_.scene().what);

  Table numbers{"This step", {"what", "how much"}, {}, -1};
  const StepStats& stats = live_->stats();
  numbers.rows.push_back(
      {"bodies", std::to_string(store.size()) + " (" + std::to_string(store.fixed_count()) + " fixed)"});
  numbers.rows.push_back({"pairs of boxes", std::to_string(live_->pairs().size())});
  if (live_->is_world()) {
    numbers.rows.push_back({"contacts", std::to_string(stats.contacts)});
    numbers.rows.push_back({"contact points", std::to_string(live_->points())});
  }
  numbers.rows.push_back(
      {"begun, ended so far", std::to_string(live_->events().began) + ", " + std::to_string(live_->events().ended)});
  numbers.rows.push_back({"box tests", std::to_string(stats.search.box_tests)});
  if (stats.search.swaps > 0) numbers.rows.push_back({"swaps", std::to_string(stats.search.swaps)});
  if (stats.search.nodes_visited > 0)
    numbers.rows.push_back({"nodes or cells visited", std::to_string(stats.search.nodes_visited)});
  numbers.rows.push_back({"broad phase's memory", told("%.2f MB", static_cast<double>(stats.search.bytes) / 1e6)});
  if (!graphs_.rows().empty()) {
    numbers.rows.push_back({"step, ms", told("%.3f, typical %.3f", graphs_.rows().back().ms, graphs_.typical_ms())});
    numbers.rows.push_back(
        {"the lab adds", told("%.3f ms, %.1f%%", graphs_.rows().back().lab_ms, 100 * graphs_.lab_share())});
  }
  if (swap_ms_ > 0) numbers.rows.push_back({"last swap, with its first step", told("%.2f ms", swap_ms_)});
  numbers.rows.push_back({"instruction set, threads",
                          std::string(dispatched_instruction_set()) + ", " + std::to_string(executor_->concurrency())});
  panel.tables.push_back(std::move(numbers));

  race_.tell(panel);
  if (const auto* adaptive = dynamic_cast<const Adaptive<D>*>(live_->broadphase())) adaptive_.tell(*adaptive, panel);
  view_.tell(panel);
  if (const AlgorithmNote* note = note_on(algorithm)) tell_note(*note, panel);
  graphs_.tell(panel, live_->steps());

  if (const std::string figures = live_->figures(); !figures.empty()) panel.notes.push_back(figures);
  if (!message_.empty()) panel.notes.push_back(message_);
  panel.notes.push_back("scene string: " + spec_.text());
  panel.hints = hints_;
  tell_ms_ = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

template void LiveExhibit<2>::tell(Panel&) const;
template void LiveExhibit<3>::tell(Panel&) const;

}  // namespace sudar::lab
