// What:    `columns`: boxes quantised into columns that are sorted and swept with SIMD; everything that moves is built anew
//          each step.
// Differs: See column_search.hpp. A fast rebuild beats incremental structures even for slow motion.
#pragma once

#include <sudar/broadphase/broadphase.hpp>
#include <sudar/broadphase/column_search.hpp>

namespace sudar {

template <int D>
class SUDAR_API Columns final : public Broadphase<D> {
 public:
  Columns();
  std::string_view name() const noexcept override { return "columns"; }
  std::size_t replanned() const noexcept { return search_.replanned(); }
  std::size_t giant_count() const noexcept { return search_.giants(); }

 private:
  void do_build(const BoxStore<D>&) override {
    search_.forget();
    ++this->count().rebuilds;
  }
  void do_update(const BoxStore<D>&) override { ++this->count().rebuilds; }
  void do_pairs(const BoxStore<D>& store, SearchOutput& out) override;
  std::size_t do_bytes() const noexcept override { return search_.bytes(); }

  ColumnSearch<D> search_;
};

}  // namespace sudar
