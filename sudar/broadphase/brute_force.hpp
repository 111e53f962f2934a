// What:    Every box against every other: the oracle of all other broad phases.
// Source:  Seeds C6, E1.
// Differs: Tests blocks of boxes at once (box_scan.hpp); a test compares with the plain double loop.
// Frame:   Invariant: n (n - 1) / 2 box tests, whatever the scene.
// Fails:   Never; it only takes long.
#pragma once

#include <sudar/broadphase/broadphase.hpp>

namespace sudar {

template <int D>
class SUDAR_API BruteForce final : public Broadphase<D> {
 public:
  std::string_view name() const noexcept override { return "brute_force"; }

 private:
  void do_build(const BoxStore<D>& store) override;
  void do_pairs(const BoxStore<D>& store, SearchOutput& out) override;
  void do_cast(const BoxStore<D>& store, CastSink<D>& sink) override { offer_all(store, sink); }
  void do_overlap(const BoxStore<D>& store, OverlapSink<D>& sink) override { offer_all(store, sink); }
  void do_nearest(const BoxStore<D>& store, NearSink<D>& sink) override { offer_all(store, sink); }
  std::size_t do_bytes() const noexcept override { return 0; }

  template <class Sink>
  static void offer_all(const BoxStore<D>& store, Sink& sink) {
    for (std::uint32_t row = 0; row < store.size(); ++row) sink.offer(row);
  }
};

}  // namespace sudar
