// What:    The mesh files that a command names, as shapes: each is read once, however often it is named.
// Differs: Bad files are remembered as well. When the shapes kept grow past kKept triangles, all are forgotten, so that a
//          list of many large files does not fill the memory. May be asked from several threads.
#pragma once

#include <sudar/core/result.hpp>
#include <sudar/shapes/shape3.hpp>

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>

namespace sudar_cli {

class MeshShelf {
 public:
  // All parts of the file as one mesh, or the body it bounds: then vertices at equal places count as one. Without `solid` it
  // is a body where it bounds one. `single` rounds the coordinates to float. Throws QueryError.
  sudar::Shape3 shape(const std::string& path, std::optional<bool> solid, bool single);

 private:
  struct Entry {
    sudar::Result<sudar::Shape3> shape;
    std::string message;  // of the error
  };
  static Entry read(const std::string& path, std::optional<bool> solid, bool single, std::size_t& triangles);

  std::mutex mutex_;
  std::map<std::tuple<std::string, std::optional<bool>, bool>, Entry> entries_;
  std::size_t triangles_ = 0;
};

}  // namespace sudar_cli
