// What:    Classify the vertices, cut every side, close the cut, see the header.
#include <sudar/geom/convex_clip.hpp>
#include <sudar/geom/polygon.hpp>
#include <sudar/math/tolerance.hpp>

#include <algorithm>

namespace sudar {
namespace {

template <class V>
double slack_of(const std::vector<V>& vertices) {
  double largest = 0;
  for (const V& v : vertices) largest = std::max(largest, max_abs(v));
  return kClipSlack * largest;
}

template <class V>
Result<void> check_size(std::span<const V> vertices) {
  for (std::size_t i = 0; i < vertices.size(); ++i)
    if (max_abs(vertices[i]) > kMaxClipCoordinate)
      return Error{ErrorCode::invalid_argument, i, "a coordinate beyond 2^300"};
  return {};
}

// The point where an edge meets the plane, from the signed distances of its ends
template <class V>
V meet(const V& kept, double kept_distance, const V& removed, double removed_distance) {
  return lerp(kept, removed, kept_distance / (kept_distance - removed_distance));
}

}  // namespace

Result<ClipPolygon> make_clip_polygon(std::span<const Vec2d> vertices) {
  return guarded([&]() -> Result<ClipPolygon> {
    if (vertices.size() >= kSkin) return Error{ErrorCode::too_large, Error::kNoElement, "more vertices than labels"};
    if (auto convex = make_convex_polygon(vertices); !convex) return convex.error();
    if (auto checked = check_size(vertices); !checked) return checked.error();
    ClipPolygon polygon;
    polygon.vertices.assign(vertices.begin(), vertices.end());
    for (std::uint32_t i = 0; i < vertices.size(); ++i) polygon.labels.push_back(skin_label(i));
    return polygon;
  });
}

Result<ClipPolyhedron> make_clip_polyhedron(const Hull3& hull) {
  return guarded([&]() -> Result<ClipPolyhedron> {
    if (hull.dimension != 3) return Error{ErrorCode::degenerate, Error::kNoElement, "the hull has no volume"};
    if (auto checked = check_size(std::span(hull.vertices)); !checked) return checked.error();
    ClipPolyhedron body;
    body.vertices = hull.vertices;
    for (std::uint32_t f = 0; f < hull.face_count(); ++f) {
      for (std::uint32_t i = 0; i < hull.face_degree(f); ++i) body.loop.push_back(hull.face_vertex(f, i));
      body.start.push_back(static_cast<std::uint32_t>(body.loop.size()));
      body.labels.push_back(skin_label(f));
    }
    return body;
  });
}

double area(const ClipPolygon& polygon) noexcept {
  double twice = 0;
  const auto& v = polygon.vertices;
  for (std::size_t i = 2; i < v.size(); ++i) twice += cross(v[i - 1] - v[0], v[i] - v[0]);
  return twice / 2;
}

double volume(const ClipPolyhedron& body) noexcept {
  double six = 0;
  for (std::size_t f = 0; f < body.face_count(); ++f) {
    const auto face = body.face(f);
    const Vec3d a = body.vertices[face[0]] - body.vertices[0];
    for (std::size_t i = 2; i < face.size(); ++i)
      six += dot(a, cross(body.vertices[face[i - 1]] - body.vertices[0], body.vertices[face[i]] - body.vertices[0]));
  }
  return six / 6;
}

double clip_slack(const ClipPolygon& polygon) noexcept { return slack_of(polygon.vertices); }
double clip_slack(const ClipPolyhedron& body) noexcept { return slack_of(body.vertices); }

Result<bool> ConvexClipper::clip(ClipPolygon& polygon, const Vec2d& origin, const Plane<2, double>& plane,
                                 std::uint32_t label, double slack) noexcept {
  return guarded([&]() -> Result<bool> { return cut(polygon, origin, plane, label, slack); });
}
Result<bool> ConvexClipper::clip(ClipPolyhedron& body, const Vec3d& origin, const Plane<3, double>& plane,
                                 std::uint32_t label, double slack) noexcept {
  return guarded([&]() -> Result<bool> { return cut(body, origin, plane, label, slack); });
}

// Sides of all vertices; false when nothing lies in front
bool ConvexClipper::classify(std::span<const double> distances, double slack) {
  side_.resize(distances.size());
  bool any_in_front = false;
  for (std::size_t i = 0; i < distances.size(); ++i) {
    side_[i] = static_cast<std::int8_t>((distances[i] > slack) - (distances[i] < -slack));
    any_in_front |= side_[i] > 0;
  }
  return any_in_front;
}

bool ConvexClipper::cut(ClipPolygon& polygon, const Vec2d& origin, const Plane<2, double>& plane, std::uint32_t label,
                        double slack) {
  distance_.clear();
  for (const Vec2d& v : polygon.vertices) distance_.push_back(dot(plane.normal, v - origin) - plane.offset);
  if (!classify(distance_, slack)) return false;
  polygon_.vertices.clear();
  polygon_.labels.clear();
  const std::size_t count = polygon.vertices.size();
  const bool any_behind = std::find(side_.begin(), side_.end(), -1) != side_.end();
  for (std::size_t i = 0; any_behind && i < count; ++i) {
    const std::size_t next = i + 1 == count ? 0 : i + 1;
    const Vec2d &a = polygon.vertices[i], &b = polygon.vertices[next];
    const auto add = [&](const Vec2d& v, std::uint32_t outgoing) {
      polygon_.vertices.push_back(v);
      polygon_.labels.push_back(outgoing);
    };
    if (side_[i] < 0) {
      add(a, polygon.labels[i]);
      if (side_[next] > 0) add(meet(a, distance_[i], b, distance_[next]), label);
    } else if (side_[i] == 0) {
      add(a, side_[next] > 0 ? label : polygon.labels[i]);
    } else if (side_[next] < 0) {
      add(meet(b, distance_[next], a, distance_[i]), polygon.labels[i]);
    }
  }
  if (polygon_.vertices.size() < 3) {
    polygon_.vertices.clear();
    polygon_.labels.clear();
  }
  std::swap(polygon, polygon_);
  return true;
}

std::uint32_t ConvexClipper::cut_vertex(std::uint32_t kept, std::uint32_t removed) const {
  const auto less = [](const Cut& cut, const Cut& key) {
    return cut.kept != key.kept ? cut.kept < key.kept : cut.removed < key.removed;
  };
  return std::lower_bound(cuts_.begin(), cuts_.end(), Cut{kept, removed, 0}, less)->vertex;
}

// Chain the edges of the cut into loops. Exactly one loop, unless rounding made the cut touch itself.
void ConvexClipper::add_cap(ClipPolyhedron& out, std::uint32_t label) {
  const auto by_from = [](const CapEdge& a, const CapEdge& b) { return a.from < b.from; };
  std::sort(cap_.begin(), cap_.end(),
            [](const CapEdge& a, const CapEdge& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; });
  constexpr std::uint32_t kUsed = 0xffffffffu;
  for (CapEdge& first : cap_) {
    if (first.to == kUsed) continue;
    const std::size_t begin = out.loop.size();
    for (CapEdge* edge = &first;;) {
      out.loop.push_back(edge->from);
      const std::uint32_t to = edge->to;
      edge->to = kUsed;
      if (to == first.from) break;
      auto next = std::lower_bound(cap_.begin(), cap_.end(), CapEdge{to, 0}, by_from);
      while (next != cap_.end() && next->from == to && next->to == kUsed) ++next;
      if (next == cap_.end() || next->from != to) break;
      edge = &*next;
    }
    if (out.loop.size() - begin < 3) {
      out.loop.resize(begin);
      continue;
    }
    out.start.push_back(static_cast<std::uint32_t>(out.loop.size()));
    out.labels.push_back(label);
  }
}

bool ConvexClipper::cut(ClipPolyhedron& body, const Vec3d& origin, const Plane<3, double>& plane, std::uint32_t label,
                        double slack) {
  distance_.clear();
  for (const Vec3d& v : body.vertices) distance_.push_back(dot(plane.normal, v - origin) - plane.offset);
  if (!classify(distance_, slack)) return false;
  body_.vertices.clear();
  body_.loop.clear();
  body_.start.assign(1, 0);
  body_.labels.clear();
  if (std::find(side_.begin(), side_.end(), -1) == side_.end()) {
    body.vertices.clear();
    std::swap(body, body_);
    return true;
  }

  // Vertices that stay, and one new vertex for every edge that crosses; each is met once from behind to the front
  rename_.assign(body.vertices.size(), 0);
  for (std::size_t v = 0; v < body.vertices.size(); ++v) {
    if (side_[v] > 0) continue;
    rename_[v] = static_cast<std::uint32_t>(body_.vertices.size());
    body_.vertices.push_back(body.vertices[v]);
  }
  cuts_.clear();
  for (std::size_t f = 0; f < body.face_count(); ++f) {
    const auto face = body.face(f);
    for (std::size_t i = 0; i < face.size(); ++i) {
      const std::uint32_t a = face[i], b = face[i + 1 == face.size() ? 0 : i + 1];
      if (side_[a] < 0 && side_[b] > 0) cuts_.push_back({a, b, 0});
    }
  }
  std::sort(cuts_.begin(), cuts_.end(),
            [](const Cut& a, const Cut& b) { return a.kept != b.kept ? a.kept < b.kept : a.removed < b.removed; });
  for (Cut& cut : cuts_) {
    cut.vertex = static_cast<std::uint32_t>(body_.vertices.size());
    body_.vertices.push_back(
        meet(body.vertices[cut.kept], distance_[cut.kept], body.vertices[cut.removed], distance_[cut.removed]));
  }

  // Cut each face. Where its loop leaves at P and comes back at Q, the cap runs from Q to P.
  cap_.clear();
  for (std::size_t f = 0; f < body.face_count(); ++f) {
    const auto face = body.face(f);
    const std::size_t count = face.size(), begin = body_.loop.size();
    // Begin where the loop comes back, if it leaves at all
    std::size_t first = 0;
    while (first < count && !(side_[face[first]] <= 0 && side_[face[first == 0 ? count - 1 : first - 1]] > 0)) ++first;
    if (first == count) {
      if (side_[face[0]] > 0) continue;
      for (const std::uint32_t v : face) body_.loop.push_back(rename_[v]);
    }
    const auto border = [&](std::uint32_t kept, std::uint32_t removed) {
      if (side_[kept] == 0) return rename_[kept];
      body_.loop.push_back(cut_vertex(kept, removed));
      return body_.loop.back();
    };
    std::uint32_t came_back = 0;
    for (std::size_t k = 0; first < count && k < count; ++k) {
      const std::size_t i = (first + k) % count;
      const std::uint32_t v = face[i], before = face[(i + count - 1) % count], after = face[(i + 1) % count];
      if (side_[v] > 0) continue;
      if (side_[before] > 0) came_back = border(v, before);
      body_.loop.push_back(rename_[v]);
      if (side_[after] > 0) {
        left_.push_back(border(v, after));
        back_.push_back(came_back);
      }
    }
    // Run k was entered at back_[k] and left at left_[k]; the cap closes from each entry to the exit before it
    for (std::size_t k = 0; k < left_.size(); ++k) {
      const std::uint32_t from = back_[(k + 1) % back_.size()];
      if (from != left_[k]) cap_.push_back({from, left_[k]});
    }
    left_.clear();
    back_.clear();
    if (body_.loop.size() - begin < 3) {
      body_.loop.resize(begin);
      continue;
    }
    body_.start.push_back(static_cast<std::uint32_t>(body_.loop.size()));
    body_.labels.push_back(body.labels[f]);
  }
  add_cap(body_, label);
  if (body_.face_count() < 4) {
    body_.vertices.clear();
    body_.loop.clear();
    body_.start.assign(1, 0);
    body_.labels.clear();
  }
  std::swap(body, body_);
  return true;
}

}  // namespace sudar
