// What:    See contact_cache.hpp.
#include <sudar/dynamics/contact_cache.hpp>
#include <sudar/dynamics/rest_impulses.hpp>
#include <sudar/dynamics/world_tolerance.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sudar {

namespace {

// The contacts of these two objects
template <int D>
std::span<const SceneContact<D>> contacts_of(std::span<const SceneContact<D>> contacts, const RemovedPoint<D>& lost) {
  const std::pair wanted(lost.a.index, lost.b.index);
  const auto before = [](const SceneContact<D>& c, const auto& pair) { return std::pair(c.a, c.b) < pair; };
  const auto after = [](const auto& pair, const SceneContact<D>& c) { return pair < std::pair(c.a, c.b); };
  const auto first = std::lower_bound(contacts.begin(), contacts.end(), wanted, before);
  return {first, std::upper_bound(first, contacts.end(), wanted, after)};
}

// The geometric mean, also where the product leaves the range of double
double mixed_friction(double a, double b) {
  const double product = a * b;
  if (product >= std::numeric_limits<double>::min() && product <= std::numeric_limits<double>::max())
    return std::sqrt(product);
  return std::sqrt(a) * std::sqrt(b);
}

}  // namespace

template <int D>
void ContactCache<D>::carry(std::span<const SceneContact<D>> contacts, std::span<const ScenePoint<D>> points,
                            std::span<const RemovedPoint<D>> removed, std::vector<PointImpulse<D>>& impulses) {
  carried_.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::uint32_t from = points[i].previous;
    carried_[i] = from < impulses.size() && finite_impulse<D>(impulses[from]) ? impulses[from] : PointImpulse<D>{};
  }

  for (const RemovedPoint<D>& lost : removed) {
    if (!lost.goes_on || !(lost.index < impulses.size()) || !finite_impulse<D>(impulses[lost.index])) continue;
    std::uint32_t nearest = kNoIndex;
    bool nearest_new = false;
    double least = 0;
    for (const SceneContact<D>& contact : contacts_of<D>(contacts, lost)) {
      if (!(dot(contact.normal, lost.normal) >= kSameSideDirection)) continue;
      for (std::uint32_t k = contact.first; k < contact.first + contact.count; ++k) {
        const bool fresh = points[k].previous == kNoIndex;
        const double far = length_squared(points[k].position - lost.point.position);
        if (nearest != kNoIndex && (fresh < nearest_new || (fresh == nearest_new && !(far < least)))) continue;
        nearest = k, nearest_new = fresh, least = far;
      }
    }
    if (nearest == kNoIndex) continue;
    PointImpulse<D>& to = carried_[nearest];
    const PointImpulse<D>& from = impulses[lost.index];
    to.normal += from.normal;
    to.friction += from.friction;
    to.twist += from.twist;
    if (!finite_impulse<D>(to)) to = {};
  }
  carried_.swap(impulses);
}

template <int D>
bool ContactCache<D>::pushes(const SceneContact<D>& c, std::span<const std::uint8_t> roles,
                             std::span<const IdPair> jointed) {
  if (c.sensor || c.count == 0 || ((roles[c.a] | roles[c.b]) & kRoleDynamic) == 0) return false;
  return jointed.empty() || !std::binary_search(jointed.begin(), jointed.end(), IdPair{c.a, c.b});
}

template <int D>
void ContactCache<D>::select(std::span<const SceneContact<D>> contacts, std::span<const std::uint8_t> roles,
                             std::span<const IdPair> jointed) {
  pushing_.clear();
  for (std::uint32_t i = 0; i < contacts.size(); ++i)
    if (pushes(contacts[i], roles, jointed)) pushing_.push_back(i);
}

template <int D>
void ContactCache<D>::select_awake(std::span<const SceneContact<D>> contacts, std::span<const std::uint8_t> roles) {
  awake_.clear();
  for (const std::uint32_t i : pushing_)
    if (((roles[contacts[i].a] | roles[contacts[i].b]) & (kRoleAwake | kRoleKinematic)) != 0) awake_.push_back(i);
}

template <int D>
void ContactCache<D>::make_inputs(std::span<const SceneContact<D>> contacts, std::span<const ScenePoint<D>> points,
                                  std::span<const WorldBody<D>> bodies, std::span<const std::uint32_t> slot) {
  inputs_.clear();
  points_.resize(points.size());
  for (const std::uint32_t i : awake_) {
    const SceneContact<D>& c = contacts[i];
    const WorldBody<D>&a = bodies[c.a], &b = bodies[c.b];
    if (!a.is_awake() && !b.is_awake()) continue;
    ContactInput<D> input;
    input.a = slot[c.a] == kNoIndex ? 0 : slot[c.a];
    input.b = slot[c.b] == kNoIndex ? 0 : slot[c.b];
    input.first = c.first;
    input.count = c.count;
    input.normal = c.normal;
    input.friction = mixed_friction(a.material.friction, b.material.friction);
    input.restitution = std::max(a.material.restitution, b.material.restitution);
    inputs_.push_back(input);
    for (std::uint32_t k = c.first; k < c.first + c.count; ++k) points_[k] = {points[k].position, points[k].separation};
  }
}

template class ContactCache<2>;
template class ContactCache<3>;

}  // namespace sudar
