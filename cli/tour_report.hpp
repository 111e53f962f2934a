// What:    The results of a tour: a table for the terminal, CSV, JSON, and one self-contained page with pictures.
#pragma once

#include "cli/tour.hpp"

#include <iosfwd>
#include <string>

namespace sudar_cli {

void print_table(const Tour& tour, std::ostream& out);
std::string tour_json(const Tour& tour);
std::string tour_csv(const Tour& tour);
std::string tour_html(const Tour& tour);

}  // namespace sudar_cli
