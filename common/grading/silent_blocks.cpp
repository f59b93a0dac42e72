#include "common/grading/silent_blocks.h"

#include <set>
#include <string>
#include <tuple>

namespace lab::grading {
namespace {

using Json = nlohmann::json;

// Elements of an array that a recorded block loads, as lines: rows of `pitch` elements, or columns.
std::set<std::size_t> loaded_lines(const Json& recording, std::size_t block, const std::string& array, std::size_t pitch, bool are_rows) {
    std::set<std::size_t> lines;
    for (const Json& touched : recording.at("touched")) {
        if (touched.at("block") != block || touched.at("kind") != "load" || touched.at("object").is_null()) continue;
        if (recording.at("objects").at(touched.at("object").get<std::size_t>()).at("name") != array) continue;
        for (const Json& run : touched.at("runs")) {
            const std::size_t first = run.at(0).get<std::size_t>() / sizeof(float);
            const std::size_t count = run.at(1).get<std::size_t>() / sizeof(float);
            for (std::size_t at = first; at < first + count; ++at) lines.insert(are_rows ? at / pitch : at % pitch);
        }
    }
    return lines;
}

SilentBlocks tile_of_block(const Json& recording, std::size_t block, const Shape& shape, const Expected& expected,
                           const MissingLines& missing) {
    const auto reach = [&](const std::set<std::size_t>& lines) { return !lines.empty() && *lines.rbegin() >= missing.first; };
    // A transpose may load a tile and store to the place of another one, so its loads tell nothing.
    if (expected.factors == nullptr || shape.rows == 0) return SilentBlocks::unknown;
    const Factors& factors = *expected.factors;
    const auto left = loaded_lines(recording, block, factors.left, factors.inner, true);
    const auto right = loaded_lines(recording, block, factors.right, factors.cols, false);
    const auto& [needed, other] = missing.are_rows ? std::tie(left, right) : std::tie(right, left);
    if (reach(needed)) return SilentBlocks::are_missing;
    // A guard of the missing lines would leave out the needed factor.
    return !needed.empty() && other.empty() ? SilentBlocks::are_others : SilentBlocks::unknown;
}

}  // namespace

SilentBlocks tiles_of_silent_blocks(const Json& launch, const Shape& shape, const Expected& expected, const MissingLines& missing) {
    if (!launch.contains("recording") || launch.at("recording").at("first_stores").empty()) return SilentBlocks::unknown;
    const Json& recording = launch.at("recording");
    std::set<SilentBlocks> found;
    for (std::size_t block = 0; block < recording.at("blocks").size(); ++block) {
        const Json& store = recording.at("first_stores").at(recording.at("blocks").at(block).get<std::size_t>());
        if (store == 0) found.insert(tile_of_block(recording, block, shape, expected, missing));
    }
    if (found.count(SilentBlocks::are_missing) != 0) return SilentBlocks::are_missing;
    return found == std::set{SilentBlocks::are_others} ? SilentBlocks::are_others : SilentBlocks::unknown;
}

}  // namespace lab::grading
