#include "common/tools/studies/block_shapes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/tools/errors.h"

namespace lab::tools {
namespace {

constexpr int threads_per_warp = 32;

bool divides(BlockShape block, Size size) { return size.x % block.x == 0 && size.y % block.y == 0; }

bool is_on_device(BlockShape block, const StudyDevice& device) {
    return block.threads() <= device.max_threads && block.x <= device.max_block_x && block.y <= device.max_block_y;
}

std::string list_of(const std::vector<BlockShape>& blocks) {
    std::vector<std::string> shapes;
    shapes.reserve(blocks.size());
    for (const BlockShape block : blocks) shapes.push_back(show(block));
    return fmt::format("{}", fmt::join(shapes, ", "));
}

}  // namespace

std::vector<BlockShape> legal_blocks(const StudyKernel& kernel, Size size, const StudyDevice& device) {
    if (kernel.blocks.is_own) return {};
    std::vector<BlockShape> candidates = kernel.blocks.only;
    if (candidates.empty()) {
        for (int y = 1; y <= device.max_block_y; y *= 2) {
            for (int x = 1; x <= device.max_block_x; x *= 2) candidates.push_back({x, y});
        }
        std::erase_if(candidates, [](BlockShape block) { return block.threads() < threads_per_warp; });
    }
    std::erase_if(candidates,
                  [&](BlockShape block) { return !is_on_device(block, device) || (kernel.blocks.divides_size && !divides(block, size)); });
    return candidates;
}

void check_block(const StudyKernel& kernel, BlockShape block, Size size, const StudyDevice& device, const std::string& option) {
    const BlockRule& rule = kernel.blocks;
    if (rule.is_own) throw BadInput(fmt::format("{} {}: {} chooses its own block; leave {} out", option, show(block), kernel.name, option));
    if (!is_on_device(block, device)) {
        throw BadInput(fmt::format("{} {}: a block has at most {} threads on {}, {} along x and {} along y", option, show(block),
                                   device.max_threads, device.id, device.max_block_x, device.max_block_y));
    }
    const std::vector<BlockShape> legal = legal_blocks(kernel, size, device);
    const bool is_listed = rule.only.empty() || std::find(rule.only.begin(), rule.only.end(), block) != rule.only.end();
    if (is_listed && (!rule.divides_size || divides(block, size))) return;
    const std::string others = legal.empty() ? "none fits this size" : "there is " + list_of(legal);
    if (!is_listed) throw BadInput(fmt::format("{} {}: {} takes no such block; {}", option, show(block), kernel.name, others));
    throw BadInput(fmt::format("{} {}: the size {} is no multiple of it, as {} needs; {}", option, show(block),
                               show(size, kernel.is_square), kernel.name, others));
}

BlockShape block_for(const StudyKernel& kernel, const std::string& text, Size size, const StudyDevice& device) {
    if (!text.empty()) {
        const BlockShape block = parse_block(text, "--block");
        check_block(kernel, block, size, device, "--block");
        return block;
    }
    if (kernel.blocks.is_own) return {};
    const bool is_usual_legal =
        is_on_device(kernel.usual_block, device) && (!kernel.blocks.divides_size || divides(kernel.usual_block, size));
    if (is_usual_legal) return kernel.usual_block;
    const std::vector<BlockShape> legal = legal_blocks(kernel, size, device);
    if (!legal.empty()) return legal.back();
    throw BadInput(fmt::format("--size {}: no block of {} fits; it has {}, and the size must be a multiple of one",
                               show(size, kernel.is_square), kernel.name, list_of(kernel.blocks.only)));
}

}  // namespace lab::tools
