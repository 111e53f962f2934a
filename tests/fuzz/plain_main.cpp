// What:    The targets without libFuzzer, for compilers that do not have it: files are replayed, then changed at random until some
//          seconds have passed in all, a third of them at least. Blind, but with the same promises and the same sanitizers.
// Usage:   fuzz --target=NAME [--seconds=S] [--seed=N] FILE-OR-FOLDER...      The bytes of a failure are in --last=FILE.
#include "tests/fuzz/target.hpp"
#include <sudar/core/random.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace {

using Input = std::vector<std::uint8_t>;
constexpr std::size_t kLongest = 4096;

// A file, or all below a folder. Not std::filesystem, nor streams: the memory sanitizer cannot see into what of them is in the
// standard library.
void add_files(const std::string& path, std::vector<std::string>& out) {
  DIR* folder = opendir(path.c_str());
  if (folder == nullptr) return out.push_back(path);
  while (const dirent* entry = readdir(folder))
    if (entry->d_name[0] != '.') add_files(path + '/' + entry->d_name, out);
  closedir(folder);
}

Input read_input(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) {
    std::fprintf(stderr, "fuzz: %s cannot be read\n", path.c_str());
    std::exit(2);
  }
  Input out;
  std::uint8_t bytes[4096];
  while (const std::size_t count = std::fread(bytes, 1, sizeof bytes, file))
    out.insert(out.end(), bytes, bytes + count);
  std::fclose(file);
  return out;
}

Input changed(const std::vector<Input>& corpus, sudar::Random& random) {
  Input out = corpus[random.below(corpus.size())];
  for (std::uint64_t changes = 1 + random.below(6); changes > 0; --changes) {
    const std::size_t at = out.empty() ? 0 : random.below(out.size());
    const auto place = out.begin() + static_cast<std::ptrdiff_t>(at);
    switch (random.below(6)) {
      case 0:
        if (!out.empty()) *place = static_cast<std::uint8_t>(random.next());
        break;
      case 1:
        if (!out.empty()) *place ^= static_cast<std::uint8_t>(1u << random.below(8));
        break;
      case 2:
        out.insert(place, static_cast<std::uint8_t>(random.next()));
        break;
      case 3:
        out.erase(place,
                  place + static_cast<std::ptrdiff_t>(random.below(std::min<std::size_t>(out.size() - at, 16) + 1)));
        break;
      case 4:
        out.resize(at);
        break;
      default: {
        const Input& other = corpus[random.below(corpus.size())];
        if (other.empty()) break;
        const std::size_t from = random.below(other.size());
        const std::size_t count = 1 + random.below(std::min<std::size_t>(other.size() - from, 64));
        const auto first = other.begin() + static_cast<std::ptrdiff_t>(from);
        const Input piece(first, first + static_cast<std::ptrdiff_t>(count));
        out.insert(place, piece.begin(), piece.end());
      }
    }
  }
  if (out.size() > kLongest) out.resize(kLongest);
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const sudar_fuzz::Target* target = nullptr;
  double seconds = 0;
  std::uint64_t seed = 0;
  std::string last;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto value = [&](std::string_view flag) { return argument.substr(flag.size()); };
    if (argument == "--list") {
      for (const sudar_fuzz::Target& each : sudar_fuzz::targets()) std::puts(each.name.data());
      return 0;
    }
    if (argument.starts_with("--target="))
      target = sudar_fuzz::find_target(value("--target="));
    else if (argument.starts_with("--seconds="))
      seconds = std::strtod(value("--seconds=").c_str(), nullptr);
    else if (argument.starts_with("--seed="))
      seed = std::strtoull(value("--seed=").c_str(), nullptr, 10);
    else if (argument.starts_with("--last="))
      last = value("--last=");
    else
      add_files(argument, files);
  }
  if (target == nullptr) {
    std::fputs("fuzz: say --target=NAME; --list has the names\n", stderr);
    return 2;
  }
  // In one order whatever the file system's is, so that a seed gives the same runs everywhere
  const auto name = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
  std::sort(files.begin(), files.end(),
            [&](const auto& a, const auto& b) { return std::pair(name(a), a) < std::pair(name(b), b); });
  std::vector<Input> corpus = {{}};
  for (const auto& file : files) corpus.push_back(read_input(file));
  // Written before each run, because a failure does not come back, and left open, because opening takes longer than most runs
  const int kept = last.empty() ? -1 : open(last.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (!last.empty() && kept < 0) {
    std::fprintf(stderr, "fuzz: %s cannot be written\n", last.c_str());
    return 2;
  }
  const auto run = [&](const Input& input) {
    const auto size = static_cast<ssize_t>(input.size());
    if (kept >= 0 && (pwrite(kept, input.data(), input.size(), 0) != size || ftruncate(kept, size) != 0))
      std::fprintf(stderr, "fuzz: %s cannot be written\n", last.c_str());
    target->run(input);
  };
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  for (const Input& input : corpus) run(input);
  const auto least = Clock::now() + std::chrono::duration<double>(seconds / 3);
  sudar::Random random(seed);
  std::uint64_t runs = 0;
  for (; Clock::now() < std::max(end, least); ++runs) run(changed(corpus, random));
  std::printf("%s: %zu replayed, %llu changed\n", target->name.data(), corpus.size(),
              static_cast<unsigned long long>(runs));
  return 0;
}
