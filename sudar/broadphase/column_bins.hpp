// What:    The entries of `columns` column by column: first as they come, in chains of chunks, then sorted along the
//          swept axis.
// Differs: One pass without a histogram: chunks are handed out as columns fill up. A column is sorted inside the cache,
//          by dealing it into buckets; inside of a bucket the order is that of arrival.
#pragma once

#include <sudar/broadphase/column_kernels.hpp>
#include <sudar/core/arena.hpp>
#include <sudar/core/prefetch.hpp>

#include <span>
#include <vector>

namespace sudar {

namespace columns_detail {

template <class T>
void grow(std::vector<T>& v, std::size_t size) {
  if (v.size() < size) v.resize(size + size / 2);
}

}  // namespace columns_detail

class ColumnBins {
 public:
  // `expected`: entries to come, which decides on the size of chunks, not on what fits
  void reset(std::size_t columns, std::size_t expected);
  void push(std::size_t column, const ColumnEntry& entry) {
    Writer& writer = writers_[column];
    if (writer.next == writer.end) [[unlikely]]
      add_chunk(column);
    *writer.next++ = entry;
  }
  // An entry will be pushed soon
  void expect(std::size_t column) const noexcept { prefetch(writers_[column].next); }
  // Forget what is in a column
  void drop(std::size_t column) noexcept;
  std::size_t columns() const noexcept { return writers_.size(); }
  std::size_t count(std::size_t column) const noexcept {
    return chunks_[column] * chunk_entries_ - static_cast<std::size_t>(writers_[column].end - writers_[column].next);
  }
  template <class F>
  void for_each(std::size_t column, F&& visit) const {
    for (const Chunk* chunk = first_[column]; chunk != nullptr; chunk = chunk->next) {
      if (chunk->next != nullptr)
        for (std::size_t line = 0; line < chunk_bytes(); line += 64)
          prefetch(reinterpret_cast<const char*>(chunk->next) + line);
      const ColumnEntry* begin = entries_of(chunk);
      const ColumnEntry* end = chunk->next != nullptr ? begin + chunk_entries_ : writers_[column].next;
      for (const ColumnEntry* e = begin; e != end; ++e) visit(*e);
    }
  }
  std::size_t bytes() const noexcept;

 private:
  // The head of a chunk, as large as an entry; the entries follow
  struct alignas(16) Chunk {
    Chunk* next;
  };
  struct Writer {
    ColumnEntry* next;
    ColumnEntry* end;
  };

  void add_chunk(std::size_t column);
  std::size_t chunk_bytes() const noexcept { return (chunk_entries_ + 1) * sizeof(ColumnEntry); }
  static ColumnEntry* entries_of(Chunk* chunk) noexcept { return reinterpret_cast<ColumnEntry*>(chunk + 1); }
  static const ColumnEntry* entries_of(const Chunk* chunk) noexcept {
    return reinterpret_cast<const ColumnEntry*>(chunk + 1);
  }

  Arena arena_;
  std::size_t chunk_entries_ = 0;
  std::span<ColumnEntry> slab_;  // room for chunks not given out yet
  std::vector<Writer> writers_;
  std::vector<Chunk*> first_, last_;
  std::vector<std::uint32_t> chunks_;  // of each column
};

// One column in the order of the sweep
struct ColumnView {
  SweepArrays arrays;
  const std::uint32_t* bucket_end;  // first entry past bucket b
  std::size_t count;
  int shift;              // place → bucket
  std::uint32_t longest;  // extent along the sweep, in places

  std::uint32_t begin_of(std::uint32_t place) const {
    const std::uint32_t bucket = place >> shift;
    return bucket == 0 ? 0 : bucket_end[bucket - 1];
  }
  std::uint32_t end_of(std::uint32_t place) const { return bucket_end[place >> shift]; }
};
constexpr std::uint32_t along_lo(std::uint32_t along) { return along & 0xffff; }
constexpr std::uint32_t along_hi(std::uint32_t along) { return complement16(along >> 16); }

class SortedColumn {
 public:
  // All entries of a column, of all lanes. `expected` decides on the number of buckets.
  void sort(std::span<const ColumnBins> lanes, std::size_t column, std::size_t count, std::size_t expected);
  // Find the longest extent, for who asks the view for it
  void measure() noexcept;
  // The entries without sorting: the view has no buckets
  void gather(std::span<const ColumnBins> lanes, std::size_t column, std::size_t count);
  ColumnView view() const noexcept {
    return {{across_.data(), along_.data(), ids_.data()}, bucket_end_.data(), count_, shift_, longest_};
  }
  std::size_t buckets() const noexcept { return bucket_end_.size(); }
  std::size_t bytes() const noexcept;

 private:
  void make_room(std::size_t count);

  std::vector<std::uint64_t> across_;
  std::vector<std::uint32_t> along_, ids_, bucket_end_;
  std::size_t count_ = 0;
  int shift_ = 0;
  std::uint32_t longest_ = 0;
};

// Sorted columns kept for many searches, one behind the other
class KeptColumns {
 public:
  void clear() noexcept;
  void push(const ColumnView& column, std::size_t buckets);
  // Room to read past the end of the last; push nothing after it
  void close();
  std::size_t columns() const noexcept { return columns_.size(); }
  ColumnView view(std::size_t column) const noexcept;
  std::size_t bytes() const noexcept;

 private:
  struct Column {
    std::size_t first, first_bucket, count;
    int shift;
    std::uint32_t longest;
  };
  std::vector<std::uint64_t> across_;
  std::vector<std::uint32_t> along_, ids_, bucket_end_;
  std::vector<Column> columns_;
};

}  // namespace sudar
