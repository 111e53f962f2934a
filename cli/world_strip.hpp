// What:    A strip of pictures of a world as it goes on, as one SVG: `sudar sim --strip`.
// Differs: Drawn by the painter's algorithm without a graphics card: what stands first, then what moves from the back to the
//          front, face by face where a body has faces, by its outline where it is round. Red is what touches something
//          (seed A20).
// Frame:   The plane as it is; space from the front, a little from the side and from above, without perspective.
#pragma once

#include <sudar/dynamics/world.hpp>

#include <string>
#include <vector>

namespace sudar_cli {

template <int D>
class WorldStrip {
 public:
  // The world as it is now becomes the next picture
  void add(const sudar::World<D>& world);
  std::size_t pictures() const { return frames_.size(); }
  // false when it cannot be written
  bool write(const std::string& path, const std::string& title) const;

 private:
  struct Patch {
    std::vector<sudar::Vec2d> corners;  // on the picture plane, up is positive
    double depth = 0;                   // larger is nearer
    double light = 1;
    std::uint32_t body = 0;
    bool fixed = false, red = false, asleep = false;
  };
  struct Frame {
    double time = 0;
    std::vector<Patch> patches;  // in the order of drawing
  };

  void add_shape(const sudar::AnyShape<D>& shape, const sudar::Pose<D, double>& pose, const Patch& like, Frame& frame);

  std::vector<Frame> frames_;
  sudar::Aabb<2, double> seen_ = sudar::Aabb<2, double>::empty();  // all that moves, in all pictures
};

}  // namespace sudar_cli
