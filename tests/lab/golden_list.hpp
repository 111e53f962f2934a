// What:    The pictures that are compared: an exhibit with parameters, the file, frames to run, and a step or -1.
constexpr Golden kGolden[] = {
    {"shapes2", "shapes2", 10, -1},
    {"shapes3", "shapes3", 10, -1},
    {"shapes3:opacity=0.4,boxes=on", "shapes3_clear", 10, -1},
};
