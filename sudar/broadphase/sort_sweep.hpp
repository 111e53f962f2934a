// What:    Sort the boxes along the axis on which they vary most and sweep, anew at every step.
// Source:  Ericson, "Real-Time Collision Detection", 2005, 7.5.2; seed A18.
// Differs: A radix sort on the bits of the floats. Fixed boxes have a list of their own, which is swept only
//          against the moving ones, and kept until one of them changes or another axis is clearly better.
// Fails:   Never; when all boxes overlap on every axis it does the work of brute force.
#pragma once

#include <sudar/broadphase/sweep_list.hpp>

namespace sudar {

template <int D>
class SUDAR_API SortSweep final : public Broadphase<D> {
 public:
  std::string_view name() const noexcept override { return "sort_sweep"; }
  int axis() const noexcept { return axis_; }
  const SweepList<D>& moving_list() const noexcept { return moving_; }
  const SweepList<D>& fixed_list() const noexcept { return fixed_; }

 private:
  void do_build(const BoxStore<D>& store) override;
  void do_update(const BoxStore<D>& store) override;
  void do_pairs(const BoxStore<D>& store, SearchOutput& out) override;
  std::size_t do_bytes() const noexcept override;

  void gather(const BoxStore<D>& store, bool fixed);

  SweepList<D> moving_, fixed_;
  std::vector<std::uint32_t> rows_;  // gathered last
  int axis_ = 0;
  std::uint64_t fixed_seen_ = 0;
};

}  // namespace sudar
