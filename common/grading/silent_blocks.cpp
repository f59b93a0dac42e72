
#include <set>
#include <string>
#include <tuple>

#include "common/grading/block_map.h"

namespace lab::grading {
namespace {

using trace::Recording;

// Elements of an array that a recorded block loads, as lines: rows of `pitch` elements, or columns.
std::set<std::size_t> loaded_lines(const Recording& recording, std::size_t block, const std::string& array, std::size_t pitch,
                                   bool are_rows) {
    std::set<std::size_t> lines;
    for (const Recording::Touched& touched : recording.touched) {
        if (touched.block != block || touched.kind != trace::AccessKind::load || recording.objects.at(touched.object).name != array)
            continue;
        for (const trace::ByteRun& run : touched.runs) {
            for (std::size_t at = run.begin / sizeof(float); at < run.end / sizeof(float); ++at)
                lines.insert(are_rows ? at / pitch : at % pitch);
        }
    }
    return lines;
}

SilentBlocks tile_of_block(const Recording& recording, std::size_t block, const Shape& shape, const Expected& expected,
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

SilentBlocks tiles_of_silent_blocks(const trace::Launch& launch, const Shape& shape, const Expected& expected,
                                    const MissingLines& missing) {
    if (!launch.recording || launch.recording->first_stores.empty()) return SilentBlocks::unknown;
    const Recording& recording = *launch.recording;
    std::set<SilentBlocks> found;
    for (std::size_t block = 0; block < recording.blocks.size(); ++block) {
        if (recording.first_stores.at(recording.blocks[block]) == 0)
            found.insert(tile_of_block(recording, block, shape, expected, missing));
    }
    if (found.count(SilentBlocks::are_missing) != 0) return SilentBlocks::are_missing;
    return found == std::set{SilentBlocks::are_others} ? SilentBlocks::are_others : SilentBlocks::unknown;
}

}  // namespace lab::grading
