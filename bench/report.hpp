// What:    The results of a benchmark session as text, CSV, JSON and one self-contained HTML page.
#pragma once

#include "bench/harness.hpp"

#include <iosfwd>
#include <string>
#include <string_view>

namespace sudar_bench {

void print_results(const Session& session, std::ostream& out);
// Makes the folder, and leaves nothing else behind
bool can_write(const std::string& dir);
// The tables as one page of Markdown
bool write_markdown(const Session& session, std::string_view suite, const std::string& file);
// results.json, one CSV per table, report.html; false when a file cannot be written
bool write_results(const Session& session, std::string_view suite, const std::string& dir);

}  // namespace sudar_bench
