#include <sudar/broadphase/columns.hpp>

namespace sudar {

template <int D>
Columns<D>::Columns()
    : Broadphase<D>({{"width", "width of a column, in typical box edges", D == 2 ? 24.0 : 7.0, 2.0, 100.0, false}}) {}

template <int D>
void Columns<D>::do_pairs(const BoxStore<D>& store, SearchOutput& out) {
  search_.search(store, this->parameter(0), this->executor(), this->parts(), out);
}

template class SUDAR_API Columns<2>;
template class SUDAR_API Columns<3>;

}  // namespace sudar
