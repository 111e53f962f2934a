#include "cli/clash_pair.hpp"
#include <sudar/broadphase/registry.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace sudar_cli {

namespace {

using sudar::Vec3d;
using SteadyClock = std::chrono::steady_clock;
double ms_since(SteadyClock::time_point start) {
  return std::chrono::duration<double, std::milli>(SteadyClock::now() - start).count();
}

// From one end of everything to the other: what is kept for a part is needed for a short while only
void sort_along(std::vector<sudar::IdPair>& pairs, std::span<const CheckPart> parts) {
  sudar::Aabb3d all = sudar::Aabb3d::empty();
  for (const CheckPart& part : parts) all = merge(all, part.mesh->bounds());
  const Vec3d size = all.hi - all.lo;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  std::vector<std::uint32_t> order(parts.size()), rank(parts.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto low = [&](std::uint32_t i) { return parts[i].mesh->bounds().lo[axis]; };
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) { return low(i) < low(j); });
  for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  const auto key = [&](const sudar::IdPair& pair) {
    const auto [first, last] = std::minmax(rank[pair.lo], rank[pair.hi]);
    return std::pair(last, first);
  };
  std::sort(pairs.begin(), pairs.end(), [&](const auto& p, const auto& q) { return key(p) < key(q); });
}

// What a part has for its pairs ends with the last of them
class PairsLeft {
 public:
  PairsLeft(std::span<const CheckPart> parts, std::span<const sudar::IdPair> pairs)
      : parts_(parts), left_(parts.size()) {
    for (const auto& [a, b] : pairs) {
      ++left_[a];
      ++left_[b];
    }
  }
  void done(const sudar::IdPair& pair) {
    for (const std::uint32_t part : {pair.lo, pair.hi})
      if (left_[part].fetch_sub(1, std::memory_order_acq_rel) == 1) parts_[part].mesh->forget_hull();
  }

 private:
  std::span<const CheckPart> parts_;
  std::vector<std::atomic<std::uint32_t>> left_;
};

}  // namespace

double ClashLimits::reach() const {
  const double near = types.has(ClashType::clearance) ? clearance : 0;
  return std::max(near, types.has(ClashType::touch) ? tolerance : 0);
}

ClashRun::ClashRun(std::span<const CheckPart> parts, const ClashLimits& limits, PairWanted wanted,
                   ClashControl& control)
    : parts_(parts), limits_(limits), wanted_(std::move(wanted)), control_(control) {
  const std::uint64_t n = parts.size();
  found_.counts.objects = n;
  found_.counts.pairs = n * (n > 0 ? n - 1 : 0) / 2;
}

void ClashRun::run(sudar::Executor& executor) {
  const auto done = sudar::guarded([&]() -> sudar::Result<void> {
    find_pairs(executor);
    if (!failure_) check_pairs(executor);
    return {};
  });
  const std::lock_guard lock(mutex_);
  if (!done) failure_ = done.error();
  ended_ = true;
}

// Who comes near whom. The boxes are asked one after another, so that a crowd in one place is known before all of its pairs
// are in memory.
void ClashRun::find_pairs(sudar::Executor& executor) {
  const auto start = SteadyClock::now();
  const double reach = limits_.reach();
  std::vector<double> rows;
  rows.reserve(parts_.size() * 6);
  for (const CheckPart& part : parts_) {
    const sudar::Aabb3d& box = part.mesh->bounds();
    for (int k = 0; k < 3; ++k) rows.push_back(box.lo[k] - reach);
    for (int k = 0; k < 3; ++k) rows.push_back(box.hi[k] + reach);
  }
  sudar::BoxStore<3> store;
  auto broadphase = sudar::make_broadphase<3>("bvh_linear");
  auto done = store.assign(std::span<const double>(rows), executor);
  if (done && broadphase) {
    (*broadphase)->set_executor(executor);
    done = (*broadphase)->update(store);
  }
  std::uint64_t candidates = 0, skipped = 0;
  bool full = false;
  for (std::uint32_t a = 0; done && broadphase && a < parts_.size() && !full && !control_.stop; ++a) {
    sudar::QueryFilter later;
    later.keep = [](void* first, std::uint32_t id) { return id > *static_cast<std::uint32_t*>(first); };
    later.context = &a;
    sudar::Aabb3d box;
    for (int k = 0; k < 3; ++k) box.lo[k] = rows[6 * a + static_cast<std::size_t>(k)];
    for (int k = 0; k < 3; ++k) box.hi[k] = rows[6 * a + 3 + static_cast<std::size_t>(k)];
    const auto met = (*broadphase)->overlapping(store, box, later);
    if (!met) {
      done = met.error();
      break;
    }
    for (const std::uint32_t b : *met) {
      ++candidates;
      if (!wanted_(a, b)) {
        ++skipped;
      } else if (near_.size() < kMostPairs) {
        near_.push_back({a, b});
      } else {
        full = true;
        break;
      }
    }
  }
  const std::size_t pairs = near_.size();
  if (limits_.types.has(ClashType::self))
    for (std::uint32_t a = 0; a < parts_.size(); ++a)
      if (wanted_(a, a)) near_.push_back({a, a});
  sort_along(near_, parts_);
  const std::lock_guard lock(mutex_);
  if (!broadphase) failure_ = broadphase.error();
  if (!done) failure_ = done.error();
  found_.counts.candidate_pairs = candidates;
  found_.counts.skipped_by_rule = skipped;
  found_.broad_ms = ms_since(start);
  asked_ = near_.size();
  if (full)
    found_.limits.push_back("more than " + std::to_string(pairs) +
                            " pairs of parts come near each other: only these are tested");
}

void ClashRun::check_pairs(sudar::Executor& executor) {
  const auto start = SteadyClock::now();
  control_.done = 0;
  control_.total = near_.size();
  FactsOf facts;
  for (const CheckPart& part : parts_) facts.emplace_back(part);
  PairsLeft left(parts_, near_);
  std::atomic<bool> full{false};
  sudar::parallel_for(executor, near_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && !full; ++i) {
      if (control_.stop.load(std::memory_order_relaxed)) return;
      const auto [a, b] = near_[i];
      PairFinds finds;
      try {
        finds = a == b ? check_self(parts_, a) : check_pair(parts_, facts, a, b, limits_);
      } catch (const std::bad_alloc&) {
        const std::lock_guard lock(mutex_);
        found_.limits.push_back(parts_[a].name + " and " + parts_[b].name + " were not tested: memory is exhausted");
        left.done(near_[i]);
        continue;
      }
      left.done(near_[i]);
      const std::lock_guard lock(mutex_);
      found_.counts.triangle_tests += finds.tested;
      found_.counts.tested_pairs += a != b;
      ++answered_;
      if (!finds.undecided.empty()) found_.undecided.push_back({a, b, std::move(finds.undecided)});
      found_.clashes.insert(found_.clashes.end(), finds.clashes.begin(), finds.clashes.end());
      if (found_.clashes.size() >= kMostClashes && !full.exchange(true))
        found_.limits.push_back("the search ended at " + std::to_string(kMostClashes) + " clashes");
      control_.done.fetch_add(1, std::memory_order_relaxed);
    }
  });
  const std::lock_guard lock(mutex_);
  found_.narrow_ms = ms_since(start);
}

sudar::Result<ClashSearch> ClashRun::take() {
  const std::lock_guard lock(mutex_);
  if (failure_) return *failure_;
  // A copy where threads that were left may still add to it
  ClashSearch out;
  if (ended_)
    out = std::move(found_), near_ = {};
  else
    out = found_;
  out.counts.complete = ended_ && answered_ == asked_ && out.limits.empty();
  std::sort(out.clashes.begin(), out.clashes.end(), [](const Clash& x, const Clash& y) {
    return x.a != y.a ? x.a < y.a : x.b != y.b ? x.b < y.b : x.type < y.type;
  });
  std::sort(out.undecided.begin(), out.undecided.end(),
            [](const UndecidedPair& x, const UndecidedPair& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
  std::sort(out.limits.begin(), out.limits.end());
  return out;
}

sudar::Result<sudar::MeshIntersection> contact_of(const CheckPart& a, const CheckPart& b, bool self, std::size_t most) {
  struct Kept {
    sudar::MeshIntersection meet;
    std::size_t most;
  } kept{{}, most};
  const auto keep = [](void* context, const sudar::MeshPair& pair, std::span<const sudar::Vec3d> points) {
    Kept& to = *static_cast<Kept*>(context);
    to.meet.pairs.push_back(pair);
    to.meet.pairs.back().first = static_cast<std::uint32_t>(to.meet.points.size());
    to.meet.points.insert(to.meet.points.end(), points.begin(), points.end());
    return to.meet.pairs.size() < to.most;
  };
  return sudar::guarded([&]() -> sudar::Result<sudar::MeshIntersection> {
    kept.meet.tested = self ? visit_self_pairs(*a.mesh, keep, &kept)
                            : visit_meeting_pairs(*a.mesh, *b.mesh, sudar::Placement3{}, keep, &kept);
    return std::move(kept.meet);
  });
}

}  // namespace sudar_cli
