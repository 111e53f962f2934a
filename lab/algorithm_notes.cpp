#include "lab/algorithm_notes.hpp"

#include <array>

namespace sudar::lab {

namespace {

constexpr std::array kNotes = {
    AlgorithmNote{"none", "Nothing is looked for. What the rest of the step takes is the floor below every algorithm.",
                  "nothing", "never: it finds nothing", "always: it finds nothing",
                  "seed E14, the curve \"no detection\""},
    AlgorithmNote{
        "brute_force",
        "Every box against every other, many at a time. It has no structure that could be wrong, so all others are "
        "compared with it.",
        "n²/2 box tests a step, whatever the boxes do", "a few dozen boxes; the oracle of the tests",
        "from a few hundred boxes on", "Ericson, Real-Time Collision Detection, 2005, ch. 7"},
    AlgorithmNote{
        "sort_sweep",
        "Boxes are sorted by their lower ends along the axis on which they vary most; each is tested against those "
        "that begin before it ends.",
        "n log n, and a test for every two boxes that overlap along the axis",
        "long thin worlds, a row of boxes, a single frame",
        "crowds and flat layers, where many boxes overlap along every axis",
        "Baraff 1992; Cohen, Lin, Manocha, Ponamgi, I-COLLIDE, 1995; seed A18"},
    AlgorithmNote{
        "sap",
        "The ends of all boxes stay sorted along every axis from step to step. A lower end that passes an upper one "
        "is a pair that may begin; only what changes places costs anything.",
        "n and the number of swaps a step", "many boxes of which each moves little, and none leaps",
        "fast boxes and crowds: the swaps grow with the square of the crowd, which lengthens the step, which makes "
        "more swaps",
        "Baraff 1992; I-COLLIDE, 1995; seeds A18, E5, E14"},
    AlgorithmNote{
        "columns",
        "Boxes are rounded to 16-bit numbers and dealt into columns; each column is sorted and swept with SIMD. It is "
        "built anew at every step.",
        "n and k, with small factors", "nearly everything that moves; the fastest single frame",
        "scenes in which nearly everything rests: it looks at all of it again", "ours; sudar/broadphase/columns.hpp"},
    AlgorithmNote{
        "grid",
        "Space is cut into equal cells; a box is entered into each cell that it touches, and pairs are looked for "
        "within cells.",
        "n times the cells of a box, and the tests within cells", "boxes of one size, spread evenly",
        "boxes of very different sizes, and a few far away from a crowd", "Ericson 2005, 7.1; seeds B5, E7"},
    AlgorithmNote{
        "hash_grid",
        "Grids of several cell sizes, without bounds, kept in a table; each box is in one cell on the level of its "
        "size.",
        "n times the number of levels, and the tests", "any mix of sizes in an endless world",
        "boxes of one size, for which one level would do", "Mirtich 1996; Teschner et al. 2003; Ericson 2005, 7.2"},
    AlgorithmNote{
        "octree",
        "Cells are cut in halves along every axis until few boxes are in each; a box is in every leaf that it "
        "touches.",
        "n times the depth, and the copies", "crowds in a large empty world",
        "large boxes, of which every leaf below gets a copy", "Meagher 1982; seeds B5, E2, E4"},
    AlgorithmNote{"octree_nodup",
                  "As octree, but a box that spans several children stays in the inner node, so each is there once.",
                  "n times the depth, and the tests of what stays high up", "small boxes in a large world",
                  "many boxes across the first planes: they are tested against everything below", "seeds B5, E3, E4"},
    AlgorithmNote{
        "octree_loose",
        "Cells are grown to twice their width, so a box belongs where its centre and its size say, and nothing stays "
        "high up only because it lies across a plane.",
        "n times the depth", "boxes of several sizes that move",
        "very flat or thin boxes, which fill their cells badly", "Ulrich, Loose octrees, 2000"},
    AlgorithmNote{
        "kd_tree",
        "One plane at a time, at the median of the boxes or where the expected cost is least; a box is in every leaf "
        "that it touches.",
        "n log n to build, and the copies", "uneven crowds", "large boxes, of which every leaf gets a copy",
        "Bentley 1975; seeds B5, C5, E7"},
    AlgorithmNote{"bsp_tree",
                  "Planes across axes and diagonals, chosen for balance; what straddles a plane stays in its node.",
                  "n log n to build", "worlds along diagonals",
                  "nearly always against a kd-tree: a diagonal plane costs more to test than it saves",
                  "Fuchs, Kedem, Naylor 1980; seed B5"},
    AlgorithmNote{
        "dynamic_tree",
        "Boxes with some air around them in a tree. One that stays within its air costs nothing; one that left it is "
        "put in again where it costs least. Pairs of fat boxes are kept.",
        "log n for each box that left its air, and the kept pairs", "many boxes of which few move; questions",
        "when everything moves fast: then it is built anew all the time",
        "Catto, Dynamic Bounding Volume Hierarchies, 2019; seeds A19, C3"},
    AlgorithmNote{
        "bvh_top_down",
        "A tree of boxes, split from the top at medians or where the expected cost is least; fitted again at each step "
        "and built anew when that has made it too bad.",
        "n log n to build, n to fit", "slow motion and many questions: the tree is a good one",
        "fast motion: a good tree is dear to build", "Goldsmith and Salmon 1987; Wald 2007; seed A19"},
    AlgorithmNote{
        "bvh_bottom_up",
        "A tree of boxes joined from the leaves up: neighbours along a curve join where their common box is smallest.",
        "n to build, with a large factor", "as top-down, with a tree that is often better", "fast motion",
        "Gu et al. 2013; Meister and Bittner 2018; seed A19"},
    AlgorithmNote{"bvh_linear", "A tree of boxes along a Morton curve: sorting gives the tree.",
                  "n log n by a radix sort, with small factors", "fast motion that still wants a tree for questions",
                  "boxes of very different sizes: the curve knows only centres",
                  "Lauterbach et al. 2009; Karras 2012; seed A19"},
    AlgorithmNote{"sphere_tree",
                  "A tree whose nodes are balls, around boxes. A ball is looser than a box, so more is visited.",
                  "as a tree of boxes, times two to four", "never; it is here to be compared with boxes",
                  "against every tree of boxes", "Hubbard 1996; Quinlan 1994; seed B5"},
    AlgorithmNote{
        "cells_portals",
        "The world is rooms with openings between them; what is in one room is looked for through its openings.",
        "n, and the rooms that are reached", "indoor worlds whose rooms are known", "open worlds without rooms",
        "Luebke and Georges 1995; seed E6"},
    AlgorithmNote{
        "adaptive",
        "Watches the scene, predicts what each of the others would cost, tries one where that may pay, and keeps it "
        "where it measured better. The pairs are the same whatever it chooses.",
        "that of the best one, and a few per cent for watching and trials",
        "scenes that change, and whoever does not want to choose",
        "short scenes whose best algorithm is known beforehand", "seed E15, left open there"},
};

}  // namespace

std::span<const AlgorithmNote> algorithm_notes() { return kNotes; }

const AlgorithmNote* note_on(std::string_view algorithm) {
  for (const AlgorithmNote& note : kNotes)
    if (note.name == algorithm) return &note;
  return nullptr;
}

void tell_note(const AlgorithmNote& note, Panel& panel) {
  panel.tables.push_back({"Algorithm: " + std::string(note.name),
                          {"", ""},
                          {{"how", std::string(note.how)},
                           {"cost", std::string(note.cost)},
                           {"wins", std::string(note.wins)},
                           {"loses", std::string(note.loses)},
                           {"source", std::string(note.source)}},
                          -1});
}

}  // namespace sudar::lab
