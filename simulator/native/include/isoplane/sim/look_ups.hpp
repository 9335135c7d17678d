// Look-ups of the heads of packets in the caches of input ports, and in the routing tables of switches.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "isoplane/routing_cache.hpp"
#include "isoplane/sim/plan.hpp"
#include "isoplane/sim/wheel.hpp"

namespace isoplane::sim {

// Counts of an input port since the start of the run.
struct PortCounts {
  std::array<std::uint64_t, kLookUps> of_kind{};  // look-ups in the cache by `LookUp`
  std::uint64_t table = 0;                        // look-ups in the table
  std::uint64_t waited = 0;                       // ticks that these waited for the table
};

// An input port: the end of a cable at a switch, or of the link of a node.
struct InputPort {
  std::uint32_t input, element, number;  // element: its switch, at which it has this number
  std::uint32_t from;                    // the element at the other end; of the node of a direct network its switch
};

class LookUps {
 public:
  // What a look-up adds to the switch delay, and how long of this it waits for the table.
  struct Delay {
    Tick added = 0, waited = 0;
  };
  // A packet whose head looks up its destination when this list is due.
  struct Head {
    std::uint32_t queue, packet;
  };

  LookUps(const LookUpPlan& plan, std::vector<InputPort> ports, std::size_t inputs, std::size_t elements, Tick horizon)
      : plan_(&plan),
        ports_(std::move(ports)),
        port_at_(inputs),
        free_at_(elements, 0),
        counts_(ports_.size()),
        coming_(ports_.size()),
        heads_(horizon) {
    for (std::uint32_t port = 0; port < ports_.size(); ++port) {
      port_at_[ports_[port].input] = port;
      if (plan.cached) caches_.emplace_back(plan.cache, port);
    }
  }

  // Looks up a destination at an input port. Misses are equally late everywhere, so their order at the table is that of
  // the look-ups in the caches. A hit whose entry is still on its way from the table waits for it.
  Delay look_up(std::uint32_t input, std::uint32_t destination, Tick now) {
    const std::uint32_t port = port_at_[input];
    PortCounts& counts = counts_[port];
    if (plan_->cached) {
      std::erase_if(coming_[port], [now](const Coming& entry) { return entry.when <= now; });
      const LookUp kind = caches_[port].look_up(destination);
      ++counts.of_kind[static_cast<std::size_t>(kind)];
      if (kind <= LookUp::kExtraHit) return {arrival(port, destination, now) - now, 0};
    }
    ++counts.table;
    Tick begin = now;
    if (plan_->table_interval != 0) {
      Tick& free_at = free_at_[ports_[port].element];
      begin = std::max(now, free_at);
      free_at = begin + plan_->table_interval;
      counts.waited += static_cast<std::uint64_t>(begin - now);
    }
    if (plan_->cached) coming_[port].push_back({destination, begin + plan_->miss_delay});
    return {begin + plan_->miss_delay - now, begin - now};
  }

  // Looks up a destination before the run, uncounted.
  void pass(std::uint32_t input, std::uint32_t destination) { caches_[port_at_[input]].look_up(destination); }

  // When the head of a packet may leave its switch, as far as its last look-up tells.
  Tick ready_at(std::uint32_t packet) const { return ready_at_[packet]; }
  void set_ready(std::uint32_t packet, Tick when) {
    if (packet >= ready_at_.size()) ready_at_.resize(packet + std::size_t{1});
    ready_at_[packet] = when;
  }

  Wheel<Head>& heads() { return heads_; }
  const std::vector<InputPort>& ports() const { return ports_; }
  const std::vector<PortCounts>& counts() const { return counts_; }

 private:
  // An entry on its way from the table to a cache.
  struct Coming {
    std::uint32_t destination;
    Tick when;
  };

  // When the entry of a destination is in the cache of a port: now, or later.
  Tick arrival(std::uint32_t port, std::uint32_t destination, Tick now) const {
    Tick when = now;
    for (const Coming& entry : coming_[port])
      if (entry.destination == destination) when = entry.when;
    return when;
  }

  const LookUpPlan* plan_;
  std::vector<InputPort> ports_;
  std::vector<std::uint32_t> port_at_;       // by input; of nodes undefined
  std::vector<Tick> free_at_;                // by element: when its table may begin the next look-up
  std::vector<PortCounts> counts_;           // by port
  std::vector<ClassifiedCache> caches_;      // by port
  std::vector<std::vector<Coming>> coming_;  // by port, in the order of their misses
  std::vector<Tick> ready_at_;               // by packet
  Wheel<Head> heads_;
};

}  // namespace isoplane::sim
