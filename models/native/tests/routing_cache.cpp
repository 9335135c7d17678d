// Native tests of routing-table caches: published checksums, and caches of one kind against those of another.
#include "isoplane/routing_cache.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "check.hpp"
#include "suites.hpp"

namespace {

using isoplane::CacheShape;
using isoplane::LookUp;
using isoplane::Replacement;
using Ids = std::vector<std::uint32_t>;

constexpr Replacement kReplacements[] = {Replacement::kLru, Replacement::kFifo, Replacement::kRandom};

void checksums_are_the_published_ones() {
  struct Published {
    isoplane::CrcModel model;
    std::uint64_t check;  // of the digits 1 to 9, from the catalogue of parametrised CRC algorithms
  };
  const Published all[] = {
      {{5, 0x05, 0x1F, 0x1F, true}, 0x19},                                                         // CRC-5/USB
      {{8, 0x07, 0, 0, false}, 0xF4},                                                              // CRC-8/SMBUS
      {{16, 0x8005, 0, 0, true}, 0xBB3D},                                                          // CRC-16/ARC
      {{16, 0x1021, 0xFFFF, 0, false}, 0x29B1},                                                    // CRC-16/IBM-3740
      {{32, 0x04C11DB7, 0xFFFFFFFF, 0xFFFFFFFF, true}, 0xCBF43926},                                // CRC-32/ISO-HDLC
      {{32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true}, 0xE3069283},                                // CRC-32/ISCSI
      {{64, 0x42F0E1EBA9EA3693, ~std::uint64_t{0}, ~std::uint64_t{0}, true}, 0x995DC9BBDF1939FA},  // CRC-64/XZ
  };
  constexpr std::string_view kDigits = "123456789";
  const std::vector<std::uint8_t> bytes(kDigits.begin(), kDigits.end());
  for (const auto& [model, check] : all) CHECK(isoplane::Crc(model)(bytes) == check);
}

// Ids of a skewed distribution, so that some are looked up again soon and others late.
Ids stream_of(std::size_t length, std::uint32_t ids, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Ids stream(length);
  for (std::uint32_t& id : stream) id = static_cast<std::uint32_t>(random() % (1 + random() % ids));
  return stream;
}

CacheShape shape_of(std::uint32_t sets, std::uint32_t ways, Replacement replacement, std::uint32_t ids) {
  Ids all(ids);
  std::iota(all.begin(), all.end(), 0);
  const isoplane::Crc crc({});
  return {sets, ways, replacement, 7, isoplane::sets_of(all, sets, &crc)};
}

void scanned_and_listed_caches_hold_the_same() {
  const Ids stream = stream_of(20'000, 300, 1);
  for (const Replacement replacement : kReplacements)
    for (const auto& [sets, ways] : {std::array{1u, 1u}, {1u, 32u}, {7u, 4u}, {64u, 1u}, {3u, 20u}}) {
      const CacheShape shape = shape_of(sets, ways, replacement, 300);
      isoplane::ScannedCache scanned(shape, 3), counting(shape, 3);
      isoplane::ListedCache listed(shape, 3);
      std::uint64_t hits = 0, differences = 0;
      for (const std::uint32_t id : stream) {
        const bool hit = scanned.look_up(id);
        hits += hit;
        differences += hit != listed.look_up(id);
      }
      CHECK(hits > 0 && hits < stream.size());
      CHECK(differences == 0);
      CHECK(counting.count_hits(stream) == hits);
    }
}

// Under LRU a set of more ways holds all that one of fewer ways holds.
void more_ways_never_lose_a_hit() {
  const CacheShape few = shape_of(16, 2, Replacement::kLru, 200), many = shape_of(16, 5, Replacement::kLru, 200);
  isoplane::RoutingCache small(few, 0), large(many, 0);
  std::uint64_t lost = 0;
  for (const std::uint32_t id : stream_of(20'000, 200, 2)) {
    const bool hit = small.look_up(id);
    lost += !large.look_up(id) && hit;
  }
  CHECK(lost == 0);
}

void misses_have_a_cause() {
  // Two sets of one way: 0 and 2 share one, and a fully associative cache of two entries would hold both.
  const CacheShape shape{2, 1, Replacement::kLru, 0, {0, 1, 0, 1}};
  isoplane::ClassifiedCache cache(shape, 0);
  const std::array<std::pair<std::uint32_t, LookUp>, 7> expected{{{0, LookUp::kCold},
                                                                  {2, LookUp::kCold},
                                                                  {0, LookUp::kConflict},
                                                                  {1, LookUp::kCold},
                                                                  {2, LookUp::kCapacity},
                                                                  {0, LookUp::kCapacity},
                                                                  {1, LookUp::kExtraHit}}};
  for (const auto& [id, kind] : expected) CHECK(cache.look_up(id) == kind);
}

void streams_are_counted_port_by_port() {
  const Ids before = stream_of(500, 100, 3), ids = stream_of(3'000, 100, 4);
  const std::array<std::int64_t, 4> before_start{0, 200, 200, 500}, start{0, 1'000, 1'000, 3'000};
  for (const Replacement replacement : kReplacements)
    for (const std::uint32_t sets : {1u, 5u}) {
      const CacheShape shape = shape_of(sets, 8, replacement, 100);
      const isoplane::Streams warm{before_start.data(), before.data()}, streams{start.data(), ids.data()};
      std::array<std::int64_t, 3 * isoplane::kLookUps> counts{};
      std::array<std::int64_t, 3> hits{}, hits_again{};
      const auto hit = std::make_unique<bool[]>(2 * ids.size());
      isoplane::classify_streams(shape, 3, 40, warm, streams, counts.data(), hit.get());
      isoplane::count_hits(shape, 3, 40, warm, streams, hits.data(), nullptr);
      isoplane::count_hits(shape, 3, 40, warm, streams, hits_again.data(), hit.get() + ids.size());
      CHECK(hits == hits_again);
      CHECK(std::equal(hit.get(), hit.get() + ids.size(), hit.get() + ids.size()));
      for (std::size_t port = 0; port < 3; ++port) {
        const std::int64_t* count = &counts[port * isoplane::kLookUps];
        CHECK(std::accumulate(count, count + isoplane::kLookUps, std::int64_t{0}) == start[port + 1] - start[port]);
        CHECK(count[0] + count[1] == hits[port]);
        CHECK(std::count(hit.get() + start[port], hit.get() + start[port + 1], true) == hits[port]);
        if (sets == 1) CHECK(count[1] == 0 && count[3] == 0);  // fully associative: nothing to gain, nothing to lose
      }
    }
}

}  // namespace

void test_routing_cache() {
  checksums_are_the_published_ones();
  scanned_and_listed_caches_hold_the_same();
  more_ways_never_lose_a_hit();
  misses_have_a_cause();
  streams_are_counted_port_by_port();
}
