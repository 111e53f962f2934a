// What:    Result<T>: a value, or a typed error that says which element of the input was bad.
// Differs: No exception leaves a function that returns one. `guarded` turns the two that the standard library can raise while
//          memory is being asked for (bad_alloc, length_error) into errors, at the doors where memory grows; functions that
//          return a container, and queries of bodies that are not convex, throw bad_alloc as a container does.
#pragma once

#include <sudar/core/assert.hpp>
#include <sudar/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace sudar {

enum class ErrorCode : std::uint8_t {
  empty_input,         // no element at all where at least one is needed
  non_finite,          // a NaN or an infinity
  index_out_of_range,  // an index that points past the end
  invalid_argument,    // a number outside of its documented range
  too_large,           // a count past what the index type or the documented limit allows
  degenerate,          // flat, collinear or zero-size where that has no answer
  not_closed,          // a mesh with a boundary where a closed one is needed
  not_oriented,        // a mesh whose triangles disagree on which side is out
  not_manifold,        // an edge with more than two triangles, or a pinched vertex
  not_convex,          // a polygon or body that must be convex and is not
  unknown_id,          // a handle or id that does not exist (any more)
  unsupported,         // a combination that has no method
  io_failure,          // a file that cannot be opened, read or written
  bad_format,          // a file whose contents are not what its format says
  out_of_memory,
};

SUDAR_API std::string_view to_string(ErrorCode code) noexcept;

struct Error {
  static constexpr std::size_t kNoElement = static_cast<std::size_t>(-1);

  ErrorCode code;
  std::size_t element = kNoElement;  // index of the offending element in its input, when there is one
  const char* reason = "";           // a static string, never owned

  // "non_finite: element 17: coordinate is NaN or infinite"
  SUDAR_API std::string message() const;
  friend bool operator==(const Error& a, const Error& b) { return a.code == b.code && a.element == b.element; }
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, error) {}

  bool ok() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }

  T& value() & {
    SUDAR_ASSERT(ok());
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    SUDAR_ASSERT(ok());
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    SUDAR_ASSERT(ok());
    return std::move(*std::get_if<0>(&state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Error& error() const {
    SUDAR_ASSERT(!ok());
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(error) {}

  bool ok() const noexcept { return !error_.has_value(); }
  explicit operator bool() const noexcept { return ok(); }
  const Error& error() const {
    SUDAR_ASSERT(!ok());
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

// Run `body`, which returns a Result, and turn a failed allocation into an error
template <class F>
std::invoke_result_t<F> guarded(F&& body) noexcept {
  try {
    return std::forward<F>(body)();
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::out_of_memory, Error::kNoElement, "memory is exhausted"};
  } catch (const std::length_error&) {
    return Error{ErrorCode::too_large, Error::kNoElement, "more elements than a container can hold"};
  }
}

}  // namespace sudar
