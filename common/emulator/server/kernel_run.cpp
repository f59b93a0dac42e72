#include "common/emulator/server/kernel_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <future>
#include <utility>

#include "common/emulator/machine/code.h"
#include "common/emulator/machine/demangle.h"
#include "common/findings/fold.h"
#include "common/trace/json.h"

namespace lab::cuda {
StoredForHost::StoredForHost(const RuntimeState& state) : state_(state) {
    if (!state.watcher.stored_for_host) return;
    const auto keep = [&](const std::byte* at, std::uint64_t bytes) { before_.emplace_back(at, std::vector<std::byte>(at, at + bytes)); };
    for (const machine::Allocation* const allocation : state.memory->all()) {
        const bool is_managed = allocation->kind == machine::AllocationKind::managed;
        if (is_managed || allocation->kind == machine::AllocationKind::mapped) keep(allocation->host, allocation->size);
    }
    for (const Unit& unit : state.units) {
        for (const Variable& variable : unit.variables) {
            const auto symbol = unit.module && variable.is_managed ? unit.module->symbol(variable.name) : std::nullopt;
            if (symbol) keep(state.memory->host(symbol->address, symbol->size), symbol->size);
        }
    }
}

StoredForHost::~StoredForHost() {
    for (const auto& [now, before] : before_) {
        std::uint32_t word = 0;
        for (std::size_t at = 0; at + sizeof word <= before.size(); at += sizeof word) {
            if (std::memcmp(now + at, before.data() + at, sizeof word) == 0) continue;
            std::memcpy(&word, now + at, sizeof word);
            state_.watcher.stored_for_host(word);
        }
    }
}

namespace {

void add_constants(machine::TouchedBytes* touched, const std::vector<machine::ByteRun>& constants) {
    touched->read.insert(touched->read.end(), constants.begin(), constants.end());
    std::sort(touched->read.begin(), touched->read.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
}

}  // namespace

bool KernelLaunch::may_meet_host() const { return unit->module->code(mangled)->has_signal && !shared_with_host.empty(); }

KernelRun::KernelRun(RuntimeState& state, KernelLaunch launch) : state_(state), launch_(std::move(launch)) {
    carry_managed(Carry::to_device);
    if (launch_.config.checks.initialisation) state_.memory->mark_stored_by_host();
    stored_ = std::make_unique<StoredForHost>(state_);
}

KernelRun::~KernelRun() {
    if (thread_.joinable()) thread_.join();
}

void KernelRun::run() {
    launched_ = timing::launch(*launch_.unit->module, launch_.mangled, launch_.config, launch_.sampling, *state_.memory);
}

bool KernelRun::run_beside(std::chrono::milliseconds patience) {
    std::promise<void> ends;
    const std::future<void> ended = ends.get_future();
    thread_ = std::thread([this, ends = std::move(ends)]() mutable {
        run();
        ends.set_value();
    });
    outlives_launch_ = ended.wait_for(patience) != std::future_status::ready;
    return !outlives_launch_;
}

void KernelRun::finish() {
    if (thread_.joinable()) thread_.join();
    Work work;
    work.touched = std::move(launched_.result.touched);
    if (state_.options.checks.host) work.pages = pages_touched(launch_.shared_with_host, work.touched);
    add_constants(&work.touched, launched_.result.constants);
    stored_.reset();
    // Where the kernel outlives its launch, the host may have stored to memory that both use.
    std::erase_if(launched_.result.findings,
                  [&](const Finding& finding) { return outlives_launch_ && finding.kind == FindingKind::uninitialised_read; });
    carry_managed(Carry::to_host);
    if (work.uses_memory()) {
        work.what = "the kernel " + machine::without_parameters(machine::demangle(launch_.mangled));
        work.call = launch_.call;
        work.where = launch_.where;
    }
    state_.in_flight.enqueue(state_, launch_.stream, std::move(work));
    state_.has_unfollowed_launch = state_.has_unfollowed_launch || !launch_.config.checks.initialisation || launched_.result.ran_some;
    const machine::Checks& checks = launch_.config.checks;
    state_.shuffles_from_ended |= launched_.result.shuffles_from_ended && checks.barriers && checks.lockstep;
    const auto& accesses = launch_.unit->module->code(launch_.mangled)->memory_ops;
    state_.assumes_lockstep =
        state_.assumes_lockstep ||
        (checks.races && checks.lockstep && std::any_of(accesses.begin(), accesses.end(), [](const machine::MemoryOp& op) {
             return op.space == ptx::Space::shared && op.kind == machine::AccessKind::store &&
                    op.function->source->body[op.index].has(ptx::Modifier::volatile_);
         }));
    trace::Launch record = this->record();
    state_.clock_ms += record.modelled_ms;
    state_.instructions += record.counters.warp_instructions;
    ++state_.counts.launches;
    if (state_.keeps_all_launches) state_.all_launches.push_back(record);
    state_.launches.push_back(std::move(record));
    keep_findings(state_, launched_.result);
    if (state_.fault != cudaSuccess) state_.in_flight.finish_all();  // everything has ended
}

namespace {

std::vector<trace::Launch::Parameter> parameters_of(const KernelLaunch& launch) {
    std::vector<trace::Launch::Parameter> parameters;
    for (const ptx::Parameter& parameter : launch.unit->module->kernel(launch.mangled)->parameters) {
        trace::Launch::Parameter& value = parameters.emplace_back(trace::Launch::Parameter{0, parameter.size});
        const std::size_t bytes = std::min<std::size_t>(sizeof value.value, parameter.size);
        std::memcpy(&value.value, launch.config.parameters.data() + parameter.offset, bytes);
    }
    return parameters;
}

}  // namespace

trace::Launch KernelRun::record() {
    trace::Launch record{.kernel = machine::demangle(launch_.mangled),
                         .mangled = launch_.mangled,
                         .grid = launch_.config.grid,
                         .block = launch_.config.block,
                         .shared_bytes = launch_.shared_bytes,
                         .dynamic_shared_bytes = launch_.config.dynamic_shared_bytes,
                         .counters = launched_.result.counters,
                         .device = state_.device->id,
                         .has_fault = launched_.result.fault.has_value(),
                         .partitions = launched_.result.partitions,
                         .where = launch_.where,
                         .lines = launched_.result.lines,
                         .recording = launched_.result.recording,
                         .parameters = parameters_of(launch_)};
    const devices::Occupancy& occupancy = launch_.occupancy;
    record.occupancy = {occupancy.fraction(), occupancy.blocks, name_of(occupancy.limit), launch_.registers};
    record.is_estimate = launched_.result.ran_some;
    // At most each cache line once per request: a program may use a part of its allocations.
    constexpr std::uint64_t line_bytes = 128;
    timing::LaunchShape& shape = launch_.shape;
    shape.footprint_bytes = std::min(shape.footprint_bytes, launched_.result.counters.global_lines() * line_bytes);
    shape.busiest_bytes = launched_.result.partitions.both.busiest;
    shape.sample = launched_.sample;
    shape.contention = launched_.result.contention;
    const timing::TimeEstimate time = timing::modelled(*state_.device, launched_.result.counters, shape);
    record.modelled_ms = time.ms;
    record.bound = lab::name_of(time.limit);
    record.model = {time.launch_ms, {}, launched_.sample};
    for (std::size_t i = 0; i < time.resource_ms.size(); ++i)
        record.model.resource_ms[static_cast<trace::Resource>(i)] = time.resource_ms[i];
    return record;
}

void finish_kernel_beside(RuntimeState& state) {
    if (const auto beside = std::exchange(state.kernel_beside, nullptr)) beside->finish();
}

cudaError_t error_of(FindingKind kind) {
    switch (kind) {
        case FindingKind::out_of_bounds:
        case FindingKind::use_after_free:
        case FindingKind::host_pointer:
        case FindingKind::null_pointer:
        case FindingKind::write_to_constant:
            return cudaErrorIllegalAddress;
        case FindingKind::misaligned:
            return cudaErrorMisalignedAddress;
        case FindingKind::deadlock:
        case FindingKind::endless:
            return cudaErrorLaunchTimeout;
        case FindingKind::assertion:
            return cudaErrorAssert;
        default:
            return cudaErrorLaunchFailure;
    }
}

namespace {

void keep_one(RuntimeState& state, const Finding& finding) {
    if (state.prints_findings) show(finding);
    state.kernel_findings.push_back(finding);
    state.had_kernel_finding = true;
}

}  // namespace

void keep_findings(RuntimeState& state, const machine::LaunchResult& result) {
    for (const Finding& finding : result.findings) keep_one(state, finding);
    if (!result.fault) return;
    keep_one(state, *result.fault);
    state.fault = error_of(result.fault->kind);
    state.is_fault_seen = false;
}

namespace {

std::string shape(const trace::Size& size) { return fmt::format("{}x{}x{}", size.x, size.y, size.z); }

// "3.4" sectors a request; "-" without requests.
std::string per_request(const trace::MemoryCounts& counts) {
    if (counts.requests == 0) return "-";
    return fmt::format("{:.1f}", static_cast<double>(counts.sectors) / static_cast<double>(counts.requests));
}

}  // namespace

nlohmann::json to_json(const std::vector<trace::Launch>& launches, const std::vector<Finding>& findings) {
    return {{"version", trace::form_version}, {"launches", launches}, {"findings", findings}};
}

std::string to_table(const std::vector<trace::Launch>& launches) {
    if (launches.empty()) return "no kernel was launched\n";
    constexpr const char* row = "  {:>12} {:>10} {:>10} {:>10} {:>9} {:>9} {:>11}\n";
    std::string text = fmt::format("modelled for {}; sect/rq: 32-byte sectors a request (4: coalesced floats)\n", launches.front().device);
    if (std::any_of(launches.begin(), launches.end(), [](const trace::Launch& launch) { return launch.is_estimate; })) {
        text += "a few blocks ran and stand for all: counts and times are estimates, and the kernels' results are not whole\n";
    }
    text += fmt::format(row, "warp instr.", "ld sect/rq", "st sect/rq", "conflicts", "divergent", "limit", "modelled ms");
    for (const trace::Launch& launch : launches) {
        const trace::Counters& counters = launch.counters;
        text += fmt::format("{}, grid {}, blocks {}\n", launch.kernel.substr(0, launch.kernel.find('(')), shape(launch.grid),
                            shape(launch.block));
        text += fmt::format(row, counters.warp_instructions, per_request(counters.global_load), per_request(counters.global_store),
                            counters.shared_load.conflicts + counters.shared_store.conflicts, counters.divergent_branches,
                            launch.bound.substr(0, launch.bound.find(' ')), fmt::format("{:.4f}", launch.modelled_ms));
    }
    return folded(text, usual_width);
}

}  // namespace lab::cuda
