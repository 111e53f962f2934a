// What:    The boxes of a frame for the command line: a file that `sudar pairs` reads, and the line that runs it.
// Frame:   Row i is the box of the i-th id in rising order; float32, D minima and then D maxima.
// Fails:   io_failure. `sudar pairs` knows neither filters nor fixed boxes: then it finds more pairs, and the line says so.
#pragma once

#include <sudar/broadphase/box_store.hpp>

#include <string>

namespace sudar::lab {

// By the ending of the name: .npy or .csv
template <int D>
Result<void> save_case(const BoxStore<D>& store, const std::string& path);
template <int D>
std::string case_command(const BoxStore<D>& store, const std::string& path, std::string_view algorithm);

}  // namespace sudar::lab
