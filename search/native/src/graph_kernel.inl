// The step of graph_kernel.hpp, for the instruction set of the including file, which has `count_row<W>`: it adds
// the number of bits of the words of a row to counts of all words.

template <int W>
std::int64_t graph_step(const std::uint64_t* from, std::uint64_t* to, const std::uint32_t* next, std::size_t vertices,
                        std::size_t degree) {
  typedef std::uint64_t Row __attribute__((vector_size(8 * W), aligned(8), may_alias));
  const Row* rows = reinterpret_cast<const Row*>(from);
  Row* reached = reinterpret_cast<Row*>(to);
  std::uint64_t bits[W] = {};
  for (std::size_t vertex = 0; vertex < vertices; ++vertex, next += degree) {
    Row row = rows[vertex];
    for (std::size_t port = 0; port < degree; ++port) row |= rows[next[port]];
    reached[vertex] = row;
    count_row<W>(to + W * vertex, bits);
  }
  std::int64_t all = 0;
  for (int word = 0; word < W; ++word) all += static_cast<std::int64_t>(bits[word]);
  return all;
}
