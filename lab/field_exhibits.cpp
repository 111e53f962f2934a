#include "lab/field_exhibits.hpp"

namespace sudar::lab {

std::span<const ExhibitEntry> field_exhibits() {
  static constexpr ExhibitEntry kEntries[] = {
      {"distance_field", "Signed distance field", "field",
       "A body as distances on a grid: at every sample how far it is to the surface, negative inside. Between samples "
       "the "
       "values are interpolated, so the field is wrong by half the diagonal of a cell at worst; the layer of errors "
       "shows "
       "where. Its gradient points away from the body and its iso-lines are the body grown and shrunk. Join the body "
       "with "
       "a ball, grow it, choose how wide the band is in which values are distances, and drag the probe.",
       "Frisken, Perry, Rockwood, Jones, Adaptively Sampled Distance Fields, 2000; seed B12", make_distance_field},
      {"configuration_space", "Minkowski obstacles and the shortest way", "field",
       "A robot that slides without turning is a point among obstacles that are grown by the robot. A shortest way "
       "bends "
       "at corners of these only, so it is enough to look from corner to corner: A* settles the corner with the least "
       "way "
       "through it, and who sees whom is decided exactly. Drag the start and the goal.",
       "Lozano-Pérez, Spatial Planning: A Configuration Space Approach, 1983; seeds B9, B10", make_configuration_space},
      {"grown_trees", "A way in space by two trees", "field",
       "Two trees grow from the start and from the goal towards random places and towards each other. No edge is "
       "believed "
       "because points of it are free: a body that is d away from everything may move by d, and the check walks in "
       "such "
       "steps. At last corners are cut, and the way is checked by shape casts.",
       "Kuffner, LaValle, RRT-Connect, 2000; seed B10", make_grown_trees},
      {"haptic_probe", "A ball, a hand and the force between", "field",
       "A hand moves a ball against a surface. The ball stays outside, the hand goes where it likes, and a spring "
       "between "
       "the two is what the hand feels. It is computed a thousand times a second on a mesh of up to 100 000 triangles, "
       "or "
       "on a distance field; with friction the ball rolls, without it slides. Drag the hand.",
       "Zilles, Salisbury, A Constraint-Based God-Object Method for Haptic Display, 1995; seed B13", make_haptic_probe},

      {"moving_sat", "Separating axes of moving polygons", "motion",
       "Polygons that move without turning: along every axis the gap between their shadows changes evenly, so each "
       "side of "
       "an axis says from when on, or until when, it lets the two meet. The latest beginning is the first contact, the "
       "earliest end the last one; when there is no time left, they never meet.",
       "Eberly, 3D Game Engine Design, 2000, 6.5; seed A8", make_moving_sat},
      {"conservative_advancement", "Conservative advancement", "motion",
       "The distance of two bodies over the speed at which they can come nearer is a time in which nothing touches. So "
       "the "
       "search goes forward by that much, looks again, and ends within the tolerance or at the end of the time. The "
       "curve "
       "below is the separation; from every look a line falls as steeply as it can, and where it meets zero is the "
       "next.",
       "Mirtich, Impulse-based Dynamic Simulation of Rigid Body Systems, 1996; seed A10",
       make_conservative_advancement},
      {"interval_halving", "Interval halving", "motion",
       "An interval of time in which the bodies cannot move as far as they are apart at both of its ends together is "
       "free. "
       "Any other is cut in two, the first half first. The tree of intervals below shows what was cut, what was free, "
       "and "
       "where the impact is.",
       "Ericson, Real-Time Collision Detection, 2005, 5.5; seed A10", make_interval_halving},
      {"substeps", "Substeps and swept volumes", "motion",
       "To look at a few placements of a step lets a bullet through a wall. Placements that are grown by what may move "
       "in "
       "a substep, and hulls around the whole of it, let nothing through; they cry wolf where two bodies pass the same "
       "place at different times. Every substep stands beside the truth: found, missed, or a false alarm.",
       "seeds A10, A11", make_substeps},
      {"time_of_impact", "Time of impact of bodies that turn", "motion",
       "When do two bodies that move and turn touch first? A plane between them proves that they do not, as long as it "
       "lies between them; how long that is, is computed with all rounding, full turns included. The answer is an "
       "interval: "
       "before t_lo nothing touches, at t_hi they are within the tolerance.",
       "Mirtich, 1996; van den Bergen, Ray Casting against General Convex Objects, 2004; seed A10",
       make_time_of_impact},
      {"time_of_impact2", "Time of impact in the plane", "motion",
       "The same for bodies of the plane, by any of the methods. What does not turn and has corners only is decided by "
       "its "
       "axes, two round bodies by a formula; everything else by lines that lie between the two, each carried as far as "
       "that is proven. A case is seen where its bodies come together, however far away that is and however fast they "
       "are.",
       "Mirtich, 1996; Eberly, 3D Game Engine Design, 2000, 6.5; seeds A8, A10", make_time_of_impact2},
      {"vertex_face", "A moving vertex and a moving face", "motion",
       "Four points that move along straight lines lie in one plane where a cubic is zero. At each of its roots it is "
       "asked "
       "whether the vertex is in the face. Rounded roots have let cloth through cloth for decades; here the answer is "
       "exact, whatever the coordinates: nudge one by an ulp.",
       "Provot, 1997; Wang et al., A large-scale benchmark and an inclusion-based algorithm for CCD, 2021",
       make_vertex_face},
      {"edge_edge", "Two moving edges", "motion",
       "Two edges whose ends move along straight lines: where a cubic is zero they lie in one plane, and there they "
       "cross "
       "or they do not. Double roots, edges in one plane all the time and grazes of an ulp are decided exactly.",
       "Provot, 1997; Wang et al., A large-scale benchmark and an inclusion-based algorithm for CCD, 2021",
       make_edge_edge},
      {"point_edge", "A moving point and a moving edge of the plane", "motion",
       "A point and an edge whose ends move along straight lines are on one line where a quadratic is zero. At each of "
       "its "
       "roots it is asked whether the point is on the edge. Grazes and points that stay on the line of the edge all "
       "the "
       "time are decided exactly; drag the points, or nudge one by an ulp.",
       "Provot, 1997; Wang et al., A large-scale benchmark and an inclusion-based algorithm for CCD, 2021",
       make_point_edge},
      {"ray_bundle", "Rays against a mesh", "motion",
       "A bundle of rays, coloured by the boxes of the tree that each of them enters: a ray along the surface costs "
       "most. "
       "Step on, and one ray is followed through the tree, box by box and triangle by triangle; what lies behind the "
       "best "
       "hit is left out. No ray leaks through an edge: sides are decided exactly.",
       "Wald, Benthin, Boulos, Getting Rid of Packets, 2008; Ize, Robust BVH Ray Traversal, 2013; seed B2",
       make_ray_bundle},
      {"ray_bundle2", "Rays against a shape of the plane", "motion",
       "A bundle of rays with what they meet, and the normals there. Step on, and one ray is followed edge by edge: an "
       "edge is crossed when its ends lie on both sides of the ray, and sides are decided exactly, so no ray slips "
       "through a corner. Of what was met, the earliest is the answer.",
       "seeds B1, B2", make_ray_bundle2},
      {"shape_cast", "A shape along a line", "motion",
       "A ray with a body: what does it touch first on its way, and what would it touch after that? Between two "
       "targets "
       "the way is proven free. Drag the start and the aim.",
       "seeds A8, A9", make_shape_cast},

      {"levels_of_detail", "Levels of detail", "body",
       "One body as a sphere, a few spheres, an oriented box, its hull, simplified meshes and the mesh itself. Every "
       "level "
       "knows by how much it may miss the body and by how much it may have too much, so a query may stop at any level "
       "and "
       "say between which bounds the full answer lies.",
       "Hubbard, Approximating Polyhedra with Spheres, 1996; Garland, Heckbert, 1997; seed B4", make_levels_of_detail},
      {"convex_parts", "Convex decomposition", "body",
       "A solid as one, two, four, eight and sixteen convex parts: cut where it is most concave, until the parts have "
       "little more volume than the solid. Convex parts have fast tests, and few of them are enough.",
       "Lien, Amato, Approximate convex decomposition of polyhedra, 2007; seed A16", make_convex_parts},
      {"bounding_volumes", "Bounding volumes compared", "body",
       "Boxes, spheres, a capsule, a cylinder, oriented boxes, k-DOPs and the hull around one body. A tight volume "
       "saves "
       "tests and costs more for each; turn the body, and see which volumes care.",
       "Gottschalk, Lin, Manocha, OBBTree, 1996; seeds A12–A15, B4", make_bounding_volumes},

      {"evaluation", "The evaluation", "evaluation",
       "The tables of a results.json that sudar bench wrote, as curves and bars, with the bars of the project "
       "(file=…). "
       "Without a file, broad phases are measured here and now over the number of boxes, and it is checked that all of "
       "them find the same pairs.",
       "seeds E13, E14", make_evaluation},
  };
  return kEntries;
}

}  // namespace sudar::lab
