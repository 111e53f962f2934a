// What:    The last changes of a box store, so that a broad phase can catch up without looking at every box.
// Differs: Several readers, each with its own place, read one journal. It is bounded: a reader that fell too far behind
//          is told so, and looks at everything once.
#pragma once

#include <sudar/core/config.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sudar {

enum class BoxChange : std::uint8_t { inserted, moved, teleported, removed, refiltered };

struct JournalEntry {
  std::uint32_t id;
  BoxChange change;
};

class BoxJournal {
 public:
  // Room for one more entry; may throw bad_alloc, record() may not
  void make_room(std::size_t boxes) {
    if (entries_.size() >= kLeast + 2 * boxes) {
      // The older half goes
      const std::size_t gone = entries_.size() / 2;
      entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(gone));
      first_ += gone;
    }
    if (entries_.size() == entries_.capacity()) entries_.reserve(kLeast + 2 * entries_.capacity());
  }
  void record(std::uint32_t id, BoxChange change) noexcept { entries_.push_back({id, change}); }
  // Everything changed at once: readers must look at all boxes
  void forget() noexcept {
    first_ += entries_.size() + 1;
    entries_.clear();
  }

  std::uint64_t revision() const noexcept { return first_ + entries_.size(); }
  // What happened after `revision`, oldest first; nothing when that is not known any more
  std::optional<std::span<const JournalEntry>> since(std::uint64_t revision_seen) const noexcept {
    if (revision_seen < first_ || revision_seen > revision()) return std::nullopt;
    return std::span<const JournalEntry>(entries_).subspan(static_cast<std::size_t>(revision_seen - first_));
  }
  std::size_t bytes() const noexcept { return entries_.capacity() * sizeof(JournalEntry); }

 private:
  static constexpr std::size_t kLeast = 256;
  std::vector<JournalEntry> entries_;
  std::uint64_t first_ = 0;  // revision before the oldest entry
};

}  // namespace sudar
