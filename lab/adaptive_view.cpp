#include "lab/adaptive_view.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace sudar::lab {

namespace {

constexpr std::size_t kDecisionsTold = 10;
constexpr std::uint64_t kCostsEvery = 8;  // steps

std::string short_ms(double ms) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", ms);
  return text;
}

std::string_view word_of(DecisionKind kind) {
  constexpr std::array<std::string_view, 4> kWords = {"chosen", "trial", "kept", "returned"};
  return kWords[static_cast<std::size_t>(kind)];
}

}  // namespace

template <int D>
void AdaptiveView<D>::note(const Adaptive<D>& adaptive, std::uint64_t step) {
  if (!strip_.empty() && step <= strip_.back().step) strip_.clear();
  if (strip_.size() == kShown) strip_.pop_front();
  strip_.push_back({step,
                    adaptive.in_use(),
                    {},
                    adaptive.regret_ms(),
                    adaptive.trial_ms(),
                    adaptive.watch_ms(),
                    adaptive.total_ms()});
  if (step % kCostsEvery == 0) strip_.back().costs = adaptive.costs();
}

template <int D>
void AdaptiveView<D>::tell(const Adaptive<D>& adaptive, Panel& panel) const {
  const double total = adaptive.total_ms(), lost = adaptive.regret_ms() + adaptive.watch_ms();
  char text[160];
  std::snprintf(text, sizeof text, "adaptive: %.*s at work; regret %.3g ms, watching %.3g ms of %.4g ms (%.1f%%)",
                static_cast<int>(adaptive.in_use().size()), adaptive.in_use().data(), adaptive.regret_ms(),
                adaptive.watch_ms(), total, total > 0 ? 100 * lost / total : 0);
  panel.notes.push_back(text);

  // Predicted lines, measured dots, one colour a candidate because names come in the same order
  Plot costs{"adaptive: predicted cost of a step (lines) and measured (dots)", "step", "ms", {}, false, true};
  for (const CandidateCost& candidate : adaptive.costs()) {
    PlotSeries predicted{std::string(candidate.name), {}, {}, false};
    for (const Moment& moment : strip_)
      for (const CandidateCost& cost : moment.costs)
        if (cost.name == candidate.name && cost.predicted_ms > 0) {
          predicted.x.push_back(static_cast<double>(moment.step));
          predicted.y.push_back(cost.predicted_ms);
        }
    costs.series.push_back(std::move(predicted));
  }
  for (const CandidateCost& candidate : adaptive.costs()) {
    PlotSeries measured{std::string(candidate.name) + " measured", {}, {}, true};
    for (const Moment& moment : strip_)
      for (const CandidateCost& cost : moment.costs)
        if (cost.name == candidate.name && cost.measured_ms > 0) {
          measured.x.push_back(static_cast<double>(moment.step));
          measured.y.push_back(cost.measured_ms);
        }
    if (!measured.x.empty()) costs.series.push_back(std::move(measured));
  }
  panel.plots.push_back(std::move(costs));

  // Which one was at work, by its place in the list
  const std::vector<CandidateCost> all = adaptive.costs();
  Plot strip{"adaptive: which one is at work, and what was lost", "step", "", {}, false, false};
  PlotSeries regret{"regret, ms", {}, {}, false};
  for (std::size_t i = 0; i < all.size(); ++i) {
    PlotSeries in_use{std::string(all[i].name), {}, {}, true};
    for (const Moment& moment : strip_)
      if (moment.in_use == all[i].name) {
        in_use.x.push_back(static_cast<double>(moment.step));
        in_use.y.push_back(static_cast<double>(i));
      }
    if (!in_use.x.empty()) strip.series.push_back(std::move(in_use));
  }
  for (const Moment& moment : strip_) {
    regret.x.push_back(static_cast<double>(moment.step));
    regret.y.push_back(moment.regret_ms);
  }
  strip.series.push_back(std::move(regret));
  panel.plots.push_back(std::move(strip));

  Table table{
      "Decisions of adaptive, the last first", {"step", "what", "from → to", "why", "predicted", "measured"}, {}, -1};
  const std::vector<AdaptiveDecision>& decisions = adaptive.decisions();
  for (std::size_t n = 0; n < std::min(kDecisionsTold, decisions.size()); ++n) {
    const AdaptiveDecision& d = decisions[decisions.size() - 1 - n];
    double predicted = 0, measured = 0;
    for (const CandidateCost& cost : d.costs)
      if (cost.name == d.to) predicted = cost.predicted_ms, measured = cost.measured_ms;
    table.rows.push_back({std::to_string(d.step), std::string(word_of(d.kind)),
                          d.from == d.to ? std::string(d.to) : std::string(d.from) + " → " + std::string(d.to),
                          std::string(d.reason), short_ms(predicted), measured > 0 ? short_ms(measured) : "never"});
  }
  panel.tables.push_back(std::move(table));
}

template class AdaptiveView<2>;
template class AdaptiveView<3>;

}  // namespace sudar::lab
