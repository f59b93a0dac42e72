#include "common/emulator/client/device.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "common/emulator/client/host_faults.h"

namespace lab::client {
namespace {

using wire::FromDevice;
using wire::FromProgram;

std::uint32_t this_thread() {
    static std::atomic<std::uint32_t> next{0};
    thread_local const std::uint32_t mine = ++next;
    return mine;
}

void* pointer(std::uint64_t address) { return reinterpret_cast<void*>(address); }

// Without the folders.
const char* name_of(const char* file) {
    if (file == nullptr) return "";
    const char* const slash = std::strrchr(file, '/');
    return slash == nullptr ? file : slash + 1;
}

}  // namespace

// Read by the handler of SIGSEGV while another thread may hold the lock.
struct Device::Shared {
    static constexpr std::size_t most = 4096;
    struct Range {
        std::atomic<std::uint64_t> begin{0}, end{0};
    };
    std::array<Range, most> ranges;
    std::atomic<std::size_t> count{0};

    void add(std::uint64_t begin, std::uint64_t end) {
        const auto unused = std::find_if(ranges.begin(), ranges.begin() + count, [](const Range& range) { return range.end == 0; });
        if (unused == ranges.end()) return;
        unused->begin = begin;
        unused->end = end;
        if (unused == ranges.begin() + static_cast<std::ptrdiff_t>(count.load())) ++count;
    }
    // All that overlap; calls with each.
    template <class Function>
    void remove(std::uint64_t begin, std::uint64_t end, const Function& removed) {
        for (std::size_t i = 0; i < count; ++i) {
            Range& range = ranges[i];
            if (range.begin >= end || begin >= range.end) continue;
            removed(range.begin, range.end.exchange(0));
        }
    }
    void remove(std::uint64_t begin, std::uint64_t end) {
        remove(begin, end, [](std::uint64_t, std::uint64_t) {});
    }
};

Device& Device::instance() {
    static Device* const one = new Device;
    return *one;
}

void Device::connect() {
    if (connected_ == getpid()) return;
    connected_ = getpid();
    protected_.clear();
    shared_ranges_ = new Shared;
    forget_units();
    socket_ = lab_reach_device();
    send(wire::Writer().put(FromProgram::hello).put(wire::version));
    std::array<int, 2> descriptors{-1, -1};
    const wire::Packet packet = wire::receive(socket_, descriptors);
    wire::Reader fields(packet.bytes());
    if (packet.is_empty()) lost();
    const auto what = fields.get<FromDevice>();
    if (what == FromDevice::print) {  // why there is none
        serve(what, fields);
        std::_Exit(2);
    }
    if (what != FromDevice::hello) lost();
    hello_ = fields.get<wire::Hello>();
    shared_ = descriptors[1];
    void* const staging = ::mmap(nullptr, wire::staging_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptors[0], 0);
    if (hello_.version != wire::version || staging == MAP_FAILED) lost();
    ::close(descriptors[0]);
    staging_ = static_cast<std::byte*>(staging);
    explain_host_faults();
    // Registered before the program's globals exist, so it runs after their destructors.
    if (hello_.reports_at_end) std::atexit([] { instance().exchange(wire::Call::end_program, {nullptr, 0}, {}); });
}

void Device::lost() const {
    std::fputs("the emulated device is gone: its process has ended\n", stderr);
    std::_Exit(2);
}

void Device::send(const wire::Writer& packet) const {
    if (!wire::send(socket_, packet.all())) lost();
}

void Device::done(bool could) const { send(wire::Writer().put(FromProgram::done).put(could)); }

bool Device::is_free_soon() {
    constexpr std::chrono::seconds patience{1};
    if (!mutex_.try_lock_for(patience)) return false;
    mutex_.unlock();
    return true;
}

Device::Reply Device::exchange(wire::Call call, LabCallSite site, const wire::Writer& arguments) {
    const std::lock_guard lock(mutex_);
    connect();
    send_new_units(*this);
    wire::Writer packet;
    packet.put(FromProgram::call).put(call).put(this_thread()).put(site.line).text(name_of(site.file));
    packet.bytes(arguments.all().data(), arguments.all().size());
    send(packet);
    for (;;) {
        Reply reply;
        reply.packet = wire::receive(socket_);
        if (reply.packet.is_empty()) lost();
        wire::Reader fields(reply.packet.bytes());
        const auto what = fields.get<FromDevice>();
        if (what != FromDevice::reply) {
            serve(what, fields);
            continue;
        }
        reply.result = fields.get<cudaError_t>();
        reply.head = sizeof what + sizeof reply.result;
        return reply;
    }
}

void Device::add_text(std::span<const std::byte> text) {
    while (!text.empty()) {
        const auto part = text.first(std::min(text.size(), wire::staging_bytes));
        std::memcpy(staging_, part.data(), part.size());
        ask(wire::Call::add_text, {nullptr, 0}, static_cast<std::uint64_t>(part.size()));
        text = text.subspan(part.size());
    }
}

void Device::serve(FromDevice what, wire::Reader fields) {
    switch (what) {
        case FromDevice::fetch:
            wire::for_each_segment(fields.get<wire::Part>(), [this](const std::byte* from, std::uint64_t at, std::uint64_t bytes) {
                std::memcpy(staging_ + at, from, bytes);
            });
            return done(true);
        case FromDevice::store:
            wire::for_each_segment(fields.get<wire::Part>(),
                                   [this](std::byte* to, std::uint64_t at, std::uint64_t bytes) { std::memcpy(to, staging_ + at, bytes); });
            return done(true);
        case FromDevice::move: {
            const auto move = fields.get<wire::Move>();
            for (std::uint64_t row = 0; row < move.height; ++row) {
                std::memmove(pointer(move.to + row * move.to_pitch), pointer(move.from + row * move.from_pitch), move.width);
            }
            return done(true);
        }
        case FromDevice::map:
            return done(map(fields.get<wire::Mapping>()));
        case FromDevice::print: {
            const bool is_error = fields.get<std::uint32_t>() == STDERR_FILENO;
            const auto text = fields.bytes();
            if (is_error) std::fflush(stdout);
            std::fwrite(text.data(), 1, text.size(), is_error ? stderr : stdout);
            if (!is_error) std::fflush(stdout);
            return;
        }
        case FromDevice::protect:
            return protect(fields);
        case FromDevice::exit:
            std::fflush(nullptr);
            std::_Exit(fields.get<int>());
        default:
            lost();
    }
}

namespace {

// Pages that are being exchanged: other threads' stores wait.
std::atomic<std::uint64_t> exchanged_begin{0}, exchanged_end{0};

// Whole pages, with whatever lies in them beside the program's array: AddressSanitizer has no say in that.
#if defined(__clang__)
__attribute__((no_sanitize("address")))
#endif
void copy_pages(void* to, const void* from, std::size_t bytes) {
    auto* const words = static_cast<volatile std::uint64_t*>(to);
    const auto* const source = static_cast<const std::uint64_t*>(from);
    for (std::size_t i = 0; i < bytes / sizeof *source; ++i) words[i] = source[i];
}

// Copies the pages to their new memory and puts that in their place. On a thread of its own, since they may hold this one's stack.
bool exchange_pages(const wire::Mapping& mapping, void* copy, int descriptor) {
    watch_host_faults();
    bool is_done = false;
    std::thread([&] {
        void* const pages = pointer(mapping.address);
        exchanged_begin = mapping.address;
        exchanged_end = mapping.address + mapping.bytes;
        if (::mprotect(pages, mapping.bytes, PROT_READ) == 0) {
            copy_pages(copy, pages, mapping.bytes);
            const int flags = MAP_SHARED | MAP_FIXED;
            is_done =
                ::mmap(pages, mapping.bytes, PROT_READ | PROT_WRITE, flags, descriptor, static_cast<off_t>(mapping.offset)) != MAP_FAILED;
        }
        exchanged_end = 0;
    }).join();
    return is_done;
}

}  // namespace

bool Device::map(const wire::Mapping& mapping) {
    const auto offset = static_cast<off_t>(mapping.offset);
    const std::uint64_t end = mapping.address + mapping.bytes;
    switch (mapping.mode) {
        case wire::Mode::fresh: {
            // An earlier memory of the device's may have been there.
            shared_ranges_->remove(mapping.address, end, [](std::uint64_t from, std::uint64_t to) { ::munmap(pointer(from), to - from); });
            const int flags = MAP_SHARED | MAP_FIXED_NOREPLACE;
            void* const made = ::mmap(pointer(mapping.address), mapping.bytes, PROT_READ | PROT_WRITE, flags, shared_, offset);
            if (made != pointer(mapping.address)) return false;
            shared_ranges_->add(mapping.address, end);
            return true;
        }
        case wire::Mode::taken_over: {
            void* const copy = ::mmap(nullptr, mapping.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, shared_, offset);
            if (copy == MAP_FAILED) return false;
            const bool is_done = exchange_pages(mapping, copy, shared_);
            ::munmap(copy, mapping.bytes);
            if (is_done) shared_ranges_->add(mapping.address, end);
            return is_done;
        }
        case wire::Mode::given_back: {
            shared_ranges_->remove(mapping.address, end);
            void* const copy = ::mmap(nullptr, mapping.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (copy == MAP_FAILED) return false;
            copy_pages(copy, pointer(mapping.address), mapping.bytes);
            return ::mremap(copy, mapping.bytes, mapping.bytes, MREMAP_MAYMOVE | MREMAP_FIXED, pointer(mapping.address)) != MAP_FAILED;
        }
        case wire::Mode::gone:
            shared_ranges_->remove(mapping.address, end);
            ::munmap(pointer(mapping.address), mapping.bytes);
            return true;
    }
    return false;
}

bool Device::is_being_exchanged(std::uint64_t address) { return address >= exchanged_begin && address < exchanged_end; }

bool Device::is_shared(std::uint64_t address) const {
    if (shared_ranges_ == nullptr) return false;
    const Shared& shared = *shared_ranges_;
    return std::any_of(shared.ranges.begin(), shared.ranges.begin() + static_cast<std::ptrdiff_t>(shared.count.load()),
                       [&](const Shared::Range& range) { return address >= range.begin && address < range.end; });
}

void Device::protect(wire::Reader ranges) {
    const auto give = [](const wire::Protected& range, int rights) { ::mprotect(pointer(range.begin), range.end - range.begin, rights); };
    for (const wire::Protected& range : protected_) give(range, PROT_READ | PROT_WRITE);
    protected_.clear();
    while (!ranges.is_empty()) protected_.push_back(ranges.get<wire::Protected>());
    if (!protected_.empty()) watch_host_faults();
    for (const wire::Protected& range : protected_) give(range, range.may_read != 0 ? PROT_READ : PROT_NONE);
}

}  // namespace lab::client
