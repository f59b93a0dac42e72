// The protocol between a program and its device: packets over a socket. Contents of the program's memory pass through a staging buffer that
// both map. The program sends a call and waits for the reply; before it replies, the device may request parts of the program's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

struct CUstream_st;
struct CUevent_st;

namespace lab::wire {

constexpr std::uint32_t version = 2;
constexpr std::size_t max_packet = 64 * 1024;
constexpr std::size_t staging_bytes = std::size_t{1} << 20;

// The calls of a program.
enum class Call : std::uint32_t {
#define LAB_CALL(name, ...) name,
#include "common/emulator/client/calls.inc"
#undef LAB_CALL
    cudaGetLastError,
    cudaPeekAtLastError,
    cudaLaunchKernel,
    cudaLaunchCooperativeKernel,
    cudaDeviceGetPCIBusId,
    cudaDeviceGetByPCIBusId,
    kernel_parameters,    // replies with the bytes of all parameters of a function, then offset and size of each
    begin_host_function,  // the program is about to call the function of cudaLaunchHostFunc or cudaStreamAddCallback
    end_host_function,
    add_text,        // a part of a unit's text is in the staging buffer
    register_unit,   // the text is complete: kernels and variables
    settle_access,   // an access to shared memory has faulted: succeeds if it can be repeated
    shadow_access,   // the program has accessed its own copy of a device variable
    explain_access,  // an access has faulted and ends the program: prints the reason
    end_program,
    count,
};

// The packets of a program.
enum class FromProgram : std::uint32_t {
    hello,  // wire::version; answered by the device's
    call,   // Call, thread, line and file of the call, arguments
    done,   // answers a request of the device: whether it succeeded
};

// The packets of a device. The program answers fetch, store, move and map with `done`.
enum class FromDevice : std::uint32_t {
    hello,    // Hello; with the descriptors of staging buffer and shared memory
    reply,    // the call's result, and the values of its pointers
    fetch,    // Part; of the program's memory into the staging buffer
    store,    // Part; of the staging buffer into the program's memory
    move,     // Move; within the program's memory
    map,      // Mapping
    print,    // descriptor (1 or 2), text
    protect,  // Protected...: all pages that the program must not use now
    exit,     // with this status
};

struct Hello {
    std::uint32_t version = wire::version;
    bool follows_host = false;    // whether early accesses of the program are looked for
    bool reports_at_end = false;  // whether end_program has anything to say
};

// `bytes` of rows of `width` bytes from byte `offset` of their contents on; in the staging buffer they begin at byte `staged`.
struct Part {
    std::uint64_t address = 0, pitch = 0, width = 0, offset = 0, bytes = 0, staged = 0;
};
struct Move {
    std::uint64_t to = 0, to_pitch = 0, from = 0, from_pitch = 0, width = 0, height = 0;
};
enum class Mode : std::uint32_t {
    fresh,       // pages of shared memory at an address where nothing is
    taken_over,  // the program's own pages become shared, with their contents
    given_back,  // and private again
    gone,
};
struct Mapping {
    Mode mode{};
    std::uint64_t address = 0, bytes = 0, offset = 0;  // whole pages; where in the shared memory
};
struct Protected {
    std::uint64_t begin = 0, end = 0;
    std::uint64_t may_read = 0;
};

// The other side has sent an invalid packet.
class Malformed : public std::runtime_error {
public:
    Malformed() : std::runtime_error("malformed packet") {}
};

class Writer {
public:
    template <typename T>
    Writer& put(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        return append(std::as_bytes(std::span(&value, 1)));
    }
    // With their number before them, as Reader::bytes() reads them.
    Writer& bytes(const void* from, std::size_t count) {
        return put(static_cast<std::uint64_t>(count)).append({static_cast<const std::byte*>(from), count});
    }
    Writer& append(std::span<const std::byte> bytes) {
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
        return *this;
    }
    Writer& text(std::string_view text) { return bytes(text.data(), text.size()); }
    [[nodiscard]] std::span<const std::byte> all() const { return bytes_; }

private:
    std::vector<std::byte> bytes_;
};

// Throws Malformed where there is less than asked for.
class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}
    template <typename T>
    T get() {
        static_assert(std::is_trivially_copyable_v<T>);
        if constexpr (std::is_same_v<T, bool>) return get<std::uint8_t>() != 0;  // whatever was sent
        T value{};
        const auto from = take(sizeof value);
        std::memcpy(&value, from.data(), sizeof value);
        return value;
    }
    std::span<const std::byte> bytes() { return take(get<std::uint64_t>()); }
    std::string text() {
        const auto from = bytes();
        return {reinterpret_cast<const char*>(from.data()), from.size()};
    }
    [[nodiscard]] bool is_empty() const { return rest_.empty(); }

private:
    std::span<const std::byte> take(std::uint64_t count) {
        if (count > rest_.size()) throw Malformed();
        const auto taken = rest_.first(count);
        rest_ = rest_.subspan(count);
        return taken;
    }
    std::span<const std::byte> rest_;
};

// Parameters of the API that are values whatever they point to: pointers of the program's and handles.
template <typename T>
constexpr bool is_opaque = !std::is_pointer_v<T> || std::is_void_v<std::remove_cv_t<std::remove_pointer_t<T>>> ||
                           std::is_same_v<T, CUstream_st*> || std::is_same_v<T, CUevent_st*>;
// Parameters through which a call gives back a value. The value before the call goes with it.
template <typename T>
constexpr bool is_output = !is_opaque<T> && !std::is_const_v<std::remove_pointer_t<T>>;

// Calls with the address of each segment of the rows' contents and its place in the staging buffer.
template <typename Function>
void for_each_segment(const Part& part, const Function& function) {
    for (std::uint64_t done = 0; done < part.bytes;) {
        const std::uint64_t at = part.offset + done;
        const std::uint64_t row = at / part.width;
        const std::uint64_t column = at % part.width;
        const bool is_flat = part.pitch == part.width;
        const std::uint64_t left = part.bytes - done;
        const std::uint64_t bytes = is_flat || left < part.width - column ? left : part.width - column;
        function(reinterpret_cast<std::byte*>(part.address + row * part.pitch + column), part.staged + done, bytes);
        done += bytes;
    }
}

// One packet as received; empty if the other side is gone.
class Packet {
public:
    [[nodiscard]] std::span<const std::byte> bytes() const { return {memory_.get(), size_}; }
    [[nodiscard]] bool is_empty() const { return size_ == 0; }
    // The process that sent it, as the system says; 0 at the program's end.
    [[nodiscard]] int sender() const { return sender_; }

private:
    friend Packet receive(int socket, std::span<int> descriptors);
    std::unique_ptr<std::byte[]> memory_ = std::make_unique_for_overwrite<std::byte[]>(max_packet);
    std::size_t size_ = 0;
    int sender_ = 0;
};

// Makes the two ends of a connection. Packets that arrive at the device's tell their sender (SO_PASSCRED). False, with errno, on failure.
[[nodiscard]] bool connect(int* program, int* device);
// Sends one packet, with up to two descriptors; false if the other side is gone.
[[nodiscard]] bool send(int socket, std::span<const std::byte> packet, std::span<const int> descriptors = {});
// Receives one packet. `descriptors` get those that came along; others are closed.
[[nodiscard]] Packet receive(int socket, std::span<int> descriptors = {});

}  // namespace lab::wire
