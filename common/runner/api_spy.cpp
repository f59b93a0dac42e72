#include "common/runner/api_spy.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace lab::runner {
namespace {

constexpr std::array direction_names{"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice",
                                     "cudaMemcpyDefault"};

const char* name_of(Direction direction) { return direction_names.at(static_cast<std::size_t>(direction)); }

Side wanted_target(Direction direction) {
    return direction == Direction::host_to_device || direction == Direction::device_to_device ? Side::device : Side::host;
}
Side wanted_source(Direction direction) {
    return direction == Direction::device_to_host || direction == Direction::device_to_device ? Side::device : Side::host;
}
bool is_other(Side side, Side wanted) { return side != Side::either && side != wanted; }
const char* memory(Side side) { return side == Side::device ? "device memory" : "host memory"; }

bool chosen(std::uint64_t* countdown) { return *countdown != 0 && --*countdown == 0; }

// Our own blocks are kept until the call is over; other addresses the runtime may have reused in a call that we don't see.
bool still_freed(const ApiSpy::Allocation& allocation, Side side) { return allocation.block != nullptr || side != Side::device; }

std::uintptr_t address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

}  // namespace

ApiSpy& ApiSpy::instance() {
    static ApiSpy one;
    return one;
}

void ApiSpy::begin(std::uint64_t allocation_to_fail, std::uint64_t launch_to_fail, std::uint64_t copy_to_fail) {
    *this = ApiSpy{};
    allocation_to_fail_ = allocation_to_fail;
    launch_to_fail_ = launch_to_fail;
    copy_to_fail_ = copy_to_fail;
    watching_ = true;
}

void ApiSpy::note(const std::string& call, FindingKind kind, const std::string& headline, const std::string& detail) {
    Finding finding;
    finding.kind = kind;
    finding.call = call;
    finding.is_mistake = true;
    finding.headline = headline;
    finding.details.push_back(detail);
    findings_.push_back(std::move(finding));
}

bool ApiSpy::fails_allocation() {
    ++allocations_;
    return chosen(&allocation_to_fail_);
}

bool ApiSpy::fails_launch() { return chosen(&launch_to_fail_); }
bool ApiSpy::fails_copy() { return chosen(&copy_to_fail_); }

void ApiSpy::failed(int injected_error) {
    ++failed_calls;
    pending_error_ = injected_error;
}

void ApiSpy::allocated(const void* pointer, std::size_t bytes, std::byte* block) {
    freed_.erase(address(pointer));  // the runtime reuses addresses
    live_[address(pointer)] = {bytes, allocations_, block};
}

const ApiSpy::Allocation* ApiSpy::about_to_free(const void* pointer, Side side) {
    ++frees_;
    const auto own = live_.find(address(pointer));
    if (own != live_.end()) {
        return &own->second;
    }
    if (const auto before = freed_.find(address(pointer)); before != freed_.end() && still_freed(before->second, side)) {
        note("cudaFree", FindingKind::double_free, "cudaFree of memory that was freed before",
             fmt::format(
                 "allocation {} of this test, {} bytes, is freed twice: set the pointer to nullptr after the first cudaFree, or free "
                 "in one place only",
                 before->second.number, before->second.bytes));
        return nullptr;
    }
    if (Found inside; find(live_, pointer, &inside)) {
        note("cudaFree", FindingKind::wrong_free, "cudaFree of an address that is not the start of an allocation",
             fmt::format("it lies {} bytes inside allocation {} of {} bytes: free the pointer that cudaMalloc gave, unchanged",
                         address(pointer) - inside.start, inside.allocation.number, inside.allocation.bytes));
    } else if (side == Side::host) {
        note("cudaFree", FindingKind::pointer_exchanged, "cudaFree of an address that is not device memory",
             "host memory is freed as it was made: free, delete, or not at all");
    }
    return nullptr;
}

void ApiSpy::freed(const void* pointer) {
    if (const auto own = live_.find(address(pointer)); own != live_.end()) {
        freed_[own->first] = own->second;
        live_.erase(own);
    }
}

bool ApiSpy::find(const Allocations& all, const void* pointer, Found* found) {
    auto after = all.upper_bound(address(pointer));
    if (after == all.begin()) {
        return false;
    }
    --after;
    if (address(pointer) - after->first >= after->second.bytes) {
        return false;
    }
    *found = {after->first, after->second};
    return true;
}

bool ApiSpy::reaches_too_far(const CopyCall& copy, const void* pointer, Side side, const char* which) {
    Found at;
    if (find(live_, pointer, &at)) {
        const std::size_t room = at.allocation.bytes - (address(pointer) - at.start);
        if (copy.bytes <= room) {
            return false;
        }
        note(copy.call, FindingKind::wrong_copy_size,
             fmt::format("{} copies {} bytes, but its {} has only {}", copy.call, copy.bytes, which, room),
             fmt::format("that is allocation {} of this test, {} bytes; the size of a copy is in bytes: elements times sizeof(float)",
                         at.allocation.number, at.allocation.bytes));
        return true;
    }
    if (find(freed_, pointer, &at) && still_freed(at.allocation, side)) {
        note(copy.call, FindingKind::use_after_free, copy.call + " uses device memory that was freed",
             fmt::format("its {} lies in allocation {} of this test, {} bytes: free it after the last copy", which, at.allocation.number,
                         at.allocation.bytes));
        return true;
    }
    return false;
}

bool ApiSpy::check(const CopyCall& copy) {
    if (copy.bytes == 0) {
        return true;
    }
    // For freed memory the runtime's answer is meaningless.
    if (reaches_too_far(copy, copy.to, copy.to_side, "destination") || reaches_too_far(copy, copy.from, copy.from_side, "source")) {
        return false;
    }
    if (copy.direction == Direction::by_pointers) {
        return true;
    }
    const bool wrong_target = is_other(copy.to_side, wanted_target(copy.direction));
    const bool wrong_source = is_other(copy.from_side, wanted_source(copy.direction));
    if (!wrong_target && !wrong_source) {
        return true;
    }
    const std::string sides = fmt::format("its destination is {} and its source is {}",
                                          memory(copy.to_side == Side::either ? wanted_target(copy.direction) : copy.to_side),
                                          memory(copy.from_side == Side::either ? wanted_source(copy.direction) : copy.from_side));
    const bool crossed = copy.direction == Direction::host_to_device || copy.direction == Direction::device_to_host;
    if (wrong_target && wrong_source && crossed) {
        note(copy.call, FindingKind::pointer_exchanged,
             fmt::format("{} with {}: pointers or direction are exchanged", copy.call, name_of(copy.direction)),
             sides + "; the destination comes first");
    } else {
        note(copy.call, FindingKind::wrong_copy_direction,
             fmt::format("{} with {} in the wrong direction", copy.call, name_of(copy.direction)), sides);
    }
    return false;
}

void ApiSpy::launched(const LaunchCall& launch, int error, const std::string& error_name) {
    ++launches_;
    if (error == 0) {
        trace::Launch& seen = launch_list_.emplace_back();
        seen.grid = {launch.grid[0], launch.grid[1], launch.grid[2]};
        seen.block = {launch.block[0], launch.block[1], launch.block[2]};
        seen.dynamic_shared_bytes = static_cast<std::uint32_t>(launch.dynamic_shared_bytes);
    }
    if (!unchecked_launch_.empty()) {
        note("<<<>>>", FindingKind::unchecked_launch_error,
             fmt::format("a launch failed with {}, and the next one came before anybody asked", unchecked_launch_),
             "call cudaGetLastError() after each launch");
        findings_.back().error = unchecked_error_;
    }
    unchecked_launch_ = error == 0 ? "" : error_name;
    unchecked_error_ = error;
}

int ApiSpy::queried(bool clears) {
    ++error_queries_;
    unchecked_launch_.clear();
    return clears ? std::exchange(pending_error_, 0) : pending_error_;
}

std::vector<Finding> ApiSpy::findings() const {
    ApiSpy closing = *this;
    if (!unchecked_launch_.empty()) {
        closing.note("<<<>>>", FindingKind::unchecked_launch_error,
                     fmt::format("a launch failed with {}, and nobody asked", unchecked_launch_),
                     "a launch returns nothing: call cudaGetLastError() after it");
        closing.findings_.back().error = unchecked_error_;
    }
    for (const auto& [start, allocation] : live_) {
        closing.note("cudaMalloc", FindingKind::leak, "memory leak",
                     fmt::format("allocation {} of this test, {} bytes, is never freed", allocation.number, allocation.bytes));
    }
    return closing.findings_;
}

trace::ApiCounts ApiSpy::counts() const {
    trace::ApiCounts all;
    const auto number = [](std::uint64_t count) { return static_cast<std::int64_t>(count); };
    all.allocations = number(allocations_);
    all.frees = number(frees_);
    all.copies = number(copies);
    all.copies_to_host = number(copies_to_host);
    all.launches = number(launches_);
    all.failed_calls = number(failed_calls);
    all.error_queries = number(error_queries_);
    all.leaked_allocations = number(live_.size());
    for (const auto& [start, allocation] : live_) all.leaked_bytes += number(allocation.bytes);
    return all;
}

}  // namespace lab::runner
