// What:    Snapshots of a scene: everything that the next update depends on, as bytes and back, and their hash.
// Differs: Counters that only time depends on (how often something changed, which slot a cache has) are not written as they
//          are but as what they say, so that scenes that will behave the same have the same hash. What the narrow phase
//          remembers is written: it may change the last bits of a contact.
// Fails:   restoring builds a scene beside this one and swaps them when everything is right.
#include <sudar/math/pose_check.hpp>
#include <sudar/scene/scene.hpp>
#include <sudar/scene/shape_bytes.hpp>

#include <algorithm>

namespace sudar {

namespace {

constexpr std::uint32_t kSceneMagic = 0x53445553;  // "SUDS"
constexpr std::uint32_t kSceneVersion = 2;

template <class F>
void cache_fields(F& f, GjkCache2& cache) {
  for (int i = 0; i < 3; ++i) f(cache.a[i]), f(cache.b[i]);
  f(cache.count);
  fields(f, cache.axis);
}
template <class F>
void cache_fields(F& f, GjkCache3& cache) {
  for (int i = 0; i < 4; ++i) f(cache.a[i]), f(cache.b[i]);
  f(cache.count);
  fields(f, cache.axis);
}

template <class F, int D>
void point_fields(F& f, ScenePoint<D>& p) {
  fields(f, p.position);
  f(p.separation), f(p.feature), f(p.previous);
}
template <class F, int D>
void contact_fields(F& f, SceneContact<D>& c) {
  f(c.patch), f(c.count), f(c.sensor);
  fields(f, c.normal);
}

Error bad_snapshot(const NumberReader& from, const char* reason) { return {ErrorCode::bad_format, from.at(), reason}; }

}  // namespace

template <int D>
template <class Sink>
void Scene<D>::write(Sink& sink) const {
  NumberWriter<Sink> to{sink};
  to(kSceneMagic), to(kSceneVersion), to(std::uint32_t{D});
  to(margin_);
  to(std::uint64_t{objects_.size()});
  for (std::uint32_t i = 0; i < objects_.size(); ++i) {
    const SceneObject<D>& x = objects_[i];
    to(x.generation), to(x.used);
    if (!x.used) continue;
    write_shape(to, x.shape);
    Position pose = x.pose;
    fields(to, pose);
    to(x.user), to(x.sensor), to(x.reaches);
    to(x.moved > told_.changes), to(x.fresh > told_.changes);
    to(motion(i) == Motion::fixed);
    to(filter(i).layer), to(filter(i).mask), to(filter(i).group);
    if (x.reaches) {
      Aabb<D, double> reach = reach_[i];
      fields(to, reach.lo), fields(to, reach.hi);
    }
  }
  for (const std::uint32_t index : free_) to(index);

  // The last results
  to(std::uint64_t{told_.generations.size()});
  for (const std::uint32_t generation : told_.generations) to(generation);
  const Frame& told = rest_.empty() ? told_ : whole().frame;
  to(std::uint64_t{told.pairs.size()});
  for (std::size_t i = 0; i < told.pairs.size(); ++i) {
    to(told.pairs[i].lo), to(told.pairs[i].hi), to(told.touching[i]);
    to(told.cache[i] != kNoIndex);
    if (told.cache[i] != kNoIndex) {
      PairCache<D> cache = caches_[told.cache[i]];
      cache_fields(to, cache);
    }
    const auto contacts = told.contacts_of(i);
    to(std::uint64_t{contacts.size()});
    for (SceneContact<D> contact : contacts) {
      contact_fields(to, contact);
      for (ScenePoint<D> point : std::span(told.points).subspan(contact.first, contact.count)) point_fields(to, point);
    }
  }
}

template <int D>
std::uint64_t Scene<D>::hash() const noexcept {
  HashSink sink;
  write(sink);
  return sink.hash();
}

template <int D>
Result<void> Scene<D>::save(SceneSnapshot<D>& out) const {
  return guarded([&]() -> Result<void> {
    SceneSnapshot<D> made;
    for (const SceneObject<D>& x : objects_)
      if (x.used && is_large(x.shape.kind())) made.shapes.push_back(x.shape);
    ByteSink sink(made.bytes);
    write(sink);
    NumberWriter<ByteSink> to{sink};
    to(sink.hash());
    out = std::move(made);
    return {};
  });
}

template <int D>
Result<void> Scene<D>::restore(const SceneSnapshot<D>& snapshot) {
  return guarded([&]() -> Result<void> {
    // The hash of everything before it ends the bytes
    constexpr std::size_t kHashBytes = 8;
    const std::span<const std::uint8_t> all = snapshot.bytes;
    if (all.size() < kHashBytes) return Error{ErrorCode::bad_format, 0, "too short for a snapshot"};
    const auto body = all.first(all.size() - kHashBytes);
    Hash64 hash;
    for (const std::uint8_t byte : body) hash.add_byte(byte);
    NumberReader tail(all.last(kHashBytes));
    std::uint64_t written = 0;
    tail(written);
    if (written != hash.value()) return Error{ErrorCode::bad_format, body.size(), "the hash does not fit the bytes"};

    Scene fresh;
    NumberReader from(body);
    if (const auto r = fresh.read(from, snapshot.shapes); !r) return r;
    // What is not of the snapshot stays
    fresh.broadphase_ = std::move(broadphase_);
    fresh.executor_ = executor_;
    fresh.set_pair_callback(callback_);
    *this = std::move(fresh);
    return {};
  });
}

template <int D>
Result<void> Scene<D>::read(NumberReader& from, std::span<const Shape> shapes) {
  std::uint32_t magic = 0, version = 0, dimension = 0;
  from(magic), from(version), from(dimension);
  if (magic != kSceneMagic) return bad_snapshot(from, "not a snapshot of a scene");
  if (version != kSceneVersion) return bad_snapshot(from, "a snapshot of another version");
  if (dimension != D) return bad_snapshot(from, "a snapshot of another dimension");
  from(margin_);
  if (!(margin_ >= 0 && margin_ <= kMaxShapeSize)) return bad_snapshot(from, "margin");

  // Objects. Everything that changed since the last results is change 1.
  changes_ = last_fresh_ = 1;
  const std::size_t count = from.count(5);
  make_room(count);
  std::size_t unused = 0;
  for (std::size_t i = 0; i < count; ++i) {
    using Nothing = std::conditional_t<D == 2, PointShape2, PointShape3>;
    SceneObject<D> x(Shape(Nothing{}));
    Filter limits;
    bool fixed = false;
    Aabb<D, double> reach{};
    from(x.generation), from(x.used);
    if (x.generation == 0) return bad_snapshot(from, "generations");
    if (x.used) {
      auto shape = read_shape<Shape>(from, shapes);
      if (!shape) return bad_snapshot(from, "a shape that is not valid, or is not beside the bytes");
      x.shape = *std::move(shape);
      bool moved = false, is_new = false;
      fields(from, x.pose);
      from(x.user), from(x.sensor), from(x.reaches), from(moved), from(is_new), from(fixed);
      from(limits.layer), from(limits.mask), from(limits.group);
      if (const auto pose = checked_pose<D>(x.pose, i); !pose || !(*pose == x.pose))
        return bad_snapshot(from, "a pose that is not valid");
      x.moved = moved ? 1 : 0;
      x.fresh = is_new ? 1 : 0;
      // The pairs may be those of other filters: nobody is parked before the next update
      x.refiltered = 1;
      x.fixed = x.parked = fixed;
      if (x.reaches) {
        fields(from, reach.lo), fields(from, reach.hi);
        if (!is_finite(reach.lo) || !is_finite(reach.hi) || !is_valid(reach)) return bad_snapshot(from, "reach");
        reach_.resize(count);
        reach_[i] = reach;
      }
    } else {
      ++unused;
    }
    if (from.failed()) return bad_snapshot(from, "objects");
    alive_.push_back(x.used ? x.generation : 0);
    objects_.push_back(std::move(x));
    const auto id = store_.insert(objects_[i].used ? box_of(static_cast<std::uint32_t>(i)) : Aabb<D, double>{}, limits,
                                  fixed ? Motion::fixed : Motion::moving);
    if (!id) return id.error();
  }
  // Free indices in the order in which they became free
  for (std::size_t i = 0; i < unused; ++i) {
    std::uint32_t index = 0;
    from(index);
    if (from.failed() || index >= count || objects_[index].used || !store_.contains(index))
      return bad_snapshot(from, "free indices");
    if (const auto r = store_.remove(index); !r) return r;
    free_.push_back(index);
  }

  // The last results
  told_.generations.resize(from.count(4));
  if (told_.generations.size() > count) return bad_snapshot(from, "more objects in pairs than there are");
  for (std::uint32_t& generation : told_.generations) from(generation);
  const std::size_t pairs = from.count(10);
  told_.first_contact.push_back(0);
  for (std::size_t i = 0; i < pairs; ++i) {
    IdPair pair{};
    std::uint8_t touching = 0;
    bool cached = false;
    from(pair.lo), from(pair.hi), from(touching), from(cached);
    if (from.failed() || !(pair.lo < pair.hi && pair.hi < told_.generations.size()) || touching > 1 ||
        (i > 0 && !(told_.pairs.back() < pair)))
      return bad_snapshot(from, "pairs");
    told_.pairs.push_back(pair);
    told_.touching.push_back(touching);
    told_.cache.push_back(cached ? static_cast<std::uint32_t>(caches_.size()) : kNoIndex);
    if (cached) cache_fields(from, caches_.emplace_back());
    for (std::size_t contacts = from.count(9); contacts > 0; --contacts) {
      SceneContact<D> contact;
      contact.a = pair.lo;
      contact.b = pair.hi;
      contact.first = static_cast<std::uint32_t>(told_.points.size());
      contact_fields(from, contact);
      for (std::uint32_t k = 0; k < contact.count && !from.failed(); ++k) {
        ScenePoint<D> point;
        point_fields(from, point);
        told_.points.push_back(point);
      }
      if (from.failed()) return bad_snapshot(from, "contacts");
      told_.contacts.push_back(contact);
    }
    told_.first_contact.push_back(static_cast<std::uint32_t>(told_.contacts.size()));
  }
  if (from.failed() || !from.at_end()) return bad_snapshot(from, "the end");
  caches_told_ = caches_.size();
  // Which objects came and went is known by their generations alone
  membership_ = 1;
  return {};
}

template SUDAR_API std::uint64_t Scene<2>::hash() const noexcept;
template SUDAR_API std::uint64_t Scene<3>::hash() const noexcept;
template SUDAR_API Result<void> Scene<2>::save(SceneSnapshot<2>&) const;
template SUDAR_API Result<void> Scene<3>::save(SceneSnapshot<3>&) const;
template SUDAR_API Result<void> Scene<2>::restore(const SceneSnapshot<2>&);
template SUDAR_API Result<void> Scene<3>::restore(const SceneSnapshot<3>&);
template SUDAR_API Result<void> Scene<2>::read(NumberReader&, std::span<const Shape2>);
template SUDAR_API Result<void> Scene<3>::read(NumberReader&, std::span<const Shape3>);

}  // namespace sudar
