// What:    This very program once more, with other arguments, as its users start it: how long it takes, how much memory, when
//          it first says something on a terminal, how long it is silent, and how soon it ends after Ctrl-C.
// Fails:   `code` is -1 when it could not be started or took longer than allowed, and minus the signal when one ended it.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace sudar_bench {

struct ProgramCall {
  std::vector<std::string> arguments;
  std::string output = "/dev/null";  // a file for what it prints
  double interrupt_after = 0;        // seconds until Ctrl-C; 0: never
  double limit = 300;                // seconds
};

struct ProgramRun {
  int code = -1;
  double seconds = std::numeric_limits<double>::infinity();  // one that could not be started never ends
  double first_word = 0, longest_silence = 0;                // of stderr, which is a terminal
  double stopped_after = 0;                                  // seconds between Ctrl-C and the end
  double peak_megabytes = 0;
};

ProgramRun run_program(const ProgramCall& call);

// A folder that is there as long as this object is. One that cannot be made is an exception, so that nothing is written
// elsewhere; the part that wanted it says so.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + '/' + name; }

 private:
  std::string path_;
};

// The whole of a file; empty when it cannot be read
std::string text_of_file(const std::string& path);

}  // namespace sudar_bench
