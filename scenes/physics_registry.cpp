#include "scenes/physics.hpp"

namespace sudar::scenes {

namespace {

constexpr SceneParameter kOnlySpace = {"dim", "dimension", 3, 3, 3, true};
constexpr SceneParameter kOnlyPlane = {"dim", "dimension", 2, 2, 2, true};
constexpr SceneParameter number_of(std::string_view what, double count, double most) {
  return {"n", what, count, 1, most, true};
}
constexpr SceneParameter speed_of(double speed) { return {"speed", "metres a second", speed, 0, 1000000, false}; }

constexpr SceneParameter kPyramid[] = {{"rows", "of the lowest row on", 20, 1, 200, true}};
constexpr SceneParameter kPile[] = {number_of("number of boxes", 1000, 100000)};
constexpr SceneParameter kTower[] = {number_of("number of cubes", 20, 1000)};
constexpr SceneParameter kCards[] = {{"levels", "storeys of the house", 4, 1, 20, true}};
constexpr SceneParameter kDomino[] = {number_of("number of stones", 40, 10000)};
constexpr SceneParameter kChain[] = {number_of("number of links", 30, 1000)};
constexpr SceneParameter kRagdolls[] = {kOnlySpace, number_of("number of ragdolls", 10, 1000)};
constexpr SceneParameter kVehicle[] = {
    kOnlySpace, speed_of(6), {"hills", "height of the hills, metres", 0.5, 0, 5, false}};
constexpr SceneParameter kDoors[] = {
    number_of("number of balls", 60, 10000), speed_of(8), {"rooms", "in a row", 3, 1, 50, true}};
constexpr SceneParameter kBalls[] = {
    number_of("number of balls", 200, 100000), speed_of(3), {"bounce", "restitution", 0.8, 0, 1, false}};
constexpr SceneParameter kPolyhedra[] = {kOnlySpace, speed_of(2), {"vertices", "of each body", 12, 4, 10000, true}};
constexpr SceneParameter kGather[] = {
    number_of("number of bodies", 2000, 1000000),
    speed_of(2),
    {"period", "seconds from one pull to the next", 6, 0.1, 1000, false},
    {"pull", "acceleration towards the middle, metres a second squared", 8, 0, 1000, false}};
constexpr SceneParameter kBullet[] = {number_of("number of bullets", 20, 100000),
                                      speed_of(800),
                                      {"continuous", "1 with continuous detection, 0 without", 1, 0, 1, true},
                                      {"turning", "1 for a target that turns", 0, 0, 1, true}};
constexpr SceneParameter kBreaking[] = {
    kOnlySpace,
    {"pieces", "that it breaks into", 30, 2, 2000, true},
    {"height", "that it falls from, metres", 8, 2, 1000, false},
    {"strength", "change of speed in a step at which it breaks, metres a second", 2, 0, 1000, false}};
constexpr SceneParameter kSimple[] = {number_of("number of shapes", 40, 10000)};
constexpr SceneParameter kCharacters[] = {kOnlyPlane};

// clang-format off
constexpr SceneEntry kPhysics[] = {
    {"pyramid", "A wall of unit cubes, each row one shorter than the one below. It has to stand: errors of the contacts add up "
     "from the tip to the base.", kPyramid, nullptr, nullptr, make_pyramid<2>, make_pyramid<3>},
    {"pile", "Cubes that fall into a pit and come to rest there. Many contacts of all kinds, and nothing may leave the pit.",
     kPile, nullptr, nullptr, make_pile<2>, make_pile<3>},
    {"tower", "One cube on the other. The lowest carries all; a solver that is not sure of itself lets it lean and fall.",
     kTower, nullptr, nullptr, make_tower<2>, make_tower<3>},
    {"card_house", "Thin cards that lean against each other in storeys. Held by friction alone.",
     kCards, nullptr, nullptr, make_card_house<2>, make_card_house<3>},
    {"domino", "A row of stones of which the first is pushed.", kDomino, nullptr, nullptr, make_domino<2>, make_domino<3>},
    {"chain", "Links that hang from a hook and swing, with a heavy ball at the end.",
     kChain, nullptr, nullptr, make_chain<2>, make_chain<3>},
    {"ragdolls", "People of eleven capsules with limited joints who fall down a few steps.",
     kRagdolls, nullptr, nullptr, nullptr, make_ragdolls<3>},
    {"vehicle", "A body on four sprung and driven wheels that goes over the hills of a height field.",
     kVehicle, nullptr, nullptr, nullptr, make_vehicle<3>},
    {"doors", "Rooms in a row with doors on hinges between them, and balls that push their way through.",
     kDoors, nullptr, nullptr, make_doors<2>, make_doors<3>},
    {"balls", "Balls of several sizes in a room with gravity that bounce off each other and the walls.",
     kBalls, nullptr, nullptr, make_balls<2>, make_balls<3>},
    {"polyhedra", "Two polyhedra that fly about in a cube-shaped room and bounce without loss, turning as they do.",
     kPolyhedra, nullptr, nullptr, nullptr, make_polyhedra<3>},
    {"gather", "Bodies that are pulled to the middle until they are one crowd, and let go, again and again.",
     kGather, nullptr, nullptr, make_gather<2>, make_gather<3>},
    {"bullet", "Small fast balls at a thin plate: with continuous detection none is through, without it they all are.",
     kBullet, nullptr, nullptr, make_bullet<2>, make_bullet<3>},
    {"breaking", "A block that falls and breaks into Voronoi pieces where it hits.",
     kBreaking, nullptr, nullptr, nullptr, make_breaking<3>},
    {"characters", "Three characters on a platform: one convex hull, two convex parts, and four. A ball that falls on a raised "
     "arm shows how far each is from the truth.", kCharacters, nullptr, nullptr, make_characters<2>, nullptr},
    {"simple_shapes", "Shapes of every kind that fall into a pit; each is red while it touches something.",
     kSimple, nullptr, nullptr, make_simple_shapes<2>, make_simple_shapes<3>},
};
// clang-format on

}  // namespace

std::span<const SceneEntry> physics_scenes() noexcept { return kPhysics; }

}  // namespace sudar::scenes
