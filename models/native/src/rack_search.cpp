#include "isoplane/rack_search.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

namespace isoplane {

RackSearch::RackSearch(Cables cables, const std::int64_t* nodes, const std::int32_t* place, Floor floor,
                       std::uint64_t seed)
    : cables_(cables),
      nodes_(nodes, nodes + cables.switches),
      floor_(std::move(floor)),
      random_(seed),
      racks_(floor_.across.size()),
      distance_(racks_ <= kTabulated ? racks_ * racks_ : 0),
      place_(place, place + cables.switches),
      rack_(cables.switches),
      place_of_(racks_),
      slot_(cables.switches),
      load_(racks_) {
  tabulate();
  list_neighbours();
  std::vector<std::size_t> filled(racks_);
  for (std::size_t switch_id = 0; switch_id < cables_.switches; ++switch_id)
    ++filled[rack_[switch_id] = static_cast<std::size_t>(place[switch_id])];
  // Four times the mean is room enough to move in, and keeps the slots few where capacities are large.
  const std::size_t mean = (cables_.switches + racks_ - 1) / racks_;
  slots_per_rack_ = std::max(*std::max_element(filled.begin(), filled.end()), std::min(floor_.max_switches, 4 * mean));
  switch_at_.assign(racks_ * slots_per_rack_, kEmpty);
  std::fill(filled.begin(), filled.end(), 0);
  for (std::size_t rack = 0; rack < racks_; ++rack) place_of_[rack] = rack;
  for (std::size_t switch_id = 0; switch_id < cables_.switches; ++switch_id) {
    slot_[switch_id] = rack_[switch_id] * slots_per_rack_ + filled[rack_[switch_id]]++;
    switch_at_[slot_[switch_id]] = static_cast<std::int32_t>(switch_id);
    load_[rack_[switch_id]] += nodes_[switch_id];
    for (const std::uint32_t other : neighbours(switch_id))
      if (other > switch_id) length_ += distance(rack_[switch_id], static_cast<std::size_t>(place[other]));
  }
}

void RackSearch::tabulate() {
  for (std::size_t entry = 0; entry < distance_.size(); ++entry) {
    const std::int64_t length = measured(entry / racks_, entry % racks_);
    if (length > std::numeric_limits<std::int32_t>::max()) return distance_.clear();
    distance_[entry] = static_cast<std::int32_t>(length);
  }
}

void RackSearch::list_neighbours() {
  begin_.push_back(0);
  for (std::size_t switch_id = 0; switch_id < cables_.switches; ++switch_id) {
    for (std::size_t port = 0; port < cables_.ports; ++port)
      if (const std::int32_t other = peer(switch_id, port); other >= 0 && static_cast<std::size_t>(other) != switch_id)
        neighbour_.push_back(static_cast<std::uint32_t>(other));
    begin_.push_back(neighbour_.size());
  }
}

std::int64_t RackSearch::measured(std::size_t place, std::size_t other) const {
  if (place == other) return floor_.inside;
  return floor_.slack + std::abs(floor_.across[place] - floor_.across[other]) +
         std::abs(floor_.deep[place] - floor_.deep[other]);
}

std::int64_t RackSearch::lengthening(std::size_t switch_id, std::size_t rack, std::int32_t except) const {
  return added_up(place_of_[rack_[switch_id]], place_of_[rack], [&](const auto& added) {
    std::int64_t change = 0;
    for (const std::uint32_t other : neighbours(switch_id)) {
      const std::int64_t longer = added(static_cast<std::size_t>(place_[other]));
      change += static_cast<std::int32_t>(other) == except ? 0 : longer;
    }
    return change;
  });
}

std::int64_t RackSearch::lengthening_by_exchange(std::size_t rack, std::size_t other) const {
  std::int64_t change = 0;
  for (const auto& [moved, fixed] : {std::pair{rack, other}, {other, rack}}) {
    const std::size_t from = place_of_[moved], to = place_of_[fixed];
    const std::int32_t* first = switch_at_.data() + moved * slots_per_rack_;
    change += added_up(from, to, [&, first](const auto& added) {
      std::int64_t sum = 0;
      for (const std::int32_t switch_id : std::span(first, slots_per_rack_)) {
        if (switch_id == kEmpty) continue;
        for (const std::uint32_t end : neighbours(static_cast<std::size_t>(switch_id))) {
          const auto at = static_cast<std::size_t>(place_[end]);
          // Cables within the two racks and between them keep their lengths.
          const std::int64_t longer = added(at);
          sum += ((at == from) | (at == to)) ? 0 : longer;
        }
      }
      return sum;
    });
  }
  return change;
}

std::size_t RackSearch::target_rack(std::size_t switch_id) {
  std::size_t rack = below(racks_);
  if (below(2) == 0 && cables_.ports > 0) {
    const std::int32_t other = peer(switch_id, below(cables_.ports));
    if (other >= 0) rack = rack_[static_cast<std::size_t>(other)];
  }
  return rack;
}

void RackSearch::try_switch(std::int64_t threshold) {
  const std::size_t switch_id = below(cables_.switches), from = rack_[switch_id];
  const std::size_t to = target_rack(switch_id), target = to * slots_per_rack_ + below(slots_per_rack_);
  if (to == from) return;
  const std::int32_t other = switch_at_[target];
  const std::int64_t added = nodes_[switch_id] - (other == kEmpty ? 0 : nodes_[static_cast<std::size_t>(other)]);
  if (load_[to] + added > floor_.max_nodes || load_[from] - added > floor_.max_nodes) return;
  std::int64_t change = lengthening(switch_id, to, other);
  if (other != kEmpty)
    change += lengthening(static_cast<std::size_t>(other), from, static_cast<std::int32_t>(switch_id));
  if (change > threshold) return;
  length_ += change;
  load_[to] += added;
  load_[from] -= added;
  switch_at_[slot_[switch_id]] = other;
  if (other != kEmpty) {
    place_[static_cast<std::size_t>(other)] = static_cast<std::int32_t>(place_of_[from]);
    rack_[static_cast<std::size_t>(other)] = from;
    slot_[static_cast<std::size_t>(other)] = slot_[switch_id];
  }
  place_[switch_id] = static_cast<std::int32_t>(place_of_[to]);
  rack_[switch_id] = to;
  slot_[switch_id] = target;
  switch_at_[target] = static_cast<std::int32_t>(switch_id);
}

void RackSearch::try_racks(std::int64_t threshold) {
  const std::size_t rack = below(racks_), other = below(racks_);
  if (rack == other) return;
  const std::int64_t change = lengthening_by_exchange(rack, other);
  if (change > threshold) return;
  length_ += change;
  std::swap(place_of_[rack], place_of_[other]);
  for (const std::size_t moved : {rack, other})
    for (std::size_t slot = moved * slots_per_rack_; slot < (moved + 1) * slots_per_rack_; ++slot)
      if (switch_at_[slot] != kEmpty)
        place_[static_cast<std::size_t>(switch_at_[slot])] = static_cast<std::int32_t>(place_of_[moved]);
}

void RackSearch::run(std::uint64_t moves, std::int64_t threshold) {
  if (racks_ < 2) return;
  for (std::uint64_t move = 0; move < moves; ++move) {
    // The cables of a whole rack take as long to measure as those of all its slots.
    if (below(slots_per_rack_ + 1) == 0)
      try_racks(threshold);
    else
      try_switch(threshold);
  }
}

}  // namespace isoplane
