// Concurrent flows: exact flows are conserved whatever the iterates, and carry no more than lengths allow.
#include "isoplane/concurrent_flow.hpp"

#include <cstdlib>
#include <random>
#include <vector>

#include "check.hpp"
#include "isoplane/kernel.hpp"

namespace {

constexpr std::int64_t kFar = 1 << 30, kScale = 1 << 20;

// A random ring with chords, some of them unlimited, and random demands of some vertices.
struct Sample {
  std::size_t vertices;
  std::vector<std::int32_t> tail, head, source;
  std::vector<std::int64_t> capacity, demand, length;

  explicit Sample(std::mt19937_64& random) : vertices(2 + random() % 9) {
    for (std::size_t i = 0; i < vertices; ++i)
      for (std::size_t j = 0; j < vertices; ++j) {
        const bool is_ring = j == (i + 1) % vertices;
        if (!is_ring && (i == j || random() % 3 != 0)) continue;
        tail.push_back(static_cast<std::int32_t>(i));
        head.push_back(static_cast<std::int32_t>(j));
        capacity.push_back(!is_ring && random() % 4 == 0 ? 0 : static_cast<std::int64_t>(1 + random() % 9));
        length.push_back(capacity.back() == 0 ? 0 : static_cast<std::int64_t>(random() % 5));
      }
    for (std::size_t i = 0; i < 1 + random() % vertices; ++i) {
      source.push_back(static_cast<std::int32_t>(i));
      for (std::size_t j = 0; j < vertices; ++j) demand.push_back(i == j ? 0 : static_cast<std::int64_t>(random() % 4));
    }
  }

  isoplane::FlowNetwork network() const {
    return {vertices,    tail.size(),     source.size(), tail.data(),
            head.data(), capacity.data(), source.data(), demand.data()};
  }

  // Σ demand · distance, by relaxation of all links.
  std::int64_t distances() const {
    std::int64_t total = 0;
    for (std::size_t i = 0; i < source.size(); ++i) {
      std::vector<std::int64_t> found(vertices, kFar);
      found[static_cast<std::size_t>(source[i])] = 0;
      for (std::size_t round = 0; round < vertices; ++round)
        for (std::size_t link = 0; link < tail.size(); ++link) {
          std::int64_t& there = found[static_cast<std::size_t>(head[link])];
          there = std::min(there, found[static_cast<std::size_t>(tail[link])] + length[link]);
        }
      for (std::size_t j = 0; j < vertices; ++j) total += demand[i * vertices + j] * found[j];
    }
    return total;
  }
};

void distances_and_tree_loads_match_the_relaxation_of_all_links() {
  std::mt19937_64 random(1);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const Sample sample(random);
    std::vector<std::int32_t> link_class;
    for (std::size_t link = 0; link < sample.tail.size(); ++link) link_class.push_back(static_cast<int>(link));
    std::vector<std::int64_t> load(sample.tail.size());
    isoplane::WideSum total;
    CHECK(isoplane::demand_distances(sample.network(), sample.length.data(), link_class.data(), load.data(), total));
    CHECK(total.high == 0 && static_cast<std::int64_t>(total.low) == sample.distances());
    std::int64_t over_links = 0;
    for (std::size_t link = 0; link < load.size(); ++link) over_links += load[link] * sample.length[link];
    CHECK(over_links == sample.distances());
  }
}

bool is_conserved(const Sample& sample, const std::vector<std::int64_t>& flow) {
  for (std::size_t i = 0; i < sample.source.size(); ++i) {
    std::vector<std::int64_t> missing(sample.vertices);
    for (std::size_t j = 0; j < sample.vertices; ++j) {
      const std::int64_t units = kScale * sample.demand[i * sample.vertices + j];
      missing[j] += units;
      missing[static_cast<std::size_t>(sample.source[i])] -= units;
    }
    for (std::size_t link = 0; link < sample.tail.size(); ++link) {
      const std::int64_t units = flow[i * sample.tail.size() + link];
      if (units < 0) return false;
      missing[static_cast<std::size_t>(sample.head[link])] -= units;
      missing[static_cast<std::size_t>(sample.tail[link])] += units;
    }
    for (const std::int64_t units : missing)
      if (units != 0) return false;
  }
  return true;
}

void exact_flows_are_conserved_after_any_number_of_iterations() {
  std::mt19937_64 random(2);
  for (int repeat = 0; repeat < 100; ++repeat) {
    const Sample sample(random);
    isoplane::FlowIterations iterations(sample.network());
    std::vector<std::int64_t> flow(sample.source.size() * sample.tail.size());
    for (int step = 0; step < 3; ++step) {
      isoplane::feasible_flow(sample.network(), iterations, sample.length.data(), kScale, flow.data());
      CHECK(is_conserved(sample, flow));
      iterations.run(1);
    }
  }
}

void instruction_sets_agree() {
  std::mt19937_64 random(3);
  const Sample sample(random);
  std::vector<std::vector<double>> found;
  for (const isoplane::Isa isa : {isoplane::Isa::kScalar, isoplane::Isa::kAvx2, isoplane::Isa::kAvx512}) {
    if (!isoplane::isa_available(isa)) continue;
    setenv("ISOPLANE_ISA", isoplane::isa_name(isa), 1);
    isoplane::FlowIterations iterations(sample.network());
    iterations.run(2);
    found.push_back(iterations.lengths());
  }
  unsetenv("ISOPLANE_ISA");
  for (const auto& lengths : found) CHECK(lengths == found[0]);
}

}  // namespace

void test_concurrent_flow() {
  distances_and_tree_loads_match_the_relaxation_of_all_links();
  exact_flows_are_conserved_after_any_number_of_iterations();
  instruction_sets_agree();
}
