#include <sudar/broadphase/column_bins.hpp>

#include <algorithm>

namespace sudar {

namespace {

constexpr int kPlaceBits = 16;
constexpr int kLeastBucketBits = 6;
constexpr std::size_t kLeastChunk = 8, kMostChunk = 64;  // entries, the head counted

template <class T>
std::size_t bytes_of(const std::vector<T>& v) {
  return v.capacity() * sizeof(T);
}

}  // namespace

void ColumnBins::reset(std::size_t columns, std::size_t expected) {
  // Nothing points to what the arena gives back, also where there is no memory for the rest
  slab_ = {};
  writers_.clear(), first_.clear(), last_.clear(), chunks_.clear();
  arena_.reset();
  // No larger than what a column will hold, since part of the last chunk of each stays empty
  chunk_entries_ = std::clamp(std::bit_ceil(expected / columns + 1), kLeastChunk, kMostChunk) - 1;
  writers_.assign(columns, Writer{nullptr, nullptr});
  first_.assign(columns, nullptr);
  last_.assign(columns, nullptr);
  chunks_.assign(columns, 0);
}

void ColumnBins::add_chunk(std::size_t column) {
  static_assert(sizeof(Chunk) == sizeof(ColumnEntry));
  const std::size_t size = chunk_entries_ + 1;
  if (slab_.empty()) slab_ = arena_.allocate<ColumnEntry>(size * std::clamp<std::size_t>(writers_.size(), 4, 64));
  Chunk* chunk = ::new (slab_.data()) Chunk{nullptr};
  slab_ = slab_.subspan(size);
  if (last_[column] != nullptr)
    last_[column]->next = chunk;
  else
    first_[column] = chunk;
  last_[column] = chunk;
  ++chunks_[column];
  writers_[column] = {entries_of(chunk), entries_of(chunk) + chunk_entries_};
}

void ColumnBins::drop(std::size_t column) noexcept {
  Chunk* first = first_[column];
  if (first == nullptr) return;
  first->next = nullptr;
  last_[column] = first;
  chunks_[column] = 1;
  writers_[column] = {entries_of(first), entries_of(first) + chunk_entries_};
}

std::size_t ColumnBins::bytes() const noexcept {
  return arena_.capacity() + bytes_of(writers_) + bytes_of(first_) + bytes_of(last_) + bytes_of(chunks_);
}

void SortedColumn::make_room(std::size_t count) {
  count_ = count;
  columns_detail::grow(across_, count + kSweepPad);
  columns_detail::grow(along_, count + kSweepPad);
  columns_detail::grow(ids_, count + kSweepPad);
}

void SortedColumn::sort(std::span<const ColumnBins> lanes, std::size_t column, std::size_t count,
                        std::size_t expected) {
  make_room(count);
  const int bits = std::clamp(static_cast<int>(std::bit_width(expected)), kLeastBucketBits, kPlaceBits);
  const int shift = kPlaceBits - bits;
  bucket_end_.assign(std::size_t{1} << bits, 0);

  std::uint32_t* ends = bucket_end_.data();
  for (const ColumnBins& bins : lanes)
    bins.for_each(column, [&](const ColumnEntry& e) { ++ends[along_lo(e.along) >> shift]; });
  std::uint32_t sum = 0;
  for (std::uint32_t& end : bucket_end_) {
    const std::uint32_t in_bucket = end;
    end = sum;
    sum += in_bucket;
  }
  std::uint64_t* to_across = across_.data();
  std::uint32_t *to_along = along_.data(), *to_ids = ids_.data();
  for (const ColumnBins& bins : lanes)
    bins.for_each(column, [&](const ColumnEntry& e) {
      const std::uint32_t place = ends[along_lo(e.along) >> shift]++;
      to_across[place] = e.across();
      to_along[place] = e.along;
      to_ids[place] = e.id;
    });
  shift_ = shift;
}

void SortedColumn::measure() noexcept {
  std::uint32_t longest = 0;
  for (std::size_t i = 0; i < count_; ++i) longest = std::max(longest, along_hi(along_[i]) - along_lo(along_[i]));
  longest_ = longest;
}

void SortedColumn::gather(std::span<const ColumnBins> lanes, std::size_t column, std::size_t count) {
  make_room(count);
  std::size_t place = 0;
  for (const ColumnBins& bins : lanes)
    bins.for_each(column, [&](const ColumnEntry& e) {
      across_[place] = e.across();
      along_[place] = e.along;
      ids_[place++] = e.id;
    });
}

std::size_t SortedColumn::bytes() const noexcept {
  return bytes_of(across_) + bytes_of(along_) + bytes_of(ids_) + bytes_of(bucket_end_);
}

void KeptColumns::clear() noexcept {
  across_.clear();
  along_.clear();
  ids_.clear();
  bucket_end_.clear();
  columns_.clear();
}

void KeptColumns::push(const ColumnView& column, std::size_t buckets) {
  columns_.push_back({across_.size(), bucket_end_.size(), column.count, column.shift, column.longest});
  if (column.count == 0) return;
  across_.insert(across_.end(), column.arrays.across, column.arrays.across + column.count);
  along_.insert(along_.end(), column.arrays.along, column.arrays.along + column.count);
  ids_.insert(ids_.end(), column.arrays.ids, column.arrays.ids + column.count);
  bucket_end_.insert(bucket_end_.end(), column.bucket_end, column.bucket_end + buckets);
}

void KeptColumns::close() {
  across_.resize(across_.size() + kSweepPad);
  along_.resize(along_.size() + kSweepPad);
  ids_.resize(ids_.size() + kSweepPad);
}

ColumnView KeptColumns::view(std::size_t column) const noexcept {
  const Column& c = columns_[column];
  return {{across_.data() + c.first, along_.data() + c.first, ids_.data() + c.first},
          bucket_end_.data() + c.first_bucket,
          c.count,
          c.shift,
          c.longest};
}

std::size_t KeptColumns::bytes() const noexcept {
  return bytes_of(across_) + bytes_of(along_) + bytes_of(ids_) + bytes_of(bucket_end_) + bytes_of(columns_);
}

}  // namespace sudar
