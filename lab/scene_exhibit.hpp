// What:    A living scene of scenes/ as an exhibit: boxes that move by themselves, or a world of bodies.
#pragma once

#include "lab/exhibit.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace sudar::lab {

// "cluster n=10000 speed=0.2 seed=7", the grammar of scenes/spec.hpp. Null, and why not, when it is no good scene.
std::unique_ptr<Exhibit> make_scene_exhibit(std::string_view text, std::string& why_not);

}  // namespace sudar::lab
