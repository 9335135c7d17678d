// Thin binding of routing-table caches: converts arrays and calls the library.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "isoplane/routing_cache.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

template <class Value>
using Array = nb::ndarray<Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Ids = Array<const std::uint32_t>;
using Starts = Array<const std::int64_t>;
using Counts = nb::ndarray<std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Model = std::tuple<unsigned, std::uint64_t, std::uint64_t, std::uint64_t, bool, bool, unsigned>;

isoplane::Crc crc_of(const Model& model) {
  const auto& [width, polynomial, initial, final_xor, reflected, big_endian, id_bytes] = model;
  if (width < 3 || width > 64 || id_bytes < 1 || id_bytes > 8) throw nb::value_error("the checksum is out of range");
  return isoplane::Crc({width, polynomial, initial, final_xor, reflected, big_endian, id_bytes});
}

void checksums(Ids ids, const Model& model, Array<std::uint64_t> sums) {
  if (sums.size() != ids.size()) throw nb::value_error("expected one checksum for each id");
  const isoplane::Crc crc = crc_of(model);
  const nb::gil_scoped_release unlocked;
  std::transform(ids.data(), ids.data() + ids.size(), sums.data(), [&crc](std::uint32_t id) { return crc(id); });
}

void cache_sets(Ids ids, std::uint32_t sets, const std::optional<Model>& model, Array<std::uint32_t> set_of) {
  if (set_of.size() != ids.size()) throw nb::value_error("expected one set for each id");
  if (sets == 0) throw nb::value_error("expected at least one set");
  const std::optional<isoplane::Crc> crc = model ? std::optional(crc_of(*model)) : std::nullopt;
  const nb::gil_scoped_release unlocked;
  const std::vector<std::uint32_t> all = isoplane::sets_of({ids.data(), ids.size()}, sets, crc ? &*crc : nullptr);
  std::copy(all.begin(), all.end(), set_of.data());
}

isoplane::Streams streams_of(const Starts& start, const Ids& ids, std::size_t ports, std::size_t known) {
  if (start.size() != ports + 1) throw nb::value_error("expected one stream for each port");
  const std::int64_t* first = start.data();
  if (first[0] < 0 || !std::is_sorted(first, first + ports + 1) || static_cast<std::size_t>(first[ports]) > ids.size())
    throw nb::value_error("a stream is out of range");
  if (std::any_of(ids.data() + first[0], ids.data() + first[ports], [known](std::uint32_t id) { return id >= known; }))
    throw nb::value_error("an id has no set");
  return {first, ids.data()};
}

void count_look_ups(std::pair<std::uint32_t, std::uint32_t> sets_and_ways, unsigned replacement, std::uint64_t seed,
                    Ids set_of, std::uint64_t first_port, std::pair<Starts, Ids> before, std::pair<Starts, Ids> streams,
                    Counts counts, std::optional<Array<bool>> hit) {
  const auto [sets, ways] = sets_and_ways;
  if (sets == 0 || ways == 0 || std::uint64_t{sets} * ways > 1u << 24 || replacement > 2)
    throw nb::value_error("the cache is out of range");
  const isoplane::CacheShape shape{
      sets, ways, isoplane::Replacement(replacement), seed, {set_of.data(), set_of.data() + set_of.size()}};
  if (std::any_of(shape.set_of.begin(), shape.set_of.end(), [sets](std::uint32_t set) { return set >= sets; }))
    throw nb::value_error("a set is out of range");
  const bool classified = counts.shape(1) == isoplane::kLookUps;
  if (!classified && counts.shape(1) != 1) throw nb::value_error("expected counts of all kinds, or of hits");
  if (hit && hit->size() != streams.second.size()) throw nb::value_error("expected a flag for each look-up");
  const std::size_t ports = counts.shape(0);
  const isoplane::Streams warm = streams_of(before.first, before.second, ports, set_of.size());
  const isoplane::Streams counted = streams_of(streams.first, streams.second, ports, set_of.size());
  bool* flags = hit ? hit->data() : nullptr;
  const nb::gil_scoped_release unlocked;
  if (classified)
    isoplane::classify_streams(shape, ports, first_port, warm, counted, counts.data(), flags);
  else
    isoplane::count_hits(shape, ports, first_port, warm, counted, counts.data(), flags);
}

}  // namespace

void bind_routing_cache(nb::module_& m) {
  m.def("checksums", &checksums, "ids"_a, "crc"_a, "sums"_a,
        "Fill the checksum of each id. A CRC is its width, polynomial, initial value, final XOR, whether bits are "
        "reflected, whether bytes begin with the highest, and the bytes of an id.");
  m.def("cache_sets", &cache_sets, "ids"_a, "sets"_a, "crc"_a.none(), "set_of"_a,
        "Fill the set of each id: its checksum modulo the number of sets, or without a checksum the id itself.");
  m.def("count_look_ups", &count_look_ups, "sets_and_ways"_a, "replacement"_a, "seed"_a, "set_of"_a, "first_port"_a,
        "before"_a, "streams"_a, "counts"_a, "hit"_a = nb::none(),
        "Fill the look-ups of each port by kind: hits that a fully associative cache shares, other hits, and misses "
        "that are cold, by conflict and by capacity; or, in one column, only its hits. Streams are the start of that "
        "of each port, and the end of the last, and ids; those of `before` come first and are not counted. Replacement "
        "is 0 for LRU, 1 for FIFO and 2 for random. `hit` is whether each look-up hits.");
}
