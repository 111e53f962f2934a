// What:    See fine_simplex3.hpp.
#include <sudar/math/double_double.hpp>
#include <sudar/narrowphase/fine_simplex3.hpp>

#include <limits>

namespace sudar {

namespace {

struct FineVector {
  DoubleDouble x, y, z;
};
FineVector difference(const Vec3d& p, const Vec3d& q) {
  return {two_difference(p.x, q.x), two_difference(p.y, q.y), two_difference(p.z, q.z)};
}
FineVector operator-(const FineVector& p, const FineVector& q) { return {p.x - q.x, p.y - q.y, p.z - q.z}; }
DoubleDouble dot(const FineVector& p, const FineVector& q) { return p.x * q.x + p.y * q.y + p.z * q.z; }
// Of two that are not negative; the quotient is a weight, for which a double is enough
double quotient(DoubleDouble p, DoubleDouble q) { return static_cast<double>(p) / static_cast<double>(q); }

class FineSimplex {
 public:
  explicit FineSimplex(std::span<const DifferencePoint3> corners) : count_(static_cast<int>(corners.size())) {
    for (int i = 0; i < count_; ++i)
      w_[i] = {corners[static_cast<std::size_t>(i)].w.x, corners[static_cast<std::size_t>(i)].w.y,
               corners[static_cast<std::size_t>(i)].w.z};
    // As the shapes' own edges are
    for (int i = 1; i < count_; ++i) {
      const DifferencePoint3 &p = corners[0], &q = corners[static_cast<std::size_t>(i)];
      edge_[i] = difference(q.a, p.a) - difference(q.turned_b, p.turned_b);
    }
  }

  void solve(double (&weight)[4]) {
    if (count_ == 1) take(0, 0, 1, 0);
    for (int i = 1; i < count_; ++i) segment(0, i, edge_[i]);
    if (count_ == 3) {
      segment(1, 2, edge_[2] - edge_[1]);
      triangle();
    }
    for (int i = 0; i < 4; ++i) weight[i] = best_[i];
  }

 private:
  // The squared length of what the weights make
  void consider(const double (&weight)[3]) {
    FineVector v{};
    for (int i = 0; i < count_; ++i) {
      v.x += w_[i].x * weight[i];
      v.y += w_[i].y * weight[i];
      v.z += w_[i].z * weight[i];
    }
    const auto square = static_cast<double>(dot(v, v));
    if (!(square < least_)) return;
    least_ = square;
    for (int i = 0; i < 3; ++i) best_[i] = weight[i];
  }
  void take(int i, int j, double wi, double wj) {
    double weight[3] = {};
    weight[j] = wj;
    weight[i] = wi;
    consider(weight);
  }
  void segment(int i, int j, const FineVector& e) {
    const DoubleDouble along = -dot(e, w_[i]), whole = dot(e, e);
    if (!(along.hi > 0))
      take(i, j, 1, 0);
    else if (!((whole - along).hi > 0))
      take(i, j, 0, 1);
    else
      take(i, j, quotient(whole - along, whole), quotient(along, whole));
  }
  void triangle() {
    const DoubleDouble g11 = dot(edge_[1], edge_[1]), g12 = dot(edge_[1], edge_[2]), g22 = dot(edge_[2], edge_[2]);
    const DoubleDouble b1 = -dot(edge_[1], w_[0]), b2 = -dot(edge_[2], w_[0]);
    const DoubleDouble whole = g11 * g22 - g12 * g12, one = b1 * g22 - b2 * g12, two = b2 * g11 - b1 * g12;
    const DoubleDouble rest = whole - one - two;
    if (!(one.hi > 0 && two.hi > 0 && rest.hi > 0)) return;
    consider({quotient(rest, whole), quotient(one, whole), quotient(two, whole)});
  }

  FineVector w_[3]{}, edge_[3]{};
  int count_;
  double best_[4] = {1, 0, 0, 0}, least_ = std::numeric_limits<double>::infinity();
};

}  // namespace

void fine_weights3(std::span<const DifferencePoint3> corners, double (&weight)[4]) noexcept {
  FineSimplex(corners).solve(weight);
}

}  // namespace sudar
