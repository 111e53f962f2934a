// What:    `sudar query`: shape against shape, one JSON object a line in, one out, in the same order.
// Differs: What goes to a file is there when all of it is. Lines of a file are answered on all threads, a block at a time; the
//          answers are those of one thread, in the order of the lines.
#include "cli/commands.hpp"
#include "cli/query_line.hpp"
#include "cli/stop_signal.hpp"
#include "cli/text.hpp"
#include <sudar/core/parallel.hpp>
#include <sudar/io/file_bytes.hpp>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <vector>

namespace sudar_cli {

namespace {

struct QueryArguments {
  std::string cases, out, precision = "f64";
  bool trace = false;
};

struct QueryLine {
  std::string text, answer;
  std::size_t number = 0;
  bool done = false, answered = false;
};

// Some lines, none of them blank: as many as make a block worth its threads, and no more text than is kept anyway
void read_lines(std::istream& in, std::size_t most, std::size_t& number, std::vector<QueryLine>& lines) {
  constexpr std::size_t kMostBytes = 1 << 20;
  lines.clear();
  std::size_t bytes = 0;
  for (std::string text; lines.size() < most && bytes < kMostBytes && std::getline(in, text);) {
    ++number;
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    bytes += text.size();
    lines.push_back({std::move(text), {}, number});
  }
}

void answer_query(QueryLine& line, const LineOptions& options, const ShapeReader& reader) {
  try {
    const LineAnswer answer = answer_line(line.text, line.number, options, reader);
    line.answer = answer.json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    line.answered = answer.answered;
  } catch (const std::bad_alloc&) {
    line.answer = R"({"id":null,"error":{"code":"out_of_memory","message":"memory is exhausted","line":)" +
                  std::to_string(line.number) + "}}";
    line.answered = false;
  }
  line.done = true;
}

int run_query_command(const QueryArguments& arguments) {
  std::ifstream file;
  std::error_code ignored;
  if (arguments.cases != "-") {
    if (std::filesystem::is_directory(arguments.cases, ignored))
      return refuse("query", "cannot read " + arguments.cases + ": it is a directory");
    file.open(arguments.cases);
    if (!file) return refuse("query", "cannot read " + arguments.cases);
  }
  std::istream& in = arguments.cases == "-" ? std::cin : file;
  const bool to_file = !arguments.out.empty();
  // Who writes into a pipe waits for the answer before the next line
  constexpr std::size_t kBlock = 1024, kGrain = 8;
  const std::size_t block =
      arguments.cases != "-" && std::filesystem::is_regular_file(arguments.cases, ignored) ? kBlock : 1;

  const LineOptions options{arguments.precision == "f32", arguments.trace};
  const ShapeReader reader(options.single);
  const StopSignal stop;
  std::string answers;  // for the file
  bool failed = false;
  std::size_t number = 0, last = 0;
  std::vector<QueryLine> lines;
  const bool waits = arguments.cases == "-";
  // So that what was read already can be seen
  if (waits) std::ios::sync_with_stdio(false);
  while (!stop.asked() && std::cout && in) {
    if (waits && in.rdbuf()->in_avail() <= 0 && !stop.wait_to_read(STDIN_FILENO)) break;
    read_lines(in, block, number, lines);
    const auto answer_some = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end && !stop.asked(); ++i) answer_query(lines[i], options, reader);
    };
    if (lines.size() > 1)
      sudar::parallel_for(sudar::default_executor(), lines.size(), kGrain, answer_some);
    else
      answer_some(0, lines.size());
    for (const QueryLine& line : lines) {
      if (!line.done) break;
      failed = failed || !line.answered;
      last = line.number;
      if (to_file)
        answers += line.answer + '\n';
      else
        std::cout << line.answer << '\n';
    }
    if (block == 1) std::cout.flush();
  }
  if (stop.asked()) {
    std::cerr << "sudar query: stopped after line " << last << (to_file ? "; no file is written" : "") << '\n';
    return kPartial;
  }
  if (in.bad()) return refuse("query", "cannot read " + arguments.cases + " beyond line " + std::to_string(number));
  if (to_file && !sudar::write_whole_file(arguments.out, answers))
    return refuse("query", "cannot write " + arguments.out);
  return failed ? kBadInput : kDone;
}

}  // namespace

void add_query(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<QueryArguments>();
  CLI::App* query =
      app.add_subcommand("query", "Shape against shape: intersects, distance, contacts, inside, toi, ccd, ray");
  query->add_option("cases", arguments->cases, "One JSON object a line; - reads stdin and answers line by line")
      ->required();
  query->add_option("--out", arguments->out, "Write the answers to this file instead of stdout");
  query->add_option("--precision", arguments->precision, "f64, or f32: numbers in and out are rounded to float")
      ->check(CLI::IsMember({"f32", "f64"}))
      ->capture_default_str();
  query->add_flag("--trace", arguments->trace,
                  "Add what GJK and EPA do on the same pair, whichever method gave the answer");
  query->footer(
      "Distances carry a certificate: lower <= the true separation <= upper. A line that cannot be answered gives an\n"
      "\"error\", and the command ends with 2 after the rest. {\"type\":\"mesh\",\"file\":\"gear.stl\"} takes STL, "
      "OBJ, PLY, OFF and\n"
      "glTF files, by paths from where the command runs; each is read once. Without \"solid\" it is a body where it is "
      "watertight.\n"
      "Examples:\n  sudar query cases.jsonl --out results.jsonl\n"
      "  echo '{\"id\":1,\"op\":\"distance\",\"dim\":3,\"a\":{\"shape\":{\"type\":\"sphere\",\"radius\":1}},"
      "\"b\":{\"shape\":{\"type\":\"box\",\"half\":[1,1,1]},\"pose\":{\"position\":[3,0,0]}}}' | sudar query -");
  query->callback([arguments, &exit_code] { exit_code = run_query_command(*arguments); });
}

}  // namespace sudar_cli
