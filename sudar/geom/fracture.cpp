// What:    A copy of the body for every site, cut by bisectors, see the header.
#include <sudar/geom/bisector.hpp>
#include <sudar/geom/delaunay_neighbours.hpp>
#include <sudar/geom/fracture.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sudar {
namespace {

template <int D>
Result<void> check_sites(std::span<const Vec<D, double>> sites) {
  if (sites.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "no sites"};
  if (sites.size() >= kSkin) return Error{ErrorCode::too_large, Error::kNoElement, "more sites than labels"};
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (!is_finite(sites[i])) return Error{ErrorCode::non_finite, i, "a coordinate is NaN or infinite"};
    if (max_abs(sites[i]) > kMaxClipCoordinate)
      return Error{ErrorCode::invalid_argument, i, "a coordinate beyond 2^300"};
  }
  return {};
}
Result<void> check_distinct(const std::vector<std::uint32_t>& first_of) {
  for (std::size_t i = 0; i < first_of.size(); ++i)
    if (first_of[i] != i) return Error{ErrorCode::invalid_argument, i, "two sites at the same place"};
  return {};
}

double measure(const ClipPolygon& shape) { return area(shape); }
double measure(const ClipPolyhedron& shape) { return volume(shape); }
double& measure_of(FracturePiece2& piece) { return piece.area; }
double& measure_of(FracturePiece3& piece) { return piece.volume; }

// Cut a copy of the whole for every site. neighbours_of(i) gives the sites whose bisectors matter.
template <int D, class Piece, class Body, class F>
Result<std::vector<Piece>> cut_pieces(const Body& whole, std::span<const Vec<D, double>> sites, F&& neighbours_of) {
  Vec<D, double> lo = whole.vertices[0], hi = lo;
  for (const auto& v : whole.vertices) {
    lo = min(lo, v);
    hi = max(hi, v);
  }
  const Vec<D, double> center = lo * 0.5 + hi * 0.5;
  const double slack = clip_slack(whole);
  ConvexClipper clipper;
  std::vector<Piece> pieces;
  for (std::uint32_t site = 0; site < sites.size(); ++site) {
    Body shape = whole;
    for (const std::uint32_t other : neighbours_of(site)) {
      if (other == site) continue;
      const auto cut = clipper.clip(shape, center, bisector<D>(sites[site], sites[other], center), other, slack);
      if (!cut) return cut.error();
      if (shape.empty()) break;
    }
    if (shape.empty()) continue;
    Piece piece;
    piece.site = site;
    measure_of(piece) = measure(shape);
    for (const std::uint32_t label : shape.labels)
      if (!is_skin(label)) piece.neighbours.push_back(label);
    std::sort(piece.neighbours.begin(), piece.neighbours.end());
    piece.neighbours.erase(std::unique(piece.neighbours.begin(), piece.neighbours.end()), piece.neighbours.end());
    piece.shape = std::move(shape);
    pieces.push_back(std::move(piece));
  }

  // Slivers of negative measure must not make up for what is missing
  double filled = 0;
  for (Piece& piece : pieces) filled += std::fabs(measure_of(piece));
  const double expected = measure(whole);
  if (!(std::fabs(filled - expected) <= kFractureGap * expected))
    return Error{ErrorCode::degenerate, Error::kNoElement, "the body is too thin for rounded cuts to part it"};

  // A sliver within rounding may show on one side only: keep what both sides see
  std::vector<std::uint64_t> seen;
  for (const Piece& piece : pieces)
    for (const std::uint32_t other : piece.neighbours) seen.push_back(std::uint64_t{piece.site} << 32 | other);
  for (Piece& piece : pieces)
    std::erase_if(piece.neighbours, [&](std::uint32_t other) {
      return !std::binary_search(seen.begin(), seen.end(), std::uint64_t{other} << 32 | piece.site);
    });
  return pieces;
}

std::vector<std::uint32_t> all_sites(std::size_t count) {
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

}  // namespace

Result<std::vector<FracturePiece2>> fracture2(std::span<const Vec2d> polygon, std::span<const Vec2d> sites,
                                              FractureMethod method) noexcept {
  return guarded([&]() -> Result<std::vector<FracturePiece2>> {
    const Result<ClipPolygon> whole = make_clip_polygon(polygon);
    if (!whole) return whole.error();
    if (auto checked = check_sites<2>(sites); !checked) return checked.error();
    const Result<Delaunay2> delaunay = delaunay2(sites);
    if (!delaunay) return delaunay.error();
    if (auto checked = check_distinct(delaunay->first_of); !checked) return checked.error();
    if (method == FractureMethod::all_sites) {
      const auto all = all_sites(sites.size());
      return cut_pieces<2, FracturePiece2>(*whole, sites, [&](std::uint32_t) { return std::span(all); });
    }
    const Result<DelaunayNeighbours> neighbours = delaunay_neighbours(*delaunay);
    if (!neighbours) return neighbours.error();
    return cut_pieces<2, FracturePiece2>(*whole, sites, [&](std::uint32_t site) { return neighbours->of(site); });
  });
}

Result<std::vector<FracturePiece3>> fracture3(const Hull3& body, std::span<const Vec3d> sites,
                                              FractureMethod method) noexcept {
  return guarded([&]() -> Result<std::vector<FracturePiece3>> {
    const Result<ClipPolyhedron> whole = make_clip_polyhedron(body);
    if (!whole) return whole.error();
    if (auto checked = check_sites<3>(sites); !checked) return checked.error();
    const Result<Delaunay3> delaunay = delaunay3(sites);
    if (!delaunay) return delaunay.error();
    if (auto checked = check_distinct(delaunay->first_of); !checked) return checked.error();
    if (method == FractureMethod::all_sites) {
      const auto all = all_sites(sites.size());
      return cut_pieces<3, FracturePiece3>(*whole, sites, [&](std::uint32_t) { return std::span(all); });
    }
    const Result<DelaunayNeighbours> neighbours = delaunay_neighbours(*delaunay);
    if (!neighbours) return neighbours.error();
    return cut_pieces<3, FracturePiece3>(*whole, sites, [&](std::uint32_t site) { return neighbours->of(site); });
  });
}

}  // namespace sudar
