#include <sudar/broadphase/overlap_kernels.hpp>

#if defined(SUDAR_HAVE_HIGHWAY)

// This file is compiled once for every instruction set: foreach_target.h includes it again and again
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sudar/broadphase/overlap_kernels.cpp"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace sudar::overlap_simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

template <int D>
ScanProgress ScanTasks(const BoxColumns<D>& queries, const BoxColumns<D>& targets, std::span<const ScanTask> tasks,
                       ScanHit* hits, std::size_t capacity) {
  return scan_tasks_plain<D>(queries, targets, tasks, hits, capacity);
}

#else

template <int D>
ScanProgress ScanTasks(const BoxColumns<D>& queries, const BoxColumns<D>& targets, std::span<const ScanTask> tasks,
                       ScanHit* hits, std::size_t capacity) {
  const hn::CappedTag<float, kScanPad> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t found = 0, done = 0;
  for (; done < tasks.size(); ++done) {
    const ScanTask task = tasks[done];
    if (task.to <= task.from) continue;
    if (found + (task.to - task.from) > capacity) break;
    const auto lo0 = hn::Set(d, queries[0][task.query]), hi0 = hn::Set(d, queries[D][task.query]);
    const auto lo1 = hn::Set(d, queries[1][task.query]), hi1 = hn::Set(d, queries[D + 1][task.query]);
    const auto lo2 = hn::Set(d, queries[D - 1][task.query]), hi2 = hn::Set(d, queries[2 * D - 1][task.query]);
    for (std::size_t j = task.from; j < task.to; j += lanes) {
      auto all = hn::And(hn::Le(hn::LoadU(d, targets[0] + j), hi0), hn::Le(lo0, hn::LoadU(d, targets[D] + j)));
      all = hn::And(all,
                    hn::And(hn::Le(hn::LoadU(d, targets[1] + j), hi1), hn::Le(lo1, hn::LoadU(d, targets[D + 1] + j))));
      if constexpr (D == 3)
        all =
            hn::And(all, hn::And(hn::Le(hn::LoadU(d, targets[2] + j), hi2), hn::Le(lo2, hn::LoadU(d, targets[5] + j))));
      std::uint8_t bytes[8] = {};
      hn::StoreMaskBits(d, all, bytes);
      std::uint32_t bits = bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8;
      const std::size_t left = task.to - j;
      bits &= left >= lanes ? ~0u : (1u << left) - 1;
      for (; bits != 0; bits &= bits - 1)
        hits[found++] = {task.query, static_cast<std::uint32_t>(j + hwy::Num0BitsBelowLS1Bit_Nonzero32(bits))};
    }
  }
  return {done, found};
}

#endif

// A table of functions cannot hold templates
ScanProgress ScanTasks2(const BoxColumns<2>& queries, const BoxColumns<2>& targets, std::span<const ScanTask> tasks,
                        ScanHit* hits, std::size_t capacity) {
  return ScanTasks<2>(queries, targets, tasks, hits, capacity);
}
ScanProgress ScanTasks3(const BoxColumns<3>& queries, const BoxColumns<3>& targets, std::span<const ScanTask> tasks,
                        ScanHit* hits, std::size_t capacity) {
  return ScanTasks<3>(queries, targets, tasks, hits, capacity);
}

}  // namespace HWY_NAMESPACE
}  // namespace sudar::overlap_simd
HWY_AFTER_NAMESPACE();

#endif

#if !defined(SUDAR_HAVE_HIGHWAY) || HWY_ONCE

namespace sudar {

template <int D>
ScanProgress scan_tasks_plain(const BoxColumns<D>& queries, const BoxColumns<D>& targets,
                              std::span<const ScanTask> tasks, ScanHit* hits, std::size_t capacity) noexcept {
  std::size_t found = 0, done = 0;
  for (; done < tasks.size(); ++done) {
    const ScanTask task = tasks[done];
    if (task.to <= task.from) continue;
    if (found + (task.to - task.from) > capacity) break;
    for (std::uint32_t j = task.from; j < task.to; ++j) {
      bool all = true;
      for (std::size_t k = 0; k < D; ++k)
        all &= (targets[k][j] <= queries[D + k][task.query]) & (queries[k][task.query] <= targets[D + k][j]);
      // Written blindly, kept when it is a hit: j is below the end of the run, so there is room
      hits[found] = {task.query, j};
      found += all ? 1 : 0;
    }
  }
  return {done, found};
}

#if defined(SUDAR_HAVE_HIGHWAY)

namespace overlap_simd {
HWY_EXPORT(ScanTasks2);
HWY_EXPORT(ScanTasks3);
}  // namespace overlap_simd

template <>
ScanProgress scan_tasks<2>(const BoxColumns<2>& queries, const BoxColumns<2>& targets, std::span<const ScanTask> tasks,
                           ScanHit* hits, std::size_t capacity) noexcept {
  using namespace overlap_simd;
  return HWY_DYNAMIC_DISPATCH(ScanTasks2)(queries, targets, tasks, hits, capacity);
}
template <>
ScanProgress scan_tasks<3>(const BoxColumns<3>& queries, const BoxColumns<3>& targets, std::span<const ScanTask> tasks,
                           ScanHit* hits, std::size_t capacity) noexcept {
  using namespace overlap_simd;
  return HWY_DYNAMIC_DISPATCH(ScanTasks3)(queries, targets, tasks, hits, capacity);
}

#else

template <int D>
ScanProgress scan_tasks(const BoxColumns<D>& queries, const BoxColumns<D>& targets, std::span<const ScanTask> tasks,
                        ScanHit* hits, std::size_t capacity) noexcept {
  return scan_tasks_plain<D>(queries, targets, tasks, hits, capacity);
}
template ScanProgress scan_tasks<2>(const BoxColumns<2>&, const BoxColumns<2>&, std::span<const ScanTask>, ScanHit*,
                                    std::size_t) noexcept;
template ScanProgress scan_tasks<3>(const BoxColumns<3>&, const BoxColumns<3>&, std::span<const ScanTask>, ScanHit*,
                                    std::size_t) noexcept;

#endif

template ScanProgress scan_tasks_plain<2>(const BoxColumns<2>&, const BoxColumns<2>&, std::span<const ScanTask>,
                                          ScanHit*, std::size_t) noexcept;
template ScanProgress scan_tasks_plain<3>(const BoxColumns<3>&, const BoxColumns<3>&, std::span<const ScanTask>,
                                          ScanHit*, std::size_t) noexcept;

}  // namespace sudar

#endif
