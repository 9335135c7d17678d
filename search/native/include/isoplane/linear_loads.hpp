// Link loads over several planes over GF(2)^n, such as cubes, in which vertices have linear places.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "isoplane/linear_planes.hpp"
#include "isoplane/random.hpp"
#include "isoplane/relabelled_distances.hpp"
#include "isoplane/score.hpp"

namespace isoplane {

// What is searched by loads as well; immutable. Routes look alike from every vertex.
class LinearLoadTask : public RelabellingTask {
 public:
  // `links` has, for each sum of two vertices, a bit for each link of the route between them: links with the same bit
  // join vertices with the same sum. They are given once or, if planes are mixed, for each plane. `components` are made
  // of the sum of distances and the load. Links of a plane are as many `times` slower than others; all are equally fast
  // without any. Throws std::invalid_argument unless distances depend on sums alone, and the parts of a packet have 15
  // bits.
  LinearLoadTask(const RelabellingTask& planes, const std::vector<std::uint64_t>& links,
                 const std::vector<Component>& components, const std::vector<std::int64_t>& times = {});

  int n() const { return *dimension(); }
  int parts() const { return parts_; }  // of a packet, which any number of nearest planes share evenly
  // The bits of the links to each vertex from 0 in a plane, 16 bits in a word.
  std::size_t bits() const { return bits_; }
  std::size_t words() const { return words_; }
  const std::uint16_t* links(std::size_t plane = 0) const {
    return links_.data() + (is_mixed() ? plane : 0) * words_ * stride();
  }
  std::int64_t time(std::size_t plane) const { return times_[plane]; }  // by which a load there is multiplied
  std::int64_t longest_time() const { return *std::max_element(times_.begin(), times_.end()); }
  Score score(std::int64_t sum, std::int64_t load) const { return scalarisation_(metrics(sum, load)); }
  // What annealing minimises; about 1 for identical planes.
  double energy(std::int64_t sum, std::int64_t load) const;

 private:
  static ExactMetrics metrics(std::int64_t sum, std::int64_t load);

  int parts_ = 1;
  std::size_t bits_ = 0, words_ = 0;
  std::vector<std::uint16_t> links_;
  std::vector<std::int64_t> times_;
  Scalarisation scalarisation_;
  std::array<double, kMaxComponents> weight_{};
};

// Measures loads if a packet to each vertex takes all nearest planes in equal parts. As planes look alike from every
// vertex, a link has the load of all those with its bit: the parts of all packets from one vertex that take one of
// them.
class LoadMeter {
 public:
  explicit LoadMeter(const LinearLoadTask& task);

  // The hops in each plane to each vertex, of which the least are returned.
  const std::uint8_t* set(const std::vector<const std::uint8_t*>& hops);
  // The load of the busiest link of a plane with these hops, by the links to each vertex.
  std::int64_t busiest(const std::uint8_t* hops, const std::uint16_t* links);

 private:
  std::size_t offsets_, bits_;
  int parts_;
  std::vector<std::uint8_t> least_, nearest_;    // least hops to each vertex, and the number of planes that have them
  std::vector<std::int16_t> share_, own_share_;  // of a packet in each nearest plane, and in the plane that is measured
};

// Any linear places.
class FreeLoads : public LinearPlanes {
 public:
  FreeLoads(std::shared_ptr<const LinearLoadTask> task, const Words& columns);

  std::int64_t load() const { return load_; }  // of the busiest link, in parts of a packet times its time
  Score score() const { return task().score(sum_, load_); }
  double propose(Random& random);  // returns the change of the energy
  void accept();

 private:
  std::int64_t load_with(std::size_t plane, const std::uint8_t* hops, const std::uint16_t* links);
  void set_links(std::size_t plane, std::uint16_t* links) const;
  std::uint16_t* links(std::size_t plane) { return links_.data() + plane * task().words() * task_->stride(); }
  const LinearLoadTask& task() const { return static_cast<const LinearLoadTask&>(*task_); }

  LoadMeter meter_;
  std::vector<const std::uint8_t*> hops_;      // in each plane
  std::vector<std::uint16_t> links_;           // to each offset in each plane
  std::vector<std::uint16_t> proposed_links_;  // in the plane of the move proposed last
  std::int64_t load_ = 0, proposed_load_ = 0;
};

}  // namespace isoplane
