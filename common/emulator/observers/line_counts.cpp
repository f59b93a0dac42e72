#include "common/emulator/observers/line_counts.h"

#include <map>
#include <utility>

namespace lab::observers {
namespace {

bool is_idle(const machine::Counters& counters) {
    std::uint64_t requests = 0;
    for (const auto* const counts :
         {&counters.global_load, &counters.global_store, &counters.global_atomic, &counters.local_load, &counters.local_store,
          &counters.shared_load, &counters.shared_store, &counters.shared_atomic, &counters.constant_load}) {
        requests += counts->requests;
    }
    return requests == 0;
}

}  // namespace

std::vector<machine::LineCounts> by_line(const std::vector<machine::PlaceCounts>& places, const ptx::Module& module) {
    std::map<std::pair<std::string, std::uint32_t>, machine::Counters> gathered;
    for (const machine::PlaceCounts& place : places) {
        if (is_idle(place.counters)) continue;
        const ptx::Location where = module.student_place(place.where);
        const std::string file = where.file < module.files.size() ? module.files[where.file] : "";
        gathered[{file, where.line}] += place.counters;
    }
    std::vector<machine::LineCounts> lines;
    lines.reserve(gathered.size());
    for (auto& [at, counters] : gathered) lines.push_back({at.first, at.second, counters});
    return lines;
}

}  // namespace lab::observers
