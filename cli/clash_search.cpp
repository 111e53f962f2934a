#include "cli/clash_pair.hpp"
#include <sudar/broadphase/registry.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace sudar_cli {

namespace {

using SteadyClock = std::chrono::steady_clock;
double ms_since(SteadyClock::time_point start) {
  return std::chrono::duration<double, std::milli>(SteadyClock::now() - start).count();
}

// Pairs of parts that come near each other, a < b, sorted
sudar::Result<std::vector<sudar::IdPair>> near_pairs(std::span<const CheckPart> parts, double reach,
                                                     sudar::Executor& executor) {
  std::vector<double> rows;
  rows.reserve(parts.size() * 6);
  for (const CheckPart& part : parts) {
    const sudar::Aabb3d& box = part.mesh->bounds();
    for (int k = 0; k < 3; ++k) rows.push_back(box.lo[k] - reach);
    for (int k = 0; k < 3; ++k) rows.push_back(box.hi[k] + reach);
  }
  sudar::BoxStore<3> store;
  if (const auto done = store.assign(std::span<const double>(rows), executor); !done) return done.error();
  auto broadphase = sudar::make_broadphase<3>("columns");
  if (!broadphase) return broadphase.error();
  (*broadphase)->set_executor(executor);
  if (const auto done = (*broadphase)->update(store); !done) return done.error();
  const auto found = (*broadphase)->pairs(store);
  if (!found) return found.error();
  return std::vector<sudar::IdPair>(found->begin(), found->end());
}

}  // namespace

double ClashLimits::reach() const {
  const double near = types.has(ClashType::clearance) ? clearance : 0;
  return std::max(near, types.has(ClashType::touch) ? tolerance : 0);
}

sudar::Result<ClashSearch> find_clashes(std::span<const CheckPart> parts, const ClashLimits& limits,
                                        const PairWanted& wanted, sudar::Executor& executor, ClashControl& control) {
  return sudar::guarded([&]() -> sudar::Result<ClashSearch> {
    ClashSearch out;
    const std::uint64_t n = parts.size();
    out.counts.objects = n;
    out.counts.pairs = n * (n > 0 ? n - 1 : 0) / 2;

    // Who comes near whom
    auto start = SteadyClock::now();
    auto near = near_pairs(parts, limits.reach(), executor);
    if (!near) return near.error();
    out.counts.candidate_pairs = near->size();
    std::erase_if(*near, [&](const sudar::IdPair& pair) { return !wanted(pair.lo, pair.hi); });
    out.counts.skipped_by_rule = out.counts.candidate_pairs - near->size();
    out.broad_ms = ms_since(start);

    // Each pair, and each part by itself, has a place for what is found there
    start = SteadyClock::now();
    const std::size_t selves = limits.types.has(ClashType::self) ? parts.size() : 0, jobs = near->size() + selves;
    control.total = jobs;
    std::vector<std::vector<Clash>> found(jobs);
    std::vector<std::uint64_t> tests(jobs, 0);
    std::vector<std::uint8_t> done(jobs, 0);
    FactsOf facts;
    for (const CheckPart& part : parts) facts.emplace_back(part);
    sudar::parallel_for(executor, jobs, 1, [&](std::size_t begin, std::size_t end) {
      PairScratch scratch;
      for (std::size_t i = begin; i < end; ++i) {
        if (control.stop.load(std::memory_order_relaxed)) return;
        tests[i] = i < near->size()
                       ? check_pair(parts, facts, (*near)[i].lo, (*near)[i].hi, limits, scratch, found[i])
                       : check_self(parts, static_cast<std::uint32_t>(i - near->size()), scratch, found[i]);
        done[i] = 1;
        control.done.fetch_add(1, std::memory_order_relaxed);
      }
    });
    for (std::size_t i = 0; i < jobs; ++i) {
      out.counts.triangle_tests += tests[i];
      out.counts.tested_pairs += i < near->size() ? done[i] : 0;
      out.counts.complete = out.counts.complete && done[i] != 0;
      out.clashes.insert(out.clashes.end(), found[i].begin(), found[i].end());
    }
    std::sort(out.clashes.begin(), out.clashes.end(), [](const Clash& x, const Clash& y) {
      return x.a != y.a ? x.a < y.a : x.b != y.b ? x.b < y.b : x.type < y.type;
    });
    out.narrow_ms = ms_since(start);
    return out;
  });
}

sudar::Result<sudar::MeshIntersection> contact_of(const CheckPart& a, const CheckPart& b, bool self) {
  sudar::MeshIntersection meet;
  const auto done = self ? self_intersect(*a.mesh, meet) : intersect(*a.mesh, *b.mesh, sudar::Placement3{}, meet);
  if (!done) return done.error();
  return meet;
}

}  // namespace sudar_cli
