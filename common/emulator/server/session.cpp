#include "common/emulator/server/session.h"

#include <unistd.h>

#include <mutex>
#include <stdexcept>
#include <utility>

#include "common/emulator/server/host_faults.h"
#include "common/emulator/server/kernel_run.h"
#include "common/emulator/server/leaks.h"
#include "common/emulator/server/peer.h"
#include "common/emulator/server/start_and_exit.h"
#include "common/emulator/server/state.h"

namespace lab::cuda {

struct Session::State : RuntimeState {};

struct SessionAccess {
    static RuntimeState& state(Session& session) { return *session.state_; }
};

void make_memory(RuntimeState& state) {
    state.in_flight.finish_all();
    state.written_allocations.clear();
    state.emptied_allocations.clear();
    state.has_unfollowed_launch = false;
    state.watched_from_id = 0;  // ids restart
    unload_all();               // modules hold addresses in the old memory
    constexpr std::uint64_t address_space = std::uint64_t{4} << 40U;
    if (state.shared_file < 0 && state.memory) state.shared_file = dup(state.memory->shared_file());
    state.memory.reset();  // first, so that the new one gets the same addresses
    state.memory = std::make_unique<machine::Memory>(state.device->memory_bytes, address_space, state.shared_file);
    if (state.program != 0) state.memory->set_program(state.program);
}

Session::Session() : state_(new State) {
    apply_environment(*state_);
    state_->memory = std::make_unique<machine::Memory>(state_->device->memory_bytes);
}

Session& Session::instance() {
    // Never destroyed: programs call the runtime from destructors of their own globals.
    static auto* const session = new Session;
    return *session;
}

RuntimeState& runtime() { return SessionAccess::state(Session::instance()); }

namespace {

thread_local HostThread* current_thread = nullptr;

}  // namespace

HostThread::Current::Current(std::uint32_t number) : before_(current_thread) {
    constexpr std::size_t most = 4096;
    RuntimeState& state = runtime();
    const std::lock_guard lock(state.mutex);
    if (state.threads.size() == most && state.threads.count(number) == 0) throw wire::Malformed();
    current_thread = state.latest_thread = &state.threads[number];
    current_thread->number = number;
}
HostThread::Current::~Current() { current_thread = before_; }

HostThread& host_thread() {
    if (current_thread != nullptr) return *current_thread;
    static HostThread none;
    HostThread* const latest = runtime().latest_thread;
    return latest == nullptr ? none : *latest;
}

namespace {

std::mutex unsaid_mutex;
std::vector<std::pair<int, std::string>>& unsaid() {
    static auto* const texts = new std::vector<std::pair<int, std::string>>;
    return *texts;
}

}  // namespace

void say(int descriptor, const std::string& text) {
    if (text.empty()) return;
    {
        const std::lock_guard lock(unsaid_mutex);
        unsaid().emplace_back(descriptor, text);
    }
    if (Peer* const program = peer(); program != nullptr) program->print_unsaid();
}

std::vector<std::pair<int, std::string>> take_unsaid() {
    const std::lock_guard lock(unsaid_mutex);
    return std::exchange(unsaid(), {});
}

SourceLine place(LabCallSite site) {
    if (site.file == nullptr || site.line == 0) return {};
    const std::string file = site.file;
    return {file.substr(file.rfind('/') + 1), static_cast<std::uint32_t>(site.line), 0};
}

namespace {

// During its lifetime nothing changes: no other thread calls the runtime, and no kernel runs.
class Quiet {
public:
    explicit Quiet(RuntimeState& state) : lock_(state.mutex) { finish_kernel_beside(state); }

private:
    std::lock_guard<std::recursive_mutex> lock_;
};

}  // namespace

bool RuntimeState::is_stream(cudaStream_t stream) const {
    return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread || streams.count(stream) != 0;
}

void Session::watch(Watcher watcher) {
    const std::lock_guard lock(state_->mutex);
    state_->watcher = std::move(watcher);
}

void Session::configure(const Options& options) {
    const Quiet quiet(*state_);
    const devices::Device* const device = &devices::device_of(options.device);
    state_->options = options;
    state_->prints_findings = false;
    state_->instructions = 0;
    state_->recorded_shapes.clear();
    if (device == state_->device) return;
    state_->device = device;
    make_memory(*state_);
}

const Options& Session::options() const { return state_->options; }

std::vector<trace::Launch> Session::take_launches() {
    const Quiet quiet(*state_);
    return std::exchange(state_->launches, {});
}
std::vector<Finding> Session::take_kernel_findings() {
    const Quiet quiet(*state_);
    return std::exchange(state_->kernel_findings, {});
}
std::vector<Finding> Session::take_api_findings() {
    const Quiet quiet(*state_);
    return std::exchange(state_->api_findings, {});
}
trace::ApiCounts Session::take_api_counts() {
    const Quiet quiet(*state_);
    trace::ApiCounts counts = std::exchange(state_->counts, {});
    for (const machine::Allocation& allocation : state_->memory->live()) {
        ++counts.leaked_allocations;
        counts.leaked_bytes += static_cast<std::int64_t>(allocation.size);
    }
    return counts;
}

void Session::fail_allocation(std::uint64_t n) {
    const std::lock_guard lock(state_->mutex);
    state_->allocations_until_failure = n;
}
void Session::fail_launch(std::uint64_t n) {
    const std::lock_guard lock(state_->mutex);
    state_->launches_until_failure = n;
}
void Session::fail_copy(std::uint64_t n) {
    const std::lock_guard lock(state_->mutex);
    state_->copies_until_failure = n;
}

void Session::replace_kernels(const std::string& ptx) {
    const Quiet quiet(*state_);
    make_memory(*state_);
    cuda::replace_kernels(ptx);
}

Location Session::locate(const void* device) const {
    const std::lock_guard lock(state_->mutex);
    return state_->memory->locate(reinterpret_cast<std::uint64_t>(device), 1);
}

void Session::forget_written(const void* device, std::uint64_t bytes) {
    const std::uint64_t address = reinterpret_cast<std::uint64_t>(device);
    state_->memory->forget_written(address, bytes);
    if (const machine::Allocation* const allocation = state_->memory->find(address)) state_->emptied_allocations.insert(allocation->id);
}

void Session::begin_watch() {
    const std::lock_guard lock(state_->mutex);
    state_->launch_errors.forget();
    state_->has_refused_launch = false;
    state_->streams_made = 0;
    state_->lost_pointer = {};
    state_->watched_from_id = latest_allocation(*state_);
}
void Session::end_watch() {
    const Quiet quiet(*state_);
    state_->launch_errors.end(*state_);
    keep_leaks(*state_);
    state_->watched_from_id = latest_allocation(*state_);
}

std::string Session::leak_report() const {
    const std::lock_guard lock(state_->mutex);
    return cuda::leak_report(*state_);
}
std::optional<Finding> Session::explain_host_access(std::uint64_t address, const HostArray& array) const {
    std::string copy = running_copy_text(address, array);
    if (copy.empty()) return host_access_finding(*state_, address);
    Finding finding = finding_of_call(FindingKind::host_access, latest_call().name, place(latest_call().site));
    finding.headline = std::move(copy);
    return finding;
}

void Session::forget_errors() {
    const std::lock_guard lock(state_->mutex);
    for (auto& [number, thread] : state_->threads) thread.last_error = cudaSuccess;
}

void Session::reset() {
    const Quiet quiet(*state_);
    make_memory(*state_);
    state_->streams.clear();
    state_->streams_made = 0;
    state_->events.clear();
    state_->max_dynamic_shared.clear();
    state_->limits.clear();
    state_->fault = cudaSuccess;
    state_->is_fault_seen = false;
    state_->launches.clear();
    state_->kernel_findings.clear();
    state_->api_findings.clear();
    state_->launch_errors.forget();
    state_->has_refused_launch = false;
    state_->counts = {};
    state_->allocations_until_failure = state_->launches_until_failure = state_->copies_until_failure = 0;
    forget_errors();
}

}  // namespace lab::cuda
