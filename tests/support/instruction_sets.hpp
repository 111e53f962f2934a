// What:    Tests that run once under every instruction set that the library was compiled for and the processor has.
#pragma once

#include <sudar/core/instruction_sets.hpp>

#include <gtest/gtest.h>

#include <string>

namespace sudar_test {

template <class F>
void for_each_instruction_set(F&& body) {
  const auto names = sudar::instruction_sets();
  for (std::size_t i = 0; i < names.size(); ++i) {
    SCOPED_TRACE(std::string(names[i]));
    sudar::hold_to_instruction_set(i);
    body();
  }
  sudar::hold_to_instruction_set(names.size());
}

// False under Highway's stand-in for a processor without vectors, where some kernels leave the work to exact code
inline bool on_vectors() { return sudar::dispatched_instruction_set() != "SCALAR"; }

}  // namespace sudar_test

// A TEST of kernels: the whole of it under each
#define TEST_SIMD(suite, name)                                                                \
  static void suite##_##name##_under_one_set();                                               \
  TEST(suite, name) { sudar_test::for_each_instruction_set(suite##_##name##_under_one_set); } \
  static void suite##_##name##_under_one_set()
