// What:    The exhibits of fields, free space, motion, bodies and evaluation, for the registry.
#pragma once

#include "lab/exhibit_registry.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace sudar::lab {

// All of them, by group
std::span<const ExhibitEntry> field_exhibits();

// Fields and free space
std::unique_ptr<Exhibit> make_distance_field(std::string_view parameters, std::string& why_not);
std::unique_ptr<Exhibit> make_configuration_space(std::string_view parameters, std::string& why_not);
std::unique_ptr<Exhibit> make_grown_trees(std::string_view parameters, std::string& why_not);
std::unique_ptr<Exhibit> make_haptic_probe(std::string_view parameters, std::string& why_not);
// Motion
std::unique_ptr<Exhibit> make_moving_sat(std::string_view parameters, std::string& why_not);
std::unique_ptr<Exhibit> make_conservative_advancement(std::string_view parameters, std::string& why_not);
std::unique_ptr<Exhibit> make_interval_halving(std::string_view parameters, std::string& why_not);
std::unique_ptr<Exhibit> make_substeps(std::string_view parameters, std::string& why_not);
std::unique_ptr<Exhibit> make_time_of_impact(std::string_view parameters, std::string& why_not);
std::unique_ptr<Exhibit> make_time_of_impact2(std::string_view parameters, std::string& why_not);
std::unique_ptr<Exhibit> make_vertex_face(std::string_view parameters, std::string& why_not);
std::unique_ptr<Exhibit> make_edge_edge(std::string_view parameters, std::string& why_not);
std::unique_ptr<Exhibit> make_point_edge(std::string_view parameters, std::string& why_not);
std::unique_ptr<Exhibit> make_ray_bundle(std::string_view parameters, std::string& why_not);
std::unique_ptr<Exhibit> make_ray_bundle2(std::string_view parameters, std::string& why_not);
std::unique_ptr<Exhibit> make_shape_cast(std::string_view parameters, std::string& why_not);
// Bodies
std::unique_ptr<Exhibit> make_levels_of_detail(std::string_view parameters, std::string& why_not);
std::unique_ptr<Exhibit> make_convex_parts(std::string_view parameters, std::string& why_not);
std::unique_ptr<Exhibit> make_bounding_volumes(std::string_view parameters, std::string& why_not);
// Evaluation
std::unique_ptr<Exhibit> make_evaluation(std::string_view parameters, std::string& why_not);

}  // namespace sudar::lab
