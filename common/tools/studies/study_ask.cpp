#include "common/tools/studies/study_ask.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/runner/protocol.h"
#include "common/tools/errors.h"

namespace lab::tools {
namespace {

constexpr double gib = 1024.0 * 1024 * 1024;

// Throws if the arrays don't fit into the device's memory or, in the emulator, into this machine's.
void check_memory(const StudyAsk& ask, const StudyDevice& device) {
    double bytes = 0;
    double sent = 0;
    for (const StudyArray& array : ask.kernel->call(ask.size, ask.kernel->usual_block).arrays) {
        const double size = static_cast<double>(array.count) * ask.element_bytes();
        bytes += size;
        if (!array.is_output) sent += size;
    }
    const auto refuse = [&](const std::string& whose, double has) {
        throw BadInput(fmt::format("--size {}: {} needs {:.2f} GiB, and {} {:.2f} GiB: choose a smaller --size",
                                   show(ask.size, ask.kernel->is_square), ask.kernel->name, bytes / gib, whose, has / gib));
    };
    const double max_sent = static_cast<double>(runner::max_raw_bytes);
    if (sent > max_sent) refuse("a study's inputs have at most", max_sent);
    if (device.memory_bytes != 0 && bytes > static_cast<double>(device.memory_bytes))
        refuse(device.id + " has", static_cast<double>(device.memory_bytes));
    // The emulator's device memory is on this machine; outputs exist twice more, in runner and study.
    const auto here = static_cast<double>(available_memory().value_or(0));
    if (here > 0 && bytes * 2 > here) refuse("this machine, with two copies of each array, has room for", here / 2);
}

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

StudyAsk ask_for(const StudyKernel& kernel, const AskWords& words, const StudyDevice& device) {
    if (words.type != "float" && words.type != "double") throw BadInput(fmt::format("--type {}: there is float and double", words.type));
    if (kernel.is_in_reference_only && !words.is_solution) {
        throw BadInput(fmt::format("{} is a kernel of the reference only: add --solution", kernel.name));
    }
    StudyAsk ask;
    ask.kernel = &kernel;
    ask.is_double = words.type == "double";
    ask.emulator = words.emulator;
    if (ask.is_double && !kernel.takes_double) throw BadInput(fmt::format("--type double: {} takes float only", kernel.name));
    ask.size = size_for(kernel, words.size);
    check_memory(ask, device);
    return ask;
}

std::string subject_of(const StudyAsk& ask, bool is_solution) {
    return fmt::format("{}/{}, {}, size {} of {}", ask.kernel->lab, ask.kernel->name, is_solution ? "reference solution" : "your file",
                       show(ask.size, ask.kernel->is_square), ask.is_double ? "double" : "float");
}

nlohmann::json described(const StudyAsk& ask, bool is_solution) {
    return {{"lab", ask.kernel->lab},
            {"kernel", ask.kernel->name},
            {"solution", is_solution},
            {"size", {ask.size.x, ask.size.y}},
            {"type", ask.is_double ? "double" : "float"}};
}

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
