// What:    A file of the C library that closes itself, and what the readers and writers of files say when they fail.
// Differs: Not a stream of C++: a stream cannot be made from a file that is open already, nor refuse one that is there.
// Fails:   io_failure.
#pragma once

#include <sudar/core/result.hpp>

#include <cstdio>
#include <memory>
#include <system_error>
#include <type_traits>

namespace sudar::detail {

struct CloseFile {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using CFile = std::unique_ptr<std::FILE, CloseFile>;

inline Error file_failure(const char* reason) { return {ErrorCode::io_failure, Error::kNoElement, reason}; }

// Paths and strings may throw what `guarded` does not know
template <class F>
auto with_files(F&& body) noexcept {
  return guarded([&]() -> std::invoke_result_t<F> {
    try {
      return body();
    } catch (const std::system_error&) {
      return file_failure("the name of the file cannot be used");
    }
  });
}

}  // namespace sudar::detail
