// What:    The exhibits of the microscope: each steps through the trace of one algorithm of the library, forwards and
//          backwards. One function an exhibit, for the list in exhibit_registry.cpp.
// Differs: Continuous methods (conservative advancement, interval halving) are with the fields, because their picture is a
//          curve over time.
#pragma once

#include "lab/exhibit_registry.hpp"

namespace sudar::lab {

ExhibitEntry sat2_exhibit();
ExhibitEntry sat3_exhibit();
ExhibitEntry gjk2_exhibit();
ExhibitEntry gjk3_exhibit();
ExhibitEntry epa2_exhibit();
ExhibitEntry epa3_exhibit();
ExhibitEntry contacts2_exhibit();
ExhibitEntry contacts3_exhibit();
ExhibitEntry vclip_exhibit();
ExhibitEntry triangles_exhibit();
ExhibitEntry hull2_exhibit();
ExhibitEntry hull3_exhibit();
ExhibitEntry welzl2_exhibit();
ExhibitEntry welzl3_exhibit();
ExhibitEntry calipers_exhibit();
ExhibitEntry delaunay2_exhibit();
ExhibitEntry tree_build_exhibit();
ExhibitEntry sweep_exhibit();
ExhibitEntry box_script_exhibit();

}  // namespace sudar::lab
