// Routing-table caches of the input ports of switches: single look-ups, and the hits and misses of whole streams.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "isoplane/crc.hpp"
#include "isoplane/splitmix64.hpp"

namespace isoplane {

enum class Replacement : std::uint8_t { kLru, kFifo, kRandom };

// What all caches of a network share.
struct CacheShape {
  std::uint32_t sets = 1;
  std::uint32_t ways = 1;
  Replacement replacement = Replacement::kLru;
  std::uint64_t seed = 0;             // of random replacement
  std::vector<std::uint32_t> set_of;  // of each id that is looked up, below `sets`

  std::size_t entries() const { return std::size_t{sets} * ways; }
};

// The set of each id: its checksum modulo the number of sets, or the id itself without a checksum.
inline std::vector<std::uint32_t> sets_of(std::span<const std::uint32_t> ids, std::uint32_t sets, const Crc* crc) {
  std::vector<std::uint32_t> set_of(ids.size());
  std::transform(ids.begin(), ids.end(), set_of.begin(),
                 [sets, crc](std::uint32_t id) { return static_cast<std::uint32_t>((crc ? (*crc)(id) : id) % sets); });
  return set_of;
}

// Ways that random replacement empties. Each port draws its own numbers, so results depend on the seed alone: its state
// is the first number of the seed XOR port * 0xD1342543DE82EF95; the upper 32 bits of its next number, times the ways,
// over 2^32, are the next way. The bias is below ways / 2^32.
class Victims {
 public:
  Victims(std::uint64_t seed, std::uint64_t port) : state_(splitmix64(seed) ^ port * 0xD1342543DE82EF95u) {}

  std::uint32_t below(std::uint32_t ways) {
    return static_cast<std::uint32_t>((splitmix64(state_) >> 32) * ways >> 32);
  }

 private:
  std::uint64_t state_;
};

constexpr std::uint32_t kNoId = 0xFFFFFFFF;

// A cache of small sets, which are scanned. A set lists its ids, those used (LRU) or stored (FIFO) last first; under
// random replacement an id stays in its way. Memory is taken at the first look-up: a word for each entry.
class ScannedCache {
 public:
  ScannedCache(const CacheShape& shape, std::uint64_t port) : shape_(&shape), victims_(shape.seed, port) {}

  // Whether the cache holds the id; if not, it stores it.
  bool look_up(std::uint32_t id) {
    if (ids_.empty()) ids_.assign(shape_->entries(), kNoId);
    std::uint32_t* set = ids_.data() + std::size_t{shape_->set_of[id]} * shape_->ways;
    switch (shape_->replacement) {
      case Replacement::kLru:
        return look_up_lru(set, shape_->ways, id);
      case Replacement::kFifo:
        return look_up_fifo(set, shape_->ways, id);
      default:
        return look_up_random(set, shape_->ways, id);
    }
  }

  // The number of hits of a stream.
  std::uint64_t count_hits(std::span<const std::uint32_t> stream) {
    std::uint64_t hits = 0;
    if (shape_->replacement != Replacement::kLru) {
      for (const std::uint32_t id : stream) hits += look_up(id);
      return hits;
    }
    if (ids_.empty()) ids_.assign(shape_->entries(), kNoId);
    std::uint32_t* ids = ids_.data();  // copies, as the compiler cannot tell that storing ids leaves the shape alone
    const std::uint32_t* set_of = shape_->set_of.data();
    const std::uint32_t ways = shape_->ways;
    for (const std::uint32_t id : stream) hits += look_up_lru(ids + std::size_t{set_of[id]} * ways, ways, id);
    return hits;
  }

 private:
  static bool look_up_lru(std::uint32_t* set, std::uint32_t ways, std::uint32_t id) {
    std::uint32_t moved = id;
    for (std::uint32_t way = 0; way < ways; ++way) {
      std::swap(moved, set[way]);
      if (moved == id) return true;
    }
    return false;
  }

  static bool look_up_fifo(std::uint32_t* set, std::uint32_t ways, std::uint32_t id) {
    if (std::find(set, set + ways, id) != set + ways) return true;
    std::copy_backward(set, set + ways - 1, set + ways);
    set[0] = id;
    return false;
  }

  bool look_up_random(std::uint32_t* set, std::uint32_t ways, std::uint32_t id) {
    if (std::find(set, set + ways, id) != set + ways) return true;
    const bool is_full = set[ways - 1] != kNoId;
    set[is_full ? victims_.below(ways) : std::find(set, set + ways, kNoId) - set] = id;
    return false;
  }

  const CacheShape* shape_;
  Victims victims_;
  std::vector<std::uint32_t> ids_;
};

// A cache of sets of any size, with look-ups in constant time: the slot of each id, and for each set a ring of its
// slots in the order in which they are emptied, from the end of the ring. It holds the same ids as a `ScannedCache`.
// Memory is taken at the first look-up: three words for each entry, and one for each id.
class ListedCache {
 public:
  ListedCache(const CacheShape& shape, std::uint64_t port, bool is_fully_associative = false)
      : shape_(&shape),
        sets_(is_fully_associative ? 1 : shape.sets),
        ways_(is_fully_associative ? static_cast<std::uint32_t>(shape.entries()) : shape.ways),
        victims_(shape.seed, port) {}

  // Whether the cache holds the id; if not, it stores it.
  bool look_up(std::uint32_t id) {
    if (ids_.empty()) take_memory();
    const std::uint32_t held = slot_of_[id];
    if (ids_[held] == id) {  // the slot of an id that is not held belongs to another one, or is empty
      if (shape_->replacement == Replacement::kLru) move_to_front(held);
      return true;
    }
    const std::uint32_t slot = emptied_slot(sets_ == 1 ? 0 : shape_->set_of[id]);
    ids_[slot] = id;
    slot_of_[id] = slot;
    return false;
  }

 private:
  struct Neighbours {
    std::uint32_t before, after;
  };

  void take_memory() {
    const std::uint32_t entries = sets_ * ways_;
    ids_.assign(entries, kNoId);
    slot_of_.assign(shape_->set_of.size(), 0);
    ring_.resize(std::size_t{entries} + sets_);
    // The slots of a set follow each other, and behind those of all sets are the ends of their rings. The slot with the
    // lowest number is the last in the ring, so that it is the first to be filled.
    for (std::uint32_t set = 0; set < sets_; ++set) {
      std::uint32_t before = end_of(set);
      for (std::uint32_t way = ways_; way-- > 0; before = set * ways_ + way) join(before, set * ways_ + way);
      join(before, end_of(set));
    }
  }

  std::uint32_t end_of(std::uint32_t set) const { return sets_ * ways_ + set; }

  std::uint32_t emptied_slot(std::uint32_t set) {
    const std::uint32_t last = ring_[end_of(set)].before;
    if (shape_->replacement == Replacement::kRandom && ids_[last] != kNoId)  // full: the ring has served its purpose
      return set * ways_ + victims_.below(ways_);
    move_to_front(last);
    return last;
  }

  void move_to_front(std::uint32_t slot) {
    const std::uint32_t end = end_of(slot / ways_);
    join(ring_[slot].before, ring_[slot].after);
    join(slot, ring_[end].after);
    join(end, slot);
  }

  void join(std::uint32_t before, std::uint32_t after) {
    ring_[before].after = after;
    ring_[after].before = before;
  }

  const CacheShape* shape_;
  std::uint32_t sets_, ways_;
  Victims victims_;
  std::vector<std::uint32_t> ids_;      // by slot
  std::vector<std::uint32_t> slot_of_;  // by id
  std::vector<Neighbours> ring_;        // by slot, and of the end of the ring of each set
};

// The cache of a port: scanned, or listed if its sets are large.
class RoutingCache {
 public:
  static constexpr std::uint32_t kScannedWays = 32;

  RoutingCache(const CacheShape& shape, std::uint64_t port) : scanned_(shape, port) {
    if (shape.ways > kScannedWays) listed_ = std::make_unique<ListedCache>(shape, port);
  }

  // Whether the cache holds the id; if not, it stores it.
  bool look_up(std::uint32_t id) { return listed_ ? listed_->look_up(id) : scanned_.look_up(id); }

  // The number of hits of a stream.
  std::uint64_t count_hits(std::span<const std::uint32_t> stream) {
    if (!listed_) return scanned_.count_hits(stream);
    std::uint64_t hits = 0;
    for (const std::uint32_t id : stream) hits += listed_->look_up(id);
    return hits;
  }

 private:
  ScannedCache scanned_;
  std::unique_ptr<ListedCache> listed_;
};

// What becomes of a look-up. It misses `kCold` if the port has not seen its id before, else `kConflict` if a fully
// associative cache of the same entries and replacement holds the id, and else `kCapacity`. A `kExtraHit` is a hit that
// the fully associative cache misses.
enum class LookUp : std::uint8_t { kHit, kExtraHit, kCold, kConflict, kCapacity };
constexpr std::size_t kLookUps = 5;

// The cache of a port beside a fully associative one, which tells why it misses.
class ClassifiedCache {
 public:
  ClassifiedCache(const CacheShape& shape, std::uint64_t port)
      : shape_(&shape), cache_(shape, port), whole_(shape, port, true) {}

  LookUp look_up(std::uint32_t id) {
    const std::size_t ids = shape_->set_of.size();
    if (seen_.empty()) seen_.assign(ids, false);
    const bool is_new = !seen_[id];
    seen_[id] = true;
    const bool hit = cache_.look_up(id);
    // One that has an entry for each id holds all that it has seen, and takes no memory here.
    const bool whole_hit = shape_->sets == 1 ? hit : ids <= shape_->entries() ? !is_new : whole_.look_up(id);
    if (hit) return whole_hit ? LookUp::kHit : LookUp::kExtraHit;
    return is_new ? LookUp::kCold : whole_hit ? LookUp::kConflict : LookUp::kCapacity;
  }

 private:
  const CacheShape* shape_;
  RoutingCache cache_;
  ListedCache whole_;
  std::vector<bool> seen_;
};

// The ids that each port looks up, in order: those of port p from start[p] to start[p + 1].
struct Streams {
  const std::int64_t* start;
  const std::uint32_t* ids;

  std::span<const std::uint32_t> of(std::size_t port) const { return {ids + start[port], ids + start[port + 1]}; }
};

// Counts the look-ups of ports by kind, in counts[port][kind]; each port has a cache of its own, which looks up its
// stream of `before` first, uncounted. The number of the first port is that of its random numbers. Notes whether each
// look-up hits, unless `hit` is null.
inline void classify_streams(const CacheShape& shape, std::size_t ports, std::uint64_t first_port,
                             const Streams& before, const Streams& streams, std::int64_t* counts, bool* hit) {
  for (std::size_t port = 0; port < ports; ++port) {
    ClassifiedCache cache(shape, first_port + port);
    for (const std::uint32_t id : before.of(port)) cache.look_up(id);
    std::array<std::int64_t, kLookUps> count{};
    std::int64_t place = streams.start[port];
    for (const std::uint32_t id : streams.of(port)) {
      const LookUp kind = cache.look_up(id);
      ++count[static_cast<std::size_t>(kind)];
      if (hit) hit[place++] = kind <= LookUp::kExtraHit;
    }
    std::copy(count.begin(), count.end(), counts + port * kLookUps);
  }
}

// The same without the kinds: only the hits of each port.
inline void count_hits(const CacheShape& shape, std::size_t ports, std::uint64_t first_port, const Streams& before,
                       const Streams& streams, std::int64_t* hits, bool* hit) {
  for (std::size_t port = 0; port < ports; ++port) {
    RoutingCache cache(shape, first_port + port);
    cache.count_hits(before.of(port));
    if (!hit) {
      hits[port] = static_cast<std::int64_t>(cache.count_hits(streams.of(port)));
      continue;
    }
    hits[port] = 0;
    std::int64_t place = streams.start[port];
    for (const std::uint32_t id : streams.of(port)) hits[port] += hit[place++] = cache.look_up(id);
  }
}

}  // namespace isoplane
