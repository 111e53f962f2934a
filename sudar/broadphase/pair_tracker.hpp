// What:    What began, stays and ended between two lists of pairs.
// Differs: It compares sorted lists and knows no algorithm, so an event is neither lost nor repeated when the algorithm is
//          swapped between two steps. A pair whose id was given to another box in the meantime ends and begins, and so
//          does every pair when the boxes are those of another store.
#pragma once

#include <sudar/broadphase/box_store.hpp>
#include <sudar/core/pair_set.hpp>

#include <memory>
#include <span>
#include <vector>

namespace sudar {

// Each sorted; valid until the next call
struct PairChanges {
  std::span<const IdPair> begin, stay, end;
};

template <int D>
class PairTracker {
 public:
  // `pairs`: sorted, of the store as it is now. May throw bad_alloc, and is as before then.
  PairChanges advance(const BoxStore<D>& store, std::span<const IdPair> pairs) {
    const bool same_store = store.identity().token() == store_;
    begin_.clear();
    stay_.clear();
    end_.clear();
    std::size_t i = 0, j = 0;
    while (i < last_.size() || j < pairs.size()) {
      if (j == pairs.size() || (i < last_.size() && last_[i] < pairs[j])) {
        end_.push_back(last_[i++]);
      } else if (i == last_.size() || pairs[j] < last_[i]) {
        begin_.push_back(pairs[j++]);
      } else {
        const bool same = same_store && store.born(pairs[j].lo) <= seen_ && store.born(pairs[j].hi) <= seen_;
        if (!same) end_.push_back(pairs[j]);
        (same ? stay_ : begin_).push_back(pairs[j]);
        ++i, ++j;
      }
    }
    next_.assign(pairs.begin(), pairs.end());
    last_.swap(next_);
    store_ = store.identity().token();
    seen_ = store.revision();
    return {begin_, stay_, end_};
  }
  std::size_t bytes() const noexcept {
    return (last_.capacity() + next_.capacity() + begin_.capacity() + stay_.capacity() + end_.capacity()) *
           sizeof(IdPair);
  }

 private:
  std::vector<IdPair> last_, next_, begin_, stay_, end_;
  std::shared_ptr<const char> store_;  // of the last call
  std::uint64_t seen_ = 0;             // its revision then
};

}  // namespace sudar
