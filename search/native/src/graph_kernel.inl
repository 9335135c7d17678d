// The step of graph_kernel.hpp, for the instruction set of the including file, which has `count_row<W>`: it adds
// the number of bits of the words of a row to counts of all words.

template <int W>
std::int64_t graph_step(const std::uint64_t* from, std::uint64_t* to, const std::uint32_t* next, std::size_t degree,
                        std::size_t count, const std::uint32_t* only) {
  typedef std::uint64_t Row __attribute__((vector_size(8 * W), aligned(8), may_alias));
  const Row* rows = reinterpret_cast<const Row*>(from);
  Row* reached = reinterpret_cast<Row*>(to);
  std::uint64_t bits[W] = {};
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t vertex = only == nullptr ? i : only[i];
    const std::uint32_t* neighbours = next + vertex * degree;
    Row row = rows[vertex];
    for (std::size_t port = 0; port < degree; ++port) row |= rows[neighbours[port]];
    reached[vertex] = row;
    count_row<W>(to + W * vertex, bits);
  }
  std::int64_t all = 0;
  for (int word = 0; word < W; ++word) all += static_cast<std::int64_t>(bits[word]);
  return all;
}

template <int W>
bool host_step(const std::uint64_t* from, std::uint64_t* to, const std::uint32_t* next, const std::uint32_t* degrees,
               std::size_t stride, std::size_t vertices) {
  typedef std::uint64_t Row __attribute__((vector_size(8 * W), aligned(8), may_alias));
  const Row* rows = reinterpret_cast<const Row*>(from);
  Row* reached = reinterpret_cast<Row*>(to);
  Row changed = {};
  for (std::size_t vertex = 0; vertex < vertices; ++vertex, next += stride) {
    Row row = rows[vertex];
    for (std::size_t port = 0; port < degrees[vertex]; ++port) row |= rows[next[port]];
    reached[vertex] = row;
    changed |= row ^ rows[vertex];
  }
  std::uint64_t any = 0, words[W];
  __builtin_memcpy(words, &changed, sizeof changed);  // a vector of one word has no elements
  for (const std::uint64_t word : words) any |= word;
  return any != 0;
}

template <int W>
std::int64_t host_count(const std::uint64_t* const* planes, std::size_t count,
                        const isoplane::variants::HostBits& sources, const std::uint32_t* hosts, std::size_t vertices) {
  typedef std::uint64_t Row __attribute__((vector_size(8 * W), aligned(8), may_alias));
  std::int64_t all = 0;
  for (std::size_t vertex = 0; vertex < vertices; ++vertex) {
    if (hosts[vertex] == 0) continue;
    Row row = reinterpret_cast<const Row*>(planes[0])[vertex];
    for (std::size_t plane = 1; plane < count; ++plane) row |= reinterpret_cast<const Row*>(planes[plane])[vertex];
    std::int64_t reached = 0;
    for (std::size_t bit = 0; bit < sources.count; ++bit) {
      const Row masked = row & reinterpret_cast<const Row*>(sources.masks)[bit];
      std::uint64_t words[W];
      __builtin_memcpy(words, &masked, sizeof masked);
      int ones = 0;
      for (const std::uint64_t word : words) ones += std::popcount(word);
      reached += std::int64_t{ones} << sources.bits[bit];
    }
    all += reached * hosts[vertex];
  }
  return all;
}

inline isoplane::variants::HostSteps host_steps() {
  return {{host_step<1>, host_step<2>, host_step<4>, host_step<8>},
          {host_count<1>, host_count<2>, host_count<4>, host_count<8>}};
}
