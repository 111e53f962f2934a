// What:    Colours for links between bodies (contacts, joints): no two links of a colour share a body that can move, so all
//          of a colour may be solved at once.
// Source:  Greedy colouring; Tonge, "Iterative Rigid Body Solvers", GDC 2013.
// Differs: Links are taken in the order given and get the lowest free colour, so the result depends on nothing else. A
//          body with more than 64 links goes on in a next round of 64 colours: no link is left out and none is solved twice.
#pragma once

#include <sudar/core/config.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace sudar {

inline constexpr std::uint32_t kNoColour = 0xffffffffu;

struct Link {
  std::uint32_t a, b;
};

class Colouring {
 public:
  // Colours count from 0 without gaps; returns how many there are. kNoColour for a link of two bodies that cannot move.
  std::uint32_t colour(std::span<const Link> links, std::span<const std::uint8_t> movable,
                       std::span<std::uint32_t> colours);

 private:
  std::vector<std::uint64_t> taken_;
  std::vector<std::uint32_t> pending_;
};

}  // namespace sudar
