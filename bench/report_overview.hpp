// What:    The first picture of the report: every race with a peer as a dot, the ratio of times with its spread, the worst first.
#pragma once

#include "bench/losses.hpp"

#include <string>
#include <string_view>

namespace sudar_bench {

// HTML that needs no script; empty without a race
std::string overview_html(const Balance& balance);

// With what HTML would read as its own written out (report_html.cpp)
std::string html_text(std::string_view text);

}  // namespace sudar_bench
