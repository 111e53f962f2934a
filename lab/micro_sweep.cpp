// What:    The microscope on sweep and prune: the sorted ends along each axis, and what every swap of two of them means.
#include "lab/microscope.hpp"
#include "lab/palette.hpp"
#include "lab/stepped.hpp"
#include <sudar/broadphase/sap.hpp>
#include <sudar/core/random.hpp>

#include <algorithm>
#include <set>

namespace sudar::lab {

namespace {

class MicroSweep final : public Stepped {
 public:
  MicroSweep() {
    parameters_.push_back(Parameter::whole("boxes", "Boxes", 8, 2, 26));
    parameters_.push_back(Parameter::whole("seed", "Seed", 3, 0, 999));
    parameters_.push_back(Parameter::whole("frames", "Frames", 5, 1, 20));
    parameters_.push_back(Parameter::number("speed", "Speed", "m a frame", 0.25, 0, 0.28));
  }
  std::string as_query() const override { return command_line("sweep"); }

 private:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;
  using Box = Aabb<2, double>;

  static std::string name_of_box(std::uint32_t id) { return std::string(1, static_cast<char>('a' + id)); }
  static std::string name_of_end(std::uint32_t end) {
    return end % 2 == 0 ? "[" + name_of_box(end / 2) : name_of_box(end / 2) + "]";
  }
  static Pair sorted(std::uint32_t a, std::uint32_t b) { return {std::min(a, b), std::max(a, b)}; }

  void run() override {
    const auto count = static_cast<std::uint32_t>(parameter("boxes").value);
    const auto frame_count = static_cast<std::size_t>(parameter("frames").value);
    const double speed = parameter("speed").value;
    Random random(static_cast<std::uint64_t>(parameter("seed").value));
    std::vector<Box> boxes;
    std::vector<Vec2d> velocities;
    for (std::uint32_t i = 0; i < count; ++i) {
      // Two stand in opposite corners: what moves far against the extent of all is taken out and merged, not swapped
      const Vec2d corner = i == 0 ? Vec2d{-2.3, -2.3} : Vec2d{2.3, 2.3};
      const Vec2d c = i < 2 ? corner : Vec2d{random.uniform(-1.8, 1.8), random.uniform(-1.8, 1.8)};
      const Vec2d half{random.uniform(0.3, 0.65), random.uniform(0.3, 0.65)};
      boxes.push_back({c - half, c + half});
      const Vec2d way{random.uniform(-1, 1), random.uniform(-1, 1)};
      velocities.push_back(i < 2 ? Vec2d{} : way * speed);
    }
    BoxStore<2> store;
    Sap<2> sap;
    frames_ = {boxes};
    first_event_ = {0};
    start_pairs_.clear(), end_pairs_.clear();
    for (const Box& box : boxes)
      if (!store.insert(box)) return;
    // Few boxes that all move would be started anew; here it is the sorting that is to be seen
    if (!sap.set_parameter("batch", 1) || !sap.build(store)) return;
    if (const auto pairs = sap.pairs(store))
      for (const auto& pair : *pairs) start_pairs_.insert({pair.lo, pair.hi});
    sap.watch(&log_);
    for (std::size_t f = 0; f < frame_count; ++f) {
      for (std::uint32_t i = 0; i < count; ++i) {
        for (int k = 0; k < 2; ++k)
          if ((boxes[i].lo[k] < -2.5 && velocities[i][k] < 0) || (boxes[i].hi[k] > 2.5 && velocities[i][k] > 0))
            velocities[i][k] = -velocities[i][k];
        boxes[i] = {boxes[i].lo + velocities[i], boxes[i].hi + velocities[i]};
        if (!store.move(i, boxes[i])) return;
      }
      frames_.push_back(boxes);
      first_event_.push_back(events().size());
      if (!sap.update(store)) return;
    }
    if (const auto pairs = sap.pairs(store))
      for (const auto& pair : *pairs) end_pairs_.insert({pair.lo, pair.hi});
    tell_steps();
  }

  void tell_steps() {
    add("sorted", num(start_pairs_.size()),
        "The ends of all boxes are sorted along both axes, and the pairs that overlap are known: " +
            num(start_pairs_.size()) + ".",
        0);
    for (std::size_t i = 0; i < events().size(); ++i) {
      const Entry& e = events()[i];
      const std::string frame = "Frame " + num(frame_of(i + 1)) + ": ";
      std::string text;
      if (e.step == "part")
        text = frame + "the boxes " + name_of_box(e.ids[0]) + " and " + name_of_box(e.ids[1]) +
               " overlap no more; the pair goes.";
      else if (e.step == "axis")
        text = frame + "the boxes have moved. Along " + (e.value == 0 ? "x" : "y") +
               " the list is still in its old order: sort it by swaps.";
      else if (e.step == "swap")
        text = name_of_end(e.ids[0]) + " passes " + name_of_end(e.ids[1]) + ". " +
               (e.value != 0
                    ? "A lower end passes an upper one: the two begin to overlap on this axis, so look at the boxes."
                : e.ids[0] % 2 == 1 && e.ids[1] % 2 == 0 ? "An upper end passes a lower one: they part on this axis."
                                                         : "Two ends of one kind: nothing changes.");
      else
        text = "The boxes " + name_of_box(e.ids[0]) + " and " + name_of_box(e.ids[1]) +
               (e.value != 0 ? " overlap on the other axis, too: a new pair."
                             : " do not overlap on the other axis: no pair.");
      add(e.step, e.step == "axis" ? (e.value == 0 ? "x" : "y") : name_of_pair(e), text, i + 1);
    }
    add("answer", num(end_pairs_.size()), "Sorted again: " + num(end_pairs_.size()) + " pairs.", events().size());
  }
  static std::string name_of_pair(const Entry& e) {
    return e.step == "swap" ? name_of_end(e.ids[0]) + " " + name_of_end(e.ids[1])
                            : name_of_box(e.ids[0]) + " " + name_of_box(e.ids[1]);
  }

  // The frame in which that many events have happened
  std::size_t frame_of(std::size_t events_done) const {
    std::size_t f = 0;
    while (f + 1 < first_event_.size() && first_event_[f + 1] < events_done) ++f;
    return f;
  }

  struct State {
    std::vector<std::uint32_t> ends[2];
    std::set<Pair> pairs;
    int axis = -1;
  };
  State state_after(std::size_t events_done) const {
    State s;
    s.pairs = start_pairs_;
    for (int axis = 0; axis < 2; ++axis) {
      for (std::uint32_t id = 0; id < frames_[0].size(); ++id)
        s.ends[axis].insert(s.ends[axis].end(), {2 * id, 2 * id + 1});
      std::stable_sort(s.ends[axis].begin(), s.ends[axis].end(),
                       [&](std::uint32_t a, std::uint32_t b) { return at(0, a, axis) < at(0, b, axis); });
    }
    for (std::size_t i = 0; i < events_done; ++i) {
      const Entry& e = events()[i];
      if (e.step == "axis") {
        s.axis = e.value == 0 ? 0 : 1;
        s.ends[s.axis] = e.ids;
      } else if (e.step == "swap") {
        auto& ends = s.ends[s.axis];
        const auto mover = std::find(ends.begin(), ends.end(), e.ids[0]),
                   other = std::find(ends.begin(), ends.end(), e.ids[1]);
        if (mover != ends.end() && other != ends.end()) std::iter_swap(mover, other);
      } else if (e.step == "meet" && e.value != 0) {
        s.pairs.insert(sorted(e.ids[0], e.ids[1]));
      } else if (e.step == "part") {
        s.pairs.erase(sorted(e.ids[0], e.ids[1]));
      }
    }
    return s;
  }
  double at(std::size_t frame, std::uint32_t end, int axis) const {
    const Box& box = frames_[frame][end / 2];
    return end % 2 == 0 ? box.lo[axis] : box.hi[axis];
  }

  void draw_at(DrawList& list, std::size_t events_done) const override {
    list.flat = true;
    const State s = state_after(events_done);
    const std::size_t frame = at_end() ? frames_.size() - 1 : frame_of(events_done);
    const Entry* now = events_done > 0 && !at_end() ? &events()[events_done - 1] : nullptr;
    const auto& boxes = frames_[frame];
    const auto is_now = [&](std::uint32_t id) {
      if (now == nullptr || now->step == "axis") return false;
      const std::uint32_t divisor = now->step == "swap" ? 2 : 1;
      return now->ids[0] / divisor == id || now->ids[1] / divisor == id;
    };
    for (std::uint32_t id = 0; id < boxes.size(); ++id) {
      const Vec3d lo = flat(boxes[id].lo), hi = flat(boxes[id].hi);
      const Vec3d ring[] = {lo, {hi.x, lo.y, 0}, hi, {lo.x, hi.y, 0}};
      const Color c = series(id);
      list.polygon(ring, faded(c, is_now(id) ? 0.55f : 0.25f));
      list.polyline(ring, is_now(id) ? color_of(Ink::highlight) : c, true, is_now(id) ? 4.f : 2.f);
      list.label((lo + hi) * 0.5, name_of_box(id), color_of(Ink::text));
      // Intervals under and beside the boxes
      const double shelf = -3.0 - 0.09 * id;
      list.line({lo.x, shelf, 0}, {hi.x, shelf, 0}, c, is_now(id) && s.axis == 0 ? 6.f : 3.f);
      list.line({shelf, lo.y, 0}, {shelf, hi.y, 0}, c, is_now(id) && s.axis == 1 ? 6.f : 3.f);
    }
    for (const Pair& pair : s.pairs) {
      const Vec2d p = (boxes[pair.first].lo + boxes[pair.first].hi) * 0.5,
                  q = (boxes[pair.second].lo + boxes[pair.second].hi) * 0.5;
      list.line(flat(p), flat(q), color_of(Ink::contact), 3);
    }
    // The lists as they are in memory
    const double below = -3.3 - 0.09 * static_cast<double>(boxes.size());
    for (int axis = 0; axis < 2; ++axis) {
      const double y = below - 0.45 * axis, width = 6.0 / static_cast<double>(s.ends[axis].size());
      list.label({-3.55, y, 0}, axis == 0 ? "x:" : "y:", color_of(Ink::text));
      for (std::size_t k = 0; k < s.ends[axis].size(); ++k) {
        const std::uint32_t end = s.ends[axis][k];
        const bool moves =
            now != nullptr && now->step == "swap" && axis == s.axis && (end == now->ids[0] || end == now->ids[1]);
        const Vec3d p{-3.1 + width * static_cast<double>(k), y, 0};
        if (moves) list.line(p + Vec3d{0, -0.12, 0}, p + Vec3d{0.8 * width, -0.12, 0}, color_of(Ink::highlight), 4);
        list.label(p, name_of_end(end), moves ? color_of(Ink::highlight) : series(end / 2));
      }
    }
  }

  void tell_more(Panel& panel) const override {
    const State s = state_after(told()[step()].events);
    std::size_t swaps = 0;
    for (const Entry& e : events()) swaps += e.step == "swap" ? 1 : 0;
    panel.badges.push_back({num(s.pairs.size()) + (s.pairs.size() == 1 ? " pair" : " pairs"), Ink::contact});
    panel.badges.push_back({num(swaps) + " swaps in all", Ink::axis});
    panel.paragraph =
        "The ends of all boxes stay sorted along every axis. When the boxes move a little, insertion sort needs few "
        "swaps, and only "
        "the swap of a lower end past an upper one can make a new pair. Fast or many bodies make many swaps: that is "
        "where the "
        "method loses.";
  }

  std::vector<std::vector<Box>> frames_;
  std::vector<std::size_t> first_event_;  // of each frame
  std::set<Pair> start_pairs_, end_pairs_;
};

}  // namespace

ExhibitEntry sweep_exhibit() {
  return {"sweep",
          "Sweep and prune",
          "microscope",
          "Boxes and their intervals along x and y. Every frame the lists of ends are sorted again by swaps; step "
          "through them and see "
          "which swap makes a pair.",
          "Baraff 1992; Cohen, Lin, Manocha, Ponamgi 1995; seeds A18, E5",
          [](std::string_view text, std::string& why_not) { return make_stepped<MicroSweep>(text, why_not); }};
}

}  // namespace sudar::lab
