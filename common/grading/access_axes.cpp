#include "common/grading/access_axes.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "common/grading/recorded_accesses.h"

namespace lab::grading {
namespace {

using Json = nlohmann::json;

// Addresses of a request, by the number of the thread in its block.
std::map<std::int64_t, std::int64_t> addresses_of(const Json& request) {
    std::map<std::int64_t, std::int64_t> addresses;
    for (std::int64_t lane = 0; lane < warp_lanes; ++lane) {
        const Json& offset = request.at("lanes").at(static_cast<std::size_t>(lane));
        if (!offset.is_null()) {
            addresses[request.at("warp").get<std::int64_t>() * warp_lanes + lane] =
                request.at("address").get<std::int64_t>() + offset.get<std::int64_t>();
        }
    }
    return addresses;
}

bool is_to(const Json& access, const Json& launch, const std::string& array, const std::string& kind) {
    const Json& object = access.at("object");
    return access.at("space") == "global" && access.at("kind") == kind && access.at("bytes") == word_bytes && !object.is_null() &&
           launch.at("recording").at("objects").at(object.get<std::size_t>()).at("name") == array;
}

}  // namespace

std::optional<Distances> distances(const Json& launch, const std::string& array, const std::string& kind) {
    if (!launch.contains("recording")) return std::nullopt;
    const auto block_x = launch.at("block").at(0).get<std::int64_t>();
    std::set<std::int64_t> along_x, along_y;
    for (const Json& access : launch.at("recording").at("accesses")) {
        if (!is_to(access, launch, array, kind)) continue;
        // The first element of each thread of a block; warps of one block follow one another.
        std::map<std::int64_t, std::map<std::int64_t, std::int64_t>> by_block;
        for (const Json& request : access.at("kept")) {
            by_block[request.at("block").get<std::int64_t>()].merge(addresses_of(request));
        }
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

std::string wrong_distances(const Distances& seen, const AccessedMatrix& matrix, const std::string& kind) {
    const auto row = static_cast<std::int64_t>(matrix.row_elements);
    const char* const verb = kind == "store" ? "store" : "load";
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
