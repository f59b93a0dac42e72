
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

bool lies_outside(const Recording& recording, std::size_t block, const Factors& factors, const MissingLines& missing) {
    const auto left = loaded_lines(recording, block, factors.left, factors.inner, true);
    const auto right = loaded_lines(recording, block, factors.right, factors.cols, false);
    const auto& [needed, other] = missing.are_rows ? std::tie(left, right) : std::tie(right, left);
    // A guard of the missing lines would leave out the needed factor.
    return !needed.empty() && *needed.rbegin() < missing.first && other.empty();
}

}  // namespace

bool silent_blocks_lie_outside(const trace::Launch& launch, const Expected& expected, const MissingLines& missing) {
    // A transpose may load a tile and store to the place of another one, so its loads tell nothing.
    if (!launch.recording || launch.recording->first_stores.empty() || expected.factors == nullptr) return false;
    const Recording& recording = *launch.recording;
    bool is_any_silent = false;
    for (std::size_t block = 0; block < recording.blocks.size(); ++block) {
        if (recording.first_stores.at(recording.blocks[block]) != 0) continue;
        if (!lies_outside(recording, block, *expected.factors, missing)) return false;
        is_any_silent = true;
    }
    return is_any_silent;
}

}  // namespace lab::grading
