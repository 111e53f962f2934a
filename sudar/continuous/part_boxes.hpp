// What:    A shape of parts as a tree of boxes, whatever its parts are: children of compounds, triangles of meshes and
//          height fields, edges of chains, convex parts of polygons. What walks over two shapes at a time go down.
// Differs: A convex shape is one box, its own. A height field has no tree: rectangles of cells are halved.
// Frame:   The shape's. Centres are rounded: a box holds its parts up to a few roundings of the shape's coordinates.
// Fails:   never.
#pragma once

#include <sudar/narrowphase/piece_pairs.hpp>
#include <sudar/shapes/compound2.hpp>
#include <sudar/shapes/compound3.hpp>
#include <sudar/shapes/height_field.hpp>
#include <sudar/shapes/polygon_set.hpp>
#include <sudar/shapes/triangle_mesh.hpp>

#include <algorithm>
#include <cstdint>

namespace sudar {

template <int D>
struct PartBox {
  Vec<D, double> center{}, half{};
  std::uint32_t id[4]{};  // what the tree knows it by
  bool leaf = false;      // holds one part, or the two triangles of a cell

  PartBox() = default;
  PartBox(const Aabb<D, double>& box, bool is_leaf) : leaf(is_leaf) {
    half = (box.hi - box.lo) * 0.5;
    center = box.lo + half;
  }
};

inline constexpr int kMaxPartBoxes = 8;

namespace detail {

// A PartTree as boxes: id 0 is the node, or the part of a leaf
template <int D>
PartBox<D> box_of_node(const PartTree<D>& tree, std::uint32_t node) {
  PartBox<D> out(tree.node(node).box, false);
  out.id[0] = node;
  return out;
}
template <int D>
int boxes_below(const PartTree<D>& tree, std::uint32_t at, PartBox<D> (&out)[kMaxPartBoxes]) {
  const auto& node = tree.node(at);
  if (node.count == 0) {
    out[0] = box_of_node(tree, at + 1);
    out[1] = box_of_node(tree, node.first);
    return 2;
  }
  for (std::uint32_t i = 0; i < node.count; ++i) {
    const std::uint32_t part = tree.part(node.first + i);
    out[i] = PartBox<D>(tree.box(part), true);
    out[i].id[0] = part;
  }
  return static_cast<int>(node.count);
}

}  // namespace detail

template <int D>
class PartBoxes;

template <>
class PartBoxes<2> {
 public:
  // Bounded; it must outlive this
  explicit PartBoxes(const Shape2& shape) : shape_(shape) {
    if (shape.kind() == ShapeKind2::compound) tree_ = &shape.as<CompoundShape2>().parts->tree();
    if (shape.kind() == ShapeKind2::concave_polygon) tree_ = &shape.as<ConcavePolygonShape2>().set->part_tree();
    if (shape.kind() == ShapeKind2::chain) tree_ = &shape.as<ChainShape2>().set->edge_tree();
  }
  PartBox<2> root() const {
    return tree_ == nullptr ? PartBox<2>(bounding_box(shape_), true) : detail::box_of_node(*tree_, 0);
  }
  // Of a box that is no leaf: how many boxes it is made of, and these
  int below(const PartBox<2>& box, PartBox<2> (&out)[kMaxPartBoxes]) const {
    return detail::boxes_below(*tree_, box.id[0], out);
  }
  // f(shape, its pose) for what a leaf holds, until it returns false
  template <class F>
  bool each(const PartBox<2>& leaf, F&& f) const {
    const std::uint32_t i = leaf.id[0];
    switch (shape_.kind()) {
      case ShapeKind2::compound: {
        const CompoundChild2& child = shape_.as<CompoundShape2>().parts->children()[i];
        return f(child.shape, child.pose);
      }
      case ShapeKind2::concave_polygon:
        return f(Shape2(PolygonShape2{shape_.as<ConcavePolygonShape2>().set->parts()[i], 0}), Pose2d{});
      case ShapeKind2::chain: {
        const Segment<2, double> edge = shape_.as<ChainShape2>().set->edge(i);
        return f(Shape2(SegmentShape2{edge.a, edge.b}), Pose2d{});
      }
      default:
        return f(shape_, Pose2d{});
    }
  }

 private:
  const Shape2& shape_;
  const PartTree<2>* tree_ = nullptr;
};

template <>
class PartBoxes<3> {
 public:
  explicit PartBoxes(const Shape3& shape) : shape_(shape) {
    if (shape.kind() == ShapeKind3::compound) tree_ = &shape.as<CompoundShape3>().parts->tree();
    if (shape.kind() == ShapeKind3::mesh) mesh_ = shape.as<MeshShape3>().mesh.get();
    if (shape.kind() == ShapeKind3::height_field) field_ = shape.as<HeightFieldShape3>().field.get();
  }
  PartBox<3> root() const {
    if (tree_ != nullptr) return detail::box_of_node(*tree_, 0);
    if (field_ != nullptr) return cells(0, 0, field_->columns() - 1, field_->rows() - 1);
    PartBox<3> out(bounding_box(shape_), mesh_ == nullptr);
    // Of a mesh: the level of the node and its number in it; of a leaf, the triangle's
    if (mesh_ != nullptr) out.id[0] = static_cast<std::uint32_t>(mesh_->tree().levels() - 1);
    return out;
  }
  int below(const PartBox<3>& box, PartBox<3> (&out)[kMaxPartBoxes]) const {
    if (tree_ != nullptr) return detail::boxes_below(*tree_, box.id[0], out);
    if (field_ != nullptr) return halves(box, out);
    const MeshTree& tree = mesh_->tree();
    const int level = static_cast<int>(box.id[0]);
    const MeshTreeNode& node = tree.node(level, box.id[1]);
    const int count = tree.child_count(level, box.id[1]);
    for (int k = 0; k < count; ++k) {
      const auto child = static_cast<std::uint32_t>(k);
      for (int i = 0; i < 3; ++i) {
        const double lo = static_cast<double>(node.lo[i][k]), hi = static_cast<double>(node.hi[i][k]);
        out[k].center[i] = tree.origin()[i] + 0.5 * (lo + hi);
        out[k].half[i] = 0.5 * (hi - lo);
      }
      out[k].leaf = level == 0;
      out[k].id[0] = level == 0 ? 0 : box.id[0] - 1;
      out[k].id[1] = level == 0 ? tree.triangle(box.id[1], child) : tree.child(level, box.id[1], child);
    }
    return count;
  }
  template <class F>
  bool each(const PartBox<3>& leaf, F&& f) const {
    const auto triangle = [&](const Triangle<3, double>& x) {
      return f(Shape3(TriangleShape3{{x.a, x.b, x.c}}), Pose3d{});
    };
    if (mesh_ != nullptr) return triangle(mesh_->triangle(leaf.id[1]));
    if (field_ != nullptr) {
      const std::uint32_t first = 2 * (leaf.id[1] * (field_->columns() - 1) + leaf.id[0]);
      return triangle(field_->triangle(first)) && triangle(field_->triangle(first + 1));
    }
    if (tree_ == nullptr) return f(shape_, Pose3d{});
    const CompoundChild3& child = shape_.as<CompoundShape3>().parts->children()[leaf.id[0]];
    return f(child.shape, child.pose);
  }

 private:
  // Cells whose heights are looked at one by one; more of them are as high as the field
  static constexpr std::uint32_t kFewCells = 64;

  // Cells from (i, j) to before (i_end, j_end)
  PartBox<3> cells(std::uint32_t i, std::uint32_t j, std::uint32_t i_end, std::uint32_t j_end) const {
    Aabb3d box = field_->bounds();
    if (std::uint64_t{i_end - i} * (j_end - j) <= kFewCells) {
      box = Aabb3d::empty();
      for (std::uint32_t y = j; y <= j_end; ++y)
        for (std::uint32_t x = i; x <= i_end; ++x) box = merge(box, field_->vertex(x, y));
    } else {
      box.lo.x = field_->vertex(i, j).x, box.hi.x = field_->vertex(i_end, j).x;
      box.lo.y = field_->vertex(i, j).y, box.hi.y = field_->vertex(i, j_end).y;
    }
    PartBox<3> out(box, i_end - i == 1 && j_end - j == 1);
    out.id[0] = i, out.id[1] = j, out.id[2] = i_end, out.id[3] = j_end;
    return out;
  }
  int halves(const PartBox<3>& box, PartBox<3> (&out)[kMaxPartBoxes]) const {
    const std::uint32_t i = box.id[0], j = box.id[1], i_end = box.id[2], j_end = box.id[3];
    if (i_end - i >= j_end - j) {
      const std::uint32_t middle = i + (i_end - i) / 2;
      out[0] = cells(i, j, middle, j_end), out[1] = cells(middle, j, i_end, j_end);
    } else {
      const std::uint32_t middle = j + (j_end - j) / 2;
      out[0] = cells(i, j, i_end, middle), out[1] = cells(i, middle, i_end, j_end);
    }
    return 2;
  }

  const Shape3& shape_;
  const PartTree<3>* tree_ = nullptr;
  const TriangleMesh* mesh_ = nullptr;
  const HeightField* field_ = nullptr;
};

}  // namespace sudar
