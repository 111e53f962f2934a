// What:    `sudar query`: shape against shape, one JSON object a line in, one out, in the same order.
// Differs: What goes to a file is there when all of it is. Lines of a file are answered on all threads, a block at a time; the
//          answers are those of one thread, in the order of the lines.
#include "cli/commands.hpp"
#include "cli/leave.hpp"
#include "cli/out_place.hpp"
#include "cli/query_line.hpp"
#include "cli/stop_signal.hpp"
#include "cli/text.hpp"
#include <sudar/core/parallel.hpp>
#include <sudar/io/file_bytes.hpp>

#include <CLI/CLI.hpp>

#include <atomic>
#include <cstdlib>
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

// What is known of a run, for one who may look at it before its end
struct QueryRun {
  std::string answers;               // for the file
  std::atomic<std::size_t> last{0};  // line whose answer is told
  bool failed = false, stopped = false, pipe = false;
  std::string trouble;
};

void answer_lines(const QueryArguments& arguments, const std::atomic<bool>& stop, QueryRun& run) {
  std::ifstream file;
  if (arguments.cases != "-") {
    file.open(arguments.cases);
    if (!file) {
      run.trouble = "cannot read " + arguments.cases;
      return;
    }
  }
  std::istream& in = arguments.cases == "-" ? std::cin : file;
  const bool to_file = !arguments.out.empty();
  // Who writes into a pipe waits for the answer before the next line
  constexpr std::size_t kBlock = 1024, kGrain = 8;
  std::error_code ignored;
  run.pipe = arguments.cases == "-" || !std::filesystem::is_regular_file(arguments.cases, ignored);
  const std::size_t block = run.pipe ? 1 : kBlock;

  const LineOptions options{arguments.precision == "f32", arguments.trace};
  const ShapeReader reader(options.single);
  std::size_t number = 0;
  std::vector<QueryLine> lines;
  while (!run.stopped && std::cout && in) {
    read_lines(in, block, number, lines);
    const auto answer_some = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end && !stop; ++i) answer_query(lines[i], options, reader);
    };
    if (lines.size() > 1)
      sudar::parallel_for(sudar::default_executor(), lines.size(), kGrain, answer_some);
    else
      answer_some(0, lines.size());
    std::size_t told = run.last;
    for (const QueryLine& line : lines) {
      run.stopped = !line.done;
      if (run.stopped) break;
      run.failed = run.failed || !line.answered;
      told = line.number;
      if (to_file)
        run.answers += line.answer + '\n';
      else
        std::cout << line.answer << '\n';
    }
    // What is told is there: the run may be left at any time
    std::cout.flush();
    run.last = told;
    run.stopped = run.stopped || (stop && in);
  }
  if (in.bad()) run.trouble = "cannot read " + arguments.cases + " beyond line " + std::to_string(number);
}

int run_query_command(const QueryArguments& arguments) {
  std::error_code ignored;
  if (arguments.cases != "-" && std::filesystem::is_directory(arguments.cases, ignored))
    return refuse("query", "cannot read " + arguments.cases + ": it is a directory");
  const bool to_file = !arguments.out.empty();
  if (const std::string fault = fault_of_places({arguments.out}); !fault.empty()) return refuse("query", fault);
  if (arguments.cases == "-") std::ios::sync_with_stdio(false);  // reads ahead

  const StopSignal stop;
  QueryRun run;
  // Reading and writing may wait for others, and one line may take minutes
  const bool left = !run_or_leave([&] { answer_lines(arguments, stop.flag(), run); }, stop.flag());
  // It may be in the middle of the standard output, which is not touched then
  if (left) std::cerr.tie(nullptr);
  // The signal may have ended the one who writes a pipe, too: its end is not the end of the lines then
  const bool stopped = left || run.stopped || (run.pipe && stop.asked());
  if (stopped)
    std::cerr << "sudar query: stopped after line " << run.last << (to_file ? "; no file is written" : "") << '\n';
  if (left) std::_Exit(kPartial);
  if (stopped) return kPartial;
  if (!run.trouble.empty()) return refuse("query", run.trouble);
  if (to_file && !sudar::write_whole_file(arguments.out, run.answers))
    return refuse("query", "cannot write " + arguments.out);
  return run.failed ? kBadInput : kDone;
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
