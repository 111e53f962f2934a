// What:    Two exhibits with one shape of every kind: what the library knows, and what the renderer has to draw.
#pragma once

#include "lab/exhibit_registry.hpp"

namespace sudar::lab {

ExhibitEntry shape_gallery2_entry();
ExhibitEntry shape_gallery3_entry();

}  // namespace sudar::lab
