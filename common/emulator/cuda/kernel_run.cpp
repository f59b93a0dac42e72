#include "common/emulator/cuda/kernel_run.h"

#include <algorithm>
#include <cstdio>
#include <future>
#include <utility>

#include "common/emulator/cuda/faults.h"
#include "common/emulator/cuda/stored_for_host.h"
#include "common/emulator/machine/code.h"
#include "common/emulator/machine/demangle.h"
#include "common/emulator/observers/launch.h"

namespace lab::cuda {
namespace {

void add_constants(machine::TouchedBytes* touched, const std::vector<machine::ByteRun>& constants) {
    touched->read.insert(touched->read.end(), constants.begin(), constants.end());
    std::sort(touched->read.begin(), touched->read.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
}

}  // namespace

bool KernelLaunch::may_meet_host() const { return unit->module->code(mangled)->has_signal && !shared_with_host.empty(); }

// Records the kernel's accesses to memory that it shares with the host.
struct KernelRun::Watch {
    Watch(const RuntimeState& state, const KernelLaunch& launch)
        : lift(state.in_flight),
          stored(state),
          trace(state.options.host ? launch.shared_with_host : std::vector<const machine::Allocation*>{}) {}
    const InFlight::Lift lift;
    const StoredForHost stored;
    const PageTrace trace;
};

KernelRun::KernelRun(RuntimeState& state, KernelLaunch launch) : state_(state), launch_(std::move(launch)) {
    carry_managed(Carry::to_device);
    watch_ = std::make_unique<Watch>(state_, launch_);
}

KernelRun::~KernelRun() {
    if (thread_.joinable()) thread_.join();
}

void KernelRun::run() { result_ = observers::launch(*launch_.unit->module, launch_.mangled, launch_.config, *state_.memory); }

bool KernelRun::run_beside(std::chrono::milliseconds patience) {
    std::promise<void> ends;
    const std::future<void> ended = ends.get_future();
    thread_ = std::thread([this, ends = std::move(ends)]() mutable {
        run();
        ends.set_value();
    });
    return ended.wait_for(patience) == std::future_status::ready;
}

void KernelRun::finish() {
    if (thread_.joinable()) thread_.join();
    Work work;
    work.pages = watch_->trace.touched();
    work.touched = std::move(result_.touched);
    add_constants(&work.touched, result_.constants);
    watch_.reset();
    carry_managed(Carry::to_host);
    std::fflush(stdout);
    if (work.uses_memory()) {
        work.what = "the kernel " + machine::without_parameters(machine::demangle(launch_.mangled));
        work.call = launch_.call;
        work.where = launch_.where;
    }
    state_.in_flight.enqueue(state_, launch_.stream, std::move(work));
    state_.has_unfollowed_launch = state_.has_unfollowed_launch || !launch_.config.checks.initialisation || result_.ran_some;
    LaunchRecord record = this->record();
    state_.clock_ms += record.modelled_ms;
    state_.instructions += record.counters.warp_instructions;
    ++state_.counts.launches;
    if (state_.keeps_all_launches) state_.all_launches.push_back(record);
    state_.launches.push_back(std::move(record));
    keep_faults(state_, result_);
    if (state_.fault != cudaSuccess) state_.in_flight.finish_all();  // everything has ended
}

LaunchRecord KernelRun::record() {
    LaunchRecord record;
    record.kernel = machine::demangle(launch_.mangled);
    record.mangled = launch_.mangled;
    record.grid = launch_.config.grid;
    record.block = launch_.config.block;
    record.dynamic_shared_bytes = launch_.config.dynamic_shared_bytes;
    record.shared_bytes = launch_.shared_bytes;
    record.counters = result_.counters;
    record.partitions = result_.partitions;
    record.device = state_.device->id;
    record.where = launch_.where;
    record.lines = result_.lines;
    record.registers = launch_.registers;
    record.occupancy = launch_.occupancy;
    record.sample = result_.sample;
    record.ran_some = result_.ran_some;
    // No more than each line as often as it is asked for: a program may use a part of what it allocated.
    constexpr std::uint64_t line_bytes = 128;
    devices::LaunchShape& shape = launch_.shape;
    shape.footprint_bytes = std::min(shape.footprint_bytes, result_.counters.global_lines() * line_bytes);
    shape.busiest_bytes = result_.partitions.both.busiest;
    shape.sample = result_.sample;
    shape.contention = result_.contention;
    record.time = devices::modelled(*state_.device, result_.counters, shape);
    record.modelled_ms = record.time.ms;
    record.bound = devices::name_of(record.time.bound);
    return record;
}

void finish_kernel_beside(RuntimeState& state) {
    if (const auto beside = std::exchange(state.kernel_beside, nullptr)) beside->finish();
}

}  // namespace lab::cuda
