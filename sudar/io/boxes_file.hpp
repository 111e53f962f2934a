// What:    Boxes in files: .npy of shape (N, 2 D) or (F, N, 2 D), .csv of one frame, or .aabbs recordings of Broadmark;
//          D minima, then D maxima.
// Differs: Numbers stay in the precision of the file until a box store rounds them outward.
// Fails:   As read_npy; shapes that are no boxes: bad_format. A bad row of a .csv is named by its number, counted from
//          0 without header, blank lines and comments. NaN, infinities and lo > hi are what check_boxes() looks for.
#pragma once

#include <sudar/core/result.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sudar {

struct BoxesFile {
  int dim = 3;
  std::size_t frames = 0, boxes = 0;
  std::variant<std::vector<float>, std::vector<double>> values;  // frame by frame, box by box
};

// By the ending of the name: .npy, .csv or .aabbs (see aabbs_file.hpp)
SUDAR_API Result<BoxesFile> read_boxes(const std::string& path);
SUDAR_API Result<BoxesFile> parse_boxes_csv(std::string_view text);

// non_finite or invalid_argument (lo > hi) for the first bad box of all frames; the element is frame * N + row
SUDAR_API Result<void> check_boxes(const BoxesFile& file);

}  // namespace sudar
