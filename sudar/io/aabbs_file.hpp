// What:    Recordings of moving boxes in Broadmark's .aabbs files.
// Source:  Serpa and Rodrigues, "Broadmark: A Testing Framework for Broad-Phase Collision Detection Algorithms", 2020.
//          Little-endian: a name and a kind of object of 128 bytes each, ended by 0; the number of boxes, the number of
//          frames and two zeros as 32-bit integers; then boxes as float32 x, y, z, 0 of the minimum and of the maximum:
//          the world, and the boxes of each frame.
// Differs: The recorder writes the frame before the first step as well, which the number of frames does not count: one
//          frame more than it says is taken in too. Nothing in a file is trusted: the counts must agree with its size
//          before memory is asked for.
// Fails:   bad_format when it is not what it says; a file that ends early names the first box that is not all there.
#pragma once

#include <sudar/io/boxes_file.hpp>

#include <cstddef>
#include <span>

namespace sudar {

SUDAR_API Result<BoxesFile> parse_aabbs(std::span<const std::byte> bytes);

}  // namespace sudar
