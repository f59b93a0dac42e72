#include "common/emulator/server/kernel_run.h"

#include <algorithm>
#include <cstring>
#include <future>
#include <utility>

#include "common/emulator/machine/code.h"
#include "common/emulator/machine/demangle.h"
#include "common/emulator/server/faults.h"

namespace lab::cuda {
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
    trace::Launch record;
    record.parameters = parameters_of(launch_);
    record.kernel = machine::demangle(launch_.mangled);
    record.grid = launch_.config.grid;
    record.block = launch_.config.block;
    record.dynamic_shared_bytes = launch_.config.dynamic_shared_bytes;
    record.shared_bytes = launch_.shared_bytes;
    record.counters = launched_.result.counters;
    record.partitions = launched_.result.partitions;
    record.device = state_.device->id;
    record.where = launch_.where;
    record.lines = launched_.result.lines;
    record.recording = launched_.result.recording;
    record.has_fault = launched_.result.fault.has_value();
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

}  // namespace lab::cuda
