// What:    A lane by itself, as the kernels of the contact solvers see lanes: the plain twin of lanes_simd-inl.hpp.
// Differs: Included within a namespace, like its twin, so it includes nothing itself.
#if defined(__GNUC__)
#define SUDAR_LANES_INLINE inline __attribute__((always_inline))
#else
#define SUDAR_LANES_INLINE inline
#endif

struct W {
  double v;
};
inline constexpr std::size_t kLanes = 1;

inline W load(const Lanes8& from, std::size_t l) { return {from.lane[l]}; }
inline void keep(Lanes8& to, std::size_t l, W x) { to.lane[l] = x.v; }
inline W splat(double x) { return {x}; }
inline W operator+(W a, W b) { return {a.v + b.v}; }
inline W operator-(W a, W b) { return {a.v - b.v}; }
inline W operator*(W a, W b) { return {a.v * b.v}; }
inline W operator/(W a, W b) { return {a.v / b.v}; }
inline W operator-(W a) { return {-a.v}; }
inline W square_root(W a) { return {std::sqrt(a.v)}; }
// 0 instead of less
inline W positive(W a) { return {a.v > 0 ? a.v : 0}; }
// a > b ? x : y
inline W if_greater(W a, W b, W x, W y) { return a.v > b.v ? x : y; }

// The first 2 · kPairs numbers of the lines of kLanes bodies
template <int kPairs, class Line>
inline void gather(const Line* lines, const std::uint32_t* ids, W* out) {
  for (int k = 0; k < 2 * kPairs; ++k) out[k] = {lines[ids[0]].x[k]};
}
// Writes them back where the body can move
template <int kPairs, class Line>
inline void scatter(Line* lines, const std::uint32_t* ids, std::uint32_t moves, const W* in) {
  if ((moves & 1) == 0) return;
  for (int k = 0; k < 2 * kPairs; ++k) lines[ids[0]].x[k] = in[k].v;
}
