// What:    Keys, letters, buttons and the pointer as a window tells them, handed out frame by frame. What is pressed and let go
//          between two frames is seen pressed for one of them, and everything is seen in the order in which it was done.
// Differs: Dear ImGui 1.86 looks at the state of the keys once a frame and loses what is shorter, which at the speed of a
//          software renderer is most of what a hand does. Letters that follow each other go to a text field together.
// Frame:   Keys and buttons have GLFW's numbers; the pointer is in the window, from its top left corner.
// Fails:   never; numbers that are no key or button are left out.
#pragma once

#include <array>
#include <deque>
#include <string>

namespace sudar::lab {

// What a frame sees
struct InputState {
  std::array<bool, 512> keys{};
  std::array<bool, 5> buttons{};
  bool has_pointer = false;  // it has moved in the window
  double x = 0, y = 0;
  std::u32string typed;  // in this frame

  bool control() const;
  bool shift() const;
  bool alt() const;
  bool super() const;
};

class InputQueue {
 public:
  void key(int key, bool down);
  void letter(char32_t c);
  void button(int button, bool down);
  void pointer(double x, double y);

  // The next frame. `typing`: a text field has the keyboard.
  const InputState& next(bool typing);
  // Something is still to be seen
  bool waiting() const { return !events_.empty(); }

 private:
  struct Event {
    enum class Kind { key, letter, button, pointer } kind;
    int number = 0;
    bool down = false;
    char32_t letter = 0;
    double x = 0, y = 0;
  };
  struct Frame;
  bool take(const Event& event, Frame& frame);

  std::deque<Event> events_;
  InputState state_;
  int settling_ = 0;  // frames that see nothing new, because a text field opens or closes
};

}  // namespace sudar::lab
