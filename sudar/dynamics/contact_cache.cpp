// What:    See contact_cache.hpp.
#include <sudar/dynamics/contact_cache.hpp>

#include <algorithm>
#include <tuple>

namespace sudar {

namespace {

// The contact of these two objects with this patch, or the end
template <int D>
auto find_contact(std::span<const SceneContact<D>> contacts, const RemovedPoint<D>& lost) {
  const auto key = [](const auto& x) { return std::tuple(x.a, x.b, x.patch); };
  const std::tuple wanted(lost.a.index, lost.b.index, lost.patch);
  const auto found = std::lower_bound(contacts.begin(), contacts.end(), wanted,
                                      [&](const SceneContact<D>& c, const auto& k) { return key(c) < k; });
  return found != contacts.end() && key(*found) == wanted ? found : contacts.end();
}

}  // namespace

template <int D>
void ContactCache<D>::carry(std::span<const SceneContact<D>> contacts, std::span<const ScenePoint<D>> points,
                            std::span<const RemovedPoint<D>> removed, std::vector<PointImpulse<D>>& impulses) {
  carried_.assign(points.size(), PointImpulse<D>{});
  for (std::size_t i = 0; i < points.size(); ++i)
    if (points[i].previous < impulses.size()) carried_[i] = impulses[points[i].previous];

  for (const RemovedPoint<D>& lost : removed) {
    if (!(lost.index < impulses.size())) continue;
    const auto contact = find_contact<D>(contacts, lost);
    if (contact == contacts.end()) continue;
    std::uint32_t nearest = kNoIndex;
    bool nearest_new = false;
    double least = 0;
    for (std::uint32_t k = contact->first; k < contact->first + contact->count; ++k) {
      const bool fresh = points[k].previous == kNoIndex;
      const double far = length_squared(points[k].position - lost.point.position);
      if (nearest != kNoIndex && (fresh < nearest_new || (fresh == nearest_new && !(far < least)))) continue;
      nearest = k, nearest_new = fresh, least = far;
    }
    if (nearest == kNoIndex) continue;
    PointImpulse<D>& to = carried_[nearest];
    const PointImpulse<D>& from = impulses[lost.index];
    to.normal += from.normal;
    to.friction += from.friction;
    to.twist += from.twist;
  }
  carried_.swap(impulses);
}

template <int D>
void ContactCache<D>::select(std::span<const SceneContact<D>> contacts, std::span<const WorldBody<D>> bodies,
                             std::span<const IdPair> jointed) {
  pushing_.clear();
  for (std::uint32_t i = 0; i < contacts.size(); ++i) {
    const SceneContact<D>& c = contacts[i];
    if (c.sensor || c.count == 0 || !(bodies[c.a].is_dynamic() || bodies[c.b].is_dynamic())) continue;
    if (!jointed.empty() && std::binary_search(jointed.begin(), jointed.end(), IdPair{c.a, c.b})) continue;
    pushing_.push_back(i);
  }
}

template <int D>
void ContactCache<D>::make_inputs(std::span<const SceneContact<D>> contacts, std::span<const ScenePoint<D>> points,
                                  std::span<const WorldBody<D>> bodies, std::span<const std::uint32_t> slot) {
  inputs_.clear();
  points_.resize(points.size());
  for (const std::uint32_t i : pushing_) {
    const SceneContact<D>& c = contacts[i];
    const WorldBody<D>&a = bodies[c.a], &b = bodies[c.b];
    if (!a.is_awake() && !b.is_awake()) continue;
    ContactInput<D> input;
    input.a = slot[c.a] == kNoIndex ? 0 : slot[c.a];
    input.b = slot[c.b] == kNoIndex ? 0 : slot[c.b];
    input.first = c.first;
    input.count = c.count;
    input.normal = c.normal;
    input.friction = std::sqrt(a.material.friction * b.material.friction);
    input.restitution = std::max(a.material.restitution, b.material.restitution);
    inputs_.push_back(input);
    for (std::uint32_t k = c.first; k < c.first + c.count; ++k) points_[k] = {points[k].position, points[k].separation};
  }
}

template class ContactCache<2>;
template class ContactCache<3>;

}  // namespace sudar
