// What:    A collision scene without any physics: objects that come, move and go; their pairs, contacts and events;
//          questions to them; snapshots.
// Source:  the flow of a step: shared between this and the world (dynamics/), which stands on it. Seeds A17, A20, B6, B13.
// Differs: The results are the same bits for every broad phase and thread count: pairs are sorted before anything depends
//          on them, and work is cut by a fixed grain. The broad phase may be swapped at any time without losing an event,
//          because the scene keeps the pairs that it told. Nothing has a capacity, and no pair is dropped. Contacts of two
//          objects that both stayed as they were are carried over, not computed again; those of two of which the owner says
//          that they rest are kept apart, and an update does not walk them (rest_stage.cpp).
// Frame:   The world's, metres.
// Threads: one call at a time; update() works on the threads of the executor.
// Fails:   unknown_id with the index of a handle that is not there (any more), or with the place in an array; non_finite
//          and degenerate (a rotation of length zero) for poses; out_of_memory. After an error the scene is as it was, but
//          for what add_many says: pairs, contacts and points are those of the last update that succeeded. Its events are
//          told no more then; the next update tells all since it. Changes after update() show in the results of the next
//          update(), and at once in questions and getters.
#pragma once

#include <sudar/broadphase/broadphase.hpp>
#include <sudar/core/stats.hpp>
#include <sudar/narrowphase/collide2.hpp>
#include <sudar/narrowphase/collide3.hpp>
#include <sudar/queries/shape_questions.hpp>
#include <sudar/scene/rest_store.hpp>
#include <sudar/scene/scene_frame.hpp>
#include <sudar/scene/scene_types.hpp>

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace sudar {

struct MatchScratch;  // point_matching.hpp
class NumberReader;   // snapshot_bytes.hpp

// One object as the scene keeps it. The filter is in the box store (Scene::filter).
template <int D>
struct SceneObject {
  // What every update looks at comes first
  Pose<D, double> pose{};
  std::uint64_t moved = 0;  // the change of the scene at which pose or shape last changed
  std::uint64_t fresh = 0;  // the one at which it was put, jumped or got its shape: contacts from before mean nothing
  std::uint32_t generation = 1;
  bool used = false;
  bool sensor = false;
  bool queued = false;   // its box is to be computed
  bool jumps = false;    // and is far from where it was
  bool reaches = false;  // its box covers more than the shape
  bool fixed = false;
  bool resting = false;  // its owner says so
  bool parked =
      false;  // its box is fixed for the search: no pairs of two such objects are found, those that rest are kept
  bool waits = false;    // it is in the list of those that are to be parked
  bool stirred = false;  // it is in the list of those whose pairs rest no more
  ShapeOf<D> shape;
  std::uint64_t user = 0;
  std::uint64_t refiltered = 0;  // the change of the scene at which anything else last changed that pairs depend on

  explicit SceneObject(ShapeOf<D> of) : shape(std::move(of)) {}
};

template <int D>
class SUDAR_API Scene final : public ShapeQuestions<D> {
 public:
  using Id = ObjectId<D>;
  using Shape = ShapeOf<D>;
  using Position = Pose<D, double>;

  // unknown_id: no such broad phase; non_finite, invalid_argument: the margin
  static Result<Scene> make(const SceneOptions& options = {});
  Scene(Scene&&) noexcept = default;
  Scene& operator=(Scene&&) noexcept = default;

  // Objects. An index that became free is given out again, the last one first.
  Result<Id> add(const ObjectSpec<D>& spec);
  // All of them, ids in their order appended to `ids`. A bad one is named by its place, and nothing is added then. When
  // memory runs out, those before the one that is named are in, with their ids.
  Result<void> add_many(std::span<const ObjectSpec<D>> specs, std::vector<Id>& ids);
  Result<void> remove(Id id);
  // A small step from where it was
  Result<void> set_pose(Id id, const Position& pose);
  // Of all of them or, after an error, of none; the error's element is the place in the list
  Result<void> set_poses(std::span<const Id> ids, std::span<const Position> poses);
  // To a place that has nothing to do with where it was: all its contact points are new
  Result<void> teleport(Id id, const Position& pose);
  // Its contact points are new
  Result<void> set_shape(Id id, const Shape& shape);
  Result<void> set_filter(Id id, const Filter& filter);
  Result<void> set_motion(Id id, Motion motion);
  Result<void> set_sensor(Id id, bool sensor);
  Result<void> set_user(Id id, std::uint64_t user);
  // It stays as it is for a while, by its owner's word: its pairs with others that rest or are fixed cost an update nothing
  // from then on. A change of the object is seen as ever. Changes no result, and is not a part of snapshots.
  Result<void> set_resting(Id id, bool resting);
  // Until its next pose, the object's box also covers where it may go: this box, or the way along a vector. Changes
  // pairs, never contacts. For fast bodies.
  Result<void> set_reach(Id id, const Aabb<D, double>& box);
  Result<void> set_reach(Id id, const Vec<D, double>& way);
  // The caller's own word on pairs, asked with indices (see PairCallback). Not a part of snapshots.
  void set_pair_callback(const PairCallback& callback) noexcept;

  // Whether pairs of these two are looked for at all: fixed or not, layers, groups, and the callback. Both are in use.
  bool may_pair(std::uint32_t a, std::uint32_t b) const noexcept {
    return !(objects_[a].fixed && objects_[b].fixed) && sudar::may_pair(filter(a), filter(b)) &&
           (callback_.keep == nullptr || callback_.keep(callback_.context, a < b ? a : b, a < b ? b : a));
  }

  std::size_t size() const noexcept { return store_.size(); }
  // All indices are below this
  std::size_t index_limit() const noexcept { return objects_.size(); }
  bool contains(Id id) const noexcept {
    return id.index < alive_.size() && alive_[id.index] == id.generation && id.generation != 0;
  }
  // null when it is not there
  const SceneObject<D>* find(Id id) const noexcept { return contains(id) ? &objects_[id.index] : nullptr; }
  // Of an index that is in use, as pairs, contacts and queries tell them
  const SceneObject<D>& operator[](std::uint32_t index) const noexcept {
    SUDAR_ASSERT(index < objects_.size() && objects_[index].used);
    return objects_[index];
  }
  Id id_of(std::uint32_t index) const noexcept { return {index, (*this)[index].generation}; }
  const Filter& filter(std::uint32_t index) const noexcept { return store_.filters()[store_.row_of(index)]; }
  Motion motion(std::uint32_t index) const noexcept { return (*this)[index].fixed ? Motion::fixed : Motion::moving; }
  double margin() const noexcept { return margin_; }
  // The boxes as the last update, or a question since, has left them: what the broad phase reads. What rests is fixed there.
  const BoxStore<D>& boxes() const noexcept { return store_; }

  // The broad phase and the threads: neither changes a result, only the time that it takes
  Result<void> set_broadphase(std::string_view name);
  const Broadphase<D>& broadphase() const noexcept { return *broadphase_; }
  // Parameters of the algorithm (see Broadphase::set_parameter)
  Result<void> set_parameter(std::string_view parameter, double value) {
    return broadphase_->set_parameter(parameter, value);
  }
  void set_executor(Executor& executor) noexcept;

  // From the objects as they are to pairs, contacts and events. The five stages, in this order:
  Result<void> update(RestListener* listener = nullptr);
  // Each alone; one that is called out of its order, or after objects came or went since the pairs: invalid_argument.
  // The results of the update before stay the ones to compare with until match_points() has succeeded. Nothing rests then.
  // A stage that failed can be called again, but for match_points(): then they begin anew.
  Result<void> update_boxes();   // the store has the boxes of what moved
  Result<void> find_pairs();     // pairs()
  Result<void> compare_pairs();  // events().pairs
  Result<void> find_contacts();  // contacts(), points() without their history
  Result<void> match_points();   // points(), removed_points(), events().touching

  // Results of the last update, valid until the next one, as far as its stages have come
  std::span<const IdPair> pairs() const noexcept { return shown().pairs; }
  // By (a, b, patch)
  std::span<const SceneContact<D>> contacts() const noexcept { return shown().contacts; }
  // Those of pairs()[pair]
  std::span<const SceneContact<D>> contacts_of(std::size_t pair) const noexcept { return shown().contacts_of(pair); }
  // In the order of contacts
  std::span<const ScenePoint<D>> points() const noexcept { return shown().points; }
  std::span<const ScenePoint<D>> points_of(const SceneContact<D>& contact) const noexcept {
    return points().subspan(contact.first, contact.count);
  }
  bool touching(std::size_t pair) const noexcept { return !shown().touching.empty() && shown().touching[pair] != 0; }
  std::span<const RemovedPoint<D>> removed_points() const noexcept {
    return rest_.empty() ? removed_points_ : whole().removed_points;
  }
  SceneEvents<D> events() const noexcept;

  // The same without the pairs that rest, for whoever keeps something beside every point of the update: places of points
  // count among these, and change when the listener is told so
  const SceneFrame<D>& live() const noexcept { return told_; }
  std::span<const RemovedPoint<D>> live_removed_points() const noexcept { return removed_points_; }
  std::span<const SceneEvent<D>> touching_begun() const noexcept { return touch_begin_; }
  const RestStore<D>& resting() const noexcept { return rest_; }
  // Where the points are that points() has, pair by pair
  std::span<const typename WholeScene<D>::Source> point_sources() const noexcept { return whole().sources; }
  std::size_t point_count() const noexcept { return told_.points.size() + rest_.points(); }
  // The pairs of what rests no more are in live() at once; false when there were none
  Result<bool> pull_stirred(RestListener* listener);

  // What the last update took, and what it counted
  const StepStats& stats() const noexcept { return stats_; }
  // Pairs whose contacts were computed; those of the others were carried over
  std::size_t computed_pairs() const noexcept { return computed_pairs_; }
  SceneBytes bytes() const noexcept;

  // Everything that the next update depends on: objects, the last results and what the narrow phase remembers
  Result<void> save(SceneSnapshot<D>& out) const;
  // From then on, everything is as it was: the same ids, and the same bits from the same calls. The scene keeps its broad
  // phase, its executor and its callback. bad_format, with the byte: not a snapshot of this version and dimension, or
  // damaged, or a shape is missing or another one. The scene is as it was then.
  Result<void> restore(const SceneSnapshot<D>& snapshot);
  // Of everything that save() writes: equal scenes have equal hashes, whatever their broad phases and threads
  std::uint64_t hash() const noexcept;

 private:
  using typename ShapeQuestions<D>::Ground;
  using typename ShapeQuestions<D>::Placed;
  using Frame = SceneFrame<D>;

  Scene() = default;
  Result<Ground> ground() override;
  Placed placed(std::uint32_t id) const noexcept override { return {objects_[id].shape, objects_[id].pose}; }

  Aabb<D, double> box_of(std::uint32_t index) const noexcept;
  void queue(std::uint32_t index) noexcept;
  void make_room(std::size_t objects);
  Result<Id> add_checked(const ObjectSpec<D>& spec, const Position& pose);
  void put(std::uint32_t index, const Position& pose, bool jumps) noexcept;
  bool is_fresh(std::uint32_t index) const noexcept { return objects_[index].fresh > told_.changes; }
  void renew(SceneObject<D>& object) noexcept { object.moved = object.fresh = last_fresh_ = ++changes_; }
  Result<void> begin_update(RestListener* listener, bool park);
  Result<void> move_boxes();
  void contacts_of_pairs(std::size_t begin, std::size_t end, ContactBlock<D>& out);
  void forget_changes() noexcept;
  void put_caches_back() noexcept;
  void take_in_contacts(std::size_t blocks);
  void match_pair(std::size_t pair, MatchScratch& scratch, std::vector<std::uint32_t>& previous);
  void finish_update() noexcept;
  // While anything rests, no stage is ever seen half-way
  const Frame& shown() const noexcept { return !rest_.empty() ? whole().frame : progress_ >= 2 ? next_ : told_; }

  // What rests (rest_stage.cpp, scene_whole.cpp)
  bool is_still(const SceneObject<D>& object) const noexcept { return object.used && (object.fixed || object.resting); }
  void count_parked(const SceneObject<D>& object, bool more) noexcept;
  void set_parked(SceneObject<D>& object, bool parked) noexcept;
  void stir(std::uint32_t index) noexcept;
  void stir_all() noexcept;
  void wait_to_rest(std::uint32_t index) noexcept;
  void choose_parked();
  Result<void> arrange(RestListener* listener, bool park);
  void exchange(RestListener* listener, bool file);
  void merge_pulled(std::size_t filed_points);
  void commit_exchange(RestListener* listener) noexcept;
  void make_room_for_whole(const Frame& live);
  const WholeScene<D>& whole() const noexcept;
  void make_whole() const noexcept;
  template <class Sink>
  void write(Sink& sink) const;
  Result<void> read(NumberReader& from, std::span<const Shape> shapes);

  // Objects, by index; `reach_` only where an object reaches
  std::vector<SceneObject<D>> objects_;
  std::vector<std::uint32_t> alive_;  // their generations, 0 for those that are not in use
  std::vector<Aabb<D, double>> reach_;
  std::vector<std::uint32_t> free_;   // as the store has them: the last one is given out next
  std::vector<std::uint32_t> queue_;  // indices whose boxes are to be computed, each once
  std::vector<float> rows_;           // boxes on their way to the store, D minima and D maxima each
  BoxStore<D> store_;
  PairCallback callback_;
  std::unique_ptr<Broadphase<D>> broadphase_;
  Executor* executor_ = &serial_executor();
  double margin_ = 0;
  std::uint64_t changes_ = 0;     // of poses and shapes, so far
  std::uint64_t last_fresh_ = 0;  // the one at which an object last became fresh
  std::uint64_t membership_ = 0;  // objects that came and went, so far
  std::uint64_t next_seen_ = 0;   // changes that the boxes of the update that is going on know of

  // Results: of the last update, and of the one that is going on
  Frame told_, next_;
  int progress_ = 0;                           // stages of the update that is going on that are done
  std::vector<std::uint32_t> before_, after_;  // the pair of told_ of each in next_, and the other way round
  std::vector<SceneEvent<D>> pair_begin_, pair_end_, touch_begin_, touch_end_;
  std::vector<IdPair> pair_stay_, touch_stay_;
  std::vector<std::uint8_t> same_;         // of next_'s pairs: the contacts are those of told_
  std::vector<std::uint8_t> point_stays_;  // of told_'s points, but for those of pairs that are the same
  std::size_t computed_pairs_ = 0;
  std::vector<RemovedPoint<D>> removed_points_;
  std::vector<ContactBlock<D>> blocks_;
  // What the narrow phase remembers of a pair, in slots that stay with the pair
  std::vector<PairCache<D>> caches_;
  std::vector<PairCache<D>> kept_caches_;  // by pair of next_: what a slot had before this update, where kept_ says so
  std::vector<std::uint8_t> kept_;
  std::size_t caches_told_ = 0;             // how many of them belong to told_ or are free
  std::vector<std::uint32_t> free_caches_;  // the first free_caches_left_ of them are not taken by next_
  std::size_t free_caches_left_ = 0;
  StepStats stats_;

  // What rests
  RestStore<D> rest_;
  std::vector<std::uint32_t> to_stir_;  // parked objects that changed or rest no more, each once
  std::vector<std::uint32_t> to_rest_;  // objects that rest or are fixed and are not parked yet, each once
  std::size_t parked_movers_ = 0;       // parked, and not fixed
  std::size_t unparked_fixed_ = 0;
  bool file_due_ = false;               // somebody was parked whose pairs are still among those of the update
  int patience_ = 0;                    // updates since the first one began to wait
  std::uint64_t callback_changed_ = 0;  // the change of the scene at which the callback was set
  std::vector<std::uint32_t> parking_, pulled_, filed_, filed_slots_;  // while arranging: objects, slots, pairs, slots
  std::vector<std::uint32_t> fresh_,
      young_;  // slots of pairs that came after the last update, and after the one before
  std::vector<PointMove> moves_;
  // How many points the pairs of the update before the last had, but for those that rest; nothing when none did
  struct PointsOfPair {
    IdPair pair;
    std::uint32_t points;
  };
  std::vector<PointsOfPair> layout_;
  bool pairs_compared_ = false, touching_known_ = false;  // events are those of the last update
  mutable WholeScene<D> whole_;
};

extern template class Scene<2>;
extern template class Scene<3>;

}  // namespace sudar
