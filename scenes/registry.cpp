#include "scenes/builders.hpp"

#include <array>

namespace sudar::scenes {

namespace {

constexpr SceneParameter kFreeFall[] = {
    {"gravity", "acceleration in widths of the world a second squared", 1, 0, 1000, false},
    {"bounce", "share of the speed that a bounce keeps", 0.6, 0, 1, false},
};
constexpr SceneParameter kMovingGravity[] = {
    {"gravity", "acceleration in widths of the world a second squared", 1, 0, 1000, false},
    {"bounce", "share of the speed that a bounce keeps", 0.6, 0, 1, false},
    {"period", "seconds until gravity turns to another wall", 2, 0.001, 1000000, false},
};
constexpr SceneParameter kCluster[] = {
    {"period", "seconds from one scatter to the next", 2, 0.001, 1000000, false},
    {"tight", "size of the cluster at its densest, as a share of the world", 0.25, 0, 1, false},
};
constexpr SceneParameter kCity[] = {
    {"movers", "share of the boxes that move", 0.05, 0, 1, false},
    {"street", "width of a street as a share of a block and its street", 0.3, 0, 0.9, false},
};
constexpr SceneParameter kGiant[] = {
    {"ratio", "edge of the giant as a share of the world", 0.5, 0, 1, false},
};
constexpr SceneParameter kPowerLaw[] = {
    {"spread", "largest edge over smallest", 100, 1, 100000, false},
};
constexpr SceneParameter kShell[] = {
    {"thickness", "of the shell, as a share of its radius", 0.001, 0, 1, false},
};
constexpr SceneParameter kShare[] = {
    {"share", "of the boxes, at every step", 0.01, 0, 1, false},
};
constexpr SceneParameter kSleeping[] = {
    {"awake", "share of the boxes that move", 0.01, 0, 1, false},
};
constexpr SceneParameter kRooms[] = {
    {"walls", "share of the boxes that are pieces of walls", 0.2, 0, 1, false},
};
constexpr SceneParameter kOnePoint[] = {
    {"n", "number of boxes", 300, 1, 100000, true},
};

constexpr SceneEntry kScenes[] = {
    {"uniform",
     "Boxes spread evenly through the world, each moving straight on at its own speed and reflected at the "
     "walls. The plain case that every broad phase is tuned for.",
     {},
     make_uniform<2>,
     make_uniform<3>},
    {"brownian",
     "Boxes spread evenly that change their direction at every step, as grains in a liquid do. Nobody gets "
     "far, so the order of the boxes on each axis changes little by little.",
     {},
     make_brownian<2>,
     make_brownian<3>},
    {"free_fall",
     "Boxes fall from all heights, bounce on the floor with a loss and come to rest there. The crowd at "
     "the floor grows from step to step while the world above empties.",
     kFreeFall, make_free_fall<2>, make_free_fall<3>},
    {"moving_gravity",
     "Boxes fall to one wall, and when they have gathered there gravity turns and they fall to the next. The crowd "
     "moves through the world, so nothing that was tuned to where it is stays good for long.",
     kMovingGravity, make_moving_gravity<2>, make_moving_gravity<3>},
    {"cluster",
     "All boxes are pulled towards one point until they form a dense cluster, then let go, so that they "
     "scatter to where they came from; and again. The density, and with it the best algorithm, changes all "
     "the time.",
     kCluster, make_cluster<2>, make_cluster<3>},
    {"city",
     "Fixed blocks of different heights stand along streets, and a few boxes move among and through them. "
     "Nearly everything is fixed, so a good broad phase only works for what moves.",
     kCity, make_city<2>, make_city<3>},
    {"giant",
     "One giant box among small ones that move as in uniform. It overlaps a large part of all others, and "
     "breaks grids that enter it into every cell and sweeps that carry it along.",
     kGiant, make_giant<2>, make_giant<3>},
    {"power_law",
     "Boxes of very different sizes, many small and few large, as stones are: the number with an edge "
     "above x falls as a power of x. No one size of cell fits them all.",
     kPowerLaw, make_power_law<2>, make_power_law<3>},
    {"line",
     "Boxes in a row along the last axis, flat and moving only along it. A sweep along the wrong axis sees "
     "them all at once, and a grid with cubic cells wastes all but one row of them.",
     {},
     make_line<2>,
     make_line<3>},
    {"plane",
     "Boxes in one flat layer, moving within it. One axis tells nothing, so a sweep along it sees them all at once and "
     "cubic cells stand empty above and below.",
     {},
     make_plane<2>,
     make_plane<3>},
    {"shell",
     "Boxes in a thin shell around the middle, gliding along it. The world is empty inside and outside, and at its "
     "poles the shell lies across every axis in turn.",
     kShell, make_shell<2>, make_shell<3>},
    {"lattice",
     "Boxes side by side on a lattice, each touching its neighbours exactly and overlapping none; the "
     "lattice drifts as a whole. Every pair is a tie: one wrong comparison loses or adds thousands of "
     "pairs.",
     {},
     make_lattice<2>,
     make_lattice<3>},
    {"teleporting",
     "Boxes as in uniform, of which a few leap to another place at every step. What counts on small steps has to find "
     "them anew without sorting everything.",
     kShare, make_teleporting<2>, make_teleporting<3>},
    {"churn",
     "Boxes as in uniform, of which a few are removed at every step and as many others put in. Trees grow lopsided and "
     "lists grow holes unless they are looked after.",
     kShare, make_churn<2>, make_churn<3>},
    {"sleeping",
     "A pile in which nearly everything rests without being fixed, and a few that move through it. A good broad phase "
     "works for the few, and leaves the rest as it was found.",
     kSleeping, make_sleeping<2>, make_sleeping<3>},
    {"rooms",
     "Rooms side by side, with fixed walls and doors in them, and boxes that wander about and get from one room to the "
     "next only through a door. What is behind a wall needs no test.",
     kRooms, make_rooms<2>, make_rooms<3>},
    {"one_point",
     "Every box contains the middle of the world, so every pair overlaps: the worst case, in which the "
     "answer itself is quadratic. What is measured is how fast pairs can be written down.",
     kOnePoint, make_one_point<2>, make_one_point<3>},
};

}  // namespace

std::span<const SceneEntry> all() noexcept { return kScenes; }

const SceneEntry* find(std::string_view name) noexcept {
  for (const std::span<const SceneEntry> list : {all(), physics_scenes()})
    for (const SceneEntry& entry : list)
      if (entry.name == name) return &entry;
  return nullptr;
}

template <int D>
Result<std::unique_ptr<Scene<D>>> make(const Spec& spec) {
  return guarded([&]() -> Result<std::unique_ptr<Scene<D>>> {
    if (spec.scene().physics()) return Error{ErrorCode::unsupported, 0, "a world of bodies, not a scene of boxes"};
    std::unique_ptr<Scene<D>> scene;
    if constexpr (D == 2)
      scene = spec.scene().make2(spec);
    else
      scene = spec.scene().make3(spec);
    if (const auto started = scene->start(); !started) return started.error();
    return scene;
  });
}

template Result<std::unique_ptr<Scene<2>>> make(const Spec&);
template Result<std::unique_ptr<Scene<3>>> make(const Spec&);

}  // namespace sudar::scenes
