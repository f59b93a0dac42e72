#include "common/emulator/cuda/in_flight.h"

#include <algorithm>
#include <utility>

#include "common/emulator/cuda/host_faults.h"
#include "common/emulator/cuda/state.h"

namespace lab::cuda {
namespace {

constexpr std::size_t most_ranges = 64;  // of one work; the system keeps only so many apart
constexpr std::size_t most_works = 64;

cudaStream_t key_of(cudaStream_t stream) { return stream == cudaStreamLegacy ? nullptr : stream; }

// Whether the legacy stream waits for it, and it for the legacy stream.
bool is_blocking(const RuntimeState& state, cudaStream_t stream) {
    return state.streams.count(stream) == 0 || (stream->flags & cudaStreamNonBlocking) == 0;
}

std::string at(const std::string& where) { return where.empty() ? "" : " at " + where; }

// What the host last called, or the lack of a call: the work is in flight still, so no call has waited for it.
std::string since(const Work& work) {
    const LatestCall& latest = latest_call();
    const std::string name = latest.name;
    const std::string after = place(latest.site);
    if (after.empty() || after == work.where)
        return std::string("the access comes after this ") + (work.is_copy ? "call" : "launch") + ", before anything waits for it";
    if (name == "cudaStreamSynchronize" && last_error() == cudaSuccess)
        return name + at(after) + " waits for another stream than the " + (work.is_copy ? "copy's" : "kernel's");
    return "it comes after the call of " + name + at(after);
}

ApiFinding finding_of(const RuntimeState& state, const Work& work, std::uint64_t address, const PageRange& pages, bool is_write) {
    const bool is_device_writing = pages.rights == Rights::none;
    ApiFinding finding;
    finding.kind = work.is_copy && is_device_writing && !is_write ? FindingKind::read_too_soon : FindingKind::host_race;
    finding.call = work.call;
    finding.misuse = true;
    finding.where = work.where;
    finding.text = std::string("the host ") + (is_write ? "writes" : "reads") + " memory that " + work.what + " may still be " +
                   (is_device_writing ? "writing" : "reading") + "\n  " + since(work) + "\n  the host's access is " +
                   state.memory->describe(address, 1) + "\n  " + (work.is_copy ? work.call : "a launch") +
                   " only starts the work: before the host touches the memory, wait with cudaStreamSynchronize or "
                   "cudaDeviceSynchronize, and look at what that returns";
    return finding;
}

}  // namespace

void InFlight::protect(std::uint64_t begin, std::uint64_t end) const {
    // Where works overlap, the one that leaves least rights decides.
    for (const Rights rights : {Rights::read, Rights::none}) {
        for (const auto& [id, work] : works_) {
            for (const PageRange& range : work.pages) {
                if (range.rights == rights && range.overlaps(begin, end)) give_rights(range);
            }
        }
    }
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

void InFlight::drop_what_is_covered_by(const Work& work) {
    for (auto it = works_.begin(); it != works_.end();) {
        it = it->second.pages == work.pages ? works_.erase(it) : std::next(it);
    }
    if (works_.size() >= most_works) finish(Ids{works_.begin()->first});
}

void InFlight::enqueue(const RuntimeState& state, cudaStream_t stream, Work work) {
    if (works_.empty() && work.pages.empty()) return;
    const cudaStream_t key = key_of(stream);
    Ids& done = after_stream_[key];
    if (key == nullptr) {
        done = after(state, stream);
    } else if (is_blocking(state, stream)) {
        const Ids& legacy = after_stream_[nullptr];
        done.insert(legacy.begin(), legacy.end());
    }
    if (work.pages.empty() || !state.options.host) return;
    if (work.pages.size() > most_ranges) work.pages.resize(most_ranges);
    drop_what_is_covered_by(work);
    watch_host_faults();
    done.insert(next_);
    works_.emplace(next_++, std::move(work));
    protect();
}

void InFlight::record(const RuntimeState& state, cudaEvent_t event, cudaStream_t stream) {
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
    for (const std::uint64_t id : ids) {
        const auto found = works_.find(id);
        if (found == works_.end()) continue;
        const std::vector<PageRange> pages = std::move(found->second.pages);
        works_.erase(found);
        for (const PageRange& range : pages) {
            give_rights(range.begin, range.end, Rights::all);
            protect(range.begin, range.end);  // another work may still use them
        }
    }
    if (works_.empty()) {
        after_stream_.clear();
        after_event_.clear();
    }
}

bool InFlight::on_host_access(RuntimeState& state, std::uint64_t address, bool is_write) {
    for (const auto& [id, work] : works_) {
        for (const PageRange& range : work.pages) {
            if (!range.overlaps(address, address + 1) || (range.rights == Rights::read && !is_write)) continue;
            keep(state, finding_of(state, work, address, range, is_write));
            finish(Ids{id});  // said once; the program goes on
            return true;
        }
    }
    return false;
}

InFlight::Lift::Lift(const InFlight& works) : works_(works) {
    for (const auto& [id, work] : works_.works_) {
        for (const PageRange& range : work.pages) give_rights(range.begin, range.end, Rights::all);
    }
}

}  // namespace lab::cuda
