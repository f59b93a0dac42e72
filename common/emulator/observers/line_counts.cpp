#include "common/emulator/observers/line_counts.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lab::observers {
namespace {

bool is_idle(const machine::Counters& counters) {
    const std::vector<trace::CounterRow>& rows = trace::counter_rows();
    return std::none_of(rows.begin(), rows.end(),
                        [&](const trace::CounterRow& row) { return row.is_of_line() && (counters.*row.access).requests != 0; });
}

}  // namespace

std::vector<trace::LineCounts> by_line(const std::vector<machine::PlaceCounts>& places, const ptx::Module& module) {
    std::map<std::pair<std::string, std::uint32_t>, machine::Counters> gathered;
    for (const machine::PlaceCounts& place : places) {
        if (is_idle(place.counters)) continue;
        const ptx::Location where = module.student_place(place.where);
        const std::string file = where.file < module.files.size() ? module.files[where.file] : "";
        gathered[{file, where.line}] += place.counters;
    }
    std::vector<trace::LineCounts> lines;
    lines.reserve(gathered.size());
    for (auto& [at, counters] : gathered) lines.push_back({at.first, at.second, counters});
    return lines;
}

}  // namespace lab::observers
