#include "bench/program_stamp.hpp"

#include <sudar/core/info.hpp>

#include <sys/stat.h>

namespace sudar_bench {

std::string program_stamp() {
  struct stat status {};
  if (stat("/proc/self/exe", &status) != 0) return std::string(sudar::build_info().version);
  return std::to_string(status.st_size) + "-" + std::to_string(status.st_mtime);
}

}  // namespace sudar_bench
