// The device as the program reaches it: a socket to the process that emulates it. One call at a time.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "common/emulator/client/include/cuda_runtime_api.h"
#include "common/emulator/client/wire.h"

namespace lab::client {

class Device {
public:
    // The one of this process, reached at first use; never destroyed, since programs call it from destructors of their globals.
    static Device& instance();

    // Makes a call of the API: sends the arguments, does meanwhile what the device asks for, and takes the values of pointers.
    template <typename... Arguments>
    cudaError_t ask(wire::Call call, LabCallSite site, Arguments... arguments) {
        wire::Writer sent;
        (put(sent, arguments), ...);
        Reply reply = exchange(call, site, sent);
        wire::Reader values(reply.values());
        (take(values, arguments), ...);
        return reply.result;
    }

    struct Reply {
        cudaError_t result = cudaErrorDevicesUnavailable;
        wire::Packet packet;
        std::size_t head = 0;
        [[nodiscard]] std::span<const std::byte> values() const { return packet.bytes().subspan(std::min(head, packet.bytes().size())); }
    };
    Reply exchange(wire::Call call, LabCallSite site, const wire::Writer& arguments);

    // Sends text that the next call of register_unit takes.
    void add_text(std::span<const std::byte> text);

    // Whether the address lies in memory that program and device share. Takes no lock.
    [[nodiscard]] bool is_shared(std::uint64_t address) const;
    // Whether it lies in pages that are becoming shared right now: an access has to wait.
    [[nodiscard]] static bool is_being_exchanged(std::uint64_t address);
    // Whether early accesses to memory in use are looked for. False until the first call.
    [[nodiscard]] bool follows_host() const { return hello_.follows_host; }
    // For a program that is about to crash: whether no other thread has held the device for so long.
    [[nodiscard]] bool is_free_soon();

private:
    template <typename T>
    static void put(wire::Writer& to, T value) {
        if constexpr (wire::is_opaque<T>) {
            to.put(value);
        } else {
            to.put(value != nullptr);
            if (value != nullptr) to.put(*value);
        }
    }
    template <typename T>
    static void take(wire::Reader& from, T to) {
        if constexpr (wire::is_output<T>) {
            if (to != nullptr && !from.is_empty()) *to = from.get<std::remove_pointer_t<T>>();
        }
    }

    void connect();
    [[noreturn]] void lost() const;
    void send(const wire::Writer& packet) const;
    void done(bool could) const;
    void serve(wire::FromDevice what, wire::Reader fields);
    bool map(const wire::Mapping& mapping);
    void protect(wire::Reader ranges);

    std::recursive_timed_mutex mutex_;
    int connected_ = 0;  // the process that is: a fork's child gets a device of its own
    int socket_ = -1, shared_ = -1;
    std::byte* staging_ = nullptr;
    wire::Hello hello_;
    std::vector<wire::Protected> protected_;
    struct Shared;
    Shared* shared_ranges_ = nullptr;
};

// Sends kernels and variables of all units that registered since the last call; the device of a new connection knows none.
void send_new_units(Device& device);
void forget_units();

// The descriptor of a new connection to a device. Ends the process with one line where there can be none.
extern "C" int lab_reach_device();

}  // namespace lab::client
