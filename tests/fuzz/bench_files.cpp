// What `sudar bench` reads: two results to compare (--compare, --with), the second after a zero, and parts of a run to go on
// with (--resume). Whatever they are, they are taken or refused in words, what is the same is not worse, and what is written
// again is the same.
#include "bench/compare.hpp"
#include "bench/part_file.hpp"
#include "tests/fuzz/one_file.hpp"
#include <sudar/io/file_bytes.hpp>

#include <algorithm>
#include <sstream>

namespace sudar_fuzz {

namespace {

int compared(const std::string& older, const std::string& newer) {
  std::ostringstream out, errors;
  const int code = sudar_bench::compare_results(older, newer, out, errors);
  promise(code >= 0 && code <= 2, "a comparison has an answer");
  promise(code == 2 ? !errors.str().empty() : !out.str().empty(), "an answer is in words");
  return code;
}

void look_at_run(FuzzBytes bytes) {
  static const OneFile kOlder("older"), kNewer("newer");
  const auto zero = static_cast<std::size_t>(std::find(bytes.begin(), bytes.end(), 0) - bytes.begin());
  const std::string& older = kOlder.holding(bytes.first(zero));
  promise(compared(older, older) != 1, "what is the same is not worse");
  if (zero < bytes.size()) compared(older, kNewer.holding(bytes.subspan(zero + 1)));
}

void look_at_part(FuzzBytes bytes) {
  static const OneFile kFile("part");
  const std::string& path = kFile.holding(bytes);
  const auto written = [&](const sudar_bench::PartResult& part) {
    promise(sudar_bench::write_part(part, {}, path), "a part can be written");
    const auto text = sudar::read_whole_file(path);
    promise(text.ok(), "a part that was written is there");
    return *text;
  };
  const auto part = sudar_bench::read_part(path);
  if (!part) return;
  for (const sudar_bench::Finding& finding : part->results.findings)
    promise(finding.verdict <= sudar_bench::Verdict::open, "a verdict has a name");
  const std::string text = written(*part);
  const auto again = sudar_bench::read_finished_part(path, {});
  promise(again.has_value() == part->trouble.empty(), "a part that came to its end can be gone on with");
  if (again) promise(written(*again) == text, "what is written is read as the same");
}

}  // namespace

bool fuzz_bench_files(FuzzBytes bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const bool is_run = text.find("sudar/bench-1") != text.npos, is_part = text.find("sudar/bench-part-1") != text.npos;
  if (!is_run && !is_part) return false;
  if (kStreamsAreSeen) is_run ? look_at_run(bytes) : look_at_part(bytes);
  return true;
}

}  // namespace sudar_fuzz
