// What:    The one list of broad phases by name, read by the command line, the lab, the benchmarks and the tests.
#pragma once

#include <sudar/broadphase/broadphase.hpp>

#include <memory>

namespace sudar {

struct BroadphaseEntry {
  std::string_view name;
  std::string_view what;  // one line
  std::unique_ptr<Broadphase<2>> (*make2)();
  std::unique_ptr<Broadphase<3>> (*make3)();
};

SUDAR_API std::span<const BroadphaseEntry> broadphases() noexcept;

// unknown_id when there is none of that name
template <int D>
SUDAR_API Result<std::unique_ptr<Broadphase<D>>> make_broadphase(std::string_view name);

}  // namespace sudar
