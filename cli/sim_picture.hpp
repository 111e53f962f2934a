// What:    The picture of `sudar sim --screenshot`: bodies or boxes as they are at the end, drawn as the lab draws them.
// Fails:   write() says why not; a build without the lab makes no pictures.
#pragma once

#include "scenes/physics.hpp"

#include <memory>
#include <string>

namespace sudar::lab {
class DrawList;
}

namespace sudar_cli {

class SimPicture {
 public:
  static bool available();

  template <int D>
  void take(const sudar::World<D>& world);
  template <int D>
  void take(std::span<const sudar::scenes::Body<D>> bodies);
  // False, and why not
  bool write(const std::string& path, std::string& why_not) const;

 private:
  std::shared_ptr<sudar::lab::DrawList> list_;
};

}  // namespace sudar_cli
