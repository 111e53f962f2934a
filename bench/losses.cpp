#include "bench/losses.hpp"

#include "bench/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace sudar_bench {

namespace {

// The rows of one race lie together
void look_at(std::span<const Measurement> race, Balance& balance) {
  const Measurement* ours = nullptr;
  const Measurement* fastest = nullptr;
  const Measurement* peer = nullptr;
  for (const Measurement& m : race) {
    if (m.version.empty()) {
      if (ours == nullptr) ours = &m;
      // One of ours that is fast and wrong is no answer, either
      const bool right = m.of == 0 || m.disagreements == 0;
      if (right && (fastest == nullptr || m.min_ms < fastest->min_ms)) fastest = &m;
    } else if (m.trouble.empty() && (peer == nullptr || m.min_ms < peer->min_ms)) {
      peer = &m;
    }
  }
  if (ours == nullptr || peer == nullptr) return;
  ++balance.races;
  const double ratio = ours->min_ms / peer->min_ms, medians = ours->median_ms / peer->median_ms;
  Standing standing{ours->table, ours->workload,         peer->contestant + " " + peer->version, 1 / ratio, 0,
                    0,           peer->disagreements > 0};
  // Both are relative to the best, which most often is one of the two
  if (ours->ratio_low > 0 && peer->ratio_low > 0) {
    standing.low = peer->ratio_low / ours->ratio_high;
    standing.high = peer->ratio_high / ours->ratio_low;
  }
  if (std::isfinite(ratio)) balance.standings.push_back(std::move(standing));
  if (ratio < kEven) {
    balance.even += ratio > 1 / kEven ? 1 : 0;
    return;
  }
  Loss loss{ours->table,
            ours->workload,
            ours->contestant,
            peer->contestant + " " + peer->version,
            ratio,
            std::min(ratio, medians),
            std::max(ratio, medians),
            peer->disagreements > 0,
            {},
            0,
            static_cast<std::size_t>(peer->disagreements),
            peer->of,
            peer->why};
  if (fastest != nullptr && fastest != ours && fastest->min_ms * kEven < ours->min_ms) {
    loss.faster_of_ours = fastest->contestant;
    loss.ratio_of_faster = fastest->min_ms / peer->min_ms;
  }
  balance.losses.push_back(std::move(loss));
}

}  // namespace

Balance balance_of(std::span<const PartResult> parts) {
  Balance balance;
  for (const PartResult& part : parts) {
    const std::span<const Measurement> all = part.results.measurements;
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
      while (end < all.size() && all[end].table == all[begin].table && all[end].workload == all[begin].workload) ++end;
      look_at(all.subspan(begin, end - begin), balance);
    }
  }
  std::stable_sort(balance.losses.begin(), balance.losses.end(),
                   [](const Loss& a, const Loss& b) { return a.ratio > b.ratio; });
  return balance;
}

std::string sentence(const Loss& loss) {
  std::string text = loss.table + ", " + loss.workload + ": " + loss.ours + " takes " + number_text(loss.ratio) +
                     " times as long as " + loss.peer;
  if (loss.high > loss.low * kEven)
    text += " (" + number_text(loss.low) + " to " + number_text(loss.high) + " between minima and medians)";
  if (!loss.faster_of_ours.empty())
    text += "; " + loss.faster_of_ours + " of ours takes " + number_text(loss.ratio_of_faster) + " times as long";
  if (loss.peer_disagrees && loss.of > 0)
    text += "; " + std::to_string(loss.wrong) + " of its " + std::to_string(loss.of) + " answers are wrong" +
            (loss.why.empty() ? "" : ": " + loss.why);
  else if (loss.peer_disagrees)
    text += "; its answers are not ours";
  return text + ".";
}

}  // namespace sudar_bench
