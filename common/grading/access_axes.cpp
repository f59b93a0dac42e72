#include "common/grading/access_axes.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "common/grading/recorded_accesses.h"

namespace lab::grading {
namespace {

using trace::Recording;

// Addresses of a request, by the number of the thread in its block.
std::map<std::int64_t, std::int64_t> addresses_of(const Recording::Request& request) {
    std::map<std::int64_t, std::int64_t> addresses;
    for (std::size_t lane = 0; lane < request.lanes.size(); ++lane) {
        if (const auto& offset = request.lanes[lane])
            addresses[thread_of(request, lane)] = static_cast<std::int64_t>(request.address) + *offset;
    }
    return addresses;
}

}  // namespace

std::optional<Distances> distances(const trace::Launch& launch, const std::string& array, trace::AccessKind kind) {
    if (!launch.recording) return std::nullopt;
    const std::int64_t block_x = launch.block.x;
    std::set<std::int64_t> along_x, along_y;
    for (const Recording::Access& access : launch.recording->accesses) {
        const bool is_to_it = access.space == trace::Space::global && access.kind == kind && launch.name_of(access) == array;
        if (!is_to_it || access.bytes != word_bytes) continue;
        // The first element of each thread of a block; warps of one block follow one another.
        std::map<std::uint32_t, std::map<std::int64_t, std::int64_t>> by_block;
        for (const Recording::Request& request : access.kept) by_block[request.block].merge(addresses_of(request));
        for (const auto& [block, addresses] : by_block) {
            for (const auto& [thread, address] : addresses) {
                const auto right = addresses.find(thread + 1);
                const auto below = addresses.find(thread + block_x);
                if (right != addresses.end() && (thread + 1) % block_x != 0) along_x.insert(right->second - address);
                if (below != addresses.end()) along_y.insert(below->second - address);
            }
        }
    }
    if (along_x.size() != 1 || along_y.size() != 1) return std::nullopt;
    return Distances{*along_x.begin() / word_bytes, *along_y.begin() / word_bytes};
}

bool exchanges_axes(const Distances& seen, const AccessedMatrix& matrix) {
    const auto row = static_cast<std::int64_t>(matrix.row_elements);
    return row > 1 && seen == (matrix.x_is_row ? Distances{1, row} : Distances{row, 1});
}

std::string wrong_distances(const Distances& seen, const AccessedMatrix& matrix, trace::AccessKind kind) {
    const auto row = static_cast<std::int64_t>(matrix.row_elements);
    const char* const verb = kind == trace::AccessKind::store ? "store" : "load";
    if (exchanges_axes(seen, matrix)) {
        return fmt::format(
            "; neighbouring threads {} elements of {} that lie {} apart along x and {} along y: does x choose the {}, or are row and "
            "column exchanged in the index?",
            verb, matrix.name, seen.x, seen.y, matrix.x_is_row ? "column instead of the row" : "row instead of the column");
    }
    const auto& [columns, rows] = matrix.x_is_row ? std::pair{seen.y, seen.x} : std::pair{seen.x, seen.y};
    if (columns != 1 || rows <= 1 || rows == row) return "";
    return fmt::format(
        "; threads that are neighbours along {} {} elements of {} that lie {} apart, but a row has {}: what is the row "
        "multiplied by in the index?",
        matrix.x_is_row ? "x" : "y", verb, matrix.name, rows, row);
}

}  // namespace lab::grading
