// What:    A path for a file that one test writes: tests run side by side, in both precisions, and must not share it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

namespace sudar_test {

inline std::string temp_path(const std::string& name) {
  return testing::TempDir() + "sudar_" + std::to_string(getpid()) + '_' + name;
}

}  // namespace sudar_test
