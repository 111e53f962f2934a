// What:    One function a scene; the registry lists them.
#pragma once

#include "scenes/registry.hpp"

#include <algorithm>
#include <cmath>

namespace sudar::scenes {

// clang-format off
template <int D> std::unique_ptr<Scene<D>> make_uniform(const Spec& spec);
template <int D> std::unique_ptr<Scene<D>> make_brownian(const Spec& spec);
template <int D> std::unique_ptr<Scene<D>> make_free_fall(const Spec& spec);
template <int D> std::unique_ptr<Scene<D>> make_cluster(const Spec& spec);
template <int D> std::unique_ptr<Scene<D>> make_city(const Spec& spec);
template <int D> std::unique_ptr<Scene<D>> make_giant(const Spec& spec);
template <int D> std::unique_ptr<Scene<D>> make_power_law(const Spec& spec);
template <int D> std::unique_ptr<Scene<D>> make_line(const Spec& spec);
template <int D> std::unique_ptr<Scene<D>> make_lattice(const Spec& spec);
template <int D> std::unique_ptr<Scene<D>> make_one_point(const Spec& spec);
template <int D> std::unique_ptr<Scene<D>> make_moving_gravity(const Spec& spec);
template <int D> std::unique_ptr<Scene<D>> make_shell(const Spec& spec);
template <int D> std::unique_ptr<Scene<D>> make_plane(const Spec& spec);
template <int D> std::unique_ptr<Scene<D>> make_teleporting(const Spec& spec);
template <int D> std::unique_ptr<Scene<D>> make_churn(const Spec& spec);
template <int D> std::unique_ptr<Scene<D>> make_sleeping(const Spec& spec);
template <int D> std::unique_ptr<Scene<D>> make_rooms(const Spec& spec);
// clang-format on

}  // namespace sudar::scenes
