// What:    A crowd of `columns` that cannot be cut as a whole, taken apart by the axes on which its boxes are long; each
//          kind and each two kinds are searched with columns of their own.
// Source:  See column_search.hpp.
// Differs: Sticks and plates of several directions overlap on every axis taken one by one, so no cut and no sweep tells
//          all of them apart; two kinds are told apart on an axis on which both are thin.
#pragma once

#include <sudar/broadphase/column_search.hpp>

#include <algorithm>

namespace sudar {

namespace columns_detail {

inline constexpr double kLongShare = 1.0 / 32;  // of the extent of the crowd
inline constexpr std::size_t kFewOfAKind = 8;   // are taken as long on all axes

}  // namespace columns_detail

template <int D>
Aabb<D, float> ColumnSearch<D>::bounds_of(const ColumnRows& set) const {
  Aabb<D, float> bounds = store_->box(set.rows[0]);
  for (const std::uint32_t row : set.rows)
    for (int axis = 0; axis < D; ++axis) {
      bounds.lo[axis] = std::min(bounds.lo[axis], boxes_[static_cast<std::size_t>(axis)][row]);
      bounds.hi[axis] = std::max(bounds.hi[axis], boxes_[static_cast<std::size_t>(D + axis)][row]);
    }
  return bounds;
}

// Bit k of the number of a kind: its boxes are long on axis k
template <int D>
typename ColumnSearch<D>::Kinds ColumnSearch<D>::kinds_of(const ColumnRows& set, const Aabb<D, float>& bounds) const {
  Kinds kinds;
  const auto put = [&](RowList& kind, std::uint32_t row, std::uint8_t before) {
    kind.rows.push_back(row);
    kind.before.push_back(before);
  };
  for (std::size_t i = 0; i < set.rows.size(); ++i) {
    const Aabb<D, float> box = store_->box(set.rows[i]);
    std::size_t kind = 0;
    for (int axis = 0; axis < D; ++axis) {
      const double extent = static_cast<double>(bounds.hi[axis]) - bounds.lo[axis];
      const bool is_long = static_cast<double>(box.hi[axis]) - box.lo[axis] >= columns_detail::kLongShare * extent;
      kind |= is_long ? std::size_t{1} << axis : 0;
    }
    put(kinds[kind], set.rows[i], set.before_at(i));
  }
  for (std::size_t kind = 0; kind + 1 < kinds.size(); ++kind) {
    RowList& some = kinds[kind];
    if (some.rows.size() > columns_detail::kFewOfAKind) continue;
    for (std::size_t i = 0; i < some.rows.size(); ++i) put(kinds.back(), some.rows[i], some.before[i]);
    some.clear();
  }
  return kinds;
}

// False when all are of one kind
template <int D>
bool ColumnSearch<D>::self_kinds(const ColumnRows& set, int sweep_axis, int depth, Scratch& scratch,
                                 SearchOutput& out) const {
  const Kinds kinds = kinds_of(set, bounds_of(set));
  if (std::ranges::any_of(kinds, [&](const RowList& kind) { return kind.rows.size() == set.rows.size(); }))
    return false;
  ++scratch.replanned;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    self_job(kinds[i].view(false), sweep_axis, depth, scratch, out);
    for (std::size_t j = 0; j < i; ++j)
      cross_job(kinds[i].view(false), kinds[j].view(false), sweep_axis, depth, scratch, out);
  }
  return true;
}

template <int D>
bool ColumnSearch<D>::cross_kinds(const ColumnRows& a, const ColumnRows& b, int sweep_axis, int depth, Scratch& scratch,
                                  SearchOutput& out) const {
  Aabb<D, float> bounds = bounds_of(a);
  const Aabb<D, float> others = bounds_of(b);
  for (int axis = 0; axis < D; ++axis) {
    bounds.lo[axis] = std::min(bounds.lo[axis], others.lo[axis]);
    bounds.hi[axis] = std::max(bounds.hi[axis], others.hi[axis]);
  }
  const Kinds kinds_a = kinds_of(a, bounds), kinds_b = kinds_of(b, bounds);
  const auto one_kind = [](const Kinds& kinds, std::size_t count) {
    return std::ranges::any_of(kinds, [&](const RowList& kind) { return kind.rows.size() == count; });
  };
  if (one_kind(kinds_a, a.rows.size()) && one_kind(kinds_b, b.rows.size())) return false;
  ++scratch.replanned;
  for (const RowList& kind_a : kinds_a)
    for (const RowList& kind_b : kinds_b)
      cross_job(kind_a.view(false), kind_b.view(false), sweep_axis, depth, scratch, out);
  return true;
}

}  // namespace sudar
