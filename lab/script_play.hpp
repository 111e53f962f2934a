// What:    A script of boxes followed by a broad phase, line by line: what changes, which pairs it finds, what began and ended,
//          what its questions are answered, and whether the plain search over all pairs says the same. Drawn after any line.
// Frame:   Boxes lie where they are, moved and scaled into the picture, or by the ranks of their ends, which is all that decides
//          pairs: what touches has one rank, and what is apart by one unit in the last place has two.
#pragma once

#include "lab/box_script.hpp"
#include "lab/draw_list.hpp"

#include <memory>
#include <string>
#include <vector>

namespace sudar::lab {

// What a line found, as far as it can be drawn
struct ScriptFound {
  std::vector<IdPair> pairs, missing, extra;  // against the plain search
  std::vector<std::uint32_t> ids;             // that it is about, or that answer a question
  std::string told, value;
  bool wrong = false;
};

class ScriptPlay {
 public:
  virtual ~ScriptPlay() = default;
  virtual std::size_t lines() const = 0;
  virtual std::string line_text(std::size_t line) const = 0;
  virtual const ScriptFound& found(std::size_t line) const = 0;
  virtual void draw(DrawList& list, std::size_t lines_done) const = 0;
  virtual bool uses_ranks() const = 0;
};

enum class ScriptPlaces : std::uint8_t { automatic, metres, ranks };

// Follows all of it at once
template <int D>
std::unique_ptr<ScriptPlay> make_script_play(BoxScript<D> script, std::unique_ptr<Broadphase<D>> algorithm,
                                             ScriptPlaces places);

}  // namespace sudar::lab
