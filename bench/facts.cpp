#include "bench/facts.hpp"

#include <sudar/core/info.hpp>

#include <sys/utsname.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <thread>

namespace sudar_bench {

namespace {

// Written by CMake: the flags, and what is known of every peer
#include "built_with.inc"

std::string from_file(const std::string& file, const std::string& field) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);)
    if (line.rfind(field, 0) == 0) {
      const std::size_t at = line.find_first_not_of(" \t:", line.find(':'));
      return at == std::string::npos ? std::string() : line.substr(at);
    }
  return {};
}

std::string load_average() {
  double load[3] = {};
  if (getloadavg(load, 3) < 1) return "unknown";
  return std::to_string(load[0]).substr(0, 4);
}

std::string date_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace

Facts build_facts() {
  const auto info = sudar::build_info();
  Facts facts = {{"version", std::string(info.version)},
                 {"compiler", std::string(info.compiler)},
                 {"flags", kBuildFlags},
                 {"simd", std::string(info.simd)},
                 {"instruction_set", std::string(sudar::instruction_set())},
                 {"threads", std::string(info.threads)}};
#if defined(SUDAR_ASSERTS)
  facts.push_back({"assertions", "on: times are those of a build for tests"});
#endif
  return facts;
}

Facts peer_facts() {
  Facts facts;
  for (const auto& fact : kPeerFacts)
    if (fact[0] != nullptr) facts.push_back({fact[0], fact[1]});
  return facts;
}

Facts machine_facts() {
  std::string processor = from_file("/proc/cpuinfo", "model name");
  utsname system{};
  uname(&system);
  return {{"processor", processor.empty() ? "unknown" : processor},
          {"cores", std::to_string(std::thread::hardware_concurrency())},
          {"memory", from_file("/proc/meminfo", "MemTotal")},
          {"system", std::string(system.sysname) + " " + system.machine},
          {"date", date_utc()},
          {"load_at_start", load_average()}};
}

}  // namespace sudar_bench
