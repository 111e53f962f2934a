#include <sudar/core/result.hpp>

namespace sudar {

std::string_view to_string(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::empty_input:
      return "empty_input";
    case ErrorCode::non_finite:
      return "non_finite";
    case ErrorCode::index_out_of_range:
      return "index_out_of_range";
    case ErrorCode::invalid_argument:
      return "invalid_argument";
    case ErrorCode::too_large:
      return "too_large";
    case ErrorCode::degenerate:
      return "degenerate";
    case ErrorCode::not_closed:
      return "not_closed";
    case ErrorCode::not_oriented:
      return "not_oriented";
    case ErrorCode::not_manifold:
      return "not_manifold";
    case ErrorCode::not_convex:
      return "not_convex";
    case ErrorCode::unknown_id:
      return "unknown_id";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::io_failure:
      return "io_failure";
    case ErrorCode::bad_format:
      return "bad_format";
    case ErrorCode::out_of_memory:
      return "out_of_memory";
  }
  return "unknown";
}

std::string Error::message() const {
  std::string text(to_string(code));
  if (element != kNoElement) text += ": element " + std::to_string(element);
  if (*reason != '\0') text += std::string(": ") + reason;
  return text;
}

}  // namespace sudar
