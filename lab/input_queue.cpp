#include "lab/input_queue.hpp"

namespace sudar::lab {

namespace {

// GLFW's numbers: this file is free of windows
constexpr int kFirstLetterKey = 32, kLastLetterKey = 162;  // keys that write something
constexpr int kEscape = 256, kEnter = 257, kTab = 258, kKeypadEnter = 335;
constexpr int kShiftKey = 340, kControlKey = 341, kAltKey = 342, kSuperKey = 343, kToRight = 4, kLastModifier = 347;
// A field that is opened or left by a key has or gives back the keyboard two frames later
constexpr int kSettlingFrames = 2;

bool is_modifier(int key) { return key >= kShiftKey && key <= kLastModifier; }
bool writes(int key) { return key >= kFirstLetterKey && key <= kLastLetterKey; }
bool held(const InputState& state, int key) {
  return state.keys[static_cast<std::size_t>(key)] || state.keys[static_cast<std::size_t>(key + kToRight)];
}

}  // namespace

bool InputState::control() const { return held(*this, kControlKey); }
bool InputState::shift() const { return held(*this, kShiftKey); }
bool InputState::alt() const { return held(*this, kAltKey); }
bool InputState::super() const { return held(*this, kSuperKey); }

void InputQueue::key(int key, bool down) {
  if (key >= 0 && key < static_cast<int>(state_.keys.size()))
    events_.push_back({.kind = Event::Kind::key, .number = key, .down = down});
}

void InputQueue::letter(char32_t c) { events_.push_back({.kind = Event::Kind::letter, .letter = c}); }

void InputQueue::button(int button, bool down) {
  if (button >= 0 && button < static_cast<int>(state_.buttons.size()))
    events_.push_back({.kind = Event::Kind::button, .number = button, .down = down});
}

void InputQueue::pointer(double x, double y) {
  // Of a way only its end counts
  if (!events_.empty() && events_.back().kind == Event::Kind::pointer) events_.pop_back();
  events_.push_back({.kind = Event::Kind::pointer, .x = x, .y = y});
}

// What has happened in this frame so far
struct InputQueue::Frame {
  bool typing = false;
  std::array<bool, 512> keys{};
  std::array<bool, 5> buttons{};
  bool pressed = false;  // a key that is a command, not a letter
  bool clicked = false;  // a button went down or up
  bool moved = false;    // the pointer did
};

// False: it has to wait for the next frame
bool InputQueue::take(const Event& event, Frame& frame) {
  const auto number = static_cast<std::size_t>(event.number);
  switch (event.kind) {
    case Event::Kind::key: {
      if (state_.keys[number] == event.down) return true;
      // In a text field its letter follows, and that is all there is to it
      if (frame.typing && event.down && writes(event.number) && !state_.control()) return true;
      const bool modifier = is_modifier(event.number);
      if (frame.keys[number]) return false;
      // Two commands are two frames; a letter is read before the command behind it, and a command with the modifiers
      // that were held then
      if ((event.down || modifier) && frame.pressed) return false;
      if (event.down && !modifier && !state_.typed.empty()) return false;
      frame.keys[number] = true;
      state_.keys[number] = event.down;
      if (!event.down || modifier) return true;
      frame.pressed = true;
      const bool opens_or_leaves = state_.control() || event.number == kEscape || event.number == kEnter ||
                                   event.number == kTab || event.number == kKeypadEnter;
      if (opens_or_leaves) settling_ = kSettlingFrames;
      return true;
    }
    case Event::Kind::letter:
      if (frame.typing && frame.pressed) return false;
      state_.typed += event.letter;
      return true;
    case Event::Kind::button:
      if (state_.buttons[number] == event.down) return true;
      // What is dragged is let go where it was dragged to
      if (frame.buttons[number] || (!event.down && frame.moved)) return false;
      frame.buttons[number] = frame.clicked = true;
      state_.buttons[number] = event.down;
      if (event.down && frame.typing) settling_ = kSettlingFrames;
      return true;
    case Event::Kind::pointer:
      // A click and a shot are where the pointer was then
      if (frame.clicked || frame.pressed) return false;
      state_.has_pointer = frame.moved = true;
      state_.x = event.x, state_.y = event.y;
      return true;
  }
  return true;
}

const InputState& InputQueue::next(bool typing) {
  state_.typed.clear();
  if (settling_ > 0) {
    --settling_;
    // What is let go meanwhile does not count as held
    for (; !events_.empty() && events_.front().kind == Event::Kind::key && !events_.front().down; events_.pop_front())
      state_.keys[static_cast<std::size_t>(events_.front().number)] = false;
    return state_;
  }
  Frame frame;
  frame.typing = typing;
  while (!events_.empty() && settling_ == 0 && take(events_.front(), frame)) events_.pop_front();
  return state_;
}

}  // namespace sudar::lab
