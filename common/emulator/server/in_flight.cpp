#include "common/emulator/server/in_flight.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "common/emulator/server/state.h"
#include "common/process/page_size.h"

namespace lab::cuda {
namespace {

constexpr std::size_t max_ranges = 64;  // of one operation; the system limits the number of separate mappings
constexpr std::size_t max_works = 64;

cudaStream_t key_of(cudaStream_t stream) { return stream == cudaStreamLegacy ? nullptr : stream; }

// Whether the legacy stream waits for it, and it for the legacy stream.
bool is_blocking(const RuntimeState& state, cudaStream_t stream) {
    const auto found = state.streams.find(stream);
    return found == state.streams.end() || (found->second.flags & cudaStreamNonBlocking) == 0;
}

// The host's last call, or the lack of one, as text: the work is still outstanding, so no call has waited for it.
std::string since(const Work& work) {
    const LatestCall& latest = latest_call();
    const std::string name = latest.name;
    const SourceLine after = place(latest.site);
    if (!after.is_known() || after == work.where)
        return std::string("the access comes after this ") + (work.is_copy ? "call" : "launch") + ", before anything waits for it";
    if (name == "cudaStreamSynchronize" && last_error() == cudaSuccess)
        return name + at(after) + " waits for another stream than the " + (work.is_copy ? "copy's" : "kernel's");
    return "it comes after the call of " + name + at(after);
}

Finding finding_of(const RuntimeState& state, const Work& work, std::uint64_t address, const PageRange& pages, bool is_write) {
    const bool is_device_writing = pages.rights == Rights::none;
    Finding finding = finding_of_call(work.is_copy && is_device_writing && !is_write ? FindingKind::read_too_soon : FindingKind::host_race,
                                      work.call, work.where);
    finding.headline = std::string("the host ") + (is_write ? "writes" : "reads") + " memory that " + work.what + " may still be " +
                       (is_device_writing ? "writing" : "reading");
    finding.details.push_back(since(work));
    finding.locations.push_back(state.memory->locate(address, 1));
    finding.locations[0].role = ObjectRole::host_access;
    finding.advice = (work.is_copy ? work.call : "a launch") +
                     " only starts the work: before the host touches the memory, wait with cudaStreamSynchronize or "
                     "cudaDeviceSynchronize, and look at what that returns";
    return finding;
}

// The first byte that both use in conflict.
struct Clash {
    std::uint64_t address = 0;
    const char* earlier = "";  // what they do there: "reading"
    const char* later = "";    // "reads"
};

std::optional<std::uint64_t> first_common(const std::vector<machine::ByteRun>& a, const std::vector<machine::ByteRun>& b) {
    for (auto left = a.begin(), right = b.begin(); left != a.end() && right != b.end();) {
        if (const std::uint64_t begin = std::max(left->begin, right->begin); begin < std::min(left->end, right->end)) return begin;
        left->end < right->end ? ++left : ++right;
    }
    return std::nullopt;
}

std::optional<Clash> clash_of(const machine::TouchedBytes& earlier, const machine::TouchedBytes& later) {
    using machine::TouchedBytes;
    struct Use {
        std::vector<machine::ByteRun> TouchedBytes::*bytes;
        const char *is_doing, *does;
    };
    constexpr Use reads{&TouchedBytes::read, "reading", "reads"};
    constexpr Use writes{&TouchedBytes::written, "writing", "writes"};
    constexpr Use changes{&TouchedBytes::atomic, "changing", "changes"};  // the order of two atomics doesn't matter
    constexpr std::pair<Use, Use> pairs[]{{writes, reads},  {writes, writes},  {writes, changes}, {reads, writes},
                                          {changes, reads}, {changes, writes}, {reads, changes}};
    for (const auto& [first, second] : pairs) {
        if (const auto address = first_common(earlier.*first.bytes, later.*second.bytes))
            return Clash{*address, first.is_doing, second.does};
    }
    return std::nullopt;
}

std::string name_of(const RuntimeState& state, cudaStream_t stream) {
    if (key_of(stream) == nullptr) return "the default stream";
    const auto found = state.streams.find(stream);
    return found == state.streams.end() ? "the thread's default stream" : fmt::format("stream {}", found->second.number);
}

Finding finding_of(const RuntimeState& state, const Work& earlier, const Work& later, const Clash& clash) {
    Finding finding = finding_of_call(FindingKind::stream_race, later.call, later.where);
    finding.headline =
        fmt::format("race between streams: {} {} memory that {} may still be {}", later.what, clash.later, earlier.what, clash.earlier);
    finding.places = {{PlaceRole::later, later.where, {}, {}, later.what, later.stream},
                      {PlaceRole::earlier, earlier.where, {}, {}, earlier.what, earlier.stream}};
    finding.locations.push_back(state.memory->locate(clash.address, 1));
    finding.advice =
        "put both in one stream, or let the second wait: cudaEventRecord after the first and cudaStreamWaitEvent\n"
        "before the second, or cudaStreamSynchronize in between";
    return finding;
}

bool has(const std::vector<machine::ByteRun>& runs, std::uint64_t address) {
    return std::any_of(runs.begin(), runs.end(), [&](const machine::ByteRun& run) { return run.begin <= address && address < run.end; });
}

// Whether host and kernel may access the managed memory concurrently: the kernel touches it only by atomics of system scope, and the device
// supports concurrent managed access. Whether the host's access is atomic can't be detected: on x86 an atomic load is a plain one. CUDA C++
// Programming Guide, "Atomic Functions" and "Unified Memory Programming".
bool may_touch_at_any_time(const RuntimeState& state, const Work& work, std::uint64_t address) {
    const machine::Allocation* const allocation = state.memory->find(address);
    constexpr int least_major = 6;  // with concurrentManagedAccess
    return allocation != nullptr && allocation->kind == machine::AllocationKind::managed && state.device->major >= least_major &&
           has(work.touched.system_atomic, address) && !has(work.touched.read, address) && !has(work.touched.written, address);
}

// Allows the host all accesses to the page.
void give_page_back(Work* work, std::uint64_t address) {
    std::vector<PageRange> left;
    const std::uint64_t begin = page_begin(address);
    const std::uint64_t end = begin + page_bytes();
    for (const PageRange& range : work->pages) {
        if (!range.overlaps(address, address + 1)) {
            left.push_back(range);
            continue;
        }
        if (range.begin < begin) left.push_back({range.begin, begin, range.rights});
        if (end < range.end) left.push_back({end, range.end, range.rights});
    }
    work->pages = std::move(left);
}

}  // namespace

std::vector<PageRange> InFlight::pages() const {
    constexpr std::size_t most = 1024;
    std::vector<PageRange> all;
    if (lifted_ > 0) return all;
    for (const Rights rights : {Rights::read, Rights::none}) {
        for (const auto& [id, work] : works_) {
            for (const PageRange& range : work.pages) {
                if (range.rights == rights && all.size() < most) all.push_back(range);
            }
        }
    }
    return all;
}

InFlight::Ids InFlight::after(const RuntimeState& state, cudaStream_t stream) const {
    const cudaStream_t key = key_of(stream);
    Ids ids;
    for (const auto& [other, done] : after_stream_) {
        const bool is_waited_for = other == key || (key == nullptr && is_blocking(state, other));
        if (is_waited_for) ids.insert(done.begin(), done.end());
    }
    return ids;
}

// Drops earlier work that `work` supersedes: for the same pages the latest is reported, and everything ordered after `work` is ordered
// after all of `before`.
void InFlight::drop_what_is_covered_by(const Work& work, const Ids& before) {
    for (auto it = works_.begin(); it != works_.end();) {
        Work& other = it->second;
        if (other.pages == work.pages) other.pages.clear();
        const bool is_covered =
            !other.uses_memory() || (other.pages.empty() && before.count(it->first) != 0 && other.touched == work.touched);
        it = is_covered ? works_.erase(it) : std::next(it);
    }
    if (works_.size() >= max_works) finish(Ids{works_.begin()->first});
}

void InFlight::look_for_races(RuntimeState& state, const Work& work, const Ids& before) const {
    for (const auto& [id, other] : works_) {
        if (before.count(id) != 0) continue;
        if (const auto clash = clash_of(other.touched, work.touched)) return keep(state, finding_of(state, other, work, *clash));
    }
}

void InFlight::enqueue(RuntimeState& state, cudaStream_t stream, Work work) {
    if (works_.empty() && !work.uses_memory()) return;
    const cudaStream_t key = key_of(stream);
    Ids& done = after_stream_[key];
    if (key == nullptr) {
        done = after(state, stream);
    } else if (is_blocking(state, stream)) {
        const Ids& legacy = after_stream_[nullptr];
        done.insert(legacy.begin(), legacy.end());
    }
    if (!work.uses_memory() || !state.options.checks.host) return;
    work.stream = name_of(state, stream);
    look_for_races(state, work, done);
    if (work.pages.size() > max_ranges) work.pages.resize(max_ranges);
    drop_what_is_covered_by(work, done);
    std::erase_if(done, [this](std::uint64_t id) { return works_.count(id) == 0; });
    done.insert(next_);
    works_.emplace(next_++, std::move(work));
}

void InFlight::record(RuntimeState& state, cudaEvent_t event, cudaStream_t stream) {
    enqueue(state, stream);
    after_event_[event] = after(state, stream);
}

void InFlight::wait(cudaStream_t stream, cudaEvent_t event) {
    const Ids& done = after_event_[event];
    after_stream_[key_of(stream)].insert(done.begin(), done.end());
}

void InFlight::forget(const RuntimeState& state, cudaStream_t stream) {
    const Ids done = std::exchange(after_stream_[stream], {});
    after_stream_.erase(stream);
    if (is_blocking(state, stream)) after_stream_[nullptr].insert(done.begin(), done.end());
}

void InFlight::finish(const RuntimeState& state, cudaStream_t stream) { finish(after(state, stream)); }

void InFlight::finish(cudaEvent_t event) {
    const auto found = after_event_.find(event);
    if (found != after_event_.end()) finish(Ids(found->second));
}

void InFlight::finish_all() {
    Ids all;
    for (const auto& [id, work] : works_) all.insert(id);
    finish(all);
}

void InFlight::finish(const Ids& ids) {
    for (const std::uint64_t id : ids) works_.erase(id);
    if (works_.empty()) {
        after_stream_.clear();
        after_event_.clear();
    }
}

bool InFlight::on_host_access(RuntimeState& state, std::uint64_t address, bool is_write) {
    for (auto& [id, work] : works_) {
        for (const PageRange& range : work.pages) {
            if (!range.overlaps(address, address + 1) || (range.rights == Rights::read && !is_write)) continue;
            if (may_touch_at_any_time(state, work, address)) {
                give_page_back(&work, address);
                return true;
            }
            keep(state, finding_of(state, work, address, range, is_write));
            finish(Ids{id});  // reported once; the program continues
            return true;
        }
    }
    return false;
}

}  // namespace lab::cuda
