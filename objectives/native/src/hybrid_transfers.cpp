// The transfers of a workload on a hybrid network, given the routes of its messages.
#include <algorithm>
#include <stdexcept>

#include "isoplane/hybrid.hpp"

namespace isoplane {

void PacketWays::check(std::uint32_t nodes) const {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  };
  const auto require_starts = [&](const std::vector<std::uint32_t>& starts, std::size_t lists, std::size_t entries) {
    require(starts.size() == lists + 1 && starts.front() == 0 && starts.back() == entries, "ways out of range");
    require(std::is_sorted(starts.begin(), starts.end()), "ways out of order");
  };
  require_starts(way_start, std::size_t{nodes} * nodes, share_end.size());
  require_starts(link_start, share_end.size(), link.size());
  require(delay.size() == share_end.size() && capacity.size() == rate.size(), "lists of different lengths");
  for (const double each : rate) require(each > 0, "rates out of range");
  for (const std::uint32_t each : link) require(each < rate.size(), "links out of range");
  for (std::size_t way = 0; way < delay.size(); ++way)
    require(delay[way] >= 0 && link_start[way] < link_start[way + 1], "a way without links or with a negative delay");
  for (std::size_t pair = 0; pair + 1 < way_start.size(); ++pair) {
    const bool joined = way_start[pair] < way_start[pair + 1];
    require(joined == (pair / nodes != pair % nodes), "ways for other pairs of nodes");
    for (std::uint32_t way = way_start[pair]; way < way_start[pair + 1]; ++way)
      require(share_end[way] > (way > way_start[pair] ? share_end[way - 1] : 0) && share_end[way] <= 1ull << 32,
              "shares out of range");
  }
}

void HybridModel::add_transfers() {
  const auto count = static_cast<std::uint32_t>(routes_.size());
  Transfers& t = transfers_;
  t.volume_log2 = plan_.units.volume_log2;
  t.bits.clear();
  t.delay.clear();
  t.use.clear();
  t.use_start.assign(1, 0);
  route_start_.assign(1, 0);
  route_node_.clear();
  first_stage_.assign(1, 0);
  stage_start_.assign(1, 0);
  for (std::uint32_t i = 0; i < count; ++i) {
    route_node_.insert(route_node_.end(), routes_[i].begin(), routes_[i].end());
    route_start_.push_back(static_cast<std::uint32_t>(route_node_.size()));
    add_stages(i);
  }
  add_dependencies();
}

// Whole-message relay: one stage per segment, in sequence. Packet relay: a single stage over all segments. A local
// message is one transfer without links.
void HybridModel::add_stages(std::uint32_t message) {
  const auto& nodes = routes_[message];
  const double bits = plan_.bits[message];
  if (nodes.size() == 1) {
    transfers_.bits.push_back(0);
    transfers_.delay.push_back(0);
    transfers_.use_start.push_back(transfers_.use_start.back());
    stage_start_.push_back(static_cast<std::uint32_t>(transfers_.size()));
  }
  tree_link_.reserve(4 * nodes.size());  // so that pointers into it remain valid
  for (std::size_t segment = 0; segment + 1 < nodes.size(); ++segment) {
    if (segment == 0 || plan_.relay == Relay::kMessages) {
      tree_link_.clear();
      way_.clear();
      segment_start_.clear();
    }
    segment_start_.push_back(way_.size());
    add_segment(nodes[segment], nodes[segment + 1], nodes.front() << 16 | nodes.back(), bits);
    if (segment + 2 == nodes.size() || plan_.relay == Relay::kMessages) add_stage(bits);
  }
  first_stage_.push_back(static_cast<std::uint32_t>(stage_start_.size()) - 1);
}

// One transfer for every range of bits that takes the same way on each segment of the stage.
void HybridModel::add_stage(double bits) {
  Transfers& t = transfers_;
  auto& next_way = segment_start_;  // of each segment: the way of the next bit
  for (double sent = 0; sent < bits;) {
    double end = bits;
    for (std::size_t& way : next_way) {
      while (way_[way].end <= sent) ++way;
      end = std::min(end, way_[way].end);
    }
    t.bits.push_back(end - std::exchange(sent, end));
    double delay = 0;
    for (const std::size_t way : next_way) {
      delay += way_[way].delay;
      t.use.insert(t.use.end(), way_[way].first, way_[way].last);
    }
    t.delay.push_back(delay);
    t.use_start.push_back(static_cast<std::uint32_t>(t.use.size()));
  }
  stage_start_.push_back(static_cast<std::uint32_t>(t.size()));
}

// A stage begins when all transfers of the previous one have arrived; the first, when all messages that its message
// depends on have arrived.
void HybridModel::add_dependencies() {
  Transfers& t = transfers_;
  t.waits.assign(t.size(), 0);
  t.next.clear();
  t.next_start.assign(1, 0);
  const auto add_next = [&](std::uint32_t stage) {
    for (std::uint32_t next = stage_start_[stage]; next < stage_start_[stage + 1]; ++next) {
      t.next.push_back(next);
      ++t.waits[next];
    }
  };
  for (std::uint32_t message = 0; message + 1 < first_stage_.size(); ++message)
    for (std::uint32_t stage = first_stage_[message]; stage < first_stage_[message + 1]; ++stage)
      for (std::uint32_t transfer = stage_start_[stage]; transfer < stage_start_[stage + 1]; ++transfer) {
        if (stage + 1 < first_stage_[message + 1])
          add_next(stage + 1);
        else
          for (std::uint32_t k = successor_start_[message]; k < successor_start_[message + 1]; ++k)
            add_next(first_stage_[successor_[k]]);
        t.next_start.push_back(static_cast<std::uint32_t>(t.next.size()));
      }
}

void HybridModel::add_segment(std::uint32_t from, std::uint32_t to, std::uint32_t conversation, double bits) {
  const auto [first, last] = std::equal_range(circuits_of_[from].begin(), circuits_of_[from].end(), CircuitEnd{to, 0},
                                              [](const CircuitEnd& a, const CircuitEnd& b) { return a.node < b.node; });
  if (first != last) {  // of parallel circuits, a conversation always takes the same one, chosen by a hash
    const std::uint64_t hashed = conversation * 2654435769u;
    const std::uint32_t circuit = first[static_cast<std::uint64_t>(last - first) * hashed >> 32].circuit;
    return add_way({circuit}, plan_.units.circuit_delay, bits);
  }
  const std::uint32_t nodes = plan_.nodes();
  if (plan_.packet) {
    const PacketWays& ways = *plan_.packet;
    const auto bytes = static_cast<std::uint64_t>(bits / 8);
    const std::size_t pair = std::size_t{from} * nodes + to;
    const std::uint64_t total = ways.share_end[ways.way_start[pair + 1] - 1];
    for (std::uint32_t way = ways.way_start[pair]; way < ways.way_start[pair + 1]; ++way)
      way_.push_back({8.0 * static_cast<double>(bytes * ways.share_end[way] / total), ways.delay[way],
                      ways.link.data() + ways.link_start[way], ways.link.data() + ways.link_start[way + 1]});
    return;
  }
  if (group(from) == group(to)) return add_way({from, nodes + to}, plan_.units.inside_delay, bits);
  const std::uint32_t up = 2 * nodes + group(from), down = 2 * nodes + plan_.groups + group(to);
  add_way({from, up, down, nodes + to}, plan_.units.between_delay, bits);
}

void HybridModel::add_way(std::initializer_list<std::uint32_t> links, double delay, double bits) {
  tree_link_.insert(tree_link_.end(), links);
  const std::uint32_t* last = tree_link_.data() + tree_link_.size();
  way_.push_back({bits, delay, last - links.size(), last});
}

}  // namespace isoplane
