// What:    Lanes of a vector by Highway, as the kernels of the contact solvers see them.
// Differs: Included within the namespace of each instruction set, so it includes nothing itself. Larger and smaller are
//          comparisons with a choice, not max and min, whose zeros and NaNs differ between processors. Rows of bodies are
//          turned into lanes two numbers at a time: loads and stores of the same 16 bytes, which forward.
#define SUDAR_LANES_INLINE HWY_INLINE

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<double, 8>;
struct W {
  hn::Vec<Tag> v;
};
constexpr std::size_t kLanes = HWY_MAX_BYTES >= 64 ? 8 : HWY_MAX_BYTES / 8;

HWY_INLINE W load(const Lanes8& from, std::size_t l) { return {hn::Load(Tag(), from.lane + l)}; }
HWY_INLINE void keep(Lanes8& to, std::size_t l, W x) { hn::Store(x.v, Tag(), to.lane + l); }
HWY_INLINE W splat(double x) { return {hn::Set(Tag(), x)}; }
HWY_INLINE W operator+(W a, W b) { return {hn::Add(a.v, b.v)}; }
HWY_INLINE W operator-(W a, W b) { return {hn::Sub(a.v, b.v)}; }
HWY_INLINE W operator*(W a, W b) { return {hn::Mul(a.v, b.v)}; }
HWY_INLINE W operator/(W a, W b) { return {hn::Div(a.v, b.v)}; }
HWY_INLINE W operator-(W a) { return {hn::Neg(a.v)}; }
HWY_INLINE W square_root(W a) { return {hn::Sqrt(a.v)}; }
// 0 instead of less
HWY_INLINE W positive(W a) { return {hn::IfThenElseZero(hn::Gt(a.v, hn::Zero(Tag())), a.v)}; }
// a > b ? x : y
HWY_INLINE W if_greater(W a, W b, W x, W y) { return {hn::IfThenElse(hn::Gt(a.v, b.v), x.v, y.v)}; }

// Two numbers of every other row, row by row
HWY_INLINE hn::Vec<hn::FixedTag<double, 2>> rows_in(hn::FixedTag<double, 2> d, const double* const* rows, int at) {
  return hn::LoadU(d, rows[0] + at);
}
HWY_INLINE void rows_out(hn::FixedTag<double, 2> d, hn::Vec<hn::FixedTag<double, 2>> v, double* const* rows, int at) {
  hn::StoreU(v, d, rows[0] + at);
}
#if HWY_MAX_BYTES >= 32
HWY_INLINE hn::Vec<hn::FixedTag<double, 4>> rows_in(hn::FixedTag<double, 4> d, const double* const* rows, int at) {
  const hn::FixedTag<double, 2> half;
  return hn::Combine(d, rows_in(half, rows + 2, at), rows_in(half, rows, at));
}
HWY_INLINE void rows_out(hn::FixedTag<double, 4> d, hn::Vec<hn::FixedTag<double, 4>> v, double* const* rows, int at) {
  const hn::FixedTag<double, 2> half;
  rows_out(half, hn::LowerHalf(half, v), rows, at);
  rows_out(half, hn::UpperHalf(half, v), rows + 2, at);
  static_cast<void>(d);
}
#endif
#if HWY_MAX_BYTES >= 64
HWY_INLINE hn::Vec<hn::FixedTag<double, 8>> rows_in(hn::FixedTag<double, 8> d, const double* const* rows, int at) {
  const hn::FixedTag<double, 4> half;
  return hn::Combine(d, rows_in(half, rows + 4, at), rows_in(half, rows, at));
}
HWY_INLINE void rows_out(hn::FixedTag<double, 8> d, hn::Vec<hn::FixedTag<double, 8>> v, double* const* rows, int at) {
  const hn::FixedTag<double, 4> half;
  rows_out(half, hn::LowerHalf(half, v), rows, at);
  rows_out(half, hn::UpperHalf(half, v), rows + 4, at);
  static_cast<void>(d);
}
#endif

// The first 2 · kPairs numbers of the lines of kLanes bodies
template <int kPairs, class Line>
HWY_INLINE void gather(const Line* lines, const std::uint32_t* ids, W* out) {
  const hn::FixedTag<double, kLanes> d;
  const double* rows[kLanes];
  for (std::size_t l = 0; l < kLanes; ++l) rows[l] = lines[ids[l]].x;
  for (int k = 0; k < kPairs; ++k) {
    const auto even = rows_in(d, rows, 2 * k), odd = rows_in(d, rows + 1, 2 * k);
    out[2 * k].v = hn::InterleaveLower(d, even, odd);
    out[2 * k + 1].v = hn::InterleaveUpper(d, even, odd);
  }
}
// Writes them back where the body can move
template <int kPairs, class Line>
HWY_INLINE void scatter(Line* lines, const std::uint32_t* ids, std::uint32_t moves, const W* in) {
  const hn::FixedTag<double, kLanes> d;
  Line nowhere;
  double* rows[kLanes];
  for (std::size_t l = 0; l < kLanes; ++l) rows[l] = (moves >> l & 1) != 0 ? lines[ids[l]].x : nowhere.x;
  for (int k = 0; k < kPairs; ++k) {
    rows_out(d, hn::InterleaveLower(d, in[2 * k].v, in[2 * k + 1].v), rows, 2 * k);
    rows_out(d, hn::InterleaveUpper(d, in[2 * k].v, in[2 * k + 1].v), rows + 1, 2 * k);
  }
}
