#include "common/findings/finding.h"

#include <algorithm>

namespace lab {

std::optional<std::uint64_t> Finding::value(Quantity quantity) const {
    const auto found = measured.find(quantity);
    return found == measured.end() ? std::nullopt : std::optional(found->second);
}

Finding::Thread Finding::who() const {
    const auto found = std::find_if(places.begin(), places.end(), [](const Place& place) { return place.thread.has_value(); });
    return found == places.end() ? Thread{} : Thread{found->block.value_or(Index{}), *found->thread};
}

}  // namespace lab
