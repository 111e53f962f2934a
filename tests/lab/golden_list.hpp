// What:    The pictures that are compared: an exhibit with parameters, the file, frames to run, and a step or -1.
constexpr Golden kGolden[] = {
    {"shapes2", "shapes2", 10, -1},
    {"shapes3", "shapes3", 10, -1},
    {"shapes3:opacity=0.4,boxes=on", "shapes3_clear", 10, -1},
    {"gjk2", "gjk2", 2, 2},
    {"gjk3", "gjk3", 2, 2},
    {"epa3", "epa3", 2, 2},
    {"sat3", "sat3", 2, 3},
    {"hull3", "hull3", 2, 5},
    {"delaunay2", "delaunay2", 2, 6},
    {"welzl2", "welzl2", 2, 4},
    {"pyramid", "pyramid", 10, -1},
    {"uniform n=40", "uniform", 10, -1},
};
