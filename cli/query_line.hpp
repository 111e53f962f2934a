// What:    One line of `sudar query`: a JSON object in, a JSON object out.
// Differs: The narrow phase is double by name. With `single` the numbers that come in and go out are rounded to float, as
//          they are for a program that links the float library.
// Fails:   never: a line that cannot be answered has an "error" for an answer.
#pragma once

#include "cli/shape_json.hpp"

#include <string>

namespace sudar_cli {

struct LineOptions {
  bool single = false;
  bool trace = false;  // adds what GJK and EPA do on the same pair
};

struct LineAnswer {
  nlohmann::ordered_json json;
  bool answered = true;  // false: the answer is an error
};

// `number` is that of the line, for errors
LineAnswer answer_line(const std::string& text, std::size_t number, const LineOptions& options,
                       const ShapeReader& reader);

}  // namespace sudar_cli
