#include "common/grading/tile_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/grading/recorded_accesses.h"

namespace lab::grading {
namespace {

using trace::Recording;

constexpr std::size_t max_kept = 8;  // accesses of a warp at one place that a recording keeps

// A walk along the rows of a tile, in elements: `pitch` from a row to the next, `steps` from a thread's first element to its others.
struct Walk {
    std::string array;
    std::int64_t pitch = 0;
    std::vector<std::int64_t> steps;
    bool is_store = false;
    bool is_known_whole = false;  // the last thread took part, too, and no access of the first one was dropped
};

struct Block {
    std::int64_t x = 0, y = 0;
};

// Elements that each thread of the grid's first block accessed, in their order. Whether another block has run before a fault depends on the
// number of workers.
std::map<std::int64_t, std::vector<std::int64_t>> elements_of_threads(const Recording::Access& access) {
    std::map<std::int64_t, std::vector<std::int64_t>> elements;
    for (const Recording::Request& request : access.kept) {
        if (request.block != 0) continue;
        for (std::size_t lane = 0; lane < request.lanes.size(); ++lane) {
            const auto& offset = request.lanes[lane];
            if (offset) elements[thread_of(request, lane)].push_back((static_cast<std::int64_t>(request.address) + *offset) / word_bytes);
        }
    }
    return elements;
}

// The walk of an access whose neighbouring threads along x take neighbouring elements of a row; nothing for others.
std::optional<Walk> walk_of(const Recording::Access& access, const Block& block) {
    if (access.space != trace::Space::shared || access.bytes != word_bytes) return std::nullopt;
    const auto elements = elements_of_threads(access);
    const auto origin = elements.find(0);
    const auto right = elements.find(1);
    const auto below = elements.find(block.x);
    if (block.x < 2 || block.y < 2 || origin == elements.end() || right == elements.end() || below == elements.end()) return std::nullopt;
    Walk walk;
    walk.pitch = below->second.front() - origin->second.front();
    if (right->second.front() - origin->second.front() != 1 || walk.pitch < block.x) return std::nullopt;
    for (const auto& [thread, all] : elements) {
        const std::int64_t first = origin->second.front() + thread / block.x * walk.pitch + thread % block.x;
        if (all.front() != first) return std::nullopt;
    }
    walk.is_store = access.kind == trace::AccessKind::store;
    walk.is_known_whole = elements.count(block.x * block.y - 1) != 0 && origin->second.size() < max_kept;
    for (const std::int64_t element : origin->second) {
        if (element != origin->second.front()) walk.steps.push_back(element - origin->second.front());
    }
    return walk;
}

// A row of tiles side by side whose elements reach into the next row.
std::string rows_overlap(const Walk& walk, const Block& block, std::int64_t halves) {
    for (std::int64_t half = 1; half < halves; ++half) {
        const bool is_taken = std::find(walk.steps.begin(), walk.steps.end(), half * block.x) != walk.steps.end();
        if (is_taken && (half + 1) * block.x > walk.pitch) {
            return fmt::format(
                "rows of {0} overlap: each has {1} elements, but they begin {2} apart: does its pitch count one of {3} tiles?", walk.array,
                (half + 1) * block.x, walk.pitch, halves);
        }
    }
    return "";
}

// A loop down the tile whose step is not the number of the block's rows of threads.
std::string steps_down(const Walk& walk, const Block& block, bool is_outside) {
    std::int64_t step = 0;
    std::int64_t highest = block.y;
    for (const std::int64_t each : walk.steps) {
        const std::int64_t rows = std::abs(each) / walk.pitch;
        highest = std::max(highest, each / walk.pitch + block.y);
        if (each % walk.pitch == 0 && (step == 0 || rows < step)) step = rows;
    }
    if (step == 0 || step == block.y) return "";
    const std::string fact = fmt::format("threads go down {} in steps of {} row{}, but a block of {} x {} has {} rows of threads",
                                         walk.array, step, step == 1 ? "" : "s", block.x, block.y, block.y);
    if (step > block.y) return fact + fmt::format(": rows {} to {} of every {} are left out", block.y, step - 1, step);
    const bool are_left = !is_outside && walk.is_known_whole && highest < block.x;
    return fact + ": rows are taken twice" +
           (is_outside ? ", and the last ones lie behind the tile"
            : are_left ? fmt::format(", and rows {} to {} never", highest, block.x - 1)
                       : "");
}

// Rows of a square tile that no thread stores, though the block's tile has them.
std::string rows_left_out(const Walk& walk, const Block& block, const Tiling& tiling) {
    std::int64_t lowest = 0;
    std::int64_t highest = 0;
    for (const std::int64_t step : walk.steps) {
        lowest = std::min(lowest, step / walk.pitch);
        highest = std::max(highest, step / walk.pitch);
    }
    const std::int64_t rows = highest + block.y;
    if (!walk.is_store || !walk.is_known_whole || !tiling.is_whole || lowest < 0 || rows >= block.x) return "";
    return fmt::format("threads store rows 0 to {} of {} only, rows {} to {} are never written: {}", rows - 1, walk.array, rows,
                       block.x - 1,
                       walk.steps.empty() ? fmt::format("does the loop down the tile go on in steps of {}?", block.y)
                                          : "does the loop down the tile end too early?");
}

// Dynamic shared memory that doesn't hold as many rows as a tile has columns.
std::string too_few_bytes(const Walk& walk, const Block& block, std::int64_t bytes, std::int64_t halves) {
    const std::int64_t needed = block.x * walk.pitch * word_bytes;
    if (bytes <= 0 || bytes >= needed) return "";
    const bool is_in_elements = bytes * word_bytes == needed;
    const bool is_by_height = bytes * block.x == needed * block.y;
    const std::int64_t of_one_tile = needed - (halves - 1) * block.x * block.x * word_bytes;
    const std::string question = is_in_elements && is_by_height                     ? "are these elements, or blockDim.y rows?"
                                 : is_in_elements                                   ? "are these elements instead of bytes?"
                                 : is_by_height                                     ? "are these blockDim.y rows instead of blockDim.x?"
                                 : bytes == of_one_tile                             ? fmt::format("does it count one of {} tiles?", halves)
                                 : bytes == halves * block.x * block.x * word_bytes ? "is the padding of each row included?"
                                                                                    : "how many rows and words a row does it count?";
    return fmt::format("{} rows of {} that begin {} words apart take {} bytes, the launch asks for {} of shared memory: {}", block.x,
                       walk.array, walk.pitch, needed, bytes, question);
}

}  // namespace

Message explained_by_walk(Message message, const trace::Launch& launch, const Tiling& tiling) {
    if (!launch.recording) return message;
    const Block block{launch.block.x, launch.block.y};
    for (const Recording::Access& access : launch.recording->accesses) {
        auto walk = walk_of(access, block);
        if (!walk) continue;
        walk->array = launch.name_of(access);
        if (walk->array.empty()) walk->array = "the tile";
        std::string text = rows_overlap(*walk, block, static_cast<std::int64_t>(tiling.halves));
        if (text.empty() && message.kind == Topic::out_of_bounds) {
            text = too_few_bytes(*walk, block, launch.dynamic_shared_bytes, static_cast<std::int64_t>(tiling.halves));
        }
        text = text.empty() ? steps_down(*walk, block, message.kind == Topic::out_of_bounds) : text;
        if (text.empty() && message.kind == Topic::uninitialised_read) text = rows_left_out(*walk, block, tiling);
        if (text.empty()) continue;
        message.evidence.insert(message.evidence.begin(), Line("what follows from it: " + message.what));
        message.what = text;
        message.proof = Proof::index;
        return message;
    }
    return message;
}

}  // namespace lab::grading
