// Elements of arrays in global memory, as a launch's record has them, and their names in messages.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "common/trace/launch.h"

namespace lab::diagnosis {

// Elements of a row, by the matrix's name. Elements of other arrays are named by their index.
using RowLengths = std::map<std::string, std::uint64_t>;

// Bytes of an element, by the narrowest access to an array.
[[nodiscard]] std::map<std::string, std::uint64_t> element_bytes(const trace::Launch& launch);

// Calls `visit(request, thread, address)` for the active lanes of what is kept of an access by one block.
template <typename Visit>
void for_each_lane(const trace::Recording::Access& access, std::uint32_t block, const Visit& visit) {
    for (const trace::Recording::Request& request : access.kept) {
        if (request.block != block) continue;
        for (std::uint32_t lane = 0; lane < request.lanes.size(); ++lane) {
            if (!request.lanes[lane]) continue;
            visit(request, static_cast<std::uint32_t>(trace::thread_of(request, lane)),
                  request.address + static_cast<std::uint64_t>(*request.lanes[lane]));
        }
    }
}

class Names {
public:
    Names(const trace::Launch& launch, const RowLengths& rows) : launch_(launch), rows_(rows) {}
    [[nodiscard]] std::string thread(std::uint32_t number) const;  // "thread (0,1,0)"
    [[nodiscard]] std::string block(std::uint32_t index) const;    // in the record's list
    [[nodiscard]] std::string element(const std::string& array, std::uint64_t number) const;

private:
    const trace::Launch& launch_;
    const RowLengths& rows_;
};

}  // namespace lab::diagnosis
