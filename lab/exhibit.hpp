// What:    The contract of everything that the lab shows: living scenes, stepped algorithms, fields. An exhibit says what is
//          to be drawn and told; the shell has the window, the camera, the keys and the clock.
// Differs: Free of OpenGL and of windows, so that a test can play one without either.
// Fails:   no exception crosses an exhibit; what cannot be done is a Result or is told as a note.
#pragma once

#include "lab/draw_list.hpp"
#include "lab/panel.hpp"
#include "lab/parameter.hpp"
#include <sudar/core/result.hpp>

#include <cstddef>
#include <span>
#include <string>

namespace sudar::lab {

// A ray through the pointer; the direction has length one. In the plane the origin is the point itself.
struct Pick {
  Vec3d origin, direction;
};

// Where the camera starts. Without a size of its own the shell frames what is drawn at first.
struct View {
  bool fit = true;
  Vec3d eye{1, -1.6, 0.9};  // with fit only its direction from the target counts
  Vec3d target{};
  double height = 1;  // of the plane: how much of it is seen, in metres
};

// Frames that an exhibit remembers, oldest first
struct History {
  std::size_t frames = 0;   // 0: it remembers none
  std::size_t current = 0;  // frames - 1 is now
};

// What the last step of a living exhibit took, milliseconds
struct StepCost {
  double step = 0, lab = 0;  // itself; what the lab adds to it, drawing left out
  double swap = 0;           // with the swap, for the first step of another algorithm; 0 for all others
};

class Exhibit {
 public:
  virtual ~Exhibit() = default;

  // What may be set. After the shell or a test has written parameters()[i], or pressed an action, it calls set(i).
  // The span may be another one afterwards.
  virtual std::span<Parameter> parameters() { return {}; }
  virtual Result<void> set(std::size_t) { return {}; }

  // Stepped exhibits: how many steps there are; the shell has slider, arrow keys and play
  virtual std::size_t steps() const { return 0; }
  virtual void go_to(std::size_t) {}
  virtual std::size_t step() const { return 0; }

  // Living exhibits: one frame of so many seconds; not called while paused
  virtual void advance(double) {}
  // One stage of a step (boxes, pairs, …) in place of a whole one; false when it has no stages
  virtual bool advance_stage() { return false; }
  // Frames to go back to; recall(i) shows frame i, and the next advance() goes on from there
  virtual History history() const { return {}; }
  virtual void recall(std::size_t) {}
  virtual StepCost last_step() const { return {}; }

  virtual void draw(DrawList& list) const = 0;
  virtual void tell(Panel& panel) const = 0;

  // "Copy as test case": a line of `sudar query`, or a command line
  virtual std::string as_query() const { return {}; }
  // Moves a coordinate of what is selected by so many ulps; false when there is nothing to nudge
  virtual bool nudge(int, int) { return false; }

  // The pointer: true when something was grabbed
  virtual bool grab(const Pick&) { return false; }
  virtual void drag(const Pick&) {}
  virtual void release(bool) {}  // true: thrown with the speed of the pointer
  virtual void shoot(const Pick&) {}
  // Everything towards the viewer, called every frame while the key is held
  virtual void pull(const Vec3d&) {}

  virtual View home() const { return {}; }
  // A walker with this centre and radius: the shortest way out of what is solid, zero when free. The camera slides with it.
  virtual Vec3d push_out(const Vec3d&, double) const { return {}; }
};

}  // namespace sudar::lab
