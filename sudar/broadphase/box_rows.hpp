// What:    The rows in which boxes come in (D minima, then D maxima) against what is asked of a box, and their numbers
//          dealt out to the columns of a store.
// Differs: Compiled for every instruction set through Highway and chosen at run time; the plain twins say the same in
//          scalar code. A block is judged as a whole, without a branch a box: who wants to know which box is bad looks
//          for it afterwards.
#pragma once

#include <sudar/core/config.hpp>

#include <array>
#include <cstddef>

namespace sudar {

template <int D>
using WritableColumns = std::array<float*, 2 * static_cast<std::size_t>(D)>;  // D columns of lo, then D of hi

// Is every number finite and every lo <= hi?
template <int D>
bool rows_are_boxes(const float* rows, std::size_t count) noexcept;
template <int D>
bool rows_are_boxes_plain(const float* rows, std::size_t count) noexcept;

// Number k of row i goes to columns[k][i]
template <int D>
void deal_rows(const float* rows, std::size_t count, const WritableColumns<D>& columns) noexcept;
template <int D>
void deal_rows_plain(const float* rows, std::size_t count, const WritableColumns<D>& columns) noexcept;

}  // namespace sudar
