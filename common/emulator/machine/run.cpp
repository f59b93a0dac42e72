// Execution of a launch on all host threads.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <thread>

#include "common/emulator/machine/block_runner.h"
#include "common/emulator/machine/launch_shared.h"

namespace lab::machine {

namespace {

MemoryCounts* counts_for(Counters& counters, const MemoryOp& op) {
    const auto pick = [&](MemoryCounts& load, MemoryCounts& store, MemoryCounts& atomic) {
        return op.kind == AccessKind::load ? &load : op.kind == AccessKind::store ? &store : &atomic;
    };
    switch (op.space) {
        case ptx::Space::shared:
            return pick(counters.shared_load, counters.shared_store, counters.shared_atomic);
        case ptx::Space::local:
            return pick(counters.local_load, counters.local_store, counters.local_store);
        case ptx::Space::global:
            return pick(counters.global_load, counters.global_store, counters.global_atomic);
        case ptx::Space::constant:
            return &counters.constant_load;
        default:
            return nullptr;
    }
}

void add(Counters& counters, const MemoryOp& op, const AccessCounts& seen, std::uint64_t times, const AccessRules& rules) {
    MemoryCounts* to = counts_for(counters, op);
    if (to == nullptr) return;
    to->requests += seen.requests * times;
    to->bytes += seen.lanes * op.bytes * times;
    if (op.space == ptx::Space::shared || op.space == ptx::Space::constant) {
        to->wavefronts += seen.cost * times;
        to->conflicts += seen.extra * times;
    } else {
        constexpr std::uint64_t sectors_a_line = 4;
        const bool moves_lines = op.space == ptx::Space::global && op.kind == AccessKind::load && rules.loads_whole_lines();
        to->sectors += (moves_lines ? seen.lines * sectors_a_line : seen.cost) * times;
        to->transactions += seen.extra * times;
        to->lines += seen.lines * times;
    }
}

void collect(const Worker& worker, Counters& counters) {
    counters += worker.counters;
    for (std::size_t i = 0; i < worker.counts.size(); ++i) {
        const MemoryOp& op = worker.kernel->memory_ops[i];
        add(counters, op, worker.counts[i], op.members.empty() ? 1 : op.members.size(), *worker.rules);
    }
}

ptx::Location place_of(const MemoryOp& op) { return op.function->source->body.at(op.index).where; }

// The same counts as in collect(), by instruction.
void collect_places(const std::vector<Worker>& workers, const KernelCode& kernel, std::vector<PlaceCounts>* places) {
    std::vector<Counters> counted(kernel.memory_ops.size());
    for (const Worker& worker : workers) {
        for (std::size_t i = 0; i < worker.counts.size(); ++i) {
            const MemoryOp& op = kernel.memory_ops[i];
            if (op.members.empty()) add(counted[i], op, worker.counts[i], 1, *worker.rules);
            for (const std::uint32_t member : op.members) add(counted[member], op, worker.counts[i], 1, *worker.rules);
        }
    }
    for (std::size_t i = 0; i < counted.size(); ++i) {
        if (kernel.memory_ops[i].members.empty()) places->push_back({place_of(kernel.memory_ops[i]), counted[i]});
    }
}

void stop_behind(LaunchShared& launch, std::uint64_t block) {
    std::uint64_t lowest = launch.stop_at.load();
    while (block < lowest && !launch.stop_at.compare_exchange_weak(lowest, block)) {
    }
}

// Position in the scheduling order of the n-th block to run.
std::uint64_t position_of(const LaunchConfig& config, std::uint64_t block) {
    return config.positions == nullptr ? block : (*config.positions)[block];
}

// One worker's loop: takes blocks in ascending order, so that some worker finishes all blocks before a faulty one.
void take_blocks(Worker& worker, std::uint64_t blocks) {
    LaunchShared& launch = *worker.launch;
    while (true) {
        const std::uint64_t block = launch.next_block.fetch_add(1);
        if (block >= blocks || block > launch.stop_at.load()) return;
        const bool finished = run_block(worker, position_of(*worker.config, block));
        if (finished) {
            if (!worker.printed.empty() && worker.config->print) {
                for (const std::string& text : worker.printed) worker.config->print(text);
                worker.printed.clear();
                worker.printed_bytes = 0;
            }
            const std::uint64_t limit = worker.config->max_instructions;
            const std::uint64_t passed = limit == 0 ? no_block : launch.instructions.add(block, worker.executed, limit);
            if (passed != no_block) stop_behind(launch, passed);
            const bool is_asked = worker.config->is_enough && std::has_single_bit(block + 1);
            if (is_asked && worker.config->is_enough()) launch.next_block = blocks;
            continue;
        }
        if (worker.violation) stop_behind(launch, block);
        return;
    }
}

void work(Worker& worker, std::uint64_t blocks) {
    prepare_worker(worker);
    ++worker.launch->active;
    take_blocks(worker, blocks);
    --worker.launch->active;
}

// Blocks that end, but whose sum exceeds the limit.
Violation too_many_blocks(const KernelCode& kernel, const LaunchConfig& config, std::uint64_t block) {
    Violation violation{
        .kind = FindingKind::endless,
        .op = kernel.functions[0]->ops.data(),
        .block = block_at(config, block_at_position(config, position_of(config, block))),
        .lanes = 1,
        .text = fmt::format("stopped after {} warp instructions of all blocks up to this one together", config.max_instructions)};
    return violation;
}

bool prints(const KernelCode& kernel) {
    for (const auto& function : kernel.module_functions_called) {
        if (function == "vprintf") return true;
    }
    return false;
}

}  // namespace

Outcome run(const LoadedModule& module, const std::string& mangled_name, const LaunchConfig& config, Memory& memory) {
    const KernelCode* kernel = module.code(mangled_name);
    if (kernel == nullptr) throw ptx::Error(fmt::format("there is no kernel '{}'", mangled_name));
    const std::uint64_t blocks = config.positions == nullptr ? config.grid.count() : config.positions->size();
    static const unsigned processors = std::max(1U, std::thread::hardware_concurrency());  // a system call that reads files
    unsigned threads = config.threads != 0 ? config.threads : processors;
    // If results can show the order of the blocks (atomics, printf), they run one after another.
    if (kernel->info.serial || prints(*kernel)) threads = 1;
    threads = static_cast<unsigned>(std::min<std::uint64_t>(threads, blocks));
    LaunchShared shared;
    std::vector<Worker> workers(threads);
    for (Worker& worker : workers) {
        worker.kernel = kernel;
        worker.config = &config;
        worker.memory = &memory;
        worker.rules = config.rules;
        worker.launch = &shared;
        worker.parameters = config.parameters.data();
        if (config.observer != nullptr) {
            worker.observer = config.observer->make_block_observer();
            worker.observes = config.observer;
            worker.log_shared = config.observer->wants_shared_accesses();
            worker.log_global = config.observer->wants_global_accesses();
        }
    }
    std::vector<std::thread> crew;
    if (threads > 1) {
        workers[0].start_others = [&] {
            for (unsigned i = 1; i < threads; ++i) crew.emplace_back([&, i] { work(workers[i], blocks); });
        };
    }
    work(workers[0], blocks);
    for (std::thread& member : crew) member.join();
    Outcome outcome;
    const std::uint64_t passed = shared.instructions.passed();
    Worker* first = nullptr;
    ContendedLines contended;
    for (Worker& worker : workers) {
        collect(worker, outcome.counters);
        outcome.shuffles_from_ended |= worker.shuffles_from_ended;
        contended.add(worker.contended);
        if (!worker.violation || (passed != no_block && worker.block.position > position_of(config, passed))) continue;
        if (first == nullptr || worker.block.position < first->block.position) first = &worker;
    }
    if (first != nullptr) {
        if (config.print) {
            for (const std::string& text : first->printed) config.print(text);
        }
        outcome.violation = std::make_shared<Violation>(*first->violation);
    } else if (passed != no_block) {
        outcome.violation = std::make_shared<Violation>(too_many_blocks(*kernel, config, passed));
    }
    if (outcome.violation) {
        outcome.counters = {};
        return outcome;
    }
    outcome.contention = contended.worst();
    if (config.counts_by_line) collect_places(workers, *kernel, &outcome.places);
    return outcome;
}

}  // namespace lab::machine
