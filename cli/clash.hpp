// What:    What `sudar check` speaks of: parts with their meshes, and clashes between them.
// Frame:   The world of the files, metres, whatever the files' units were.
#pragma once

#include <sudar/shapes/triangle_mesh.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sudar_cli {

enum class ClashType : std::uint8_t {
  hard,       // the bodies interpenetrate by more than the tolerance
  touch,      // |distance| is at most the tolerance
  clearance,  // 0 < distance < clearance
  contain,    // one is wholly inside of the other
  duplicate,  // the same surface twice
  self,       // triangles of one part go through each other
};
inline constexpr std::array<std::string_view, 6> kClashTypeNames = {"hard",    "touch",     "clearance",
                                                                    "contain", "duplicate", "self"};
constexpr std::string_view to_string(ClashType type) { return kClashTypeNames[static_cast<std::size_t>(type)]; }

// Which types are asked for
class ClashTypes {
 public:
  constexpr void add(ClashType type) { bits_ |= 1u << static_cast<unsigned>(type); }
  constexpr bool has(ClashType type) const { return (bits_ >> static_cast<unsigned>(type) & 1u) != 0; }
  static constexpr ClashTypes all() {
    ClashTypes out;
    for (unsigned i = 0; i < kClashTypeNames.size(); ++i) out.add(static_cast<ClashType>(i));
    return out;
  }

 private:
  unsigned bits_ = 0;
};

// A body of its own in the search: a whole file, or an object or shell of it
struct CheckPart {
  std::string name;
  std::uint32_t file = 0;  // index into the files
  std::shared_ptr<const sudar::TriangleMesh> mesh;
  bool whole_file = false;  // it is all that the file holds, so that the file's names are its own

  // A body with an inside: closed, and all triangles face one way
  bool is_solid() const { return mesh->is_closed() && mesh->is_oriented(); }
};

struct Clash {
  ClashType type = ClashType::hard;
  std::uint32_t a = 0, b = 0;  // parts, a < b; the same for `self`
  // Depth of hard and contain: the length of a translation of B that takes the bodies apart, which is the shortest up to
  // `depth_lower`. Nothing: it is unknown, and `unknown` says why.
  std::optional<double> depth, depth_lower;
  std::optional<double> distance;  // of touch, clearance and duplicate
  std::string unknown;
  std::optional<bool> inner_is_a;  // of contain: who is inside
  sudar::Vec3d direction{};        // from A to B; zero where there is none
  sudar::Vec3d point{};            // in the middle of the contact
  sudar::Aabb3d bounds = sudar::Aabb3d::empty();
  std::optional<double> contact_length;  // of the curves in which the surfaces cross
  std::string status;                    // against a baseline: new, persistent, resolved
};

}  // namespace sudar_cli
