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
  bool compared = false;  // the plain search was asked the same
};

class ScriptPlay {
 public:
  virtual ~ScriptPlay() = default;
  virtual std::size_t lines() const = 0;
  // Its word and what follows, cut where nobody reads on
  virtual std::string line_text(std::size_t line) const = 0;
  virtual const ScriptFound& found(std::size_t line) const = 0;
  virtual void draw(DrawList& list, std::size_t lines_done) const = 0;
  virtual bool uses_ranks() const = 0;
  // The last line was too much, and none after it is followed
  virtual bool cut() const = 0;
  // For tests: lines that were followed to draw, so far
  virtual std::size_t lines_drawn() const = 0;
};

enum class ScriptPlaces : std::uint8_t { automatic, metres, ranks };

// A few words make thousands of boxes, and a line of one word finds all their pairs: a script ends, and says so, where it
// would take more than this
struct ScriptLimits {
  std::size_t boxes = 20000;   // that are there at once; what a line makes more is not drawn
  std::size_t kept = 2000000;  // pairs and ids that lines have found, in all; pairs of one look; ends along an axis
  double compared = 4e9;       // pairs that the plain search looks at, in all looks; then it is not asked any more
  double work = 1.6e10;  // in all lines: each weighs as many looks at two boxes as take its time (script_play.cpp)
};

// Follows all of it at once
template <int D>
std::unique_ptr<ScriptPlay> make_script_play(BoxScript<D> script, std::unique_ptr<Broadphase<D>> algorithm,
                                             ScriptPlaces places, const ScriptLimits& limits = {});

}  // namespace sudar::lab
