#include "common/emulator/server/peer.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <utility>

#include "common/emulator/server/api.h"

namespace lab::cuda {
namespace {

using wire::FromDevice;
using wire::FromProgram;

thread_local Peer* current_peer = nullptr;

std::byte* mapped(int file) {
    void* const at = mmap(nullptr, wire::staging_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return at == MAP_FAILED ? nullptr : static_cast<std::byte*>(at);
}

}  // namespace

Peer* peer() { return current_peer; }

Peer::Peer(int socket, int shared)
    : socket_(socket), staging_file_(memfd_create("lab-staging", MFD_CLOEXEC | MFD_ALLOW_SEALING)), shared_(shared) {
    if (staging_file_ < 0 || ftruncate(staging_file_, wire::staging_bytes) != 0) return;
    fcntl(staging_file_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
    staging_ = mapped(staging_file_);
}

Peer::~Peer() {
    if (staging_ != nullptr) munmap(staging_, wire::staging_bytes);
    if (staging_file_ >= 0) close(staging_file_);
    close(socket_);
}

void Peer::serve() {
    RuntimeState& state = runtime();
    current_peer = this;
    try {
        if (staging_ == nullptr) throw Gone();
        greet(state);
        const wire::Hello hello{wire::version, state.options.checks.host, state.reports_at_end};
        const std::array<int, 2> descriptors{staging_file_, shared_};
        if (!wire::send(socket_, wire::Writer().put(FromDevice::hello).put(hello).all(), descriptors)) throw Gone();
        for (;;) {
            const wire::Packet packet = wire::receive(socket_);
            if (packet.is_empty()) throw Gone();
            wire::Reader fields(packet.bytes());
            if (fields.get<FromProgram>() != FromProgram::call) throw wire::Malformed();
            const std::lock_guard serving(state.serving);
            answer(fields);
        }
    } catch (const Gone&) {
    } catch (const std::exception&) {  // no valid packet, or more memory than there is
    }
    current_peer = nullptr;
}

void Peer::greet(RuntimeState& state) const {
    const wire::Packet packet = wire::receive(socket_);
    const int wanted = 0;
    setsockopt(socket_, SOL_SOCKET, SO_PASSCRED, &wanted, sizeof wanted);  // later packets need not say it
    if (packet.is_empty()) throw Gone();
    wire::Reader fields(packet.bytes());
    if (fields.get<FromProgram>() != FromProgram::hello || fields.get<std::uint32_t>() != wire::version) throw wire::Malformed();
    if (packet.sender() != 0 && packet.sender() != getpid()) state.memory->set_program(state.program = packet.sender());
}

void Peer::send(const wire::Writer& packet) const {
    if (!wire::send(socket_, packet.all())) throw Gone();
}

bool Peer::ask(const wire::Writer& packet) {
    send(packet);
    return is_done();
}

bool Peer::is_done() {
    for (;;) {
        const wire::Packet received = wire::receive(socket_);
        if (received.is_empty()) throw Gone();
        wire::Reader fields(received.bytes());
        if (fields.get<FromProgram>() == FromProgram::done) return fields.get<bool>();
        answer(fields);  // of the handler of a signal that came meanwhile
    }
}

void Peer::answer(wire::Reader fields) {
    const auto call = fields.get<wire::Call>();
    const auto thread = fields.get<std::uint32_t>();
    const auto line = fields.get<int>();
    const std::string file = fields.text();
    wire::Reader arguments(fields.bytes());
    wire::Writer values;
    const cudaError_t result = cuda::answer(call, thread, interned(file, line), arguments, values);
    print_unsaid();
    tell_protected();
    send(wire::Writer().put(FromDevice::reply).put(result).append(values.all()));
}

// Pages with reading allowed come first: where two overlap, the stricter one holds.
void Peer::tell_protected() {
    RuntimeState& state = runtime();
    std::vector<PageRange> now;
    {
        const std::lock_guard lock(state.mutex);
        now = state.in_flight.pages();
    }
    if (now == protected_) return;
    wire::Writer packet;
    packet.put(FromDevice::protect);
    for (const PageRange& range : now) packet.put(wire::Protected{range.begin, range.end, range.rights == Rights::read ? 1U : 0U});
    send(packet);
    protected_ = std::move(now);
}

// One half of the staging buffer is the program's while the other is the device's.
void Peer::copy(FromDevice what, std::byte* device, std::uint64_t pitch, const Rows& program, std::uint64_t width, std::uint64_t height) {
    constexpr std::uint64_t half = wire::staging_bytes / 2;
    const std::uint64_t all = width * height;
    const auto part_at = [&](std::uint64_t offset) {
        const std::uint64_t staged = offset / half % 2 * half;
        return wire::Part{to_address(program.pointer), program.pitch, width, offset, std::min(half, all - offset), staged};
    };
    const auto ask_for = [&](std::uint64_t offset) { send(wire::Writer().put(what).put(part_at(offset))); };
    const auto move = [&](std::uint64_t offset) {
        wire::Part here = part_at(offset);
        here.address = reinterpret_cast<std::uint64_t>(device);
        here.pitch = pitch;
        wire::for_each_segment(here, [&](std::byte* segment, std::uint64_t at, std::uint64_t bytes) {
            what == FromDevice::store ? std::memcpy(staging_ + at, segment, bytes) : std::memcpy(segment, staging_ + at, bytes);
        });
    };
    if (what == FromDevice::store) move(0);
    ask_for(0);
    for (std::uint64_t offset = 0; offset < all; offset += half) {
        const std::uint64_t next = offset + half;
        if (next < all) what == FromDevice::store ? move(next) : ask_for(next);
        if (!is_done()) return;
        if (what == FromDevice::fetch) move(offset);
        if (next < all && what == FromDevice::store) ask_for(next);
    }
}

void Peer::copy_in(std::byte* to, std::uint64_t to_pitch, const Rows& from, std::uint64_t width, std::uint64_t height) {
    copy(FromDevice::fetch, to, to_pitch, from, width, height);
}
void Peer::copy_out(const Rows& to, const std::byte* from, std::uint64_t from_pitch, std::uint64_t width, std::uint64_t height) {
    copy(FromDevice::store, const_cast<std::byte*>(from), from_pitch, to, width, height);
}
void Peer::move(const Rows& to, const Rows& from, std::uint64_t width, std::uint64_t height) {
    ask(wire::Writer()
            .put(FromDevice::move)
            .put(wire::Move{to_address(to.pointer), to.pitch, to_address(from.pointer), from.pitch, width, height}));
}

bool Peer::map(const wire::Mapping& mapping) { return ask(wire::Writer().put(FromDevice::map).put(mapping)); }

void Peer::print(int descriptor, const std::string& text) {
    constexpr std::size_t most = wire::max_packet / 2;
    for (std::size_t at = 0; at < text.size(); at += most) {
        const std::string_view part = std::string_view(text).substr(at, most);
        send(wire::Writer().put(FromDevice::print).put(static_cast<std::uint32_t>(descriptor)).text(part));
    }
}

cudaError_t Peer::add_text(std::uint64_t bytes) {
    constexpr std::size_t most = std::size_t{64} << 20;
    if (bytes > wire::staging_bytes || text_.size() + bytes > most) throw wire::Malformed();
    text_.insert(text_.end(), staging_, staging_ + bytes);
    return cudaSuccess;
}

void Peer::print_unsaid() {
    for (const auto& [descriptor, text] : take_unsaid()) print(descriptor, text);
}

void Peer::exit(int status) { send(wire::Writer().put(FromDevice::exit).put(status)); }

void serve(int socket) {
    try {
        (void)runtime();
    } catch (const std::exception& problem) {
        const std::string line = std::string(problem.what()) + "\n";
        (void)wire::send(socket, wire::Writer().put(FromDevice::print).put(std::uint32_t{STDERR_FILENO}).text(line).all());
        close(socket);
        return;
    }
    RuntimeState& state = runtime();
    Peer(socket, state.memory->shared_file()).serve();
}

}  // namespace lab::cuda
