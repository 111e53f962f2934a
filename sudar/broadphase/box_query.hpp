// What:    Questions to a set of boxes: what does a ray or a moving box meet, what overlaps a box, what is nearest.
// Differs: Every broad phase gives the same answers to the bit, because one function here tests a box, and the bound of a
//          box that encloses others is never worse than theirs: each step of the arithmetic is monotone, so rounding
//          cannot turn a hit inside of a node into a miss of the node.
// Frame:   World, metres; a cast moves along `direction` for t in [0, max_t], t in units of its length.
//          Stored boxes end at the range of float (box_store.hpp): an overlap past it is found all the same, a cast or a
//          distance from past it is that to the ends.
// Fails:   cast: non_finite, invalid_argument (lo > hi, negative max_t); a zero direction asks what overlaps at the start.
#pragma once

#include <sudar/broadphase/box_store.hpp>

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

namespace sudar {

// A box that moves; a ray when it is a point
template <int D>
struct BoxCast {
  Aabb<D, double> box;
  Vec<D, double> direction{};
  double max_t = std::numeric_limits<double>::infinity();

  static BoxCast ray(const Vec<D, double>& origin, const Vec<D, double>& direction,
                     double max_t = std::numeric_limits<double>::infinity()) {
    return {{origin, origin}, direction, max_t};
  }
};

// Which boxes a query sees: those that could pair with a box of this filter, and then the callback's word
struct QueryFilter {
  std::uint32_t layer = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t mask = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t group = 0;  // members of this group are not seen, other than of group 0
  bool (*keep)(void* context, std::uint32_t id) = nullptr;
  void* context = nullptr;

  bool passes(const Filter& filter, std::uint32_t id) const {
    return may_pair({layer, mask, group}, filter) && (keep == nullptr || keep(context, id));
  }
};

struct CastHit {
  std::uint32_t id;
  double t;  // 0 when they overlap at the start

  friend auto operator<=>(const CastHit& a, const CastHit& b) {
    return a.t != b.t ? (a.t < b.t ? std::strong_ordering::less : std::strong_ordering::greater) : a.id <=> b.id;
  }
  friend bool operator==(const CastHit&, const CastHit&) = default;
};

struct NearHit {
  std::uint32_t id;
  double distance_squared;  // 0 inside of the box

  friend auto operator<=>(const NearHit& a, const NearHit& b) {
    return a.distance_squared != b.distance_squared
               ? (a.distance_squared < b.distance_squared ? std::strong_ordering::less : std::strong_ordering::greater)
               : a.id <=> b.id;
  }
  friend bool operator==(const NearHit&, const NearHit&) = default;
};

inline constexpr double kNoHit = std::numeric_limits<double>::infinity();

// A sink is offered rows and asked for bounds by a search. Search rule: skip a node whose key(box) is kNoHit or above
// limit(); offer() every row of a leaf that is left. Rows may be offered in any order, but each once.

// What a question took
struct SinkCounters {
  std::uint64_t nodes_visited = 0, box_tests = 0;
};

// When a cast meets boxes: the closest one, or all
template <int D>
class CastSink : public SinkCounters {
 public:
  CastSink(const BoxStore<D>& store, const BoxCast<D>& cast, const QueryFilter& filter, bool closest_only,
           std::vector<CastHit>& hits)
      : store_(store), cast_(cast), filter_(filter), closest_only_(closest_only), limit_(cast.max_t), hits_(hits) {}

  const BoxCast<D>& cast() const { return cast_; }
  // First t at which the cast touches the box; kNoHit when it does not by limit()
  double key(const Aabb<D, float>& box) const {
    double enter = 0, leave = limit_;
    for (int i = 0; i < D; ++i) {
      // The box shrunk to a point meets this one grown by its extent
      const double lo = box.lo[i] - cast_.box.hi[i], hi = box.hi[i] - cast_.box.lo[i];
      if (cast_.direction[i] == 0) {
        if (lo > 0 || hi < 0) return kNoHit;
        continue;
      }
      const double near = (cast_.direction[i] > 0 ? lo : hi) / cast_.direction[i];
      const double far = (cast_.direction[i] > 0 ? hi : lo) / cast_.direction[i];
      enter = near > enter ? near : enter;
      leave = far < leave ? far : leave;
    }
    return enter <= leave ? enter : kNoHit;
  }
  double limit() const { return limit_; }
  void offer(std::uint32_t row) {
    ++box_tests;
    const double t = key(store_.box(row));
    const std::uint32_t id = store_.ids()[row];
    if (t == kNoHit || !filter_.passes(store_.filters()[row], id)) return;
    if (!closest_only_) {
      hits_.push_back({id, t});
      return;
    }
    if (hits_.empty() || CastHit{id, t} < hits_[0]) hits_.assign(1, {id, t});
    limit_ = t;
  }

 private:
  const BoxStore<D>& store_;
  const BoxCast<D>& cast_;
  const QueryFilter& filter_;
  bool closest_only_;
  double limit_;
  std::vector<CastHit>& hits_;
};

// Which boxes overlap one box. Past the range of float it is clamped, as the boxes of a store are, so that what overlaps
// there is found.
template <int D>
class OverlapSink : public SinkCounters {
 public:
  OverlapSink(const BoxStore<D>& store, const Aabb<D, double>& box, const QueryFilter& filter,
              std::vector<std::uint32_t>& ids)
      : store_(store), box_(box), filter_(filter), ids_(ids) {
    constexpr double kMost = std::numeric_limits<float>::max();
    for (int i = 0; i < D; ++i) {
      box_.lo[i] = std::clamp(box.lo[i], -kMost, kMost);
      box_.hi[i] = std::clamp(box.hi[i], -kMost, kMost);
    }
  }

  const Aabb<D, double>& box() const { return box_; }
  double key(const Aabb<D, float>& box) const {
    for (int i = 0; i < D; ++i)
      if (!(box.lo[i] <= box_.hi[i] && box_.lo[i] <= box.hi[i])) return kNoHit;
    return 0;
  }
  double limit() const { return 0; }
  void offer(std::uint32_t row) {
    ++box_tests;
    const std::uint32_t id = store_.ids()[row];
    if (key(store_.box(row)) == 0 && filter_.passes(store_.filters()[row], id)) ids_.push_back(id);
  }

 private:
  const BoxStore<D>& store_;
  Aabb<D, double> box_;
  const QueryFilter& filter_;
  std::vector<std::uint32_t>& ids_;
};

// The k boxes nearest to a point; of two at the same distance the smaller id
template <int D>
class NearSink : public SinkCounters {
 public:
  NearSink(const BoxStore<D>& store, const Vec<D, double>& point, std::size_t count, const QueryFilter& filter,
           std::vector<NearHit>& heap)
      : store_(store), point_(point), count_(count), filter_(filter), heap_(heap) {}

  double key(const Aabb<D, float>& box) const {
    double sum = 0;
    for (int i = 0; i < D; ++i) {
      const double below = box.lo[i] - point_[i], above = point_[i] - box.hi[i];
      const double d = std::max(0.0, std::max(below, above));
      sum += d * d;
    }
    // An infinite square is still a distance, so it must not read as "no hit"
    return std::min(sum, std::numeric_limits<double>::max());
  }
  double limit() const {
    return heap_.size() < count_ ? std::numeric_limits<double>::max() : heap_.front().distance_squared;
  }
  void offer(std::uint32_t row) {
    ++box_tests;
    const NearHit hit{store_.ids()[row], key(store_.box(row))};
    if (heap_.size() == count_ && !(hit < heap_.front())) return;
    if (!filter_.passes(store_.filters()[row], hit.id)) return;
    if (heap_.size() == count_) {
      std::pop_heap(heap_.begin(), heap_.end());
      heap_.pop_back();
    }
    heap_.push_back(hit);
    std::push_heap(heap_.begin(), heap_.end());
  }

 private:
  const BoxStore<D>& store_;
  const Vec<D, double>& point_;
  std::size_t count_;
  const QueryFilter& filter_;
  std::vector<NearHit>& heap_;
};

// Errors of the questions themselves
template <int D>
SUDAR_API Result<void> check_query(const BoxCast<D>& cast);
template <int D>
SUDAR_API Result<void> check_query(const Aabb<D, double>& box);
template <int D>
SUDAR_API Result<void> check_query(const Vec<D, double>& point);

}  // namespace sudar
