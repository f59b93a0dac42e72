#include "common/emulator/machine/block_runner.h"

#include <algorithm>
#include <utility>

#include "common/emulator/machine/control.h"
#include "common/emulator/machine/launch_shared.h"
#include "common/emulator/machine/memory_access.h"

namespace lab::machine {

namespace {

constexpr std::int64_t slice_instructions = 20000;  // before another warp of the block is scheduled
constexpr std::size_t shared_padding = 128;         // windows of 64 bytes may read past the end

// Whether this block's accesses are observed one by one. The slots keep the decisions of the block before.
void choose_sampling(Worker& worker) {
    worker.block.sampled.clear();
    worker.block.sampled_lines.fill(0);
    worker.block.sampled_constants.fill(0);
    constexpr std::size_t fewest = 32;  // of a warp: one request
    const BlockSampler* const sampler = worker.config->sampler;
    const std::uint32_t lines = sampler == nullptr ? 0 : sampler->lines_wanted(worker.block.linear);
    const bool did = worker.samples != 0;
    worker.samples = lines == 0 ? 0 : static_cast<std::uint32_t>(std::max(fewest, lines / worker.block.warps.size()));
    worker.block.sampled.reserve(lines);  // the block before gave its vector away
    if (did == (worker.samples != 0)) return;
    for (AccessSlot& slot : worker.slots) {
        slot.low = 1;
        slot.high = 0;
    }
}

void start_block(Worker& worker, std::uint64_t position) {
    const LaunchConfig& config = *worker.config;
    Block& block = worker.block;
    ++worker.block_serial;
    block.position = position;
    block.linear = block_at_position(config, position);
    block.index = block_at(config, block.linear);
    // Shared memory starts with arbitrary contents; a pattern makes uses of it visible, the same in every run. As a floating-point number
    // it is NaN: a tiny number would vanish in sums.
    std::fill(block.shared, block.shared + block.shared_bytes, std::byte{0xff});
    block.log_used = 0;
    block.log_has_write = false;
    block.interval_open = false;
    block.interval = 0;
    block.global_log.clear();
    block.arrived.fill(0);
    block.exited_threads = 0;
    if (worker.kernel->has_named_barriers) forget_order(block);
    if (!worker.local.empty()) std::fill(worker.local.begin(), worker.local.end(), std::byte{0xa5});
    std::fill(worker.local_written.begin(), worker.local_written.end(), std::uint8_t{0});
    const std::uint64_t threads = config.block.count();
    for (Warp& warp : block.warps) {
        const std::uint64_t first = std::uint64_t{warp.index} * warp_size;
        const std::uint64_t count = std::min<std::uint64_t>(threads - first, warp_size);
        const Mask lanes = count == warp_size ? all_lanes : (1U << count) - 1;
        Frame& frame = *worker.kernel_frames[warp.index];
        refresh_for_block(frame, warp);
        start_warp(warp, &frame, worker.kernel->functions[0]->ops.data(), lanes);
    }
    choose_sampling(worker);
    worker.next_look = 0;
    if (worker.observer != nullptr) worker.observer->begin_block(block);
}

// Reports the warp that ran last; if that has ended, a live one.
bool stop_endless(Worker& worker, const Warp& last, bool waits_for_block = false) {
    const auto& warps = worker.block.warps;
    const auto goes_on = std::find_if(warps.begin(), warps.end(), [](const Warp& warp) { return warp.state == WarpState::ready; });
    const Warp& warp = last.state == WarpState::ready || goes_on == warps.end() ? last : *goes_on;
    Violation violation{.kind = FindingKind::endless,
                        .op = warp.paths.empty() ? warp.worker->kernel->functions[0]->ops.data() : warp.paths.back().pc,
                        .block = worker.block.index,
                        .warp = warp.index,
                        .lanes = warp.paths.empty() ? warp.started : warp.paths.back().mask};
    violation.lane = first_lane(violation.lanes);
    violation.waits_for_block = waits_for_block;
    worker.violation = std::move(violation);
    return false;
}

// Looks at what changes while a block makes progress: its stores, barriers and exits, and the addresses of its accesses. False if there
// was a change since the last look, or nothing that may wait for another block.
bool only_polled(Worker& worker) {
    std::uint64_t hash = worker.block.interval, polls = 0;
    const auto add = [&hash](std::uint64_t value) { hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL; };
    for (std::size_t i = 0; i < worker.counts.size(); ++i) {
        const MemoryOp& op = worker.kernel->memory_ops[i];
        if (op.polls) polls += worker.counts[i].requests;
        if (op.kind != AccessKind::load && !op.polls) add(worker.counts[i].requests);
    }
    for (const AccessSlot& slot : worker.slots) add(slot.base ^ reinterpret_cast<std::uint64_t>(slot.pattern));
    for (const Warp& warp : worker.block.warps) add(warp.live);
    const bool is_same = std::exchange(worker.progress, hash) == hash;
    return std::exchange(worker.polls, polls) != polls && is_same;
}

// Whether the blocks of all workers only poll, so that they must be waiting for one that has not started.
bool waits_for_block(Worker& worker, std::uint64_t executed) {
    const LaunchConfig& config = *worker.config;
    LaunchShared& launch = *worker.launch;
    if (!worker.kernel->has_signal || config.may_wait_for_host || executed < worker.next_look) return false;
    constexpr std::uint64_t looks = 128, fewest = 500'000;  // with the usual limit one takes about a second
    worker.next_look = executed + std::max(fewest, config.max_instructions / looks);
    const bool waited = std::exchange(worker.waits, only_polled(worker));
    launch.waiting += (worker.waits ? 1U : 0U) - (waited ? 1U : 0U);
    const std::uint64_t blocks = config.positions == nullptr ? config.grid.count() : config.positions->size();
    return waited && worker.waits && launch.waiting == launch.active && launch.next_block < blocks;
}

}  // namespace

std::uint64_t block_at_position(const LaunchConfig& config, std::uint64_t position) {
    return config.order == Order::forward ? position : config.grid.count() - 1 - position;
}

Dim3 block_at(const LaunchConfig& config, std::uint64_t linear) {
    return {static_cast<std::uint32_t>(linear % config.grid.x), static_cast<std::uint32_t>(linear / config.grid.x % config.grid.y),
            static_cast<std::uint32_t>(linear / config.grid.x / config.grid.y)};
}

void prepare_worker(Worker& worker) {
    const LaunchConfig& config = *worker.config;
    const KernelCode& kernel = *worker.kernel;
    const auto warps = static_cast<std::uint32_t>((config.block.count() + warp_size - 1) / warp_size);
    Block& block = worker.block;
    block.shared_bytes =
        config.dynamic_shared_bytes == 0 ? kernel.static_shared_bytes : kernel.dynamic_shared_offset + config.dynamic_shared_bytes;
    constexpr std::uint64_t align = 256;
    // Allocation unit of hardware (compute capability 8.0 and 9.0; larger in those before).
    if (!config.checks.bounds) block.shared_bytes = (block.shared_bytes + 127) / 128 * 128;
    block.shared_storage.assign(block.shared_bytes + shared_padding + align, std::byte{0});
    const auto start = reinterpret_cast<std::uint64_t>(block.shared_storage.data());
    block.shared = block.shared_storage.data() + ((start + align - 1) / align * align - start);
    const std::size_t memory_ops = kernel.memory_ops.size();
    worker.counts.assign(memory_ops, {});
    worker.slots.assign(memory_ops * warps, {});
    worker.local.assign(std::size_t{kernel.local_bytes} * warp_size * warps, std::byte{0});
    if (worker.observes != nullptr && worker.observes->wants_local_reads()) worker.local_written.assign(worker.local.size(), 0);
    block.warps.assign(warps, {});
    worker.kernel_frames.assign(warps, nullptr);
    for (std::uint32_t i = 0; i < warps; ++i) {
        Warp& warp = block.warps[i];
        warp.index = i;
        warp.block = &block;
        warp.worker = &worker;
        warp.slots = worker.slots.data() + memory_ops * i;
        warp.local_bytes = kernel.local_bytes;
        warp.local = worker.local.data() + std::size_t{kernel.local_bytes} * warp_size * i;
        worker.frames.push_back(std::make_unique<Frame>());
        worker.kernel_frames[i] = worker.frames.back().get();
        prepare_frame(*worker.kernel_frames[i], *kernel.functions[0], warp);
    }
}

namespace {

bool run_warps(Worker& worker) {
    Block& block = worker.block;
    const bool reversed = worker.config->order == Order::reversed;
    const std::uint64_t limit = worker.config->max_instructions;
    std::uint64_t executed = 0;
    bool running = true;
    while (running) {
        running = false;
        bool progressed = false;
        for (std::size_t i = 0; i < block.warps.size(); ++i) {
            Warp& warp = block.warps[reversed ? block.warps.size() - 1 - i : i];
            if (warp.state == WarpState::done) continue;
            running = true;
            if (warp.state != WarpState::ready) continue;
            const std::uint64_t before = warp.warp_instructions;
            run_warp(warp, slice_instructions);
            progressed = true;
            if (warp.state == WarpState::fault) return false;
            executed += warp.warp_instructions - before;
            if (limit != 0 && executed > limit) return stop_endless(worker, warp);
            if (waits_for_block(worker, executed)) return stop_endless(worker, warp, true);
            if (worker.start_others && worker.executed_before + executed > alone_instructions) std::exchange(worker.start_others, {})();
            if (block.position > worker.launch->stop_at) return false;
            let_other_lanes_run(warp);
        }
        if (!running || progressed) {
            // Ready warps have to run before a barrier can be complete.
            const bool any_ready =
                std::any_of(block.warps.begin(), block.warps.end(), [](const Warp& w) { return w.state == WarpState::ready; });
            if (any_ready || !running) continue;
        }
        const bool all_done = std::all_of(block.warps.begin(), block.warps.end(), [](const Warp& w) { return w.state == WarpState::done; });
        if (all_done) break;
        if (!release_barriers(worker)) {
            if (!worker.violation) {
                const auto stuck =
                    std::find_if(block.warps.begin(), block.warps.end(), [](const Warp& w) { return w.state == WarpState::barrier; });
                Violation violation{.kind = FindingKind::deadlock,
                                    .op = stuck->barrier_op,
                                    .block = block.index,
                                    .warp = stuck->index,
                                    .lane = first_lane(stuck->live),
                                    .lanes = stuck->live};
                worker.violation = std::move(violation);
            }
            return false;
        }
    }
    worker.executed = executed;
    worker.executed_before += executed;
    return true;
}

void end_global_log(Worker& worker) {
    if (!worker.log_global) return;
    flush_global_log(worker, true);
    worker.log_global = worker.observes->wants_global_accesses();
    if (worker.log_global) return;
    for (AccessSlot& slot : worker.slots) slot = AccessSlot{};  // they know what is logged
}

}  // namespace

bool run_block(Worker& worker, std::uint64_t position) {
    start_block(worker, position);
    Block& block = worker.block;
    const bool ended = run_warps(worker);
    if (std::exchange(worker.waits, false)) --worker.launch->waiting;
    if (!ended) {
        end_global_log(worker);
        if (worker.observer != nullptr) worker.observer->abandon_block(block);
        return false;
    }
    end_interval(worker, true);
    end_global_log(worker);
    if (worker.observer != nullptr) worker.observer->end_block(block);
    if (worker.samples != 0) worker.config->sampler->take(block.linear, std::move(block.sampled));
    note_slowest(worker);
    worker.counters.blocks += 1;
    worker.counters.warps += block.warps.size();
    for (Warp& warp : block.warps) {
        worker.counters.warp_instructions += warp.warp_instructions;
        worker.counters.thread_instructions += warp.thread_instructions;
        warp.warp_instructions = 0;
        warp.thread_instructions = 0;
        worker.counters.sass_instructions += warp.sass_instructions;
        warp.sass_instructions = 0;
        warp.dependent_q6 = 0;
        warp.global_waits_q4 = 0;
        warp.shared_waits_q4 = 0;
        warp.at_barrier = {};
    }
    return true;
}

}  // namespace lab::machine
